//! Lamps: visible cells are perceived where they are lit; and creatures on given cells.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{Grid, TextMap};
use farsight::light::{Falloff, Flicker, Lamp, Rgb};
use farsight::perception::Recognition;
use farsight::sight::{FieldOfView, OpacityMap, PathRule};
use farsight_scene::creatures::{Observer, PlacedCreature, Sighting, Species};
use farsight_scene::export::Link;
use farsight_scene::preset::Preset;
use farsight_scene::preset::schema;
use farsight_scene::scene::{Layer, Scene};
use proptest::prelude::*;

use super::{generated, on_text, small, world_of};

const RED: Rgb = Rgb([255, 0, 0]);
const BLUE: Rgb = Rgb([0, 0, 255]);

fn lamp(x: i32, y: i32, colour: Rgb, reach: f64) -> Lamp {
    Lamp::new(ivec2(x, y)).with_colour(colour).with_reach(reach)
}

/// A map at night, with these lamps.
fn night(text: &str, lamps: Vec<Lamp>) -> Scene {
    let map = TextMap::parse(text).unwrap();
    let mut preset = Preset::default().with_sight(farsight_scene::preset::SightSettings::default()).with_lamps(lamps);
    preset.optics.light = 0.0;
    preset.perception.creatures = 0.0;
    Scene::from_map(preset, OpacityMap::try_from(map.opacity).unwrap(), map.viewer, Job::none()).unwrap()
}

fn light_bits(scene: &Scene) -> Vec<u32> {
    let size = scene.size();
    let cells = Grid::from_fn(size.x as usize, size.y as usize, |cell| cell);
    cells.as_slice().iter().flat_map(|&cell| [scene.light(cell), scene.perceived(cell)].map(f32::to_bits)).collect()
}

#[test]
fn cell_is_perceived_if_seen_and_lit() {
    // The viewer on the left, a wall with a door in the middle, a lamp in the upper right.
    let scene = night("....#....\n....#....\n@........\n....#....\n....#....", vec![lamp(7, 0, RED, 12.0)]);
    let dark = ivec2(1, 0);
    assert_eq!((scene.visibility(dark), scene.light(dark), scene.sense(dark)), (1.0, 0.0, Recognition::Hidden));
    let unseen = ivec2(5, 0);
    assert_eq!((scene.visibility(unseen), scene.perceived(unseen)), (0.0, 0.0));
    assert!(scene.light(unseen) > 0.5);
    let both = ivec2(6, 2);
    assert!(scene.light(both) > 0.5 && scene.visibility(both) == 1.0, "{}", scene.light(both));
    assert_eq!(scene.perceived(both), scene.light(both));
    assert_eq!(scene.sense(both), Recognition::Identified);
}

#[test]
fn light_adds_up_to_full_daylight_at_most() {
    let one = night("@........", vec![lamp(4, 0, RED, 10.0)]);
    let two = night("@........", vec![lamp(4, 0, RED, 10.0), lamp(6, 0, BLUE, 10.0)]);
    for x in 0..9 {
        let cell = ivec2(x, 0);
        assert!(two.light(cell) > one.light(cell) || one.light(cell) == 1.0, "{x}");
        assert!(two.light(cell) <= 1.0);
    }
    assert_eq!(two.light(ivec2(5, 0)), 1.0, "two lamps next to a cell");
    assert!(one.light(ivec2(5, 0)) < 1.0, "one lamp next to it");
    let strong = night("@........", vec![lamp(4, 0, RED, 10.0).with_strength(4.0)]);
    assert_eq!(strong.light(ivec2(2, 0)), 1.0);
    let lantern = {
        let mut preset = one.preset().clone();
        (preset.optics.light, preset.optics.lantern) = (0.2, 3.0);
        let mut scene = one.clone();
        scene.apply(preset).unwrap();
        scene.light(ivec2(1, 0))
    };
    let expected = (0.2 + (1.0f64 - 1.0 / 9.0).powi(2)).min(1.0) as f32 + one.light(ivec2(1, 0));
    assert!((lantern - expected.min(1.0)).abs() < 1e-6, "{lantern} is not {expected}");
}

