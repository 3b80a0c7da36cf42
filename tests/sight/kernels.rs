//! All kernels of the two-parent method give the same bits: on random maps of all kinds, for successive views in the same
//! buffers.

use farsight::glam::{IVec2, ivec2, vec2};
use farsight::grid::{CellRect, Grid, GridView};
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{
    Decay, FieldOfView, Method, MethodKind, OpacityMap, OpacityRows, PathRule, SightConfig, Weights,
};
use proptest::prelude::*;

const FAST: [Kernel; 3] = [Kernel::Width4, Kernel::Width8, Kernel::Width16];

/// A hash in [0, 1) of a cell and a seed.
fn unit(seed: u64, cell: IVec2) -> f32 {
    let mut x = seed ^ (u64::from(cell.x as u32) << 32 | u64::from(cell.y as u32));
    for _ in 0..2 {
        x = (x ^ (x >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed);
    }
    (x >> 40) as f32 / (1 << 24) as f32
}

/// A map of walls, haze and clear cells in proportions that depend on the seed, sometimes with closed rooms.
fn map(size: IVec2, seed: u64) -> OpacityMap {
    let (walls, clear) = (0.4 * unit(seed, ivec2(-1, 0)).powi(2), unit(seed, ivec2(-2, 0)));
    let room = 5 + (40.0 * unit(seed, ivec2(-3, 0))) as i32;
    let rooms = seed.is_multiple_of(3);
    let grid = Grid::from_fn(size.x as usize, size.y as usize, |cell| {
        let random = unit(seed, cell);
        if rooms && (cell.x % room == 0 || cell.y % room == 0) && random < 0.97 || random < walls {
            1.0
        } else if random < walls + (1.0 - walls) * clear {
            0.0
        } else {
            unit(seed + 1, cell) * 0.6
        }
    });
    OpacityMap::try_from(grid).unwrap()
}

#[track_caller]
fn assert_same(plain: GridView<'_, f32>, fast: GridView<'_, f32>, what: &str) {
    assert_eq!(plain.size(), fast.size(), "{what}");
    for (cell, value) in plain.iter() {
        let found = fast[cell];
        assert_eq!(value.to_bits(), found.to_bits(), "{what}: {found} at {cell} of the window, not {value}");
    }
}

/// Compares views from several cells, through all three methods of a field of view, by several kernels.
fn assert_kernels_agree(kernels: &[Kernel], config: &SightConfig, size: IVec2, viewers: &[IVec2], seed: u64) {
    let map = map(size, seed);
    let open = OpacityMap::clear(size.x as usize, size.y as usize).unwrap();
    let is_nodata = |cell: IVec2| unit(seed + 9, cell) < 0.03;
    let read = |map: &OpacityMap, cell: IVec2| match map.get(cell) {
        Some(opacity) if !is_nodata(cell) => opacity,
        _ => f32::NAN,
    };
    let fill = |start: IVec2, row: &mut [f32]| {
        for (x, slot) in (start.x..).zip(row) {
            *slot = read(&map, ivec2(x, start.y));
        }
    };
    for &kernel in kernels {
        let [mut plain, mut fast] = [Kernel::Plain, kernel].map(|kernel| {
            let mut fov = FieldOfView::new(config.clone()).unwrap();
            set_kernel(&mut fov, kernel);
            fov
        });
        for &viewer in viewers {
            let what = format!("{kernel:?}, {} on {size} from {viewer}, seed {seed}", config.radius);
            for (map, name) in [(&open, "open"), (&map, "map")] {
                let found = fast.compute(map, viewer).unwrap();
                assert_same(plain.compute(map, viewer).unwrap().grid(), found.grid(), &format!("{name}, {what}"));
            }
            let found = fast.compute(OpacityRows::new(fill).within(CellRect::of_size(size)), viewer).unwrap();
            assert_same(
                plain.compute(OpacityRows::new(fill).within(CellRect::of_size(size)), viewer).unwrap().grid(),
                found.grid(),
                &format!("within, {what}"),
            );
            let found = fast.compute(OpacityRows::new(fill), viewer).unwrap();
            assert_same(
                plain.compute(OpacityRows::new(fill), viewer).unwrap().grid(),
                found.grid(),
                &format!("from, {what}"),
            );
        }
    }
}

fn viewers(size: IVec2, seed: u64) -> [IVec2; 4] {
    let anywhere = |i| (size.as_vec2() * vec2(unit(seed, ivec2(i, -7)), unit(seed, ivec2(i, -8)))).as_ivec2();
    [anywhere(0), anywhere(1), ivec2(0, size.y - 1), anywhere(2)].map(|viewer| viewer.min(size - 1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn small_and_medium_radii_agree(radius in 1..131u32, width in 1..200i32, height in 1..200i32, seed in 0..1u64 << 40) {
        let size = ivec2(width, height);
        assert_kernels_agree(&FAST, &SightConfig::default().with_radius(radius), size, &viewers(size, seed), seed);
    }

    /// The result of one view must not affect the next, wherever the map ends for either.
    #[test]
    fn successive_views_near_the_edges_agree(radius in 4..100u32, width in 1..190i32, height in 1..190i32, seed in 0..1u64 << 40) {
        let size = ivec2(width, height);
        let map = map(size, seed);
        let [mut plain, mut fast] = [Kernel::Plain, Kernel::Width16].map(|kernel| {
            let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius)).unwrap();
            set_kernel(&mut fov, kernel);
            fov
        });
        for step in 0..9 {
            for viewer in viewers(size, seed + step) {
                let found = fast.compute(&map, viewer).unwrap();
                let what = format!("{radius} on {size} from {viewer}, seed {seed}, step {step}");
                assert_same(plain.compute(&map, viewer).unwrap().grid(), found.grid(), &what);
            }
        }
    }

    #[test]
    fn both_weights_and_attenuation_agree(radius in 1..50u32, seed in 0..1u64 << 40) {
        for weights in [Weights::Linear, Weights::Projection] {
            let decay = Decay::Smooth { reach: None };
            let config = SightConfig::default().with_radius(radius).with_method(Method::TwoParent { weights });
            let config = config.with_path(PathRule::PerLength).with_decay(decay);
            assert_kernels_agree(&FAST, &config, ivec2(70, 61), &viewers(ivec2(70, 61), seed), seed);
        }
    }
}

#[test]
fn two_thousand_random_views_of_every_width_agree() {
    assert_random_views_agree(2000);
}

#[test]
#[ignore = "takes minutes; to be run after a change of a kernel"]
fn hundred_thousand_random_views_of_every_width_agree() {
    assert_random_views_agree(100_000);
}

/// Maps of odd shapes, all dark, all clear or mixed, with and without missing cells, by every width.
fn assert_random_views_agree(views: u64) {
    let by_kernel = |kernel| {
        let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
        set_kernel(&mut fov, kernel);
        fov
    };
    let mut plain = by_kernel(Kernel::Plain);
    let mut fast = FAST.map(by_kernel);
    let mut compared = 0;
    for seed in 0..views {
        let random = |i: i32| unit(seed, ivec2(i, -20));
        // Every 50th case is large.
        let (side, farthest) = if seed % 50 == 0 { (400.0, 300.0) } else { (48.0, 40.0) };
        let size = ivec2(1 + (side * random(0)) as i32, 1 + (side * random(1)) as i32);
        let radius = (farthest * random(2)) as u32 + u32::from(seed % 100 == 0);
        let map = match seed % 8 {
            0 => OpacityMap::clear(size.x as usize, size.y as usize).unwrap(),
            1 => OpacityMap::try_from(Grid::new(size.x as usize, size.y as usize, 1.0)).unwrap(),
            _ => map(size, seed),
        };
        let viewer = viewers(size, seed)[(seed / 8) as usize % 4];
        let missing = if seed % 3 == 0 { 0.0 } else { 0.1 * random(3) };
        let fill = |start: IVec2, row: &mut [f32]| {
            for (x, slot) in (start.x..).zip(row) {
                let cell = ivec2(x, start.y);
                *slot = if unit(seed + 9, cell) < missing { f32::NAN } else { map.get(cell).unwrap_or(0.25) };
            }
        };
        let config = SightConfig::default().with_radius(radius);
        plain.set_config(config.clone()).unwrap();
        for (fast, kernel) in fast.iter_mut().zip(FAST) {
            fast.set_config(config.clone()).unwrap();
            let what = format!("{kernel:?}, {radius} on {size} from {viewer}, seed {seed}");
            let found = fast.compute(&map, viewer).unwrap();
            assert_same(plain.compute(&map, viewer).unwrap().grid(), found.grid(), &what);
            let found = fast.compute(OpacityRows::new(fill), viewer).unwrap();
            let expected = plain.compute(OpacityRows::new(fill), viewer).unwrap();
            assert_same(expected.grid(), found.grid(), &format!("rows, {what}"));
            compared += 1;
        }
    }
    assert_eq!(compared, 3 * views);
}

#[test]
fn every_radius_up_to_70_agrees() {
    for radius in 0..=70 {
        let size = IVec2::splat(2 * radius as i32 + 1 + (radius % 5) as i32);
        assert_kernels_agree(
            &FAST[1..],
            &SightConfig::default().with_radius(radius),
            size,
            &[size / 2],
            u64::from(radius) * 7 + 3,
        );
    }
}

#[test]
fn large_radii_agree() {
    for (radius, size, seed) in [(200, ivec2(412, 300), 4), (600, ivec2(420, 240), 7), (390, ivec2(500, 840), 9)] {
        assert_kernels_agree(
            &FAST[2..],
            &SightConfig::default().with_radius(radius),
            size,
            &viewers(size, seed)[..2],
            seed,
        );
    }
}

#[test]
fn corners_of_a_map_smaller_than_the_radius_agree() {
    let size = ivec2(40, 23);
    let corners = [ivec2(0, 0), ivec2(39, 0), ivec2(0, 22), ivec2(39, 22), ivec2(20, 11)];
    for radius in [17, 30, 64, 400] {
        assert_kernels_agree(&FAST[1..], &SightConfig::default().with_radius(radius), size, &corners, 11);
    }
}

/// The last cell of the map is the last in sight, so no cell separates it from memory outside the map.
#[test]
fn map_that_ends_at_the_radius_agrees() {
    for (size, viewer) in [(ivec2(1, 40), ivec2(0, 39)), (ivec2(40, 1), ivec2(0, 0)), (ivec2(31, 41), ivec2(0, 0))] {
        for radius in [17, 64, 100] {
            assert_kernels_agree(
                &FAST,
                &SightConfig::default().with_radius(radius),
                size,
                &[viewer, size / 2, viewer],
                12,
            );
        }
    }
}

#[test]
fn results_of_other_methods_are_cleared() {
    let size = IVec2::splat(90);
    let [open, shut] = [OpacityMap::clear(90, 90).unwrap(), map(size, 3)];
    let bare = SightConfig::default().with_radius(40);
    let mut fov = FieldOfView::new(bare.clone()).unwrap();
    for (config, map) in [
        (bare.clone(), &open),
        (bare.clone().with_method(MethodKind::Beam), &open),
        (bare.clone(), &shut),
        (bare.clone().with_radius(3), &open),
        (bare.clone().with_radius(21), &shut),
        (bare.clone().with_method(Method::TwoParent { weights: Weights::Projection }), &open),
        (bare.clone(), &shut),
    ] {
        fov.set_config(config.clone()).unwrap();
        let found = fov.compute(map, ivec2(44, 30)).unwrap().grid().to_grid();
        let mut fresh = FieldOfView::new(config).unwrap();
        set_kernel(&mut fresh, Kernel::Plain);
        assert_same(fresh.compute(map, ivec2(44, 30)).unwrap().grid(), found.view(), "after another method");
    }
}

#[test]
fn opened_door_is_transparent_in_the_next_view() {
    let mut map =
        OpacityMap::try_from(Grid::<f32>::from_text("..........#....\n..........#....\n..........#....").unwrap())
            .unwrap();
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(20)).unwrap();
    assert_eq!(fov.compute(&map, ivec2(2, 1)).unwrap().get(ivec2(12, 1)), 0.0);
    map.set(ivec2(10, 1), 0.0).unwrap();
    assert!(fov.compute(&map, ivec2(2, 1)).unwrap().get(ivec2(12, 1)) > 0.9);
}
