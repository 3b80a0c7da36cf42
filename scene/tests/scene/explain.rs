//! Explanations of scenes: losses, their causes and their places.

use std::sync::Arc;

use farsight::glam::{IVec2, ivec2};
use farsight::sight::MethodKind;
use farsight_scene::explain::{Cause, Explanation, ExplanationPaths, Section};
use farsight_scene::optics::Relief;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::World;
use proptest::prelude::*;

use super::{generated, on_text, small};

/// A plain of 48 × 24 cells of 100 m with a wood across it, a hill beyond and damp air over its lower half.
fn plain() -> World {
    let grid = |value: &dyn Fn(IVec2) -> f32| farsight::grid::Grid::from_fn(48, 24, value);
    let ground = grid(&|cell| if cell.x >= 30 && cell.x < 33 { 30.0 } else { 5.0 });
    let humidity = grid(&|cell| if cell.y > 12 { 0.97 } else { 0.4 });
    let vegetation = grid(&|cell| if (14..17).contains(&cell.x) { 0.3 } else { 0.0 });
    World::from_fields(ground, humidity, vegetation, 100.0).unwrap()
}

fn on_plain(change: impl FnOnce(&mut Preset)) -> Scene {
    let mut preset = Preset::default();
    preset.sight.radius = 40;
    preset.perception.creatures = 0.0;
    preset.optics.fog_visual_range_m = 4000.0;
    preset.optics.canopy_height_m = 120.0;
    change(&mut preset);
    Scene::from_world(preset, Arc::new(plain()), Some(ivec2(4, 10)), farsight::Job::none()).unwrap()
}

fn share(explanation: &Explanation, cause: Cause) -> f64 {
    explanation.losses.iter().find(|loss| loss.cause == cause).map_or(0.0, |loss| loss.share)
}

#[test]
fn wood_hill_fog_and_distance_have_shares_and_regions() {
    let scene = on_plain(|preset| {
        preset.sight.decay = farsight_scene::preset::DecayKind::Linear.into();
        preset.optics.light = 0.9;
    });
    let explanation = Explanation::of(&scene, ivec2(40, 16)).unwrap();
    for cause in [Cause::Forest, Cause::Ridge, Cause::Fog, Cause::Haze, Cause::Distance, Cause::Dark] {
        assert!(share(&explanation, cause) > 0.0, "{cause:?}: {:?}", explanation.losses);
    }
    let total: f64 = explanation.losses.iter().map(|loss| loss.share).sum();
    assert!((total - explanation.lost()).abs() < 1e-9);
    assert!((explanation.explained - f64::from(scene.perceived(ivec2(40, 16)))).abs() < 1e-6);
    let place = |cause| explanation.losses.iter().find(|loss| loss.cause == cause).unwrap().regions[0].clone();
    assert!((14..17).contains(&place(Cause::Forest).cell.x) && (30..33).contains(&place(Cause::Ridge).cell.x));
    assert!(place(Cause::Forest).cells.iter().all(|cell| (14..17).contains(&cell.x)));
    assert!(place(Cause::Fog).cells.iter().all(|cell| cell.y > 12));
    assert!(explanation.losses.iter().all(|loss| loss.regions.is_empty() != loss.cause.has_regions()));
    // A disabled cause has no loss.
    let calm = on_plain(|preset| {
        preset.optics.relief = Relief::None;
        preset.sight.decay = Default::default();
    });
    let calm = Explanation::of(&calm, ivec2(40, 10)).unwrap();
    assert_eq!([Cause::Ridge, Cause::Fog, Cause::Distance, Cause::Dark].map(|cause| share(&calm, cause)), [0.0; 4]);
}

