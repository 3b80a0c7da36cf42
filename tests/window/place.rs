//! The window is where it was the last time.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use super::{farsight, shown_window, xdotool};

/// A window that stays, and its number.
struct Window {
    process: Child,
    id: String,
}

impl Window {
    /// Opens it with what is remembered in a folder, and waits until it stands.
    fn open(folder: &Path, more: &[&str]) -> Self {
        fs::write(folder.join("stay.txt"), "settle\nwait 999999999\n").unwrap();
        let flags = ["explore", "--size", "96x80", "--script", "stay.txt"];
        let process =
            farsight(folder, &[&flags, more].concat()).env("FARSIGHT_CONFIG_DIR", folder).spawn().expect("it starts");
        let id = shown_window();
        sleep(Duration::from_secs(3));
        Self { process, id }
    }

    /// Corner, width and height.
    fn geometry(&self) -> [i32; 4] {
        let words = xdotool(&["getwindowgeometry", "--shell", &self.id]);
        ["X", "Y", "WIDTH", "HEIGHT"].map(|name| {
            let line = words.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name} in {words}"))
        })
    }

    /// Ends it once what it is like has been written.
    fn end(mut self) {
        sleep(Duration::from_secs(3));
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn kept(folder: &Path) -> String {
    fs::read_to_string(folder.join("window.toml")).unwrap()
}

/// Moves a window, and opens it three times after that.
fn comes_back(folder: &Path) {
    let window = Window::open(folder, &["--window", "800x500"]);
    let [x, y, ..] = window.geometry();
    xdotool(&["windowmove", "--sync", &window.id, "237", "141"]);
    sleep(Duration::from_secs(1));
    let moved = window.geometry();
    assert!(moved[..2] != [x, y] && moved[2..] == [800, 500], "{moved:?}");
    window.end();
    let written = kept(folder);
    for _ in 0..3 {
        let window = Window::open(folder, &[]);
        assert_eq!(window.geometry(), moved);
        window.end();
        assert_eq!(kept(folder), written);
    }
    // What stood on a screen that is no longer there is not sent off to it.
    let far: String = written
        .lines()
        .map(|line| if line.starts_with("position") { "position = [9000, 141]" } else { line }.to_owned() + "\n")
        .collect();
    assert_ne!(far, written);
    fs::write(folder.join("window.toml"), far).unwrap();
    let window = Window::open(folder, &[]);
    assert!(window.geometry()[0] < 800, "{:?}", window.geometry());
    window.end();
}

#[test]
#[ignore = "needs a display and xdotool"]
fn the_window_comes_back_to_the_pixel() {
    comes_back(TempDir::new().unwrap().path());
}

#[test]
#[ignore = "needs a display, xdotool and openbox"]
fn among_frames_the_window_comes_back_to_the_pixel_and_a_maximised_one_to_what_it_was() {
    let folder = TempDir::new().unwrap();
    let manager = Command::new("openbox").stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut manager = manager.expect("openbox is installed");
    sleep(Duration::from_secs(2));
    comes_back(folder.path());
    let window = Window::open(folder.path(), &[]);
    let (written, was) = (kept(folder.path()), window.geometry());
    // Twice on the title.
    xdotool(&["mousemove", "--window", &window.id, "300", "0", "mousemove_relative", "--", "0", "-10"]);
    xdotool(&["click", "--repeat", "2", "--delay", "60", "1"]);
    sleep(Duration::from_secs(1));
    assert!(window.geometry()[2] > 1000, "it fills the screen: {:?}", window.geometry());
    window.end();
    assert_eq!(kept(folder.path()), written);
    let window = Window::open(folder.path(), &[]);
    assert_eq!(window.geometry(), was);
    window.end();
    manager.kill().unwrap();
    manager.wait().unwrap();
}
