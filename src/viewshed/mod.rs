//! Viewsheds: what is visible over ground and canopy, as GIS programs compute it.
//!
//! ```text
//!            line to the target           Along a line of sight the steepest slope from the eye to the ground so far is
//!   eye  ____________________ target      the horizon. A target at or above it is visible; one below it is hidden. The
//!    |  ╲     ridge      ___╱  |          target's height above the horizon, in metres, is its clearance.
//!    |   ╲    ╱╲ horizon     ╲ |
//!    |    ╲__╱  ╲_____________╲|          Slopes are in metres per ring, M = max(|dx|, |dy|): then the slope of a plane
//!   ground                                through the eye is linear along a ring.
//! ```
//!
//! The heights of a raster are those of the centres of its cells. A line of sight runs between them, so a rule must
//! define the height of the ground between them, and the heights that a line uses. GIS programs have two kinds of
//! rules; this module implements the best known rule of one kind, and the limit of the other.
//!
//! # Two grades
//!
//! The [`Method`](crate::sight::Method) of a [`SightConfig`](crate::sight::SightConfig) chooses the grade:
//!
//! | grade | method | the horizon of a cell | wrong cells | cost |
//! |---|---|---|--:|---|
//! | reference plane | [`TwoParent`](crate::sight::Method::TwoParent) | interpolated between its two parents on the ring before | 0.7 % | R² steps |
//! | exact | every other | that of the line to its centre over the bilinear surface | none | 10 to 25 × |
//!
//! Over ground and canopy all methods of the exact grade give the same values: take [`Exact`](crate::sight::Method::Exact), or
//! [`Beam`](crate::sight::Method::Beam) with [air](Viewshed::compute_in_air). Beams and samples count in the air only.
//!
//! A cell is wrong if it differs from a line of sight over the bilinear surface, traced by another program in `f64`.
//! The percentage is of 8.6 million cells of twelve terrains, of which 14 % are visible; the cost is that of one thread
//! at radii from 64 to 1024.
//!
//! **Reference plane.** The plane through the eye and the horizons of the cell's two parents (one step nearer: straight
//! along the longer axis, and diagonal) has at the cell a slope between theirs, with the weight m/M of the diagonal
//! parent, with M the longer and m the shorter of |dx| and |dy|:
//!
//! ```text
//! horizon = h(straight) + (h(diagonal) − h(straight)) m/M          h(cell) = max(horizon, slope of its ground)
//! ```
//!
//! One pass outwards, ring by ring, computes all cells. This is the method of Wang, Robinson and White (2000) and of
//! `gdal_viewshed`. Interpolation at every ring blurs the horizon with distance: the shadow of a peak becomes too low
//! and too wide. So most wrong cells are at the edges of far shadows.
//!
//! **Exact.** A line to every cell's centre crosses the bilinear patches between cell centres. At the fraction t of the
//! line, its height over the eye in a patch is a + b t + c t², and the slope of the ground a/t + b + c t has its
//! maximum at an end of the patch or at t = √(a/c). Like R3 of Franklin and Ray (1994), it has one line per cell, but
//! it reads the whole surface, not only the crossings of grid lines. Bounds of the horizons of all lines between two
//! directions decide most cells; only near the horizon a line is traced, and only on the rings that may have the
//! maximum.
//!
//! # Conventions
//!
//! - A neighbour in a row or column is always visible, since nothing is between it and the viewer; with reference planes a diagonal
//!   one, too.
//! - Nodata (NaN) does not block and is not visible; nodata among opacities blocks.
//! - Curvature lowers a point at distance d by c d² / (2 R), where c is [`Surface::curvature`](field@Surface::curvature): 0
//!   unless set, 6/7 with standard refraction.
//! - [Obstacles](field@Surface::obstacles) hide what is behind them, not eyes and targets on their own cells, which are on the
//!   ground: in a street, or in front of a house.
//! - Canopy dims a line of sight that passes below its top; it does not block. Half of the viewer's cell and half of the
//!   target's belong to the line.
//!
//! # References
//!
//! - W. R. Franklin, C. K. Ray: Higher isn't necessarily better: visibility algorithms and experiments. Advances in GIS
//!   Research (SDH), 1994.
//! - J. Wang, G. J. Robinson, K. White: Generating viewsheds without using sightlines. Photogrammetric Engineering &
//!   Remote Sensing 66 (1), 2000.

// The files: `surface` is the input, and its terms for the kernels. `viewshed` is the entry point and the output.
// `reference_plane` is the first grade, in the order of `quadrants`: four quadrants of 90°, each ring by ring, of which
// `transposed_columns` turns the left and right one into rows. `exact` defines the second grade, one line at a time over the patches
// of `bilinear`; `octants` computes the cells of a disc, with the bounds of `sectors`. `canopy` is the wood on a line, for both
// grades; `canopy_lines` computes eight lines at a time for the reference plane.

mod bilinear;
mod canopy;
mod canopy_lines;
mod exact;
mod line_search;
mod octants;
mod profile;
mod quadrants;
mod reference_plane;
mod sectors;
mod surface;
mod transposed_columns;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
pub(crate) mod viewshed;

pub(crate) use bilinear::{Bilinear, Quadratic, SlopeMaximum};
pub use exact::is_in_sight;
pub use profile::{Profile, ProfilePoint};
pub use surface::{Canopy, CanopyLaw, Surface};
pub use viewshed::{Clearance, EyeHeights, Viewshed};
