"""Maps in chunks: what dask computes block by block, each with the land around it that counts."""

# Parts of dask have no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import dask.array as da
import numpy as np
import numpy.typing as npt
from dask.array.overlap import ensure_minimum_chunksize, overlap
from dask.delayed import delayed

from . import terrain
from ._arrays import Floats

#: Computes the values of a part of heights: first column and row, and those after the last. The sides are those of each row.
Compute = Callable[[Floats, tuple[int, int, int, int], "list[tuple[float, float]]"], Floats]
#: Rows and columns of a raster: the first of each and those after the last.
Window = tuple[int, int, int, int]

#: How the layers of groups of observers become one.
_MERGES: dict[str, Callable[[Floats, Floats], Floats]] = {
    **dict.fromkeys(("count", "hubs", "tips"), np.add),
    **dict.fromkeys(("union", "visible-height", "vertical-angle"), np.maximum),
    "nearest": np.minimum,
}
#: The number of arrays that are merged by a task.
_FAN_IN = 8
#: Cells beyond the range that count, since heights are interpolated.
MARGIN = 2


def by_block(heights: Any, compute: Compute, halo: int, sides: npt.NDArray[np.float64], from_north: bool) -> Any:
    """Compute a value for each cell of a chunked array from the cells within `halo` cells."""
    depth = {axis: min(halo, size) for axis, size in enumerate(heights.shape)}
    chunks = [ensure_minimum_chunksize(depth[axis], heights.chunks[axis]) for axis in depth]
    heights = heights.rechunk(dict(enumerate(chunks)))
    wide = overlap(heights, depth, boundary="none", allow_rechunk=False)

    def block(values: Floats, block_info: Any = None) -> Floats:
        (top, bottom), (left, right) = block_info[None]["array-location"]
        rows, columns = values.shape
        # Halos end with the map.
        above, before = min(depth[0], top), min(depth[1], left)
        part = (before, above, before + right - left, above + bottom - top)
        of_rows = [(x, y) for x, y in sides[top - above : top - above + rows].tolist()]
        if from_north:
            return compute(values, part, of_rows)
        part = (part[0], rows - part[3], part[2], rows - part[1])
        return np.ascontiguousarray(compute(values[::-1], part, of_rows[::-1])[::-1])

    chunked = wide.map_blocks(block, dtype=np.float32, chunks=heights.chunks, meta=np.empty((0, 0), np.float32))
    return chunked


def cumulative(
    path: str,
    observers: tuple[npt.NDArray[np.int32], dict[str, list[float]]],
    chunks: tuple[tuple[int, ...], tuple[int, ...]],
    radius: int,
    outputs: Sequence[str],
    group: int,
    options: dict[str, Any],
) -> dict[str, Any]:
    """Merge the views of observers over a raster file, which each task reads where it looks.

    `observers` has column and row of each, and columns with a number for each; `chunks` the heights and widths of the chunks of the result. A task has up to
    `group` observers that are near each other.
    """
    names = [name.replace("_", "-") for name in outputs]
    for name in names:
        if name not in _MERGES:
            raise ValueError(f"outputs: {name!r} is not computed in chunks: expected {', '.join(sorted(_MERGES))}")
    rows, columns = (sum(sizes) for sizes in chunks)
    read, views = delayed(_read, pure=True), delayed(_views, pure=True)
    groups = []
    cells, of_each = observers
    for numbers in _neighbours(cells, (max(chunks[0]), max(chunks[1])), group):
        members = cells[numbers], {name: np.array(values)[numbers] for name, values in of_each.items()}
        (left, top), (right, bottom) = members[0].min(axis=0) - radius, members[0].max(axis=0) + radius + 1
        window = (max(int(top), 0), min(int(bottom), rows), max(int(left), 0), min(int(right), columns))
        groups.append((window, views(path, window, members, names, options)))
    blocks = []
    for top, bottom in _ranges(chunks[0]):
        row = []
        for left, right in _ranges(chunks[1]):
            chunk = (top, bottom, left, right)
            parts = [delayed(_part)(layers, window, chunk, names) for window, layers in groups if _meet(window, chunk)]
            while len(parts) > _FAN_IN:
                parts = [delayed(_merge)(parts[i : i + _FAN_IN], names) for i in range(0, len(parts), _FAN_IN)]
            merged = delayed(_finish)(parts, read(path, chunk), names)
            row.append(da.from_delayed(merged, (len(names), bottom - top, right - left), np.float32))
        blocks.append(row)
    whole = da.block(blocks)
    return {output: whole[i] for i, output in enumerate(outputs)}


