//! Cumulative viewsheds: what several observers see together, on measured ground.
//!
//! ```text
//!  observers (CSV, GeoJSON) ──► PlacedObserver ──► a view each, within its ViewLimits ──► CumulativeView: union, count, best
//!                                                                                              └──► polygons as GeoJSON
//! ```

mod cumulative_view;
mod error;
mod placed_observer;
mod point_key;
mod polygons;
mod read_observers;
mod read_points;

pub use cumulative_view::CumulativeView;
pub use error::ObserverError;
pub use placed_observer::{PlacedObserver, ViewLimits};
pub(crate) use point_key::PointKey;
pub use polygons::{check_polygons, seen_polygons};
pub use read_observers::{FoundObservers, read_observers};
pub(crate) use read_points::{FoundPoints, PointKind, read_points};
pub use read_points::{ObserverFormat, ObserverNote};
