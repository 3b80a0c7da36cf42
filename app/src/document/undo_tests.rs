//! Tests of undo on a document without a window.

use super::shown::Shown;
use super::source::{DocumentOptions, Source};
use super::state::Document;
use super::undo_stack::UndoSteps;
use farsight::Job;
use farsight::grid::CellRect;
use farsight::light::{Lamp, Rgb};
use farsight::sight::OpacityMap;
use farsight_scene::creatures::Observer;
use farsight_scene::files::MapSource;
use farsight_scene::paint::{PaintOptions, Picture, Zoom, paint};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use glam::{IVec2, ivec2};

fn scene() -> Scene {
    let mut preset = Preset::shipped_default();
    (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 20);
    preset.perception.creatures = 200.0;
    Scene::generate(preset, None, Job::none()).unwrap()
}

fn picture(scene: &Scene) -> Picture {
    paint(scene, &PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(5)))
}

fn document() -> (Document, Shown) {
    let options = DocumentOptions::with_scene(scene(), Source::Generated, Preset::DEFAULT_NAME);
    (Document::new(options), Shown::default())
}

fn set(document: &mut Document, shown: &Shown, key: &'static str, value: &str) {
    document.set(key, Some(Preset::parse_value(key, value)), shown);
}

fn radius(document: &Document) -> u32 {
    document.scene().unwrap().preset().sight.radius
}

fn hour(document: &Document) -> f64 {
    document.scene().unwrap().clock().hour
}

fn steps(document: &Document) -> [usize; 2] {
    let UndoSteps { undo, redo } = document.undo_steps();
    [undo, redo]
}

const EAST: IVec2 = ivec2(1, 0);

/// Twenty changes; several show cells that are forgotten, or never seen, in the first picture.
const CHANGES: [(&str, &str); 20] = [
    ("sight.radius", "40"),
    ("optics.visual_range_m", "800"),
    ("optics.fog_onset", "0.3"),
    ("perception.creatures", "900"),
    ("sight.weights", "projection"),
    ("sight.path", "per_cell"),
    ("optics.relief", "none"),
    ("perception.glimpse", "0.01"),
    ("perception.identify", "0.02"),
    ("paint.names", "false"),
    ("optics.light", "0.3"),
    ("optics.lantern", "9"),
    ("paint.look", "data"),
    ("sight.decay.kind", "none"),
    ("sight.method", "shadowcast"),
    ("perception.memory", "false"),
    ("optics.eye_height_m", "120"),
    ("sight.method", "two_parent"),
    ("sight.radius", "6"),
    ("paint.contours", "false"),
];

#[test]
fn undo_after_twenty_changes_brings_back_the_first_picture_to_the_byte() {
    let (mut document, mut shown) = document();
    for _ in 0..4 {
        document.walk(EAST);
    }
    let drawn = |document: &Document| picture(document.scene().unwrap());
    let first = drawn(&document);
    let mut pictures = vec![first.clone()];
    for (key, value) in CHANGES {
        set(&mut document, &shown, key, value);
        document.end_step();
        pictures.push(drawn(&document));
    }
    assert!(pictures.windows(2).filter(|pair| pair[0] != pair[1]).count() > 12, "the changes are seen");
    for (i, expected) in pictures.iter().enumerate().rev().skip(1) {
        assert!(document.undo(&mut shown));
        assert!(drawn(&document) == *expected, "back before change {i}");
    }
    assert!(drawn(&document) == first);
    assert!(!document.undo(&mut shown), "there is nothing before the first");
    for (i, expected) in pictures.iter().enumerate().skip(1) {
        assert!(document.redo(&mut shown));
        assert!(drawn(&document) == *expected, "change {i} again");
    }
    assert!(!document.redo(&mut shown));
    assert!(document.take_errors().is_empty());
}

