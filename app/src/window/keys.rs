//! The keys and their commands, for the keyboard, for scripts and for the help on the screen.

use macroquad::input::KeyCode;

use super::command::{ExportedPart, Tool, WindowCommand};
use crate::document::Command;
use farsight_scene::paint::Backdrop;
use farsight_scene::scene::Layer;
use glam::ivec2;

/// The keys of a command.
pub(crate) struct Binding {
    /// Codes with their names in scripts.
    pub(crate) keys: &'static [(KeyCode, &'static str)],
    pub(crate) command: WindowCommand,
    /// Whether the command repeats while the key is held.
    pub(crate) repeats: bool,
    pub(crate) modifiers: Modifiers,
}

/// The held modifier keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modifiers {
    /// No relevant modifier.
    None,
    /// Ctrl, or Cmd.
    Ctrl,
    /// Ctrl or Cmd, and shift.
    CtrlShift,
}

impl Modifiers {
    pub(crate) fn of(ctrl: bool, shift: bool) -> Self {
        match (ctrl, shift) {
            (false, _) => Self::None,
            (true, false) => Self::Ctrl,
            (true, true) => Self::CtrlShift,
        }
    }
}

/// The lines of the help: keys and their effect.
pub(crate) const HELP: &[(&str, &str)] = &[
    ("W A S D, arrows", "walk"),
    ("Q E Z C, numpad", "walk diagonally"),
    ("click", "walk there, or open or close the door"),
    (". or numpad 5", "let a turn pass"),
    ("wheel, + -", "zoom"),
    ("drag", "move the map"),
    ("Space", "back to you"),
    ("[ ]", "smaller, larger radius"),
    ("1", "show the land"),
    ("2 3 4 5 6", "show elevation, humidity, vegetation, temperature, biomes"),
    ("7 8", "show opacity, visibility"),
    ("M", "hide the land that was never seen, or show it as on a map"),
    ("9", "the map, or visibility as exact squares (data)"),
    ("L", "show or hide the legend"),
    ("T", "add and remove lamps with clicks, or walk again"),
    ("O", "add and remove lookouts with clicks, or walk again"),
    ("U", "paint hills, lakes, woods or walls with a brush, or walk again"),
    (", ;", "the brush before, the next brush"),
    ("Ctrl+wheel, Shift+wheel", "size and strength of the brush"),
    ("I", "explain the cell below the pointer, or stop"),
    ("Y", "show or hide the panorama: what you see all around"),
    ("right-click, long press", "pin or unpin the explained cell"),
    ("G", "start or pause the clock: day and night"),
    ("J K", "an hour earlier, later"),
    ("PgUp PgDn", "clearer air, thicker fog"),
    ("R", "start or pause time without turns"),
    ("V", "compare two methods, presets, hours or worlds"),
    ("F", "forget everything out of sight"),
    ("N B", "next world, previous world"),
    ("Ctrl+O", "open a preset, map, heightmap, walk, export or link"),
    ("X", "export the part of the map that is on the screen as a picture"),
    ("Ctrl+S F5 F9", "save the walk to a new file, load the last one"),
    ("P, F12", "screenshot of the map, without panel and messages"),
    ("Ctrl+Z", "undo a stroke, or a change of settings, lamps, lookouts, doors or files; steps stay"),
    ("Ctrl+Shift+Z, Ctrl+Y", "redo"),
    ("0", "show or hide the side panel"),
    ("Tab, Shift+Tab", "the next control, the one before; Esc returns to the map"),
    ("Ctrl + - 0", "larger, smaller, normal panels"),
    ("H, F1", "this help"),
    ("Esc", "close this help, put the tool down, unpin the explained cell"),
];

const fn once(keys: &'static [(KeyCode, &'static str)], command: WindowCommand) -> Binding {
    Binding { keys, command, repeats: false, modifiers: Modifiers::None }
}

