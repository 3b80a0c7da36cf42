//! The view: visibility, light, perception and memory; and views from many cells.

use glam::IVec2;

use super::seen_light::SeenLight;
use super::view_window::ViewWindow;
use crate::grid::{CellRect, Grid};
use crate::job::Job;
use crate::perception::{CellMemory, Recognition};
use crate::scene::Scene;
use crate::sight::{Sector, SightConfig, SightError, View};

impl Scene {
    /// Returns the part of the map within the radius.
    pub fn sight_frame(&self) -> CellRect {
        let largest = self.size().max_element() as u32;
        CellRect::around(self.viewer, self.radius().min(largest)).intersect(CellRect::of_size(self.size()))
    }

    /// Returns the visibility of a cell, in [0, 1]: transmittance times decay, the greatest of viewer and observers.
    #[inline]
    pub fn visibility(&self, cell: impl Into<IVec2>) -> f32 {
        let cell = cell.into();
        self.seen_light().best_view(cell).0
    }

    /// Returns the visibility of a cell for the viewer without other observers, in [0, 1].
    #[inline]
    pub fn own_visibility(&self, cell: impl Into<IVec2>) -> f32 {
        let cell = cell.into();
        self.own_view.visibility(cell)
    }

    /// Returns visibility times light of a cell, in [0, 1].
    #[inline]
    pub fn perceived(&self, cell: impl Into<IVec2>) -> f32 {
        let cell = cell.into();
        self.seen_light().perceived(cell)
    }

    /// Returns the light on a cell, in [0, 1]: the sum of ambient light, lantern and lamps, at most 1. Under a roof, ambient
    /// light is what falls through doors and windows; see [`Daylight`](crate::light::Daylight). On a wall, the light of day and lamps
    /// is that on the sides that face the viewer, or the observer who sees the wall better than the viewer; see
    /// [`LightMap::level_from`](crate::light::LightMap::level_from).
    #[inline]
    pub fn light(&self, cell: impl Into<IVec2>) -> f32 {
        let cell = cell.into();
        let seen = self.seen_light();
        seen.light(seen.best_view(cell).1, cell)
    }

    /// Returns the light on a cell, in [0, 1], for a viewer with its lantern on another cell.
    pub fn light_for(&self, viewer: IVec2, cell: IVec2) -> f32 {
        SeenLight { viewer, ..self.seen_light() }.light(viewer, cell)
    }

    /// Returns the share of the ambient light that reaches a cell under a roof, in [0, 1], or `None` under the open sky.
    pub fn daylight_under_roof(&self, cell: IVec2) -> Option<f32> {
        let daylight = self.daylight.as_ref().filter(|daylight| daylight.has_roof(cell))?;
        Some(daylight.level_from(&self.terrain, cell, self.seen_light().best_view(cell).1))
    }

    /// Returns `true` if all cells are in full light, whatever else shines: by day, without roofs.
    pub(crate) fn is_fully_lit(&self) -> bool {
        self.optics.light >= 1.0 && self.daylight.is_none()
    }

