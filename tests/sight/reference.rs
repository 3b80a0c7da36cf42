//! The two-parent method against a plain implementation of the published formulas in `f64` (recursive, memoised, without
//! code of the library), and all methods of a field of view against each other.

use std::collections::BTreeMap;

use crate::support::sight::*;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::sight::{
    Decay, FieldOfView, Method, MethodKind, OpacityRows, PathRule, SightConfig, SightError, Weights,
};
use proptest::prelude::*;

/// Two-parent visibility by the published formulas.
struct Reference<'a> {
    opacity: &'a Grid<f32>,
    viewer: IVec2,
    config: &'a SightConfig,
    raw: BTreeMap<(i32, i32), f64>,
}

impl Reference<'_> {
    fn raw(&mut self, dx: i32, dy: i32) -> f64 {
        if (dx, dy) == (0, 0) {
            return 1.0;
        }
        if let Some(&known) = self.raw.get(&(dx, dy)) {
            return known;
        }
        let (x, y) = (f64::from(dx).abs(), f64::from(dy).abs());
        let (long, short, r) = (x.max(y), x.min(y), x.hypot(y));
        let Method::TwoParent { weights } = self.config.method else { unreachable!() };
        let share = match weights {
            Weights::Linear => short / long,
            Weights::Projection if short == 0.0 => 0.0,
            Weights::Projection if short == long => 1.0,
            _ => 1.0 - long / r,
        };
        let (sx, sy) = (dx.signum(), dy.signum());
        let straight = if x >= y { (dx - sx, dy) } else { (dx, dy - sy) };
        let mut value = 0.0;
        if share < 1.0 {
            value += (1.0 - share) * self.through(straight.0, straight.1);
        }
        if share > 0.0 {
            value += share * self.through(dx - sx, dy - sy);
        }
        self.raw.insert((dx, dy), value);
        value
    }

    fn through(&mut self, dx: i32, dy: i32) -> f64 {
        if (dx, dy) == (0, 0) {
            return 1.0;
        }
        self.raw(dx, dy) * (1.0 - f64::from(self.opacity[self.viewer + ivec2(dx, dy)]))
    }

    fn visibility(&mut self, cell: IVec2) -> f64 {
        let (dx, dy) = (cell.x - self.viewer.x, cell.y - self.viewer.y);
        let squared = i64::from(dx).pow(2) + i64::from(dy).pow(2);
        if squared > i64::from(self.config.radius).pow(2) {
            return 0.0;
        }
        let r = (squared as f64).sqrt();
        let steps = f64::from(dx.abs().max(dy.abs()));
        let mut seen = self.raw(dx, dy);
        if self.config.path == PathRule::PerLength && steps > 0.0 {
            seen = seen.powf(1.0 + (r / steps - 1.0) * (steps - 1.0) / steps);
        }
        seen * decay_at(&self.config.decay, r, f64::from(self.config.radius))
    }
}

/// The decays by their formulas.
fn decay_at(decay: &Decay, d: f64, radius: f64) -> f64 {
    let reach = |reach: &Option<f64>| reach.unwrap_or(radius + 1.0);
    let half = |half: &Option<f64>| half.unwrap_or(if radius < 2.0 { 1.0 } else { radius / 2.0 });
    let bell = |d: f64, half: f64| half * half / (half * half + d * d);
    match decay {
        Decay::None => 1.0,
        Decay::Linear { reach: r } => (1.0 - d / reach(r)).max(0.0),
        Decay::Smooth { reach: r } if d < reach(r) => (1.0 - (d / reach(r)).powf(2.0)).powf(2.0),
        Decay::Smooth { .. } => 0.0,
        Decay::InverseSquare { half: h } => bell(d, half(h)),
        Decay::Exponential { half: h } => 0.5f64.powf(d / half(h)),
        Decay::Lamp { reach: r, half: h } => {
            (1.0 - (d / reach(r)).powf(4.0)).clamp(0.0, 1.0).powf(2.0) * bell(d, half(h))
        }
        Decay::Fuzzy { near, .. } if d <= *near => 1.0,
        Decay::Fuzzy { near, half: h } => bell(d - near, half(h)),
        Decay::Points(points) => {
            let mut corners = vec![[0.0, 1.0]];
            corners.extend(points);
            let after = corners.iter().position(|corner| corner[0] >= d).unwrap_or(corners.len());
            match after {
                0 => 1.0,
                i if i == corners.len() => corners[i - 1][1],
                i => {
                    let ([x0, y0], [x1, y1]) = (corners[i - 1], corners[i]);
                    (y0 * (x1 - d) + y1 * (d - x0)) / (x1 - x0)
                }
            }
        }
        other => unreachable!("{other:?} has no reference"),
    }
}

