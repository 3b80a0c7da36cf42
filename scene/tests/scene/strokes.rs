//! Strokes of a brush: land that is painted while it is looked at, and made again.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::light::Lamp;
use farsight::sight::{Door, OpacityMap};
use farsight_scene::creatures::Observer;
use farsight_scene::export::SavedWalk;
use farsight_scene::paint::{PaintOptions, Painter, Unseen, Zoom};
use farsight_scene::preset::{ChangedCell, Preset, PresetError};
use farsight_scene::scene::{Layer, Scene, SceneCost, SceneError};
use farsight_scene::world::{Brush, Stroke, WorldConfig};

fn country() -> Preset {
    let world = WorldConfig::default().with_width(160).with_height(128);
    let mut preset = Preset::shipped_default().with_world(world);
    preset.sight.radius = 40;
    preset.lamps = vec![Lamp::new((70, 60))];
    preset.viewers = vec![Observer::new((90, 64))];
    preset.optics.light = 0.5;
    preset
}

fn rooms() -> Preset {
    let mut preset = Preset::named("dungeon").unwrap();
    (preset.world.width, preset.world.height) = (64, 48);
    preset
}

fn scene(preset: Preset) -> Scene {
    Scene::generate(preset, None, Job::none()).unwrap()
}

fn brushes(is_world: bool) -> impl Iterator<Item = Brush> {
    Brush::ALL.iter().copied().filter(move |brush| brush.is_of_worlds() == is_world)
}

/// Returns a stroke of each brush of the land of a scene, near its viewer and across each other.
fn strokes(scene: &Scene) -> Vec<Stroke> {
    let (at, directions) = (scene.viewer(), farsight_scene::world::NEIGHBOURS);
    let brushes = brushes(scene.world().is_some()).zip(directions);
    let stroke = |(i, (brush, aside)): (usize, (Brush, IVec2))| {
        Stroke::new(brush, [at + aside * 9, at + aside.perp() * 7, at + aside * 3]).with_radius(3 + i as u32)
    };
    brushes.enumerate().map(stroke).collect()
}

/// Returns the same strokes; climate and rivers follow every other one.
fn settling(strokes: Vec<Stroke>) -> Vec<Stroke> {
    strokes.into_iter().enumerate().map(|(i, stroke)| stroke.with_settles(i % 2 == 0)).collect()
}

/// Returns all that can be seen and exported of a scene, as bits.
fn bits(scene: &Scene) -> Vec<Vec<u32>> {
    let map = CellRect::of_size(scene.size());
    let layers = Layer::ALL.iter().copied().filter_map(|layer| scene.layer(layer, map).ok());
    let layers = layers.map(|layer| layer.as_slice().iter().map(|value| value.to_bits()).collect());
    let creatures = scene.creatures().all().iter().flat_map(|creature| creature.cell.to_array().map(|x| x as u32));
    let memory = map.cells().map(|cell| scene.memory(cell) as u32);
    let doors = map.cells().filter(|cell| scene.door(*cell).is_some()).map(|cell| (cell.y * 1000 + cell.x) as u32);
    layers.chain([creatures.collect(), memory.collect(), doors.collect()]).collect()
}

#[test]
fn strokes_are_made_again_to_the_bit_and_taken_back_to_the_bit() {
    for (preset, settles) in [(country(), false), (country(), true), (rooms(), false), (rooms(), true)] {
        let mut painted = scene(preset.clone());
        let first = bits(&painted);
        let all = strokes(&painted);
        let all = if settles { settling(all) } else { all };
        let mut after = vec![first.clone()];
        for stroke in &all {
            painted.paint(stroke.clone()).unwrap();
            let now = bits(&painted);
            assert!(&now != after.last().unwrap(), "{}", stroke.brush.name());
            let mut aside = painted.clone();
            aside.paint(Stroke::new(stroke.brush, [(-50, 3), (-20, 900)])).unwrap();
            assert!(bits(&aside) == now, "{} off the map", stroke.brush.name());
            let again = Scene::generate(painted.present_preset(), Some(painted.viewer()), Job::none()).unwrap();
            // Cells that were visible before the stroke are remembered.
            let without_memory = |mut bits: Vec<Vec<u32>>| {
                let len = bits.len();
                bits.remove(len - 2);
                bits
            };
            assert!(without_memory(now.clone()) == without_memory(bits(&again)), "{}", stroke.brush.name());
            after.push(now);
        }
        assert_eq!(painted.state().strokes, all);
        for kept in (0..all.len()).rev() {
            painted.set_strokes(all[..kept].to_vec()).unwrap();
            painted.forget();
            painted.observe().unwrap();
            let mut wanted = scene(preset.clone());
            wanted.set_strokes(all[..kept].to_vec()).unwrap();
            wanted.forget();
            wanted.observe().unwrap();
            assert!(bits(&painted) == bits(&wanted), "{kept}");
        }
        assert_eq!(painted.present_preset(), preset);
        assert_eq!(painted.world_without_strokes(), painted.world());
    }
}

