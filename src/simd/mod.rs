//! Width-generic vector code for rows of numbers, and shifts and transpositions in registers.

mod dispatch;
mod transpose;
mod vector;

#[cfg(target_arch = "x86_64")]
pub use crate::vectorize;
pub use crate::{dispatch, dispatch_8_lanes};
pub use dispatch::{LANES, each_lane, has_avx512, levels, processor_level};
pub(crate) use transpose::{TILE_SIDE, Tile, transpose, transpose_8, transpose_octants};
pub(crate) use vector::{Vector, shift_outwards};
