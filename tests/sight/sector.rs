//! Cones of vision: views that are 0 outside of a sector, and have the bits of a whole view inside.

use farsight::SightConfig;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{FieldOfView, OpacityMap, RadiusShape, Sector, SightError};
use proptest::prelude::*;

use crate::support::sight::{any_config, any_scene, any_two_parent, cases};

/// Whether a cell is in a sector, by its angle; `None` next to an edge.
fn is_inside(offset: IVec2, sector: Sector) -> Option<bool> {
    if offset == IVec2::ZERO || sector.span >= 360.0 {
        return Some(true);
    }
    let direction = f64::from(offset.x).atan2(f64::from(-offset.y)).to_degrees();
    let aside = ((direction - sector.facing + 180.0).rem_euclid(360.0) - 180.0).abs() - 0.5 * sector.span;
    (aside.abs() > 1e-6).then_some(aside < 0.0)
}

fn any_sector() -> impl Strategy<Value = Sector> {
    let facing = prop_oneof![1 => (-8..=8i32).prop_map(|k| 45.0 * f64::from(k)), 2 => -360.0..=360.0f64];
    let span = prop_oneof![1 => (1..=8i32).prop_map(|k| 45.0 * f64::from(k)), 1 => 1.0..=30.0f64, 2 => 1.0..=360.0f64];
    (facing, span).prop_map(|(facing, span)| Sector::new(facing, span))
}

fn assert_sector_is_a_part_of_the_view(fov: &mut FieldOfView, map: &OpacityMap, viewer: IVec2, sector: Sector) {
    let whole = FieldOfView::new(fov.config().clone()).unwrap().compute(map, viewer).unwrap().to_owned();
    let view = fov.compute_sector(map, viewer, sector).unwrap();
    for (place, value) in view.grid().iter() {
        let offset = place + view.top_left() - viewer;
        let expected = if sector.contains(offset) { whole.get(viewer + offset) } else { 0.0 };
        assert_eq!(value.to_bits(), expected.to_bits(), "{offset} in {sector:?}: {value}, not {expected}");
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn sector_has_the_bits_of_the_view(
        scene in any_scene(40), config in any_config(), sectors in proptest::collection::vec(any_sector(), 1..4)
    ) {
        let (map, size) = (scene.map(), scene.opacity.size());
        let mut fov = FieldOfView::new(config).unwrap();
        for (i, sector) in (0..).zip(sectors) {
            assert_sector_is_a_part_of_the_view(&mut fov, &map, (scene.viewer + i) % size, sector);
        }
        // A whole view after sectors is whole.
        let fresh = FieldOfView::new(fov.config().clone()).unwrap().compute(&map, scene.viewer).unwrap().to_owned();
        prop_assert_eq!(fov.compute(&map, scene.viewer).unwrap().to_owned(), fresh);
    }

    #[test]
    fn every_kernel_gives_the_same_sector(
        scene in any_scene(150),
        config in any_two_parent(),
        radius in 9..=80u32,
        sectors in proptest::collection::vec(any_sector(), 1..6),
    ) {
        let (map, size) = (scene.map(), scene.opacity.size());
        for kernel in [Kernel::Plain, Kernel::Width4, Kernel::Width8, Kernel::Width16] {
            let mut fov = FieldOfView::new(config.clone().with_radius(radius)).unwrap();
            set_kernel(&mut fov, kernel);
            fov.compute(&map, scene.viewer).unwrap(); // leaves values in all octants
            for (i, &sector) in (0..).zip(&sectors) {
                assert_sector_is_a_part_of_the_view(&mut fov, &map, (scene.viewer + 3 * i) % size, sector);
            }
        }
    }

    #[test]
    fn sector_has_the_cells_of_its_angles(sector in any_sector(), x in -60..=60i32, y in -60..=60i32) {
        if let Some(expected) = is_inside(ivec2(x, y), sector) {
            prop_assert_eq!(sector.contains(ivec2(x, y)), expected);
        }
    }

    #[test]
    fn sector_of_the_configuration_is_that_of_the_call(scene in any_scene(24), config in any_config(), sector in any_sector()) {
        let (map, viewer) = (scene.map(), scene.viewer);
        let mut fov = FieldOfView::new(config.clone()).unwrap();
        let called = fov.compute_sector(&map, viewer, sector).unwrap().to_owned();
        let mut configured = FieldOfView::new(config.with_sector(sector)).unwrap();
        prop_assert_eq!(configured.compute(&map, viewer).unwrap().to_owned(), called.clone());
        for (cell, _) in scene.opacity.iter() {
            prop_assert_eq!(configured.line_of_sight(&map, viewer, cell).unwrap(), called.get(cell));
        }
    }
}

#[test]
fn cones_of_a_large_radius_have_the_bits_of_the_view() {
    let opacity = |c: IVec2| match (c.x * 37 + c.y * 101 + c.x * c.y * 7) % 293 {
        0 => 1.0,
        n if n < 40 => n as f32 / 400.0,
        _ => 0.0,
    };
    let map = OpacityMap::try_from(Grid::from_fn(421, 421, opacity)).unwrap();
    for kernel in [Kernel::Width4, Kernel::Width8, Kernel::Width16] {
        let mut fov = FieldOfView::new(SightConfig::default().with_radius(200)).unwrap();
        set_kernel(&mut fov, kernel);
        for (facing, span) in [
            (30.0, 20.0),
            (20.0, 90.0),
            (45.0, 90.0),
            (100.0, 6.0),
            (200.0, 350.0),
            (203.0, 300.0),
            (0.0, 359.0),
            (300.0, 1.0),
            (170.0, 340.0), // a gap starting at the northern axis
            (190.0, 340.0),
        ] {
            assert_sector_is_a_part_of_the_view(&mut fov, &map, ivec2(210, 205), Sector::new(facing, span));
        }
    }
}

#[test]
fn edges_along_axes_and_diagonals_are_in_the_sector() {
    for turn in 0..8 {
        let sector = Sector::new(45.0 * f64::from(turn), 90.0);
        let octants = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)].map(|(x, y)| ivec2(x, y));
        let inside = (0..8).filter(|&k| sector.contains(4000 * octants[k])).count();
        assert_eq!(inside, 3, "{sector:?}");
        assert!([7, 0, 1].into_iter().all(|k| sector.contains(octants[(turn as usize + k) % 8])), "{sector:?}");
    }
}

