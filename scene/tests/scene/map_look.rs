//! The map look: visible land shows the air, the hour and the land; land out of sight is a map on paper.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::light::Lamp;
use farsight::perception::{CellMemory, Recognition};
use farsight_scene::paint::{PaintOptions, Picture, Unseen, Zoom, legend, paint, paint_ground};
use farsight_scene::preset::{PlaceName, Preset};
use farsight_scene::scene::Scene;

use super::{generated, on_text, small, with, world_of};

/// The colour of air by day.
const AIR: [f32; 3] = [219.0, 227.0, 227.0];

/// Pixels a cell.
const SIDE: usize = 6;

fn options(frame: CellRect, unseen: Unseen) -> PaintOptions {
    PaintOptions::new(frame, Zoom::PixelsPerCell(SIDE as u32)).with_unseen(unseen)
}

fn whole(scene: &Scene, unseen: Unseen) -> PaintOptions {
    options(CellRect::of_size(scene.size()), unseen)
}

/// The ground without lines.
fn painted(scene: &Scene, unseen: Unseen) -> Picture {
    paint_ground(&with(scene, [("paint.contours", false.into())]), &whole(scene, unseen))
}

/// The pixels per cell of a picture of the whole map.
fn pixels(picture: &Picture, cell: IVec2) -> impl Iterator<Item = [f32; 3]> {
    let corner = cell * SIDE as i32;
    (0..SIDE * SIDE).filter_map(move |i| {
        let pixel = picture.get(corner.x as usize + i % SIDE, corner.y as usize + i / SIDE)?;
        Some(pixel.map(f32::from))
    })
}

/// The mean colour of a cell.
fn colour(picture: &Picture, cell: IVec2) -> [f32; 3] {
    let count = (SIDE * SIDE) as f32;
    pixels(picture, cell).fold([0.0; 3], |sum, pixel| [0, 1, 2].map(|i| sum[i] + pixel[i] / count))
}

fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    [0, 1, 2].map(|i| (a[i] - b[i]) * (a[i] - b[i])).iter().sum::<f32>().sqrt()
}

fn mean(cells: &[IVec2], value: impl Fn(IVec2) -> f32) -> f32 {
    assert!(cells.len() > 2, "{} cells", cells.len());
    cells.iter().map(|&cell| value(cell)).sum::<f32>() / cells.len() as f32
}

/// Returns `true` if a property holds for all cells within two of a cell, so that blurs around it see nothing else.
fn holds_around(cell: IVec2, property: impl Fn(IVec2) -> bool) -> bool {
    CellRect::around(cell, 2).cells().all(property)
}

/// Returns the cells that all scenes see, with all around them, except those near the viewer.
fn seen_by_all(scenes: &[Scene]) -> Vec<IVec2> {
    let is_seen = |cell| scenes.iter().all(|scene| scene.sense(cell) > Recognition::Hidden);
    let cells = CellRect::of_size(scenes[0].size()).cells();
    cells.filter(|&cell| holds_around(cell, is_seen) && cell.distance_squared(scenes[0].viewer()) > 8).collect()
}

fn changed(change: impl FnOnce(&mut Preset)) -> Scene {
    let mut preset = Preset::shipped_default();
    (preset.world.width, preset.world.height, preset.world.cell_size_m) = (96, 96, 25.0);
    preset.optics.fog_onset = 1.0;
    (preset.optics.vegetation_extinction_per_m, preset.perception.glimpse) = (0.0, 0.01);
    change(&mut preset);
    generated(preset)
}

/// A flat plain without plants, on which only distance dims the view.
fn plain(change: impl FnOnce(&mut Preset)) -> Scene {
    let mut preset = Preset::bare_kernel();
    preset.sight.radius = 40;
    preset.perception.creatures = 0.0;
    preset.set("sight.decay.kind", "linear").unwrap();
    (preset.optics.visual_range_m, preset.perception.glimpse) = (f64::INFINITY, 0.01);
    change(&mut preset);
    Scene::from_world(preset, world_of(90, 60, 0.3, 0.0, |_| 100.0).into(), Some(ivec2(45, 30)), farsight::Job::none())
        .unwrap()
}

