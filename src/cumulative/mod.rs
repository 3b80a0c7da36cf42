//! Cumulative viewsheds: what several observers see together, on measured ground; and what is seen of turbines and masts.
//!
//! ```text
//!  observers (CSV, GeoJSON) ──► PlacedObserver ──► a view each, within its ViewLimits ──► CumulativeView: layers, km²
//!                                                                                              └──► polygons as GeoJSON
//! ```

mod coverage;
mod cumulative_view;
mod observer_view;
mod placed_observer;
mod polygons;
mod read_observers;

pub use coverage::{ChosenObserver, DistanceBand};
pub use cumulative_view::{CumulativeLayer, CumulativeParts, CumulativeView};
pub use observer_view::SeenCells;
pub use placed_observer::{ObserverError, PlacedObserver, ViewLimits};
pub use polygons::{check_polygons, seen_polygons};
pub use read_observers::{FoundObservers, ObserverFormat, ObserverNote, read_observers};
