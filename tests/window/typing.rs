//! What a person types, and keys that are hit together.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::{farsight, shown_window, xdotool};

/// A window that a person sits at.
struct Person {
    folder: TempDir,
    window: Child,
    id: String,
}

impl Person {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let window = farsight(folder.path(), &["explore", "--size", "96x80", "--at", "48,40", "--window", "1280x720"])
            .env("FARSIGHT_CONFIG_DIR", folder.path()) // and not what the person at this machine has set up
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let id = shown_window();
        xdotool(&["windowfocus", &id]);
        std::thread::sleep(Duration::from_secs(3)); // the world is made
        Self { folder, window, id }
    }

    /// The scene as it is now: its walk is saved, and exported beside the window.
    fn scene(&self) -> Value {
        xdotool(&["key", "F5"]);
        let walk = self.folder.path().join("walk.farsight");
        while !walk.exists() {
            std::thread::sleep(Duration::from_millis(50));
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
fn a_number_that_is_typed_is_taken_whole_and_is_one_step_to_undo() {
    let person = Person::new();
    let before = person.visual_range();
    // Its field; one digit alone would be too small a number.
    xdotool(&["mousemove", "--window", &person.id, "1214", "244", "sleep", "0.5"]);
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
fn whoever_lets_go_of_ctrl_in_the_frame_of_the_key_undoes_and_does_not_walk() {
    let person = Person::new();
    let before = person.scene()["viewer"].clone();
    for _ in 0..20 {
        xdotool(&["keydown", "ctrl", "sleep", "0.25", "key", "--delay", "0", "z", "keyup", "ctrl", "sleep", "0.25"]);
    }
    assert_eq!(person.scene()["viewer"], before);
}
