//! Cells whose opacity changes: doors that open and close, walls that fall.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::light::Lamp;
use farsight::sight::{Door, OpacityMap};
use farsight_scene::creatures::{Observer, PlacedCreature, Species};
use farsight_scene::explain::Explanation;
use farsight_scene::export::{Crop, ExportOptions, Link, SavedWalk};
use farsight_scene::files::{Format, MapFile, MapSource, digest, digest_of_map};
use farsight_scene::paint::{PaintOptions, Zoom, paint_ground};
use farsight_scene::preset::{ChangedCell, Look, Preset};
use farsight_scene::scene::{Layer, Scene, SceneError};

use super::{in_look, small};

const HOUSE: &str = include_str!("../../../examples/house.txt");

/// The closed doors west and east of the viewer of the house.
const WEST: IVec2 = ivec2(10, 3);
const EAST: IVec2 = ivec2(21, 3);
const OPEN: IVec2 = ivec2(15, 6);

fn house(preset: Preset) -> Scene {
    let map = MapFile::decode(HOUSE.as_bytes(), Format::Txt).unwrap();
    Scene::from_map(preset, map.opacity, map.viewer, Job::none()).unwrap()
}

/// A dark house with lamps behind doors, a lookout, and creatures.
fn inhabited() -> Preset {
    let mut preset = Preset::bare_kernel();
    preset.optics.light = 0.1;
    preset.lamps = vec![Lamp::new((5, 3)).with_reach(12.0), Lamp::new((26, 3)), Lamp::new((26, 12)).with_reach(4.0)];
    preset.viewers = vec![Observer::new((14, 8))];
    preset.perception.creatures = 300.0;
    preset
}

/// All that is seen, to the bit.
fn seen(scene: &Scene) -> Vec<Vec<u32>> {
    let frame = CellRect::of_size(scene.size());
    let layers = [Layer::Visibility, Layer::Perceived, Layer::Light, Layer::Opacity];
    layers.map(|layer| scene.layer(layer, frame).unwrap().into_vec().into_iter().map(f32::to_bits).collect()).into()
}

fn exported(scene: &Scene, format: Format, options: &ExportOptions) -> Vec<u8> {
    options.product(scene, format).unwrap().encode(format).unwrap()
}

#[test]
fn a_changed_scene_is_the_scene_of_the_changed_preset() {
    for name in ["two_parent", "beam", "shadowcast"] {
        let mut preset = inhabited();
        preset.set("sight.method", name).unwrap();
        let mut scene = house(preset.clone());
        let first = seen(&scene);
        scene.toggle_door(WEST).unwrap();
        for (cell, opacity) in [(EAST, 0.0), (ivec2(10, 1), 0.3), (EAST, 0.5), (ivec2(15, 3), 0.2)] {
            scene.set_opacity(cell, opacity).unwrap();
        }
        scene.toggle_door(OPEN).unwrap();
        let cells = &scene.present_preset().cells;
        assert_eq!(cells.len(), 5);
        assert!(cells.contains(&ChangedCell::new((10, 1), 0.3)) && cells.contains(&ChangedCell::new(EAST, 0.5)));
        let again = house(scene.present_preset());
        assert_eq!(seen(&scene), seen(&again), "{name}");
        assert_ne!(seen(&scene), first, "{name}");
        let cells = |scene: &Scene| scene.creatures().all().iter().map(|creature| creature.cell).collect::<Vec<_>>();
        assert_eq!(cells(&scene), cells(&again), "{name}: creatures do not depend on doors");
        let (map, changed) = (scene.map_without_changes().unwrap(), scene.state().cells.iter());
        let at_start: Vec<_> = changed.map(|cell| (cell.at, map.get(cell.at).unwrap())).collect();
        scene.apply(preset.clone()).unwrap();
        assert_eq!(seen(&scene), seen(&again), "{name}: the preset has no other doors than before");
        for (cell, opacity) in at_start {
            scene.set_opacity(cell, opacity).unwrap();
        }
        assert_eq!(seen(&scene), first, "{name}: back to the map");
        scene.set_opacity(WEST, 0.0).unwrap();
        scene.set_opacity(WEST, 1.0).unwrap();
        assert_eq!(
            (scene.present_preset(), seen(&scene)),
            (preset.clone(), first),
            "{name}: what is as on the map is no change"
        );
    }
}

