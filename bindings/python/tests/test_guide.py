"""The examples of the guide, of the README and of the functions run."""

import doctest
import importlib
import json
import pkgutil
import re
import shutil
from pathlib import Path

import pytest

import farsight_fov

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/python.md").read_text(), re.DOTALL)


def test_examples_of_the_guide_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(BLOCKS) == 8
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
def test_examples_of_the_functions_are_true(name):
    if name in (".accessor", ".blocks"):
        pytest.importorskip({".accessor": "xarray", ".blocks": "dask.array"}[name])
    assert doctest.testmod(importlib.import_module(f"farsight_fov{name}")).failed == 0


def test_examples_of_the_readme_are_true():
    results = doctest.testfile(str(ROOT / "bindings/python/README.md"), module_relative=False)
    assert results.attempted > 0 and results.failed == 0
