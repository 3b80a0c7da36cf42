//! A preset, its world and a viewer: the core of the command line and the explorer.

mod cells;
mod cost;
mod error;
mod lamps;
mod layer;
mod light;
mod memory;
mod painting;
mod placement;
mod places;
mod refresh;
mod route;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod scene;
mod state;
mod strokes;
mod summary;
mod terrain;
mod turns;
mod view;
mod viewpoint;
mod walk_state;

pub use cost::{SceneCost, time_text};
pub use error::SceneError;
pub use layer::Layer;
pub(crate) use memory::{check_bytes, check_film, check_picture, check_sheet};
pub(crate) use memory::{check_compared_view, check_more_views};
pub use refresh::{Refreshed, RefreshedError};
pub(crate) use scene::grown_radius;
pub use scene::{Scene, radius_over};
pub use state::SceneState;
pub use terrain::Terrain;
pub(crate) use viewpoint::COMPASS_DIRECTIONS;
pub use walk_state::WalkState;
