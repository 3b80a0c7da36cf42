//! What a viewer makes of what can be seen: thresholds, memory, creatures.

mod config;
mod creature;
mod memory;
mod observer;
mod placed_creature;
mod sense;
mod species;

pub use config::PerceptionConfig;
pub use creature::{Creature, Creatures, Sighting};
pub use memory::{CellMemory, Memory};
pub use observer::Observer;
pub use placed_creature::PlacedCreature;
pub use sense::{Sense, Thresholds};
pub use species::{Habitat, Species};
