//! The memory of a window that is driven at random and resized does not grow.
//!
//! The test is short. `FARSIGHT_DRIVE_ROUNDS=300` drives for about ten minutes; `--nocapture` shows the figures.

use std::fs;
use std::process::{Child, Stdio};

use tempfile::TempDir;

use super::{Random, assert_alive, farsight, shown_window, xdotool};

/// Returns the resident memory of a process in KB.
fn resident_kb(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Brings the window to the size and the scene of its start, and returns its resident memory in KB. Random input adds
/// lookouts and changes the radius, which takes memory rightly; undo keeps the last terrains with theirs.
fn measure(window: &Child, id: &str) -> u64 {
    const KEPT_TERRAINS: usize = 3;
    xdotool(&["windowsize", id, "1280", "720", "sleep", "0.3", "key", "Escape"]);
    for _ in 0..=KEPT_TERRAINS {
        xdotool(&["key", "F9", "sleep", "1"]);
    }
    resident_kb(window)
}

#[test]
#[ignore = "needs a display and xdotool"]
#[expect(clippy::print_stdout, reason = "the figures are the result, shown with --nocapture")]
fn memory_stays_flat_through_random_input_and_resizes() {
    let rounds = std::env::var("FARSIGHT_DRIVE_ROUNDS").map_or(24, |rounds| rounds.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let errors = fs::File::create(folder.path().join("errors.txt")).unwrap();
    let mut window = farsight(folder.path(), &["explore", "--size", "160x120", "--window", "1280x720"])
        .env("FARSIGHT_CONFIG_DIR", folder.path()) // not the settings of the person at this machine
        .stderr(errors)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let id = shown_window();
    xdotool(&["windowfocus", &id, "sleep", "2", "key", "F5", "sleep", "1"]);
    assert!(folder.path().join("walk.farsight").exists(), "the walk of the start is saved");
    let mut random = Random(23);
    let mut measured = Vec::new();
    for round in 0..rounds {
        let [width, height] = match round % 4 {
            0 => [60, 40],
            2 => [3000, 2000],
            _ => [60 + random.below(2941), 40 + random.below(1961)],
        };
        xdotool(&["windowsize", &id, &width.to_string(), &height.to_string()]);
        let batch: Vec<String> = (0..20).flat_map(|_| random.event()).collect();
        xdotool(&batch.iter().map(String::as_str).collect::<Vec<_>>());
        assert_alive(&mut window, folder.path(), round);
        if (round + 1) % (rounds / 8) == 0 {
            measured.push(measure(&window, &id) / 1000);
        }
    }
    println!("resident memory in MB: {measured:?}");
    // The least: a world that is still being made, or a text field that takes the keys, keeps a scene from being reset.
    let (first, second) = measured.split_at(measured.len() / 2);
    let growth = *second.iter().min().unwrap() as f64 / *first.iter().min().unwrap() as f64;
    let most = if rounds < 100 { 1.3 } else { 1.1 }; // a short drive is partly the first use of each part
    assert!(growth < most, "it grows: {measured:?}");
    window.kill().unwrap();
    window.wait().unwrap();
}
