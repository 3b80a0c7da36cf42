//! The kernel: opacity of every cell in, visibility of every cell out. Knows nothing of worlds.
//!
//! ```text
//!            viewer                     Every cell takes its light from two cells that
//!              @─────┐                  are one step nearer to the viewer: A, straight
//!              │     │                  back along the longer axis, and B, diagonally
//!              A     B                  back along both.
//!              │   ╱
//!              │ ╱                      raw(c) = wA · raw(A) · (1 − opacity(A))
//!              c                               + wB · raw(B) · (1 − opacity(B))
//! ```
//!
//! [`OffsetList`] holds all offsets of a radius, nearest first, with parents and weights, so one
//! walk along it settles every cell: that is the definition (`propagate`). Sweeps outwards in vectors
//! give the same bits sooner and do the work (`sixteen`, or from radius 8 up `eight`). [`FieldOfView`] owns a list and its
//! buffers and answers with a [`View`].
//!
//! | method | what it is | error against `exact` | symmetric | cost |
//! |---|---|---|---|---|
//! | `two_parent` | the above: soft, shadows blur with distance | largest | yes (`linear`) | least |
//! | `beam` | rays in all directions, dimmed as they go: true shadows | small, less with more `beams` | no | two to three times that |
//! | `exact` | traced lines to many points of every cell: the reference | that of its `samples` | no | thousands of times that |

mod accuracy;
mod beam;
mod config;
mod corridor;
mod decay;
mod error;
mod exact;
mod field_of_view;
mod offsets;
mod opacity_map;
mod opacity_source;
mod row_request;
mod shading;
mod two_parent;
mod view;
mod window;
mod workspace_pool;

pub use accuracy::Accuracy;
pub use beam::BeamList;
pub use config::{Method, PathRule, SightConfig, Weights};
pub use corridor::Corridor;
pub use decay::{Decay, DecayKind};
pub use error::SightError;
pub use field_of_view::FieldOfView;
pub use offsets::{Offset, OffsetList};
pub use opacity_map::{OpacityError, OpacityMap};
pub use opacity_source::{OpacityRows, OpacitySource};
pub(crate) use row_request::RowRequests;
#[doc(hidden)]
pub use two_parent::Kernel;
pub use view::View;
pub(crate) use window::{half_width, radius_of_window};
pub(crate) use workspace_pool::{Workspace, WorkspacePool};