#[test]
fn lamps_change_nothing_in_full_daylight() {
    let scene = generated(small("temperate", 3));
    let mut lit = scene.clone();
    lit.add_lamp(lamp(scene.viewer().x, scene.viewer().y, RED, 20.0)).unwrap();
    assert_eq!(light_bits(&lit), light_bits(&scene));
    assert_eq!(lit.hue(scene.viewer()), None);
}

#[test]
fn adding_and_removing_lamps_leaves_no_trace() {
    let text = "..........\n...##..5..\n.@.....5..\n..........";
    let (a, b, c) = (lamp(5, 0, RED, 7.3), lamp(8, 3, BLUE, 5.0), lamp(0, 3, RED, 9.9));
    let mut scene = night(text, vec![]);
    for lamp in [&a, &b, &c] {
        scene.add_lamp(lamp.clone()).unwrap();
    }
    assert_eq!(light_bits(&scene), light_bits(&night(text, vec![a.clone(), b.clone(), c.clone()])));
    let remove = |scene: &mut Scene, at: IVec2| {
        let lamps = scene.lamps().iter().filter(|lamp| lamp.at != at).cloned().collect();
        let preset = scene.preset().clone().with_lamps(lamps);
        scene.apply(preset).unwrap();
    };
    remove(&mut scene, b.at);
    assert_eq!(light_bits(&scene), light_bits(&night(text, vec![a.clone(), c.clone()])));
    assert_eq!(scene.lamps(), [a, c]);
    let lamps = scene.lamps().to_vec();
    for lamp in lamps {
        remove(&mut scene, lamp.at);
    }
    assert_eq!(light_bits(&scene), light_bits(&night(text, vec![])));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The light of a lamp is, by definition, what the kernel with a lamp's decay sees from it, times its strength. From where the
    /// lamp is, the lit side of every wall is seen.
    #[test]
    fn light_is_a_view_from_the_lamp(
        opacities in prop::collection::vec(prop_oneof![Just(0.0f32), Just(1.0), 0.0f32..1.0], 40 * 35),
        (x, y) in (0i32..40, 0i32..35),
        reach in 1.0f64..40.0,
        strength in 0.0f64..4.0,
    ) {
        let map = OpacityMap::try_from(Grid::from_vec(40, 35, opacities).unwrap()).unwrap();
        let lamp = lamp(x, y, BLUE, reach).with_strength(strength);
        let mut fov = FieldOfView::new(lamp.sight_config(PathRule::PerCell)).unwrap();
        let view = fov.compute(&map, lamp.at).unwrap();
        let mut preset = Preset::bare_kernel().with_lamps(vec![lamp]);
        preset.optics.light = 0.0;
        let scene = Scene::from_map(preset, map.clone(), Some(ivec2(x, y)), Job::none()).unwrap();
        // From a wall it shines to one side.
        let sides = [IVec2::Y, IVec2::X, IVec2::NEG_X, IVec2::NEG_Y];
        let side = sides.into_iter().find(|side| map.get(ivec2(x, y) + *side).is_some_and(|opacity| opacity < 1.0));
        let side = side.filter(|_| map.is_wall((x, y))).unwrap_or_default();
        for (cell, _) in map.grid().iter() {
            let is_before = (cell - ivec2(x, y)).dot(side) >= 0;
            let expected = if is_before { (view.get(cell) * strength as f32).min(1.0) } else { 0.0 };
            prop_assert_eq!(scene.light(cell), expected);
        }
    }
}