const fn repeated(keys: &'static [(KeyCode, &'static str)], command: WindowCommand) -> Binding {
    Binding { keys, command, repeats: true, modifiers: Modifiers::None }
}

const fn chord(modifiers: Modifiers, keys: &'static [(KeyCode, &'static str)], command: WindowCommand) -> Binding {
    Binding { keys, command, repeats: true, modifiers }
}

const fn chord_once(modifiers: Modifiers, keys: &'static [(KeyCode, &'static str)], command: WindowCommand) -> Binding {
    Binding { keys, command, repeats: false, modifiers }
}

const fn show(keys: &'static [(KeyCode, &'static str)], layer: Layer) -> Binding {
    once(keys, WindowCommand::Show(Backdrop::Layer(layer)))
}

use KeyCode::*;
use WindowCommand::Document;

/// All keys.
pub(crate) const BINDINGS: &[Binding] = &[
    repeated(&[(W, "w"), (Up, "up"), (Kp8, "kp8")], Document(Command::Walk(ivec2(0, -1)))),
    repeated(&[(S, "s"), (Down, "down"), (Kp2, "kp2")], Document(Command::Walk(ivec2(0, 1)))),
    repeated(&[(A, "a"), (Left, "left"), (Kp4, "kp4")], Document(Command::Walk(ivec2(-1, 0)))),
    repeated(&[(D, "d"), (Right, "right"), (Kp6, "kp6")], Document(Command::Walk(ivec2(1, 0)))),
    repeated(&[(Q, "q"), (Kp7, "kp7")], Document(Command::Walk(ivec2(-1, -1)))),
    repeated(&[(E, "e"), (Kp9, "kp9")], Document(Command::Walk(ivec2(1, -1)))),
    repeated(&[(Z, "z"), (Kp1, "kp1")], Document(Command::Walk(ivec2(-1, 1)))),
    repeated(&[(C, "c"), (Kp3, "kp3")], Document(Command::Walk(ivec2(1, 1)))),
    repeated(&[(Period, "."), (Kp5, "kp5")], Document(Command::WaitTurn)),
    once(&[(Equal, "+"), (KpAdd, "kp+")], WindowCommand::Zoom(1)),
    once(&[(Minus, "-"), (KpSubtract, "kp-")], WindowCommand::Zoom(-1)),
    once(&[(Space, "space"), (Home, "home")], WindowCommand::Centre),
    repeated(&[(LeftBracket, "[")], Document(Command::AddToRadius(-4))),
    repeated(&[(RightBracket, "]")], Document(Command::AddToRadius(4))),
    once(&[(Key1, "1")], WindowCommand::Show(Backdrop::Land)),
    show(&[(Key2, "2")], Layer::Elevation),
    show(&[(Key3, "3")], Layer::Humidity),
    show(&[(Key4, "4")], Layer::Vegetation),
    show(&[(Key5, "5")], Layer::Temperature),
    show(&[(Key6, "6")], Layer::Biome),
    show(&[(Key7, "7")], Layer::Opacity),
    show(&[(Key8, "8")], Layer::Visibility),
    once(&[(Key9, "9")], Document(Command::ToggleLook)),
    once(&[(M, "m")], WindowCommand::ToggleReveal),
    once(&[(L, "l")], Document(Command::ToggleLegend)),
    once(&[(T, "t")], WindowCommand::ToggleTool(Tool::Lamp)),
    once(&[(O, "o")], WindowCommand::ToggleTool(Tool::Lookout)),
    once(&[(U, "u")], WindowCommand::ToggleTool(Tool::Brush)),
    once(&[(Comma, ",")], WindowCommand::NextBrush(-1)),
    once(&[(Semicolon, ";")], WindowCommand::NextBrush(1)),
    once(&[(G, "g")], Document(Command::ToggleClock)),
    once(&[(R, "r")], Document(Command::ToggleTime)),
    repeated(&[(J, "j")], Document(Command::AddHours(-1))),
    repeated(&[(K, "k")], Document(Command::AddHours(1))),
    repeated(&[(PageUp, "pgup")], Document(Command::ScaleVisualRange(1.25))),
    repeated(&[(PageDown, "pgdn")], Document(Command::ScaleVisualRange(0.8))),
    once(&[(V, "v")], Document(Command::ToggleComparison)),
    once(&[(I, "i")], WindowCommand::ToggleInspector),
    once(&[(Y, "y")], WindowCommand::TogglePanorama),
    once(&[(F, "f")], Document(Command::Forget)),
    once(&[(N, "n")], Document(Command::AddToSeed(1))),
    once(&[(B, "b")], Document(Command::AddToSeed(-1))),
    once(&[(X, "x")], WindowCommand::Export(None, ExportedPart::Shown)),
    once(&[(F5, "f5")], WindowCommand::SaveWalk(None)),
    chord_once(Modifiers::Ctrl, &[(S, "ctrl+s")], WindowCommand::SaveWalk(None)),
    once(&[(F9, "f9")], WindowCommand::LoadWalk(None)),
    once(&[(P, "p"), (F12, "f12")], WindowCommand::Screenshot(None)),
    chord_once(Modifiers::Ctrl, &[(O, "ctrl+o")], WindowCommand::ToggleOpenDialog),
    chord(Modifiers::Ctrl, &[(Z, "ctrl+z")], Document(Command::Undo)),
    chord(Modifiers::Ctrl, &[(Y, "ctrl+y")], Document(Command::Redo)),
    chord(Modifiers::CtrlShift, &[(Z, "ctrl+shift+z")], Document(Command::Redo)),
    once(&[(Key0, "0")], WindowCommand::TogglePanel),
    chord(Modifiers::Ctrl, &[(Equal, "ctrl++"), (KpAdd, "ctrl+kp+")], WindowCommand::ScalePanels(Some(1))),
    chord(Modifiers::CtrlShift, &[(Equal, "ctrl+shift++")], WindowCommand::ScalePanels(Some(1))),
    chord(Modifiers::Ctrl, &[(Minus, "ctrl+-"), (KpSubtract, "ctrl+kp-")], WindowCommand::ScalePanels(Some(-1))),
    chord(Modifiers::Ctrl, &[(Key0, "ctrl+0"), (Kp0, "ctrl+kp0")], WindowCommand::ScalePanels(None)),
    once(&[(H, "h"), (F1, "f1"), (Slash, "/")], WindowCommand::ToggleHelp),
    once(&[(Escape, "escape")], WindowCommand::Close),
];

