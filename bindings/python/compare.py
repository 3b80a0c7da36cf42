"""Times and wrong cells of farsight_fov next to other libraries of Python.

    pip install tcod xarray-spatial
    python bindings/python/compare.py

Times are the least of several runs, on one thread and all. A cell of a viewshed is wrong if a straight line over the bilinear
surface, sampled at a tenth of a cell, decides otherwise. Libraries that are not installed are left out.
"""

import importlib
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


def viewsheds(side=1000, eye=10.0):
    ground, viewer = terrain(side), (side // 2, side // 2)
    rng = np.random.default_rng(9)
    targets = [(int(x), int(y)) for x, y in rng.integers(0, side, (3000, 2)) if max(abs(x - viewer[0]), abs(y - viewer[1])) > 1]
    expected = traced(ground, viewer, targets, eye)
    columns, rows = np.array(targets).T

    def tell(name, call, seen):
        wrong = (seen(call())[rows, columns] != expected).mean()
        print(f"{name}: {milliseconds(call, 5):.1f} ms, {100 * wrong:.2f} % of {len(targets)} cells wrong")

    for method in ("exact", "two-parent"):
        call = lambda: fs.viewshed(ground, viewer, cell_size=1, eye=eye, earth=False, method=method)
        tell(f"farsight {method}", call, lambda values: values > 0.5)
    if xrspatial := installed("xrspatial"):
        import xarray as xr

        dem = xr.DataArray(ground.astype(float), coords={"y": np.arange(side)[::-1] * 1.0, "x": np.arange(side) * 1.0}, dims=("y", "x"))
        call = lambda: xrspatial.viewshed(dem, x=float(viewer[0]), y=float(side - 1 - viewer[1]), observer_elev=eye)
        tell("xarray-spatial", call, lambda values: values.values > -1)


if __name__ == "__main__":
    games()
    viewsheds()
