//! [`WalkState`]: the state of a scene that depends on past turns; saving and restoring it.

use glam::IVec2;

use crate::creatures::Creature;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError, SceneState};
use farsight::grid::Grid;
use farsight::light::ClockConfig;
use farsight::perception::CellMemory;

/// The state of a scene that depends on past turns. The rest follows from preset and terrain.
#[derive(Clone, Debug)]
pub struct WalkState {
    /// Hour, observers, lamps, strokes and changed cells.
    pub scene: SceneState,
    /// The cell of the viewer.
    pub viewer: IVec2,
    /// The cells that the viewer has seen.
    pub memory: Grid<CellMemory>,
    /// The number of past turns of creatures.
    pub turn: u64,
    /// The creatures.
    pub creatures: Vec<Creature>,
}

impl Scene {
    /// Returns the preset that describes the present scene: [`preset`](Self::preset) with the [`state`](Self::state) as
    /// its initial state. Exports, links and saved walks write it.
    ///
    /// ```
    /// use farsight::Job;
    /// use farsight_scene::prelude::*;
    /// let mut preset = Preset::bare_kernel();
    /// preset.clock = preset.clock.with_runs(true).with_hour(6.0).with_minutes_a_turn(30.0);
    /// let mut scene = Scene::from_map(preset, OpacityMap::clear(9, 9)?, None, Job::none())?;
    /// scene.wait()?;
    /// assert_eq!(scene.preset().clock.hour, 6.0);
    /// assert_eq!(scene.present_preset().clock.hour, 6.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn present_preset(&self) -> Preset {
        self.state.applied_to(&self.preset)
    }

    /// Returns the state that can change under a constant preset.
    pub fn state(&self) -> &SceneState {
        &self.state
    }

    /// Returns the clock at the present hour.
    pub fn clock(&self) -> ClockConfig {
        self.preset.clock.clone().with_hour(self.state.hour)
    }

    /// Sets the clock to an hour after the first midnight. No turn passes.
    ///
    /// # Errors
    /// [`SceneError`] for an hour out of range; the scene does not change.
    pub fn set_hour(&mut self, hour: f64) -> Result<(), SceneError> {
        self.change_state(|state| state.hour = hour)
    }

    /// Copies hour and observers of a scene in another world, where both presets describe them equally.
    ///
    /// # Errors
    /// [`SceneError`] if an observer cannot be in this world; the scene does not change.
    pub fn continue_from(&mut self, other: &Self) -> Result<(), SceneError> {
        let SceneState { hour, observers, .. } = other.state.under(&other.preset, &self.preset);
        self.change_state(|state| (state.hour, state.observers) = (hour, observers))
    }

    /// Changes the state and recomputes the data that depend on it. After an error the scene is unchanged.
    pub(super) fn change_state(&mut self, change: impl FnOnce(&mut SceneState)) -> Result<(), SceneError> {
        let mut state = self.state.clone();
        change(&mut state);
        if state == self.state {
            return Ok(());
        }
        self.take_over(self.preset.clone(), state)
    }

    /// Returns the state that depends on past turns.
    pub fn walk_state(&self) -> WalkState {
        WalkState {
            scene: self.state.clone(),
            viewer: self.viewer,
            memory: self.memory.grid().clone(),
            turn: self.creatures.turn(),
            creatures: self.creatures.all().to_vec(),
        }
    }

    /// Returns `true` if no turn has passed, so that the scene follows from [`present_preset`](Self::present_preset),
    /// terrain and the cell of the viewer.
    pub fn is_fresh(&self) -> bool {
        self.creatures.turn() == 0 && !self.memory.grid().as_slice().contains(&CellMemory::Seen)
    }

    /// Restores a preset, and the state of a scene with that preset on the same terrain.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn restore(&mut self, preset: &Preset, state: WalkState) -> Result<(), SceneError> {
        self.preset.world = preset.world.clone();
        self.take_over(preset.clone(), state.scene)?;
        self.compute_view_from(state.viewer)?;
        self.memory.restore(state.memory);
        self.creatures.restore(self.preset.world.seed, state.turn, state.creatures);
        self.stale.perception = false; // it is that of the state
        Ok(())
    }
}
