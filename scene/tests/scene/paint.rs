//! Pictures in both looks: their content and its positions, and robustness.

use std::collections::BTreeSet;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::light::Lamp;
use farsight_scene::paint::legend;
use farsight_scene::paint::{Backdrop, PaintOptions, Painter, Picture, Unseen, Zoom, paint, paint_ground, with_legend};
use farsight_scene::preset::Look;
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::World;
use proptest::prelude::*;

use super::{generated, in_look, on_ground, on_text, small, with, world_of};

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
fn the_viewer_is_red_at_any_zoom() {
    let mut scenes = vec![on_text(ROOM, 20), generated(small("temperate", 1)), generated(small("night-lantern", 1))];
    let dark = scenes[0].clone();
    scenes.push(with(&dark, [("optics.light", 0.02.into())]));
    for scene in scenes.iter().flat_map(|scene| Look::ALL.iter().copied().map(|look| in_look(scene, look))) {
        let look = scene.preset().paint.look;
        for side in [1u32, 2, 3, 7, 16, 40] {
            let frame = CellRect::around(scene.viewer(), 9);
            let picture = paint(&scene, &options(frame, side, Unseen::Remembered));
            let middle = 9 * side as usize + side as usize / 2;
            let [r, g, b] = picture.get(middle, middle).unwrap();
            assert!(r > 150 && g < 90 && b < 90, "{look:?}, {side} pixels: {r} {g} {b}");
        }
        let far = PaintOptions::new(CellRect::around(scene.viewer(), 50), Zoom::CellsPerPixel(5));
        let [r, g, b] = paint(&scene, &far).get(10, 10).unwrap();
        assert!(r > 150 && g < 90 && b < 90, "{look:?}, five cells a pixel: {r} {g} {b}");
    }
}

/// Frames on the map, over its edges, beside it, empty, and very large.
fn frames(scene: &Scene) -> [CellRect; 9] {
    let size = scene.size();
    [
        CellRect::of_size(size),
        CellRect::around(scene.viewer(), 0),
        CellRect { min: ivec2(-20, -10), max: ivec2(15, 12) },
        CellRect { min: size - 9, max: size + 9 },
        CellRect { min: size + 5, max: size + 12 },
        CellRect { min: ivec2(-30, -30), max: ivec2(-10, -10) },
        CellRect { min: ivec2(200, 10), max: ivec2(210, 20) },
        CellRect { min: ivec2(5, 5), max: ivec2(5, 9) },
        CellRect { min: ivec2(-100_000, -100_000), max: ivec2(100_000, 100_000) },
    ]
}

fn assert_painted(scene: &Scene, options: &PaintOptions) {
    let picture = paint(scene, options);
    let got = ivec2(picture.width() as i32, picture.height() as i32);
    assert_eq!(got, options.picture_size(), "{options:?}");
    assert_eq!(picture.rgba().len(), picture.width() * picture.height() * 4);
    assert!(picture.rgba().iter().skip(3).step_by(4).all(|alpha| *alpha == 255), "{options:?}");
    with_legend(&picture, scene, options, "any");
}

#[test]
fn any_frame_at_any_zoom_gives_a_picture_of_its_size() {
    let mut night = generated(small("night-lantern", 3));
    night.step(ivec2(1, 0)).unwrap();
    let mut rooms = on_text(ROOM, 20);
    rooms.add_lamp(Lamp::new((3, 2))).unwrap();
    let scenes = [in_look(&night, Look::Map), in_look(&night, Look::Data), rooms];
    let layers = Layer::ALL.iter().copied().map(Backdrop::Layer);
    let backdrops: Vec<Backdrop> = std::iter::once(Backdrop::Land).chain(layers).collect();
    for (scene, backdrops) in scenes.iter().zip([&backdrops[..1], &backdrops, &backdrops[..1]]) {
        for frame in frames(scene) {
            let zooms: &[Zoom] = if frame.width() > 1000 {
                &[Zoom::CellsPerPixel(5000), Zoom::CellsPerPixel(u32::MAX)]
            } else {
                &[Zoom::PixelsPerCell(1), Zoom::PixelsPerCell(9), Zoom::CellsPerPixel(7)]
            };
            for (&backdrop, &zoom) in
                backdrops.iter().flat_map(|backdrop| zooms.iter().map(move |zoom| (backdrop, zoom)))
            {
                for &unseen in Unseen::ALL {
                    let options = PaintOptions::new(frame, zoom).with_backdrop(backdrop).with_unseen(unseen);
                    assert_painted(scene, &options);
                }
            }
        }
    }
}

