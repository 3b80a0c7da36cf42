//! Steps, walks and time.

use std::sync::Arc;

use toml::Value;

use super::shown::Shown;
use super::state::Document;
use super::task::TaskError;
use farsight::Job;
use farsight::film::Itinerary;
use farsight::scene::Scene;
use glam::IVec2;

/// The time between two steps of a walk to a clicked cell, in seconds.
const STEP_SECONDS: f32 = 0.05;

/// The longest time that a frame counts, in seconds, so that a pause of the window makes no leap in time.
const MAX_FRAME_SECONDS: f32 = 0.1;

/// The time between two moments of lamps that flicker, in seconds.
const FLICKER_SECONDS: f32 = 0.08;

/// The most steps of the trail.
const MAX_TRAIL: usize = 80;

impl Document {
    /// Adds the step from a cell to that of the viewer to the trail. What is no step begins another one.
    pub(crate) fn follow_trail(&mut self, from: Option<IVec2>) {
        let (Some(from), Some(to)) = (from, self.scene.as_ref().map(Scene::viewer)) else { return };
        let trail = &mut self.motion.trail;
        if trail.back() != Some(&from) {
            trail.clear();
            trail.push_back(from);
        }
        match (to - from).abs().max_element() {
            0 => {}
            1 => trail.push_back(to),
            _ => {
                trail.clear();
                trail.push_back(to);
            }
        }
        if trail.len() > MAX_TRAIL + 1 {
            trail.pop_front();
        }
    }

    /// Returns the number of steps that a film of the last ones has.
    pub(crate) fn trail_steps(&self) -> usize {
        self.motion.trail.len().saturating_sub(1)
    }

    /// Returns a fresh scene on the cell where the trail begins, and the walk along it: what a film of the last steps shows, and
    /// the command line films again. It is an error if there is no scene or no step yet.
    pub(crate) fn trail_scene(&self) -> Result<(Scene, Itinerary), String> {
        let scene = self.scene_to_save()?;
        let cells: Vec<IVec2> = self.motion.trail.iter().copied().collect();
        let [first, ..] = cells[..] else { return Err("walk some steps first: a film shows the last ones".into()) };
        let mut preset = scene.present_preset();
        if preset.clock.runs {
            let hours = preset.clock.minutes_a_turn * self.trail_steps() as f64 / 60.0;
            preset.clock.hour = (preset.clock.hour - hours).max(0.0);
        }
        let fresh = match (scene.world_without_strokes(), scene.map_without_changes()) {
            (Some(world), _) => Scene::on_world(preset, Arc::clone(world), Some(first)),
            (None, Some(map)) => Scene::on_map(preset, map.clone(), Some(first), Job::quiet()),
            (None, None) => return Err("there is no scene yet".into()),
        };
        let fresh = fresh.map_err(|error| error.to_string())?;
        let points = corners(&fresh, &cells);
        let walk = Itinerary::along(&fresh, &points).map_err(|error| error.to_string())?;
        Ok((fresh, walk))
    }

    /// Takes one step and ends the walk under way.
    pub(crate) fn walk(&mut self, step: IVec2) {
        self.motion.route.clear();
        match self.is_behind() {
            true => self.motion.route.push_back(step),
            false => self.change_scenes(|scene| scene.step(step)),
        }
    }

    pub(crate) fn walk_to(&mut self, cell: IVec2) {
        if let Some(scene) = &self.scene {
            self.motion.route = scene.route(scene.viewer(), cell).unwrap_or_default().into();
        }
    }

    /// Puts the viewer on a cell. It is an error if there is no scene, or nobody can be on the cell.
    pub(crate) fn place(&mut self, cell: IVec2) -> Result<(), String> {
        let scene = self.scene.as_mut().ok_or("there is no scene yet")?;
        scene.place(cell).map_err(|error| error.to_string())?;
        self.motion.route.clear();
        self.change_scenes(|scene| scene.place(cell));
        Ok(())
    }

    pub(crate) fn wait_turn(&mut self) {
        self.change_scenes(Scene::wait);
    }

    /// Forgets everything that is out of sight.
    pub(crate) fn forget(&mut self) {
        for scene in self.scene.iter_mut().chain(&mut self.comparison.scene) {
            scene.forget();
        }
        self.turns += 1;
        self.revision += 1;
    }

