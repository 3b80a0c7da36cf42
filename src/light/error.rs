//! [`LightError`]: the errors of lamps.

use glam::IVec2;

use crate::grid::CellRect;
use crate::sight::SightError;

/// An error of a lamp.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LightError {
    /// The lamp is not on the map.
    #[error("the lamp at {},{} is outside the map of {}x{} cells", at.x, at.y, extent.width(), extent.height())]
    LampOutside {
        /// The cell of the lamp.
        at: IVec2,
        /// The cells of the map.
        extent: CellRect,
    },
    /// A value of the lamp is out of range, or its light cannot be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
}

/// The light of a lamp is what is seen from it.
impl From<LightError> for SightError {
    fn from(error: LightError) -> Self {
        match error {
            LightError::LampOutside { at, extent } => Self::ViewerOutside { viewer: at, extent },
            LightError::Sight(error) => error,
        }
    }
}
