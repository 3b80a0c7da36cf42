//! The vector code of opacities against its definition.

use std::sync::Arc;

use fearless_simd::Level;
use glam::ivec2;

use super::config::{OpticsConfig, Relief};
use super::opacity_kernel::fill_row;
use super::optics::Optics;
use crate::world::World;
use farsight::Job;
use farsight::grid::{CellRect, Grid};
use farsight::internal::simd::{dispatch, levels};
use farsight::sight::{FieldOfView, MethodKind, OpacityRows, PathRule, SightConfig};
use farsight::viewshed::Viewshed;

#[test]
fn vectors_of_any_width_give_the_same_bits() {
    let field = |scale: f32, n: i32| {
        Grid::from_fn(400, 9, move |cell| scale * ((cell.x * n + cell.y * 13) % 101) as f32 / 100.0)
    };
    let world = World::from_fields(field(60.0, 7), field(1.0, 11), field(1.0, 17), 100.0).unwrap();
    let optics = Optics::new(Arc::new(world), &OpticsConfig::default());
    let filled = |level| {
        let mut cells = Grid::new(397, 9, f32::NAN);
        let mut ends = cells.clone();
        let rows = cells.as_mut_slice().chunks_exact_mut(397).zip(ends.as_mut_slice().chunks_exact_mut(397));
        let (fields, eye) = (optics.fields(), optics.eye_terms(35.0));
        for (y, (opacity, end_log2)) in (0..).zip(rows) {
            dispatch!(level, _ => fill_row(&fields, &eye, ivec2(3, y), opacity, end_log2));
        }
        [cells, ends].map(|field| field.map(|value| value.to_bits()))
    };
    let narrow = filled(Level::baseline());
    assert!(levels().into_iter().all(|level| filled(level) == narrow));
    let mixed = narrow[0].as_slice().iter().filter(|bits| (0.01..0.99).contains(&f32::from_bits(**bits)));
    assert!(mixed.count() > 397);
}

#[test]
fn the_shorter_formulas_change_no_bit() {
    let mut state = 7u64;
    let mut pick = |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    let mut config = OpticsConfig::default();
    let mut kinds = [0; 3];
    for _ in 0..150 {
        // Combinations of the keys.
        let before = config.clone();
        match pick(4) {
            0 => config.canopy_height_m = [0.0, 1.7, 5.0, 20.0, 55.5][pick(5)],
            1 => config.vegetation_extinction_per_m = [0.0, 0.01, 0.04, 1.0][pick(4)],
            2 => config.visual_range_m = [f64::INFINITY, 10_000.0][pick(2)],
            _ => {}
        }
        config.eye_height_m = [0.0, 1.7, 12.3, 40.0][pick(4)];
        config.target_height_m = [0.0, 0.0, 3.1, 41.0][pick(4)];
        config.relief_softness_m = [0.0, 0.1, 60.0][pick(3)];
        config.relief = [Relief::None, Relief::HeightDifference][pick(2)];
        // Ground in steps, each near a height where a formula changes, or far from it.
        let own = [0.0, 100.0, 1234.5, 8000.3][pick(4)];
        let eye_m = own + config.eye_height_m as f32;
        let mut fields = [0.0, 0.5, 0.0].map(|value| Grid::new(1024, 1, value));
        let [elevation, _, vegetation] = &mut fields;
        for step in 0..16 {
            let cover = [0.0, 0.3, 0.8, 1.0][pick(4)];
            let top = config.canopy_height_m as f32 * cover * cover;
            let base = [own, eye_m, eye_m - top, own - 500.0, own + 500.0][pick(5)];
            let offset = [0.0, 1e-6, 1e-4, 0.01, 1.0, 30.0][pick(6)];
            for x in 64 * step..64 * step + 64 {
                elevation.as_mut_slice()[x] = (base + offset * (pick(9) as f32 - 4.0)).max(0.0);
                vegetation.as_mut_slice()[x] = if pick(8) == 0 { 0.0 } else { cover };
            }
        }
        let [elevation, humidity, vegetation] = fields;
        let world = World::from_fields(elevation, humidity, vegetation, 50.0).unwrap();
        let mut optics = Optics::new(world.into(), &before);
        optics.fields().cells(ivec2(0, 0), 1); // computes the terms of the row
        optics.set_config(&OpticsConfig { eye_height_m: 3.0, ..config.clone() });
        let optics = optics.at_eye_height(config.eye_height_m);
        let eye = optics.eye_terms(eye_m + optics.config().mean_lift_m() as f32);
        let first = ivec2(pick(17) as i32, 0);
        let (mut row, mut ends) = ([f32::NAN; 1001], [f32::NAN; 1001]);
        dispatch!(Level::new(), _ => fill_row(&optics.fields(), &eye, first, &mut row, &mut ends));
        let cells = optics.fields().cells(first, row.len());
        for (x, found) in row.into_iter().zip(ends).enumerate() {
            let (ground, cover) = (cells.ground[x], cells.cover[x]);
            let opacity = eye.opacity(ground, cover, cells.air[x]);
            let end = cells.air_log2[x] + eye.vegetation_log2(ground, cover);
            let (found, expected) = ([found.0, found.1], [opacity, end]);
            assert_eq!(
                found.map(f32::to_bits),
                expected.map(f32::to_bits),
                "{found:?}, not {expected:?} at {x} from {first}: {config:?}"
            );
        }
        for bounds in cells.bounds {
            kinds[if eye.overlooks(bounds) { 0 } else { 1 + usize::from(eye.is_below_tops(bounds)) }] += 1;
        }
    }
    assert!(kinds.iter().all(|&kind| kind > 1000), "{kinds:?}");
}

