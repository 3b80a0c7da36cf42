//! The configuration of a field of view: method, radius and its shape, sector, decay; and the errors. Users find these types in
//! [`sight`](crate::sight).
//!
//! `config` has the configuration, `method`, `decay`, `radius_shape` and `sector` its parts. `sector_edges` has the
//! edges of a sector in integers, and the part of each octant between them.

mod config;
mod decay;
mod error;
mod method;
mod radius_shape;
mod sector;
mod sector_edges;

pub use config::{PathRule, SightConfig};
pub use decay::Decay;
pub use error::{DecayPointsError, Limits, OutOfRange, SightError};
pub use method::{KnownMethod, Method, MethodKind, Weights};
pub use radius_shape::RadiusShape;
pub use sector::Sector;
pub(crate) use sector_edges::{OctantBounds, OctantPart, OctantParts, OctantSet};
pub use sector_edges::{RowPart, SectorEdges};
