//! Contenders take turns in short rounds, and medians are compared: what slows the machine slows them all.

use std::time::Instant;

/// Something that computes one field of view.
pub(crate) struct Contender {
    pub(crate) name: String,
    run: Box<dyn FnMut()>,
}

impl Contender {
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
}

impl Rounds {
    pub(crate) const FULL: Self = Self { number: 61, turn: 0.2e-3 };
    pub(crate) const QUICK: Self = Self { number: 15, turn: 0.1e-3 };
}

/// Median time of one call of each contender, in µs.
pub(crate) fn medians(contenders: Vec<Contender>, rounds: Rounds) -> Vec<(String, f64)> {
    let mut runners: Vec<(Contender, u32, Vec<f64>)> = contenders
        .into_iter()
        .map(|mut contender| {
            (contender.run)(); // buffers
            let start = Instant::now();
            (contender.run)();
            let calls = (rounds.turn / start.elapsed().as_secs_f64()).clamp(1.0, 5000.0) as u32;
            (contender, calls, Vec::new())
        })
        .collect();
    for _ in 0..rounds.number {
        for (contender, calls, times) in &mut runners {
            (contender.run)(); // brings its own data back into the caches
            let start = Instant::now();
            (0..*calls).for_each(|_| (contender.run)());
            times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(*calls));
        }
    }
    runners.into_iter().map(|(contender, _, times)| (contender.name, median(times))).collect()
}

pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
