//! [`FilmError`]: the ways in which filming a walk can fail.

use glam::IVec2;

use crate::export::ProvenanceError;
use crate::job::Cancelled;
use crate::scene::SceneError;
use crate::sight::SightError;

/// The ways in which filming a walk can fail.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// A frame or a copy of the scene does not fit into the free memory.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A point of the walk that is not on the map.
    #[error("point {},{} of the walk is outside the map of {}x{} cells: expected 0,0 to {},{}",
        point.x, point.y, size.x, size.y, size.x - 1, size.y - 1)]
    PointOutside {
        /// The point.
        point: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// Two points with walls between them.
    #[error("there is no route from {},{} to {},{}: walls block it", from.x, from.y, to.x, to.y)]
    NoRoute {
        /// The point before.
        from: IVec2,
        /// The point that cannot be reached.
        to: IVec2,
    },
    /// A walk of too many steps.
    #[error("a walk of {steps} steps is too long: expected at most {limit}")]
    TooLong {
        /// The number of steps.
        steps: usize,
        /// [`Itinerary::MAX_STEPS`](crate::film::Itinerary::MAX_STEPS).
        limit: usize,
    },
    /// A frame of too many pixels.
    #[error(
        "a frame of {width}x{height} pixels ({scale} per cell) is too large: expected at most {limit} pixels, and 65535 \
         per side; choose a smaller scale or a smaller part of the map"
    )]
    FrameTooLarge {
        /// Pixels per cell.
        scale: u32,
        /// Columns of pixels.
        width: i64,
        /// Rows of pixels.
        height: i64,
        /// The largest number of pixels.
        limit: i64,
    },
    /// A film of too many pixels.
    #[error(
        "a film of {frames} frames of {width}x{height} pixels is too long: expected at most {limit} pixels in all; \
         choose a smaller scale, a smaller part of the map, or fewer frames"
    )]
    TooManyPixels {
        /// The number of frames.
        frames: usize,
        /// Columns of pixels.
        width: i32,
        /// Rows of pixels.
        height: i32,
        /// The largest number of pixels of all frames together.
        limit: i64,
    },
    /// The provenance of a film holds a setting that is not valid.
    #[error(transparent)]
    Provenance(#[from] ProvenanceError),
    /// A view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
