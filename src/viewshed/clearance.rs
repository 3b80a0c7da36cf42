//! [`Clearance`]: heights of targets above the horizon.

use glam::IVec2;

use crate::grid::CellSize;
use crate::sight::View;

/// From this clearance on, there is no horizon to be above.
const NO_HORIZON_M: f32 = 1e20;

/// The height of every target around one viewer above the horizon, from [`Viewshed::clearance`](super::Viewshed::clearance).
#[derive(Clone, Copy, Debug)]
pub struct Clearance<'a> {
    /// Metres above the horizon; above [`NO_HORIZON_M`] without a horizon, NaN without data.
    pub(super) metres: View<'a>,
    pub(super) radius: u32,
    pub(super) cell_size: CellSize,
    pub(super) target_height: f64,
}

impl Clearance<'_> {
    fn metres_or_huge(&self, cell: IVec2) -> Option<f32> {
        let View { viewer, top_left, grid } = self.metres;
        if !self.cell_size.is_in_range(cell.wrapping_sub(viewer), self.radius) {
            return None;
        }
        grid.get(cell.wrapping_sub(top_left)).copied().filter(|metres| !metres.is_nan())
    }

    /// Returns the metres by which a target is above the line from the eye over the horizon; below 0 it is hidden. `None`
    /// out of range, without data, and without a horizon: next to the viewer, and behind nodata only.
    pub fn metres(&self, cell: impl Into<IVec2>) -> Option<f32> {
        let cell = cell.into();
        self.metres_or_huge(cell).filter(|metres| *metres < NO_HORIZON_M)
    }

    /// Returns the least height over the ground of a cell, in metres, at which a target is visible: 0 if its ground is.
    /// `None` out of range and without data.
    pub fn least_height(&self, cell: impl Into<IVec2>) -> Option<f32> {
        let cell = cell.into();
        self.metres_or_huge(cell).map(|metres| (self.target_height as f32 - metres).max(0.0))
    }

    /// Returns the slope of the line to the target less that of the horizon (rise over run); at least 0 if the target is
    /// visible. `None` as for [`metres`](Self::metres).
    pub fn slope_margin(&self, cell: impl Into<IVec2>) -> Option<f32> {
        let cell = cell.into();
        let distance = self.cell_size.distance_m(cell - self.metres.viewer);
        self.metres(cell).map(|metres| metres / distance as f32)
    }
}
