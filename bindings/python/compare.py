"""Times and wrong cells of farsight_fov next to other libraries of Python.

    pip install tcod xarray-spatial rasterio
    python bindings/python/compare.py

Times are the least of several runs, on one thread and all; that of `gdal_viewshed` is of the program, which reads and writes files. A cell
of a viewshed is wrong if a straight line over the bilinear surface, sampled at a tenth of a cell, decides otherwise. Memory is the most
that a process with one viewshed takes, less that of a process that only has the heights (Linux). What is not installed is left out.
"""

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

import farsight_fov as fs


def milliseconds(call, runs=7):
    call()  # the first one compiles and fills caches
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def installed(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")


def terrain(side, seed=1):
    """Fractal hills of 400 m."""
    rng = np.random.default_rng(seed)
    spectrum = np.fft.rfft2(rng.standard_normal((side, side)))
    frequency = np.hypot(np.fft.fftfreq(side)[:, None], np.fft.rfftfreq(side)[None])
    frequency[0, 0] = 1
    heights = np.fft.irfft2(spectrum / frequency**2, s=(side, side))
    return (400 * (heights - heights.min()) / np.ptp(heights)).astype(np.float32)


def traced(ground, viewer, targets, eye):
    """Whether targets on a flat Earth are seen, by lines that are sampled at a tenth of a cell. Square cells of 1 m."""
    (x0, y0), g = viewer, ground.astype(float)
    top = g[y0, x0] + eye
    seen = []
    for x1, y1 in targets:
        count = 10 * int(np.ceil(np.hypot(x1 - x0, y1 - y0)))
        t = np.arange(1, count) / count
        x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
        i, j = np.floor(x).astype(int), np.floor(y).astype(int)
        i1, j1, u, v = np.minimum(i + 1, g.shape[1] - 1), np.minimum(j + 1, g.shape[0] - 1), x - i, y - j
        on_line = (g[j, i] * (1 - u) + g[j, i1] * u) * (1 - v) + (g[j1, i] * (1 - u) + g[j1, i1] * u) * v
        slopes = (on_line - top) / t
        beyond = np.maximum(abs(x - x0), abs(y - y0)) >= 1  # neighbours are always in sight
        seen.append(not beyond.any() or g[y1, x1] - top >= slopes[beyond].max() - 1e-6)
    return np.array(seen)


def games():
    rng = np.random.default_rng(5)
    for side, radius in ((100, 10), (400, 40), (1000, 100)):
        opacity = (rng.random((side, side)) < 0.1).astype(np.float32)
        middle = (side // 2, side // 2)
        opacity[middle] = 0
        out = np.empty_like(opacity)
        row = {"field_of_view": milliseconds(lambda: fs.field_of_view(opacity, middle, radius=radius, out=out))}
        row["shadowcast"] = milliseconds(lambda: fs.field_of_view(opacity, middle, radius=radius, method="shadowcast", out=out))
        if tcod := installed("tcod.map"):
            transparent = opacity < 0.5
            for algorithm in (12, 2):  # symmetric shadowcasting, recursive shadowcasting
                call = lambda: tcod.compute_fov(transparent, middle, radius, algorithm=algorithm)
                row[f"tcod {algorithm}"] = milliseconds(call)
        print(f"{side} x {side}, radius {radius}:", ", ".join(f"{name} {ms:.3f} ms" for name, ms in row.items()))


#: What starts the program of GDAL, if not this process.
LAUNCHER = []
SIDE, EYE = 1000, 10.0
VIEWER = (SIDE // 2, SIDE // 2)


def from_farsight(ground, method):
    return lambda: fs.viewshed(ground, VIEWER, cell_size=1, eye=EYE, earth=False, method=method) > 0.5


def from_xarray_spatial(ground):
    if not (xrspatial := installed("xrspatial")):
        return None
    import xarray as xr

    coords = {"y": np.arange(SIDE)[::-1] * 1.0, "x": np.arange(SIDE) * 1.0}
    dem = xr.DataArray(ground.astype(float), coords=coords, dims=("y", "x"))
    x, y = float(VIEWER[0]), float(SIDE - 1 - VIEWER[1])
    return lambda: xrspatial.viewshed(dem, x=x, y=y, observer_elev=EYE).values > -1


def from_gdal(ground):
    if not (rasterio := installed("rasterio")) or not shutil.which("gdal_viewshed"):
        return None
    folder = tempfile.mkdtemp()
    profile = {"driver": "GTiff", "width": SIDE, "height": SIDE, "count": 1, "dtype": "float32", "crs": "EPSG:32632"}
    with rasterio.open(f"{folder}/dem.tif", "w", transform=rasterio.Affine(1, 0, 0, 0, -1, SIDE), **profile) as file:
        file.write(ground, 1)
    at = ["-ox", str(VIEWER[0] + 0.5), "-oy", str(SIDE - VIEWER[1] - 0.5), "-oz", str(EYE), "-tz", "0"]
    command = ["gdal_viewshed", "-q", "-md", "0", "-cc", "0", *at, f"{folder}/dem.tif", f"{folder}/seen.tif"]

    def call():
        subprocess.run([*LAUNCHER, *command], check=True)
        with rasterio.open(f"{folder}/seen.tif") as file:
            return file.read(1) > 0

    return call


VIEWSHEDS = {
    "farsight exact": lambda ground: from_farsight(ground, "exact"),
    "farsight two-parent": lambda ground: from_farsight(ground, "two-parent"),
    "xarray-spatial": from_xarray_spatial,
    "gdal_viewshed": from_gdal,
}


def megabytes(name, heights):
    """The peak of a process that computes one viewshed of a file; without a name, of one that only has the heights."""
    command = [sys.executable, "-c", f"import compare; compare.only({name!r}, {heights!r})"]
    folder = os.path.dirname(os.path.abspath(__file__))
    return float(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout.split()[-1]) / 1024


def only(name, heights):
    ground = np.load(heights)
    if name == "gdal_viewshed":
        # The most of a child counts that of the process which starts it: a small one.
        LAUNCHER[:] = [sys.executable, "-S", "-c", "import resource as r, subprocess as s, sys; s.run(sys.argv[1:], check=True); "
                       "print(r.getrusage(r.RUSAGE_CHILDREN).ru_maxrss)"]
        VIEWSHEDS[name](ground)()
        return
    if name:
        VIEWSHEDS[name](ground)()
    with open("/proc/self/status") as status:
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")))


def viewsheds():
    ground = terrain(SIDE)
    rng = np.random.default_rng(9)
    targets = [(int(x), int(y)) for x, y in rng.integers(0, SIDE, (3000, 2)) if max(abs(x - VIEWER[0]), abs(y - VIEWER[1])) > 1]
    expected = traced(ground, VIEWER, targets, EYE)
    columns, rows = np.array(targets).T
    heights = os.path.join(tempfile.mkdtemp(), "heights.npy")
    np.save(heights, ground)
    base = megabytes("", heights)
    for name, prepare in VIEWSHEDS.items():
        if call := prepare(ground):
            wrong = 100 * (call()[rows, columns] != expected).mean()
            memory = megabytes(name, heights) - (0 if name == "gdal_viewshed" else base)
            print(f"{name}: {milliseconds(call, 5):.1f} ms, {wrong:.2f} % of {len(targets)} cells wrong, {memory:.0f} MB")


if __name__ == "__main__":
    games()
    viewsheds()