#[test]
fn errors_name_the_cell_and_change_nothing() {
    let mut scene = house(inhabited());
    let before = (scene.present_preset(), seen(&scene));
    let mut message = |cell: (i32, i32), opacity: f32| scene.set_opacity(cell, opacity).unwrap_err().to_string();
    assert_eq!(message((32, 3), 0.0), "cell 32,3 is outside the map of 32x16 cells");
    assert_eq!(message((-1, 3), 0.0), "cell -1,3 is outside the map of 32x16 cells");
    assert!(message((3, 3), 1.5).starts_with("cell 3,3 has opacity 1.5; "));
    assert!(message((3, 3), f32::NAN).starts_with("cell 3,3 has opacity NaN; "));
    assert!(matches!(scene.toggle_door((3, 3)), Err(SceneError::NoDoor(_))));
    assert_eq!((scene.present_preset(), seen(&scene)), before);

    scene.place(OPEN).unwrap();
    assert!(matches!(scene.toggle_door(OPEN), Err(SceneError::BlockedDoor(_))), "the viewer is in it");
    assert_eq!(scene.door(OPEN), Some(Door::Open));
    let mut guarded = inhabited();
    guarded.creatures = vec![PlacedCreature::new(OPEN, Species::named("rat").unwrap())];
    let mut watched = inhabited();
    watched.viewers = vec![Observer::new(OPEN)];
    for preset in [guarded, watched] {
        let mut scene = house(preset);
        assert!(matches!(scene.toggle_door(OPEN), Err(SceneError::BlockedDoor(_))), "somebody is in it");
        assert_eq!(scene.door(OPEN), Some(Door::Open));
    }

    let mut world = Scene::generate(small("fog", 1), Some(ivec2(20, 20)), Job::none()).unwrap();
    let error = world.set_opacity((3, 3), 0.5).unwrap_err().to_string();
    assert!(error.starts_with("the cell is at 3,3 of a world, where opacity follows from air"), "{error}");
    assert_eq!(world.door((3, 3)), None);
}

#[test]
fn presets_hold_changed_cells_and_check_them() {
    let mut preset = Preset::bare_kernel();
    preset.cells = vec![ChangedCell::new(WEST, 0.0), ChangedCell::new((1, 1), 0.3)];
    let text = preset.to_toml();
    assert!(text.contains("[[cells]]\nat = [1, 1]\nopacity = 0.3\n"), "{text}");
    assert_eq!(Preset::from_toml(&text, "t").unwrap(), preset);
    let message = |text: &str| Preset::from_toml(text, "t").unwrap_err().to_string();
    let above = message("[[cells]]\nat = [1, 1]\nopacity = 2");
    assert_eq!(above, "t: cells[0].opacity: 2 is not valid: expected 0 to 1");
    assert!(message("[[cells]]\nat = [1, 1]").starts_with("t: cells[0].opacity is missing: expected 0 to 1"));
    assert!(message("[[cells]]\nopacity = 1").starts_with("t: cells[0].at is missing"));
    assert!(message("[[cells]]\nat = [1, 1]\nopen = true").contains("an entry of cells has at, opacity"));
    preset.cells.push(ChangedCell::new((40, 2), 1.0));
    let map = OpacityMap::clear(8, 8).unwrap();
    preset.cells.truncate(1);
    let off = Scene::from_map(preset, map, None, Job::none()).unwrap_err().to_string();
    assert_eq!(off, "cells[0] is at 10,3, outside the map of 8x8 cells: expected 0,0 to 7,7");
    let mut world = small("fog", 1);
    world.cells = vec![ChangedCell::new((3, 3), 0.0)];
    let error = Scene::generate(world, None, Job::none()).unwrap_err().to_string();
    assert!(error.starts_with("cells[0] is at 3,3 of a world") && error.contains("expected an opacity map"), "{error}");
}

#[test]
fn too_many_changed_cells_are_an_error() {
    let mut preset = Preset::bare_kernel();
    preset.cells = (0..9_999).map(|i| ChangedCell::new((i % 101, i / 101), 0.5)).collect();
    let mut scene = Scene::from_map(preset, OpacityMap::clear(101, 101).unwrap(), None, Job::none()).unwrap();
    scene.set_opacity((99, 100), 0.5).unwrap();
    scene.present_preset().check().unwrap();
    let error = scene.set_opacity((100, 100), 0.5).unwrap_err().to_string();
    assert_eq!(error, "preset: cells: 10001 entries is not valid: expected at most 10000");
    scene.set_opacity((99, 100), 0.75).unwrap();
}

#[test]
fn text_exports_draw_doors() {
    let mut scene = house(Preset::bare_kernel());
    let options = ExportOptions::default().with_layer(Layer::Opacity).with_crop(Crop::Map);
    assert_eq!(String::from_utf8(exported(&scene, Format::Txt, &options)).unwrap(), HOUSE);
    scene.toggle_door(WEST).unwrap();
    scene.toggle_door(OPEN).unwrap();
    scene.set_opacity(EAST, 0.5).unwrap();
    let text = String::from_utf8(exported(&scene, Format::Txt, &options)).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!((&rows[3][8..12], &rows[6][13..17], &rows[3][20..23]), ("..'.", "##+#", ".5."));
}

