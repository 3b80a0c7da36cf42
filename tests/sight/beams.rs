//! Beams and traced lines against plain implementations in `f64` that share no code with the library.

use crate::support::sight::*;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{Method, MethodKind, PathRule, SightConfig};
use proptest::prelude::*;

/// The interval of the line from (0, 0) to `end` inside the square of a cell, as fractions of the line.
fn interval_in_cell(end: (f64, f64), cell: IVec2, until: f64) -> (f64, f64) {
    let (mut enter, mut leave) = (0.0f64, until);
    for (to, middle) in [(end.0, f64::from(cell.x)), (end.1, f64::from(cell.y))] {
        if to == 0.0 {
            if middle.abs() >= 0.5 {
                return (0.0, 0.0);
            }
            continue;
        }
        let (a, b) = ((middle - 0.5) / to, (middle + 0.5) / to);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    (enter, leave.max(enter))
}

/// (1 − opacity)^length by the path rule, for a chord of this length in cells.
fn transmittance(opacity: f32, length: f64, cell: IVec2, path: PathRule) -> f64 {
    let steps = f64::from(cell.abs().max_element());
    let scale = if path == PathRule::PerCell { steps / cell.as_dvec2().length() } else { 1.0 };
    if length < 1e-9 { 1.0 } else { (1.0 - f64::from(opacity)).powf(length * scale) }
}

/// The mean over lines to samples² points: the definition of the exact method.
fn traced(scene: &Scene, target: IVec2, config: &SightConfig) -> f64 {
    let Method::Exact { samples: n } = config.method else { unreachable!() };
    let offset = target - scene.viewer;
    if offset == IVec2::ZERO {
        return 1.0;
    }
    let mut sum = 0.0;
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let spread = |i: u32| (f64::from(i) + 0.5) / f64::from(n) - 0.5;
        let end = (f64::from(offset.x) + spread(i), f64::from(offset.y) + spread(j));
        let mut left = 1.0;
        for (cell, &opacity) in scene.opacity.iter().filter(|(cell, _)| *cell != target && *cell != scene.viewer) {
            let (enter, leave) = interval_in_cell(end, cell - scene.viewer, 1.0);
            left *= transmittance(opacity, (leave - enter) * end.0.hypot(end.1), cell - scene.viewer, config.path);
        }
        sum += left;
    }
    sum / f64::from(n * n)
}

/// The fraction of an interval that is in `left`.
fn left_between(left: [f64; 2], [from, to]: [f64; 2]) -> f64 {
    (left[1].min(to) - left[0].max(from)).max(0.0) / (to - from)
}

/// Removes an interval that contains an end of the sector.
fn remove(left: &mut [f64; 2], [from, to]: [f64; 2]) {
    if from < 1e-6 {
        left[0] = left[0].max(to);
    }
    if to > 1.0 - 1e-6 {
        left[1] = left[1].min(from);
    }
}

