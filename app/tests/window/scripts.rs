//! The end of a script: its exit code, and the screenshot of the flags.

use std::fs;

use tempfile::TempDir;

use super::{NEEDS_A_DISPLAY, explore, farsight};

#[test]
#[ignore = "needs a display"]
fn file_that_a_script_cannot_write_is_a_write_error() {
    let folder = TempDir::new().unwrap();
    for (command, code) in [
        ("export nofolder/x.png", 4),
        ("save nofolder/x.farsight", 4),
        ("save /dev/full", 4),
        ("screenshot nofolder/x.png", 4),
        ("open nofile.png", 3),
        ("jump", 3),
    ] {
        fs::write(folder.path().join("s.script"), format!("settle\n{command}\nquit\n")).unwrap();
        let arguments = ["explore", "--size", "64x64", "--script", "s.script"];
        let output = farsight(folder.path(), &arguments).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{command}: {message} ({NEEDS_A_DISPLAY})");
    }
}

#[test]
#[ignore = "needs a display"]
fn script_that_quits_leaves_the_screenshot_of_the_flags() {
    let folder = TempDir::new().unwrap();
    explore(folder.path(), "settle\nquit\n", &["--size", "64x64", "--screenshot", "end.png"]);
    assert!(fs::read(folder.path().join("end.png")).unwrap().starts_with(b"\x89PNG"));
}
