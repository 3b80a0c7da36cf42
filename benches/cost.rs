//! The estimated cost of random scenes against their measured time on one thread: `cargo bench -p benches --bench cost`.
//!
//! `-- COUNT` measures another number of scenes than 500; `-- COUNT --table` prints a line for each, for a fit of the constants.

#![expect(clippy::print_stdout, reason = "figures are what a benchmark is for")]

use std::time::{Duration, Instant};

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::light::Lamp;
use farsight::sight::{MethodKind, OpacityMap};
use farsight_scene::creatures::Observer;
use farsight_scene::optics::Relief;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneCost};
use farsight_scene::world::{Ground, WorldKind};

/// Numbers of splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Returns a number from `low` to `high`, with a uniform distribution of orders of magnitude.
    fn log(&mut self, low: f64, high: f64) -> f64 {
        let share = self.below(1 << 32) as f64 / f64::from(u32::MAX);
        low * (high / low).powf(share)
    }

    fn cell(&mut self, size: IVec2) -> IVec2 {
        ivec2(self.below(size.x as u64) as i32, self.below(size.y as u64) as i32)
    }
}

/// The maximum number of runs of a scene, or until enough time has passed: the shortest run is free of interruptions by
/// other programs.
const MAX_RUNS: u32 = 100;
const ENOUGH: Duration = Duration::from_millis(150);

/// The processor time of this thread, independent of other programs.
struct Stopwatch {
    start: Instant,
    /// Seconds of the processor, which Linux counts in ticks.
    processor: Option<f64>,
}

impl Stopwatch {
    fn start() -> Self {
        Self { start: Instant::now(), processor: Self::processor_seconds() }
    }

    fn processor_seconds() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(text.split(' ').next()?.parse::<f64>().ok()? * 1e-9)
    }

    fn seconds(&self) -> f64 {
        const MANY_TICKS: f64 = 0.05;
        let seconds = self.start.elapsed().as_secs_f64();
        let processor = Self::processor_seconds().zip(self.processor).map(|(end, start)| end - start);
        processor.filter(|_| seconds > MANY_TICKS).unwrap_or(seconds)
    }
}

/// The land of a random scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Land {
    Generated,
    Dungeon,
    Ground,
    Map,
}

struct RandomScene {
    land: Land,
    size: IVec2,
    preset: Preset,
    viewer: Option<IVec2>,
}

impl RandomScene {
    fn new(random: &mut Random) -> Self {
        let land = [Land::Generated, Land::Dungeon, Land::Ground, Land::Map][random.below(4) as usize];
        let names = ["temperate", "fog", "jungle", "viewshed", "haze", "as-published", "night-lantern", "alpine"];
        let name = if land == Land::Dungeon { "dungeon" } else { names[random.below(names.len() as u64) as usize] };
        let mut preset = Preset::named(name).expect("a shipped preset");
        let size = ivec2(random.log(16.0, 1024.0) as i32, random.log(16.0, 1024.0) as i32);
        if land == Land::Dungeon {
            preset.world.kind = WorldKind::Dungeon;
        }
        (preset.world.width, preset.world.height) = (size.x as u32, size.y as u32);
        preset.world.seed = random.below(1000);
        preset.sight.method = MethodKind::ALL[random.below(MethodKind::ALL.len() as u64) as usize];
        let largest = if preset.sight.method == MethodKind::Exact { 300.0 } else { 2000.0 };
        preset.sight.radius = random.log(4.0, largest) as u32;
        preset.sight.samples = random.log(1.0, 9.0) as u32;
        preset.sight.rays = random.log(16.0, 20_000.0) as u32;
        if land != Land::Dungeon && random.below(3) == 0 && !preset.sight.method.is_binary() {
            preset.optics.relief = Relief::LineOfSight;
        }
        for _ in 0..random.below(3) * random.below(4) {
            preset.viewers.push(Observer::new(random.cell(size)));
        }
        for _ in 0..random.below(2) * random.below(20) {
            preset.lamps.push(Lamp::new(random.cell(size)).with_reach(random.log(2.0, 100.0)));
        }
        let viewer = (random.below(2) == 0 || land != Land::Generated).then(|| random.cell(size));
        let viewer = if land == Land::Dungeon { None } else { viewer };
        Self { land, size, preset, viewer }
    }

