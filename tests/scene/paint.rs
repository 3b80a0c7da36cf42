//! Pictures: what is on them and where, and that nothing throws them.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::paint::legend;
use farsight::paint::{Backdrop, PaintOptions, Picture, Unseen, Zoom, paint, paint_ground, with_legend};
use farsight::perception::Recognition;
use farsight::preset::{Preset, Ramp};
use farsight::scene::{Layer, Scene};

use super::{generated, on_text, small};

const ROOM: &str = "\
###############
#......#......#
#......#......#
#.............#
#......#......#
#.@....#......#
###############";

fn options(frame: CellRect, side: u32, unseen: Unseen) -> PaintOptions {
    PaintOptions::new(frame, Zoom::PixelsPerCell(side)).with_unseen(unseen)
}

fn whole(scene: &Scene, side: u32, unseen: Unseen) -> PaintOptions {
    options(CellRect::of_size(scene.size()), side, unseen)
}

/// The mean colour of a cell, without its outermost pixels.
fn colour(picture: &Picture, cell: IVec2, side: i32) -> [f32; 3] {
    let mut sum = [0.0f32; 3];
    let mut count = 0.0;
    for y in 1..side - 1 {
        for x in 1..side - 1 {
            let at = cell * side + ivec2(x, y);
            let pixel = picture.get(at.x as usize, at.y as usize).unwrap();
            sum = [0, 1, 2].map(|i| sum[i] + f32::from(pixel[i]));
            count += 1.0;
        }
    }
    sum.map(|channel| channel / count)
}

fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

fn void(picture: &Picture) -> [u8; 3] {
    // What a frame off the map shows, far from the viewer.
    picture.get(picture.width() - 1, 0).unwrap()
}

#[test]
fn the_viewer_is_a_red_disc_at_any_zoom() {
    let scene = on_text(ROOM, 20);
    for side in [1u32, 2, 3, 7, 16, 40] {
        let picture = paint(&scene, &whole(&scene, side, Unseen::Remembered));
        let at = (scene.viewer() * side as i32) + side as i32 / 2;
        let [r, g, b] = picture.get(at.x as usize, at.y as usize).unwrap();
        assert!(r > 200 && g < 90 && b < 90, "{side}: {r} {g} {b}");
    }
    let far = whole(&scene, 1, Unseen::Remembered).with_zoom(Zoom::CellsPerPixel(5));
    let [r, g, _] = paint(&scene, &far).get(0, 1).unwrap();
    assert!(r > 150 && g < 90, "{r} {g}");
}

#[test]
fn the_room_is_lit_muted_or_unknown_as_it_is_seen() {
    let mut scene = on_text(ROOM, 20);
    let state = |scene: &Scene| {
        // #: lit, +: known but out of sight, .: unknown.
        let picture = paint_ground(scene, &whole(scene, 8, Unseen::Remembered));
        let unknown = on_text("@#.", 4);
        let unknown = paint_ground(&unknown, &whole(&unknown, 8, Unseen::Remembered));
        let unknown = colour(&unknown, ivec2(2, 0), 8);
        let size = scene.size();
        let mut text = String::new();
        for y in 0..size.y {
            for x in 0..size.x {
                let cell = ivec2(x, y);
                let got = colour(&picture, cell, 8);
                let distance = [0, 1, 2].map(|i| (got[i] - unknown[i]).abs()).iter().fold(0.0f32, |a, b| a.max(*b));
                let lit = scene.sense(cell) > Recognition::Hidden;
                text.push(if distance < 7.0 {
                    '.'
                } else if lit {
                    '#'
                } else {
                    '+'
                });
            }
            text.push('\n');
        }
        text
    };
    // The right room is dark but for what the door lets through.
    let first = state(&scene);
    for (y, row) in first.lines().enumerate() {
        for (x, mark) in row.chars().enumerate() {
            let sense = scene.sense(ivec2(x as i32, y as i32));
            assert_eq!(mark == '#', sense > Recognition::Hidden, "{x},{y}\n{first}");
            assert!(mark != '+', "nothing was seen before\n{first}");
        }
    }
    assert!(first.contains('.') && first.contains('#'), "{first}");
    scene.place(ivec2(12, 1)).unwrap();
    assert!(state(&scene).contains('+'), "the left room is remembered");
}

#[test]
fn a_lit_cell_is_brighter_than_the_same_cell_muted() {
    let mut scene = on_text(ROOM, 20);
    let cell = ivec2(3, 1);
    let lit = colour(&paint_ground(&scene, &whole(&scene, 8, Unseen::Mapped)), cell, 8);
    scene.place(ivec2(12, 1)).unwrap();
    assert_eq!(scene.visibility(cell), 0.0);
    let muted = colour(&paint_ground(&scene, &whole(&scene, 8, Unseen::Mapped)), cell, 8);
    assert!(luma(lit) > 1.5 * luma(muted), "{lit:?} {muted:?}");
}

