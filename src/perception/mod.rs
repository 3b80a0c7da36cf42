//! Recognition and memory of a viewer: thresholds of visibility, memory of cells, creatures, further observers.

#[cfg(feature = "world")]
mod config;
#[cfg(feature = "world")]
mod creature;
#[cfg(feature = "world")]
mod creature_watch;
#[cfg(feature = "world")]
mod eyes;
mod memory;
#[cfg(feature = "world")]
mod own_species;
#[cfg(feature = "world")]
mod placed_creature;
mod recognition;
mod sense;
#[cfg(feature = "world")]
mod species;
#[cfg(feature = "world")]
mod species_error;

#[cfg(feature = "world")]
pub use config::{Observer, PerceptionConfig};
#[cfg(feature = "world")]
pub use creature::{Creature, Creatures, Sighting};
#[cfg(feature = "cli")]
pub(crate) use creature_watch::nearest_direction;
#[cfg(feature = "world")]
pub use creature_watch::{CreatureEvent, CreatureWatch};
#[cfg(feature = "world")]
pub use eyes::Eyes;
pub use memory::{CellMemory, Memory, OutOfSight};
#[cfg(feature = "preset")]
pub(crate) use own_species::{GLYPHS, is_glyph, is_name};
#[cfg(feature = "world")]
pub use placed_creature::PlacedCreature;
pub use recognition::{Recognition, Thresholds};
pub use sense::Sense;
#[cfg(feature = "world")]
pub use species::{Habitat, Species};
#[cfg(feature = "world")]
pub use species_error::SpeciesError;