#[test]
fn a_higher_lamp_shines_over_woods_and_hills() {
    let ridge = world_of(41, 9, 0.4, 0.6, |cell| if cell.x == 20 { 30.0 } else { 0.0 });
    let mut preset = Preset::default();
    (preset.optics.light, preset.perception.creatures) = (0.0, 0.0);
    let low = Lamp::new(ivec2(5, 4)).with_reach(30.0).with_height_m(2.0);
    preset.lamps = vec![low.clone()];
    let mut scene = Scene::from_world(preset, ridge.into(), Some(ivec2(35, 4)), Job::none()).unwrap();
    let behind = ivec2(25, 4);
    let dim = scene.light(behind);
    let raised = low.with_height_m(60.0);
    scene.apply(scene.preset().clone().with_lamps(vec![raised])).unwrap();
    assert!(scene.light(behind) > 2.0 * dim, "{} from above, {dim} from below", scene.light(behind));
    // The viewer's eye does not change a lamp.
    let before = scene.light(behind);
    scene.apply(scene.preset().with([("optics.eye_height_m", 300.0.into())]).unwrap()).unwrap();
    assert_eq!(scene.light(behind), before);
    // The air is.
    scene.apply(scene.preset().with([("optics.visual_range_m", 500.0.into())]).unwrap()).unwrap();
    assert!(scene.light(behind) < 0.5 * before);
}

#[test]
fn lamps_and_observers_have_their_own_heights_over_hills() {
    let ridge = world_of(41, 9, 0.4, 0.0, |cell| if cell.x == 20 { 30.0 } else { 0.0 });
    let mut preset = Preset::default()
        .with([("optics.relief", "horizon".into()), ("optics.relief_softness_m", 0.0.into())])
        .unwrap();
    (preset.optics.light, preset.perception.creatures) = (0.0, 0.0);
    let low = Lamp::new(ivec2(15, 4)).with_reach(30.0).with_height_m(2.0);
    preset.lamps = vec![low.clone()];
    let mut scene = Scene::from_world(preset, ridge.into(), Some(ivec2(39, 4)), Job::none()).unwrap();
    let (behind, top) = (ivec2(23, 4), ivec2(20, 4));
    assert!(scene.light(behind) < 0.05 && scene.light(top) > 0.4, "{} {}", scene.light(behind), scene.light(top));
    scene.apply(scene.preset().clone().with_lamps(vec![low.with_height_m(200.0)])).unwrap();
    assert!(scene.light(behind) > 0.3, "{}", scene.light(behind));
    let seen = |height| {
        let mut scene = scene.clone();
        scene.place(ivec2(2, 4)).unwrap();
        scene.set_observers(vec![Observer::new(ivec2(15, 4)).with_eye_height_m(height)]).unwrap();
        scene.visibility(behind)
    };
    assert!(seen(2.0) < 0.05 && seen(200.0) > 0.8, "{} and {}", seen(2.0), seen(200.0));
}

#[test]
fn light_layer_includes_lamps() {
    let scene = night("@........", vec![lamp(6, 0, RED, 3.0)]);
    let layer = scene.layer(Layer::Light, farsight::grid::CellRect::of_size(scene.size())).unwrap();
    let lit: Vec<bool> = layer.as_slice().iter().map(|&light| light > 0.0).collect();
    assert_eq!(lit, [false, false, false, false, true, true, true, true, true]);
}

#[test]
fn hue_is_mixed_by_the_share_of_lamp_light() {
    let mut scene = night("@..........", vec![lamp(3, 0, RED, 5.0), lamp(7, 0, BLUE, 5.0)]);
    assert_eq!(scene.hue(ivec2(3, 0)).map(|[_, green, _]| green), Some(0.0));
    let [red, _, blue] = scene.hue(ivec2(5, 0)).unwrap();
    assert!((red - 0.5).abs() < 1e-6 && (blue - 0.5).abs() < 1e-6, "halfway: {red} {blue}");
    let night_hue = scene.hue(ivec2(2, 0)).unwrap();
    scene.apply(scene.preset().with([("optics.light", 0.5.into())]).unwrap()).unwrap();
    let dusk_hue = scene.hue(ivec2(2, 0)).unwrap();
    assert!(dusk_hue[2] > night_hue[2] + 0.2, "by dusk the light is whiter: {night_hue:?}, {dusk_hue:?}");
    assert_eq!(scene.hue(IVec2::MIN), None);
}

