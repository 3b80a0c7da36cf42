//! The field of view: opacity of every cell in, visibility of every cell out.
//!
//! ```text
//!            viewer                     In the two-parent method a cell takes its light
//!              @─────┐                  from two cells that are one step nearer to the
//!              │     │                  viewer: A, straight back along the longer axis,
//!              A     B                  and B, diagonally back along both axes.
//!              │   ╱
//!              │ ╱                      raw(c) = wA · raw(A) · (1 − opacity(A))
//!              c                               + wB · raw(B) · (1 − opacity(B))
//! ```
//!
//! | method | description | error against exact | symmetric | run time |
//! |---|---|---|---|---|
//! | [`TwoParent`](Method::TwoParent) | as above: soft, shadows blur with distance | maximum | yes ([linear](Weights::Linear)) | minimum |
//! | [`Beam`](Method::Beam) | rays in all directions, dimmed by the cells they cross: sharp shadows | small, less with more `beams` | no | 5 to 20 times |
//! | [`Exact`](Method::Exact) | traced lines to many points of every cell: the reference | sampling error only, less with more `samples` | no | thousands of times |
//! | [`SymmetricShadowcast`](Method::SymmetricShadowcast) | lines between centres, past the diamonds of walls: binary | large, all in penumbras | between floor cells | a few times |
//! | [`Shadowcast`](Method::Shadowcast) | walls narrow intervals of lit slopes: binary | large, all in penumbras | no | a few times |
//! | [`RaycastBorder`](Method::RaycastBorder) | lines to the border, walls behind visible floor: binary | large, all in penumbras | no | a few times |
//! | [`RaycastCircle`](Method::RaycastCircle) | lines to a far circle: binary | large, and gaps far away | no | tens of times |
//!
//! A method is symmetric if V(a→b) = V(b→a) for opacities that do not depend on the eye, as on every [`OpacityMap`].

// The configuration and the errors are in `sight_config`, and views, which are the output, in `view`; this module re-exports both.
// - `opacity_source` and `opacity_map` are the input, and `field_of_view` owns all buffers.
// - A view has three steps, which are in `planned_view`. A `view_plan` is the extent of the view: radii, sector, and the sides of
//   rectangular cells. A `solver` computes raw values into a `window` around the viewer. The last step applies the path rule,
//   `half_cells` and the decay (`attenuation`), shape and sector.
// - `two_parent`, `beam`, `exact` and `classic` (the last four rows) are the solvers; their documentation explains them. Read
//   `two_parent/definition.rs` first: one pass over the list of `offsets`, the cells of a radius with parents and weights.
// - `line_of_sight` computes single cells of a view.

mod attenuation;
mod beam;
mod classic;
mod crowd_view;
pub(crate) mod exact;
pub(crate) mod field_of_view;
mod half_cells;
mod line_of_sight;
mod offsets;
mod opacity_map;
pub(crate) mod opacity_source;
mod planned_view;
mod solver;
pub(crate) mod two_parent;
pub(crate) mod view_plan;
pub(crate) mod window;

pub use crate::simd::processor_level;
pub(crate) use attenuation::length_exponent;
pub use beam::BeamList;
pub use field_of_view::FieldOfView;
pub(crate) use half_cells::HalfCells;
pub use offsets::{Offset, OffsetList};
pub(crate) use offsets::{ancestor_ranks, axes, diagonal_weight};
pub use opacity_map::{Door, OpacityError, OpacityMap};
pub use opacity_source::{OpacityCells, OpacityRows, OpacitySource};
pub(crate) use planned_view::RawView;
pub(crate) use two_parent::definition::arriving;
pub(crate) use view_plan::CellScale;
pub(crate) use window::half_width;

pub use crate::sight_config::{
    Decay, DecayPointsError, Limits, Method, MethodKind, OutOfRange, PathRule, RadiusShape, Sector, SightConfig,
    SightError, Weights,
};
pub use crate::view::{Accuracy, OwnedView, View, ViewChanges, Visibilities};
