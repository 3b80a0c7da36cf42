//! The waters of a world: its seas and lakes, with the baselines of their names, and the courses of its rivers.

use std::f32::consts::SQRT_2;

use glam::{IVec2, Vec2};

use super::hydrography::Water;
use super::neighbours::{NEIGHBOURS, distance_to, flood_fill};
use super::place::{Place, PlaceKind};
use super::reduced_map::{ReducedMap, peaks};
use super::world::World;
use crate::math::sort_by;
use farsight::grid::Grid;

/// The minimum number of cells of a named lake.
const MIN_LAKE_CELLS: usize = 12;

/// The minimum radius of a sea, in cells.
const MIN_SEA_RADIUS: f32 = 2.5;
/// Two parts of a sea are two seas if the width of the strait between them is below this fraction of the smaller part,
/// and the smaller part has this minimum width: a number of cells, and a fraction of the shorter side of the map.
const MAX_STRAIT: f32 = 0.55;
const MIN_BASIN_RADIUS: f32 = 5.0;
const MIN_BASIN_SHARE: f32 = 0.02;

/// Seas and lakes of a world.
pub(crate) struct WaterBodies {
    /// Seas, then lakes, each the widest first.
    pub(crate) places: Vec<Place>,
    /// The number of cells of each lake in `places`.
    pub(crate) lake_cells: Vec<usize>,
}

impl WaterBodies {
    /// Finds at most `max_len` seas and at most `max_len` lakes.
    pub(crate) fn new(world: &World, map: &ReducedMap, max_len: usize) -> Self {
        let water = map.water.as_slice();
        if !water.iter().any(|water| matches!(water, Water::Sea | Water::Lake)) {
            return Self { places: Vec::new(), lake_cells: Vec::new() };
        }
        let depths = shore_distances(&map.water);
        let distances = depths.as_slice();
        let side = depths.width().min(depths.height()) as f32;
        let stride = map.stride as f32;
        let place = |kind, cell: usize, weight: f32| {
            let (block, radius) = (map.block(cell), distances[cell]);
            let axis = lettering_axis(&map.water, &depths, block);
            Place {
                course: axis.into_iter().map(|point| point * stride).collect(),
                rank: (weight * radius / side).min(1.0),
                ..Place::nameless(kind, map.middle(block, world), radius * stride)
            }
        };
        let min_basin_radius = (MIN_BASIN_SHARE * side).max(MIN_BASIN_RADIUS);
        let is_sea = |i: usize| water[i] == Water::Sea;
        let seas = peaks(distances, map.size(), is_sea).into_iter().filter(|peak| match peak.saddle {
            None => peak.value >= MIN_SEA_RADIUS,
            Some(strait) => peak.value >= min_basin_radius && strait < MAX_STRAIT * peak.value,
        });
        let mut places: Vec<Place> = seas.take(max_len).map(|peak| place(PlaceKind::Sea, peak.cell, 3.0)).collect();
        let mut lakes = lakes(map, distances);
        sort_by(&mut lakes, |a, b| distances[b.0].total_cmp(&distances[a.0]).then_with(|| a.0.cmp(&b.0)));
        lakes.truncate(max_len);
        places.extend(lakes.iter().map(|&(middle, _)| place(PlaceKind::Lake, middle, 4.0)));
        let cells_a_block = map.stride * map.stride;
        Self { places, lake_cells: lakes.iter().map(|(_, blocks)| blocks * cells_a_block).collect() }
    }
}

/// Returns the distance from each cell of sea and lake to the shore and to the edge of the map, 0 elsewhere.
fn shore_distances(water: &Grid<Water>) -> Grid<f32> {
    let mut distances = distance_to(&water.map(|water| !matches!(water, Water::Sea | Water::Lake)));
    let (width, height) = (distances.width(), distances.height());
    for y in 0..height {
        let to_edge = (y + 1).min(height - y);
        for (x, distance) in distances.row_mut(y).iter_mut().enumerate() {
            *distance = distance.min(to_edge.min(x + 1).min(width - x) as f32);
        }
    }
    distances
}

/// Returns the innermost cell and the number of cells of every lake of sufficient size.
fn lakes(map: &ReducedMap, distances: &[f32]) -> Vec<(usize, usize)> {
    let water = map.water.as_slice();
    let mut lakes = Vec::new();
    let (mut seen, mut lake) = (vec![false; water.len()], Vec::new());
    for start in 0..water.len() {
        if water[start] != Water::Lake || seen[start] {
            continue;
        }
        flood_fill(start, map.size(), &mut seen, &mut lake, |_, _, to| water[to] == Water::Lake);
        if lake.len() * map.stride * map.stride < MIN_LAKE_CELLS {
            continue;
        }
        let sum: IVec2 = lake.iter().map(|&i| map.block(i)).sum();
        let from_middle = |i: usize| (map.block(i) * lake.len() as i32 - sum).as_i64vec2().length_squared();
        let widest = lake.iter().map(|&i| distances[i]).fold(0.0, f32::max);
        let innermost = lake.iter().copied().filter(|&i| distances[i] == widest);
        if let Some(middle) = innermost.min_by_key(|&i| (from_middle(i), i)) {
            lakes.push((middle, lake.len()));
        }
    }
    lakes
}