#[test]
fn gain_of_a_wood_is_exact() {
    let scene = on_plain(|_| {});
    let target = ivec2(27, 13);
    let explanation = Explanation::of(&scene, target).unwrap();
    let wood = explanation.losses.iter().find(|loss| loss.cause == Cause::Forest).unwrap();
    let mut vegetation = plain().vegetation().clone();
    wood.regions[0].cells.iter().for_each(|&cell| vegetation[cell] = 0.0);
    let world = plain();
    let felled = World::from_fields(world.ground_m().clone(), world.humidity().clone(), vegetation, 100.0).unwrap();
    let after =
        Scene::from_world(scene.preset().clone(), Arc::new(felled), Some(scene.viewer()), farsight::Job::none())
            .unwrap();
    let gained = f64::from(after.perceived(target) - scene.perceived(target));
    assert!(
        gained > 0.05 && (wood.regions[0].gain - gained).abs() < 1e-5,
        "{gained} against {:?}",
        wood.regions[0].gain
    );
}

#[test]
fn beam_and_classic_methods_are_explained_along_lines() {
    let map = "............\n............\n.@....4.....\n.......#....\n............";
    let mut scene = on_text(map, 20);
    let target = ivec2(11, 3);
    assert_eq!(Explanation::of(&scene, target).unwrap().paths, ExplanationPaths::Parents);
    let mut preset = scene.preset().clone();
    preset.sight.method = MethodKind::Exact;
    scene.apply(preset.clone()).unwrap();
    let exact = Explanation::of(&scene, target).unwrap();
    assert_eq!(exact.paths, ExplanationPaths::Lines(49));
    assert!((exact.explained - f64::from(scene.visibility(target))).abs() < 1e-6);
    preset.sight.method = MethodKind::Beam;
    scene.apply(preset.clone()).unwrap();
    let beam = Explanation::of(&scene, target).unwrap();
    assert_eq!((beam.explained, beam.paths), (exact.explained, exact.paths));
    assert_eq!(beam.perceived, scene.perceived(target));
    preset.sight.method = MethodKind::Shadowcast;
    scene.apply(preset).unwrap();
    let classic = Explanation::of(&scene, target).unwrap();
    // To it the hedge of 0.4 is clear.
    assert!(classic.cells.iter().all(|loss| loss.cause == Cause::Wall), "{:?}", classic.cells);
    assert!(classic.sentence().contains("the method of the preset shows"), "{}", classic.sentence());
}

#[test]
fn sentence_tells_of_lookouts_and_missing_data() {
    let mut scene = on_text("............\n.@...#......\n............", 6);
    scene.set_observers(vec![farsight_scene::creatures::Observer::new(ivec2(9, 0))]).unwrap();
    let behind = Explanation::of(&scene, ivec2(7, 1)).unwrap();
    assert!(behind.perceived == 0.0 && behind.perceived_by_all > 0.9, "{behind:?}");
    assert!(behind.sentence().ends_with("(A lookout sees it at 100 %.)"), "{}", behind.sentence());
    let far = Explanation::of(&scene, ivec2(10, 1)).unwrap();
    assert!(far.sentence().contains("out of range") && far.sentence().contains("A lookout"), "{}", far.sentence());

    let mut ground = farsight_scene::world::Ground::new(farsight::grid::Grid::new(30, 20, 50.0));
    ground.elevation_m[ivec2(12, 10)] = f32::NAN;
    ground.elevation_m[ivec2(14, 10)] = f32::NAN;
    let preset = Preset::default();
    let scene = Scene::from_dem(preset, &ground, Some(ivec2(10, 10)), farsight::Job::none()).unwrap();
    assert!(Explanation::of(&scene, ivec2(14, 10)).unwrap().sentence().contains("no data"));
    // A gap on the way takes no more than air does.
    let beyond = Explanation::of(&scene, ivec2(15, 10)).unwrap();
    assert!((beyond.explained - f64::from(beyond.perceived)).abs() < 1e-5, "{beyond:?}");
    let section = Section::of(&scene, ivec2(15, 10));
    assert!(section.points[2].heights.is_none() && section.points[3].heights.is_some());
}

