//! [`FilmError`]: why there is no film.

use glam::IVec2;

use crate::job::Cancelled;
use crate::sight::SightError;

/// Why there is no film.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// A point that the walk shall pass lies off the map.
    #[error("the walk cannot pass {},{}: it lies outside the map of {}x{} cells, 0,0 to {},{}",
        point.x, point.y, size.x, size.y, size.x - 1, size.y - 1)]
    PointOutside {
        /// The point.
        point: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// Walls that cannot be walked around.
    #[error("there is no way from {},{} to {},{}: walls are between", from.x, from.y, to.x, to.y)]
    NoWay {
        /// Where one stands.
        from: IVec2,
        /// Where one cannot get.
        to: IVec2,
    },
    /// A walk of more steps than are filmed.
    #[error(
        "a walk of {steps} steps is too long; at most {} steps are filmed",
        crate::film::itinerary::Itinerary::MOST_STEPS
    )]
    TooLong {
        /// Its steps.
        steps: usize,
    },
    /// Frames of more pixels than are painted.
    #[error(
        "a frame of {width}x{height} pixels ({scale} a cell) is too large; at most {limit} pixels are filmed, \
        and 65535 on a side: choose a smaller scale or a smaller frame"
    )]
    FrameTooLarge {
        /// Pixels a cell.
        scale: u32,
        /// Columns of pixels.
        width: i64,
        /// Rows of pixels.
        height: i64,
        /// The most pixels.
        limit: i64,
    },
    /// More pixels in all than are filmed.
    #[error(
        "a film of {frames} frames of {width}x{height} pixels is too long; at most {limit} pixels are filmed in all: \
        choose a smaller scale, a smaller frame, or fewer frames"
    )]
    TooManyPixels {
        /// The frames.
        frames: usize,
        /// Columns of pixels.
        width: i32,
        /// Rows of pixels.
        height: i32,
        /// The most pixels.
        limit: i64,
    },
    /// The view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
