//! Symmetric shadowcasting against a plain transcription of its source, and its symmetry.

use std::collections::BTreeSet;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{FieldOfView, Method, MethodKind, OpacityCells, OpacityMap, OpacityRows, SightConfig};

use crate::support::classic::see;

/// `symmetric_shadowcasting.py` of <https://www.albertford.com/shadowcasting/>, line by line. A cell that is out of range or off the
/// map blocks and is not revealed.
mod reference {
    use super::*;

    /// A fraction with a positive denominator.
    type Fraction = (i64, i64);

    struct Row {
        depth: i64,
        start_slope: Fraction,
        end_slope: Fraction,
    }

    fn slope(depth: i64, column: i64) -> Fraction {
        (2 * column - 1, 2 * depth)
    }

    fn round_ties_up((n, d): Fraction) -> i64 {
        (2 * n + d).div_euclid(2 * d)
    }

    fn round_ties_down((n, d): Fraction) -> i64 {
        -(-2 * n + d).div_euclid(2 * d)
    }

    fn is_symmetric(row: &Row, column: i64) -> bool {
        let (start, end) = (row.start_slope, row.end_slope);
        column * start.1 >= row.depth * start.0 && column * end.1 <= row.depth * end.0
    }

    pub(crate) fn compute_fov(origin: IVec2, is_blocking: &dyn Fn(IVec2) -> bool, mark: &mut dyn FnMut(IVec2)) {
        mark(origin);
        for quadrant in 0..4 {
            let transform = move |depth: i64, column: i64| {
                let (depth, column) = (depth as i32, column as i32);
                origin
                    + match quadrant {
                        0 => ivec2(column, -depth),
                        1 => ivec2(depth, column),
                        2 => ivec2(column, depth),
                        _ => ivec2(-depth, column),
                    }
            };
            scan(Row { depth: 1, start_slope: (-1, 1), end_slope: (1, 1) }, &transform, is_blocking, mark);
        }
    }

    fn scan(
        mut row: Row,
        transform: &dyn Fn(i64, i64) -> IVec2,
        is_blocking: &dyn Fn(IVec2) -> bool,
        mark: &mut dyn FnMut(IVec2),
    ) {
        let mut previous: Option<bool> = None; // whether it is a wall
        let times_depth = |(n, d): Fraction| (n * row.depth, d);
        for column in round_ties_up(times_depth(row.start_slope))..=round_ties_down(times_depth(row.end_slope)) {
            let cell = transform(row.depth, column);
            let is_wall = is_blocking(cell);
            if is_wall || is_symmetric(&row, column) {
                mark(cell);
            }
            if previous == Some(true) && !is_wall {
                row.start_slope = slope(row.depth, column);
            }
            if previous == Some(false) && is_wall {
                let next =
                    Row { depth: row.depth + 1, start_slope: row.start_slope, end_slope: slope(row.depth, column) };
                scan(next, transform, is_blocking, mark);
            }
            previous = Some(is_wall);
        }
        if previous == Some(false) {
            scan(Row { depth: row.depth + 1, ..row }, transform, is_blocking, mark);
        }
    }
}

fn expected(map: &OpacityMap, viewer: IVec2, radius: u32, wall_at: f32) -> BTreeSet<(i32, i32)> {
    let exists = |cell: IVec2| {
        map.grid().contains(cell) && (cell - viewer).as_i64vec2().length_squared() <= i64::from(radius * radius)
    };
    let mut seen = BTreeSet::new();
    let is_blocking = |cell| !exists(cell) || map.get(cell) >= Some(wall_at);
    reference::compute_fov(viewer, &is_blocking, &mut |cell| {
        if exists(cell) {
            seen.insert((cell.x, cell.y));
        }
    });
    seen
}

/// A map with a fraction of walls, between them opacities below and above 0.5, and a viewer.
fn random_map(seed: u64) -> (OpacityMap, IVec2, u32) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (width, height) = (1 + random(60) as usize, 1 + random(60) as usize);
    let (walls, hedges) = (random(60), random(20));
    let grid = Grid::from_fn(width, height, |_| match random(100) {
        roll if roll < walls => 1.0,
        roll if roll < walls + hedges => random(100) as f32 / 100.0,
        _ => 0.0,
    });
    let viewer = ivec2(random(width as u64) as i32, random(height as u64) as i32);
    (OpacityMap::try_from(grid).unwrap(), viewer, random(50) as u32)
}

#[test]
fn it_equals_its_source_on_a_thousand_maps() {
    let mut cells = 0;
    for seed in 0..1000 {
        let (map, viewer, radius) = random_map(seed);
        let wall_at = [0.5, 0.5, 0.3, 1.0][seed as usize % 4];
        let config = SightConfig::default()
            .with_radius(radius)
            .with_method(Method::SymmetricShadowcast { wall_at: f64::from(wall_at) });
        let mut fov = FieldOfView::new(config).unwrap();
        let seen: BTreeSet<_> =
            fov.compute(&map, viewer).unwrap().visible().map(|(cell, _)| (cell.x, cell.y)).collect();
        assert_eq!(seen, expected(&map, viewer, radius, wall_at), "map {seed}, {viewer}, radius {radius}");
        cells += seen.len();
    }
    assert!(cells > 50_000, "{cells}");
}

