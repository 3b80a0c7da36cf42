//! Texts that are kept in files: settings of the window and presets. `page_storage.rs` has the same functions for a page.

use std::io;
use std::path::Path;

use farsight_scene::files::{read_file, save_atomically};

/// Far more bytes than a text has.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a kept text.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] if there is none; [`io::ErrorKind::InvalidData`] if it is no text.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let bytes = read_file(path, MAX_BYTES)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Keeps a text in place of the one of the same path. Returns `false` if it cannot be written.
pub(crate) fn keep(path: &Path, text: &str) -> bool {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    save_atomically(path, |out| Ok(out.write_all(text.as_bytes())?)).is_ok()
}
