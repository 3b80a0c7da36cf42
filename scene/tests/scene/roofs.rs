//! Scenes on maps with roofs: the daylight in rooms.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::light::{Daylight, Flicker, Lamp};
use farsight::perception::Recognition;
use farsight::sight::{OpacityMap, PathRule};
use farsight_scene::atlas::{Atlas, AtlasPlan, Cells};
use farsight_scene::creatures::{Eyes, PlacedCreature, Species};
use farsight_scene::explain::{Cause, Explanation};
use farsight_scene::export::{Crop, ExportOptions, SavedWalk};
use farsight_scene::files::{Format, MapFile, MapSource, digest_of_map};
use farsight_scene::paint::{PaintOptions, Picture, Zoom, paint_ground};
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Layer, Scene};

const COTTAGE: &str = include_str!("../../../examples/cottage.txt");
const FRONT_DOOR: IVec2 = ivec2(17, 21);
/// A cell of the hall that only the front door lights.
const BEHIND_THE_DOOR: IVec2 = ivec2(17, 19);
/// A cell of the store room, which no daylight reaches.
const STORE_ROOM: IVec2 = ivec2(30, 18);
const GARDEN: IVec2 = ivec2(2, 2);

fn cottage(preset: Preset) -> Scene {
    let map = MapFile::decode(COTTAGE.as_bytes(), Format::Txt).unwrap();
    Scene::from_map(preset, map.opacity, map.viewer, Job::none()).unwrap()
}

fn without_roofs(preset: Preset) -> Scene {
    let map = MapFile::decode(COTTAGE.replace('_', ".").as_bytes(), Format::Txt).unwrap();
    assert_eq!(map.opacity.roofs(), None);
    Scene::from_map(preset, map.opacity, map.viewer, Job::none()).unwrap()
}

fn values(scene: &Scene, layer: Layer) -> Vec<u32> {
    let values = scene.layer(layer, CellRect::of_size(scene.size())).unwrap();
    values.into_vec().into_iter().map(f32::to_bits).collect()
}

/// All that is seen, to the bit.
fn seen(scene: &Scene) -> Vec<Vec<u32>> {
    [Layer::Visibility, Layer::Perceived, Layer::Light, Layer::Opacity].map(|layer| values(scene, layer)).into()
}

#[test]
fn without_roofs_light_depends_on_the_hour_and_the_lantern_only() {
    for (light, lantern) in [(1.0, 0.0), (1.0, 6.0), (0.3, 0.0), (0.3, 6.0), (0.0, 6.0)] {
        let mut preset = Preset::bare_kernel();
        (preset.optics.light, preset.optics.lantern) = (light, lantern);
        let scene = without_roofs(preset);
        let square = |x: f64| x * x;
        let expected = |cell: IVec2| {
            let distance = (cell - scene.viewer()).as_dvec2().length();
            let lantern = if distance < lantern { square(1.0 - square(distance / lantern)) } else { 0.0 };
            ((light + lantern).min(1.0) as f32).to_bits()
        };
        let expected: Vec<u32> = CellRect::of_size(scene.size()).cells().map(expected).collect();
        assert_eq!(values(&scene, Layer::Light), expected, "{light} {lantern}");
    }
}

#[test]
fn under_a_roof_only_what_falls_through_openings_is_light() {
    let map = OpacityMap::from_text(COTTAGE).unwrap();
    for (light, reach, path) in [(1.0, None, PathRule::PerCell), (0.4, Some(20.0), PathRule::PerLength)] {
        let mut preset = Preset::bare_kernel();
        (preset.optics.light, preset.optics.daylight_reach, preset.sight.path) = (light, reach, path);
        let scene = cottage(preset);
        let day = Daylight::with_path(&map, map.roofs().unwrap(), reach.unwrap_or(12.0), path).unwrap();
        let share = |cell| f64::from(day.level_from(&map, cell, scene.viewer()));
        let expected: Vec<u32> =
            CellRect::of_size(scene.size()).cells().map(|cell| ((share(cell) * light) as f32).to_bits()).collect();
        assert_eq!(values(&scene, Layer::Light), expected);
        assert_eq!([scene.light(GARDEN), scene.light(STORE_ROOM)], [light as f32, 0.0]);
        let by_the_window = scene.light((15, 8));
        assert!(by_the_window > 0.5 * light as f32 && by_the_window < light as f32, "{by_the_window}");
    }
}

#[test]
fn a_door_that_opens_lets_the_day_in() {
    let mut scene = cottage(Preset::bare_kernel());
    let closed = seen(&scene);
    assert_eq!(scene.sense(BEHIND_THE_DOOR), Recognition::Hidden, "two steps away, and dark");
    scene.toggle_door(FRONT_DOOR).unwrap();
    assert!(scene.light(BEHIND_THE_DOOR) > 0.7);
    assert_eq!(scene.sense(BEHIND_THE_DOOR), Recognition::Identified);
    let open = scene.present_preset();
    assert_eq!(seen(&scene), seen(&cottage(open.clone())), "as in a scene that begins so");
    scene.toggle_door(FRONT_DOOR).unwrap();
    assert_eq!(seen(&scene), closed);
    scene.apply(open.clone()).unwrap();
    assert_eq!(seen(&scene), seen(&cottage(open)));
    scene.toggle_door(FRONT_DOOR).unwrap();
    assert_eq!(seen(&scene), closed);
}

