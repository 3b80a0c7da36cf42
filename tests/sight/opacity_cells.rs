//! Views on a game's own map, read cell by cell, and maps of which many cells change.

use std::collections::HashMap;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::sight::{FieldOfView, MethodKind, OpacityCells, OpacityError, OpacityMap, RadiusShape, SightConfig};
use proptest::prelude::*;

use crate::support::sight::{any_opacity, any_scene, any_soft_config, cases};

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn own_map_gives_the_bits_of_a_map_and_is_asked_once(scene in any_scene(24), config in any_soft_config(), radius in 0..=20u32) {
        let config = config.with_radius(radius);
        // The number of beams depends on the map for large radii only.
        let (mut fov, mut expected) = (FieldOfView::new(config.clone()).unwrap(), FieldOfView::new(config).unwrap());
        let map = scene.map();
        for viewer in [scene.viewer, IVec2::ZERO] {
            let mut asked = HashMap::new();
            let opacity = |cell: IVec2| {
                *asked.entry(cell).or_insert(0) += 1;
                map.get(cell).unwrap_or(f32::NAN)
            };
            let view = fov.compute(OpacityCells::new(opacity), viewer).unwrap();
            let over_map = expected.compute(&map, viewer).unwrap();
            for (cell, _) in scene.opacity.iter() {
                prop_assert_eq!(view.get(cell).to_bits(), over_map.get(cell).to_bits(), "{}", cell);
            }
            prop_assert!(view.visible().all(|(cell, _)| scene.opacity.contains(cell)));
            prop_assert!(asked.values().all(|&times| times == 1));
            let shape = fov.config().shape;
            let in_range = |cell: &IVec2| shape.contains(*cell - viewer, radius);
            prop_assert!(asked.keys().all(in_range));
            let around = CellRect::around(viewer, radius).cells();
            prop_assert_eq!(asked.len(), around.filter(in_range).count());
        }
    }

    #[test]
    fn walls_hide_cells_from_the_methods_of_yes_and_no(scene in any_scene(24), method in any_binary_method(), radius in 0..=30u32) {
        let config = SightConfig::default().with_radius(radius).with_method(method);
        let mut fov = FieldOfView::new(config).unwrap();
        let map = scene.map();
        let extent = CellRect::of_size(map.grid().size());
        for viewer in [scene.viewer, IVec2::ZERO] {
            let over_map = fov.compute(&map, viewer).unwrap().to_owned();
            for is_clipped in [false, true] {
                let mut asked = HashMap::new();
                let mut cells = OpacityCells::new(|cell| {
                    *asked.entry(cell).or_insert(0) += 1;
                    map.get(cell).unwrap_or(f32::NAN)
                });
                if is_clipped {
                    cells = cells.within(extent);
                }
                let seen = fov.compute(cells, viewer).unwrap().to_owned();
                // Its lines end at the edge of a map, if there is one.
                prop_assert!(seen == over_map || (method == MethodKind::RaycastBorder && !is_clipped));
                prop_assert!(asked.values().all(|&times| times == 1));
                prop_assert!(!is_clipped || asked.keys().all(|&cell| extent.contains(cell)));
                prop_assert!(asked.keys().all(|&cell| RadiusShape::Circle.contains(cell - viewer, radius)));
            }
        }
    }

    #[test]
    fn many_changes_are_the_same_as_one_by_one(
        scene in any_scene(70),
        changes in proptest::collection::vec((0..70i32, 0..70i32, any_opacity()), 0..30),
        radius in 0..=80u32,
    ) {
        let size = scene.opacity.size();
        let changes = changes.into_iter().map(|(x, y, opacity)| (ivec2(x, y) % size, opacity));
        let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius)).unwrap();
        let (mut many, mut single) = (scene.map(), scene.map());
        fov.compute(&many, scene.viewer).unwrap(); // makes the copies that have to change, too
        many.set_many(changes.clone()).unwrap();
        for (cell, opacity) in changes {
            single.set(cell, opacity).unwrap();
        }
        prop_assert_eq!(&many, &single);
        let seen = fov.compute(&many, scene.viewer).unwrap().to_owned();
        let fresh = OpacityMap::try_from(single.into_grid()).unwrap();
        prop_assert_eq!(fov.compute(&fresh, scene.viewer).unwrap().to_owned(), seen);
    }
}

fn any_binary_method() -> impl Strategy<Value = MethodKind> {
    prop::sample::select(MethodKind::ALL.iter().copied().filter(|method| method.is_binary()).collect::<Vec<_>>())
}

#[test]
fn only_a_closed_room_is_read_within_a_large_radius() {
    let room = CellRect::around((0, 0), 4);
    for method in MethodKind::ALL.iter().copied().filter(|method| method.is_binary()) {
        let config = SightConfig::default().with_radius(40).with_method(method);
        let (mut fov, mut reads) = (FieldOfView::new(config).unwrap(), 0);
        let opacity = |cell| {
            reads += 1;
            if room.contains(cell) { 0.0 } else { 1.0 }
        };
        let seen = fov.compute(OpacityCells::new(opacity), (0, 0)).unwrap().seen().count();
        assert!(reads <= 121, "{}: {reads}", method.name()); // of 5,025: 81 of floor, 40 of walls
        assert!(seen > 110, "{}", method.name());
    }
}

#[test]
fn map_stays_as_it_was_if_one_of_many_changes_is_an_error() {
    let mut map = OpacityMap::clear(3, 2).unwrap();
    let error = map.set_many([(ivec2(0, 0), 1.0), (ivec2(3, 0), 1.0)]).unwrap_err();
    assert_eq!(error, OpacityError::Outside { cell: ivec2(3, 0), width: 3, height: 2 });
    let error = map.set_many([(ivec2(0, 0), 1.0), (ivec2(2, 1), 1.5)]).unwrap_err();
    assert_eq!(error, OpacityError::OutOfRange { cell: ivec2(2, 1), value: 1.5 });
    assert_eq!(map, OpacityMap::clear(3, 2).unwrap());
}

#[test]
fn clear_maps_beyond_coordinates_or_memory_are_errors() {
    let longest = i32::MAX as usize;
    for (width, height) in [(usize::MAX, 2), (2, usize::MAX), (longest + 1, 1), (longest, longest)] {
        assert_eq!(OpacityMap::clear(width, height), Err(OpacityError::TooLarge { width, height }));
    }
    assert_eq!(OpacityMap::clear(0, 2), Err(OpacityError::Empty { width: 0, height: 2 }));
    assert_eq!(OpacityMap::clear(3, 2).unwrap().grid(), &farsight::Grid::new(3, 2, 0.0));
}
