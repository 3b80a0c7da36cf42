//! The classic methods against independent implementations.

use std::collections::BTreeSet;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{BresenhamLine, Grid, TieBreak};
use farsight::sight::{Method, MethodKind, OpacityMap, SightConfig};
use proptest::prelude::*;

use crate::support::classic::{Seen, classic_methods, config, see};

fn seen_cells(view: &Seen) -> BTreeSet<(i32, i32)> {
    view.visible().map(|cell| (cell.x, cell.y)).collect()
}

/// A map of walls and clear cells, about `walls` in a hundred of them walls, and a viewer on it.
fn random_map(walls: std::ops::Range<u32>, side: usize) -> impl Strategy<Value = (OpacityMap, IVec2)> {
    (1..=side, 1..=side, walls)
        .prop_flat_map(|(width, height, walls)| {
            let cell = (0u32..100).prop_map(move |roll| if roll < walls { 1.0 } else { 0.0 });
            (prop::collection::vec(cell, width * height), 0..width, 0..height, Just((width, height)))
        })
        .prop_map(|(cells, x, y, (width, height))| {
            let grid = Grid::from_vec(width, height, cells).unwrap();
            (OpacityMap::try_from(grid).unwrap(), ivec2(x as i32, y as i32))
        })
}

/// A second implementation of recursive shadowcasting: a recursion over matrices, with columns from −row to 0 and
/// negative rows.
mod recursion {
    use super::*;

    const OCTANTS: [[i32; 4]; 8] = [
        [1, 0, 0, 1],
        [0, 1, 1, 0],
        [0, -1, 1, 0],
        [-1, 0, 0, 1],
        [-1, 0, 0, -1],
        [0, -1, -1, 0],
        [0, 1, -1, 0],
        [1, 0, 0, -1],
    ];

