//! The window of the explorer, controlled by scripts and by a simulated person.
//!
//! These tests need a display, those of a simulated person also `xdotool`, and that of a preset file also `import` of
//! ImageMagick. They are run by hand or by CI with
//! `xvfb-run -a -s "-screen 0 1280x800x24" cargo test --test window -- --ignored --test-threads=1`.

mod clipboard;
mod doors;
mod first_frame;
mod first_minute;
mod idle;
mod kept_work;
mod keyboard;
mod killed_saves;
mod log;
mod opening;
mod overwriting;
mod painting;
mod panorama;
mod placing;
mod presets;
mod proportions;
mod resizes;
mod scripts;
mod sharing;
mod sheet;
mod sliders;
mod time;
mod typing;

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

const NEEDS_A_DISPLAY: &str = "is there a display? see the top of this file";

fn farsight(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farsight"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command.env_remove("FARSIGHT_CONFIG_DIR"); // without it, scripted windows keep no settings
    command
}

/// Runs the explorer with a script to its end.
fn explore(folder: &Path, script: &str, arguments: &[&str]) {
    fs::write(folder.join("script.txt"), script).unwrap();
    let script = ["explore", "--window", "1280x720", "--script", "script.txt"];
    let output = farsight(folder, &[&script, arguments].concat()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {words} ({NEEDS_A_DISPLAY})", output.status);
}

/// A picture without its alpha channel.
struct Screenshot {
    width: u32,
    pixels: Vec<[u8; 3]>,
}

impl Screenshot {
    fn dimensions(&self) -> (u32, u32) {
        (self.width, self.pixels.len() as u32 / self.width)
    }

    fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[(y * self.width + x) as usize]
    }

    /// Returns the pixels of the first columns and rows.
    fn upper_left(&self, columns: u32, rows: u32) -> impl Iterator<Item = (u32, u32, [u8; 3])> {
        let (width, height) = self.dimensions();
        let row = move |y| (0..columns.min(width)).map(move |x| (x, y, self.pixel(x, y)));
        (0..rows.min(height)).flat_map(row)
    }
}

fn picture(folder: &Path, name: &str) -> Screenshot {
    let mut decoder = png::Decoder::new(BufReader::new(fs::File::open(folder.join(name)).unwrap()));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixels = bytes.chunks_exact(info.color_type.samples()).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    Screenshot { width: info.width, pixels }
}

/// The middle of the viewer's red disc: no other disc on the screen is that red, but for the small one of the minimap.
fn viewer(screen: &Screenshot) -> (u32, u32) {
    let is_red = |[r, g, b]: [u8; 3]| r > 190 && g < 60 && b < 70;
    let is_in_disc = |x: u32, y: u32| {
        let near = [(1, 3), (3, 1), (5, 3), (3, 5), (3, 3)];
        x >= 3 && y >= 3 && near.iter().all(|&(dx, dy)| is_red(screen.pixel(x + dx - 3, y + dy - 3)))
    };
    let red = screen.upper_left(946, 640).filter(|&(x, y, pixel)| is_red(pixel) && is_in_disc(x, y));
    let (mut columns, mut rows): (Vec<u32>, Vec<u32>) = red.map(|(x, y, _)| (x, y)).unzip();
    assert!(!columns.is_empty(), "no viewer on the screen");
    // Most pixels are those of the larger disc, so the medians are in it.
    columns.sort_unstable();
    rows.sort_unstable();
    (columns[columns.len() / 2], rows[rows.len() / 2])
}

fn lightness(pixel: &[u8; 3]) -> u32 {
    pixel.iter().map(|&channel| u32::from(channel)).sum::<u32>() / 3
}

/// Cells out of sight in the data look.
fn is_hidden(pixel: &[u8; 3]) -> bool {
    *pixel == [255; 3]
}

