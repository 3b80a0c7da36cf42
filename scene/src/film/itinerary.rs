//! [`Itinerary`]: the cells of a walk, through given points or through the goals of [`next_goal`].

use std::collections::BTreeSet;

use glam::{IVec2, ivec2};

use super::options::FilmError;
use crate::math::sort_descending;
use crate::scene::{COMPASS_DIRECTIONS, Scene};
use crate::world::{Water, World};
use farsight::grid::CellRect;
use farsight::perception::CellMemory;

/// The cells of a walk. Each is one of the eight neighbours of the previous cell, and none is a wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Itinerary {
    points: Vec<IVec2>,
    cells: Vec<IVec2>,
}

impl Itinerary {
    /// The maximum number of steps of a walk.
    pub const MAX_STEPS: usize = 5000;

    /// Takes the shortest route from the viewer to the first point and from each point to the next. Without points, the
    /// walk has no steps.
    ///
    /// # Errors
    /// [`FilmError::PointOutside`], [`FilmError::NoRoute`], [`FilmError::TooLong`].
    ///
    /// ```
    /// use farsight::glam::ivec2;
    /// use farsight_scene::film::Itinerary;
    /// use farsight::OpacityMap;
    /// use farsight_scene::preset::Preset;
    /// use farsight_scene::scene::Scene;
    /// let scene = Scene::from_map(Preset::default(), OpacityMap::clear(9, 5)?, Some(ivec2(1, 1)), farsight::Job::none())?;
    /// let walk = Itinerary::along(&scene, &[ivec2(4, 3), ivec2(8, 3)])?;
    /// assert_eq!((walk.steps(), walk.cells()[3]), (7, ivec2(4, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn along(scene: &Scene, points: &[IVec2]) -> Result<Self, FilmError> {
        let mut walk = Self { points: vec![scene.viewer()], cells: vec![scene.viewer()] };
        let size = scene.size();
        for &point in points {
            if !CellRect::of_size(size).contains(point) {
                return Err(FilmError::PointOutside { point: point + scene.origin(), size: scene.raster_size() });
            }
            let from = walk.end();
            let steps = scene.route(from, point).ok_or_else(|| {
                let origin = scene.origin();
                FilmError::NoRoute { from: from + origin, to: point + origin }
            })?;
            if !steps.is_empty() {
                walk.extend(&steps, point)?;
            }
        }
        Ok(walk)
    }

    /// Chooses an interesting walk of `steps` steps: to high ground, coasts, woods, and cells that were never in sight.
    /// The same scene gives the same walk. The walk is shorter only if no goal is left.
    ///
    /// # Errors
    /// [`FilmError::TooLong`]; [`FilmError::Sight`] if a view on the way fails.
    pub fn wander(scene: &Scene, steps: usize) -> Result<Self, FilmError> {
        check_length(steps)?;
        let mut walk = Self { points: vec![scene.viewer()], cells: vec![scene.viewer()] };
        let mut scene = scene.clone();
        while walk.steps() < steps {
            let Some(goal) = next_goal(&scene, &walk.points) else { break };
            let Some(mut leg) = scene.route(walk.end(), goal) else { break };
            leg.truncate(steps - walk.steps());
            // `along` must find the same cells from the points, so a truncated leg gets the route to its end.
            let end = walk.end() + leg.iter().sum::<IVec2>();
            let Some(leg) = scene.route(walk.end(), end).filter(|leg| !leg.is_empty()) else { break };
            for &step in &leg {
                scene.step(step)?;
            }
            walk.extend(&leg, end)?;
        }
        Ok(walk)
    }

    fn extend(&mut self, steps: &[IVec2], point: IVec2) -> Result<(), FilmError> {
        check_length(self.steps() + steps.len())?;
        for step in steps {
            self.cells.push(self.end() + *step);
        }
        self.points.push(point);
        Ok(())
    }

    /// Returns the start and the points of the walk. No point is repeated directly.
    pub fn points(&self) -> &[IVec2] {
        &self.points
    }

    /// Returns every cell, from the first to the last.
    pub fn cells(&self) -> &[IVec2] {
        &self.cells
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> usize {
        self.cells.len() - 1
    }

    fn end(&self) -> IVec2 {
        self.cells[self.cells.len() - 1]
    }
}

fn check_length(steps: usize) -> Result<(), FilmError> {
    match steps > Itinerary::MAX_STEPS {
        true => Err(FilmError::TooLong { steps, limit: Itinerary::MAX_STEPS }),
        false => Ok(()),
    }
}

/// The distances of possible goals, in cells.
const DISTANCES: [i32; 3] = [14, 24, 36];

/// Returns the next goal of a viewer after some points, or `None` if no goal is left.
fn next_goal(scene: &Scene, points: &[IVec2]) -> Option<IVec2> {
    match scene.world() {
        Some(world) => goal_in_world(scene, world, points),
        None => goal_on_map(scene, points),
    }
}