#[test]
fn clear_ground_and_rows_of_pillars_equal_the_source() {
    for gap in 2..9 {
        let grid = Grid::from_fn(121, 97, |cell| if (cell % gap).cmpeq(IVec2::ONE).all() { 1.0 } else { 0.0 });
        let map = OpacityMap::try_from(grid).unwrap();
        for (viewer, radius) in [(ivec2(60, 48), 60), (ivec2(0, 0), 90), (ivec2(61, 3), 200)] {
            let seen: BTreeSet<_> = see(&map, viewer, MethodKind::SymmetricShadowcast, radius)
                .visible()
                .map(|cell| (cell.x, cell.y))
                .collect();
            assert_eq!(seen, expected(&map, viewer, radius, 0.5), "gap {gap}, {viewer}, radius {radius}");
        }
    }
}

#[test]
fn floor_cells_see_each_other_or_neither_does() {
    let (mut pairs, mut seen) = (0, 0);
    for seed in 0..60 {
        let (map, _, _) = random_map(seed);
        let floor: Vec<IVec2> = map.grid().iter().filter(|(_, o)| **o < 0.5).map(|(cell, _)| cell).collect();
        let views: Vec<_> = floor
            .iter()
            .step_by(11)
            .map(|&viewer| (viewer, see(&map, viewer, MethodKind::SymmetricShadowcast, 20)))
            .collect();
        for (from, view) in &views {
            for (to, back) in &views {
                assert_eq!(view.get(*to), back.get(*from), "map {seed}: {from} and {to}");
                pairs += 1;
                seen += u32::from(view.get(*to));
            }
        }
    }
    assert!(seen > 5000 && pairs > 2 * seen, "{seen} of {pairs}");
}

/// Views by bits of walls, one after the other in the same buffers, against the definition: on a map that changes, by rows, and
/// cell by cell, with cells that do not exist.
#[test]
fn bits_of_walls_give_the_cells_of_the_definition() {
    let mut seen = 0;
    for seed in 0..150 {
        let (map, viewer, radius) = random_map(seed);
        let mut map = if seed % 5 == 0 { OpacityMap::clear(150, 140).unwrap() } else { map };
        let radius = if seed % 7 == 0 { 2 * radius + 30 } else { radius };
        let wall_at = [0.5, 0.3, 1.0][seed as usize % 3];
        let config = SightConfig::default().with_radius(radius).with_method(Method::SymmetricShadowcast { wall_at });
        let with = |kernel| {
            let mut fov = FieldOfView::new(config.clone()).unwrap();
            set_kernel(&mut fov, kernel);
            fov
        };
        let mut plain = with(Kernel::Plain);
        let mut fast = [Kernel::Width4, Kernel::Width8, Kernel::Width16].map(with);
        let size = map.grid().size();
        for step in 0..6 {
            let viewer = (viewer + step * ivec2(5, -3)).rem_euclid(size);
            let door = (viewer + ivec2(1 + step, 2)).rem_euclid(size);
            map.set(door, (step % 2) as f32).unwrap();
            let is_missing = |cell: IVec2| (cell.x * 7 + cell.y * 13) % 23 == 0;
            let read = |cell: IVec2| map.get(cell).filter(|_| !is_missing(cell)).unwrap_or(f32::NAN);
            let fill = |start: IVec2, row: &mut [f32]| {
                for (x, slot) in (start.x..).zip(row) {
                    *slot = read(ivec2(x, start.y));
                }
            };
            let over_map = plain.compute(&map, viewer).unwrap().to_owned();
            let with_gaps = plain.compute(OpacityRows::new(fill), viewer).unwrap().to_owned();
            seen += over_map.seen().count();
            for fov in &mut fast {
                let what = format!("map {seed}, {viewer}, radius {radius}");
                let view = fov.compute(&map, viewer).unwrap();
                assert_eq!(view.to_owned(), over_map, "{what}");
                let values = view.grid().iter().filter(|(_, value)| **value > 0.0).count();
                assert_eq!(values, over_map.seen().count(), "{what}: stale values");
                assert_eq!(fov.compute(OpacityRows::new(fill), viewer).unwrap().to_owned(), with_gaps, "rows, {what}");
                assert_eq!(
                    fov.compute(OpacityCells::new(read), viewer).unwrap().to_owned(),
                    with_gaps,
                    "cells, {what}"
                );
                // A sweep in the same window.
                fov.set_config(config.clone().with_method(MethodKind::TwoParent)).unwrap();
                fov.compute(&map, viewer).unwrap();
                fov.set_config(config.clone()).unwrap();
                assert_eq!(fov.compute(&map, viewer).unwrap().to_owned(), over_map, "after a sweep, {what}");
            }
        }
    }
    assert!(seen > 100_000, "{seen}");
}

#[test]
fn views_with_several_thresholds_of_walls_share_a_map() {
    let (mut map, viewer, _) = random_map(8);
    for step in 0..4 {
        for wall_at in [0.5, 0.3, 1.0] {
            let config = SightConfig::default().with_radius(40).with_method(Method::SymmetricShadowcast { wall_at });
            let mut fov = FieldOfView::new(config).unwrap();
            let seen: BTreeSet<_> = fov.compute(&map, viewer).unwrap().seen().map(|cell| (cell.x, cell.y)).collect();
            assert_eq!(seen, expected(&map, viewer, 40, wall_at as f32), "step {step}, walls at {wall_at}");
        }
        let size = map.grid().size();
        map.set((viewer + ivec2(2, step)).rem_euclid(size), 0.4).unwrap();
        map.set((viewer - ivec2(step, 2)).rem_euclid(size), 1.0).unwrap();
    }
}
