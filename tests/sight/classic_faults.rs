//! The classic methods: bugs and faults that their sources name, edge cases, and scenes.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid, TextMap};
use farsight::perception::{CellMemory, Memory, OutOfSight};
use farsight::sight::{
    FieldOfView, Method, MethodKind, OpacityCells, OpacityMap, RadiusShape, SightConfig, SightError,
};
use farsight_scene::compare::GalleryMap;
use farsight_scene::preset::{DecayKind, Preset, SightSettings};
use farsight_scene::scene::{Layer, Scene};

use crate::support::classic::{Seen, classic_methods, config, see};

fn with(method: Method, radius: u32) -> SightConfig {
    SightConfig::default().with_method(method).with_radius(radius)
}

/// A classic method, with the minimum opacity of its walls.
fn with_wall_at(method: MethodKind, wall_at: f64) -> Method {
    match method.into() {
        Method::SymmetricShadowcast { .. } => Method::SymmetricShadowcast { wall_at },
        Method::Shadowcast { .. } => Method::Shadowcast { wall_at },
        Method::RaycastBorder { repair, .. } => Method::RaycastBorder { wall_at, repair },
        Method::RaycastCircle { rays, .. } => Method::RaycastCircle { wall_at, rays },
        other => other,
    }
}

/// A map and its viewer from text.
fn drawn(text: &str) -> (OpacityMap, IVec2) {
    let map = TextMap::parse(text).unwrap();
    (OpacityMap::try_from(map.opacity).unwrap(), map.viewer.unwrap())
}

/// Seen walls and floor as `#` and `.`, the viewer as `@`, other cells as spaces.
fn picture(map: &OpacityMap, view: &Seen) -> String {
    let grid = map.grid();
    let mut text = String::new();
    for y in 0..grid.height() as i32 {
        for x in 0..grid.width() as i32 {
            let cell = ivec2(x, y);
            text.push(match (view.get(cell), cell == view.viewer, grid[cell] >= 0.5) {
                (false, ..) => ' ',
                (_, true, _) => '@',
                (.., true) => '#',
                _ => '.',
            });
        }
        text.push('\n');
    }
    text
}

// The bugs that the source of shadowcasting calls common.

#[test]
fn map_is_hidden_at_the_start_except_the_view() {
    let (map, viewer) = drawn("##########\n#..@.#...#\n#....#...#\n##########");
    let mut memory = Memory::new(CellRect::of_size((10, 4)));
    assert!(memory.grid().as_slice().iter().all(|&state| state == CellMemory::Hidden));
    memory.update(see(&map, viewer, MethodKind::Shadowcast, 20).visible(), OutOfSight::Remember);
    assert_eq!(memory.get(ivec2(1, 2)), CellMemory::Visible);
    assert_eq!(memory.get(ivec2(7, 2)), CellMemory::Hidden);
    assert_eq!(memory.get(ivec2(-1, 2)), CellMemory::Hidden);
}

#[test]
fn room_out_of_sight_is_remembered_and_not_lit() {
    let (mut map, viewer) = drawn("#########\n#@..#...#\n#########");
    let mut memory = Memory::new(CellRect::of_size((9, 3)));
    memory.update(see(&map, viewer, MethodKind::Shadowcast, 20).visible(), OutOfSight::Remember);
    memory.update(see(&map, ivec2(6, 1), MethodKind::Shadowcast, 20).visible(), OutOfSight::Remember);
    assert_eq!(memory.get(ivec2(2, 1)), CellMemory::Seen);
    assert_eq!(memory.get(ivec2(5, 1)), CellMemory::Visible);
    map.set(ivec2(4, 1), 0.0).unwrap(); // the door opens
    memory.update(see(&map, ivec2(6, 1), MethodKind::Shadowcast, 20).visible(), OutOfSight::Remember);
    assert_eq!(memory.get(ivec2(2, 1)), CellMemory::Visible);
}

#[test]
fn more_than_the_tile_underfoot_is_lit() {
    let (map, viewer) = drawn("#####\n#...#\n#.@.#\n#...#\n#####");
    for method in classic_methods() {
        let view = see(&map, viewer, method, 8);
        assert!(map.grid().iter().filter(|(c, _)| (*c - viewer).abs().max_element() < 2).all(|(c, _)| view.get(c)));
    }
    let view = see(&map, viewer, MethodKind::Shadowcast, 8);
    assert_eq!(view.visible().count(), 25, "{}", picture(&map, &view));
}

