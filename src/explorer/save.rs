//! Saves exports, presets, walks and screenshots.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use macroquad::texture::get_screen_data;

use crate::export::{Export, ExportOptions, PictureStyle, SavedWalk};
use crate::files::{self, FileError, Format, MapSource, WriteError};
use crate::paint::Unseen;
use crate::preset::Preset;
use crate::scene::Scene;

/// Saves the view in the format of the file extension, but not over one of the files that the scene is read from.
pub(super) fn export(
    scene: &Scene,
    name: &str,
    map: Option<&MapSource>,
    unseen: Unseen,
    path: &Path,
    inputs: &[PathBuf],
) -> Result<(), Box<dyn Error>> {
    let style = PictureStyle::Painted { scale: None, unseen };
    let options = ExportOptions::default().with_name(name).with_map(map.cloned()).with_style(style);
    let format = Format::from_path(path)?;
    let encode = |export: &Export, format, out: &mut dyn Write| export.write(format, style, out);
    #[cfg(not(target_arch = "wasm32"))]
    {
        let output = files::OutputFile { path: path.to_owned(), format };
        let inputs: Vec<_> = inputs.iter().map(|path| files::NamedInput { reader: "the scene", path }).collect();
        output.ensure_writable::<Box<dyn Error>>(&inputs)?;
        let export = Export::prepare(scene, format, &options)?;
        files::write_together(&[(&output, export)], encode, Export::world_file)?;
    }
    #[cfg(target_arch = "wasm32")] // A page reads no files and saves by downloads, a picture without its world file.
    {
        let _ = inputs;
        let export = Export::prepare(scene, format, &options)?;
        save(path, |out| encode(&export, format, out))?;
    }
    Ok(())
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