/// The maximum slope of the baseline of a name, as rise over run.
const MAX_SLOPE: f32 = 1.7;
/// The minimum ratio of the variances along and across the axis of water with a sloped name; rounder water has a level
/// name.
const MIN_ELONGATION: f32 = 1.35;
/// The baseline ends where the distance to the shore is below this fraction of the radius, or after this number of
/// radii.
const MIN_WIDTH_SHARE: f32 = 0.35;
const MAX_HALF_LENGTH: f32 = 4.0;

/// Returns two to five points from left to right, along the main axis of the water around its widest cell. The inner
/// points follow the middle of the water.
fn lettering_axis(water: &Grid<Water>, distances: &Grid<f32>, middle: IVec2) -> Vec<Vec2> {
    let kind = water[middle];
    let radius = distances[middle].max(1.0);
    let distance_at = |point: Vec2| {
        let cell = point.floor().as_ivec2();
        if water.get(cell) == Some(&kind) { distances[cell] } else { 0.0 }
    };
    let direction = main_direction(water, distances, middle);
    let centre = middle.as_vec2() + 0.5;
    let reach = |sign: f32| {
        let steps = (MAX_HALF_LENGTH * radius) as i32;
        let is_wide = |step: &i32| distance_at(centre + direction * sign * *step as f32) >= MIN_WIDTH_SHARE * radius;
        (1..=steps).take_while(is_wide).last().unwrap_or(0) as f32
    };
    let (left, right) = (reach(-1.0), reach(1.0));
    let length = left + right;
    if length < 4.0 {
        return [-0.5, 0.5].map(|along| centre + direction * (along * length.max(1.0))).to_vec();
    }
    // Each point moves across the axis to the widest water near it.
    let across = direction.perp();
    let max_shift = (0.12 * length).min(0.6 * radius); // x still grows along the steepest line
    let stations: Vec<f32> = (0..5).map(|i| length * i as f32 / 4.0 - left).collect();
    let shift_at = |along: f32| {
        let on_axis = centre + direction * along;
        let mut best = (0.0, distance_at(on_axis));
        for step in 1..=max_shift as i32 {
            for shift in [-step as f32, step as f32] {
                let distance = distance_at(on_axis + across * shift);
                if distance > best.1 + 0.25 {
                    best = (shift, distance);
                }
            }
        }
        best.0
    };
    let shifts: Vec<f32> = stations.iter().map(|&along| shift_at(along)).collect();
    let smooth = |i: usize| {
        let (before, after) = (shifts[i.saturating_sub(1)], shifts[(i + 1).min(4)]);
        0.25 * before + 0.5 * shifts[i] + 0.25 * after
    };
    (0..5).map(|i| centre + direction * stations[i] + across * smooth(i)).collect()
}

/// Returns the direction of the principal axis of the water around a cell, to the right and with a limited slope.
fn main_direction(water: &Grid<Water>, distances: &Grid<f32>, middle: IVec2) -> Vec2 {
    let kind = water[middle];
    let radius = distances[middle].max(1.0);
    let reach = (3.0 * radius) as i32;
    let step = (radius as i32 / 8).max(1);
    let (mut xx, mut xy, mut yy) = (0.0_f64, 0.0, 0.0);
    for y in (-reach..=reach).step_by(step as usize) {
        for x in (-reach..=reach).step_by(step as usize) {
            let offset = IVec2::new(x, y);
            if offset.length_squared() <= reach * reach && water.get(middle + offset) == Some(&kind) {
                // The middle of the water has a larger weight than its ragged shore.
                let weight = f64::from(distances[middle + offset]);
                xx += weight * f64::from(x * x);
                xy += weight * f64::from(x * y);
                yy += weight * f64::from(y * y);
            }
        }
    }
    // The eigenvalues of [[xx, xy], [xy, yy]] are mean ± spread.
    let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
    let spread = (half * half + xy * xy).sqrt();
    if mean + spread < f64::from(MIN_ELONGATION) * (mean - spread) || spread == 0.0 {
        return Vec2::X;
    }
    // (half + spread, xy) and (xy, spread - half) have the same direction; the longer vector is more precise.
    let (x, y) = if half >= 0.0 { (half + spread, xy) } else { (xy, spread - half) };
    let slope = if x.abs() > 1e-6 * y.abs() { y / x } else { -f64::INFINITY }; // the name of upright water climbs
    Vec2::new(1.0, (slope as f32).clamp(-MAX_SLOPE, MAX_SLOPE)).normalize()
}

