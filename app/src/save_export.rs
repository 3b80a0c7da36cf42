//! [`save_export`] writes the explored scene to a file. [`saved_message`]: the message about a saved file.

use std::path::Path;

use crate::host::ON_PAGE;
use farsight_scene::export::ExportOptions;
use farsight_scene::files::{FileError, OutputFile, save_product};
use farsight_scene::scene::{Scene, SceneError};

/// Saves an export, a picture with its world file.
///
/// # Errors
/// [`SceneError`] if the scene lacks a layer of the options, and [`FileError`] for a failed write.
pub(crate) fn save_export<E>(scene: &Scene, options: &ExportOptions, output: &OutputFile) -> Result<(), E>
where
    E: From<SceneError> + From<FileError>,
{
    let product = options.product(scene, output.format)?;
    Ok(save_product(output, product)?)
}

/// Returns `Saved view.png in /home/me`; on a page, where it is a download, `Saved view.png`.
pub(crate) fn saved_message(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    match std::path::absolute(path).ok().as_deref().and_then(Path::parent) {
        Some(folder) if !ON_PAGE => format!("Saved {name} in {}", folder.display()),
        _ => format!("Saved {name}"),
    }
}
