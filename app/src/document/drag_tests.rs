//! Tests of dragged sliders of the world on a document without a window.

use toml::Value;

use super::shown::Shown;
use super::source::{DocumentOptions, Source};
use super::state::Document;
use farsight::Job;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::World;

fn document(side: u32) -> (Document, Shown) {
    let mut preset = Preset::shipped_default();
    (preset.world.width, preset.world.height, preset.sight.radius) = (side, side, 20);
    let scene = Scene::generate(preset, None, Job::none()).unwrap();
    let options = DocumentOptions::with_scene(scene, Source::Generated, Preset::DEFAULT_NAME);
    (Document::new(options), Shown::default())
}

fn set_land(document: &mut Document, shown: &Shown, land: f64) {
    document.set("world.land", Some(Value::Float(land)), shown);
}

fn world(document: &Document) -> &World {
    document.scene().unwrap().world().unwrap()
}

/// Runs frames until the scene has changed.
fn wait_for_change(document: &mut Document, shown: &mut Shown) {
    let before = document.revision();
    while document.revision() == before {
        document.advance(0.0, shown).unwrap();
        std::thread::yield_now();
    }
}

fn settle(document: &mut Document, shown: &mut Shown) {
    while !document.is_settled() {
        document.advance(0.0, shown).unwrap();
        std::thread::yield_now();
    }
}

#[test]
fn land_follows_a_slider_that_never_rests() {
    let (mut document, mut shown) = document(300);
    let viewer = document.scene().unwrap().viewer();
    let mut followed = Vec::new();
    let mut land = 0.6;
    // Each frame has another value, faster than the generation of a world.
    while followed.len() < 4 {
        land -= 1e-5;
        set_land(&mut document, &shown, land);
        document.advance(0.0, &mut shown).unwrap();
        let world = world(&document);
        if world.config().land < 0.6 && followed.last() != Some(&world.config().land) {
            assert!(world.is_preview());
            assert_eq!(document.scene().unwrap().viewer(), viewer);
            followed.push(world.config().land);
        }
    }
    assert!(!document.is_settled() && document.shows_preview() && document.link().is_none());
    document.end_step();
    settle(&mut document, &mut shown);
    let made = World::generate(&document.preset().world, Job::none()).unwrap();
    assert!(document.preset().world.land == land && *world(&document) == made && !document.shows_preview());
}

#[test]
fn slider_at_rest_shows_the_world_itself_before_it_is_released() {
    let (mut document, mut shown) = document(300);
    set_land(&mut document, &shown, 0.5);
    set_land(&mut document, &shown, 0.4);
    wait_for_change(&mut document, &mut shown);
    assert!(world(&document).is_preview() && world(&document).config().land == 0.4);
    settle(&mut document, &mut shown);
    assert!(!world(&document).is_preview() && world(&document).config().land == 0.4);
}

#[test]
fn single_change_shows_no_preview() {
    let (mut document, mut shown) = document(300);
    set_land(&mut document, &shown, 0.5);
    wait_for_change(&mut document, &mut shown);
    assert!(!world(&document).is_preview() && document.is_settled());
}

#[test]
fn world_that_cannot_be_made_ends_a_drag_with_the_last_one() {
    let (mut document, mut shown) = document(300);
    set_land(&mut document, &shown, 0.5);
    set_land(&mut document, &shown, 0.4);
    wait_for_change(&mut document, &mut shown);
    assert!(world(&document).is_preview());
    let mut preset = document.preset().clone();
    preset.world.land = 7.0; // no control gives this value
    document.adopt(preset, None);
    settle(&mut document, &mut shown);
    assert!(!world(&document).is_preview() && world(&document).config().land == 0.4);
    assert!(document.preset().world.land == 0.4 && !document.take_errors().is_empty());
}

#[test]
fn undo_after_a_drag_restores_the_world_before() {
    let (mut document, mut shown) = document(300);
    let before = world(&document).clone();
    for land in [0.5, 0.45, 0.4] {
        set_land(&mut document, &shown, land);
    }
    wait_for_change(&mut document, &mut shown);
    assert!(document.undo(&mut shown));
    settle(&mut document, &mut shown);
    assert!(*world(&document) == before);
}
