//! [`TerminalCommand`]: the meaning of a key, on the map and in a list.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glam::ivec2;

use crate::document::Command;

/// The action of a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TerminalCommand {
    /// Changes the document.
    Document(Command),
    /// Opens or closes a door next to the viewer.
    ToggleNearDoor,
    ToggleUnseen,
    ToggleLegend,
    ToggleHelp,
    TogglePresets,
    TogglePanorama,
    Export,
    /// Moves the selection of a list by this many rows.
    Move(i32),
    Choose,
    /// Closes a list, or else ends the explorer.
    Close,
    Quit,
    /// Ends the explorer, as Ctrl-C.
    Interrupt,
}

impl From<Command> for TerminalCommand {
    fn from(command: Command) -> Self {
        Self::Document(command)
    }
}

/// The lines of the help: keys and their effect.
pub(crate) const HELP: &[(&str, &str)] = &[
    ("arrows, h j k l", "walk"),
    ("y u b n, Home PgUp End PgDn", "walk diagonally"),
    ("1 to 9", "walk, as on a number pad"),
    (". or 5", "let a turn pass"),
    ("o", "open or close the door next to you, rather the one that you last walked towards"),
    ("p", "choose a preset"),
    ("N B", "next world, previous world"),
    ("f F", "thicker fog, thinner fog"),
    ("< >", "an hour earlier, later"),
    ("[ ]", "smaller, larger radius"),
    ("m", "hide the land that was never seen, or show it"),
    ("a", "the map, or visibility as data"),
    ("Y", "the panorama of your view, below the map"),
    ("Tab", "legend and creatures in view"),
    ("Ctrl+Z Ctrl+Y", "undo what a key or a preset changed, redo it"),
    ("e", "export the whole view as a picture, in the look of the screen"),
    ("?", "this help"),
    ("q, Esc", "quit"),
];

/// Returns the command of a key. A list takes the keys that move in it.
pub(crate) fn command_of(key: KeyEvent, is_list: bool) -> Option<TerminalCommand> {
    let is_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if is_ctrl => Some(TerminalCommand::Interrupt),
        KeyCode::Char('z') if is_ctrl && !is_list => Some(Command::Undo.into()),
        KeyCode::Char('y') if is_ctrl && !is_list => Some(Command::Redo.into()),
        _ if is_ctrl || key.modifiers.contains(KeyModifiers::ALT) => None,
        code if is_list => in_list(code),
        code => on_map(code),
    }
}

fn on_map(code: KeyCode) -> Option<TerminalCommand> {
    let walk = |x, y| Some(Command::Walk(ivec2(x, y)).into());
    match code {
        KeyCode::Left | KeyCode::Char('h' | '4') => walk(-1, 0),
        KeyCode::Down | KeyCode::Char('j' | '2') => walk(0, 1),
        KeyCode::Up | KeyCode::Char('k' | '8') => walk(0, -1),
        KeyCode::Right | KeyCode::Char('l' | '6') => walk(1, 0),
        KeyCode::Home | KeyCode::Char('y' | '7') => walk(-1, -1),
        KeyCode::PageUp | KeyCode::Char('u' | '9') => walk(1, -1),
        KeyCode::End | KeyCode::Char('b' | '1') => walk(-1, 1),
        KeyCode::PageDown | KeyCode::Char('n' | '3') => walk(1, 1),
        KeyCode::Char('.' | '5') => Some(Command::WaitTurn.into()),
        KeyCode::Char('o') => Some(TerminalCommand::ToggleNearDoor),
        KeyCode::Char('[') => Some(Command::AddToRadius(-4).into()),
        KeyCode::Char(']') => Some(Command::AddToRadius(4).into()),
        KeyCode::Char('<') => Some(Command::AddHours(-1).into()),
        KeyCode::Char('>') => Some(Command::AddHours(1).into()),
        KeyCode::Char('f') => Some(Command::ScaleVisualRange(0.5).into()),
        KeyCode::Char('F') => Some(Command::ScaleVisualRange(2.0).into()),
        KeyCode::Char('N') => Some(Command::AddToSeed(1).into()),
        KeyCode::Char('B') => Some(Command::AddToSeed(-1).into()),
        KeyCode::Char('m') => Some(TerminalCommand::ToggleUnseen),
        KeyCode::Char('a') => Some(Command::ToggleLook.into()),
        KeyCode::Char('Y') => Some(TerminalCommand::TogglePanorama),
        KeyCode::Tab => Some(TerminalCommand::ToggleLegend),
        KeyCode::Char('?') | KeyCode::F(1) => Some(TerminalCommand::ToggleHelp),
        KeyCode::Char('p') => Some(TerminalCommand::TogglePresets),
        KeyCode::Char('e') => Some(TerminalCommand::Export),
        KeyCode::Esc => Some(TerminalCommand::Close),
        KeyCode::Char('q') => Some(TerminalCommand::Quit),
        _ => None,
    }
}

fn in_list(code: KeyCode) -> Option<TerminalCommand> {
    match code {
        KeyCode::Up | KeyCode::Char('k' | '8') => Some(TerminalCommand::Move(-1)),
        KeyCode::Down | KeyCode::Char('j' | '2') => Some(TerminalCommand::Move(1)),
        KeyCode::PageUp | KeyCode::Char('9') => Some(TerminalCommand::Move(-8)),
        KeyCode::PageDown | KeyCode::Char('3') => Some(TerminalCommand::Move(8)),
        KeyCode::Enter | KeyCode::Char(' ') => Some(TerminalCommand::Choose),
        KeyCode::Char('?') | KeyCode::F(1) => Some(TerminalCommand::ToggleHelp),
        KeyCode::Char('p') => Some(TerminalCommand::TogglePresets),
        KeyCode::Tab => Some(TerminalCommand::ToggleLegend),
        KeyCode::Esc | KeyCode::Char('q') => Some(TerminalCommand::Close),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    #[test]
    fn arrows_letters_and_number_pad_walk_in_all_directions() {
        let steps = |keys: &str| -> Vec<Option<TerminalCommand>> {
            keys.chars().map(|letter| command_of(key(KeyCode::Char(letter)), false)).collect()
        };
        assert_eq!(steps("hjklyubn"), steps("42867913"));
        let all: std::collections::HashSet<String> = steps("hjklyubn").iter().map(|it| format!("{it:?}")).collect();
        assert_eq!(all.len(), 8);
        assert_eq!(command_of(key(KeyCode::Up), false), Some(Command::Walk(ivec2(0, -1)).into()));
    }

    #[test]
    fn ctrl_c_interrupts_everywhere_and_ctrl_z_undoes_on_the_map() {
        for is_list in [false, true] {
            let chord = |letter| command_of(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL), is_list);
            assert_eq!((chord('c'), chord('q')), (Some(TerminalCommand::Interrupt), None));
            assert_eq!(chord('z'), (!is_list).then(|| Command::Undo.into()));
        }
    }

    #[test]
    fn every_key_of_the_help_has_a_command() {
        for (keys, _) in HELP {
            for name in keys.split([',', ' ']).filter(|name| name.chars().count() == 1) {
                let code = KeyCode::Char(name.chars().next().unwrap());
                assert!(command_of(key(code), false).is_some(), "{keys}: {name}");
            }
        }
    }
}
