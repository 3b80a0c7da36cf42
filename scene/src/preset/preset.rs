//! [`Preset`]: the configuration of a scene, its optics at its hour, and its complete, commented TOML text.

use std::fmt::Write;

use glam::IVec2;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::check;
use super::error::NO_ORIGIN;
use super::extends::{self, Parents};
use super::settings::{LISTS, SETTINGS};
use crate::creatures::{Observer, PerceptionConfig, PlacedCreature};
use crate::optics::OpticsConfig;
use crate::preset::{
    ChangedCell, DecayKind, PaintConfig, PlaceName, PresetError, Setting, SettingList, SightSettings, WeatherConfig,
};
use crate::world::{Stroke, WorldConfig};
use farsight::light::{ClockConfig, Lamp};
use farsight::setters;
use farsight::sight::{DecayPointsError, PathRule, SightError};

/// The configuration of a scene: the world and the sight of a viewer.
///
/// ```
/// use farsight_scene::preset::Preset;
/// let mut preset = Preset::named("fog")?;
/// preset.set("optics.fog_onset", "0.35")?;
/// assert_eq!(preset.optics.fog_onset, 0.35);
/// assert!(preset.set("optics.fog_onsett", "0.35").unwrap_err().to_string().contains("optics.fog_onset"));
/// # Ok::<(), farsight_scene::preset::PresetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Preset {
    /// A sentence about its subject.
    pub about: String,
    /// The world.
    pub world: WorldConfig,
    /// Air, vegetation, relief and light.
    pub optics: OpticsConfig,
    /// The field of view.
    pub sight: SightSettings,
    /// Recognition and memory.
    pub perception: PerceptionConfig,
    /// The layers of a picture.
    pub paint: PaintConfig,
    /// The time of day.
    pub clock: ClockConfig,
    /// The change of air over time.
    pub weather: WeatherConfig,
    /// Lamps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lamps: Vec<Lamp>,
    /// Lookouts: observers besides the viewer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub viewers: Vec<Observer>,
    /// Creatures on chosen cells, in addition to those of `perception`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub creatures: Vec<PlacedCreature>,
    /// Strokes of a brush, which change the land in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strokes: Vec<Stroke>,
    /// Cells with another opacity than in the opacity map or dungeon, such as opened and closed doors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<ChangedCell>,
    /// Names of places, which replace or supplement generated names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<PlaceName>,
}

/// The base that every preset is merged onto: the default world, opacities per length, smooth decay.
impl Default for Preset {
    fn default() -> Self {
        Self {
            about: String::new(),
            world: WorldConfig::default(),
            optics: OpticsConfig::default(),
            sight: SightSettings::default()
                .with_radius(Self::DEFAULT_RADIUS)
                .with_path(PathRule::PerLength)
                .with_decay(DecayKind::Smooth.into()),
            perception: PerceptionConfig::default(),
            paint: PaintConfig::default(),
            clock: ClockConfig::default(),
            weather: WeatherConfig::default(),
            lamps: Vec::new(),
            viewers: Vec::new(),
            creatures: Vec::new(),
            strokes: Vec::new(),
            cells: Vec::new(),
            names: Vec::new(),
        }
    }
}

impl Preset {
    /// The radius in cells: 6.4 km of the default world.
    pub const DEFAULT_RADIUS: u32 = 64;

    /// The name of the preset that farsight starts with.
    pub const DEFAULT_NAME: &'static str = "temperate";

    setters! {
        with_about(about: impl Into<String>), with_world(world: WorldConfig), with_optics(optics: OpticsConfig),
        with_sight(sight: SightSettings), with_perception(perception: PerceptionConfig), with_paint(paint: PaintConfig),
        with_clock(clock: ClockConfig), with_weather(weather: WeatherConfig), with_lamps(lamps: Vec<Lamp>),
        with_viewers(viewers: Vec<Observer>), with_creatures(creatures: Vec<PlacedCreature>),
        with_strokes(strokes: Vec<Stroke>), with_cells(cells: Vec<ChangedCell>), with_names(names: Vec<PlaceName>),
    }