/// Returns the command of a key by its name.
pub(crate) fn command_of_key(name: &str) -> Option<WindowCommand> {
    let name = name.to_ascii_lowercase();
    BINDINGS
        .iter()
        .find(|binding| binding.keys.iter().any(|(_, key)| *key == name))
        .map(|binding| binding.command.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_binding_has_a_key_in_the_help() {
        let mut named = Vec::new();
        for (keys, _) in HELP {
            let keys = keys.to_lowercase();
            let (prefix, keys) = keys.strip_prefix("ctrl ").map_or(("", &*keys), |keys| ("ctrl+", keys));
            named.extend(keys.split(' ').map(|key| match key.len() {
                1 => format!("{prefix}{key}"),
                _ => format!("{prefix}{}", key.trim_end_matches(',')),
            }));
        }
        for binding in BINDINGS {
            // On some keyboards + needs Shift; the help shortens Escape.
            let mut names =
                binding.keys.iter().map(|(_, name)| name.replace("+shift++", "++").replace("escape", "esc"));
            assert!(names.any(|name| named.contains(&name)), "{:?}", binding.keys);
        }
    }

    #[test]
    fn no_key_does_two_things() {
        let mut names: Vec<&str> = BINDINGS.iter().flat_map(|b| b.keys.iter().map(|(_, name)| *name)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(command_of_key("W"), Some(Document(Command::Walk(ivec2(0, -1)))));
        assert_eq!(command_of_key("hyper"), None);
    }
}