#[test]
fn lamps_and_creatures_are_saved_linked_and_replaced_by_extending() {
    let text = "extends = \"fog\"\n[[lamps]]\nat = [3, 4]\ncolour = \"#00FF80\"\nreach = 7\n\
        [[lamps]]\nat = [5, 6]\nheight_m = 12.5\nstrength = 0.5\n[[creatures]]\nat = [9, 9]\nkind = \"wolf\"\n";
    let preset = Preset::from_toml(text, "t.toml").unwrap();
    assert_eq!(preset.lamps[0], lamp(3, 4, Rgb([0, 255, 128]), 7.0));
    assert_eq!(preset.lamps[1], Lamp::new(ivec2(5, 6)).with_height_m(12.5).with_strength(0.5));
    assert_eq!((preset.creatures[0].at, preset.creatures[0].kind.name), (ivec2(9, 9), "wolf"));
    assert_eq!(Preset::from_toml(&preset.to_toml(), "again").unwrap(), preset);

    let link = Link::new("fog", preset.clone());
    assert_eq!(Link::parse(&link.query()).unwrap(), link);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("base.toml"), text).unwrap();
    let child = folder.path().join("child.toml");
    let read = |text: &str| {
        std::fs::write(&child, text).unwrap();
        Preset::named(child.to_str().unwrap()).unwrap()
    };
    assert_eq!(read("extends = \"base.toml\"\n").lamps, preset.lamps);
    assert_eq!(read("extends = \"base.toml\"\n[[lamps]]\nat = [1, 1]\n").lamps, [Lamp::new(ivec2(1, 1))]);
    let none = read("extends = \"base.toml\"\nlamps = []\n");
    assert_eq!((none.lamps.len(), none.creatures.len()), (0, 1));
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    assert_eq!(schema["properties"]["lamps"]["items"]["required"], serde_json::json!(["at"]));
    assert!(schema["properties"]["creatures"]["items"]["properties"]["kind"]["examples"][0].is_string());
}

#[test]
fn error_names_the_entry_of_a_list() {
    let message = |text: &str| Preset::from_toml(text, "t.toml").unwrap_err().to_string();
    for (text, words) in [
        (
            "[[lamps]]\nat = [1, 2]\n[[lamps]]\nat = [1, 2]\nraech = 3",
            "unknown key lamps[1].raech; did you mean reach?",
        ),
        ("[[lamps]]\nat = [1, 2]\nwattage = 3", "unknown key lamps[0].wattage; an entry of lamps has at, colour, "),
        ("[[lamps]]\nreach = 3", "lamps[0].at is missing: expected a cell [x, y]"),
        ("[[lamps]]\nat = [1]", "lamps[0].at: [1] is not valid: expected a cell [x, y]"),
        ("[[lamps]]\nat = [1, -2]", "lamps[0].at: [1, -2] is not valid"),
        ("[[lamps]]\nat = [1, 2]\nreach = 900", "lamps[0].reach: 900 cells is not valid: expected 1 to 256 cells"),
        ("[[lamps]]\nat = [1, 2]\ncolour = \"red\"", "lamps[0].colour: \"red\" is not valid: expected a colour"),
        ("[lamps]\nat = [1, 2]", "lamps: { at = [1, 2] } is not valid: expected a list: write [[lamps]]"),
        ("lamps = [3]", "lamps[0]: 3 is not valid: expected a table"),
        ("lamp = []", "unknown key lamp; did you mean lamps?"),
        (
            "[[creatures]]\nat = [1, 2]\nkind = \"unicorn\"",
            "creatures[0].kind: \"unicorn\" is not valid: expected deer | ",
        ),
    ] {
        let found = message(text);
        assert!(found.starts_with("t.toml: ") && found.contains(words), "{text}\ngave {found}\nnot {words}");
    }
    let many = "[[lamps]]\nat = [0, 0]\n".repeat(1001);
    assert!(message(&many).contains("\"1001 entries\" is not valid: expected at most 1000"), "{}", message(&many));
}

