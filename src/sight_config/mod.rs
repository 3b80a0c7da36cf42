//! The configuration of a field of view: method, radius and its shape, sector, decay; and the errors. Users find these types in
//! [`sight`](crate::sight).
//!
//! `config` is the whole, and `crisp` the configuration for games of walls. `decay`, `radius_shape` and `sector` are its parts.
//! `sector_edges` are the edges of a sector in integers, and `octant_parts` the part of each octant between them.

mod config;
mod crisp;
mod decay;
mod error;
mod octant_parts;
mod radius_shape;
mod sector;
mod sector_edges;

pub use config::{Method, PathRule, SightConfig, Weights};
pub use decay::{Decay, DecayKind};
pub use error::SightError;
pub(crate) use octant_parts::{OctantBounds, OctantPart, OctantParts, OctantSet};
pub use radius_shape::RadiusShape;
pub use sector::Sector;
pub(crate) use sector_edges::{RowPart, SectorEdges};