#[test]
fn section_goes_from_eye_to_target() {
    let scene = on_plain(|preset| preset.optics.target_height_m = 12.0);
    let section = Section::of(&scene, ivec2(40, 16));
    assert_eq!(section.points.len(), 37);
    let heights = |i: usize| section.points[i].heights.unwrap();
    assert_eq!((heights(0).line, heights(36).line), (5.0 + 1.7, 5.0 + 12.0));
    assert_eq!((section.points[0].cell, section.points[36].cell), (ivec2(4, 10), ivec2(40, 16)));
    assert_eq!(heights(11).canopy - heights(11).ground, 120.0 * 0.3 * 0.3);
    assert_eq!(section.span_m(), Some([5.0, 30.0]));
    assert!((section.points[36].distance - 36f64.hypot(6.0)).abs() < 1e-9);
    assert!(section.points.iter().all(|point| point.left == scene.perceived(point.cell)));
    assert_eq!(Section::of(&scene, scene.viewer()).points.len(), 1);
}

#[test]
fn line_of_a_section_sags_on_a_curved_earth() {
    let scene = on_plain(|preset| {
        preset.optics = preset.optics.clone().with_relief(Relief::LineOfSight).with_curvature_coefficient(6.0 / 7.0);
    });
    let section = Section::of(&scene, ivec2(44, 10));
    let heights = |i: usize| section.points[i].heights.unwrap();
    // 40 cells are 4 km: 6/7 of 2 km squared by twice the radius of the Earth.
    let straight = 0.5 * (heights(0).line + heights(40).line);
    let sag = f64::from(straight - heights(20).line);
    assert!((sag - 0.26877).abs() < 1e-5, "{sag}");
}

/// The plain with a hill of 120 m instead of the low hill, under a true line of sight.
fn over_hills(change: impl FnOnce(&mut Preset)) -> Scene {
    let mut preset = Preset::default();
    preset.sight.radius = 40;
    preset.perception.creatures = 0.0;
    preset.optics.relief = Relief::LineOfSight;
    preset.optics.relief_softness_m = 150.0;
    preset.optics.visual_range_m = 15_000.0;
    preset.sight.decay = Default::default();
    change(&mut preset);
    let plain = plain();
    let ground = plain.ground_m().map(|&metres| if metres > 20.0 { 120.0 } else { metres });
    let world = World::from_fields(ground, plain.humidity().clone(), plain.vegetation().clone(), 100.0).unwrap();
    Scene::from_world(preset, Arc::new(world), Some(ivec2(4, 10)), farsight::Job::none()).unwrap()
}

#[test]
fn gain_of_a_ridge_is_that_of_no_relief() {
    let scene = over_hills(|_| {});
    let target = ivec2(40, 13);
    let explanation = Explanation::of(&scene, target).unwrap();
    assert!((explanation.explained - f64::from(scene.perceived(target))).abs() < 1e-6, "{explanation:?}");
    let loss = |cause| explanation.losses.iter().find(|loss| loss.cause == cause).unwrap();
    let ridge = &loss(Cause::Ridge).regions[0];
    assert!((30..33).contains(&ridge.cell.x), "{ridge:?}");
    assert!(explanation.least_height_m.unwrap() > 20.0, "{:?}", explanation.least_height_m);
    assert!(share(&explanation, Cause::Haze) > 0.0, "{:?}", explanation.losses);
    // With the hills hiding nothing, and no woods, there is only the air.
    let bare = over_hills(|preset| {
        preset.optics.relief = Relief::None;
        preset.optics.vegetation_extinction_per_m = 0.0;
    });
    let without_both = over_hills(|preset| preset.optics.vegetation_extinction_per_m = 0.0);
    let without_both = Explanation::of(&without_both, target).unwrap();
    let gain = without_both.losses.iter().find(|loss| loss.cause == Cause::Ridge).unwrap().regions[0].gain;
    let expected = f64::from(bare.perceived(target)) - without_both.explained;
    assert!((gain - expected).abs() < 1e-5, "{gain} against {expected}");
    assert!(explanation.sentence().contains("Without that ridge"), "{}", explanation.sentence());
}