#[test]
fn a_stroke_that_grows_is_the_stroke_that_it_becomes() {
    for preset in [country(), rooms()] {
        let start = scene(preset);
        let at = start.viewer();
        let points = [at + ivec2(6, 0), at + ivec2(8, 5), at + ivec2(0, 9), at + ivec2(-20, 200)];
        for brush in brushes(start.world().is_some()) {
            let whole = Stroke::new(brush, points).with_radius(5);
            let mut drawn = start.clone();
            drawn.paint(Stroke::new(brush, [at + ivec2(2, 2)])).unwrap();
            let mut other = drawn.clone();
            for end in 1..=points.len() {
                let grown = Stroke::new(brush, points[..end].iter().copied()).with_radius(5);
                let before = drawn.state().strokes[..1].to_vec();
                drawn.set_strokes(before.into_iter().chain([grown]).collect()).unwrap();
            }
            other.paint(whole).unwrap();
            for scene in [&mut drawn, &mut other] {
                scene.forget();
                scene.observe().unwrap();
            }
            assert!(bits(&drawn) == bits(&other), "{}", brush.name());
        }
    }
}

#[test]
fn a_preset_that_is_applied_paints_as_strokes_do() {
    let mut painted = scene(country());
    let mut applied = painted.clone();
    for stroke in strokes(&painted) {
        let mut preset = applied.preset().clone();
        preset.strokes.push(stroke.clone());
        applied.apply(preset).unwrap();
        painted.paint(stroke).unwrap();
        assert!(bits(&painted) == bits(&applied));
    }
    let mut preset = applied.preset().clone();
    preset.strokes.remove(1);
    applied.apply(preset.clone()).unwrap();
    painted.set_strokes(preset.strokes).unwrap();
    assert!(bits(&painted) == bits(&applied));
}

#[test]
fn a_hill_hides_what_is_behind_it_and_a_wood_dims_it() {
    let flat = farsight::Grid::new(96, 64, 100.0);
    let mut preset = Preset::named("viewshed").unwrap();
    preset.perception.creatures = 0.0;
    let ground = farsight_scene::world::Ground::new(flat);
    let mut scene = Scene::from_dem(preset, &ground, Some(ivec2(10, 32)), Job::none()).unwrap();
    let behind = ivec2(60, 32);
    assert!(scene.visibility(behind) > 0.0);
    scene.paint(Stroke::new(Brush::Raise, [(35, 10), (35, 54)]).with_radius(6).with_strength(1.0)).unwrap();
    assert_eq!(scene.visibility(behind), 0.0);
    scene.set_strokes(vec![]).unwrap();
    assert!(scene.visibility(behind) > 0.0);
}

#[test]
fn painted_doors_are_doors_and_paint_covers_changed_cells() {
    let map = OpacityMap::from_text(".......\n...+...\n.......").unwrap();
    let mut scene = Scene::from_map(Preset::bare_kernel(), map.clone(), Some(ivec2(0, 1)), Job::none()).unwrap();
    scene.toggle_door((3, 1)).unwrap();
    scene.set_opacity((5, 0), 0.5).unwrap();
    let line = |brush| Stroke::new(brush, [(3, 0), (3, 2)]).with_radius(0);
    scene.paint(line(Brush::Wall)).unwrap();
    assert_eq!((scene.door((3, 1)), scene.visibility((6, 1))), (None, 0.0));
    assert_eq!(scene.state().cells, [ChangedCell::new((5, 0), 0.5)]);
    scene.paint(Stroke::new(Brush::Door, [(3, 2)]).with_radius(0)).unwrap();
    assert_eq!(scene.door((3, 2)), Some(Door::Closed));
    scene.toggle_door((3, 2)).unwrap();
    let again = Scene::from_map(scene.present_preset(), map.clone(), Some(ivec2(0, 1)), Job::none()).unwrap();
    assert_eq!(again.door((3, 2)), Some(Door::Open));
    scene.forget(); // cells that were visible before the wall
    assert!(bits(&scene) == bits(&again));
    scene.paint(Stroke::new(Brush::Hedge, [(3, 1)]).with_radius(0).with_strength(0.25)).unwrap();
    assert_eq!(scene.opacity((3, 1)), Some(0.25));
    assert_eq!(scene.map_without_changes(), Some(&map));
}