#[test]
fn more_light_is_more_brightness_on_the_same_floor() {
    let mut preset = on_text("@", 1).preset().clone();
    preset.sight.radius = 40;
    preset.set("sight.decay.kind", "linear").unwrap();
    for ramp in ["daylight", "green", "cividis", "viridis", "inferno", "grey"] {
        preset.set("paint.ramp", ramp).unwrap();
        let mut scene = on_text(&format!("@{}", ".".repeat(41)), 40);
        scene.apply(preset.clone()).unwrap();
        let picture = paint_ground(&scene, &whole(&scene, 8, Unseen::Mapped));
        let along: Vec<f32> = [1, 8, 16, 24, 32].map(|x| luma(colour(&picture, ivec2(x, 0), 8))).into();
        assert!(along.is_sorted_by(|a, b| a > b), "{ramp}: {along:?}");
    }
}

#[test]
fn contours_run_between_cells_of_different_sense_and_nowhere_else() {
    let mut scene = on_text(&format!("@{}", ".".repeat(41)), 40);
    let mut preset = scene.preset().with([("sight.decay.kind", "linear".into())]).unwrap();
    scene.apply(preset.clone()).unwrap();
    let side = 8;
    let with = paint_ground(&scene, &whole(&scene, side, Unseen::Mapped));
    preset.paint.contours = false;
    scene.apply(preset).unwrap();
    let without = paint_ground(&scene, &whole(&scene, side, Unseen::Mapped));
    let mut lines = Vec::new();
    for x in 0..with.width() {
        let differs = with.get(x, 3) != without.get(x, 3);
        if differs {
            lines.push(x as i32);
        }
    }
    let last = |sense| (0..42).filter(|x| scene.sense(ivec2(*x, 0)) >= sense).max().unwrap();
    let edges =
        [Recognition::Identified, Recognition::Glimpsed].map(|sense| last(sense) * side as i32 + side as i32 - 1);
    assert_eq!(lines, edges);
}

#[test]
fn a_picture_is_as_large_as_its_cells() {
    for (zoom, cells, pixels) in [
        (Zoom::PixelsPerCell(7), ivec2(10, 3), ivec2(70, 21)),
        (Zoom::PixelsPerCell(0), ivec2(10, 3), ivec2(10, 3)),
        (Zoom::CellsPerPixel(4), ivec2(10, 3), ivec2(3, 1)),
        (Zoom::CellsPerPixel(0), ivec2(10, 3), ivec2(10, 3)),
        (Zoom::CellsPerPixel(u32::MAX), ivec2(16384, 16384), ivec2(1, 1)),
        (Zoom::PixelsPerCell(5), ivec2(-4, 2), ivec2(0, 10)),
        (Zoom::PixelsPerCell(u32::MAX), ivec2(3, 0), ivec2(i32::MAX, 0)),
    ] {
        assert_eq!(zoom.picture_size(cells), pixels, "{zoom:?}");
    }
}

#[test]
fn any_frame_at_any_zoom_gives_a_picture_of_its_size() {
    let mut scene = generated(small("night-lantern", 3));
    let size = scene.size();
    let frames = [
        CellRect::of_size(size),
        CellRect::around(scene.viewer(), 0),
        CellRect { min: ivec2(-20, -10), max: ivec2(15, 12) },
        CellRect { min: size - 9, max: size + 9 },
        CellRect { min: size + 5, max: size + 12 },
        CellRect { min: ivec2(-30, -30), max: ivec2(-10, -10) },
        CellRect { min: ivec2(200, 10), max: ivec2(210, 20) },
        CellRect { min: ivec2(5, 5), max: ivec2(5, 9) },
        CellRect { min: ivec2(-100_000, -100_000), max: ivec2(100_000, 100_000) },
    ];
    scene.step(ivec2(1, 0)).unwrap();
    let backdrops = [Backdrop::Land].into_iter().chain(Layer::ALL.iter().copied().map(Backdrop::Layer));
    for backdrop in backdrops {
        for frame in frames {
            let zooms: &[Zoom] = if frame.width() > 1000 {
                &[Zoom::CellsPerPixel(5000), Zoom::CellsPerPixel(u32::MAX)]
            } else {
                &[Zoom::PixelsPerCell(1), Zoom::PixelsPerCell(9), Zoom::CellsPerPixel(7)]
            };
            for &zoom in zooms {
                for unseen in Unseen::ALL {
                    let options = PaintOptions::new(frame, zoom).with_backdrop(backdrop).with_unseen(unseen);
                    let picture = paint(&scene, &options);
                    let got = ivec2(picture.width() as i32, picture.height() as i32);
                    assert_eq!(got, zoom.picture_size(frame.size()), "{options:?}");
                    assert_eq!(picture.rgba().len(), picture.width() * picture.height() * 4);
                    assert!(picture.rgba().iter().skip(3).step_by(4).all(|alpha| *alpha == 255));
                    with_legend(&picture, &scene, &options, "any");
                }
            }
        }
    }
}

