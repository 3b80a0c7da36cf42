from os import PathLike
from typing import Any, TypedDict, final

import numpy as np
import numpy.typing as npt

__version__: str

_Cell = tuple[int, int]
_Cells = npt.NDArray[np.int32]
_Part = tuple[int, int, int, int]
_Floats = npt.NDArray[np.float32]

class _Eye(TypedDict):
    cell_size: tuple[float, float]
    eye: float
    target: float
    curvature: float
    max_distance: float | None

class _Standing(TypedDict):
    surface: _Floats | None
    canopy: _Floats | None
    extinction: float | None
    clear_trunks: float

class _FilmRequest(TypedDict):
    scale: int | None
    frame: tuple[int, int] | None
    frames_per_second: float
    panorama: bool

def field_of_view(opacity: _Floats, viewer: _Cell, config: str, out: _Floats | None) -> _Floats | None: ...
def fields_of_view(opacity: _Floats, viewers: _Cells, config: str, out: _Floats) -> None: ...
def line_of_sight(opacity: _Floats, viewer: _Cell, target: _Cell, config: str) -> float: ...
def who_sees_whom(opacity: _Floats, cells: _Cells, radii: list[int], config: str) -> _Floats: ...
def viewshed(
    heights: _Floats, viewer: _Cell, method: str, softness: float, eye: _Eye, standing: _Standing, window: bool
) -> tuple[_Floats, _Cell]: ...
def profile(
    heights: _Floats, viewer: _Cell, target: _Cell, eye: _Eye, standing: _Standing, frequency: float
) -> tuple[list[_Cells], list[npt.NDArray[np.float64]]]: ...
def horizon(
    heights: _Floats, viewers: _Cells, azimuths: int, convergence: float, eye: _Eye
) -> tuple[Any, Any, Any]: ...
def sky(
    heights: _Floats,
    request: tuple[int, float | None, tuple[float, str] | None, float],
    eye: _Eye,
    part: _Part | None = ...,
    sides: list[tuple[float, float]] | None = ...,
) -> _Floats: ...
def total_viewshed(heights: _Floats, method: str, eye: _Eye, part: _Part | None = ...) -> _Floats: ...
def observer_columns() -> list[str]: ...
def cumulative(
    heights: _Floats,
    observers: tuple[_Cells, list[tuple[str, list[float]]]],
    layers: list[str],
    method: str,
    turbine: tuple[float, float],
    eye: _Eye,
) -> list[_Floats]: ...
def coverage(
    heights: _Floats,
    observers: tuple[_Cells, list[tuple[str, list[float]]]],
    request: tuple[list[float], _Cells, int, bool],
    method: str,
    turbine: tuple[float, float],
    eye: _Eye,
) -> tuple[
    float,
    list[tuple[float, float, float, float]],
    list[list[bool]],
    list[tuple[int, int, float, float]],
    list[list[npt.NDArray[np.float64]]],
]: ...
def latitude_and_convergence(
    epsg: int | None,
    is_geographic: bool,
    corner: tuple[float, float],
    cell: tuple[float, float],
    at: _Cell,
) -> tuple[float | None, float | None]: ...
def cell_sizes(
    epsg: int | None,
    is_geographic: bool,
    corner: tuple[float, float],
    cell: tuple[float, float],
    size: _Cell,
) -> list[tuple[float, float]]: ...
@final
class NativeScene:
    def __new__(
        cls,
        preset: str | None,
        settings: list[tuple[str, str]],
        viewer: _Cell | None = ...,
        opacity: _Floats | None = ...,
        heights: _Floats | None = ...,
        cell_size: tuple[float, float] = ...,
    ) -> NativeScene: ...
    @property
    def viewer(self) -> _Cell: ...
    @property
    def size(self) -> _Cell: ...
    @property
    def preset(self) -> str: ...
    @property
    def link(self) -> str: ...
    def summary(self) -> str: ...
    def layer(self, name: str) -> _Floats: ...
    def explain(self, target: _Cell) -> str: ...
    def place(self, viewer: _Cell) -> None: ...
    def step(self, dx: int, dy: int) -> bool: ...
    def wait(self) -> None: ...
    def set_hour(self, hour: float) -> None: ...
    def png(self, scale: int | None) -> bytes: ...
    def panorama(self, azimuth: float, field: float, size: tuple[int, int]) -> bytes: ...
    def save_walk(self, points: _Cells, path: str | PathLike[str], film: _FilmRequest) -> None: ...
    def save(self, path: str | PathLike[str], layer: str, scale: int | None) -> None: ...
