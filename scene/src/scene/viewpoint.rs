//! The start of the viewer: a cell with a varied view.

use glam::{IVec2, ivec2};

use crate::math::sort_descending;
use crate::optics::{Optics, OpticsConfig};
use crate::preset::Preset;
use crate::scene::Terrain;
use crate::world::{Water, World};
use farsight::Job;
use farsight::grid::{CellRect, Grid};
use farsight::perception::Thresholds;
use farsight::sight::{SightError, View};
use farsight::viewshed::Viewshed;

/// Radius of the surroundings of a candidate, in cells.
const RADIUS: i32 = Preset::DEFAULT_RADIUS as i32;

/// Candidates on each axis of the map.
const CANDIDATES: i32 = 40;

/// Candidates with the best surroundings whose views are computed.
const VIEWED: usize = 100;

/// Returns a cell with a varied view: on land, high, near a coast or a wood, with equally many visible and hidden
/// cells. On an opacity map, returns the clear cell nearest to the centre. The cell depends only on the terrain, so
/// that presets are comparable on the same terrain.
pub(super) fn best_viewpoint(terrain: &Terrain) -> Result<IVec2, SightError> {
    match terrain {
        Terrain::World(optics) => best_of(optics, candidates(optics.world())),
        Terrain::Map(opacity) => Ok(clear_cell_near_middle(opacity.grid())),
    }
}

/// Returns the candidate with the best views. Each has two views with the default preset: unchanged, and with woods of
/// the density of a jungle, so that the best candidate is open in both.
fn best_of(optics: &Optics, mut candidates: Vec<(f64, IVec2)>) -> Result<IVec2, SightError> {
    let Preset { optics: fair, sight, perception, .. } = Preset::shipped_default();
    let thick = OpticsConfig { vegetation_extinction_per_m: 0.06, canopy_height_m: 35.0, ..fair.clone() };
    let viewshed = Viewshed::new(sight.config())?;
    candidates.truncate(VIEWED);
    let cells: Vec<IVec2> = candidates.iter().map(|&(_, cell)| cell).collect();
    let scores_with = |config: &OpticsConfig| {
        let mut optics = optics.clone();
        optics.set_config(config);
        viewshed.for_each_viewer(&cells, Job::none(), |viewshed, cell| {
            let view = optics.view(viewshed, cell, Job::none())?;
            let thresholds = perception.thresholds();
            Ok(variety(&view, thresholds) + content_score(&view, optics.world(), thresholds))
        })
    };
    // The terms of dense woods are freed before those of fair weather are computed, which the scene can share.
    let in_thick = scores_with(&thick)?;
    let in_fair = scores_with(&fair)?;
    for (((score, _), fair), thick) in candidates.iter_mut().zip(in_fair).zip(in_thick) {
        *score += fair;
        *score += thick;
    }
    let best = candidates.iter().rev().max_by(|a, b| a.0.total_cmp(&b.0)); // the first of equals
    Ok(best.expect("there is a candidate").1)
}

/// Returns cells with the score of their surroundings, best first; at least one.
fn candidates(world: &World) -> Vec<(f64, IVec2)> {
    let size = world.elevation_m().size();
    let margin = RADIUS.min(size.min_element() / 3);
    let inner = CellRect { min: IVec2::splat(margin), max: size - margin };
    let step = (inner.size() / CANDIDATES).max(IVec2::ONE);
    let mut scored = Vec::new();
    for y in (inner.min.y..inner.max.y).step_by(step.y as usize) {
        for x in (inner.min.x..inner.max.x).step_by(step.x as usize) {
            let cell = ivec2(x, y);
            if world.has_data(cell) {
                scored.push((surroundings_score(world, cell), cell));
            }
        }
    }
    if scored.iter().all(|(_, cell)| world.water()[*cell] != Water::None)
        && let Some(cell) = near_middle(world, |water| water == Water::None)
    {
        scored.push((surroundings_score(world, cell), cell)); // all candidates miss small islands
    }
    if scored.is_empty() {
        let cell = near_middle(world, |_| true).unwrap_or(size / 2); // no candidate has data
        scored.push((surroundings_score(world, cell), cell));
    }
    sort_descending(&mut scored, |scored| scored.0);
    scored
}

/// Returns the cell nearest to the centre of the map with data and matching water.
fn near_middle(world: &World, matches: impl Fn(Water) -> bool) -> Option<IVec2> {
    let middle = world.water().size() / 2;
    let cells =
        world.water().iter().filter(|&(cell, water)| matches(*water) && world.has_data(cell)).map(|(cell, _)| cell);
    cells.min_by_key(|cell| (*cell - middle).as_i64vec2().length_squared())
}

