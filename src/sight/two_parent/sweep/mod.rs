//! The portable sweep: two-parent visibility in vectors of up to eight lanes, for any processor and any weights.
//!
//! `portable_sweep` walks from the viewer outwards over the blocks of an `octant_tiling`, `sweep_block` computes one or
//! two blocks, and `neighbourhood` reads and writes cells around the viewer.

#[expect(unsafe_code, reason = "unchecked access around a viewer; its documentation gives the argument")]
mod neighbourhood;
mod octant_tiling;
mod portable_sweep;
mod sweep_block;

pub(super) use portable_sweep::{PortableSweep, SweepInput};
