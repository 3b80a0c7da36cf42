//! Four fields of view of roguelikes, each as in its source: binary, with walls only.
//!
//! | method | algorithm |
//! |---|---|
//! | `symmetric_shadowcast` | walls narrow intervals of lit slopes by their diamonds, row by row in four quadrants |
//! | `shadowcast` | recursive shadowcasting: walls narrow intervals of lit slopes, row by row in eight octants |
//! | `raycast_border` | a Bresenham line to every cell of the border, then a repair of walls behind visible floor |
//! | `raycast_circle` | a fixed number of Bresenham lines to a far circle |
//!
//! Symmetric shadowcasting is the binary method for games. The known faults of the others are reproduced. None of them
//! is symmetric: if a sees b, b may not see a. `raycast_circle` leaves gaps between its lines, which grow with
//! distance. Lines along a wall miss parts of it; `raycast_border` repairs that except in corners of rooms. See the
//! documentation of each file.
//!
//! A cell is a wall if its opacity is at least [`SightConfig::wall_at`](super::SightConfig::wall_at); otherwise it is
//! clear. In all four methods the viewer's own cell never blocks, the first wall is visible, and no cell beyond dx² +
//! dy² = radius² is.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod classic;
mod raycast;
mod shadowcast;
mod symmetric_shadowcast;

pub(super) use classic::Classic;
pub(super) use raycast::{RaycastBorder, RaycastCircle};
pub(super) use shadowcast::Shadowcast;
pub(super) use symmetric_shadowcast::SymmetricShadowcast;