#[test]
fn stretched_cells_give_a_picture_of_their_size() {
    for scene in [generated(small("temperate", 3)), on_text(ROOM, 20)] {
        for (look, stretch) in Look::ALL.iter().copied().flat_map(|look| [[1.0, 1.4], [2.7, 1.0]].map(|it| (look, it)))
        {
            let scene = in_look(&scene, look);
            for zoom in [Zoom::PixelsPerCell(1), Zoom::PixelsPerCell(6), Zoom::CellsPerPixel(3)] {
                let frame = CellRect::around(scene.viewer(), 7);
                assert_painted(&scene, &PaintOptions::new(frame, zoom).with_stretch(stretch));
            }
        }
    }
}

/// Scenes in worlds of one kind of ground, of few cells, and with holes.
fn odd_worlds() -> Vec<Scene> {
    let world =
        |world: World| Scene::from_world(small("temperate", 1), world.into(), None, farsight::Job::none()).unwrap();
    let holes = |cell: IVec2| if (cell.x + 2 * cell.y) % 5 == 0 { f32::NAN } else { cell.x as f32 - 3.0 };
    let almost_all = |cell: IVec2| if cell == ivec2(4, 4) { 10.0 } else { f32::NAN };
    vec![
        world(world_of(1, 1, 0.5, 0.5, |_| 40.0)),
        world(world_of(1, 1, 0.5, 0.5, |_| -40.0)),
        world(world_of(30, 1, 0.5, 0.9, |cell| cell.x as f32 - 9.0)),
        world(world_of(1, 30, 0.5, 0.9, |cell| cell.y as f32 - 9.0)),
        world(world_of(20, 14, 0.5, 0.0, |_| -300.0)),
        world(world_of(20, 14, 0.5, 1.0, |_| 100.0)),
        world(world_of(20, 14, 0.5, 0.3, |cell| 9000.0 * ((cell.x + cell.y) % 2) as f32)),
        on_ground(12, 9, None, holes),
        on_ground(12, 9, None, almost_all),
    ]
}

#[test]
fn odd_worlds_are_painted_at_any_zoom() {
    for scene in odd_worlds() {
        for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
            for frame in [CellRect::of_size(scene.size()), CellRect::around(scene.viewer(), 4)] {
                for zoom in [1, 2, 5, 24].map(Zoom::PixelsPerCell).into_iter().chain([Zoom::CellsPerPixel(4)]) {
                    for &unseen in Unseen::ALL {
                        assert_painted(&scene, &PaintOptions::new(frame, zoom).with_unseen(unseen));
                    }
                }
            }
        }
    }
}

#[test]
fn odd_rooms_are_painted_at_any_zoom() {
    for text in ["@", "@#", "#\n@\n#", "###\n#@#\n###", ".5#5@", &format!("@{}", "5".repeat(40))] {
        let scene = on_text(text, 12);
        for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
            for zoom in [1, 2, 5, 24].map(Zoom::PixelsPerCell).into_iter().chain([Zoom::CellsPerPixel(4)]) {
                for &unseen in Unseen::ALL {
                    let frame = CellRect::of_size(scene.size());
                    assert_painted(&scene, &PaintOptions::new(frame, zoom).with_unseen(unseen));
                }
            }
        }
    }
}

#[test]
fn off_the_map_all_pixels_are_alike_and_within_it_they_are_others() {
    let scene = on_text(ROOM, 20);
    let frame = CellRect { min: ivec2(-60, -60), max: ivec2(-40, -40) };
    for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
        let picture = paint_ground(&scene, &options(frame, 4, Unseen::Mapped));
        let spread = |picture: &Picture| {
            let channel = |i: usize| picture.rgba().iter().skip(i).step_by(4);
            (0..3).map(|i| channel(i).max().unwrap() - channel(i).min().unwrap()).max().unwrap()
        };
        assert!(spread(&picture) < 24, "{:?}: {}", scene.preset().paint.look, spread(&picture));
        assert!(spread(&paint_ground(&scene, &whole(&scene, 4, Unseen::Mapped))) > 60);
        assert_eq!(picture.get(picture.width(), 0), None);
    }
}

#[test]
fn very_large_cells_need_no_more_memory_than_their_pixels() {
    let scene = generated(small("temperate", 1));
    let frame = CellRect::around(scene.viewer(), 0);
    for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
        let picture = paint(&scene, &options(frame, 1000, Unseen::Mapped));
        assert_eq!((picture.width(), picture.height()), (1000, 1000));
    }
}

