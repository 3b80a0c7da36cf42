//! Scripts: keys, clicks and settings from a file, for tests and films.
//!
//! One command a line. `#` at the beginning of a line or after a space starts a comment, unless a colour follows:
//! `#ffa040`.
//!
//! [`WORDS`] lists the commands; `docs/guide/exploring.md` describes them.

use std::str::FromStr;

use macroquad::math::{Vec2, vec2};

use super::command::Command;
use super::keys::command_of_key;
use crate::light::{Lamp, Rgb, RgbError};
use crate::paint::Unseen;
use crate::perception::{Observer, PlacedCreature, Species};
use glam::{IVec2, ivec2};

/// One step of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptStep {
    /// Presses a key. A failure is shown in the window.
    Press(Command),
    /// Carries out a command. A failure ends the script.
    Run(Command),
    /// Waits for frames.
    Wait(u32),
    /// Waits until the scene is there and nothing moves.
    Settle,
    /// Closes the window.
    Quit,
}

/// A step and the number of its line, from 1.
pub(super) type ScriptLine = (usize, ScriptStep);

/// A script is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text:?}: {reason}")]
pub struct ScriptError {
    line: usize,
    text: String,
    reason: String,
}

/// Returns the number of steps of a script, for tests of the parser.
///
/// # Errors
/// [`ScriptError`] with the line of the first fault.
pub fn count_script_steps(text: &str) -> Result<usize, ScriptError> {
    parse(text).map(|steps| steps.len())
}

/// Parses a script.
pub(super) fn parse(text: &str) -> Result<Vec<ScriptLine>, ScriptError> {
    let mut steps = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let is_comment = |word: &&str| word.starts_with('#') && word.parse::<Rgb>().is_err();
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !is_comment(word)).collect();
        if words.is_empty() {
            continue;
        }
        let parsed = parse_line(&words).map_err(|reason| ScriptError { line: i + 1, text: line.trim().into(), reason });
        steps.extend(parsed?.into_iter().map(|step| (i + 1, step)));
    }
    Ok(steps)
}

/// Parses the arguments of a script word; `None` if their number is wrong.
type Parse = fn(&[&str]) -> Result<Option<Command>, String>;

/// The script words that give a command, with their arguments. `key`, `wait`, `settle` and `quit` are in [`parse_line`].
const WORDS: &[(&str, Parse)] = &[
    ("click X Y", |words| point(words, Command::Click)),
    ("hover X Y", |words| point(words, Command::Hover)),
    ("drag X Y TOX TOY", |words| match words {
        [x, y, to_x, to_y] => some(Command::Drag(at(x, y)?, at(to_x, to_y)?)),
        _ => Ok(None),
    }),
    ("wheel X Y STEPS", |words| match words {
        [x, y, steps] => some(Command::ZoomAt(at(x, y)?, number::<i16>(steps)?.into())),
        _ => Ok(None),
    }),
    ("set KEY VALUE", |words| match words {
        [key, value @ ..] if !value.is_empty() => some(Command::SetText((*key).into(), value.join(" "))),
        _ => Ok(None),
    }),
    ("reset KEY", |words| text(words, Command::Reset)),
    ("preset NAME", |words| text(words, Command::Preset)),
    ("place X Y", |words| match words {
        [x, y] => some(Command::Place(cell(x, y)?)),
        _ => Ok(None),
    }),
    ("lamp X Y [COLOUR [REACH [STRENGTH]]]", |words| match words {
        [x, y, more @ ..] if more.len() <= 3 => some(Command::AddLamp(lamp(cell(x, y)?, more)?)),
        _ => Ok(None),
    }),
    ("tower X Y [EYE_HEIGHT_M]", |words| match words {
        [x, y] => some(Command::AddLookout(Observer::new(cell(x, y)?))),
        [x, y, height] => {
            let eye_height_m = number(height)?;
            some(Command::AddLookout(Observer { eye_height_m, ..Observer::new(cell(x, y)?) }))
        }
        _ => Ok(None),
    }),
    ("creature X Y KIND", |words| match words {
        [x, y, kind] => some(Command::AddCreature(PlacedCreature { kind: species(kind)?, at: cell(x, y)? })),
        _ => Ok(None),
    }),
    ("pin X Y", |words| match words {
        ["off"] => some(Command::Unpin),
        [x, y] => some(Command::Pin(cell(x, y)?)),
        _ => Ok(None),
    }),
    ("split METHOD", |words| match words {
        ["off"] => some(Command::EndComparison),
        [method] => some(Command::CompareWith(
            method.parse().map_err(|error: crate::named_enum::UnknownName| error.to_string())?,
        )),
        _ => Ok(None),
    }),
    ("divider X", |words| match words {
        [x] => some(Command::MoveDivider(number::<i32>(x)? as f32)),
        _ => Ok(None),
    }),
    ("screenshot FILE", |words| text(words, |file| Command::Screenshot(Some(file.into())))),
    ("export FILE [remembered]", |words| match words {
        [file] => some(Command::Export(Some(file.into()), Unseen::Mapped)),
        [file, "remembered"] => some(Command::Export(Some(file.into()), Unseen::Remembered)),
        _ => Ok(None),
    }),
    ("save FILE", |words| text(words, |file| Command::SaveWalk(Some(file.into())))),
    ("load FILE", |words| text(words, |file| Command::LoadWalk(Some(file.into())))),
    ("open FILE", |words| text(words, |file| Command::Open(Some(file.into()), None))),
];

