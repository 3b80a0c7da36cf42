//! [`PresetWatch`]: reads a preset file again when it changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::preset::{Preset, PresetError};

/// The time between two checks of the files, in seconds.
const CHECK_SECONDS: f64 = 0.5;

/// Time and length of a file. They change when it is saved, replaced or removed.
type Stamp = Option<(SystemTime, u64)>;

/// A preset file and the files that it extends.
#[derive(Debug)]
pub(super) struct PresetWatch {
    pub(super) path: PathBuf,
    files: Vec<PathBuf>,
    /// The stamps when the files were read last.
    read: Vec<Stamp>,
    /// The stamps of the last check.
    seen: Vec<Stamp>,
    next_check: f64,
}

impl PresetWatch {
    /// Watches a file that was just read.
    pub(super) fn new(path: &Path) -> Self {
        let files = Preset::files(path);
        let read = stamps(&files);
        Self { path: path.to_owned(), files, seen: read.clone(), read, next_check: 0.0 }
    }

    /// Returns the preset, or its fault, if a file has changed; `now` is in seconds. A file is read once it is the same
    /// in two checks, since an editor may write it in pieces.
    pub(super) fn poll(&mut self, now: f64) -> Option<Result<Preset, PresetError>> {
        if now < self.next_check {
            return None;
        }
        self.next_check = now + CHECK_SECONDS;
        let stamps = stamps(&self.files);
        let is_stable = stamps == self.seen;
        self.seen = stamps;
        if !is_stable || self.seen == self.read {
            return None;
        }
        self.read.clone_from(&self.seen);
        let preset = Preset::named(&self.path.display().to_string());
        if preset.is_ok() {
            // It may extend another file now. A faulty one does not say which, so the old files are kept.
            self.files = Preset::files(&self.path);
            self.read = self::stamps(&self.files);
            self.seen.clone_from(&self.read);
        }
        Some(preset)
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |path: &PathBuf| {
        let file = fs::metadata(path).ok()?;
        Some((file.modified().ok()?, file.len()))
    };
    files.iter().map(stamp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A folder whose files get increasing times, however coarse the clock of the file system is.
    struct Folder(tempfile::TempDir, u64);

    impl Folder {
        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn write(&mut self, name: &str, text: &str) {
            fs::write(self.path(name), text).unwrap();
            self.1 += 1;
            let file = fs::File::options().write(true).open(self.path(name)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + self.1)).unwrap();
        }
    }

    /// Checks until a change is stable.
    fn check(watch: &mut PresetWatch, clock: &mut f64) -> Option<Result<Preset, String>> {
        (0..3).find_map(|_| {
            *clock += CHECK_SECONDS;
            watch.poll(*clock).map(|preset| preset.map_err(|error| error.to_string()))
        })
    }

    #[test]
    fn a_file_is_read_when_it_is_written_replaced_broken_and_corrected() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        let mut clock = 0.0;
        folder.write("mine.toml", "[sight]\nradius = 10\n");
        let mut watch = PresetWatch::new(&folder.path("mine.toml"));
        assert!(check(&mut watch, &mut clock).is_none(), "nothing has changed");
        folder.write("mine.toml", "[sight]\nradius = 11\n");
        assert_eq!(check(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 11);
        assert!(check(&mut watch, &mut clock).is_none(), "it is read once");
        // As editors do that write a new file and rename it.
        folder.write("mine.toml.new", "[sight]\nradius = 12\n");
        fs::rename(folder.path("mine.toml.new"), folder.path("mine.toml")).unwrap();
        assert_eq!(check(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 12);
        folder.write("mine.toml", "[sight]\nradius = twelve\n");
        assert!(check(&mut watch, &mut clock).unwrap().unwrap_err().contains("line 2"));
        assert!(check(&mut watch, &mut clock).is_none(), "a fault is reported once");
        fs::remove_file(folder.path("mine.toml")).unwrap();
        assert!(check(&mut watch, &mut clock).unwrap().unwrap_err().contains("no such file"));
        folder.write("mine.toml", "[sight]\nradius = 13\n");
        assert_eq!(check(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 13);
    }

    #[test]
    fn extended_files_are_watched_too() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        let mut clock = 0.0;
        folder.write("base.toml", "extends = \"fog\"\n[sight]\nradius = 10\n");
        folder.write("mine.toml", "extends = \"base.toml\"\n");
        let mut watch = PresetWatch::new(&folder.path("mine.toml"));
        folder.write("base.toml", "[sight]\nradius = 14\n");
        assert_eq!(check(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 14);
        folder.write("mine.toml", "[sight]\nradius = 15\n");
        assert_eq!(check(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 15);
        folder.write("base.toml", "[sight]\nradius = 99\n");
        assert!(check(&mut watch, &mut clock).is_none(), "it is extended no longer");
    }

    #[test]
    fn a_file_that_is_being_written_is_not_read_yet() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        folder.write("mine.toml", "[sight]\nradius = 10\n");
        let mut watch = PresetWatch::new(&folder.path("mine.toml"));
        folder.write("mine.toml", "[sight]\nrad");
        assert!(watch.poll(1.0).is_none());
        folder.write("mine.toml", "[sight]\nradius = 20\n");
        assert!(watch.poll(2.0).is_none());
        assert_eq!(watch.poll(3.0).unwrap().unwrap().sight.radius, 20);
    }
}
