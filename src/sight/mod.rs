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
//! The files, for readers of the code:
//! - `config`, `decay` and `error` are configuration and errors. `opacity_source`, `opacity_map` and `door` are the input,
//!   `view` is the output, `owned_view` a copy of it that is kept.
//! - `field_of_view` owns all buffers and computes a view: it fills a `window` around the viewer with opacities (row by
//!   row through `row_request`, or straight from the map), runs a method, and applies path rule, ends of paths and decay
//!   (`shading`, `shading_kernel`).
//!   `radius_shape` and `radii` say which cells are in range, `workspace_pool` does this for many viewers on all threads.
//! - `sector` is a cone of vision, `compute_sector` the view in it. `compute_with` reads a game's own map; `line_of_sight` answers for a single cell what a view answers for all, and `mutual` for all pairs of creatures.
//! - `two_parent`, `beam` and `exact` have one method each; their documentation explains it. `offsets` is the list that
//!   defines the two-parent method.
//! - `end_length` is the part of a path in the cells of viewer and target, which counts in air and woods only; `end_lengths` has
//!   that of all cells.
//! - `cell_scale` is for rectangular cells on the ground.
//! - `corridor` looks at a single target instead of a whole view, and `accuracy` compares views.

mod accuracy;
mod beam;
mod cell_scale;
mod compute_sector;
mod compute_with;
mod config;
mod corridor;
mod crisp;
mod crowd_view;
mod decay;
mod door;
mod end_length;
mod end_lengths;
mod error;
mod exact;
mod field_of_view;
mod line_of_sight;
mod mutual;
mod octant_parts;
mod offsets;
mod opacity_map;
mod opacity_source;
mod owned_view;
mod radii;
mod radius_shape;
mod row_request;
mod sector;
mod sector_edges;
mod sector_plan;
mod shading;
mod shading_kernel;
mod two_parent;
mod view;
mod window;
mod workspace_pool;

pub use accuracy::Accuracy;
pub use beam::BeamList;
pub(crate) use cell_scale::CellScale;
pub use config::{Method, PathRule, SightConfig, Weights};
pub use corridor::Corridor;
pub use decay::{Decay, DecayKind};
pub use door::Door;
pub(crate) use end_length::EndLength;
pub use error::SightError;
pub use field_of_view::FieldOfView;
pub use offsets::{Offset, OffsetList};
pub use opacity_map::{OpacityError, OpacityMap};
pub use opacity_source::{OpacityRows, OpacitySource};
pub use owned_view::{OwnedView, ViewChanges};
pub(crate) use radii::Radii;
pub use radius_shape::RadiusShape;
pub(crate) use row_request::RowRequests;
pub use sector::Sector;
#[doc(hidden)]
pub use two_parent::Kernel;
pub use view::View;
pub(crate) use window::{half_width, window_radius};
pub(crate) use workspace_pool::{Workspace, WorkspacePool};
