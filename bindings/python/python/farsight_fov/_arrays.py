"""Arguments as the native module takes them."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Cell = tuple[int, int]
Floats = npt.NDArray[np.float32]


def as_map(array: npt.ArrayLike, name: str) -> Floats:
    """Return an array as ``float32`` in C order: the same object if it is that already, else one copy."""
    values = np.asarray(array)
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name}: an array of {values.dtype} is not accepted: expected numbers")
    if values.ndim != 2:
        raise ValueError(f"{name}: an array of shape {values.shape} is not accepted: expected rows and columns")
    if 0 in values.shape:
        raise ValueError(f"{name}: an array of shape {values.shape} has no cells")
    return np.require(values, np.float32, ["C", "A"])


def as_cell(cell: Any, name: str) -> Cell:
    """Return a cell as two integers of Python."""
    try:
        x, y = cell
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {cell!r} is not a cell: expected (x, y)") from None
    try:
        return _bounded(operator.index(x), name), _bounded(operator.index(y), name)
    except TypeError:
        raise TypeError(f"{name}: {cell!r} is not a cell: expected two whole numbers, column and row") from None


def as_cells(cells: Any, name: str) -> npt.NDArray[np.int32]:
    """Return cells as an array of integers with two columns."""
    if not isinstance(cells, np.ndarray):
        cells = np.array([as_cell(cell, f"{name}[{i}]") for i, cell in enumerate(cells)], np.int64).reshape(-1, 2)
    if cells.ndim != 2 or cells.shape[1] != 2 or cells.dtype.kind not in "iu":
        kind = f"{cells.dtype} of shape {cells.shape}"
        raise TypeError(f"{name}: an array of {kind} is not accepted: expected integers of shape (n, 2)")
    beyond = np.abs(cells.astype(np.float64)).max(axis=1, initial=0) >= 2**31
    if beyond.any():
        i = int(beyond.argmax())
        raise IndexError(f"{name}[{i}]: {tuple(cells[i].tolist())} is beyond every map")
    return np.require(cells, np.int32, ["C", "A"])


def as_numbers(values: Any, name: str) -> list[float]:
    """Return an array of numbers with one dimension as a list; missing values are NaN."""
    try:
        numbers = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {values!r} is not accepted: expected a number for each observer") from None
    if numbers.ndim != 1:
        raise ValueError(f"{name}: an array of shape {numbers.shape} is not accepted: expected a number for each observer")
    result: list[float] = numbers.tolist()
    return result


def as_json(values: Mapping[str, Any]) -> str:
    """Return options as JSON, without those that are None. NumPy's numbers are numbers."""
    given = {key: value for key, value in values.items() if value is not None}
    return json.dumps(given, default=operator.methodcaller("item"))


def _bounded(number: int, name: str) -> int:
    if not -(2**31) <= number < 2**31:
        raise IndexError(f"{name}: {number} is beyond every map")
    return number
