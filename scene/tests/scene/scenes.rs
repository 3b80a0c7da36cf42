//! A viewer on a world or a map: views, walks, memory, and changes of presets.

use std::sync::Arc;

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::perception::{CellMemory, Recognition};
use farsight::sight::{OpacityMap, SightConfig, SightError};
use farsight_scene::preset::{DecayKind, Preset};
use farsight_scene::scene::{Layer, Scene, SceneError};
use farsight_scene::world::{Water, World};

use super::{bits, generated, on_text, small, world_of};

const ROOMS: &str = "\
#########
#...#...#
#.@.....#
#...#...#
#########";

#[test]
fn walls_and_the_edge_stop_a_viewer() {
    let mut scene = on_text(ROOMS, 8);
    assert_eq!(scene.viewer(), ivec2(2, 2));
    assert!(scene.step(ivec2(-1, 0)).unwrap());
    assert_eq!(scene.viewer(), ivec2(1, 2));
    for step in [ivec2(-1, 0), ivec2(-1, -1), ivec2(-1, 1), ivec2(0, 0)] {
        assert!(!scene.step(step).unwrap(), "{step}");
        assert_eq!(scene.viewer(), ivec2(1, 2));
    }
    assert!(scene.step(ivec2(500, -3)).unwrap(), "a step is one cell long, whatever its length");
    assert_eq!(scene.viewer(), ivec2(2, 1));
    let mut open = on_text("@.", 3);
    assert!(!open.step(ivec2(-1, 0)).unwrap());
    assert!(!open.step(ivec2(0, 1)).unwrap());
    assert!(open.step(ivec2(1, 0)).unwrap());
}

#[test]
fn seen_cells_are_remembered_until_forgotten() {
    let mut scene = on_text("#########\n#.@.#...#\n#.......#\n#########", 8);
    let hidden = ivec2(5, 1);
    assert_eq!(scene.visibility(hidden), 0.0, "behind the wall");
    assert_eq!(scene.memory(hidden), CellMemory::Hidden);
    scene.place(ivec2(6, 1)).unwrap();
    assert_eq!(scene.memory(hidden), CellMemory::Visible);
    assert_eq!(scene.memory(ivec2(1, 1)), CellMemory::Seen);
    scene.place(ivec2(2, 1)).unwrap();
    assert_eq!(scene.memory(hidden), CellMemory::Seen);
    scene.forget();
    assert_eq!(scene.memory(hidden), CellMemory::Hidden);
    assert_eq!(scene.memory(ivec2(2, 2)), CellMemory::Visible);
}

#[test]
fn switching_memory_off_forgets() {
    let mut scene = on_text(ROOMS, 8);
    scene.place(ivec2(6, 1)).unwrap();
    assert_eq!(scene.memory(ivec2(1, 1)), CellMemory::Seen);
    let preset = scene.preset().with([("perception.memory", false.into())]).unwrap();
    scene.apply(preset).unwrap();
    assert_eq!(scene.memory(ivec2(1, 1)), CellMemory::Hidden);
    assert_eq!(scene.memory(ivec2(6, 1)), CellMemory::Visible);
}

#[test]
fn cell_off_the_map_is_an_error_and_the_viewer_stays() {
    let mut scene = on_text(ROOMS, 8);
    for cell in [ivec2(-1, 0), ivec2(0, -1), ivec2(9, 0), ivec2(0, 5), IVec2::MIN, IVec2::MAX] {
        let error = scene.place(cell).unwrap_err();
        assert!(matches!(error, SightError::ViewerOutside { .. }), "{error}");
        assert_eq!(scene.viewer(), ivec2(2, 2));
    }
    scene.place(ivec2(0, 0)).unwrap(); // inside a wall: one may look from there
    let map = OpacityMap::clear(3, 2).unwrap();
    let outside = Scene::from_map(Preset::default(), map, Some(ivec2(3, 0)), Job::none()).unwrap_err();
    assert!(outside.to_string().contains("3,0"), "{outside}");
}

#[test]
fn cells_far_off_the_map_are_not_seen() {
    let scene = on_text(ROOMS, 3);
    for cell in [IVec2::MIN, IVec2::MAX, ivec2(-1, 2), ivec2(i32::MIN, i32::MAX)] {
        assert_eq!((scene.visibility(cell), scene.perceived(cell)), (0.0, 0.0));
        assert_eq!((scene.sense(cell), scene.memory(cell)), (Recognition::Hidden, CellMemory::Hidden));
        assert_eq!((scene.opacity(cell), scene.biome(cell)), (None, None));
    }
}

