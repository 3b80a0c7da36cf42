//! Why a field of view could not be computed.

use glam::IVec2;

use crate::grid::CellRect;
use crate::job::Cancelled;

/// Why a field of view could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SightError {
    /// The viewer does not stand on the map.
    #[error("the viewer at {},{} stands outside the map of {width}x{height} cells{}",
        viewer.x, viewer.y, corners(*extent), width = extent.width(), height = extent.height())]
    ViewerOutside {
        /// The cell asked for.
        viewer: IVec2,
        /// The cells of the map.
        extent: CellRect,
    },
    /// The viewer stands where nobody measured the ground.
    #[error("the viewer at {},{} stands where the map has no data; choose a cell that has an elevation",
        viewer.x, viewer.y)]
    ViewerWithoutData {
        /// The cell asked for.
        viewer: IVec2,
    },
    /// The viewer stands so far from 0,0 that the cells around it could not be numbered.
    #[error("the viewer at {},{} is too far away; coordinates go from -{limit} to {limit}", viewer.x, viewer.y)]
    TooFarAway {
        /// The cell asked for.
        viewer: IVec2,
        /// The largest coordinate that is allowed.
        limit: i32,
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
    /// A number that is out of its range.
    #[error("{key} is {value}; it must be {range}")]
    OutOfRange {
        /// The key of the preset.
        key: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        range: String,
    },
    /// The job was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Returns the first and last cell of a map in brackets, or nothing for a map without cells.
fn corners(extent: CellRect) -> String {
    let (first, last) = (extent.min, extent.max - 1);
    match (extent.width(), extent.height()) {
        (0, _) | (_, 0) => String::new(),
        _ => format!(" ({},{} to {},{})", first.x, first.y, last.x, last.y),
    }
}
