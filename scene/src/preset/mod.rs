//! Presets: the complete description of a scene, in one TOML file.
//!
//! A raw table is checked key by key against the [`Setting`]s, merged onto the tables that it extends, and parsed
//! strictly.

mod check;
mod condition;
mod error;
mod extends;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod preset;
mod schema;
mod setting;
mod settings;
mod shipped;
mod sight_settings;
mod tables;
mod unmet;

pub use condition::Condition;
pub use error::PresetError;
pub use preset::Preset;
pub use schema::schema;
pub use setting::{Flag, Setting, SettingKind, SettingList};
pub use settings::{CELLS, CREATURES, LAMPS, NAMES, STROKES, VIEWERS};
pub use shipped::{shipped, shipped_names};
pub use sight_settings::{DecayKind, DecaySettings, SightSettings};
pub use tables::{ChangedCell, Look, PaintConfig, PlaceName, Ramp, WeatherConfig};
pub use toml;
