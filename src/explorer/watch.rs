//! [`Watch`]: a preset's file, read again when it changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::preset::{Preset, PresetError};

/// The files are looked at every so many seconds.
const EVERY: f64 = 0.5;

/// What tells that a file is another: a file that is saved, replaced or taken away changes it.
type Stamp = Option<(SystemTime, u64)>;

/// A preset's file and the files that it extends.
#[derive(Debug)]
pub(super) struct Watch {
    path: PathBuf,
    files: Vec<PathBuf>,
    /// What the files were when they were read last, and when they were looked at last.
    read: Vec<Stamp>,
    seen: Vec<Stamp>,
    next: f64,
}

impl Watch {
    /// Watches a file that was read a moment ago.
    pub(super) fn new(path: &Path) -> Self {
        let files = Preset::files(path);
        let read = stamps(&files);
        Self { path: path.to_owned(), files, seen: read.clone(), read, next: 0.0 }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The preset, or what is wrong with it, if a file has changed; `now` is a time in seconds. A file is read once it
    /// has rested from one look to the next, for an editor may write it in pieces.
    pub(super) fn poll(&mut self, now: f64) -> Option<Result<Preset, PresetError>> {
        if now < self.next {
            return None;
        }
        self.next = now + EVERY;
        let stamps = stamps(&self.files);
        let rests = stamps == self.seen;
        self.seen = stamps;
        if !rests || self.seen == self.read {
            return None;
        }
        self.read.clone_from(&self.seen);
        let preset = Preset::named(&self.path.display().to_string());
        if preset.is_ok() {
            // It may extend another one now. A faulty one does not tell: the old ones are watched on.
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

    /// A folder whose files get ever newer times, however coarse the file system's clock.
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

    /// Looks often enough for a change to rest.
    fn look(watch: &mut Watch, clock: &mut f64) -> Option<Result<Preset, String>> {
        (0..3).find_map(|_| {
            *clock += EVERY;
            watch.poll(*clock).map(|preset| preset.map_err(|error| error.to_string()))
        })
    }

    #[test]
    fn a_file_is_read_when_it_is_written_replaced_broken_and_mended() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        let mut clock = 0.0;
        folder.write("mine.toml", "[sight]\nradius = 10\n");
        let mut watch = Watch::new(&folder.path("mine.toml"));
        assert!(look(&mut watch, &mut clock).is_none(), "nothing has changed");
        folder.write("mine.toml", "[sight]\nradius = 11\n");
        assert_eq!(look(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 11);
        assert!(look(&mut watch, &mut clock).is_none(), "it is read once");
        // As editors do that write a new file and rename it.
        folder.write("mine.toml.new", "[sight]\nradius = 12\n");
        fs::rename(folder.path("mine.toml.new"), folder.path("mine.toml")).unwrap();
        assert_eq!(look(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 12);
        folder.write("mine.toml", "[sight]\nradius = twelve\n");
        assert!(look(&mut watch, &mut clock).unwrap().unwrap_err().contains("line 2"));
        assert!(look(&mut watch, &mut clock).is_none(), "a fault is told once");
        fs::remove_file(folder.path("mine.toml")).unwrap();
        assert!(look(&mut watch, &mut clock).unwrap().unwrap_err().contains("no such file"));
        folder.write("mine.toml", "[sight]\nradius = 13\n");
        assert_eq!(look(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 13);
    }

    #[test]
    fn a_file_that_is_extended_is_watched_too() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        let mut clock = 0.0;
        folder.write("base.toml", "extends = \"fog\"\n[sight]\nradius = 10\n");
        folder.write("mine.toml", "extends = \"base.toml\"\n");
        let mut watch = Watch::new(&folder.path("mine.toml"));
        folder.write("base.toml", "[sight]\nradius = 14\n");
        assert_eq!(look(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 14);
        folder.write("mine.toml", "[sight]\nradius = 15\n");
        assert_eq!(look(&mut watch, &mut clock).unwrap().unwrap().sight.radius, 15);
        folder.write("base.toml", "[sight]\nradius = 99\n");
        assert!(look(&mut watch, &mut clock).is_none(), "it is extended no longer");
    }

    #[test]
    fn a_file_that_is_still_being_written_is_left_alone() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        folder.write("mine.toml", "[sight]\nradius = 10\n");
        let mut watch = Watch::new(&folder.path("mine.toml"));
        folder.write("mine.toml", "[sight]\nrad");
        assert!(watch.poll(1.0).is_none());
        folder.write("mine.toml", "[sight]\nradius = 20\n");
        assert!(watch.poll(2.0).is_none());
        assert_eq!(watch.poll(3.0).unwrap().unwrap().sight.radius, 20);
    }
}