#[test]
fn applying_a_preset_equals_starting_with_it() {
    let world = Arc::new(World::generate(&small("temperate", 3).world, Job::none()).unwrap());
    let viewer = Some(ivec2(50, 40));
    let on = |preset: &Preset| Scene::from_world(preset.clone(), world.clone(), viewer, Job::none()).unwrap();
    let names = ["temperate", "fog", "night-lantern", "as-published", "savanna", "clear-day", "jungle", "mist", "fog"];
    let mut walked = on(&small("temperate", 3));
    for name in names {
        let mut preset = small(name, 3).with_world(world.config().clone());
        for (method, radius) in [("two_parent", 24), ("beam", 9), ("two_parent", 15)] {
            preset.set("sight.method", method).unwrap();
            preset.sight.radius = radius;
            walked.apply(preset.clone()).unwrap();
            let fresh = on(&preset);
            assert_eq!(walked.preset(), fresh.preset(), "{name}");
            assert_eq!(walked.radius(), fresh.radius(), "{name}");
            assert!(bits(&walked) == bits(&fresh), "{name}, {method}, {radius}");
            let cells = |scene: &Scene| scene.creatures().all().iter().map(|c| c.cell).collect::<Vec<_>>();
            assert_eq!(cells(&walked), cells(&fresh), "{name}");
        }
    }
}

#[test]
fn walk_there_and_back_ends_with_the_same_view() {
    let mut scene = generated(small("temperate", 5));
    let before = (scene.viewer(), bits(&scene));
    let other = ivec2(95, 79);
    scene.place(other).unwrap();
    assert_ne!(bits(&scene), before.1);
    scene.place(before.0).unwrap();
    assert!(bits(&scene) == before.1);
}

#[test]
fn invalid_preset_changes_nothing() {
    let world = Arc::new(world_of(40, 1, 0.4, 0.0, |cell| if cell.x == 1 { 8000.0 } else { 1.0 }));
    let mut preset = Preset::default();
    preset.sight.radius = 16;
    let mut scene = Scene::from_world(preset.clone(), world, Some(ivec2(0, 0)), Job::none()).unwrap();
    let before = bits(&scene);
    let mut bad = preset.clone();
    bad.optics.visual_range_m = 500.0;
    bad.optics.light = 7.0;
    assert!(matches!(scene.apply(bad), Err(SceneError::Preset(_))));
    assert_eq!(scene.preset(), &preset);
    scene.observe().unwrap();
    assert!(bits(&scene) == before);
    assert!(matches!(scene.place(ivec2(40, 0)), Err(SightError::ViewerOutside { .. })));
    assert_eq!(scene.viewer(), ivec2(0, 0));
    assert!(bits(&scene) == before);
}

#[test]
fn radius_on_a_peak_is_at_most_the_largest() {
    let width = SightConfig::MAX_RADIUS as usize + 3;
    let world = Arc::new(world_of(width, 1, 0.4, 0.0, |cell| if cell.x == 1 { 8000.0 } else { 1.0 }));
    let mut preset = Preset::default();
    preset.perception.creatures = 0.0;
    preset.sight.decay = DecayKind::None.into();
    preset.optics.visual_range_m = f64::INFINITY;
    preset.optics.fog_visual_range_m = f64::INFINITY;
    preset.optics.radius_per_100m = 64.0;
    let mut scene = Scene::from_world(preset, world, Some(ivec2(0, 0)), Job::none()).unwrap();
    assert!(scene.step(ivec2(1, 0)).unwrap());
    assert_eq!(scene.radius(), SightConfig::MAX_RADIUS);
    let rim = SightConfig::MAX_RADIUS as i32 + 1;
    assert!(scene.visibility(ivec2(rim, 0)) > 0.99);
    assert_eq!(scene.visibility(ivec2(rim + 1, 0)), 0.0);
}

#[test]
fn radius_grows_with_height() {
    let world = Arc::new(world_of(60, 1, 0.4, 0.0, |cell| if cell.x == 0 { 1000.0 } else { -50.0 }));
    let mut preset = Preset::default();
    preset.sight.radius = 10;
    preset.sight.decay = DecayKind::Linear.into();
    preset.optics.radius_per_100m = 1.5;
    let mut scene = Scene::from_world(preset, world, Some(ivec2(0, 0)), Job::none()).unwrap();
    assert_eq!(scene.radius(), 25); // 10 + 1.5 · 10
    assert!(scene.visibility(ivec2(25, 0)) > 0.0);
    assert_eq!(scene.visibility(ivec2(26, 0)), 0.0);
    assert_eq!(scene.sight_frame(), CellRect { min: ivec2(0, 0), max: ivec2(26, 1) });
    scene.place(ivec2(30, 0)).unwrap();
    assert_eq!(scene.radius(), 10); // at sea, nothing is added, and the sea floor takes nothing away
    assert_eq!(scene.visibility(ivec2(41, 0)), 0.0);
    assert_eq!(scene.sight_frame(), CellRect { min: ivec2(20, 0), max: ivec2(41, 1) });
}

