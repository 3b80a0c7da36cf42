"""Maps in chunks: the bytes of one process, also from processes of which one is killed."""

import filecmp
import os
import signal
from pathlib import Path

import numpy as np
import pytest

import farsight_fov as fs

xr = pytest.importorskip("xarray")
dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

RIDGE = Path(__file__).parents[3] / "examples/ridge.tif"
OBSERVERS = [(616_200, 5_203_500), (613_000, 5_205_000), (614_500, 5_204_000), (619_000, 5_201_000)]


@pytest.fixture(params=[1, -1], ids=["from north", "from south"])
def dem(request):
    heights = (np.random.default_rng(1).random((90, 110)).cumsum(0) % 40).astype(np.float32)
    heights[50, 60] = np.nan
    coords = {"y": (5000.0 - 30 * np.arange(90))[:: request.param], "x": 700.0 + 30 * np.arange(110)}
    return xr.DataArray(heights, coords=coords, dims=("y", "x"), name="dem")


@pytest.fixture
def ridge():
    return pytest.importorskip("rioxarray").open_rasterio(RIDGE, masked=True, chunks=150).squeeze()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("sky_view_factor", {"azimuths": 16}),
        ("sunshine", {"latitude": 47, "date": "12-21"}),
        ("horizon_angle", {"azimuth": 77.0}),
        ("total_viewshed", {"target": 1.5}),
        ("total_viewshed", {"method": "exact", "max_distance": 150}),
    ],
)
def test_chunks_have_the_bytes_of_the_whole(dem, name, options):
    options = {"max_distance": 400, **options}
    whole = getattr(dem.farsight, name)(**options)
    for chunks in ({"y": 40, "x": 64}, {"y": 90, "x": 7}):
        chunked = getattr(dem.chunk(chunks).farsight, name)(**options)
        assert chunked.chunks is not None
        xr.testing.assert_identical(chunked.compute(), whole)


def test_attributes_are_decoded_in_chunks(dem):
    stored = (dem * 10).fillna(-1).assign_attrs(_FillValue=-1.0, scale_factor=0.1)
    whole, chunked = (stored.farsight, stored.chunk(20).farsight)
    options = {"max_distance": 300, "azimuths": 4}
    xr.testing.assert_equal(chunked.sky_view_factor(**options).compute(), whole.sky_view_factor(**options))


def test_rows_in_degrees_have_sides_of_their_own():
    heights = np.random.default_rng(5).random((60, 40)) * 50
    step = 1 / 1200
    coords = {"latitude": 62 - step * np.arange(60), "longitude": 10 + step * np.arange(40)}
    dem = xr.DataArray(heights.astype(np.float32), coords=coords, dims=("latitude", "longitude"))
    whole = dem.farsight.sunshine(date="03-21", max_distance=900)
    xr.testing.assert_identical(dem.chunk(25).farsight.sunshine(date="03-21", latitude=dem.latitude.values[30], max_distance=900).compute(), whole)


def test_observers_over_chunks_have_the_bytes_of_the_whole(ridge):
    outputs = ["count", "union", "nearest", "visible_height"]
    options = {"outputs": outputs, "max_distance": 2500, "eye": 10, "tip": 50}
    whole = ridge.load().copy().farsight.cumulative(OBSERVERS, **options)
    chunked = ridge.chunk(150)
    chunked.encoding = ridge.encoding
    for group in (1, 64):
        xr.testing.assert_identical(chunked.farsight.cumulative(OBSERVERS, group=group, **options).compute(), whole)
    assert whole["count"].max() > 1 and np.isnan(whole["nearest"]).any()


def test_observers_may_be_a_table_of_points(ridge):
    geopandas = pytest.importorskip("geopandas")
    points = geopandas.GeoSeries.from_xy(*np.transpose(OBSERVERS), crs=ridge.rio.crs)
    table = geopandas.GeoDataFrame(geometry=points).to_crs("EPSG:4326")
    options = {"max_distance": 2000}
    expected = ridge.farsight.cumulative(OBSERVERS, **options).compute()
    xr.testing.assert_identical(ridge.farsight.cumulative(table, **options).compute(), expected)