#[test]
#[ignore = "needs a display"]
fn viewer_lit_and_hidden_cells_are_in_place() {
    let folder = TempDir::new().unwrap();
    // A wall three cells to the right of the viewer; the cells behind it are hidden.
    let row = |middle: &str| format!("............{middle}............\n");
    let map = row(".......").repeat(9) + &row("......#").repeat(3) + &row("...@..#") + &row("......#").repeat(3);
    fs::write(folder.path().join("wall.txt"), map + &row(".......").repeat(9)).unwrap();
    let script = "settle\nkey l\nwait 5\nscreenshot screen.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--map", "wall.txt", "--radius", "12", "--look", "data"]);

    let screen = picture(folder.path(), "screen.png");
    assert_eq!(screen.dimensions(), (1280, 720));
    let (x, y) = viewer(&screen);
    let side = 24; // 25 cells of 24 pixels fit into the 680 or so pixels above the status line
    let cell = |dx: i32, dy: i32| screen.pixel((x as i32 + dx * side + 7) as u32, (y as i32 + dy * side + 7) as u32);
    assert!(lightness(&cell(1, 0)) > 150, "floor next to the viewer: {:?}", cell(1, 0));
    assert!(lightness(&cell(-6, 2)) > 120, "floor in the open: {:?}", cell(-6, 2));
    assert!(!is_hidden(&cell(3, 0)), "the wall itself is seen: {:?}", cell(3, 0));
    assert!(is_hidden(&cell(5, 0)), "behind the wall: {:?}", cell(5, 0));
    assert!(is_hidden(&cell(9, 1)), "far behind the wall: {:?}", cell(9, 1));
}

#[test]
#[ignore = "needs a display"]
fn walks_fog_and_exports_change_the_screen() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nwait 5\nscreenshot clear.png\n\
        set optics.visual_range_m 900\nwait 5\nscreenshot fog.png\n\
        key d 3\nkey s 2\nwait 5\nscreenshot walked.png\n\
        key h\nwait 5\nscreenshot help.png\nkey h\n\
        key 3\nwait 5\nscreenshot humidity.png\nkey 1\n\
        export view.png\nexport view.npy\nset world.seed 5\nsettle\nwait 3\nscreenshot other.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--seed", "3", "--look", "data"]);

    let open = |name: &str| picture(folder.path(), name);
    let known = |name: &str| {
        let screen = open(name);
        screen.upper_left(940, 600).filter(|(_, _, pixel)| !is_hidden(pixel)).count()
    };
    let differing = |a: &str, b: &str| open(a).pixels.iter().zip(&open(b).pixels).filter(|(a, b)| a != b).count();
    viewer(&open("clear.png"));
    assert!(known("clear.png") > 40_000, "a wide view at first");
    assert!(differing("clear.png", "fog.png") > 20_000, "fog dims the view");
    assert!(differing("fog.png", "walked.png") > 20_000, "a walk moves the map");
    assert!(differing("walked.png", "help.png") > 50_000, "the keys are listed");
    assert!(differing("walked.png", "humidity.png") > 50_000, "the layer is shown");
    assert!(differing("walked.png", "other.png") > 50_000, "another seed is another place");

    let export = open("view.png");
    assert!(export.width > 800);
    viewer(&export);
    assert!(fs::read(folder.path().join("view.npy")).unwrap().starts_with(b"\x93NUMPY"));
}

#[test]
#[ignore = "needs a display"]
fn the_screenshot_flag_saves_the_screen_and_ends() {
    let folder = TempDir::new().unwrap();
    let arguments = ["explore", "--size", "96x96", "--window", "1024x600", "--screenshot", "screen.png"];
    let output = farsight(folder.path(), &arguments).output().unwrap();
    assert!(output.status.success(), "{} ({NEEDS_A_DISPLAY})", String::from_utf8_lossy(&output.stderr));
    let screen = picture(folder.path(), "screen.png");
    assert_eq!(screen.dimensions(), (1024, 600));
    viewer(&screen);
}

#[test]
#[ignore = "needs a display"]
fn errors_in_scripts_and_failed_writes_are_reported() {
    let folder = TempDir::new().unwrap();
    let run = |script: &str| {
        fs::write(folder.path().join("s.txt"), script).unwrap();
        let output = farsight(folder.path(), &["explore", "--size", "64x64", "--script", "s.txt"]).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, words) = run("settle\ndance\n");
    assert_eq!(code, Some(3), "{words}");
    assert!(words.starts_with("farsight: s.txt: line 2: ") && words.contains("dance"), "{words}");
    let (code, words) = run("set optics.light 7\n");
    assert_eq!(code, Some(3), "{words}");
    assert!(words.starts_with("farsight: s.txt: line 1: set: optics.light: 7"), "{words}");
    fs::remove_file(folder.path().join("s.txt")).unwrap();
    let missing = farsight(folder.path(), &["explore", "--script", "s.txt"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&missing.stderr), "farsight: s.txt: there is no such file\n");
    let (code, words) = run("settle\nscreenshot missing/folder.png\nwait 3\nquit\n");
    assert_eq!(code, Some(4), "{words}");
    assert!(words.contains("missing/folder.png"), "{words}");
}

