//! Times of a step and a picture in milliseconds, medians: `cargo bench -p benches --bench scene`. With `-- --large` only those of a panorama of
//! 7,200 × 600 pixels over 100 km of cells of 30 m, which takes 5 GB.

#![expect(clippy::print_stdout, reason = "figures are what a benchmark is for")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight_scene::explain::Explanation;
use farsight_scene::optics::Optics;
use farsight_scene::paint::{Backdrop, PaintOptions, Painter, Unseen, Zoom, paint};
use farsight_scene::panorama::{PanoramaOptions, PanoramaPainter};
use farsight_scene::preset::{Look, Preset};
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::{Brush, Stroke, World};

#[path = "../tests/sight/support/terrain/mod.rs"]
mod terrain_support;

fn main() {
    if std::env::args().any(|word| word == "--large") {
        return paint_large_panorama();
    }
    let preset = Preset::shipped_default();
    let world = Arc::new(World::generate(&preset.world, Job::none()).expect("the default world can be made"));
    let mut scene =
        Scene::from_world(preset.clone(), world.clone(), None, Job::none()).expect("the default preset has a view");
    println!("{} of {}x{}, radius {}", Preset::DEFAULT_NAME, world.width(), world.height(), scene.radius());

    report("see", 200, || scene.compute_view().expect("it was seen before"));
    report("look", 200, || scene.observe().expect("it was seen before"));
    let night = preset.with([("optics.light", 0.2.into()), ("optics.lantern", 14.into())]).expect("keys of a preset");
    let mut by_night = Scene::from_world(night, world.clone(), Some(scene.viewer()), Job::none()).expect("a view");
    report("look by night, with a lantern", 200, || by_night.observe().expect("it was seen before"));

    let viewer = scene.viewer();
    for aside in [0, 20, 32] {
        let target = viewer - ivec2(54, aside);
        report(&format!("explain {target}"), 200, || Explanation::of(&scene, target).expect("it lies on the map"));
    }
    let over_hills = preset.with([("optics.relief", "horizon".into())]).expect("a key of a preset");
    let over_hills = Scene::from_world(over_hills, world.clone(), Some(viewer), Job::none()).expect("a view");
    let target = viewer - ivec2(54, 20);
    report("explain over hills", 50, || Explanation::of(&over_hills, target).expect("it lies on the map"));

    paint_map("map", &scene);
    paint_map("map by night, with a lantern", &by_night);
    let mut data = preset.clone();
    data.paint.look = Look::Data;
    let data = Scene::from_world(data, world.clone(), Some(viewer), Job::none()).expect("a view");
    paint_data("data", &data, Backdrop::Land);
    paint_data("humidity", &scene, Backdrop::Layer(Layer::Humidity));

    let strip =
        PanoramaOptions::default().with_width(1280).with_height(240).with_samples(1).with_max_distance_m(30_000.0);
    let mut painter = PanoramaPainter::default();
    for (what, scene) in [("panorama", &over_hills), ("panorama by night", &by_night)] {
        let mut paint = |strip: &PanoramaOptions| painter.paint(scene, strip, &[]).expect("open country");
        report(&format!("{what} of 1280x240, 30 km"), 50, || paint(&strip));
        report(&format!("{what} without names"), 50, || paint(&strip.clone().with_names(false)));
    }

    paint_strokes(&preset);

    report("optics, new", 15, || Optics::new(world.clone(), &preset.optics));
    let mut optics = Optics::new(world.clone(), &preset.optics);
    let mut visual_range_m = preset.optics.visual_range_m;
    report("optics, another visual range", 15, || {
        visual_range_m += 1.0;
        optics.set_config(&preset.optics.clone().with_visual_range_m(visual_range_m));
    });
    let mut eye_height_m = preset.optics.eye_height_m;
    report("optics, another eye height", 15, || {
        eye_height_m += 1.0;
        optics.set_config(&preset.optics.clone().with_eye_height_m(eye_height_m).with_visual_range_m(visual_range_m));
    });
    let mut light = 0.5;
    report("apply another light", 50, || {
        light = 1.5 - light;
        scene.apply(preset.with([("optics.light", light.into())]).expect("a key of a preset")).expect("a view");
    });
}

