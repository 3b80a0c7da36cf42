//! Presets: the configuration of everything in one TOML file.
//!
//! Raw tables are merged along `extends` first, every table is checked key by key against the
//! [`Setting`]s, and then there is one strict parse.

mod check;
mod library;
mod paint_config;
mod schema;
mod setting;
mod settings;
mod weather_config;
mod write;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

pub use library::{shipped, shipped_names};
pub use paint_config::{PaintConfig, Ramp};
pub use schema::schema;
pub use setting::{Setting, SettingKind, SettingList};
pub use settings::{CREATURES, LAMPS, VIEWERS};
pub use weather_config::WeatherConfig;

use crate::classic::ClassicChoice;
use crate::light::{ClockConfig, Lamp};
use crate::optics::OpticsConfig;
use crate::perception::{Observer, PerceptionConfig, PlacedCreature};
use crate::sight::{Decay, DecayKind, PathRule, SightConfig};
use crate::world::WorldConfig;
use glam::IVec2;

/// A complete configuration: what world, and how one sees in it.
///
/// ```
/// use farsight::preset::Preset;
/// let mut preset = Preset::named("fog")?;
/// preset.set("optics.fog_onset", "0.35")?;
/// assert_eq!(preset.optics.fog_onset, 0.35);
/// assert!(preset.set("optics.fog_onsett", "0.35").unwrap_err().to_string().contains("optics.fog_onset"));
/// # Ok::<(), farsight::preset::PresetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Preset {
    /// One sentence on what it shows.
    pub about: String,
    /// The world.
    pub world: WorldConfig,
    /// What takes visibility away.
    pub optics: OpticsConfig,
    /// How it is computed.
    pub sight: SightConfig,
    /// An older method in place of it.
    pub classic: ClassicChoice,
    /// What a viewer makes of it.
    pub perception: PerceptionConfig,
    /// How it is painted.
    pub paint: PaintConfig,
    /// The hour, and what it does to light.
    pub clock: ClockConfig,
    /// How the air drifts over the hours.
    pub weather: WeatherConfig,
    /// Lamps that stand in the land.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lamps: Vec<Lamp>,
    /// Others who look, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub viewers: Vec<Observer>,
    /// Creatures with a place of their own, beside those that settle by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub creatures: Vec<PlacedCreature>,
}

/// The base that every preset is merged onto: a default world, seen per length, with visibility
/// falling smoothly towards the rim.
impl Default for Preset {
    fn default() -> Self {
        Self {
            about: String::new(),
            world: WorldConfig::default(),
            optics: OpticsConfig::default(),
            sight: SightConfig {
                radius: Self::DEFAULT_RADIUS,
                path: PathRule::PerLength,
                decay: Decay::of(DecayKind::Smooth),
                ..SightConfig::default()
            },
            classic: ClassicChoice::default(),
            perception: PerceptionConfig::default(),
            paint: PaintConfig::default(),
            clock: ClockConfig::default(),
            weather: WeatherConfig::default(),
            lamps: Vec::new(),
            viewers: Vec::new(),
            creatures: Vec::new(),
        }
    }
}

