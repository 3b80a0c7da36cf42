//! Observers: the visibility of a cell is the maximum of all views.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::perception::{CellMemory, Recognition};
use farsight::sight::{MethodKind, OpacityMap};
use farsight_scene::creatures::{Observer, PlacedCreature, Sighting, Species};
use farsight_scene::export::{Crop, ExportOptions};
use farsight_scene::files::Format;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use proptest::prelude::*;

use super::{bits, generated, on_text, small};

fn map(opacities: Vec<f32>) -> OpacityMap {
    OpacityMap::try_from(Grid::from_vec(24, 18, opacities).unwrap()).unwrap()
}

fn any_cell() -> impl Strategy<Value = IVec2> {
    (0i32..24, 0i32..18).prop_map(|(x, y)| ivec2(x, y))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn scene_shows_the_best_of_all_views(
        opacities in prop::collection::vec(prop_oneof![3 => Just(0.0f32), 1 => Just(1.0), 1 => 0.0f32..1.0], 24 * 18),
        cells in prop::collection::vec(any_cell(), 1..5),
        method in prop_oneof![Just("two_parent"), Just("beam"), Just("shadowcast")],
        radius in 0i64..30,
    ) {
        let preset = Preset::bare_kernel().with([("sight.method", method.into()), ("sight.radius", radius.into())]).unwrap();
        let alone = |cell| Scene::from_map(preset.clone(), map(opacities.clone()), Some(cell), farsight::Job::none()).unwrap();
        let viewers = cells[1..].iter().map(|&cell| Observer::new(cell)).collect();
        let together = preset.clone().with_viewers(viewers);
        let mut together = Scene::from_map(together, map(opacities.clone()), Some(cells[0]), farsight::Job::none()).unwrap();
        let views: Vec<Scene> = cells.iter().map(|&cell| alone(cell)).collect();
        for y in 0..18 {
            for x in 0..24 {
                let cell = ivec2(x, y);
                let best = views.iter().map(|scene| scene.visibility(cell)).fold(0.0, f32::max);
                prop_assert_eq!(together.visibility(cell), best, "{}", cell);
                let known = if together.sense(cell) > Recognition::Hidden { CellMemory::Visible } else { CellMemory::Hidden };
                prop_assert_eq!(together.memory(cell), known, "{}", cell);
            }
        }
        together.set_observers(Vec::new()).unwrap();
        prop_assert_eq!(bits(&together), bits(&views[0]), "sent away, they leave no trace");
    }
}

#[test]
fn observers_have_their_own_eye_heights() {
    let preset = small("temperate", 3);
    let scene = generated(preset.clone());
    let tower = scene.viewer() + ivec2(15, 8);
    let mut both = scene.clone();
    let observer = Observer::new(tower).with_eye_height_m(60.0);
    both.set_observers(vec![observer]).unwrap();
    let mut alone = scene.clone();
    alone.apply(preset.with([("optics.eye_height_m", 60.0.into())]).unwrap()).unwrap();
    alone.place(tower).unwrap();
    let mut gained = 0;
    for y in 0..80 {
        for x in 0..96 {
            let cell = ivec2(x, y);
            assert_eq!(both.visibility(cell), scene.visibility(cell).max(alone.visibility(cell)), "{cell}");
            gained += usize::from(both.visibility(cell) > scene.visibility(cell));
        }
    }
    assert!(gained > 200, "the tower shows {gained} cells better");
}

#[test]
fn creature_is_identified_by_any_observer() {
    let mut scene = on_text("@..#.....\n...#.....", 12);
    let rat = PlacedCreature::new(ivec2(7, 0), Species::named("goblin").unwrap());
    scene.apply(scene.preset().clone().with_creatures(vec![rat])).unwrap();
    assert_eq!(scene.sightings().count(), 0, "behind the wall");
    scene.set_observers(vec![Observer::new(ivec2(5, 1))]).unwrap();
    assert!(matches!(scene.sightings().next(), Some(Sighting::Identified(_, cell)) if cell == ivec2(7, 0)));
    assert_eq!(scene.memory(ivec2(7, 1)), CellMemory::Visible);
    scene.set_observers(Vec::new()).unwrap();
    assert_eq!(scene.memory(ivec2(7, 1)), CellMemory::Seen);
}

#[test]
fn followers_walk_in_a_line_and_towers_stay() {
    let mut scene = on_text("......\n@.....\n......\n......", 8);
    let friend = |x, y| Observer::new(ivec2(x, y)).with_follows(true);
    scene.set_observers(vec![friend(0, 0), Observer::new(ivec2(5, 3)), friend(0, 3)]).unwrap();
    let places = |scene: &Scene| scene.observers().iter().map(|observer| observer.at).collect::<Vec<_>>();
    assert!(scene.step(ivec2(1, 0)).unwrap());
    assert_eq!(places(&scene), [ivec2(0, 1), ivec2(5, 3), ivec2(0, 2)]);
    for _ in 0..3 {
        scene.step(ivec2(1, 0)).unwrap();
    }
    assert_eq!(places(&scene), [ivec2(3, 1), ivec2(5, 3), ivec2(2, 1)]);
    // What they see is what a scene that begins there sees.
    let anew = Scene::from_map(
        scene.preset().clone(),
        OpacityMap::clear(6, 4).unwrap(),
        Some(scene.viewer()),
        farsight::Job::none(),
    )
    .unwrap();
    assert_eq!(bits(&scene), bits(&anew));
    assert!(!scene.step(ivec2(0, 0)).unwrap());
    assert_eq!(places(&scene), [ivec2(3, 1), ivec2(5, 3), ivec2(2, 1)], "no step, no following");
    // A wall stops a friend, who tries to go around it.
    let mut walled = on_text("..#...\n@.#...\n......", 8);
    walled.place(ivec2(3, 1)).unwrap();
    walled.set_observers(vec![friend(1, 1)]).unwrap();
    walled.step(ivec2(1, 0)).unwrap();
    assert_eq!(places(&walled), [ivec2(1, 1)], "the wall is in the way");
}

#[test]
fn method_and_radius_apply_to_all_observers() {
    let mut scene = on_text("....................\n@...................", 4);
    scene.set_observers(vec![Observer::new(ivec2(15, 0))]).unwrap();
    assert_eq!((scene.visibility(ivec2(12, 0)), scene.visibility(ivec2(8, 0))), (1.0, 0.0));
    let mut preset = scene.preset().clone();
    (preset.sight.radius, preset.sight.method) = (8, MethodKind::Beam);
    scene.apply(preset).unwrap();
    assert_eq!(scene.visibility(ivec2(8, 0)), 1.0);
    let frame = scene.seen_frame();
    assert_eq!((frame.min, frame.max), (ivec2(0, 0), ivec2(20, 2)));
    // A painted picture shows the view of all of them, a crop to the sight that of the viewer.
    let size = |crop| {
        let options = ExportOptions::default().with_crop(crop);
        options.product(&scene, Format::Png).unwrap().size().unwrap()
    };
    assert!(size(Crop::Auto).x > size(Crop::Sight).x);
}
