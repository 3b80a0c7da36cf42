//! Cancelled worlds: the interval of checks in stages, and the delay of their end; and ground for the tests of the
//! stages.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{World, WorldConfig, WorldError};
use farsight::Job;
use farsight::grid::Grid;
use farsight::internal::math::SplitMix64;

/// Returns a number from 0 to 1 that is a fixed random function of `i`.
pub(super) fn hash_to_unit(i: u32) -> f32 {
    (SplitMix64::mix(i.into()) >> 40) as f32 * (1.0 / (1 << 24) as f32)
}

/// Returns random ground with many pits, plateaus and sea.
pub(super) fn random_ground(seed: u32, width: usize, height: usize, steps: f32) -> (Grid<f32>, Grid<bool>) {
    let ground = Grid::from_fn(width, height, |c| {
        let height = (hash_to_unit(seed.wrapping_add((c.x * 31 + c.y * 1009) as u32)) * steps).floor();
        if height == 0.0 && seed.is_multiple_of(2) { -1.0 } else { 1.0 + height }
    });
    let sea = ground.map(|&ground| ground < 0.0);
    (ground, sea)
}

/// The maximum number of cells between two checks.
const MAX_CELLS: usize = 1 << 15;

#[test]
fn every_stage_checks_often() {
    const SIDE: u32 = 1024;
    let checks = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    let note = |stage: &'static str, _: f32| {
        reports.lock().unwrap().push((stage, checks.load(Ordering::Relaxed)));
    };
    let count = || checks.fetch_add(1, Ordering::Relaxed) == usize::MAX;
    let job = Job::none().on_progress(&note).cancelled_when(&count);
    World::generate(&WorldConfig::default().with_width(SIDE).with_height(SIDE), job).unwrap();
    let reports = reports.into_inner().unwrap();
    let mut stages: Vec<(&str, usize)> = Vec::new();
    for pair in reports.windows(2) {
        let count = pair[1].1 - pair[0].1;
        match stages.iter_mut().find(|(stage, _)| *stage == pair[0].0) {
            Some((_, most)) => *most = count.max(*most),
            None => stages.push((pair[0].0, count)),
        }
    }
    assert!(stages.len() > 10);
    for (stage, most) in stages {
        assert!(most >= (SIDE * SIDE) as usize / MAX_CELLS, "{stage}: {most} checks");
    }
}

#[test]
fn cancelled_worlds_end_after_few_more_checks() {
    let config = WorldConfig::default().with_width(300).with_height(260);
    let checks = AtomicUsize::new(0);
    let count = || checks.fetch_add(1, Ordering::Relaxed) == usize::MAX;
    World::generate(&config, Job::none().cancelled_when(&count)).unwrap();
    let all = checks.into_inner();
    // Each thread makes at most one more check in each of its loops.
    let more = 4 * rayon::current_num_threads();
    for k in 0..60 {
        let (checks, most) = (AtomicUsize::new(0), all * k / 60);
        let is_over = || checks.fetch_add(1, Ordering::Relaxed) >= most;
        let result = World::generate(&config, Job::none().cancelled_when(&is_over));
        assert!(matches!(result, Err(WorldError::Cancelled(_))), "after {most} of {all} checks");
        let made = checks.into_inner();
        assert!(made <= most + more, "{made} checks, cancelled after {most}");
    }
}
