//! The sky of a scene: the optics in force at its hour, and how time passes.

use crate::optics::OpticsConfig;
use crate::scene::{Scene, lamps};
use crate::sight::SightError;

impl Scene {
    /// The optics in force at this hour: those of the preset, changed by clock and weather.
    pub fn sky(&self) -> &OpticsConfig {
        &self.sky
    }

    /// Takes over the optics of the hour, and tells whether lamps throw another light in them.
    pub(super) fn take_sky(&mut self) -> bool {
        let sky = self.preset.optics_at_hour();
        let old = std::mem::replace(&mut self.sky, sky);
        if self.sky != old {
            self.terrain.set_optics(&self.sky);
        }
        lamps::matters(&self.sky, &old)
    }

    /// A turn passes on the clock. The view is to be computed after this.
    pub(super) fn pass_time(&mut self) -> Result<(), SightError> {
        self.pass(self.preset.clock.minutes_a_turn).map(|_| ())
    }

    /// Minutes pass on the clock, if it runs, but no turn: nobody moves. Tells whether the sky is another then: if not,
    /// nothing else has changed, and nothing was computed.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn pass_minutes(&mut self, minutes: f64) -> Result<bool, SightError> {
        let before = self.sky.clone();
        if self.pass(minutes)? {
            self.see()?;
        }
        let changed = self.sky != before;
        if changed {
            self.notice();
        }
        Ok(changed)
    }

    /// Minutes pass on the clock, if it runs; tells whether the air is another then, for which the view is to be
    /// computed again.
    fn pass(&mut self, minutes: f64) -> Result<bool, SightError> {
        if !self.preset.clock.runs {
            return Ok(false);
        }
        self.preset.clock.hour = self.preset.clock.hour_after(minutes);
        let other_air = self.take_sky();
        if other_air {
            if !self.preset.lamps.is_empty() {
                self.lights = lamps::light(&self.terrain, &self.preset)?;
            }
            if !self.preset.viewers.is_empty() {
                self.see_others()?;
            }
        }
        Ok(other_air)
    }
}
