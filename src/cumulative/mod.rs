//! Cumulative viewsheds: what several observers see together, on measured ground.
//!
//! ```text
//!  observers (CSV, GeoJSON) ──► PlacedObserver ──► a view each, within its ViewLimits ──► CumulativeView: union, count, best
//!                                                                                              └──► polygons as GeoJSON
//! ```

mod cumulative_view;
mod error;
mod placed_observer;
mod polygons;
mod read_observers;
mod view_limits;

pub use cumulative_view::CumulativeView;
pub use error::ObserverError;
pub use placed_observer::PlacedObserver;
pub use polygons::check_polygons;
pub use polygons::seen_polygons;
pub use read_observers::{ObserverFormat, read_observers};
pub use view_limits::ViewLimits;