/// Returns the error of a power of 2 whose exponent is rounded.
fn rounding_of_power(value: f32) -> f32 {
    3e-7 * value * (3.0 - value.max(f32::MIN_POSITIVE).log2()) + f32::MIN_POSITIVE
}

/// With every method, a view is the view without ends times [`Optics::end_transmittance`] of each cell, up to rounding.
#[test]
fn views_have_the_transmittance_of_both_ends() {
    let field = |scale: f32, n: i32| {
        Grid::from_fn(90, 61, move |cell| scale * ((cell.x * n + cell.y * 13) % 101) as f32 / 100.0)
    };
    let world: Arc<World> = World::from_fields(field(60.0, 7), field(1.0, 11), field(0.3, 17), 100.0).unwrap().into();
    let config = OpticsConfig::default().with_relief(Relief::HeightDifference);
    let optics = Optics::new(world, &config);
    for (method, radius) in
        [(MethodKind::TwoParent, 40), (MethodKind::TwoParent, 700), (MethodKind::Beam, 24), (MethodKind::Exact, 9)]
    {
        for viewer in [ivec2(45, 30), ivec2(0, 60), ivec2(81, 3)] {
            let sight = SightConfig::default().with_method(method).with_radius(radius).with_path(PathRule::PerLength);
            let mut between = FieldOfView::new(sight.clone()).unwrap();
            let eye_m = optics.eye_m(viewer);
            let opacities = OpacityRows::new(|start, row: &mut [f32]| optics.fill_row(eye_m, start, row));
            let between =
                between.compute_with_job(opacities.within(CellRect::of_size(ivec2(90, 61))), viewer, Job::none());
            let between = between.unwrap();
            let mut viewshed = Viewshed::new(sight).unwrap();
            let view = optics.view(&mut viewshed, viewer, Job::none()).unwrap().grid().to_grid();
            let mut seen = 0;
            for (place, &visibility) in view.iter() {
                let cell = between.top_left() + place;
                if !CellRect::of_size(ivec2(90, 61)).contains(cell) {
                    continue;
                }
                let ends = optics.end_transmittance(&mut viewshed, viewer, cell).unwrap();
                let expected = between.get(cell) * ends;
                assert!(
                    (visibility - expected).abs() <= rounding_of_power(expected),
                    "{method:?} of {radius}, {viewer} to {cell}: {visibility}, not {expected}"
                );
                seen += usize::from(visibility > 0.0 && visibility < between.get(cell));
            }
            assert!(seen > 50, "{method:?} of {radius}, {viewer}: {seen}");
        }
    }
}
