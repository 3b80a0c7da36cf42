//! Steps, walks and time.

use toml::Value;

use super::shown::Shown;
use super::state::Document;
use crate::background::refresh_if_quick;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The time between two steps of a walk to a clicked cell, and the maximum time of a walk, in seconds.
const STEP_SECONDS: f32 = 0.05;
const WALK_SECONDS: f32 = 2.0;

/// The maximum number of steps in a frame.
const STEPS_A_FRAME: usize = 8;

/// The maximum duration of a frame, in seconds, so that a pause of the window is not a leap in time.
const MAX_FRAME_SECONDS: f32 = 0.1;

/// The interval between two states of flickering lamps, in seconds.
const FLICKER_SECONDS: f32 = 0.08;

impl Document {
    /// Takes one step and ends the current walk.
    pub(crate) fn walk(&mut self, step: IVec2) {
        self.motion.route.clear();
        match self.is_stale() {
            true => self.motion.route.push_back(step),
            false => self.change_scenes(|scene| scene.step(step)),
        }
    }

    /// Starts a walk to a cell. A long walk has shorter steps; a second call during the walk shows no single steps.
    pub(crate) fn walk_to(&mut self, cell: IVec2) {
        let Some(scene) = &self.scene else { return };
        let route = &mut self.motion.route;
        if !route.is_empty() && scene.viewer() + route.iter().sum::<IVec2>() == cell {
            self.motion.step_seconds = 0.0;
            return;
        }
        *route = scene.route(scene.viewer(), cell).unwrap_or_default().into();
        self.motion.step_seconds = STEP_SECONDS.min(WALK_SECONDS / route.len().max(1) as f32);
        self.motion.since_step = self.motion.since_step.min(self.motion.step_seconds); // the first step is taken at once
    }

    /// Moves the viewer to a cell. It is an error without a scene, or if the cell cannot be entered.
    pub(crate) fn place(&mut self, cell: IVec2) -> Result<(), String> {
        let scene = self.scene.as_mut().ok_or("there is no scene yet")?;
        scene.defer(|scene| scene.place(cell)).map_err(|error| error.to_string())?;
        self.motion.route.clear();
        self.change_scenes(|scene| scene.place(cell));
        Ok(())
    }

    pub(crate) fn wait_turn(&mut self) {
        self.change_scenes(Scene::wait);
    }

    /// Forgets all cells and creatures out of sight.
    pub(crate) fn forget(&mut self) {
        for scene in self.scene.iter_mut().chain(&mut self.comparison.scene) {
            scene.forget();
        }
        self.turns += 1;
        self.revision += 1;
    }

    /// Returns `true` if time runs continuously.
    pub(crate) fn time_runs(&self) -> bool {
        self.motion.time_runs
    }

    /// Runs time continuously, with the clock on, or pauses it.
    pub(crate) fn toggle_time(&mut self, shown: &Shown) {
        self.motion.time_runs = !self.motion.time_runs;
        self.motion.minutes = 0.0;
        if self.motion.time_runs && !self.preset().clock.runs {
            self.set("clock.runs", Some(Value::Boolean(true)), shown);
        }
    }

    /// Advances the world in progress, the current walk and running time by a frame. It is an error if the first scene
    /// fails.
    pub(crate) fn advance(&mut self, seconds: f32, shown: &mut Shown) -> Result<(), String> {
        self.poll(shown)?;
        self.motion.since_step += seconds.min(MAX_FRAME_SECONDS);
        for _ in 0..STEPS_A_FRAME {
            if self.motion.since_step < self.motion.step_seconds || self.is_stale() {
                break;
            }
            let Some(step) = self.motion.route.pop_front() else { break };
            self.motion.since_step -= self.motion.step_seconds;
            self.change_scenes(|scene| scene.step(step));
            shown.camera_follows = true;
        }
        self.pass_time(seconds);
        self.flicker(seconds);
        Ok(())
    }

