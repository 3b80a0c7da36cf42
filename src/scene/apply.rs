//! Changes of the preset of a scene.

use super::{daylight, lamp_light, memory, placement};
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};
use crate::sight::{SightConfig, SightError};

impl Scene {
    /// Returns `true` if a preset has another world.
    pub fn needs_new_world(&self, preset: &Preset) -> bool {
        preset.world != self.preset.world || self.is_preview()
    }

    /// Returns `true` if the world is a preview of that of the preset.
    pub fn is_preview(&self) -> bool {
        self.world().is_some_and(|world| world.is_preview())
    }

    /// Takes over a preset except its world. Recomputes only what depends on a changed key.
    ///
    /// # Errors
    /// [`SceneError`]; the scene keeps its preset.
    pub fn apply(&mut self, preset: Preset) -> Result<(), SceneError> {
        preset.check()?;
        let preset = Preset { world: self.preset.world.clone(), ..preset };
        placement::check(&self.terrain, &self.map_opacities, &preset)?;
        if preset.sight != self.preset.sight || preset.viewers.len() > self.preset.viewers.len() {
            memory::check_views(&self.terrain, &preset)?; // the old windows may be replaced, so this errs on the safe side
        }
        let old = self.preset.clone();
        if let Err(error) = self.compute_views_with(preset) {
            self.compute_views_with(old)?;
            return Err(error.into());
        }
        self.update_creatures(&old);
        if old.perception.memory && !self.preset.perception.memory {
            self.forget();
        }
        self.update_perception();
        Ok(())
    }

    /// Takes over a preset of the same world and recomputes light and views.
    fn compute_views_with(&mut self, preset: Preset) -> Result<(), SightError> {
        self.viewshed.set_config(SightConfig { radius: self.viewshed.config().radius, ..preset.sight.clone() })?;
        let old = std::mem::replace(&mut self.preset, preset);
        if self.preset.names != old.names {
            self.named_places.take();
        }
        let air_changed = self.update_optics();
        let changed = self.map_opacities.change(&mut self.terrain, &self.preset.cells);
        if air_changed || self.preset.sight.path != old.sight.path {
            self.lamp_light = lamp_light::lamp_light(&self.terrain, &self.preset)?;
        } else {
            self.lamp_light.changed(&self.terrain, changed.iter().copied())?;
            if self.preset.lamps != old.lamps {
                lamp_light::update_lamps(&mut self.lamp_light, &self.terrain, &self.preset.lamps)?;
            }
        }
        if !daylight::is_same_daylight(&self.preset, &old) {
            self.daylight = daylight::daylight(&self.terrain, &self.preset)?;
        } else if let Some(daylight) = &mut self.daylight {
            daylight.changed(&self.terrain, changed)?;
        }
        self.compute_observer_views()?;
        self.compute_own_view(Job::quiet())
    }

    /// Creates the creatures of the preset anew. If the only change is a longer list, adds those.
    fn update_creatures(&mut self, old: &Preset) {
        let preset = &self.preset;
        match preset.creatures.strip_prefix(&*old.creatures) {
            Some(added) if preset.perception.creatures == old.perception.creatures => {
                for placed in added {
                    self.creatures.place(placed);
                }
            }
            _ => self.creatures = placement::creatures(&self.terrain, &self.map_opacities, preset),
        }
    }
}
