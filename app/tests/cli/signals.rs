//! Signals while files are written: an exit code of their own, no panic, no temporary file, and older files as they were.

use std::path::Path;
use std::process::{Command, Stdio};

use super::Folder;

const SIGHUP: u32 = 1;

/// Returns `true` once a temporary file has bytes, or a temporary folder a file.
fn is_being_written(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut temporary = entries.filter(|entry| {
        let name = entry.file_name().into_string().unwrap();
        name.starts_with(".farsight-") && name.ends_with(".tmp")
    });
    temporary.any(|entry| match std::fs::read_dir(entry.path()) {
        Ok(mut files) => files.next().is_some(),
        Err(_) => entry.metadata().is_ok_and(|file| file.len() > 0),
    })
}

/// Stops a command with a signal while it writes. Returns `false` if it was done before the signal arrived.
fn stop(folder: &Folder, words: &str, signal: &str, code: i32) -> bool {
    let before = folder.files();
    let mut child = folder.command(words).stderr(Stdio::piped()).spawn().unwrap();
    while !is_being_written(&folder.path("")) {
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(ended.success(), "{words}: it is still at work");
            return false;
        }
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&ended.stderr);
    if ended.status.success() {
        return false;
    }
    assert_eq!(ended.status.code(), Some(code), "{words}, {signal}: {message}");
    assert_eq!(message, "farsight: stopped; nothing was written\n", "{words}, {signal}");
    assert!(before == folder.files(), "{words}: a file came, went or changed");
    let names = std::fs::read_dir(folder.path("")).unwrap().count();
    assert_eq!(names, before.len(), "{words}, {signal}: something is left");
    true
}

fn is_ignored(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

#[test]
fn signal_leaves_the_older_files_only() {
    let folder = Folder::new();
    folder.write("walk.gif", "an older film");
    for output in ["walk.gif", "new.gif", "walk.apng", "%04d.png"] {
        let words = format!("walk -q --size 64x64 --radius 8 --wander 500 --scale 8 -o {output}");
        assert!(stop(&folder, &words, "-INT", 130));
        assert!(stop(&folder, &words, "-TERM", 143));
        assert!(is_ignored(SIGHUP) || stop(&folder, &words, "-HUP", 129));
    }
}

#[test]
fn signal_stops_an_export_of_any_format() {
    let folder = Folder::new();
    for output in ["x.csv", "x.json", "x.asc", "x.tif", "x.npy", "x.png"] {
        let words = format!("export -q --size 1024x1024 --radius 4 --crop map -o {output}");
        let was_stopped = (0..3).any(|_| {
            folder.write(output, "an older file");
            stop(&folder, &words, "-TERM", 143)
        });
        let slow = output == "x.csv" || output == "x.json"; // the others may be complete before the signal arrives
        assert!(was_stopped || !slow, "{output}");
        let _ = std::fs::remove_file(folder.path(output));
    }
}

#[test]
fn limit_of_file_sizes_is_a_write_error() {
    let folder = Folder::new();
    let run = |words: &str| {
        let mut command = Command::new("sh");
        let line = format!("ulimit -f 8; exec {} {words}", env!("CARGO_BIN_EXE_farsight"));
        let ended = command.args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
        let message = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(4), "{words}: {message}");
        assert!(message.contains("the file would be larger than allowed"), "{words}: {message}");
        assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 0, "{words}");
    };
    run("export -q --size 96x96 -o x.npy");
    run("walk -q --size 64x64 --wander 40 -o x.gif");
    run("walk -q --size 64x64 --wander 40 -o x.apng");
    run("walk -q --size 64x64 --wander 40 --scale 8 -o %d.png");
}

#[test]
fn temporary_files_of_killed_runs_are_removed_by_the_next_run_that_writes() {
    let folder = Folder::new();
    folder.write(".farsight-999999999-aB3.tmp", "half a picture");
    std::fs::create_dir(folder.path(".farsight-999999998-xY.tmp")).unwrap();
    folder.write(".farsight-999999998-xY.tmp/0.png", "half a film");
    folder.write(".farsight-notes.txt", "not ours");
    let words = "walk -q --size 64x64 --radius 8 --wander 500 --scale 8 -o";
    let count = || {
        let names = std::fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".tmp")).count()
    };
    // Old temporary files of a killed run are removed, unless another run holds them.
    let age = || {
        let an_hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        let entries = std::fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().path());
        for path in entries.filter(|path| path.extension().is_some_and(|extension| extension == "tmp")) {
            std::fs::File::open(path).unwrap().set_modified(an_hour_ago).unwrap();
        }
    };
    age();
    let mut killed = folder.command(&format!("{words} walk.gif")).spawn().unwrap();
    let mut running = folder.command(&format!("{words} other.gif")).spawn().unwrap();
    // Both remove the leftovers of the others, and write their own file.
    while count() != 2 || folder.path(".farsight-999999999-aB3.tmp").exists() {
        assert!(killed.try_wait().unwrap().is_none() && running.try_wait().unwrap().is_none(), "they are at work");
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    age();
    // A failure before anything is written removes nothing, a success all but the file of the other run.
    folder.run("export -q --size 32x32 --radius 4 -o no/x.png");
    assert_eq!(count(), 2);
    folder.done("export -q --size 32x32 --radius 4 -o x.png");
    assert_eq!(count(), 1);
    assert!(folder.path(".farsight-notes.txt").exists());
    running.kill().unwrap();
    running.wait().unwrap();
    age();
    folder.done("walk -q --size 32x32 --radius 4 --wander 2 -o %d.png");
    assert_eq!(count(), 0);
}
