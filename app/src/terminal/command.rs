//! [`Command`]: the meaning of a key, on the map and in a list.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glam::{IVec2, ivec2};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    Walk(IVec2),
    Wait,
    /// Opens or closes a door next to the viewer.
    ToggleDoor,
    AddToRadius(i64),
    AddHours(i32),
    /// Multiplies the visual range.
    ScaleVisualRange(f64),
    AddToSeed(i64),
    ToggleUnseen,
    ToggleLook,
    ToggleLegend,
    ToggleHelp,
    TogglePresets,
    Export,
    /// Moves in a list by this many rows.
    Move(i32),
    Choose,
    /// Closes a list, or else ends the explorer.
    Close,
    Quit,
    /// Ends the explorer as Ctrl-C does.
    Interrupt,
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
    ("Tab", "legend and creatures in view"),
    ("e", "export the whole view as a picture, in the look of the screen"),
    ("?", "this help"),
    ("q, Esc", "quit"),
];

/// Returns the command of a key. A list takes the keys that move in it.
pub(crate) fn command_of(key: KeyEvent, is_list: bool) -> Option<Command> {
    let is_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if is_ctrl => Some(Command::Interrupt),
        _ if is_ctrl || key.modifiers.contains(KeyModifiers::ALT) => None,
        code if is_list => in_list(code),
        code => on_map(code),
    }
}

fn on_map(code: KeyCode) -> Option<Command> {
    let walk = |x, y| Some(Command::Walk(ivec2(x, y)));
    match code {
        KeyCode::Left | KeyCode::Char('h' | '4') => walk(-1, 0),
        KeyCode::Down | KeyCode::Char('j' | '2') => walk(0, 1),
        KeyCode::Up | KeyCode::Char('k' | '8') => walk(0, -1),
        KeyCode::Right | KeyCode::Char('l' | '6') => walk(1, 0),
        KeyCode::Home | KeyCode::Char('y' | '7') => walk(-1, -1),
        KeyCode::PageUp | KeyCode::Char('u' | '9') => walk(1, -1),
        KeyCode::End | KeyCode::Char('b' | '1') => walk(-1, 1),
        KeyCode::PageDown | KeyCode::Char('n' | '3') => walk(1, 1),
        KeyCode::Char('.' | '5') => Some(Command::Wait),
        KeyCode::Char('o') => Some(Command::ToggleDoor),
        KeyCode::Char('[') => Some(Command::AddToRadius(-4)),
        KeyCode::Char(']') => Some(Command::AddToRadius(4)),
        KeyCode::Char('<') => Some(Command::AddHours(-1)),
        KeyCode::Char('>') => Some(Command::AddHours(1)),
        KeyCode::Char('f') => Some(Command::ScaleVisualRange(0.5)),
        KeyCode::Char('F') => Some(Command::ScaleVisualRange(2.0)),
        KeyCode::Char('N') => Some(Command::AddToSeed(1)),
        KeyCode::Char('B') => Some(Command::AddToSeed(-1)),
        KeyCode::Char('m') => Some(Command::ToggleUnseen),
        KeyCode::Char('a') => Some(Command::ToggleLook),
        KeyCode::Tab => Some(Command::ToggleLegend),
        KeyCode::Char('?') | KeyCode::F(1) => Some(Command::ToggleHelp),
        KeyCode::Char('p') => Some(Command::TogglePresets),
        KeyCode::Char('e') => Some(Command::Export),
        KeyCode::Esc => Some(Command::Close),
        KeyCode::Char('q') => Some(Command::Quit),
        _ => None,
    }
}

fn in_list(code: KeyCode) -> Option<Command> {
    match code {
        KeyCode::Up | KeyCode::Char('k' | '8') => Some(Command::Move(-1)),
        KeyCode::Down | KeyCode::Char('j' | '2') => Some(Command::Move(1)),
        KeyCode::PageUp | KeyCode::Char('9') => Some(Command::Move(-8)),
        KeyCode::PageDown | KeyCode::Char('3') => Some(Command::Move(8)),
        KeyCode::Enter | KeyCode::Char(' ') => Some(Command::Choose),
        KeyCode::Char('?') | KeyCode::F(1) => Some(Command::ToggleHelp),
        KeyCode::Char('p') => Some(Command::TogglePresets),
        KeyCode::Tab => Some(Command::ToggleLegend),
        KeyCode::Esc | KeyCode::Char('q') => Some(Command::Close),
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
        let steps = |keys: &str| -> Vec<Option<Command>> {
            keys.chars().map(|letter| command_of(key(KeyCode::Char(letter)), false)).collect()
        };
        assert_eq!(steps("hjklyubn"), steps("42867913"));
        let all: std::collections::HashSet<String> = steps("hjklyubn").iter().map(|it| format!("{it:?}")).collect();
        assert_eq!(all.len(), 8);
        assert_eq!(command_of(key(KeyCode::Up), false), Some(Command::Walk(ivec2(0, -1))));
    }

    #[test]
    fn ctrl_c_interrupts_everywhere_and_other_chords_do_nothing() {
        for is_list in [false, true] {
            let chord = |letter| command_of(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL), is_list);
            assert_eq!((chord('c'), chord('q'), chord('z')), (Some(Command::Interrupt), None, None));
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
