//! The panel of a phone: a sheet over the map.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use super::{Screenshot, farsight, picture, shown_window, write_settings, xdotool};

/// Runs a script in a window of some size and returns the last frame.
fn last_frame(window: &str, script: &str) -> Screenshot {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("script.txt"), script).unwrap();
    let flags = ["explore", "--size", "256x256", "--window", window, "--script", "script.txt", "--screenshot", "x.png"];
    let output = farsight(folder.path(), &flags).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    picture(folder.path(), "x.png")
}

/// The fraction of the pixels of a rectangle in the colour of the panel.
fn panel_share(screen: &Screenshot, columns: [u32; 2], rows: [u32; 2]) -> f64 {
    let cells = (rows[0]..rows[1]).flat_map(|y| (columns[0]..columns[1]).map(move |x| (x, y)));
    let panel = cells.clone().filter(|&(x, y)| screen.pixel(x, y) == [233, 222, 195]).count();
    panel as f64 / cells.count() as f64
}

/// `true` if the viewer's red disc is in the first columns and rows.
fn has_viewer(screen: &Screenshot, columns: u32, rows: u32) -> bool {
    screen.upper_left(columns, rows).filter(|(_, _, [r, g, b])| *r > 190 && *g < 60 && *b < 70).count() > 8
}

#[test]
#[ignore = "needs a display"]
fn the_sheet_of_a_phone_on_its_side_leaves_60_percent_of_the_width_to_the_map() {
    let [closed, open] = ["settle\nwait 60\n", "settle\nkey 0\nwait 60\n"].map(|it| last_frame("780x390", it));
    assert!(panel_share(&closed, [0, 780], [0, 300]) < 0.01, "all is map");
    assert!(panel_share(&open, [0, 466], [0, 300]) < 0.01 && has_viewer(&open, 466, 300), "the viewer is in sight");
    assert!(panel_share(&open, [470, 780], [0, 300]) > 0.5);
    let closed_again = last_frame("780x390", "settle\nkey 0\nwait 60\nkey 0\nwait 60\n");
    assert!(panel_share(&closed_again, [0, 780], [0, 300]) < 0.01 && has_viewer(&closed_again, 780, 300));
}

#[test]
#[ignore = "needs a display"]
fn the_sheet_of_an_upright_phone_comes_from_below() {
    let [closed, open] = ["settle\nwait 60\n", "settle\nkey 0\nwait 60\n"].map(|it| last_frame("390x780", it));
    assert!(panel_share(&closed, [0, 390], [0, 560]) < 0.01, "all is map");
    assert!(panel_share(&open, [0, 390], [0, 400]) < 0.01, "more than half is map");
    assert!(has_viewer(&open, 390, 400), "the viewer is in sight");
    assert!(panel_share(&open, [0, 390], [420, 740]) > 0.5);
}

#[test]
#[ignore = "needs a display and xdotool"]
fn buttons_open_and_close_the_sheet() {
    let folder = TempDir::new().unwrap();
    write_settings(folder.path());
    let mut window = farsight(folder.path(), &["explore", "--size", "96x80", "--window", "390x780"])
        .env("FARSIGHT_CONFIG_DIR", folder.path()) // not the settings of the person at this machine
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let id = shown_window();
    sleep(Duration::from_secs(2));
    let click = |x: &str, y: &str, name: &str| {
        xdotool(&["windowfocus", &id, "mousemove", "--window", &id, x, y, "sleep", "0.3", "click", "1", "sleep", "1"]);
        xdotool(&["mousemove", "--window", &id, "20", "300", "key", "p", "sleep", "2"]);
        let mut files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let path = files.find(|path| path.extension().is_some_and(|extension| extension == "png"));
        fs::rename(path.expect("a screenshot"), folder.path().join(name).with_extension("seen")).unwrap();
        picture(folder.path(), &format!("{name}.seen"))
    };
    let open = click("346", "660", "open"); // "sliders"
    // The key saves the part of the window with the map, without the sheet.
    assert!(open.dimensions().1 < 430, "a button opens it: {:?}", open.dimensions());
    let closed = click("346", "386", "closed"); // "close"
    assert!(closed.dimensions().1 > 700, "another button closes it: {:?}", closed.dimensions());
    assert!(panel_share(&closed, [0, 390], [100, 560]) < 0.01);
    window.kill().unwrap();
    window.wait().unwrap();
}
