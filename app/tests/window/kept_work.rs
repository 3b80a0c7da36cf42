//! Work that outlives its window: killed while it is painted, with a second window, and continued.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{farsight, shown_window, write_settings, xdotool};

fn start(folder: &Path) -> (Child, String) {
    let window = farsight(folder, &["explore", "--size", "96x80", "--window", "900x640"])
        .env("FARSIGHT_CONFIG_DIR", folder.join("config"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let id = shown_window();
    xdotool(&["windowfocus", &id]);
    (window, id)
}

/// Returns the walks that windows keep.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("config/kept")).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "farsight")).collect()
}

fn wait_until(what: &str, is_true: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Returns the numbers of the viewer's cell in a saved walk.
fn viewer(walk: &Path) -> String {
    let text = fs::read_to_string(walk).unwrap();
    let (_, rest) = text.split_once("\"viewer\":").unwrap();
    rest[..=rest.find(']').unwrap()].to_owned()
}

#[test]
#[ignore = "needs a display and xdotool"]
fn work_of_a_killed_window_is_continued_in_the_next() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    write_settings(&folder.join("config"));
    let (mut window, _) = start(folder);
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(kept(folder), Vec::<PathBuf>::new(), "nothing is kept before the first step");
    xdotool(&["key", "d"]);
    wait_until("a step is kept", || kept(folder).len() == 1);
    let first = kept(folder)[0].clone();
    let at_first = viewer(&first);
    xdotool(&["key", "s", "key", "s", "key", "d"]);
    wait_until("later steps are kept", || viewer(&first) != at_first);
    std::thread::sleep(Duration::from_secs(2));
    let at_last = viewer(&first);
    window.kill().unwrap();
    window.wait().unwrap();
    assert_eq!(viewer(&first), at_last);

    let (mut window, id) = start(folder);
    std::thread::sleep(Duration::from_secs(4));
    let shot = folder.join("offer.png");
    let done = std::process::Command::new("import").args(["-window", &id]).arg(&shot).status().unwrap();
    assert!(done.success());
    // The button "Continue" is in the upper middle of the map; Tab and Enter would need the order of all controls.
    for x in (150..560).step_by(24) {
        if kept(folder).len() == 2 {
            break;
        }
        xdotool(&["mousemove", "--window", &id, &x.to_string(), "22", "click", "1"]);
        std::thread::sleep(Duration::from_millis(700));
    }
    xdotool(&["key", "period"]); // a turn on the same cell
    wait_until("the continued walk is kept in a file of its own", || kept(folder).len() == 2);
    let second = kept(folder).into_iter().find(|path| *path != first).unwrap();
    wait_until("the walk goes on where it ended", || viewer(&second) == at_last);
    window.kill().unwrap();
    window.wait().unwrap();
}