/// Returns the score of the surroundings of a cell, by 48 samples.
fn surroundings_score(world: &World, cell: IVec2) -> f64 {
    let ground = world.ground_m();
    if world.water()[cell] != Water::None {
        return -10.0;
    }
    let map = CellRect::of_size(ground.size());
    let mut seen = 0.0;
    let [mut wood, mut sea, mut higher, mut lower, mut damp] = [0.0f64; 5];
    for ring in 1..=3 {
        for direction in COMPASS_DIRECTIONS {
            let sample = cell + direction * (RADIUS * ring / 3) / 16;
            if !map.contains(sample) || !world.has_data(sample) {
                continue;
            }
            seen += 1.0;
            let rise = ground[sample] - ground[cell];
            wood += f64::from(u8::from(world.vegetation()[sample] > 0.5));
            sea += f64::from(u8::from(world.water()[sample] == Water::Sea));
            higher += f64::from(u8::from(rise > 60.0));
            lower += f64::from(u8::from(rise < -40.0));
            damp += f64::from(u8::from(world.humidity()[sample] > 0.7));
        }
    }
    // Each kind counts up to a fraction of the samples.
    let worth = |count: f64, enough: f64| (count / f64::max(seen, 1.0) / enough).min(1.0);
    let barren = if world.vegetation()[cell] > 0.6 { 0.5 } else { 0.0 }; // inside a wood only the wood is seen
    worth(wood, 0.25) + worth(sea, 0.15) + worth(higher, 0.2) + 1.5 * worth(lower, 0.4) + worth(damp, 0.2)
        - barren
        - if worth(sea, 1.0) > 0.6 { 1.0 } else { 0.0 }
}

/// Sixteen directions, evenly around the circle, of length 16.
pub(crate) const COMPASS_DIRECTIONS: [IVec2; 16] = [
    ivec2(16, 0),
    ivec2(15, 6),
    ivec2(11, 11),
    ivec2(6, 15),
    ivec2(0, 16),
    ivec2(-6, 15),
    ivec2(-11, 11),
    ivec2(-15, 6),
    ivec2(-16, 0),
    ivec2(-15, -6),
    ivec2(-11, -11),
    ivec2(-6, -15),
    ivec2(0, -16),
    ivec2(6, -15),
    ivec2(11, -11),
    ivec2(15, -6),
];

/// Returns the evenness of identified, glimpsed and hidden cells in the window, in [0, 2]: their entropy in nats times
/// 2 / ln 3.
fn variety(view: &View<'_>, thresholds: Thresholds) -> f64 {
    let mut counts = [0.0f64; 3];
    for &visibility in view.grid().rows().flatten() {
        counts[thresholds.classify(visibility) as usize] += 1.0;
    }
    let total: f64 = counts.iter().sum();
    let entropy: f64 = counts.iter().filter(|c| **c > 0.0).map(|c| -(c / total) * libm::log(c / total)).sum();
    entropy * 2.0 / libm::log(3.0)
}

/// Returns the score of the visible cells, in [0, 3]: woods, water and damp land, each up to a fraction of them.
fn content_score(view: &View<'_>, world: &World, thresholds: Thresholds) -> f64 {
    let [mut seen, mut wood, mut water, mut damp] = [0.0f64; 4];
    let cells = view.grid().iter().filter(|(_, visibility)| **visibility >= thresholds.glimpse);
    for cell in cells.map(|(offset, _)| view.top_left() + offset).filter(|&cell| world.has_data(cell)) {
        let is_water = world.water()[cell] != Water::None;
        seen += 1.0;
        wood += f64::from(u8::from(world.vegetation()[cell] > 0.6));
        water += f64::from(u8::from(is_water));
        damp += f64::from(u8::from(!is_water && world.humidity()[cell] > 0.72));
    }
    let worth = |count: f64, enough: f64| (count / f64::max(seen, 1.0) / enough).min(1.0);
    worth(wood, 0.25) + worth(water, 0.15) + worth(damp, 0.2)
}

/// Returns the clear cell nearest to the centre of a map, or the centre without clear cells.
fn clear_cell_near_middle(opacity: &Grid<f32>) -> IVec2 {
    let middle = opacity.size() / 2;
    let clear = opacity.iter().filter(|(_, opacity)| **opacity == 0.0).map(|(cell, _)| cell);
    clear.min_by_key(|cell| (*cell - middle).as_i64vec2().length_squared()).unwrap_or(middle)
}
