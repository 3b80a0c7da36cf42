//! The sweep: two-parent visibility in vectors of W lanes, for any processor and any weights.
//!
//! ```text
//!    ╲ 0 │ 1 ╱      The cells with the same M = max(|dx|, |dy|) form a ring, and they depend only on the ring M − 1.
//!   0  ╲ │ ╱  2     So each octant is swept outwards in rows M = 1, 2, …, and the light that passes a row stays in
//!   ─────@─────     registers: cell n = 0, 1, … away from the axis in lane n. The parents of a cell are the same lane of
//!   1  ╱ │ ╲  3     the row before, and the lane next to it. Left and right of the viewer, visibilities are written
//!    ╱ 2 │ 3 ╲      in transposed tiles of W × W.
//! ```
//!
//! `octant_tiling` cuts an octant into blocks of W × W cells. `sweep` walks from the viewer outwards over bands of up to
//! three neighbouring blocks. `band` has the kernel that computes a band in the lit ones of four octants, and the rows
//! that it fills: those of the window, or, for octants along columns, those of a buffer. `sector_mask` clears cells
//! outside of a sector, and `tile_store` writes the bands along columns into the window. `small_disc` sweeps all
//! octants of radii up to 8 together. `transmittance` is the input: 1 − opacity of every cell, row-major and
//! column-major.
//!
//! Vectors extend a little beyond the cells in sight: values beyond the diagonal are 0, values beyond the circle are
//! masked, and no cell in sight takes light from either.

mod band;
mod octant_tiling;
mod sector_mask;
mod small_disc;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod sweep;
#[cfg(test)]
mod tests;
mod tile_store;
mod transmittance;

pub(super) use band::Plane;
pub(super) use sweep::{Sweep, SweepWindow};
pub(crate) use transmittance::TransmittancePlanes;
