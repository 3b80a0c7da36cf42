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


@pytest.mark.parametrize("is_turned", [False, True])
def test_window_has_the_coordinates_of_its_part(is_turned):
    dem = raster(5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50))
    dem = dem.isel(y=slice(None, None, -1)) if is_turned else dem
    for place in [(900, 4800), (700, 5000), (1190, 4610)]:
        whole = dem.farsight.viewshed(place, max_distance=55)
        part = dem.farsight.viewshed(place, max_distance=55, window=True)
        assert max(part.shape) <= 13 and part.sum() == whole.sum() > 0
        xr.testing.assert_equal(part, whole.sel(x=part.x, y=part.y))
    everything = dem.farsight.viewshed((900, 4800), window=True)
    xr.testing.assert_equal(everything, dem.farsight.viewshed((900, 4800)))


def test_coverage_and_profile_are_in_coordinates():
    dem = raster(5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50))
    places = [(903.0, 4797.0), (700.0, 4610.0)]
    for heights in (dem, dem.isel(y=slice(None, None, -1))):
        seen = heights.farsight.coverage([(900, 4800), (1100, 4700)], places=places, choose=2, polygons=True, max_distance=200)
        plain = fs.coverage(HEIGHTS, [(20, 20), (40, 30)], cell_size=10, places=[(20, 20), (0, 39)], choose=2, max_distance=200)
        assert (seen.seen_km2, seen.sees.tolist()) == (plain.seen_km2, plain.sees.tolist())
        assert [tuple(row)[:2] for row in seen.places] == places and np.array_equal(seen.chosen, plain.chosen)
        corners = np.concatenate([ring for rings in seen.polygons for ring in rings])
        count = heights.farsight.cumulative([(900, 4800), (1100, 4700)], max_distance=200)["count"]
        in_sight = count.where(count > 0).stack(cell=("y", "x")).dropna("cell")
        assert corners.min(axis=0).tolist() == [in_sight.x.min() - 5, in_sight.y.min() - 5]
        assert corners.max(axis=0).tolist() == [in_sight.x.max() + 5, in_sight.y.max() + 5]
        line = heights.farsight.profile((900, 4800), (950, 4800))
        assert line.x.values.tolist() == [900, 910, 920, 930, 940, 950] and (line.y == 4800).all()
        assert np.allclose(line.ground_m, HEIGHTS[20, 20:26].astype(np.float32))


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


def _wall(fill, dtype=np.float32):
    y, x = 5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50)
    values = np.full((40, 50), 100, dtype)
    values[7] = fill
    return xr.DataArray(values, coords={"y": y, "x": x}, dims=("y", "x"))


@pytest.mark.parametrize("name", ["_FillValue", "missing_value", "nodata"])
@pytest.mark.parametrize("place", ["attrs", "encoding"])
@pytest.mark.parametrize(("fill", "dtype"), [(9999, np.int16), (9999.9, np.float32), (3.4e38, np.float64)])
def test_number_for_no_data_hides_nothing(name, place, fill, dtype):
    dem = _wall(fill, dtype)
    expected = dem.where(dem != dem.values[7, 0]).farsight.viewshed((900, 4800))
    assert expected.sum() == 39 * 50
    getattr(dem, place)[name] = fill
    xr.testing.assert_equal(dem.farsight.viewshed((900, 4800)), expected)


def test_several_numbers_and_nan_are_no_data():
    dem = _wall(9999)
    dem.values[9] = -32768
    dem.attrs.update(missing_value=[9999, -32768], _FillValue=np.nan)
    assert dem.farsight.viewshed((900, 4800)).sum() == 38 * 50
    dem.attrs["missing_value"] = "none"
    with pytest.raises(ValueError, match="no data: .*'none'.* is no number"):
        dem.farsight.viewshed((900, 4800))


def test_scale_and_offset_in_attributes_are_applied():
    dem = _wall(5, np.int16) * 10
    dem.values[9] = -1
    dem.attrs.update(scale_factor=0.1, add_offset=1000.0, _FillValue=-1)
    plain = (dem.where(dem != -1) * 0.1 + 1000).drop_attrs()
    xr.testing.assert_equal(dem.farsight.viewshed((900, 4800)), plain.farsight.viewshed((900, 4800)))
    xr.testing.assert_equal(dem.farsight.sky_view_factor(azimuths=4), plain.farsight.sky_view_factor(azimuths=4))
    # What is in the encoding is decoded already.
    plain.encoding.update(scale_factor=0.1, add_offset=1000.0, _FillValue=1100)
    assert np.isfinite(plain.farsight.sky_view_factor(azimuths=4)).sum() == 39 * 50
    dem.attrs["scale_factor"] = np.inf
    with pytest.raises(ValueError, match="scale_factor inf"):
        dem.farsight.viewshed((900, 4800))


@pytest.mark.parametrize("stored", [np.float32, np.float64])
@pytest.mark.parametrize("size", [40, 1000])
def test_coordinates_of_32_bits_are_even(stored, size):
    y, x = 47 - np.arange(size) / 3600, -105 + np.arange(50) / 3600
    dem = xr.DataArray(np.zeros((size, 50)), dims=("lat", "lon"), coords={
        "lat": y.astype(np.float32).astype(stored), "lon": x.astype(np.float32).astype(stored)
    })
    assert dem.farsight.viewshed((x[20], y[20]), earth=False).sum() == size * 50
    assert dem.farsight._cell((x[30], y[-3])) == (30, size - 3)
    jumps = dem.isel(lat=[0, 1, 2, 3, 5, 6])
    with pytest.raises(ValueError, match="lat: the coordinates are not evenly spaced"):
        jumps.farsight.viewshed((x[20], y[2]))


def test_metres_of_a_metre_are_even():
    dem = raster(5_200_000.5 - np.arange(40), 500_000.5 + np.arange(50))
    assert dem.farsight._cell_sizes[0] == (1, 1)


def test_longitudes_count_from_either_meridian():
    y, x = 40 - np.arange(40) / 3600, np.arange(50) / 3600
    east = raster(y, 254.99 + x, ("lat", "lon")).farsight
    west = raster(y, -105.01 + x, ("lat", "lon")).farsight
    assert east._cell((-105.005, 39.995)) == west._cell((-105.005, 39.995)) == west._cell((254.995, 39.995)) == (18, 18)
    with pytest.raises(IndexError, match="lon = -104 is off the map"):
        east.viewshed((-104, 39.995))
    metres = raster(5000.0 - 10 * np.arange(40), 700.0 + 10 * np.arange(50)).farsight
    with pytest.raises(IndexError, match="x = 1300 is off the map"):
        metres.viewshed((1300, 4800))
