//! Properties of visibility on any map: for every method, or for two parents with both weights and both path rules.

use crate::support::sight::*;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{Decay, FieldOfView, Method, MethodKind, OffsetList, OpacityMap, PathRule, SightConfig, Weights};
use proptest::prelude::*;

/// The configuration for values before path rule and decay.
fn bare(radius: u32, weights: Weights) -> SightConfig {
    SightConfig::default().with_radius(radius).with_method(Method::TwoParent { weights })
}

fn close(a: f32, b: f32, tolerance: f32) -> bool {
    (a - b).abs() <= tolerance
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn values_are_in_0_to_1(scene in any_scene(24), config in any_config()) {
        let seen = scene.seen(&config);
        prop_assert!(seen.as_slice().iter().all(|v| (0.0..=1.0).contains(v)));
        prop_assert_eq!(seen[scene.viewer], 1.0);
    }

    #[test]
    fn open_field_shows_the_decay_inside_the_radius_and_0_outside(
        config in any_soft_config(),
        size in (1..40i32, 1..40i32),
        at in (0.0..1.0f64, 0.0..1.0f64),
    ) {
        let viewer = ivec2((at.0 * f64::from(size.0)) as i32, (at.1 * f64::from(size.1)) as i32);
        let scene = Scene { opacity: Grid::new(size.0 as usize, size.1 as usize, 0.0), viewer };
        for (cell, &seen) in scene.seen(&config).iter() {
            let d = (cell - viewer).as_dvec2().length();
            let expected = if d <= f64::from(config.radius) { config.decay.at(d, config.radius) } else { 0.0 };
            prop_assert!((f64::from(seen) - expected).abs() <= 1e-6, "{cell}: {seen}, not {expected}");
            prop_assert!(expected > 0.0 || seen == 0.0, "{cell}: {seen} outside");
        }
    }

    #[test]
    fn more_opacity_never_raises_visibility(
        scene in any_scene(20),
        config in any_soft_config(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![0.0..=1.0f32, Just(1.0)]), 1..6),
    ) {
        let mut darker = scene.clone();
        for (index, more) in changes {
            let i = index.index(darker.opacity.as_slice().len());
            let cell = &mut darker.opacity.as_mut_slice()[i];
            *cell = cell.max(more);
        }
        let (before, after) = (scene.seen(&config), darker.seen(&config));
        // The raw values never rise; a power may round up.
        let slack = if config.path == PathRule::PerCell { rounding(&config) } else { 1e-6 };
        for (cell, &value) in after.iter() {
            prop_assert!(value <= before[cell] + slack, "{cell} rose from {} to {value}", before[cell]);
        }
    }

    #[test]
    fn sealed_ring_is_visible_and_hides_all_beyond(
        mut config in any_soft_config(),
        left in 1..8i32, right in 1..8i32, up in 1..8i32, down in 1..8i32,
        inside in 0.0..0.9f32,
    ) {
        config.radius = config.radius.max(16);
        config.decay = Decay::default();
        let viewer = ivec2(14, 13);
        let (low, high) = (viewer - ivec2(left, up), viewer + ivec2(right, down));
        let within = |c: IVec2| c.cmpge(low).all() && c.cmple(high).all();
        let on_ring = |c: IVec2| within(c) && (c.x == low.x || c.x == high.x || c.y == low.y || c.y == high.y);
        let opacity = Grid::from_fn(29, 27, |c| if on_ring(c) { 1.0 } else if within(c) { inside } else { 0.0 });
        for (cell, &seen) in (Scene { opacity, viewer }).seen(&config).iter() {
            // Straight lines touch the corners of the ring only in a point, and few lines may miss other cells of it.
            if config.method.kind() == MethodKind::TwoParent || !on_ring(cell) {
                prop_assert_eq!(seen > 0.0, within(cell), "{} shows {}", cell, seen);
            }
        }
    }

    #[test]
    fn no_light_leaks_out_of_any_closed_room(scene in any_scene(24), mut config in any_config(), inside in 0.0..0.9f32) {
        // The room is all that is connected to the viewer by edges; the cells around it become walls.
        config.decay = Decay::default();
        let walls = scene.opacity.map(|&o| o > 0.25);
        let mut room = walls.map(|_| false);
        room[scene.viewer] = true;
        let mut queue = vec![scene.viewer];
        while let Some(cell) = queue.pop() {
            for step in [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y] {
                let next = cell + step;
                if room.get(next) == Some(&false) && !walls[next] {
                    room[next] = true;
                    queue.push(next);
                }
            }
        }
        let near_room = |cell: IVec2| (-1..=1).any(|y| (-1..=1).any(|x| room.get(cell + ivec2(x, y)) == Some(&true)));
        let opacity = Grid::from_fn(walls.width(), walls.height(), |c| match (room[c], near_room(c)) {
            (true, _) => inside,
            (_, true) => 1.0,
            _ => 0.0,
        });
        for (cell, &seen) in (Scene { opacity, ..scene }).seen(&config).iter() {
            prop_assert!(near_room(cell) || seen == 0.0, "{cell} shows {seen}");
        }
    }

    #[test]
    fn views_have_the_eight_symmetries_of_the_square(scene in any_scene(20), config in any_config(), which in 1..8usize) {
        let (to, _) = symmetry(which, scene.opacity.size());
        let turned = transformed(&scene, which).seen(&config);
        for (cell, &seen) in scene.seen(&config).iter() {
            let other = turned[to(cell)];
            prop_assert!(close(seen, other, rounding(&config)), "{cell}: {seen}, under symmetry {which} {other}");
        }
    }

    #[test]
    fn cells_out_of_sight_have_no_effect(
        scene in any_scene(16),
        config in any_soft_config(),
        shift in (0..9i32, 0..9i32),
        around in 0.0..=1.0f32,
    ) {
        let shift = ivec2(shift.0, shift.1);
        let larger = Grid::from_fn(28, 28, |c| scene.opacity.get(c - shift).copied().unwrap_or(around));
        let moved = Scene { opacity: larger, viewer: scene.viewer + shift }.seen(&config);
        // On a small map, the number of beams of a radius above 256 depends on the size of the map.
        prop_assume!(config.method.kind() != MethodKind::Beam || config.radius <= 256);
        for (cell, &seen) in scene.seen(&config).iter() {
            let other = moved[cell + shift];
            prop_assert!(close(seen, other, rounding(&config)), "{cell}: {seen}, moved {other}");
        }
    }

    #[test]
    fn every_visible_cell_has_a_visible_parent_and_hidden_means_blocked(
        scene in any_scene(20), radius in 0..=26u32, weights in any_weights(),
    ) {
        // Tenths keep the products of a chain far above the smallest float.
        let opacity = scene.opacity.map(|o| (o * 10.0).round() / 10.0);
        let scene = Scene { opacity, ..scene };
        let raw = scene.seen(&bare(radius, weights));
        let list = OffsetList::new(radius, weights);
        let mut reached = vec![true]; // `true` if some chain of parents is not blocked
        for offset in list.iter().skip(1) {
            let cell = scene.viewer + offset.cell;
            let open = |parent: IVec2| parent == IVec2::ZERO || scene.opacity[scene.viewer + parent] < 1.0;
            let on_map = scene.opacity.contains(cell);
            let reach = on_map && offset.parents().any(|(i, _)| {
                reached[i as usize] && open(list.get(i).unwrap().cell)
            });
            reached.push(reach);
            if !on_map {
                continue;
            }
            prop_assert_eq!(raw[cell] > 0.0, reach, "{} shows {}", cell, raw[cell]);
            if raw[cell] > 0.0 {
                let parent_seen = offset.parents().any(|(i, _)| raw[scene.viewer + list.get(i).unwrap().cell] > 0.0);
                prop_assert!(parent_seen, "{} is visible without a visible parent", cell);
            }
        }
    }

    #[test]
    fn a_smaller_radius_is_a_prefix(
        scene in any_scene(24), radii in (0..=30u32, 0..=30u32), weights in any_weights(), path in any_path(),
    ) {
        let (small, large) = (radii.0.min(radii.1), radii.0.max(radii.1));
        let config = |radius| bare(radius, weights).with_path(path);
        let (small_seen, large_seen) = (scene.seen(&config(small)), scene.seen(&config(large)));
        for (cell, &seen) in small_seen.iter() {
            let inside = (cell - scene.viewer).length_squared() as u32 <= small * small;
            let expected = if inside { large_seen[cell] } else { 0.0 };
            prop_assert_eq!(seen.to_bits(), expected.to_bits(), "{}", cell);
        }
    }

    #[test]
    fn linear_weights_are_symmetric(scene in any_scene(18), path in any_path(), radius in 3..=26u32) {
        let config = bare(radius, Weights::Linear).with_path(path);
        let map = scene.map();
        let mut there = FieldOfView::new(config.clone()).unwrap();
        let mut back = FieldOfView::new(config).unwrap();
        let view = there.compute(&map, scene.viewer).unwrap();
        for (cell, _) in scene.opacity.iter().step_by(7) {
            let (a, b) = (view.get(cell), back.compute(&map, cell).unwrap().get(scene.viewer));
            prop_assert!(close(a, b, 1e-6), "{} sees {cell}: {a}, but is seen: {b}", scene.viewer);
        }
    }

    #[test]
    fn linear_weights_are_the_mean_over_all_shortest_paths(scene in any_scene(8)) {
        for (cell, &seen) in scene.seen(&bare(11, Weights::Linear)).iter() {
            let expected = mean_over_paths(&scene.opacity, scene.viewer, cell);
            prop_assert!((f64::from(seen) - expected).abs() < 1e-6, "{cell}: {seen}, not {expected}");
        }
    }
}

