//! Horizons: what rises highest all around an eye, azimuth by azimuth, and the ridges before it.
//!
//! ```text
//!                          skyline            Along an azimuth the elevation of the ground, as an angle over the eye's level, rises
//!            ridge    ___╱╲                   and falls. A ridge is where it is higher than anything nearer and the ground behind
//!   eye       ╱╲    ╱      ╲                  dips out of sight; the last ridge is the skyline.
//!    |  ____╱   ╲__╱        ╲
//! ```
//!
//! The surface is that of exact viewsheds: bilinear between the centres of cells, lowered by the curvature of the Earth less
//! refraction ([`Surface::curvature`](crate::viewshed::Surface::curvature)), and where the surface has a
//! [`Canopy`](crate::viewshed::Canopy), as high as the tops of its trees. In the patch between four centres the height over the
//! eye along a line is a + b t + c t² at the distance t, so that its slope a/t + b + c t is greatest at an end of the patch or at
//! √(a/c): nothing is sampled. From an eye on the ground, a = 0, a slope that falls is greatest at the eye, at the distance 0: b.
//!
//! [`Horizon`] has the skyline and the ridges along azimuths; [`DepthPanorama`] what is in sight in each pixel of a picture;
//! [`CellHorizons`] the slope of the skyline of every cell.

mod azimuth_line;
mod cell_horizons;
mod config;
mod depth_panorama;
mod highest_pyramid;
mod projection;
mod ray;
mod skyline;

pub use cell_horizons::CellHorizons;
pub use config::{HorizonConfig, HorizonError};
pub use depth_panorama::{Crest, DepthPanorama};
#[doc(hidden)]
pub use highest_pyramid::HighestPyramid;
pub use projection::Projection;
pub use skyline::{AzimuthHorizon, Horizon, Ridge};
