"""``DataArray.farsight``: viewsheds, horizons and skies of heights with coordinates, also in chunks of dask."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr

from . import _core, terrain
from ._arrays import Cell, as_map, as_numbers

_LATITUDES = {"lat", "latitude"}
_LONGITUDES = {"lon", "lng", "longitude"}
#: The units of a reference system as well-known text.
_UNITS = re.compile(r'UNIT\["[^"]*",([0-9.eE+-]+)')
#: Metres in the units of lengths that coordinates have.
_METRES = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 1.0),
    **dict.fromkeys(("km", "kilometre", "kilometer"), 1000.0),
    **dict.fromkeys(("ft", "foot", "feet"), 0.3048),
    **dict.fromkeys(("us-ft", "us survey foot", "us_survey_foot"), 1200 / 3937),
}


@xr.register_dataarray_accessor("farsight")  # type: ignore[no-untyped-call, unused-ignore]
class FarsightAccessor:
    """Sight over a ``DataArray`` of heights in metres with the dimensions y and x, or latitude and longitude.

    Places are given in its coordinates. Cells have their sides in metres: those of degrees on the ellipsoid WGS 84 at the
    latitude of the viewer. Coordinates, dimension names and attributes are kept. Outputs with a value for every cell are computed
    by dask, chunk by chunk, if the heights are in chunks.

    Files are read and written by rioxarray. This is where a turbine of 30 m is seen from; its middle is at the coordinates of ``dem``::

        import farsight_fov, rioxarray
        dem = rioxarray.open_rasterio("dem.tif", masked=True).squeeze()
        seen = dem.farsight.viewshed((616_200, 5_203_500), eye=30, target=1.7, max_distance=10_000)
        seen.rio.to_raster("seen.tif")

    And this is which of several places sees the most ground, as a table::

        import geopandas
        places = geopandas.read_file("places.geojson").to_crs(dem.rio.crs)  # first set_crs(), where the file has none
        cell_km2 = abs(dem.rio.transform().determinant) / 1e6
        places["km2"] = [float(dem.farsight.viewshed(point).sum()) * cell_km2 for point in places.geometry]
        places = places.sort_values("km2", ascending=False)

    Examples
    --------
    >>> import numpy as np, xarray as xr, farsight_fov
    >>> heights = np.zeros((3, 5)); heights[:, 2] = 50
    >>> dem = xr.DataArray(heights, coords={"y": [60.0, 30, 0], "x": [0.0, 30, 60, 90, 120]}, dims=("y", "x"))
    >>> seen = dem.farsight.viewshed((0, 30))
    >>> seen.sel(y=30).values
    array([1., 1., 1., 0., 0.], dtype=float32)
    """

    def __init__(self, heights: xr.DataArray) -> None:
        if heights.ndim != 2:
            words = f"a DataArray of the dimensions {heights.dims} is not accepted: expected two"
            raise ValueError(f"{words}; dem.squeeze() leaves out a band that is the only one")
        unit = str(heights.attrs.get("units", "m")).lower()
        if _METRES.get(unit) != 1.0:
            raise ValueError(f"heights in {unit!r} are not accepted: expected metres; convert them first")
        self._heights = heights
        self._y, self._x = (heights[dim] for dim in heights.dims)
        self._steps = [_step(axis) for axis in (self._x, self._y)]

    def viewshed(self, viewer: Any, *, window: bool = False, **options: Any) -> xr.DataArray:
        """Compute which ground is in sight.

        Parameters
        ----------
        viewer : (float, float), or Point of shapely
            The coordinates x and y, or longitude and latitude, in the reference system of the heights.
        window : bool
            True for only the part of the map in range; only that part is read.
        **options
            As for `farsight_fov.viewshed`, without `cell_size`: `eye`, `target` and `max_distance` in metres, ...

        Returns
        -------
        DataArray of float32
            1 in sight, 0 out of sight and for nodata, with the coordinates of the heights.
        """
        cell = self._cell(viewer)
        part, (left, top) = self._around(cell, options.get("max_distance")) if window else (self, (0, 0))
        in_part = cell[0] - left, cell[1] - top
        seen = terrain.viewshed(part._values(), in_part, cell_size=self._cell_size(cell), **options)
        return part._result(seen, "visibility", {"units": "1"})

    def _around(self, cell: Cell, max_distance: float | None) -> tuple[FarsightAccessor, Cell]:
        """The part of the heights in range of a cell, and the column and row of its upper left cell, from the north."""
        if max_distance is None or not 0 < float(max_distance) < math.inf:
            return self, (0, 0)
        radius = math.ceil(float(max_distance) / min(self._cell_size(cell)))
        (left, right), (top, bottom) = (
            # Two cells at least, whose coordinates have a distance.
            (max(min(at - radius, axis.size - 2), 0), max(at + radius + 1, 2))
            for at, axis in zip(cell, (self._x, self._y))
        )
        bottom = min(bottom, self._y.size)
        rows = slice(top, bottom) if self._steps[1] < 0 else slice(self._y.size - bottom, self._y.size - top)
        part = self._heights[rows, left:right]
        return part.farsight, (left, top)

    def profile(self, viewer: Any, target: Any, **options: Any) -> xr.Dataset:
        """Compute the profile of the ground along the line of sight from a viewer to a target.

        Parameters
        ----------
        viewer, target : (float, float), or Point of shapely
            The coordinates x and y, or longitude and latitude, in the reference system of the heights.
        **options
            As for `farsight_fov.profile`, without `cell_size`.

        Returns
        -------
        Dataset
            ``ground_m``, ``obstacle_m``, ``surface_m``, ``line_m``, ``fresnel_m`` and the place ``x`` and ``y``, by ``distance_m``.
        """
        ends = self._cell(viewer), self._cell(target, "target")
        table = terrain.profile(self._values(), *ends, cell_size=self._cell_size(ends[0]), **options)
        columns = {name: ("distance_m", table[name]) for name in ("ground_m", "obstacle_m", "surface_m", "line_m", "fresnel_m")}
        columns["x"] = ("distance_m", self._x.values[table["x"]])
        columns["y"] = ("distance_m", self._in_order(self._y.values)[table["y"]])
        return xr.Dataset(columns, coords={"distance_m": ("distance_m", table["distance_m"], {"units": "m"})})

    def horizon(self, viewer: Any, *, grid_north: bool = False, **options: Any) -> xr.Dataset:
        """Compute the skyline around a place.

        Parameters
        ----------
        viewer : (float, float), or Point of shapely
            The coordinates x and y, or longitude and latitude, in the reference system of the heights.
        grid_north : bool
            Count azimuths from the top of the map. Without it they count from true north, if the reference system is known by its
            EPSG code.
        **options
            As for `farsight_fov.horizon`, without `cell_size` and `convergence`.

        Returns
        -------
        Dataset
            ``elevation_deg``, ``distance_m``, ``height_m`` and the place ``x`` and ``y`` of the skyline, by ``azimuth``.
        """
        cell = self._cell(viewer)
        convergence = self._convergence(cell, grid_north)
        table = terrain.horizon(
            self._values(), cell, cell_size=self._cell_size(cell), convergence=convergence, **options
        )
        found = table["x"] >= 0
        places = {
            "x": np.where(found, self._x.values[table["x"]], np.nan),
            "y": np.where(found, self._in_order(self._y.values)[table["y"]], np.nan),
        }
        names = ("elevation_deg", "distance_m", "height_m")
        columns = {name: ("azimuth", table[name]) for name in names} | {
            name: ("azimuth", values) for name, values in places.items()
        }
        return xr.Dataset(columns, coords={"azimuth": ("azimuth", table["azimuth_deg"], {"units": "degree"})})

    def cumulative(
        self,
        observers: Any,
        *,
        outputs: str | Iterable[str] = ("count",),
        group: int = 64,
        grid_north: bool = False,
        **options: Any,
    ) -> xr.Dataset:
        """Compute the joint view of several observers, or the visibility of turbines.

        On a raster file that is opened in chunks (``rioxarray.open_rasterio(path, masked=True, chunks=2048)``), dask computes
        ``count``, ``union``, ``nearest``, ``hubs``, ``tips``, ``visible-height`` and ``vertical-angle`` chunk by chunk; each task has
        up to `group` observers and reads the file where they look.

        Parameters
        ----------
        observers : array of shape (n, 2), or GeoDataFrame of points
            The coordinates x and y, or longitude and latitude, of each. Points in another reference system are converted. The
            columns of a GeoDataFrame that `farsight_fov.cumulative` knows, such as ``eye_height_m``, count unless `columns` has them.
        grid_north : bool
            As for `horizon`, for the columns ``start_angle_deg`` and ``end_angle_deg``.
        outputs, **options
            As for `farsight_fov.cumulative`, without `cell_size`. Chunks need `max_distance`.

        Returns
        -------
        Dataset
            Each output, with the coordinates of the heights.
        """
        cells, columns = self._observers(observers, options.pop("columns", None), grid_north)
        outputs = [outputs] if isinstance(outputs, str) else list(outputs)
        options = {**options, "cell_size": self._one_cell_size()}
        if self._heights.chunks is None:
            layers = terrain.cumulative(self._values(), cells, outputs=outputs, columns=columns, **options)
            return xr.Dataset({name: self._result(layers[name], name, {}) for name in outputs})
        from . import blocks

        path = self._heights.encoding.get("source")
        if path is None or blocks.raster_shape(path) != self._heights.shape:
            raise ValueError("observers over chunks: expected a whole raster file, as rioxarray.open_rasterio opens it")
        numbers, scale, offset = _decoding(self._heights)
        with np.errstate(over="ignore"):
            is_of_file = {np.float32(number) for number in numbers} <= blocks.nodata_of(path)
        if (scale, offset) != (1, 0) or not is_of_file:
            raise ValueError("observers over chunks: the attributes have a scale or a number for no data that the file has not")
        if len(cells) == 0:
            raise ValueError("observers: there are none")
        radius = self._halo(options.get("max_distance"))
        ordered = [sizes if axis or self._steps[1] < 0 else sizes[::-1] for axis, sizes in enumerate(self._heights.chunks)]
        chunks = (tuple(ordered[0]), tuple(ordered[1]))
        layers = blocks.cumulative(path, (cells, columns), chunks, radius, outputs, group, options)
        return xr.Dataset({name: self._result(layers[name], name, {}) for name in outputs})

    def coverage(
        self, observers: Any, *, places: Any = (), grid_north: bool = False, **options: Any
    ) -> terrain.Coverage:
        """Compute the ground that several observers see: by distance, at places, as polygons, and who adds most to it.

        Parameters
        ----------
        observers, grid_north
            As for `cumulative`.
        places : array of shape (n, 2), or GeoDataFrame of points
            The coordinates x and y, or longitude and latitude, of each place.
        **options
            As for `farsight_fov.coverage`, without `cell_size`.

        Returns
        -------
        Coverage
            ``x`` and ``y`` of places and the corners of polygons are coordinates: ``shapely.Polygon(rings[0], rings[1:])`` is a polygon.
        """
        cells, columns = self._observers(observers, options.pop("columns", None), grid_north)
        points = np.array([(place.x, place.y) if hasattr(place, "x") else place for place in self._places(places)], np.float64)
        points = points.reshape(-1, 2)
        at = np.array([self._cell((float(x), float(y)), "places") for x, y in points], np.int32).reshape(-1, 2)
        size = self._one_cell_size()
        seen = terrain.coverage(self._values(), cells, cell_size=size, places=at, columns=columns, **options)
        table = np.empty(len(points), [("x", np.float64), ("y", np.float64), ("count", np.int64), ("nearest_m", np.float64)])
        table["x"], table["y"] = points[:, 0], points[:, 1]
        table["count"], table["nearest_m"] = seen.places["count"], seen.places["nearest_m"]
        _, _, corner, (width, height) = self._place
        polygons = [[np.array(corner) + ring * (width, -height) for ring in rings] for rings in seen.polygons]
        return replace(seen, places=table, polygons=polygons)

    def _observers(self, observers: Any, columns: Any, grid_north: bool) -> tuple[Any, dict[str, Any]]:
        """The cells of observers, and their columns with sectors from the top of the map."""
        cells = np.array([self._cell(place, "observers") for place in self._places(observers)], np.int32).reshape(-1, 2)
        known = [name for name in _core.observer_columns() if hasattr(observers, "geometry") and name in observers]
        given = {**{name: observers[name] for name in known}, **(columns or {})}
        numbers = {name: as_numbers(values, f"columns[{name!r}]") for name, values in given.items()}
        if {"start_angle_deg", "end_angle_deg"} & numbers.keys():
            numbers |= self._sectors_on_grid(cells, numbers, grid_north)
        return cells, numbers

    def _sectors_on_grid(self, cells: Any, columns: dict[str, Any], grid_north: bool) -> dict[str, Any]:
        """The columns of the sectors of observers, from the top of the map."""
        defaults = {"start_angle_deg": 0.0, "end_angle_deg": 360.0}
        missing = np.full(len(cells), np.nan)
        given = {name: columns.get(name, missing) for name in defaults}
        start, end = (np.where(np.isnan(given[name]), angle, given[name]) for name, angle in defaults.items())
        width = (end - start) % 360.0
        turns = np.array([self._convergence((int(x), int(y)), grid_north) for x, y in cells])
        on_grid = (start - turns) % 360.0
        is_whole = (width == 0.0) & (start != end)
        return {
            "start_angle_deg": np.where(is_whole, 0.0, on_grid),
            "end_angle_deg": np.where(is_whole, 360.0, (on_grid + width) % 360.0),
        }

    def total_viewshed(self, **options: Any) -> xr.DataArray:
        """Compute how many cells the view from every cell has.

        Parameters
        ----------
        **options
            As for `farsight_fov.total_viewshed`, without `cell_size`. Chunks need `max_distance`.

        Returns
        -------
        DataArray of float32
        """
        settings = self._settings({"method": "exact", "eye": 1.7, "target": 0.0}, options, self._one_cell_size())
        method = settings.pop("method")

        def compute(values: Any, part: Any, sides: Any) -> Any:
            return _core.total_viewshed(as_map(values, "heights"), method, terrain._eye(**settings), part)

        return self._by_cell(compute, settings["max_distance"], "total_viewshed", {"units": "cells"})

    def sky_view_factor(self, *, azimuths: int = 64, **options: Any) -> xr.DataArray:
        """Compute how much of the light of an evenly bright sky every cell gets, from 0 to 1.

        Parameters
        ----------
        azimuths, **options
            As for `farsight_fov.sky_view_factor`, without `cell_size`. Chunks need `max_distance`.

        Returns
        -------
        DataArray of float32
        """
        return self._sky("sky_view_factor", {"units": "1"}, options, azimuths, None, None)

    def sunshine(
        self, *, date: str = "year", latitude: float | None = None, azimuths: int = 360, **options: Any
    ) -> xr.DataArray:
        """Compute the hours a day in which the sun is over the horizon of every cell.

        Parameters
        ----------
        latitude : float, optional
            Degrees. Default: that in the middle of the map, if its reference system is known by its EPSG code, or in degrees.
        date, azimuths, **options
            As for `farsight_fov.sunshine`, without `cell_size` and `convergence`, which is that in the middle of the map. Chunks
            need `max_distance`.

        Returns
        -------
        DataArray of float32
        """
        if latitude is None:
            latitude = self._latitude_and_convergence(self._middle())[0]
        if latitude is None:
            raise ValueError("latitude: expected degrees, because the map is not in degrees and has no EPSG code")
        return self._sky("sunshine", {"units": "h"}, options, azimuths, None, (float(latitude), date))

    def horizon_angle(self, azimuth: float, *, grid_north: bool = False, **options: Any) -> xr.DataArray:
        """Compute the angle of the horizon of every cell at an azimuth, in degrees over the level of its ground.

        Parameters
        ----------
        grid_north : bool
            As for `horizon`; the convergence is that in the middle of the map.
        azimuth, **options
            As for `farsight_fov.horizon_angle`, without `cell_size` and `convergence`. Chunks need `max_distance`.

        Returns
        -------
        DataArray of float32
        """
        return self._sky("horizon_angle", {"units": "degree"}, options, 1, float(azimuth), None, grid_north)

    def _sky(
        self,
        name: str,
        attributes: dict[str, str],
        options: dict[str, Any],
        azimuths: int,
        azimuth: float | None,
        sun: tuple[float, str] | None,
        grid_north: bool = False,
    ) -> xr.DataArray:
        settings = self._settings({}, options, self._cell_sizes[0])
        equal = len(set(self._cell_sizes)) == 1
        convergence = self._convergence(self._middle(), grid_north)

        def compute(values: Any, part: Any, sides: Any) -> Any:
            eye = terrain._eye(**{"eye": 0.0, "target": 0.0, **settings})
            return _core.sky(as_map(values, "heights"), (azimuths, azimuth, sun, convergence), eye, part, None if equal else sides)

        return self._by_cell(compute, settings["max_distance"], name, attributes)

    def _settings(self, known: dict[str, Any], options: dict[str, Any], cell_size: tuple[float, float]) -> dict[str, Any]:
        known = {"max_distance": None, "refraction": 0.14286, "earth": True, **known}
        unknown = options.keys() - known
        if unknown:
            raise TypeError(f"{min(unknown)} is no option: expected {', '.join(sorted(known))}")
        return {**known, **options, "cell_size": cell_size}

    def _by_cell(self, compute: Any, max_distance: float | None, name: str, attributes: dict[str, str]) -> xr.DataArray:
        from_north = self._steps[1] < 0
        if self._heights.chunks is None:
            return self._result(compute(self._values(), None, self._cell_sizes), name, attributes)
        from . import blocks

        sides = np.array(self._cell_sizes if from_north else self._cell_sizes[::-1])
        data = blocks.by_block(_decoded(self._heights).data, compute, self._halo(max_distance), sides, from_north)
        return self._result(data if from_north else data[::-1], name, attributes)

    def _halo(self, max_distance: float | None) -> int:
        """The cells around a chunk that count."""
        from .blocks import MARGIN

        if max_distance is None or not 0 < float(max_distance) < math.inf:
            raise ValueError(f"max_distance: {max_distance} is not valid: chunks need a range of more than 0 m")
        shortest = min(min(sides) for sides in self._cell_sizes)
        return math.ceil(float(max_distance) / shortest) + MARGIN

    def _result(self, from_north: Any, name: str, attributes: dict[str, str]) -> xr.DataArray:
        result = self._heights.copy(data=self._in_order(from_north))
        result.name = name
        result.attrs = {"long_name": name.replace("_", " ").replace("-", " "), **attributes}
        result.encoding = {"_FillValue": np.float32(np.nan)}
        return result

    def _places(self, observers: Any) -> Any:
        """The coordinates of observers, in the reference system of the heights."""
        if not hasattr(observers, "geometry"):
            return observers
        if observers.crs is not None and "spatial_ref" in self._heights.coords:
            observers = observers.to_crs(self._heights.coords["spatial_ref"].attrs["crs_wkt"])
        return np.column_stack([observers.geometry.x, observers.geometry.y])

    def _one_cell_size(self) -> tuple[float, float]:
        """The sides of the cells in the middle, if those of all rows are nearly the same."""
        sides = np.array(self._cell_sizes)
        if (sides.max(axis=0) > 1.01 * sides.min(axis=0)).any():
            raise ValueError("the sides of the cells differ by more than 1 %: reproject the heights to metres first")
        return self._cell_sizes[len(self._cell_sizes) // 2]

    def _in_order(self, rows: Any) -> Any:
        """Rows from the north as those of the array, or the other way round."""
        return rows if self._steps[1] < 0 else rows[::-1]

    def _values(self) -> Any:
        return self._in_order(_decoded(self._heights).values)

    def _cell(self, place: Any, name: str = "viewer") -> Cell:
        place = (place.x, place.y) if hasattr(place, "x") else place
        cell = []
        for axis, step, at in zip((self._x, self._y), self._steps, place):
            if not math.isfinite(at):
                words = f"{name}: {axis.name} = {at} is no coordinate: expected a number"
                raise ValueError(f"{words}; converted from a reference system that it is not in, a place is infinite")
            index = round((float(at) - float(axis[0])) / step)
            if axis is self._x and self._is_in_degrees():
                # Longitudes count from 0 to 360 in some files, and from -180 to 180 in others.
                turns = (round((float(at) + turn - float(axis[0])) / step) for turn in (-360, 360))
                index = next((other for other in (index, *turns) if 0 <= other < axis.size), index)
            if not 0 <= index < axis.size:
                first, last = float(axis[0]) - step / 2, float(axis[-1]) + step / 2
                raise IndexError(f"{name}: {axis.name} = {at} is off the map: expected {first} to {last}")
            cell.append(index)
        x, y = cell
        return x, y if self._steps[1] < 0 else self._y.size - 1 - y

    def _cell_size(self, cell: Cell) -> tuple[float, float]:
        return self._cell_sizes[cell[1]]

    @cached_property
    def _cell_sizes(self) -> list[tuple[float, float]]:
        """The sides in metres of the cells of each row, from the north."""
        code, is_in_degrees, corner, step = self._place
        metre = self._unit()
        sides = _core.cell_sizes(code, is_in_degrees, corner, step, (self._x.size, self._y.size))
        # Without a code, the metres are those that the text or the coordinates tell.
        factor = 1.0 if code is not None or metre is None else metre
        return [(x * factor, y * factor) for x, y in sides]

    @cached_property
    def _place(self) -> tuple[int | None, bool, tuple[float, float], tuple[float, float]]:
        """The EPSG code, whether it is in degrees, the upper left corner, and the sides of a cell."""
        width, height = (abs(step) for step in self._steps)
        wkt, metre = self._wkt(), self._unit()
        is_in_degrees = self._is_in_degrees()
        codes = re.findall(r'(?:ID|AUTHORITY)\["EPSG","?(\d+)"?\]\]$', wkt)
        corner = (float(self._x.min()) - width / 2, float(self._y.max()) + height / 2)
        return int(codes[-1]) if codes else None, is_in_degrees, corner, (width, height)

    def _middle(self) -> Cell:
        return self._x.size // 2, self._y.size // 2

    def _latitude_and_convergence(self, cell: Cell) -> tuple[float | None, float | None]:
        """The latitude and the azimuth of the top of the map from true north, in degrees; None if they are not known."""
        return _core.latitude_and_convergence(*self._place, cell)

    def _convergence(self, cell: Cell, grid_north: bool) -> float:
        """The azimuth of the top of the map from the north from which azimuths count."""
        code, *_ = self._place
        convergence = self._latitude_and_convergence(cell)[1]
        if convergence is None and code is not None and not grid_north:
            warnings.warn(f"the meridian convergence of EPSG:{code} is not known here; azimuths count from grid north", stacklevel=3)
        return 0.0 if grid_north or convergence is None else convergence

    def _is_in_degrees(self) -> bool:
        return self._unit() is None or self._wkt().startswith("GEOG")

    def _unit(self) -> float | None:
        """The length of the coordinates' unit in metres; None for degrees."""
        if str(self._y.dims[0]).lower() in _LATITUDES and str(self._x.dims[0]).lower() in _LONGITUDES:
            return None
        unit = str(self._x.attrs.get("units", "metre")).lower()
        if unit.startswith("degree"):
            return None
        if unit not in _METRES:
            raise ValueError(f"the unit {unit!r} of {self._x.name} is not known: expected metres, feet or degrees")
        in_text = _UNITS.findall(self._wkt()) if self._wkt().startswith("PROJ") else []
        return float(in_text[-1]) if in_text else _METRES[unit]

    def _wkt(self) -> str:
        """The horizontal reference system as well-known text, as rioxarray keeps it; empty without one."""
        coordinates = self._heights.coords
        text = str(coordinates["spatial_ref"].attrs.get("crs_wkt", "")) if "spatial_ref" in coordinates else ""
        text = re.sub(r"\s+(?=[A-Z\[\]])|(?<=,)\s+", "", text)
        compound = re.match(r'COMP(?:D_CS|OUNDCRS)\["[^"]*",(.*),VERT_?C(.*)', text)
        if compound and any(float(metre) != 1.0 for metre in _UNITS.findall(compound[2])):
            raise ValueError("the vertical reference system is not in metres; convert the heights and drop it first")
        return compound[1] if compound else text


