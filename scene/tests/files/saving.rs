//! Saving leaves either the whole new file or the old one.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use farsight::glam::ivec2;
use farsight_scene::files::{Format, WriteError, save_atomically};

use super::sample;

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let done = save_atomically(path, |out| Ok(out.write_all(bytes)?));
    done.map_err(|error| {
        assert!(error.is_write());
        error.to_string()
    })
}

#[test]
fn file_is_created_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("view.npy");
    put(&path, b"old").unwrap();
    save_atomically(&path, |out| sample().write(Format::Npy, out)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), sample().encode(Format::Npy).unwrap());
    assert_eq!(names(folder.path()), ["view.npy"]);
}

#[test]
fn error_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("view.csv");
    put(&path, b"old").unwrap();
    let fails = |out: &mut dyn Write| {
        out.write_all(&[b'x'; 1 << 18])?;
        Err(WriteError::Io(io::ErrorKind::StorageFull.into()))
    };
    let error = save_atomically(&path, fails).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: could not write: there is no space left", path.display()));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["view.csv"]);
    assert!(save_atomically(&folder.path().join("new.csv"), fails).is_err());
    assert_eq!(names(folder.path()), ["view.csv"]);
}

#[test]
fn panic_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("view.csv");
    put(&path, b"old").unwrap();
    let panics = || save_atomically(&path, |_| panic!("a fault in a writer"));
    assert!(std::panic::catch_unwind(panics).is_err());
    assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["view.csv".to_owned()]));
}

#[test]
fn paths_that_cannot_be_written_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let error = put(&missing.join("view.png"), b"").unwrap_err();
    let (path, missing) = (missing.join("view.png").display().to_string(), missing.display().to_string());
    assert_eq!(error, format!("{path}: could not write: there is no folder {missing}"));
    let error = put(folder.path(), b"").unwrap_err();
    assert_eq!(error, format!("{}: could not write: it is a folder", folder.path().display()));
    assert!(put(&folder.path().join(".."), b"").unwrap_err().ends_with("could not write: it is a folder"));
    put(&folder.path().join("file"), b"").unwrap();
    let error = put(&folder.path().join("file/view.png"), b"").unwrap_err();
    assert!(error.ends_with("could not write: a part of its path is a file, not a folder"), "{error}");
    assert!(put(Path::new(""), b"").is_err());
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn every_format_returns_the_error_of_the_writer() {
    /// Accepts a number of bytes, and then fails as a closed pipe does.
    struct Closed(usize);
    impl Write for Closed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(taken) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut raster = sample();
    raster.values[ivec2(2, 1)] = 0.0;
    for format in Format::ALL.iter().copied().filter(|format| format.is_written()) {
        let length = raster.encode(format).unwrap().len();
        for room in [0, 1, 5, length / 4, length / 2, length.saturating_sub(30), length.saturating_sub(13), length - 1]
            .map(|room| room.min(length - 1))
        {
            let Err(error) = raster.write(format, Closed(room)) else {
                panic!("{format} after {room} of {length} bytes")
            };
            assert!(error.is_closed_pipe(), "{format} after {room} bytes: {error:?}");
        }
        raster.write(format, Closed(length)).unwrap();
    }
}

