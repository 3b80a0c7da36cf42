//! [`FieldOfView::line_of_sight`]: how well one cell is seen from another, without a view.

use glam::IVec2;

use super::beam;
use super::exact;
use super::field_of_view::FieldOfView;
use super::opacity_map::OpacityMap;
use super::shading;
use crate::grid::CellRect;
use crate::sight_config::{Method, SightConfig, SightError};

impl FieldOfView {
    /// Computes how well `to` is seen from `from`, in [0, 1]: the value that the view of [`compute`](Self::compute) has there, bit
    /// for bit, in less time. It is 0 beyond the radius, outside the sector of the configuration and off the map.
    ///
    /// Two parents take the product of |dx| and |dy| in time: only the cells that can take light to the target are read. Beams
    /// walk only the rays that touch the target, up to its distance, and the exact method only traces the lines to it. Nothing
    /// is allocated after the first call, nor by the views before or after it.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::from_text("..5...\n...#..")?; // a hedge and a wall
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(8))?;
    /// let (guard, thief) = (ivec2(0, 0), ivec2(5, 0));
    /// assert_eq!(fov.line_of_sight(&map, guard, thief)?, 0.5);
    /// assert_eq!(fov.line_of_sight(&map, guard, ivec2(9, 0))?, 0.0); // off the map
    /// let view = fov.compute(&map, guard)?;
    /// assert_eq!(view.get(thief), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute) from `from`.
    #[doc(alias = "los")]
    #[doc(alias = "line of sight")]
    pub fn line_of_sight(
        &mut self,
        map: &OpacityMap,
        from: impl Into<IVec2>,
        to: impl Into<IVec2>,
    ) -> Result<f32, SightError> {
        self.visibility_between(map, from.into(), to.into())
    }

    fn visibility_between(&mut self, map: &OpacityMap, from: IVec2, to: IVec2) -> Result<f32, SightError> {
        let extent = CellRect::of_size(map.grid().size());
        let radii = self.radii(Some(extent), from)?;
        if !extent.contains(to) {
            return Ok(0.0);
        }
        let (offset, SightConfig { radius, path, samples, .. }) = (to - from, &self.config);
        let (path, samples) = (*path, *samples);
        if !self.config.shape.contains(offset, *radius) || !self.config.sector.contains(offset) {
            return Ok(0.0);
        }
        let raw = match self.config.method {
            Method::TwoParent => self.two_parent.raw_of_target(map, from, offset, radii.in_sight, self.config.weights),
            Method::Beam => {
                self.make_room(radii);
                self.window.fill_opacities(map, from);
                let list = self.ensure_beam_list(radii.beam_list);
                beam::cast_to(&list, &mut self.window, radii.in_sight, offset, path, &mut self.beam_buffers)
            }
            Method::Exact => exact::trace_to(map, from, offset, path, samples),
        };
        let slants_count = shading::has_exponents(&self.config);
        Ok(shading::shade_one(raw, offset, slants_count, &self.config.decay, self.config.radius))
    }
}
