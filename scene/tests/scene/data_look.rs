//! The data look: every square has the colour of its value, and lines are exactly between cells.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::perception::Recognition;
use farsight_scene::paint::{Backdrop, PaintOptions, Picture, Unseen, Zoom, paint, paint_ground};
use farsight_scene::preset::{Look, Ramp};
use farsight_scene::scene::{Layer, Scene};

use super::{generated, in_look, on_ground, on_text, small, with};

const WHITE: [u8; 3] = [255; 3];

fn whole(scene: &Scene, side: u32) -> PaintOptions {
    PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(side)).with_unseen(Unseen::Mapped)
}

fn middle(picture: &Picture, cell: IVec2, side: usize) -> [u8; 3] {
    picture.get(cell.x as usize * side + side / 2, cell.y as usize * side + side / 2).unwrap()
}

/// The different colours of a cell.
fn colours(picture: &Picture, cell: IVec2, side: usize) -> Vec<[u8; 3]> {
    let corner = cell.as_uvec2() * side as u32;
    let pixels = (0..side * side).map(|i| (corner.x as usize + i % side, corner.y as usize + i / side));
    let mut colours: Vec<_> = pixels.map(|(x, y)| picture.get(x, y).unwrap()).collect();
    colours.sort_unstable();
    colours.dedup();
    colours
}

fn luma([r, g, b]: [u8; 3]) -> f32 {
    0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b)
}

/// A corridor along which visibility falls to the right.
fn corridor() -> Scene {
    let scene = on_text(&format!("@{}", ".".repeat(41)), 40);
    with(&in_look(&scene, Look::Data), [("sight.decay.kind", "linear".into())])
}

#[test]
fn more_visibility_is_ever_brighter_in_every_ramp() {
    for &ramp in Ramp::ALL {
        let scene = with(&corridor(), [("paint.ramp", ramp.name().into()), ("paint.contours", false.into())]);
        let picture = paint_ground(&scene, &whole(&scene, 4));
        let seen = (1..42).map(|x| ivec2(x, 0)).filter(|&cell| scene.visibility(cell) > 0.0);
        let cells: Vec<(f32, f32)> =
            seen.map(|cell| (scene.visibility(cell), luma(middle(&picture, cell, 4)))).collect();
        assert!(cells.len() > 35);
        assert!(cells.is_sorted_by(|near, far| near.0 > far.0 && near.1 > far.1), "{ramp:?}: {cells:?}");
    }
}

#[test]
fn a_square_has_the_colour_of_its_value_exactly() {
    let mut scenes = vec![corridor()];
    scenes.extend(["temperate", "mist", "night-lantern"].map(|name| in_look(&generated(small(name, 2)), Look::Data)));
    for scene in scenes {
        let scene = with(&scene, [("paint.ramp", "grey".into()), ("paint.contours", false.into())]);
        for side in [1, 5] {
            let picture = paint_ground(&scene, &whole(&scene, side as u32));
            for cell in CellRect::of_size(scene.size()).cells() {
                let visibility = scene.visibility(cell);
                let grey = (visibility * 255.0 + 0.5) as u8;
                let expected = if visibility > 0.0 { [grey; 3] } else { WHITE };
                assert_eq!(colours(&picture, cell, side), [expected], "{side} pixels, {cell}: {visibility}");
            }
        }
    }
}

#[test]
fn layers_are_squares_of_one_colour_in_both_looks() {
    let scene = generated(small("temperate", 1));
    let map = CellRect::of_size(scene.size());
    for &layer in Layer::ALL {
        let Ok(values) = scene.layer(layer, map) else { continue };
        let scene = with(&scene, [("paint.contours", false.into())]);
        let options = whole(&scene, 5).with_backdrop(Backdrop::Layer(layer));
        let [as_map, as_data] = [Look::Map, Look::Data].map(|look| paint_ground(&in_look(&scene, look), &options));
        assert!(as_map == as_data, "{layer:?}");
        let mut by_value = std::collections::BTreeMap::new();
        for (cell, value) in values.iter().filter(|(_, value)| !value.is_nan()) {
            // Coasts are on the sides of cells.
            let colour = middle(&as_data, cell, 5);
            let inner = [(1, 1), (3, 1), (1, 3), (3, 3)]
                .map(|(x, y)| as_data.get(cell.x as usize * 5 + x, cell.y as usize * 5 + y).unwrap());
            assert_eq!(inner, [colour; 4], "{layer:?}, {cell}");
            let known = *by_value.entry(value.to_bits()).or_insert(colour);
            assert_eq!(colour, known, "{layer:?}, {cell}: {value}");
        }
    }
}

/// Returns the columns in which two pictures differ.
fn differing_columns(a: &Picture, b: &Picture) -> Vec<i32> {
    (0..a.width()).filter(|&x| (0..a.height()).any(|y| a.get(x, y) != b.get(x, y))).map(|x| x as i32).collect()
}

#[test]
fn contours_run_exactly_between_cells_of_different_sense() {
    let scene = corridor();
    let side = 8;
    let [lines, bare] = [true, false]
        .map(|contours| with(&scene, [("paint.contours", contours.into())]))
        .map(|scene| paint_ground(&scene, &whole(&scene, side as u32)));
    let last = |sense| (0..42).filter(|x| scene.sense(ivec2(*x, 0)) >= sense).max().unwrap();
    let edges = [Recognition::Identified, Recognition::Glimpsed].map(|sense| last(sense) * side + side - 1);
    assert_eq!(differing_columns(&lines, &bare), edges);
}

