//! Names, lamps and lookouts on the map, and the hint in the dark.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{explore, picture};

#[test]
#[ignore = "needs a display"]
fn a_name_is_cleaned_shown_and_removed() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nexport 0.json\nexport 0.png map\nname 60 30 Heron\u{202E} Mere\nexport 1.json\nexport 1.png map\n\
        name 60 30\nexport 2.json\nexport 2.png map\nkey ctrl+z\nexport 3.png map\nquit\n";
    explore(folder.path(), script, &["--size", "96x80", "--seed", "3"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let preset = |name: &str| {
        serde_json::from_slice::<Value>(&read(name)).unwrap()["farsight"]["preset"].as_str().unwrap().to_owned()
    };
    assert!(preset("1.json").contains("name = \"Heron Mere\""), "{}", preset("1.json"));
    assert_eq!([preset("0.json"), preset("2.json")].map(|it| it.contains("[[names]]")), [false, false]);
    assert!(read("0.png") == read("2.png") && read("1.png") == read("3.png") && read("0.png") != read("1.png"));
}

#[test]
#[ignore = "needs a display"]
fn the_dark_offers_light_and_a_place_says_what_it_adds() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nwait 20\nscreenshot day.png\nset optics.light 0\nwait 20\nscreenshot dark.png\n\
        key t\nhover 300 300\nwait 20\nscreenshot gain.png\nhover 5 700\nwait 20\nscreenshot none.png\nwait 3\nquit\n";
    explore(folder.path(), script, &["--size", "96x80", "--seed", "3", "--look", "data"]);
    let light = |name: &str, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>| {
        let screen = picture(folder.path(), name);
        let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        pixels.filter(|&(x, y)| screen.pixel(x, y) == [243, 235, 214]).count() // the ground of lists and cards
    };
    let hint = |name| light(name, 0..400, 500..660);
    assert!(hint("dark.png") > hint("day.png") + 2000, "{} and {}", hint("dark.png"), hint("day.png"));
    let [gain, none] = ["gain.png", "none.png"].map(|name| picture(folder.path(), name));
    let label = (305..420).flat_map(|x| (260..295).map(move |y| (x, y)));
    assert!(label.filter(|&(x, y)| gain.pixel(x, y) != none.pixel(x, y)).count() > 800, "a label above the pointer");
}