#[test]
fn single_error_of_the_writer_is_not_ignored() {
    /// Fails only at the call with the given number.
    struct FailsOnce(usize);
    impl Write for FailsOnce {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let now = self.0;
            self.0 = now.wrapping_sub(1);
            if now == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(bytes.len()) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let raster = super::plain(farsight::grid::Grid::from_fn(300, 300, |cell| (cell.x * cell.y % 11) as f32 / 10.0));
    for format in Format::ALL.iter().copied().filter(|format| format.is_written()) {
        let mut countdown = FailsOnce(usize::MAX);
        raster.write(format, &mut countdown).unwrap();
        let calls = usize::MAX - countdown.0;
        for call in (0..calls.min(20)).chain(calls.saturating_sub(20)..calls) {
            assert!(raster.write(format, FailsOnce(call)).is_err(), "{format}: call {call} of {calls}");
        }
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn permissions_are_the_default_or_those_of_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let (usual, ours) = (folder.path().join("usual"), folder.path().join("ours"));
        fs::write(&usual, "").unwrap();
        put(&ours, b"new").unwrap();
        assert_eq!(mode(&ours), mode(&usual));
        fs::set_permissions(&ours, fs::Permissions::from_mode(0o640)).unwrap();
        put(&ours, b"newer").unwrap();
        assert_eq!((mode(&ours), fs::read(&ours).unwrap()), (0o640, b"newer".to_vec()));
        fs::set_permissions(&ours, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(put(&ours, b"newest").unwrap_err().ends_with("could not write: the file there is write-protected"));
        assert_eq!(fs::read(&ours).unwrap(), b"newer");
    }

    #[test]
    fn bits_that_lend_rights_are_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("view.csv");
        for (old, new) in [(0o4755, 0o755), (0o2750, 0o750), (0o1644, 0o644)] {
            put(&path, b"old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(old)).unwrap();
            put(&path, b"new").unwrap();
            assert_eq!(mode(&path), new, "{old:o}");
        }
    }

    #[test]
    fn temporary_files_are_removed_when_they_are_old_and_unlocked() {
        let folder = tempfile::tempdir().unwrap();
        let an_hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        let make = |name: &str, is_old: bool| {
            let path = folder.path().join(name);
            if name.contains("folder") {
                fs::create_dir(&path).unwrap();
            } else {
                fs::write(&path, "half").unwrap();
            }
            let file = fs::File::open(path).unwrap();
            if is_old {
                file.set_modified(an_hour_ago).unwrap();
            }
            file
        };
        // No process here has this number; one of another container may have.
        let _new = make(".farsight-999999999-new.tmp", false);
        let _folder = make(".farsight-999999999-folder-new.tmp", false);
        let _left = make(".farsight-999999999-old.tmp", true);
        let _left_folder = make(".farsight-999999999-folder-old.tmp", true);
        let locked = make(".farsight-999999999-locked.tmp", true);
        locked.lock().unwrap();
        let _foreign = make("farsight-999999999-old.tmp", true);
        put(&folder.path().join("view.csv"), b"new").unwrap();
        let mut names: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let kept = [
            ".farsight-999999999-folder-new.tmp",
            ".farsight-999999999-locked.tmp",
            ".farsight-999999999-new.tmp",
            "farsight-999999999-old.tmp",
            "view.csv",
        ];
        assert_eq!(names, kept);
    }

    #[test]
    fn read_only_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("view.csv");
        put(&path, b"old").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        if fs::write(folder.path().join("probe"), "").is_err() {
            // The superuser may write everywhere.
            assert!(put(&path, b"new").unwrap_err().ends_with("could not write: permission denied"));
            assert_eq!(fs::read(&path).unwrap(), b"old");
        }
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn symbolic_links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        fs::create_dir(&there).unwrap();
        fs::write(there.join("old"), "old").unwrap();
        for target in ["old", "not yet"] {
            let (first, second) = (folder.path().join(format!("1 {target}")), there.join(format!("2 {target}")));
            symlink(Path::new("there").join(format!("2 {target}")), &first).unwrap();
            symlink(target, &second).unwrap();
            put(&first, b"new").unwrap();
            assert!(first.is_symlink() && second.is_symlink());
            assert_eq!(fs::read(there.join(target)).unwrap(), b"new");
        }
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(put(&circle, b"new").is_err());
        assert!(circle.is_symlink());
    }

    #[test]
    fn devices_and_pipes_are_written_directly() {
        put(Path::new("/dev/null"), b"gone").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        put(&pipe, b"through the pipe").unwrap();
        assert_eq!(reader.join().unwrap(), b"through the pipe");
        assert_eq!(names(folder.path()), ["pipe"]);
    }

    #[test]
    fn full_disk_is_an_error() {
        if Path::new("/dev/full").exists() {
            let error = put(Path::new("/dev/full"), b"too much").unwrap_err();
            assert_eq!(error, "/dev/full: could not write: there is no space left");
        }
    }

    #[test]
    fn maps_from_pipes_are_recognised_by_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let values = super::super::plain(farsight::grid::Grid::from_text("#.\n.5").unwrap());
        for (i, format) in [Format::Npy, Format::Png, Format::Csv, Format::Txt].into_iter().enumerate() {
            let pipe = folder.path().join(format!("pipe{i}"));
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let writer = std::thread::spawn({
                let (pipe, bytes) = (pipe.clone(), values.encode(format).unwrap());
                move || fs::write(pipe, bytes).unwrap()
            });
            let map = farsight_scene::files::read_opacity_map(&farsight_scene::files::Input::new(&pipe)).unwrap();
            writer.join().unwrap();
            assert_eq!(map.opacity.grid().size(), values.values.size(), "{format}");
            assert!((map.opacity.grid().as_slice()[3] - 0.5).abs() < 0.003);
        }
    }
}
