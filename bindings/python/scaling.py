"""Times and memory of maps in chunks, on 1, 2 and 4 processes of dask.

    pip install './bindings/python[dask]' distributed rioxarray
    python bindings/python/scaling.py

Prints the table of the guide. A worker has one thread. More workers than processors show what they cost.
"""

import os
import sys
import tempfile
import time

import numpy as np

SIDE, CELL = 4000, 30.0
WORKERS = (1, 2, 4)


def hills(path):
    """Write a raster of fractal hills."""
    import rasterio
    from compare import terrain

    profile = {"driver": "GTiff", "width": SIDE, "height": SIDE, "count": 1, "dtype": "float32", "crs": "EPSG:32632", "tiled": True}
    with rasterio.open(path, "w", transform=rasterio.Affine(CELL, 0, 600_000, 0, -CELL, 5_200_000), **profile) as file:
        file.write(terrain(SIDE), 1)


def jobs(dem):
    """The results to compute, by name."""
    import farsight_fov  # noqa: F401

    corner = dem.isel(x=slice(0, 1000), y=slice(0, 1000)).chunk(250)
    places = np.random.default_rng(3).uniform(200 * CELL, (SIDE - 200) * CELL, (400, 2))
    observers = places * (1, -1) + (600_000, 5_200_000)
    return {
        "total viewshed of 1,000,000 cells, range 900 m": corner.farsight.total_viewshed(max_distance=900),
        "sky-view factor of 16,000,000 cells, 8 azimuths, range 5 km": dem.farsight.sky_view_factor(azimuths=8, max_distance=5_000),
        "count of 400 observers, range 5 km, groups of 32": dem.farsight.cumulative(observers, max_distance=5_000, group=32)["count"],
    }


def seconds_of_processor():
    return sum(os.times()[:2])


def peak_of_memory():
    """The most memory that this process has taken, in GB (Linux)."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1e6


def measure(path, name, workers):
    import rioxarray
    from distributed import Client, LocalCluster

    options = {"threads_per_worker": 1, "memory_limit": "1GiB", "dashboard_address": None, "env": {"RAYON_NUM_THREADS": "1"}}
    with LocalCluster(n_workers=workers, **options) as cluster, Client(cluster) as client:
        dem = rioxarray.open_rasterio(path, masked=True, chunks=1000).squeeze()
        values = jobs(dem)[name].data
        client.run(__import__, "farsight_fov")
        before, start = sum(client.run(seconds_of_processor).values()), time.perf_counter()
        float(values[::7, ::7].sum().compute())  # all chunks, and little of them leaves the workers
        clock = time.perf_counter() - start
        return sum(client.run(seconds_of_processor).values()) - before, clock, max(client.run(peak_of_memory).values())


def main():
    path = os.path.join(tempfile.mkdtemp(), "hills.tif")
    hills(path)
    import rioxarray

    names = list(jobs(rioxarray.open_rasterio(path, masked=True, chunks=1000).squeeze()))
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    print("| |", " | ".join(f"{n} worker{'s' * (n > 1)}: processor, clock" for n in WORKERS), "| memory of a worker |")
    print("|---|" + "--:|" * (len(WORKERS) + 1))
    for name in names:
        rows = [measure(path, name, workers) for workers in WORKERS]
        times = " | ".join(f"{processor:.1f} s, {clock:.0f} s" for processor, clock, _ in rows)
        print(f"| {name} | {times} | {max(memory for *_, memory in rows):.2f} GB |", flush=True)


if __name__ == "__main__":
    main()