#[test]
fn a_saddle_hides_a_diagonal_neighbour() {
    let mut preset = Preset::named("viewshed").unwrap();
    (preset.sight.radius, preset.optics.eye_height_m) = (5, 1.7);
    let ground = farsight::grid::Grid::from_fn(8, 8, |cell| match (cell.x, cell.y) {
        (4, 3) => 20.0,
        (3, 4) => 30.0,
        _ => 0.0,
    });
    let bare = ground.map(|_| 0.0f32);
    let world = World::from_fields(ground, bare.clone(), bare, 10.0).unwrap();
    let scene = Scene::from_world(preset, Arc::new(world), Some(ivec2(3, 3)), farsight::Job::none()).unwrap();
    let explanation = Explanation::of(&scene, ivec2(4, 4)).unwrap();
    let ridge = explanation.losses.iter().find(|loss| loss.cause == Cause::Ridge).unwrap();
    assert_eq!(ridge.regions[0].cell, ivec2(3, 4), "the higher of the cells aside");
    // The ground is 50 t (1 - t) high between both, so that the slope -1.7/t + 50 - 50 t has its maximum at the root of 1.7/50.
    let least_m = 50.0 - 2.0 * (1.7f64 * 50.0).sqrt() + 1.7;
    assert!((explanation.least_height_m.unwrap() - least_m).abs() < 0.01, "{:?}", explanation.least_height_m);
}

#[test]
fn gain_of_a_wood_on_hills_is_exact() {
    let scene = over_hills(|_| {});
    let target = ivec2(27, 13);
    let explanation = Explanation::of(&scene, target).unwrap();
    let wood = explanation.losses.iter().find(|loss| loss.cause == Cause::Forest).unwrap();
    let Some(farsight_scene::scene::Terrain::World(optics)) = Some(scene.terrain()) else {
        unreachable!("it stands on a world")
    };
    let seen_without = |cells: &[IVec2]| {
        let world = optics.world();
        let mut cover = world.vegetation().clone();
        cells.iter().for_each(|&cell| cover[cell] = 0.0);
        let felled = World::from_fields(world.ground_m().clone(), world.humidity().clone(), cover, 100.0).unwrap();
        let after =
            Scene::from_world(scene.preset().clone(), Arc::new(felled), Some(scene.viewer()), farsight::Job::none())
                .unwrap();
        f64::from(after.perceived(target))
    };
    let gained = seen_without(&wood.regions[0].cells) - explanation.explained;
    assert!(gained > 0.05 && (wood.regions[0].gain - gained).abs() < 1e-5, "{gained} against {wood:?}");
    let tree = explanation.cells.iter().find(|loss| loss.cause == Cause::Forest).unwrap();
    let gained = seen_without(&[tree.cell]) - explanation.explained;
    // The gain includes that cell's air: a few per cent of the visibility.
    assert!(gained > 0.003 && tree.gain >= gained && tree.gain - gained < 0.002, "{gained} against {tree:?}");
}

