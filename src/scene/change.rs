//! Other presets for a scene that is there.

use super::error::SceneError;
use crate::preset::Preset;
use crate::scene::{Scene, lamps, placed};
use crate::sight::{SightConfig, SightError};

impl Scene {
    /// Whether a preset asks for another world than the one that is there.
    pub fn needs_new_world(&self, preset: &Preset) -> bool {
        preset.world != self.preset.world
    }

    /// Takes over all of a preset but its world. Only what hangs on a changed key is computed
    /// again.
    ///
    /// # Errors
    /// [`SceneError`]; the old preset stays.
    pub fn apply(&mut self, preset: Preset) -> Result<(), SceneError> {
        preset.check()?;
        let preset = Preset { world: self.preset.world.clone(), ..preset };
        placed::check(&self.terrain, &preset)?;
        let old = self.preset.clone();
        if let Err(error) = self.see_with(preset) {
            self.see_with(old)?;
            return Err(error.into());
        }
        self.resettle(&old);
        if old.perception.memory && !self.preset.perception.memory {
            self.forget();
        }
        self.notice();
        Ok(())
    }

    /// Takes over a preset for the same world, and computes the view.
    fn see_with(&mut self, preset: Preset) -> Result<(), SightError> {
        self.viewshed.set_config(SightConfig { radius: self.viewshed.config().radius, ..preset.sight.clone() })?;
        let old = std::mem::replace(&mut self.preset, preset);
        let changed = self.take_sky();
        let relit = !self.preset.lamps.is_empty() && (changed || self.preset.sight.path != old.sight.path);
        if relit || self.preset.lamps != old.lamps {
            self.lights = lamps::light(&self.terrain, &self.preset)?;
        }
        if !self.preset.viewers.is_empty() || !old.viewers.is_empty() {
            self.see_others()?;
        }
        self.see()
    }
}
