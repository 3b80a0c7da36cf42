//! Scripts: keys, clicks and slider values from a file, for tests and films.
//!
//! One command a line; `#` at its beginning or after a space starts a comment, unless a colour follows: `#ffa040`.
//!
//! | command | what it does |
//! |---|---|
//! | `key NAME [TIMES]` | presses a key: `w`, `up`, `kp7`, `space`, `[`, `f12`, … |
//! | `click X Y` | clicks on a point of the window (pixels from the upper left) |
//! | `hover X Y` | moves the pointer there |
//! | `drag X Y TOX TOY` | drags from one point to another |
//! | `wheel X Y STEPS` | turns the wheel there; up is positive |
//! | `set KEY VALUE` | what a slider does: `set optics.visual_range_m 2000` |
//! | `reset KEY` | sets a key back to what the preset says, or all of a section: `reset sight.decay` |
//! | `preset NAME` | what the preset box does |
//! | `place X Y` | puts the viewer on a cell |
//! | `lamp X Y [COLOUR [REACH [STRENGTH]]]` | puts up a lamp: `lamp 16 12 #ffa040 18` |
//! | `tower X Y [EYE_HEIGHT_M]` | puts up another who looks, too: `tower 40 12 25` |
//! | `creature X Y KIND` | puts a creature on a cell: `creature 30 12 goblin` |
//! | `pin X Y` | keeps the inspector to a cell, as a right-click does; `pin off` lets go |
//! | `split METHOD` | compares with a method on the right of a divider: `split shadowcast`; `split off` ends it |
//! | `divider X` | moves the divider to a point of the window (pixels from the left) |
//! | `wait FRAMES` | lets frames pass, each a sixtieth of a second for walks and for time that runs by itself |
//! | `settle` | waits until no world is being made and no walk is under way |
//! | `screenshot FILE` | writes what is on the screen |
//! | `export FILE [remembered]` | writes the view; cells out of sight are muted, or unknown where they were never seen |
//! | `save FILE` | saves the walk as it stands |
//! | `load FILE` | takes a saved walk up; `settle` waits for its world |
//! | `open FILE` | what dropping a file on the window does: a preset, a map, a heightmap, a walk, an exported picture |
//! | `quit` | closes the window |

use macroquad::math::{Vec2, vec2};

use super::keys::{Action, action_named};
use crate::compare::ComparedMethod;
use crate::light::{Lamp, Rgb, RgbError};
use crate::paint::Unseen;
use crate::perception::{Observer, PlacedCreature, Species};
use glam::{IVec2, ivec2};

/// One command of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Key(Action),
    Click(Vec2),
    Hover(Vec2),
    Drag(Vec2, Vec2),
    Wheel(Vec2, i32),
    Set(String, String),
    Reset(String),
    Preset(String),
    Place(IVec2),
    Lamp(Lamp),
    Tower(Observer),
    Creature(PlacedCreature),
    Pin(Option<IVec2>),
    Split(Option<ComparedMethod>),
    Divider(f32),
    Wait(u32),
    Settle,
    Screenshot(String),
    Export(String, Unseen),
    Save(String),
    Load(String),
    Open(String),
    Quit,
}

/// What is wrong with a script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text:?}: {reason}")]
pub struct ScriptError {
    line: usize,
    text: String,
    reason: String,
}

/// Reads a script: commands with their lines, from 1.
pub(super) fn parse(text: &str) -> Result<Vec<(usize, Command)>, ScriptError> {
    let mut commands = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let is_comment = |word: &&str| word.starts_with('#') && word.parse::<Rgb>().is_err();
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !is_comment(word)).collect();
        if words.is_empty() {
            continue;
        }
        let parsed = command(&words).map_err(|reason| ScriptError { line: i + 1, text: line.trim().into(), reason })?;
        commands.extend(parsed.into_iter().map(|command| (i + 1, command)));
    }
    Ok(commands)
}

