//! The folder of the user: settings of the window, and presets that were saved without naming a folder.

use std::path::{Path, PathBuf};

#[cfg(not(target_arch = "wasm32"))]
use etcetera::BaseStrategy;

/// The environment variable for another folder.
#[cfg(not(target_arch = "wasm32"))]
const FOLDER_VARIABLE: &str = "FARSIGHT_CONFIG_DIR";

/// The most presets that are listed.
#[cfg(not(target_arch = "wasm32"))]
const MAX_LISTED: usize = 200;

/// Returns the folder that `FARSIGHT_CONFIG_DIR` names, or else, if `personal`, the one in the user's folder of configuration.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn user_folder(personal: bool) -> Option<PathBuf> {
    match std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None if personal => {
            etcetera::base_strategy::choose_native_strategy().ok().map(|user| user.config_dir().join("farsight"))
        }
        None => None,
    }
}

/// Returns the place of the texts that the browser keeps.
#[cfg(target_arch = "wasm32")]
pub(crate) fn user_folder(_personal: bool) -> Option<PathBuf> {
    Some(PathBuf::new())
}

/// Returns the folder of the presets in the folder of the user.
pub(crate) fn presets_folder(user_folder: &Path) -> PathBuf {
    user_folder.join("presets")
}

/// Returns the presets in a folder, in the order of their names.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn list_presets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let is_preset = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_preset).take(MAX_LISTED).collect();
    paths.sort();
    paths
}

/// Returns the name of a preset file, without its folder and extension.
pub(crate) fn preset_name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_presets_are_listed_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.toml", "a.toml", "notes.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let listed = list_presets(folder.path());
        assert_eq!(listed, ["a.toml", "b.toml"].map(|name| folder.path().join(name)));
        assert_eq!(preset_name(&listed[0]), "a");
        assert!(list_presets(&folder.path().join("missing")).is_empty());
    }
}
