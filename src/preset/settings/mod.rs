//! The table of all settings, a file for each part of a preset.

mod all;
mod classic;
mod light;
mod optics;
mod paint;
mod perception;
mod sight;
mod weather;
mod world;

pub(super) use all::{all, lists};
pub use light::LAMPS;
pub use perception::{CREATURES, VIEWERS};
