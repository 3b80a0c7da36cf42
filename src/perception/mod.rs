//! What a viewer makes of what can be seen: thresholds, memory, creatures.

mod config;
mod creature;
mod lookout;
mod memory;
mod placed;
mod sense;
mod species;

pub use config::PerceptionConfig;
pub use creature::{Creature, Creatures, Sighting};
pub use lookout::Lookout;
pub use memory::{CellMemory, Memory};
pub use placed::Placed;
pub use sense::{Sense, Thresholds};
pub use species::{Habitat, Species};