proptest! {
    #![proptest_config(cases(384))]

    #[test]
    fn two_parents_match_the_reference(scene in any_scene(28), config in any_two_parent()) {
        let mut reference = Reference { opacity: &scene.opacity, viewer: scene.viewer, config: &config, raw: BTreeMap::new() };
        for (cell, &seen) in scene.seen(&config).iter() {
            let expected = reference.visibility(cell);
            prop_assert!((f64::from(seen) - expected).abs() <= 1e-5, "{cell}: {seen}, not {expected}");
        }
    }

    #[test]
    fn all_compute_methods_give_the_same_bits(scene in any_scene(24), config in any_config()) {
        let seen = scene.seen(&config);
        let size = scene.opacity.size();
        let mut fov = FieldOfView::new(config.clone()).unwrap();
        let view = fov.compute(OpacityRows::new(|start, row| {
            let y = start.y as usize;
            let x = start.x as usize;
            row.copy_from_slice(&scene.opacity.row(y)[x..x + row.len()]);
        }).within(CellRect::of_size(size)), scene.viewer).unwrap();
        for (cell, value) in seen.iter() {
            prop_assert_eq!(view.get(cell).to_bits(), value.to_bits(), "compute_within, {}", cell);
        }
        if config.radius > 4096 {
            let refused = fov.compute(OpacityRows::new(|_, _| {}), scene.viewer).map(|_| ());
            prop_assert_eq!(refused, Err(SightError::RadiusTooLarge { radius: config.radius, limit: 4096 }));
            return Ok(());
        }
        if config.method.kind() == MethodKind::RaycastBorder {
            return Ok(()); // its lines depend on where the map ends
        }
        // Far from the origin, too.
        let shift = ivec2(-1_000_000, 3_000_000);
        let view = fov.compute(OpacityRows::new(|start, row| {
            for (x, slot) in (start.x..).zip(row) {
                *slot = scene.opacity.get(ivec2(x, start.y) - shift).copied().unwrap_or(f32::NAN);
            }
        }), scene.viewer + shift).unwrap();
        for (cell, value) in seen.iter() {
            prop_assert_eq!(view.get(cell + shift).to_bits(), value.to_bits(), "compute_from, {}", cell);
        }
        prop_assert_eq!(view.visible().count(), seen.as_slice().iter().filter(|v| **v > 0.0).count());
    }

    #[test]
    fn used_field_of_view_equals_a_new_one(
        scenes in proptest::collection::vec((any_scene(20), any_config(), any::<bool>()), 2..6),
    ) {
        let mut used = FieldOfView::new(SightConfig::default()).unwrap();
        for (scene, config, by_rows) in scenes {
            used.set_config(config.clone()).unwrap();
            let mut fresh = FieldOfView::new(config).unwrap();
            let map = scene.map();
            let expected = fresh.compute(&map, scene.viewer).unwrap();
            let found = if by_rows {
                used.compute(OpacityRows::new(|start, row| {
                    for (x, slot) in (start.x..).zip(row) {
                        *slot = scene.opacity[ivec2(x, start.y)];
                    }
                }).within(CellRect::of_size(map.grid().size())), scene.viewer)
            } else {
                used.compute(&map, scene.viewer)
            }.unwrap();
            prop_assert_eq!((found.viewer(), found.top_left()), (expected.viewer(), expected.top_left()));
            prop_assert_eq!(found.grid().size(), expected.grid().size());
            let same = found.grid().rows().flatten().zip(expected.grid().rows().flatten()).all(|(a, b)| a.to_bits() == b.to_bits());
            prop_assert!(same, "values of an earlier view are left");
        }
    }
}

#[test]
fn opacities_from_a_closure_are_clamped_and_nan_is_no_cell() {
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(3)).unwrap();
    let view = fov
        .compute(
            OpacityRows::new(|start, row| {
                for (x, slot) in (start.x..).zip(row) {
                    *slot = match (x, start.y) {
                        (1, 0) => 7.0,
                        (-1, 0) => -7.0,
                        (0, 1) => f32::NAN,
                        _ => 0.0,
                    };
                }
            }),
            IVec2::ZERO,
        )
        .unwrap();
    assert_eq!([1, 2, 3].map(|x| view.get(ivec2(x, 0))), [1.0, 0.0, 0.0]);
    assert_eq!([-1, -2, -3].map(|x| view.get(ivec2(x, 0))), [1.0, 1.0, 1.0]);
    assert_eq!([1, 2].map(|y| view.get(ivec2(0, y))), [0.0, 0.0]);
}

#[test]
fn viewers_out_of_bounds_are_errors() {
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(30)).unwrap();
    for size in [ivec2(0, 0), ivec2(0, 5), ivec2(-3, 4)] {
        let error = fov.compute(OpacityRows::new(|_, _| {}).within(CellRect::of_size(size)), IVec2::ZERO).unwrap_err();
        assert!(error.to_string().starts_with("the viewer at 0,0 is outside the map"), "{error}");
    }
    for far in [IVec2::MAX, IVec2::MIN, ivec2(i32::MAX / 2, 0), ivec2(0, i32::MIN + 5)] {
        let error = fov.compute(OpacityRows::new(|_, row| row.fill(0.0)), far).unwrap_err();
        assert!(error.to_string().contains(&format!("{},{}", far.x, far.y)), "{error}");
    }
}
