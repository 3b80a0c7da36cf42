"""The border between Python and the library: types, shapes, errors, threads, signals."""

import json
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


@pytest.mark.parametrize("viewer", [(50, 40), (0, 0), (99, 3)])
@pytest.mark.parametrize("method", ["exact", "two-parent"])
def test_window_is_the_part_of_the_view_in_range(viewer, method):
    ground = np.random.default_rng(3).random((80, 100)).cumsum(axis=0)
    options = {"cell_size": (25, 20), "max_distance": 310, "eye": 3, "method": method}
    whole = fs.viewshed(ground, viewer, **options)
    seen, (left, top) = fs.viewshed(ground, viewer, window=True, **options)
    assert seen.shape[0] <= 33 and seen.shape[1] <= 33
    placed = np.zeros_like(whole)
    placed[top : top + seen.shape[0], left : left + seen.shape[1]] = seen
    assert np.array_equal(placed, whole) and seen[viewer[1] - top, viewer[0] - left] == 1
    ground[79, 50] = np.inf  # beyond the range, it is not read
    assert viewer == (0, 0) or np.array_equal(fs.viewshed(ground, viewer, window=True, **options)[0], seen)
    whole_map, corner = fs.viewshed(ground[:79], (50, 40), cell_size=25, window=True)
    assert whole_map.shape == (79, 100) and corner == (0, 0)


def test_ground_over_the_line_of_a_profile_hides_its_target():
    # Cells of 2 km, so that the Earth bends by 300 m along the row.
    ground = np.random.default_rng(11).random((3, 40)).cumsum(axis=1).astype(np.float32) * 9
    hidden = []
    for refraction, earth in [(0.13, True), (0, False)]:
        options = {"cell_size": 2000, "eye": 20, "refraction": refraction, "earth": earth}
        seen = fs.viewshed(ground, (0, 1), target=4, **options)
        for x in range(2, 40):
            table = fs.profile(ground, (0, 1), (x, 1), target_height=4, **options)
            assert table["x"].tolist() == list(range(x + 1)) and table["distance_m"][-1] == 2000 * x
            assert np.array_equal(table["ground_m"], ground[1, : x + 1])
            assert np.allclose(table["line_m"][[0, -1]] - table["ground_m"][[0, -1]], [20, 4])
            is_hidden = (table["ground_m"] > table["line_m"])[1:-1].any()
            assert is_hidden == (seen[1, x] == 0), x
            hidden.append(is_hidden)
    assert 5 < sum(hidden) < len(hidden) - 5
    diagonal = fs.profile(ground, (5, 0), (1, 2), cell_size=(10, 20))
    assert diagonal["x"].tolist() == [5, 4, 3, 2, 1] and diagonal["y"][[0, 2, 4]].tolist() == [0, 1, 2]
    assert diagonal["distance_m"][-1] == np.hypot(40, 40)


