//! Airlight: haze, woods and night each have a look of their own.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::light::Lamp;
use farsight::paint::{PaintOptions, Picture, Shading, Unseen, Zoom, paint_ground};
use farsight::perception::{CellMemory, Recognition};
use farsight::preset::{Preset, Ramp};
use farsight::scene::Scene;

use super::{generated, on_text};

/// The colour of air by day.
const AIR: [f32; 3] = [208.0, 215.0, 223.0];

/// One pixel per cell: no trees, no hatching, no lines.
fn painted(scene: &Scene, shading: Shading) -> Picture {
    let frame = CellRect::of_size(scene.size());
    let options = PaintOptions::new(frame, Zoom::PixelsPerCell(1)).with_unseen(Unseen::Mapped);
    paint_ground(scene, &options.with_shading(shading))
}

fn colour(picture: &Picture, cell: IVec2) -> [f32; 3] {
    picture.get(cell.x as usize, cell.y as usize).unwrap().map(f32::from)
}

fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

fn cells(scene: &Scene) -> impl Iterator<Item = IVec2> {
    let size = scene.size();
    (0..size.y).flat_map(move |y| (0..size.x).map(move |x| ivec2(x, y)))
}

/// Returns the cells that all scenes see, except that of the viewer.
fn seen_by_all(scenes: &[Scene]) -> Vec<IVec2> {
    let is_seen = |cell| scenes.iter().all(|scene| scene.sense(cell) > Recognition::Hidden);
    cells(&scenes[0]).filter(|&cell| is_seen(cell) && cell != scenes[0].viewer()).collect()
}

fn changed(change: impl FnOnce(&mut Preset)) -> Scene {
    let mut preset = Preset::shipped_default();
    (preset.world.width, preset.world.height, preset.world.cell_size_m) = (96, 96, 25.0);
    preset.optics.fog_onset = 1.0;
    change(&mut preset);
    generated(preset)
}

fn mean(cells: &[IVec2], value: impl Fn(IVec2) -> f32) -> f32 {
    assert!(cells.len() > 2, "{} cells", cells.len());
    cells.iter().map(|&cell| value(cell)).sum::<f32>() / cells.len() as f32
}

#[test]
fn thicker_haze_is_nearer_to_the_colour_of_the_air() {
    let scenes = [25_000.0, 5000.0, 1000.0, 200.0].map(|range| changed(|preset| preset.optics.visual_range_m = range));
    let seen = seen_by_all(&scenes);
    let distances = scenes.each_ref().map(|scene| {
        let picture = painted(scene, Shading::Airlight);
        mean(&seen, |cell| (luma(colour(&picture, cell)) - luma(AIR)).abs())
    });
    assert!(distances.is_sorted_by(|a, b| a > b), "{distances:?}");
    assert!(distances[3] < 0.7 * distances[0], "{distances:?}");
}

#[test]
fn night_is_darker_and_bluer_than_dusk_and_noon() {
    let scenes = [1.0, 0.4, 0.08].map(|light| changed(|preset| preset.optics.light = light));
    let seen = seen_by_all(&scenes);
    let pictures = scenes.each_ref().map(|scene| painted(scene, Shading::Airlight));
    let light = pictures.each_ref().map(|picture| mean(&seen, |cell| luma(colour(picture, cell))));
    assert!(light[0] > 1.3 * light[1] && light[1] > 1.5 * light[2], "{light:?}");
    let blue = pictures.each_ref().map(|picture| {
        let share = |[r, _, b]: [f32; 3]| b / (r + b + 1.0);
        mean(&seen, |cell| share(colour(picture, cell)))
    });
    assert!(blue[2] > blue[0] && blue[0] > blue[1], "night is blue, dusk is red: {blue:?}");
}

#[test]
fn land_that_haze_hides_lies_under_the_colour_of_the_air_by_day_only() {
    let hidden_in = |light: f64, range: f64| {
        let scene = changed(|preset| (preset.optics.light, preset.optics.visual_range_m) = (light, range));
        let picture = painted(&scene, Shading::Airlight);
        let hidden: Vec<IVec2> = cells(&scene).filter(|&cell| scene.sense(cell) == Recognition::Hidden).collect();
        mean(&hidden, |cell| luma(colour(&picture, cell)))
    };
    let [clear, misty, foggy] = [25_000.0, 5000.0, 200.0].map(|range| hidden_in(1.0, range));
    assert!(foggy > 1.8 * clear && foggy > misty && misty > 1.2 * clear, "{clear}, {misty}, {foggy}");
    let [clear, foggy] = [25_000.0, 200.0].map(|range| hidden_in(0.04, range));
    assert!(foggy < 50.0 && clear < 50.0, "a foggy night is dark: {foggy}, {clear}");
}

