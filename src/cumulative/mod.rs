//! Cumulative viewsheds: what several observers see together, on measured ground.
//!
//! ```text
//!  observers (CSV, GeoJSON) ──► PlacedObserver ──► a view each, within its ViewLimits ──► CumulativeView: union, count, best
//!                                                                                              └──► polygons as GeoJSON
//! ```

mod cumulative_view;
mod placed_observer;
mod polygons;
mod read_observers;

pub use cumulative_view::CumulativeView;
pub use placed_observer::{ObserverError, PlacedObserver, ViewLimits};
pub use polygons::{check_polygons, seen_polygons};
pub use read_observers::{FoundObservers, ObserverFormat, ObserverNote, read_observers};
