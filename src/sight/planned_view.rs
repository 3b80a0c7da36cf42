//! [`PlannedView`] and [`RawView`]: the steps of a view. Each step returns the next type, so that no step is omitted or
//! repeated.
//!
//! ```text
//! FieldOfView::plan ──► PlannedView::solve ──► RawView::finish ──► View
//! ```

use glam::{DVec2, IVec2};

use super::attenuation::attenuate_one;
use super::field_of_view::FieldOfView;
use super::opacity_source::ReadOpacities;
use super::view_plan::CellScale;
use super::window::{SMALL, Window, Writer};
use crate::grid::{AlignedGrid, CellRect};
use crate::job::Job;
use crate::sight_config::{Decay, Sector, SightConfig, SightError};
use crate::view::View;

/// A view with its plan.
pub(crate) struct PlannedView<'a>(&'a mut FieldOfView);

/// Raw values in a window, before path rule, decay and shape.
pub(crate) struct RawView<'a> {
    fov: &'a mut FieldOfView,
    /// `true` if they are from light through opacities. The path rule applies only to these.
    is_through_opacities: bool,
}

impl FieldOfView {
    /// Plans the view of a viewer among the cells of `extent`, whose sides have a scale if they are rectangular.
    #[inline]
    pub(crate) fn plan(
        &mut self,
        extent: Option<CellRect>,
        viewer: IVec2,
        scale: Option<CellScale>,
    ) -> Result<PlannedView<'_>, SightError> {
        self.plan_in_sector(extent, viewer, scale, self.config.sector)
    }

    /// Plans a view as [`plan`](Self::plan), in a sector other than that of the configuration.
    #[inline]
    pub(super) fn plan_in_sector(
        &mut self,
        extent: Option<CellRect>,
        viewer: IVec2,
        scale: Option<CellScale>,
        sector: Sector,
    ) -> Result<PlannedView<'_>, SightError> {
        self.plan.set(&self.config, extent, viewer, scale, sector)?;
        Ok(PlannedView(self))
    }

    /// Returns the window as the view of the plan.
    #[inline]
    fn view(&self) -> View<'_> {
        let viewer = self.plan.viewer;
        let is_lit = self.window.writer == Writer::ShadowScan;
        let lit = is_lit.then(|| self.solvers.symmetric_shadowcast.lit_rows());
        View { viewer, top_left: viewer - self.window.centre(), grid: self.window.seen.view(), lit }
    }
}

impl<'a> PlannedView<'a> {
    /// Returns the configuration.
    pub(crate) fn config(&self) -> &SightConfig {
        &self.0.config
    }

    /// Returns the radius of the cells in sight.
    pub(crate) fn in_sight(&self) -> u32 {
        self.0.plan.radii.in_sight
    }

    /// Computes the raw values by the method of the configuration, over the opacities of a source.
    #[inline]
    pub(crate) fn solve(self, source: &mut dyn ReadOpacities, job: Job<'_>) -> Result<RawView<'a>, SightError> {
        let FieldOfView { config, plan, window, solvers, .. } = &mut *self.0;
        window.fit(plan.radii.window, plan.radii.in_sight);
        let solver = solvers.of(config.method);
        if let Some(map) = source.map() {
            solver.solve_map(config, plan, map, window, job)?;
        } else if let (Some(opacity), Some(solver)) = (source.cells(), solver.as_cell_solver()) {
            solver.solve_cells(plan, opacity, window);
        } else {
            source.set_range(plan.viewer, config.shape_in_sight(), config.radius);
            window.fill_opacities(source, plan.viewer);
            solver.solve(config, plan, window, job)?;
        }
        Ok(RawView { fov: self.0, is_through_opacities: true })
    }

    /// Returns a view with raw values from `fill`, which writes one for every cell in sight.
    pub(crate) fn fill_seen(
        self,
        fill: impl FnOnce(&mut AlignedGrid) -> Result<(), SightError>,
    ) -> Result<RawView<'a>, SightError> {
        let FieldOfView { plan, window, .. } = &mut *self.0;
        window.fit_seen(plan.radii.window, plan.radii.in_sight);
        fill(&mut window.seen)?;
        Ok(RawView { fov: self.0, is_through_opacities: false })
    }

