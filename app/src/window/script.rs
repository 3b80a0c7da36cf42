//! Scripts: keys, clicks and settings from a file, for tests and films.
//!
//! One command a line. `#` at the beginning of a line or after a space starts a comment, unless a colour follows:
//! `#ffa040`.
//!
//! [`USAGES`] lists the commands; `docs/guide/exploring.md` describes them.

use std::path::Path;
use std::str::FromStr;

use macroquad::math::{Vec2, vec2};
use toml::Value;

use super::command::{ExportedPart, WindowCommand};
use super::keys::command_of_key;
use crate::document::{Command, ComparedTo, PictureReading};
use farsight::UnknownName;
use farsight::files::HeightRangeError;
use farsight::light::{Lamp, Rgb, RgbError};
use farsight::paint::Unseen;
use farsight::perception::{Observer, PlacedCreature, Species};
use farsight::preset::{Preset, SettingKind};
use farsight::text::{excerpt, excerpt_of};
use glam::{IVec2, ivec2};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ScriptStep {
    /// Presses a key. A failure is shown in the window.
    Press(WindowCommand),
    /// Carries out a command. A failure ends the script.
    Run(WindowCommand),
    /// Sets a setting as a dragged slider does, and waits until the land follows.
    Slide(&'static str, Value),
    /// Waits for frames.
    Wait(u32),
    /// Waits until the scene is there and nothing moves.
    Settle,
    /// Closes the window.
    Quit,
}

/// A step and the number of its line, from 1.
pub(crate) type ScriptLine = (usize, ScriptStep);

/// A script is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: \"{}\": {}", excerpt(text), excerpt_of(reason, 1000))]
pub(crate) struct ScriptError {
    line: usize,
    text: String,
    reason: String,
}

pub(crate) fn parse(text: &str) -> Result<Vec<ScriptLine>, ScriptError> {
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

/// The script words with their arguments: those that control the script, then those that give a command.
const USAGES: [&str; 27] = [
    "key NAME [TIMES]",
    "wait FRAMES",
    "settle",
    "quit",
    "click X Y",
    "hover X Y",
    "drag X Y TOX TOY",
    "wheel X Y STEPS",
    "set KEY VALUE",
    "slide KEY FROM TO STEPS",
    "reset KEY",
    "preset NAME",
    "place X Y",
    "door X Y",
    "lamp X Y [COLOUR [REACH [STRENGTH]]]",
    "relight X Y COLOUR [REACH [STRENGTH]]",
    "tower X Y [EYE_HEIGHT_M]",
    "creature X Y KIND",
    "pin X Y",
    "split METHOD, or: split preset NAME, split hour HOUR, split seed NUMBER",
    "divider X",
    "screenshot FILE",
    "export FILE [remembered|screen|map]",
    "save FILE",
    "load FILE",
    "open FILE",
    "picture opacities|metres|LOW:HIGH",
];

fn parse_line(words: &[&str]) -> Result<Vec<ScriptStep>, String> {
    let press = |name: &str| {
        let command = command_of_key(name).ok_or_else(|| format!("there is no key {name:?}"))?;
        Ok::<_, String>(ScriptStep::Press(command))
    };
    let command = match *words {
        ["key", name] => return Ok(vec![press(name)?]),
        ["key", name, times] => return Ok(vec![press(name)?; number::<u16>(times)?.into()]),
        ["wait", frames] => return Ok(vec![ScriptStep::Wait(number(frames)?)]),
        ["slide", key, from, to, steps] => return slide(key, [number(from)?, number(to)?], number(steps)?),
        ["settle"] => return Ok(vec![ScriptStep::Settle]),
        ["quit"] => return Ok(vec![ScriptStep::Quit]),
        ["click", x, y] => WindowCommand::Click(at(x, y)?),
        ["hover", x, y] => WindowCommand::Hover(at(x, y)?),
        ["drag", x, y, to_x, to_y] => WindowCommand::Drag(at(x, y)?, at(to_x, to_y)?),
        ["wheel", x, y, steps] => WindowCommand::ZoomAt(at(x, y)?, number::<i16>(steps)?.into()),
        ["set", key, _, ..] => Command::SetText(key.into(), words[2..].join(" ")).into(),
        ["reset", key] => Command::Reset(key.into()).into(),
        ["preset", name] => Command::Preset(name.into()).into(),
        ["place", x, y] => Command::Place(cell(x, y)?).into(),
        ["door", x, y] => Command::ToggleDoor(cell(x, y)?).into(),
        ["lamp", x, y, ref more @ ..] if more.len() <= 3 => Command::AddLamp(lamp(cell(x, y)?, more)?).into(),
        ["relight", x, y, ref more @ ..] if (1..=3).contains(&more.len()) => {
            Command::ChangeLamp(lamp(cell(x, y)?, more)?).into()
        }
        ["tower", x, y] => Command::AddLookout(Observer::new(cell(x, y)?)).into(),
        ["tower", x, y, height] => {
            let eye_height_m = number(height)?;
            Command::AddLookout(Observer::new(cell(x, y)?).with_eye_height_m(eye_height_m)).into()
        }
        ["creature", x, y, kind] => Command::AddCreature(PlacedCreature::new(cell(x, y)?, species(kind)?)).into(),
        ["pin", "off"] => WindowCommand::Unpin,
        ["pin", x, y] => WindowCommand::Pin(cell(x, y)?),
        ["split", "off"] => Command::EndComparison.into(),
        ["split", "preset", file] if file.ends_with(".toml") => WindowCommand::CompareWithFile(file.into()),
        ["split", "preset", name] => Command::CompareWith(ComparedTo::preset(name)?).into(),
        ["split", "hour", hour] => Command::CompareWith(ComparedTo::Hour(number::<u32>(hour)? % 24)).into(),
        ["split", "seed", seed] => Command::CompareWith(ComparedTo::Seed(number(seed)?)).into(),
        ["split", method] => {
            let method = method.parse().map_err(|error: UnknownName| error.to_string())?;
            Command::CompareWith(ComparedTo::Method(method)).into()
        }
        ["divider", x] => WindowCommand::MoveDivider(number::<i32>(x)? as f32),
        ["screenshot", file] if !is_png(file) => return Err("expected a .png".into()),
        ["screenshot", file] => WindowCommand::Screenshot(Some(file.into())),
        ["export", file] => WindowCommand::Export(Some(file.into()), ExportedPart::View(Unseen::Mapped)),
        ["export", file, "screen"] => WindowCommand::Export(Some(file.into()), ExportedPart::Shown),
        ["export", file, "map"] => WindowCommand::Export(Some(file.into()), ExportedPart::WholeMap),
        ["export", file, "remembered"] => {
            WindowCommand::Export(Some(file.into()), ExportedPart::View(Unseen::Remembered))
        }
        ["save", file] => WindowCommand::SaveWalk(Some(file.into())),
        ["load", file] => WindowCommand::LoadWalk(Some(file.into())),
        ["picture", "opacities"] => Command::ReadPicture(PictureReading::Opacities).into(),
        ["picture", "metres"] => Command::ReadPicture(PictureReading::Metres).into(),
        ["picture", heights] => {
            let heights = heights.parse().map_err(|error: HeightRangeError| error.to_string())?;
            Command::ReadPicture(PictureReading::Heights(heights)).into()
        }
        ["open", file] => WindowCommand::Open(Some(file.into()), None),
        _ => {
            let is_first = |usage: &&&str| usage.split(' ').next() == words.first().copied();
            return Err(match USAGES.iter().find(is_first) {
                Some(usage) => format!("write it as: {usage}"),
                None => format!("no such command; there are {}", USAGES.join(", ")),
            });
        }
    };
    Ok(vec![ScriptStep::Run(command)])
}

/// Returns the values of a slider that is dragged evenly.
fn slide(key: &str, [from, to]: [f64; 2], steps: u16) -> Result<Vec<ScriptStep>, String> {
    let setting = Preset::settings().find(|setting| setting.key == key);
    let setting = setting.ok_or_else(|| format!("there is no key {key:?}"))?;
    let value = |value: f64| match setting.kind {
        SettingKind::Number { .. } | SettingKind::Optional { .. } => Ok(Value::Float(value)),
        SettingKind::Integer { .. } => Ok(Value::Integer(value.round() as i64)),
        _ => Err(format!("{key} is no number, so it has no slider")),
    };
    let last = f64::from(steps.max(2) - 1);
    let values = (0..steps).map(|step| value(from + (to - from) * f64::from(step) / last));
    values.map(|value| Ok(ScriptStep::Slide(setting.key, value?))).collect()
}

fn is_png(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
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
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    #[test]
    fn commands_are_read_and_comments_left_out() {
        let script = parse("key w 2 # north\n\nset sight.decay.points [[1, 0.5]]\nwheel 10 20 -3\n").unwrap();
        let north = ScriptStep::Press(Command::Walk(ivec2(0, -1)).into());
        let points = ScriptStep::Run(Command::SetText("sight.decay.points".into(), "[[1, 0.5]]".into()).into());
        let zoom = ScriptStep::Run(WindowCommand::ZoomAt(vec2(10.0, 20.0), -3));
        assert_eq!(script, [(1, north.clone()), (1, north), (3, points), (4, zoom)]);
        let slide = parse("slide world.land 0.2 0.4 3").unwrap();
        let values: Vec<_> = slide.into_iter().map(|(_, step)| step).collect();
        let land = |value: f64| ScriptStep::Slide("world.land", Value::Float(value));
        assert_eq!(values, [land(0.2), land(0.2 + 0.2 * 1.0 / 2.0), land(0.4)]);
        let export = |part| ScriptStep::Run(WindowCommand::Export(Some("a.png".into()), part));
        let exports = parse("export a.png\nexport a.png screen\nexport a.png map").unwrap();
        let parts = [ExportedPart::View(Unseen::Mapped), ExportedPart::Shown, ExportedPart::WholeMap];
        assert!(exports.into_iter().map(|(_, step)| step).eq(parts.map(export)));
        let door = parse("door 3 4").unwrap();
        assert_eq!(door, [(1, ScriptStep::Run(Command::ToggleDoor(ivec2(3, 4)).into()))]);
        let lit = parse("lamp 3 4 #ff0080 7 # red\n#nothing").unwrap();
        let lamp = Lamp::new(ivec2(3, 4)).with_colour(Rgb([255, 0, 128])).with_reach(7.0);
        assert_eq!(lit, [(1, ScriptStep::Run(Command::AddLamp(lamp).into()))]);
    }

    #[test]
    fn faults_name_their_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert!(message("quit\nclick 3").starts_with("line 2: \"click 3\": write it as: click X Y"));
        assert!(message("slide world.kind 0 1 2").contains("world.kind is no number"));
        assert!(message("slide world.sand 0 1 2").contains("no key \"world.sand\""));
        assert!(message("wait").contains("write it as: wait FRAMES"));
        assert!(message("key hyper").contains("no key \"hyper\""));
        assert!(message("split sideways").contains("expected two-parent, "));
        assert!(message("split").contains("split METHOD"));
        assert!(message("dance").contains("no such command"));
        assert!(message("lamp 3 4 red").contains("colour \"red\" is not valid"));
        assert!(message("creature 3 4 unicorn").contains("no creature \"unicorn\"; there are deer, "));
        assert!(message("screenshot s.script").ends_with("\"screenshot s.script\": expected a .png"));
        assert!(message("wait -3").contains("\"-3\" is not a number"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_on_one_line(usage in select(USAGES.to_vec()), more in ".{0,40}", word in any::<bool>()) {
            let text = if word { format!("{usage} {more}") } else { more };
            if let Err(error) = parse(&text) {
                prop_assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
}
