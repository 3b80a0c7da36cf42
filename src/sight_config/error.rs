//! [`SightError`]: the errors of a field of view.

use glam::IVec2;

use crate::grid::CellRect;
use crate::job::Cancelled;

/// An error of a field of view.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SightError {
    /// The viewer is not on the map.
    #[error("the viewer at {},{} is outside the map of {width}x{height} cells{}",
        viewer.x, viewer.y, cell_range(*extent), width = extent.width(), height = extent.height())]
    ViewerOutside {
        /// The viewer's cell.
        viewer: IVec2,
        /// The cells of the map.
        extent: CellRect,
    },
    /// The ground at the viewer has no elevation.
    #[error("the viewer at {},{} is where the map has no data; choose a cell that has an elevation",
        viewer.x, viewer.y)]
    ViewerWithoutData {
        /// The viewer's cell.
        viewer: IVec2,
    },
    /// The viewer is so far from 0,0 that coordinates around it would overflow.
    #[error("the viewer at {},{} is too far away; coordinates go from -{limit} to {limit}", viewer.x, viewer.y)]
    TooFarAway {
        /// The viewer's cell.
        viewer: IVec2,
        /// The largest coordinate that is accepted.
        limit: i32,
    },
    /// The radius is above the limit.
    #[error("a radius of {radius} cells is too large; at most {limit} is accepted")]
    RadiusTooLarge {
        /// The radius in cells.
        radius: u32,
        /// The largest radius that is accepted.
        limit: u32,
    },
    /// A parameter of the decay is out of range.
    #[error("sight.decay: {0}")]
    Decay(String),
    /// A number is out of range.
    #[error("{key}: {value} is not valid: expected {range}")]
    OutOfRange {
        /// The key in the preset.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The accepted range.
        range: String,
    },
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The first and last cell of a map in parentheses; empty for a map without cells.
fn cell_range(extent: CellRect) -> String {
    let (first, last) = (extent.min, extent.max - 1);
    match (extent.width(), extent.height()) {
        (0, _) | (_, 0) => String::new(),
        _ => format!(" ({},{} to {},{})", first.x, first.y, last.x, last.y),
    }
}