/// Waits until no world is in progress.
fn settle(document: &mut Document, shown: &mut Shown) {
    while !document.is_settled() {
        document.poll(shown).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[test]
fn a_world_that_cannot_be_made_leaves_the_preset_as_it_was() {
    let (mut document, mut shown) = document();
    set(&mut document, &shown, "sight.radius", "31");
    document.end_step();
    let before = (document.preset().clone(), document.name().to_owned());
    let first = picture(document.scene().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.toml");
    // The check for lamps off the map needs the complete world.
    std::fs::write(&path, "lamps = [{ at = [400, 3] }]\n[world]\nwidth = 64\nheight = 64\nseed = 9\n").unwrap();
    let open = |document: &mut Document, shown: &mut Shown| {
        let opened = crate::document::open(Some(path.clone()), None).unwrap();
        document.open(opened, Some(path.clone()), shown);
        assert_eq!(document.name(), "broken");
    };
    open(&mut document, &mut shown);
    settle(&mut document, &mut shown);
    let errors = document.take_errors();
    assert!(errors.iter().any(|error| error.contains("outside the map of 64x64")), "{errors:?}");
    assert_eq!((document.preset().clone(), document.name().to_owned()), before);
    assert!(picture(document.scene().unwrap()) == first);
    assert_eq!(steps(&document), [1, 0], "the switch is no step");
    assert!(!document.watches_file());
    // Another change while the world is in progress belongs to the preset that fails.
    open(&mut document, &mut shown);
    set(&mut document, &shown, "optics.light", "0.4");
    settle(&mut document, &mut shown);
    assert_eq!((document.preset().clone(), document.name().to_owned()), before);
    assert!(picture(document.scene().unwrap()) == first);
    // So does an undone change, even after a turn, which undo does not revert.
    let step_count = steps(&document);
    open(&mut document, &mut shown);
    document.wait_turn();
    set(&mut document, &shown, "optics.light", "0.4");
    document.undo(&mut shown);
    settle(&mut document, &mut shown);
    assert_eq!((document.preset().clone(), document.name().to_owned()), before);
    assert_eq!(steps(&document), step_count, "the switch is no step");
}

#[test]
fn a_scene_that_cannot_be_made_leaves_the_map_as_it_was() {
    let (mut document, mut shown) = document();
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("hall.txt");
    std::fs::write(&map, "#####\n#.@.#\n#####\n").unwrap();
    document.open(crate::document::open(Some(map.clone()), None).unwrap(), Some(map.clone()), &mut shown);
    document.edit_with(|preset| preset.perception.glimpse = 0.1, &shown);
    let before = document.preset().clone();
    let mut preset = Preset::default().with_lamps(vec![Lamp::new(ivec2(9999, 3))]);
    (preset.world.width, preset.world.height) = (64, 64);
    let export = crate::document::OpenedFile::Scene {
        preset: Box::new(preset),
        name: "fog".into(),
        viewer: ivec2(3, 3),
        caveats: Vec::new(),
    };
    document.open(export, None, &mut shown);
    assert!(document.map().is_none());
    settle(&mut document, &mut shown);
    assert!(!document.take_errors().is_empty());
    assert_eq!(document.map().map(|map| map.name.as_str()), Some("hall.txt"));
    assert_eq!((document.preset(), document.input_files()), (&before, &[map][..]));
    assert_eq!(document.scene().unwrap().size(), ivec2(5, 3));
}

#[test]
fn a_drag_is_one_step_and_a_new_change_ends_the_redos() {
    let (mut document, mut shown) = document();
    for radius in 21..40 {
        set(&mut document, &shown, "sight.radius", &radius.to_string());
    }
    assert_eq!(steps(&document), [1, 0]);
    set(&mut document, &shown, "optics.fog_onset", "0.5");
    set(&mut document, &shown, "sight.radius", "12");
    document.end_step();
    set(&mut document, &shown, "sight.radius", "13");
    assert_eq!(steps(&document), [4, 0]);
    assert!(document.undo(&mut shown) && document.undo(&mut shown));
    assert_eq!((radius(&document), steps(&document)), (39, [2, 2]));
    set(&mut document, &shown, "optics.light", "0.5");
    assert_eq!(steps(&document), [3, 0]);
    assert!(document.undo(&mut shown) && document.undo(&mut shown) && document.undo(&mut shown));
    assert_eq!(radius(&document), 20);
}

#[test]
fn walking_is_not_undone() {
    let (mut document, mut shown) = document();
    set(&mut document, &shown, "sight.radius", "8");
    document.walk(EAST);
    let walked = |document: &Document| {
        let scene = document.scene().unwrap();
        (scene.viewer(), scene.walk_state().turn)
    };
    let before = walked(&document);
    document.undo(&mut shown);
    assert_eq!((walked(&document), radius(&document)), (before, 20), "viewer and creatures do not go back");
}

/// Returns a document with the clock at noon, and half an hour per turn.
fn at_noon() -> (Document, Shown) {
    let (mut document, shown) = document();
    let clock = document.preset().clock.clone().with_runs(true).with_hour(12.0).with_minutes_a_turn(30.0);
    document.edit_with(|preset| preset.clock = clock, &shown);
    (document, shown)
}

#[test]
fn the_clock_is_turned_back_only_where_it_was_turned() {
    let (mut document, mut shown) = at_noon();
    set(&mut document, &shown, "sight.radius", "8");
    document.walk(EAST);
    set(&mut document, &shown, "sight.radius", "9"); // the same drag, half an hour later
    document.walk(EAST);
    assert!(document.undo(&mut shown));
    assert_eq!((radius(&document), hour(&document)), (20, 13.0));
    document.walk(EAST);
    assert!(document.redo(&mut shown));
    assert_eq!((radius(&document), hour(&document)), (9, 13.5));
    set(&mut document, &shown, "clock.hour", "20");
    document.walk(EAST);
    assert!(document.undo(&mut shown));
    assert_eq!(hour(&document), 13.5);
    assert!(document.redo(&mut shown));
    assert_eq!(hour(&document), 20.5, "as it was before the undo");
    assert!(document.undo(&mut shown) && document.undo(&mut shown));
    assert_eq!((radius(&document), hour(&document)), (20, 13.5));
}

#[test]
fn the_clock_is_set_to_the_hour_at_which_it_began() {
    let (mut document, mut shown) = at_noon();
    document.walk(EAST);
    assert_eq!((hour(&document), document.preset().clock.hour), (12.5, 12.0), "the settings stay");
    assert!(!document.changed_keys().contains("clock.hour"), "time changes no setting");
    set(&mut document, &shown, "clock.hour", "12");
    assert_eq!(hour(&document), 12.0);
    assert!(document.undo(&mut shown));
    assert_eq!(hour(&document), 12.5);
    set(&mut document, &shown, "world.seed", "5"); // in another world, the hour goes on
    settle(&mut document, &mut shown);
    assert_eq!((document.scene().unwrap().preset().world.seed, hour(&document)), (5, 12.5));
}

#[test]
fn a_placed_lamp_is_changed_and_moved() {
    let (mut document, mut shown) = document();
    let lamp = Lamp::new(ivec2(9, 9));
    document.add(|preset| preset.lamps.push(lamp.clone()), &shown).unwrap();
    for reach in [14.0, 15.0, 16.0] {
        document.change_lamp(&lamp.clone().with_reach(reach).with_colour(Rgb([1, 2, 3])), &shown);
    }
    document.end_step();
    assert_eq!(steps(&document), [2, 0], "a drag of a slider is one step");
    let lamps = |document: &Document| document.scene().unwrap().preset().lamps.clone();
    assert_eq!(lamps(&document), [lamp.clone().with_reach(16.0).with_colour(Rgb([1, 2, 3]))]);
    document.move_lamp(ivec2(9, 9), ivec2(20, 11), &shown).unwrap();
    assert_eq!((lamps(&document)[0].at, lamps(&document)[0].reach), (ivec2(20, 11), 16.0));
    assert!(document.move_lamp(ivec2(9, 9), ivec2(1, 1), &shown).is_err(), "there is none any more");
    document.change_lamp(&lamp, &shown);
    assert_eq!(lamps(&document)[0].at, ivec2(20, 11), "a lamp that is gone is not changed");
    assert!(document.undo(&mut shown) && document.undo(&mut shown));
    assert_eq!(lamps(&document), [lamp]);
}

#[test]
fn a_door_is_opened_and_closed_again() {
    let map = OpacityMap::from_text("....+..").unwrap();
    let scene = Scene::from_map(Preset::bare_kernel(), map.clone(), Some(ivec2(1, 0)), Job::none()).unwrap();
    let source = Source::OpacityMap { map: MapSource::new("hall.txt", ""), opacity: map.into() };
    let mut document = Document::new(DocumentOptions::with_scene(scene, source, ""));
    let mut shown = Shown::default();
    let seen = |document: &Document| document.scene().unwrap().visibility(ivec2(6, 0));
    let before = picture(document.scene().unwrap());
    assert!(document.knows_door(ivec2(4, 0)) && !document.knows_door(ivec2(3, 0)));
    document.toggle_door(ivec2(4, 0), &shown).unwrap();
    assert_eq!((seen(&document), steps(&document)), (1.0, [1, 0]));
    assert!(document.toggle_door(ivec2(3, 0), &shown).unwrap_err().contains("no door at 3,0"));
    document.toggle_door(ivec2(4, 0), &shown).unwrap();
    assert!(document.preset().cells.is_empty());
    assert!(document.undo(&mut shown));
    assert_eq!(seen(&document), 1.0);
    assert!(document.undo(&mut shown));
    assert!(picture(document.scene().unwrap()) == before, "memory, too, is as it was");
    assert!(document.redo(&mut shown));
    for _ in 0..3 {
        document.walk(EAST);
    }
    assert!(document.toggle_door(ivec2(4, 0), &shown).unwrap_err().contains("someone is in it"));
}

#[test]
fn lookouts_that_follow_are_not_sent_back() {
    let (mut document, mut shown) = at_noon();
    let at = document.scene().unwrap().viewer();
    let add = |document: &mut Document, shown: &Shown, lookout: Observer| {
        document.edit_with(|preset| preset.viewers.insert(0, lookout), shown);
    };
    add(&mut document, &shown, Observer::new(at).with_follows(true));
    let places = |document: &Document| -> Vec<i32> {
        document.scene().unwrap().observers().iter().map(|lookout| (lookout.at - at).x).collect()
    };
    set(&mut document, &shown, "sight.radius", "8");
    document.end_step();
    add(&mut document, &shown, Observer::new(at));
    document.walk(EAST);
    document.walk(EAST);
    assert_eq!(places(&document), [0, 1], "the tower stays, the friend is one step behind");
    assert!(document.undo(&mut shown));
    assert_eq!(places(&document), [1]);
    document.walk(EAST);
    assert!(document.undo(&mut shown));
    assert_eq!((places(&document), radius(&document)), (vec![2], 20));
    assert!(document.redo(&mut shown) && document.redo(&mut shown));
    assert_eq!(places(&document), [0, 2]);
}

#[test]
fn a_saved_preset_says_what_was_changed() {
    let (mut document, shown) = (Document::new(DocumentOptions::default()), Shown::default());
    let about = document.preset().about.clone();
    assert_eq!(document.preset_to_save().about, about, "nothing was changed");
    set(&mut document, &shown, "sight.radius", "31");
    set(&mut document, &shown, "optics.light", "0.5");
    assert_eq!(document.preset_to_save().about, "temperate with another light, radius.");
    for key in ["optics.lantern", "optics.fog_onset", "optics.humidity_growth"] {
        set(&mut document, &shown, key, "0.5");
    }
    assert_eq!(document.preset_to_save().about, "temperate with 5 settings changed.");
    assert_eq!(document.preset().about, about);
}
