//! The memory of a window that is driven at random and resized does not grow.
//!
//! The test is short. `FARSIGHT_DRIVE_ROUNDS=300` drives for about ten minutes; `--nocapture` shows the figures.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::{Random, assert_alive, farsight, shown_window, xdotool};

/// Returns the resident memory of a process in KB.
fn resident_kb(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
#[ignore = "needs a display and xdotool"]
#[expect(clippy::print_stdout, reason = "the figures are the result, shown with --nocapture")]
fn memory_stays_flat_through_random_input_and_resizes() {
    let rounds = std::env::var("FARSIGHT_DRIVE_ROUNDS").map_or(12, |rounds| rounds.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let errors = fs::File::create(folder.path().join("errors.txt")).unwrap();
    let mut window = farsight(folder.path(), &["explore", "--size", "160x120", "--window", "1280x720"])
        .env("FARSIGHT_CONFIG_DIR", folder.path()) // not the settings of the person at this machine
        .stderr(errors)
        .env("RUST_BACKTRACE", "full")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let id = shown_window();
    xdotool(&["windowfocus", &id]);
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
        xdotool(&["windowsize", &id, "1280", "720"]);
        std::thread::sleep(Duration::from_millis(300));
        assert_alive(&mut window, folder.path(), round);
        measured.push(resident_kb(&window) / 1000);
    }
    println!("resident memory in MB after each round: {measured:?}");
    window.kill().unwrap();
    window.wait().unwrap();
}