#[test]
fn memory_and_map_are_never_brighter_than_what_is_seen() {
    for (light, range) in [(1.0, 25_000.0), (1.0, 400.0), (0.5, 5000.0), (0.1, 25_000.0), (0.06, 900.0)] {
        let mut scene = changed(|preset| {
            (preset.optics.light, preset.optics.visual_range_m) = (light, range);
            preset.sight.radius = 24;
            preset.perception.glimpse = 0.004; // at night, too, some cells are seen
        });
        let before = painted(&scene, Shading::Airlight);
        let seen: Vec<IVec2> = cells(&scene).filter(|&cell| scene.sense(cell) > Recognition::Hidden).collect();
        let far = ivec2((scene.viewer().x + 48) % 96, (scene.viewer().y + 48) % 96);
        scene.place(far).unwrap();
        let after = painted(&scene, Shading::Airlight);
        let remembered: Vec<IVec2> =
            seen.iter().copied().filter(|&cell| scene.memory(cell) == CellMemory::Seen).collect();
        assert!(remembered.len() > 4, "light {light}, range {range}: {} of {}", remembered.len(), seen.len());
        for &cell in &remembered {
            let [seen, memory] = [&before, &after].map(|picture| luma(colour(picture, cell)));
            assert!(memory <= seen + 2.0, "light {light}, range {range}, {cell}: {memory} over {seen}");
        }
        scene.forget();
        let map = painted(&scene, Shading::Airlight);
        for &cell in &remembered {
            let [seen, map] = [&before, &map].map(|picture| luma(colour(picture, cell)));
            assert!(map <= seen + 2.0, "light {light}, range {range}, {cell}: {map} over {seen}");
        }
    }
}

/// In haze the veil of air lies over memory, too. It is never brighter than the air is over the same cell in sight.
#[test]
fn haze_over_memory_is_never_brighter_than_over_the_same_cell_in_sight() {
    let mut compared = 0;
    for (light, range) in [(1.0, 200.0), (1.0, 400.0), (1.0, 1000.0), (0.4, 400.0), (0.06, 400.0)] {
        let walked = |glimpse: f64| {
            let mut scene = changed(|preset| {
                (preset.optics.light, preset.optics.visual_range_m) = (light, range);
                preset.sight.radius = 24;
                (preset.perception.glimpse, preset.perception.identify) = (glimpse, 0.7);
            });
            let start = scene.viewer();
            scene.place(start + IVec2::new(if start.x < 48 { 6 } else { -6 }, 0)).unwrap();
            scene
        };
        let [mut scene, in_sight] = [0.7, 0.001].map(walked);
        let seen = painted(&in_sight, Shading::Airlight);
        for _ in 0..2 {
            let picture = painted(&scene, Shading::Airlight);
            for cell in cells(&scene) {
                let is_hidden = scene.sense(cell) == Recognition::Hidden && in_sight.sense(cell) > Recognition::Hidden;
                if is_hidden && in_sight.visibility(cell) > 0.0 {
                    let [hidden, seen] = [&picture, &seen].map(|picture| luma(colour(picture, cell)));
                    assert!(hidden <= seen + 2.0, "light {light}, range {range}, {cell}: {hidden} over {seen}");
                    compared += 1;
                }
            }
            scene.forget(); // and once more for land that was never seen
        }
    }
    assert!(compared > 500, "{compared} cells");
}

#[test]
fn woods_darken_and_green_the_view() {
    let seen_through = |vegetation_extinction_per_m| {
        changed(|preset| preset.optics.vegetation_extinction_per_m = vegetation_extinction_per_m)
    };
    let scenes = [seen_through(0.0), seen_through(0.004)];
    let pictures = scenes.each_ref().map(|scene| painted(scene, Shading::Airlight));
    let dimmed = |cell: &IVec2| scenes[1].visibility(*cell) < 0.5 * scenes[0].visibility(*cell);
    let seen: Vec<IVec2> = seen_by_all(&scenes).into_iter().filter(dimmed).collect();
    let light = pictures.each_ref().map(|picture| mean(&seen, |cell| luma(colour(picture, cell))));
    let green = pictures.each_ref().map(|picture| {
        mean(&seen, |cell| {
            let [r, g, b] = colour(picture, cell);
            g / (r + g + b)
        })
    });
    assert!(light[1] < 0.9 * light[0], "{light:?}");
    assert!(green[1] > green[0], "{green:?}");
}

#[test]
fn a_lamp_glows_at_night() {
    let hall = (".".repeat(31) + "\n").repeat(31);
    let mut scene = on_text(&hall, 30);
    let mut preset = scene.preset().clone();
    preset.optics.light = 0.05;
    scene.apply(preset).unwrap();
    let at = ivec2(22, 15);
    let dark = painted(&scene, Shading::Airlight);
    scene.add_lamp(Lamp::new(at)).unwrap();
    let lit = painted(&scene, Shading::Airlight);
    let [before, after] = [&dark, &lit].map(|picture| colour(picture, at + ivec2(1, 1)));
    assert!(luma(after) > 2.0 * luma(before), "{before:?} {after:?}");
    assert!(after[0] > 1.3 * after[2], "in its colour: {after:?}");
}

#[test]
fn a_ramp_of_colours_takes_precedence() {
    let scene = changed(|preset| preset.paint.ramp = Ramp::Viridis);
    assert_eq!(painted(&scene, Shading::Airlight).rgba(), painted(&scene, Shading::Visibility).rgba());
}
