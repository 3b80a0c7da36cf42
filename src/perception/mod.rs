//! Recognition and memory of a viewer: thresholds of visibility, memory of cells, creatures, further observers.

mod config;
mod creature;
mod memory;
mod observer;
mod placed_creature;
mod recognition;
mod species;

pub use config::PerceptionConfig;
pub use creature::{Creature, Creatures, Sighting};
pub use memory::{CellMemory, Memory, OutOfSight};
pub use observer::Observer;
pub use placed_creature::PlacedCreature;
pub use recognition::{Recognition, Thresholds};
pub use species::{Habitat, Species};
