//! Custom species, and the perception of the viewer by creatures with eyes.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::light::Lamp;
use farsight::perception::{Recognition, Sense};
use farsight::sight::{MethodKind, OpacityMap, PathRule, Sector};
use farsight::{FieldOfView, grid::CellRect};
use farsight_scene::creatures::{Eyes, PlacedCreature, Sighting, Species};
use farsight_scene::export::{Link, SavedWalk};
use farsight_scene::files::{MapSource, digest_of_map};
use farsight_scene::paint::{PaintOptions, Picture, Zoom, paint};
use farsight_scene::preset::{Look, Preset, schema};
use farsight_scene::scene::Scene;

use super::{in_look, small, with, world_of};

const ROOM: &str = "#################\n#.......2.......#\n#.......2...#...#\n#.......+...#...#\n#################";

fn guard(eyes: Eyes) -> &'static Species {
    Species::new("guard", 'A').with_colour([220, 60, 60]).with_restlessness(0).with_eyes(eyes).intern().unwrap()
}

fn in_room(preset: Preset, viewer: IVec2) -> Scene {
    Scene::from_map(preset, OpacityMap::from_text(ROOM).unwrap(), Some(viewer), Job::none()).unwrap()
}

fn noticed(scene: &Scene) -> Vec<Recognition> {
    scene.creatures().all().iter().map(|creature| creature.noticed).collect()
}

#[test]
fn a_guard_notices_the_viewer_as_a_sense_does() {
    let mut found = [0; 3];
    for (method, path, light) in [
        (MethodKind::TwoParent, PathRule::PerCell, 1.0),
        (MethodKind::TwoParent, PathRule::PerLength, 0.3),
        (MethodKind::Beam, PathRule::PerCell, 0.3),
        (MethodKind::Exact, PathRule::PerCell, 0.1),
    ] {
        let mut preset = Preset::bare_kernel();
        (preset.sight.method, preset.sight.path, preset.optics.light) = (method, path, light);
        (preset.sight.radius, preset.sight.sector) = (12, Sector::new(0.0, 60.0)); // the viewer looks elsewhere
        preset.lamps = vec![Lamp::new((4, 1)).with_reach(4.0)];
        let eyes = Eyes::default().with_radius(9).with_span(200.0).with_night_vision(0.15);
        preset.creatures = vec![PlacedCreature::new((11, 2), guard(eyes)).with_facing(-90.0)];
        let mut scene = in_room(preset.clone(), ivec2(1, 1));
        let map = OpacityMap::from_text(ROOM).unwrap();
        let sight = preset.sight.config().with_sector(Sector::ALL);
        let mut fov = FieldOfView::new(sight).unwrap();
        let mut sense = Sense::new(preset.perception.thresholds())
            .with_radius(9)
            .with_sector(Sector::new(-90.0, 200.0))
            .with_night_vision(0.15);
        for x in 1..16 {
            for y in 1..4 {
                if !scene.terrain().can_enter((x, y)) {
                    continue;
                }
                scene.place((x, y)).unwrap();
                let wanted = {
                    let visibility = fov.line_of_sight(&map, (11, 2), (x, y)).unwrap();
                    sense.notice((11, 2), (x, y), visibility, scene.light((x, y))).unwrap()
                };
                assert_eq!(noticed(&scene), [wanted], "{method:?} {light}: {x},{y}");
                found[wanted as usize] += 1;
            }
        }
    }
    assert!(found.iter().all(|count| *count > 5), "all three happen: {found:?}");
}

#[test]
fn hysteresis_keeps_what_was_noticed() {
    let mut preset = Preset::bare_kernel();
    preset.creatures = vec![PlacedCreature::new((11, 1), guard(Eyes::default()))];
    let with_light = |light: f64| {
        let mut preset = preset.clone();
        preset.optics.light = light;
        preset
    };
    let mut scene = in_room(with_light(0.24), ivec2(9, 1));
    assert_eq!(noticed(&scene), [Recognition::Glimpsed]);
    scene.apply(with_light(0.3)).unwrap();
    scene.apply(with_light(0.24)).unwrap();
    assert_eq!(noticed(&scene), [Recognition::Identified], "less by less than the hysteresis");
    scene.apply(with_light(0.2)).unwrap();
    assert_eq!(noticed(&scene), [Recognition::Glimpsed]);
}

