//! Features that need no manual: names of creatures, layers, colours and size of the panels, files.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use farsight_scene::files::Provenance;
use tempfile::TempDir;

use super::{Screenshot, explore, farsight, picture, shown_window, xdotool};

/// Returns the number of pixels that differ in a part of two pictures.
fn differing(a: &Screenshot, b: &Screenshot, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) -> usize {
    let places = columns.flat_map(|x| rows.clone().map(move |y| (x, y)));
    places.filter(|&(x, y)| a.pixel(x, y) != b.pixel(x, y)).count()
}

/// A plain of 25 by 25 cells, of 24 pixels each in the window, with the viewer in the middle.
fn write_plain(folder: &Path) {
    let row = ".".repeat(25) + "\n";
    let middle = format!("{}@{}\n", ".".repeat(12), ".".repeat(12));
    fs::write(folder.join("plain.txt"), row.repeat(12) + &middle + &row.repeat(12)).unwrap();
}

#[test]
#[ignore = "needs a display"]
fn a_creature_below_the_pointer_is_named() {
    let folder = TempDir::new().unwrap();
    write_plain(folder.path());
    let script = "settle\nset perception.creatures 0\ncreature 16 12 goblin\nkey l\nwait 5\nhover 5 5\nwait 5\n\
        screenshot away.png\nhover 571 350\nwait 5\nscreenshot over.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--map", "plain.txt", "--radius", "12"]);
    let [away, over] = ["away.png", "over.png"].map(|name| picture(folder.path(), name));
    let glyph = away.upper_left(940, 640).filter(|(_, _, pixel)| *pixel == [122, 36, 32]).count();
    assert!(glyph > 20, "the figure of a goblin: {glyph} pixels");
    let (columns, rows) = (584..720, 305..342);
    assert!(differing(&away, &over, columns, rows) > 1500, "its name is next to the pointer");
}

#[test]
#[ignore = "needs a display"]
fn layers_have_the_lines_of_sight() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey 5\nwait 5\nscreenshot temperature.png\nset paint.contours false\nwait 5\n\
        screenshot bare.png\nwait 2\nquit\n";
    explore(folder.path(), script, &[]);
    let [lines, bare] = ["temperature.png", "bare.png"].map(|name| picture(folder.path(), name));
    let orange = |screen: &Screenshot| {
        screen.upper_left(800, 600).filter(|(_, y, pixel)| *y > 170 && *pixel == [214, 96, 0]).count()
    };
    assert!(orange(&lines) > 200 && orange(&bare) == 0, "{} and {}", orange(&lines), orange(&bare));
}

#[test]
#[ignore = "needs a display"]
fn colours_and_size_of_the_panels_are_kept() {
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("config");
    fs::create_dir(&config).unwrap();
    fs::write(config.join("window.toml"), "theme = \"light\"\n").unwrap();
    let run = |script: &str| {
        fs::write(folder.path().join("script.txt"), script).unwrap();
        let flags = ["explore", "--size", "96x80", "--window", "1280x720", "--script", "script.txt"];
        let output = farsight(folder.path(), &flags).env("FARSIGHT_CONFIG_DIR", &config).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run("settle\nwait 5\nscreenshot small.png\nkey ctrl++ 4\nwait 9\nscreenshot large.png\nwait 2\nquit\n");
    run("settle\nwait 5\nscreenshot again.png\nkey ctrl+0\nwait 9\nscreenshot usual.png\nwait 2\nquit\n");
    let is_panel = |name: &str| picture(folder.path(), name).pixel(792, 640) == [233, 222, 195];
    let names = ["small.png", "large.png", "again.png", "usual.png"];
    assert_eq!(names.map(is_panel), [false, true, true, false]);
}

#[test]
#[ignore = "needs a display"]
fn an_export_is_what_is_on_the_screen() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey m\nexport land.png screen\nkey 2\nkey + 4\nwait 2\nexport layer.png screen\n\
        export map.png map\nquit\n";
    explore(folder.path(), script, &["--size", "160x120"]);
    let export = |flags: &[&str]| {
        let output = farsight(folder.path(), &[&["export", "--size", "160x120"], flags].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let shown = |name: &str| Provenance::decode(&read(name)).unwrap().crop;
    let [land, layer] = ["land.png", "layer.png"].map(|name| shown(name).expect("a part of the map"));
    assert!(layer[2] < land[2] && layer[3] < land[3], "nearer, fewer cells are shown: {layer:?} of {land:?}");
    assert_eq!(shown("map.png"), None, "the whole map");
    let cells = |[x, y, width, height]: [i32; 4]| format!("{x},{y},{width}x{height}");
    // The pixels per cell of the screen.
    let [land_scale, layer_scale] = [("land.png", land), ("layer.png", layer)].map(|(name, [_, _, columns, _])| {
        let (width, _) = picture(folder.path(), name).dimensions();
        assert_eq!(width % columns as u32, 0);
        (width / columns as u32).to_string()
    });
    let remembered = ["--unseen", "remembered", "--scale"];
    export(&[&remembered[..], &[&land_scale, "--cells", &cells(land), "-o", "land-too.png"]].concat());
    let elevation = ["--layer", "elevation", "--cells", &cells(layer), "-o", "layer-too.png"];
    export(&[&remembered[..], &[&layer_scale], &elevation].concat());
    export(&["--layer", "elevation", "--unseen", "remembered", "--crop", "map", "-o", "map-too.png"]);
    assert!(read("land.png") == read("land-too.png"));
    assert!(read("layer.png") == read("layer-too.png"));
    assert!(read("map.png") == read("map-too.png"));
}

#[test]
#[ignore = "needs a display"]
fn walks_are_numbered_and_the_last_one_is_loaded() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey d\nkey f5\nkey d 2\nkey f5\nexport second.json\nkey d 3\nkey f9\nsettle\n\
        export loaded.json\nquit\n";
    explore(folder.path(), script, &["--size", "96x80"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("walk.farsight") != read("walk-2.farsight"));
    assert!(read("second.json") == read("loaded.json"));
}

#[test]
#[ignore = "needs a display"]
fn presets_hours_and_worlds_are_compared_with_the_divider() {
    let folder = TempDir::new().unwrap();
    let shot = |name: &str| format!("wait 5\nscreenshot {name}.png\nwait 2\n");
    let script = format!(
        "settle\nkey l\n{}split preset fog\n{}split hour 0\n{}split seed 77\n{}quit\n",
        shot("one"),
        shot("fog"),
        shot("night"),
        shot("world"),
    );
    explore(folder.path(), &script, &["--size", "160x120"]);
    let open = |name: &str| picture(folder.path(), name);
    let one = open("one.png");
    for name in ["fog.png", "night.png", "world.png"] {
        let compared = open(name);
        assert_eq!(differing(&one, &compared, 0..460, 200..600), 0, "{name}: the left is as it was");
        assert!(differing(&one, &compared, 490..800, 200..600) > 10_000, "{name}: the right is another");
    }
}

#[test]
#[ignore = "needs a display"]
fn the_open_dialog_is_shown_and_closed() {
    let folder = TempDir::new().unwrap();
    write_plain(folder.path());
    let script = "settle\nwait 5\nscreenshot before.png\nkey ctrl+o\nwait 5\nscreenshot open.png\nkey escape\n\
        wait 5\nscreenshot after.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--size", "96x80"]);
    let [before, open, after] = ["before.png", "open.png", "after.png"].map(|name| picture(folder.path(), name));
    let (columns, rows) = (260..700, 250..450);
    assert!(differing(&before, &open, columns.clone(), rows.clone()) > 40_000);
    assert_eq!(differing(&before, &after, columns, rows), 0);
}

