//! Where a picture goes.

use std::path::Path;

use super::exit::Failure;
use super::export::check_folder;
use crate::files::Format;

/// What words call a file; `-` is standard output.
pub(super) fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard output".to_owned() } else { path.display().to_string() }
}

/// So many of a thing, which takes an `s` if there is not one of it: `1 frame`, `81 frames`.
pub(super) fn some(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Refuses, before any work, to write over a file that is read: a map, or terrain that someone measured, would be gone.
pub(super) fn spare<'a>(
    output: impl IntoIterator<Item = &'a Path>,
    read: &[(&'static str, &Path)],
) -> Result<(), Failure> {
    let place = |path: &Path| path.canonicalize().ok().filter(|place| place.is_file());
    for path in output {
        let Some(written) = place(path) else { continue }; // nothing is there yet, or nothing that can be lost
        if let Some((what, _)) = read.iter().find(|(_, other)| place(other).as_ref() == Some(&written)) {
            let path = path.display();
            return Err(Failure::usage(format!("-o {path} would write over the file that {what} reads; name another")));
        }
    }
    Ok(())
}

/// Refuses, before any work, what is no `.png` or lies in no folder.
pub(super) fn check_png(path: &Path) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return Ok(());
    }
    match Format::from_path(path) {
        Ok(Format::Png) => Ok(check_folder(path)?),
        _ => Err(Failure::usage(format!("-o {}: this picture is a .png", path.display()))),
    }
}
