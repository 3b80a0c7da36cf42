//! [`SweepProgress`]: the progress of all sweeps of the views of several observers.

use std::sync::atomic::{AtomicU64, Ordering};

use farsight::Job;
use farsight::sight::SightError;

/// The progress of sweeps, of which several run at the same time.
pub(super) struct SweepProgress<'a> {
    job: Job<'a>,
    sweeps: usize,
    /// Parts of all sweeps.
    done: AtomicU64,
}

/// Parts of a sweep that are told apart.
const PARTS: f32 = 1_000_000.0;

impl<'a> SweepProgress<'a> {
    /// Begins a number of sweeps.
    pub(super) fn new(job: Job<'a>, sweeps: usize) -> Self {
        Self { job, sweeps, done: AtomicU64::new(0) }
    }

    /// Computes one sweep, which reports its own progress.
    pub(super) fn of_sweep<T>(&self, sweep: impl FnOnce(Job<'_>) -> Result<T, SightError>) -> Result<T, SightError> {
        let of_sweep = AtomicU64::new(0);
        let advance = |_: &'static str, share: f32| self.advance(&of_sweep, share);
        let result = sweep(self.job.on_progress(&advance))?;
        self.advance(&of_sweep, 1.0);
        Ok(result)
    }

    /// Reports that a share of a sweep is done.
    fn advance(&self, of_sweep: &AtomicU64, share: f32) {
        let parts = (share * PARTS) as u64;
        let more = parts.saturating_sub(of_sweep.fetch_max(parts, Ordering::Relaxed));
        if more > 0 {
            let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
            let share = done as f64 / (f64::from(PARTS) * self.sweeps as f64);
            let _ = self.job.report("observers", share as f32); // the sweeps notice that a job is cancelled
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn shares_of_sweeps_add_up() {
        let reported = Mutex::new(Vec::new());
        let progress = |_: &'static str, share: f32| reported.lock().unwrap().push((share * 100.0).round());
        let sweeps = SweepProgress::new(Job::none().on_progress(&progress), 2);
        sweeps.of_sweep(|job| Ok(job.report("air", 0.5)?)).unwrap();
        let stages = [("air", 1.0), ("lines of sight", 0.2)]; // the second stage begins anew
        sweeps.of_sweep(|job| Ok(stages.iter().try_for_each(|(stage, share)| job.report(stage, *share))?)).unwrap();
        assert_eq!(*reported.lock().unwrap(), [25.0, 50.0, 100.0]);
    }
}