#[test]
fn thicker_haze_is_nearer_to_the_colour_of_the_air() {
    let scenes = [25_000.0, 5000.0, 1500.0, 600.0].map(|range| changed(|preset| preset.optics.visual_range_m = range));
    let seen = seen_by_all(&scenes);
    let distances = scenes.each_ref().map(|scene| {
        let picture = painted(scene, Unseen::Mapped);
        mean(&seen, |cell| apart(colour(&picture, cell), AIR))
    });
    assert!(distances.is_sorted_by(|a, b| a > b), "{distances:?}");
    assert!(distances[3] < 0.7 * distances[0], "{distances:?}");
}

#[test]
fn more_visibility_is_ever_less_haze_by_day() {
    let scene = plain(|_| {});
    let picture = painted(&scene, Unseen::Mapped);
    let bins = [0.95, 0.85, 0.7, 0.55, 0.4, 0.25, 0.12].map(|middle: f32| {
        let cells = CellRect::of_size(scene.size()).cells();
        let in_bin = |cell: &IVec2| (scene.visibility(*cell) - middle).abs() < 0.03;
        let cells: Vec<IVec2> = cells.filter(in_bin).collect();
        mean(&cells, |cell| apart(colour(&picture, cell), AIR))
    });
    assert!(bins.is_sorted_by(|near, far| *near > far + 1.0), "{bins:?}");
}

#[test]
fn fog_is_pale_and_hides_colours() {
    let [clear, fog] = [25_000.0, 700.0].map(|range| changed(|preset| preset.optics.visual_range_m = range));
    let scenes = [clear, fog];
    let seen = seen_by_all(&scenes);
    let far: Vec<IVec2> = seen.into_iter().filter(|&cell| scenes[1].visibility(cell) < 0.5).collect();
    let pictures = scenes.each_ref().map(|scene| painted(scene, Unseen::Mapped));
    let light = pictures.each_ref().map(|picture| mean(&far, |cell| luma(colour(picture, cell))));
    let spread = pictures.each_ref().map(|picture| {
        mean(&far, |cell| {
            let [r, g, b] = colour(picture, cell);
            r.max(g).max(b) - r.min(g).min(b)
        })
    });
    assert!(light[1] > light[0] + 15.0, "{light:?}");
    assert!(spread[1] < 0.7 * spread[0], "{spread:?}");
}

#[test]
fn fog_dissolves_at_the_edge_of_sight_by_day_and_at_dusk() {
    // The maximum step of brightness between two pixels along a row from the viewer across the edge of sight.
    let step = |light: f64, range_m: f64, radius: u32| {
        let scene = plain(|preset| {
            preset.set("sight.decay.kind", "none").unwrap();
            (preset.optics.light, preset.optics.visual_range_m, preset.sight.radius) = (light, range_m, radius);
            preset.perception.glimpse = 0.05;
        });
        let picture = painted(&scene, Unseen::Mapped);
        let IVec2 { x, y } = scene.viewer();
        let edge = (x..90).take_while(|&x| scene.sense(ivec2(x, y)) > Recognition::Hidden).count() as i32;
        assert!((4..30).contains(&edge), "{edge}");
        let columns = (x + edge - 3) as usize * SIDE..(x + edge + 4) as usize * SIDE;
        let row = y as usize * SIDE + SIDE / 2;
        let light: Vec<f32> = columns.map(|x| luma(picture.get(x, row).unwrap().map(f32::from))).collect();
        light.windows(2).map(|pair| (pair[0] - pair[1]).abs()).fold(0.0, f32::max)
    };
    for light in [1.0, 0.45] {
        let (fog, cut) = (step(light, 900.0, 40), step(light, f64::INFINITY, 12));
        assert!(fog < 0.5 * cut, "{light}: {fog} and {cut}");
    }
}

