//! Scripts: keys, clicks and settings from a file, for tests and films.
//!
//! One command per line. `#` at the beginning of a line or after a space starts a comment, unless a colour follows:
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
use farsight::light::{Lamp, Rgb, RgbError};
use farsight_scene::creatures::{Observer, PlacedCreature, Species};
use farsight_scene::export::parse_cell;
use farsight_scene::files::{HeightRangeError, PictureHeights};
use farsight_scene::paint::Unseen;
use farsight_scene::preset::{Preset, SettingKind};
use farsight_scene::text::{excerpt, excerpt_of};
use farsight_scene::world::{Brush, Stroke};
use glam::{IVec2, ivec2};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ScriptStep {
    /// Presses a key. A failure is shown in the window.
    Press(WindowCommand),
    /// Executes a command. A failure ends the script.
    Run(WindowCommand),
    /// Sets a setting to a sequence of values, as a dragged slider does, and waits until the land follows.
    Slide(Slide),
    /// Waits for a number of frames.
    Wait(u32),
    /// Waits until the scene is complete and nothing moves.
    Settle,
    /// Closes the window.
    Quit,
}

/// The values of an evenly dragged slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slide {
    pub(crate) key: &'static str,
    from: f64,
    to: f64,
    steps: u16,
    is_whole: bool,
}

impl Slide {
    /// Returns the value of a step, from 0.
    pub(crate) fn value(&self, step: u16) -> Value {
        let last = f64::from(self.steps.max(2) - 1);
        let value = self.from + (self.to - self.from) * f64::from(step) / last;
        if self.is_whole { Value::Integer(value.round() as i64) } else { Value::Float(value) }
    }
}

/// A line of a script: a step with a number of repetitions. A short line can have many, so they are not expanded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScriptLine {
    /// The number of the line, from 1.
    pub(crate) number: usize,
    pub(crate) step: ScriptStep,
    /// At least 1.
    pub(crate) times: u16,
}

/// An invalid script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: \"{}\": {}", excerpt(text), excerpt_of(reason, 1000))]
pub(crate) struct ScriptError {
    line: usize,
    text: String,
    reason: String,
}

pub(crate) fn parse(text: &str) -> Result<Vec<ScriptLine>, ScriptError> {
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let is_comment = |word: &&str| word.starts_with('#') && word.parse::<Rgb>().is_err();
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !is_comment(word)).collect();
        if words.is_empty() {
            continue;
        }
        let parsed = parse_line(&words).map_err(|reason| ScriptError { line: i + 1, text: line.trim().into(), reason });
        let (step, times) = parsed?;
        if times > 0 {
            lines.push(ScriptLine { number: i + 1, step, times });
        }
    }
    Ok(lines)
}

/// The script words with their arguments: first those that control the script, then those of commands.
const USAGES: [&str; 34] = [
    "key NAME [TIMES]",
    "wait FRAMES",
    "settle",
    "settle land",
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
    "stroke BRUSH RADIUS STRENGTH X,Y [X,Y ...]",
    "pin X Y",
    "split METHOD, or: split preset NAME, split hour HOUR, split seed NUMBER",
    "divider X",
    "look X Y PIXELS",
    "film FILE",
    "record FILE",
    "survey",
    "name X Y [WORDS ...]",
    "screenshot FILE",
    "export FILE [remembered|screen|map]",
    "save FILE",
    "load FILE",
    "open FILE",
    "picture opacities|metres|LOW:HIGH",
];