#[test]
fn no_share_is_negative() {
    let scene = generated(small("alpine", 759));
    for x in (0..scene.size().x).step_by(5) {
        let explanation = Explanation::of(&scene, ivec2(x, 14)).unwrap();
        assert!(explanation.losses.iter().all(|loss| loss.share >= -1e-9), "{x}: {:?}", explanation.losses);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..Default::default() })]

    #[test]
    fn parts_of_every_cell_make_its_opacity(seed in 0..1000u64, which in 0..6usize) {
        let preset = small(["temperate", "fog", "jungle", "alpine", "mist", "as-published"][which], seed);
        let scene = generated(preset);
        let farsight_scene::scene::Terrain::World(optics) = scene.terrain() else { unreachable!("these are worlds") };
        let eye_m = optics.eye_m(scene.viewer());
        let size = scene.size();
        for cell in (0..size.y).flat_map(|y| (0..size.x).map(move |x| ivec2(x, y))) {
            let parts = optics.breakdown(eye_m, cell);
            let opacity = optics.opacity(eye_m, cell);
            prop_assert!((parts.opacity() - opacity).abs() < 1e-6, "{cell}: {parts:?} against {opacity}");
        }
    }

    #[test]
    fn shares_add_up_over_a_horizon(seed in 0..1000u64, which in 0..3usize, softness in prop_oneof![Just(0.0), 1.0..200.0]) {
        let mut preset = small(["temperate", "alpine", "jungle"][which], seed);
        preset.optics.relief = Relief::LineOfSight;
        preset.optics.relief_softness_m = softness;
        let scene = generated(preset);
        let size = scene.size();
        for cell in (0..size.y).step_by(9).flat_map(|y| (0..size.x).step_by(7).map(move |x| ivec2(x, y))) {
            let explanation = Explanation::of(&scene, cell).unwrap();
            let shares: f64 = explanation.losses.iter().map(|loss| loss.share).sum();
            prop_assert!((shares - explanation.lost()).abs() < 1e-6, "{cell}: {shares}, {}", explanation.sentence());
            prop_assert!((explanation.explained - f64::from(explanation.perceived)).abs() < 1e-5, "{cell}: {explanation:?}");
        }
    }

    #[test]
    fn shares_add_up_everywhere(seed in 0..1000u64, which in 0..5usize) {
        let scene = generated(small(["temperate", "night-lantern", "dungeon", "alpine", "fog"][which], seed));
        let size = scene.size();
        for cell in (0..size.y).step_by(7).flat_map(|y| (0..size.x).step_by(5).map(move |x| ivec2(x, y))) {
            let explanation = Explanation::of(&scene, cell).unwrap();
            let shares: f64 = explanation.losses.iter().map(|loss| loss.share).sum();
            prop_assert!((shares - explanation.lost()).abs() < 1e-6, "{cell}: {shares}, {}", explanation.sentence());
            prop_assert!(explanation.losses.iter().all(|loss| loss.share >= -1e-9));
            prop_assert!((explanation.explained - f64::from(explanation.perceived)).abs() < 1e-5, "{cell}");
            prop_assert!(explanation.cells.is_sorted_by(|a, b| a.gain >= b.gain));
        }
    }
}

#[test]
fn explanation_of_the_exact_method_agrees_with_the_export() {
    let height = |cell: IVec2| {
        let hash = (cell.x as u32).wrapping_mul(0x9e37_79b1) ^ (cell.y as u32).wrapping_mul(0x85eb_ca77);
        200.0 + (hash.wrapping_mul(0x2c1b_3c6d) >> 16) as f32 * (40.0 / 65_536.0)
    };
    let ground = farsight::grid::Grid::from_fn(60, 40, height);
    let bare = |value| farsight::grid::Grid::new(60, 40, value);
    let world = World::from_fields(ground, bare(0.4), bare(0.0), 30.0).unwrap();
    let mut preset = Preset::named("viewshed").unwrap();
    preset.sight.radius = 60;
    preset.sight.method = MethodKind::Exact;
    preset.optics.eye_height_m = 20.0;
    let scene = Scene::from_world(preset, Arc::new(world), Some(ivec2(30, 20)), farsight::Job::none()).unwrap();
    let map = farsight::grid::CellRect::of_size(scene.size());
    let heights = scene.layer(farsight_scene::scene::Layer::MinVisibleHeight, map).unwrap();
    let (mut hidden, mut wrong, mut worst) = (0, 0, 0.0_f64);
    for i in 0..150 {
        let target = ivec2(i * 7 % 60, i * 11 % 40);
        let explanation = Explanation::of(&scene, target).unwrap();
        let found = explanation.least_height_m.unwrap_or(0.0);
        let apart = (found - f64::from(heights[target])).abs();
        hidden += u32::from(found > 0.0);
        worst = worst.max(apart);
        let seen = (explanation.explained - f64::from(scene.own_visibility(target))).abs();
        wrong += u32::from(apart > 1e-3 || seen > 1e-6);
    }
    assert!(hidden > 50, "{hidden}");
    assert_eq!(wrong, 0, "of 150 targets, at most {worst} m apart");
}
