//! The panorama below the map.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use super::{Screenshot, explore, farsight, picture, shown_window, write_settings, xdotool};

/// Returns the fraction of differing pixels of the strip.
fn changed(first: &Screenshot, second: &Screenshot) -> f64 {
    let pixels = (500..680).flat_map(|y| (0..940).map(move |x| (x, y)));
    let different = pixels.clone().filter(|&(x, y)| first.pixel(x, y) != second.pixel(x, y)).count();
    different as f64 / pixels.count() as f64
}

#[test]
#[ignore = "needs a display"]
fn a_key_opens_and_closes_the_panorama_and_steps_change_it() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nwait 9\nscreenshot closed.png\nwait 2\nkey y\nsettle\nwait 9\nscreenshot open.png\nwait 2\n\
        key d 3\nsettle\nwait 9\nscreenshot walked.png\nwait 2\nkey a 3\nkey y\nsettle\nwait 30\n\
        screenshot again.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--preset", "alpine", "--size", "128x128"]);
    let [closed, open, walked, again] =
        ["closed.png", "open.png", "walked.png", "again.png"].map(|name| picture(folder.path(), name));
    assert!(changed(&closed, &open) > 0.9 && changed(&open, &walked) > 0.1, "{}", changed(&open, &walked));
    assert!(changed(&open, &again) > 0.9);
    // Blue sky above the land.
    let sky = open.pixel(500, 505);
    assert!(sky[2] > sky[0] + 20, "{sky:?}");
}

#[test]
#[ignore = "needs a display and xdotool"]
fn pointing_at_the_panorama_marks_a_cell_of_the_map() {
    let folder = TempDir::new().unwrap();
    write_settings(folder.path());
    let mut window =
        farsight(folder.path(), &["explore", "--preset", "alpine", "--size", "128x128", "--window", "1280x720"])
            .env("FARSIGHT_CONFIG_DIR", folder.path()) // not the settings of the person at this machine
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
    let id = shown_window();
    sleep(Duration::from_secs(3));
    xdotool(&[
        "windowfocus",
        &id,
        "mousemove",
        "--window",
        &id,
        "1100",
        "600",
        "sleep",
        "0.5",
        "key",
        "y",
        "sleep",
        "2",
    ]);
    // The key saves the map as it is on the screen.
    let red = |x: &str, y: &str, name: &str| {
        xdotool(&["mousemove", "--window", &id, x, y, "sleep", "1", "key", "p", "sleep", "2"]);
        let mut files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let path = files.find(|path| path.extension().is_some_and(|extension| extension == "png"));
        fs::rename(path.expect("a screenshot"), folder.path().join(name).with_extension("seen")).unwrap();
        let map = picture(folder.path(), &format!("{name}.seen"));
        map.pixels.iter().filter(|[r, g, b]| *r > 185 && *g < 60 && *b < 70).count()
    };
    let (panel, strip) = (red("1100", "600", "panel"), red("300", "655", "strip"));
    window.kill().unwrap();
    window.wait().unwrap();
    assert!(strip > panel + 20, "{strip} red pixels with a ring around the cell, {panel} without");
}