    /// Returns the visibility of one cell from a raw value that is not from light through opacities, with the bits of
    /// [`RawView::finish`].
    pub(crate) fn finish_one(&self, target: IVec2, raw: f32) -> f32 {
        let FieldOfView { config, plan, .. } = &*self.0;
        let (offset, shape) = (target - plan.viewer, config.shape_in_sight());
        let ratios = plan.scale.map_or(DVec2::ONE, |scale| scale.cell_size().ratios());
        if !shape.contains(offset, config.radius) || !config.sector.contains_in(offset, ratios) {
            return 0.0;
        }
        match &plan.scale {
            None => attenuate_one(raw, offset, false, &config.decay, config.radius),
            Some(scale) => {
                let mut seen = raw;
                clip_and_decay(scale, config, offset, &mut seen);
                seen
            }
        }
    }

    /// Returns the transmittance of the half cells at the ends of the path to a target, from the sum of log₂ of the transmittances
    /// of the cells of viewer and target.
    pub(crate) fn end_transmittance(self, target: IVec2, log2: f32) -> f32 {
        let FieldOfView { config, plan, solvers, .. } = self.0;
        let offset = target - plan.viewer;
        let half_cells = solvers.of(config.method).half_cells(config, plan);
        let transmittance = half_cells.map_or(1.0, |table| table.at(offset).transmittance(log2));
        plan.scale.map_or(transmittance, |scale| scale.raised(transmittance, config.path, offset))
    }
}

impl<'a> RawView<'a> {
    /// Returns the radius of the cells in sight.
    pub(crate) fn in_sight(&self) -> u32 {
        self.fov.plan.radii.in_sight
    }

    /// Returns the side of the window.
    pub(crate) fn side(&self) -> usize {
        self.fov.window.seen.width()
    }

    /// Returns the raw values.
    pub(crate) fn into_view(self) -> View<'a> {
        self.fov.view()
    }

    /// Turns raw values into visibilities: cells that are not in the shape and the sector are 0, the others are multiplied by the
    /// factors of path rule, half cells and decay. On rectangular cells they are raised to the powers of the [scale](CellScale).
    #[inline]
    pub(crate) fn finish(self) -> View<'a> {
        self.finish_times(None)
    }

    /// Finishes the view as [`finish`](Self::finish), times factors that do not depend on the scale.
    #[inline]
    pub(crate) fn finish_times(self, factors: Option<&AlignedGrid>) -> View<'a> {
        let FieldOfView { config, plan, window, solvers, attenuation, .. } = &mut *self.fov;
        let in_sight = plan.radii.in_sight;
        window.clip_to_shape(config.shape_in_sight(), in_sight, config.radius);
        // A sweep computes only the sector, unless the disc is so small that all octants are swept at the same time.
        if window.writer != Writer::Sweep || in_sight <= SMALL {
            plan.sector.clip(window, in_sight);
        }
        if self.is_through_opacities {
            let has_ends = window.has_ends;
            let half_cells = has_ends.then(|| solvers.of(config.method).half_cells(config, plan)).flatten();
            attenuation.apply(config, plan, window, half_cells.as_ref());
        } else {
            attenuation.apply_decay(config, plan, window);
        }
        if let Some(scale) = &plan.scale
            && self.is_through_opacities
        {
            for_each_cell(window, in_sight, |offset, seen| *seen = scale.raised(*seen, config.path, offset));
        }
        if let Some(factors) = factors {
            multiply(window, in_sight, factors);
        }
        if let Some(scale) = &plan.scale {
            for_each_cell(window, in_sight, |offset, seen| clip_and_decay(scale, config, offset, seen));
        }
        self.fov.view()
    }
}

/// Calls `change` with the offset and the visibility of each cell in sight.
fn for_each_cell(window: &mut Window, in_sight: u32, change: impl Fn(IVec2, &mut f32)) {
    let centre = window.centre();
    for (y, columns) in window.rows(in_sight) {
        for (x, seen) in columns.clone().zip(&mut window.seen.row_mut(y)[columns]) {
            change(IVec2::new(x as i32, y as i32) - centre, seen);
        }
    }
}

/// Multiplies the visibilities of all cells in sight.
fn multiply(window: &mut Window, in_sight: u32, factors: &AlignedGrid) {
    for (y, columns) in window.rows(in_sight) {
        let factors = &factors.row(y)[columns.clone()];
        for (seen, factor) in window.seen.row_mut(y)[columns].iter_mut().zip(factors) {
            *seen *= factor;
        }
    }
}

/// Clears the visibility of a rectangular cell beyond the range of sight, and multiplies it by the decay within.
fn clip_and_decay(scale: &CellScale, config: &SightConfig, offset: IVec2, seen: &mut f32) {
    if !scale.is_in_range(config.shape_in_sight(), offset, config.radius) {
        *seen = 0.0;
    } else if config.decay != Decay::None && *seen > 0.0 {
        *seen *= config.decay.at(scale.distance(offset), config.radius) as f32;
    }
}
