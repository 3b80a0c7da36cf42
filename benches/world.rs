//! The time to generate a world, stage by stage: `cargo bench -p benches --bench world`. Sides of other worlds
//! follow `--`, as in `-- 512 4096`.
//!
//! A figure is the minimum of several runs. Stages are those that a job reports, and the search for places, which a world runs on first use. The baseline fills one grid of the same size
//! with six octaves of the crate `noise`'s `Fbm<Perlin>` on one thread. It is timed in turn with the worlds, so that other
//! load on the machine slows both.
//!
//! To compare with another version, time the programs of both in turn on the same machine, and compare the minima:
//!
//! ```sh
//! git worktree add ../before 0765549 && (cd ../before && cargo build --release)
//! for i in $(seq 9); do
//!     for program in ../before/target/release/farsight target/release/farsight; do
//!         FARSIGHT_LOG=1 $program export -q --size 2048x2048 --at 1000,1000 -o "$(mktemp -u).npy"
//!     done
//! done
//! ```

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use farsight::Job;
use farsight::grid::Grid;
use farsight_scene::world::{World, WorldConfig};
use noise::{Fbm, MultiFractal, NoiseFn, Perlin};

const THREADS: [usize; 2] = [1, 2];

/// The stage that finds and names places, which is not part of the time of a world.
const PLACES: &str = "places (extra)";

fn main() {
    let sides: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    for side in if sides.is_empty() { vec![512, 1024, 2048, 4096] } else { sides } {
        measure(side);
    }
}

fn measure(side: u32) {
    let pools = THREADS.map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the system has threads for a benchmark")
    });
    let mut baseline = Duration::MAX;
    let mut worlds = [StageTimes::default(), StageTimes::default()];
    let rounds = match side {
        0..=512 => 15,
        513..=2048 => 5,
        _ => 3,
    };
    for round in 0..rounds {
        // Few seeds, so that each stage has the minimum time of several runs of the same work.
        let config = WorldConfig::default().with_width(side).with_height(side).with_seed(round % 3);
        baseline = baseline.min(time(|| fill_with_fbm(side, round as u32)));
        for (pool, world) in pools.iter().zip(&mut worlds) {
            world.keep_least(&pool.install(|| StageTimes::of_world(&config)));
        }
    }
    println!("{side}², milliseconds on {THREADS:?} threads");
    let [one, two] = &worlds;
    for (stage, least) in &one.stages {
        let on_two = two.stages.iter().find(|(name, _)| name == stage).map_or(Duration::ZERO, |&(_, least)| least);
        println!("  {stage:16} {:8.2} {:8.2}", milliseconds(*least), milliseconds(on_two));
    }
    println!("  {:16} {:8.2} {:8.2}", "world", milliseconds(one.total), milliseconds(two.total));
    let ratio = |world: &StageTimes| world.total.as_secs_f64() / baseline.as_secs_f64();
    println!("  Fbm<Perlin> takes {:.2}, ratios {:.2} and {:.2}", milliseconds(baseline), ratio(one), ratio(two));
    let [median, longest] = cancel_latencies(side, &pools[1], two.total).map(milliseconds);
    println!("  cancelled on two threads within {median:.1} (median) and {longest:.1} (longest)\n");
}

/// Returns the median and the longest of the times that a world takes to end after it is cancelled, of cancellations spread over
/// all of its time. The longest is that of the machine with its load: a thread that waits for a processor adds to it.
fn cancel_latencies(side: u32, pool: &rayon::ThreadPool, total: Duration) -> [Duration; 2] {
    const CANCELLATIONS: u32 = 40;
    let config = WorldConfig::default().with_width(side).with_height(side);
    let latency = |k: u32| {
        let cancel = AtomicBool::new(false);
        let end_of_work = || {
            pool.install(|| World::generate(&config, Job::none().cancelled_by(&cancel)).ok());
            Instant::now()
        };
        std::thread::scope(|scope| {
            let work = scope.spawn(end_of_work);
            std::thread::sleep(total * k / CANCELLATIONS);
            let begin = Instant::now();
            cancel.store(true, Ordering::Relaxed);
            work.join().expect("a world does not panic").saturating_duration_since(begin)
        })
    };
    let mut latencies: Vec<Duration> = (0..CANCELLATIONS).map(latency).collect();
    latencies.sort();
    [latencies[latencies.len() / 2], latencies[latencies.len() - 1]]
}

/// The time of each stage of a world, in the order of their first reports.
#[derive(Default)]
struct StageTimes {
    stages: Vec<(&'static str, Duration)>,
    total: Duration,
}

impl StageTimes {
    /// Generates a world.
    fn of_world(config: &WorldConfig) -> Self {
        let reports = Mutex::new(Vec::new());
        let note = |stage: &'static str, _: f32| {
            reports.lock().expect("no report panics").push((stage, Instant::now()));
        };
        let job = Job::none().on_progress(&note);
        let mut world = None;
        let total = time(|| world = Some(World::generate(config, job).expect("the default world can be made")));
        let reports = reports.into_inner().expect("no report panics");
        let mut times = Self { stages: Vec::new(), total };
        // The last report is that of the end.
        for pair in reports.windows(2) {
            times.add(pair[0].0, pair[1].1 - pair[0].1);
        }
        times.add(PLACES, time(|| world.iter().flat_map(World::places).count()));
        times
    }

    fn add(&mut self, stage: &'static str, time: Duration) {
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += time,
            None => self.stages.push((stage, time)),
        }
    }

    fn keep_least(&mut self, other: &Self) {
        if self.stages.is_empty() {
            self.total = Duration::MAX;
            self.stages = other.stages.iter().map(|&(stage, _)| (stage, Duration::MAX)).collect();
        }
        self.total = self.total.min(other.total);
        for (stage, least) in &mut self.stages {
            let found = other.stages.iter().find(|(name, _)| name == stage);
            *least = (*least).min(found.map_or(Duration::ZERO, |&(_, time)| time));
        }
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

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
