//! Files that are opened in the window, and undo.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{explore, farsight};

#[test]
#[ignore = "needs a display"]
fn opening_a_map_a_heightmap_or_a_walk_is_undone_and_redone() {
    let folder = TempDir::new().unwrap();
    let row = "..........#..........\n";
    fs::write(folder.path().join("wall.txt"), row.repeat(8) + &("..@".to_owned() + &row[3..]) + &row.repeat(8))
        .unwrap();
    let ridge = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("examples/ridge.tif");
    fs::copy(ridge, folder.path().join("ridge.tif")).unwrap();
    let script = "settle\nkey d 3\nset optics.visual_range_m 4000\nexport world.png remembered\nsave walk.farsight\n\
        open ridge.tif\nkey ctrl+z\nsettle\nexport hurried.png remembered\n\
        open wall.txt\nkey d 2\nset sight.radius 6\nexport map.png remembered\n\
        open ridge.tif\nsettle\nset sight.radius 40\nexport ridge.png remembered\n\
        key ctrl+z 2\nsettle\nexport map-back.png remembered\n\
        key ctrl+z 2\nsettle\nexport world-back.png remembered\n\
        key ctrl+y 2\nsettle\nexport map-again.png remembered\n\
        key ctrl+y 2\nsettle\nexport ridge-again.png remembered\n\
        load walk.farsight\nsettle\nexport walk.png remembered\n\
        key ctrl+z\nsettle\nexport ridge-back.png remembered\nquit\n";
    explore(folder.path(), script, &["--size", "96x80", "--seed", "3"]);
    let read = |name: &str| fs::read(folder.path().join(format!("{name}.png"))).unwrap();
    assert!(read("world") != read("map") && read("map") != read("ridge"));
    for (first, later) in [
        ("world", "hurried"),
        ("map", "map-back"),
        ("world", "world-back"),
        ("map", "map-again"),
        ("ridge", "ridge-again"),
        ("world", "walk"),
        ("ridge", "ridge-back"),
    ] {
        assert!(read(first) == read(later), "{later}");
    }
}

#[test]
#[ignore = "needs a display"]
fn an_opened_picture_is_a_map_of_opacities_or_heights_as_the_user_chooses() {
    let folder = TempDir::new().unwrap();
    let export = |flags: &str| {
        let flags: Vec<&str> = ["export", "-q"].into_iter().chain(flags.split(' ')).collect();
        let output = farsight(folder.path(), &flags).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let grey: Vec<u8> = (0..64 * 48).map(|i| (((i % 64) * (i / 64)) % 251) as u8).collect();
    let mut encoder = png::Encoder::new(fs::File::create(folder.path().join("grey.png")).unwrap(), 64, 48);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&grey).unwrap();
    let script = "settle\nopen grey.png\nsettle\nkey 7\nexport opacities.npy map\n\
        picture 0:500\nsettle\nkey 2\nexport low.npy map\n\
        set optics.visual_range_m 4000\npicture 100:900\nsettle\nexport high.npy map\nexport high.json\n\
        key ctrl+z\nsettle\nexport back.npy map\nkey ctrl+y\nsettle\nexport again.npy map\n\
        picture metres\nsettle\nexport metres.npy map\n\
        picture opacities\nsettle\nkey 7\nexport opacities-again.npy map\nquit\n";
    explore(folder.path(), script, &["--size", "96x80"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for (name, flags) in [("low", "--heights 0:500 "), ("high", "--heights 100:900 "), ("metres", "")] {
        export(&format!("--heightmap grey.png {flags}--cell-size 50 --layer elevation -o by-command.npy"));
        assert!(read(&format!("{name}.npy")) == read("by-command.npy"), "{name}");
    }
    assert!(read("back.npy") == read("low.npy") && read("again.npy") == read("high.npy"));
    assert!(read("opacities.npy") == read("opacities-again.npy"));
    let preset = farsight_scene::files::Provenance::decode(&read("high.json")).unwrap().preset;
    assert!(preset.contains("visual_range_m = 4000"), "other heights keep the settings");
}

#[test]
#[ignore = "needs a display"]
fn a_loaded_walk_on_a_heightmap_has_the_settings_of_its_climate() {
    let folder = TempDir::new().unwrap();
    let ridge = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("examples/ridge.tif");
    let ridge = ridge.to_str().unwrap();
    let script = "settle\nkey d 2\nset optics.visual_range_m 4000\nsettle\nsave walk.farsight\nquit\n";
    explore(folder.path(), script, &["--heightmap", ridge]);
    let script = "settle\nexport before.png\nset world.rain 0.2\nsettle\nexport after.png\nquit\n";
    explore(folder.path(), script, &["--heightmap", ridge, "--load", "walk.farsight"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("before.png") != read("after.png"));
}

#[test]
#[ignore = "needs a display"]
fn an_export_does_not_overwrite_the_map() {
    let folder = TempDir::new().unwrap();
    let map = "#########\n#...@...#\n#########\n";
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::write(folder.path().join("maps/hall.txt"), map).unwrap();
    for (open, flags) in [("open maps/hall.txt\nsettle\n", &[][..]), ("", &["--map", "maps/hall.txt"])] {
        let script = format!("settle\n{open}export other.txt\nexport maps/../maps/hall.txt\nquit\n");
        fs::write(folder.path().join("s.txt"), script).unwrap();
        let output = farsight(folder.path(), &[&["explore", "--script", "s.txt"], flags].concat()).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{words}");
        assert!(words.contains("maps/hall.txt would overwrite the file that the scene reads"), "{words}");
        assert_eq!(fs::read_to_string(folder.path().join("maps/hall.txt")).unwrap(), map);
        assert!(folder.path().join("other.txt").exists());
    }
}