#[test]
fn night_is_darker_and_bluer_than_dusk_and_noon() {
    let scenes = [1.0, 0.45, 0.08]
        .map(|light| changed(|preset| (preset.optics.light, preset.perception.glimpse) = (light, 0.004)));
    let seen = seen_by_all(&scenes);
    let pictures = scenes.each_ref().map(|scene| painted(scene, Unseen::Mapped));
    let light = pictures.each_ref().map(|picture| mean(&seen, |cell| luma(colour(picture, cell))));
    assert!(light[0] > 1.1 * light[1] && light[1] > 1.3 * light[2], "{light:?}");
    let blue = pictures.each_ref().map(|picture| {
        let share = |[r, _, b]: [f32; 3]| b / (r + b + 1.0);
        mean(&seen, |cell| share(colour(picture, cell)))
    });
    assert!(blue[2] > blue[0] && blue[2] > blue[1], "night is blue: {blue:?}");
    let sheets = scenes.each_ref().map(|scene| {
        let picture = painted(scene, Unseen::Remembered);
        let is_hidden = |cell| scene.memory(cell) == CellMemory::Hidden;
        let cells =
            CellRect::of_size(scene.size()).cells().filter(|&cell| CellRect::around(cell, 9).cells().all(is_hidden));
        mean(&cells.collect::<Vec<_>>(), |cell| luma(colour(&picture, cell)))
    });
    assert!(sheets.is_sorted_by(|a, b| *a > 1.2 * b), "the sheet, too: {sheets:?}");
}

#[test]
fn a_lamp_glows_at_night_in_its_colour() {
    for mut scene in [plain(|preset| preset.optics.light = 0.05), {
        let hall = on_text(&(".".repeat(60) + "\n").repeat(60), 30);
        with(&hall, [("optics.light", 0.05.into())])
    }] {
        let at = scene.viewer() + ivec2(9, 0);
        let dark = painted(&scene, Unseen::Mapped);
        scene.add_lamp(Lamp::new(at)).unwrap();
        let lit = painted(&scene, Unseen::Mapped);
        let lights = [1.0, 4.0, 7.0].map(|distance: f32| {
            let is_near = |cell: &IVec2| ((*cell - at).as_vec2().length() - distance).abs() < 0.6;
            let ring: Vec<IVec2> = CellRect::around(at, 9).cells().filter(is_near).collect();
            mean(&ring, |cell| luma(colour(&lit, cell)))
        });
        assert!(lights.is_sorted_by(|near, far| near > far), "{lights:?}");
        let [before, after] = [&dark, &lit].map(|picture| colour(picture, at + ivec2(1, 1)));
        assert!(luma(after) > 1.5 * luma(before), "{before:?} {after:?}");
        assert!(after[0] > 1.3 * after[2], "in its colour: {after:?}");
    }
}

#[test]
fn remembered_and_never_seen_land_differ_from_what_is_seen() {
    for (name, light) in [("temperate", 1.0), ("savanna", 1.0), ("temperate", 0.1)] {
        let mut preset = small(name, 1);
        (preset.optics.light, preset.perception.glimpse) = (light, 0.01);
        let mut scene = generated(preset);
        let first = scene.viewer();
        let map = CellRect::of_size(scene.size());
        let is_seen = |scene: &Scene, cell| scene.sense(cell) > Recognition::Hidden;
        let cells: Vec<IVec2> = map.cells().filter(|&cell| holds_around(cell, |near| is_seen(&scene, near))).collect();
        let seen = painted(&scene, Unseen::Mapped);
        let far = if first.x < map.max.x / 2 { ivec2(map.max.x - 3, first.y) } else { ivec2(2, first.y) };
        scene.place(far).unwrap();
        let is_remembered =
            |cell: IVec2| holds_around(cell, |near| scene.memory(near) != CellMemory::Hidden && !is_seen(&scene, near));
        let cells: Vec<IVec2> = cells.into_iter().filter(|&cell| is_remembered(cell)).collect();
        let remembered = painted(&scene, Unseen::Mapped);
        scene.forget();
        let [never, blank] = [Unseen::Mapped, Unseen::Remembered].map(|unseen| painted(&scene, unseen));
        let pictures = [&seen, &remembered, &never, &blank];
        for (i, a) in pictures.iter().enumerate() {
            for (j, b) in pictures.iter().enumerate().skip(i + 1).filter(|&(j, _)| (i, j) != (2, 3)) {
                let difference = mean(&cells, |cell| apart(colour(a, cell), colour(b, cell)));
                assert!(difference > 12.0, "{name}, light {light}: states {i} and {j} differ by {difference}");
            }
        }
    }
}