def test_columns_of_a_table_count_for_each_observer(ridge):
    geopandas = pytest.importorskip("geopandas")
    points = geopandas.GeoSeries.from_xy(*np.transpose(OBSERVERS), crs=ridge.rio.crs)
    eyes = [3.0 + 20 * (i % 3) for i in range(len(OBSERVERS))]
    eyes[1] = np.nan  # that of all
    table = geopandas.GeoDataFrame({"eye_height_m": eyes, "name": "tower"}, geometry=points)
    options = {"max_distance": 2000, "eye": 9}
    dem = ridge.load().copy()
    whole = dem.farsight.cumulative(table, **options)["count"]
    of_each = [9 if np.isnan(eye) else eye for eye in eyes]
    single = [dem.farsight.viewshed(at, eye=eye, max_distance=2000) for at, eye in zip(OBSERVERS, of_each)]
    np.testing.assert_array_equal(whole.fillna(0), sum(single).fillna(0))
    chunked = ridge.chunk(150)
    chunked.encoding = ridge.encoding
    np.testing.assert_array_equal(chunked.farsight.cumulative(table, group=2, **options)["count"].compute(), whole)
    assert not whole.equals(dem.farsight.cumulative(OBSERVERS, **options)["count"])
    sector = {"start_angle_deg": [0.0] * len(OBSERVERS), "end_angle_deg": [90.0] * len(OBSERVERS)}
    narrow = dem.farsight.cumulative(table, columns=sector, **options)["count"]
    assert 0 < narrow.sum() < whole.sum()


def test_bad_input_is_named(dem, ridge):
    chunked = dem.chunk(40)
    with pytest.raises(ValueError, match="max_distance: None is not valid"):
        chunked.farsight.total_viewshed()
    with pytest.raises(TypeError, match="max_distanc is no option"):
        chunked.farsight.sky_view_factor(max_distanc=5)
    with pytest.raises(ValueError, match="expected a whole raster file"):
        chunked.farsight.cumulative([(700, 4900)], max_distance=400)
    with pytest.raises(ValueError, match="'best' is not computed in chunks"):
        ridge.farsight.cumulative(OBSERVERS, max_distance=400, outputs=["best"])
    for attributes in ({"nodata": 7.0}, {"scale_factor": 0.1}):
        with pytest.raises(ValueError, match="the attributes have a scale or a number for no data that the file has not"):
            ridge.assign_attrs(attributes).farsight.cumulative(OBSERVERS, max_distance=400)
    with pytest.raises(IndexError, match="observers: x = 0 is off the map"):
        ridge.farsight.cumulative([(0, 0)], max_distance=400)
    with pytest.raises(ValueError, match="latitude: expected degrees"):
        dem.farsight.sunshine()
    tall = xr.DataArray(np.zeros((3, 4)), coords={"lat": [60.0, 40.0, 20.0], "lon": [0.0, 20.0, 40.0, 60.0]}, dims=("lat", "lon"))
    with pytest.raises(ValueError, match="differ by more than 1 %"):
        tall.farsight.total_viewshed()


def _die_once(block, mark):
    """Kill the process of a worker that computes a block, the first time."""
    if not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return block


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_killed_worker_leaves_the_bytes_of_one_process(ridge, tmp_path):
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("zarr")
    mark = str(tmp_path / "died")

    def layers(data):
        heights = ridge.copy(data=data)
        total = heights.isel(x=slice(0, 300), y=slice(0, 170)).farsight.total_viewshed(max_distance=300)
        count = ridge.farsight.cumulative(OBSERVERS, max_distance=2500, group=1)["count"]
        return xr.Dataset({"total": total, "sky": heights.farsight.sky_view_factor(azimuths=8, max_distance=600), "count": count}).drop_vars("spatial_ref")

    layers(ridge.data).to_zarr(tmp_path / "one", consolidated=False)
    mortal = ridge.data.map_blocks(_die_once, mark, dtype=ridge.dtype, meta=np.empty((0, 0), ridge.dtype))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster):
        layers(mortal).to_zarr(tmp_path / "two", consolidated=False)
    assert Path(mark).exists()
    files = sorted(file.relative_to(tmp_path / "one") for file in (tmp_path / "one").rglob("*") if file.is_file())
    assert len(files) > 20 and filecmp.cmpfiles(tmp_path / "one", tmp_path / "two", files, shallow=False)[0] == files


def test_cog_of_processes_has_the_bytes_of_one(ridge, tmp_path):
    distributed, rasterio = pytest.importorskip("distributed"), pytest.importorskip("rasterio")
    from rasterio.shutil import copy

    sky = ridge.farsight.sky_view_factor(azimuths=8, max_distance=600)
    layout = {"tiled": True, "blockxsize": 128, "blockysize": 128, "compress": "deflate"}
    sky.compute().rio.to_raster(tmp_path / "one.tif", **layout)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster):
        sky.rio.to_raster(tmp_path / "two.tif", lock=distributed.Lock(), **layout)
    for name in ("one", "two"):
        copy(tmp_path / f"{name}.tif", tmp_path / f"{name}-cog.tif", driver="COG", compress="deflate", blocksize=128)
    assert filecmp.cmp(tmp_path / "one-cog.tif", tmp_path / "two-cog.tif", shallow=False)
    with rasterio.open(tmp_path / "two-cog.tif") as cog:
        assert cog.tags(ns="IMAGE_STRUCTURE")["LAYOUT"] == "COG" and np.isnan(cog.nodata)
        np.testing.assert_array_equal(cog.read(1), sky.values)
