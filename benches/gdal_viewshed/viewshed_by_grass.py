"""A viewshed by r.viewshed of GRASS.

grass --tmp-location EPSG:32632 --exec python3 viewshed_by_grass.py WIDTH HEIGHT CELL X Y EYE CURVATURE RADIUS SECONDS

Reads heights (float32) from ground.img, writes the part of the viewshed within the radius to seen.img as bytes of 0 and 255, and
prints the version of GRASS, the columns and rows of seen.img, and the milliseconds of the fastest run of r.viewshed within some
seconds. It reads and writes raster files.
"""

import subprocess
import sys
import time

width, height = map(int, sys.argv[1:3])
cell, x, y, eye, curvature, radius, seconds = map(float, sys.argv[3:10])


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


run("r.in.bin", "-f", "input=ground.img", "output=ground", "bytes=4", f"rows={height}", f"cols={width}",
    f"north={height * cell}", "south=0", f"east={width * cell}", "west=0")  # fmt: skip
run("g.region", "raster=ground")
least, end = float("inf"), time.perf_counter() + seconds
while least == float("inf") or time.perf_counter() < end:
    start = time.perf_counter()
    run("r.viewshed", "--overwrite", "-bcr", "input=ground", "output=seen",
        f"coordinates={(x + 0.5) * cell},{(height - y - 0.5) * cell}", f"observer_elevation={eye}", "target_elevation=0",
        f"max_distance={radius * cell}", f"refraction_coeff={1 - curvature}", "memory=4000")  # fmt: skip
    least = min(least, time.perf_counter() - start)
left, right = max(x - radius, 0), min(x + radius + 1, width)
top, bottom = max(y - radius, 0), min(y + radius + 1, height)
run("g.region", f"w={left * cell}", f"e={right * cell}", f"n={(height - top) * cell}", f"s={(height - bottom) * cell}")
run("r.out.bin", "-i", "input=seen", "output=seen.img", "bytes=1", "null=0")
seen = open("seen.img", "rb").read()
open("seen.img", "wb").write(seen.replace(b"\1", b"\xff"))
version = run("g.version").split()[1]
print(version, int(right - left), int(bottom - top), least * 1e3)
