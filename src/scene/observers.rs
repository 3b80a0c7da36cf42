//! The others who look, too: their views, and how a party walks.

use glam::IVec2;

use super::error::SceneError;
use crate::grid::{CellRect, Grid};
use crate::perception::Observer;
use crate::preset::Preset;
use crate::scene::Scene;
use crate::sight::{SightConfig, SightError};

/// What one of the others sees: the window around it, before light.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) origin: IVec2,
    pub(super) window: Grid<f32>,
}

impl Seen {
    #[inline]
    pub(super) fn visibility(&self, cell: IVec2) -> f32 {
        self.window.get(cell.wrapping_sub(self.origin)).copied().unwrap_or(0.0)
    }
}

impl Scene {
    /// The others who look, too, in the order in which they came.
    pub fn lookouts(&self) -> &[Observer] {
        &self.preset.viewers
    }

    /// Replaces the others who look, too. No turn passes.
    ///
    /// # Errors
    /// [`SceneError`] for one off the map or with values out of range; nothing is changed then.
    pub fn set_lookouts(&mut self, viewers: Vec<Observer>) -> Result<(), SceneError> {
        self.apply(Preset { viewers, ..self.preset.clone() })
    }

    /// The part of the map within the radius of anyone who looks.
    pub fn seen_frame(&self) -> CellRect {
        let map = CellRect::of_size(self.size());
        let frame = |cell| CellRect::around(cell, self.radius_at(cell).min(map.max.max_element() as u32));
        let others = self.preset.viewers.iter().map(|lookout| frame(lookout.at));
        others.fold(self.sight_frame(), CellRect::cover).intersect(map)
    }

    /// Computes the views of all others.
    pub(super) fn see_others(&mut self) -> Result<(), SightError> {
        self.others = (0..self.preset.viewers.len()).map(|i| self.seen_by(i)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn seen_by(&mut self, i: usize) -> Result<Seen, SightError> {
        let Observer { at, eye_height_m, .. } = self.preset.viewers[i];
        let radius = self.radius_at(at);
        let terrain = self.terrain.raised(eye_height_m);
        if let Some(classic) = self.preset.classic.config(radius) {
            let (origin, window) = self.classic_window(&terrain, at, &classic)?;
            return Ok(Seen { origin, window });
        }
        if self.viewshed.config().radius != radius {
            self.viewshed.set_config(SightConfig { radius, ..self.preset.sight.clone() })?;
        }
        let view = terrain.view(&mut self.viewshed, at, crate::job::Job::quiet())?;
        let mut seen = Seen { origin: view.origin(), window: view.grid().to_grid() };
        terrain.blot_out_gaps(seen.origin, &mut seen.window);
        Ok(seen)
    }

    /// Those who follow go one step, each to where the one before it stood, when the viewer has left a cell.
    pub(super) fn follow(&mut self, left: IVec2) -> Result<(), SightError> {
        let mut goal = left;
        for i in 0..self.preset.viewers.len() {
            let Observer { at, follows, .. } = self.preset.viewers[i];
            if !follows {
                continue;
            }
            let step = (goal - at).signum();
            let ways = [step, IVec2::new(step.x, 0), IVec2::new(0, step.y)];
            let way = ways.into_iter().find(|way| *way != IVec2::ZERO && self.terrain.can_enter(at + *way));
            if let Some(way) = way {
                self.preset.viewers[i].at = at + way;
                self.others[i] = self.seen_by(i)?;
            }
            goal = at;
        }
        Ok(())
    }
}
