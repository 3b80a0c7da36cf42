"""``DataArray.farsight``: viewsheds and horizons of heights with coordinates."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr

from . import _core, terrain
from ._arrays import Cell

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
    latitude of the viewer. Coordinates, name of the dimensions and attributes are kept.

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
            raise ValueError(f"a DataArray of the dimensions {heights.dims} is not accepted: expected two")
        unit = str(heights.attrs.get("units", "m")).lower()
        if _METRES.get(unit) != 1.0:
            raise ValueError(f"heights in {unit!r} are not accepted: expected metres; convert them first")
        self._heights = heights
        self._y, self._x = (heights[dim] for dim in heights.dims)
        self._steps = [_step(axis) for axis in (self._x, self._y)]

    def viewshed(self, viewer: tuple[float, float], **options: Any) -> xr.DataArray:
        """Compute which ground is in sight.

        Parameters
        ----------
        viewer : (float, float)
            The coordinates x and y, or longitude and latitude.
        **options
            As for `farsight_fov.viewshed`, without `cell_size`.

        Returns
        -------
        DataArray of float32
            1 in sight, 0 out of sight, with the coordinates of the heights.
        """
        cell = self._cell(viewer)
        seen = terrain.viewshed(self._values(), cell, cell_size=self._cell_size(cell), **options)
        result = self._heights.copy(data=self._in_order(seen))
        result.name = "visibility"
        result.attrs = {"long_name": "visibility", "units": "1"}
        return result

    def horizon(self, viewer: tuple[float, float], **options: Any) -> xr.Dataset:
        """Compute the skyline around a place.

        Parameters
        ----------
        viewer : (float, float)
            The coordinates x and y, or longitude and latitude.
        **options
            As for `farsight_fov.horizon`, without `cell_size`.

        Returns
        -------
        Dataset
            ``elevation_deg``, ``distance_m``, ``height_m`` and the place ``x`` and ``y`` of the skyline, by ``azimuth``.
        """
        cell = self._cell(viewer)
        table = terrain.horizon(self._values(), cell, cell_size=self._cell_size(cell), **options)
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

    def _in_order(self, rows: Any) -> Any:
        """Rows from the north as those of the array, or the other way round."""
        return rows if self._steps[1] < 0 else rows[::-1]

    def _values(self) -> Any:
        return self._in_order(self._heights.values)

    def _cell(self, place: tuple[float, float]) -> Cell:
        cell = []
        for axis, step, at in zip((self._x, self._y), self._steps, place):
            index = round((float(at) - float(axis[0])) / step)
            if not 0 <= index < axis.size:
                first, last = float(axis[0]) - step / 2, float(axis[-1]) + step / 2
                raise IndexError(f"viewer: {axis.name} = {at} is off the map: expected {first} to {last}")
            cell.append(index)
        x, y = cell
        return x, y if self._steps[1] < 0 else self._y.size - 1 - y

    def _cell_size(self, cell: Cell) -> tuple[float, float]:
        return self._cell_sizes[cell[1]]

    @cached_property
    def _cell_sizes(self) -> list[tuple[float, float]]:
        """The sides in metres of the cells of each row, from the north."""
        width, height = (abs(step) for step in self._steps)
        wkt, metre = self._wkt(), self._unit()
        is_in_degrees = metre is None or wkt.startswith("GEOG")
        codes = re.findall(r'(?:ID|AUTHORITY)\["EPSG","?(\d+)"?\]\]$', wkt)
        corner = (float(self._x.min()) - width / 2, float(self._y.max()) + height / 2)
        size = (self._x.size, self._y.size)
        sides = _core.cell_sizes(int(codes[-1]) if codes else None, is_in_degrees, corner, (width, height), size)
        # Without a code, the metres are those that the text or the coordinates tell.
        factor = 1.0 if codes or metre is None else metre
        return [(x * factor, y * factor) for x, y in sides]

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


def _step(axis: xr.DataArray) -> float:
    values = np.asarray(axis.values, np.float64)
    if values.size < 2:
        raise ValueError(f"{axis.name}: expected at least two coordinates, to know the side of a cell")
    steps = np.diff(values)
    mean = float(values[-1] - values[0]) / (values.size - 1)
    if mean == 0 or not np.allclose(steps, mean, rtol=1e-3, atol=0):
        raise ValueError(f"{axis.name}: the coordinates are not evenly spaced; resample them first")
    return mean
