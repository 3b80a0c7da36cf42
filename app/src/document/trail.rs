//! [`Trail`]: the last steps of a walk, which a film shows.

use std::sync::Arc;

use super::state::Document;
use farsight::Job;
use farsight::sight::OpacityMap;
use farsight_scene::film::Itinerary;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
#[cfg(any(test, target_arch = "wasm32"))]
use farsight_scene::world::Ground;
use farsight_scene::world::World;
use glam::IVec2;

/// The most steps of a trail.
const MAX_STEPS: usize = 80;

/// The last steps of a walk, and what a scene that takes them again begins with.
pub(crate) struct Trail {
    pub(super) preset: Preset,
    pub(super) land: TrailLand,
    /// The measured ground of the land. A worker of a page needs it.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(super) ground: Option<Arc<Ground>>,
    pub(super) first: IVec2,
    /// The cells after the first one.
    pub(super) steps: Vec<IVec2>,
}

/// The land without strokes and changed cells, which are in the preset.
pub(super) enum TrailLand {
    World(Arc<World>),
    Map(Box<OpacityMap>),
}

impl Trail {
    /// Returns a fresh scene on the cell where the trail begins, and the walk along it: what a film of the last steps shows, and
    /// the command line films again. Land that rain and rivers follow settles first.
    pub(crate) fn begin(self) -> Result<(Scene, Itinerary), String> {
        let Self { preset, land, first, steps, .. } = self;
        let fresh = match land {
            TrailLand::World(world) => Scene::on_world(preset, world, Some(first)),
            TrailLand::Map(map) => Scene::on_map(preset, *map, Some(first), Job::none()),
        };
        let fresh = fresh.map_err(|error| error.to_string())?;
        let points = corners(&fresh, &[&[first], &steps[..]].concat());
        let walk = Itinerary::along(&fresh, &points).map_err(|error| error.to_string())?;
        Ok((fresh, walk))
    }
}

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
        if trail.len() > MAX_STEPS + 1 {
            trail.pop_front();
        }
    }

    /// Returns the number of steps that a film of the last ones has.
    pub(crate) fn trail_steps(&self) -> usize {
        self.motion.trail.len().saturating_sub(1)
    }

    /// Returns the last steps. It is an error if there is no scene or no step yet.
    pub(crate) fn trail(&self) -> Result<Trail, String> {
        let scene = self.scene_to_save()?;
        let mut cells = self.motion.trail.iter().copied();
        let first = cells.next().ok_or("walk some steps first: a film shows the last ones")?;
        let mut preset = scene.present_preset();
        if preset.clock.runs {
            let hours = preset.clock.minutes_a_turn * self.trail_steps() as f64 / 60.0;
            preset.clock.hour = (preset.clock.hour - hours).max(0.0);
        }
        let land = match (scene.world_without_strokes(), scene.map_without_changes()) {
            (Some(world), _) => TrailLand::World(Arc::clone(world)),
            (None, Some(map)) => TrailLand::Map(Box::new(map.clone())),
            (None, None) => return Err("there is no scene yet".into()),
        };
        Ok(Trail {
            preset,
            land,
            #[cfg(any(test, target_arch = "wasm32"))]
            ground: self.source.ground().cloned(),
            first,
            steps: cells.collect(),
        })
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
    use crate::document::{DocumentOptions, Host, Shown};
    use farsight_scene::preset::Preset;
    use farsight_scene::world::WorldConfig;
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
        assert!(document.trail().err().unwrap().contains("walk some steps first"));
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
        let (fresh, walk) = document.trail().unwrap().begin().unwrap();
        assert_eq!(walk.cells(), &walked[walked.len() - 81..]);
        assert!(fresh.is_fresh() && walk.points().len() < 41, "{:?}", walk.points());
        document.place(ivec2(30, 40)).unwrap();
        assert_eq!(document.trail_steps(), 0, "a jump is no step");
    }
}
