//! The trail: the last steps of a walk, for a film.

use super::state::Document;
use crate::background::{FilmOrder, FilmRequest, SceneParts};
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The maximum number of steps of a trail.
const MAX_STEPS: usize = 80;

impl Document {
    /// Adds the step from a cell to that of the viewer to the trail. A jump starts a new trail.
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
        if trail.len() > MAX_STEPS + 1 {
            trail.pop_front();
        }
    }

    /// Returns the number of steps in a film of the last steps.
    pub(crate) fn trail_steps(&self) -> usize {
        self.motion.trail.len().saturating_sub(1)
    }

    /// Returns the request for a film of the last steps. It is an error without a scene or steps.
    pub(crate) fn film_request(&self, order: FilmOrder) -> Result<FilmRequest, String> {
        let scene = self.scene_to_save()?;
        let mut cells = self.motion.trail.iter().copied();
        let first = cells.next().ok_or("walk some steps first: a film shows the last ones")?;
        let mut start = SceneParts::of(scene, self.source.ground().cloned()).ok_or("there is no scene yet")?;
        start.viewer = first;
        let clock = &mut start.preset.clock;
        if clock.runs {
            let hours = clock.minutes_a_turn * self.trail_steps() as f64 / 60.0;
            clock.hour = (clock.hour - hours).max(0.0);
        }
        Ok(FilmRequest { order, start, steps: cells.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::begin;
    use crate::document::{DocumentOptions, Shown};
    use farsight_scene::preset::Preset;
    use farsight_scene::world::WorldConfig;
    use glam::ivec2;

    fn order() -> FilmOrder {
        FilmOrder {
            path: "walk.gif".into(),
            name: String::new(),
            map: None,
            frame: None,
            is_mapped: false,
            panorama: false,
        }
    }

    #[test]
    fn the_trail_has_the_last_steps_and_can_be_walked_again() {
        let world = WorldConfig::default().with_width(96).with_height(80);
        let preset = Preset::shipped_default().with_world(world);
        let options = DocumentOptions { preset, viewer: Some(ivec2(30, 40)), ..DocumentOptions::default() };
        let (mut document, mut shown) = (Document::new(options), Shown::default());
        while !document.is_settled() {
            document.advance(0.0, &mut shown).unwrap();
        }
        assert!(document.film_request(order()).err().unwrap().contains("walk some steps first"));
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
        let request = document.film_request(order()).unwrap();
        let (fresh, walk) = begin(request.start, &request.steps).unwrap();
        assert_eq!(walk.cells(), &walked[walked.len() - 81..]);
        assert!(fresh.is_fresh() && walk.points().len() < 41, "{:?}", walk.points());
        document.place(ivec2(30, 40)).unwrap();
        assert_eq!(document.trail_steps(), 0, "a jump is no step");
    }
}
