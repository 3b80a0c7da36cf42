//! [`FieldOfView::compute_with`]: a view on a map that is not ours.

use glam::IVec2;

use super::field_of_view::FieldOfView;
use super::opacity_source::OpacityRows;
use crate::job::Job;
use crate::sight_config::SightError;
use crate::view::View;

impl FieldOfView {
    /// Computes the visibility of every cell around `viewer` on a game's own map, without a copy of it.
    ///
    /// `opacity` is called once for each cell within the radius, by its [shape](super::RadiusShape), row by row. It returns the
    /// cell's opacity in [0, 1] (others are clamped), or NaN for a cell that does not exist, which is neither seen nor seen
    /// through. The map has no edge: a game returns NaN beyond its own.
    ///
    /// [`compute`](Self::compute) is faster, since an [`OpacityMap`](super::OpacityMap) needs no calls and is checked once.
    /// [`compute_over`](Self::compute_over) takes rows instead of cells, and a rectangle for the edge of the map.
    ///
    /// ```
    /// use farsight::{FieldOfView, SightConfig};
    /// use farsight::glam::ivec2;
    /// let level = ["..........", "....##....", ".........."]; // the game's own map
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(8))?;
    /// let view = fov.compute_with(ivec2(1, 1), |cell| {
    ///     let row = usize::try_from(cell.y).ok().and_then(|y| level.get(y));
    ///     match row.and_then(|row| row.as_bytes().get(usize::try_from(cell.x).ok()?)) {
    ///         Some(b'#') => 1.0,
    ///         Some(_) => 0.0,
    ///         None => f32::NAN, // off the map
    ///     }
    /// })?;
    /// assert_eq!([3, 4, 5, 6].map(|x| view.get(ivec2(x, 1))), [1.0, 1.0, 0.0, 0.0]);
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`] for a radius above [`OffsetList::MAX_RADIUS`](super::OffsetList::MAX_RADIUS);
    /// [`SightError::TooFarAway`] for a viewer about 2³⁰ cells from 0,0.
    pub fn compute_with(
        &mut self,
        viewer: impl Into<IVec2>,
        mut opacity: impl FnMut(IVec2) -> f32,
    ) -> Result<View<'_>, SightError> {
        let (viewer, shape, radius) = (viewer.into(), self.config.shape, self.config.radius);
        let fill = |start: IVec2, row: &mut [f32]| {
            // Rows end at the circle around the shape. Cells out of range take no light to others, whatever their opacity.
            let half = shape.half_width(start.y.abs_diff(viewer.y), radius).map_or(-1, |half| half as i32);
            for (x, slot) in (start.x..).zip(row) {
                *slot = if (x - viewer.x).abs() <= half { opacity(IVec2::new(x, start.y)) } else { 0.0 };
            }
        };
        self.compute_over(OpacityRows::new(fill), viewer, Job::quiet())
    }
}