#[test]
fn walks_hold_strokes() {
    for preset in [country(), rooms()] {
        let mut walked = scene(preset);
        for stroke in strokes(&walked) {
            walked.paint(stroke).unwrap();
            walked.step(ivec2(1, 0)).unwrap();
        }
        let walk = SavedWalk::of(&walked, "mine", None);
        let again = SavedWalk::from_bytes(&walk.to_bytes()).unwrap().to_scene(Job::none()).unwrap();
        assert!(bits(&walked) == bits(&again));
        assert_eq!(walked.present_preset(), again.present_preset());
    }
}

#[test]
fn strokes_that_cannot_be_painted_change_nothing() {
    let mut country = scene(country());
    let before = (country.present_preset(), bits(&country));
    let wall = country.paint(Stroke::new(Brush::Wall, [(3, 3)])).unwrap_err();
    assert_eq!(
        wall.to_string(),
        "strokes[0].brush: \"wall\" is not valid in a world: expected raise, lower, smooth, flatten, water, plant, clear"
    );
    let nothing = country.paint(Stroke::new(Brush::Raise, [(0, 0); 0])).unwrap_err();
    assert!(nothing.to_string().contains("strokes[0].points: 0 cells is not valid: expected a list of 1 to 1000"));
    let wide = country.paint(Stroke::new(Brush::Raise, [(0, 0)]).with_radius(101)).unwrap_err();
    assert!(wide.to_string().contains("strokes[0].radius: 101 is not valid"), "{wide}");
    for strength in [-0.1, 1.5, f64::NAN] {
        assert!(country.paint(Stroke::new(Brush::Raise, [(0, 0)]).with_strength(strength)).is_err());
    }
    let many = vec![Stroke::new(Brush::Raise, [(0, 0)]); Stroke::MAX_STROKES + 1];
    assert!(matches!(country.set_strokes(many), Err(SceneError::Preset(PresetError::Value { .. }))));
    let mut preset = country.preset().clone();
    preset.strokes.push(Stroke::new(Brush::Door, [(3, 3)]));
    assert!(matches!(country.apply(preset.clone()), Err(SceneError::WrongBrush { .. })));
    assert!(matches!(Scene::generate(preset, None, Job::none()), Err(SceneError::WrongBrush { .. })));
    assert!((country.present_preset(), bits(&country)) == before);
    assert!(matches!(scene(rooms()).paint(Stroke::new(Brush::Raise, [(3, 3)])), Err(SceneError::WrongBrush { .. })));
}

