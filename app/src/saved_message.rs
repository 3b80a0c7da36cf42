//! The message that a file is saved.

use std::path::Path;

/// Returns `Saved view.png in /home/me`; on a page, where it is a download, `Saved view.png`.
pub(crate) fn saved_message(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    match std::path::absolute(path).ok().as_deref().and_then(Path::parent) {
        Some(folder) if cfg!(not(target_arch = "wasm32")) => format!("Saved {name} in {}", folder.display()),
        _ => format!("Saved {name}"),
    }
}
