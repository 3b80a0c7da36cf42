//! Contenders take turns in short rounds, and medians are compared: what slows the machine slows them all.

use std::time::Instant;

/// Something that computes one field of view.
pub(crate) struct ComparedMethod {
    pub(crate) name: String,
    run: Box<dyn FnMut()>,
}

impl ComparedMethod {
    pub(crate) fn new(name: &str, run: impl FnMut() + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }
}

/// How long a contest goes on.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    /// How often each contender takes its turn.
    pub(crate) number: usize,
    /// About how long a turn is, in seconds; a slow contender is called but once.
    pub(crate) turn: f64,
    /// About how long it is called before, so that its own data is in the caches again: one call does not bring back all
    /// that has gone out to memory. A slow contender is called but once.
    pub(crate) before: f64,
}

impl Rounds {
    pub(crate) const FULL: Self = Self { number: 61, turn: 0.4e-3, before: 1e-3 };
    pub(crate) const QUICK: Self = Self { number: 15, turn: 0.2e-3, before: 1e-3 };
    /// Each called but once after one call: what the first views cost after something else has filled the caches.
    pub(crate) const COLD: Self = Self { number: 61, turn: 0.0, before: 0.0 };
}

/// Median time of one call of each contender, in µs.
pub(crate) fn medians(contenders: Vec<ComparedMethod>, rounds: Rounds) -> Vec<(String, f64)> {
    let calls = |seconds: f64, one: f64| (seconds / one).clamp(1.0, 5000.0) as u32;
    let mut runners: Vec<(ComparedMethod, f64, Vec<f64>)> = contenders
        .into_iter()
        .map(|mut contender| {
            (contender.run)(); // buffers
            let start = Instant::now();
            (contender.run)();
            (contender, start.elapsed().as_secs_f64(), Vec::new())
        })
        .collect();
    for _ in 0..rounds.number {
        for (contender, one, times) in &mut runners {
            (0..calls(rounds.before, *one)).for_each(|_| (contender.run)());
            let calls = calls(rounds.turn, *one);
            let start = Instant::now();
            (0..calls).for_each(|_| (contender.run)());
            times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(calls));
        }
    }
    runners.into_iter().map(|(contender, _, times)| (contender.name, median(times))).collect()
}

pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