#[test]
fn changed_settings_give_the_light_of_a_new_scene() {
    let mut scene = cottage(Preset::bare_kernel());
    let mut seen_before = seen(&scene);
    for (key, value) in [
        ("optics.daylight_reach", "4"),
        ("sight.path", "per_length"),
        ("optics.light", "0.5"),
        ("clock.runs", "true"),
        ("clock.hour", "18.2"),
    ] {
        let mut preset = scene.preset().clone();
        preset.set(key, value).unwrap();
        scene.apply(preset.clone()).unwrap();
        let now = seen(&scene);
        assert_eq!(now, seen(&cottage(preset)), "{key}");
        assert!(now != seen_before || key == "clock.runs", "{key} changes the light");
        seen_before = now;
    }
    assert!(Preset::bare_kernel().set("optics.daylight_reach", "0.5").is_err());
}

#[test]
fn night_leaves_a_room_to_the_lantern() {
    let mut preset = Preset::bare_kernel();
    preset.clock.runs = true;
    let mut scene = cottage(preset);
    let noon = scene.light((15, 8));
    assert_eq!(scene.light(scene.viewer()), scene.light((17, 17)));
    scene.advance_minutes(11.0 * 60.0).unwrap();
    assert!((scene.light((15, 8)) - 0.08 * noon).abs() < 1e-3, "the moon through the window: {}", scene.light((15, 8)));
    assert_eq!(scene.light(scene.viewer()), 1.0, "the lantern");
    assert!((scene.light(GARDEN) - 0.08).abs() < 1e-6);
    assert_eq!(seen(&scene), seen(&cottage(scene.present_preset())));
}

#[test]
fn lamps_show_by_day_in_dark_rooms() {
    let mut preset = Preset::bare_kernel();
    preset.lamps = vec![Lamp::new(STORE_ROOM).with_flicker(Flicker::Flame)];
    let mut scene = cottage(preset.clone());
    scene.place((28, 18)).unwrap();
    assert!(scene.light((29, 18)) > 0.5);
    assert!(scene.hue((29, 18)).is_some_and(|[red, _, blue]| red > blue), "in the colour of the lamp");
    assert_eq!(scene.hue(GARDEN), None);
    assert!(scene.flickers() && !without_roofs(preset).flickers());
}

#[test]
fn a_guard_does_not_notice_the_viewer_in_a_dark_house_at_noon() {
    let eyes = Eyes::default().with_radius(12);
    let guard = Species::new("watchman", 'W').with_restlessness(0).with_eyes(eyes).intern().unwrap();
    let mut preset = Preset::bare_kernel();
    preset.creatures = vec![PlacedCreature::new((17, 19), guard).with_facing(0.0)];
    let mut scene = cottage(preset.clone());
    let noticed = |scene: &Scene| scene.creatures().all()[0].noticed;
    let recognized = |scene: &Scene| scene.creatures().all()[0].recognition;
    assert_eq!((noticed(&scene), recognized(&scene)), (Recognition::Hidden, Recognition::Hidden));
    scene.toggle_door(FRONT_DOOR).unwrap();
    assert_eq!((noticed(&scene), recognized(&scene)), (Recognition::Identified, Recognition::Identified));
    assert_eq!(noticed(&without_roofs(preset)), Recognition::Identified);
}

#[test]
fn an_explanation_names_the_dark_of_a_room() {
    let scene = cottage(Preset::bare_kernel());
    let explanation = Explanation::of(&scene, BEHIND_THE_DOOR).unwrap();
    let dark = explanation.losses.iter().find(|loss| loss.cause == Cause::Dark).expect("it is dark");
    assert!(dark.share > 0.9, "{}", explanation.sentence());
    let bright = Explanation::of(&without_roofs(Preset::bare_kernel()), BEHIND_THE_DOOR).unwrap();
    assert!(bright.losses.is_empty(), "{}", bright.sentence());
}

