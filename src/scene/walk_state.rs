//! [`WalkState`]: the state of a scene that depends on past turns.

use glam::IVec2;

use crate::grid::Grid;
use crate::perception::{CellMemory, Creature};
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};

/// The state of a scene that depends on past turns. Everything else follows from preset and terrain.
#[derive(Clone, Debug)]
pub struct WalkState {
    /// The cell of the viewer.
    pub viewer: IVec2,
    /// The cells that the viewer has seen.
    pub memory: Grid<CellMemory>,
    /// Turns that creatures have taken.
    pub turn: u64,
    /// The creatures.
    pub creatures: Vec<Creature>,
}

impl Scene {
    /// Returns the state that depends on past turns.
    pub fn walk_state(&self) -> WalkState {
        WalkState {
            viewer: self.viewer,
            memory: self.memory.grid().clone(),
            turn: self.creatures.turn(),
            creatures: self.creatures.all().to_vec(),
        }
    }

    /// Returns `true` if no turn has passed, so that everything follows from preset, terrain and the cell of the viewer.
    pub fn is_fresh(&self) -> bool {
        self.creatures.turn() == 0 && !self.memory.grid().as_slice().contains(&CellMemory::Seen)
    }

    /// Restores a preset, and the state of a scene with that preset on the same terrain.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn restore(&mut self, preset: &Preset, state: WalkState) -> Result<(), SceneError> {
        self.preset.world = preset.world.clone();
        self.apply(preset.clone())?;
        self.compute_view_from(state.viewer)?;
        self.memory.restore(state.memory);
        self.creatures.restore(self.preset.world.seed, state.turn, state.creatures);
        Ok(())
    }
}
