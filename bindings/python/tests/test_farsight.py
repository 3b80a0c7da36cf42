"""The border between Python and the library: types, shapes, errors, threads, signals."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import farsight_fov as fs


@pytest.fixture
def rooms():
    opacity = (np.random.default_rng(7).random((90, 120)) < 0.1).astype(np.float32)
    opacity[45, 60] = 0
    return opacity


def test_view_is_that_of_the_documentation_of_the_library():
    opacity = np.zeros((4, 11), np.float32)
    opacity[1, 4], opacity[2, 4] = 1, 0.5
    seen = fs.field_of_view(opacity, (0, 2), radius=10)
    tenths = ["".join("*" if v == 1 else str(int(v * 10 + 0.5)) for v in row) for row in seen]
    assert tenths == ["*****644330", "*****122330", "*****555555", "*****988870"]


@pytest.mark.skipif("FARSIGHT" not in os.environ, reason="FARSIGHT names no program")
@pytest.mark.parametrize("preset", ["fog", "alpine", "archipelago"])
def test_scene_has_the_bits_of_the_program(preset, tmp_path):
    size = {"world.width": 192, "world.height": 160}
    scene = fs.Scene(preset, seed=5, settings=size)
    for layer in ("visibility", "perceived", "elevation"):
        file = tmp_path / f"{layer}.npy"
        flags = [part for key, value in size.items() for part in ("--set", f"{key}={value}")]
        command = [os.environ["FARSIGHT"], "export", "--preset", preset, "--seed", "5", *flags]
        subprocess.run([*command, "--layer", layer, "-o", file, "-q"], check=True)
        assert np.array_equal(np.load(file), scene.layer(layer), equal_nan=True), layer


def test_every_layout_gives_the_same_view(rooms):
    expected = fs.field_of_view(rooms, (60, 45))
    wide = np.zeros((180, 240), np.float32)
    wide[::2, ::2] = rooms
    for same in (np.asfortranarray(rooms), wide[::2, ::2], rooms.astype(float), rooms.astype(bool), rooms.tolist()):
        assert np.array_equal(fs.field_of_view(same, (60, 45)), expected)
    swapped = rooms.astype(rooms.dtype.newbyteorder())
    assert np.array_equal(fs.field_of_view(swapped, (60, 45)), expected)


def test_arrays_in_c_order_are_read_where_they_are(rooms):
    from farsight_fov._arrays import as_map

    assert as_map(rooms, "opacity") is rooms
    read_only = rooms.copy()
    read_only.flags.writeable = False
    fs.field_of_view(read_only, (60, 45))


def test_out_is_written_and_returned(rooms):
    out = np.full_like(rooms, 9)
    assert fs.field_of_view(rooms, (60, 45), radius=5, out=out) is out
    assert np.array_equal(out, fs.field_of_view(rooms, (60, 45), radius=5))
    with pytest.raises(ValueError, match="out: expected float32"):
        fs.field_of_view(rooms, (60, 45), out=np.zeros(rooms.shape))
    with pytest.raises(Exception, match="borrow"):
        fs.field_of_view(rooms, (60, 45), out=rooms)


def test_views_of_many_are_those_of_each(rooms):
    viewers = np.argwhere(rooms == 0)[::97, ::-1]
    views = fs.fields_of_view(rooms, viewers, radius=9, decay={"kind": "linear"})
    assert views.shape == (len(viewers), 19, 19)
    padded = np.pad(np.zeros_like(rooms), 9)
    for view, (x, y) in zip(views, viewers.tolist()):
        padded[9:-9, 9:-9] = fs.field_of_view(rooms, (x, y), radius=9, decay={"kind": "linear"})
        assert np.array_equal(view, padded[y : y + 19, x : x + 19])
    assert fs.fields_of_view(rooms, [], radius=3).shape == (0, 7, 7)


def test_one_line_is_the_value_of_the_view(rooms):
    for method in ("two-parent", "beam", "exact", "shadowcast"):
        seen = fs.field_of_view(rooms, (60, 45), radius=20, method=method)
        for x, y in [(61, 45), (70, 50), (50, 30), (79, 45)]:
            assert fs.line_of_sight(rooms, (60, 45), (x, y), radius=20, method=method) == seen[y, x]


def test_nan_is_no_cell():
    opacity = np.array([[0, 0, np.nan, 0]], np.float32)
    assert fs.field_of_view(opacity, (0, 0)).tolist() == [[1, 1, 0, 0]]


def test_viewshed_in_range_is_that_of_the_whole_map():
    ground = np.random.default_rng(3).random((80, 100)).cumsum(axis=0)
    whole = fs.viewshed(ground, (50, 40), cell_size=25)
    part = fs.viewshed(ground, (50, 40), cell_size=25, max_distance=490)
    y, x = np.ogrid[:80, :100]
    in_range = np.hypot(x - 50, y - 40) * 25 <= 490
    assert np.array_equal(part, np.where(in_range, whole, 0)) and 0 < part.sum() < in_range.sum()


def test_count_of_several_is_the_sum_of_their_viewsheds():
    ground = np.random.default_rng(6).random((70, 90)).cumsum(axis=1)
    observers = [(10, 10), (80, 60), (45, 30)]
    together = fs.cumulative(ground, observers, cell_size=20, eye=4, max_distance=700, outputs=["count", "union"])
    views = [fs.viewshed(ground, cell, cell_size=20, eye=4, max_distance=700) for cell in observers]
    assert np.array_equal(together["count"], sum(views)) and np.array_equal(together["union"], np.max(views, axis=0))
    tips = fs.cumulative(ground, observers, cell_size=20, hub=90, tip=150, outputs=["hubs", "tips", "visible_height"])
    assert (tips["tips"] >= tips["hubs"]).all() and 0 < tips["visible_height"].max() <= 150


def test_horizons_of_several_are_those_of_each():
    ground = np.random.default_rng(4).random((60, 60)) * 40
    viewers = [(5, 5), (30, 40), (59, 0)]
    table = fs.horizon(ground, viewers, cell_size=10, azimuths=24, max_distance=200)
    assert table.shape == (3, 24)
    for row, viewer in zip(table, viewers):
        alone = fs.horizon(ground, viewer, cell_size=10, azimuths=24, max_distance=200)
        for name in row.dtype.names:
            assert np.array_equal(row[name], alone[name], equal_nan=True)
    assert np.isnan(table[2]["elevation_deg"][0]) and table[2]["x"][0] == -1  # nothing in the north of the corner


def test_the_sky_over_cells_follows_from_their_horizons():
    ground = np.random.default_rng(4).random((40, 50)) * 60
    ground[3, 4] = np.nan
    skyline = fs.horizon(ground, (20, 30), cell_size=10, eye=0, azimuths=16)
    angles = [fs.horizon_angle(ground, azimuth, cell_size=10)[30, 20] for azimuth in skyline["azimuth_deg"]]
    assert np.allclose(angles, skyline["elevation_deg"], atol=0.005)
    factor = fs.sky_view_factor(ground, cell_size=10, azimuths=16)
    assert np.isclose(factor[30, 20], np.mean(np.cos(np.radians(np.maximum(angles, 0))) ** 2), atol=1e-4)
    hours = fs.sunshine(ground, cell_size=10, latitude=47, date="12-21", azimuths=16)
    assert np.isnan(factor[3, 4]) and np.isnan(hours[3, 4]) and 0 <= np.nanmin(hours) and np.nanmax(hours) < 8.6


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda o: fs.field_of_view(o, (600, 1)), IndexError, "600,1 is outside the map of 120x90 cells"),
        (lambda o: fs.field_of_view(o, (2**40, 1)), IndexError, "beyond every map"),
        (lambda o: fs.field_of_view(o * 3, (60, 45)), ValueError, "opacity: 3 in column"),
        (lambda o: fs.field_of_view(o.astype(complex), (1, 1)), TypeError, "complex128"),
        (lambda o: fs.field_of_view(o[0], (1, 1)), ValueError, r"shape \(120,\)"),
        (lambda o: fs.field_of_view(o[:0], (1, 1)), ValueError, "has no cells"),
        (lambda o: fs.field_of_view(o, (1.5, 1)), TypeError, "two whole numbers"),
        (lambda o: fs.field_of_view(o, 7), TypeError, r"expected \(x, y\)"),
        (lambda o: fs.field_of_view(o, (1, 1), method="beem"), ValueError, 'sight.method: "beem" is not valid'),
        (lambda o: fs.field_of_view(o, (1, 1), decay={"kind": "smoth"}), ValueError, 'sight.decay.kind: "smoth"'),
        (lambda o: fs.field_of_view(o, (1, 1), beam=3), ValueError, "sight.beam; did you mean sight.beams"),
        (lambda o: fs.field_of_view(o, (1, 1), beams=99), ValueError, "sight.beams: 99 is not valid"),
        (lambda o: fs.field_of_view(o, (1, 1), radius=-3), ValueError, "sight.radius: -3 cells is not valid"),
        (lambda o: fs.fields_of_view(o, [(1, 1), (900, 1)], radius=4), IndexError, "900,1 is outside"),
        (lambda o: fs.fields_of_view(o, [(1 - 2**31, 1)], radius=4), IndexError, "-2147483647,1 is outside"),
        (lambda o: fs.fields_of_view(o, np.zeros((3, 2))), TypeError, "expected integers of shape"),
        (lambda o: fs.who_sees_whom(o, [(1, 1)], [1, 2]), ValueError, "2 values for 1 cells"),
        (lambda o: fs.viewshed(o, (1, 1), cell_size=0), ValueError, "cell_size"),
        (lambda o: fs.horizon(o, (1, 1), cell_size=1e308), ValueError, r"cell_size: \(1000"),
        (lambda o: fs.viewshed(o * np.nan, (1, 1), cell_size=1), ValueError, "nodata"),
        (lambda o: fs.viewshed(o, (1, 1), cell_size=1, eye=-1), ValueError, "eye_height: -1"),
        (lambda o: fs.viewshed(o, (1, 1), cell_size=1, max_distance=0), ValueError, "max_distance: 0"),
        (lambda o: fs.viewshed(o, (1, 1), cell_size=1, method="shadowcast"), ValueError, "knows no heights"),
        (lambda o: fs.cumulative(o, [(1, 1), (500, 1)], cell_size=1), IndexError, r"observers\[1\]"),
        (lambda o: fs.cumulative(o, [], cell_size=1), ValueError, "there are none"),
        (lambda o: fs.cumulative(o, [(1, 1)], cell_size=1, outputs=["counts"]), ValueError, "counts"),
        (lambda o: fs.cumulative(o, [(1, 1)], cell_size=1, columns={"eye": [1]}), ValueError, "expected eye_height_m, "),
        (lambda o: fs.cumulative(o, [(1, 1)], cell_size=1, columns={"weight": [1, 2]}), ValueError, "weight has 2 values"),
        (lambda o: fs.cumulative(o, [(1, 1)], cell_size=1, columns={"weight": ["much"]}), TypeError, "a number for each"),
        (lambda o: fs.cumulative(o, [(1, 1)], cell_size=1, columns={"weight": [-1]}), ValueError, r"observers\[0\].*weight"),
        (lambda o: fs.horizon(o, (1, 1), cell_size=1, azimuths=0), ValueError, "0 azimuths"),
        (lambda o: fs.sky_view_factor(o, cell_size=0), ValueError, "cell_size"),
        (lambda o: fs.sky_view_factor(o, cell_size=1, max_distance=-1), ValueError, "max_distance"),
        (lambda o: fs.sunshine(o, cell_size=1, latitude=99), ValueError, "a latitude of 99"),
        (lambda o: fs.sunshine(o, cell_size=1, latitude=9, date="02-30"), ValueError, "02-30"),
        (lambda o: fs.Scene("foggy"), ValueError, 'did you mean "fog"'),
        (lambda o: fs.Scene("fog", seed=-1), ValueError, "settings: world.seed: -1"),
        (lambda o: fs.Scene(opacity=o, heights=o), TypeError, "expected one of them"),
        (lambda o: fs.Scene(heights=o), TypeError, "cell_size"),
        (lambda o: fs.Scene(opacity=o).layer("elevation"), ValueError, "layer elevation is not valid"),
        (lambda o: fs.Scene(opacity=o).save("x.bmp"), ValueError, "extension .bmp is unknown"),
        (lambda o: fs.Scene(opacity=o).save("missing/x.png"), OSError, "no folder missing"),
        (lambda o: fs.Scene(opacity=o).link, RuntimeError, "a link holds no map"),
    ],
)
def test_bad_input_is_named(rooms, call, kind, words):
    with pytest.raises(kind, match=words):
        call(rooms)


def test_threads_share_a_map(rooms):
    expected = fs.field_of_view(rooms, (60, 45), radius=40)
    wrong = []

    def look():
        for _ in range(50):
            if not np.array_equal(fs.field_of_view(rooms, (60, 45), radius=40), expected):
                wrong.append(1)

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(sys.platform == "win32", reason="signals of one's own process")
def test_ctrl_c_ends_long_work():
    opacity = np.full((2001, 2001), 0.001, np.float32)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        fs.field_of_view(opacity, (1000, 1000), radius=1000, method="exact", samples=32)


def test_scene_walks_and_is_a_picture(tmp_path):
    scene = fs.Scene("temperate", seed=3, settings={"world.width": 96, "world.height": 96})
    assert scene.shape == (96, 96) and scene.view()[scene.viewer[::-1]] == 1
    start = scene.viewer
    assert scene.step(1, 0) and scene.viewer == (start[0] + 1, start[1])
    scene.viewer = start
    scene.wait()
    assert scene._repr_png_().startswith(b"\x89PNG") and "cells in sight" in scene.summary()
    assert scene.panorama(field=90, width=300, height=120).startswith(b"\x89PNG")
    assert "seed=3" in scene.link and "seed = 3" in scene.preset
    scene.save(tmp_path / "seen.npy")
    assert np.load(tmp_path / "seen.npy").shape == (96, 96)
    assert "of the viewer" in scene.explain(scene.viewer)
    losses = scene.explain_losses((0, 0))
    assert losses["target"] == [0, 0] and abs(sum(loss["share"] for loss in losses["losses"]) + losses["perceived"] - 1) < 0.01


def test_walk_is_an_animation_and_leaves_the_scene(tmp_path):
    scene = fs.Scene(opacity=np.zeros((12, 16)), viewer=(2, 2))
    walk = scene.walk([(6, 2), (6, 5)])
    walk.save(tmp_path / "walk.gif", scale=2)
    walk.save(tmp_path / "walk.apng", scale=2, frame=(8, 6), fps=4)
    assert (tmp_path / "walk.gif").read_bytes().startswith(b"GIF89a") and scene.viewer == (2, 2)
    assert (tmp_path / "walk.apng").read_bytes().startswith(b"\x89PNG")
    assert walk._repr_mimebundle_()["image/gif"].startswith(b"GIF89a")
    with pytest.raises(ValueError, match="expected the extension .gif or .apng"):
        walk.save(tmp_path / "walk.mp4")
    with pytest.raises(IndexError, match="99"):
        scene.walk([(99, 2)]).save(tmp_path / "off.gif")
    with pytest.raises(ValueError, match="inf frames a second|0 frames a second"):
        walk.save(tmp_path / "still.gif", fps=0)
    with pytest.raises(ValueError, match="scale: 0 is not valid"):
        walk.save(tmp_path / "still.gif", scale=0)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["walk.apng", "walk.gif"]


@pytest.mark.skipif("FARSIGHT" not in os.environ, reason="FARSIGHT names no program")
def test_package_runs_the_program(tmp_path):
    place = {**os.environ, "PATH": os.path.dirname(os.path.abspath(os.environ["FARSIGHT"]))}
    command = [sys.executable, "-m", "farsight_fov"]
    result = subprocess.run([*command, "--version"], env=place, cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, f"farsight {fs.__version__}\n")
    result = subprocess.run([*command, "export", "--sized"], env=place, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 2 and "--sized" in result.stderr


def test_typed_interface_is_true(tmp_path):
    pytest.importorskip("mypy")
    for check in (["mypy", "--strict", "-p", "farsight_fov"], ["mypy.stubtest", "farsight_fov._core", "--ignore-missing-stub"]):
        result = subprocess.run([sys.executable, "-m", *check], capture_output=True, text=True, cwd=tmp_path)
        assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e38, -32768, 20001])
def test_impossible_heights_are_refused_with_their_cell(value):
    heights = np.zeros((20, 30))
    heights[7, 12] = value
    for compute in (
        lambda: fs.viewshed(heights, (10, 5), cell_size=30),
        lambda: fs.horizon(heights, (10, 5), cell_size=30),
        lambda: fs.sky_view_factor(heights, cell_size=30, azimuths=4),
        lambda: fs.sunshine(heights, cell_size=30, latitude=47, date="06-21", azimuths=4),
        lambda: fs.horizon_angle(heights, 90, cell_size=30),
        lambda: fs.total_viewshed(heights, cell_size=30),
        lambda: fs.cumulative(heights, [(10, 5)], cell_size=30),
        lambda: fs.total_viewshed(np.full((2, 2), value), cell_size=30),
    ):
        with pytest.raises(ValueError, match="heights: .* in column (12 and row 7|0 and row 0) is not valid"):
            compute()