#[test]
fn entry_off_the_map_or_in_a_wall_is_an_error() {
    let with = |change: &dyn Fn(&mut Preset)| {
        let mut scene = on_text("@.#\n...", 4);
        let mut preset = scene.preset().clone();
        change(&mut preset);
        let before = light_bits(&scene);
        let error = scene.apply(preset.clone()).unwrap_err().to_string();
        assert_eq!(light_bits(&scene), before);
        let map = OpacityMap::try_from(Grid::<f32>::from_text("..#\n...").unwrap()).unwrap();
        assert_eq!(Scene::from_map(preset, map, None, Job::none()).unwrap_err().to_string(), error);
        error
    };
    let off = with(&|preset| preset.lamps = vec![Lamp::new(ivec2(0, 0)), Lamp::new(ivec2(0, 2))]);
    assert_eq!(off, "lamps[1] is at 0,2, outside the map of 3x2 cells: expected 0,0 to 2,1");
    let rat = Preset::from_toml("[[creatures]]\nat = [2, 0]\nkind = \"rat\"", "t").unwrap().creatures;
    let walled = with(&|preset| preset.creatures = rat.clone());
    assert_eq!(walled, "creatures[0] is at 2,0, inside a wall: expected a cell that can be entered");
    // A lamp may: a torch in the wall.
    on_text("@.#\n...", 4).add_lamp(Lamp::new(ivec2(2, 0))).unwrap();
}

#[test]
fn adding_creatures_leaves_the_others_in_place() {
    let mut scene = generated(small("savanna", 5));
    for _ in 0..5 {
        scene.wait().unwrap();
    }
    let places = |scene: &Scene| scene.creatures().all().iter().map(|c| c.cell).collect::<Vec<_>>();
    let before = places(&scene);
    let lion = Preset::from_toml("[[creatures]]\nat = [9, 9]\nkind = \"lion\"", "t").unwrap().creatures;
    scene.apply(scene.preset().clone().with_creatures(lion)).unwrap();
    let after = places(&scene);
    assert_eq!((&after[..before.len()], &after[before.len()..]), (&before[..], &[ivec2(9, 9)][..]));
    scene.apply(scene.preset().clone().with_creatures(vec![])).unwrap();
    let anew = Scene::generate(small("savanna", 5), None, Job::none()).unwrap();
    assert_eq!(places(&scene), places(&anew), "taken away, all settle anew");
}

#[test]
fn the_example_has_two_lamps_and_a_question_mark_between_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/two-lamps/");
    let preset = Preset::named(&format!("{folder}two-lamps.toml")).unwrap();
    let map = TextMap::parse(&std::fs::read_to_string(format!("{folder}garden.txt")).unwrap()).unwrap();
    let opacity = OpacityMap::try_from(map.opacity).unwrap();
    let script = std::fs::read_to_string(format!("{folder}two-lamps.script")).unwrap();
    let words: Vec<&str> = script.lines().find(|line| line.starts_with("creature")).unwrap().split(' ').collect();
    let gap = ivec2(words[1].parse().unwrap(), words[2].parse().unwrap());
    assert_eq!(opacity.get(gap), Some(0.0));
    let creatures = vec![PlacedCreature::new(gap, Species::named(words[3]).unwrap())];
    let scene = Scene::from_map(preset.with_creatures(creatures), opacity, map.viewer, Job::none()).unwrap();
    assert_eq!(scene.sightings().collect::<Vec<_>>(), [Sighting::Glimpsed(gap)]);
    let [left, right] = [0, 1].map(|i| scene.hue(scene.lamps()[i].at).unwrap());
    assert!(left[0] > left[2] && right[2] > right[0], "orange on the left, blue on the right");
    assert!(scene.light(gap) > 0.05, "lit by both");
}

