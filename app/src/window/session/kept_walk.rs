//! [`KeptWalk`]: the work in a window, kept by itself in the folder of the user, so that it survives the end of the program.
//!
//! There is a bounded number of files. A window owns one by a lock, which ends with its process, however it ends. A page keeps its
//! scene in its address instead.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::SystemTime;

use crate::document::Document;
use crate::host::ON_PAGE;
use farsight_scene::export::SavedWalk;
use farsight_scene::files::{FileError, read_file, save_atomically};

/// The number of files, and so of windows at the same time that keep their work.
const FILES: usize = 8;

/// The time between two saves, in seconds.
const SECONDS: f64 = 1.0;

/// The maximum size of a file that is offered to be continued, in bytes.
const MAX_BYTES: u64 = 1 << 28;

/// The work in this window, and that of an earlier one.
#[derive(Default)]
pub(crate) struct KeptWalk {
    /// `None` if nothing is kept: on a page, with a script, without a folder of the user.
    folder: Option<PathBuf>,
    /// The file of this window, once there is work to keep.
    own: Option<OwnFile>,
    /// The newest work of a window that has ended, until it is continued or declined.
    pub(crate) earlier: Option<EarlierWalk>,
    /// The steps of work at the last save.
    kept_work: u64,
    /// The time of the next save, in seconds.
    next: f64,
    saving: Option<JoinHandle<Result<(), FileError>>>,
    /// Whether a failure was reported.
    has_failed: bool,
}

/// A file that no other window writes.
struct OwnFile {
    path: PathBuf,
    /// Held until the end of the process.
    _lock: File,
}

/// The work of a window that has ended.
#[derive(Debug)]
pub(crate) struct EarlierWalk {
    pub(crate) path: PathBuf,
    /// `temperate, seed 7, 3 hours ago`.
    pub(crate) title: String,
}

impl KeptWalk {
    /// Keeps the work below a folder of the user, and finds that of an earlier window.
    pub(crate) fn new(user_folder: Option<&Path>) -> Self {
        let folder = user_folder.filter(|_| !ON_PAGE).map(|folder| folder.join("kept"));
        let earlier = folder.as_deref().and_then(newest_walk);
        Self { folder, earlier, ..Self::default() }
    }

    /// Saves the work in the background if there is more of it than a moment ago; `now` is in seconds. An error says why it cannot
    /// be kept; it is reported once.
    pub(crate) fn update(&mut self, document: &Document, now: f64) -> Result<(), String> {
        if ON_PAGE || self.folder.is_none() || now < self.next {
            return Ok(());
        }
        if self.saving.as_ref().is_some_and(|saving| !saving.is_finished()) {
            return Ok(());
        }
        self.end_save()?;
        if self.is_due(document) {
            self.next = now + SECONDS;
            self.start_save(document)?;
        }
        Ok(())
    }

    /// Returns `true` if the file lacks some work.
    pub(crate) fn is_due(&self, document: &Document) -> bool {
        !ON_PAGE && self.folder.is_some() && document.work() != self.kept_work
    }

    /// Saves the work and waits for it, at the end of the window.
    pub(crate) fn finish(&mut self, document: &Document) {
        if !ON_PAGE && self.folder.is_some() {
            let _ = self.end_save(); // nobody is left to be told
            if self.is_due(document) && self.start_save(document).is_ok() {
                let _ = self.end_save();
            }
        }
    }

