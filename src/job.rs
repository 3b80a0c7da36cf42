//! [`Job`]: progress and cancellation of long work.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Progress and cancellation of long work. A job never changes a result; the configuration says what to compute.
///
/// A function that may run longer than a frame takes a job as its last argument, before a closure if there is one.
/// Functions for every turn of a game take none: one view, one line, one lamp. Views by the exact method take seconds:
/// [`FieldOfView::compute_with_job`](crate::FieldOfView::compute_with_job) reports and cancels them.
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
    is_over: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_progress = self.progress.is_some();
        f.debug_struct("Job").field("has_progress", &has_progress).field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

/// A [`Job`] was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Cancelled;

impl<'a> Job<'a> {
    /// Creates a job without progress and cancellation.
    pub fn none() -> Self {
        Self::default()
    }

    /// Calls `progress` with the name of the stage and the fraction of the work that is done, in [0, 1].
    #[must_use]
    pub fn on_progress(self, progress: &'a (dyn Fn(&'static str, f32) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Stops the work soon after `cancel` becomes `true`.
    #[must_use]
    pub fn cancelled_by(self, cancel: &'a AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// Stops the work soon after `is_over` returns `true`, for example at a deadline. It is called for about every row of a map.
    #[must_use]
    pub fn cancelled_when(self, is_over: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { is_over: Some(is_over), ..self }
    }

    /// The same job without progress, for a part of the work.
    #[must_use]
    pub fn without_progress(self) -> Self {
        Self { progress: None, ..self }
    }

    /// Returns an error if the job is cancelled. It is cheap enough to be called for each row of a map.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline]
    pub fn check(&self) -> Result<(), Cancelled> {
        let is_cancelled = self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        if is_cancelled || self.is_over.is_some_and(|is_over| is_over()) { Err(Cancelled) } else { Ok(()) }
    }

    /// Reports the completed fraction of the work, in [0, 1].
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
