//! Scenes and their parts: optics, perception, presets, paint, export.

mod atlas;
mod clock;
mod compare;
mod compare_metrics;
mod cumulative;
mod data_look;
mod daylight;
mod doors;
mod explain;
mod export;
mod film;
mod gallery_maps;
mod ground;
mod lamps;
mod legibility;
mod light;
mod light_map;
mod link;
mod map_look;
mod metrics;
mod names;
mod observers;
mod opacities;
mod optics;
mod paint;
mod panorama;
mod perception;
mod preset;
mod rectangles;
mod refresh;
mod roofs;
mod saved_walk;
mod saves;
mod scenes;
mod species;
mod strokes;
mod team_view;
mod world;

use farsight::Job;
use farsight::glam::IVec2;
use farsight::grid::Grid;
use farsight::sight::OpacityMap;
use farsight_scene::preset::{Look, Preset};
use farsight_scene::scene::Scene;
use farsight_scene::world::{Ground, World};

/// A world of one humidity and vegetation whose ground is `metres(cell)`.
fn world_of(width: usize, height: usize, humidity: f32, vegetation: f32, metres: impl FnMut(IVec2) -> f32) -> World {
    let field = |value: f32| Grid::new(width, height, value);
    let ground = Grid::from_fn(width, height, metres);
    World::from_fields(ground, field(humidity), field(vegetation), 100.0).unwrap()
}

/// A shipped preset on a small world.
fn small(name: &str, seed: u64) -> Preset {
    let mut preset = Preset::named(name).unwrap();
    (preset.world.width, preset.world.height, preset.world.seed) = (96, 80, seed);
    preset.world.region_km = 6.0;
    preset.sight.radius = preset.sight.radius.min(24);
    preset
}

fn generated(preset: Preset) -> Scene {
    Scene::generate(preset, None, Job::none()).unwrap()
}

/// A scene on measured ground whose heights are `metres(cell)`; NaN is no data.
fn on_ground(width: usize, height: usize, viewer: Option<IVec2>, metres: impl FnMut(IVec2) -> f32) -> Scene {
    let ground = Ground::new(Grid::from_fn(width, height, metres));
    Scene::from_dem(small("temperate", 1), &ground, viewer, Job::none()).unwrap()
}

/// A scene on a map drawn as text, with the base preset of a bare kernel.
fn on_text(text: &str, radius: u32) -> Scene {
    let map = farsight::grid::TextMap::parse(text).unwrap();
    let sight = farsight_scene::preset::SightSettings::default().with_radius(radius);
    let mut preset = Preset::default().with_sight(sight);
    preset.perception.creatures = 0.0;
    Scene::from_map(preset, OpacityMap::try_from(map.opacity).unwrap(), map.viewer, Job::none()).unwrap()
}

/// Every value that can be seen of a scene, to the bit.
fn bits(scene: &Scene) -> Vec<u32> {
    let size = scene.size();
    Grid::from_fn(size.x as usize, size.y as usize, |cell| scene.visibility(cell).to_bits()).into_vec()
}

/// Returns a scene with other keys of its preset.
fn with<const N: usize>(scene: &Scene, changes: [(&str, toml::Value); N]) -> Scene {
    let mut changed = scene.clone();
    changed.apply(scene.preset().with(changes).unwrap()).unwrap();
    changed
}

/// Returns a scene whose pictures have a look.
fn in_look(scene: &Scene, look: Look) -> Scene {
    with(scene, [("paint.look", look.name().into())])
}
