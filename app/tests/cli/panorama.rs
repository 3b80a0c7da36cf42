//! `farsight panorama`.

use super::{Folder, RIDGE};

const WORLD: &str = "--preset alpine --size 96x96 --at 40,40 --width 400 --height 120";

/// Returns the width and height of a PNG.
fn size(png: &[u8]) -> [u32; 2] {
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn a_panorama_is_a_picture_or_a_drawing_with_texts() {
    let folder = Folder::new();
    let done = folder.done(&format!(
        "panorama --heightmap {RIDGE} --at 140,104 --eye-height 30 --width 800 --azimuth 200:300 -o a.png -o a.svg"
    ));
    assert!(done.stderr.contains("wrote a.png: 800x150"), "{}", done.stderr);
    assert_eq!(size(&folder.read("a.png")), [800, 150]);
    let drawing = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(drawing.starts_with("<svg ") && drawing.contains("href=\"data:image/png;base64,iVBOR"));
    let (_, texts) = drawing.split_once("/>").expect("the picture comes first");
    assert!(texts.contains(">W 270°</text>") && !texts.contains(">N 0°</text>"), "from 200° to 300°");
    assert!(!texts.contains("NaN") && texts.contains(" km</text>"), "{texts}");
}

#[test]
fn edges_and_middle_are_the_same_directions() {
    let folder = Folder::new();
    for (name, flags) in [
        ("a.png", "--azimuth 90:180"),
        ("b.png", "--azimuth 135 --field 90"),
        ("c.png", "--azimuth 45:225 --field 90"),
        ("d.png", "--azimuth 135"),
    ] {
        folder.done(&format!("panorama -q {WORLD} {flags} -o {name}"));
    }
    assert!(folder.read("a.png") == folder.read("b.png") && folder.read("a.png") == folder.read("c.png"));
    assert!(folder.read("a.png") != folder.read("d.png"));
}

#[test]
fn places_of_a_file_are_named() {
    let folder = Folder::new();
    folder.write("places.csv", "name,x,y,height_m,rotor_m,owner\nOld Mill,44,40,60,50,a\nFar Away,900,900,,,b\n");
    let done = folder.done(&format!("panorama {WORLD} --no-names --places places.csv -o a.svg"));
    assert!(done.stderr.contains("places.csv: not read: owner; accepted: name, eye_height_m, "), "{}", done.stderr);
    assert!(done.stderr.contains("places.csv: 1 place outside of the map is omitted"), "{}", done.stderr);
    let plain = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(!plain.contains("Old Mill"), "no names");
    let done = folder.done(&format!("panorama {WORLD} --eye-height 80 --places places.csv -o b.svg"));
    assert!(done.stderr.contains("1 place"), "{}", done.stderr);
    assert!(String::from_utf8(folder.read("b.svg")).unwrap().contains(">Old Mill</text>"));
}

#[test]
fn what_has_no_panorama_is_refused_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("none.csv", "name,x,y\n");
    folder.write("bad.csv", "name,x,y,height_m\nmast,3,4,-7\n");
    for (flags, parts) in [
        ("--preset dungeon", &["needs land", "--heightmap"][..]),
        ("--width 100000", &["--width", "100000", "32768"]),
        ("--width -5", &["--width", "-5"]),
        ("--height 3", &["--height", "3 pixels", "60"]),
        ("--field 0", &["--field", "0°", "0.5"]),
        ("--field 400", &["--field", "400°", "360"]),
        ("--azimuth 90:180 --field 120", &["--field 120", "at most 90"]),
        ("--azimuth 400", &["--azimuth", "400°", "0 to 360"]),
        ("--azimuth 90:east", &["--azimuth", "\"east\"", "90:180"]),
        ("--exaggeration 0", &["--exaggeration", "0.1"]),
        ("--max-distance 0", &["0 m", "more than 0 m"]),
        ("--eye-height -3", &["--eye-height", "-3"]),
    ] {
        folder.refused(2, &format!("panorama --size 64x64 {flags} -o strip.png"), parts);
    }
    folder.refused(2, "panorama --size 64x64 -o strip.gif", &["strip.gif", ".svg"]);
    folder.refused(2, "panorama --size 64x64 -o -", &["-o -", ".png"]);
    folder.refused(3, "panorama --size 64x64 --at 9999,1 -o strip.png", &["9999,1"]);
    folder.refused(3, "panorama --size 64x64 --places none.csv -o a.png", &["none.csv", "has no places"]);
    folder.refused(
        3,
        "panorama --size 64x64 --places bad.csv -o a.png",
        &["bad.csv", "place 1 (mast)", "-7", "0 to 10000 m"],
    );
    folder.refused(3, "panorama --size 64x64 --places missing.csv -o a.png", &["missing.csv"]);
    folder.refused(2, "panorama --size 64x64 --places none.csv -o none.csv", &["none.csv"]);
    assert_eq!(folder.files().into_keys().collect::<Vec<_>>(), ["bad.csv", "none.csv"]);
}
