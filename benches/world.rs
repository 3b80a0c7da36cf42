//! The time to generate a world: `cargo bench --no-default-features --bench world`.
//!
//! The baseline fills one grid of the same size with six octaves of the crate `noise`'s `Fbm<Perlin>` on one thread. Both
//! are timed in turn, so that other load on the machine slows both.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use farsight::Job;
use farsight::grid::Grid;
use farsight::world::{World, WorldConfig};
use noise::{Fbm, MultiFractal, NoiseFn, Perlin};

fn main() {
    for side in [256, 512, 1024] {
        let config = WorldConfig::default().with_width(side).with_height(side);
        let rounds = if side > 512 { 5 } else { 15 };
        let (mut baseline, mut world) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let config = config.clone().with_seed(round);
            baseline.push(time(|| fill_with_fbm(side, round as u32)));
            world.push(time(|| World::generate(&config, Job::quiet()).expect("the default world can be made")));
        }
        let (baseline, world) = (median(&mut baseline), median(&mut world));
        let ratio = world.as_secs_f64() / baseline.as_secs_f64();
        println!(
            "{side}²: Fbm<Perlin> {:.1} ms, world {:.1} ms, ratio {ratio:.2}",
            baseline.as_secs_f64() * 1e3,
            world.as_secs_f64() * 1e3
        );
    }
}

fn fill_with_fbm(side: u32, seed: u32) -> Grid<f32> {
    let fbm = Fbm::<Perlin>::new(seed).set_octaves(6);
    let scale = 4.0 / f64::from(side);
    let side = side as usize;
    Grid::from_fn(side, side, |cell| fbm.get([f64::from(cell.x) * scale, f64::from(cell.y) * scale]) as f32)
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
