//! The view in a terminal: an explorer in an interactive terminal, a drawing elsewhere.

use std::env;
use std::fmt::Write;
use std::io::{IsTerminal, stderr, stdin, stdout};

use super::failure::Failure;
use super::scene_args::SceneArgs;
use super::stdio::print_stdout;
use super::terminal_drawing::{ColourDepth, MapLook, TerminalStyle, draw, frame_around_viewer, plain_key};
use crate::stage_log;
use crate::terminal as terminal_explorer;

/// Columns and lines of a terminal of unknown size.
const DEFAULT_SIZE: [u16; 2] = [80, 24];

/// Lines below the drawing: the legend of the characters, two suggested commands, and the next prompt.
const LINES_BELOW: u16 = 4;

/// Explores the scene in the terminal if input and output are terminals, otherwise prints the view once.
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
    if style.colours.is_none() {
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
    if !(stdout().is_terminal() && switches_colours_on()) {
        return TerminalStyle::PLAIN;
    }
    style(|name| env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty()))
}

/// Returns `true` if the terminal shows colours. The console of Windows shows escape sequences as text until they are
/// enabled.
fn switches_colours_on() -> bool {
    #[cfg(windows)]
    return anstyle_query::windows::enable_ansi_colors().unwrap_or(false);
    #[cfg(not(windows))]
    true
}

/// Returns the style of a terminal by its non-empty environment variables.
///
/// # References
/// <https://no-color.org>; <https://github.com/termstandard/colors> for `COLORTERM`; POSIX, *Locale*, for the order of the variables.
fn style(variable: impl Fn(&str) -> Option<String>) -> TerminalStyle {
    let is_of_digital =
        |term: &str| term.strip_prefix("vt").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(&variable);
    let charset = locale.unwrap_or_default().to_ascii_lowercase();
    let is_unicode = cfg!(windows) || charset.contains("utf-8") || charset.contains("utf8");
    let is_true = variable("COLORTERM").is_some_and(|colours| colours == "truecolor" || colours == "24bit");
    let colours = match variable("TERM") {
        _ if variable("NO_COLOR").is_some() => None,
        None => cfg!(windows).then_some(ColourDepth::True),
        Some(term) if is_of_digital(&term) || ["dumb", "unknown"].contains(&&*term) => None,
        Some(term) if term.ends_with("-mono") || term.ends_with("-m") => None,
        Some(term) if is_true || term.ends_with("-direct") => Some(ColourDepth::True),
        Some(term) if term.contains("256color") => Some(ColourDepth::Indexed),
        Some(_) => Some(ColourDepth::Sixteen),
    };
    TerminalStyle { colours, is_unicode }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_decides_colours_and_characters() {
        use ColourDepth::{Indexed, Sixteen, True};
        for (variables, colours) in [
            ("TERM=xterm-256color", Some(Indexed)),
            ("TERM=screen-256color COLORTERM=yes", Some(Indexed)),
            ("TERM=xterm-256color COLORTERM=truecolor", Some(True)),
            ("TERM=xterm COLORTERM=24bit", Some(True)),
            ("TERM=xterm-direct", Some(True)),
            ("TERM=xterm", Some(Sixteen)),
            ("TERM=linux", Some(Sixteen)),
            ("TERM=vte-256color", Some(Indexed)),
            ("TERM=vt100", None),
            ("TERM=vt220 COLORTERM=truecolor", None),
            ("TERM=xterm-mono", None),
            ("TERM=dumb", None),
            ("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1", None),
        ] {
            for (locale, is_unicode) in [
                ("", false),
                ("LANG=C", false),
                ("LANG=de_DE.ISO-8859-1", false),
                ("LANG=de_DE.UTF-8", true),
                ("LC_CTYPE=C.utf8 LANG=C", true),
                ("LC_ALL=C LC_CTYPE=C.utf8 LANG=de_DE.UTF-8", false),
                ("LC_ALL=POSIX LANG=en_US.UTF-8", false),
            ] {
                let variables = format!("{variables} {locale}");
                let found = style(|name| {
                    let pairs = variables.split_whitespace().filter_map(|pair| pair.split_once('='));
                    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).next()
                });
                let is_unicode = is_unicode || cfg!(windows);
                assert_eq!(found, TerminalStyle { colours, is_unicode }, "{variables}");
            }
        }
    }
}
