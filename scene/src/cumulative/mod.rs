//! Cumulative viewsheds: the joint view of several observers on measured ground, and the visibility of turbines and masts.
//!
//! ```text
//!  observers (CSV, GeoJSON) ──► PlacedObserver ──► a view each, within its ViewLimits ──► CumulativeView: layers, km²
//!                                                                                              └──► polygons
//! ```

mod count_classes;
mod coverage;
mod cumulative_view;
mod error;
mod found_points;
mod observer_view;
mod place_tables;
mod placed_observer;
mod point_features;
mod point_table;
mod polygons;
mod read_observers;
mod read_points;
mod shapes;
mod sweep_progress;

pub use count_classes::CountClasses;
pub use coverage::{ChosenObserver, CoveredGround, DistanceBand};
pub use cumulative_view::{CumulativeLayer, CumulativeParts, CumulativeView, PlaceView};
pub use error::ObserverError;
pub(crate) use found_points::PointKind;
pub use observer_view::VisibleCells;
pub use place_tables::PlaceMap;
pub(crate) use placed_observer::{POINT_KEYS, PointValues};
pub use placed_observer::{PlacedObserver, ViewLimits};
pub use polygons::SeenPolygons;
pub use read_observers::{FoundObservers, read_observers};
pub(crate) use read_points::{FoundPoints, read_points};
pub use read_points::{ObserverFormat, ObserverNote};
pub use shapes::{Areas, points_on_shapes};