#[test]
#[ignore = "needs a display"]
fn an_export_of_the_visibility_shows_no_land_that_was_never_seen() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey 8\nwait 3\nexport layer.png map\nkey 1\nwait 3\nexport land.png map\nwait 2\nquit\n";
    explore(folder.path(), script, &["--size", "256x256", "--set", "paint.legend=false"]);
    let colours = |name: &str| {
        let picture = picture(folder.path(), name);
        let pixels: std::collections::HashSet<[u8; 3]> =
            picture.upper_left(300, 300).map(|(_, _, pixel)| pixel).collect();
        pixels.len()
    };
    // The corner is out of sight: one colour on the layer, hills on the map of the land.
    assert!(colours("layer.png") * 3 < colours("land.png"), "{} and {}", colours("layer.png"), colours("land.png"));
    let size = ["export", "-q", "--size", "256x256", "--crop", "map"];
    let flags = [&size[..], &["--set", "paint.legend=false", "--look", "data", "-o", "same.png"]].concat();
    assert!(farsight(folder.path(), &flags).status().unwrap().success());
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("layer.png") == read("same.png"), "the command line exports the same");
}

#[test]
#[ignore = "needs a display, xdotool and import"]
fn a_new_user_sees_the_panorama_and_lines_that_end_after_the_first_step() {
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("config");
    let mut window = farsight(folder.path(), &["explore", "--size", "96x80", "--window", "1280x720"])
        .env("FARSIGHT_CONFIG_DIR", &config)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let id = shown_window();
    xdotool(&["windowfocus", &id, "mousemove", "--window", &id, "1100", "650"]);
    let screen = || {
        let shot = folder.path().join("now.png");
        let import = ["-window", &id, "-define", "png:color-type=2"]; // a blank window would be grey
        assert!(Command::new("import").args(import).arg(&shot).status().unwrap().success());
        picture(folder.path(), "now.png")
    };
    // The dark ground of the lines, above the place of the line with the keys.
    let ground = |screen: &Screenshot| {
        let dark = |pixel: &[u8; 3]| pixel.iter().all(|channel| *channel < 70);
        screen.upper_left(200, 385).filter(|(_, y, pixel)| *y > 340 && dark(pixel)).count()
    };
    let wait_for = |what: &str, is_true: &dyn Fn(&Screenshot) -> bool| {
        let start = Instant::now();
        loop {
            let screen = screen();
            if is_true(&screen) {
                return screen;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(300));
        }
    };
    let has_panel = |screen: &Screenshot| screen.pixel(1000, 640) == [233, 222, 195]; // the window is black at first
    let first = wait_for("the lines are shown", &|screen| has_panel(screen) && ground(screen) > 4000);
    let sky = first.pixel(500, 510);
    assert!(sky[2] > sky[0] + 20, "the sky of the panorama: {sky:?}");
    xdotool(&["key", "d"]);
    wait_for("the lines end", &|screen| ground(screen) < 1000);
    xdotool(&["key", "y"]);
    wait_for("the panorama is closed", &|screen| screen.pixel(500, 510) != sky);
    wait_for("it is remembered", &|_| {
        let kept = fs::read_to_string(config.join("window.toml")).unwrap_or_default();
        kept.contains("introduced = true") && kept.contains("panorama = false")
    });
    window.kill().unwrap();
    window.wait().unwrap();
}
