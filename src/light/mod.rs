//! Light: lamps, the light map of all of them, and daylight by the hour.
//!
//! A [`LightMap`] holds lamps on a map and keeps the sum of their light while lamps move and walls change. [`Flicker`] makes their
//! strength a function of time. [`ClockConfig`] gives the share of daylight at an hour, and [`Daylight`] lets it fall through doors
//! and windows into roofed rooms.

mod clock;
mod daylight;
mod error;
mod faces;
mod flicker;
mod lamp;
mod light_map;
mod light_tiles;
mod lit_area;
mod placed_lamp;
mod rgb;
mod surroundings;

pub use clock::ClockConfig;
pub use daylight::Daylight;
pub use error::LightError;
pub use flicker::Flicker;
pub use lamp::Lamp;
pub use light_map::LightMap;
pub use placed_lamp::LampId;
pub use rgb::{Rgb, RgbError};
pub use surroundings::Surroundings;
