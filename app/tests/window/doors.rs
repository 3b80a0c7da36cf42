//! Doors on a map: a click opens them.

use std::fs;

use tempfile::TempDir;

use super::{explore, lightness, picture, viewer};

/// A room of 25 × 25 cells with a door three cells to the right of the viewer.
fn map() -> String {
    let row = |middle: &str| format!("............{middle}............\n");
    row("......#").repeat(12) + &row("...@..+") + &row("......#").repeat(12)
}

#[test]
#[ignore = "needs a display"]
fn a_click_opens_a_door_and_undo_closes_it() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("door.txt"), map()).unwrap();
    let arguments = ["--map", "door.txt", "--radius", "12"];
    explore(folder.path(), "settle\nkey l\nwait 5\nscreenshot first.png\nwait 2\nquit\n", &arguments);
    let (x, y) = viewer(&picture(folder.path(), "first.png"));
    let side = 24; // as in the test of the first view
    let door = (x + 3 * side, y);
    let script = format!(
        "settle\nkey l\nhover {0} {1}\nwait 5\nscreenshot closed.png\nwait 2\nclick {0} {1}\nhover {2} {1}\nsettle\nwait 5\n\
         screenshot open.png\nwait 2\nkey ctrl+z\nwait 5\nscreenshot undone.png\nwait 2\ndoor 18 12\nwait 5\n\
         screenshot script.png\nwait 2\nquit\n",
        door.0, door.1, x
    );
    explore(folder.path(), &script, &arguments);
    let at = |name: &str, dx: u32| picture(folder.path(), name).pixel(x + dx * side, y);
    let is_wood = |pixel: [u8; 3]| {
        let [r, g, b] = pixel.map(u32::from);
        2 * r > 3 * g && r > 2 * b
    };
    assert!(is_wood(at("undone.png", 3)), "closed: {:?}", at("undone.png", 3));
    assert!(!is_wood(at("open.png", 3)) && lightness(&at("open.png", 3)) > 120, "open: {:?}", at("open.png", 3));
    let behind = |name| at(name, 6);
    let apart = (0..3).map(|i| behind("open.png")[i].abs_diff(behind("undone.png")[i])).max();
    assert!(apart > Some(15), "ground in sight, and paper: {:?} and {:?}", behind("open.png"), behind("undone.png"));
    assert_eq!(at("script.png", 6), at("open.png", 6), "the word of a script does the same");
    assert_eq!(viewer(&picture(folder.path(), "open.png")), (x, y), "nobody walks");
    // The label above the pointer.
    let [pointed, not] = ["closed.png", "undone.png"].map(|name| picture(folder.path(), name));
    let differing = (0..180).flat_map(|dx| (0..40).map(move |dy| (door.0 + dx, door.1 - dy)));
    assert!(
        differing.filter(|&(x, y)| pointed.pixel(x, y) != not.pixel(x, y)).count() > 2000,
        "a label says what a click does"
    );
}
