//! [`SceneState`]: what changes in a scene while its preset stays the same.

use crate::creatures::Observer;
use crate::preset::{ChangedCell, Preset};
use crate::world::Stroke;
use farsight::light::Lamp;

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