    fn end_save(&mut self) -> Result<(), String> {
        let Some(saving) = self.saving.take() else { return Ok(()) };
        match saving.join() {
            Ok(Err(error)) if !std::mem::replace(&mut self.has_failed, true) => {
                Err(format!("your work cannot be kept: {error}"))
            }
            Ok(Ok(())) => {
                self.has_failed = false;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn start_save(&mut self, document: &Document) -> Result<(), String> {
        let Some(scene) = document.scene().filter(|scene| !scene.is_preview()) else { return Ok(()) };
        let Some(folder) = &self.folder else { return Ok(()) };
        if self.own.is_none() {
            self.own = claim_file(folder);
        }
        let Some(own) = &self.own else {
            let words = format!("your work cannot be kept: no file of {} is free and writable", folder.display());
            self.folder = None;
            return Err(words);
        };
        let (scene, path) = (scene.clone(), own.path.clone());
        let (name, map) = (document.name().to_owned(), document.map().cloned());
        self.kept_work = document.work();
        self.saving = Some(std::thread::spawn(move || {
            let bytes = SavedWalk::of(&scene, &name, map.as_ref()).to_bytes();
            save_atomically(&path, |out| Ok(out.write_all(&bytes)?))
        }));
        Ok(())
    }
}

fn lock_path(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

/// Locks a file that no other process holds.
fn lock(path: &Path) -> Option<File> {
    let file = File::options().create(true).truncate(false).write(true).open(lock_path(path)).ok()?;
    file.try_lock().is_ok().then_some(file)
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    (1..=FILES).map(move |number| folder.join(format!("{number}.{}", SavedWalk::EXTENSION)))
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|file| file.modified()).ok()
}

/// Takes a free file, or else the oldest whose window has ended.
fn claim_file(folder: &Path) -> Option<OwnFile> {
    std::fs::create_dir_all(folder).ok()?;
    let mut paths: Vec<PathBuf> = files(folder).collect();
    paths.sort_by_cached_key(|path| modified(path)); // none is the least
    paths.into_iter().find_map(|path| lock(&path).map(|lock| OwnFile { path, _lock: lock }))
}

/// Returns the newest work of a window that has ended.
fn newest_walk(folder: &Path) -> Option<EarlierWalk> {
    let mut paths: Vec<PathBuf> = files(folder).filter(|path| path.exists()).collect();
    paths.sort_by_cached_key(|path| std::cmp::Reverse(modified(path)));
    let path = paths.into_iter().find(|path| lock(path).is_some())?;
    let walk = SavedWalk::from_bytes(&read_file(&path, MAX_BYTES).ok()?).ok()?;
    let land = walk.map.as_ref().map_or_else(|| format!("seed {}", walk.preset.world.seed), |map| map.name.clone());
    let name = if walk.name.is_empty() { "a preset of yours" } else { &walk.name };
    let age = modified(&path).and_then(|time| time.elapsed().ok()).map_or(String::new(), |age| age_text(age.as_secs()));
    Some(EarlierWalk { title: format!("{name}, {land}{age}"), path })
}

/// `, 3 hours ago`.
fn age_text(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..60 => return ", just now".into(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!(", {count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_own_different_files_and_the_oldest_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let windows: Vec<OwnFile> = (0..FILES).map(|_| claim_file(folder.path()).unwrap()).collect();
        let mut paths: Vec<&PathBuf> = windows.iter().map(|window| &window.path).collect();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), FILES);
        assert!(claim_file(folder.path()).is_none(), "a ninth window has no file");
        for (age, window) in windows.iter().enumerate() {
            let file = File::create(&window.path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(age as u64)).unwrap();
        }
        let oldest = windows[0].path.clone();
        drop(windows);
        assert_eq!(claim_file(folder.path()).unwrap().path, oldest);
    }

    #[test]
    fn damaged_work_is_not_offered() {
        let folder = tempfile::tempdir().unwrap();
        let window = claim_file(folder.path()).unwrap();
        std::fs::write(&window.path, "farsight walk").unwrap();
        assert!(newest_walk(folder.path()).is_none(), "the window is open");
        drop(window);
        assert!(newest_walk(folder.path()).is_none(), "the file is cut short");
    }

    #[test]
    fn ages_are_counted_in_one_unit() {
        let ages = [5, 60, 7300, 200_000].map(age_text);
        assert_eq!(ages, [", just now", ", 1 minute ago", ", 2 hours ago", ", 2 days ago"]);
    }
}
