//! Work on rows of numbers that is written once for vectors of any width, and transposition of tiles in registers.

mod dispatch;
mod transpose;

#[cfg(test)]
pub(crate) use dispatch::levels;
#[cfg(any(feature = "cli", feature = "explorer"))]
pub(crate) use dispatch::processor_level;
#[cfg(target_arch = "x86_64")]
pub(crate) use dispatch::vectorize;
pub(crate) use dispatch::{LANES, dispatch, dispatch_8_lanes, each_lane};
pub(crate) use transpose::{TILE_SIDE, Tile, transpose, transpose_8, transpose_16};
