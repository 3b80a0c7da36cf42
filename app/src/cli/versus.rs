//! [`VersusArgs`]: `--versus`, the second state of the land of a film.

use super::failure::Failure;
use super::text::pluralize;
use super::values::parse_assignment;
use crate::document::ComparedTo;
use farsight_scene::film::Versus;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

use toml::Value;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Film")]
pub(super) struct VersusArgs {
    /// Fade slowly to a second state of the land, and back: a key of the preset with its second value, such as
    /// clock.hour=19, or the name of a preset, whose world and placed objects are ignored. May be repeated. Without
    /// --path and --wander the film is of one place
    #[arg(long, value_name = "KEY=VALUE|PRESET", value_parser = parse_change)]
    versus: Vec<Change>,
}

/// The difference of the second state.
#[derive(Clone, Debug)]
enum Change {
    Key(String, String),
    Preset(String),
}

fn parse_change(text: &str) -> Result<Change, String> {
    match text.contains('=') {
        true => parse_assignment(text).map(|(key, value)| Change::Key(key, value)),
        false => Ok(Change::Preset(text.to_owned())),
    }
}

impl VersusArgs {
    /// Returns `true` if there is a second state.
    pub(super) fn is_given(&self) -> bool {
        !self.versus.is_empty()
    }

    /// Returns the second state of a scene whose preset has a name. The preset comes first, then the keys in their order.
    pub(super) fn of(&self, scene: &Scene, name: &str) -> Result<Versus, Failure> {
        let first = scene.preset();
        let presets = self.versus.iter().filter_map(|change| match change {
            Change::Preset(name) => Some(name),
            Change::Key(..) => None,
        });
        let keys: Vec<(&str, &str)> = self
            .versus
            .iter()
            .filter_map(|change| match change {
                Change::Key(key, value) => Some((key.as_str(), value.as_str())),
                Change::Preset(_) => None,
            })
            .collect();
        let mut second = first.clone();
        let mut names: [Vec<String>; 2] = Default::default();
        match presets.collect::<Vec<_>>()[..] {
            [] => {}
            [preset] => {
                let compared = ComparedTo::Preset(preset.clone(), Box::new(Preset::named(preset)?));
                second = compared.applied_to(first);
                second.strokes.clone_from(&first.strokes);
                let name = if name.is_empty() { "as it is" } else { name };
                names = [name, preset].map(|name| vec![name.to_owned()]);
            }
            [one, another, ..] => {
                return Err(Failure::usage(format!("--versus {one} and --versus {another}: expected one preset")));
            }
        }
        if let Some((key, value)) = keys.iter().find(|(key, _)| key.starts_with("world.")) {
            return Err(Failure::usage(format!(
                "--versus {key}={value}: both states are of one land; expected a key of another section than [world]"
            )));
        }
        let has = |wanted: &str| keys.iter().any(|(key, _)| *key == wanted);
        if has("clock.hour") && !has("clock.runs") {
            let light = second.optics.light;
            second = ComparedTo::Hour(0).applied_to(&second); // an hour implies a running clock
            second.optics.light = if has("optics.light") { light } else { second.optics.light };
        }
        let changes = keys.iter().map(|(key, value)| (*key, Preset::parse_value(key, value)));
        let second = second.with(changes).map_err(|error| error.with_origin("--versus"))?;
        if second == *first {
            return Err(Failure::usage("--versus: the second state is the same as the first; expected another value"));
        }
        for (key, _) in keys {
            for (names, preset) in names.iter_mut().zip([first, &second]) {
                names.push(state_name(preset, key));
            }
        }
        Ok(Versus::new(second, names.map(|names| names.join(", "))))
    }
}

/// Returns the name of the state of a key: `19:00`, `optics.visual_range_m=2000`, `3 strokes`.
fn state_name(preset: &Preset, key: &str) -> String {
    if key == "clock.hour" {
        let minutes = (preset.clock.hour * 60.0).round() as u64;
        let time = format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60);
        return if preset.clock.runs { time } else { "now".to_owned() };
    }
    match preset.value(key) {
        Some(Value::Array(list)) => pluralize(list.len(), key.strip_suffix('s').unwrap_or(key)),
        Some(Value::Float(number)) => format!("{key}={number}"),
        Some(Value::String(word)) => format!("{key}={word}"),
        Some(value) => format!("{key}={value}"),
        None => format!("{key}=none"),
    }
}
