//! [`SceneState`]: what changes in a scene while its preset stays the same; [`WalkState`]: all that depends on past turns.

use glam::IVec2;

use crate::creatures::{Creature, Observer};
use crate::preset::{ChangedCell, Preset};
use crate::scene::{Scene, SceneError};
use crate::world::Stroke;
use farsight::grid::Grid;
use farsight::light::{ClockConfig, Lamp};
use farsight::perception::CellMemory;

/// What changes in a scene while its preset stays the same: a preset describes how a scene begins.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneState {
    /// Hours since the first midnight.
    pub hour: f64,
    /// The observers. Those that follow the viewer move.
    pub observers: Vec<Observer>,
    /// The lamps, in the order in which they were added.
    pub lamps: Vec<Lamp>,
    /// The strokes that change the land, in the order in which they were painted.
    pub strokes: Vec<Stroke>,
    /// The cells whose opacity is not that of the opacity map or dungeon with its strokes.
    pub cells: Vec<ChangedCell>,
}

impl SceneState {
    /// Returns the state in which the scene of a preset begins.
    pub fn at_start(preset: &Preset) -> Self {
        Self {
            hour: preset.clock.hour,
            observers: preset.viewers.clone(),
            lamps: preset.lamps.clone(),
            strokes: preset.strokes.clone(),
            cells: preset.cells.clone(),
        }
    }

    /// Returns the preset with this state as its start.
    pub fn applied_to(&self, preset: &Preset) -> Preset {
        let mut present = preset.clone();
        present.clock.hour = self.hour;
        present.viewers.clone_from(&self.observers);
        present.lamps.clone_from(&self.lamps);
        present.strokes.clone_from(&self.strokes);
        present.cells.clone_from(&self.cells);
        present
    }

    /// Returns the state when `new` takes the place of the preset `old`: the hour and each list stay where both presets describe
    /// them alike, and else begin as in `new`. Observers that are in both presets stay where they are.
    #[must_use]
    pub fn under(&self, old: &Preset, new: &Preset) -> Self {
        let start = Self::at_start(new);
        Self {
            hour: if new.clock.hour == old.clock.hour { self.hour } else { start.hour },
            observers: if new.viewers == old.viewers {
                self.observers.clone()
            } else {
                self.moved(old, start.observers)
            },
            lamps: if new.lamps == old.lamps { self.lamps.clone() } else { start.lamps },
            strokes: if new.strokes == old.strokes { self.strokes.clone() } else { start.strokes },
            cells: if new.cells == old.cells { self.cells.clone() } else { start.cells },
        }
    }

    /// Moves the observers that are in the old preset, too, to where they are now.
    fn moved(&self, old: &Preset, mut observers: Vec<Observer>) -> Vec<Observer> {
        let mut unmatched: Vec<(&Observer, &Observer)> = old.viewers.iter().zip(&self.observers).collect();
        for observer in &mut observers {
            let is_same = |(start, now): &(&Observer, &Observer)| {
                *start == observer && **now == Observer { at: now.at, ..observer.clone() }
            };
            if let Some(i) = unmatched.iter().position(is_same) {
                observer.at = unmatched.remove(i).1.at;
            }
        }
        observers
    }
}

/// All of a scene that depends on past turns. Everything else follows from preset and terrain.
#[derive(Clone, Debug)]
pub struct WalkState {
    /// Hour, observers, lamps, strokes and changed cells.
    pub scene: SceneState,
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
    /// Returns the preset that describes this scene as it is now: [`preset`](Self::preset) with the [`state`](Self::state) as its
    /// start. Exports, links and saved walks write it.
    ///
    /// ```
    /// use farsight::Job;
    /// use farsight_scene::prelude::*;
    /// let mut preset = Preset::bare_kernel();
    /// preset.clock = preset.clock.with_runs(true).with_hour(6.0).with_minutes_a_turn(30.0);
    /// let mut scene = Scene::on_map(preset, OpacityMap::clear(9, 9)?, None, Job::none())?;
    /// scene.wait()?;
    /// assert_eq!(scene.preset().clock.hour, 6.0);
    /// assert_eq!(scene.present_preset().clock.hour, 6.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn present_preset(&self) -> Preset {
        self.state.applied_to(&self.preset)
    }

    /// Returns what changes while the preset stays the same.
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
    /// [`SceneError`] for an hour out of range; the scene stays as it was.
    pub fn set_hour(&mut self, hour: f64) -> Result<(), SceneError> {
        self.change_state(|state| state.hour = hour)
    }

    /// Takes over hour and observers of a scene in another world, as far as both presets describe them alike.
    ///
    /// # Errors
    /// [`SceneError`] if an observer cannot be in this world; the scene stays as it was.
    pub fn continue_from(&mut self, other: &Self) -> Result<(), SceneError> {
        let SceneState { hour, observers, .. } = other.state.under(&other.preset, &self.preset);
        self.change_state(|state| (state.hour, state.observers) = (hour, observers))
    }

    /// Changes the state and computes what depends on it. After an error the scene is as it was.
    pub(super) fn change_state(&mut self, change: impl FnOnce(&mut SceneState)) -> Result<(), SceneError> {
        let mut state = self.state.clone();
        change(&mut state);
        if state == self.state {
            return Ok(());
        }
        self.take_over(self.preset.clone(), state)
    }

    /// Returns all that depends on past turns.
    pub fn walk_state(&self) -> WalkState {
        WalkState {
            scene: self.state.clone(),
            viewer: self.viewer,
            memory: self.memory.grid().clone(),
            turn: self.creatures.turn(),
            creatures: self.creatures.all().to_vec(),
        }
    }

    /// Returns `true` if no turn has passed, so that everything follows from [`present_preset`](Self::present_preset), terrain and the
    /// cell of the viewer.
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
        Ok(())
    }
}
