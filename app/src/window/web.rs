//! The page around the module: address, downloads and messages. The other side is `web/farsight.js`.
//!
//! The functions of the page are foreign functions, which need `unsafe` to declare. They are sound: they pass only
//! handles of `sapp-jsutils`, integers that the page looks up in a table, and never a pointer or a length, so that the
//! page cannot access the memory of the module. The page removes a handle from its table when it receives it.

use std::path::Path;

use percent_encoding::percent_decode_str;
use sapp_jsutils::JsObject;

use super::command::WindowCommand;
use super::options::ExploreOptions;
use super::script::{self, ScriptLine, ScriptStep};
use super::session::{Question, ReadFile};
use crate::document::DocumentOptions;
use farsight_scene::export::{Link, Shell};
use farsight_scene::files::WriteError;
use farsight_scene::scene::SceneCost;
use farsight_scene::text::excerpt;
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
    safe fn farsight_is_touch() -> i32;
    safe fn farsight_is_windows() -> i32;
    safe fn farsight_type(text: JsObject);
    safe fn farsight_end_typing();
}

/// The keys of the address that are commands of a script, whose arguments have commas between them, and what is accepted.
const SCRIPTED: [(&str, &str); 2] = [
    ("split", "a method, preset,NAME, hour,HOUR or seed,NUMBER"),
    ("look", "the middle and the pixels of a cell, X,Y,PIXELS"),
];

/// The largest number of cells of a world on a page, whose memory the module, a worker and the window share.
const MAX_CELLS: u64 = 1024 * 1024;

/// Returns the scene of the address. If the address is not valid, shows the error and returns the default scene.
pub(crate) fn options() -> ExploreOptions {
    let mut query = String::new();
    farsight_query().to_string(&mut query);
    let link = Link::parse(&query).map_err(|error| error.to_string()).and_then(check_size);
    match link.and_then(|link| Ok((link, script_of(&query)?))) {
        Ok((link, script)) => {
            let cost = SceneCost::of_generated(&link.preset, link.viewer);
            if !cost.is_over_budget() {
                let document = DocumentOptions { viewer: link.viewer, ..DocumentOptions::new(link.preset, &link.name) };
                return ExploreOptions { document, script, ..ExploreOptions::default() };
            }
            let question = Question { cost, file: ReadFile { opened: link.into(), path: None, picture: None } };
            ExploreOptions { question: Some(question), ..ExploreOptions::default() }
        }
        Err(words) => {
            farsight_say(JsObject::string(&words));
            ExploreOptions::default()
        }
    }
}

/// Returns the script that shows the comparison and the part of the map of a query.
fn script_of(query: &str) -> Result<Option<String>, String> {
    let mut script = String::new();
    for (key, expected) in SCRIPTED {
        let value = |part: &'_ str| part.strip_prefix(key)?.strip_prefix('=').map(str::to_owned);
        let Some(value) = query.split('&').find_map(value) else { continue };
        let value = percent_decode_str(&value).decode_utf8_lossy();
        let line = format!("{key} {}", value.replace(',', " "));
        let is_line = !line.contains(char::is_control);
        // A page has no files.
        let is_of_file = |line: &ScriptLine| matches!(line.step, ScriptStep::Run(WindowCommand::CompareWithFile(_)));
        if !is_line || !script::parse(&line).is_ok_and(|lines| lines.len() == 1 && !lines.iter().any(is_of_file)) {
            return Err(format!("the link: {key}={} is not valid: expected {expected}", excerpt(&value)));
        }
        script = script + &line + "\n";
    }
    Ok((!script.is_empty()).then_some(script))
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
        && !farsight::grid::CellRect::of_size(IVec2::new(width as i32, height as i32)).contains(at)
    {
        return Err(format!("the link: at={},{} is outside the map of {width}x{height} cells", at.x, at.y));
    }
    Ok(link)
}

/// The scene that the page shows in its address.
#[derive(Default)]
pub(crate) struct Page {
    /// The link, the part of the query with comparison and part of the map, and the flags of the look.
    shown: Option<(Link, String, String)>,
}

impl Page {
    /// Shows the scene in the address, and the command that exports it to a file, with the flags of its look.
    pub(crate) fn show(&mut self, link: Link, view: String, look: &str, file: &str) {
        let shown = Some((link, view, look.to_owned()));
        if self.shown == shown {
            return;
        }
        if let Some((link, view, _)) = &shown {
            let shell = shell();
            let command = format!("farsight export {}{look} -o {}", link.flags(shell), shell.quote(file));
            let mut query = link.query();
            if !query.is_empty() {
                query += view;
            }
            farsight_show(JsObject::string(&query), JsObject::string(&command));
        }
        self.shown = shown;
    }
}

/// Returns the shell of the device, to which a command is copied.
pub(crate) fn shell() -> Shell {
    if farsight_is_windows() != 0 { Shell::Windows } else { Shell::Posix }
}

/// Returns `true` if the first pointer of the device is a finger.
pub(crate) fn is_touch_device() -> bool {
    farsight_is_touch() != 0
}

/// Shows a field of the page with a text, so that a phone shows its keyboard. What is typed there comes as keys.
pub(crate) fn type_text(text: &str) {
    farsight_type(JsObject::string(text));
}

/// Hides the field of the page.
pub(crate) fn end_typing() {
    farsight_end_typing();
}

/// Tells the page that the first frame is drawn.
pub(crate) fn ready() {
    farsight_ready();
}

/// Tells the page that the explorer has ended.
pub(crate) fn fail(words: &str) {
    farsight_fail(JsObject::string(words));
}

/// Offers a file as a download.
pub(crate) fn download(
    path: &Path,
    write: impl FnOnce(&mut dyn std::io::Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    let name = path.file_name().map_or_else(|| "farsight".into(), |name| name.to_string_lossy());
    farsight_download(JsObject::string(&name), JsObject::buffer(&bytes));
    Ok(())
}