#[test]
#[ignore = "needs a display"]
fn two_methods_are_compared_and_the_divider_is_dragged() {
    let folder = TempDir::new().unwrap();
    // A pillar to the right of the viewer: its shadow differs from method to method, and lies on the right.
    let row = ".".repeat(25) + "\n";
    let map = row.repeat(12) + &format!("{}@..#{}\n", ".".repeat(12), ".".repeat(9)) + &row.repeat(12);
    fs::write(folder.path().join("pillar.txt"), map).unwrap();
    let script = "settle\nkey l\nset paint.contours false\nwait 5\nscreenshot one.png\nwait 2\n\
        split shadowcast\nwait 5\nscreenshot two.png\nwait 2\n\
        drag 474 600 900 600\nwait 5\nscreenshot right.png\nwait 2\n\
        divider 200\nwait 5\nscreenshot left.png\nwait 2\nsplit off\nwait 5\nscreenshot off.png\nwait 2\n\
        key v\nwait 5\nscreenshot again.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--map", "pillar.txt", "--radius", "12"]);

    // The map below the names of the methods and the messages.
    let open = |name: &str| picture(folder.path(), name);
    let differing = |a: &str, b: &str, columns: std::ops::Range<u32>| {
        let (a, b) = (open(a), open(b));
        let places = columns.flat_map(|x| (200..630).map(move |y| (x, y)));
        places.filter(|&(x, y)| a.pixel(x, y) != b.pixel(x, y)).count()
    };
    let is_line = |name: &str, x: u32| (200..450).all(|y| open(name).pixel(x, y) == [255; 3]);
    assert!(is_line("two.png", 475), "the divider is in the middle of the map");
    assert_eq!(differing("one.png", "two.png", 0..460), 0, "the left is as it was");
    assert!(differing("one.png", "two.png", 490..940) > 10_000, "the right is seen by another method");
    assert!(is_line("right.png", 900) && !is_line("right.png", 475));
    assert!(differing("one.png", "right.png", 480..880) < differing("one.png", "two.png", 490..940) / 10);
    assert!(is_line("left.png", 200));
    assert_eq!(differing("two.png", "left.png", 490..940), 0, "the method shows the same wherever the divider is");
    assert_eq!(differing("one.png", "off.png", 0..940), 0, "one method again");
    assert!(is_line("again.png", 200), "the key brings it back where it was");
}

#[test]
#[ignore = "needs a display"]
fn the_inspector_marks_the_hedge_and_is_unpinned() {
    let folder = TempDir::new().unwrap();
    // A hedge of one cell, four cells to the right of the viewer.
    let row = ".".repeat(25) + "\n";
    let map = row.repeat(12) + &format!("{}@...6{}\n", ".".repeat(12), ".".repeat(8)) + &row.repeat(12);
    fs::write(folder.path().join("hedge.txt"), map).unwrap();
    let script = "settle\nkey l\nset paint.contours false\nwait 5\nscreenshot before.png\nwait 2\n\
        pin 21 12\nwait 5\nscreenshot pinned.png\nwait 2\nkey escape\nwait 5\nscreenshot after.png\nwait 2\n\
        key i\nhover 691 320\nwait 5\nscreenshot hovered.png\nwait 2\nkey i\nwait 5\nscreenshot off.png\nwait 2\nquit\n";
    explore(folder.path(), script, &["--map", "hedge.txt", "--radius", "12"]);

    let open = |name: &str| picture(folder.path(), name);
    let (x, y) = viewer(&open("before.png"));
    let cell = |name: &str, dx: u32| open(name).pixel(x + dx * 24 + 7, y + 7);
    let is_hot = |pixel: [u8; 3]| pixel[0] > 200 && pixel[1] < 90 && pixel[2] > 100;
    for name in ["pinned.png", "hovered.png"] {
        assert!(is_hot(cell(name, 4)), "{name}: the hedge is marked: {:?}", cell(name, 4));
        assert!(!is_hot(cell(name, 3)) && !is_hot(cell(name, 6)), "{name}: nothing else is");
    }
    let differing = |a: &str, b: &str, rows: std::ops::Range<u32>| {
        let (a, b) = (open(a), open(b));
        let places = rows.flat_map(|y| (8..560).map(move |x| (x, y)));
        places.filter(|&(x, y)| a.pixel(x, y) != b.pixel(x, y)).count()
    };
    assert!(differing("before.png", "pinned.png", 200..640) > 50_000, "a card explains it");
    assert_eq!(differing("before.png", "after.png", 200..640), 0, "Escape unpins");
    assert_eq!(differing("before.png", "off.png", 200..640), 0, "and so does the key");
}