/// Returns the step of a line, and its number of repetitions.
fn parse_line(words: &[&str]) -> Result<(ScriptStep, u16), String> {
    let press = |name: &str| {
        let command = command_of_key(name).ok_or_else(|| format!("there is no key {name:?}"))?;
        Ok::<_, String>(ScriptStep::Press(command))
    };
    let command = match *words {
        ["key", name] => return Ok((press(name)?, 1)),
        ["key", name, times] => return Ok((press(name)?, number(times)?)),
        ["wait", frames] => return Ok((ScriptStep::Wait(number(frames)?), 1)),
        ["slide", key, from, to, steps] => {
            let slide = slide(key, [number(from)?, number(to)?], number(steps)?)?;
            return Ok((ScriptStep::Slide(slide), slide.steps));
        }
        ["settle"] => return Ok((ScriptStep::Settle, 1)),
        ["settle", "land"] => Command::SettleLand.into(),
        ["quit"] => return Ok((ScriptStep::Quit, 1)),
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
        ["stroke", brush, radius, strength, ref points @ ..] if !points.is_empty() => {
            let brush: Brush = brush.parse().map_err(|error: UnknownName| error.to_string())?;
            let no_cell = |word: &str| format!("{word:?} is not a cell: expected X,Y");
            let points = points.iter().map(|word| parse_cell(word).ok_or_else(|| no_cell(word)));
            let points = points.collect::<Result<Vec<IVec2>, _>>()?;
            let stroke = Stroke::new(brush, points).with_radius(number(radius)?).with_strength(number(strength)?);
            Command::Paint(stroke).into()
        }
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
        ["look", x, y, pixels] => WindowCommand::Look(cell(x, y)?, number(pixels)?),
        ["name", x, y, ref name @ ..] => Command::NamePlace(cell(x, y)?, name.join(" ")).into(),
        ["survey"] => WindowCommand::ToggleSurvey,
        ["film", file] => WindowCommand::Film(Some(file.into())),
        ["record", file] => WindowCommand::Record(file.into()),
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
            Command::ReadPicture(PictureReading::Heights(PictureHeights::Shades(heights))).into()
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
    Ok((ScriptStep::Run(command), 1))
}

fn slide(key: &str, [from, to]: [f64; 2], steps: u16) -> Result<Slide, String> {
    let setting = Preset::settings().find(|setting| setting.key == key);
    let setting = setting.ok_or_else(|| format!("there is no key {key:?}"))?;
    let is_whole = match setting.kind {
        SettingKind::Number { .. } | SettingKind::Optional { .. } => false,
        SettingKind::Integer { .. } => true,
        _ => return Err(format!("{key} is no number, so it has no slider")),
    };
    Ok(Slide { key: setting.key, from, to, steps, is_whole })
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
        let line = |number, step| ScriptLine { number, step, times: 1 };
        let script = parse("key w 2 # north\n\nset sight.decay.points [[1, 0.5]]\nwheel 10 20 -3\n").unwrap();
        let north = ScriptStep::Press(Command::Walk(ivec2(0, -1)).into());
        let points = ScriptStep::Run(Command::SetText("sight.decay.points".into(), "[[1, 0.5]]".into()).into());
        let zoom = ScriptStep::Run(WindowCommand::ZoomAt(vec2(10.0, 20.0), -3));
        let twice = ScriptLine { times: 2, ..line(1, north) };
        assert_eq!(script, [twice, line(3, points), line(4, zoom)]);
        let values = |text: &str| match &parse(text).unwrap()[..] {
            [ScriptLine { step: ScriptStep::Slide(slide), times, .. }] => {
                (slide.key, (0..*times).map(|step| slide.value(step)).collect::<Vec<_>>())
            }
            lines => panic!("{lines:?}"),
        };
        let land = [0.2, 0.2 + 0.2 * 1.0 / 2.0, 0.4].map(Value::Float);
        assert_eq!(values("slide world.land 0.2 0.4 3"), ("world.land", land.to_vec()));
        assert_eq!(values("slide sight.radius 8 9.6 2"), ("sight.radius", vec![Value::Integer(8), Value::Integer(10)]));
        let export = |part| ScriptStep::Run(WindowCommand::Export(Some("a.png".into()), part));
        let exports = parse("export a.png\nexport a.png screen\nexport a.png map").unwrap();
        let parts = [ExportedPart::View(Unseen::Mapped), ExportedPart::Shown, ExportedPart::WholeMap];
        assert!(exports.into_iter().map(|line| line.step).eq(parts.map(export)));
        let door = parse("door 3 4").unwrap();
        assert_eq!(door, [line(1, ScriptStep::Run(Command::ToggleDoor(ivec2(3, 4)).into()))]);
        let lit = parse("lamp 3 4 #ff0080 7 # red\n#nothing").unwrap();
        let lamp = Lamp::new(ivec2(3, 4)).with_colour(Rgb([255, 0, 128])).with_reach(7.0);
        assert_eq!(lit, [line(1, ScriptStep::Run(Command::AddLamp(lamp).into()))]);
    }

    #[test]
    fn repeats_stay_a_number() {
        let text = "key w 65535\nslide sight.radius 1 9 65535\n".repeat(200);
        let lines = parse(&text).unwrap();
        assert_eq!(lines.len(), 400);
        assert!(lines.iter().all(|line| line.times == u16::MAX));
        assert_eq!(parse("key w 0\nslide sight.radius 1 9 0"), Ok(vec![]));
    }

    #[test]
    fn faults_name_their_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert!(message("quit\nclick 3").starts_with("line 2: \"click 3\": write it as: click X Y"));
        assert!(message("slide world.kind 0 1 2").contains("world.kind is no number"));
        assert!(message("slide world.sand 0 1 2").contains("no key \"world.sand\""));
        assert!(message("wait").contains("write it as: wait FRAMES"));
        assert!(message("key hyper").contains("no key \"hyper\""));
        assert!(message("stroke erode 3 0.5 1,2").contains("brush \"erode\" is not known: expected raise, "));
        assert!(message("stroke raise 3 0.5 1;2").contains("\"1;2\" is not a cell: expected X,Y"));
        assert!(message("split sideways").contains("expected two-parent, "));
        assert!(message("split").contains("split METHOD"));
        assert!(message("dance").contains("no such command"));
        assert!(message("lamp 3 4 red").contains("colour \"red\" is not valid"));
        assert!(message("creature 3 4 unicorn").contains("no creature \"unicorn\"; there are deer, "));
        assert!(message("screenshot s.script").ends_with("\"screenshot s.script\": expected a .png"));
        assert!(message("record").contains("write it as: record FILE"));
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
