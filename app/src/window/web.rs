//! The start of a page: the scene of its address. The other side is `web/farsight.js`.
//!
//! The foreign functions are as safe as those of `host/page.rs`: they pass only handles and numbers.

use percent_encoding::percent_decode_str;
use sapp_jsutils::JsObject;

use super::command::WindowCommand;
use super::dialogs::{LoadedFile, Question};
use super::options::ExploreOptions;
use super::run::run;
use super::script::{self, ScriptLine, ScriptStep};
use crate::document::DocumentOptions;
use farsight_scene::export::Link;
use farsight_scene::scene::SceneCost;
use farsight_scene::text::excerpt;
use glam::IVec2;

#[expect(unsafe_code, reason = "the only way to call the page; see the top of this file")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn farsight_query() -> JsObject;
    safe fn farsight_say(words: JsObject);
}

/// The keys of the address that are script commands, with comma-separated arguments, and the accepted values.
const SCRIPTED: [(&str, &str); 2] = [
    ("split", "a method, preset,NAME, hour,HOUR or seed,NUMBER"),
    ("look", "the centre and the pixels per cell, X,Y,PIXELS"),
];

/// The maximum number of cells of a world on a page, whose memory the module, a worker and the window share.
const MAX_CELLS: u64 = 1024 * 1024;

/// Runs on a page, with the scene of its address. See `web/` for the page.
pub(crate) fn main_of_page() -> std::process::ExitCode {
    match run(options()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => error.exit_code().into(),
    }
}

/// Returns the scene of the address. For an invalid address, shows the error and returns the default scene.
fn options() -> ExploreOptions {
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
            let question = Question { cost, file: LoadedFile { opened: link.into(), path: None, picture: None } };
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
