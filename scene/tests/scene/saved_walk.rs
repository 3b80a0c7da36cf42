//! Saved walks: a loaded walk goes on as if it had not been interrupted.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::light::Lamp;
use farsight::sight::OpacityMap;
use farsight_scene::creatures::Observer;
use farsight_scene::export::{Crop, ExportOptions, PictureStyle, SavedWalk, SavedWalkError};
use farsight_scene::files::{Format, MapSource, digest};
use farsight_scene::paint::Unseen;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

use super::small;

const STEPS: [IVec2; 7] =
    [ivec2(1, 0), ivec2(1, 1), ivec2(0, 1), ivec2(1, -1), ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1)];

fn source(name: &str, values: &Grid<f32>) -> MapSource {
    serde_json::from_value(serde_json::json!({"name": name, "digest": digest(values)})).unwrap()
}

/// Walks, and waits now and then.
fn walk(scene: &mut Scene, turns: std::ops::Range<usize>) {
    for turn in turns {
        scene.step(STEPS[turn % 7]).unwrap();
        if turn % 5 == 4 {
            scene.wait().unwrap();
        }
    }
}

/// Returns a picture of the view and the memory, and all creatures.
fn visible_state(scene: &Scene) -> (Vec<u8>, Vec<farsight_scene::creatures::Creature>) {
    let style = PictureStyle::Painted { scale: Some(4), unseen: Unseen::Remembered };
    let options = ExportOptions::default().with_style(style).with_crop(Crop::Map);
    let bytes = options.product(scene, Format::Png).unwrap().encode(Format::Png).unwrap();
    (bytes, scene.creatures().all().to_vec())
}

/// Adds a clock, weather, creatures, lamps and observers.
fn populated(mut preset: Preset, viewer: IVec2) -> Preset {
    (preset.clock.runs, preset.clock.hour, preset.clock.minutes_a_turn) = (true, 15.0, 9.0);
    preset.weather.to = "mist".into();
    preset.perception.creatures = 400.0;
    preset.lamps = vec![Lamp::new(viewer + ivec2(3, 2)), Lamp::new(viewer - ivec2(2, 0)).with_reach(6.5)];
    let companion = Observer::new(viewer).with_follows(true);
    preset.viewers = vec![Observer::new(viewer + ivec2(4, -4)), companion];
    preset
}

/// Walks 20 turns, saves, and compares 20 more with 20 more after loading.
fn check_that_it_continues(mut scene: Scene, map: Option<&MapSource>) -> SavedWalk {
    walk(&mut scene, 0..20);
    let bytes = SavedWalk::of(&scene, "some name", map).to_bytes();
    let saved = SavedWalk::from_bytes(&bytes).unwrap();
    assert_eq!(saved.to_bytes(), bytes, "saved again, it is the same");
    assert_eq!((saved.name.as_str(), saved.viewer(), saved.map.as_ref()), ("some name", scene.viewer(), map));
    let mut loaded = saved.to_scene(Job::none()).unwrap();
    assert!(visible_state(&loaded) == visible_state(&scene), "after loading");
    assert_eq!(loaded.present_preset(), scene.present_preset());
    assert!(scene.sightings().count() > 0, "some cells are remembered");
    walk(&mut scene, 20..40);
    walk(&mut loaded, 20..40);
    assert!(visible_state(&loaded) == visible_state(&scene), "after twenty more turns");
    assert_eq!(SavedWalk::of(&loaded, "", map).to_bytes(), SavedWalk::of(&scene, "", map).to_bytes());
    saved
}

#[test]
fn a_walk_in_a_world_continues() {
    let preset = small("temperate", 3);
    let scene = Scene::generate(preset.clone(), None, Job::none()).unwrap();
    let viewer = scene.viewer();
    check_that_it_continues(Scene::generate(populated(preset, viewer), Some(viewer), Job::none()).unwrap(), None);
}

#[test]
fn a_walk_in_a_dungeon_continues() {
    let mut preset = Preset::named("dungeon").unwrap();
    (preset.world.width, preset.world.height, preset.perception.creatures) = (48, 40, 500.0);
    check_that_it_continues(Scene::generate(preset, None, Job::none()).unwrap(), None);
}

#[test]
fn a_walk_on_a_map_holds_the_map() {
    let odd = |cell: IVec2| [0.0, 0.0, 0.0, 1.0, 0.1, 0.3][((cell.x * 7 + cell.y * 13) % 11 % 6) as usize];
    let map = OpacityMap::try_from(Grid::from_fn(40, 30, odd)).unwrap();
    let source = source("odd.txt", map.grid());
    let viewer = ivec2(20, 15);
    let preset = populated(Preset::bare_kernel(), viewer);
    let saved = check_that_it_continues(
        Scene::from_map(preset, map.clone(), Some(viewer), Job::none()).unwrap(),
        Some(&source),
    );
    assert_eq!(saved.opacity(), Some(&map));
}