#[test]
fn offsets_of_any_size_are_inside_or_not() {
    for (x, y) in [(i32::MIN, i32::MIN), (i32::MAX, i32::MIN), (i32::MAX, i32::MAX), (0, i32::MAX), (i32::MIN, 1)] {
        for facing in [0.0, 45.0, 89.9999, 135.0, 200.0, -90.0] {
            let _ = Sector::new(facing, 30.0).contains(ivec2(x, y));
        }
        for shape in [RadiusShape::Circle, RadiusShape::Square, RadiusShape::Diamond] {
            assert!(!shape.contains(ivec2(x, y), 1 << 30) && shape.contains(IVec2::ZERO, u32::MAX));
        }
    }
    assert!(Sector::new(135.0, 30.0).contains(IVec2::MAX - 1));
}

#[test]
fn angles_out_of_range_are_errors() {
    let map = OpacityMap::clear(5, 5).unwrap();
    let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
    for (facing, span) in [(f64::INFINITY, 90.0), (f64::NAN, 90.0), (0.0, 0.0), (0.0, 361.0), (0.0, f64::INFINITY)] {
        let error = fov.compute_sector(&map, IVec2::ZERO, Sector::new(facing, span)).unwrap_err();
        assert!(matches!(error, SightError::OutOfRange(_)), "{error}");
        assert!(FieldOfView::new(SightConfig::default().with_sector(Sector::new(facing, span))).is_err());
    }
    let error = fov.compute_sector(&map, IVec2::ZERO, Sector::new(0.0, 0.5)).unwrap_err().to_string();
    assert_eq!(error, "span: 0.5 is not valid: expected 1 to 360");
    let error = fov.compute_sector(&map, IVec2::ZERO, Sector::new(f64::NAN, 90.0)).unwrap_err().to_string();
    assert_eq!(error, "facing: NaN is not valid: expected a finite number");
}

#[test]
fn directions_wrap() {
    let map = OpacityMap::clear(41, 41).unwrap();
    let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
    let mut view = |facing| fov.compute_sector(&map, (20, 20), Sector::new(facing, 60.0)).unwrap().to_owned();
    for turns in [-30, -1, 1, 2, 1_000_000] {
        assert_eq!(view(75.0 + 360.0 * f64::from(turns)), view(75.0), "{turns}");
    }
    assert!(view(75.0).get((30, 18)) > 0.0 && view(75.0).get((10, 20)) == 0.0);
}
