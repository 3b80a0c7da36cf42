//! A system with files, folders and a clock. `page.rs` has the same functions for a page.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use etcetera::BaseStrategy;

use farsight_scene::export::Shell;
use farsight_scene::files::{self, FileError, WriteError, read_file, save_atomically};

/// `true` on a page. It reads only files that the user gives to it, and saves by downloads.
pub(crate) const ON_PAGE: bool = false;

/// The environment variable for another folder of the user.
const FOLDER_VARIABLE: &str = "FARSIGHT_CONFIG_DIR";

/// The maximum number of listed presets.
const MAX_LISTED: usize = 200;

/// A limit above the size of any stored text, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the time in seconds since an arbitrary moment.
pub(crate) fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Returns the folder of the user, for settings of the window and saved presets: the folder named by
/// `FARSIGHT_CONFIG_DIR`, or else, if `personal`, that in the user's configuration folder.
pub(crate) fn user_folder(personal: bool) -> Option<PathBuf> {
    match std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None if personal => {
            etcetera::base_strategy::choose_native_strategy().ok().map(|user| user.config_dir().join("farsight"))
        }
        None => None,
    }
}

/// Returns the presets in a folder, sorted by name.
pub(crate) fn list_presets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let is_preset = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_preset).take(MAX_LISTED).collect();
    paths.sort();
    paths
}

/// Reads a stored text.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] if it does not exist; [`io::ErrorKind::InvalidData`] if it is not text.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let bytes = read_file(path, MAX_BYTES)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Stores a text under a path, replacing an old one. Returns `false` if it cannot be written.
pub(crate) fn keep(path: &Path, text: &str) -> bool {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    save_atomically(path, |out| Ok(out.write_all(text.as_bytes())?)).is_ok()
}

/// Removes a stored text. Only a page offers that.
pub(crate) fn remove(_: &Path) {}

/// Saves a file.
pub(crate) fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), FileError> {
    files::save(path, write)
}

/// Returns the shell of the user.
pub(crate) fn shell() -> Shell {
    Shell::of_system()
}

/// Returns `true` if the first pointer of the device is known to be a finger.
pub(crate) fn is_touch_device() -> bool {
    false
}

/// Shows the address of the scene and the command that exports it; only on a page.
pub(crate) fn show_scene(_query: &str, _command: &str) {}

/// Shows the keyboard of a phone, for a field with a text; only on a page.
pub(crate) fn type_text(_: &str) {}

/// Copies the address of the page; only on a page.
pub(crate) fn copy_page_link() {}

/// Hides the keyboard of a phone.
pub(crate) fn end_typing() {}

/// Notifies a page of the first frame.
pub(crate) fn ready() {}

/// Notifies a page of the end of the explorer. A program returns the error.
pub(crate) fn fail(_: &str) {}
