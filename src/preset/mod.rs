//! Presets: everything that describes a scene, in one TOML file.
//!
//! A raw table is checked key by key against the [`Setting`]s, merged onto those that it extends, and parsed strictly.

mod changed_cell;
mod check;
mod error;
mod extends;
mod paint_config;
mod place_name;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod preset;
mod schema;
mod setting;
mod settings;
mod shipped;
mod weather;
mod weather_config;
mod write;

pub use changed_cell::ChangedCell;
pub use error::PresetError;
pub use paint_config::{Look, PaintConfig, Ramp};
pub use place_name::PlaceName;
pub use preset::Preset;
pub use schema::schema;
pub use setting::{Setting, SettingKind, SettingList};
pub use settings::{CELLS, CREATURES, LAMPS, NAMES, VIEWERS};
pub use shipped::{shipped, shipped_names};
pub use toml;
pub use weather_config::WeatherConfig;
