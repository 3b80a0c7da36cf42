//! The first picture: zoomed to what is seen, over the land as a map.

use tempfile::TempDir;

use super::{Screenshot, explore, farsight, is_unknown, lightness, picture, viewer};

/// The colour of the window where there is no map.
const EMPTY: [u8; 3] = [8, 8, 13];

/// The share of the pixels of the map, left of the panel and above the legend, that show land or view.
fn filled_share(screen: &Screenshot, columns: u32, rows: u32) -> f64 {
    let pixels: Vec<_> = screen.upper_left(columns, rows).map(|(_, _, pixel)| pixel).collect();
    let filled = pixels.iter().filter(|pixel| !is_unknown(pixel) && **pixel != EMPTY).count();
    filled as f64 / pixels.len() as f64
}

fn first_frame(window: &str, preset: &str) -> Screenshot {
    let folder = TempDir::new().unwrap();
    let flags = ["explore", "--preset", preset, "--window", window, "--screenshot", "first.png"];
    let output = farsight(folder.path(), &flags).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    picture(folder.path(), "first.png")
}

#[test]
#[ignore = "needs a display"]
fn the_first_frame_of_every_preset_is_full() {
    for preset in farsight::preset::shipped_names() {
        let screen = first_frame("1280x720", preset);
        let share = filled_share(&screen, 948, 634);
        assert!(share >= 0.9, "{preset}: {share}");
        viewer(&screen);
    }
}

#[test]
#[ignore = "needs a display"]
fn the_first_frame_is_full_in_a_small_window_and_on_a_phone() {
    for (window, columns, rows) in [("800x600", 460, 480), ("390x780", 60, 500), ("780x390", 440, 250)] {
        for preset in ["temperate", "clear-day", "savanna", "fog", "dungeon"] {
            let share = filled_share(&first_frame(window, preset), columns, rows);
            assert!(share >= 0.9, "{preset} at {window}: {share}");
        }
    }
}

#[test]
#[ignore = "needs a display"]
fn what_is_seen_is_in_the_middle_of_the_first_frame() {
    let folder = TempDir::new().unwrap();
    // The viewer stands east of a wall and sees only what is farther east.
    let row = |cell: char| ".".repeat(99) + "#" + &cell.to_string() + &".".repeat(99) + "\n";
    std::fs::write(folder.path().join("wall.txt"), row('.').repeat(100) + &row('@') + &row('.').repeat(99)).unwrap();
    std::fs::write(folder.path().join("window.toml"), "minimap = false\nland_map = false\n").unwrap();
    for (window, columns, rows) in [("1280x720", 948, 634), ("800x600", 460, 480)] {
        let flags = ["explore", "--map", "wall.txt", "--radius", "40", "--window", window, "--screenshot", "view.png"];
        let output = farsight(folder.path(), &flags).env("FARSIGHT_CONFIG_DIR", folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let screen = picture(folder.path(), "view.png");
        // Half way down, beside the viewer and the hint.
        let y = rows / 3;
        let seen: Vec<u32> = (0..columns).filter(|&x| !is_unknown(&screen.pixel(x, y))).collect();
        let middle = f64::from(seen[0] + seen[seen.len() - 1]) / 2.0 / f64::from(columns);
        assert!((middle - 0.5).abs() < 0.06, "{window}: the view is at {middle} of the width");
        let (x, _) = viewer(&screen);
        assert!(f64::from(x) < 0.45 * f64::from(columns), "{window}: the viewer is left of the middle, at {x}");
    }
}

/// The number of rows with a pixel of the viewer's disc, which grows with the zoom.
fn viewer_rows(screen: &Screenshot) -> usize {
    let is_red = |[r, g, b]: [u8; 3]| r > 200 && g < 60 && b < 70;
    let mut rows: Vec<u32> = screen.upper_left(940, 620).filter(|(_, _, p)| is_red(*p)).map(|(_, y, _)| y).collect();
    rows.dedup();
    rows.len()
}

#[test]
#[ignore = "needs a display"]
fn a_new_world_keeps_the_zoom_that_was_chosen() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey + 9\nkey space\nwait 5\nscreenshot near.png\nkey n\nsettle\nwait 5\nscreenshot other.png\n\
        wait 2\nquit\n";
    explore(folder.path(), script, &["--size", "256x256"]);
    let [near, other] = ["near.png", "other.png"].map(|name| picture(folder.path(), name));
    assert!(viewer_rows(&near) >= 16, "zoomed in: {}", viewer_rows(&near));
    assert_eq!(viewer_rows(&near), viewer_rows(&other));
    assert!(near.pixels != other.pixels);
}

#[test]
#[ignore = "needs a display"]
fn the_map_of_the_land_is_hidden_with_m_and_stays_so() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nwait 3\nkey m\nwait 5\nscreenshot hidden.png\nkey n\nsettle\nwait 5\nscreenshot other.png\n\
        key m\nwait 5\nscreenshot shown.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--preset", "fog", "--size", "256x256"]);
    let share = |name: &str| filled_share(&picture(folder.path(), name), 948, 634);
    assert!(share("hidden.png") < 0.8 && share("other.png") < 0.9);
    assert!(share("shown.png") > 0.9);
}

#[test]
#[ignore = "needs a display"]
fn fog_is_pale_until_airlight_is_switched_off() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nwait 5\nscreenshot pale.png\nwait 2\nkey 9\nwait 5\nscreenshot dim.png\nwait 2\nkey 9\nwait 5\n\
        screenshot again.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--preset", "fog"]);
    // Below the messages, and left of the names of creatures.
    let pale = |name: &str| {
        let screen = picture(folder.path(), name);
        screen.upper_left(800, 600).filter(|(_, y, pixel)| *y > 180 && lightness(pixel) > 150).count()
    };
    assert!(pale("pale.png") > 30_000 && pale("dim.png") < 10_000, "{} and {}", pale("pale.png"), pale("dim.png"));
    assert_eq!(pale("pale.png"), pale("again.png"));
}
