//! [`PresetWatch`]: rereads a preset file when it changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::SystemTime;

use farsight_scene::preset::{Preset, PresetError};

/// The time between two checks of the files, in seconds.
const CHECK_SECONDS: f64 = 0.5;

/// The timeout of a file, in seconds, such as a file on a disconnected network folder.
const LIMIT_SECONDS: f64 = 5.0;

/// Time and length of a file. They change when it is saved, replaced or removed.
type Stamp = Option<(SystemTime, u64)>;

/// A preset file and the files that it extends. A separate thread reads them, so that the window never waits for a
/// file.
///
/// Their times are compared twice a second. Notifications of the system (inotify and the like, by the crate `notify`)
/// do not come from network drives, have to watch folders, since editors replace a file by a new one, and differ
/// between systems; the times of a few files are sufficient on every system, at a negligible cost.
#[derive(Debug)]
pub(crate) struct PresetWatch {
    pub(crate) path: PathBuf,
    known: Known,
    /// The running check.
    check: Option<Check>,
    next_check: f64,
}

/// The state of the files at the last check.
#[derive(Clone, Debug)]
struct Known {
    files: Vec<PathBuf>,
    /// The stamps of the last read.
    read: Vec<Stamp>,
    /// The stamps of the last check.
    seen: Vec<Stamp>,
}

type CheckResult = (Known, Option<Result<Preset, PresetError>>);

#[derive(Debug)]
struct Check {
    result: Receiver<CheckResult>,
    /// The time of its report; infinity after it.
    limit: f64,
}

impl PresetWatch {
    /// Starts to watch a file that was just read.
    pub(crate) fn new(path: &Path) -> Self {
        let files = Preset::files(path);
        let read = stamps(&files);
        Self { path: path.to_owned(), known: Known { files, seen: read.clone(), read }, check: None, next_check: 0.0 }
    }

    /// Returns the preset, or its fault, if a file has changed; `now` is in seconds. It reads a file after two equal
    /// checks, since an editor can write it in pieces.
    pub(crate) fn poll(&mut self, now: f64) -> Option<Result<Preset, PresetError>> {
        match &mut self.check {
            None if now < self.next_check => None,
            None => {
                self.next_check = now + CHECK_SECONDS;
                self.start(now);
                None
            }
            Some(check) => match check.result.try_recv() {
                Ok((known, preset)) => {
                    (self.known, self.check) = (known, None);
                    preset
                }
                Err(TryRecvError::Empty) if now >= check.limit => {
                    check.limit = f64::INFINITY;
                    let reason = format!("there is no answer for {LIMIT_SECONDS} seconds");
                    Some(Err(PresetError::Read { origin: self.path.display().to_string(), reason }))
                }
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => {
                    self.check = None; // the thread has panicked
                    None
                }
            },
        }
    }

    fn start(&mut self, now: f64) {
        let (sender, result) = channel();
        let (path, known) = (self.path.clone(), self.known.clone());
        let work = move || {
            let _ = sender.send(checked(&path, known)); // the receiver is dropped if another preset was opened
        };
        if std::thread::Builder::new().spawn(work).is_ok() {
            self.check = Some(Check { result, limit: now + LIMIT_SECONDS });
        }
    }
}

/// Compares the files with their last stamps, and reads the preset if they have changed.
fn checked(path: &Path, mut known: Known) -> CheckResult {
    let stamps = stamps(&known.files);
    let is_stable = stamps == known.seen;
    known.seen = stamps;
    if !is_stable || known.seen == known.read {
        return (known, None);
    }
    known.read.clone_from(&known.seen);
    let preset = Preset::named(&path.display().to_string());
    if preset.is_ok() {
        // It can extend another file now. An invalid file does not name it, so the old files are kept.
        known.files = Preset::files(path);
        known.read = self::stamps(&known.files);
        known.seen.clone_from(&known.read);
    }
    (known, Some(preset))
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

    /// A folder whose files get increasing times, independent of the resolution of the file system's clock.
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

    /// Runs one check and waits for it.
    fn poll(watch: &mut PresetWatch, now: f64) -> Option<Result<Preset, PresetError>> {
        let mut preset = watch.poll(now);
        while watch.check.is_some() {
            preset = watch.poll(now);
            std::thread::yield_now();
        }
        preset
    }

    /// Checks until a change is stable.
    fn check(watch: &mut PresetWatch, clock: &mut f64) -> Option<Result<Preset, String>> {
        (0..3).find_map(|_| {
            *clock += CHECK_SECONDS;
            poll(watch, *clock).map(|preset| preset.map_err(|error| error.to_string()))
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
        assert!(poll(&mut watch, 1.0).is_none());
        folder.write("mine.toml", "[sight]\nradius = 20\n");
        assert!(poll(&mut watch, 2.0).is_none());
        assert_eq!(poll(&mut watch, 3.0).unwrap().unwrap().sight.radius, 20);
    }

    #[cfg(unix)]
    #[test]
    fn file_that_becomes_a_pipe_is_a_fault() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        let mut clock = 0.0;
        folder.write("mine.toml", "[sight]\nradius = 10\n");
        let mut watch = PresetWatch::new(&folder.path("mine.toml"));
        fs::remove_file(folder.path("mine.toml")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(folder.path("mine.toml")).status().unwrap().success());
        assert!(check(&mut watch, &mut clock).unwrap().unwrap_err().contains("it is a pipe, not a file"));
    }

    #[test]
    fn file_without_an_answer_is_reported_once_and_nothing_waits() {
        let mut folder = Folder(tempfile::tempdir().unwrap(), 0);
        folder.write("mine.toml", "[sight]\nradius = 10\n");
        let mut watch = PresetWatch::new(&folder.path("mine.toml"));
        let (sender, result) = channel::<CheckResult>();
        watch.check = Some(Check { result, limit: LIMIT_SECONDS });
        assert!(watch.poll(LIMIT_SECONDS - 0.1).is_none());
        let error = watch.poll(LIMIT_SECONDS).unwrap().unwrap_err().to_string();
        assert!(error.ends_with("there is no answer for 5 seconds"), "{error}");
        assert!(watch.poll(99.0).is_none(), "it is reported once");
        sender.send((watch.known.clone(), None)).unwrap();
        assert!(watch.poll(100.0).is_none() && watch.check.is_none(), "then it goes on");
    }
}