    /// Returns all settings outside of lists, in the order of a written preset.
    pub fn settings() -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter()
    }

    /// Returns the setting of a key outside of lists.
    pub fn setting(key: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.key == key)
    }

    /// Returns the lists, in the order of a written preset. A list replaces that of an extended preset.
    pub fn lists() -> [&'static SettingList; 6] {
        LISTS
    }

    /// The name of the default preset for heightmaps.
    pub const ON_GROUND_NAME: &'static str = "terrain";

    /// Returns the preset for measured ground of `size` cells: the world is that of [`WorldConfig::on_ground`], and the
    /// Earth is curved unless the preset sets `optics.curvature_coefficient`.
    #[must_use]
    pub fn on_ground(&self, size: IVec2, cell_size_m: f64) -> Self {
        let mut preset = self.clone();
        preset.world = WorldConfig { cell_size_m, ..preset.world }.on_ground(size);
        preset.optics.curvature_coefficient.get_or_insert(OpticsConfig::REAL_TERRAIN_CURVATURE);
        preset
    }

    /// Returns the preset that farsight starts with.
    ///
    /// # Panics
    /// Never: a test reads every shipped preset.
    pub fn shipped_default() -> Self {
        Self::named(Self::DEFAULT_NAME).expect("the shipped presets are read in a test")
    }

    /// Returns the default preset for opacity maps: the default [`SightSettings`], no creatures.
    pub fn bare_kernel() -> Self {
        let mut preset = Self { sight: SightSettings::default(), ..Self::default() };
        preset.perception.creatures = 0.0;
        preset
    }

    /// Returns a shipped preset, or reads the preset in a file.
    ///
    /// # Errors
    /// [`PresetError`] with the file or preset, the key and the value.
    pub fn named(name_or_path: &str) -> Result<Self, PresetError> {
        let (table, origin) = extends::resolve(name_or_path)?;
        Self::from_merged(&table).map_err(|error| error.with_default_origin(&origin))
    }

    /// Returns the file of a preset and the files that it extends, as far as they can be read.
    pub fn files(path: &std::path::Path) -> Vec<std::path::PathBuf> {
        extends::files(path)
    }

    /// Parses a preset. `extends` is the name of a shipped preset, so that no file is read; `origin` is the name of the
    /// text in errors.
    ///
    /// # Errors
    /// [`PresetError`] with the origin, the key and the value.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, PresetError> {
        Self::from_text(text, origin, Parents::Shipped)
    }

    /// Parses a preset that can also extend files, relative to the working folder.
    pub fn from_local_toml(text: &str, origin: &str) -> Result<Self, PresetError> {
        Self::from_text(text, origin, Parents::Files)
    }

    fn from_text(text: &str, origin: &str, parents: Parents) -> Result<Self, PresetError> {
        let table = extends::resolve_text(text, origin, parents)?;
        Self::from_merged(&table).map_err(|error| error.with_default_origin(origin))
    }

    fn from_merged(table: &Table) -> Result<Self, PresetError> {
        let mut whole = Self::default().to_table();
        extends::merge(&mut whole, table);
        let preset: Self = Value::Table(whole).try_into().map_err(|error: toml::de::Error| PresetError::Syntax {
            origin: NO_ORIGIN.into(),
            reason: error.message().to_owned(),
        })?;
        preset.check()?;
        Ok(preset)
    }

    /// Changes a key to a value in TOML. Words need no quotes and may have `-` for `_`. `none` removes an optional key.
    ///
    /// # Errors
    /// [`PresetError`]; the preset does not change.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), PresetError> {
        let value = check::parse_value(key, value);
        self.set_value(key, value)
    }

    /// Changes a key.
    ///
    /// # Errors
    /// [`PresetError`]; the preset does not change.
    pub fn set_value(&mut self, key: &str, value: Value) -> Result<(), PresetError> {
        *self = self.with([(key, value)])?;
        Ok(())
    }

    /// Returns the preset with several keys changed at once. Only the result must be valid.
    ///
    /// # Errors
    /// [`PresetError`].
    pub fn with<'k>(&self, changes: impl IntoIterator<Item = (&'k str, Value)>) -> Result<Self, PresetError> {
        let mut table = self.to_table();
        for (key, value) in changes {
            if value.as_str() == Some("none") && check::is_optional(key) {
                remove(&mut table, key);
                continue;
            }
            check::check_change("--set", key, &value)?;
            insert(&mut table, key, value);
        }
        Self::from_merged(&table)
    }

    /// Parses a value as [`set`](Self::set) does, without a check of its range.
    pub fn parse_value(key: &str, text: &str) -> Value {
        check::parse_value(key, text)
    }

    /// Returns the preset without an optional key.
    ///
    /// # Errors
    /// [`PresetError`] for other keys.
    pub fn without(&self, key: &str) -> Result<Self, PresetError> {
        let mut table = self.to_table();
        remove(&mut table, key);
        Self::from_merged(&table)
    }

    /// Returns the value of a key, or `None` if the key is unknown or absent.
    pub fn value(&self, key: &str) -> Option<Value> {
        key.split('.').try_fold(Value::Table(self.to_table()), |value, part| match value {
            Value::Table(mut table) => table.remove(part),
            _ => None,
        })
    }

    /// Returns all values as a table.
    ///
    /// # Panics
    /// If the seed is above 2⁶³ − 1, which TOML cannot express and [`check`](Self::check) refuses.
    pub fn to_table(&self) -> Table {
        match Value::try_from(self) {
            Ok(Value::Table(table)) => table,
            other => unreachable!("a preset is always a table: {other:?}"),
        }
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`PresetError::Value`] or [`PresetError::Contradiction`].
    pub fn check(&self) -> Result<(), PresetError> {
        check::check_seed(self.world.seed)?; // `to_table` panics otherwise
        check::check_table(NO_ORIGIN, "", &self.to_table())?;
        let PerceptionConfig { identify, glimpse, .. } = self.perception;
        if glimpse > identify {
            return Err(PresetError::Contradiction(format!(
                "perception.glimpse: {glimpse} is not valid: expected at most perception.identify = {identify}"
            )));
        }
        self.sight.check().map_err(|error| {
            PresetError::Contradiction(match error {
                SightError::DecayPoints(DecayPointsError::Missing) => {
                    "sight.decay: kind points needs points = [[distance, value], …]".into()
                }
                SightError::DecayPoints(error) => format!("sight.decay: {error}"),
                error => format!("sight: {error}"),
            })
        })
    }
}

