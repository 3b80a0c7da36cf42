//! Texts that the browser keeps for the page: settings of the window and presets. The other side is `web/farsight.js`.
//!
//! The foreign functions are as safe as those of `web.rs`: they pass only handles and numbers.

use std::io;
use std::path::{Path, PathBuf};

use sapp_jsutils::JsObject;

#[expect(unsafe_code, reason = "the only way to call the page; see the top of web.rs")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn farsight_kept_names() -> JsObject;
    safe fn farsight_kept(name: JsObject) -> JsObject;
    safe fn farsight_keep(name: JsObject, text: JsObject) -> i32;
    safe fn farsight_drop_kept(name: JsObject);
}

/// Returns the paths of the kept presets in a folder, in the order of their names.
pub(crate) fn list_presets(folder: &Path) -> Vec<PathBuf> {
    let mut names = String::new();
    farsight_kept_names().to_string(&mut names);
    let mut paths: Vec<PathBuf> =
        names.lines().map(PathBuf::from).filter(|path| path.parent() == Some(folder)).collect();
    paths.sort();
    paths
}

/// Reads a kept text.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] if there is none, or if the browser keeps nothing.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    farsight_kept(name_of(path)).to_string(&mut text);
    if text.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(text) }
}

/// Keeps a text in place of the one of the same path. Returns `false` if the browser refuses it.
pub(crate) fn keep(path: &Path, text: &str) -> bool {
    farsight_keep(name_of(path), JsObject::string(text)) != 0
}

/// Drops a kept text.
pub(crate) fn remove(path: &Path) {
    farsight_drop_kept(name_of(path));
}

fn name_of(path: &Path) -> JsObject {
    JsObject::string(&path.to_string_lossy())
}