#[test]
fn presets_of_strokes_are_strict() {
    let read = |stroke: &str| Preset::from_toml(&format!("[[strokes]]\n{stroke}"), "mine");
    let preset = read("brush = \"raise\"\npoints = [[3, 4], [-5, 6]]").unwrap();
    assert_eq!(preset.strokes, [Stroke::new(Brush::Raise, [(3, 4), (-5, 6)])]);
    assert_eq!(Preset::from_toml(&preset.to_toml(), "mine").unwrap(), preset);
    for (stroke, expected) in [
        ("brush = \"erode\"\npoints = [[3, 4]]", "strokes[0].brush: \"erode\" is not valid: expected raise | lower |"),
        ("brush = \"raise\"\npoints = []", "strokes[0].points: [] is not valid: expected a list of 1 to 1000 cells"),
        ("brush = \"raise\"\npoints = [[1, 2, 3]]", "strokes[0].points: [[1, 2, 3]] is not valid"),
        ("brush = \"raise\"\npoints = [[1.5, 2]]", "strokes[0].points: [[1.5, 2]] is not valid"),
        ("brush = \"raise\"", "strokes[0].points is missing"),
        ("brush = \"raise\"\npoints = [[1, 2]]\nversion = 2", "strokes[0].version"),
        ("brush = \"raise\"\npoints = [[1, 2]]\nradius = 200", "strokes[0].radius: 200 cells is not valid"),
    ] {
        let error = read(stroke).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_field_that_is_made_alone_has_the_strokes() {
    let mut preset = country();
    let plain = scene(preset.clone());
    for all in [strokes(&plain), settling(strokes(&plain))] {
        preset.strokes = all;
        let painted = scene(preset.clone());
        for layer in [Layer::Elevation, Layer::Vegetation, Layer::Temperature] {
            let field = Scene::generate_field(&preset, layer.world_field().unwrap(), Job::none()).unwrap();
            assert_eq!(field, painted.layer(layer, CellRect::of_size(field.size())).unwrap());
            assert_ne!(field, plain.layer(layer, CellRect::of_size(field.size())).unwrap(), "{}", layer.name());
        }
    }
}

#[test]
fn a_kept_painter_paints_what_a_new_one_does() {
    let mut scene = scene(country());
    let mut kept = Painter::default();
    let around = CellRect::around(scene.viewer(), 30);
    let options = PaintOptions::new(around, Zoom::PixelsPerCell(5)).with_unseen(Unseen::Mapped);
    let mut last = kept.paint(&scene, &options).rgba().to_vec();
    for stroke in settling(strokes(&scene)) {
        scene.paint(stroke.clone()).unwrap();
        let new = Painter::default().paint(&scene, &options);
        assert!(kept.paint(&scene, &options).rgba() == new.rgba(), "{}", stroke.brush.name());
        assert!(new.rgba() != last, "{}", stroke.brush.name());
        last = new.rgba().to_vec();
    }
    // While a stroke is drawn, only the land near it is painted again; the rest follows.
    let stroke = Stroke::new(Brush::Raise, [scene.viewer() + ivec2(8, 8)]).with_radius(3);
    scene.paint(stroke).unwrap();
    assert!(kept.prepare(&scene, &options, 0));
    let draft = kept.paint(&scene, &options);
    let new = Painter::default().paint(&scene, &options);
    let differing = |picture: &[u8]| picture.iter().zip(&last).filter(|(old, new)| old != new).count();
    assert!(differing(draft.rgba()) > 0 && draft.rgba() != new.rgba());
    let parts = (0..).take_while(|_| !kept.refine(&scene, &options, 20_000)).count();
    assert!(parts > 1, "{parts}");
    assert!(kept.paint(&scene, &options).rgba() == new.rgba());
    assert!(!kept.is_draft());
}

#[test]
fn strokes_have_a_price() {
    let mut preset = country();
    let plain = SceneCost::of_generated(&preset, Some(ivec2(3, 3)));
    let zigzag = (0..1000).map(|i| ivec2(i % 2 * 160, i)).collect::<Vec<_>>();
    preset.strokes = vec![Stroke::new(Brush::Raise, zigzag).with_radius(100); 1000];
    let painted = SceneCost::of_generated(&preset, Some(ivec2(3, 3)));
    assert!(painted.is_over_budget() && !plain.is_over_budget());
    assert!(painted.bytes() > plain.bytes());
}

#[test]
fn climate_and_rivers_follow_a_stroke_that_settles() {
    let mut scene = scene(country());
    let unpainted = std::sync::Arc::clone(scene.world().unwrap());
    let ridge = Stroke::new(Brush::Raise, [scene.viewer() - 20, scene.viewer() + 20]).with_radius(8);
    scene.paint(ridge.clone()).unwrap();
    assert_eq!(scene.world().unwrap().humidity(), unpainted.humidity(), "the stroke itself changes no air");
    let dry = scene.visibility(scene.viewer() + ivec2(0, 12));
    scene.set_strokes(vec![ridge.with_settles(true)]).unwrap();
    assert_ne!(scene.world().unwrap().humidity(), unpainted.humidity());
    assert_ne!(scene.visibility(scene.viewer() + ivec2(0, 12)), dry, "the air of the view has another humidity");
    // A scene with deferred work is painted immediately, and settles at its refresh.
    let (all, settled) = (scene.state().strokes.clone(), bits(&scene));
    scene.set_strokes(vec![]).unwrap();
    let plant = Stroke::new(Brush::Plant, [(3, 3)]);
    scene.defer(|scene| scene.set_strokes(vec![all[0].clone(), plant])).unwrap();
    assert!(!scene.is_unsettled(), "a world that was kept is not made again");
    let other = Stroke::new(Brush::Lower, [(30, 30)]).with_settles(true);
    scene.defer(|scene| scene.set_strokes(vec![all[0].clone(), other])).unwrap();
    assert!(scene.is_unsettled() && scene.is_stale());
    let changes = scene.revision();
    scene.defer(|scene| scene.set_strokes(all)).unwrap();
    assert!(scene.revision() > changes, "what was begun is out of date");
    scene.refresh(Job::none()).unwrap();
    scene.forget();
    scene.observe().unwrap();
    assert!(!scene.is_unsettled() && bits(&scene)[..6] == settled[..6]);
}
