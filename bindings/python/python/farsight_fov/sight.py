"""Fields of view over opacities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Cell, Floats, as_cell, as_cells, as_json, as_map

Method = Literal[
    "two-parent", "beam", "exact", "symmetric-shadowcast", "shadowcast", "raycast-border", "raycast-circle"
]


def field_of_view(
    opacity: npt.ArrayLike,
    viewer: Cell,
    *,
    radius: int = 32,
    method: Method = "two-parent",
    decay: Mapping[str, Any] | None = None,
    facing: float | None = None,
    span: float | None = None,
    out: Floats | None = None,
    **sight: Any,
) -> Floats:
    """Compute the visibility of every cell for a viewer.

    Parameters
    ----------
    opacity : array_like, shape (rows, columns)
        Opacities from 0 (clear) to 1 (a wall). NaN is a cell that does not exist: neither seen nor seen through.
        ``float32`` in C order is read where it is; other numbers are copied once.
    viewer : (x, y)
        Column and row of the viewer.
    radius : int
        The range of sight in cells.
    method : str
        ``"two-parent"`` (fast, symmetric), ``"beam"`` (sharp shadows), ``"exact"`` (the slow reference), or one that
        answers yes or no: ``"symmetric-shadowcast"`` and the classic methods.
    decay : mapping, optional
        The decay of visibility with distance: ``{"kind": "smooth", "reach": 60}``. Kinds: ``linear``, ``smooth``,
        ``inverse_square``, ``exponential``, ``lamp``, ``fuzzy``, ``points``. Default: none.
    facing, span : float, optional
        A cone of vision: its direction (0 north, 90 east) and its angle, in degrees.
    out : ndarray of float32, optional
        Written and returned in place of a new array. It has the shape of `opacity`.
    **sight
        Other keys of ``[sight]`` in a preset: ``path``, ``shape``, ``weights``, ``beams``, ``samples``, ``wall_at``,
        ``rays``, ``repair``.

    Returns
    -------
    ndarray of float32
        Visibilities from 0 (hidden) to 1 (in plain view), of the shape of `opacity`.

    Raises
    ------
    IndexError
        If the viewer is off the map.
    ValueError
        If an opacity or an option is out of range.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> fs.field_of_view([[0, 0, 0.5, 0, 1, 0]], (0, 0))
    array([[1. , 1. , 1. , 0.5, 0.5, 0. ]], dtype=float32)
    """
    values = as_map(opacity, "opacity")
    if out is not None and (out.shape != values.shape or out.dtype != np.float32 or not out.flags.c_contiguous):
        raise ValueError(f"out: expected float32 of shape {values.shape} in C order, not {out.dtype} of {out.shape}")
    config = _config(radius=radius, method=method, decay=decay, facing=facing, span=span, **sight)
    new = _core.field_of_view(values, as_cell(viewer, "viewer"), config, out)
    result = out if new is None else new
    assert result is not None
    return result


def fields_of_view(
    opacity: npt.ArrayLike,
    viewers: npt.NDArray[np.integer[Any]] | Iterable[Cell],
    *,
    radius: int = 32,
    method: Method = "two-parent",
    decay: Mapping[str, Any] | None = None,
    out: Floats | None = None,
    **sight: Any,
) -> Floats:
    """Compute the views of many viewers on all processors, without the lock of the interpreter.

    Parameters
    ----------
    opacity, radius, method, decay, **sight
        As for `field_of_view`.
    viewers : iterable of (x, y), or array of integers of shape (n, 2)
        The cells of the viewers.
    out : ndarray of float32, shape (n, 2 * radius + 1, 2 * radius + 1), optional
        Written and returned in place of a new array.

    Returns
    -------
    ndarray of float32, shape (n, 2 * radius + 1, 2 * radius + 1)
        For each viewer the square around it, which is in its middle; 0 off the map.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> views = fs.fields_of_view([[0, 0, 0.5, 0, 0]], [(0, 0), (4, 0)], radius=4)
    >>> views.shape
    (2, 9, 9)
    >>> views[0, 4, 4:]  # from the first viewer to the east
    array([1. , 1. , 1. , 0.5, 0.5], dtype=float32)
    """
    values = as_map(opacity, "opacity")
    cells = as_cells(viewers, "viewers")
    config = _config(radius=radius, method=method, decay=decay, **sight)
    side = 2 * max(int(radius), 0) + 1
    shape = (len(cells), side, side)
    if out is None:
        out = np.empty(shape, np.float32)
    elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
        raise ValueError(f"out: expected float32 of shape {shape} in C order, not {out.dtype} of {out.shape}")
    _core.fields_of_view(values, cells, config, out)
    return out


def line_of_sight(
    opacity: npt.ArrayLike,
    viewer: Cell,
    target: Cell,
    *,
    radius: int = 32,
    method: Method = "two-parent",
    decay: Mapping[str, Any] | None = None,
    **sight: Any,
) -> float:
    """Compute the visibility of one cell: the value of `field_of_view` at it, in less time.

    Parameters
    ----------
    opacity, viewer, radius, method, decay, **sight
        As for `field_of_view`.
    target : (x, y)
        The cell that is looked at.

    Returns
    -------
    float
        From 0 to 1; 0 out of range and off the map.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> fs.line_of_sight([[0, 0, 0.5, 0]], (0, 0), (3, 0))
    0.5
    """
    config = _config(radius=radius, method=method, decay=decay, **sight)
    values = as_map(opacity, "opacity")
    return _core.line_of_sight(values, as_cell(viewer, "viewer"), as_cell(target, "target"), config)


def who_sees_whom(
    opacity: npt.ArrayLike,
    cells: npt.NDArray[np.integer[Any]] | Iterable[Cell],
    radius: int | Iterable[int] = 32,
    *,
    decay: Mapping[str, Any] | None = None,
) -> Floats:
    """Compute the mutual visibility of several creatures.

    Parameters
    ----------
    opacity, decay
        As for `field_of_view`.
    cells : iterable of (x, y), or array of integers of shape (n, 2)
        Where they are.
    radius : int, or one for each creature
        How far they see, in cells.

    Returns
    -------
    ndarray of float32, shape (n, n)
        In row i and column j the visibility of j for i. Creatures of one radius see each other equally well.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> fs.who_sees_whom([[0, 0, 0.5, 0, 0]], [(0, 0), (4, 0)], radius=[9, 2])
    array([[1. , 0.5],
           [0. , 1. ]], dtype=float32)
    """
    where = as_cells(cells, "cells")
    radii = [int(radius)] * len(where) if isinstance(radius, (int, np.integer)) else [int(each) for each in radius]
    if len(radii) != len(where):
        raise ValueError(f"radius: {len(radii)} values for {len(where)} cells")
    config = _config(decay=decay)
    return _core.who_sees_whom(as_map(opacity, "opacity"), where, radii, config)


def _config(
    *, facing: float | None = None, span: float | None = None, **sight: Any
) -> str:
    if facing is not None or span is not None:
        sight["sector"] = {key: value for key, value in (("facing", facing), ("span", span)) if value is not None}
    return as_json(sight)