/// The mean over beams by definition. Every direction of the full turn walks on its own from cell to cell, in its sector;
/// its light is clamped to the clear and the open part of the sector. A cell is the mean of the directions that cross it,
/// weighted by the area in the sector of each (by fine strips). In sectors whose direction misses it, it takes the light of
/// the nearest that does not.
fn beamed(scene: &Scene, config: &SightConfig) -> Grid<f64> {
    const STRIPS: usize = 32;
    let Method::Beam { beams } = config.method else { unreachable!() };
    let octant = (1.5 * f64::from(config.radius) * beams).ceil() as usize;
    let sector = std::f64::consts::FRAC_PI_4 / octant as f64;
    let far = f64::from(2 * config.radius + 4);
    let toward = |turn: f64| (far * (turn * sector).cos(), far * (turn * sector).sin());
    let mut cells: Vec<IVec2> = scene.opacity.iter().map(|(cell, _)| cell - scene.viewer).collect();
    cells.retain(|cell| cell.length_squared() as u32 <= config.radius * config.radius && *cell != IVec2::ZERO);
    cells.sort_by_key(|cell| (cell.length_squared(), cell.y, cell.x));
    let mut line = vec![1.0; 8 * octant];
    let (mut clear, mut open) = (vec![[0.0, 1.0]; 8 * octant], vec![[0.0, 1.0]; 8 * octant]);
    let mut seen = Grid::new(scene.opacity.width(), scene.opacity.height(), 0.0);
    seen[scene.viewer] = 1.0;
    for cell in cells {
        let opacity = scene.opacity[scene.viewer + cell];
        // Axes and diagonals are between two directions: the cell is the mean of the means of both sides.
        let mut halves = Vec::new();
        for eighth in 0..8 {
            let chord = |direction: usize| {
                let (enter, leave) = interval_in_cell(toward(direction as f64 + 0.5), cell, 1.0);
                (leave - enter) * far
            };
            let directions = eighth * octant..(eighth + 1) * octant;
            let crossing: Vec<usize> = directions.clone().filter(|direction| chord(*direction) > 1e-9).collect();
            if crossing.is_empty() {
                continue;
            }
            // The interval of directions between its corners, in sectors.
            let middle = (eighth as f64 + 0.5) * octant as f64;
            let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)].map(|(x, y)| {
                let turn = (f64::from(cell.y) + y).atan2(f64::from(cell.x) + x) / sector - middle;
                middle + (turn + 12.0 * octant as f64).rem_euclid(8.0 * octant as f64) - 4.0 * octant as f64
            });
            let low = corners.into_iter().fold(f64::MAX, f64::min).max(directions.start as f64);
            let high = corners.into_iter().fold(f64::MIN, f64::max).min(directions.end as f64);
            let spanned: Vec<usize> =
                directions.filter(|d| low < *d as f64 + 1.0 - 1e-6 && *d as f64 + 1e-6 < high).collect();
            let place = |d: usize| [(low - d as f64).max(0.0), (high - d as f64).min(1.0)];
            let (mut sum, mut whole) = (0.0, 0.0);
            for &direction in &spanned {
                let nearest = *crossing.iter().min_by_key(|d| direction.abs_diff(**d)).unwrap();
                let clamped = |d: usize, place: [f64; 2], light: f64| {
                    light.max(left_between(clear[d], place)).min(left_between(open[d], place))
                };
                let light = match nearest == direction {
                    true => line[direction],
                    false => clamped(nearest, [0.0, 1.0], line[nearest]),
                };
                let area: f64 = (0..STRIPS)
                    .map(|strip| {
                        let turn = direction as f64 + (strip as f64 + 0.5) / STRIPS as f64;
                        let (enter, leave) = interval_in_cell(toward(turn), cell, 1.0);
                        leave * leave - enter * enter
                    })
                    .sum();
                sum += area * clamped(direction, place(direction), light);
                whole += area;
            }
            halves.push(sum / whole);
            for direction in spanned {
                if opacity > 0.0 {
                    remove(&mut clear[direction], place(direction));
                }
                if opacity >= 1.0 {
                    remove(&mut open[direction], place(direction));
                }
                line[direction] *= transmittance(opacity, chord(direction), cell, config.path);
            }
        }
        seen[scene.viewer + cell] = halves.iter().sum::<f64>() / halves.len() as f64;
    }
    seen
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn exact_is_the_mean_over_straight_lines(
        scene in any_scene(11), radius in 0..14u32, samples in 1..=4u32, path in any_path(),
    ) {
        let config = SightConfig::default().with_radius(radius).with_path(path);
        let config = config.with_method(Method::Exact { samples });
        for (cell, &seen) in scene.seen(&config).iter() {
            let inside = (cell - scene.viewer).length_squared() as u32 <= radius * radius;
            let expected = if inside { traced(&scene, cell, &config) } else { 0.0 };
            prop_assert!((f64::from(seen) - expected).abs() < 1e-6, "{cell}: {seen}, not {expected}");
        }
    }

    #[test]
    fn beams_match_their_definition(scene in any_scene(15), radius in 1..12u32, path in any_path()) {
        let config = SightConfig::default().with_radius(radius).with_path(path).with_method(MethodKind::Beam);
        let expected = beamed(&scene, &config);
        for (cell, &seen) in scene.seen(&config).iter() {
            // The strips of the definition are not infinitely fine.
            prop_assert!((f64::from(seen) - expected[cell]).abs() < 5e-3, "{cell}: {seen}, not {}", expected[cell]);
        }
    }
}

#[test]
fn pillar_casts_a_sharp_shadow() {
    let mut opacity = Grid::new(41, 9, 0.0);
    opacity[ivec2(8, 4)] = 1.0;
    let scene = Scene { opacity, viewer: ivec2(4, 4) };
    let config = SightConfig::default().with_radius(40);
    let [soft, beam, exact] = [MethodKind::TwoParent, MethodKind::Beam, MethodKind::Exact]
        .map(|method| scene.seen(&config.clone().with_method(method)));
    for x in 9..40 {
        let straight_behind = ivec2(x, 4);
        assert_eq!((beam[straight_behind], exact[straight_behind]), (0.0, 0.0), "{x}");
    }
    assert_eq!(soft[ivec2(39, 4)], 0.0);
    // The two-parent method blurs the shadow over cells that straight lines reach.
    let next_to_shadow = ivec2(12, 1);
    assert!(soft[next_to_shadow] < 1.0 && beam[next_to_shadow] == 1.0 && exact[next_to_shadow] == 1.0);
}

#[test]
fn shadows_in_clear_air_are_nearly_exact_with_few_or_many_beams() {
    let viewer = ivec2(3, 17);
    let opacity = Grid::from_fn(44, 40, |c| if (c.x * 7 + c.y * 13) % 29 == 0 && c != viewer { 1.0 } else { 0.0 });
    let scene = Scene { opacity, viewer };
    let config = SightConfig::default().with_radius(40);
    let exact = scene.seen(&config.clone().with_method(Method::Exact { samples: 31 }));
    assert!(exact.as_slice().iter().filter(|seen| (0.1..0.9).contains(*seen)).count() > 100);
    for beams in [1.0, 2.3, 4.0] {
        let beam = scene.seen(&config.clone().with_method(Method::Beam { beams }));
        for (cell, seen) in beam.iter() {
            let bound = 0.03 + 0.06 / beams as f32;
            assert!((seen - exact[cell]).abs() < bound, "{cell}, {beams} beams: {seen}, not {}", exact[cell]);
        }
    }
}

#[test]
fn beams_and_lines_are_not_symmetric() {
    // A view goes from the centre of one cell to the area of another, so it is not mutual.
    let mut opacity = Grid::new(7, 3, 0.0);
    opacity[ivec2(1, 1)] = 1.0;
    let (a, b) = (ivec2(0, 0), ivec2(5, 2));
    for method in [MethodKind::Beam, MethodKind::Exact] {
        let config = SightConfig::default().with_radius(16).with_method(method);
        let there = Scene { opacity: opacity.clone(), viewer: a }.seen(&config)[b];
        let back = Scene { opacity: opacity.clone(), viewer: b }.seen(&config)[a];
        assert!((there - back).abs() > 0.05, "{method:?}: {there} and {back}");
    }
}
