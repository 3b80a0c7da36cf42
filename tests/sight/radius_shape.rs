//! Shapes of the radius, and radii beyond the map.

use farsight::Job;
use farsight::SightConfig;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{Decay, FieldOfView, MethodKind, OpacityMap, PathRule, RadiusShape, SightError};
use farsight::viewshed::{Surface, Viewshed};
use proptest::prelude::*;

use crate::support::sight::{any_scene, any_soft_config, cases};

const SHAPES: [RadiusShape; 3] = [RadiusShape::Circle, RadiusShape::Square, RadiusShape::Diamond];

/// A decay whose factors do not depend on the radius.
fn decay() -> Decay {
    Decay::Exponential { half: Some(9.0) }
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn shape_is_a_part_of_a_larger_circle(scene in any_scene(60), config in any_soft_config(), radius in 0..=30u32, which in 0..3usize, kernel in 0..4usize) {
        let (map, viewer, shape) = (scene.map(), scene.viewer, SHAPES[which]);
        let config = config.with_decay(decay());
        let outer = if shape == RadiusShape::Square { (f64::from(radius) * 2f64.sqrt()).ceil() as u32 } else { radius };
        let mut circle = FieldOfView::new(config.clone().with_radius(outer)).unwrap();
        let circle = circle.compute(&map, viewer).unwrap();
        let mut fov = FieldOfView::new(config.with_radius(radius).with_shape(shape)).unwrap();
        set_kernel(&mut fov, [Kernel::Plain, Kernel::Width4, Kernel::Width8, Kernel::Width16][kernel]);
        for _ in 0..2 {
            let view = fov.compute(&map, viewer).unwrap();
            for (cell, _) in scene.opacity.iter() {
                let expected = if shape.contains(cell - viewer, radius) { circle.get(cell) } else { 0.0 };
                prop_assert_eq!(view.get(cell).to_bits(), expected.to_bits(), "{} from {}", cell, viewer);
            }
            let view = view.to_owned();
            for (cell, _) in scene.opacity.iter().step_by(7) {
                prop_assert_eq!(fov.line_of_sight(&map, viewer, cell).unwrap(), view.get(cell));
            }
        }
    }
}

#[test]
fn small_shapes_have_all_their_cells() {
    let (map, viewer) = (OpacityMap::clear(41, 41).unwrap(), ivec2(20, 20));
    for (shape, radius) in SHAPES.into_iter().flat_map(|shape| (0..=12).map(move |radius| (shape, radius))) {
        for kernel in [Kernel::Plain, Kernel::Width4, Kernel::Width8, Kernel::Width16] {
            let config = SightConfig::default().with_radius(radius).with_shape(shape);
            let mut fov = FieldOfView::new(config).unwrap();
            set_kernel(&mut fov, kernel);
            let view = fov.compute(&map, viewer).unwrap();
            for (cell, _) in map.grid().iter() {
                let expected = if shape.contains(cell - viewer, radius) { 1.0 } else { 0.0 };
                assert_eq!(view.get(cell), expected, "{shape:?} of {radius}, {kernel:?}: {cell}");
            }
        }
    }
}

#[test]
fn squares_that_end_with_the_first_lane_of_a_block_are_computed() {
    for radius in (8..=96).step_by(8) {
        let side = 2 * radius as usize + 1;
        let map =
            OpacityMap::try_from(Grid::from_fn(side, side, |c| ((c.x * 7 + c.y * 5) % 11) as f32 / 40.0)).unwrap();
        let viewer = IVec2::splat(radius as i32);
        let square = SightConfig::default().with_decay(decay());
        let configs = [
            square.clone().with_radius(radius).with_shape(RadiusShape::Square),
            square.with_radius(SightConfig::UNLIMITED),
        ];
        for config in configs {
            let mut fov = FieldOfView::new(config).unwrap();
            let mut of_kernel = |kernel, map: &OpacityMap| {
                set_kernel(&mut fov, kernel);
                fov.compute(map, viewer).unwrap().to_owned()
            };
            let expected = of_kernel(Kernel::Plain, &map);
            for kernel in [Kernel::Width4, Kernel::Width8, Kernel::Width16] {
                let view = of_kernel(kernel, &map);
                for (cell, _) in map.grid().iter() {
                    assert_eq!(view.get(cell).to_bits(), expected.get(cell).to_bits(), "{kernel:?}, {radius}: {cell}");
                }
            }
        }
    }
}

#[test]
fn unlimited_radius_reaches_the_corners_of_a_large_map() {
    let map = OpacityMap::clear(1300, 1200).unwrap();
    let decay = Decay::Exponential { half: Some(400.0) };
    for (method, path) in [(MethodKind::TwoParent, PathRule::PerLength), (MethodKind::TwoParent, PathRule::PerCell)] {
        let config = SightConfig::default().with_method(method).with_path(path).with_decay(decay.clone());
        let mut fov = FieldOfView::new(config.with_radius(SightConfig::UNLIMITED)).unwrap();
        let corner = ivec2(1299, 1199);
        let seen = fov.compute(&map, IVec2::ZERO).unwrap().get(corner);
        let expected = decay.at(corner.as_dvec2().length(), 0);
        assert!((f64::from(seen) - expected).abs() < 1e-5, "{seen}, not {expected}");
        assert_eq!(fov.line_of_sight(&map, IVec2::ZERO, corner).unwrap(), seen);
    }
    let map = OpacityMap::clear(5000, 1).unwrap();
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(SightConfig::UNLIMITED)).unwrap();
    assert!(matches!(fov.compute(&map, IVec2::ZERO), Err(SightError::RadiusTooLarge { .. })));
    assert_eq!(fov.compute(&map, ivec2(2500, 0)).unwrap().visible().count(), 5000);
}

#[test]
fn viewsheds_have_the_shape_of_the_radius() {
    let ground = Grid::from_fn(90, 70, |c| ((c.x * 7 + c.y * 13) % 17) as f32);
    let surface = Surface::of(&ground, 10.0).with_eye_height(30.0);
    for method in [MethodKind::TwoParent, MethodKind::Exact] {
        for (radius, viewer) in [(20, ivec2(40, 35)), (30, ivec2(3, 60))] {
            let config = SightConfig::default().with_method(method).with_radius(radius);
            let mut whole = Viewshed::new(config.clone().with_radius(60)).unwrap();
            let whole = whole.compute(&surface, viewer, Job::none()).unwrap();
            for shape in SHAPES {
                let mut viewshed = Viewshed::new(config.clone().with_shape(shape)).unwrap();
                let view = viewshed.compute(&surface, viewer, Job::none()).unwrap();
                for (cell, _) in ground.iter() {
                    let is_inside = shape.contains(cell - viewer, radius);
                    assert_eq!(view.get(cell), if is_inside { whole.get(cell) } else { 0.0 }, "{shape:?}, {cell}");
                }
                assert!(view.visible().count() > 200);
            }
        }
    }
}
