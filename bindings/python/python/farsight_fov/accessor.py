"""``DataArray.farsight``: viewsheds and horizons of heights with coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from . import _core, terrain
from ._arrays import Cell

_LATITUDES = {"lat", "latitude"}
_LONGITUDES = {"lon", "lng", "longitude"}


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
        width, height = (abs(step) for step in self._steps)
        if self._is_in_degrees():
            north = max(float(self._y[0]), float(self._y[-1])) + height / 2
            return _core.cell_size_in_degrees(north, (width, height), float(cell[1]))
        metre = self._unit()
        return width * metre, height * metre

    def _is_in_degrees(self) -> bool:
        if str(self._y.dims[0]).lower() in _LATITUDES and str(self._x.dims[0]).lower() in _LONGITUDES:
            return True
        if str(self._x.attrs.get("units", "")).startswith("degree"):
            return True
        return "grid_mapping_name" in self._crs() and self._crs()["grid_mapping_name"] == "latitude_longitude"

    def _unit(self) -> float:
        """The length of the coordinates' unit in metres."""
        unit = str(self._x.attrs.get("units", "metre")).lower()
        if unit in ("m", "metre", "meter", "metres", "meters"):
            return _wkt_unit(str(self._crs().get("crs_wkt", "")))
        known = {"km": 1000.0, "kilometre": 1000.0, "ft": 0.3048, "foot": 0.3048, "us-ft": 1200 / 3937, "us_survey_foot": 1200 / 3937}
        if unit not in known:
            raise ValueError(f"the unit {unit!r} of {self._x.name} is not known: expected metres, feet or degrees")
        return known[unit]

    def _crs(self) -> dict[str, Any]:
        """The attributes of the reference system, as rioxarray writes them."""
        return dict(self._heights.coords["spatial_ref"].attrs) if "spatial_ref" in self._heights.coords else {}


def _step(axis: xr.DataArray) -> float:
    values = np.asarray(axis.values, np.float64)
    if values.size < 2:
        raise ValueError(f"{axis.name}: expected at least two coordinates, to know the side of a cell")
    steps = np.diff(values)
    mean = float(values[-1] - values[0]) / (values.size - 1)
    if mean == 0 or not np.allclose(steps, mean, rtol=1e-3, atol=0):
        raise ValueError(f"{axis.name}: the coordinates are not evenly spaced; resample them first")
    return mean


def _wkt_unit(wkt: str) -> float:
    """The unit of a projected reference system as well-known text: its last length unit."""
    _, found, tail = wkt.rpartition('UNIT["' if 'LENGTHUNIT["' not in wkt else 'LENGTHUNIT["')
    if not found or "PROJ" not in wkt.upper():
        return 1.0
    return float(tail.split(",")[1].rstrip("]").split("]")[0])