#[test]
fn guards_in_a_world_see_as_far_as_the_viewer() {
    let flat = std::sync::Arc::new(world_of(60, 40, 0.4, 0.0, |_| 10.0));
    let ridge = std::sync::Arc::new(world_of(60, 40, 0.4, 0.0, |cell| if cell.x == 24 { 300.0 } else { 10.0 }));
    for (world, wanted) in [(flat, Recognition::Identified), (ridge, Recognition::Hidden)] {
        let mut preset = small("clear-day", 1);
        preset.perception.creatures = 0.0;
        preset.set("optics.relief", "horizon").unwrap();
        preset.creatures = vec![PlacedCreature::new((20, 20), guard(Eyes::default()))];
        let mut scene = Scene::from_world(preset, world, Some(ivec2(28, 20)), Job::none()).unwrap();
        assert_eq!(noticed(&scene), [wanted]);
        scene.place((22, 20)).unwrap();
        assert_eq!(noticed(&scene), [Recognition::Identified]);
    }
}

#[test]
fn a_guard_looks_where_it_walks() {
    let eyes = Eyes::default().with_span(90.0);
    let walker = Species::new("walker", 'W').with_restlessness(100).with_eyes(eyes).intern().unwrap();
    let mut preset = Preset::bare_kernel();
    preset.creatures = vec![PlacedCreature::new((20, 20), walker)];
    let map = OpacityMap::clear(41, 41).unwrap();
    let mut scene = Scene::from_map(preset, map, Some(ivec2(20, 30)), Job::none()).unwrap();
    let mut seen = 0;
    for _ in 0..60 {
        let before = scene.creatures().all()[0].cell;
        scene.wait().unwrap();
        let creature = &scene.creatures().all()[0];
        assert_ne!(creature.cell, before, "it never rests");
        assert_eq!(creature.facing, Sector::towards(creature.cell - before, 90.0).facing);
        let is_ahead = Sector::new(creature.facing, 90.0).contains(scene.viewer() - creature.cell);
        assert_eq!(creature.noticed == Recognition::Identified, is_ahead);
        seen += u32::from(is_ahead);
    }
    assert!((5..55).contains(&seen), "{seen}");
}

const GUARDED: &str = "[perception]\ncreatures = 0\n[[creatures]]\nat = [11, 2]\nkind = \"guard\"\nglyph = \"A\"\n\
    colour = \"#dc3c3c\"\nrestlessness = 40\nradius = 9\nspan = 120\nnight_vision = 0.3\nfacing = -90\n\
    [[creatures]]\nat = [13, 1]\nkind = \"rat\"\nradius = 5\n[[creatures]]\nat = [14, 1]\nkind = \"rat\"\n";

#[test]
fn presets_links_and_walks_keep_species() {
    let preset = Preset::from_toml(GUARDED, "t").unwrap();
    let [own, rat, plain] = &preset.creatures[..] else { panic!("three creatures") };
    let eyes = Eyes::default().with_radius(9).with_span(120.0).with_night_vision(0.3);
    let made =
        Species::new("guard", 'A').with_colour([220, 60, 60]).with_restlessness(40).with_eyes(eyes).intern().unwrap();
    assert!(std::ptr::eq(own.kind, made), "the same values are the same species");
    assert_eq!((own.facing, rat.facing), (-90.0, PlacedCreature::FACING));
    assert_eq!((rat.kind.glyph, rat.kind.eyes.map(|eyes| eyes.radius)), ('r', Some(5)));
    assert!(std::ptr::eq(plain.kind, Species::named("rat").unwrap()));
    let text = preset.to_toml();
    assert!(text.contains("kind = \"guard\"\nfacing = -90.0\nglyph = \"A\"\ncolour = \"#dc3c3c\"\n"), "{text}");
    assert!(text.ends_with("[[creatures]]\nat = [14, 1]\nkind = \"rat\"\n"), "{text}");
    assert_eq!(Preset::from_toml(&text, "t").unwrap(), preset);
    assert_eq!(
        Link::parse(&Link::new("temperate", preset.clone()).query()).unwrap().preset.creatures,
        preset.creatures
    );

    let map = OpacityMap::from_text(ROOM).unwrap();
    let source = MapSource::new("room.txt", digest_of_map(&map));
    let mut scene = in_room(preset, ivec2(9, 2));
    scene.wait().unwrap();
    let bytes = SavedWalk::of(&scene, "", Some(&source)).to_bytes();
    let mut loaded = SavedWalk::from_bytes(&bytes).unwrap().to_scene(Job::none()).unwrap();
    for _ in 0..12 {
        assert_eq!(loaded.creatures().all(), scene.creatures().all());
        scene.wait().unwrap();
        loaded.wait().unwrap();
    }
}

