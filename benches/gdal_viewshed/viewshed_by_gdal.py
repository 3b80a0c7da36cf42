"""A viewshed by a library of GDAL, through ctypes, on a raster in memory.

viewshed_by_gdal.py LIBRARY WIDTH HEIGHT CELL X Y EYE CURVATURE RADIUS SECONDS

Reads heights (float32) from ground.img, writes the viewshed to seen.img as bytes of 0 and 255, and prints the version of the
library, the columns and rows of seen.img, and the milliseconds of the fastest call within some seconds.
"""

import ctypes
import sys
import time
from ctypes import c_char_p, c_double, c_int, c_void_p

library = ctypes.CDLL(sys.argv[1])
width, height = map(int, sys.argv[2:4])
cell, x, y, eye, curvature, radius, seconds = map(float, sys.argv[4:11])


def function(name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


WKT = (
    'PROJCS["plane",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],'
    'UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],'
    'PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],'
    'PARAMETER["false_northing",0],UNIT["metre",1]]'
)
FLOAT, BYTE, READ, WRITE, EDGE, NORMAL = 6, 1, 0, 1, 2, 1
library.GDALAllRegister()
driver = function("GDALGetDriverByName", c_void_p, c_char_p)(b"MEM")
create = function("GDALCreate", c_void_p, c_void_p, c_char_p, c_int, c_int, c_int, c_int, c_void_p)
band_of = function("GDALGetRasterBand", c_void_p, c_void_p, c_int)
size_x, size_y = (function(name, c_int, c_void_p) for name in ("GDALGetRasterXSize", "GDALGetRasterYSize"))
close = function("GDALClose", None, c_void_p)
transfer = function(
    "GDALRasterIO", c_int, c_void_p, c_int, c_int, c_int, c_int, c_int, c_void_p, c_int, c_int, c_int, c_int, c_int
)
generate = function(
    "GDALViewshedGenerate", c_void_p, c_void_p, c_char_p, c_char_p, c_void_p, *[c_double] * 9, c_int, c_double, c_void_p,
    c_void_p, c_int, c_void_p,
)  # fmt: skip
source = create(driver, b"", width, height, 1, FLOAT, None)
place = (c_double * 6)(0, cell, 0, 0, 0, -cell)
function("GDALSetGeoTransform", c_int, c_void_p, c_void_p)(source, ctypes.byref(place))
# Without a coordinate reference system GDAL leaves out the curvature of the Earth.
function("GDALSetProjection", c_int, c_void_p, c_char_p)(source, WKT.encode())
band = band_of(source, 1)
heights = open("ground.img", "rb").read()
transfer(band, WRITE, 0, 0, width, height, ctypes.c_char_p(heights), width, height, FLOAT, 0, 0)
least, end = float("inf"), time.perf_counter() + seconds
seen = None
while seen is None or time.perf_counter() < end:
    if seen:
        close(seen)
    start = time.perf_counter()
    seen = generate(
        band, b"MEM", b"", None, (x + 0.5) * cell, -(y + 0.5) * cell, eye, 0, 255, 0, 0, -1, curvature, EDGE,
        radius * cell, None, None, NORMAL, None,
    )  # fmt: skip
    least = min(least, time.perf_counter() - start)
columns, rows = size_x(seen), size_y(seen)
out = ctypes.create_string_buffer(columns * rows)
transfer(band_of(seen, 1), READ, 0, 0, columns, rows, out, columns, rows, BYTE, 0, 0)
open("seen.img", "wb").write(out.raw)
version = function("GDALVersionInfo", c_char_p, c_char_p)(b"RELEASE_NAME").decode()
print(version, columns, rows, least * 1e3)
