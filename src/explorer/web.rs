//! The page around the module: address, downloads and messages. The other side is `web/farsight.js`.
//!
//! The functions of the page are foreign functions, which need `unsafe` to declare. They are sound: they pass only
//! handles of `sapp-jsutils`, integers that the page looks up in a table, and never a pointer or a length, so that the
//! page cannot access the memory of the module. The page removes a handle from its table when it receives it.

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
    safe fn farsight_has_fingers() -> i32;
}

/// The largest number of cells of a world on a page, whose memory the module, a worker and the window share.
const MAX_CELLS: u64 = 1024 * 1024;

/// Returns the scene of the address. If the address is not valid, shows the error and returns the default scene.
pub(super) fn options() -> ExploreOptions {
    let mut query = String::new();
    farsight_query().to_string(&mut query);
    match Link::parse(&query).map_err(|error| error.to_string()).and_then(check_size) {
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

fn check_size(link: Link) -> Result<Link, String> {
    let [width, height] = [link.preset.world.width, link.preset.world.height];
    if u64::from(width) * u64::from(height) > MAX_CELLS {
        return Err(format!(
            "the link: a world of {width}x{height} cells is too large for a page: at most {MAX_CELLS} cells; \
            use the program"
        ));
    }
    if let Some(at) = link.viewer
        && !crate::grid::CellRect::of_size(IVec2::new(width as i32, height as i32)).contains(at)
    {
        return Err(format!("the link: at={},{} is outside the map of {width}x{height} cells", at.x, at.y));
    }
    Ok(link)
}

/// The scene that the page shows in its address.
#[derive(Default)]
pub(super) struct Page {
    /// The link, and the flags of the look.
    shown: Option<(Link, String)>,
}

impl Page {
    /// Shows the scene in the address, and the command that exports it to a file, with the flags of its look.
    pub(super) fn show(&mut self, link: Link, look: &str, file: &str) {
        if self.shown.as_ref().is_none_or(|(shown, flags)| *shown != link || flags != look) {
            let command = format!("farsight export {}{look} -o {}", link.flags(), crate::export::shell_quoted(file));
            farsight_show(JsObject::string(&link.query()), JsObject::string(&command));
            self.shown = Some((link, look.to_owned()));
        }
    }
}

/// Returns `true` if the first pointer of the device is a finger.
pub(in crate::explorer) fn has_fingers() -> bool {
    farsight_has_fingers() != 0
}

/// Tells the page that the first frame is drawn.
pub(super) fn ready() {
    farsight_ready();
}

/// Tells the page that the explorer has ended.
pub(super) fn fail(words: &str) {
    farsight_fail(JsObject::string(words));
}

/// Offers a file as a download.
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