/// Returns the land cell with the maximum score. Varied scenery and cells that were never in sight raise the score; a
/// route through water and turning back lower it.
fn goal_in_world(scene: &Scene, world: &World, points: &[IVec2]) -> Option<IVec2> {
    let viewer = scene.viewer();
    let mut best: Option<(f64, IVec2)> = None;
    for distance in DISTANCES {
        for direction in COMPASS_DIRECTIONS {
            let goal = viewer + direction * distance / 16;
            if !scene.terrain().can_enter(goal) || goal == viewer || world.water()[goal] != Water::None {
                continue;
            }
            let score = scenery(world, viewer, goal) + 1.5 * hidden_share(scene, goal)
                - 3.0 * water_share(scene, world, goal)
                - turning_back(viewer, goal, points);
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, goal));
            }
        }
    }
    best.map(|(_, goal)| goal).or_else(|| open_neighbour(scene))
}

/// Returns a score of up to about 4: for a climb, for a change between wood and open land, for a shore, and for many
/// biomes.
fn scenery(world: &World, viewer: IVec2, goal: IVec2) -> f64 {
    let rise_m = f64::from(world.ground_m()[goal] - world.ground_m()[viewer]);
    let change = f64::from((world.vegetation()[goal] - world.vegetation()[viewer]).abs());
    let around = |distance: i32| {
        COMPASS_DIRECTIONS.iter().filter_map(move |direction| {
            let cell = goal + *direction * distance / 16;
            world.biome().get(cell).map(|biome| (*biome, world.water()[cell] != Water::None))
        })
    };
    let is_shore = around(3).any(|(_, is_water)| is_water);
    let biomes: BTreeSet<u8> = around(8).map(|(biome, _)| biome as u8).collect();
    (rise_m / 150.0).clamp(-0.3, 1.2) + change + if is_shore { 0.5 } else { 0.0 } + 0.2 * biomes.len() as f64
}

/// Returns the fraction of the cells around a goal that were never in sight, in [0, 1].
fn hidden_share(scene: &Scene, goal: IVec2) -> f64 {
    let cells: Vec<IVec2> = DISTANCES
        .iter()
        .flat_map(|distance| COMPASS_DIRECTIONS.iter().map(move |direction| goal + *direction * *distance / 16))
        .filter(|cell| CellRect::of_size(scene.size()).contains(*cell))
        .collect();
    let hidden = cells.iter().filter(|cell| scene.memory(**cell) == CellMemory::Hidden).count();
    hidden as f64 / cells.len().max(1) as f64
}

/// Returns the fraction of the route through water, in [0, 1].
fn water_share(scene: &Scene, world: &World, goal: IVec2) -> f64 {
    let Some(steps) = scene.route(scene.viewer(), goal) else { return 1.0 };
    let mut cell = scene.viewer();
    let in_water = steps.iter().filter(|step| {
        cell += **step;
        world.water()[cell] != Water::None
    });
    in_water.count() as f64 / steps.len().max(1) as f64
}

/// Returns a cost: for earlier points near the goal, and for a sharp turn.
fn turning_back(viewer: IVec2, goal: IVec2, points: &[IVec2]) -> f64 {
    let near = points.iter().filter(|point| (goal - **point).abs().max_element() < DISTANCES[0]).count();
    let turn = match points {
        [.., before, _] => {
            let (back, on) = ((viewer - *before).as_dvec2(), (goal - viewer).as_dvec2());
            1.0 - back.dot(on) / (back.length() * on.length()).max(1.0)
        }
        _ => 0.0,
    };
    near as f64 + 0.6 * turn
}

/// Returns the open cell with the maximum number of unseen cells around it.
fn goal_on_map(scene: &Scene, points: &[IVec2]) -> Option<IVec2> {
    let viewer = scene.viewer();
    let far = DISTANCES[DISTANCES.len() - 1];
    let window = CellRect::around(viewer, far as u32).intersect(CellRect::of_size(scene.size()));
    let mut candidates: Vec<(f64, IVec2)> = Vec::new();
    for y in (window.min.y..window.max.y).step_by(3) {
        for x in (window.min.x..window.max.x).step_by(3) {
            let cell = ivec2(x, y);
            if cell != viewer && scene.terrain().can_enter(cell) {
                candidates.push((hidden_share(scene, cell) - 0.5 * turning_back(viewer, cell, points), cell));
            }
        }
    }
    sort_descending(&mut candidates, |candidate| candidate.0);
    let is_reached = |cell: IVec2| scene.route(viewer, cell).is_some_and(|steps| steps.len() <= 3 * far as usize);
    candidates.into_iter().map(|(_, cell)| cell).find(|cell| is_reached(*cell)).or_else(|| open_neighbour(scene))
}

/// Returns a passable neighbour, for a viewer between walls or at sea.
fn open_neighbour(scene: &Scene) -> Option<IVec2> {
    let steps = COMPASS_DIRECTIONS.iter().step_by(2).map(|direction| direction.signum());
    steps.map(|step| scene.viewer() + step).find(|cell| scene.terrain().can_enter(*cell))
}
