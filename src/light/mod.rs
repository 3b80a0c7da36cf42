//! Light: lamps, the light map of all of them, and daylight by the hour.

mod clock;
mod lamp;
mod light_map;
mod rgb;

pub use clock::ClockConfig;
pub use lamp::Lamp;
pub use light_map::LightMap;
pub use rgb::{Rgb, RgbError};