#[test]
fn off_the_map_there_is_the_void() {
    let scene = on_text(ROOM, 20);
    let frame = CellRect { min: ivec2(-6, -4), max: ivec2(30, 20) };
    let picture = paint(&scene, &options(frame, 4, Unseen::Mapped));
    let void = void(&picture);
    for (x, y) in [(0, 0), (23, 40), (40, 15), (84, 30), (143, 95)] {
        assert_eq!(picture.get(x, y), Some(void), "{x},{y}");
    }
    for (x, y) in [(25, 17), (82, 42)] {
        assert_ne!(picture.get(x, y), Some(void), "{x},{y}");
    }
    assert_eq!(picture.get(144, 0), None);
}

#[test]
fn very_large_cells_need_no_more_memory_than_their_pixels() {
    let scene = generated(small("temperate", 1));
    let frame = CellRect::around(scene.viewer(), 0);
    let picture = paint(&scene, &options(frame, 3000, Unseen::Mapped));
    assert_eq!((picture.width(), picture.height()), (3000, 3000));
}

#[test]
fn magnified_trees_are_where_small_ones_are() {
    let mut scene = generated(small("jungle", 1));
    let wood = scene.world().unwrap().vegetation().iter().find(|(_, v)| **v > 0.8).unwrap().0;
    scene.place(wood).unwrap();
    let frame = CellRect::around(wood, 0);
    let [fine, coarse] = [64u32, 128].map(|side| paint_ground(&scene, &options(frame, side, Unseen::Mapped)));
    let agree = (0..64 * 64).filter(|i| fine.get(i % 64, i / 64) == coarse.get(2 * (i % 64), 2 * (i / 64))).count();
    let colours: std::collections::BTreeSet<_> = (0..64 * 64).filter_map(|i| fine.get(i % 64, i / 64)).collect();
    assert!(colours.len() > 1, "a wood has trees");
    assert!(agree > 64 * 64 / 2, "{agree}"); // hatching keeps its width in pixels
}

#[test]
fn the_legend_is_a_strip_below_or_left_out() {
    let scene = generated(small("temperate", 1));
    for (frame, side) in [(CellRect::of_size(scene.size()), 9), (CellRect::around(scene.viewer(), 3), 9)] {
        let options = options(frame, side, Unseen::Mapped);
        let picture = paint(&scene, &options);
        let whole = with_legend(&picture, &scene, &options, "a title");
        assert_eq!(whole.width(), picture.width());
        let pixels = picture.rgba().len();
        assert_eq!(&whole.rgba()[..pixels], picture.rgba(), "the picture itself stays");
        let wide = picture.width() > 600;
        assert_eq!(whole.height() > picture.height(), wide);
    }
}

#[test]
fn the_legend_names_the_biomes_that_are_drawn() {
    let scene = generated(small("temperate", 1));
    let layer = |frame| {
        let options = options(frame, 3, Unseen::Mapped).with_backdrop(Backdrop::Layer(Layer::Biome));
        (options, legend(&scene, &options, 900, "").unwrap())
    };
    let has = |strip: &Picture, colour: [u8; 3]| strip.rgba().chunks_exact(4).any(|pixel| pixel[..3] == colour);
    let cells =
        |part: CellRect| (part.min.y..part.max.y).flat_map(move |y| (part.min.x..part.max.x).map(move |x| ivec2(x, y)));
    let corner = CellRect::around(IVec2::ZERO, 2).intersect(CellRect::of_size(scene.size()));
    let (of_all, whole) = layer(CellRect::of_size(scene.size()));
    let (_, part) = layer(corner);
    let mut only_in_whole = 0;
    let picture = paint_ground(&scene, &of_all);
    for cell in cells(CellRect::of_size(scene.size())) {
        let middle = cell * 3 + 1;
        let colour = picture.get(middle.x as usize, middle.y as usize).unwrap();
        assert!(has(&whole, colour), "{:?}", scene.biome(cell));
        let is_near = cells(corner).any(|near| scene.biome(near) == scene.biome(cell));
        assert_eq!(has(&part, colour), is_near, "{:?}", scene.biome(cell));
        only_in_whole += usize::from(!is_near);
    }
    assert!(only_in_whole > 0);
}

