//! [`Job`]: progress and cancellation of long work.

use std::sync::atomic::{AtomicBool, Ordering};

/// Progress and cancellation of long work. A job never changes a result; the configuration says what to compute.
///
/// ```
/// use farsight::Job;
/// let job = Job::none();
/// assert!(job.report("rivers", 0.5).is_ok());
/// ```
#[derive(Clone, Copy, Default)]
pub struct Job<'a> {
    progress: Option<&'a (dyn Fn(&'static str, f32) + Sync)>,
    cancel: Option<&'a AtomicBool>,
    #[cfg(test)]
    checks: Option<(&'a std::sync::atomic::AtomicUsize, usize)>,
}

/// A [`Job`] was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Cancelled;

impl<'a> Job<'a> {
    /// A job without progress and cancellation.
    pub fn none() -> Self {
        Self::default()
    }

    /// Calls `progress` with the name of the stage and the fraction of the work that is done, in [0, 1].
    pub fn on_progress(self, progress: &'a (dyn Fn(&'static str, f32) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Stops the work soon after `cancel` becomes `true`.
    pub fn cancelled_by(self, cancel: &'a AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// The same job without progress, for a part of the work.
    pub fn without_progress(self) -> Self {
        Self { progress: None, ..self }
    }

    /// Counts the checks of the job, which is cancelled after some of them.
    #[cfg(all(test, feature = "scene"))]
    pub(crate) fn counting_checks(self, checks: &'a std::sync::atomic::AtomicUsize, most: usize) -> Self {
        Self { checks: Some((checks, most)), ..self }
    }

    /// Returns an error if the job is cancelled. It costs next to nothing: loops over rows call it for each row.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        #[cfg(test)]
        if let Some((checks, most)) = self.checks
            && checks.fetch_add(1, Ordering::Relaxed) >= most
        {
            return Err(Cancelled);
        }
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) { Err(Cancelled) } else { Ok(()) }
    }

    /// Reports the fraction of the work that is done, in [0, 1].
    ///
    /// # Errors
    /// [`Cancelled`] if the job is cancelled.
    pub fn report(&self, stage: &'static str, done: f32) -> Result<(), Cancelled> {
        self.check()?;
        if let Some(progress) = self.progress {
            progress(stage, done.clamp(0.0, 1.0));
        }
        Ok(())
    }
}
