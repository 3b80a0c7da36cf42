"""Viewsheds, horizons and skies over heights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Cell, Floats, as_cell, as_cells, as_map, as_numbers

#: The columns of a horizon.
_HORIZON = np.dtype(
    [
        ("azimuth_deg", np.float64),
        ("elevation_deg", np.float64),
        ("distance_m", np.float64),
        ("x", np.int32),
        ("y", np.int32),
        ("height_m", np.float64),
    ]
)


#: The columns of a profile.
_PROFILE = np.dtype(
    [("x", np.int32), ("y", np.int32)]
    + [(name, np.float64) for name in ("distance_m", "ground_m", "obstacle_m", "surface_m", "line_m", "fresnel_m")]
)

#: The columns of a `Coverage`.
_BANDS = np.dtype([(name, np.float64) for name in ("from_m", "to_m", "ground_km2", "seen_km2")])
_PLACES = np.dtype([("x", np.int32), ("y", np.int32), ("count", np.int64), ("nearest_m", np.float64)])
_CHOSEN = np.dtype(
    [("observer", np.int64), ("added_cells", np.int64), ("added_km2", np.float64), ("seen_km2", np.float64)]
)


@dataclass(frozen=True)
class Coverage:
    """The ground that several observers see. ``pandas.DataFrame`` takes each table as it is.

    Attributes
    ----------
    seen_km2 : float
        Its area.
    bands : ndarray
        A table with a row for each band of distance from the nearest observer: ``from_m``, ``to_m``, ``ground_km2`` and
        ``seen_km2``.
    places : ndarray
        A table with a row for each place: the cell ``x`` and ``y``, the ``count`` of the observers that see it, and the metres to
        the nearest of them, ``nearest_m``; NaN without one.
    sees : ndarray of bool, shape (places, observers)
        Whether each observer sees each place.
    chosen : ndarray
        A table of the chosen observers, the best first: the index ``observer``, the ``added_cells`` and ``added_km2`` that it adds
        to those before it, and what they see together, ``seen_km2``.
    polygons : list of list of ndarray, shape (corners, 2)
        Connected areas, each with its rings: the outer one and those of holes. A corner is a column and a row: (0, 0) is the
        upper left corner of the map.
    """

    seen_km2: float
    bands: npt.NDArray[np.void]
    places: npt.NDArray[np.void]
    sees: npt.NDArray[np.bool_]
    chosen: npt.NDArray[np.void]
    polygons: list[list[npt.NDArray[np.float64]]]


@overload
def viewshed(
    heights: npt.ArrayLike,
    viewer: Cell,
    *,
    cell_size: float | tuple[float, float],
    eye: float = ...,
    target: float = ...,
    max_distance: float | None = ...,
    refraction: float = ...,
    earth: bool = ...,
    method: Literal["exact", "two-parent"] = ...,
    softness: float = ...,
    surface: npt.ArrayLike | None = ...,
    canopy: npt.ArrayLike | None = ...,
    extinction: float | Literal["opaque"] = ...,
    clear_trunks: float = ...,
    window: Literal[False] = ...,
) -> Floats: ...
@overload
def viewshed(
    heights: npt.ArrayLike,
    viewer: Cell,
    *,
    cell_size: float | tuple[float, float],
    eye: float = ...,
    target: float = ...,
    max_distance: float | None = ...,
    refraction: float = ...,
    earth: bool = ...,
    method: Literal["exact", "two-parent"] = ...,
    softness: float = ...,
    surface: npt.ArrayLike | None = ...,
    canopy: npt.ArrayLike | None = ...,
    extinction: float | Literal["opaque"] = ...,
    clear_trunks: float = ...,
    window: Literal[True],
) -> tuple[Floats, Cell]: ...
def viewshed(
    heights: npt.ArrayLike,
    viewer: Cell,
    *,
    cell_size: float | tuple[float, float],
    eye: float = 1.7,
    target: float = 0.0,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
    method: Literal["exact", "two-parent"] = "exact",
    softness: float = 0.0,
    surface: npt.ArrayLike | None = None,
    canopy: npt.ArrayLike | None = None,
    extinction: float | Literal["opaque"] = 0.015,
    clear_trunks: float = 0.0,
    window: bool = False,
) -> Floats | tuple[Floats, Cell]:
    """Compute which ground is in sight, over heights in metres.

    Parameters
    ----------
    heights : array_like, shape (rows, columns)
        Metres over the sea; NaN is no data. The first row is the most northern.
    viewer : (x, y)
        Column and row of the viewer.
    cell_size : float or (float, float)
        The side of a cell in metres, or its width and height.
    eye, target : float
        The heights of the eye and of its target over their ground, in metres. For the visibility of a turbine of 30 m:
        ``eye=30, target=1.7`` with the turbine as the viewer.
    max_distance : float, optional
        The range in metres. Default: the whole map, within 4,096 cells.
    refraction : float
        The refraction coefficient k of surveyors: light bends with a k-th of the curvature of the Earth. The default is that of
        the program, 1/7.
    earth : bool
        False for a flat Earth; then `refraction` does not count.
    method : str
        ``"exact"`` follows the line to every cell over the bilinear surface. ``"two-parent"`` is the method of
        ``gdal_viewshed``: faster, and 0.7 % of the cells are wrong.
    softness : float
        Metres below the horizon at which a target is hidden completely. 0 is a hard edge: yes or no.
    surface : array_like, shape (rows, columns), optional
        Metres over the sea of roofs and tree tops, as of a digital surface model. It hides what is behind it; the eye and its targets
        are on the heights, which are the ground.
    canopy : array_like, shape (rows, columns), optional
        Metres of crowns over the ground, as of a canopy height model. They let light through, and the surface there does not count.
    extinction : float or "opaque"
        The light that crowns take, per metre. The default is that of a temperate forest: half of the light in 46 m.
    clear_trunks : float
        The height of the trunks below crowns, between which the view is clear, in metres.
    window : bool
        True for only the part of the map in range.

    Returns
    -------
    ndarray of float32
        1 in sight, 0 out of sight and for nodata, of the shape of `heights`. With `window` the part in range, and the column and row
        of its upper left cell.

    Raises
    ------
    IndexError
        If the viewer is off the map.
    ValueError
        If the viewer has no ground, or a number is out of range.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> fs.viewshed([[0, 0, 0, 3, 0, 0]], (0, 0), cell_size=10)  # a wall of 3 m
    array([[1., 1., 1., 1., 0., 0.]], dtype=float32)
    >>> seen, (x, y) = fs.viewshed([[0, 0, 0, 3, 0, 0]], (3, 0), cell_size=10, max_distance=15, window=True)
    >>> print(x, y, seen)
    1 0 [[0. 1. 1. 1. 0.]]
    """
    settings = _eye(cell_size, eye, target, max_distance, refraction, earth)
    cell = as_cell(viewer, "viewer")
    standing = _standing(surface, canopy, extinction, clear_trunks)
    seen, corner = _core.viewshed(
        as_map(heights, "heights"), cell, method, float(softness), settings, standing, bool(window)
    )
    return (seen, corner) if window else seen


def profile(
    heights: npt.ArrayLike,
    viewer: Cell,
    target: Cell,
    *,
    cell_size: float | tuple[float, float],
    eye: float = 1.7,
    target_height: float = 0.0,
    refraction: float = 0.14286,
    earth: bool = True,
    surface: npt.ArrayLike | None = None,
    canopy: npt.ArrayLike | None = None,
    extinction: float | Literal["opaque"] = 0.015,
    frequency: float = 0.0,
) -> npt.NDArray[np.void]:
    """Compute the profile of the ground, and of what stands on it, along the line of sight from a viewer to a target.

    Parameters
    ----------
    heights, cell_size, eye, refraction, earth, surface, canopy, extinction
        As for `viewshed`.
    viewer, target : (x, y)
        Column and row of both ends.
    target_height : float
        The height of the target over its ground, in metres.
    frequency : float
        The frequency of radio waves in hertz, for the first Fresnel zone; 0 for light.

    Returns
    -------
    ndarray
        A table with a row for each cell along the longer axis, with both ends: the cell ``x`` and ``y``, ``distance_m`` from the viewer, the
        heights over the sea ``ground_m`` (NaN for nodata), ``obstacle_m`` of the ground or the obstacle on it, ``surface_m`` of these and
        of crowns, and ``line_m`` of the line of sight, which the curvature of the Earth and of light bends upwards at its ends. Where the
        line passes between two cells, heights are interpolated. What is above the line hides the target; on the cells of both ends
        nothing stands. ``fresnel_m`` is the radius of the first Fresnel zone.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> line = fs.profile([[0, 0, 0, 3, 0, 0]], (0, 0), (5, 0), cell_size=10)
    >>> line["line_m"].round(2)
    array([1.7 , 1.36, 1.02, 0.68, 0.34, 0.  ])
    >>> print("hidden behind", line["x"][line["ground_m"] > line["line_m"]])
    hidden behind [3]
    """
    settings = _eye(cell_size, eye, target_height, None, refraction, earth)
    ends = as_cell(viewer, "viewer"), as_cell(target, "target")
    standing = _standing(surface, canopy, extinction, 0.0)
    cells, metres = _core.profile(as_map(heights, "heights"), *ends, settings, standing, float(frequency))
    table = np.empty(len(cells[0]), _PROFILE)
    for name, values in zip(_PROFILE.names or (), (*cells, *metres)):
        table[name] = values
    return table


def horizon(
    heights: npt.ArrayLike,
    viewers: Cell | npt.NDArray[np.integer[Any]] | Iterable[Cell],
    *,
    cell_size: float | tuple[float, float],
    eye: float = 1.7,
    azimuths: int = 360,
    convergence: float = 0.0,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
) -> npt.NDArray[np.void]:
    """Compute the skyline around one viewer or several.

    Parameters
    ----------
    heights, cell_size, eye, max_distance, refraction, earth
        As for `viewshed`.
    viewers : (x, y), or several
        Column and row of each viewer.
    azimuths : int
        The number of directions: evenly all around, from north over east.
    convergence : float
        The meridian convergence in degrees: the azimuth of the top of the map from true north. With it azimuths count from
        true north, without it from the top of the map.

    Returns
    -------
    ndarray of shape (azimuths,), or (viewers, azimuths)
        A table with the columns ``azimuth_deg``, ``elevation_deg``, ``distance_m``, the cell ``x`` and ``y``, and
        ``height_m`` over the sea; NaN and -1 where a direction has no data. ``pandas.DataFrame`` takes it as it is.

    Examples
    --------
    >>> import numpy as np, farsight_fov as fs
    >>> ground = np.zeros((101, 101)); ground[20] = 300  # a ridge in the north
    >>> north = fs.horizon(ground, (50, 50), cell_size=100, azimuths=4)[0]
    >>> print(north["y"], round(north["elevation_deg"], 2))
    20 5.67
    """
    one = isinstance(viewers, tuple) and len(viewers) == 2 and all(np.isscalar(value) for value in viewers)
    cells = as_cells([viewers] if one else viewers, "viewers")
    settings = _eye(cell_size, eye, 0.0, max_distance, refraction, earth)
    (elevation, distance, height), x, y = _core.horizon(
        as_map(heights, "heights"), cells, azimuths, float(convergence), settings
    )
    table = np.empty((len(cells), azimuths), _HORIZON)
    table["azimuth_deg"] = 360.0 * np.arange(azimuths) / azimuths
    columns = {"elevation_deg": elevation, "distance_m": distance, "height_m": height, "x": x, "y": y}
    for name, values in columns.items():
        table[name] = values.reshape(table.shape)
    return table[0] if one else table


def sky_view_factor(
    heights: npt.ArrayLike,
    *,
    cell_size: float | tuple[float, float],
    azimuths: int = 64,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
) -> Floats:
    """Compute how much of the light of an evenly bright sky every cell gets, as a share of that without a horizon.

    Parameters
    ----------
    heights, cell_size, max_distance, refraction, earth
        As for `viewshed`. Without `max_distance`, horizons end with the map.
    azimuths : int
        The number of directions: evenly all around, from north over east.

    Returns
    -------
    ndarray of float32, of the shape of the heights
        The mean of the squared cosines of the angles of the horizon, from 0 to 1; NaN for nodata.

    Examples
    --------
    >>> import numpy as np, farsight_fov as fs
    >>> ground = np.zeros((61, 61)); ground[:, 40] = 300  # a ridge in the east
    >>> factor = fs.sky_view_factor(ground, cell_size=30)
    >>> print(factor[30, 5] > 0.97, factor[30, 38] < 0.6)
    True True
    """
    settings = _eye(cell_size, 0.0, 0.0, max_distance, refraction, earth)
    return _core.sky(as_map(heights, "heights"), (azimuths, None, None, 0.0), settings)


def sunshine(
    heights: npt.ArrayLike,
    *,
    cell_size: float | tuple[float, float],
    latitude: float,
    date: str = "year",
    azimuths: int = 360,
    convergence: float = 0.0,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
) -> Floats:
    """Compute the hours a day in which the sun is over the horizon of every cell.

    Parameters
    ----------
    heights, cell_size, azimuths, max_distance, refraction, earth
        As for `sky_view_factor`.
    latitude : float
        Degrees, south below 0.
    date : str
        A month and a day such as ``"06-21"``, or ``"year"`` for the mean of all days.
    convergence : float
        The meridian convergence in degrees: the azimuth of the top of the map from true north, from which the sun has its place.

    Returns
    -------
    ndarray of float32, of the shape of the heights
        Hours, without clouds and refraction of the light of the sun; NaN for nodata.

    Examples
    --------
    >>> import numpy as np, farsight_fov as fs
    >>> hours = fs.sunshine(np.zeros((9, 9)), cell_size=30, latitude=47, date="06-21")
    >>> print(hours[4, 4].round(1))
    15.7
    """
    settings = _eye(cell_size, 0.0, 0.0, max_distance, refraction, earth)
    request = (azimuths, None, (float(latitude), date), float(convergence))
    return _core.sky(as_map(heights, "heights"), request, settings)


def horizon_angle(
    heights: npt.ArrayLike,
    azimuth: float,
    *,
    cell_size: float | tuple[float, float],
    convergence: float = 0.0,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
) -> Floats:
    """Compute the angle of the horizon of every cell at an azimuth, in degrees over the level of its ground.

    Parameters
    ----------
    heights, cell_size, max_distance, refraction, earth
        As for `sky_view_factor`.
    azimuth : float
        Degrees clockwise from north.
    convergence : float
        The meridian convergence in degrees: the azimuth of the top of the map from true north. With it azimuths count from
        true north, without it from the top of the map.

    Returns
    -------
    ndarray of float32, of the shape of the heights
        From -90 to 90; NaN for a nodata cell, and for nodata in that direction.

    Examples
    --------
    >>> import numpy as np, farsight_fov as fs
    >>> ground = np.zeros((101, 101)); ground[20] = 300  # a ridge in the north
    >>> print(fs.horizon_angle(ground, 0, cell_size=100)[50, 50].round(2))
    5.7
    """
    settings = _eye(cell_size, 0.0, 0.0, max_distance, refraction, earth)
    return _core.sky(as_map(heights, "heights"), (1, float(azimuth), None, float(convergence)), settings)


def total_viewshed(
    heights: npt.ArrayLike,
    *,
    cell_size: float | tuple[float, float],
    eye: float = 1.7,
    target: float = 0.0,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
    method: Literal["exact", "two-parent"] = "exact",
) -> Floats:
    """Compute how many cells the view from every cell has.

    Parameters
    ----------
    heights, cell_size, eye, target, refraction, earth, method
        As for `viewshed`. ``method="exact"`` takes about 50 times as long as ``"two-parent"`` at a range of 30 cells.
    max_distance : float, optional
        The range in metres, which counts in whole cells. Default: the whole map.

    Returns
    -------
    ndarray of float32, of the shape of the heights
        Cells in sight, with that of the viewer; NaN for a viewer on nodata.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> fs.total_viewshed([[0, 0, 0, 9, 0, 0]], cell_size=10)
    array([[4., 4., 4., 6., 3., 3.]], dtype=float32)
    """
    settings = _eye(cell_size, eye, target, max_distance, refraction, earth)
    return _core.total_viewshed(as_map(heights, "heights"), method, settings)


def cumulative(
    heights: npt.ArrayLike,
    observers: npt.NDArray[np.integer[Any]] | Iterable[Cell],
    *,
    cell_size: float | tuple[float, float],
    outputs: str | Iterable[str] = ("count",),
    columns: Mapping[str, npt.ArrayLike] | None = None,
    eye: float | None = None,
    target: float = 0.0,
    hub: float = 0.0,
    tip: float = 0.0,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
    method: Literal["exact", "two-parent"] = "exact",
) -> dict[str, Floats]:
    """Compute the joint view of several observers, or the visibility of turbines.

    Parameters
    ----------
    heights, cell_size, target, max_distance, refraction, earth, method
        As for `viewshed`.
    observers : iterable of (x, y), or array of integers of shape (n, 2)
        Column and row of each.
    outputs : str, or several
        ``count`` (of the observers that see a cell), ``union``, ``best`` (the number of the observer that sees it best,
        from 1), ``sum``, ``nearest`` (metres), and of turbines ``hubs``, ``tips``, ``visible-height`` and
        ``visible-height-sum`` (metres), ``vertical-angle`` and ``horizontal-angle`` (degrees). ``_`` counts as ``-``.
    columns : mapping of str to array_like of shape (n,), optional
        Numbers of each observer in place of those of all; NaN is that of all. The names are those of the columns of observers'
        files of the program: ``eye_height_m``, ``target_height_m``, ``start_angle_deg`` and ``end_angle_deg`` (a sector,
        clockwise from north), ``lowest_pitch_deg``, ``highest_pitch_deg``, ``min_distance_m``, ``max_distance_m``,
        ``hub_height_m``, ``tip_height_m``, ``weight``; of turbines also ``height_m`` (of the hub; of a mast without a rotor) and
        ``rotor_m`` (the diameter).
    eye : float, optional
        Where an observer without a column ``eye_height_m`` looks from in outputs besides those of turbines. Default: its tip, or
        1.7 without a tip.
    hub, tip : float
        The heights of the hub and of the highest tip of a turbine over its ground, in metres.

    Returns
    -------
    dict of ndarray of float32
        Each output with the shape of `heights`; NaN for nodata.

    Examples
    --------
    >>> import farsight_fov as fs
    >>> seen = fs.cumulative([[0, 0, 0, 9, 0, 0, 0]], [(0, 0), (6, 0)], cell_size=10, outputs=["count", "nearest"])
    >>> seen["count"]
    array([[1., 1., 1., 2., 1., 1., 1.]], dtype=float32)
    >>> seen["nearest"]
    array([[ 0., 10., 20., 30., 20., 10.,  0.]], dtype=float32)

    Which cells only one of two towers sees, each with a height of its own:

    >>> heights, towers, eyes = [[0, 0, 0, 9, 0, 0, 0]], [(0, 0), (6, 0)], {"eye_height_m": [2, 30]}
    >>> seen = fs.cumulative(heights, towers, cell_size=10, outputs=["count", "best"], columns=eyes)
    >>> [int(((seen["count"] == 1) & (seen["best"] == tower)).sum()) for tower in (1, 2)]
    [1, 3]
    """
    settings = _eye(cell_size, _default_eye(eye, tip), target, max_distance, refraction, earth)
    asked = [outputs] if isinstance(outputs, str) else list(outputs)
    names = [name.replace("_", "-") for name in asked]
    cells = as_cells(observers, "observers")
    numbers = _columns(columns, eye, len(cells))
    turbine = (float(hub), float(tip))
    layers = _core.cumulative(as_map(heights, "heights"), (cells, numbers), names, method, turbine, settings)
    return dict(zip(asked, layers))


def coverage(
    heights: npt.ArrayLike,
    observers: npt.NDArray[np.integer[Any]] | Iterable[Cell],
    *,
    cell_size: float | tuple[float, float],
    bands: Iterable[float] = (),
    places: npt.NDArray[np.integer[Any]] | Iterable[Cell] = (),
    choose: int = 0,
    polygons: bool = False,
    columns: Mapping[str, npt.ArrayLike] | None = None,
    eye: float | None = None,
    target: float = 0.0,
    hub: float = 0.0,
    tip: float = 0.0,
    max_distance: float | None = None,
    refraction: float = 0.14286,
    earth: bool = True,
    method: Literal["exact", "two-parent"] = "exact",
) -> Coverage:
    """Compute the ground that several observers see: by distance, at places, as polygons, and who adds most to it.

    Parameters
    ----------
    heights, observers, cell_size, columns, eye, target, hub, tip, max_distance, refraction, earth, method
        As for `cumulative`.
    bands : iterable of float
        The ends of bands of distance from the nearest observer in metres, in ascending order; the first begins at 0.
    places : iterable of (x, y), or array of integers of shape (n, 2)
        Cells for which the observers that see them are told.
    choose : int
        Choose up to this many observers greedily: each adds the most ground to those before it.
    polygons : bool
        True for the outlines of the seen ground.

    Returns
    -------
    Coverage

    Examples
    --------
    >>> import farsight_fov as fs
    >>> heights, towers = [[0, 0, 0, 9, 0, 0, 0]], [(0, 0), (6, 0)]
    >>> seen = fs.coverage(heights, towers, cell_size=100, bands=[150, 1000], places=[(1, 0), (3, 0)], choose=1, polygons=True)
    >>> print(seen.seen_km2.__round__(3), seen.bands["seen_km2"].round(3), seen.sees.tolist())
    0.07 [0.04 0.03] [[True, False], [True, True]]
    >>> print(seen.places["count"], seen.chosen["added_cells"], seen.polygons[0][0].max(axis=0))
    [1 2] [4] [7. 1.]
    """
    settings = _eye(cell_size, _default_eye(eye, tip), target, max_distance, refraction, earth)
    cells, asked = as_cells(observers, "observers"), as_cells(places, "places")
    if choose < 0:
        raise ValueError(f"choose: {choose} is not valid: expected 0 or more")
    numbers = _columns(columns, eye, len(cells))
    request = ([float(end) for end in bands], asked, int(choose), bool(polygons))
    seen_km2, rows, seeing, chosen, areas = _core.coverage(
        as_map(heights, "heights"), (cells, numbers), request, method, (float(hub), float(tip)), settings
    )
    sees = np.array(seeing, np.bool_).reshape(len(asked), len(cells))
    offsets = (asked[:, None, :] - cells[None, :, :]) * np.array(settings["cell_size"])
    distances = np.where(sees, np.hypot(offsets[..., 0], offsets[..., 1]), np.inf).min(axis=1, initial=np.inf)
    table = np.empty(len(asked), _PLACES)
    table["x"], table["y"], table["count"] = asked[:, 0], asked[:, 1], sees.sum(axis=1)
    table["nearest_m"] = np.where(np.isinf(distances), np.nan, distances)
    return Coverage(seen_km2, np.array(rows, _BANDS), table, sees, np.array(chosen, _CHOSEN), areas)


def _default_eye(eye: float | None, tip: float) -> float:
    """Return the height from which an observer looks that has none of its own."""
    if eye is not None:
        return eye
    return tip if tip > 0 else 1.7


def _columns(columns: Mapping[str, npt.ArrayLike] | None, eye: float | None, count: int) -> list[tuple[str, list[float]]]:
    """Return the columns of observers, with an eye height that was asked for where they have none."""
    own = {name: as_numbers(values, f"columns[{name!r}]") for name, values in (columns or {}).items()}
    if eye is not None:
        eyes = own.get("eye_height_m", [np.nan] * count)
        own["eye_height_m"] = [eye if np.isnan(own_eye) else own_eye for own_eye in eyes]
    return list(own.items())


def _standing(
    surface: npt.ArrayLike | None, canopy: npt.ArrayLike | None, extinction: float | str, clear_trunks: float
) -> _core._Standing:
    return {
        "surface": None if surface is None else as_map(surface, "surface"),
        "canopy": None if canopy is None else as_map(canopy, "canopy"),
        "extinction": None if extinction == "opaque" else float(extinction),
        "clear_trunks": float(clear_trunks),
    }


def _eye(
    cell_size: float | tuple[float, float],
    eye: float,
    target: float,
    max_distance: float | None,
    refraction: float,
    earth: bool,
) -> _core._Eye:
    width, height = cell_size if isinstance(cell_size, Iterable) else (cell_size, cell_size)
    return {
        "cell_size": (float(width), float(height)),
        "eye": float(eye),
        "target": float(target),
        "curvature": 1.0 - float(refraction) if earth else 0.0,
        "max_distance": None if max_distance is None else float(max_distance),
    }
