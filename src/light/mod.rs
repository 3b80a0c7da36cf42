//! Light: lamps, the light map of all of them, and daylight by the hour.
//!
//! A [`LightMap`] holds lamps on a map and keeps the sum of their light while lamps move and walls change. [`Falloff`]
//! makes their light a function of distance, and [`Flicker`] their strength a function of time. [`ClockConfig`] gives
//! the fraction of daylight at an hour, and [`Daylight`] propagates it through doors and windows into roofed rooms.
//! [`SunPosition`] is the position of the sun in the sky.

mod daylight;
mod falloff;
mod lamp;
pub(crate) mod light_map;
mod light_tiles;
mod placed_lamp;
mod sun;

pub use daylight::{ClockConfig, Daylight};
pub use falloff::Falloff;
pub use lamp::{Flicker, Lamp, LightError, Rgb, RgbError};
pub use light_map::LightMap;
pub use placed_lamp::{LampId, Surroundings};
pub use sun::SunPosition;
