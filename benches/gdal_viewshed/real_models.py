"""Writes the elevation models that PyPI packages carry as sample data for `cargo bench --bench gdal_viewshed`.

python3 -m venv /tmp/models && /tmp/models/bin/pip install matplotlib lidar rasterio pyogrio --no-deps numpy
/tmp/models/bin/python benches/gdal_viewshed/real_models.py /tmp/models/f32

Each model is a file NAME.f32 (little-endian float32, rows from the north) and a file NAME.txt (columns, rows, side of a cell in
metres). Needs numpy and rasterio; a package that is missing is left out.
"""

import importlib.util
import pathlib
import sys

import numpy


def folder_of(package):
    found = importlib.util.find_spec(package)
    return pathlib.Path(found.origin).parent if found and found.origin else None


def write(folder, name, heights, cell):
    heights = numpy.ascontiguousarray(heights, dtype="<f4")
    (folder / f"{name}.f32").write_bytes(heights.tobytes())
    (folder / f"{name}.txt").write_text(f"{heights.shape[1]} {heights.shape[0]} {cell}\n")
    print(name, heights.shape, cell)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if matplotlib := folder_of("matplotlib"):
        # Cells of 3 seconds, taken as squares of 90 m.
        sample = numpy.load(matplotlib / "mpl-data" / "sample_data" / "jacksboro_fault_dem.npz")
        write(folder, "jacksboro fault", sample["elevation"], 90)
    if lidar := folder_of("lidar"):
        import rasterio

        for name, file in [("lidar terrain", "dem.tif"), ("lidar surface", "dsm.tif")]:
            with rasterio.open(lidar / "data" / file) as raster:
                write(folder, name, raster.read(1), raster.transform[0])


main()
