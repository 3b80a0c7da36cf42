//! After the first call, a field of view allocates nothing.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{Decay, FieldOfView, MethodKind, OpacityMap, OpacityRows, PathRule, SightConfig};

#[test]
fn later_calls_allocate_nothing() {
    let map = OpacityMap::try_from(Grid::from_fn(150, 90, |c| ((c.x * 7 + c.y * 3) % 11) as f32 / 10.0)).unwrap();
    let kernels = [Kernel::Plain, Kernel::Width4, Kernel::Width8, Kernel::Width16];
    let methods = kernels.map(|kernel| (MethodKind::TwoParent, kernel));
    let others =
        MethodKind::ALL.iter().copied().filter(|method| !matches!(method, MethodKind::TwoParent | MethodKind::Exact));
    for (method, kernel) in methods.into_iter().chain(others.map(|method| (method, Kernel::Plain))) {
        for path in [PathRule::PerCell, PathRule::PerLength] {
            let decay = Decay::Smooth { reach: None };
            let mut fov = FieldOfView::new(
                SightConfig::default().with_radius(40).with_method(method).with_path(path).with_decay(decay),
            )
            .unwrap();
            set_kernel(&mut fov, kernel);
            fov.compute(&map, ivec2(75, 45)).unwrap();
            let counted = allocation_counter::measure(|| {
                for viewer in [IVec2::ZERO, ivec2(149, 89), ivec2(70, 3), ivec2(75, 45)] {
                    fov.compute(&map, viewer).unwrap();
                    fov.compute(OpacityRows::new(|_, row| row.fill(0.1)), viewer).unwrap();
                    fov.compute(
                        OpacityRows::new(|_, row| row.fill(0.1)).within(CellRect::of_size(map.grid().size())),
                        viewer,
                    )
                    .unwrap();
                }
            });
            assert_eq!(counted.count_total, 0, "{method:?}, {kernel:?}, {path:?}");
        }
    }
}

#[test]
fn the_counter_counts() {
    let counted = allocation_counter::measure(|| {
        FieldOfView::new(SightConfig::default()).unwrap();
    });
    assert!(counted.count_total > 0);
}