impl World {
    /// Returns the index in [`places`](Self::places) of the named sea or lake at each cell, if any. In a sea with
    /// several names, it is the nearest relative to its radius.
    pub(crate) fn water_bodies_at(&self, cells: &[IVec2]) -> Vec<Option<usize>> {
        let (water, places) = (self.water(), self.places());
        let (width, size) = (water.width(), [water.width(), water.height()]);
        let index = |cell: IVec2| cell.y as usize * width + cell.x as usize;
        let kind_of = |cell: IVec2| match water.get(cell)? {
            Water::Sea => Some(PlaceKind::Sea),
            Water::Lake => Some(PlaceKind::Lake),
            _ => None,
        };
        let mut found = vec![None; cells.len()];
        if cells.iter().all(|&cell| kind_of(cell).is_none()) {
            return found;
        }
        // The number of the body of water of each cell, starting at 1.
        let mut bodies = vec![0_u32; width * water.height()];
        let (mut seen, mut body) = (vec![false; bodies.len()], Vec::new());
        let is_water = |place: &&Place| matches!(place.kind, PlaceKind::Sea | PlaceKind::Lake);
        for (number, place) in (1..).zip(places.iter().filter(is_water)) {
            let start = index(place.at);
            if !seen[start] {
                let kind = water[place.at];
                flood_fill(start, size, &mut seen, &mut body, |_, _, to| water.as_slice()[to] == kind);
                body.iter().for_each(|&i| bodies[i] = number);
            }
        }
        for (&cell, found) in cells.iter().zip(&mut found) {
            let Some(number) = water.get(cell).map(|_| bodies[index(cell)]).filter(|number| *number > 0) else {
                continue;
            };
            let names = (0..places.len()).filter(|&i| is_water(&&places[i]) && bodies[index(places[i].at)] == number);
            let distance = |i: usize| (places[i].at - cell).as_vec2().length() / places[i].extent.max(1.0);
            *found = names.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        }
        found
    }
}

/// The minimum length of rivers and tributaries, in cells.
const MIN_LENGTH: f32 = 12.0;
const MIN_TRIBUTARY_LENGTH: f32 = 24.0;

/// Returns the rivers, the longest first, and at most `max_len`. A river ends in the sea, in a lake, at the edge of the map, or
/// in a larger river. Its course is traced upstream from its mouth, along the maximum catchment area.
pub(crate) fn rivers(world: &World, max_len: usize) -> Vec<Place> {
    let (water, flow) = (world.water(), world.flow());
    let is_river = |cell: IVec2| water.get(cell) == Some(&Water::River);
    let is_mouth = |cell: IVec2| !flow.downstream(cell).is_some_and(is_river);
    let has_direction = |cell: IVec2| flow.downstream(cell).is_some() || is_followed(world, cell);
    let mouths = water.iter().filter(|&(cell, water)| *water == Water::River && is_mouth(cell) && has_direction(cell));
    // Each entry is the last cell of a river, and the minimum length of that river.
    let mut last_cells: Vec<(IVec2, f32)> = mouths.map(|(cell, _)| (cell, MIN_LENGTH)).collect();
    let mut rivers = Vec::new();
    while let Some((last_cell, min_length)) = last_cells.pop() {
        let mut course = vec![last_cell];
        let mut cell = last_cell;
        while let Some((source, tributaries)) = upstream(world, cell) {
            last_cells.extend(tributaries.map(|tributary| (tributary, MIN_TRIBUTARY_LENGTH)));
            course.push(source);
            cell = source;
        }
        course.reverse();
        let length = length(&course);
        if length >= min_length {
            let side = world.width().min(world.height()) as f32;
            let rank = 0.6 * (length / side).min(1.0);
            let at = course[course.len() / 2];
            let course: Vec<Vec2> = course.iter().map(|cell| cell.as_vec2() + 0.5).collect();
            rivers.push(Place { course, rank, ..Place::nameless(PlaceKind::River, at, length) });
        }
    }
    let mouth = |river: &Place| river.course.last().map(|end| (end.y as i32, end.x as i32));
    sort_by(&mut rivers, |a, b| b.extent.total_cmp(&a.extent).then_with(|| mouth(a).cmp(&mouth(b))));
    rivers.truncate(max_len);
    rivers
}

/// Returns `true` if the water of any neighbour flows to a cell.
fn is_followed(world: &World, cell: IVec2) -> bool {
    NEIGHBOURS.iter().any(|&step| world.flow().downstream(cell + step) == Some(cell))
}

/// Returns the river cell upstream with the maximum catchment area, and the others that flow into a cell.
fn upstream(world: &World, cell: IVec2) -> Option<(IVec2, impl Iterator<Item = IVec2>)> {
    let (water, flow) = (world.water(), world.flow());
    let flows_here =
        move |from: &IVec2| water.get(*from) == Some(&Water::River) && flow.downstream(*from) == Some(cell);
    let inflows = NEIGHBOURS.map(|step| cell + step).into_iter().filter(move |from| flows_here(from));
    let drainage = |cell: IVec2| flow.drainage_km2().get(cell).copied().unwrap_or(0.0);
    // The first of several with the same catchment area.
    let main = inflows.clone().reduce(|best, next| if drainage(next) > drainage(best) { next } else { best })?;
    Some((main, inflows.filter(move |from| *from != main)))
}

/// Returns the length of a course in cells.
fn length(course: &[IVec2]) -> f32 {
    course.windows(2).map(|pair| if (pair[1] - pair[0]).abs() == IVec2::ONE { SQRT_2 } else { 1.0 }).sum()
}
