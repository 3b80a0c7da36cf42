//! Why a field of view could not be computed.

use glam::IVec2;

/// Why a field of view could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SightError {
    /// The viewer does not stand on the map.
    #[error("the viewer at {},{} stands outside the map of {width}x{height} cells (0,0 to {},{})",
        viewer.x, viewer.y, width - 1, height - 1)]
    ViewerOutside {
        /// The cell asked for.
        viewer: IVec2,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// More cells in sight than a list is built for.
    #[error("a radius of {radius} cells is too large; at most {limit} can be in sight")]
    RadiusTooLarge {
        /// The radius asked for.
        radius: u32,
        /// The largest radius that is built.
        limit: u32,
    },
    /// A decay whose parameters are out of range.
    #[error("sight.decay: {0}")]
    Decay(String),
}
