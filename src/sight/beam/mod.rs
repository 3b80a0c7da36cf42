//! The beam method: sharp shadows. Rays leave the centre of the viewer's cell in all directions. Each represents a
//! sector of the full turn and carries its remaining light. A cell's visibility is the mean over the rays that cross
//! it, weighted by area; then the cell dims these rays.
//!
//! ```text
//!           ╱ ray n−1    All eight octants are walked at once: a ray of the list stands for its eight mirror images, whose
//!         ╱  ╱           light is in eight lanes. A cell of opacity o dims a ray by
//!       ╱ ╱ ─ ray k          (1 − o)^chord            (`per_length`), or
//!     @──── ─ ray 0          (1 − o)^(chord · M/r)    (`per_cell`, with M and r of the cell).
//! ```
//!
//! The chord is the length of the ray inside the cell, M = max(|dx|, |dy|), r the distance. Opacity 1 blocks all rays
//! that it touches. A shadow edge may be anywhere in a sector, so the light of a sector has two bounds
//! (`beam_sectors`); in clear air both are equal, and the shadow of a wall is exact.
//!
//! These properties hold: values are in [0, 1]; an open field shows only the decay; more opacity never raises visibility;
//! no light leaves a sealed ring; the symmetries of the square; translation. These do not: V(a→b) = V(b→a), since a view
//! goes from the centre of one cell to the area of another; and the values of a smaller radius are not a prefix, since
//! the directions depend on the radius.
//!
//! `beam_list` precomputes which rays cross which cell. `beam` processes it column by column. `octant_column` reads
//! opacities from the window and writes visibilities, `ray_light` sums and dims rays, near shadow edges with the bounds
//! of `beam_sectors`, which also has the dark rays: cells with only dark rays are skipped. `beam_target` restricts the
//! pass to the rays of one cell.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod beam;
mod beam_list;
mod beam_sectors;
mod beam_target;
mod octant_column;
mod ray_light;

pub(super) use beam::Beam;
pub use beam_list::BeamList;
