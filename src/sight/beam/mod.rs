//! The beam method: directions of equal width, each with what is left of its light. True shadows.

mod cast;
mod edges;
mod list;
mod shares;

pub(super) use cast::{Beams, cast};
pub use list::BeamList;
