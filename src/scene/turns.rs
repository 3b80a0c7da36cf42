//! Turns of the viewer and the creatures, and the clock: time passes, and light and air change.

use glam::IVec2;

use super::lamp_light;
use crate::optics::OpticsConfig;
use crate::scene::Scene;
use crate::sight::SightError;

impl Scene {
    /// Moves the viewer one step, and lets a turn pass. Returns `false` if a wall, the edge of the map or a cell without
    /// data is in the way; then nothing moves. Water is no obstacle.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`]; nothing moves.
    pub fn step(&mut self, step: IVec2) -> Result<bool, SightError> {
        let goal = self.viewer + step.signum();
        if step == IVec2::ZERO || !self.terrain.can_enter(goal) {
            return Ok(false);
        }
        let left = self.viewer;
        self.advance_turn()?;
        self.compute_view_from(goal)?;
        self.move_followers(left)?;
        self.move_creatures();
        self.update_perception();
        Ok(true)
    }

    /// Moves the viewer and computes the view. After an error the viewer is where it was.
    pub(super) fn compute_view_from(&mut self, cell: IVec2) -> Result<(), SightError> {
        let old = std::mem::replace(&mut self.viewer, cell);
        self.compute_view().inspect_err(|_| self.viewer = old)
    }

    fn move_creatures(&mut self) {
        let terrain = &self.terrain;
        self.creatures.wander(self.viewer, |cell| terrain.habitat(cell));
    }

    /// Lets a turn pass.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn wait(&mut self) -> Result<(), SightError> {
        self.advance_turn()?;
        self.move_creatures();
        self.observe()
    }

    /// Puts the viewer on a cell of the map. No turn passes.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`], [`SightError::ViewerWithoutData`] and [`SightError::RadiusTooLarge`]; the viewer
    /// stays where it is.
    pub fn place(&mut self, cell: impl Into<IVec2>) -> Result<(), SightError> {
        let cell = cell.into();
        self.terrain.check_viewer(cell)?;
        self.compute_view_from(cell)?;
        self.update_perception();
        Ok(())
    }

    /// Forgets all cells and creatures that are out of sight.
    pub fn forget(&mut self) {
        self.memory.forget();
        self.creatures.forget();
    }

    /// Returns the optics at this hour: those of the preset, changed by clock and weather.
    pub fn optics(&self) -> &OpticsConfig {
        &self.optics
    }

    /// Takes over the optics of the hour. Returns `true` if the air changes, and with it views and the light of lamps.
    pub(super) fn update_optics(&mut self) -> bool {
        let optics = self.preset.optics_at_hour();
        let old = std::mem::replace(&mut self.optics, optics);
        if self.optics != old {
            self.terrain.set_optics(&self.optics);
        }
        !lamp_light::is_same_for_lamps(&self.optics, &old)
    }

    /// Advances the clock by a turn. The caller computes the view of the viewer.
    pub(super) fn advance_turn(&mut self) -> Result<(), SightError> {
        self.advance(self.preset.clock.minutes_a_turn).map(|_| ())
    }

    /// Advances the clock, if it runs. No turn passes, and nobody moves. Returns `true` if the optics change; otherwise
    /// nothing is computed.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn advance_minutes(&mut self, minutes: f64) -> Result<bool, SightError> {
        let before = self.optics.clone();
        if self.advance(minutes)? {
            self.compute_view()?;
        }
        let changed = self.optics != before;
        if changed {
            self.update_perception();
        }
        Ok(changed)
    }

    /// Advances the clock, if it runs. Returns `true` if the air changes; the caller computes the view of the viewer.
    fn advance(&mut self, minutes: f64) -> Result<bool, SightError> {
        if !self.preset.clock.runs {
            return Ok(false);
        }
        self.preset.clock.hour = self.preset.clock.hour_after(minutes);
        let air_changed = self.update_optics();
        if air_changed {
            self.lamp_light.changed_everywhere(&self.terrain)?;
            self.compute_observer_views()?;
        }
        Ok(air_changed)
    }
}