def _decoded(heights: xr.DataArray) -> xr.DataArray:
    """Heights in metres, NaN without data."""
    numbers, scale, offset = _decoding(heights)
    decoded = heights
    for number in sorted(numbers):
        with np.errstate(over="ignore"):  # in the type of the heights, of which the attributes have other digits
            fill = heights.dtype.type(number) if heights.dtype.kind == "f" else number
        decoded = decoded.where(heights != fill)
    return decoded if (scale, offset) == (1, 0) else decoded * scale + offset


def _decoding(heights: xr.DataArray) -> tuple[set[float], float, float]:
    """The numbers for no data, the scale and the offset that rioxarray and xarray leave in the attributes without decoding.

    What `encoding` has, is decoded already, but for a number that means no data.
    """
    names = ("_FillValue", "missing_value", "nodata")
    of_encoding = () if "scale_factor" in heights.encoding or "add_offset" in heights.encoding else names
    found = [*(heights.attrs.get(name) for name in names), *(heights.encoding.get(name) for name in of_encoding)]
    numbers = {_number("no data", number) for value in found if value is not None for number in np.ravel(value)}
    scale = _number("scale_factor", heights.attrs.get("scale_factor", 1))
    offset = _number("add_offset", heights.attrs.get("add_offset", 0))
    if not math.isfinite(scale) or not math.isfinite(offset):
        raise ValueError(f"scale_factor {scale} and add_offset {offset} are not accepted: expected finite numbers")
    return {number for number in numbers if not math.isnan(number)}, scale, offset


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {value!r} is no number") from None


def _step(axis: xr.DataArray) -> float:
    values = np.asarray(axis.values, np.float64)
    if values.size < 2:
        raise ValueError(f"{axis.name}: expected at least two coordinates, to know the side of a cell")
    steps = np.diff(values)
    mean = float(values[-1] - values[0]) / (values.size - 1)
    is_even = np.allclose(steps, mean, rtol=1e-3, atol=0)
    if not is_even and (values == values.astype(np.float32)).all():
        # Numbers of 32 bits, also those that are stored in more, are even up to their rounding.
        rounding = float(np.spacing(np.abs(values).max().astype(np.float32)))
        even = np.linspace(values[0], values[-1], values.size)
        is_even = rounding < abs(mean) / 4 and bool((np.abs(values - even) <= rounding).all())
    if mean == 0 or not is_even:
        raise ValueError(f"{axis.name}: the coordinates are not evenly spaced; resample them first")
    return mean
