//! Four fields of view of roguelikes, each as in its source: binary, with walls only.
//!
//! | method | algorithm |
//! |---|---|
//! | `symmetric_shadowcast` | walls narrow intervals of lit slopes by their diamonds, row by row in four quadrants |
//! | `shadowcast` | recursive shadowcasting: walls narrow intervals of lit slopes, row by row in eight octants |
//! | `raycast_border` | a Bresenham line to every cell of the border, then a repair of walls behind visible floor |
//! | `raycast_circle` | a fixed number of Bresenham lines to a far circle |
//!
//! Symmetric shadowcasting is the yes or no for games. The known faults of the others are kept. None of them is symmetric: that a
//! sees b does not mean that b sees a. `raycast_circle` leaves gaps between its lines, more of them farther away. Lines along a wall
//! miss parts of it; `raycast_border` repairs that except in corners of rooms. The documentation of each file tells more.
//!
//! A cell is a wall from the opacity [`Method::wall_at`](super::Method::wall_at) on; below it the cell is clear. In
//! all four methods the viewer's own cell never blocks, the first wall is seen, and nothing beyond dx² + dy² = radius² is.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod classic;
mod raycast;
mod shadow_scan;
mod shadowcast;
mod symmetric_shadowcast;
mod symmetric_solver;
mod wall_bits;
mod wall_tiles;

pub(super) use classic::Classic;
pub(super) use raycast::{RaycastBorder, RaycastCircle};
pub(super) use shadowcast::Shadowcast;
pub(super) use symmetric_solver::SymmetricSolver;
pub(super) use wall_tiles::WallTiles;
