"""The examples of the guide, of the README and of the functions run."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import farsight_fov

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/python.md").read_text(), re.DOTALL)


def test_examples_of_the_guide_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(BLOCKS) == 5
    for block in BLOCKS:
        if "rioxarray" in block:
            pytest.importorskip("rioxarray")
        exec(block.replace("examples/", f"{ROOT}/examples/"), names)
    assert Path("fog.png").exists() and Path("fog.tif").exists()


@pytest.mark.parametrize("name", ["", *(f".{module.name}" for module in pkgutil.iter_modules(farsight_fov.__path__))])
def test_examples_of_the_functions_are_true(name):
    if name in (".accessor", ".blocks"):
        pytest.importorskip({".accessor": "xarray", ".blocks": "dask.array"}[name])
    assert doctest.testmod(importlib.import_module(f"farsight_fov{name}")).failed == 0


def test_examples_of_the_readme_are_true():
    results = doctest.testfile(str(ROOT / "bindings/python/README.md"), module_relative=False)
    assert results.attempted > 0 and results.failed == 0