#[test]
fn a_room_behind_a_closed_door_is_darker_than_behind_an_open_one() {
    let mut preset = Preset::bare_kernel();
    (preset.perception.glimpse, preset.paint.contours) = (0.001, false);
    let mut scene = cottage(preset);
    let frame = CellRect::of_size(scene.size());
    // The mean brightness of the floor of a cell.
    let brightness = |picture: &Picture, cell: IVec2| {
        let pixels = (0..81).map(|i| picture.get(cell.x as usize * 9 + i % 9, cell.y as usize * 9 + i / 9).unwrap());
        pixels.map(|pixel| pixel.into_iter().map(f32::from).sum::<f32>()).sum::<f32>() / (3 * 81) as f32
    };
    let options = PaintOptions::new(frame, Zoom::PixelsPerCell(9));
    let is_lit_floor =
        |scene: &Scene, cell| scene.sense(cell) > Recognition::Hidden && scene.opacity(cell).is_some_and(|it| it < 1.0);
    let closed = (paint_ground(&scene, &options), frame.cells().map(|cell| scene.light(cell)).collect::<Vec<f32>>());
    let is_seen: Vec<bool> = frame.cells().map(|cell| is_lit_floor(&scene, cell)).collect();
    scene.toggle_door(FRONT_DOOR).unwrap();
    let open = paint_ground(&scene, &options);
    let mut brightened = Vec::new();
    for (i, cell) in frame.cells().enumerate() {
        if is_seen[i] && is_lit_floor(&scene, cell) && scene.light(cell) > closed.1[i] + 0.2 && closed.1[i] < 0.6 {
            brightened.push(brightness(&open, cell) - brightness(&closed.0, cell));
        }
    }
    assert!(brightened.len() > 5, "{brightened:?}");
    let mean = brightened.iter().sum::<f32>() / brightened.len() as f32;
    assert!(mean > 15.0 && brightened.iter().all(|more| *more > 0.0), "{mean}: {brightened:?}");
    assert_eq!(brightness(&open, GARDEN), brightness(&closed.0, GARDEN), "outside it is as bright");
    assert_ne!(brightness(&open, BEHIND_THE_DOOR), brightness(&closed.0, BEHIND_THE_DOOR));
}

#[test]
fn the_same_floor_is_darker_the_less_light_falls_on_it() {
    let scene = on_text_with_roof();
    let picture = paint_ground(&scene, &PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(8)));
    let brightness = |cell: IVec2| {
        let pixels = (0..64).map(|i| picture.get(cell.x as usize * 8 + i % 8, cell.y as usize * 8 + i / 8).unwrap());
        pixels.map(|pixel| pixel.into_iter().map(f32::from).sum::<f32>()).sum::<f32>() / (3 * 64) as f32
    };
    // Flags differ from each other: the means of columns of three cells.
    let columns = [4, 7, 10].map(|x| (2..5).map(|y| brightness(ivec2(x, y))).sum::<f32>() / 3.0);
    let light = [4, 7, 10].map(|x| scene.light((x, 3)));
    assert!(light.is_sorted_by(|near, far| near > far), "{light:?}");
    assert!(columns.is_sorted_by(|near, far| near > far), "{columns:?} in the light {light:?}");
}

/// A hall under a roof that is open to the west, with the viewer in the middle.
fn on_text_with_roof() -> Scene {
    let row = ".._______________#\n";
    let text = [".#################\n", &row.repeat(2), ".._______@_______#\n", &row.repeat(2), ".#################\n"]
        .concat();
    let map = MapFile::decode(text.as_bytes(), Format::Txt).unwrap();
    assert!(map.opacity.roofs().is_some());
    let mut preset = Preset::bare_kernel();
    (preset.perception.glimpse, preset.perception.creatures) = (0.001, 0.0);
    Scene::from_map(preset, map.opacity, map.viewer, Job::none()).unwrap()
}

#[test]
fn an_atlas_counts_the_light_of_rooms() {
    let survey = |scene: &Scene| -> Atlas {
        let plan = AtlasPlan::new(scene, "test", None, Cells::Every(4)).unwrap();
        Atlas::compute(&plan, scene, Job::none()).unwrap()
    };
    let (roofed, open) = (survey(&cottage(Preset::bare_kernel())), survey(&without_roofs(Preset::bare_kernel())));
    assert_ne!(roofed, open);
}

#[test]
fn saved_walks_and_digests_hold_roofs() {
    let map = MapFile::decode(COTTAGE.as_bytes(), Format::Txt).unwrap().opacity;
    let plain = OpacityMap::from_text(&COTTAGE.replace('_', ".")).unwrap();
    assert_ne!(digest_of_map(&map), digest_of_map(&plain));
    let source = MapSource::new("cottage.txt", digest_of_map(&map));
    let mut scene = cottage(Preset::bare_kernel());
    scene.toggle_door(FRONT_DOOR).unwrap();
    let bytes = SavedWalk::of(&scene, "", Some(&source)).to_bytes();
    let saved = SavedWalk::from_bytes(&bytes).unwrap();
    assert_eq!((saved.opacity(), saved.to_bytes()), (Some(&map), bytes));
    assert_eq!(seen(&saved.to_scene(Job::none()).unwrap()), seen(&scene));
    let mut resumed = cottage(Preset::bare_kernel());
    saved.resume(&mut resumed).unwrap();
    assert_eq!(seen(&resumed), seen(&scene));
    assert!(saved.resume(&mut without_roofs(Preset::bare_kernel())).is_err(), "another map");
}

#[test]
fn text_exports_draw_roofs() {
    let scene = cottage(Preset::bare_kernel());
    let options = ExportOptions::default().with_layer(Layer::Opacity).with_crop(Crop::Map);
    let bytes = options.product(&scene, Format::Txt).unwrap().encode(Format::Txt).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), COTTAGE);
}
