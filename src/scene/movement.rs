//! Steps and turns of the viewer and the creatures.

use glam::IVec2;

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
    pub fn place(&mut self, cell: IVec2) -> Result<(), SightError> {
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
}
