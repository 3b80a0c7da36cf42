//! Tests of undo on a document without a window.

use super::state::Document;
use super::undo_stack::UndoSteps;
use crate::explorer::options::{ExploreOptions, Start};
use crate::explorer::view::ViewState;
use crate::grid::CellRect;
use crate::job::Job;
use crate::light::ClockConfig;
use crate::paint::{PaintOptions, Picture, Zoom, paint};
use crate::perception::Observer;
use crate::preset::Preset;
use crate::scene::Scene;
use glam::{IVec2, ivec2};

fn scene() -> Scene {
    let mut preset = Preset::shipped_default();
    (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 20);
    preset.perception.creatures = 200.0;
    Scene::generate(preset, None, Job::quiet()).unwrap()
}

fn picture(scene: &Scene) -> Picture {
    paint(scene, &PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(5)))
}

fn document() -> (Document, ViewState) {
    let start = Start::Scene { scene: Box::new(scene()), ground: None };
    (Document::new(ExploreOptions { start, ..ExploreOptions::default() }), ViewState::default())
}

fn set(document: &mut Document, view: &ViewState, key: &'static str, value: &str) {
    document.set(key, Some(Preset::parse_value(key, value)), view);
}

fn radius(document: &Document) -> u32 {
    document.scene().unwrap().preset().sight.radius
}

fn hour(document: &Document) -> f64 {
    document.scene().unwrap().preset().clock.hour
}

fn steps(document: &Document) -> [usize; 2] {
    let UndoSteps { undo, redo } = document.undo_steps();
    [undo, redo]
}

const EAST: IVec2 = ivec2(1, 0);

/// Twenty changes, of which several show what is forgotten, or never seen, in the first picture.
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
    ("paint.ramp", "viridis"),
    ("optics.light", "0.3"),
    ("optics.lantern", "9"),
    ("paint.humidity", "false"),
    ("sight.decay.kind", "none"),
    ("classic.method", "shadowcast"),
    ("perception.memory", "false"),
    ("optics.eye_height_m", "120"),
    ("classic.method", "none"),
    ("sight.radius", "6"),
    ("paint.contours", "false"),
];

#[test]
fn undo_after_twenty_changes_brings_back_the_first_picture_to_the_byte() {
    let (mut document, mut view) = document();
    for _ in 0..4 {
        document.walk(EAST);
    }
    let shown = |document: &Document| picture(document.scene().unwrap());
    let first = shown(&document);
    let mut pictures = vec![first.clone()];
    for (key, value) in CHANGES {
        set(&mut document, &view, key, value);
        document.end_step();
        pictures.push(shown(&document));
    }
    assert!(pictures.windows(2).filter(|pair| pair[0] != pair[1]).count() > 12, "the changes are seen");
    for (i, expected) in pictures.iter().enumerate().rev().skip(1) {
        assert!(document.undo(&mut view));
        assert!(shown(&document) == *expected, "back before change {i}");
    }
    assert!(shown(&document) == first);
    assert!(!document.undo(&mut view), "there is nothing before the first");
    for (i, expected) in pictures.iter().enumerate().skip(1) {
        assert!(document.redo(&mut view));
        assert!(shown(&document) == *expected, "change {i} again");
    }
    assert!(!document.redo(&mut view));
    assert!(document.take_errors().is_empty());
}

#[test]
fn a_drag_is_one_step_and_a_new_change_ends_the_redos() {
    let (mut document, mut view) = document();
    for radius in 21..40 {
        set(&mut document, &view, "sight.radius", &radius.to_string());
    }
    assert_eq!(steps(&document), [1, 0]);
    set(&mut document, &view, "optics.fog_onset", "0.5");
    set(&mut document, &view, "sight.radius", "12");
    document.end_step();
    set(&mut document, &view, "sight.radius", "13");
    assert_eq!(steps(&document), [4, 0]);
    assert!(document.undo(&mut view) && document.undo(&mut view));
    assert_eq!((radius(&document), steps(&document)), (39, [2, 2]));
    set(&mut document, &view, "optics.light", "0.5");
    assert_eq!(steps(&document), [3, 0]);
    assert!(document.undo(&mut view) && document.undo(&mut view) && document.undo(&mut view));
    assert_eq!(radius(&document), 20);
}

#[test]
fn walking_is_not_undone() {
    let (mut document, mut view) = document();
    set(&mut document, &view, "sight.radius", "8");
    document.walk(EAST);
    let walked = |document: &Document| {
        let scene = document.scene().unwrap();
        (scene.viewer(), scene.walk_state().turn)
    };
    let before = walked(&document);
    document.undo(&mut view);
    assert_eq!((walked(&document), radius(&document)), (before, 20), "viewer and creatures do not go back");
}

/// A document with the clock at noon, and half an hour a turn.
fn at_noon() -> (Document, ViewState) {
    let (mut document, view) = document();
    let clock = ClockConfig { runs: true, hour: 12.0, minutes_a_turn: 30.0, ..document.preset().clock.clone() };
    document.edit_with(|preset| preset.clock = clock, &view);
    (document, view)
}

#[test]
fn the_clock_is_turned_back_only_where_it_was_turned() {
    let (mut document, mut view) = at_noon();
    set(&mut document, &view, "sight.radius", "8");
    document.walk(EAST);
    set(&mut document, &view, "sight.radius", "9"); // the same drag, half an hour later
    document.walk(EAST);
    assert!(document.undo(&mut view));
    assert_eq!((radius(&document), hour(&document)), (20, 13.0));
    document.walk(EAST);
    assert!(document.redo(&mut view));
    assert_eq!((radius(&document), hour(&document)), (9, 13.5));
    set(&mut document, &view, "clock.hour", "20");
    document.walk(EAST);
    assert!(document.undo(&mut view));
    assert_eq!(hour(&document), 13.5);
    assert!(document.redo(&mut view));
    assert_eq!(hour(&document), 20.5, "as it was before the undo");
    assert!(document.undo(&mut view) && document.undo(&mut view));
    assert_eq!((radius(&document), hour(&document)), (20, 13.5));
}

#[test]
fn lookouts_that_follow_are_not_sent_back() {
    let (mut document, mut view) = at_noon();
    let at = document.scene().unwrap().viewer();
    let add = |document: &mut Document, view: &ViewState, lookout: Observer| {
        document.edit_with(|preset| preset.viewers.insert(0, lookout), view);
    };
    add(&mut document, &view, Observer { follows: true, ..Observer::new(at) });
    let places = |document: &Document| -> Vec<i32> {
        document.scene().unwrap().observers().iter().map(|lookout| (lookout.at - at).x).collect()
    };
    set(&mut document, &view, "sight.radius", "8");
    document.end_step();
    add(&mut document, &view, Observer::new(at));
    document.walk(EAST);
    document.walk(EAST);
    assert_eq!(places(&document), [0, 1], "the tower stays, the friend is one step behind");
    assert!(document.undo(&mut view));
    assert_eq!(places(&document), [1]);
    document.walk(EAST);
    assert!(document.undo(&mut view));
    assert_eq!((places(&document), radius(&document)), (vec![2], 20));
    assert!(document.redo(&mut view) && document.redo(&mut view));
    assert_eq!(places(&document), [0, 2]);
}
