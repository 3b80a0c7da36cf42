//! The view: visibility, light, perception and memory of the viewer; the observers besides the viewer, including
//! followers; views from many cells.

use glam::IVec2;

use super::terrain::ViewWindow;
use crate::creatures::Observer;
use crate::optics::OpticsConfig;
use crate::scene::{Scene, SceneError, Terrain};
use farsight::Job;
use farsight::grid::{CellRect, CellSize, Grid, ToCell};
use farsight::internal::light::own_light_from;
use farsight::light::{Daylight, LightMap};
use farsight::perception::{CellMemory, Recognition};
use farsight::sight::{Sector, SightError, View};

impl Scene {
    /// Returns the part of the map within the radius.
    pub fn sight_frame(&self) -> CellRect {
        let largest = self.size().max_element() as u32;
        CellRect::around(self.viewer, self.radius().min(largest)).intersect(CellRect::of_size(self.size()))
    }

    /// Returns `true` if a cell is in the cone of vision of a viewer, by its direction on the ground.
    pub(crate) fn is_in_sector(&self, viewer: IVec2, cell: IVec2) -> bool {
        let cell_size = self.terrain.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(viewer));
        self.preset.sight.sector.contains_in(cell - viewer, cell_size.ratios())
    }

    /// Returns `true` if a cell is in range of the viewer or of an observer: within its radius, and for the viewer in its
    /// sector.
    pub fn is_in_range(&self, cell: impl ToCell) -> bool {
        let (cell, shape) = (cell.to_cell(), self.preset.sight.shape_in_sight());
        let reaches = |viewer: IVec2| {
            let cell_size = self.terrain.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(viewer));
            shape.contains_on(cell_size, cell - viewer, self.radius_at(viewer))
        };
        reaches(self.viewer) && self.is_in_sector(self.viewer, cell)
            || self.state.observers.iter().any(|observer| reaches(observer.at))
    }

    /// Returns the visibility of a cell, in [0, 1]: transmittance times decay, the maximum of viewer and observers.
    #[inline]
    pub fn visibility(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        self.seen_light().best_view(cell).0
    }

    /// Returns the visibility of a cell for the viewer, without observers, in [0, 1].
    #[inline]
    pub fn own_visibility(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        self.own_view.visibility(cell)
    }

    /// Returns visibility times light of a cell, in [0, 1].
    #[inline]
    pub fn perceived(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        self.seen_light().perceived(cell)
    }

    /// Returns the light on a cell, in [0, 1]: the sum of ambient light, lantern and lamps, at most 1. Under a roof,
    /// ambient light falls through doors and windows; see [`Daylight`](farsight::light::Daylight). On a wall, daylight
    /// and lamplight are those on the sides that face the viewer, or an observer with a better view of the wall.
    #[inline]
    pub fn light(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        let seen = self.seen_light();
        seen.light(seen.best_view(cell).1, cell)
    }

    /// Returns the light on a cell, in [0, 1], for a viewer with its lantern on another cell.
    pub fn light_for(&self, viewer: impl ToCell, cell: impl ToCell) -> f32 {
        let (viewer, cell) = (viewer.to_cell(), cell.to_cell());
        SeenLight { viewer, ..self.seen_light() }.light(viewer, cell)
    }

    /// Returns the share of the ambient light that reaches a cell under a roof, in [0, 1], or `None` under the open sky.
    pub fn daylight_under_roof(&self, cell: impl ToCell) -> Option<f32> {
        let cell = cell.to_cell();
        let daylight = self.daylight.as_ref().filter(|daylight| daylight.has_roof(cell))?;
        Some(daylight.level_from(&self.terrain, cell, self.seen_light().best_view(cell).1))
    }

    /// Returns `true` if all cells are in full light regardless of lamps: by day, without roofs.
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
            observers: &self.state.observers,
            observer_views: &self.observer_views,
        }
    }

    /// Returns whether a cell is identified, glimpsed or hidden.
    pub fn sense(&self, cell: impl ToCell) -> Recognition {
        let cell = cell.to_cell();
        self.preset.perception.thresholds().classify(self.perceived(cell))
    }

    /// Returns the opacity of a cell for this viewer, in [0, 1], or `None` off the map.
    pub fn opacity(&self, cell: impl ToCell) -> Option<f32> {
        let cell = cell.to_cell();
        CellRect::of_size(self.size()).contains(cell).then(|| self.terrain.opacity(self.viewer, cell))
    }

    /// Computes the view of the viewer, without memory and creatures, unless it is [deferred](Self::defer).
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn compute_view(&mut self) -> Result<(), SightError> {
        self.compute_own_view(Job::none())
    }

    pub(super) fn compute_own_view(&mut self, job: Job<'_>) -> Result<(), SightError> {
        if self.stale.defers {
            self.own_view.is_stale = true;
            return Ok(());
        }
        let radius = self.radius();
        self.configure_sight(radius, self.preset.sight.sector)?;
        self.own_view.copy_from(&self.terrain.view(&mut self.viewshed, self.viewer, job)?);
        self.terrain.zero_missing(&mut self.own_view);
        Ok(())
    }

    /// Configures the sight of the preset with a radius in cells and a sector.
    pub(super) fn configure_sight(&mut self, radius: u32, sector: Sector) -> Result<(), SightError> {
        let config = self.viewshed.config();
        if (config.radius, config.sector) != (radius, sector) {
            self.viewshed.set_config(self.preset.sight.config().with_radius(radius).with_sector(sector))?;
        }
        Ok(())
    }

    /// Computes the views from many cells on all threads of rayon, with the method of the preset. `read` gets the cell,
    /// its radius in cells, and the view without light. Returns its results in the order of `viewers`, independent of
    /// the number of threads. A nodata cell has an empty view.
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
            let config = viewshed.config();
            if (config.radius, config.sector) != (radius, self.preset.sight.sector) {
                viewshed.set_config(self.preset.sight.config().with_radius(radius))?;
            }
            let view = self.terrain.view(viewshed, viewer, Job::none())?;
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

    /// Updates memory and creatures from the view, unless that is deferred or the view is stale.
    pub(super) fn update_perception(&mut self) {
        self.revision += 1;
        self.perceive(Job::none()).unwrap_or_default(); // the radii are those of views that were computed
    }

    /// Updates memory and creatures from the view. An error comes from the views of creatures.
    pub(super) fn perceive(&mut self, job: Job<'_>) -> Result<(), SightError> {
        self.stale.perception = self.stale.defers || self.has_stale_views();
        if self.stale.perception {
            return Ok(());
        }
        self.lamp_light.set_time(0.0);
        let Self {
            preset, state, terrain, optics, lamp_light: lamps, daylight, own_view, observer_views, viewer, ..
        } = self;
        let daylight = daylight.as_ref();
        let perception = &preset.perception;
        let thresholds = perception.thresholds();
        let (viewer, observers) = (*viewer, &state.observers);
        let seen = SeenLight { terrain, optics, lamps, daylight, viewer, own_view, observers, observer_views };
        let perceived = |cell: IVec2| seen.perceived(cell);
        let visible = std::iter::once(&*own_view).chain(&*observer_views).flat_map(ViewWindow::visible);
        let visible = visible.filter(|&cell| thresholds.classify(perceived(cell)) > Recognition::Hidden);
        self.memory.update(visible, perception.out_of_sight());
        let memory = &self.memory;
        self.creatures.update_recognition(thresholds, perception.out_of_sight(), perceived, |cell| {
            memory.get(cell) == CellMemory::Visible
        });
        self.update_noticed(job)
    }
}