/// The mean transmittance of all orders of the M − m straight and m diagonal steps that lead from one cell to another.
fn mean_over_paths(opacity: &Grid<f32>, from: IVec2, to: IVec2) -> f64 {
    fn walk(opacity: &Grid<f32>, at: IVec2, steps: [(IVec2, i32); 2], passed: f64, sum: &mut f64, paths: &mut f64) {
        if steps[0].1 + steps[1].1 == 0 {
            *sum += passed;
            *paths += 1.0;
            return;
        }
        for which in 0..2 {
            let mut left = steps;
            left[which].1 -= 1;
            if left[which].1 < 0 {
                continue;
            }
            let next = at + steps[which].0;
            let last = left[0].1 + left[1].1 == 0; // the target itself does not dim
            let passed = if last { passed } else { passed * (1.0 - f64::from(opacity[next])) };
            walk(opacity, next, left, passed, sum, paths);
        }
    }
    let offset = to - from;
    let (long, short) = (offset.abs().max_element(), offset.abs().min_element());
    let step = offset.signum();
    let straight = if offset.x.abs() > offset.y.abs() { ivec2(step.x, 0) } else { ivec2(0, step.y) };
    let (mut sum, mut paths) = (0.0, 0.0);
    walk(opacity, from, [(straight, long - short), (step, short)], 1.0, &mut sum, &mut paths);
    sum / paths
}

