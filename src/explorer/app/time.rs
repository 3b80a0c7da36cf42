//! Time that goes by itself: the hours pass while one watches.

use toml::Value;

use crate::explorer::app::App;

/// A frame counts for so many seconds at most: whatever held the window up makes no leap in time.
const LONGEST_FRAME: f32 = 0.1;

impl App {
    /// Lets time go by itself, with the clock running, or stops it.
    pub(super) fn toggle_time(&mut self) {
        self.time_runs = !self.time_runs;
        self.minutes = 0.0;
        if self.time_runs && !self.preset.clock.runs {
            self.turn("clock.runs", Some(Value::Boolean(true)));
        }
    }

    /// Seconds pass for the one who watches. The clock goes on by whole minutes: a saved walk has the hour that is shown.
    pub(super) fn pass_time(&mut self, seconds: f32) {
        self.time_runs &= self.preset.clock.runs;
        if !self.time_runs || self.generation.is_some() {
            return;
        }
        self.minutes += f64::from(seconds.min(LONGEST_FRAME)) * self.preset.clock.hours_a_second * 60.0;
        let whole = self.minutes.floor();
        if whole < 1.0 {
            return;
        }
        self.minutes -= whole;
        self.turns += 1;
        let mut changed = false;
        for scene in self.scene.iter_mut().chain(self.split.scene_mut()) {
            match scene.advance_minutes(whole) {
                Ok(other_sky) => changed |= other_sky,
                Err(error) => self.messages.complain(error.to_string()),
            }
            self.preset.clock.hour = scene.preset().clock.hour;
        }
        if changed {
            self.version += 1;
        }
    }
}
