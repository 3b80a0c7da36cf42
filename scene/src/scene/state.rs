//! [`SceneState`]: the state of a scene that can change under a constant preset.

use crate::creatures::Observer;
use crate::preset::{ChangedCell, Preset};
use crate::world::Stroke;
use farsight::light::Lamp;

/// The state of a scene that can change under a constant preset, which describes the start of the scene.
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
    /// The cells with another opacity than in the opacity map or dungeon with its strokes.
    pub cells: Vec<ChangedCell>,
}

impl SceneState {
    /// Returns the initial state of the scene of a preset.
    pub fn at_start(preset: &Preset) -> Self {
        Self {
            hour: preset.clock.hour,
            observers: preset.viewers.clone(),
            lamps: preset.lamps.clone(),
            strokes: preset.strokes.clone(),
            cells: preset.cells.clone(),
        }
    }

    /// Returns the preset with this state as its initial state.
    pub fn applied_to(&self, preset: &Preset) -> Preset {
        let mut present = preset.clone();
        present.clock.hour = self.hour;
        present.viewers.clone_from(&self.observers);
        present.lamps.clone_from(&self.lamps);
        present.strokes.clone_from(&self.strokes);
        present.cells.clone_from(&self.cells);
        present
    }

    /// Returns the state after `new` replaces the preset `old`: the hour and each list do not change if both presets
    /// describe them equally, else they start as in `new`. Observers in both presets keep their cells.
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

    /// Moves the observers that are also in the old preset to their present cells.
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