fn command(words: &[&str]) -> Result<Vec<Command>, String> {
    let one = |command| Ok(vec![command]);
    match *words {
        ["key", name] => one(Command::Key(key(name)?)),
        ["key", name, times] => Ok(vec![Command::Key(key(name)?); number::<u16>(times)? as usize]),
        ["click", x, y] => one(Command::Click(point(x, y)?)),
        ["hover", x, y] => one(Command::Hover(point(x, y)?)),
        ["drag", x, y, to_x, to_y] => one(Command::Drag(point(x, y)?, point(to_x, to_y)?)),
        ["wheel", x, y, steps] => one(Command::Wheel(point(x, y)?, number::<i16>(steps)?.into())),
        ["set", key, ref value @ ..] if !value.is_empty() => one(Command::Set(key.into(), value.join(" "))),
        ["reset", key] => one(Command::Reset(key.into())),
        ["preset", name] => one(Command::Preset(name.into())),
        ["place", x, y] => one(Command::Place(ivec2(number(x)?, number(y)?))),
        ["lamp", x, y, ref more @ ..] if more.len() <= 3 => one(Command::Lamp(lamp(x, y, more)?)),
        ["tower", x, y] => one(Command::Tower(Observer::new(ivec2(number(x)?, number(y)?)))),
        ["tower", x, y, height] => {
            let eye_height_m = number(height)?;
            one(Command::Tower(Observer { eye_height_m, ..Observer::new(ivec2(number(x)?, number(y)?)) }))
        }
        ["creature", x, y, kind] => one(Command::Creature(creature(x, y, kind)?)),
        ["pin", "off"] => one(Command::Pin(None)),
        ["pin", x, y] => one(Command::Pin(Some(ivec2(number(x)?, number(y)?)))),
        ["split", "off"] => one(Command::Split(None)),
        ["split", method] => one(Command::Split(Some(method.parse()?))),
        ["divider", x] => one(Command::Divider(number::<i32>(x)? as f32)),
        ["wait", frames] => one(Command::Wait(number(frames)?)),
        ["settle"] => one(Command::Settle),
        ["screenshot", file] => one(Command::Screenshot(file.into())),
        ["export", file] => one(Command::Export(file.into(), Unseen::Mapped)),
        ["export", file, "remembered"] => one(Command::Export(file.into(), Unseen::Remembered)),
        ["save", file] => one(Command::Save(file.into())),
        ["load", file] => one(Command::Load(file.into())),
        ["open", file] => one(Command::Open(file.into())),
        ["quit"] => one(Command::Quit),
        [word, ..] if USAGE.iter().any(|usage| usage.split(' ').next() == Some(word)) => {
            let usage = USAGE.iter().find(|usage| usage.split(' ').next() == Some(word)).unwrap_or(&"");
            Err(format!("write it as: {usage}"))
        }
        _ => Err(format!("no such command; there are {}", USAGE.join(", "))),
    }
}

const USAGE: &[&str] = &[
    "key NAME [TIMES]",
    "click X Y",
    "hover X Y",
    "drag X Y TOX TOY",
    "wheel X Y STEPS",
    "set KEY VALUE",
    "reset KEY",
    "preset NAME",
    "place X Y",
    "lamp X Y [COLOUR [REACH [STRENGTH]]]",
    "tower X Y [EYE_HEIGHT_M]",
    "creature X Y KIND",
    "pin X Y",
    "split METHOD",
    "divider X",
    "wait FRAMES",
    "settle",
    "screenshot FILE",
    "export FILE [remembered]",
    "save FILE",
    "load FILE",
    "open FILE",
    "quit",
];

fn key(name: &str) -> Result<Action, String> {
    action_named(name).ok_or_else(|| format!("there is no key {name:?}"))
}

fn point(x: &str, y: &str) -> Result<Vec2, String> {
    Ok(vec2(number::<i32>(x)? as f32, number::<i32>(y)? as f32))
}

fn lamp(x: &str, y: &str, more: &[&str]) -> Result<Lamp, String> {
    let mut lamp = Lamp::new(ivec2(number(x)?, number(y)?));
    if let Some(colour) = more.first() {
        lamp.colour = colour.parse().map_err(|error: RgbError| error.to_string())?;
    }
    for (word, value) in more.iter().skip(1).zip([&mut lamp.reach, &mut lamp.strength]) {
        *value = number(word)?;
    }
    Ok(lamp)
}

fn creature(x: &str, y: &str, kind: &str) -> Result<PlacedCreature, String> {
    let kind = Species::named(kind).ok_or_else(|| {
        let names: Vec<&str> = Species::all().iter().map(|species| species.name).collect();
        format!("there is no creature {kind:?}; there are {}", names.join(", "))
    })?;
    Ok(PlacedCreature { at: ivec2(number(x)?, number(y)?), kind })
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word:?} is not a number that fits here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_comments_left_out() {
        let script = parse("key w 2 # north\n\nset sight.decay.points [[1, 0.5]]\nwheel 10 20 -3\n").unwrap();
        let north = Command::Key(Action::Walk(ivec2(0, -1)));
        let points = Command::Set("sight.decay.points".into(), "[[1, 0.5]]".into());
        let lit = parse("lamp 3 4 #ff0080 7 # red\n#nothing").unwrap();
        let lamp = Lamp { colour: Rgb([255, 0, 128]), reach: 7.0, ..Lamp::new(ivec2(3, 4)) };
        assert_eq!(lit, [(1, Command::Lamp(lamp))]);
        assert_eq!(script, [(1, north.clone()), (1, north), (3, points), (4, Command::Wheel(vec2(10.0, 20.0), -3))]);
    }

    #[test]
    fn faults_name_their_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert!(message("quit\nclick 3").starts_with("line 2: \"click 3\": write it as: click X Y"));
        assert!(message("key hyper").contains("no key \"hyper\""));
        assert!(message("split sideways").contains("there are two-parent, "));
        assert!(message("split").contains("split METHOD"));
        assert!(message("dance").contains("no such command"));
        assert!(message("lamp 3 4 red").contains("colour \"red\" is not valid"));
        assert!(message("creature 3 4 unicorn").contains("no creature \"unicorn\"; there are deer, "));
        assert!(message("wait -3").contains("\"-3\" is not a number"));
    }
}
