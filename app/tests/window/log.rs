//! `FARSIGHT_LOG` in the window: stages, commands and messages on standard error.

use std::fs;

use tempfile::TempDir;

use super::{NEEDS_A_DISPLAY, farsight};

#[test]
#[ignore = "needs a display"]
fn log_lists_stages_commands_and_messages() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("s.txt"), "settle\nkey d\nsave walk.farsight\nquit\n").unwrap();
    let mut command = farsight(folder.path(), &["explore", "--size", "64x64", "--script", "s.txt"]);
    let output = command.env("FARSIGHT_LOG", "1").output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log} ({NEEDS_A_DISPLAY})");
    assert!(log.find("s] the window is open") < log.find("s] the first full frame is drawn"), "{log}");
    for part in [
        "s] the first full frame is drawn",
        "s] erosion",
        "s] sight: ",
        "s] Walk(",
        "s] Saved walk.farsight in ",
        "s] SaveWalk(Some(\"walk.farsight\")): ",
    ] {
        assert!(log.contains(part), "{part:?} is missing in {log}");
    }
}
