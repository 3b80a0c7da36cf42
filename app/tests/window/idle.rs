//! A window in which nothing changes costs nothing, and wakes up.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use super::{farsight, shown_window, write_settings, xdotool};

/// Returns the processor time of a process in seconds.
fn cpu_seconds(process: &Child) -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0; // of Linux on all usual machines
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / TICKS_PER_SECOND
}

fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    for _ in 0..200 {
        if is_there() {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("{what} did not happen in ten seconds");
}

#[test]
#[ignore = "needs a display and xdotool"]
fn an_idle_window_costs_at_most_two_percent_and_wakes_up() {
    let folder = TempDir::new().unwrap();
    write_settings(folder.path());
    let mut window = farsight(folder.path(), &["explore", "--size", "96x80", "--window", "1280x720"])
        .env("FARSIGHT_CONFIG_DIR", folder.path()) // not the settings of the person at this machine
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let id = shown_window();
    xdotool(&["windowfocus", &id, "mousemove", "300", "300"]);
    let save_walk = |window: &mut Child| {
        xdotool(&["key", "F5"]);
        wait_for("a saved walk", || folder.path().join("walk.farsight").exists());
        sleep(Duration::from_millis(300));
        assert!(window.try_wait().unwrap().is_none());
        let walk = String::from_utf8_lossy(&fs::read(folder.path().join("walk.farsight")).unwrap()).into_owned();
        fs::remove_file(folder.path().join("walk.farsight")).unwrap();
        let from = walk.find("\"viewer\"").unwrap();
        walk[from..from + 24].to_owned()
    };
    let first = save_walk(&mut window);
    sleep(Duration::from_secs(8)); // the message of the saved walk ends by itself
    let before = cpu_seconds(&window);
    sleep(Duration::from_secs(3));
    let idle = cpu_seconds(&window) - before;
    assert!(idle <= 0.06, "{idle} seconds of 3");

    // The pause does not count as a long press.
    xdotool(&["mousemove", "420", "330", "click", "1"]);
    sleep(Duration::from_secs(2));
    assert!(save_walk(&mut window) != first, "a click after a pause walks");
    window.kill().unwrap();
    window.wait().unwrap();
}
