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
//! # Three grades
//!
//! The grades differ in where they know the horizon. The [`Method`](crate::sight::Method) of a
//! [`SightConfig`](crate::sight::SightConfig) chooses one:
//!
//! | grade | method | the horizon of a cell | cost |
//! |---|---|---|---|
//! | reference plane | `two_parent` | interpolated between its two parents on the ring before | least |
//! | radial, R2 | `beam` | interpolated between the two nearest of 8 · radius · `beams` rays | 15 × |
//! | exact | `exact` | that of the line to its centre over the bilinear surface | 25 ×, on two threads |
//!
//! **Reference plane.** The plane through the eye and the horizons of the cell's two parents (one step nearer: straight
//! along the longer axis, and diagonal) has at the cell a slope between theirs, at the share m/M of the diagonal parent,
//! with M the longer and m the shorter of |dx| and |dy|. The horizon behind the cell is the greater of this slope and that
//! of the cell's ground. One pass outwards, ring by ring, computes all cells. This is the method of Wang, Robinson and
//! White (2000) and of `gdal_viewshed`. Interpolation at every ring blurs the horizon with distance.
//!
//! **Radial.** Rays leave the viewer in all directions. Each carries a horizon of its own and reads the height where it
//! crosses a ring, and where it passes from one row of cells to the next: the method R2 of Franklin and Ray (1994), but
//! the number of rays is free. Of the insides of patches, that next to the cell counts. A cell interpolates between two rays once, at the end, instead of at every
//! ring.
//!
//! **Exact.** A line to every cell's centre crosses the bilinear patches between cell centres, in each of which the
//! greatest slope has a closed form. Like R3 of Franklin and Ray, it has one line a cell, but it reads the whole surface, not
//! only the crossings of grid lines. It is the reference for the others. Most cells are decided by bounds of the horizons of
//! all lines between two directions; only near the horizon is a line followed, and only on the rings where it can be highest.
//!
//! # Conventions
//!
//! - A cell on the first ring has nothing between itself and the viewer and is always visible.
//! - Nodata (NaN) neither blocks nor is visible, unlike nodata among opacities, which blocks.
//! - Curvature lowers a point at distance d by c d² / (2 R), with c = 6/7 where refraction counts.
//! - Canopy dims a line of sight that passes below its top; it does not block. Half of the viewer's cell and half of the
//!   target's belong to the line.
//!
//! # References
//!
//! - W. R. Franklin, C. K. Ray: Higher isn't necessarily better: visibility algorithms and experiments. Advances in GIS
//!   Research (SDH), 1994.
//! - J. Wang, G. J. Robinson, K. White: Generating viewsheds without using sightlines. Photogrammetric Engineering &
//!   Remote Sensing 66 (1), 2000.
//!
//! # Files
//!
//! - `surface` is the input, `viewshed` the entry point, `clearance` one of the two outputs. `surface_terms` has what the
//!   kernels read of a surface, and the rule by which a horizon hides a target.
//! - `reference_plane`, `radial` and `exact` have one grade each. Of `exact`, `line` is the definition, `octant` computes
//!   the cells of a disc, and `sectors` has the bounds.
//! - `quadrants` is the order of computation of the first two: four quadrants of 90°, each ring by ring, over a
//!   `clipped_disc`. `transposed_columns` turns the left and right quadrant into rows; `ring_terms` has what the cells of a
//!   ring share.
//! - `radial` carries its rays in `quadrant_rays`, reads unsure cells again along a `cell_line`, and finds the cells that a
//!   ray crosses with `divide_multiples`; `last_patches` has the patches next to its cells. `canopy_state` is the canopy above the horizon on the way, for the first
//!   two; where it is unsure, and for the exact grade, `canopy_line` reads the line itself.

mod canopy_line;
mod canopy_state;
mod cell_line;
mod clearance;
mod clipped_disc;
mod divide_multiples;
mod exact;
mod last_patches;
mod quadrant_rays;
mod quadrants;
mod radial;
mod reference_plane;
mod ring_terms;
mod surface;
mod surface_terms;
mod transposed_columns;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod viewshed;

pub use clearance::Clearance;
pub use surface::{Canopy, Surface};
pub use viewshed::Viewshed;
