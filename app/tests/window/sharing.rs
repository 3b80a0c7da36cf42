//! Exports for others: films, pictures in the look of the screen, and parts of the map.

use std::fs;

use tempfile::TempDir;

use super::{explore, farsight, picture};

#[test]
#[ignore = "needs a display"]
fn a_film_of_the_last_steps_is_the_one_of_the_command_line() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nlook 48 40 8\nkey d 9\nkey s 6\nkey a 2\nfilm walked.gif\nsettle\nquit\n";
    explore(folder.path(), script, &["--size", "96x80", "--seed", "3", "--at", "48,40"]);
    let film = fs::read(folder.path().join("walked.gif")).unwrap();
    assert!(film.starts_with(b"GIF89a"));
    let again = farsight(folder.path(), &["walk", "--from", "walked.gif", "-o", "again.gif"]).output().unwrap();
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(fs::read(folder.path().join("again.gif")).unwrap() == film);
}

#[test]
#[ignore = "needs a display"]
fn an_export_of_the_screen_has_its_pixels() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey l\nlook 48 40 14\nwait 20\nexport view.png screen\nscreenshot screen.png\nwait 3\nquit\n";
    explore(folder.path(), script, &["--size", "96x80", "--seed", "3", "--at", "48,40"]);
    let [view, screen] = ["view.png", "screen.png"].map(|name| picture(folder.path(), name));
    let (width, height) = view.dimensions();
    assert_eq!([width % 14, height % 14], [0, 0], "the same pixels per cell");
    // Somewhere on the screen is a square of the export, to the pixel.
    let square = |screenshot: &super::Screenshot, x: u32, y: u32| {
        (0..56)
            .flat_map(|dy| (0..56).map(move |dx| (x + dx, y + dy)))
            .all(|(px, py)| screenshot.pixel(px, py) == view.pixel(width / 2 + px - x, height / 2 + py - y))
    };
    let places = (0..500).flat_map(|x| (0..400).map(move |y| (x + 200, y + 100)));
    let is_found =
        |&(x, y): &(u32, u32)| screen.pixel(x, y) == view.pixel(width / 2, height / 2) && square(&screen, x, y);
    assert!(places.into_iter().any(|place| is_found(&place)));
}
