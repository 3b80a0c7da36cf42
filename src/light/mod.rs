//! Light: lamps that stand in the land, what they throw on it, and the light of the hours.

mod clock;
mod lamp;
mod light_map;
mod rgb;

pub use clock::ClockConfig;
pub use lamp::Lamp;
pub use light_map::LightMap;
pub use rgb::{Rgb, RgbError};
