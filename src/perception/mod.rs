//! Recognition and memory of a viewer: thresholds of visibility, memory of cells, creatures, further observers.

#[cfg(feature = "scene")]
mod config;
#[cfg(feature = "scene")]
mod creature;
#[cfg(feature = "scene")]
mod creature_watch;
#[cfg(feature = "scene")]
mod eyes;
mod memory;
#[cfg(feature = "scene")]
mod own_species;
#[cfg(feature = "scene")]
mod placed_creature;
mod recognition;
mod sense;
#[cfg(feature = "scene")]
mod species;
#[cfg(feature = "scene")]
mod species_error;

#[cfg(feature = "scene")]
pub use config::{Observer, PerceptionConfig};
#[cfg(feature = "scene")]
pub use creature::{Creature, Creatures, Sighting};
#[cfg(feature = "scene")]
pub use creature_watch::{CreatureEvent, CreatureWatch, nearest_direction};
#[cfg(feature = "scene")]
pub use eyes::Eyes;
pub use memory::{CellMemory, Memory, OutOfSight};
#[cfg(feature = "scene")]
pub(crate) use own_species::{GLYPHS, is_glyph, is_name};
#[cfg(feature = "scene")]
pub use placed_creature::PlacedCreature;
pub use recognition::{Recognition, Thresholds};
pub use sense::Sense;
#[cfg(feature = "scene")]
pub use species::{Habitat, Species};
#[cfg(feature = "scene")]
pub use species_error::SpeciesError;