#[test]
fn a_digest_tells_doors_from_walls() {
    let of = |text: &str| digest_of_map(&OpacityMap::from_text(text).unwrap());
    assert_ne!(of("..+"), of("..#"));
    assert_ne!(of("+.#"), of("#.+"));
    let plain = Grid::<f32>::from_text("..#").unwrap();
    assert_eq!(of("..#"), digest(&plain), "maps without doors have the digest that they had");
}

#[test]
fn a_dungeon_with_a_fallen_wall_fits_into_a_link() {
    let mut preset = Preset::named("dungeon").unwrap();
    (preset.world.width, preset.world.height) = (48, 40);
    let mut scene = Scene::generate(preset, None, Job::none()).unwrap();
    let wall = ivec2(0, 20);
    scene.set_opacity(wall, 0.25).unwrap();
    let mut link = Link::new("dungeon", scene.present_preset());
    link.viewer = Some(scene.viewer());
    let read = Link::parse(&link.query()).unwrap();
    assert_eq!(read.preset, scene.present_preset());
    let again = Scene::generate(read.preset, read.viewer, Job::none()).unwrap();
    assert_eq!((again.opacity(wall), seen(&again)), (Some(0.25), seen(&scene)));
}

#[test]
fn a_saved_walk_goes_on_behind_an_opened_door() {
    let map = MapFile::decode(HOUSE.as_bytes(), Format::Txt).unwrap();
    let source = MapSource::new("house.txt", digest_of_map(&map.opacity));
    let mut scene = house(inhabited());
    let east = [ivec2(1, 0); 5];
    east.iter().for_each(|step| assert!(scene.step(*step).unwrap()));
    assert!(!scene.step(ivec2(1, 0)).unwrap(), "the door is closed");
    scene.toggle_door(EAST).unwrap();
    let bytes = SavedWalk::of(&scene, "", Some(&source)).to_bytes();
    let saved = SavedWalk::from_bytes(&bytes).unwrap();
    assert_eq!((saved.to_bytes(), saved.opacity()), (bytes, Some(&map.opacity)), "it holds the map of the file");
    let mut loaded = saved.to_scene(Job::none()).unwrap();
    let mut resumed = house(Preset::bare_kernel());
    saved.resume(&mut resumed).unwrap();
    for _ in 0..3 {
        for scene in [&mut scene, &mut loaded, &mut resumed] {
            assert!(scene.step(ivec2(1, 0)).unwrap(), "through the door");
        }
        for other in [&loaded, &resumed] {
            assert_eq!((other.present_preset(), seen(other)), (scene.present_preset(), seen(&scene)));
            assert_eq!(other.creatures().all(), scene.creatures().all());
            assert_eq!((other.door(EAST), other.door(WEST)), (Some(Door::Open), Some(Door::Closed)));
        }
    }
    let mut walls = scene.clone();
    walls.place((18, 3)).unwrap();
    walls.toggle_door(EAST).unwrap();
    assert!(!walls.present_preset().cells.iter().any(|cell| cell.at == EAST), "closed as on the map");
}

#[test]
fn doors_are_painted_as_wood_filled_if_they_are_closed() {
    let mut scene = house(Preset::bare_kernel());
    let options = PaintOptions::new(CellRect::around(WEST, 0), Zoom::PixelsPerCell(24));
    // The fraction of wood pixels of the cell.
    let wood = |scene: &Scene| {
        let picture = paint_ground(scene, &options);
        let is_wood = |pixel: &[u8]| {
            let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(u32::from);
            2 * r > 3 * g && g > b && r > 2 * b
        };
        picture.rgba().chunks_exact(4).filter(|pixel| is_wood(pixel)).count() as f32 / (24.0 * 24.0)
    };
    let closed = wood(&scene);
    scene.toggle_door(WEST).unwrap();
    let open = wood(&scene);
    scene.toggle_door(WEST).unwrap();
    assert!(closed > 0.2 && open < 0.75 * closed && open > 0.02, "{closed} {open}");
    for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
        let mut scene = scene;
        let picture = |scene: &Scene| exported(scene, Format::Png, &ExportOptions::default());
        let before = picture(&scene);
        scene.toggle_door(WEST).unwrap();
        assert_ne!(before, picture(&scene));
    }
}

#[test]
fn a_closed_door_is_the_reason_that_is_named() {
    let mut scene = house(Preset::bare_kernel());
    let beyond = ivec2(25, 3);
    let sentence = |scene: &Scene| Explanation::of(scene, beyond).unwrap().sentence();
    assert!(sentence(&scene).contains("door at (21, 3)"), "{}", sentence(&scene));
    scene.toggle_door(EAST).unwrap();
    assert!(sentence(&scene).contains("fully seen"), "{}", sentence(&scene));
}