/// The script words that control the script itself.
const CONTROL_WORDS: [&str; 4] = ["key NAME [TIMES]", "wait FRAMES", "settle", "quit"];

fn parse_line(words: &[&str]) -> Result<Vec<ScriptStep>, String> {
    let press = |name: &str| {
        let command = command_of_key(name).ok_or_else(|| format!("there is no key {name:?}"))?;
        Ok::<_, String>(ScriptStep::Press(command))
    };
    match *words {
        ["key", name] => return Ok(vec![press(name)?]),
        ["key", name, times] => return Ok(vec![press(name)?; number::<u16>(times)?.into()]),
        ["wait", frames] => return Ok(vec![ScriptStep::Wait(number(frames)?)]),
        ["settle"] => return Ok(vec![ScriptStep::Settle]),
        ["quit"] => return Ok(vec![ScriptStep::Quit]),
        _ => {}
    }
    let is_first = |usage: &&str| usage.split(' ').next() == words.first().copied();
    if let Some((usage, parse)) = WORDS.iter().find(|(usage, _)| is_first(usage)) {
        let command = parse(&words[1..])?.ok_or_else(|| format!("write it as: {usage}"))?;
        return Ok(vec![ScriptStep::Run(command)]);
    }
    if let Some(usage) = CONTROL_WORDS.iter().find(|usage| is_first(usage)) {
        return Err(format!("write it as: {usage}"));
    }
    let usages: Vec<&str> = CONTROL_WORDS.into_iter().chain(WORDS.iter().map(|(usage, _)| *usage)).collect();
    Err(format!("no such command; there are {}", usages.join(", ")))
}

fn some(command: Command) -> Result<Option<Command>, String> {
    Ok(Some(command))
}

fn point(words: &[&str], command: fn(Vec2) -> Command) -> Result<Option<Command>, String> {
    if let [x, y] = words { some(command(at(x, y)?)) } else { Ok(None) }
}

fn text(words: &[&str], command: fn(String) -> Command) -> Result<Option<Command>, String> {
    if let [word] = words { some(command((*word).to_owned())) } else { Ok(None) }
}

fn at(x: &str, y: &str) -> Result<Vec2, String> {
    Ok(vec2(number::<i32>(x)? as f32, number::<i32>(y)? as f32))
}

fn cell(x: &str, y: &str) -> Result<IVec2, String> {
    Ok(ivec2(number(x)?, number(y)?))
}

fn lamp(at: IVec2, more: &[&str]) -> Result<Lamp, String> {
    let mut lamp = Lamp::new(at);
    if let Some(colour) = more.first() {
        lamp.colour = colour.parse().map_err(|error: RgbError| error.to_string())?;
    }
    for (word, value) in more.iter().skip(1).zip([&mut lamp.reach, &mut lamp.strength]) {
        *value = number(word)?;
    }
    Ok(lamp)
}

fn species(kind: &str) -> Result<&'static Species, String> {
    Species::named(kind).ok_or_else(|| {
        let names: Vec<&str> = Species::all().iter().map(|species| species.name).collect();
        format!("there is no creature {kind:?}; there are {}", names.join(", "))
    })
}

fn number<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word:?} is not a number that fits here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_comments_left_out() {
        let script = parse("key w 2 # north\n\nset sight.decay.points [[1, 0.5]]\nwheel 10 20 -3\n").unwrap();
        let north = ScriptStep::Press(Command::Walk(ivec2(0, -1)));
        let points = ScriptStep::Run(Command::SetText("sight.decay.points".into(), "[[1, 0.5]]".into()));
        let zoom = ScriptStep::Run(Command::ZoomAt(vec2(10.0, 20.0), -3));
        assert_eq!(script, [(1, north.clone()), (1, north), (3, points), (4, zoom)]);
        let lit = parse("lamp 3 4 #ff0080 7 # red\n#nothing").unwrap();
        let lamp = Lamp { colour: Rgb([255, 0, 128]), reach: 7.0, ..Lamp::new(ivec2(3, 4)) };
        assert_eq!(lit, [(1, ScriptStep::Run(Command::AddLamp(lamp)))]);
    }

    #[test]
    fn faults_name_their_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert!(message("quit\nclick 3").starts_with("line 2: \"click 3\": write it as: click X Y"));
        assert!(message("wait").contains("write it as: wait FRAMES"));
        assert!(message("key hyper").contains("no key \"hyper\""));
        assert!(message("split sideways").contains("expected two-parent, "));
        assert!(message("split").contains("split METHOD"));
        assert!(message("dance").contains("no such command"));
        assert!(message("lamp 3 4 red").contains("colour \"red\" is not valid"));
        assert!(message("creature 3 4 unicorn").contains("no creature \"unicorn\"; there are deer, "));
        assert!(message("wait -3").contains("\"-3\" is not a number"));
    }
}