#[test]
fn lit_area_is_a_disc() {
    let map = OpacityMap::clear(61, 41).unwrap();
    let viewer = ivec2(40, 18);
    for method in classic_methods() {
        let view = see(&map, viewer, method, 15);
        for (cell, _) in map.grid().iter() {
            let in_range = (cell - viewer).length_squared() <= 15 * 15;
            assert_eq!(view.get(cell), in_range, "{method:?} {cell}");
        }
    }
}

#[test]
fn viewer_in_a_room_sees_all_floor_and_walls() {
    let room = OpacityMap::try_from(Grid::from_fn(17, 12, |c| {
        f32::from(u8::from(c.x == 0 || c.y == 0 || c.x == 16 || c.y == 11))
    }))
    .unwrap();
    for (viewer, _) in room.grid().iter().filter(|(_, opacity)| **opacity == 0.0) {
        let shadowcast = see(&room, viewer, MethodKind::Shadowcast, 40);
        assert_eq!(shadowcast.visible().count(), 17 * 12, "{}", picture(&room, &shadowcast));
    }
}

#[test]
fn no_radius_overflows_the_stack() {
    // Walls in every row and octant, in a thread with a very small stack.
    let many_walls = || {
        let map = Grid::from_fn(1401, 1401, |c| if c.x % 7 == 3 && c.y % 5 == 2 { 1.0 } else { 0.0 });
        let map = OpacityMap::try_from(map).unwrap();
        [1000, 4096, u32::MAX]
            .map(|radius| see(&map, ivec2(700, 700), MethodKind::Shadowcast, radius).visible().count())
    };
    let counts = std::thread::Builder::new().stack_size(64 * 1024).spawn(many_walls).unwrap().join().unwrap();
    assert!(counts[0] > 1000 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

// The faults that the sources name.

#[test]
fn without_repair_walls_along_a_line_of_sight_have_holes() {
    let (map, viewer) = drawn(
        "########################\n\
         @.......................\n\
         ########################",
    );
    let wall_seen = |repair| {
        let config = with(Method::RaycastBorder { wall_at: 0.5, repair }, 40);
        let view = Seen::compute(&map, viewer, &config).unwrap();
        (0..24).filter(|&x| view.get(ivec2(x, 0))).count()
    };
    assert!(wall_seen(false) < 20, "{}", wall_seen(false));
    assert_eq!(wall_seen(true), 24);
}

#[test]
fn few_rays_miss_far_cells_first() {
    let map = OpacityMap::clear(201, 201).unwrap();
    let viewer = ivec2(100, 100);
    let nearest_miss = |rays| {
        let config = with(Method::RaycastCircle { wall_at: 0.5, rays }, 100);
        let view = Seen::compute(&map, viewer, &config).unwrap();
        let missed = map.grid().iter().map(|(cell, _)| cell).filter(|&cell| !view.get(cell));
        missed.map(|cell| (cell - viewer).length_squared()).min().map(|d| f64::from(d).sqrt())
    };
    let by_rays = [32, 90, 360].map(|rays| nearest_miss(rays).unwrap().round());
    assert_eq!(by_rays, [6.0, 13.0, 47.0]);
    assert_eq!(nearest_miss(2000).filter(|d| *d <= 100.0), None);
}

#[test]
fn no_older_method_is_symmetric() {
    let map =
        OpacityMap::try_from(Grid::from_fn(
            25,
            25,
            |c| {
                if (c.x * 7 + c.y * 11 + c.x * c.y) % 9 == 0 { 1.0 } else { 0.0 }
            },
        ))
        .unwrap();
    let floor: Vec<_> = map.grid().iter().filter(|(_, o)| **o == 0.0).map(|(c, _)| c).collect();
    for method in classic_methods().filter(|method| *method != MethodKind::SymmetricShadowcast) {
        let views: Vec<_> = floor.iter().map(|&viewer| see(&map, viewer, method, 40)).collect();
        let one_way =
            |i: usize| floor.iter().enumerate().filter(|&(j, &c)| views[i].get(c) && !views[j].get(floor[i])).count();
        assert!((0..floor.len()).map(one_way).sum::<usize>() > 0, "{method:?}");
    }
}

// Edge cases.

#[test]
fn small_maps_and_radii() {
    for method in classic_methods() {
        for opacity in [0.0, 1.0] {
            let one = OpacityMap::try_from(Grid::new(1, 1, opacity)).unwrap();
            for radius in [0, 1, 60, u32::MAX] {
                assert_eq!(see(&one, IVec2::ZERO, method, radius).visible().count(), 1);
            }
        }
        let map = OpacityMap::clear(9, 5).unwrap();
        let view = see(&map, ivec2(4, 2), method, 0);
        assert_eq!(view.visible().collect::<Vec<_>>(), [ivec2(4, 2)]);
        for corner in [ivec2(0, 0), ivec2(8, 0), ivec2(0, 4), ivec2(8, 4)] {
            assert_eq!(see(&map, corner, method, 100).visible().count(), 45, "{method:?} {corner}");
        }
        let strip = OpacityMap::clear(300, 1).unwrap();
        assert_eq!(see(&strip, ivec2(0, 0), method, u32::MAX).visible().count(), 300);
    }
}

#[test]
fn viewer_outside_is_an_error() {
    let map = OpacityMap::clear(9, 5).unwrap();
    for viewer in [ivec2(-1, 0), ivec2(9, 0), ivec2(0, 5), ivec2(i32::MIN, i32::MAX)] {
        for method in classic_methods() {
            let error = Seen::compute(&map, viewer, &config(method, 8)).unwrap_err();
            assert_eq!(error, SightError::ViewerOutside { viewer, extent: CellRect::of_size(ivec2(9, 5)) });
        }
    }
}

#[test]
fn radius_above_the_limit_is_an_error_on_a_large_map() {
    let map = OpacityMap::clear(5000, 1).unwrap();
    for method in classic_methods() {
        assert!(matches!(
            Seen::compute(&map, IVec2::ZERO, &config(method, u32::MAX)),
            Err(SightError::RadiusTooLarge { radius: 4999, .. })
        ));
        assert!(Seen::compute(&map, IVec2::ZERO, &config(method, 4096)).is_ok());
    }
}

#[test]
fn wall_threshold_is_inclusive() {
    for digit in 1..=9u8 {
        let (map, viewer) = drawn(&format!("@{digit}."));
        for method in classic_methods() {
            for (wall_at, seen_through) in [(f64::from(digit) / 10.0, false), (f64::from(digit) / 10.0 + 0.01, true)] {
                let config = with(with_wall_at(method, wall_at), 9);
                let view = Seen::compute(&map, viewer, &config).unwrap();
                assert_eq!(view.get(ivec2(2, 0)), seen_through, "{digit} {wall_at}");
            }
        }
    }
}

#[test]
fn viewer_inside_a_wall_sees() {
    let (mut map, viewer) = drawn("...\n.@.\n...");
    map.set(viewer, 1.0).unwrap();
    for method in classic_methods() {
        assert_eq!(see(&map, viewer, method, 5).visible().count(), 9);
    }
}

#[test]
fn cells_that_do_not_exist_hide_what_is_behind_them() {
    for method in classic_methods() {
        let mut fov = FieldOfView::new(config(method, 9)).unwrap();
        let view = fov.compute(OpacityCells::new(|cell| if cell.x == 3 { f32::NAN } else { 0.0 }), (0, 0)).unwrap();
        assert_eq!([2, 3, 4].map(|x| view.get(ivec2(x, 0))), [1.0, 0.0, 0.0], "{method:?}");
    }
}

#[test]
fn a_square_counts_as_a_circle() {
    let map = OpacityMap::clear(30, 30).unwrap();
    for method in classic_methods() {
        let square = Seen::compute(&map, ivec2(15, 15), &config(method, 8).with_shape(RadiusShape::Square)).unwrap();
        assert_eq!(square, see(&map, ivec2(15, 15), method, 8), "{method:?}");
    }
}

#[test]
fn preset_reads_and_saves_the_method() {
    let preset = Preset::from_toml("[sight]\nmethod = \"raycast_border\"\nrepair = false", "here").unwrap();
    assert_eq!((preset.sight.method, preset.sight.repair), (MethodKind::RaycastBorder, false));
    assert_eq!(Preset::from_toml(&preset.to_toml(), "saved").unwrap(), preset);
    let message = |text| Preset::from_toml(text, "here").unwrap_err().to_string();
    assert!(
        message("[sight]\nmethod = \"shadowcasting\"")
            .contains("exact | symmetric_shadowcast | shadowcast | raycast_border")
    );
    assert!(message("[sight]\nray = 3").contains("did you mean sight.rays?"));
    assert!(message("[sight]\nwall_at = 1.5").contains("0.001 to 1"));
    assert!(message("[sight]\nrays = 0").contains("1 to 65536"));
}

#[test]
fn every_method_is_a_choice_of_a_preset() {
    for &method in MethodKind::ALL {
        let mut preset = Preset::default();
        preset.set("sight.method", method.name()).unwrap();
        assert_eq!(preset.sight.method, method);
    }
}

#[test]
fn parameters_out_of_range_are_an_error() {
    let message = |config: SightConfig| FieldOfView::new(config).unwrap_err().to_string();
    let circle = |wall_at, rays| with(Method::RaycastCircle { wall_at, rays }, 9);
    assert_eq!(message(circle(0.5, 0)), "rays: 0 is not valid: expected 1 to 65536");
    assert_eq!(message(circle(f64::NAN, 9)), "wall_at: NaN is not valid: expected 0.001 to 1");
}

#[test]
fn scene_uses_the_classic_method_of_its_preset() {
    let (map, viewer) = drawn(GalleryMap::named("cave").unwrap().text);
    for method in classic_methods() {
        let mut preset = Preset::default().with_sight(SightSettings::default().with_radius(12));
        preset.sight.method = method;
        let scene = Scene::from_map(preset.clone(), map.clone(), Some(viewer), Job::none()).unwrap();
        let view = see(&map, viewer, method, 12);
        for (cell, _) in map.grid().iter() {
            assert_eq!(scene.visibility(cell), f32::from(u8::from(view.get(cell))), "{method:?} {cell}");
        }
        // A decay dims seen cells and changes no others.
        preset.sight.decay.kind = DecayKind::Linear;
        let dimmed = Scene::from_map(preset.clone(), map.clone(), Some(viewer), Job::none()).unwrap();
        for (cell, _) in map.grid().iter() {
            let left = preset.sight.decay.decay().at((cell - viewer).as_dvec2().length(), 12) as f32;
            assert_eq!(dimmed.visibility(cell), scene.visibility(cell) * left, "{method:?} {cell}");
        }
    }
}

#[test]
fn classic_method_in_a_world_uses_the_opacities_of_the_viewer() {
    let mut preset = Preset::named("alpine").unwrap();
    (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 30);
    preset.optics.radius_per_100m = 0.0;
    preset.sight.decay.kind = DecayKind::None;
    preset.sight.method = MethodKind::Shadowcast;
    let scene = Scene::generate(preset, Some(ivec2(40, 8)), Job::none()).unwrap();
    let opacity = scene.layer(Layer::Opacity, CellRect::of_size(scene.size())).unwrap();
    let walls = opacity.as_slice().iter().filter(|&&opacity| opacity >= 0.5).count();
    assert!(walls > 20, "too few walls for a test: {walls}");
    let map = OpacityMap::try_from(opacity).unwrap();
    let view = see(&map, scene.viewer(), MethodKind::Shadowcast, scene.radius());
    assert_eq!(scene.sight_frame().size().x, 61);
    for (cell, _) in map.grid().iter() {
        assert_eq!(scene.visibility(cell), f32::from(u8::from(view.get(cell))), "{cell}");
    }
}

#[test]
fn methods_start_from_the_same_viewer() {
    let mut preset = Preset::named("temperate").unwrap();
    (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 24);
    let scene = Scene::generate(preset.clone(), None, Job::none()).unwrap();
    preset.sight.method = MethodKind::RaycastCircle;
    let classic = Scene::generate(preset, None, Job::none()).unwrap();
    assert_eq!(classic.viewer(), scene.viewer());
    let binary = |scene: &Scene| {
        let cells = CellRect::of_size(scene.size());
        let values = scene.layer(Layer::Visibility, cells).unwrap();
        values.as_slice().iter().filter(|&&value| value > 0.0).count()
    };
    assert_ne!(binary(&classic), binary(&scene), "the method makes a difference");
}
