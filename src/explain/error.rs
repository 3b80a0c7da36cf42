//! [`ExplainError`]: an error of an explanation.

use glam::IVec2;

use crate::sight::SightError;

/// An error of an explanation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The target is outside the map.
    #[error("the target {},{} is outside the map of {}x{} cells: expected 0,0 to {},{}", target.x, target.y, size.x, size.y,
        size.x - 1, size.y - 1)]
    Outside {
        /// The target.
        target: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// A view cannot be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
}
