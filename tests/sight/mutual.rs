//! Who sees whom.

use farsight::SightConfig;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::sight::{FieldOfView, MethodKind, OpacityCells, OpacityMap, PathRule, SightError};
use proptest::prelude::*;

use crate::support::sight::{any_config, any_scene, cases};

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn creatures_see_each_other_as_in_views(
        scene in any_scene(40),
        config in any_config(),
        places in proptest::collection::vec((0..40i32, 0..40i32, prop_oneof![3 => 0..=30u32, 1 => Just(400)]), 0..40),
    ) {
        let (map, size) = (scene.map(), scene.opacity.size());
        let creatures: Vec<_> = places.into_iter().map(|(x, y, radius)| (ivec2(x, y) % size, radius)).collect();
        let seen = FieldOfView::new(config.clone()).unwrap().mutual(&map, &creatures).unwrap();
        prop_assert_eq!(seen.size(), IVec2::splat(creatures.len() as i32));
        for (i, &(from, radius)) in creatures.iter().enumerate() {
            let config = config.clone().with_radius(radius).with_method(MethodKind::TwoParent);
            let mut fov = FieldOfView::new(config).unwrap();
            let view = fov.compute(&map, from).unwrap();
            for (j, &(to, other)) in creatures.iter().enumerate() {
                let (found, expected) = (seen[ivec2(j as i32, i as i32)], view.get(to));
                if j > i {
                    prop_assert_eq!(found.to_bits(), expected.to_bits(), "{} to {}", from, to);
                } else {
                    prop_assert!((found - expected).abs() < 1e-5, "{from} to {to}: {found}, not {expected}");
                }
                if radius == other {
                    prop_assert_eq!(found.to_bits(), seen[ivec2(i as i32, j as i32)].to_bits());
                }
            }
        }
    }
}

#[test]
fn crowd_on_one_side_is_seen_as_in_a_view() {
    let map =
        OpacityMap::try_from(Grid::from_fn(61, 61, |c| if c.x % 7 == 3 && c.y % 5 == 1 { 0.5 } else { 0.0 })).unwrap();
    let (middle, radius) = (ivec2(30, 30), 28);
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius)).unwrap();
    for turn in
        [ivec2(1, 0), ivec2(1, 1), ivec2(0, 1), ivec2(-1, 1), ivec2(-1, 0), ivec2(-1, -1), ivec2(0, -1), ivec2(1, -1)]
    {
        let aside = turn.perp();
        let crowd = (-2..=2).flat_map(|n| (9..=14).map(move |m| middle + turn * m + aside * n));
        let creatures: Vec<(IVec2, u32)> = std::iter::once(middle).chain(crowd).map(|cell| (cell, radius)).collect();
        let seen = fov.mutual(&map, &creatures).unwrap();
        let view = fov.compute(&map, middle).unwrap();
        for (j, (cell, _)) in (0..).zip(&creatures) {
            assert_eq!(seen[ivec2(j, 0)].to_bits(), view.get(*cell).to_bits(), "{cell}");
        }
        assert!(view.get(creatures[9].0) > 0.0);
    }
}

#[test]
fn crowd_in_octants_that_are_not_neighbours_is_seen_as_in_a_view() {
    let map = OpacityMap::clear(61, 61).unwrap();
    let (middle, radius) = (ivec2(30, 30), 28);
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius)).unwrap();
    for turn in [ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0), ivec2(0, -1)] {
        for aside in [turn.perp(), -turn.perp()] {
            // Along an axis and on one side of the next diagonal but one, both near the viewer.
            let near = (1..=8).map(|m| turn * m);
            let crowd = near.chain((5..=12).map(|m| aside * m + turn * 2)).map(|offset| middle + offset);
            let creatures: Vec<(IVec2, u32)> =
                std::iter::once(middle).chain(crowd).map(|cell| (cell, radius)).collect();
            let seen = fov.mutual(&map, &creatures).unwrap();
            let view = fov.compute(&map, middle).unwrap();
            for (j, (cell, _)) in (0..).zip(&creatures) {
                assert_eq!(seen[ivec2(j, 0)].to_bits(), view.get(*cell).to_bits(), "{}", *cell - middle);
            }
        }
    }
}

#[test]
fn creature_off_the_map_is_an_error() {
    let map = OpacityMap::clear(5, 5).unwrap();
    let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
    let error = fov.mutual(&map, &[(ivec2(1, 1), 3), (ivec2(5, 1), 3)]).unwrap_err();
    assert!(matches!(error, SightError::ViewerOutside { viewer, .. } if viewer == ivec2(5, 1)));
    assert!(fov.mutual::<IVec2>(&map, &[]).unwrap().as_slice().is_empty());
    assert_eq!(fov.mutual(&map, &[([1, 1], 0)]).unwrap().as_slice(), [1.0]);
}

#[test]
fn own_maps_give_the_values_of_opacity_maps() {
    let map =
        OpacityMap::try_from(Grid::from_fn(70, 50, |c| [0.0, 0.0, 0.3, 0.0, 1.0][((c.x * 7 + c.y * 11) % 5) as usize]))
            .unwrap();
    let creatures: Vec<_> = (0..40).map(|i| (ivec2(i * 29 % 70, i * 17 % 50), [0, 5, 30][i as usize % 3])).collect();
    for config in [SightConfig::default(), SightConfig::default().with_path(PathRule::PerLength)] {
        let mut fov = FieldOfView::new(config).unwrap();
        let expected = fov.mutual(&map, &creatures).unwrap();
        let opacity = |cell| map.get(cell).unwrap_or(f32::NAN);
        assert_eq!(fov.mutual(OpacityCells::new(opacity), &creatures).unwrap(), expected);
        let clipped = OpacityCells::new(opacity).within(CellRect::of_size(map.grid().size()));
        assert_eq!(fov.mutual(clipped, &creatures).unwrap(), expected);
    }
    // A street around a planet, and two creatures far apart on it.
    let street = |cell: IVec2| if cell.y == 0 { 0.0 } else { f32::NAN };
    let far = 1 << 28;
    let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
    let seen = fov.mutual(OpacityCells::new(street), &[((0, 0), 4), ((3, 0), 2), ((far, 0), 9), ((0, 1), 9)]).unwrap();
    let values = [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    assert_eq!(seen.as_slice()[..12], values);
}