/// Returns `true` if the map is the same on two pictures of the screen, below the messages and above the legend, whose samples are
/// of the land around the viewer for which they were painted.
fn same_map(folder: &Path, a: &str, b: &str) -> bool {
    let (a, b) = (picture(folder, a), picture(folder, b));
    (0..940).flat_map(|x| (180..600).map(move |y| (x, y))).all(|(x, y)| a.pixel(x, y) == b.pixel(x, y))
}

#[test]
#[ignore = "needs a display"]
fn twenty_changes_are_undone_and_redone_and_keys_reset() {
    let folder = TempDir::new().unwrap();
    let changes = [
        "optics.visual_range_m 900",
        "sight.radius 90",
        "optics.fog_onset 0.3",
        "world.seed 15",
        "optics.light 0.5",
        "perception.creatures 300",
        "sight.decay.kind none",
        "paint.ramp viridis",
        "optics.lantern 12",
        "world.seed 16",
        "sight.radius 12",
        "perception.glimpse 0.01",
        "perception.identify 0.02",
        "sight.method beam",
        "optics.eye_height_m 80",
        "world.rain 0.3",
        "sight.method shadowcast",
        "perception.memory false",
        "paint.contours false",
        "sight.method two_parent",
    ];
    let count = changes.len();
    let set: String = changes.iter().map(|change| format!("set {change}\n")).collect();
    let script = format!(
        "settle\nkey d 3\nwait 9\nscreenshot first.png\nwait 2\n{set}settle\nwait 9\nscreenshot turned.png\nwait 2\n\
        key ctrl+z {count}\nsettle\nwait 9\nscreenshot back.png\nwait 2\n\
        key ctrl+y {count}\nsettle\nwait 9\nscreenshot again.png\nwait 2\n\
        reset world\nsettle\nreset optics\nreset sight\nreset sight.decay\nreset perception\nreset paint\nwait 9\n\
        export reset.npy\nwait 2\nquit\n"
    );
    explore(folder.path(), &script, &["--size", "160x120"]);
    assert!(!same_map(folder.path(), "first.png", "turned.png"));
    assert!(same_map(folder.path(), "first.png", "back.png"), "to the byte");
    assert!(same_map(folder.path(), "turned.png", "again.png"));
    assert!(fs::read(folder.path().join("reset.npy")).unwrap().starts_with(b"\x93NUMPY"));
}

#[test]
#[ignore = "needs a display"]
fn a_changed_preset_file_is_followed_unless_it_is_faulty() {
    let folder = TempDir::new().unwrap();
    let preset = |text: &str| fs::write(folder.path().join("mine.toml"), text).unwrap();
    preset("extends = \"fog\"\n[sight]\nradius = 30\n");
    let script = "settle\nset paint.names false\nwait 9\nscreenshot first.png\nwait 999999999\n";
    fs::write(folder.path().join("script.txt"), script).unwrap();
    let flags =
        ["explore", "--preset", "mine.toml", "--size", "128x96", "--script", "script.txt", "--window", "1280x720"];
    let mut window = farsight(folder.path(), &flags).spawn().unwrap();
    let id = shown_window();
    while !folder.path().join("first.png").exists() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let shot = |name: &str| {
        std::thread::sleep(Duration::from_millis(2500));
        let path = folder.path().join(name);
        let done = Command::new("import").args(["-window", &id]).arg(&path).status().expect("imagemagick is installed");
        assert!(done.success());
    };
    shot("before.png");
    preset("extends = \"fog\"\n[sight]\nradius = thirty\n");
    shot("faulty.png");
    // As an editor that writes a new file and renames it.
    fs::write(folder.path().join("new"), "extends = \"clear-day\"\n[sight]\nradius = 40\n").unwrap();
    fs::rename(folder.path().join("new"), folder.path().join("mine.toml")).unwrap();
    shot("corrected.png");
    window.kill().unwrap();
    window.wait().unwrap();
    assert!(same_map(folder.path(), "before.png", "faulty.png"), "the last good one is kept");
    assert!(!same_map(folder.path(), "before.png", "corrected.png"));
    let red = |name: &str| {
        let screen = picture(folder.path(), name);
        screen.pixels.iter().filter(|pixel| **pixel == [84, 30, 26]).count()
    };
    assert_eq!((red("before.png"), red("corrected.png")), (0, 0));
    assert!(red("faulty.png") > 3000, "the error is shown");
}

