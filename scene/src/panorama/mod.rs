//! Panoramas: the view of a viewer all around, in true directions.
//!
//! ```text
//!   scene ──► Land: colours and tree tops per cell ──► DepthPanorama: the distance of each pixel
//!                                                                  │
//!             Atmosphere: sky, sun, air ──► Strip: pixels ◄────────┘ ──► woods, towers, lamps, creatures ──► names, degrees
//! ```
//!
//! [`DepthPanorama`](farsight::horizon::DepthPanorama) gives the surface in a pixel: the ground of exact viewsheds,
//! with the tops of its trees. The ground behind a wood is as dim as on the map, by the cover of the cells on the line;
//! a pixel belongs to the object that covers more of it. The viewer is in a clearing: the trees of the viewer's cell do
//! not count.
//!
//! # Light
//! A colour C at the distance d is seen as C T + A (1 − T) with T = e^(−∫ σ ds) through the air A of the sky behind it (Koschmieder
//! 1924); σ is the extinction of the cells on the line, as on the map, times λ^−1.3 (Ångström 1929) for red, green and blue.
//! The picture shows T^0.62, as the map does, since paper has less contrast than the world; below 2 %, of which the eye sees
//! nothing, it fades to nothing.
//!
//! # Names
//! The rank of a summit is its prominence, its rise over the highest saddle to higher ground, divided by its distance:
//! the angle of its prominence. It has a name if the air leaves at least 2 % of its contrast. A top of the skyline at
//! the edge of the map, beyond which the ground may rise, has only its height.
//!
//! # References
//! - H. Koschmieder: Theorie der horizontalen Sichtweite. Beiträge zur Physik der freien Atmosphäre 12, 1924.
//! - A. Ångström: On the atmospheric transmission of sun radiation and on dust in the air. Geografiska Annaler 11, 1929.
//! - C. Schlick: An inexpensive BRDF model for physically-based rendering. Computer Graphics Forum 13 (3), 1994.

mod annotation;
mod atmosphere;
mod labels;
mod land_colours;
mod marks;
mod named_feature;
mod options;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod panorama;
mod read_landmarks;
mod strip;
mod woods;

pub use named_feature::{FeatureKind, Landmark, NamedFeature};
pub use options::{PanoramaError, PanoramaOptions};
pub use panorama::{Panorama, PanoramaPainter};
pub use read_landmarks::{FoundLandmarks, read_landmarks};
