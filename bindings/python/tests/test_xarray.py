"""The accessor: places, orders, units and degrees."""

import numpy as np
import pytest

import farsight_fov as fs

xr = pytest.importorskip("xarray")

HEIGHTS = np.random.default_rng(2).random((40, 50)) * 30


def raster(y, x, dims=("y", "x"), **attributes):
    dem = xr.DataArray(HEIGHTS, coords={dims[0]: y, dims[1]: x}, dims=dims, name="dem")
    dem[dims[1]].attrs.update(attributes)
    return dem


def test_view_is_that_of_the_array_with_its_coordinates():
    dem = raster(5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50))
    seen = dem.farsight.viewshed((900, 4800), eye=5)
    assert np.array_equal(seen.values, fs.viewshed(HEIGHTS, (20, 20), cell_size=10, eye=5))
    assert seen.dims == dem.dims and seen.x.equals(dem.x) and seen.y.equals(dem.y)


def test_rows_from_the_south_are_turned():
    y, x = 5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50)
    dem = raster(y, x)
    turned = dem.isel(y=slice(None, None, -1))
    xr.testing.assert_equal(turned.farsight.viewshed((900, 4800)).sortby("y"), dem.farsight.viewshed((900, 4800)).sortby("y"))
    xr.testing.assert_equal(turned.farsight.horizon((900, 4800), azimuths=8), dem.farsight.horizon((900, 4800), azimuths=8))


def test_degrees_have_their_metres_at_the_viewer():
    step = 1 / 3600
    dem = raster(60 - step * np.arange(40), 10 + step * np.arange(50), ("latitude", "longitude"))
    north = dem.farsight.horizon((10 + 20 * step, 60 - 20 * step), azimuths=4, eye=0)
    sides = (15.5, 30.95)  # a second of arc at 60 degrees
    plain = fs.horizon(HEIGHTS, (20, 20), cell_size=sides, azimuths=4, eye=0)
    assert np.allclose(north.elevation_deg, plain["elevation_deg"], atol=0.2)


def test_units_are_read_or_refused():
    y, x = 5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50)
    feet = raster(y, x, units="us-ft").farsight.horizon((900, 4800), azimuths=4)
    assert np.allclose(feet.distance_m.max(), fs.horizon(HEIGHTS, (20, 20), cell_size=10 * 1200 / 3937, azimuths=4)["distance_m"].max())
    with pytest.raises(ValueError, match="'furlong' of x is not known"):
        raster(y, x, units="furlong").farsight.viewshed((900, 4800))


@pytest.mark.parametrize(
    ("epsg", "corner", "expected"),
    [
        ("EPSG:32632", (612_000, 5_206_600), (30, 30)),
        ("EPSG:3857", (1_200_580, 8_399_737), (15.04, 15.01)),  # at 60 degrees
        ("EPSG:2263", (984_250, 194_305), (9.144, 9.144)),  # US survey feet
        ("EPSG:25832+5783", (612_000, 5_206_600), (30, 30)),  # with heights in metres
        ("EPSG:4258", (10, 60), None),
    ],
)
def test_reference_systems_tell_the_sides_of_cells(epsg, corner, expected):
    pytest.importorskip("rioxarray")
    step = 30 if expected else 1 / 3600
    dem = raster(corner[1] - step * np.arange(40), corner[0] + step * np.arange(50)).rio.write_crs(epsg)
    found = dem.farsight._cell_size((0, 0))
    assert np.allclose(found, expected or (15.51, 30.95), atol=0.01), found


def test_heights_in_feet_are_refused():
    dem = raster(5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50)).assign_attrs(units="ft")
    with pytest.raises(ValueError, match="heights in 'ft' are not accepted"):
        dem.farsight.viewshed((900, 4800))
    pytest.importorskip("rioxarray")
    with pytest.raises(ValueError, match="vertical reference system is not in metres"):
        dem.assign_attrs(units="m").rio.write_crs("EPSG:2263+6360").farsight.viewshed((900, 4800))


def test_places_off_the_map_and_uneven_coordinates_are_refused():
    y, x = 5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50)
    with pytest.raises(IndexError, match="x = 9000 is off the map"):
        raster(y, x).farsight.viewshed((9000, 4800))
    with pytest.raises(ValueError, match="not evenly spaced"):
        raster(y, x**2).farsight.viewshed((900, 4800))


def on_grid(code, x, y):
    """The heights around a place in a reference system."""
    dem = raster(y - 10.0 * (np.arange(40) - 20), x + 10.0 * (np.arange(50) - 20))
    wkt = f'PROJCS["a grid",UNIT["metre",1],AUTHORITY["EPSG","{code}"]]'
    return dem.assign_coords(spatial_ref=xr.DataArray(0, attrs={"crs_wkt": wkt}))


def test_azimuths_count_from_true_north():
    # 135 degrees east in EPSG:3413: grid north is the south, and the latitude is 69.9 degrees.
    dem = on_grid(3413, 0.0, 2_199_085.507)
    viewer = (0.0, 2_199_085.507)
    north, grid = dem.farsight.horizon(viewer, azimuths=8), dem.farsight.horizon(viewer, azimuths=8, grid_north=True)
    assert np.allclose(north.elevation_deg.values, np.roll(grid.elevation_deg.values, 4))
    options = {"cell_size": dem.farsight._cell_size((20, 20)), "azimuths": 8}
    assert np.allclose(grid.elevation_deg, fs.horizon(HEIGHTS, (20, 20), **options)["elevation_deg"])
    assert np.allclose(north.elevation_deg, fs.horizon(HEIGHTS, (20, 20), convergence=180, **options)["elevation_deg"])
    # The middle of the map is 40 m beside the meridian, where grid north is at 180.001 degrees.
    inner = (slice(5, -5), slice(5, -5))
    angles = dem.farsight.horizon_angle(0), dem.farsight.horizon_angle(180, grid_north=True)
    assert np.allclose(angles[0].values[inner], angles[1].values[inner], atol=0.05)
    sun = dem.farsight.sunshine(date="06-21", azimuths=16)
    sides = dem.farsight._cell_size((0, 0))
    plain = fs.sunshine(HEIGHTS, cell_size=sides, latitude=69.9, convergence=180, date="06-21", azimuths=16)
    assert np.allclose(sun, plain, atol=0.1)
    half = {"start_angle_deg": [270.0], "end_angle_deg": [90.0]}
    seen = dem.farsight.cumulative([viewer], columns=half, eye=300)["count"].values
    assert seen[21:].sum() > 300 and seen[:20].sum() == 0
    seen = dem.farsight.cumulative([viewer], columns=half, eye=300, grid_north=True)["count"].values
    assert seen[:20].sum() > 300 and seen[21:].sum() == 0


def test_a_system_without_a_definition_keeps_the_north_of_the_grid():
    dem = on_grid(29999, 0.0, 0.0)
    with pytest.warns(UserWarning, match="meridian convergence of EPSG:29999 is not known"):
        horizon = dem.farsight.horizon((0.0, 0.0), azimuths=4)
    assert np.allclose(horizon.elevation_deg, fs.horizon(HEIGHTS, (20, 20), cell_size=10, azimuths=4)["elevation_deg"])
