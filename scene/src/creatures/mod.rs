//! Creatures: their habitats and movement, their eyes, and their recognition by the viewer.

mod config;
mod creature;
mod creature_watch;
mod species;

pub use config::{Observer, PerceptionConfig};
pub use creature::{Creature, Creatures, PlacedCreature, Sighting};
pub use creature_watch::{CreatureEvent, CreatureWatch, nearest_direction};
pub use species::{Eyes, Habitat, Species, SpeciesError};
pub(crate) use species::{GLYPHS, is_glyph, is_name};