    /// Returns `true` if lamps flicker.
    pub(crate) fn flickers(&self) -> bool {
        self.scene.as_ref().is_some_and(Scene::flickers)
    }

    /// Sets flickering lamps to their strength at the present time.
    fn flicker(&mut self, seconds: f32) {
        if !self.flickers() {
            return;
        }
        let flames = &mut self.motion.flames;
        flames.next += seconds.min(MAX_FRAME_SECONDS);
        if flames.next >= FLICKER_SECONDS {
            flames.seconds += f64::from(std::mem::take(&mut flames.next));
            let seconds = flames.seconds;
            for scene in self.scene.iter_mut().chain(&mut self.comparison.scene) {
                self.revision += u64::from(scene.set_time(seconds));
            }
        }
    }

    /// Stops the flicker of lamps at the light of exported files, until the next frame.
    pub(crate) fn steady_lamps(&mut self) {
        for scene in self.scene.iter_mut().chain(&mut self.comparison.scene) {
            self.revision += u64::from(scene.set_time(0.0));
        }
    }

    /// Advances running time. The clock moves by whole minutes, so that a saved walk has the displayed hour.
    fn pass_time(&mut self, seconds: f32) {
        self.motion.time_runs &= self.preset().clock.runs;
        if !self.motion.time_runs || self.stage.is_making() || self.is_stale() {
            return;
        }
        self.motion.minutes += f64::from(seconds.min(MAX_FRAME_SECONDS)) * self.preset().clock.hours_a_second * 60.0;
        let whole = self.motion.minutes.floor();
        if whole < 1.0 {
            return;
        }
        self.motion.minutes -= whole;
        self.turns += 1;
        let mut sky_changed = false;
        for scene in self.scene.iter_mut().chain(&mut self.comparison.scene) {
            let changed = scene.defer(|scene| scene.advance_minutes(whole));
            match changed.and_then(|changed| refresh_if_quick(scene).map(|()| changed)) {
                Ok(changed) => sky_changed |= changed,
                Err(error) => self.errors.push(error.to_string()),
            }
        }
        self.revision += u64::from(sky_changed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentOptions, Source};
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use farsight_scene::files::MapSource;
    use farsight_scene::preset::Preset;
    use glam::ivec2;

    /// Returns the number of frames of a walk over some cells; with `is_skipped`, a second click follows the first step.
    fn frames(cells: i32, is_skipped: bool) -> usize {
        let map = OpacityMap::clear(300, 9).unwrap();
        let mut preset = Preset::bare_kernel();
        preset.sight.radius = 4;
        let scene = Scene::from_map(preset, map.clone(), Some(ivec2(4, 4)), Job::none()).unwrap();
        let source = Source::OpacityMap { map: MapSource::new("plain.txt", ""), opacity: map.into() };
        let mut document = Document::new(DocumentOptions::with_scene(scene, source, ""));
        let mut shown = Shown::default();
        for _ in 0..60 {
            document.advance(1.0 / 60.0, &mut shown).unwrap(); // at rest
        }
        let target = ivec2(4 + cells, 4);
        document.walk_to(target);
        let mut frames = 0;
        while !document.is_settled() {
            document.advance(1.0 / 60.0, &mut shown).unwrap();
            frames += 1;
            if is_skipped && frames == 1 {
                document.walk_to(target);
            }
        }
        assert_eq!(document.scene().unwrap().viewer(), target);
        frames
    }

    #[test]
    fn a_long_walk_takes_two_seconds_and_is_skipped_by_a_second_click() {
        assert!((26..=32).contains(&frames(10, false)), "{} frames of 1/60 s for 10 steps", frames(10, false));
        assert!((110..=125).contains(&frames(280, false)), "{} frames for 280 steps", frames(280, false));
        assert_eq!(frames(280, true), 1 + 278_usize.div_ceil(STEPS_A_FRAME));
    }
}
