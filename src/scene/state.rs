//! What of a scene hangs on what has happened in it, to be kept and taken up again.

use glam::IVec2;

use super::error::SceneError;
use crate::grid::Grid;
use crate::perception::{CellMemory, Creature};
use crate::preset::Preset;
use crate::scene::Scene;

/// What of a scene hangs on what has happened in it. All else follows from the preset and the land.
#[derive(Clone, Debug)]
pub(crate) struct WalkState {
    pub(crate) viewer: IVec2,
    pub(crate) memory: Grid<CellMemory>,
    /// Turns that creatures have taken.
    pub(crate) turn: u64,
    pub(crate) creatures: Vec<Creature>,
}

impl Scene {
    /// What has happened so far.
    pub(crate) fn state(&self) -> WalkState {
        WalkState {
            viewer: self.viewer,
            memory: self.memory.grid().clone(),
            turn: self.creatures.turn(),
            creatures: self.creatures.all().to_vec(),
        }
    }

    /// Whether nobody has walked or waited yet, so that all follows from the preset, the land and the viewer's cell.
    pub(crate) fn is_fresh(&self) -> bool {
        self.creatures.turn() == 0 && !self.memory.grid().as_slice().contains(&CellMemory::Seen)
    }

    /// Takes up a preset, and what has happened in a scene of that preset on the same land.
    pub(crate) fn restore(&mut self, preset: &Preset, state: WalkState) -> Result<(), SceneError> {
        self.preset.world = preset.world.clone();
        self.apply(preset.clone())?;
        self.see_from(state.viewer)?;
        self.memory.restore(state.memory);
        self.creatures.restore(self.preset.world.seed, state.turn, state.creatures);
        Ok(())
    }
}
