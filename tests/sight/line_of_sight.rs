//! The line of sight between two cells has the bits of a view.

use farsight::SightConfig;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{Decay, FieldOfView, Method, MethodKind, OpacityMap, PathRule, SightError, Weights};
use proptest::prelude::*;

use crate::support::sight::{any_config, any_scene, any_two_parent, cases};

/// Compares the line of sight to every cell of a map, or every few, and to some beyond, with the view.
fn assert_lines_have_the_bits_of_the_view(
    config: &SightConfig,
    kernel: Option<Kernel>,
    map: &OpacityMap,
    viewer: IVec2,
    every: usize,
) {
    let mut fov = FieldOfView::new(config.clone()).unwrap();
    let mut lines = FieldOfView::new(config.clone()).unwrap();
    kernel.into_iter().for_each(|kernel| set_kernel(&mut lines, kernel));
    let view = fov.compute(map, viewer).unwrap();
    let size = map.grid().size();
    for cell in (-2..size.y + 2).flat_map(|y| (-2..size.x + 2).map(move |x| ivec2(x, y))).step_by(every) {
        let (found, expected) = (lines.line_of_sight(map, viewer, cell).unwrap(), view.get(cell));
        assert_eq!(found.to_bits(), expected.to_bits(), "{cell} from {viewer}: {found}, not {expected}; {config:?}");
    }
    // Lines between views leave views as they are.
    let (again, fresh) = (lines.compute(map, viewer).unwrap().to_owned(), view.to_owned());
    assert_eq!(again, fresh, "{config:?}");
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn line_of_sight_has_the_bits_of_the_view(scene in any_scene(22), config in any_config()) {
        assert_lines_have_the_bits_of_the_view(&config, None, &scene.map(), scene.viewer, 1);
    }

    #[test]
    fn every_kernel_gives_the_same_line(scene in any_scene(40), config in any_two_parent(), kernel in 0..3usize) {
        let kernel = [Kernel::Plain, Kernel::Width4, Kernel::Width8][kernel];
        assert_lines_have_the_bits_of_the_view(&config, Some(kernel), &scene.map(), scene.viewer, 1);
    }
}

#[test]
fn long_lines_have_the_bits_of_the_view() {
    compare_long_lines(13);
}

#[test]
#[ignore = "takes a minute; a weekly job runs it"]
fn long_lines_to_all_cells_have_the_bits_of_the_view() {
    compare_long_lines(1);
}

/// Compares long lines with views, every few cells.
fn compare_long_lines(every: usize) {
    let map = |walls: i32| {
        OpacityMap::try_from(Grid::from_fn(150, 130, |c| match (c.x * 37 + c.y * 101 + c.x * c.y * 7) % 97 {
            n if n < walls => 1.0,
            n if n < 40 => n as f32 / 400.0,
            _ => 0.0,
        }))
        .unwrap()
    };
    let few = Method::Beam { beams: 0.6 };
    for (walls, method, path) in [
        (3, MethodKind::TwoParent.into(), PathRule::PerLength),
        (0, MethodKind::TwoParent.into(), PathRule::PerCell),
        (3, few, PathRule::PerLength),
        (0, few, PathRule::PerCell),
        (20, few, PathRule::PerLength),
    ] {
        for radius in [64, 100, 1000] {
            let decay = Decay::Smooth { reach: None };
            let config =
                SightConfig::default().with_radius(radius).with_method(method).with_path(path).with_decay(decay);
            assert_lines_have_the_bits_of_the_view(&config, None, &map(walls), ivec2(70, 66), every);
            assert_lines_have_the_bits_of_the_view(&config, None, &map(walls), ivec2(1, 129), every);
        }
    }
}

#[test]
fn lines_of_sight_allocate_nothing() {
    let map = OpacityMap::try_from(Grid::from_fn(150, 90, |c| ((c.x * 7 + c.y * 3) % 11) as f32 / 10.0)).unwrap();
    let projection = Method::TwoParent { weights: Weights::Projection };
    for method in MethodKind::ALL.iter().copied().map(Method::from).chain([projection]) {
        let config = SightConfig::default().with_radius(100).with_method(method);
        let mut fov = FieldOfView::new(config).unwrap();
        fov.line_of_sight(&map, ivec2(75, 45), ivec2(149, 0)).unwrap();
        let counted = allocation_counter::measure(|| {
            for to in [ivec2(0, 0), ivec2(149, 89), ivec2(70, 3), ivec2(75, 45), ivec2(140, 50)] {
                fov.line_of_sight(&map, ivec2(75, 45), to).unwrap();
            }
        });
        assert_eq!(counted.count_total, 0, "{method:?}");
    }
}

#[test]
fn line_from_a_cell_off_the_map_is_an_error() {
    let map = OpacityMap::clear(5, 5).unwrap();
    let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
    let error = fov.line_of_sight(&map, ivec2(5, 0), ivec2(0, 0)).unwrap_err();
    assert!(matches!(error, SightError::ViewerOutside { .. }));
    assert_eq!(fov.line_of_sight(&map, ivec2(4, 0), IVec2::MIN), Ok(0.0));
}