fn insert(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        Some((section, rest)) => {
            if let Value::Table(inner) = table.entry(section).or_insert_with(|| Value::Table(Table::new())) {
                insert(inner, rest, value);
            }
        }
        None => {
            table.insert(key.to_owned(), value);
        }
    }
}

fn remove(table: &mut Table, key: &str) {
    match key.split_once('.') {
        Some((section, rest)) => {
            if let Some(Value::Table(inner)) = table.get_mut(section) {
                remove(inner, rest);
            }
        }
        None => {
            table.remove(key);
        }
    }
}

impl Preset {
    /// Returns the optics at an hour after the first midnight: those of `[optics]`, changed by weather and daylight if the clock
    /// runs.
    pub fn optics_at(&self, hour: f64) -> OpticsConfig {
        if !self.clock.runs {
            return self.optics.clone();
        }
        let clock = self.clock.clone().with_hour(hour);
        let air = self.with_drifted_air(hour);
        let daylight = clock.daylight();
        OpticsConfig {
            light: air.light * (clock.moon + (1.0 - clock.moon) * daylight),
            lantern: air.lantern.max(clock.lantern * (1.0 - daylight)),
            ..air
        }
    }

    /// Returns the optics in the weather of an hour. Only visual range, humidity growth and fog change. Visual ranges
    /// are interpolated by their extinctions.
    fn with_drifted_air(&self, hour: f64) -> OpticsConfig {
        let (optics, drift) = (&self.optics, self.weather.drift(hour));
        let Some(other) = self.weather.other_preset().filter(|_| drift > 0.0) else { return optics.clone() };
        let Ok(Self { optics: other, .. }) = Self::named(other) else { return optics.clone() };
        let mix = |a: f64, b: f64| a * (1.0 - drift) + b * drift;
        let range = |a: f64, b: f64| 1.0 / mix(1.0 / a, 1.0 / b);
        OpticsConfig {
            visual_range_m: range(optics.visual_range_m, other.visual_range_m),
            humidity_growth: mix(optics.humidity_growth, other.humidity_growth),
            fog_onset: mix(optics.fog_onset, other.fog_onset),
            fog_visual_range_m: range(optics.fog_visual_range_m, other.fog_visual_range_m),
            ..optics.clone()
        }
    }
}