def raster_shape(path: str) -> tuple[int, int]:
    """Return the rows and columns of a raster file whose heights are as they are stored."""
    import rasterio  # type: ignore[import-untyped, unused-ignore]

    with rasterio.open(path) as raster:
        if raster.count != 1 or raster.scales[0] != 1 or raster.offsets[0] != 0:
            raise ValueError(f"{path}: expected a raster of one band without scale and offset")
        return raster.shape[0], raster.shape[1]


def nodata_of(path: str) -> set[np.float32]:
    """Return the number for no data of a raster file, if it has one."""
    import rasterio

    with rasterio.open(path) as raster, np.errstate(over="ignore"):
        return set() if raster.nodata is None else {np.float32(raster.nodata)}


def _ranges(sizes: Sequence[int]) -> list[tuple[int, int]]:
    ends = np.cumsum([0, *sizes]).tolist()
    return list(zip(ends, ends[1:]))


def _meet(a: Window, b: Window) -> bool:
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]


def _neighbours(cells: npt.NDArray[np.int32], tile: tuple[int, int], group: int) -> list[npt.NDArray[np.intp]]:
    """Return the numbers of observers in groups of the same tile."""
    tiles = cells[:, ::-1] // tile
    numbers = np.lexsort((*cells.T, *tiles.T[::-1]))
    ends = np.flatnonzero((np.diff(tiles[numbers], axis=0) != 0).any(axis=1)) + 1
    return [of_tile[i : i + group] for of_tile in np.split(numbers, ends) for i in range(0, len(of_tile), group)]


def _read(path: str, window: Window) -> Floats:
    import rasterio

    top, bottom, left, right = window
    with rasterio.open(path) as raster:
        heights = raster.read(1, window=((top, bottom), (left, right)), masked=True)
    filled: Floats = heights.astype(np.float32).filled(np.nan)
    return filled


def _views(
    path: str,
    window: Window,
    members: tuple[npt.NDArray[np.int32], dict[str, npt.NDArray[np.float64]]],
    names: list[str],
    options: dict[str, Any],
) -> Floats:
    offset = np.array([window[2], window[0]], np.int32)
    cells, columns = members
    layers = terrain.cumulative(_read(path, window), cells - offset, outputs=names, columns=columns, **options)
    return np.stack([layers[name] for name in names])


def _part(layers: Floats, window: Window, chunk: Window, names: list[str]) -> Floats:
    """Cut a chunk out of the layers of a window."""
    shape = (len(names), chunk[1] - chunk[0], chunk[3] - chunk[2])
    cut = np.zeros(shape, np.float32)
    for i, name in enumerate(names):
        nothing = np.float32(np.inf if name == "nearest" else 0)
        cut[i] = nothing
        top, bottom = max(window[0], chunk[0]), min(window[1], chunk[1])
        left, right = max(window[2], chunk[2]), min(window[3], chunk[3])
        source = layers[i, top - window[0] : bottom - window[0], left - window[2] : right - window[2]]
        target = cut[i, top - chunk[0] : bottom - chunk[0], left - chunk[2] : right - chunk[2]]
        np.copyto(target, np.where(np.isnan(source), nothing, source))
    return cut


def _merge(parts: list[Floats], names: list[str]) -> Floats:
    merged = parts[0].copy()
    for part in parts[1:]:
        for i, name in enumerate(names):
            merged[i] = _MERGES[name](merged[i], part[i])
    return merged


def _finish(parts: list[Floats], heights: Floats, names: list[str]) -> Floats:
    """Merge the last parts of a chunk; cells without data are NaN, and so is the distance of what nobody sees."""
    merged = _merge(parts, names) if parts else np.zeros((len(names), *heights.shape), np.float32)
    if "nearest" in names:
        nearest = merged[names.index("nearest")]
        nearest[np.isinf(nearest) if parts else slice(None)] = np.nan
    merged[:, np.isnan(heights)] = np.nan
    return merged
