//! The first picture: zoomed to the visible cells, over the land as a map.

use farsight_scene::files::Provenance;
use tempfile::TempDir;

use super::{Screenshot, explore, farsight, is_hidden, lightness, picture, viewer};

/// The colours of the data look where there is no map, and of the window before there is a picture.
const EMPTY: [[u8; 3]; 2] = [[214, 212, 208], [187, 170, 137]];

/// The fraction of the pixels of the map, left of the panel and above the legend, that show cells.
fn filled_share(screen: &Screenshot, columns: u32, rows: u32) -> f64 {
    let pixels: Vec<_> = screen.upper_left(columns, rows).map(|(_, _, pixel)| pixel).collect();
    let filled = pixels.iter().filter(|pixel| !EMPTY.contains(pixel)).count();
    filled as f64 / pixels.len() as f64
}

fn first_frame(window: &str, preset: &str, look: &str) -> Screenshot {
    let folder = TempDir::new().unwrap();
    let flags = ["explore", "--preset", preset, "--look", look, "--window", window, "--screenshot", "first.png"];
    let output = farsight(folder.path(), &flags).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    picture(folder.path(), "first.png")
}

#[test]
#[ignore = "needs a display"]
fn the_first_frame_of_every_preset_is_full() {
    for preset in farsight_scene::preset::shipped_names() {
        let [map, data] = ["map", "data"].map(|look| first_frame("1280x720", preset, look));
        let share = filled_share(&data, 948, 610);
        assert!(share >= 0.9, "{preset}: {share}");
        viewer(&map);
        viewer(&data);
    }
}

#[test]
#[ignore = "needs a display"]
fn the_first_frame_is_full_in_a_small_window_and_on_a_phone() {
    for (window, columns, rows) in [("800x600", 460, 480), ("390x780", 60, 500), ("780x390", 440, 250)] {
        for preset in ["temperate", "clear-day", "savanna", "fog", "dungeon"] {
            let share = filled_share(&first_frame(window, preset, "data"), columns, rows);
            assert!(share >= 0.9, "{preset} at {window}: {share}");
        }
    }
}

#[test]
#[ignore = "needs a display"]
fn what_is_seen_is_in_the_middle_of_the_first_frame() {
    let folder = TempDir::new().unwrap();
    // The viewer is east of a wall and sees only cells farther east.
    let row = |cell: char| ".".repeat(99) + "#" + &cell.to_string() + &".".repeat(99) + "\n";
    std::fs::write(folder.path().join("wall.txt"), row('.').repeat(100) + &row('@') + &row('.').repeat(99)).unwrap();
    std::fs::write(folder.path().join("window.toml"), "minimap = false\n").unwrap();
    for (window, columns, rows) in [("1280x720", 948, 634), ("800x600", 460, 480)] {
        let scene = ["explore", "--map", "wall.txt", "--radius", "40", "--look", "data"];
        let flags = [&scene[..], &["--window", window, "--screenshot", "view.png"]].concat();
        let output = farsight(folder.path(), &flags).env("FARSIGHT_CONFIG_DIR", folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let screen = picture(folder.path(), "view.png");
        // Half way down, beside the viewer and the hint.
        let y = rows / 3;
        let seen: Vec<u32> = (0..columns).filter(|&x| !is_hidden(&screen.pixel(x, y))).collect();
        let middle = f64::from(seen[0] + seen[seen.len() - 1]) / 2.0 / f64::from(columns);
        assert!((middle - 0.5).abs() < 0.06, "{window}: the view is at {middle} of the width");
        let (x, _) = viewer(&screen);
        assert!(f64::from(x) < 0.45 * f64::from(columns), "{window}: the viewer is left of the middle, at {x}");
    }
}

#[test]
#[ignore = "needs a display"]
fn a_new_world_keeps_the_zoom_that_was_chosen() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nexport first.png screen\nkey + 4\nkey space\nwait 5\nexport near.png screen\nkey n\nsettle\nwait 5\n\
        export other.png screen\nwait 2\nquit\n";
    explore(folder.path(), script, &["--size", "256x256"]);
    let shown = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let [_, _, width, height] = Provenance::decode(&bytes).unwrap().crop.expect("a part of the map");
        [width, height]
    };
    let [first, near, other] = ["first.png", "near.png", "other.png"].map(shown);
    assert!(near[0] < first[0] && near[1] < first[1], "zoomed in: {first:?} {near:?}");
    assert!((0..2).all(|i| near[i].abs_diff(other[i]) <= 1), "{near:?} {other:?}");
}

/// The mean differences of lightness between neighbours, where two pictures of the map differ.
fn textures(blank: &Screenshot, drawn: &Screenshot) -> [f64; 2] {
    let places = (180..560).flat_map(|y| (0..800).map(move |x| (x, y)));
    let differing: Vec<(u32, u32)> = places.filter(|&(x, y)| blank.pixel(x, y) != drawn.pixel(x, y)).collect();
    assert!(differing.len() > 5_000, "{} pixels show land that was never seen", differing.len());
    [blank, drawn].map(|screen| {
        let steps =
            differing.iter().map(|&(x, y)| lightness(&screen.pixel(x, y)).abs_diff(lightness(&screen.pixel(x + 1, y))));
        f64::from(steps.sum::<u32>()) / differing.len() as f64
    })
}

#[test]
#[ignore = "needs a display"]
fn the_map_of_the_land_is_hidden_with_m_and_stays_so() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nwait 3\nscreenshot first.png\nkey m\nwait 5\nscreenshot hidden.png\nkey n\nsettle\nwait 5\n\
        screenshot other.png\nkey m\nwait 5\nscreenshot shown.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--preset", "fog", "--size", "256x256"]);
    let [first, hidden, other, shown] =
        ["first.png", "hidden.png", "other.png", "shown.png"].map(|name| picture(folder.path(), name));
    for [blank, drawn] in [textures(&hidden, &first), textures(&other, &shown)] {
        assert!(blank < 0.8 * drawn, "blank paper, and land in ink: {blank} and {drawn}");
    }
}

#[test]
#[ignore = "needs a display"]
fn fog_is_pale_on_the_map_and_9_shows_the_data_instead() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nwait 5\nscreenshot map.png\nwait 2\nkey 9\nwait 5\nscreenshot data.png\nwait 2\nkey 9\nwait 5\n\
        screenshot again.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--preset", "fog"]);
    let count = |name: &str, is: fn(&[u8; 3]) -> bool| {
        picture(folder.path(), name).upper_left(800, 560).filter(|(_, y, pixel)| *y > 180 && is(pixel)).count()
    };
    let is_pale = |pixel: &[u8; 3]| lightness(pixel) > 150;
    let is_dark_blue = |[r, _, b]: &[u8; 3]| *r < 60 && *b > 60 && b - r > 50;
    assert!(count("map.png", is_pale) > 60_000, "{}", count("map.png", is_pale));
    assert_eq!(count("map.png", is_dark_blue), 0);
    assert!(count("data.png", is_dark_blue) > 60_000, "{}", count("data.png", is_dark_blue));
    assert_eq!(count("map.png", is_pale), count("again.png", is_pale));
}