#[test]
fn a_lamp_next_door_does_not_show_on_the_wall_of_a_dark_room() {
    let text = "#######\n\
                #..#.@#\n\
                #..#..#\n\
                #######";
    let mut scene = night(text, vec![lamp(1, 1, RED, 8.0)]);
    let wall = ivec2(3, 2);
    assert_eq!((scene.visibility(wall), scene.light(wall), scene.perceived(wall)), (1.0, 0.0, 0.0));
    assert_eq!((scene.sense(wall), scene.hue(wall)), (Recognition::Hidden, None));
    // A friend in the lit room sees its other side.
    scene.set_observers(vec![Observer::new(ivec2(2, 1))]).unwrap();
    assert_eq!(scene.perceived(wall), 0.0, "the viewer sees it as well as the friend");
    scene.place(ivec2(2, 2)).unwrap();
    assert!(scene.perceived(wall) > 0.3 && scene.hue(wall).is_some());
}

#[test]
fn an_observer_sees_the_side_that_faces_it() {
    let mut scene = night("#####\n@#..#\n##..#\n#####", vec![lamp(2, 1, RED, 8.0)]);
    let wall = ivec2(4, 2);
    assert_eq!((scene.visibility(wall), scene.perceived(wall)), (0.0, 0.0));
    scene.set_observers(vec![Observer::new(ivec2(2, 1))]).unwrap();
    assert!(scene.perceived(wall) > 0.3);
}

#[test]
fn flicker_changes_light_but_not_what_is_remembered() {
    let strobe = lamp(4, 0, RED, 9.0).with_flicker(Flicker::Strobe);
    let mut scene = night("@........", vec![strobe]);
    let (cell, steady) = (ivec2(3, 0), light_bits(&scene));
    let lit: Vec<bool> = (0..20)
        .map(|tick| {
            scene.set_time(f64::from(tick) * 0.1);
            scene.light(cell) > 0.0
        })
        .collect();
    assert!(scene.flickers() && lit.contains(&true) && lit.contains(&false), "{lit:?}");
    scene.wait().unwrap();
    assert_eq!(light_bits(&scene), steady, "a turn is perceived at time 0");
    let mut preset = scene.preset().clone();
    preset.optics.light = 1.0;
    scene.apply(preset).unwrap();
    assert!(!scene.flickers(), "nobody sees a lamp by day");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn changed_lists_of_lamps_give_the_light_of_a_new_scene(
        first in prop::collection::vec((0i32..10, 0i32..4, 2.0f64..9.0), 0..5),
        lists in prop::collection::vec(prop::collection::vec((0i32..10, 0i32..4, 2.0f64..9.0), 0..5), 1..5),
        kept in prop::collection::vec(any::<prop::sample::Index>(), 5),
    ) {
        let text = "..........\n...##..5..\n.@.....5..\n..........";
        let lamps = |list: &[(i32, i32, f64)]| list.iter().map(|&(x, y, reach)| lamp(x, y, RED, reach)).collect::<Vec<_>>();
        let mut scene = night(text, lamps(&first));
        for (list, kept) in lists.iter().zip(&kept) {
            let mut next = scene.lamps().to_vec();
            // Some lamps are new, and some stay.
            let place = kept.index(next.len() + 1);
            next.splice(place..next.len().min(place + 1), lamps(list));
            scene.apply(scene.preset().clone().with_lamps(next.clone())).unwrap();
            prop_assert_eq!(light_bits(&scene), light_bits(&night(text, next)));
        }
    }
}

#[test]
fn presets_name_every_flicker_and_falloff() {
    let lamp = Lamp::new(ivec2(1, 2));
    let flickers = Flicker::ALL.iter().copied().map(|flicker| lamp.clone().with_flicker(flicker));
    let falloffs = Falloff::ALL.iter().copied().map(|falloff| lamp.clone().with_falloff(falloff));
    for lamp in flickers.chain(falloffs) {
        let mut preset = Preset::default();
        preset.lamps = vec![lamp];
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lamp.toml");
        std::fs::write(&file, preset.to_toml()).unwrap();
        assert_eq!(Preset::named(file.to_str().unwrap()).unwrap().lamps, preset.lamps);
    }
    let text = "[[lamps]]\nat = [1, 2]\nfalloff = \"inverse_square\""; // the default, which presets leave out
    assert_eq!(Preset::from_toml(text, "t").unwrap().lamps, [lamp]);
}
