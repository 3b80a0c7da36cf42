//! Where a picture goes.

use std::path::Path;

use super::exit::Failure;
use crate::files::{Format, InputFile, OutputFile, ensure_folder, ensure_not_input, is_stdout};

/// What words call a file; `-` is standard output.
pub(super) fn name(path: &Path) -> String {
    if is_stdout(path) { "standard output".to_owned() } else { path.display().to_string() }
}

/// So many of a thing, which takes an `s` if there is not one of it: `1 frame`, `81 frames`.
pub(super) fn some(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Refuses, before any work, outputs that would overwrite an input: a map, or terrain that someone measured.
pub(super) fn check_inputs<'a>(
    outputs: impl IntoIterator<Item = &'a OutputFile>,
    inputs: &[InputFile<'_>],
) -> Result<(), Failure> {
    for output in outputs {
        check_input(&output.path, inputs)?;
        if let Some(world_file) = output.world_file() {
            check_input(&world_file, inputs)?;
        }
    }
    Ok(())
}

/// Refuses, before any work, a path that would overwrite an input.
pub(super) fn check_input(path: &Path, inputs: &[InputFile<'_>]) -> Result<(), Failure> {
    ensure_not_input(path, inputs).map_err(|error| Failure::usage(format!("-o {error}")))
}

/// Refuses, before any work, what is no `.png` or lies in no folder.
pub(super) fn check_png(path: &Path) -> Result<(), Failure> {
    if is_stdout(path) {
        return Ok(());
    }
    match Format::from_path(path) {
        Ok(Format::Png) => Ok(ensure_folder(path)?),
        _ => Err(Failure::usage(format!("-o {}: this picture is a .png", path.display()))),
    }
}
