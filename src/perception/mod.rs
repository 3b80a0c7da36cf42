//! Recognition and memory of a viewer: thresholds of visibility, memory of cells, the shared view of a team, senses of
//! creatures.

mod memory;
mod recognition;
mod team_view;

pub use memory::{CellMemory, CellMemoryError, Memory, MemoryChanges, OutOfSight};
pub use recognition::{PeripheralVision, Recognition, Sense, Thresholds};
pub use team_view::TeamView;