#[test]
fn land_that_was_never_seen_does_not_show_through_a_blank_sheet() {
    let scene = |seed| {
        let mut preset = small("temperate", 1);
        (preset.sight.radius, preset.paint.contours) = (6, false);
        preset.perception.creatures = 0.0;
        preset.world.seed = seed;
        let mut scene = generated(preset);
        scene.place((20, 20)).unwrap();
        scene.forget();
        scene
    };
    let [first, second] = [1, 2].map(scene);
    let pictures = [&first, &second].map(|scene| paint(scene, &whole(scene, Unseen::Remembered)));
    let mapped = [&first, &second].map(|scene| paint(scene, &whole(scene, Unseen::Mapped)));
    let far = CellRect::of_size(first.size()).cells().filter(|cell| cell.distance_squared(ivec2(20, 20)) > 20 * 20);
    let mut differing = 0;
    for cell in far {
        assert!(pixels(&pictures[0], cell).eq(pixels(&pictures[1], cell)), "{cell}");
        differing += usize::from(!pixels(&mapped[0], cell).eq(pixels(&mapped[1], cell)));
    }
    assert!(differing > 1000, "mapped land shows: {differing}");
}

#[test]
fn the_line_around_what_is_clear_is_dashed_and_where_clear_ends() {
    let scene = plain(|preset| preset.perception.identify = 0.5);
    let [with_line, bare] = [true, false]
        .map(|contours| with(&scene, [("paint.contours", contours.into())]))
        .map(|scene| paint_ground(&scene, &whole(&scene, Unseen::Mapped)));
    let is_clear = |cell| scene.sense(cell) == Recognition::Identified;
    let (mut crossed, mut edges) = (0, 0);
    for cell in CellRect::of_size(scene.size()).cells() {
        let is_edge = CellRect::around(cell, 1).cells().any(|near| is_clear(near) != is_clear(cell));
        let is_changed = !pixels(&with_line, cell).eq(pixels(&bare, cell));
        let near_edge = CellRect::around(cell, 2).cells().any(|near| is_clear(near) != is_clear(cell));
        assert!(!is_changed || near_edge, "{cell} is far from the edge");
        (crossed, edges) = (crossed + usize::from(is_changed && is_edge), edges + usize::from(is_edge));
    }
    assert!(2 * crossed > edges && crossed < edges, "dashes on {crossed} of {edges} cells");
    let small = PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(2));
    let without = with(&scene, [("paint.contours", false.into())]);
    assert!(paint_ground(&scene, &small) == paint_ground(&without, &small), "small cells have no line");
}

#[test]
fn names_can_be_given_and_taken_away() {
    let mut preset = small("temperate", 1);
    preset.perception.creatures = 0.0;
    let scene = generated(preset);
    let options = whole(&scene, Unseen::Mapped);
    let nameless = with(&scene, [("paint.names", false.into())]);
    let [named, bare] = [&scene, &nameless].map(|scene| paint(scene, &options));
    assert!(named != bare, "seas, lakes, rivers and summits have names");
    assert!(paint_ground(&scene, &options) == paint_ground(&nameless, &options), "names are not on the ground");
    // A name in the middle of land far from all others.
    let places: Vec<IVec2> = scene.places().iter().map(|place| place.at).collect();
    let is_free = |cell: &IVec2| {
        let inner = CellRect { min: ivec2(20, 10), max: scene.size() - ivec2(20, 10) };
        inner.contains(*cell) && places.iter().all(|place| place.distance_squared(*cell) > 8 * 8)
    };
    let at = CellRect::of_size(scene.size()).cells().find(is_free).unwrap();
    let mut preset = scene.preset().clone();
    preset.names = vec![PlaceName::new(at, "Heron Mere")];
    let mut own = scene.clone();
    own.apply(preset).unwrap();
    let picture = paint(&own, &options);
    let around = CellRect { min: at - ivec2(14, 4), max: at + ivec2(14, 4) };
    let is_changed = |cell: &IVec2| !pixels(&picture, *cell).eq(pixels(&named, *cell));
    let changed = around.cells().filter(is_changed).count();
    assert!(changed > 4, "{changed} cells around {at}");
    let own_nameless = with(&own, [("paint.names", false.into())]);
    assert!(paint(&own_nameless, &options) == bare, "no names, not even those of the preset");
}

