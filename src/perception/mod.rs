//! Recognition and memory of a viewer: thresholds of visibility, memory of cells, what a team sees together,
//! creatures, further observers.

#[cfg(feature = "scene")]
mod config;
#[cfg(feature = "scene")]
mod creature;
#[cfg(feature = "scene")]
mod creature_watch;
mod memory;
mod recognition;
#[cfg(feature = "scene")]
mod species;
mod team_view;

#[cfg(feature = "scene")]
pub use config::{Observer, PerceptionConfig};
#[cfg(feature = "scene")]
pub use creature::{Creature, Creatures, PlacedCreature, Sighting};
#[cfg(feature = "scene")]
pub use creature_watch::{CreatureEvent, CreatureWatch, nearest_direction};
pub use memory::{CellMemory, Memory, MemoryChanges, OutOfSight};
pub use recognition::{PeripheralVision, Recognition, Sense, Thresholds};
#[cfg(feature = "scene")]
pub use species::{Eyes, Habitat, Species, SpeciesError};
#[cfg(feature = "scene")]
pub(crate) use species::{GLYPHS, is_glyph, is_name};
pub use team_view::TeamView;