#[test]
#[ignore = "needs a display"]
fn size_and_panel_of_the_window_are_kept() {
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("config");
    let run = |script: &str, more: &[&str]| {
        fs::write(folder.path().join("script.txt"), script).unwrap();
        let flags = ["explore", "--size", "96x80", "--script", "script.txt"];
        let output =
            farsight(folder.path(), &[&flags, more].concat()).env("FARSIGHT_CONFIG_DIR", &config).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{words} ({NEEDS_A_DISPLAY})");
        words
    };
    let size = |name: &str| picture(folder.path(), name).dimensions();
    run("settle\nkey 0\nkey 3\nwait 3\nquit\n", &["--window", "900x640"]);
    let kept = fs::read_to_string(config.join("window.toml")).unwrap();
    assert!(kept.contains("panel = false") && kept.contains("layer = \"humidity\""), "{kept}");
    run("settle\nwait 5\nscreenshot again.png\nwait 2\nquit\n", &[]);
    assert_eq!(size("again.png"), (900, 640));
    run("settle\nwait 5\nscreenshot told.png\nwait 2\nquit\n", &["--window", "800x600"]);
    assert_eq!(size("told.png"), (800, 600));
    fs::write(config.join("window.toml"), "window = [3").unwrap();
    let words = run("settle\nwait 5\nscreenshot usual.png\nwait 2\nquit\n", &[]);
    assert_eq!((size("usual.png"), words.lines().count()), ((1280, 720), 1), "{words}");
    assert!(words.contains("window.toml"), "{words}");
}

/// Keys in the names of `xdotool`. None of them closes the window.
const KEYS: &str = "w a s d q e z c Up Down Left Right KP_1 KP_5 KP_9 period plus minus space bracketleft bracketright 1 \
    2 3 4 5 6 7 8 9 0 m i g j k r t o f n b v x p l Tab h Escape Return BackSpace F1 F12 ctrl+z ctrl+y \
    ctrl+shift+z ctrl+o ctrl+plus ctrl+minus ctrl+0";

#[test]
#[ignore = "needs a display and xdotool"]
fn two_thousand_random_events_leave_it_alive() {
    let folder = TempDir::new().unwrap();
    let (mut window, _) = start_for_random_input(folder.path());
    let mut random = Random(2026);
    let mut events = 0;
    while events < 2000 {
        let mut batch: Vec<String> = Vec::new();
        for _ in 0..40 {
            batch.extend(random.event());
            events += 1;
        }
        let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
        xdotool(&batch);
        assert_alive(&mut window, folder.path(), events);
    }
    std::thread::sleep(Duration::from_secs(2)); // worlds that are being made end, or fail
    assert_alive(&mut window, folder.path(), events);
    window.kill().unwrap();
    window.wait().unwrap();
}

/// Starts a window whose errors go to `errors.txt` in its folder. Returns it with its name for `xdotool`.
fn start_for_random_input(folder: &Path) -> (Child, String) {
    let errors = fs::File::create(folder.join("errors.txt")).unwrap();
    write_settings(folder);
    let window = farsight(folder, &["explore", "--size", "160x120"])
        .env("FARSIGHT_CONFIG_DIR", folder) // not the settings of the person at this machine
        .stderr(errors)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let id = shown_window();
    xdotool(&["windowfocus", &id]);
    (window, id)
}

fn assert_alive(window: &mut Child, folder: &Path, events: usize) {
    let ended = window.try_wait().unwrap();
    let words = fs::read_to_string(folder.join("errors.txt")).unwrap();
    assert!(ended.is_none() && !words.contains("panicked"), "after {events} events: {ended:?} {words}");
}

/// Writes settings of a person who knows the window and has closed the panorama: the map has its place.
fn write_settings(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("window.toml"), "panorama = false\nintroduced = true\n").unwrap();
}

/// Returns the window once it is there.
fn shown_window() -> String {
    let windows = xdotool(&["search", "--sync", "--onlyvisible", "--name", "^farsight$"]);
    windows.lines().next().unwrap_or_else(|| panic!("no window: {NEEDS_A_DISPLAY}")).to_owned()
}

