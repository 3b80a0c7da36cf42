//! What the keys do. One table serves the keyboard, scripts and the help on the screen.

use macroquad::input::KeyCode;

use crate::paint::Backdrop;
use crate::scene::Layer;
use glam::{IVec2, ivec2};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    /// One step.
    Walk(IVec2),
    /// Let a turn pass.
    Wait,
    /// One zoom step nearer (1) or farther (−1).
    Zoom(i32),
    /// The viewer back into the middle.
    Centre,
    /// What lies below the gradient.
    Show(Backdrop),
    /// The whole map muted instead of unknown, or back.
    Reveal,
    /// The radius, by so many cells.
    Radius(i32),
    /// The world of another seed, by so much.
    Seed(i64),
    /// The legend on or off.
    Legend,
    /// A second method on the right of a divider, or back.
    Split,
    /// Lamps are put up and taken away with a click, or one walks again.
    Lamps,
    /// Watchtowers are put up and taken away with a click, or one walks again.
    Towers,
    /// Explain the cell below the pointer, or no more.
    Inspect,
    /// Keep the walk as it stands in a file.
    SaveWalk,
    /// Take up the walk in the file.
    LoadWalk,
    /// The clock runs or stands.
    Clock,
    /// Time goes by itself, or only with each turn.
    Time,
    /// So many hours later, with the clock running.
    Hours(i32),
    /// Forget all that is not in sight.
    Forget,
    /// Write the view as a picture.
    Export,
    /// Write what is on the screen.
    Screenshot,
    /// The side panel on or off.
    Panel,
    /// The last change taken back.
    Undo,
    /// What was taken back done again.
    Redo,
    /// The list of keys on or off.
    Help,
    /// Close what is open.
    Close,
}

/// Keys that do the same.
pub(super) struct Binding {
    /// Codes with their names in scripts.
    pub(super) keys: &'static [(KeyCode, &'static str)],
    pub(super) action: Action,
    /// Whether it goes on while the key is held.
    pub(super) repeats: bool,
    /// What is held down with the key.
    pub(super) with: Held,
}

/// Keys that change what others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// None that matters.
    Nothing,
    /// Ctrl, or Cmd.
    Ctrl,
    /// Ctrl or Cmd, and shift.
    CtrlShift,
}

impl Held {
    /// What is held, given whether Ctrl (or Cmd) and shift are.
    pub(super) fn of(ctrl: bool, shift: bool) -> Self {
        match (ctrl, shift) {
            (false, _) => Self::Nothing,
            (true, false) => Self::Ctrl,
            (true, true) => Self::CtrlShift,
        }
    }
}

/// A line of the help: keys, and what they do.
pub(super) const HELP: &[(&str, &str)] = &[
    ("W A S D, arrows", "walk"),
    ("Q E Z C, numpad", "walk diagonally"),
    ("click", "walk there"),
    (". or numpad 5", "let a turn pass"),
    ("wheel, + -", "zoom"),
    ("drag", "move the map"),
    ("Space", "back to the viewer"),
    ("[ ]", "see less far, farther"),
    ("1", "the land as it is seen"),
    ("2 3 4 5 6", "elevation, humidity, vegetation, temperature, biomes"),
    ("7 8", "opacity, visibility"),
    ("M", "map: mute the unknown"),
    ("L", "legend"),
    ("T", "lamps: put them up with clicks, or walk again"),
    ("O", "lookouts: put watchtowers up with clicks, or walk again"),
    ("I", "why? what takes the view of the cell below the pointer"),
    ("right-click, long press", "keep to that cell, or let go"),
    ("G", "let the clock go: day and night, or stop it"),
    ("J K", "an hour earlier, later"),
    ("R", "let time run by itself, or pause it"),
    ("V", "compare two methods, side by side"),
    ("F", "forget what is not in sight"),
    ("N, B", "new world, the one before"),
    ("X", "export the view as a picture"),
    ("F5, F9", "save the walk, take it up again"),
    ("P, F12", "screenshot"),
    ("Ctrl+Z", "undo what a slider, a click, a preset or a file changed"),
    ("Ctrl+Shift+Z, Ctrl+Y", "do it again"),
    ("Tab", "side panel"),
    ("H, F1", "this help"),
    ("Esc", "close this help, let go of the cell that is explained"),
];

const fn walk(keys: &'static [(KeyCode, &'static str)], x: i32, y: i32) -> Binding {
    Binding { keys, action: Action::Walk(ivec2(x, y)), repeats: true, with: Held::Nothing }
}

