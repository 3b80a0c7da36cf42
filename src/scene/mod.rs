//! A preset, its world and a viewer: what the command line and the explorer work with.

#[cfg(feature = "files")]
mod air;
mod apply;
mod cells;
mod classic_sight;
mod daylight;
mod error;
mod lamp_light;
mod lamps;
mod layer;
mod map_opacities;
mod memory;
mod observers;
mod placement;
mod places;
mod route;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod scene;
mod seen_light;
mod senses;
mod summary;
mod terrain;
mod turns;
mod view;
mod view_window;
mod viewpoint;
mod walk_state;

pub use error::SceneError;
pub use layer::Layer;
#[cfg(feature = "files")]
pub(crate) use memory::{check_bytes, check_film, check_picture, check_sheet};
pub(crate) use memory::{check_compared_view, check_more_views};
pub use scene::{Scene, radius_over};
pub use terrain::Terrain;
#[cfg(feature = "files")]
pub(crate) use viewpoint::COMPASS_DIRECTIONS;
pub use walk_state::WalkState;
