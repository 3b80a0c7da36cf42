//! Hills: what ground hides from a viewer, and what the woods on it take away.
//!
//! ```text
//!            line to the target           Along a line of sight the steepest slope met so far is the horizon. What
//!   eye  ____________________ target      rises to it is seen, what stays below is hidden: by how many metres is its
//!    |  ╲     ridge      ___╱  |          clearance.
//!    |   ╲    ╱╲ horizon     ╲ |
//!    |    ╲__╱  ╲_____________╲|          Slopes are counted in metres per ring (M = max(|dx|, |dy|)), in which a plane
//!   ground                                through the eye has the same slope at neighbours as on the line between them.
//! ```
//!
//! | grade | method | horizon of a cell | cost |
//! |---|---|---|---|
//! | fast | `two_parent` | between those of its two parents, ring by ring (linear weights): the reference planes of Wang, Robinson and White (2000), and GDAL's | least |
//! | true | `beam` | between those of the two nearest of 8 R · `beams` rays, each with the height where it crosses a ring: R2 of Franklin and Ray (1994) | ten times that |
//! | exact | `exact` | of the line to its middle over the bilinear surface, ridge by ridge | thousands of times that |
//!
//! A cell of the first ring has nothing between itself and the viewer and is always in sight. A cell without data (NaN)
//! neither blocks nor is seen. The Earth's curvature lowers what is far: by c d² / 2R, with less than c = 1 for what
//! refraction lifts again.

mod clearance;
mod columns;
mod exact;
mod radial;
mod reference_plane;
mod surface;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod viewshed;
mod wedge;
mod woods;

pub use clearance::Clearance;
pub use surface::{Canopy, Surface};
pub(crate) use viewshed::Horizon;
