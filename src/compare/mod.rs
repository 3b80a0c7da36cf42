//! Comparing fields of view with each other and with a reference: figures.
//!
//! | question | answer |
//! |---|---|
//! | how near is it to the reference? | [`Difference`] |
//! | does a see b as well as b sees a? | [`Asymmetry`] |
//! | are there cells that look wrong? | [`blind_spots`], [`hidden_walls`], [`orphans`], [`room_walls_missed`] |
//!
//! All are pure functions of grids of visibilities in [0, 1], of any origin: a yes is 1 and a no is 0.

mod metrics;

pub use metrics::{
    Asymmetry, Difference, MetricsError, SEEN_AT, blind_spots, hidden_walls, orphans, room_walls_missed, spread, within,
};
