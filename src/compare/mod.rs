//! Comparing fields of view with each other and with a reference: figures and pictures.
//!
//! | question | answer |
//! |---|---|
//! | how do all methods do on a map? | [`Comparison`] of [`Contender`]s in an [`Arena`] |
//! | how near is one to the reference? | [`Difference`] |
//! | does a see b as well as b sees a? | [`Asymmetry`] |
//! | are there cells that look wrong? | [`blind_spots`], [`hidden_walls`], [`orphans`], [`room_walls_missed`] |
//!
//! The last three work on grids of visibilities in [0, 1], of any origin: a yes is 1 and a no is 0.

mod accuracy;
mod arena;
mod comparison;
mod contender;
#[cfg(feature = "files")]
mod gallery;
pub mod kinds;
mod metrics;
#[cfg(feature = "files")]
mod panel;
#[cfg(feature = "files")]
mod sheet;

pub use accuracy::{AccuracyOptions, AccuracyRow, accuracy};
pub use arena::{Arena, ArenaError};
pub use comparison::{CompareError, CompareOptions, Comparison, Figures, MapFigures, RoomWalls};
pub use contender::{Contender, Seer};
#[cfg(feature = "files")]
pub use gallery::{GalleryOptions, gallery};
pub use metrics::{
    Asymmetry, Difference, MetricsError, SEEN_AT, blind_spots, hidden_walls, orphans, room_walls_missed, spread, within,
};
#[cfg(feature = "files")]
pub use sheet::picture;
