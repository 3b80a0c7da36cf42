//! Views that changes defer, and that a refresh computes.

use std::sync::atomic::AtomicBool;

use farsight::grid::CellRect;
use farsight::sight::{MethodKind, SightError};
use farsight::{Cancelled, Job};
use farsight_scene::creatures::{Eyes, Observer, PlacedCreature, Species};
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Layer, Scene};
use glam::ivec2;

/// A scene in fog with two lookouts, one of which follows, and a guard with eyes.
fn scene() -> Scene {
    let mut preset = Preset::named("fog").unwrap();
    (preset.world.width, preset.world.height) = (60, 50);
    preset.perception.creatures = 6.0;
    (preset.clock.runs, preset.clock.hour) = (true, 9.0);
    preset.viewers = vec![Observer::new((12, 14)), Observer::new((31, 26)).with_follows(true)];
    let guard = Species::new("guard", 'A').with_eyes(Eyes::default()).intern().unwrap();
    preset.creatures = vec![PlacedCreature::new((34, 22), guard)];
    Scene::generate(preset, Some(ivec2(30, 25)), Job::none()).unwrap()
}

fn assert_same(found: &Scene, expected: &Scene) {
    assert_eq!(found.preset(), expected.preset());
    let (found_walk, expected_walk) = (found.walk_state(), expected.walk_state());
    assert_eq!(found_walk.creatures, expected_walk.creatures);
    assert_eq!(found_walk.memory, expected_walk.memory);
    let bits = |scene: &Scene| {
        scene.layer(Layer::Visibility, CellRect::of_size(scene.size())).unwrap().map(|seen| seen.to_bits())
    };
    assert!(bits(found) == bits(expected));
}

#[test]
fn a_refreshed_scene_is_that_which_computed_its_views_at_once() {
    let (mut now, mut later) = (scene(), scene());
    let changes: [&dyn Fn(&mut Scene); 6] = [
        &|scene| assert!(scene.step(ivec2(1, 0)).unwrap()),
        &|scene| scene.place((20, 30)).unwrap(),
        &|scene| scene.wait().unwrap(),
        &|scene| scene.apply(scene.preset().clone().with_sight(scene.preset().sight.clone().with_radius(9))).unwrap(),
        &|scene| scene.set_hour(21.0).unwrap(),
        &|scene| scene.set_observers(vec![Observer::new((40, 40))]).unwrap(),
    ];
    for change in changes {
        let (before, revision) = (later.own_visibility((21, 30)), later.revision());
        change(&mut now);
        later.defer(change);
        assert!(later.is_stale() && later.revision() > revision);
        assert_eq!(later.own_visibility((21, 30)), before, "the view of before");
        let revision = later.revision();
        later.refresh(Job::none()).unwrap();
        assert!(!later.is_stale() && later.revision() == revision);
        assert_same(&later, &now);
    }
}

#[test]
fn a_scene_whose_refresh_is_cancelled_stays_stale() {
    let mut scene = scene();
    let mut expected = scene.clone();
    let exact = scene.preset().clone().with_sight(scene.preset().sight.clone().with_method(MethodKind::Exact));
    scene.apply(exact.clone()).unwrap();
    scene.defer(|scene| scene.apply(expected.preset().clone())).unwrap();
    let cancel = AtomicBool::new(true);
    scene.defer(|scene| scene.apply(exact)).unwrap();
    assert_eq!(scene.refresh(Job::none().cancelled_by(&cancel)), Err(SightError::Cancelled(Cancelled)));
    assert!(scene.is_stale());
    scene.defer(|scene| scene.apply(expected.preset().clone())).unwrap();
    scene.refresh(Job::none()).unwrap();
    scene.forget();
    expected.forget(); // exact lines saw other cells
    assert_same(&scene, &expected);
}

#[test]
fn only_views_that_a_change_concerns_are_stale() {
    let mut scene = scene();
    scene.step(ivec2(0, 1)).unwrap();
    assert!(!scene.is_stale(), "it is not deferred");
    let mut preset = scene.preset().clone();
    (preset.sight.method, preset.sight.samples) = (MethodKind::Exact, 32);
    scene.defer(|scene| scene.apply(preset.clone())).unwrap();
    assert!(scene.has_stale_views());
    let revision = scene.revision();
    scene.forget();
    assert!(scene.revision() > revision);
    scene.refresh(Job::none()).unwrap();
    preset.paint.legend = !preset.paint.legend;
    scene.defer(|scene| scene.apply(preset)).unwrap();
    assert!(!scene.has_stale_views(), "what is painted changes no view");
}
