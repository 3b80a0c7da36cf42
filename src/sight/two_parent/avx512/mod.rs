//! The sweep in vectors of sixteen numbers, for processors with AVX-512 and linear weights.

mod access;
mod both_axes;
mod buffers;
mod octant_pairs;
mod octant_tiling;
mod row_band;
pub(super) mod small_radius;
mod sweep;
mod sweep_block;
mod transpose;

pub(super) use sweep::{Ground, Sixteen};
pub(in crate::sight) use transpose::{mirror, mirror_wedges};
