"""The examples of the guide run, one after another."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/python.md").read_text(), re.DOTALL)


def test_examples_of_the_guide_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(BLOCKS) == 4
    for block in BLOCKS:
        if "rioxarray" in block:
            pytest.importorskip("rioxarray")
        exec(block.replace("examples/", f"{ROOT}/examples/"), names)
    assert Path("fog.png").exists() and Path("fog.tif").exists()