impl Scene {
    /// Returns the observers in the order in which they were added.
    pub fn observers(&self) -> &[Observer] {
        &self.state.observers
    }

    /// Replaces the observers. No turn passes.
    ///
    /// # Errors
    /// [`SceneError`] for an observer off the map or with values out of range; the scene does not change.
    pub fn set_observers(&mut self, observers: Vec<Observer>) -> Result<(), SceneError> {
        self.change_state(|state| state.observers = observers)
    }

    /// Returns the bounding rectangle of the discs of the viewer and all observers on the map.
    pub fn seen_frame(&self) -> CellRect {
        let map = CellRect::of_size(self.size());
        let frame = |cell| CellRect::around(cell, self.radius_at(cell).min(map.max.max_element() as u32));
        let frames = self.state.observers.iter().map(|observer| frame(observer.at));
        frames.fold(self.sight_frame(), CellRect::cover).intersect(map)
    }

    pub(super) fn compute_observer_views(&mut self, job: Job<'_>) -> Result<(), SightError> {
        self.observer_views.resize_with(self.state.observers.len(), ViewWindow::default);
        (0..self.state.observers.len()).try_for_each(|i| self.compute_observer_view(i, job))
    }

    pub(super) fn compute_observer_view(&mut self, i: usize, job: Job<'_>) -> Result<(), SightError> {
        if self.stale.defers {
            self.observer_views[i].is_stale = true;
            return Ok(());
        }
        let Observer { at, eye_height_m, .. } = self.state.observers[i];
        let radius = self.radius_at(at);
        self.configure_sight(radius, Sector::ALL)?; // lookouts look all around
        let terrain = self.terrain.with_eye_height(eye_height_m);
        self.observer_views[i].copy_from(&terrain.view(&mut self.viewshed, at, job)?);
        terrain.zero_missing(&mut self.observer_views[i]);
        Ok(())
    }

