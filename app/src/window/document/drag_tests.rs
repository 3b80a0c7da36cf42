//! Tests of dragged sliders of the world on a document without a window.

use toml::Value;

use super::state::Document;
use crate::window::options::{ExploreOptions, Start};
use crate::window::view::ViewState;
use farsight::Job;
use farsight::preset::Preset;
use farsight::scene::Scene;
use farsight::world::World;

fn document(side: u32) -> (Document, ViewState) {
    let mut preset = Preset::shipped_default();
    (preset.world.width, preset.world.height, preset.sight.radius) = (side, side, 20);
    let scene = Box::new(Scene::generate(preset, None, Job::quiet()).unwrap());
    let start = Start::Scene { scene, ground: None };
    (Document::new(ExploreOptions { start, ..ExploreOptions::default() }), ViewState::default())
}

fn set_land(document: &mut Document, view: &ViewState, land: f64) {
    document.set("world.land", Some(Value::Float(land)), view);
}

fn world(document: &Document) -> &World {
    document.scene().unwrap().world().unwrap()
}

/// Runs frames until the scene has changed.
fn wait_for_change(document: &mut Document, view: &mut ViewState) {
    let before = document.revision();
    while document.revision() == before {
        document.advance(0.0, view).unwrap();
        std::thread::yield_now();
    }
}

fn settle(document: &mut Document, view: &mut ViewState) {
    while !document.is_settled() {
        document.advance(0.0, view).unwrap();
        std::thread::yield_now();
    }
}

#[test]
fn land_follows_a_slider_that_never_rests() {
    let (mut document, mut view) = document(300);
    let viewer = document.scene().unwrap().viewer();
    let mut shown = Vec::new();
    let mut land = 0.6;
    // Each frame has another value, faster than a world is made.
    while shown.len() < 4 {
        land -= 1e-5;
        set_land(&mut document, &view, land);
        document.advance(0.0, &mut view).unwrap();
        let world = world(&document);
        if world.config().land < 0.6 && shown.last() != Some(&world.config().land) {
            assert!(world.is_preview());
            assert_eq!(document.scene().unwrap().viewer(), viewer);
            shown.push(world.config().land);
        }
    }
    assert!(!document.is_settled() && document.shows_preview() && document.link().is_none());
    document.end_step();
    settle(&mut document, &mut view);
    let made = World::generate(&document.preset().world, Job::quiet()).unwrap();
    assert!(document.preset().world.land == land && *world(&document) == made && !document.shows_preview());
}

#[test]
fn slider_at_rest_shows_the_world_itself_before_it_is_released() {
    let (mut document, mut view) = document(300);
    set_land(&mut document, &view, 0.5);
    set_land(&mut document, &view, 0.4);
    wait_for_change(&mut document, &mut view);
    assert!(world(&document).is_preview() && world(&document).config().land == 0.4);
    settle(&mut document, &mut view);
    assert!(!world(&document).is_preview() && world(&document).config().land == 0.4);
}

#[test]
fn single_change_shows_no_preview() {
    let (mut document, mut view) = document(300);
    set_land(&mut document, &view, 0.5);
    wait_for_change(&mut document, &mut view);
    assert!(!world(&document).is_preview() && document.is_settled());
}

#[test]
fn world_that_cannot_be_made_ends_a_drag_with_the_last_one() {
    let (mut document, mut view) = document(300);
    set_land(&mut document, &view, 0.5);
    set_land(&mut document, &view, 0.4);
    wait_for_change(&mut document, &mut view);
    assert!(world(&document).is_preview());
    let mut preset = document.preset().clone();
    preset.world.land = 7.0; // no control gives this value
    document.adopt(preset);
    settle(&mut document, &mut view);
    assert!(!world(&document).is_preview() && world(&document).config().land == 0.4);
    assert!(document.preset().world.land == 0.4 && !document.take_errors().is_empty());
}

#[test]
fn undo_after_a_drag_restores_the_world_before() {
    let (mut document, mut view) = document(300);
    let before = world(&document).clone();
    for land in [0.5, 0.45, 0.4] {
        set_land(&mut document, &view, land);
    }
    wait_for_change(&mut document, &mut view);
    assert!(document.undo(&mut view));
    settle(&mut document, &mut view);
    assert!(*world(&document) == before);
}
