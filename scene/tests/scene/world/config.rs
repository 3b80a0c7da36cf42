//! The configuration of worlds: ranges and error messages.

use farsight::Job;
use farsight::glam::ivec2;
use farsight_scene::preset::{Preset, Setting, SettingKind};
use farsight_scene::scene::Scene;
use farsight_scene::world::{World, WorldConfig, WorldKind};

fn world_settings() -> impl Iterator<Item = &'static Setting> {
    Preset::settings().filter(|setting| setting.section() == "world")
}

fn message(change: impl Fn(&mut WorldConfig)) -> String {
    let mut config = WorldConfig::default();
    change(&mut config);
    let message = config.check().unwrap_err().to_string();
    assert_eq!(World::generate(&config, Job::none()).unwrap_err().to_string(), message);
    message
}

#[test]
fn errors_name_field_value_and_range() {
    assert_eq!(message(|c| c.land = 1.5), "land: 1.5 is not valid: expected 0 to 1");
    assert_eq!(message(|c| c.rain = -1.0), "rain: -1 is not valid: expected 0 to 4");
    assert_eq!(message(|c| c.cell_size_m = f64::NAN), "cell_size_m: NaN is not valid: expected 0.1 to 10000");
    let too_small = "a world of 512x0 cells cannot be made: expected sides of 1 to 16384 cells";
    assert_eq!(message(|c| c.height = 0), too_small);
    assert!(message(|c| c.width = 20_000).contains("20000x512"));
    let error = toml::from_str::<WorldConfig>("cell_size = 3").unwrap_err().to_string();
    assert!(error.contains("cell_size") && error.contains("cell_size_m"), "{error}");
}

#[test]
fn errors_of_scenes_name_the_key_of_the_preset() {
    let message = |change: &dyn Fn(&mut WorldConfig)| {
        let mut preset = Preset::default();
        change(&mut preset.world);
        Scene::generate(preset, None, Job::none()).unwrap_err().to_string()
    };
    let cell_size = message(&|world| world.cell_size_m = 0.0);
    assert_eq!(cell_size, "preset: world.cell_size_m: 0.0 m is not valid: expected 0.1 to 10000 m");
    let seed = message(&|world| world.seed = u64::MAX);
    assert!(seed.starts_with("preset: world.seed: 18446744073709551615 is not valid"), "{seed}");
    let rooms = message(&|world| (world.kind, world.room_min) = (WorldKind::Dungeon, 19));
    assert_eq!(rooms, "world.room_min: 19 is not valid: expected at most room_max, 18 cells");
    let narrow = message(&|world| (world.kind, world.width) = (WorldKind::Dungeon, 7));
    assert_eq!(narrow, "world.width: 7 is not valid: expected 8 (a room and its walls) to 16384 cells");
}

#[test]
fn every_key_is_a_setting_and_defaults_are_in_the_slider_ranges() {
    let defaults = toml::Table::try_from(WorldConfig::default().with_sea_level_m(0.0)).unwrap(); // omitted by default
    assert_eq!(defaults.len(), world_settings().count());
    for setting in world_settings() {
        if let SettingKind::Number { slider_range: [low, high], .. } = setting.kind {
            let value = defaults[setting.name()].as_float().unwrap();
            assert!(low <= value && value <= high, "{} = {value}", setting.key);
        }
    }
}

#[test]
fn on_ground_keeps_the_keys_on_ground() {
    let config = WorldConfig::default()
        .with_kind(WorldKind::Dungeon)
        .with_seed(9)
        .with_land(0.1)
        .with_cell_size_m(30.0)
        .with_wind_from_deg(10.0)
        .with_lakes(0.9);
    let kept = config.on_ground(ivec2(7, 8));
    assert_eq!((kept.width, kept.height, kept.seed, kept.cell_size_m), (7, 8, 9, 30.0));
    assert_eq!((kept.land, kept.lakes, kept.kind), (0.6, 0.4, WorldKind::Overworld));
    let is_setting = |key: &&str| world_settings().any(|setting| setting.key == *key);
    assert!(WorldConfig::KEYS_ON_GROUND.iter().all(is_setting));
}