#[test]
fn a_walk_resumes_only_in_its_own_world() {
    let mut scene = Scene::generate(small("temperate", 3), None, Job::none()).unwrap();
    walk(&mut scene, 0..6);
    let saved = SavedWalk::of(&scene, "", None);
    let mut same = Scene::generate(small("temperate", 3), Some(ivec2(5, 5)), Job::none()).unwrap();
    same.apply(same.preset().with([("optics.light", 0.5.into())]).unwrap()).unwrap();
    saved.resume(&mut same).unwrap();
    assert!(visible_state(&same) == visible_state(&scene));
    let mut other = Scene::generate(small("temperate", 4), None, Job::none()).unwrap();
    let before = visible_state(&other);
    let error = saved.resume(&mut other).unwrap_err();
    assert!(matches!(error, SavedWalkError::OtherWorld { .. }), "{error}");
    assert!(visible_state(&other) == before, "the scene does not change");
}

#[test]
fn damaged_and_foreign_files_are_errors() {
    let mut scene = Scene::generate(small("dungeon", 3), None, Job::none()).unwrap();
    walk(&mut scene, 0..3);
    let bytes = SavedWalk::of(&scene, "d", None).to_bytes();
    let message = |bytes: &[u8]| SavedWalk::from_bytes(bytes).unwrap_err().to_string();
    for length in 0..bytes.len() {
        let words = message(&bytes[..length]);
        assert!(
            words.contains("cut short") || words.contains("damaged") || words.contains("not a saved walk"),
            "{words}"
        );
    }
    for place in (0..bytes.len()).step_by(37) {
        let mut changed = bytes.clone();
        changed[place] ^= 4;
        SavedWalk::from_bytes(&changed).unwrap_err();
    }
    assert!(message(b"\x89PNG\r\n").contains("not a saved walk"));
    let text = String::from_utf8(bytes).unwrap();
    let later = message(text.replacen("walk 1 ", "walk 2 ", 1).as_bytes());
    assert!(later.starts_with("a saved walk in format 2, which another version of farsight wrote"), "{later}");
}

/// Returns a file with a valid checksum.
fn with_checksum(body: &str) -> Vec<u8> {
    let hash = body.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("farsight walk 1 {hash:016x}\n{body}").into_bytes()
}

#[test]
fn invalid_values_are_errors_despite_a_valid_checksum() {
    let map = OpacityMap::try_from(Grid::<f32>::from_text("..#\n...").unwrap()).unwrap();
    let source = source("m.txt", map.grid());
    let preset =
        Preset::from_toml("[[creatures]]\nat = [1, 1]\nkind = \"rat\"\n[perception]\ncreatures = 0", "t").unwrap();
    let scene = Scene::from_map(preset, map, Some(ivec2(0, 0)), Job::none()).unwrap();
    let bytes = SavedWalk::of(&scene, "d", Some(&source)).to_bytes();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let body = text.split_once('\n').unwrap().1;
    assert_eq!(with_checksum(body), bytes);
    for (from, to, words) in [
        ("\"viewer\":[0,0]", "\"viewer\":[3,0]", "viewer 3,0 is outside the map of 3x2 cells"),
        ("\"size\":[3,2]", "\"size\":[2,2]", "memory: expected 4 cells"),
        ("\"size\":[3,2]", "\"size\":[99999,99999]", "a size of 99999x99999 cells"),
        ("\"size\":[3,2]", "\"size\":[-3,-2]", "a size of -3x-2 cells"),
        ("\"kind\":\"rat\"", "\"kind\":\"unicorn\"", "a creature of kind \"unicorn\" does not exist"),
        ("\"at\":[1,1]", "\"at\":[1,7]", "creature 1,7 is outside the map"),
        ("\"sense\":\"identified\"", "\"sense\":\"smelt\"", "\"smelt\" is not known"),
        ("\"name\":\"d\"", "\"nane\":\"d\"", "unknown field `nane`"),
        ("1065353216", "1073741824", "the opacities are not those of m.txt"),
        ("identify = 0.25", "identify = 25", "not valid: preset: "),
        ("\"opacity\"", "\"world\":\"0\",\"opacity\"", "either the opacities of a map or the digest of a world"),
    ] {
        let changed = body.replacen(from, to, 1);
        assert_ne!(changed, body, "{from}");
        let error = SavedWalk::from_bytes(&with_checksum(&changed)).unwrap_err().to_string();
        assert!(error.contains(words), "{from} → {to}: {error}");
    }
}
