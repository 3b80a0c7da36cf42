//! The observers of a scene besides the viewer: their views, and how they follow the viewer.

use glam::IVec2;

use super::view_window::ViewWindow;
use crate::grid::CellRect;
use crate::job::Job;
use crate::perception::Observer;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};
use crate::sight::{Sector, SightError};

impl Scene {
    /// Returns the observers in the order in which they were added.
    pub fn observers(&self) -> &[Observer] {
        &self.preset.viewers
    }

    /// Replaces the observers. No turn passes.
    ///
    /// # Errors
    /// [`SceneError`] for one off the map or with values out of range; the scene stays as it was.
    pub fn set_observers(&mut self, viewers: Vec<Observer>) -> Result<(), SceneError> {
        self.apply(Preset { viewers, ..self.preset.clone() })
    }

    /// Returns the smallest rectangle of the map that contains the disc of the viewer and those of all observers.
    pub fn seen_frame(&self) -> CellRect {
        let map = CellRect::of_size(self.size());
        let frame = |cell| CellRect::around(cell, self.radius_at(cell).min(map.max.max_element() as u32));
        let frames = self.preset.viewers.iter().map(|observer| frame(observer.at));
        frames.fold(self.sight_frame(), CellRect::cover).intersect(map)
    }

    pub(super) fn compute_observer_views(&mut self) -> Result<(), SightError> {
        self.observer_views =
            (0..self.preset.viewers.len()).map(|i| self.observer_view(i)).collect::<Result<_, _>>()?;
        Ok(())
    }

    pub(super) fn observer_view(&mut self, i: usize) -> Result<ViewWindow, SightError> {
        let Observer { at, eye_height_m, .. } = self.preset.viewers[i];
        let radius = self.radius_at(at);
        self.configure_sight(radius, Sector::ALL)?; // lookouts look all around
        let terrain = self.terrain.with_eye_height(eye_height_m);
        if let Some(classic) = self.preset.classic.config(radius) {
            return self.classic_view(&terrain, at, &classic);
        }
        let mut view = ViewWindow::of(&terrain.view(&mut self.viewshed, at, Job::quiet())?);
        terrain.zero_missing(&mut view);
        Ok(view)
    }

    /// Moves each follower a step towards the cell that the one before it has left. The first goes to that of the viewer.
    pub(super) fn move_followers(&mut self, left: IVec2) -> Result<(), SightError> {
        let mut goal = left;
        for i in 0..self.preset.viewers.len() {
            let Observer { at, follows, .. } = self.preset.viewers[i];
            if !follows {
                continue;
            }
            let step = (goal - at).signum();
            let steps = [step, IVec2::new(step.x, 0), IVec2::new(0, step.y)];
            let is_free = |step: &IVec2| *step != IVec2::ZERO && self.terrain.can_enter(at + *step);
            if let Some(step) = steps.into_iter().find(is_free) {
                self.preset.viewers[i].at = at + step;
                self.observer_views[i] = self.observer_view(i)?;
            }
            goal = at;
        }
        Ok(())
    }
}
