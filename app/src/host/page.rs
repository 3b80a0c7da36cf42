//! A page: texts in the storage of the browser, downloads, the clock. `system.rs` has the same functions for a system;
//! the other side is `web/farsight.js`.
//!
//! The functions of the page are foreign functions, which need `unsafe` to declare. They are sound: they pass only
//! handles of `sapp-jsutils`, which index a table of the page, and never a pointer or a length, so that the page cannot
//! access the memory of the module. The page removes a handle from its table when it receives it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use macroquad::miniquad::date::now;
use sapp_jsutils::JsObject;

use farsight_scene::export::Shell;
use farsight_scene::files::{FileError, WriteError};

#[expect(unsafe_code, reason = "the only way to call the page; see the top of this file")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn farsight_kept_names() -> JsObject;
    safe fn farsight_kept(name: JsObject) -> JsObject;
    safe fn farsight_keep(name: JsObject, text: JsObject) -> i32;
    safe fn farsight_drop_kept(name: JsObject);
    safe fn farsight_show(query: JsObject, command: JsObject);
    safe fn farsight_download(name: JsObject, bytes: JsObject);
    safe fn farsight_fail(words: JsObject);
    safe fn farsight_ready();
    safe fn farsight_is_touch() -> i32;
    safe fn farsight_is_windows() -> i32;
    safe fn farsight_type(text: JsObject);
    safe fn farsight_end_typing();
    safe fn farsight_copy_link();
}

/// `true` on a page. It reads only files that the user gives to it, and saves by downloads.
pub(crate) const ON_PAGE: bool = true;

/// Returns the place of the texts in the browser's storage.
pub(crate) fn user_folder(_personal: bool) -> Option<PathBuf> {
    Some(PathBuf::new())
}

/// Returns the paths of the stored presets in a folder, sorted by name.
pub(crate) fn list_presets(folder: &Path) -> Vec<PathBuf> {
    let mut names = String::new();
    farsight_kept_names().to_string(&mut names);
    let mut paths: Vec<PathBuf> =
        names.lines().map(PathBuf::from).filter(|path| path.parent() == Some(folder)).collect();
    paths.sort();
    paths
}

/// Reads a stored text.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] if it does not exist, or if the browser has no storage.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    farsight_kept(name_of(path)).to_string(&mut text);
    if text.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(text) }
}

/// Stores a text under a path, replacing an old one. Returns `false` if the browser refuses it.
pub(crate) fn keep(path: &Path, text: &str) -> bool {
    farsight_keep(name_of(path), JsObject::string(text)) != 0
}

/// Removes a stored text.
pub(crate) fn remove(path: &Path) {
    farsight_drop_kept(name_of(path));
}

fn name_of(path: &Path) -> JsObject {
    JsObject::string(&path.to_string_lossy())
}

/// Offers a file as a download.
pub(crate) fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), FileError> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|fault| FileError::Write { file: path.display().to_string(), fault })?;
    let name = path.file_name().map_or_else(|| "farsight".into(), |name| name.to_string_lossy());
    farsight_download(JsObject::string(&name), JsObject::buffer(&bytes));
    Ok(())
}

/// Returns the shell of the device, for copied commands.
pub(crate) fn shell() -> Shell {
    if farsight_is_windows() != 0 { Shell::Windows } else { Shell::Posix }
}

/// Returns `true` if the first pointer of the device is a finger.
pub(crate) fn is_touch_device() -> bool {
    farsight_is_touch() != 0
}

/// Shows the scene in the address, and the command that exports it.
pub(crate) fn show_scene(query: &str, command: &str) {
    farsight_show(JsObject::string(query), JsObject::string(command));
}

/// Shows a field of the page with a text, so that a phone shows its keyboard. Typed text arrives as keys.
pub(crate) fn type_text(text: &str) {
    farsight_type(JsObject::string(text));
}

/// Copies the address of the page, as its button does.
pub(crate) fn copy_page_link() {
    farsight_copy_link();
}

/// Hides the field of the page.
pub(crate) fn end_typing() {
    farsight_end_typing();
}

/// Notifies the page of the first frame.
pub(crate) fn ready() {
    farsight_ready();
}

/// Notifies the page of the end of the explorer.
pub(crate) fn fail(words: &str) {
    farsight_fail(JsObject::string(words));
}
