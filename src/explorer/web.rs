//! The page around the module: its address, its downloads, its words. The other side is `web/farsight.js`.
//!
//! Why there is `unsafe` here, and nowhere else in the crate: functions of the browser come in as foreign functions,
//! and Rust takes no foreign function at its word. These are sound: they take and give nothing but handles of
//! `sapp-jsutils`, whole numbers that the page looks up in a table, so that no pointer and no length ever crosses;
//! whatever the page does with a handle, it cannot touch the module's memory by it. A handle that is passed is given
//! away: the page takes it out of its table.

use std::path::Path;

use sapp_jsutils::JsObject;

use super::options::{ExploreOptions, Start};
use crate::export::Link;
use crate::files::WriteError;
use glam::IVec2;

#[expect(unsafe_code, reason = "the only way to call the page; see the top of this file")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn farsight_query() -> JsObject;
    safe fn farsight_show(query: JsObject, command: JsObject);
    safe fn farsight_download(name: JsObject, bytes: JsObject);
    safe fn farsight_say(words: JsObject);
    safe fn farsight_fail(words: JsObject);
    safe fn farsight_ready();
}

/// The most cells of a world on a page: the browser stands still while it is made.
const MOST_CELLS: u64 = 1024 * 1024;

/// The scene of the page's address; what is wrong with it is said, and the default scene shown.
pub(super) fn options() -> ExploreOptions {
    let mut query = String::new();
    farsight_query().to_string(&mut query);
    match Link::parse(&query).map_err(|error| error.to_string()).and_then(small_enough) {
        Ok(Link { name, preset, viewer, .. }) => {
            let start = Start::Preset { preset: Box::new(preset), viewer };
            ExploreOptions { start, name, ..ExploreOptions::default() }
        }
        Err(words) => {
            farsight_say(JsObject::string(&words));
            ExploreOptions::default()
        }
    }
}

fn small_enough(link: Link) -> Result<Link, String> {
    let [width, height] = [link.preset.world.width, link.preset.world.height];
    if u64::from(width) * u64::from(height) > MOST_CELLS {
        return Err(format!(
            "the link: a world of {width}x{height} cells is too large for a page, which makes at most {MOST_CELLS} \
            cells; use the program"
        ));
    }
    if let Some(at) = link.viewer
        && !crate::grid::CellRect::of_size(IVec2::new(width as i32, height as i32)).contains(at)
    {
        return Err(format!("the link: at={},{} lies outside of the map of {width}x{height} cells", at.x, at.y));
    }
    Ok(link)
}

/// What the page was told last.
#[derive(Default)]
pub(super) struct Page {
    told: Option<Link>,
}

impl Page {
    /// Puts the scene into the address and shows the command that exports it to a file.
    pub(super) fn show(&mut self, link: Link, file: &str) {
        if self.told.as_ref() != Some(&link) {
            let command = format!("farsight export {} -o {}", link.flags(), crate::export::shell_quoted(file));
            farsight_show(JsObject::string(&link.query()), JsObject::string(&command));
            self.told = Some(link);
        }
    }
}

/// A first frame was drawn.
pub(super) fn ready() {
    farsight_ready();
}

/// The explorer ended, and why.
pub(super) fn fail(words: &str) {
    farsight_fail(JsObject::string(words));
}

/// Hands a file to the visitor.
pub(super) fn download(
    path: &Path,
    write: impl FnOnce(&mut dyn std::io::Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    let name = path.file_name().map_or_else(|| "farsight".into(), |name| name.to_string_lossy());
    farsight_download(JsObject::string(&name), JsObject::buffer(&bytes));
    Ok(())
}
