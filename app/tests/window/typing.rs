//! Typed numbers, and keys that are hit together.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::{farsight, shown_window, xdotool};

/// A window and its simulated person.
pub(super) struct Person {
    folder: TempDir,
    window: Child,
    pub(super) id: String,
}

impl Person {
    pub(super) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let open = "panorama = false\nintroduced = true\n[open]\n\"Advanced: every setting\" = true\nWindow = true\nFiles = false\n";
        fs::write(folder.path().join("window.toml"), open).unwrap();
        let window = farsight(folder.path(), &["explore", "--size", "96x80", "--at", "48,40", "--window", "1280x720"])
            .env("FARSIGHT_CONFIG_DIR", folder.path()) // not the settings of the person at this machine
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let id = shown_window();
        xdotool(&["windowfocus", &id]);
        std::thread::sleep(Duration::from_secs(3)); // the world is complete
        Self { folder, window, id }
    }

    /// Returns the scene: saves its walk and exports it with the command line.
    pub(super) fn scene(&self) -> Value {
        let walk = self.folder.path().join("walk.farsight");
        // A key in the slow frame of a released Ctrl counts with it: such a one is pressed again.
        for tenth in 0.. {
            if tenth % 200 == 0 {
                xdotool(&["key", "F5"]);
            }
            if walk.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let output = farsight(self.folder.path(), &["export", "--load", "walk.farsight", "-o", "now.json"]).output();
        assert!(output.unwrap().status.success());
        fs::remove_file(walk).unwrap();
        let text = fs::read_to_string(self.folder.path().join("now.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["farsight"].clone()
    }

    fn visual_range(&self) -> String {
        let preset = self.scene()["preset"].as_str().unwrap().to_owned();
        let line = preset.lines().find(|line| line.starts_with("visual_range_m"));
        line.unwrap().trim_start_matches("visual_range_m = ").to_owned()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ = self.window.kill();
        let _ = self.window.wait();
    }
}

#[test]
#[ignore = "needs a display and xdotool"]
fn a_typed_number_takes_effect_at_once_and_is_one_undo_step() {
    let person = Person::new();
    let before = person.visual_range();
    // The field of the visual range; its first digit would be too small a number.
    xdotool(&["mousemove", "--window", &person.id, "1231", "500", "sleep", "0.5"]);
    xdotool(&["mousedown", "1", "sleep", "0.2", "mouseup", "1", "sleep", "0.8"]);
    for digit in ["9", "0", "0"] {
        xdotool(&["key", digit, "sleep", "0.3"]);
    }
    xdotool(&["key", "Return", "sleep", "0.5"]);
    assert_eq!(person.visual_range(), "900.0");
    xdotool(&["keydown", "ctrl", "sleep", "0.3", "key", "z", "sleep", "0.3", "keyup", "ctrl", "sleep", "0.3"]);
    assert_eq!(person.visual_range(), before);
    xdotool(&["keydown", "ctrl", "sleep", "0.3", "key", "y", "sleep", "0.3", "keyup", "ctrl", "sleep", "0.3"]);
    assert_eq!(person.visual_range(), "900.0");
}

#[test]
#[ignore = "needs a display and xdotool"]
fn the_fog_slider_closes_the_view() {
    let person = Person::new();
    let before: f64 = person.visual_range().parse().unwrap();
    xdotool(&["mousemove", "--window", &person.id, "1035", "67", "sleep", "0.3", "mousedown", "1", "sleep", "0.2"]);
    xdotool(&["mousemove_relative", "40", "0", "sleep", "0.2", "mousemove_relative", "40", "0", "sleep", "0.3"]);
    xdotool(&["mouseup", "1", "sleep", "0.5"]);
    let after: f64 = person.visual_range().parse().unwrap();
    assert!(after < before / 10.0, "from {before} m to {after} m");
}

#[test]
#[ignore = "needs a display and xdotool"]
fn ctrl_released_in_the_frame_of_the_key_still_counts() {
    let person = Person::new();
    let before = person.scene()["viewer"].clone();
    for _ in 0..20 {
        xdotool(&["keydown", "ctrl", "sleep", "0.25", "key", "--delay", "0", "z", "keyup", "ctrl", "sleep", "0.25"]);
    }
    assert_eq!(person.scene()["viewer"], before);
}

#[test]
#[ignore = "needs a display and xdotool"]
fn the_dialog_for_opening_files_takes_all_keys() {
    let person = Person::new();
    let before = person.scene();
    xdotool(&["keydown", "ctrl", "sleep", "0.3", "key", "o", "sleep", "0.3", "keyup", "ctrl", "sleep", "0.5"]);
    // As keys of the map: north, another seed, the clock, the brush, an export, help and a turn.
    for key in ["w", "n", "g", "u", "x", "h", "period", "t", "o", "m", "l"] {
        xdotool(&["key", key, "sleep", "0.2"]);
    }
    xdotool(&["key", "Escape", "sleep", "0.5", "key", "Escape", "sleep", "0.5"]);
    assert_eq!(person.scene(), before);
    xdotool(&["key", "w", "sleep", "0.5"]);
    assert_ne!(person.scene()["viewer"], before["viewer"], "it is closed");
}

#[test]
#[ignore = "needs a display and xdotool"]
fn a_link_is_opened_in_the_dialog() {
    let person = Person::new();
    xdotool(&["keydown", "ctrl", "sleep", "0.3", "key", "o", "sleep", "0.3", "keyup", "ctrl", "sleep", "0.5"]);
    let link = "?preset=fog&seed=9&at=20,30&world.width=64&world.height=48";
    xdotool(&["type", "--delay", "60", link]);
    xdotool(&["sleep", "0.5", "key", "Return", "sleep", "3"]);
    let scene = person.scene();
    assert_eq!((&scene["name"], &scene["viewer"]), (&"fog".into(), &serde_json::json!([20, 30])));
    let preset = scene["preset"].as_str().unwrap();
    assert!(preset.contains("seed = 9\n") && preset.contains("width = 64\n"), "{preset}");
}
