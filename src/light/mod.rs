//! Light that stands in the land: lamps, and the light that they throw.

mod lamp;
mod light_map;
mod rgb;

pub use lamp::Lamp;
pub use light_map::LightMap;
pub use rgb::{Rgb, RgbError};