#[test]
fn the_legend_is_a_strip_below_or_left_out() {
    let scene = generated(small("temperate", 1));
    for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
        for frame in [CellRect::of_size(scene.size()), CellRect::around(scene.viewer(), 3)] {
            let options = options(frame, 9, Unseen::Mapped);
            let picture = paint(&scene, &options);
            let whole = with_legend(&picture, &scene, &options, "a title");
            assert_eq!(whole.width(), picture.width());
            let pixels = picture.rgba().len();
            assert_eq!(&whole.rgba()[..pixels], picture.rgba(), "the picture itself stays");
            let wide = picture.width() > 600;
            assert_eq!(whole.height() > picture.height(), wide);
        }
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
    let corner = CellRect::around(IVec2::ZERO, 2).intersect(CellRect::of_size(scene.size()));
    let (of_all, whole) = layer(CellRect::of_size(scene.size()));
    let (_, part) = layer(corner);
    let mut only_in_whole = 0;
    let picture = paint_ground(&scene, &of_all);
    for cell in CellRect::of_size(scene.size()).cells() {
        let middle = cell * 3 + 1;
        let colour = picture.get(middle.x as usize, middle.y as usize).unwrap();
        assert!(has(&whole, colour), "{:?}", scene.biome(cell));
        let is_near = corner.cells().any(|near| scene.biome(near) == scene.biome(cell));
        assert_eq!(has(&part, colour), is_near, "{:?}", scene.biome(cell));
        only_in_whole += usize::from(!is_near);
    }
    assert!(only_in_whole > 0);
}

#[test]
fn a_title_may_hold_anything() {
    let scene = generated(small("temperate", 1));
    let options = whole(&scene, 9, Unseen::Mapped);
    let picture = paint(&scene, &options);
    let plain = with_legend(&picture, &scene, &options, "?");
    for title in ["\u{0}", "\n", "🗺", "\u{202e}", "ß", "\u{1b}[2J", "e\u{301}\u{301}\u{301}"] {
        assert!(with_legend(&picture, &scene, &options, title).height() == plain.height(), "{title:?}");
    }
    with_legend(&picture, &scene, &options, &"long ".repeat(10_000));
    with_legend(&picture, &scene, &options, "");
}

#[test]
fn a_scene_painted_again_or_on_other_threads_is_the_same() {
    let lamp = |mut scene: Scene| {
        scene.add_lamp(Lamp::new(scene.viewer() + ivec2(2, 1))).unwrap();
        scene
    };
    let make =
        || [generated(small("temperate", 2)), lamp(generated(small("night-lantern", 2))), lamp(on_text(ROOM, 20))];
    let pictures = |scenes: &[Scene; 3]| {
        let looks = scenes.iter().flat_map(|scene| Look::ALL.iter().copied().map(|look| in_look(scene, look)));
        looks.map(|scene| paint(&scene, &whole(&scene, 6, Unseen::Mapped))).collect::<Vec<Picture>>()
    };
    let first = pictures(&make());
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| pictures(&make())) == first, "{threads} threads");
    }
}

#[test]
fn switches_change_the_picture() {
    let scene = generated(small("temperate", 1));
    let options = |scene: &Scene| whole(scene, 8, Unseen::Mapped);
    for (look, keys) in [(Look::Map, &["paint.contours", "paint.names"][..]), (Look::Data, &["paint.contours"])] {
        let scene = in_look(&scene, look);
        let first = paint(&scene, &options(&scene));
        for &key in keys {
            assert!(paint(&with(&scene, [(key, false.into())]), &options(&scene)) != first, "{look:?}: {key}");
        }
    }
    assert!(
        paint(&in_look(&scene, Look::Map), &options(&scene)) != paint(&in_look(&scene, Look::Data), &options(&scene))
    );
}

#[test]
fn creatures_in_sight_are_drawn_and_can_be_switched_off() {
    let mut preset = small("savanna", 4);
    preset.perception.creatures = 1000.0;
    let scene = generated(preset);
    let in_sight: Vec<IVec2> = scene.sightings().map(|sighting| sighting.cell()).collect();
    assert!(!in_sight.is_empty());
    for scene in Look::ALL.iter().copied().map(|look| with(&in_look(&scene, look), [("paint.names", false.into())])) {
        let without = with(&scene, [("paint.creatures", false.into())]);
        assert_eq!(without.sightings().count(), in_sight.len());
        let options = whole(&scene, 12, Unseen::Mapped);
        let [shown, hidden] = [&scene, &without].map(|scene| paint(scene, &options));
        for cell in &in_sight {
            let around = (-6..6).flat_map(|y| (-6..6).map(move |x| *cell * 12 + 6 + ivec2(x, y)));
            let pixel = |picture: &Picture, at: IVec2| picture.get(at.x as usize, at.y as usize);
            let changed = around.filter(|&at| pixel(&shown, at) != pixel(&hidden, at)).count();
            assert!(changed > 60 || *cell == scene.viewer(), "{:?}, {cell}: {changed}", scene.preset().paint.look);
        }
        let ground = paint_ground(&scene, &options);
        assert!(ground == paint_ground(&without, &options), "marks are not on the ground");
    }
}

