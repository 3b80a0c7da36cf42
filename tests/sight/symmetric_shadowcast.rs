//! Symmetric shadowcasting against a plain transcription of its source, and its symmetry.

use std::collections::BTreeSet;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{FieldOfView, Method, MethodKind, OpacityMap, SightConfig};

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
