//! Median run times. The methods take turns in short rounds, so that a slow phase of the machine affects all of them.

use std::time::Instant;

/// A method that computes one field of view.
pub(crate) struct ComparedMethod {
    pub(crate) name: String,
    run: Box<dyn FnMut()>,
}

impl ComparedMethod {
    pub(crate) fn new(name: &str, run: impl FnMut() + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }
}

/// The number and the length of the rounds.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    /// The number of rounds.
    pub(crate) count: usize,
    /// The approximate time of a method in a round, in seconds; at least one call.
    pub(crate) seconds: f64,
    /// The approximate time of calls before that, in seconds, which bring the data of the method back into the caches; at
    /// least one call.
    pub(crate) warm_up: f64,
}

impl Rounds {
    pub(crate) const FULL: Self = Self { count: 61, seconds: 0.4e-3, warm_up: 1e-3 };
    pub(crate) const QUICK: Self = Self { count: 15, seconds: 0.2e-3, warm_up: 1e-3 };
    /// One call after one call: the time of the first views after another method has filled the caches.
    pub(crate) const COLD: Self = Self { count: 61, seconds: 0.0, warm_up: 0.0 };
}

/// Measures the median time of one call of each method, in µs.
pub(crate) fn medians(methods: Vec<ComparedMethod>, rounds: Rounds) -> Vec<(String, f64)> {
    let calls = |seconds: f64, one: f64| (seconds / one).clamp(1.0, 5000.0) as u32;
    let mut runners: Vec<(ComparedMethod, f64, Vec<f64>)> = methods
        .into_iter()
        .map(|mut method| {
            (method.run)(); // allocates its buffers
            let start = Instant::now();
            (method.run)();
            (method, start.elapsed().as_secs_f64(), Vec::new())
        })
        .collect();
    for _ in 0..rounds.count {
        for (method, one, times) in &mut runners {
            (0..calls(rounds.warm_up, *one)).for_each(|_| (method.run)());
            let calls = calls(rounds.seconds, *one);
            let start = Instant::now();
            (0..calls).for_each(|_| (method.run)());
            times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(calls));
        }
    }
    runners.into_iter().map(|(method, _, times)| (method.name, median(times))).collect()
}

pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