    /// Moves each follower a step towards the previous cell of its predecessor; the predecessor of the first follower
    /// is the viewer.
    pub(super) fn move_followers(&mut self, left: IVec2) -> Result<(), SightError> {
        let mut goal = left;
        for i in 0..self.state.observers.len() {
            let Observer { at, follows, .. } = self.state.observers[i];
            if !follows {
                continue;
            }
            let step = (goal - at).signum();
            let steps = [step, IVec2::new(step.x, 0), IVec2::new(0, step.y)];
            let is_free = |step: &IVec2| *step != IVec2::ZERO && self.terrain.can_enter(at + *step);
            if let Some(step) = steps.into_iter().find(is_free) {
                self.state.observers[i].at = at + step;
                self.compute_observer_view(i, Job::none())?;
            }
            goal = at;
        }
        Ok(())
    }
}

/// The parts of a scene that determine the perception of cells.
pub(super) struct SeenLight<'s> {
    terrain: &'s Terrain,
    optics: &'s OpticsConfig,
    lamps: &'s LightMap,
    /// On a map with roofs.
    daylight: Option<&'s Daylight>,
    viewer: IVec2,
    own_view: &'s ViewWindow,
    observers: &'s [Observer],
    /// The views of the observers.
    observer_views: &'s [ViewWindow],
}

impl SeenLight<'_> {
    /// Returns visibility times light of a cell, in [0, 1].
    #[inline]
    fn perceived(&self, cell: IVec2) -> f32 {
        let (visibility, eye) = self.best_view(cell);
        if visibility == 0.0 { 0.0 } else { visibility * self.light(eye, cell) }
    }

    /// Returns the maximum visibility of a cell, and the cell of the viewer or observer with that view.
    #[inline]
    pub(super) fn best_view(&self, cell: IVec2) -> (f32, IVec2) {
        let mut best = (self.own_view.visibility(cell), self.viewer);
        for (observer, view) in self.observers.iter().zip(self.observer_views) {
            let visibility = view.visibility(cell);
            if visibility > best.0 {
                best = (visibility, observer.at);
            }
        }
        best
    }

    /// Returns the light on a cell, in [0, 1], as seen from `eye`.
    #[inline]
    pub(super) fn light(&self, eye: IVec2, cell: IVec2) -> f32 {
        let (lamps, _) = own_light_from(self.lamps, self.terrain, cell, eye);
        let light = self.without_lamps(eye, cell);
        if lamps == 0.0 { light } else { (light + lamps).min(1.0) }
    }

    /// Returns the fraction of the ambient light that reaches a cell, in [0, 1], as seen from `eye`.
    #[inline]
    pub(super) fn ambient_share(&self, eye: IVec2, cell: IVec2) -> f32 {
        self.daylight.map_or(1.0, |daylight| daylight.level_from(self.terrain, cell, eye))
    }

    /// Returns the light of day and lantern on a cell, in [0, 1], as seen from `eye`.
    #[inline]
    fn without_lamps(&self, eye: IVec2, cell: IVec2) -> f32 {
        let share = self.ambient_share(eye, cell);
        if self.optics.light >= 1.0 && share >= 1.0 {
            return 1.0;
        }
        self.optics.light_under(share, self.terrain.distance(self.viewer, cell))
    }

    /// Returns the colour of the light on a cell, each channel in [0, 1], or `None` if lamps add nothing. It is the
    /// colour of the lamps, blended with white by the fraction of other light.
    pub(super) fn hue(&self, cell: IVec2) -> Option<[f32; 3]> {
        let (_, eye) = self.best_view(cell);
        let (light, without) = (self.light(eye, cell), self.without_lamps(eye, cell));
        if light <= without {
            return None;
        }
        let share = (light - without) / light;
        let (_, hue) = own_light_from(self.lamps, self.terrain, cell, eye);
        Some(hue.map(|channel| 1.0 + (channel - 1.0) * share))
    }
}