#[test]
fn bad_values_are_errors_that_name_them() {
    for (species, words) in [
        (Species::new("", 'A'), "name: \"\" is not valid: expected 1 to 40 characters"),
        (Species::new("a\nb", 'A'), "name: \"a\\nb\" is not valid"),
        (Species::new("guard", '@'), "glyph: '@' is not valid: expected a letter A to Z or a to z, a digit, or &"),
        (
            Species::new("guard", 'A').with_conspicuity(0.0),
            "conspicuity: 0 is not valid: expected more than 0, up to 1",
        ),
        (Species::new("guard", 'A').with_conspicuity(f32::NAN), "conspicuity: NaN is not valid"),
        (Species::new("guard", 'A').with_restlessness(101), "restlessness: 101 is not valid: expected 0 to 100 %"),
        (
            Species::new("guard", 'A').with_eyes(Eyes::default().with_span(0.0)),
            "span: 0 is not valid: expected 1 to 360",
        ),
        (
            Species::new("guard", 'A').with_eyes(Eyes::default().with_radius(5000)),
            "radius: 5000 is not valid: expected 0 to 4096",
        ),
        (
            Species::new("guard", 'A').with_eyes(Eyes::default().with_night_vision(1.5)),
            "night_vision: 1.5 is not valid",
        ),
    ] {
        let error = species.intern().unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
    let message =
        |entry: &str| Preset::from_toml(&format!("[[creatures]]\nat = [1, 1]\n{entry}"), "t").unwrap_err().to_string();
    for (entry, words) in [
        ("kind = \"guard\"", "t: creatures[0].kind: \"guard\" is not valid: expected deer | "),
        ("kind = \"guard\"\nglyph = \"+\"", "t: creatures[0].glyph: \"+\" is not valid: expected a letter"),
        ("kind = \"guard\"\nglyph = \"AB\"", "t: creatures[0].glyph: \"AB\" is not valid"),
        ("kind = \" \"\nglyph = \"A\"", "t: creatures[0].kind: \" \" is not valid"),
        ("kind = \"rat\"\nspan = 0.5", "t: creatures[0].span: 0.5 ° is not valid: expected 1 to 360 °"),
        (
            "kind = \"rat\"\nradius = -1",
            "t: creatures[0].radius: -1 cells is not valid: expected a whole number from 0 to 4096 cells",
        ),
        ("kind = \"rat\"\nrestlessness = 101", "t: creatures[0].restlessness: 101 % is not valid"),
        ("kind = \"rat\"\nnight_vision = 2", "t: creatures[0].night_vision: 2 is not valid: expected 0 to 1"),
        ("kind = \"rat\"\nconspicuity = 0", "t: creatures[0].conspicuity: 0 is not valid: expected 0.001 to 1"),
        ("kind = \"rat\"\neyes = 2", "t: unknown key creatures[0].eyes"),
    ] {
        let error = message(entry);
        assert!(error.starts_with(words), "{error}");
    }
    let mut preset = Preset::bare_kernel();
    let leaked: &'static Species = Box::leak(Box::new(Species::new("guard", '#')));
    preset.creatures = vec![PlacedCreature::new((1, 1), leaked)];
    assert!(preset.check().unwrap_err().to_string().contains("creatures[0].glyph"), "not even without interning");
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let kind = &schema["properties"]["creatures"]["items"]["properties"]["kind"];
    assert!(kind["examples"].as_array().unwrap().contains(&"rat".into()), "{kind}");
}

#[test]
fn own_species_are_painted_with_their_letter() {
    let eyes = Eyes::default().with_radius(9);
    let mut preset = Preset::bare_kernel();
    preset.creatures = vec![PlacedCreature::new((5, 1), guard(eyes))];
    let scene = in_room(preset, ivec2(3, 1));
    assert!(matches!(scene.sightings().next(), Some(Sighting::Identified(species, _)) if species.glyph == 'A'));
    let description = scene.creatures().all()[0].description(1.0);
    assert_eq!(description, "guard, identified, sees you");
    for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
        let options = PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(40));
        let letter = |glyph: char| {
            let mut preset = scene.preset().clone();
            let own = Species::new("guard", glyph).with_eyes(eyes).intern().unwrap();
            preset.creatures = vec![PlacedCreature::new((5, 1), own)];
            paint(&in_room(preset, ivec2(3, 1)), &options)
        };
        let [plain, other] = ['A', 'X'].map(letter);
        let without = paint(&with(&scene, [("paint.creatures", false.into())]), &options);
        let disc = (0..40 * 40).map(|i| (5 * 40 + i % 40, 40 + i / 40));
        let differing = |a: &Picture, b: &Picture| disc.clone().filter(|&(x, y)| a.get(x, y) != b.get(x, y)).count();
        assert!(differing(&plain, &without) > 100, "a disc: {}", differing(&plain, &without));
        assert!(differing(&plain, &other) > 8, "its letter: {}", differing(&plain, &other));
    }
}