/// What is wrong with a preset. `origin` is the file, `preset NAME` or `--set`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PresetError {
    /// No shipped preset and no file.
    #[error("there is no preset {name:?}{hint}; shipped are {shipped}, and a path to a .toml file is taken too")]
    Unknown {
        /// The name asked for.
        name: String,
        /// ` (did you mean …?)`, or nothing.
        hint: String,
        /// All shipped names.
        shipped: String,
    },
    /// The file cannot be read.
    #[error("{origin}: cannot be read: {reason}")]
    Read {
        /// The path.
        origin: String,
        /// Why.
        reason: String,
    },
    /// The file is not TOML.
    #[error("{origin}: not valid TOML: {reason}")]
    Syntax {
        /// Where.
        origin: String,
        /// Line, column and what was expected.
        reason: String,
    },
    /// A key that means nothing.
    #[error("{origin}: unknown key {key}{hint}")]
    UnknownKey {
        /// Where.
        origin: String,
        /// The key.
        key: String,
        /// `; did you mean …?`, or what there is.
        hint: String,
    },
    /// A value of the wrong type or out of range.
    #[error("{origin}: {key} = {value}{unit} will not do; it takes {range}")]
    Value {
        /// Where.
        origin: String,
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// The unit with a space before it, or nothing.
        unit: String,
        /// What it takes, with the unit.
        range: String,
    },
    /// An entry of a list without a key that it must have.
    #[error("{origin}: {key} is missing; it takes {range}")]
    Missing {
        /// Where.
        origin: String,
        /// The key, with the place of the entry from 0.
        key: String,
        /// What it takes, with the unit.
        range: String,
    },
    /// What a preset extends cannot be had.
    #[error("{origin}: extends: {fault}")]
    Extends {
        /// Where `extends` stands.
        origin: String,
        /// Why there is no such preset.
        fault: Box<PresetError>,
    },
    /// Presets that extend each other in a ring.
    #[error("extends runs in a circle: {chain}")]
    Cycle {
        /// The names from the first to its return, with `extends` between them: the window's font has no arrow.
        chain: String,
    },
    /// Values that contradict each other.
    #[error("{0}")]
    Contradiction(String),
}

/// The origin of values that stand in no file.
const NOWHERE: &str = "preset";

impl PresetError {
    /// The error with the place that it comes from, where it does not name one yet.
    pub(crate) fn at(mut self, place: &str) -> Self {
        match &mut self {
            Self::Read { origin, .. }
            | Self::Syntax { origin, .. }
            | Self::UnknownKey { origin, .. }
            | Self::Value { origin, .. }
            | Self::Missing { origin, .. }
                if origin == NOWHERE =>
            {
                place.clone_into(origin);
            }
            Self::Contradiction(reason) => *reason = format!("{place}: {reason}"),
            _ => {}
        }
        self
    }

    /// The error of a name that no shipped preset has.
    #[cfg(feature = "files")]
    pub(crate) fn unknown(name: &str) -> Self {
        library::unknown(name)
    }

    /// The error of a value that was given by a flag of its own, or a link, rather than by `--set`.
    #[cfg(feature = "files")]
    pub(crate) fn of_flag(mut self, flag: &str) -> Self {
        if let Self::Value { origin, .. } | Self::UnknownKey { origin, .. } | Self::Missing { origin, .. } = &mut self {
            flag.clone_into(origin);
        }
        self
    }
}

impl Preset {
    /// Some six kilometres on the default world.
    pub const DEFAULT_RADIUS: u32 = 64;

    /// The preset that farsight starts with.
    pub const DEFAULT_NAME: &'static str = "temperate";

