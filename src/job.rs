//! [`Job`]: how long work reports its progress and learns that it is no longer wanted.

use std::sync::atomic::{AtomicBool, Ordering};

/// How long work is watched and stopped. *What* to compute stands in the configuration; a job never
/// changes a result.
///
/// ```
/// use farsight::Job;
/// let job = Job::quiet();
/// assert!(job.report("rivers", 0.5).is_ok());
/// ```
#[derive(Clone, Copy, Default)]
pub struct Job<'a> {
    progress: Option<&'a (dyn Fn(&'static str, f32) + Sync)>,
    cancel: Option<&'a AtomicBool>,
}

/// The work was stopped by its [`Job`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Cancelled;

impl<'a> Job<'a> {
    /// Work that nobody watches.
    pub fn quiet() -> Self {
        Self::default()
    }

    /// Calls `progress` with the name of the stage and the share of the whole that is done, in [0, 1].
    pub fn on_progress(self, progress: &'a (dyn Fn(&'static str, f32) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Stops soon after `cancel` becomes true.
    pub fn cancelled_by(self, cancel: &'a AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// The same job for a part of the work: it can be stopped, but reports nothing.
    pub fn without_progress(self) -> Self {
        Self { progress: None, ..self }
    }

    /// Reports the share of the whole that is done, in [0, 1].
    ///
    /// # Errors
    /// [`Cancelled`] once the work is no longer wanted.
    pub fn report(&self, stage: &'static str, done: f32) -> Result<(), Cancelled> {
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Cancelled);
        }
        if let Some(progress) = self.progress {
            progress(stage, done.clamp(0.0, 1.0));
        }
        Ok(())
    }
}
