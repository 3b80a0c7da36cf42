//! The field of view: opacity of every cell in, visibility of every cell out. This module does not depend on `world`.
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
//! | method | description | error against `exact` | symmetric | run time |
//! |---|---|---|---|---|
//! | `two_parent` | as above: soft, shadows blur with distance | largest | yes (`linear`) | least |
//! | `beam` | rays in all directions, dimmed by the cells they cross: sharp shadows | small, less with more `beams` | no | 5 to 20 times |
//! | `exact` | traced lines to many points of every cell: the reference | sampling error only, less with more `samples` | no | thousands of times |
//!
//! A method is symmetric if V(a→b) = V(b→a) for opacities that do not depend on the eye. Those of relief and woods in a
//! world do; [`eye_asymmetry`](crate::compare::eye_asymmetry) measures how far such a world is from symmetry.
//!
//! The configuration and the errors are in `sight_config`, and views, which are the output, in `view`; this module re-exports
//! both. The files, for readers of the code:
//! - `opacity_source`, `opacity_map` and `door` are the input.
//! - `field_of_view` owns all buffers and computes a view: it fills a `window` around the viewer with opacities (row by
//!   row through `row_requests`, or straight from the map), runs a method, and applies path rule, ends of paths and decay
//!   (`shading`, `shading_kernel`). `radii` says which cells are in range, `sector_plan` which are in a sector.
//! - `compute_sector` is the view in a cone of vision. `compute_with` reads a game's own map; `line_of_sight` answers for a single
//!   cell what a view answers for all, and `mutual` for all pairs of creatures.
//! - `two_parent`, `beam` and `exact` have one method each; their documentation explains it. `offsets` is the list that
//!   defines the two-parent method.
//! - `end_length` is the part of a path in the cells of viewer and target, which counts in air and woods only; `end_lengths` has
//!   that of all cells.
//! - `cell_scale` is for rectangular cells on the ground.

mod beam;
mod cell_scale;
mod compute_sector;
mod compute_with;
mod crowd_view;
mod door;
mod end_length;
mod end_lengths;
pub(crate) mod exact;
mod field_of_view;
mod line_of_sight;
mod mutual;
mod offsets;
mod opacity_map;
mod opacity_source;
mod radii;
mod sector_plan;
mod shading;
mod shading_kernel;
mod two_parent;
mod window;

pub use crate::simd::processor_level;
pub use beam::BeamList;
pub(crate) use cell_scale::CellScale;
pub use door::Door;
pub(crate) use end_length::EndLength;
pub use field_of_view::FieldOfView;
pub use offsets::{Offset, OffsetList};
pub(crate) use offsets::{axes, diagonal_weight};
pub use opacity_map::{OpacityError, OpacityMap};
pub use opacity_source::{OpacityRows, OpacitySource};
pub(crate) use radii::Radii;
pub(crate) use shading::length_exponent;
#[doc(hidden)]
pub use two_parent::Kernel;
pub(crate) use window::{half_width, window_radius};

pub use crate::sight_config::{
    Decay, DecayKind, Method, PathRule, RadiusShape, Sector, SightConfig, SightError, Weights,
};
pub use crate::view::{Accuracy, OwnedView, View, ViewChanges};