    /// Returns `true` if time runs by itself.
    pub(crate) fn time_runs(&self) -> bool {
        self.motion.time_runs
    }

    /// Lets time run by itself, with the clock on, or pauses it.
    pub(crate) fn toggle_time(&mut self, shown: &Shown) {
        self.motion.time_runs = !self.motion.time_runs;
        self.motion.minutes = 0.0;
        if self.motion.time_runs && !self.preset().clock.runs {
            self.set("clock.runs", Some(Value::Boolean(true)), shown);
        }
    }

    /// Advances the world that is being made, the walk under way and running time by a frame. It is an error if
    /// the first scene cannot be made.
    pub(crate) fn advance(&mut self, seconds: f32, shown: &mut Shown) -> Result<(), TaskError> {
        self.poll_generation(shown)?;
        self.catch_up();
        self.motion.since_step += seconds;
        if self.motion.since_step >= STEP_SECONDS
            && !self.is_behind()
            && let Some(step) = self.motion.route.pop_front()
        {
            self.motion.since_step = 0.0;
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

    /// Gives lamps that flicker the strength of the present time.
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

    /// Ends the flicker of lamps at the light that files show, until the next frame.
    pub(crate) fn steady_lamps(&mut self) {
        for scene in self.scene.iter_mut().chain(&mut self.comparison.scene) {
            self.revision += u64::from(scene.set_time(0.0));
        }
    }

    /// Advances running time. The clock moves by whole minutes, so that a saved walk has the hour that is shown.
    fn pass_time(&mut self, seconds: f32) {
        self.motion.time_runs &= self.preset().clock.runs;
        if !self.motion.time_runs || self.generation.is_some() || self.is_behind() {
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
            match scene.advance_minutes(whole) {
                Ok(changed) => sky_changed |= changed,
                Err(error) => self.errors.push(error.to_string()),
            }
        }
        self.revision += u64::from(sky_changed);
    }
}

/// Returns the fewest cells of a trail, without its first one, between which the shortest routes follow it.
fn corners(scene: &Scene, trail: &[IVec2]) -> Vec<IVec2> {
    let mut corners: Vec<IVec2> = Vec::new();
    let mut from = 0;
    while from + 1 < trail.len() {
        let follows = |to: usize| {
            let steps = trail[from..=to].windows(2).map(|pair| pair[1] - pair[0]);
            scene.route(trail[from], trail[to]).is_some_and(|route| route.iter().copied().eq(steps))
        };
        let to = (from + 1..trail.len()).take_while(|&to| to == from + 1 || follows(to)).last().unwrap_or(from + 1);
        corners.push(trail[to]);
        from = to;
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentOptions, Host};
    use farsight::preset::Preset;
    use farsight::world::WorldConfig;
    use glam::ivec2;

    #[test]
    fn the_trail_has_the_last_steps_and_can_be_walked_again() {
        let world = WorldConfig::default().with_width(96).with_height(80);
        let preset = Preset::shipped_default().with_world(world);
        let options = DocumentOptions { preset, viewer: Some(ivec2(30, 40)), ..DocumentOptions::default() };
        let (mut document, mut shown) = (Document::new(options, Host::system()), Shown::default());
        while !document.is_settled() {
            document.advance(0.0, &mut shown).unwrap();
        }
        assert!(document.trail_scene().unwrap_err().contains("walk some steps first"));
        let viewer = |document: &Document| document.scene().unwrap().viewer();
        let mut walked = vec![viewer(&document)];
        for step in 0..200 {
            let (dx, dy) = if step % 30 < 15 { (1, 0) } else { (-1, step % 2) };
            document.walk(ivec2(dx, dy));
            let cell = viewer(&document);
            if walked.last() != Some(&cell) {
                walked.push(cell);
            }
        }
        assert!(walked.len() > 81, "{}", walked.len());
        let (fresh, walk) = document.trail_scene().unwrap();
        assert_eq!(walk.cells(), &walked[walked.len() - 81..]);
        assert!(fresh.is_fresh() && walk.points().len() < 41, "{:?}", walk.points());
        document.place(ivec2(30, 40)).unwrap();
        assert_eq!(document.trail_steps(), 0, "a jump is no step");
    }
}
