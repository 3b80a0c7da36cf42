//! A window that is killed while it saves: every file is whole, the old one or a new one.
//!
//! `tests/cli/killed_runs.rs` does the same for the command line, and fills the disk.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::{NEEDS_A_DISPLAY, Random, explore, farsight};

const FILES: [&str; 3] = ["walk.farsight", "view.png", "view.npy"];

fn temporary_files(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".farsight-")).count()
}

/// Every file is read again, whole: the saved walk has a checksum, and an export carries its scene.
fn assert_whole(folder: &Path, kill: u64) {
    for (file, flag) in FILES.into_iter().zip(["--load", "--from", "--map"]) {
        let path = Path::new("..").join(folder.file_name().unwrap()).join(file);
        let path = path.to_str().unwrap();
        let output = farsight(folder, &["export", "-q", flag, path, "-o", "-", "--format", "csv"]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !output.stdout.is_empty(), "after kill {kill}: {file}: {message}");
    }
}

#[test]
#[ignore = "needs a display"]
#[expect(clippy::print_stdout, reason = "the counts are the result, shown with --nocapture")]
fn killed_windows_leave_whole_files() {
    const KILLS: u64 = 20;
    const MOST_KILLS: u64 = 200;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let flags = ["--size", "64x64", "--radius", "8"];
    let save = "save walk.farsight\nexport view.png\nexport view.npy\n";
    explore(folder, &format!("settle\n{save}quit\n"), &flags);
    let old = FILES.map(|file| fs::read(folder.join(file)).unwrap());
    let steps: String = (0..3000).map(|i| format!("key {}\n{save}", ["d", "s", "a", "w"][i % 4])).collect();
    fs::write(folder.join("script.txt"), format!("settle\n{steps}")).unwrap();
    let mut random = Random(7);
    let (mut while_writing, mut changed) = (0, 0);
    let mut kills = 0;
    while kills < KILLS || (while_writing == 0 && kills < MOST_KILLS) {
        let arguments = [&["explore", "--window", "640x480", "--script", "script.txt"], &flags[..]].concat();
        let mut window = farsight(folder, &arguments).stdout(Stdio::null()).spawn().unwrap();
        while fs::read(folder.join("view.npy")).unwrap() == old[2] {
            assert!(window.try_wait().unwrap().is_none(), "it saves without end ({NEEDS_A_DISPLAY})");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(random.below(100_000)));
        // A write takes a small part of the time, so every second kill waits for one.
        while kills % 2 == 1 && temporary_files(folder) == 0 {
            assert!(window.try_wait().unwrap().is_none(), "it saves without end");
        }
        window.kill().unwrap();
        window.wait().unwrap();
        while_writing += usize::from(temporary_files(folder) > 0);
        assert_whole(folder, kills);
        for (file, old) in FILES.iter().zip(&old) {
            changed += usize::from(&fs::read(folder.join(file)).unwrap() != old);
            fs::write(folder.join(file), old).unwrap();
        }
        kills += 1;
    }
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with(".farsight-") {
            fs::File::open(entry.path()).unwrap().set_modified(an_hour_ago).unwrap();
        }
    }
    println!("{kills} kills, {while_writing} while writing, {changed} files replaced");
    assert!(while_writing > 0 && changed > 0, "{while_writing} of {kills} kills left a temporary file");
    explore(folder, &format!("settle\n{save}quit\n"), &flags);
    assert_eq!(FILES.map(|file| fs::read(folder.join(file)).unwrap()), old, "the same files again");
    assert_eq!(temporary_files(folder), 0, "a temporary file is left");
}
