//! The clock: light and lantern over the hours, and weather that drifts.

use farsight::Job;
use farsight::glam::ivec2;
use farsight::light::Lamp;
use farsight::perception::Recognition;
use farsight_scene::creatures::Observer;
use farsight_scene::preset::{Preset, WeatherConfig};
use farsight_scene::scene::Scene;

use super::{bits, on_text, small};

fn at(scene: &mut Scene, changes: &[(&'static str, &str)]) {
    let mut preset = scene.preset().clone();
    for (key, value) in changes {
        preset.set(key, value).unwrap();
    }
    scene.apply(preset).unwrap();
}

fn lights(scene: &Scene) -> Vec<f32> {
    (0..20).map(|x| scene.light(ivec2(x, 0))).collect()
}

#[test]
fn stopped_clock_changes_nothing() {
    let scene = Scene::generate(small("mist", 3), None, Job::none()).unwrap();
    let mut other = scene.clone();
    at(&mut other, &[("clock.hour", "2"), ("weather.to", "fog"), ("clock.lantern", "20")]);
    assert_eq!(other.optics(), &scene.preset().optics);
    assert_eq!(bits(&other), bits(&scene));
    other.wait().unwrap();
    assert_eq!(other.clock().hour, 2.0, "no time passes");
}

#[test]
fn time_passes_in_the_scene_and_not_in_its_preset() {
    let mut scene = on_text("@...................\n....................", 30);
    at(&mut scene, &[("clock.runs", "true"), ("clock.hour", "6"), ("clock.minutes_a_turn", "30")]);
    let friend = Observer::new(ivec2(0, 0)).with_follows(true);
    scene.apply(scene.preset().clone().with_viewers(vec![friend.clone()])).unwrap();
    let described = scene.preset().clone();
    for _ in 0..4 {
        scene.step(ivec2(1, 0)).unwrap();
    }
    assert_eq!(scene.preset(), &described);
    assert_eq!((scene.clock().hour, scene.observers()[0].at), (8.0, ivec2(3, 0)));
    assert_eq!(
        scene.present_preset(),
        described.clone().with_viewers(vec![friend.clone().with_at(ivec2(3, 0))]).with_clock(scene.clock())
    );

    // Another setting, and another observer before the first, leave both where they are.
    at(&mut scene, &[("sight.radius", "9")]);
    let tower = Observer::new(ivec2(12, 1));
    scene.apply(scene.preset().clone().with_viewers(vec![tower.clone(), friend.clone()])).unwrap();
    assert_eq!((scene.clock().hour, scene.observers()), (8.0, &[tower, friend.clone().with_at(ivec2(3, 0))][..]));

    let begun = on_text("@...................\n....................", 30);
    let mut next = begun.clone();
    next.apply(scene.preset().clone()).unwrap();
    assert_eq!((next.clock().hour, next.observers()[1].at), (6.0, ivec2(0, 0)));
    next.continue_from(&scene).unwrap();
    assert_eq!(next.state(), scene.state());

    scene.set_hour(6.0).unwrap();
    assert_eq!(scene.clock().hour, 6.0);
    assert!(scene.set_hour(9000.0).unwrap_err().to_string().contains("clock.hour"));
    assert_eq!(scene.clock().hour, 6.0);
}

#[test]
fn night_falls_turn_by_turn_and_lights_the_lantern() {
    let mut scene = on_text("@...................\n....................", 30);
    at(&mut scene, &[("clock.runs", "true"), ("clock.hour", "16.5"), ("clock.minutes_a_turn", "30")]);
    assert_eq!((scene.light(ivec2(19, 0)), scene.sense(ivec2(19, 0))), (1.0, Recognition::Identified));
    let mut before = lights(&scene);
    for turn in 0..6 {
        if turn % 2 == 0 {
            scene.wait().unwrap();
        } else {
            assert!(scene.step(ivec2(0, if turn % 4 == 1 { 1 } else { -1 })).unwrap());
        }
        let now = lights(&scene);
        assert!(now[19] <= before[19], "it grows darker: {} after {}", now[19], before[19]);
        before = now;
    }
    assert_eq!(scene.clock().hour, 19.5);
    let clock = &scene.preset().clock;
    assert!((before[19] - clock.moon as f32).abs() < 1e-6, "the moon is left: {}", before[19]);
    assert_eq!(scene.optics().lantern, clock.lantern);
    assert_eq!(scene.sense(ivec2(19, 0)), Recognition::Glimpsed);
    assert!(before[0] > 0.9, "the lantern lights what is near: {}", before[0]);
    at(&mut scene, &[("clock.runs", "false")]);
    assert_eq!(lights(&scene), vec![1.0; 20], "stopped, it is the light of the preset");
}

#[test]
fn optics_of_an_hour_do_not_depend_on_the_way_to_it() {
    let viewers = |cell| vec![Observer::new(cell + ivec2(9, 3))];
    let start = Scene::generate(small("temperate", 3), None, Job::none()).unwrap();
    let viewer = start.viewer();
    let mut preset = start.preset().clone();
    for (key, value) in [
        ("clock.runs", "true"),
        ("clock.hour", "17"),
        ("clock.minutes_a_turn", "20"),
        ("weather.to", "fog"),
        ("weather.hours", "3"),
    ] {
        preset.set(key, value).unwrap();
    }
    (preset.lamps, preset.viewers) = (vec![Lamp::new(viewer + ivec2(4, 0)).with_reach(20.0)], viewers(viewer));
    let mut walked = Scene::generate(preset, Some(viewer), Job::none()).unwrap();
    for _ in 0..7 {
        walked.wait().unwrap();
    }
    let jumped = Scene::generate(walked.present_preset(), Some(viewer), Job::none()).unwrap();
    let mut turned = start.clone();
    turned.apply(walked.present_preset()).unwrap();
    for other in [&jumped, &turned] {
        assert_eq!(other.optics(), walked.optics());
        assert_eq!(bits(other), bits(&walked));
        for x in 0..96 {
            assert_eq!(other.light(ivec2(x, viewer.y)), walked.light(ivec2(x, viewer.y)), "{x}");
        }
    }
    assert_ne!(bits(&walked), bits(&start), "the fog has come");
}

#[test]
fn advancing_minutes_moves_nobody_and_gives_the_same_optics() {
    let mut preset = small("temperate", 3);
    preset.perception.creatures = 400.0;
    for (key, value) in [("clock.hour", "14"), ("weather.to", "fog"), ("weather.hours", "5")] {
        preset.set(key, value).unwrap();
    }
    let mut scene = Scene::generate(preset, None, Job::none()).unwrap();
    assert!(!scene.advance_minutes(90.0).unwrap(), "a paused clock");
    assert_eq!(scene.clock().hour, 14.0);
    at(&mut scene, &[("clock.runs", "true")]);
    let places = |scene: &Scene| scene.creatures().all().iter().map(|creature| creature.cell).collect::<Vec<_>>();
    let (before, waited) = (places(&scene), {
        let mut waited = scene.clone();
        waited.wait().unwrap();
        places(&waited)
    });
    assert_ne!(before, waited, "creatures that do move when a turn passes");
    let mut changes = 0;
    for _ in 0..5 * 60 {
        changes += u32::from(scene.advance_minutes(1.0).unwrap());
    }
    assert_eq!(places(&scene), before);
    assert!((scene.clock().hour - 19.0).abs() < 1e-9);
    assert!((32 + 60..=5 * 60).contains(&changes), "the fog comes, and night: {changes}");
    let jumped = Scene::generate(scene.present_preset(), Some(scene.viewer()), Job::none()).unwrap();
    assert_eq!(jumped.optics(), scene.optics());
    assert_eq!(bits(&jumped), bits(&scene));
}

#[test]
fn nothing_is_computed_while_optics_stay_the_same() {
    let mut scene = on_text("@...................", 30);
    at(&mut scene, &[("clock.runs", "true"), ("clock.hour", "9")]);
    for _ in 0..6 * 60 {
        assert!(!scene.advance_minutes(1.0).unwrap());
    }
    assert!((scene.clock().hour - 15.0).abs() < 1e-9, "but the hours pass");
    assert!((0..4 * 60).any(|_| scene.advance_minutes(1.0).unwrap()), "until dusk");
}

#[test]
fn clock_presets_are_saved_and_errors_name_the_key() {
    let mut preset = Preset::shipped_default();
    for (key, value) in [("clock.runs", "true"), ("clock.hour", "30.5"), ("weather.to", "night-lantern")] {
        preset.set(key, value).unwrap();
    }
    assert_eq!(Preset::from_toml(&preset.to_toml(), "t").unwrap(), preset);
    let mut weather = WeatherConfig::default();
    weather.to = "night-lantern".into();
    assert_eq!(preset.weather, weather);
    for (key, value, words) in [
        ("clock.hour", "-1", "expected 0 to 8760 h"),
        ("weather.to", "rain", "expected none | temperate | "),
        ("weather.hours", "0", "expected 0.25 to 240 h"),
        ("clock.minutes", "5", "unknown key clock.minutes"),
    ] {
        let error = preset.set(key, value).unwrap_err().to_string();
        assert!(error.contains(words), "{key}: {error}");
    }
}
