//! The brush.

use std::fs;

use tempfile::TempDir;

use super::typing::Person;
use super::{explore, xdotool};

#[test]
#[ignore = "needs a display"]
fn undoing_all_strokes_gives_the_same_bytes_as_before() {
    let script = "settle\nexport 0.png map\nexport 0.npy remembered\n\
        key u\ndrag 300 300 420 360\nexport 1.png map\n\
        key ;\ndrag 300 300 420 240\nkey , 3\ndrag 420 200 420 420\n\
        stroke plant 7 0.75 20,20 30,44\nexport 2.png map\n\
        key ctrl+z 3\nexport 3.png map\nkey ctrl+z\nexport 4.png map\nexport 4.npy remembered\n\
        key ctrl+y 4\nexport 5.png map\nquit\n";
    let folder = TempDir::new().unwrap();
    explore(folder.path(), script, &["--size", "96x80", "--seed", "3"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("0.png") != read("1.png") && read("1.png") != read("2.png"));
    assert!(read("3.png") == read("1.png"), "each stroke is a step");
    assert!(read("4.png") == read("0.png") && read("4.npy") == read("0.npy"));
    assert!(read("5.png") == read("2.png"));
}

/// The visibility of a cell in an export of a whole map of 160x120 cells.
fn visibility(npy: &[u8], [x, y]: [usize; 2]) -> f32 {
    let from_end = 4 * (160 * 120 - (160 * y + x));
    f32::from_le_bytes(*npy[npy.len() - from_end..].first_chunk().unwrap())
}

#[test]
#[ignore = "needs a display"]
fn a_ridge_darkens_a_lake_and_nothing_is_left_of_it_after_undo() {
    let script = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge-and-lake.script")).unwrap();
    let folder = TempDir::new().unwrap();
    explore(folder.path(), &script, &["--size", "160x120", "--seed", "21"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for lake in [[112, 67], [115, 70], [119, 70], [116, 73]] {
        let [before, ridge] = ["before.npy", "ridge.npy"].map(|name| visibility(&read(name), lake));
        assert!(before > 0.3 && ridge < 0.05, "{lake:?}: {before} and {ridge}"); // less is not noticed
    }
    let pictures = ["before.png", "rain.png", "wood.png"].map(read);
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
    assert!(read("after.png") == pictures[0] && read("after.npy") == read("before.npy"));
    let film = read("ridge-and-lake.gif");
    let frames = film.windows(4).filter(|bytes| bytes == b"\x21\xf9\x04\x05").count(); // a frame that keeps the drawing
    assert!(film.starts_with(b"GIF89a") && frames >= 7, "{frames}");
}

#[test]
#[ignore = "needs a display and xdotool"]
fn a_drag_paints_one_stroke() {
    let person = Person::new();
    let preset = || person.scene()["preset"].as_str().unwrap().to_owned();
    let before = preset();
    let id = &*person.id;
    xdotool(&["mousemove", "--window", id, "300", "300", "key", "u", "sleep", "0.5", "mousedown", "1", "sleep", "0.2"]);
    for _ in 0..6 {
        xdotool(&["mousemove_relative", "20", "7", "sleep", "0.2"]);
    }
    xdotool(&["mouseup", "1", "sleep", "0.5"]);
    let painted = preset();
    assert_eq!(painted.matches("[[strokes]]").count(), 1, "{painted}");
    assert!(painted.contains("brush = \"raise\""));
    xdotool(&["key", "semicolon", "sleep", "0.3", "click", "1", "sleep", "0.5"]);
    let twice = preset();
    assert!(twice.matches("[[strokes]]").count() == 2 && twice.contains("brush = \"lower\""), "a click is a dab");
    for wanted in [&painted, &before] {
        xdotool(&["keydown", "ctrl", "sleep", "0.3", "key", "z", "sleep", "0.3", "keyup", "ctrl", "sleep", "0.5"]);
        assert_eq!(&preset(), wanted);
    }
}

#[test]
#[ignore = "needs a display and xdotool"]
fn a_drag_within_a_frame_paints_from_its_press_to_its_release() {
    let person = Person::new();
    let strokes = || person.scene()["preset"].as_str().unwrap().split("[[strokes]]").nth(1).map(str::to_owned);
    let id = &*person.id;
    xdotool(&["mousemove", "--window", id, "300", "300", "key", "u", "sleep", "0.5"]);
    let to = |x: &'static str, y: &'static str| ["mousemove", "--window", id, x, y];
    let wait = ["sleep", "0.5"];
    let slow = [&to("250", "200")[..], &wait, &["mousedown", "1"], &wait, &to("350", "300"), &wait, &["mouseup", "1"]];
    xdotool(&[&slow.concat()[..], &wait].concat());
    let wanted = strokes();
    assert!(wanted.is_some());
    xdotool(&["keydown", "ctrl", "sleep", "0.3", "key", "z", "sleep", "0.3", "keyup", "ctrl", "sleep", "0.5"]);
    assert_eq!(strokes(), None);
    let quick =
        [&to("250", "200")[..], &["mousedown", "1"], &to("350", "300"), &["mouseup", "1"], &to("600", "500"), &wait];
    xdotool(&quick.concat());
    assert_eq!(strokes(), wanted);
}