    /// Every key of a preset, in the order in which it is written.
    pub fn settings() -> impl Iterator<Item = &'static Setting> {
        settings::all()
    }

    /// The lists of a preset, in the order in which they are written. A list of a preset takes the place of the list
    /// of the preset that it extends.
    pub fn lists() -> [&'static SettingList; 3] {
        settings::lists()
    }

    /// The preset that a heightmap is seen with where no other is asked for.
    pub const ON_GROUND_NAME: &'static str = "terrain";

    /// The preset for measured ground of so many cells of `cell_size_m` metres: its world is that of the
    /// [ground](WorldConfig::on_ground), and the Earth is curved as it is, unless the preset says how much.
    #[must_use]
    pub fn on_ground(&self, size: IVec2, cell_size_m: f64) -> Self {
        let mut preset = self.clone();
        preset.world = WorldConfig { cell_size_m, ..preset.world }.on_ground(size);
        preset.optics.curvature_coefficient.get_or_insert(OpticsConfig::REAL_TERRAIN_CURVATURE);
        preset
    }

    /// The preset that farsight starts with.
    ///
    /// # Panics
    /// Never: a test reads every shipped preset.
    pub fn shipped_default() -> Self {
        Self::named(Self::DEFAULT_NAME).expect("the shipped presets are read in a test")
    }

    /// What holds on a map of opacities where no preset is asked for: the bare kernel, and nobody about.
    pub fn bare_kernel() -> Self {
        let mut preset = Self { sight: SightConfig::default(), ..Self::default() };
        preset.perception.creatures = 0.0;
        preset
    }

    /// A shipped preset, or, on a machine with files, the preset in a file.
    ///
    /// # Errors
    /// [`PresetError`] that names the file or preset, the key and the value.
    pub fn named(name_or_path: &str) -> Result<Self, PresetError> {
        let (table, origin) = library::resolve(name_or_path)?;
        Self::from_merged(&table).map_err(|error| error.at(&origin))
    }

    /// The files of a preset in a file: its own and those that it extends, as far as they can be read.
    #[cfg(all(feature = "explorer", not(target_arch = "wasm32")))]
    pub(crate) fn files(path: &std::path::Path) -> Vec<std::path::PathBuf> {
        library::files(path)
    }

    /// A preset from TOML text; `extends` names a shipped preset. `origin` names the text in errors.
    ///
    /// # Errors
    /// [`PresetError`] that names the origin, the key and the value.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, PresetError> {
        Self::from_merged(&library::resolve_text(text, origin)?).map_err(|error| error.at(origin))
    }

    fn from_merged(table: &Table) -> Result<Self, PresetError> {
        let mut whole = Self::default().to_table();
        library::merge(&mut whole, table);
        let preset: Self = Value::Table(whole).try_into().map_err(|error: toml::de::Error| PresetError::Syntax {
            origin: NOWHERE.into(),
            reason: error.message().to_owned(),
        })?;
        preset.check()?;
        Ok(preset)
    }

    /// Changes one key. The value is TOML; a word may go without quotes, and with `-` for `_`. `none` leaves out a
    /// key that may be left out.
    ///
    /// # Errors
    /// [`PresetError`]; nothing is changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), PresetError> {
        let value = check::parse_value(key, value);
        self.set_value(key, value)
    }

    /// Changes one key to a TOML value.
    ///
    /// # Errors
    /// [`PresetError`]; nothing is changed then.
    pub fn set_value(&mut self, key: &str, value: Value) -> Result<(), PresetError> {
        *self = self.with([(key, value)])?;
        Ok(())
    }

    /// The preset with several keys changed at once, so that values may be at odds on the way.
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

    /// The value of a key from the words of a command line: TOML, or a bare word for a choice, in which `-` stands
    /// for `_`. Whether the key takes it is for [`with`](Self::with) to say.
    pub fn parse_value(key: &str, text: &str) -> Value {
        check::parse_value(key, text)
    }

    /// The preset without an optional key, whose default holds again.
    pub fn without(&self, key: &str) -> Result<Self, PresetError> {
        let mut table = self.to_table();
        remove(&mut table, key);
        Self::from_merged(&table)
    }

    /// The value of a key, or `None` for an unknown key or an optional one that is left out.
    pub fn value(&self, key: &str) -> Option<Value> {
        key.split('.').try_fold(Value::Table(self.to_table()), |value, part| match value {
            Value::Table(mut table) => table.remove(part),
            _ => None,
        })
    }

    /// All values as a table.
    ///
    /// # Panics
    /// With a seed above 2⁶³ − 1, which TOML cannot say and [`check`](Self::check) refuses.
    pub fn to_table(&self) -> Table {
        match Value::try_from(self) {
            Ok(Value::Table(table)) => table,
            other => unreachable!("a preset is always a table: {other:?}"),
        }
    }

    /// A complete, commented TOML text that reads back as this preset.
    pub fn to_toml(&self) -> String {
        write::to_toml(self)
    }

    /// Checks every value and what values must agree on.
    ///
    /// # Errors
    /// [`PresetError::Value`] or [`PresetError::Contradiction`].
    pub fn check(&self) -> Result<(), PresetError> {
        check::check_seed(self.world.seed)?; // beyond what TOML can say, there is no table
        check::check_table(NOWHERE, &self.to_table())?;
        let PerceptionConfig { identify, glimpse, .. } = self.perception;
        if glimpse > identify {
            return Err(PresetError::Contradiction(format!(
                "perception.glimpse = {glimpse} is above perception.identify = {identify}; it must be at most that"
            )));
        }
        self.sight.check().map_err(|error| PresetError::Contradiction(error.to_string()))
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