def test_coverage_is_that_of_the_single_views():
    ground = np.random.default_rng(6).random((70, 90)).cumsum(axis=1)
    ground[3, 4] = np.nan
    observers = [(10, 10), (80, 60), (45, 30), (46, 30)]
    options = {"cell_size": (20, 30), "eye": 4, "max_distance": 900}
    places = [(12, 9), (80, 61), (0, 69)]
    seen = fs.coverage(ground, observers, bands=[300, 600, 5000], places=places, choose=9, polygons=True, **options)
    views = np.array([fs.viewshed(ground, cell, **options) for cell in observers]) > 0
    union, cell_km2 = views.any(axis=0), 20 * 30 / 1e6
    assert np.isclose(seen.seen_km2, union.sum() * cell_km2)
    y, x = np.mgrid[:70, :90]
    nearest = np.min([np.hypot((x - a) * 20, (y - b) * 30) for a, b in observers], axis=0)
    assert seen.bands["from_m"].tolist() == [0, 300, 600]
    for band in seen.bands:
        is_in = (nearest >= band["from_m"]) & (nearest < band["to_m"]) & ~np.isnan(ground)
        assert np.isclose(band["ground_km2"], is_in.sum() * cell_km2)
        assert np.isclose(band["seen_km2"], (is_in & union).sum() * cell_km2)
    assert np.array_equal(seen.sees, [[view[py, px] for view in views] for px, py in places])
    assert seen.places["count"].tolist() == seen.sees.sum(axis=1).tolist() and seen.sees.any() and not seen.sees.all()
    for row, (px, py) in zip(seen.places, places):
        distances = [np.hypot((px - a) * 20, (py - b) * 30) for (a, b), sees in zip(observers, views) if sees[py, px]]
        assert np.isclose(row["nearest_m"], min(distances, default=np.nan), equal_nan=True)
    covered = np.zeros_like(union)
    for row in seen.chosen:
        gains = (views & ~covered).sum(axis=(1, 2))
        assert gains[row["observer"]] == gains.max() == row["added_cells"]
        covered |= views[row["observer"]]
        assert np.isclose(row["seen_km2"], covered.sum() * cell_km2)
    assert np.array_equal(covered, union)
    areas = np.zeros_like(union, int)
    for rings in seen.polygons:
        for ring in rings:
            for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0)):
                # Crossings of a ring along a row: odd inside.
                if ax == bx:
                    areas[int(min(ay, by)) : int(max(ay, by)), int(ax) :] += 1
    assert np.array_equal(areas % 2 == 1, union)
    nothing = fs.coverage(ground, observers, **options)
    assert (len(nothing.bands), len(nothing.places), len(nothing.chosen), nothing.polygons) == (0, 0, 0, [])


@pytest.mark.skipif("FARSIGHT" not in os.environ, reason="FARSIGHT names no program")
def test_coverage_has_the_numbers_of_the_program(tmp_path):
    ground = np.random.default_rng(6).random((70, 90)).cumsum(axis=1).astype(np.float32)
    header = "ncols 90\nnrows 70\nxllcorner 0\nyllcorner 0\ncellsize 30\n"
    (tmp_path / "ground.asc").write_text(header + "\n".join(" ".join(map(repr, row.tolist())) for row in ground))
    observers = [(10, 10), (80, 60), (45, 30)]
    lines = [f"{30 * x + 15},{30 * (70 - y) - 15}" for x, y in observers]
    (tmp_path / "masts.csv").write_text("\n".join(["x,y", *lines]) + "\n")
    flags = ["--heightmap", "ground.asc", "--observers", "masts.csv", "--bands", "300,900", "--choose", "3", "--radius", "40"]
    command = [os.environ["FARSIGHT"], "cumulative", *flags, "--eye-height", "12", "--json", "-q"]
    report = json.loads(subprocess.run(command, check=True, cwd=tmp_path, capture_output=True).stdout)
    seen = fs.coverage(
        ground, observers, cell_size=30, eye=12, refraction=1 / 7, max_distance=1200, bands=[300, 900], choose=3
    )
    assert np.isclose(seen.seen_km2, report["km2_seen"])
    for name in ("ground_km2", "seen_km2"):
        assert np.allclose(seen.bands[name], [band[name] for band in report["bands"]])
    assert seen.chosen["added_cells"].tolist() == [chosen["cells_added"] for chosen in report["chosen"]]


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
        (lambda o: fs.coverage(o, [(1, 1)], cell_size=1, bands=[5, 2]), ValueError, r"bands: \[5.0, 2.0\] is not valid"),
        (lambda o: fs.coverage(o, [(1, 1)], cell_size=1, places=[(1, 99)]), IndexError, "places: 1,99 is outside"),
        (lambda o: fs.coverage(o, [(1, 1)], cell_size=1, choose=-1), ValueError, "choose: -1 is not valid"),
        (lambda o: fs.coverage(o, [], cell_size=1), ValueError, "observers: there are none"),
        (lambda o: fs.profile(o, (1, 1), (120, 1), cell_size=1), IndexError, "120,1 is outside the map of 120x90"),
        (lambda o: fs.profile(o * np.nan, (1, 1), (2, 1), cell_size=1), ValueError, "viewer: 1,1 is nodata"),
        (lambda o: fs.profile(o, (1, 1), (2, 1), cell_size=1, target_height=-1), ValueError, "target: -1 is not valid"),
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
    assert scene._repr_png_().startswith(b"\x89PNG") and scene.summary().startswith("You see ")
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