/// Paints a panorama of 7,200 × 600 pixels over 100 km of cells of 30 m: the first one, and another step.
fn paint_large_panorama() {
    const SIDE: usize = 6700;
    let ground = terrain_support::fractal(SIDE, 1, 0.5, 600.0);
    let vegetation = terrain_support::fractal(SIDE, 2, 0.5, 0.6).map(|value| value.clamp(0.0, 1.0));
    let world = World::from_fields(ground, Grid::new(SIDE, SIDE, 0.5), vegetation, 30.0).expect("fields of one size");
    let around = CellRect::around(IVec2::splat(SIDE as i32 / 2), 100);
    let viewer = around.cells().max_by(|a, b| world.ground_m()[*a].total_cmp(&world.ground_m()[*b]));
    let keys = [("optics.visual_range_m", 90_000.into()), ("optics.eye_height_m", 30.into())];
    let preset = Preset::named("terrain").and_then(|preset| preset.with(keys)).expect("keys of a shipped preset");
    let scene = Scene::from_world(preset, Arc::new(world), viewer, Job::none()).expect("a viewer on the map");
    for samples in [1, 2] {
        let strip = PanoramaOptions::default().with_width(7200).with_height(600).with_samples(samples);
        let strip = strip.with_max_distance_m(100_000.0);
        let mut painter = PanoramaPainter::default();
        let samples = samples * samples;
        report(&format!("panorama of 7200x600, 100 km, {samples} samples a pixel, the next"), 5, || {
            painter.paint(&scene, &strip, &[]).expect("open country")
        });
        report(&format!("panorama of 7200x600, 100 km, {samples} samples a pixel, the first"), 3, || {
            PanoramaPainter::default().paint(&scene, &strip, &[]).expect("open country")
        });
    }
}

/// Draws a stroke over a larger world, point by point, and paints the picture of each.
fn paint_strokes(preset: &Preset) {
    let preset = preset.clone().with_world(preset.world.clone().with_width(512).with_height(512));
    let mut scene = Scene::generate(preset, None, Job::none()).expect("the default preset has a view");
    let at = scene.viewer();
    for brush in [Brush::Raise, Brush::Smooth, Brush::Water, Brush::Plant] {
        let name = brush.name();
        report(&format!("stroke of radius 12 on 512x512, {name}: another place"), 100, || {
            let turn = (scene.state().strokes.len() as i32, at + ivec2(20, 0));
            let stroke = Stroke::new(brush, [turn.1 + ivec2(turn.0 % 7, turn.0 % 5)]).with_radius(12);
            scene.paint(stroke).expect("a brush of worlds");
        });
        scene.set_strokes(vec![]).expect("no stroke is wrong");
        let mut points = vec![at + ivec2(20, -30)];
        report(&format!("stroke of radius 12 on 512x512, {name}: 4 cells longer"), 60, || {
            let last = points[points.len() - 1];
            points.push(last + if points.len() % 30 < 15 { ivec2(1, 4) } else { ivec2(1, -4) });
            let stroke = Stroke::new(brush, points.iter().copied()).with_radius(12);
            scene.set_strokes(vec![stroke]).expect("a brush of worlds");
        });
        scene.set_strokes(vec![]).expect("no stroke is wrong");
    }
    let options = options(&scene, 10, 0);
    let mut painter = Painter::default();
    painter.paint(&scene, &options);
    let mut x = 0;
    report("stroke of radius 12, and the map of 1280x720 at 10 pixels a cell", 15, || {
        x += 1;
        let stroke = Stroke::new(Brush::Raise, [at + ivec2(20, 0), at + ivec2(20 + x % 9, 0)]).with_radius(12);
        scene.set_strokes(vec![stroke]).expect("a brush of worlds");
        painter.prepare(&scene, &options, 0);
        painter.paint(&scene, &options)
    });
}

/// The zooms of pictures of 1280 × 720 pixels around the viewer, in pixels per cell.
const SIDES: [u32; 6] = [1, 2, 4, 10, 24, 48];

fn options(scene: &Scene, side: u32, shift: i32) -> PaintOptions {
    let cells = ivec2(1280, 720) / side as i32;
    let min = scene.viewer() - cells / 2 + ivec2(shift, 0);
    let frame = CellRect { min, max: min + cells };
    PaintOptions::new(frame, Zoom::PixelsPerCell(side)).with_unseen(Unseen::Mapped)
}

/// Paints the map: at another zoom, after a step, after a step that moves the map, and with marks and names.
fn paint_map(what: &str, scene: &Scene) {
    for side in SIDES {
        let (here, aside) = (options(scene, side, 0), options(scene, side, 1));
        report(&format!("{what}, {side} pixels a cell: another zoom"), 7, || {
            Painter::default().paint_ground(scene, &here)
        });
        let mut painter = Painter::default();
        report(&format!("{what}, {side} pixels a cell: a step"), 15, || painter.paint_ground(scene, &here));
        report(&format!("{what}, {side} pixels a cell: a step with marks and names"), 15, || {
            painter.paint(scene, &here)
        });
        let mut is_aside = false;
        report(&format!("{what}, {side} pixels a cell: the map moves"), 15, || {
            is_aside = !is_aside;
            painter.paint_ground(scene, if is_aside { &aside } else { &here })
        });
    }
}

/// Paints values as squares.
fn paint_data(what: &str, scene: &Scene, backdrop: Backdrop) {
    for side in SIDES {
        let options = options(scene, side, 0).with_backdrop(backdrop);
        report(&format!("{what}, {side} pixels a cell"), 15, || paint(scene, &options));
    }
}

/// Prints the median time of several rounds.
fn report<T>(what: &str, rounds: usize, mut work: impl FnMut() -> T) {
    black_box(work());
    let mut times: Vec<_> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("{:>9.3}  {what}", times[rounds / 2].as_secs_f64() * 1e3);
}
