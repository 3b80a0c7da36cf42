//! Where to go next, if nobody says: to what is worth seeing.

use glam::{IVec2, ivec2};

use crate::grid::CellRect;
use crate::perception::CellMemory;
use crate::scene::{COMPASS_DIRECTIONS, Scene};
use crate::world::{Water, World};

/// How far away goals are looked for, in cells: near and far.
const DISTANCES: [i32; 3] = [14, 24, 36];

/// The next goal of one who wanders and has passed some points; `None` where there is nowhere to go.
pub(super) fn next_goal(scene: &Scene, passed: &[IVec2]) -> Option<IVec2> {
    match scene.world() {
        Some(world) => in_world(scene, world, passed),
        None => on_map(scene, passed),
    }
}

/// The best of the dry cells around: each is worth its view, the woods and coasts around it, and what was not yet
/// looked at there; a way through water costs, and so does going back.
fn in_world(scene: &Scene, world: &World, passed: &[IVec2]) -> Option<IVec2> {
    let here = scene.viewer();
    let mut best: Option<(f64, IVec2)> = None;
    for distance in DISTANCES {
        for direction in COMPASS_DIRECTIONS {
            let goal = here + direction * distance / 16;
            if !scene.terrain().can_enter(goal) || goal == here || world.water()[goal] != Water::None {
                continue;
            }
            let score = worth(world, here, goal) + 1.5 * unseen(scene, goal)
                - 3.0 * wet(scene, world, goal)
                - going_back(here, goal, passed);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, goal));
            }
        }
    }
    best.map(|(_, goal)| goal).or_else(|| anywhere(scene))
}

/// How much a place is worth, from 0 to about 4: a climb, a wood where there was none or open land after a wood,
/// water near by, many kinds of land.
fn worth(world: &World, here: IVec2, goal: IVec2) -> f64 {
    let rise_m = f64::from(world.ground_m()[goal] - world.ground_m()[here]);
    let change = f64::from((world.vegetation()[goal] - world.vegetation()[here]).abs());
    let around = |reach: i32| {
        COMPASS_DIRECTIONS.iter().filter_map(move |direction| {
            let cell = goal + *direction * reach / 16;
            world.biome().get(cell).map(|biome| (*biome, world.water()[cell] != Water::None))
        })
    };
    let is_shore = around(3).any(|(_, is_water)| is_water);
    let mut kinds: Vec<u8> = around(8).map(|(biome, _)| biome as u8).collect();
    kinds.sort_unstable();
    kinds.dedup();
    (rise_m / 150.0).clamp(-0.3, 1.2) + change + if is_shore { 0.5 } else { 0.0 } + 0.2 * kinds.len() as f64
}

/// The share of the land around a place that was not yet looked at.
fn unseen(scene: &Scene, goal: IVec2) -> f64 {
    let cells: Vec<IVec2> = DISTANCES
        .iter()
        .flat_map(|reach| COMPASS_DIRECTIONS.iter().map(move |direction| goal + *direction * *reach / 16))
        .filter(|cell| CellRect::of_size(scene.size()).contains(*cell))
        .collect();
    let hidden = cells.iter().filter(|cell| scene.memory(**cell) == CellMemory::Hidden).count();
    hidden as f64 / cells.len().max(1) as f64
}

/// The share of the way that leads through water.
fn wet(scene: &Scene, world: &World, goal: IVec2) -> f64 {
    let Some(steps) = scene.route(scene.viewer(), goal) else { return 1.0 };
    let mut cell = scene.viewer();
    let wet = steps.iter().filter(|step| {
        cell += **step;
        world.water()[cell] != Water::None
    });
    wet.count() as f64 / steps.len().max(1) as f64
}

/// What it costs to come near to where one was, and to turn around.
fn going_back(here: IVec2, goal: IVec2, passed: &[IVec2]) -> f64 {
    let near = passed.iter().filter(|point| (goal - **point).abs().max_element() < DISTANCES[0]).count();
    let turn = match passed {
        [.., before, _] => {
            let (back, on) = ((here - *before).as_dvec2(), (goal - here).as_dvec2());
            1.0 - back.dot(on) / (back.length() * on.length()).max(1.0)
        }
        _ => 0.0,
    };
    near as f64 + 0.6 * turn
}

/// Among walls: the open cell of those not too far away around which most is still hidden.
fn on_map(scene: &Scene, passed: &[IVec2]) -> Option<IVec2> {
    let here = scene.viewer();
    let far = DISTANCES[DISTANCES.len() - 1];
    let window = CellRect::around(here, far as u32).intersect(CellRect::of_size(scene.size()));
    let mut candidates: Vec<(f64, IVec2)> = Vec::new();
    for y in (window.min.y..window.max.y).step_by(3) {
        for x in (window.min.x..window.max.x).step_by(3) {
            let cell = ivec2(x, y);
            if cell != here && scene.terrain().can_enter(cell) {
                candidates.push((unseen(scene, cell) - 0.5 * going_back(here, cell, passed), cell));
            }
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0)); // stable: ties stay in row-major order
    let reached = |cell: IVec2| scene.route(here, cell).is_some_and(|steps| steps.len() <= 3 * far as usize);
    candidates.into_iter().map(|(_, cell)| cell).find(|cell| reached(*cell)).or_else(|| anywhere(scene))
}

/// A neighbour that can be entered, for one who is shut in or at sea.
fn anywhere(scene: &Scene) -> Option<IVec2> {
    let steps = COMPASS_DIRECTIONS.iter().step_by(2).map(|direction| direction.signum());
    steps.map(|step| scene.viewer() + step).find(|cell| scene.terrain().can_enter(*cell))
}