impl Preset {
    /// Returns a complete, commented TOML text that parses as this preset. Absent optional keys are comments.
    pub fn to_toml(&self) -> String {
        let mut text = String::from("# A farsight preset: every key, its meaning and its range.\n");
        let _ = writeln!(text, "about = {}", Value::String(self.about.clone()));
        let table = Value::Table(self.to_table());
        let mut section = "";
        for setting in Preset::settings() {
            if setting.section() != section {
                section = setting.section();
                let _ = writeln!(text, "\n[{section}]");
            }
            let _ = writeln!(text, "# {}\n# ({})", setting.help(), setting.range_with_unit());
            let value = setting.key.split('.').try_fold(&table, |value, part| value.get(part));
            let _ = match value {
                Some(value) => writeln!(text, "{} = {value}", setting.name()),
                None => writeln!(text, "# {} = …", setting.name()),
            };
        }
        for list in Preset::lists() {
            if let Some(entries) = table.get(list.key).and_then(Value::as_array) {
                write_list(&mut text, list, entries);
            }
        }
        text
    }
}

/// Writes the entries of a list below a comment with its keys.
fn write_list(text: &mut String, list: &SettingList, entries: &[Value]) {
    let _ = writeln!(text, "\n# {}", list.help);
    for setting in list.settings {
        let _ = writeln!(text, "# {}: {} ({})", setting.name(), setting.help(), setting.range_with_unit());
    }
    for entry in entries {
        let _ = writeln!(text, "[[{}]]", list.key);
        for setting in list.settings {
            if let Some(value) = entry.get(setting.name()) {
                let _ = writeln!(text, "{} = {value}", setting.name());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn air_drifts_to_the_other_preset_and_back() {
        let clear = OpticsConfig { visual_range_m: f64::INFINITY, eye_height_m: 9.0, ..OpticsConfig::default() };
        let weather = WeatherConfig { to: "fog".into(), hours: 6.0 };
        let mut preset = Preset { optics: clear.clone(), weather, ..Preset::default() };
        let fog = Preset::named("fog").unwrap().optics;
        assert_eq!(preset.with_drifted_air(0.0), clear);
        assert_eq!(preset.with_drifted_air(12.0), clear);
        let foggy = preset.with_drifted_air(6.0);
        assert_eq!((foggy.visual_range_m, foggy.fog_onset), (fog.visual_range_m, fog.fog_onset));
        assert_eq!(foggy.eye_height_m, 9.0, "only the air changes");
        let half = preset.with_drifted_air(3.0);
        assert!((half.visual_range_m - 2.0 * fog.visual_range_m).abs() < 1e-6 * fog.visual_range_m);
        preset.weather = WeatherConfig::default();
        assert_eq!(preset.with_drifted_air(6.0), clear, "no weather");
    }
}