    fn cost(&self) -> SceneCost {
        match self.land {
            Land::Generated | Land::Dungeon => SceneCost::of_generated(&self.preset, self.viewer),
            Land::Ground => SceneCost::of_ground(&self.preset, self.size, self.viewer),
            Land::Map => SceneCost::of_map(&self.preset, self.size, self.viewer),
        }
    }

    /// Returns the minimum time of some runs to create the scene, in seconds; `None` for an invalid scene.
    fn measure(&self, random: &mut Random) -> Option<f64> {
        let [width, height] = self.size.to_array().map(|side| side as usize);
        let preset = self.preset.clone();
        let density = random.log(0.001, 0.3);
        let mut opacity = |_| if (random.below(1 << 20) as f64) < density * f64::from(1 << 20) { 1.0 } else { 0.0 };
        let (map, ground) = match self.land {
            Land::Map => (Some(OpacityMap::try_from(Grid::from_fn(width, height, &mut opacity)).ok()?), None),
            Land::Ground => {
                let height = |cell: IVec2| {
                    let [x, y] = cell.to_array().map(f64::from);
                    (300.0 * ((x / 37.0).sin() + (y / 23.0).cos() + 0.3 * (x * y / 900.0).sin())) as f32
                };
                (None, Some(Ground::new(Grid::from_fn(width, self.size.y as usize, height))))
            }
            Land::Generated | Land::Dungeon => (None, None),
        };
        let (mut least, begin) = (f64::INFINITY, Instant::now());
        for run in 0..MAX_RUNS {
            if run > 0 && begin.elapsed() > ENOUGH {
                break;
            }
            let (preset, map) = (preset.clone(), map.clone());
            let start = Stopwatch::start();
            let made = match (map, &ground) {
                (Some(map), _) => Scene::from_map(preset, map, self.viewer, Job::none()),
                (None, Some(ground)) => Scene::from_dem(preset, ground, self.viewer, Job::none()),
                (None, None) => Scene::generate(preset, self.viewer, Job::none()),
            };
            least = least.min(start.seconds());
            made.ok()?;
        }
        Some(least)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let count = arguments.first().and_then(|count| count.parse().ok()).unwrap_or(500);
    let has_table = arguments.iter().any(|argument| argument == "--table");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let ratios = pool.install(|| measure(count, has_table));
    let within = |factor: f64| ratios.iter().filter(|ratio| (1.0 / factor..factor).contains(*ratio)).count();
    let share = |count: usize| 100.0 * count as f64 / ratios.len() as f64;
    println!("{} scenes; estimate / measured time:", ratios.len());
    for factor in [2.0, 4.0, 8.0] {
        println!("within a factor of {factor}: {:.1} %", share(within(factor)));
    }
    println!("median {:.2}", ratios[ratios.len() / 2]);
}

/// Returns the ratios of estimates to measured times, in order.
fn measure(count: usize, has_table: bool) -> Vec<f64> {
    let mut random = Random(57);
    let mut ratios = Vec::new();
    while ratios.len() < count {
        let scene = RandomScene::new(&mut random);
        let Some(seconds) = scene.measure(&mut random) else { continue };
        let cost = scene.cost();
        ratios.push(cost.seconds() / seconds);
        if has_table {
            let RandomScene { land, size, preset, viewer } = &scene;
            let sight = &preset.sight;
            let lamps: f64 = preset.lamps.iter().map(|lamp| lamp.reach * lamp.reach).sum();
            println!(
                "{land:?},{},{},{:?},{},{},{},{:?},{},{lamps},{},{},{seconds},{}",
                size.x,
                size.y,
                sight.method,
                sight.radius,
                sight.samples,
                sight.rays,
                preset.optics.relief,
                preset.viewers.len(),
                viewer.map_or(-1, |viewer| viewer.x),
                viewer.map_or(-1, |viewer| viewer.y),
                cost.seconds(),
            );
        }
    }
    ratios.sort_by(f64::total_cmp);
    ratios
}
