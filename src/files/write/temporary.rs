//! Temporary files: named after the process that writes them, locked while it does, and removed later if it was killed.

use std::fs::{self, File, Metadata};
use std::path::Path;
use std::time::Duration;

const PREFIX: &str = ".farsight-";
const SUFFIX: &str = ".tmp";

/// Calls `make` with the names of new temporary files and folders.
pub(super) fn with_new_name<T>(make: impl FnOnce(&mut tempfile::Builder<'_, '_>) -> T) -> T {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    make(tempfile::Builder::new().prefix(&prefix).suffix(SUFFIX))
}

/// Marks a temporary file or folder as in use for as long as it is open. Not every file system can.
pub(super) fn hold(file: &File) {
    if cfg!(unix) {
        let _ = file.try_lock();
    }
}

/// Removes the temporary files that killed processes have left in a folder. A failure is ignored: they only take room.
pub(super) fn remove_stale(folder: &Path) {
    if !cfg!(unix) {
        return; // a lock there would keep the process itself from its file
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)) else {
            continue;
        };
        let path = entry.path();
        match fs::symlink_metadata(&path) {
            Ok(file) if file.is_file() && is_left(name, &file) && !is_held(&path) => {
                let _ = fs::remove_file(&path);
            }
            Ok(file) if file.is_dir() && is_left(name, &file) && !is_held(&path) => {
                let _ = fs::remove_dir_all(&path);
            }
            _ => {}
        }
    }
}

/// Returns `true` if the process that the name names has ended, or the file is not new: between its creation and its lock
/// there is a moment.
fn is_left(name: &str, file: &Metadata) -> bool {
    const NEW: Duration = Duration::from_secs(60);
    let is_old = || file.modified().ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age > NEW);
    let process = name.split_once('-').and_then(|(process, _)| process.parse::<u32>().ok());
    match process {
        Some(process) if Path::new("/proc/self").exists() => {
            !Path::new(&format!("/proc/{process}")).exists() || is_old() && process != std::process::id()
        }
        _ => is_old(),
    }
}

fn is_held(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_err())
}