#[test]
fn every_method_shows_the_walls_of_a_room() {
    let viewer = ivec2(4, 3);
    let opacity = Grid::from_fn(10, 8, |c| {
        let on_ring = c.x == 1 || c.x == 8 || c.y == 1 || c.y == 6;
        if on_ring && c.cmpge(IVec2::ONE).all() && c.cmple(ivec2(8, 6)).all() { 1.0 } else { 0.0 }
    });
    let scene = Scene { opacity, viewer };
    for &method in MethodKind::ALL {
        let seen = scene.seen(&SightConfig::default().with_radius(16).with_method(method));
        let sides =
            (3..7).flat_map(|x| [ivec2(x, 1), ivec2(x, 6)]).chain((3..5).flat_map(|y| [ivec2(1, y), ivec2(8, y)]));
        for cell in sides {
            assert!(seen[cell] > 0.05, "{method:?}: {cell} shows {}", seen[cell]);
        }
        assert_eq!([ivec2(0, 3), ivec2(9, 3), ivec2(4, 0), ivec2(4, 7)].map(|cell| seen[cell]), [0.0; 4], "{method:?}");
    }
}

#[test]
fn extreme_maps_and_radii_are_accepted() {
    let radii = [0, 1, 5, 100_000, u32::MAX];
    for (radius, &method) in radii.into_iter().flat_map(|r| MethodKind::ALL.iter().map(move |m| (r, m))) {
        let method = if method == MethodKind::Exact { Method::Exact { samples: 2 } } else { method.into() };
        let config = SightConfig::default().with_radius(radius).with_method(method);
        let mut fov = FieldOfView::new(config).unwrap();
        let one = OpacityMap::try_from(Grid::new(1, 1, 1.0)).unwrap();
        assert_eq!(fov.compute(&one, IVec2::ZERO).unwrap().get(IVec2::ZERO), 1.0);
        for (width, height) in [(60, 1), (1, 60), (7, 5)] {
            let map = OpacityMap::clear(width, height).unwrap();
            let corner = map.grid().size() - 1;
            for viewer in [IVec2::ZERO, corner, ivec2(corner.x, 0), ivec2(0, corner.y)] {
                let view = fov.compute(&map, viewer).unwrap();
                let near =
                    map.grid().iter().filter(|(cell, _)| (*cell - viewer).as_dvec2().length() <= f64::from(radius));
                assert_eq!(view.visible().count(), near.count(), "{width}x{height}, radius {radius}, from {viewer}");
            }
        }
    }
}
