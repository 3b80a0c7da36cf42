//! Optics: the opacity of every cell of a world, from air, vegetation and relief.
//!
//! With L the side of a cell in metres and β an extinction per metre, a layer of a cell has the transmittance exp(−β L
//! · share), where share is the fraction of the ray inside the layer (Beer and Lambert). The path from the eye to a
//! target includes half of the viewer's cell and half of the target's, so that the contrast at the visual range is 2 %.

mod air;
mod config;
mod opacity_kernel;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod optics;
#[cfg(test)]
mod tests;

pub use config::{OpticsConfig, Relief};
pub use optics::{Breakdown, Optics};