#[test]
fn a_painter_that_kept_land_paints_the_same_as_a_new_one() {
    let mut scene = generated(small("temperate", 2));
    let mut painter = Painter::default();
    let mut frame = CellRect::around(scene.viewer(), 14);
    let mut is_changed = BTreeSet::new();
    for (i, unseen) in [Unseen::Mapped, Unseen::Mapped, Unseen::Remembered, Unseen::Mapped].into_iter().enumerate() {
        for (zoom, hour) in
            [(Zoom::PixelsPerCell(7), 12.0), (Zoom::PixelsPerCell(7), 0.0), (Zoom::CellsPerPixel(2), 12.0)]
        {
            let _ = scene.step(ivec2(1, 0));
            scene = with(&scene, [("clock.runs", true.into()), ("clock.hour", hour.into())]);
            let options = PaintOptions::new(frame, zoom).with_unseen(unseen);
            let picture = painter.paint(&scene, &options);
            assert!(picture == paint(&scene, &options), "{i}, {options:?}");
            is_changed.insert(picture.rgba().to_vec());
            frame = CellRect { min: frame.min + ivec2(3, -2), max: frame.max + ivec2(3, -2) };
        }
    }
    assert!(is_changed.len() > 8, "{} pictures", is_changed.len());
}

/// A scene of each kind: country by day, in fog and at night with a lamp; rooms with a lamp.
fn kinds() -> Vec<Scene> {
    let lit = |mut scene: Scene, at: IVec2| {
        scene.add_lamp(Lamp::new(at)).unwrap();
        scene
    };
    let night = generated(small("night-lantern", 2));
    let at = night.viewer() + ivec2(3, 2);
    vec![
        generated(small("temperate", 2)),
        generated(small("fog", 3)),
        lit(night, at),
        generated(small("alpine", 1)),
        lit(on_text(ROOM, 20), ivec2(10, 2)),
    ]
}

/// Counts the pixels of the window that differ from those of the whole map, and returns the largest difference of a channel.
fn difference(all: &Picture, part: &Picture, offset: IVec2) -> (usize, u8) {
    let (mut count, mut largest) = (0, 0);
    for (x, y) in (0..part.height()).flat_map(|y| (0..part.width()).map(move |x| (x, y))) {
        let of_all = all.get(x + offset.x as usize, y + offset.y as usize).unwrap();
        let of_part = part.get(x, y).unwrap();
        count += usize::from(of_all != of_part);
        largest = (0..3).map(|i| of_all[i].abs_diff(of_part[i])).max().unwrap().max(largest);
    }
    (count, largest)
}

#[test]
fn a_window_of_a_picture_is_the_picture_of_the_window() {
    let mut differences = Vec::new();
    for scene in kinds().iter().flat_map(|scene| Look::ALL.iter().copied().map(|look| in_look(scene, look))) {
        let (name, look) = (scene.preset().about.clone(), scene.preset().paint.look);
        let map = CellRect::of_size(scene.size());
        for side in [1, 2, 3, 6, 11] {
            let options_of_all = whole(&scene, side, Unseen::Mapped);
            let all = paint_ground(&scene, &options_of_all);
            let mut in_parts = Painter::default();
            while !in_parts.prepare(&scene, &options_of_all, 9000) {}
            let mut check = |part: &Picture, offset: IVec2, what: String| {
                let (count, largest) = difference(&all, part, offset);
                if count > 0 {
                    differences.push(format!(
                        "{look:?}, {side} pixels a cell, {what} of {name}: {count} pixels by up to {largest}"
                    ));
                }
            };
            check(&in_parts.paint_ground(&scene, &options_of_all), IVec2::ZERO, "all in parts".into());
            let near = CellRect::around(scene.viewer(), 9).intersect(map);
            let corner = CellRect { min: map.max - 5, max: map.max };
            for frame in [near, corner, CellRect { min: near.min + 4, max: near.max - 3 }] {
                let part = paint_ground(&scene, &options(frame, side, Unseen::Mapped));
                check(&part, frame.min * side as i32, format!("{frame:?}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn small_pictures_of_any_part_are_painted(
        seed in 0..4u64, x in -3..100i32, y in -3..90i32, width in 1..5i32, height in 1..5i32, side in 0..30u32,
        cells in 0..9u32, is_near in any::<bool>(), light in 0.0..1.0f64,
    ) {
        thread_local!(static SCENES: [Scene; 4] = std::array::from_fn(|seed| generated(small("archipelago", seed as u64))));
        let scene = SCENES.with(|scenes| with(&scenes[seed as usize], [("optics.light", light.into())]));
        let zoom = if is_near { Zoom::PixelsPerCell(side) } else { Zoom::CellsPerPixel(cells) };
        let frame = CellRect { min: ivec2(x, y), max: ivec2(x + width, y + height) };
        for scene in Look::ALL.iter().copied().map(|look| in_look(&scene, look)) {
            assert_painted(&scene, &PaintOptions::new(frame, zoom));
        }
    }
}
