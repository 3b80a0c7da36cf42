//! The portable sweep: two-parent visibility in vectors of up to eight lanes, for any processor and any weights.
//!
//! `portable_sweep` walks from the viewer outwards over the blocks of an `octant_tiling`, `sweep_block` computes one or
//! two blocks, `neighbourhood` reads and writes cells around the viewer, and `transpose` turns columns into rows.

#[expect(unsafe_code, reason = "unchecked access around a viewer; its documentation gives the argument")]
mod neighbourhood;
mod octant_tiling;
mod portable_sweep;
mod sweep_block;
mod transpose;

pub(super) use portable_sweep::{PortableSweep, SweepInput};
