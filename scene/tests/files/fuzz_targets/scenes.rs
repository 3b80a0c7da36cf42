//! A scene under changes of its settings against a fresh one.

use std::sync::{Arc, OnceLock};

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::light::Lamp;
use farsight::sight::{MethodKind, OpacityMap};
use farsight_scene::creatures::Observer;
use farsight_scene::preset::{Preset, Setting, SettingKind};
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::World;

use super::draws::Draws;

/// The largest radius, so that a case is short.
const MAX_RADIUS: u32 = 12;

const ROOMS: &str = "\
########################
#.........#....3.......#
#....44...#....3...#...#
#.........+....3...#...#
#....##...#........#...#
#....##................#
######.#####...555555..#
#......................#
########################";

/// Opacity, light and view of a scene that was changed are those of a scene that begins with its preset.
pub(super) fn scene(bytes: &[u8]) {
    let mut draws = Draws(bytes);
    let on_world = draws.byte() % 4 != 0;
    let fresh = |preset: Preset, viewer: IVec2| {
        if on_world {
            Scene::from_world(preset.with_world(world().config().clone()), world(), Some(viewer), Job::none())
        } else {
            Scene::from_map(preset, rooms(), Some(viewer), Job::none())
        }
    };
    let mut preset = Preset::named(draws.pick(&["temperate", "fog", "viewshed", "night-lantern"])).unwrap();
    preset.sight.radius = MAX_RADIUS;
    preset.optics.radius_per_100m = 0.0;
    let Ok(mut scene) = fresh(preset, ivec2(9, 5)) else { panic!("the presets that begin are valid") };
    for _ in 0..6 {
        if draws.is_empty() {
            break;
        }
        let viewer = scene.viewer();
        change(&mut scene, &mut draws);
        let begun = fresh(scene.preset().clone(), scene.viewer());
        let begun = begun.unwrap_or_else(|error| panic!("{error} after a change from {viewer}"));
        compare(&scene, &begun);
    }
}

fn world() -> Arc<World> {
    static WORLD: OnceLock<Arc<World>> = OnceLock::new();
    let make = || {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (24, 20);
        Arc::new(World::generate(&preset.world, Job::none()).unwrap())
    };
    WORLD.get_or_init(make).clone()
}

fn rooms() -> OpacityMap {
    OpacityMap::from_text(ROOMS).unwrap()
}

/// Changes a setting, a lamp, an observer, opacities or the viewer. A change that is refused must change nothing.
fn change(scene: &mut Scene, draws: &mut Draws<'_>) {
    let size = scene.size();
    let mut preset = scene.preset().clone();
    match draws.byte() % 8 {
        0 => {
            let _ = scene.place(draws.cell(size));
            return;
        }
        1 => preset.lamps = (0..draws.below(3)).map(|_| Lamp::new(draws.cell(size)).with_reach(6.5)).collect(),
        2 => preset.viewers = (0..draws.below(3)).map(|_| Observer::new(draws.cell(size))).collect(),
        3 => {
            let named = draws.pick(&["temperate", "fog", "jungle", "mist", "viewshed", "as-published", "dungeon"]);
            let Preset { lamps, viewers, cells, .. } = preset;
            preset = Preset::named(named).unwrap();
            (preset.lamps, preset.viewers, preset.cells) = (lamps, viewers, cells);
        }
        4 => {
            for _ in 0..draws.below(4) {
                let before = scene.present_preset();
                if scene.set_opacity(draws.cell(size), draws.pick(&[0.0, 0.3, 1.0])).is_err() {
                    assert_eq!(scene.present_preset(), before, "a refused change stays away");
                }
            }
            return;
        }
        _ => {
            let settings: Vec<&Setting> = Preset::settings().filter(|setting| is_of_view(setting)).collect();
            let setting = settings[draws.below(settings.len())];
            let _ = preset.set(setting.key, &value(setting, draws));
        }
    }
    preset.world = scene.preset().world.clone();
    preset.sight.radius = preset.sight.radius.min(MAX_RADIUS);
    preset.optics.radius_per_100m = 0.0;
    preset.sight.samples = preset.sight.samples.min(2);
    if preset.sight.method == MethodKind::Exact {
        preset.sight.radius = preset.sight.radius.min(8);
    }
    let before = scene.preset().clone();
    if scene.apply(preset).is_err() {
        assert_eq!(*scene.preset(), before, "a refused preset stays away");
    }
}

/// Settings of a world need another world, and those of the clock, of paint and of creatures do not show in a view.
fn is_of_view(setting: &Setting) -> bool {
    ["sight", "optics"].iter().any(|section| setting.key.starts_with(section))
}

fn value(setting: &Setting, draws: &mut Draws<'_>) -> String {
    let between = |[low, high]: [f64; 2], unit: f64| (low + (high - low) * unit).to_string();
    match setting.kind {
        SettingKind::Number { slider_range, .. } => between(slider_range, draws.unit()),
        SettingKind::Optional { .. } if draws.byte().is_multiple_of(3) => "none".to_owned(),
        SettingKind::Optional { slider_range, .. } => between(slider_range, draws.unit()),
        SettingKind::Integer { slider_range: [low, high], .. } => {
            (low + (high - low) * draws.below(100) as i64 / 99).to_string()
        }
        SettingKind::Choice(words) => draws.pick(words).to_owned(),
        SettingKind::Switch => draws.byte().is_multiple_of(2).to_string(),
        SettingKind::Points => format!("[[{}, 0.5], [30, 0.25]]", 1 + draws.below(20)),
        SettingKind::Cell | SettingKind::Cells(_) | SettingKind::Colour | SettingKind::Name(_) | SettingKind::Glyph => {
            String::new()
        }
    }
}

fn compare(changed: &Scene, begun: &Scene) {
    assert_eq!((changed.viewer(), changed.radius()), (begun.viewer(), begun.radius()));
    let map = CellRect::of_size(changed.size());
    for layer in [Layer::Visibility, Layer::Perceived, Layer::Light, Layer::Opacity] {
        let [changed, begun] = [changed, begun].map(|scene| scene.layer(layer, map).unwrap());
        for (cell, value) in begun.iter() {
            let found = changed[cell];
            assert_eq!(value.to_bits(), found.to_bits(), "{} {cell}: {found}, not {value}", layer.name());
        }
    }
}