#[test]
fn contours_are_on_the_sides_of_cells_and_nowhere_else() {
    let scene = in_look(&generated(small("mist", 2)), Look::Data);
    let side = 6;
    let [lines, bare] = [true, false]
        .map(|contours| with(&scene, [("paint.contours", contours.into())]))
        .map(|scene| paint_ground(&scene, &whole(&scene, side as u32)));
    let map = CellRect::of_size(scene.size());
    let steps = [(ivec2(0, -1), 0..side, 0..1), (ivec2(0, 1), 0..side, side - 1..side), (ivec2(-1, 0), 0..1, 0..side)];
    let steps: Vec<_> = steps.into_iter().chain([(ivec2(1, 0), side - 1..side, 0..side)]).collect();
    let mut contours = 0;
    for cell in map.cells() {
        let sense = scene.sense(cell);
        let mut is_line = vec![false; side * side];
        for (step, columns, rows) in &steps {
            if sense > Recognition::Hidden && map.contains(cell + step) && scene.sense(cell + step) < sense {
                let pixels = columns.clone().flat_map(|x| rows.clone().map(move |y| y * side + x));
                pixels.for_each(|i| is_line[i] = true);
                contours += 1;
            }
        }
        for (i, is_line) in is_line.into_iter().enumerate() {
            let at = (cell.x as usize * side + i % side, cell.y as usize * side + i / side);
            assert_eq!(lines.get(at.0, at.1) != bare.get(at.0, at.1), is_line, "{cell}, pixel {i}");
        }
    }
    assert!(contours > 40, "{contours}");
}

#[test]
fn elevation_and_temperature_take_the_colours_of_their_range() {
    let scene = generated(small("temperate", 1));
    let map = CellRect::of_size(scene.size());
    for layer in [Layer::Elevation, Layer::Temperature] {
        let options = whole(&scene, 1).with_backdrop(Backdrop::Layer(layer));
        let values = scene.layer(layer, map).unwrap();
        let (least, most) = values.iter().fold((ivec2(0, 0), ivec2(0, 0)), |(least, most), (cell, value)| {
            (if *value < values[least] { cell } else { least }, if *value > values[most] { cell } else { most })
        });
        let picture = paint_ground(&scene, &options);
        let [low, high] = [least, most].map(|cell| picture.get(cell.x as usize, cell.y as usize).unwrap());
        let apart: u32 = (0..3).map(|i| u32::from(low[i].abs_diff(high[i]))).sum();
        assert!(apart > 150, "{layer:?}: {low:?} and {high:?}");
    }
}

#[test]
fn no_creatures_stand_on_the_values_of_a_layer() {
    let mut preset = small("temperate", 1);
    preset.perception.creatures = 1000.0;
    let scene = generated(preset);
    assert!(scene.sightings().count() > 0);
    let without = with(&scene, [("paint.creatures", false.into())]);
    for layer in [Layer::Elevation, Layer::Biome, Layer::Perceived] {
        let options = PaintOptions::new(scene.sight_frame(), Zoom::PixelsPerCell(16));
        let options = options.with_backdrop(Backdrop::Layer(layer)).with_unseen(Unseen::Mapped);
        assert!(paint(&scene, &options) == paint(&without, &options), "{layer:?}");
    }
}

#[test]
fn names_and_unseen_land_are_not_on_the_data() {
    let scene = in_look(&generated(small("temperate", 1)), Look::Data);
    let without = with(&scene, [("paint.names", false.into())]);
    let remembered = whole(&scene, 9).with_unseen(Unseen::Remembered);
    let first = paint(&scene, &whole(&scene, 9));
    assert!(first == paint(&without, &whole(&scene, 9)) && first == paint(&scene, &remembered));
}

#[test]
fn walls_out_of_sight_are_darker_than_floors_out_of_sight() {
    let scene = in_look(&on_text("@#......#\n.#......#", 9), Look::Data);
    let picture = paint_ground(&scene, &whole(&scene, 4));
    assert_eq!((scene.visibility(ivec2(8, 0)), scene.visibility(ivec2(4, 0))), (0.0, 0.0));
    let [wall, floor] = [ivec2(8, 0), ivec2(4, 0)].map(|cell| middle(&picture, cell, 4));
    assert_eq!(floor, WHITE);
    assert!(luma(wall) < 180.0, "{wall:?}");
}

#[test]
fn cells_without_data_are_hatched_and_not_a_value() {
    let mut holes = 0;
    let metres = |cell: IVec2| if cell.x % 7 == 3 { f32::NAN } else { 50.0 + cell.y as f32 };
    let scene = on_ground(20, 12, Some(ivec2(5, 5)), metres);
    let scene = with(&in_look(&scene, Look::Data), [("paint.contours", false.into())]);
    for backdrop in [Backdrop::Land, Backdrop::Layer(Layer::Elevation)] {
        let picture = paint_ground(&scene, &whole(&scene, 8).with_backdrop(backdrop));
        for cell in CellRect::of_size(scene.size()).cells().filter(|cell| cell.x % 7 == 3) {
            assert_eq!(colours(&picture, cell, 8).len(), 2, "{backdrop:?}, {cell}");
            holes += 1;
        }
    }
    assert!(holes > 40);
}