#[test]
fn the_window_is_cut_at_the_corners_of_the_map() {
    let mut scene = generated(small("clear-day", 2));
    for corner in [ivec2(0, 0), ivec2(95, 0), ivec2(0, 79), ivec2(95, 79)] {
        scene.place(corner).unwrap();
        let frame = scene.sight_frame();
        assert!(frame.contains(corner));
        assert_eq!(frame.intersect(CellRect::of_size(scene.size())), frame);
        assert_eq!(scene.visibility(corner), 1.0);
        let inside = bits(&scene).iter().filter(|bits| **bits != 0).count();
        assert!(inside > 1, "{corner}");
    }
}

#[test]
fn the_viewpoint_is_on_land_and_always_the_same() {
    for (name, seed) in [("temperate", 1), ("archipelago", 2), ("alpine", 3), ("jungle", 4), ("fog", 5)] {
        let scene = generated(small(name, seed));
        assert_eq!(scene.viewer(), generated(small(name, seed)).viewer());
        let water = scene.world().unwrap().water()[scene.viewer()];
        assert_eq!(water, Water::None, "{name} {seed}");
    }
}

#[test]
fn viewpoint_depends_only_on_the_terrain() {
    let land = small("temperate", 3);
    let start = generated(land.clone()).viewer();
    for (key, value) in [
        ("optics.visual_range_m", "300"),
        ("optics.relief", "horizon"),
        ("optics.vegetation_extinction_per_m", "0"),
        ("optics.light", "0.1"),
        ("sight.radius", "5"),
        ("sight.method", "beam"),
        ("sight.decay.kind", "none"),
        ("sight.method", "shadowcast"),
        ("perception.glimpse", "0.2"),
        ("clock.runs", "true"),
    ] {
        let mut preset = land.clone();
        preset.set(key, value).unwrap();
        assert_eq!(generated(preset).viewer(), start, "{key}");
    }
    for name in ["clear-day", "haze", "mist", "as-published"] {
        assert_eq!(generated(small(name, 3)).viewer(), start, "{name}");
    }
    assert_ne!(generated(small("temperate", 4)).viewer(), start);
}

#[test]
fn the_default_world_is_seen_from_a_slope_above_the_sea() {
    assert_eq!(generated(Preset::shipped_default()).viewer(), ivec2(91, 100));
}

#[test]
fn viewpoint_is_on_a_small_island() {
    let island = ivec2(201, 7);
    let world = world_of(300, 150, 0.4, 0.0, |cell| if cell == island { 3.0 } else { -50.0 });
    let scene = Scene::from_world(Preset::default(), Arc::new(world), None, Job::none()).unwrap();
    assert_eq!(scene.viewer(), island);
}

#[test]
fn worlds_of_any_size_all_sea_or_all_land_have_a_view() {
    for (width, height) in [(1, 1), (3, 2), (1, 40), (40, 1), (33, 33)] {
        for land in [0.0, 1.0] {
            let mut preset = small("temperate", 4);
            (preset.world.width, preset.world.height, preset.world.land) = (width, height, land);
            preset.perception.creatures = 1000.0;
            let mut scene = generated(preset);
            assert_eq!(scene.visibility(scene.viewer()), 1.0, "{width}x{height} {land}");
            for step in [ivec2(1, 0), ivec2(0, 1), ivec2(-1, -1)] {
                scene.step(step).unwrap();
            }
            for &layer in Layer::ALL {
                let values = scene.layer(layer, CellRect::of_size(scene.size())).unwrap();
                assert_eq!(values.size(), ivec2(width as i32, height as i32));
            }
        }
    }
}

#[test]
fn a_dungeon_starts_on_its_floor() {
    for seed in 0..8 {
        let mut preset = Preset::named("dungeon").unwrap();
        preset.world.seed = seed;
        let scene = generated(preset);
        assert_eq!(scene.opacity(scene.viewer()), Some(0.0), "seed {seed}");
        assert!(scene.world().is_none());
        assert!(!scene.creatures().all().is_empty());
        for creature in scene.creatures().all() {
            assert_eq!(scene.opacity(creature.cell), Some(0.0), "seed {seed}: {}", creature.species.name);
        }
    }
}

