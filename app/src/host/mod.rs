//! The host of the program: a system with files and folders, or a page in a browser. Both have the same functions.

use std::path::{Path, PathBuf};

#[cfg_attr(target_arch = "wasm32", path = "page.rs")]
#[cfg_attr(not(target_arch = "wasm32"), path = "system.rs")]
mod this_host;

pub(crate) use this_host::{
    ON_PAGE, copy_page_link, end_typing, fail, is_touch_device, keep, list_presets, now, read, ready, remove, save,
    shell, show_scene, type_text, user_folder,
};

/// Returns the folder of the presets in the folder of the user.
pub(crate) fn presets_folder(user_folder: &Path) -> PathBuf {
    user_folder.join("presets")
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