const fn once(keys: &'static [(KeyCode, &'static str)], action: Action) -> Binding {
    Binding { keys, action, repeats: false, with: Held::Nothing }
}

const fn repeated(keys: &'static [(KeyCode, &'static str)], action: Action) -> Binding {
    Binding { keys, action, repeats: true, with: Held::Nothing }
}

const fn chord(with: Held, keys: &'static [(KeyCode, &'static str)], action: Action) -> Binding {
    Binding { keys, action, repeats: true, with }
}

const fn show(keys: &'static [(KeyCode, &'static str)], layer: Layer) -> Binding {
    once(keys, Action::Show(Backdrop::Layer(layer)))
}

use KeyCode::*;

/// All keys.
pub(super) const BINDINGS: &[Binding] = &[
    walk(&[(W, "w"), (Up, "up"), (Kp8, "kp8")], 0, -1),
    walk(&[(S, "s"), (Down, "down"), (Kp2, "kp2")], 0, 1),
    walk(&[(A, "a"), (Left, "left"), (Kp4, "kp4")], -1, 0),
    walk(&[(D, "d"), (Right, "right"), (Kp6, "kp6")], 1, 0),
    walk(&[(Q, "q"), (Kp7, "kp7")], -1, -1),
    walk(&[(E, "e"), (Kp9, "kp9")], 1, -1),
    walk(&[(Z, "z"), (Kp1, "kp1")], -1, 1),
    walk(&[(C, "c"), (Kp3, "kp3")], 1, 1),
    repeated(&[(Period, "."), (Kp5, "kp5")], Action::Wait),
    once(&[(Equal, "+"), (KpAdd, "kp+")], Action::Zoom(1)),
    once(&[(Minus, "-"), (KpSubtract, "kp-")], Action::Zoom(-1)),
    once(&[(Space, "space"), (Home, "home")], Action::Centre),
    repeated(&[(LeftBracket, "[")], Action::Radius(-4)),
    repeated(&[(RightBracket, "]")], Action::Radius(4)),
    once(&[(Key1, "1")], Action::Show(Backdrop::Land)),
    show(&[(Key2, "2")], Layer::Elevation),
    show(&[(Key3, "3")], Layer::Humidity),
    show(&[(Key4, "4")], Layer::Vegetation),
    show(&[(Key5, "5")], Layer::Temperature),
    show(&[(Key6, "6")], Layer::Biome),
    show(&[(Key7, "7")], Layer::Opacity),
    show(&[(Key8, "8")], Layer::Visibility),
    once(&[(M, "m")], Action::Reveal),
    once(&[(L, "l")], Action::Legend),
    once(&[(T, "t")], Action::Lamps),
    once(&[(O, "o")], Action::Towers),
    once(&[(G, "g")], Action::Clock),
    once(&[(R, "r")], Action::Time),
    repeated(&[(J, "j")], Action::Hours(-1)),
    repeated(&[(K, "k")], Action::Hours(1)),
    once(&[(V, "v")], Action::Split),
    once(&[(I, "i")], Action::Inspect),
    once(&[(F, "f")], Action::Forget),
    once(&[(N, "n")], Action::Seed(1)),
    once(&[(B, "b")], Action::Seed(-1)),
    once(&[(X, "x")], Action::Export),
    once(&[(F5, "f5")], Action::SaveWalk),
    once(&[(F9, "f9")], Action::LoadWalk),
    once(&[(P, "p"), (F12, "f12")], Action::Screenshot),
    chord(Held::Ctrl, &[(Z, "ctrl+z")], Action::Undo),
    chord(Held::Ctrl, &[(Y, "ctrl+y")], Action::Redo),
    chord(Held::CtrlShift, &[(Z, "ctrl+shift+z")], Action::Redo),
    once(&[(Tab, "tab")], Action::Panel),
    once(&[(H, "h"), (F1, "f1"), (Slash, "/")], Action::Help),
    once(&[(Escape, "escape")], Action::Close),
];

/// What the key of a name does.
pub(super) fn action_named(name: &str) -> Option<Action> {
    let name = name.to_ascii_lowercase();
    BINDINGS.iter().find(|binding| binding.keys.iter().any(|(_, key)| *key == name)).map(|binding| binding.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        let mut names: Vec<&str> = BINDINGS.iter().flat_map(|b| b.keys.iter().map(|(_, name)| *name)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(action_named("W"), Some(Action::Walk(ivec2(0, -1))));
        assert_eq!(action_named("hyper"), None);
    }
}
