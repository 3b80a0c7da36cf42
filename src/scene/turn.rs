//! Turns: the viewer steps, waits or is put somewhere else, and the creatures move.

use glam::IVec2;

use crate::scene::Scene;
use crate::sight::SightError;

impl Scene {
    /// Goes one step, if nothing is in the way, and all creatures take a turn. Water carries a
    /// boat; only walls, the edge of the map and cells without data stop one.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`]; nothing moves then.
    pub fn step(&mut self, step: IVec2) -> Result<bool, SightError> {
        let goal = self.viewer + step.signum();
        if step == IVec2::ZERO || !self.terrain.can_enter(goal) {
            return Ok(false);
        }
        let left = self.viewer;
        self.pass_time()?;
        self.see_from(goal)?;
        self.follow(left)?;
        self.take_turns();
        self.notice();
        Ok(true)
    }

    /// Moves the viewer and computes the view; stays where that fails.
    pub(super) fn see_from(&mut self, cell: IVec2) -> Result<(), SightError> {
        let old = std::mem::replace(&mut self.viewer, cell);
        self.see().inspect_err(|_| self.viewer = old)
    }

    fn take_turns(&mut self) {
        let terrain = &self.terrain;
        self.creatures.wander(self.viewer, |cell| terrain.habitat(cell));
    }

    /// Lets all creatures take a turn.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn wait(&mut self) -> Result<(), SightError> {
        self.pass_time()?;
        self.take_turns();
        self.look()
    }

    /// Puts the viewer on a cell of the map. No turn passes.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`], [`SightError::ViewerWithoutData`] and [`SightError::RadiusTooLarge`]; the viewer
    /// stays.
    pub fn place(&mut self, cell: IVec2) -> Result<(), SightError> {
        self.terrain.check_viewer(cell)?;
        self.see_from(cell)?;
        self.notice();
        Ok(())
    }

    /// Forgets all that is not in sight.
    pub fn forget(&mut self) {
        self.memory.forget();
        self.creatures.forget();
    }
}