#[test]
fn elevation_and_temperature_take_the_colours_of_their_range() {
    let scene = generated(small("temperate", 1));
    let map = CellRect::of_size(scene.size());
    for layer in [Layer::Elevation, Layer::Temperature] {
        let options = options(map, 1, Unseen::Mapped).with_backdrop(Backdrop::Layer(layer));
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
fn a_title_may_hold_anything() {
    let scene = generated(small("temperate", 1));
    let options = whole(&scene, 9, Unseen::Mapped);
    let picture = paint(&scene, &options);
    let plain = with_legend(&picture, &scene, &options, "?");
    for title in ["\u{0}", "\n", "🗺", "\u{202e}", "ß"] {
        assert!(with_legend(&picture, &scene, &options, title).height() == plain.height(), "{title:?}");
    }
    assert_eq!(with_legend(&picture, &scene, &options, "🗺"), plain, "letters that the font lacks are question marks");
    with_legend(&picture, &scene, &options, &"long ".repeat(10_000));
    with_legend(&picture, &scene, &options, "");
}

#[test]
fn a_scene_painted_again_or_on_other_threads_is_the_same() {
    let scene = generated(small("temperate", 2));
    let options = whole(&scene, 6, Unseen::Mapped);
    let first = paint(&scene, &options);
    assert!(paint(&scene, &options) == first);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| paint(&scene, &options)) == first, "{threads} threads");
        let again = pool.install(|| generated(small("temperate", 2)));
        assert!(paint(&again, &options) == first, "{threads} threads");
    }
}

#[test]
fn a_window_of_a_picture_is_the_picture_of_the_window() {
    let scene = generated(small("mist", 2));
    let all = paint_ground(&scene, &whole(&scene, 6, Unseen::Mapped));
    let frame = CellRect { min: ivec2(20, 30), max: ivec2(50, 45) };
    let part = paint_ground(&scene, &options(frame, 6, Unseen::Mapped));
    for y in 0..part.height() {
        for x in 0..part.width() {
            assert_eq!(part.get(x, y), all.get(x + 120, y + 180), "{x},{y}");
        }
    }
}

#[test]
fn switches_change_the_picture() {
    let scene = generated(small("temperate", 1));
    let options = whole(&scene, 8, Unseen::Mapped);
    let first = paint(&scene, &options);
    for key in ["paint.elevation", "paint.vegetation", "paint.humidity", "paint.contours"] {
        let mut changed = scene.clone();
        changed.apply(scene.preset().with([(key, false.into())]).unwrap()).unwrap();
        assert!(paint(&changed, &options) != first, "{key}");
    }
    for ramp in [Ramp::Green, Ramp::Cividis, Ramp::Viridis, Ramp::Inferno, Ramp::Grey] {
        let mut preset: Preset = scene.preset().clone();
        preset.paint.ramp = ramp;
        let mut changed = scene.clone();
        changed.apply(preset).unwrap();
        assert!(paint(&changed, &options) != first, "{ramp:?}");
    }
}

#[test]
fn no_creatures_stand_on_the_values_of_a_layer() {
    let mut preset = small("temperate", 1);
    preset.perception.creatures = 1000.0;
    let scene = generated(preset);
    let mut without = scene.clone();
    without.apply(scene.preset().with([("paint.creatures", false.into())]).unwrap()).unwrap();
    for layer in [Layer::Elevation, Layer::Biome, Layer::Perceived] {
        let options = PaintOptions::new(scene.sight_frame(), Zoom::PixelsPerCell(16))
            .with_backdrop(Backdrop::Layer(layer))
            .with_unseen(Unseen::Mapped);
        assert!(paint(&scene, &options) == paint(&without, &options), "{layer:?}");
    }
}

#[test]
fn creatures_in_sight_are_drawn_and_can_be_switched_off() {
    let mut preset = small("savanna", 4);
    preset.perception.creatures = 1000.0;
    let mut scene = generated(preset);
    let seen = scene.sightings().count();
    assert!(seen > 0);
    let options = whole(&scene, 12, Unseen::Mapped);
    let with = paint(&scene, &options);
    let without = scene.preset().with([("paint.creatures", false.into())]).unwrap();
    scene.apply(without).unwrap();
    assert_eq!(scene.sightings().count(), seen);
    assert!(paint(&scene, &options) != with);
}