    struct Caster<'a> {
        map: &'a OpacityMap,
        viewer: IVec2,
        radius: i32,
        lit: BTreeSet<(i32, i32)>,
    }

    impl Caster<'_> {
        fn cast(&mut self, matrix: [i32; 4], first_row: i32, mut high: f32, low: f32) {
            if high < low {
                return;
            }
            let mut next_high = high;
            let mut row = first_row;
            let mut dark = false;
            while row <= self.radius && !dark {
                let down = -row;
                for across in -row..=0 {
                    let left = (across as f32 - 0.5) / (down as f32 + 0.5);
                    let right = (across as f32 + 0.5) / (down as f32 - 0.5);
                    if high < right {
                        continue;
                    } else if low > left {
                        break;
                    }
                    let cell = ivec2(
                        self.viewer.x + across * matrix[0] + down * matrix[1],
                        self.viewer.y + across * matrix[2] + down * matrix[3],
                    );
                    let Some(opacity) = self.map.get(cell) else { continue };
                    if across * across + down * down <= self.radius * self.radius {
                        self.lit.insert((cell.x, cell.y));
                    }
                    let wall = opacity >= 0.5;
                    if dark && wall {
                        next_high = right;
                    } else if dark {
                        dark = false;
                        high = next_high;
                    } else if wall && row < self.radius {
                        dark = true;
                        self.cast(matrix, row + 1, high, left);
                        next_high = right;
                    }
                }
                row += 1;
            }
        }
    }

    pub(crate) fn seen(map: &OpacityMap, viewer: IVec2, radius: u32) -> BTreeSet<(i32, i32)> {
        let mut caster = Caster { map, viewer, radius: radius as i32, lit: BTreeSet::from([(viewer.x, viewer.y)]) };
        for octant in OCTANTS {
            caster.cast(octant, 1, 1.0, 0.0);
        }
        caster.lit
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn shadowcast_equals_the_recursion((map, viewer) in random_map(0..60, 90), radius in 0u32..=60) {
        let view = see(&map, viewer, MethodKind::Shadowcast, radius);
        prop_assert_eq!(seen_cells(&view), recursion::seen(&map, viewer, radius));
    }

    #[test]
    fn shadowcast_equals_the_recursion_where_walls_are_rare((map, viewer) in random_map(0..4, 120), radius in 20u32..=60) {
        let view = see(&map, viewer, MethodKind::Shadowcast, radius);
        prop_assert_eq!(seen_cells(&view), recursion::seen(&map, viewer, radius));
    }

    #[test]
    fn line_ends_at_its_end_and_stays_within_half_a_cell(x in -99..=99, y in -99..=99) {
        let end = ivec2(x, y);
        for tie_break in [TieBreak::Inward, TieBreak::Outward] {
            let cells: Vec<_> = BresenhamLine::new(IVec2::ZERO, end, tie_break).collect();
            let long = x.abs().max(y.abs());
            prop_assert_eq!(cells.len() as i32, long);
            let mut before = IVec2::ZERO;
            for cell in &cells {
                prop_assert_eq!((*cell - before).abs().max_element(), 1);
                before = *cell;
                // The distance from the true line along the shorter axis, in units of 1 / long.
                prop_assert!(2 * (cell.x * y - cell.y * x).abs() <= long * long.max(1));
            }
            prop_assert_eq!(before, end);
        }
    }

    #[test]
    fn line_is_the_same_in_all_eight_octants(x in -99..=99, y in -99..=99) {
        for tie_break in [TieBreak::Inward, TieBreak::Outward] {
            let line: Vec<_> = BresenhamLine::new(IVec2::ZERO, ivec2(x, y), tie_break).collect();
            for turn in SYMMETRIES {
                let turned: Vec<_> = BresenhamLine::new(IVec2::ZERO, turn(ivec2(x, y)), tie_break).collect();
                prop_assert_eq!(turned, line.iter().copied().map(turn).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn all_methods_have_the_eight_symmetries_of_the_square(
        (map, viewer) in random_map(0..50, 24), radius in 0u32..30, turn in 0usize..8,
    ) {
        let turn = SYMMETRIES[turn];
        // A square map around the viewer with walls outside: a rotation moves no border.
        let reach = 30;
        let around = |from: &dyn Fn(IVec2) -> IVec2| {
            let grid = Grid::from_fn(2 * reach + 1, 2 * reach + 1, |cell| {
                map.get(viewer + from(cell - IVec2::splat(reach as i32))).unwrap_or(1.0)
            });
            OpacityMap::try_from(grid).unwrap()
        };
        let centre = IVec2::splat(reach as i32);
        let (straight, turned) = (around(&|offset| offset), around(&turn));
        for method in classic_methods() {
            let (a, b) = (see(&straight, centre, method, radius), see(&turned, centre, method, radius));
            for (cell, _) in turned.grid().iter() {
                let offset = cell - centre;
                prop_assert_eq!(a.get(centre + turn(offset)), b.get(cell), "{:?} {}", method, offset);
            }
        }
    }

    #[test]
    fn cells_out_of_range_off_the_map_or_behind_a_ring_are_not_seen(
        (map, viewer) in random_map(0..50, 40), radius in 0u32..50,
    ) {
        for method in classic_methods() {
            let view = see(&map, viewer, method, radius);
            prop_assert!(view.get(viewer));
            for cell in view.visible() {
                prop_assert!(map.get(cell).is_some());
                prop_assert!((cell - viewer).length_squared() <= (radius * radius) as i32);
            }
            let mut closed = map.clone();
            let ring = |cell: IVec2| (cell - viewer).abs().max_element() == 3;
            for (cell, _) in map.grid().iter().filter(|(cell, _)| ring(*cell)) {
                closed.set(cell, 1.0).unwrap();
            }
            let inside = see(&closed, viewer, method, radius);
            prop_assert!(inside.visible().all(|cell| (cell - viewer).abs().max_element() <= 3));
        }
    }

    #[test]
    fn repair_only_adds_walls_and_rays_only_add_cells((map, viewer) in random_map(0..50, 40), radius in 0u32..40) {
        let border = config(MethodKind::RaycastBorder, radius);
        let bare = Seen::compute(&map, viewer, &border.clone().with_method(Method::RaycastBorder { wall_at: 0.5, repair: false })).unwrap();
        let repaired = Seen::compute(&map, viewer, &border).unwrap();
        for (cell, &opacity) in map.grid().iter() {
            prop_assert!(bare.get(cell) <= repaired.get(cell));
            prop_assert!(opacity == 1.0 || bare.get(cell) == repaired.get(cell));
        }
        let circle = |rays| SightConfig::default().with_radius(radius).with_method(Method::RaycastCircle { wall_at: 0.5, rays });
        let few = Seen::compute(&map, viewer, &circle(40)).unwrap();
        let many = Seen::compute(&map, viewer, &circle(120)).unwrap();
        prop_assert!(few.visible().all(|cell| many.get(cell)));
    }
}

const SYMMETRIES: [fn(IVec2) -> IVec2; 8] = [
    |c| c,
    |c| ivec2(-c.x, c.y),
    |c| ivec2(c.x, -c.y),
    |c| -c,
    |c| ivec2(c.y, c.x),
    |c| ivec2(-c.y, c.x),
    |c| ivec2(c.y, -c.x),
    |c| ivec2(-c.y, -c.x),
];

#[test]
fn line_one_cell_wide_steps_aside_once() {
    // The published code tests for "more than 1" where it should test for "more than 0", and never steps aside here.
    for end in [ivec2(1, 5), ivec2(5, 1), ivec2(-1, 5), ivec2(5, -1), ivec2(1, 1)] {
        assert_eq!(BresenhamLine::new(IVec2::ZERO, end, TieBreak::Outward).last(), Some(end));
    }
    assert_eq!(BresenhamLine::new(ivec2(4, 4), ivec2(4, 4), TieBreak::Inward).next(), None);
}

#[test]
fn line_through_all_coordinates_keeps_its_slope() {
    let line = |start, end| BresenhamLine::new(start, end, TieBreak::Inward);
    assert_eq!(line(IVec2::MIN, IVec2::MAX).take(2).collect::<Vec<_>>(), [IVec2::MIN + 1, IVec2::MIN + 2]);
    assert_eq!(line(ivec2(i32::MAX, 0), ivec2(i32::MIN, 1)).len(), u32::MAX as usize);
    let (far, mut cells) = (ivec2(i32::MAX, i32::MIN), line(ivec2(i32::MAX - 4, 0), ivec2(i32::MAX, i32::MIN)));
    assert_eq!(cells.nth((1 << 29) - 1), Some(ivec2(i32::MAX - 3, -(1 << 29))));
    assert_eq!(line(far + ivec2(-2, 4), far).last(), Some(far));
}

#[test]
fn tie_break_is_inward_or_outward() {
    let line = |tie_break| BresenhamLine::new(IVec2::ZERO, ivec2(4, 2), tie_break).collect::<Vec<_>>();
    assert_eq!(line(TieBreak::Inward), [ivec2(1, 0), ivec2(2, 1), ivec2(3, 1), ivec2(4, 2)]);
    assert_eq!(line(TieBreak::Outward), [ivec2(1, 1), ivec2(2, 1), ivec2(3, 2), ivec2(4, 2)]);
}

/// One case of `tests/data/fov_basic.txt`.
struct Golden {
    name: String,
    map: OpacityMap,
    viewer: IVec2,
    radius: u32,
    seen: Grid<bool>,
}

fn golden() -> Vec<Golden> {
    let text = include_str!("../data/fov_basic.txt");
    let cases = text.split("\n\n").map(|case| {
        let (title, rows) = case.trim().split_once('\n').unwrap();
        let words: Vec<_> = title.split(' ').collect();
        let number = |i: usize| words[i].parse::<i32>().unwrap();
        let rows: Vec<Vec<char>> = rows.lines().map(|row| row.chars().collect()).collect();
        let at = |cell: IVec2| rows[cell.y as usize][cell.x as usize];
        let (width, height) = (rows[0].len(), rows.len());
        let wall = Grid::from_fn(width, height, |c| if matches!(at(c), '#' | 'X') { 1.0 } else { 0.0 });
        Golden {
            name: title.into(),
            map: OpacityMap::try_from(wall).unwrap(),
            viewer: ivec2(number(2), number(3)),
            radius: number(5) as u32,
            seen: Grid::from_fn(width, height, |c| matches!(at(c), 'o' | 'X')),
        }
    });
    cases.collect()
}

#[test]
fn raycast_border_agrees_with_libtcod() {
    let (mut cells, mut differ) = (0, 0);
    let cases = golden();
    assert_eq!(cases.len(), 16);
    for Golden { name, map, viewer, radius, seen } in cases {
        let view = see(&map, viewer, MethodKind::RaycastBorder, radius);
        for (cell, &opacity) in map.grid().iter() {
            let offset = cell - viewer;
            if offset.length_squared() > (radius * radius) as i32 {
                continue;
            }
            cells += 1;
            if view.get(cell) != seen[cell] {
                differ += 1;
                // Only ever a wall that libtcod shows diagonally behind seen floor.
                let before = cell - offset.signum();
                assert!(seen[cell] && opacity == 1.0, "{name}: {cell}");
                assert!(seen[before] && map.grid()[before] == 0.0, "{name}: {cell}");
            }
        }
    }
    let agreement = 1.0 - f64::from(differ) / f64::from(cells);
    assert!(differ > 0 && agreement >= 0.995, "{differ} of {cells} cells differ: {agreement}");
}
