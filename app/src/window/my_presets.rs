//! The presets that the user has saved: files of a folder, or on a page texts that the browser keeps.

use std::path::{Path, PathBuf};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crate::user_folder::list_presets;

#[cfg(target_arch = "wasm32")]
use super::page_storage;
#[cfg(target_arch = "wasm32")]
pub(crate) use super::page_storage::{keep, read, remove};
use crate::document::{OpenedFile, open};
#[cfg(target_arch = "wasm32")]
use crate::user_folder::preset_name;

/// Returns the presets that the browser keeps, in the order of their names.
#[cfg(target_arch = "wasm32")]
pub(crate) fn list_presets(folder: &Path) -> Vec<PathBuf> {
    let mut paths = page_storage::list(folder);
    paths.sort();
    paths
}

/// Reads a file, from its bytes if they are given. On a page, a path without bytes is that of a preset that the browser keeps.
pub(crate) fn open_file(path: Option<PathBuf>, bytes: Option<Vec<u8>>) -> Result<OpenedFile, String> {
    #[cfg(target_arch = "wasm32")]
    if let (Some(path), None) = (&path, &bytes) {
        let text = read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        return open(Some(path.clone()), Some(text.into_bytes()));
    }
    open(path, bytes)
}

/// Returns `true` if there is a saved preset.
pub(crate) fn is_saved(path: &Path) -> bool {
    #[cfg(not(target_arch = "wasm32"))]
    return path.exists();
    #[cfg(target_arch = "wasm32")]
    read(path).is_ok()
}

/// Returns what a page says of a preset that is saved, and kept or refused by the browser.
#[cfg(target_arch = "wasm32")]
pub(crate) fn kept_message(path: &Path, is_kept: bool) -> String {
    let name = preset_name(path);
    if is_kept {
        format!("Saved {name}: this browser keeps it under \"My presets\", and the download is for other devices")
    } else {
        format!("Downloaded {name}. This browser keeps nothing for the page: open the file to use it again")
    }
}