#[test]
fn names_of_any_letters_are_painted_at_any_zoom() {
    let scene = generated(small("temperate", 1));
    for name in ["x".repeat(80), "富士山 ".repeat(19), "e\u{301}".repeat(40), "🗺 7".to_owned(), "\"#…\" Ω ﷽".to_owned()]
    {
        let mut preset = scene.preset().clone();
        preset.names = vec![PlaceName::new((0, 0), &name), PlaceName::new(scene.viewer(), &name)];
        let mut scene = scene.clone();
        scene.apply(preset).unwrap();
        for zoom in [Zoom::CellsPerPixel(9), Zoom::PixelsPerCell(1), Zoom::PixelsPerCell(5), Zoom::PixelsPerCell(30)] {
            for frame in [CellRect::around(scene.viewer(), 0), CellRect::around(scene.viewer(), 12)] {
                let picture = paint(&scene, &PaintOptions::new(frame, zoom).with_unseen(Unseen::Mapped));
                assert_eq!(picture.width(), zoom.picture_size(frame.size()).x as usize);
            }
        }
    }
    for name in ["x".repeat(300), "a\u{1b}[2J".to_owned(), "a\nb".to_owned(), "\u{202e}abc".to_owned(), String::new()] {
        let mut preset = scene.preset().clone();
        preset.names = vec![PlaceName::new((0, 0), &name)];
        assert!(preset.check().unwrap_err().to_string().contains("names[0].name"), "{name:?}");
        assert!(scene.clone().apply(preset).is_err(), "{name:?}");
    }
}

#[test]
fn sea_is_bluer_than_land() {
    let scene = {
        let mut preset = Preset::bare_kernel();
        (preset.sight.radius, preset.perception.creatures) = (40, 0.0);
        let world = world_of(60, 40, 0.3, 0.2, |cell| if cell.x < 30 { -60.0 } else { 30.0 });
        Scene::from_world(preset, world.into(), Some(ivec2(45, 20)), farsight::Job::none()).unwrap()
    };
    let picture = painted(&scene, Unseen::Mapped);
    let blue = |cell| {
        let [r, _, b] = colour(&picture, cell);
        b - r
    };
    let [sea, land] = [ivec2(10, 20), ivec2(55, 20)].map(blue);
    assert!(sea > land + 40.0, "{sea} {land}");
}

#[test]
fn the_legend_has_the_dashed_line_only_if_the_picture_has_it() {
    let rooms = on_text(&(".".repeat(60) + "\n").repeat(40), 20);
    for (scene, side, has_line) in [(plain(|_| {}), 6, true), (plain(|_| {}), 2, false), (rooms, 6, false)] {
        let options = PaintOptions::new(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(side));
        let strip = |scene: &Scene| legend(scene, &options, 900, "").unwrap();
        let without = with(&scene, [("paint.contours", false.into())]);
        assert_eq!(strip(&scene) != strip(&without), has_line, "{side}");
        assert_eq!(paint_ground(&scene, &options) != paint_ground(&without, &options), has_line, "{side}");
    }
}

#[test]
fn a_hill_casts_the_shadow_of_the_low_sun() {
    let brightness = |height: f32, cell: IVec2| {
        let cone = |cell: IVec2| (height - 60.0 * (cell - ivec2(90, 40)).as_vec2().length()).max(0.0) + 5.0;
        let keys = [
            ("clock.runs", true.into()),
            ("clock.hour", 6.1.into()),
            ("sight.radius", 60.into()),
            ("optics.visual_range_m", 80_000.into()),
            ("optics.fog_onset", 1.into()),
            ("optics.eye_height_m", 30.into()),
        ];
        let world = world_of(120, 80, 0.2, 0.0, cone);
        let scene = Scene::from_world(
            small("temperate", 1).with(keys).unwrap(),
            world.into(),
            Some(ivec2(60, 48)),
            farsight::Job::none(),
        );
        luma(colour(&painted(&scene.unwrap(), Unseen::Remembered), cell))
    };
    let darker = |cell: IVec2| brightness(0.0, cell) - brightness(600.0, cell);
    let (in_shadow, in_sun) = (darker(ivec2(74, 39)), darker(ivec2(74, 58)));
    assert!(in_shadow > 15.0 && in_sun.abs() < 3.0, "{in_shadow}, {in_sun}");
}
