//! Comparisons of fields of view with each other and with a reference: metrics and pictures.
//!
//! | question | answer |
//! |---|---|
//! | how do all methods compare on a map? | [`Comparison`] of [`Method`](farsight::sight::Method)s in a [`Case`] |
//! | how accurate is a method? | [`Difference`] |
//! | does a see b as well as b sees a? | [`Asymmetry`]; in a world, where each cell has its own eye, [`eye_asymmetry`] |
//! | are there cells that look wrong? | [`blind_spots`], [`hidden_walls`], [`orphans`], [`room_walls_missed`] |
//!
//! The last three accept grids of visibilities in [0, 1] from any program.

mod case;
mod comparison;
mod gallery;
pub mod kinds;
mod metrics;
mod sheet;

pub use case::{Case, CaseError, GALLERY_MAPS, GalleryMap, visibilities};
pub use comparison::{
    AccuracyOptions, AccuracyRow, CompareError, CompareOptions, Comparison, Figures, MapFigures, RoomWalls, accuracy,
};
pub use gallery::{GalleryOptions, gallery};
pub use metrics::{
    Asymmetry, Difference, MetricsError, MissedWalls, SEEN_AT, blind_spots, eye_asymmetry, hidden_walls, orphans,
    room_walls_missed, spread, within,
};
pub use sheet::picture;
