"""The examples of the guide, of the README and of the functions run."""

import doctest
import importlib
import json
import pkgutil
import re
import shutil
import textwrap
from pathlib import Path

import numpy as np
import pytest

import farsight_fov

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/python.md").read_text(), re.DOTALL)


def test_examples_of_the_guide_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(BLOCKS) == 11
    for block in BLOCKS:
        for package in ("rioxarray", "zarr"):
            if package in block:
                pytest.importorskip(package)
        if "chunks=" in block:
            pytest.importorskip("dask.array")
        exec(block.replace("examples/", f"{ROOT}/examples/"), names)
    assert Path("fog.png").exists() and Path("fog.tif").exists()
    assert Path("walk.gif").read_bytes().startswith(b"GIF89a") and Path("seen.zarr").is_dir()


@pytest.mark.parametrize("name", ["field-of-view", "viewshed", "walk"])
def test_notebooks_run(name, monkeypatch):
    for package in ["matplotlib", "IPython", *(["xrspatial", "rioxarray"] if name == "viewshed" else [])]:
        pytest.importorskip(package)
    if name == "viewshed" and not shutil.which("gdal_viewshed"):
        pytest.skip("gdal_viewshed is not installed")
    notebook = ROOT / f"docs/notebooks/{name}.ipynb"
    monkeypatch.chdir(notebook.parent)
    monkeypatch.setenv("MPLBACKEND", "agg")
    cells = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
    assert cells and all(cell["outputs"] for cell in cells), "execute it: jupyter nbconvert --execute --inplace"
    names = {}
    for cell in cells:
        exec("".join(cell["source"]), names)


@pytest.mark.parametrize("name", ["", *(f".{module.name}" for module in pkgutil.iter_modules(farsight_fov.__path__))])
def test_examples_of_the_functions_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name in (".accessor", ".blocks"):
        pytest.importorskip({".accessor": "xarray", ".blocks": "dask.array"}[name])
    assert doctest.testmod(importlib.import_module(f"farsight_fov{name}")).failed == 0


def test_files_of_the_help_are_written(tmp_path, monkeypatch):
    geopandas, rioxarray = pytest.importorskip("geopandas"), pytest.importorskip("rioxarray")
    shutil.copy(ROOT / "examples/ridge.tif", tmp_path / "dem.tif")
    points = geopandas.GeoSeries.from_xy([616_200, 613_000, 619_000], [5_203_500, 5_205_000, 5_201_000], crs="EPSG:32632")
    geopandas.GeoDataFrame({"name": ["a", "b", "c"]}, geometry=points).to_crs("EPSG:4326").to_file(tmp_path / "places.geojson")
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in re.findall(r"::\n\n((?:        .*\n)+)", farsight_fov.accessor.FarsightAccessor.__doc__):
        exec(textwrap.dedent(block), names)
    seen, places = rioxarray.open_rasterio("seen.tif").squeeze(), names["places"]
    assert seen.rio.crs == names["dem"].rio.crs and seen.rio.transform() == names["dem"].rio.transform()
    assert set(np.unique(seen)) == {0, 1}
    assert sorted(places.name) == ["a", "b", "c"] and places.km2.is_monotonic_decreasing and places.km2.iloc[-1] > 0


def test_examples_of_the_readme_are_true():
    results = doctest.testfile(str(ROOT / "bindings/python/README.md"), module_relative=False)
    assert results.attempted > 0 and results.failed == 0
