"""Continuous field of view, viewsheds and horizons on NumPy and xarray.

A map is a two-dimensional array, and a cell is the pair ``(x, y)`` of its column and its row, both from 0.
Opacities and visibilities are numbers from 0 to 1.

>>> import numpy as np
>>> import farsight_fov as fs
>>> opacity = np.zeros((3, 7), np.float32)
>>> opacity[1, 3] = 1  # a pillar
>>> fs.field_of_view(opacity, (0, 1)).round(1)
array([[1. , 1. , 1. , 1. , 0.8, 0.6, 0.5],
       [1. , 1. , 1. , 1. , 0. , 0. , 0. ],
       [1. , 1. , 1. , 1. , 0.8, 0.6, 0.5]], dtype=float32)

Functions
---------
field_of_view, fields_of_view, line_of_sight, who_sees_whom
    Sight over opacities: games, fog, hedges.
viewshed, cumulative, coverage, total_viewshed, horizon, profile
    Sight over heights, in metres: of one observer, of several and their tables, of every cell, the skyline, and one line.
sky_view_factor, sunshine, horizon_angle
    The sky and the sun over every cell of heights.
Scene, explain
    Generated worlds and one's own maps, their pictures, and why a cell is dim.

With xarray, every ``DataArray`` of heights has these functions as ``.farsight.viewshed(...)`` and so on, with places and results in its
coordinates: for GeoTIFF files, reference systems and tables of points, see ``help(xarray.DataArray.farsight)``.
"""

from importlib.util import find_spec as _find_spec

from ._core import __version__
from .scene import Scene, explain
from .sight import field_of_view, fields_of_view, line_of_sight, who_sees_whom
from .terrain import (
    Coverage,
    coverage,
    cumulative,
    horizon,
    horizon_angle,
    profile,
    sky_view_factor,
    sunshine,
    total_viewshed,
    viewshed,
)

if _find_spec("xarray") is not None:
    from . import accessor as _accessor

__all__ = [
    "Coverage",
    "Scene",
    "__version__",
    "coverage",
    "cumulative",
    "explain",
    "field_of_view",
    "fields_of_view",
    "horizon",
    "horizon_angle",
    "line_of_sight",
    "profile",
    "sky_view_factor",
    "sunshine",
    "total_viewshed",
    "viewshed",
    "who_sees_whom",
]
