//! The figures, where they must tell the methods apart.

use std::convert::Infallible;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{FieldOfView, Method, MethodKind, OpacityMap, SightConfig};
use farsight_scene::compare::{
    Asymmetry, GALLERY_MAPS, blind_spots, hidden_walls, orphans, room_walls_missed, spread, visibilities, within,
};
use farsight_scene::world::{Dungeon, DungeonConfig};

fn dungeon() -> OpacityMap {
    let config = DungeonConfig::default().with_seed(4).with_width(90).with_height(60);
    OpacityMap::try_from(Dungeon::generate(&config).unwrap().opacity).unwrap()
}

fn classics() -> [SightConfig; 4] {
    let of = |method: Method| SightConfig::default().with_method(method).with_radius(40);
    [
        of(MethodKind::Shadowcast.into()),
        of(MethodKind::RaycastBorder.into()),
        of(Method::RaycastBorder { wall_at: 0.5, repair: false }),
        of(Method::RaycastCircle { wall_at: 0.5, rays: 90 }),
    ]
}

/// The view of a whole map, in the map's shape.
fn whole(map: &OpacityMap, viewer: IVec2, config: &SightConfig) -> Grid<f32> {
    visibilities(&mut FieldOfView::new(config.clone()).unwrap(), map, viewer).unwrap()
}

#[test]
fn only_the_two_parent_method_is_symmetric() {
    let map = dungeon();
    let floor: Vec<_> = map.grid().iter().filter(|(_, opacity)| **opacity == 0.0).map(|(cell, _)| cell).collect();
    let cells = spread(&floor, 150);
    let asymmetry = |config: SightConfig| {
        let mut fov = FieldOfView::new(config).unwrap();
        Asymmetry::over(&cells, |viewer, targets| {
            let view = fov.compute(&map, viewer)?;
            Ok::<_, farsight::sight::SightError>(targets.iter().map(|&to| view.get(to)).collect())
        })
        .unwrap()
    };
    for config in classics() {
        let found = asymmetry(config.clone());
        assert!(found.pairs > 100 && found.max == 1.0, "{config:?}: {found:?}");
    }
    let found = asymmetry(SightConfig::default().with_radius(40));
    assert!(found.pairs > 100 && found.max <= 1e-6, "{found:?}");
}

#[test]
fn walls_of_a_room_go_missing_where_the_sources_say_so() {
    let missed = classics().map(|config| {
        let counts =
            room_walls_missed(ivec2(21, 9), |map, viewer| Ok::<_, Infallible>(whole(map, viewer, &config))).unwrap();
        assert_eq!(counts.walls, 21 * 9 * 64);
        counts.missed
    });
    let [shadowcast, repaired, bare, circle] = missed;
    assert_eq!(shadowcast, 0, "shadowcasting sees them all");
    assert!(0 < repaired && repaired < bare && bare < circle, "{missed:?}");
}

#[test]
fn the_repair_misses_no_wall_of_a_room_but_corners() {
    let config = &classics()[1];
    let counts = room_walls_missed(ivec2(21, 9), |map, viewer| {
        let mut view = whole(map, viewer, config);
        for corner in [ivec2(0, 0), ivec2(22, 0), ivec2(0, 10), ivec2(22, 10)] {
            view[corner] = 1.0;
        }
        Ok::<_, Infallible>(view)
    })
    .unwrap();
    assert_eq!(counts.missed, 0);
}

#[test]
fn artefacts_on_the_maps_of_the_gallery() {
    let mut found = [[0; 3]; 4];
    for gallery in GALLERY_MAPS {
        let (map, viewer) = (gallery.map(), gallery.map().viewer.unwrap());
        let map = OpacityMap::try_from(map.opacity).unwrap();
        let mask = within(map.grid().size(), viewer, 40);
        for (counts, config) in found.iter_mut().zip(classics()) {
            let view = whole(&map, viewer, &config);
            counts[0] += orphans(&view, viewer).len();
            counts[1] += hidden_walls(&view, map.grid(), &mask, viewer).unwrap().len();
            counts[2] += blind_spots(&view, map.grid(), &mask, viewer).unwrap().len();
        }
        let mut fov = FieldOfView::new(SightConfig::default().with_radius(40)).unwrap();
        let view = fov.compute(&map, viewer).unwrap();
        assert_eq!(orphans(&view.grid().to_grid(), viewer - view.top_left()), [], "{}", gallery.name);
    }
    let [shadowcast, border, bare, circle] = found;
    assert_eq!(border[1], 0, "the repair leaves no wall behind seen floor in the dark");
    assert!(border[0] > 0, "but lights some that no line leads to: {found:?}");
    assert!(bare[1] > shadowcast[1] && circle[1] > shadowcast[1], "{found:?}");
    assert!(border[2] > 0 && bare[2] >= border[2] && circle[2] > bare[2], "{found:?}");
}
