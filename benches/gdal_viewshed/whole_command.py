"""Whole commands compared: farsight's and gdal_viewshed's, from the heightmap to the file that is written.

whole_command.py FARSIGHT [--gdal LIBRARY ...] [--dem FILE]

Makes a raster of 2400x2400 cells of 30 m with farsight, or takes one, and looks from 18 places over 5 and 20 km. Prints a table of the
medians of wall time and processor time of the commands and, for libraries of GDAL, of opening, computing and writing without the start
of a program. Then it adds up the views of 200 turbines over 20 km: with `farsight cumulative`, and view by view with GDAL on one thread.
The cells that differ are counted against the exact grade. Needs python3, gdal_viewshed and gdal_translate.
"""

import argparse
import ctypes
import os
import random
import statistics
import subprocess
import tempfile
import time
from array import array
from ctypes import c_char_p, c_double, c_int, c_void_p

SIDE, CELLS, EYE_M, TIP_M, CURVATURE = 30, 2400, 10, 150, 0.85714
BYTE, READ, EDGE, NORMAL = 1, 0, 2, 1


class Gdal:
    """A library of GDAL."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.GDALAllRegister()
        self.open = self.function("GDALOpen", c_void_p, c_char_p, c_int)
        self.band = self.function("GDALGetRasterBand", c_void_p, c_void_p, c_int)
        self.close = self.function("GDALClose", None, c_void_p)
        self.generate = self.function(
            "GDALViewshedGenerate", c_void_p, c_void_p, c_char_p, c_char_p, c_void_p, *[c_double] * 9, c_int, c_double,
            c_void_p, c_void_p, c_int, c_void_p,
        )  # fmt: skip
        self.transform = self.function("GDALGetGeoTransform", c_int, c_void_p, c_void_p)
        self.size = [self.function(name, c_int, c_void_p) for name in ("GDALGetRasterXSize", "GDALGetRasterYSize")]
        self.transfer = self.function(
            "GDALRasterIO", c_int, c_void_p, c_int, c_int, c_int, c_int, c_int, c_void_p, c_int, c_int, c_int, c_int, c_int
        )
        self.version = self.function("GDALVersionInfo", c_char_p, c_char_p)(b"RELEASE_NAME").decode()

    def function(self, name, result, *arguments):
        found = getattr(self.library, name)
        found.restype, found.argtypes = result, arguments
        return found

    def place(self, dataset):
        numbers = (c_double * 6)()
        self.transform(dataset, ctypes.byref(numbers))
        return numbers[0], numbers[3]

    def view(self, dem, driver, out, x, y, eye, radius):
        return self.generate(
            self.band(dem, 1), driver, out, None, x, y, eye, 0, 1, 0, 0, -1, CURVATURE, EDGE, radius, None, None, NORMAL, None
        )  # fmt: skip

    def values(self, dataset):
        columns, rows = (size(dataset) for size in self.size)
        out = ctypes.create_string_buffer(columns * rows)
        self.transfer(self.band(dataset, 1), READ, 0, 0, columns, rows, out, columns, rows, BYTE, 0, 0)
        return columns, rows, out.raw


def clock():
    """The wall time, and the processor time of this program and of those that it ran."""
    return time.perf_counter(), sum(os.times()[:4])


def seconds(action):
    start = clock()
    action()
    return [end - begin for begin, end in zip(start, clock())]


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("farsight")
    arguments.add_argument("--gdal", action="append", default=[])
    arguments.add_argument("--dem")
    given = arguments.parse_args()
    farsight = os.path.abspath(given.farsight)
    dem = os.path.abspath(given.dem) if given.dem else None
    gdals = [Gdal(path) for path in given.gdal]
    folder = tempfile.TemporaryDirectory()
    os.chdir(folder.name)
    if dem is None:
        size, side = f"{CELLS}x{CELLS}", f"world.cell_size_m={SIDE}"
        run(farsight, "export", "--size", size, "--seed", 1, "--set", side, "--layer", "elevation", "-o", "plain.tif")
        run("gdal_translate", "-a_srs", "EPSG:32632", "-co", "COMPRESS=DEFLATE", "plain.tif", "dem.tif")
        dem = "dem.tif"
    reader = gdals[0] if gdals else Gdal("libgdal.so.32")
    opened = reader.open(dem.encode(), READ)
    west, north = reader.place(opened)
    reader.close(opened)
    numbers = random.Random(1)
    single_views(farsight, dem, gdals, west, north, numbers)
    cumulative(farsight, dem, gdals or [reader], west, north, numbers)


def middle_of(cell, west, north):
    return west + (cell[0] + 0.5) * SIDE, north - (cell[1] + 0.5) * SIDE


def single_views(farsight, dem, gdals, west, north, numbers):
    heads = ["gdal_viewshed", *[f"GDAL {gdal.version}, library" for gdal in gdals], "exact", "reference plane"]
    print("Milliseconds of wall time / of processor time:\n")
    print(f"| radius | {' | '.join(heads)} |\n|---|{'--:|' * len(heads)}")
    cells = [(numbers.randrange(CELLS), numbers.randrange(CELLS)) for _ in range(18)]
    for radius in (5000, 20000):
        times = [[] for _ in heads]
        for cell in cells:
            x, y = middle_of(cell, west, north)
            single = ["-ox", x, "-oy", y, "-oz", EYE_M, "-md", radius, "-cc", CURVATURE, "-co", "COMPRESS=DEFLATE"]
            actions = [lambda single=single: run("gdal_viewshed", "-q", *single, dem, "g.tif")]
            for gdal in gdals:

                def by_library(gdal=gdal, x=x, y=y):
                    dataset = gdal.open(dem.encode(), READ)
                    gdal.close(gdal.view(dataset, b"GTiff", b"l.tif", x, y, EYE_M, radius))
                    gdal.close(dataset)

                actions.append(by_library)
            at = ["--at", f"{cell[0]},{cell[1]}", "--radius", f"{radius}m", "--set", f"optics.eye_height_m={EYE_M}"]
            export = [farsight, "export", "-q", "--preset", "viewshed", "--heightmap", dem, *at]
            for method in ("exact", "two-parent"):
                actions.append(lambda export=export, method=method: run(*export, "--method", method, "-o", "f.tif"))
            for column, action in zip(times, actions):
                column.append(seconds(action))
        medians = [" / ".join(f"{1000 * statistics.median(part):.0f}" for part in zip(*column)) for column in times]
        print(f"| {radius // 1000} km | {' | '.join(medians)} |", flush=True)


def cumulative(farsight, dem, gdals, west, north, numbers):
    cells = [(numbers.randrange(CELLS), numbers.randrange(CELLS)) for _ in range(200)]
    with open("turbines.csv", "w") as file:
        file.write("x,y,eye_height_m\n")
        for cell in cells:
            x, y = middle_of(cell, west, north)
            file.write(f"{x},{y},{TIP_M}\n")
    command = [farsight, "cumulative", "-q", "--heightmap", dem, "--read", "whole", "--observers", "turbines.csv"]
    command += ["--max-distance", "20km"]
    print("\n| 200 turbines, 20 km | wall s | processor s | cells with another count than the exact grade |\n|---|--:|--:|--:|")
    counts, rows = {}, []
    for method, threads in (("exact", None), ("exact", 1), ("two-parent", None), ("two-parent", 1)):
        flags = ["--threads", threads] if threads else []
        taken = seconds(lambda: run(*command, "--method", method, *flags, "--count", "c.npy"))
        with open("c.npy", "rb") as file:
            file.seek(-4 * CELLS * CELLS, os.SEEK_END)
            values = array("f")
            values.frombytes(file.read())
        counts[method] = values
        words = "all threads" if threads is None else "one thread"
        rows.append((f"farsight, {method}, {words}", taken, values))
    for gdal in gdals:
        total = array("f", bytes(4 * CELLS * CELLS))
        start, adding = clock(), [0.0, 0.0]
        dataset = gdal.open(dem.encode(), READ)
        for cell in cells:
            x, y = middle_of(cell, west, north)
            seen = gdal.view(dataset, b"MEM", b"", x, y, TIP_M, 20000)
            added = clock()
            (left, top), (columns, height, values) = gdal.place(seen), gdal.values(seen)
            first, row = round((left - west) / SIDE), round((north - top) / SIDE)
            for i in range(height):
                begin = (row + i) * CELLS + first
                line = values[i * columns : (i + 1) * columns]
                at = line.find(1)
                while at >= 0:
                    total[begin + at] += 1
                    at = line.find(1, at + 1)
            gdal.close(seen)
            adding = [sum_ + end - begin for sum_, begin, end in zip(adding, added, clock())]
        gdal.close(dataset)
        taken = [end - begin - sum_ for begin, end, sum_ in zip(start, clock(), adding)]
        rows.append((f"GDAL {gdal.version}, view by view, without adding", taken, total))
    for name, taken, values in rows:
        differ = sum(a != b for a, b in zip(values, counts["exact"]) if a == a and b == b)
        print(f"| {name} | {taken[0]:.1f} | {taken[1]:.1f} | {differ:,} |", flush=True)


main()
