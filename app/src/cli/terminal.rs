//! The view in a terminal: an explorer in a terminal of its own, a drawing elsewhere.

use std::env;
use std::fmt::Write;
use std::io::{IsTerminal, stderr, stdin, stdout};

use super::failure::Failure;
use super::scene_args::SceneArgs;
use super::stdio::print_stdout;
use super::terminal_drawing::{MapLook, TerminalStyle, draw, frame_around_viewer, plain_key};
use crate::stage_log;
use crate::terminal as terminal_explorer;

/// Columns and lines of a terminal of unknown size.
const DEFAULT_SIZE: [u16; 2] = [80, 24];

/// Lines below the drawing: the key of the characters, two suggested commands, and the next prompt.
const LINES_BELOW: u16 = 4;

/// Explores the scene in the terminal if it can be read and written, else prints the view once.
pub(crate) fn show_view(args: &SceneArgs) -> Result<(), Failure> {
    let term = env::var("TERM").ok();
    let is_dumb = cfg!(unix) && term.as_deref().is_none_or(|term| term.is_empty() || term == "dumb");
    let logs_to_terminal = stage_log::is_on() && stderr().is_terminal();
    if stdin().is_terminal() && stdout().is_terminal() && !is_dumb && !logs_to_terminal {
        return terminal_explorer::run(args, terminal_style());
    }
    print_view(args)
}

/// Draws the scene once, with the commands that export and explore it.
fn print_view(args: &SceneArgs) -> Result<(), Failure> {
    let (scene, _) = args.request()?.scene(false)?;
    let style = terminal_style();
    let [columns, lines] = match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), terminal_size::Height(lines))) if stdout().is_terminal() => {
            [columns, lines]
        }
        _ => DEFAULT_SIZE,
    };
    let frame = frame_around_viewer(&scene, [columns, lines.saturating_sub(LINES_BELOW)]);
    let mut text = draw(&scene, frame, MapLook::default(), style);
    if style == TerminalStyle::Plain {
        text += plain_key(&scene);
    }
    let flags = args.flags();
    let _ = writeln!(text, "Write it as a picture:  farsight export {flags}-o view.png");
    let explore = format!("farsight explore {flags}");
    let _ = writeln!(text, "Walk in it, on a display:  {}", explore.trim_end());
    print_stdout(text)
}

pub(crate) fn commands_without_window(args: &SceneArgs) -> String {
    let flags = args.flags();
    let [view, export] = [format!("farsight {flags}"), format!("farsight export {flags}-o view.png")];
    format!("look around in the terminal with `{}`, or write a picture with `{export}`", view.trim_end())
}

/// Returns the style for standard output and the environment.
fn terminal_style() -> TerminalStyle {
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()); // see no-color.org
    let has_colours = stdout().is_terminal() && switches_colours_on();
    style(no_color, env::var("TERM").ok().as_deref(), has_colours)
}

/// Returns `true` if the terminal shows colours. The console of Windows shows escape sequences as text until it is asked.
fn switches_colours_on() -> bool {
    #[cfg(windows)]
    return anstyle_query::windows::enable_ansi_colors().unwrap_or(false);
    #[cfg(not(windows))]
    true
}

fn style(no_color: bool, term: Option<&str>, has_colours: bool) -> TerminalStyle {
    if no_color || term == Some("dumb") || !has_colours { TerminalStyle::Plain } else { TerminalStyle::Colour }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_without_no_color_get_colour() {
        assert_eq!(style(false, Some("xterm"), true), TerminalStyle::Colour);
        assert_eq!(style(true, Some("xterm"), true), TerminalStyle::Plain);
        assert_eq!(style(false, Some("dumb"), true), TerminalStyle::Plain);
        assert_eq!(style(false, None, false), TerminalStyle::Plain);
    }
}
