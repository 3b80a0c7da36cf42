//! The user's presets: files of a folder, or on a page texts in the browser's storage.

use std::path::{Path, PathBuf};

use crate::document::{OpenedFile, open};
use crate::host::{ON_PAGE, read};

/// Reads a file, from its bytes if they are given. On a page, a path without bytes is that of a preset in the browser's
/// storage.
pub(crate) fn open_file(path: Option<PathBuf>, bytes: Option<Vec<u8>>) -> Result<OpenedFile, String> {
    match (path, bytes) {
        (Some(path), None) if ON_PAGE => {
            let text = read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            open(Some(path), Some(text.into_bytes()))
        }
        (path, bytes) => open(path, bytes),
    }
}

/// Returns `true` if there is a saved preset.
pub(crate) fn is_saved(path: &Path) -> bool {
    if ON_PAGE { read(path).is_ok() } else { path.exists() }
}
