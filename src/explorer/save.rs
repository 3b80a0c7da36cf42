//! Saves exports, presets, walks and screenshots.

use std::io::Write;
use std::path::{Path, PathBuf};

use macroquad::texture::get_screen_data;

use crate::export::{Export, ExportOptions, PictureStyle, SavedWalk};
use crate::files::{self, FileError, Format, MapSource, WriteError};
use crate::paint::Unseen;
use crate::preset::Preset;
use crate::scene::Scene;

/// Checks that a save replaces none of the files that the scene is read from.
///
/// # Errors
/// A sentence with the path.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn ensure_not_input(output: &Path, inputs: &[PathBuf]) -> Result<(), String> {
    let inputs: Vec<_> = inputs.iter().map(|path| files::NamedInput { reader: "the scene", path }).collect();
    files::ensure_not_input(output, &inputs).map_err(|error| error.to_string())
}

/// A page has no input files: it saves by downloads.
#[cfg(target_arch = "wasm32")]
pub(super) fn ensure_not_input(_: &Path, _: &[PathBuf]) -> Result<(), String> {
    Ok(())
}

/// Saves the view in the format of the file extension.
pub(super) fn export(
    scene: &Scene,
    name: &str,
    map: Option<&MapSource>,
    unseen: Unseen,
    path: &Path,
) -> Result<(), String> {
    let style = PictureStyle::Painted { scale: None, unseen };
    let options = ExportOptions { name: name.to_owned(), map: map.cloned(), style, ..ExportOptions::default() };
    let format = Format::from_path(path).map_err(|error| error.to_string())?;
    let export = Export::prepare(scene, format, &options).map_err(|error| error.to_string())?;
    let write = |out: &mut dyn Write| export.write(format, options.style, out);
    match format {
        Format::Png => save_picture(path, write, export.world_file(format).as_deref()),
        _ => save(path, write),
    }
    .map_err(|error| error.to_string())
}

/// Saves a preset, complete and commented.
pub(super) fn preset(preset: &Preset, path: &Path) -> Result<(), String> {
    let text = preset.to_toml();
    save(path, |out| Ok(out.write_all(text.as_bytes())?)).map_err(|error| error.to_string())
}

/// Saves a walk.
pub(super) fn walk(walk: &SavedWalk, path: &Path) -> Result<(), String> {
    save(path, |out| Ok(out.write_all(&walk.to_bytes())?)).map_err(|error| error.to_string())
}

/// Saves the screen.
pub(super) fn screenshot(path: &Path) -> Result<(), FileError> {
    let screen = get_screen_data();
    let row = usize::from(screen.width) * 4;
    let upright: Vec<u8> = screen.bytes.chunks_exact(row.max(1)).rev().flatten().copied().collect();
    let opaque: Vec<u8> = upright.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    save(path, |out| files::write_picture(out, screen.width.into(), screen.height.into(), &opaque, None))
}

/// Saves a file; on a page, offers it as a download.
fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), FileError> {
    #[cfg(not(target_arch = "wasm32"))]
    return files::save(path, write);
    #[cfg(target_arch = "wasm32")]
    crate::explorer::web::download(path, write).map_err(|fault| FileError::write(path, fault))
}

/// Saves a picture with its world file, or removes an older world file; on a page, only the picture is a download.
fn save_picture(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    world_file: Option<&str>,
) -> Result<(), FileError> {
    #[cfg(not(target_arch = "wasm32"))]
    {
        let picture = files::Staged::new(path, write)?;
        files::Staged::world_file(path, world_file)?.map_or(Ok(()), files::Staged::commit)?;
        picture.commit()
    }
    #[cfg(target_arch = "wasm32")]
    {
        let _ = world_file;
        save(path, write)
    }
}
