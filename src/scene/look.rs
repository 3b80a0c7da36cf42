//! Looking: what the viewer sees, perceives and remembers from where it stands.

use glam::IVec2;

use crate::grid::CellRect;
use crate::job::Job;
use crate::light::LightMap;
use crate::optics::OpticsConfig;
use crate::perception::{CellMemory, Recognition};
use crate::scene::Scene;
use crate::sight::{SightConfig, SightError};

impl Scene {
    /// The part of the map within the radius.
    pub fn sight_frame(&self) -> CellRect {
        let largest = self.size().max_element() as u32;
        CellRect::around(self.viewer, self.radius().min(largest)).intersect(CellRect::of_size(self.size()))
    }

    /// Visibility of a cell, in [0, 1]: transmittance times decay, before light; the best of all who look.
    #[inline]
    pub fn visibility(&self, cell: IVec2) -> f32 {
        let own = self.own_visibility(cell);
        self.others.iter().map(|seen| seen.visibility(cell)).fold(own, f32::max)
    }

    /// Visibility of a cell to the viewer alone, in [0, 1], before light.
    #[inline]
    pub fn own_visibility(&self, cell: IVec2) -> f32 {
        self.window.get(cell.wrapping_sub(self.origin)).copied().unwrap_or(0.0)
    }

    /// What is perceived of a cell, in [0, 1]: its visibility times the light on it.
    #[inline]
    pub fn perceived(&self, cell: IVec2) -> f32 {
        let visibility = self.visibility(cell);
        if visibility == 0.0 { 0.0 } else { visibility * self.light(cell) }
    }

    /// Light on a cell, in [0, 1]: ambient light, the carried lantern and all lamps, added up to at most 1.
    #[inline]
    pub fn light(&self, cell: IVec2) -> f32 {
        light(&self.sky, &self.lights, self.viewer, cell)
    }

    /// Light on a cell, in [0, 1], if the viewer with its lantern stood on another.
    #[cfg(feature = "files")]
    pub(crate) fn light_for(&self, viewer: IVec2, cell: IVec2) -> f32 {
        light(&self.sky, &self.lights, viewer, cell)
    }

    /// What the viewer makes of a cell.
    pub fn sense(&self, cell: IVec2) -> Recognition {
        self.preset.perception.thresholds().classify(self.perceived(cell))
    }

    /// Opacity of a cell for this viewer, in [0, 1].
    pub fn opacity(&self, cell: IVec2) -> Option<f32> {
        CellRect::of_size(self.size()).contains(cell).then(|| self.terrain.opacity(self.viewer, cell))
    }

    /// Computes the view alone, by the classic method of the preset if it chooses one.
    /// [`look`](Self::look) does this and what follows from it.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn see(&mut self) -> Result<(), SightError> {
        self.see_watched(Job::quiet())
    }

    pub(super) fn see_watched(&mut self, job: Job<'_>) -> Result<(), SightError> {
        let radius = self.radius();
        if let Some(classic) = self.preset.classic.config(radius) {
            return self.see_classically(&classic);
        }
        if self.viewshed.config().radius != radius {
            self.viewshed.set_config(SightConfig { radius, ..self.preset.sight.clone() })?;
        }
        let view = self.terrain.view(&mut self.viewshed, self.viewer, job)?;
        self.origin = view.origin();
        if self.window.size() == view.grid().size() {
            for (to, from) in self.window.as_mut_slice().chunks_exact_mut(view.grid().width()).zip(view.grid().rows()) {
                to.copy_from_slice(from);
            }
        } else {
            self.window = view.grid().to_grid();
        }
        self.terrain.blot_out_gaps(self.origin, &mut self.window);
        Ok(())
    }

    /// Looks around: view, memory, creatures.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn look(&mut self) -> Result<(), SightError> {
        self.see()?;
        self.notice();
        Ok(())
    }

    /// What follows from the view: memory and creatures.
    pub(super) fn notice(&mut self) {
        let Self { preset, sky, lights, window, origin, others, viewer, .. } = self;
        let perception = &preset.perception;
        let thresholds = perception.thresholds();
        let perceived = |cell: IVec2| {
            let own = window.get(cell.wrapping_sub(*origin)).copied().unwrap_or(0.0);
            let visibility = others.iter().map(|seen| seen.visibility(cell)).fold(own, f32::max);
            if visibility > 0.0 { visibility * light(sky, lights, *viewer, cell) } else { 0.0 }
        };
        let windows = std::iter::once((&*window, *origin)).chain(others.iter().map(|seen| (&seen.window, seen.origin)));
        let visible = windows
            .flat_map(|(window, origin)| {
                window.iter().filter(|(_, visibility)| **visibility > 0.0).map(move |(offset, _)| offset + origin)
            })
            .filter(|&cell| thresholds.classify(perceived(cell)) > Recognition::Hidden);
        self.memory.update(visible, perception.out_of_sight());
        let memory = &self.memory;
        self.creatures.update_recognition(thresholds, perception.out_of_sight(), perceived, |cell| {
            memory.get(cell) == CellMemory::Visible
        });
    }
}

/// Light on a cell, in [0, 1].
#[inline]
fn light(optics: &OpticsConfig, lamps: &LightMap, viewer: IVec2, cell: IVec2) -> f32 {
    let borne = without_lamps(optics, viewer, cell);
    if lamps.lamp_count() == 0 { borne } else { (borne + lamps.level(cell)).min(1.0) }
}

/// The ambient light and the lantern's on a cell, in [0, 1].
#[inline]
pub(super) fn without_lamps(optics: &OpticsConfig, viewer: IVec2, cell: IVec2) -> f32 {
    if optics.light >= 1.0 { 1.0 } else { optics.light_at((cell.as_dvec2() - viewer.as_dvec2()).length()) }
}
