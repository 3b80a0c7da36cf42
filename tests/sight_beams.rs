//! Beams and traced lines against straightforward implementations in `f64`, without a line of the library's code.

mod sight_support;

use farsight::glam::{IVec2, ivec2};
use farsight::{Grid, Method, PathRule, SightConfig};
use proptest::prelude::*;
use sight_support::*;

/// The stretch of the line from (0, 0) to `end` that lies in the square of a cell, as shares of the line.
fn stretch(end: (f64, f64), cell: IVec2, until: f64) -> (f64, f64) {
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

/// (1 − opacity)^length by the path rule, for a stretch of some length, in cells, through a cell.
fn left_of(opacity: f32, length: f64, cell: IVec2, path: PathRule) -> f64 {
    let steps = f64::from(cell.abs().max_element());
    let scale = if path == PathRule::PerCell { steps / cell.as_dvec2().length() } else { 1.0 };
    if length < 1e-9 { 1.0 } else { (1.0 - f64::from(opacity)).powf(length * scale) }
}

/// The mean over lines to samples² points: the definition of the exact method.
fn traced(scene: &Scene, target: IVec2, config: &SightConfig) -> f64 {
    let n = config.samples;
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
            let (enter, leave) = stretch(end, cell - scene.viewer, 1.0);
            left *= left_of(opacity, (leave - enter) * end.0.hypot(end.1), cell - scene.viewer, config.path);
        }
        sum += left;
    }
    sum / f64::from(n * n)
}

/// The mean over beams, by the book: every direction of the full turn walks alone, from cell to cell; a cell is the mean
/// of the directions that cross it, weighted by the area that is nearest to each of them, by fine strips.
fn beamed(scene: &Scene, config: &SightConfig) -> Grid<f64> {
    const STRIPS: usize = 32;
    let directions = 8 * (1.5 * f64::from(config.radius) * config.beams).ceil() as usize;
    let share = std::f64::consts::TAU / directions as f64;
    let far = f64::from(2 * config.radius + 4);
    let toward = |turn: f64| (far * (turn * share).cos(), far * (turn * share).sin());
    let mut cells: Vec<IVec2> = scene.opacity.iter().map(|(cell, _)| cell - scene.viewer).collect();
    cells.retain(|cell| cell.length_squared() as u32 <= config.radius * config.radius && *cell != IVec2::ZERO);
    cells.sort_by_key(|cell| (cell.length_squared(), cell.y, cell.x));
    let mut light = vec![1.0; directions];
    let mut seen = Grid::new(scene.opacity.width(), scene.opacity.height(), 0.0);
    seen[scene.viewer] = 1.0;
    for cell in cells {
        // Axes and diagonals lie between two directions: each side is a mean of its own, and both count alike.
        let octant = directions / 8;
        let halves = (0..8).filter_map(|eighth| {
            let chord = |direction: usize| {
                let (enter, leave) = stretch(toward(direction as f64 + 0.5), cell, 1.0);
                (leave - enter) * far
            };
            let crossing: Vec<usize> = (eighth * octant..(eighth + 1) * octant).filter(|d| chord(*d) > 1e-9).collect();
            let (mut sum, mut whole) = (0.0, 0.0);
            for strip in eighth * octant * STRIPS..(eighth + 1) * octant * STRIPS {
                let turn = (strip as f64 + 0.5) / STRIPS as f64;
                let (enter, leave) = stretch(toward(turn), cell, 1.0);
                let area = leave * leave - enter * enter;
                let nearest = crossing.iter().min_by_key(|direction| (strip / STRIPS).abs_diff(**direction));
                sum += area * nearest.map_or(0.0, |direction| light[*direction]);
                whole += area;
            }
            (!crossing.is_empty()).then_some((sum / whole, crossing))
        });
        let halves: Vec<(f64, Vec<usize>)> = halves.collect();
        seen[scene.viewer + cell] = halves.iter().map(|half| half.0).sum::<f64>() / halves.len() as f64;
        for direction in halves.into_iter().flat_map(|half| half.1) {
            let (enter, leave) = stretch(toward(direction as f64 + 0.5), cell, 1.0);
            light[direction] *= left_of(scene.opacity[scene.viewer + cell], (leave - enter) * far, cell, config.path);
        }
    }
    seen
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn exact_is_the_mean_over_straight_lines(
        scene in any_scene(11), radius in 0..14u32, samples in 1..=4u32, path in any_path(),
    ) {
        let config = SightConfig { radius, samples, path, method: Method::Exact, ..Default::default() };
        for (cell, &seen) in scene.seen(&config).iter() {
            let inside = (cell - scene.viewer).length_squared() as u32 <= radius * radius;
            let expected = if inside { traced(&scene, cell, &config) } else { 0.0 };
            prop_assert!((f64::from(seen) - expected).abs() < 1e-6, "{cell}: {seen}, not {expected}");
        }
    }

    #[test]
    fn beams_go_by_the_book(scene in any_scene(15), radius in 1..12u32, path in any_path()) {
        let config = SightConfig { radius, path, method: Method::Beam, ..Default::default() };
        let expected = beamed(&scene, &config);
        for (cell, &seen) in scene.seen(&config).iter() {
            // The strips of the book are not infinitely fine.
            prop_assert!((f64::from(seen) - expected[cell]).abs() < 5e-3, "{cell}: {seen}, not {}", expected[cell]);
        }
    }
}

#[test]
fn one_pillar_throws_a_sharp_shadow() {
    let mut opacity = Grid::new(41, 9, 0.0);
    opacity[ivec2(8, 4)] = 1.0;
    let scene = Scene { opacity, viewer: ivec2(4, 4) };
    let config = SightConfig { radius: 40, ..Default::default() };
    let [soft, beam, exact] = [Method::TwoParent, Method::Beam, Method::Exact]
        .map(|method| scene.seen(&SightConfig { method, ..config.clone() }));
    for x in 9..40 {
        let straight_behind = ivec2(x, 4);
        assert_eq!((beam[straight_behind], exact[straight_behind]), (0.0, 0.0), "{x}");
    }
    assert_eq!(soft[ivec2(39, 4)], 0.0);
    // Two parents smear the shadow over cells that true lines reach freely.
    let beside = ivec2(12, 1);
    assert!(soft[beside] < 1.0 && beam[beside] == 1.0 && exact[beside] == 1.0);
}

#[test]
fn what_does_not_hold_of_beams_is_known() {
    // One sees from the centre of one cell over the area of another, so sight is not mutual.
    let mut opacity = Grid::new(7, 3, 0.0);
    opacity[ivec2(1, 1)] = 1.0;
    let config = SightConfig { radius: 16, method: Method::Beam, ..Default::default() };
    let (a, b) = (ivec2(0, 0), ivec2(6, 2));
    let there = Scene { opacity: opacity.clone(), viewer: a }.seen(&config)[b];
    let back = Scene { opacity, viewer: b }.seen(&config)[a];
    assert!((there - back).abs() > 0.05, "{there} and {back}");
}
