//! Work on rows of numbers that is written once for vectors of any width, and shifts and transpositions in registers.

mod dispatch;
mod transpose;
mod vector;

#[cfg(test)]
pub(crate) use dispatch::levels;
pub use dispatch::processor_level;
#[cfg(target_arch = "x86_64")]
pub(crate) use dispatch::vectorize;
pub(crate) use dispatch::{LANES, dispatch, dispatch_8_lanes, each_lane, has_avx512};
pub(crate) use transpose::{TILE_SIDE, Tile, transpose, transpose_8, transpose_octants};
pub(crate) use vector::{Vector, shift_outwards};
