//! Exit codes of failures that are no fault of the arguments.

use std::process::{Command, Output};

use super::Folder;

fn shell(folder: &Folder, line: &str) -> Output {
    let line = line.replace("FARSIGHT", env!("CARGO_BIN_EXE_farsight"));
    Command::new("sh").args(["-c", &line]).current_dir(folder.path("")).output().unwrap()
}

#[test]
fn help_to_a_full_device_is_a_write_error() {
    let folder = Folder::new();
    for words in ["--help", "--version", "export --help", "help", "presets list", "completions bash"] {
        let ended = shell(&folder, &format!("FARSIGHT {words} > /dev/full"));
        let message = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(4), "{words}: {message}");
        assert_eq!(message, "farsight: standard output: could not write: there is no space left\n", "{words}");
    }
    assert!(shell(&folder, "FARSIGHT --help | true").status.success(), "a closed pipe is success");
}

#[test]
fn threads_that_cannot_be_started_are_a_message() {
    let folder = Folder::new();
    for words in ["export -q -o x.png", "export -q --threads 1024 -o x.png", "explain --target 3,3", "compare"] {
        let line = format!("ulimit -v 600000; RAYON_NUM_THREADS=1024 exec FARSIGHT {words} --size 32x32 --radius 4");
        let ended = shell(&folder, &line);
        let message = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{words}: {message}");
        assert!(message.starts_with("farsight: cannot start ") && message.contains("threads"), "{words}: {message}");
        assert!(!message.contains("panicked"), "{words}: {message}");
    }
    let ended = shell(&folder, "ulimit -v 600000; RAYON_NUM_THREADS=1024 exec FARSIGHT about");
    let (report, message) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success() && message.is_empty(), "{message}");
    let threads = report.lines().find(|line| line.starts_with("threads ")).unwrap();
    assert!(threads.contains("cannot start ") && threads.contains("processors: "), "{threads}");
    assert!(report.contains("\nmemory "), "the report goes on: {report}");
}

#[test]
fn file_that_no_folder_takes_is_a_write_error() {
    let folder = Folder::new();
    let ended = folder.run("export -q --size 16x16 --radius 2 -o /proc/x.png");
    assert_eq!(ended.code, 4);
    assert_eq!(ended.stderr, "farsight: /proc/x.png: could not write: no file can be created there\n");
}

#[test]
fn checkpoints_and_manual_pages_remove_what_killed_runs_have_left() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    std::fs::create_dir(folder.path("sub")).unwrap();
    for words in ["atlas -q --map m.txt -o sub/a.npy", "man-pages sub"] {
        folder.write("sub/.farsight-999999999-aB3.tmp", "left by a killed run");
        let left = std::fs::File::open(folder.path("sub/.farsight-999999999-aB3.tmp")).unwrap();
        left.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(3600)).unwrap();
        folder.done(words);
        assert!(!folder.path("sub/.farsight-999999999-aB3.tmp").exists(), "{words}");
    }
    assert!(folder.path("sub/a.npy").exists() && folder.path("sub/farsight.1").exists());
}

#[test]
fn manual_pages_are_written_together_or_not_at_all() {
    let folder = Folder::new();
    folder.write("farsight.1", "an older page");
    std::fs::create_dir(folder.path("farsight-walk.1")).unwrap();
    folder.refused(4, "man-pages .", &["farsight-walk.1: could not write: it is a folder"]);
}

#[test]
fn checkpoint_that_a_full_disk_has_cut_does_not_stop_the_same_command() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    folder.write_checkpoint("atlas -q --map m.txt --checkpoint whole.checkpoint");
    folder.done("atlas -q --map m.txt -o expected.npy");
    let whole = folder.read("whole.checkpoint");
    let header = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(2).unwrap().0 + 1;
    for length in [0, 5, 40, header, header + 9, whole.len() - 1] {
        folder.write("a.npy.checkpoint", &whole[..length]);
        folder.done("atlas -q --map m.txt -o a.npy");
        assert!(folder.read("a.npy") == folder.read("expected.npy"));
    }
    // The checkpoint of another atlas is still not overwritten.
    folder.write("a.npy.checkpoint", &whole);
    assert_eq!(folder.run("atlas -q --map m.txt -o a.npy").code, 3);
}

#[test]
fn views_and_pictures_that_do_not_fit_into_memory_are_errors() {
    let folder = Folder::new();
    for (words, said) in [
        ("--size 2048x2048 --radius 4096", "a view of radius 4096 needs "),
        ("--size 2048x2048 --radius 4096 --method beam", "a view of radius 4096 needs "),
        ("--size 512x512 --radius 8 --crop map --scale 16", "a picture of 8192x8192 pixels needs "),
    ] {
        let line = format!("ulimit -v 600000; exec FARSIGHT export -q {words} -o x.png");
        let ended = shell(&folder, &line);
        let message = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(3), "{words}: {message}");
        assert!(message.contains(said) && message.contains("MiB are free"), "{words}: {message}");
    }
}

#[test]
fn copies_sheets_films_and_polygons_that_do_not_fit_into_memory_are_errors() {
    let folder = Folder::new();
    let header = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (3000, 3000), }");
    let map = [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &[0; 4 * 3000 * 3000]].concat();
    folder.write("clear.npy", map);
    let ridge = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge.tif");
    for (kilobytes, words, said) in [
        (170_000, "export -q --map clear.npy --radius 5 --at 50,50 -o x.npy", "a map of 3000x3000 cells needs "),
        (200_000, "compare --maps clear.npy --set sight.radius=400", "a map of 3000x3000 cells needs "),
        (700_000, "gallery -q --panel 1056 -o x.png", "a sheet of "),
        (300_000, "walk -q --size 512x512 --wander 2 --scale 40 -o x.gif", "a film of 4800x3200 pixels"),
        (
            100_000,
            &format!("cumulative -q --heightmap {ridge} --at 140,104 --radius 4096 --polygons x.geojson"),
            " needs ",
        ),
    ] {
        // Each thread and each of its arenas would take a part of the limit.
        let threads = "RAYON_NUM_THREADS=1 MALLOC_ARENA_MAX=1";
        let ended = shell(&folder, &format!("ulimit -v {kilobytes}; {threads} exec FARSIGHT {words}"));
        let message = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(3), "{words}: {message}");
        assert!(message.contains(said) && message.contains("MiB are free"), "{words}: {message}");
    }
}

#[test]
fn limits_just_below_what_suffices_are_errors() {
    let folder = Folder::new();
    let ridge = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge.tif");
    for words in ["export --scale 2 -o x.png", "cumulative --polygons x.geojson"] {
        let run = |kilobytes: u32| {
            let limits = format!("ulimit -v {kilobytes}; RAYON_NUM_THREADS=1 MALLOC_ARENA_MAX=1");
            shell(&folder, &format!("{limits} exec FARSIGHT {words} -q --heightmap {ridge} --at 140,104 --radius 100"))
        };
        let (mut low, mut high) = (10_000, 1_000_000);
        while high - low > 200 {
            let middle = (low + high) / 2;
            if run(middle).status.success() { high = middle } else { low = middle }
        }
        for kilobytes in (1..=12).map(|step| high - 400 * step) {
            let ended = run(kilobytes);
            let message = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(3), "{words}, {kilobytes} of {high} kB: {message}");
            assert!(message.contains("MiB are free"), "{words}, {kilobytes} of {high} kB: {message}");
        }
    }
}
