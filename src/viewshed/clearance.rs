//! [`Clearance`]: how far every target stands over the horizon.

use glam::IVec2;

use crate::grid::GridView;

/// Clearances of so many metres and more stand over no horizon at all.
const NO_HORIZON: f32 = 1e20;

/// How far every target around one viewer stands over the horizon, from
/// [`FieldOfView::clearance_over`](crate::sight::FieldOfView::clearance_over).
#[derive(Clone, Copy, Debug)]
pub struct Clearance<'a> {
    pub(super) viewer: IVec2,
    pub(super) origin: IVec2,
    pub(super) metres: GridView<'a, f32>,
    pub(super) radius: u32,
    pub(super) cell_size: f64,
    pub(super) target_height: f64,
}

impl Clearance<'_> {
    /// The same with huge values where there is no horizon.
    fn any(&self, cell: IVec2) -> Option<f32> {
        if (cell.wrapping_sub(self.viewer)).as_i64vec2().length_squared() > i64::from(self.radius).pow(2) {
            return None;
        }
        self.metres.get(cell.wrapping_sub(self.origin)).copied().filter(|metres| !metres.is_nan())
    }

    /// Metres by which a target stands over the line from the eye along the horizon; below 0 it is hidden. `None` out of
    /// range, without data, and where there is no horizon: next to the viewer, and behind nothing but gaps.
    pub fn metres(&self, cell: IVec2) -> Option<f32> {
        self.any(cell).filter(|metres| *metres < NO_HORIZON)
    }

    /// The least height over the ground of a cell, in metres, at which a target would be seen: 0 where its ground is.
    /// `None` out of range and without data.
    pub fn least_height(&self, cell: IVec2) -> Option<f32> {
        self.any(cell).map(|metres| (self.target_height as f32 - metres).max(0.0))
    }

    /// Slope of the line to the target less that of the horizon (rise over run): at least 0 where it is seen. `None`
    /// as for [`metres`](Self::metres).
    pub fn slope_margin(&self, cell: IVec2) -> Option<f32> {
        let distance = (cell - self.viewer).as_dvec2().length() * self.cell_size;
        self.metres(cell).map(|metres| metres / distance as f32)
    }
}