#[test]
fn layers_have_the_values_of_their_names() {
    let mut preset = small("night-lantern", 6);
    preset.optics.light = 0.3;
    let scene = generated(preset);
    let frame = scene.sight_frame();
    let layer = |layer| scene.layer(layer, frame).unwrap();
    let world = scene.world().unwrap();
    let each = |layer_of: Layer, value: &dyn Fn(IVec2) -> f32| {
        for (offset, &got) in layer(layer_of).iter() {
            let cell = frame.min + offset;
            assert_eq!(got, value(cell), "{} at {cell}", layer_of.name());
        }
    };
    each(Layer::Visibility, &|cell| scene.visibility(cell));
    each(Layer::Perceived, &|cell| scene.perceived(cell));
    each(Layer::Light, &|cell| scene.preset().optics.light_at((cell - scene.viewer()).as_dvec2().length()));
    each(Layer::Opacity, &|cell| scene.opacity(cell).unwrap());
    each(Layer::Elevation, &|cell| world.elevation_m()[cell]);
    each(Layer::Humidity, &|cell| world.humidity()[cell]);
    each(Layer::Vegetation, &|cell| world.vegetation()[cell]);
    each(Layer::Temperature, &|cell| world.temperature_c()[cell]);
    each(Layer::Biome, &|cell| world.biome()[cell] as u8 as f32);
    let light = layer(Layer::Light);
    for (offset, &perceived) in layer(Layer::Perceived).iter() {
        let product = scene.visibility(frame.min + offset) * light[offset];
        assert!((perceived - product).abs() < 1e-6);
    }
    for &layer in Layer::ALL {
        assert_eq!(layer.name().parse(), Ok(layer));
    }
    assert!("elevatoin".parse::<Layer>().unwrap_err().to_string().contains("elevation"));
}

#[test]
fn frames_off_the_map_are_clipped() {
    let scene = generated(small("temperate", 1));
    let off = [
        CellRect { min: ivec2(200, 10), max: ivec2(220, 30) },
        CellRect { min: ivec2(-40, 10), max: ivec2(-20, 30) },
        CellRect { min: ivec2(10, 200), max: ivec2(30, 220) },
        CellRect { min: ivec2(10, -40), max: ivec2(30, -20) },
        CellRect { min: ivec2(5, 5), max: ivec2(5, 5) },
    ];
    let partly = CellRect { min: ivec2(90, -5), max: ivec2(120, 3) };
    for &layer in Layer::ALL {
        for frame in off {
            assert!(scene.layer(layer, frame).unwrap().as_slice().is_empty(), "{} {frame:?}", layer.name());
        }
        assert_eq!(scene.layer(layer, partly).unwrap().size(), ivec2(6, 3));
    }
}

#[test]
fn opacity_map_has_no_fields_of_a_world() {
    let scene = on_text(ROOMS, 4);
    let whole = CellRect::of_size(scene.size());
    for &layer in Layer::ALL {
        let answer = scene.layer(layer, whole);
        let has = matches!(layer, Layer::Visibility | Layer::Perceived | Layer::Light | Layer::Opacity);
        assert_eq!(answer.is_ok(), has, "{}", layer.name());
        if !has {
            assert_eq!(answer.unwrap_err(), SceneError::NoSuchLayer(layer.name()));
        }
    }
}

/// A thousand steps that each touched all of the 16 million cells would take minutes; the test counts the remembered
/// cells.
#[test]
fn step_on_a_huge_map_changes_only_the_window() {
    let map = OpacityMap::try_from(Grid::new(4096, 4096, 0.0f32)).unwrap();
    let mut preset = Preset::default();
    preset.sight.radius = 3;
    preset.perception.creatures = 0.0;
    let mut scene = Scene::from_map(preset, map, Some(ivec2(2048, 2048)), Job::none()).unwrap();
    for _ in 0..1000 {
        assert!(scene.step(ivec2(1, 0)).unwrap());
    }
    let known = |state| {
        (2030..3060)
            .flat_map(|x| (2040..2056).map(move |y| ivec2(x, y)))
            .filter(|cell| scene.memory(*cell) == state)
            .count()
    };
    assert_eq!(known(CellMemory::Visible), 29, "the disc of radius 3");
    assert_eq!(known(CellMemory::Seen), 7 * 1000, "what the disc left behind");
}

#[test]
fn night_hides_cells_beyond_the_lantern() {
    let mut scene = on_text(&format!("@{}", ".".repeat(30)), 30);
    let night = scene.preset().with([("optics.light", 0.0.into()), ("optics.lantern", 10.0.into())]).unwrap();
    scene.apply(night).unwrap();
    assert_eq!(scene.visibility(ivec2(20, 0)), 1.0);
    assert_eq!((scene.perceived(ivec2(20, 0)), scene.sense(ivec2(20, 0))), (0.0, Recognition::Hidden));
    assert_eq!(scene.memory(ivec2(20, 0)), CellMemory::Seen, "by day it was in sight");
    assert_eq!(scene.perceived(ivec2(5, 0)), 0.5625);
    assert_eq!(scene.memory(ivec2(5, 0)), CellMemory::Visible);
}
