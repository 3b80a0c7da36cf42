//! The sky over every cell of a map: its horizon, its sky-view factor, and its hours of direct sun.
//!
//! ```text
//!   Surface ──► Sky ──► horizon_deg: the angle of the horizon along an azimuth
//!                │ ───► view_factor: the fraction of the light of an evenly bright sky
//!   SunPath ─────┴────► sunshine_h: the hours in which the sun is over the horizon
//! ```
//!
//! The horizons are those of an eye at the [eye height](field@crate::viewshed::Surface::eye_height) of the surface, by default on the
//! ground, and those of [`CellHorizons`](crate::horizon::CellHorizons). A part of the map has the same values as
//! the whole, if the surface includes a margin of the range around it.
//!
//! # Sky-view factor
//! Level ground under a sky of even brightness gets the fraction 1/2π ∫ cos² h dφ of the light that it gets without a
//! horizon, where h is the angle of the horizon at the azimuth φ, at least 0 (J. Dozier and J. Frew 1990, equation 7b,
//! for level ground).
//!
//! # Hours of direct sun
//! The sun counts while its centre is above 0° and above the horizon at the nearest azimuth, without refraction and
//! clouds. Its position is that of [`SunPosition`](crate::light::SunPosition).
//!
//! # References
//! - J. Dozier, J. Frew: Rapid calculation of terrain parameters for radiation modeling from digital elevation data. IEEE
//!   Transactions on Geoscience and Remote Sensing 28 (5), 1990.

#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod sky;

pub use sky::{DateError, Sky, SkyError, SunDays, SunPath};