fn xdotool(arguments: &[&str]) -> String {
    let output = Command::new("xdotool").args(arguments).output().expect("xdotool is installed");
    assert!(output.status.success(), "xdotool {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A linear congruential generator (Knuth's MMIX), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn place(&mut self) -> [String; 2] {
        [self.below(1280).to_string(), self.below(720).to_string()]
    }

    /// Returns a key, a click, a drag or a turn of the wheel as arguments of `xdotool`.
    fn event(&mut self) -> Vec<String> {
        let [x, y] = self.place();
        let words: Vec<String> = match self.below(10) {
            0..5 => {
                let keys: Vec<&str> = KEYS.split_whitespace().collect();
                vec!["key".into(), keys[self.below(keys.len() as u64) as usize].into()]
            }
            5..7 => vec!["mousemove".into(), x, y, "click".into(), (1 + 2 * self.below(2)).to_string()],
            7..9 => vec!["mousemove".into(), x, y, "click".into(), (4 + self.below(2)).to_string()],
            _ => {
                let [to_x, to_y] = self.place();
                let press = ["mousemove".into(), x, y, "mousedown".into(), "1".into()];
                let release = ["mousemove".into(), to_x, to_y, "mouseup".into(), "1".into()];
                return press.into_iter().chain(release).collect();
            }
        };
        words
    }
}

#[test]
#[ignore = "needs a display"]
fn clicks_add_lamps_that_light_the_night() {
    let folder = TempDir::new().unwrap();
    let row = ".".repeat(25) + "\n";
    fs::write(folder.path().join("hall.txt"), row.repeat(12) + &("@".to_owned() + &row[1..]) + &row.repeat(12))
        .unwrap();
    let script = "settle\nset optics.light 0\nkey space\nkey t\nwait 3\nscreenshot dark.png\n\
        click 500 300\nwait 3\nscreenshot lit.png\nclick 500 300\nwait 3\nscreenshot out.png\nkey t\nkey o\nwait 2\n\
        click 500 300\nwait 3\nscreenshot tower.png\nquit\n";
    explore(folder.path(), script, &["--map", "hall.txt"]);
    let open = |name: &str| picture(folder.path(), name);
    let warm = |screen: &Screenshot| {
        screen.upper_left(940, 600).filter(|(_, _, p)| p[0] > 180 && p[0].saturating_sub(p[2]) > 60).count()
    };
    let [dark, lit, out, tower] = ["dark.png", "lit.png", "out.png", "tower.png"].map(open);
    assert!(warm(&lit) > warm(&dark) + 5_000, "a warm light around the lamp: {} and {}", warm(&lit), warm(&dark));
    assert!(warm(&out) < warm(&dark) + 500, "a second click takes it away: {}", warm(&out));
    let teal = tower.pixels.iter().filter(|p| **p == [24, 112, 122]).count();
    assert!(teal > 50, "a lookout where the click was: {teal}");
}

#[test]
#[ignore = "needs a display"]
fn a_walk_is_saved_and_loaded() {
    let folder = TempDir::new().unwrap();
    let first = "settle\nlamp 40 40 #80c0ff 9\nkey d 5\nkey s 3\nexport a.png remembered\nkey f5\nsave again.farsight\n\
        key d 4\nkey f9\nsettle\nexport b.png remembered\nquit\n";
    explore(folder.path(), first, &["--size", "96x96", "--seed", "3"]);
    assert!(fs::read(folder.path().join("walk.farsight")).unwrap().starts_with(b"farsight walk 1 "));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.png") == read("b.png"), "F9 goes back to F5");
    assert!(read("walk.farsight") == read("again.farsight"));
    // From another world, and from the command line.
    explore(
        folder.path(),
        "settle\nload walk.farsight\nsettle\nwait 3\nexport c.png remembered\nquit\n",
        &["--size", "64x64"],
    );
    explore(folder.path(), "settle\nexport d.png remembered\nquit\n", &["--load", "walk.farsight"]);
    assert!(read("a.png") == read("c.png"), "loaded in another world");
    assert!(read("a.png") == read("d.png"), "opened with it");
    fs::write(folder.path().join("walk.farsight"), &read("again.farsight")[..900]).unwrap();
    let damaged = "settle\nload walk.farsight\n";
    fs::write(folder.path().join("s.txt"), damaged).unwrap();
    let output = farsight(folder.path(), &["explore", "--size", "64x64", "--script", "s.txt"]).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{words}");
    assert!(words.contains("walk.farsight: the saved walk is damaged"), "{words}");
}