    #[inline]
    pub(super) fn seen_light(&self) -> SeenLight<'_> {
        SeenLight {
            terrain: &self.terrain,
            optics: &self.optics,
            lamps: &self.lamp_light,
            daylight: self.daylight.as_ref(),
            viewer: self.viewer,
            own_view: &self.own_view,
            observers: &self.preset.viewers,
            observer_views: &self.observer_views,
        }
    }

    /// Returns whether a cell is identified, glimpsed or hidden.
    pub fn sense(&self, cell: impl Into<IVec2>) -> Recognition {
        let cell = cell.into();
        self.preset.perception.thresholds().classify(self.perceived(cell))
    }

    /// Returns the opacity of a cell for this viewer, in [0, 1], or `None` off the map.
    pub fn opacity(&self, cell: impl Into<IVec2>) -> Option<f32> {
        let cell = cell.into();
        CellRect::of_size(self.size()).contains(cell).then(|| self.terrain.opacity(self.viewer, cell))
    }

    /// Computes the view of the viewer, without memory and creatures.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn compute_view(&mut self) -> Result<(), SightError> {
        self.compute_own_view(Job::quiet())
    }

    pub(super) fn compute_own_view(&mut self, job: Job<'_>) -> Result<(), SightError> {
        let radius = self.radius();
        if let Some(classic) = self.preset.classic.config(radius) {
            let mut view = self.classic_view(&self.terrain, self.viewer, &classic)?;
            self.clip_to_sector(&mut view, self.viewer);
            self.own_view = view;
            return Ok(());
        }
        self.configure_sight(radius, self.preset.sight.sector)?;
        self.own_view.copy_from(&self.terrain.view(&mut self.viewshed, self.viewer, job)?);
        self.terrain.zero_missing(&mut self.own_view);
        Ok(())
    }

    /// Configures the sight of the preset with a radius in cells and a sector.
    pub(super) fn configure_sight(&mut self, radius: u32, sector: Sector) -> Result<(), SightError> {
        let config = self.viewshed.config();
        if (config.radius, config.sector) != (radius, sector) {
            self.viewshed.set_config(SightConfig { radius, sector, ..self.preset.sight.clone() })?;
        }
        Ok(())
    }

    /// Computes the views from many cells on all threads of rayon, with the method of the preset. `read` gets the cell, the
    /// radius there in cells, and the view without light. Returns its results in the order of `viewers`, the same on any
    /// number of threads. From a cell without data, nothing is seen.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] or [`SightError::RadiusTooLarge`] for the first viewer with an error;
    /// [`SightError::Cancelled`].
    pub fn view_many<T: Send>(
        &self,
        viewers: &[IVec2],
        job: Job<'_>,
        read: impl Fn(IVec2, u32, View<'_>) -> T + Sync,
    ) -> Result<Vec<T>, SightError> {
        self.viewshed.for_each_viewer(viewers, job, |viewshed, viewer| {
            let extent = CellRect::of_size(self.size());
            if !extent.contains(viewer) {
                return Err(SightError::ViewerOutside { viewer, extent });
            }
            let radius = self.radius_at(viewer);
            if !self.terrain.has_data(viewer) {
                return Ok(read(viewer, radius, View::of(viewer, viewer, Grid::new(1, 1, 0.0).view())));
            }
            if let Some(classic) = self.preset.classic.config(radius) {
                let mut view = self.classic_view(&self.terrain, viewer, &classic)?;
                self.clip_to_sector(&mut view, viewer);
                return Ok(read(viewer, radius, View::of(viewer, view.top_left, view.window.view())));
            }
            let config = viewshed.config();
            if (config.radius, config.sector) != (radius, self.preset.sight.sector) {
                viewshed.set_config(SightConfig { radius, ..self.preset.sight.clone() })?;
            }
            let view = self.terrain.view(viewshed, viewer, Job::quiet())?;
            if !self.terrain.has_gaps() {
                return Ok(read(viewer, radius, view));
            }
            let mut view = ViewWindow::of(&view);
            self.terrain.zero_missing(&mut view);
            Ok(read(viewer, radius, View::of(viewer, view.top_left, view.window.view())))
        })
    }

    /// Computes the view and updates memory and creatures.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn observe(&mut self) -> Result<(), SightError> {
        self.compute_view()?;
        self.update_perception();
        Ok(())
    }

    /// Updates memory and creatures from the view.
    pub(super) fn update_perception(&mut self) {
        self.lamp_light.set_time(0.0);
        let Self { preset, terrain, optics, lamp_light: lamps, daylight, own_view, observer_views, viewer, .. } = self;
        let daylight = daylight.as_ref();
        let perception = &preset.perception;
        let thresholds = perception.thresholds();
        let (viewer, observers) = (*viewer, &preset.viewers);
        let seen = SeenLight { terrain, optics, lamps, daylight, viewer, own_view, observers, observer_views };
        let perceived = |cell: IVec2| seen.perceived(cell);
        let visible = std::iter::once(&*own_view).chain(&*observer_views).flat_map(ViewWindow::visible);
        let visible = visible.filter(|&cell| thresholds.classify(perceived(cell)) > Recognition::Hidden);
        self.memory.update(visible, perception.out_of_sight());
        let memory = &self.memory;
        self.creatures.update_recognition(thresholds, perception.out_of_sight(), perceived, |cell| {
            memory.get(cell) == CellMemory::Visible
        });
        self.update_noticed();
    }
}
