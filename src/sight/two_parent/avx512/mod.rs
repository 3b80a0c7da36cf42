//! The AVX-512 sweep: two-parent visibility in vectors of 16 lanes, for linear weights. It gives the same bits as the
//! definition.
//!
//! ```text
//!    ╲ 0 │ 2 ╱      Two opposite wedges are swept at once: up and down along the rows of a map, then left and right along
//!      ╲ │ ╱        the rows of its transposed copy. Each wedge has two octants. In rows M = 1, 2, … outwards, the light
//!   ─────@─────     that passes a row stays in registers: up to three vectors for each of the four octants, n = 16 b …
//!      ╱ │ ╲        away from the axis. The parents of a cell are the same lane of the row before, and the lane next to
//!    ╱ 3 │ 1 ╲      it. Visibilities left and right are transposed back in tiles of 16 × 16.
//! ```
//!
//! The work is cut into blocks of 16 × 16 cells (`tiling`). Blocks that no light enters are skipped, and cleared if an
//! earlier view left light in them. Octants 0 and 1 are on one side of their axis; octants 2 and 3 are on the other, and
//! their lanes run the other way. All contain the axis, which is computed twice.
//!
//! `avx512_sweep` owns the buffers and starts `both_axes` (the first groups of both axes together, for more independent
//! dependency chains) and `sweep_axis` (the rest, one axis after the other). These lay out a `row_band` of up to three
//! blocks, and `sweep_block` computes it. `octant_pairs` describes the two wedges of an axis, `access` reads and writes
//! their cells, `buffers` keeps values between blocks, `transpose` turns columns into rows. `small_radius` is a kernel of
//! its own for radii up to 8.
//!
//! # Why this folder is `unsafe`
//!
//! Intrinsics without pointers are safe in functions that enable AVX-512, and these are entered in one place, after a
//! check of the processor. What remains are reads and writes through pointers, since a bounds check for each of some
//! thousand vectors costs as much as its computation:
//! - Opacities are read around the viewer's cell in a slice. A vector that may extend beyond the slice is read under a
//!   mask that has only lanes in sight and on the map; `sweep_axis` chooses, from the length of the slice before and after
//!   the viewer. Masked lanes access no memory. Octants that are off the map read and write `ZeroRows` instead.
//! - Visibilities are written in the same way into the window, which contains every cell in sight and on the map.
//! - Values in between are in buffers of fixed shape, which only this folder sizes.
//!
//! The first two are in `access`, the last in `buffers`; `transpose` has the reads and writes of a transposed copy, and
//! `small_radius` its own. Debug builds check every access, and the tests run in debug builds.

mod access;
mod avx512_sweep;
mod both_axes;
mod buffers;
mod map_margins;
mod mask_mode;
mod octant_pairs;
mod row_band;
pub(super) mod small_radius;
mod sweep_axis;
mod sweep_block;
mod tiling;
mod transpose;

pub(super) use avx512_sweep::{Avx512Input, Avx512Sweep};
pub(in crate::sight) use transpose::transpose_grid;
pub(super) use transpose::transpose_wedges;
