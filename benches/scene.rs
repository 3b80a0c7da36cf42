//! Times of a step and a picture in milliseconds, medians: `cargo bench --no-default-features --features files --bench scene`.

#![expect(clippy::print_stdout, reason = "figures are what a benchmark is for")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use farsight::Job;
use farsight::explain::Explanation;
use farsight::glam::ivec2;
use farsight::grid::CellRect;
use farsight::optics::Optics;
use farsight::paint::{Backdrop, PaintOptions, Unseen, Zoom, paint};
use farsight::preset::Preset;
use farsight::scene::{Layer, Scene};
use farsight::world::World;

fn main() {
    let preset = Preset::shipped_default();
    let world = Arc::new(World::generate(&preset.world, Job::quiet()).expect("the default world can be made"));
    let mut scene = Scene::on_world(preset.clone(), world.clone(), None).expect("the default preset has a view");
    println!("{} of {}x{}, radius {}", Preset::DEFAULT_NAME, world.width(), world.height(), scene.radius());

    report("see", 200, || scene.compute_view().expect("it was seen before"));
    report("look", 200, || scene.observe().expect("it was seen before"));
    let night = preset.with([("optics.light", 0.2.into()), ("optics.lantern", 14.into())]).expect("keys of a preset");
    let mut by_night = Scene::on_world(night, world.clone(), Some(scene.viewer())).expect("a view");
    report("look by night, with a lantern", 200, || by_night.observe().expect("it was seen before"));

    let viewer = scene.viewer();
    for aside in [0, 20, 32] {
        let target = viewer - ivec2(54, aside);
        report(&format!("explain {target}"), 200, || Explanation::of(&scene, target).expect("it lies on the map"));
    }
    let over_hills = preset.with([("optics.relief", "horizon".into())]).expect("a key of a preset");
    let over_hills = Scene::on_world(over_hills, world.clone(), Some(viewer)).expect("a view");
    let target = viewer - ivec2(54, 20);
    report("explain over hills", 50, || Explanation::of(&over_hills, target).expect("it lies on the map"));

    paint_all("paint", &scene, Backdrop::Land, Unseen::Mapped);
    paint_all("paint what is remembered", &scene, Backdrop::Land, Unseen::Remembered);
    paint_all("paint by night", &by_night, Backdrop::Land, Unseen::Mapped);
    paint_all("paint humidity", &scene, Backdrop::Layer(Layer::Humidity), Unseen::Mapped);

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

/// Paints a view of 960 × 720 pixels around the viewer, at several zooms.
fn paint_all(what: &str, scene: &Scene, backdrop: Backdrop, unseen: Unseen) {
    for side in [1, 2, 4, 7, 16] {
        let cells = ivec2(960, 720) / side;
        let min = scene.viewer() - cells / 2;
        let frame = CellRect { min, max: min + cells };
        let options =
            PaintOptions::new(frame, Zoom::PixelsPerCell(side as u32)).with_backdrop(backdrop).with_unseen(unseen);
        report(&format!("{what}, {side} pixels a cell"), 25, || paint(scene, &options));
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
