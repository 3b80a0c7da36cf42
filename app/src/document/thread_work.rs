//! The [`Host`] of a program with threads and a clock: [`ThreadWork`] makes a scene on a thread of its own.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::host::{Host, SceneWork};
use super::task::{Task, TaskError};
use crate::stage_log::Stages;
use farsight::Job;
use farsight_scene::scene::{Scene, SceneError};

impl Host {
    /// Returns the host of this program.
    pub(crate) fn system() -> Self {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self { now: || START.elapsed().as_secs_f64(), start: |task| Box::new(ThreadWork::start(task)) }
    }
}

/// Starts work on a thread, whose parallel parts have threads of their own: those that draw would have to do their share of it before
/// the next frame.
pub(crate) fn in_background(work: impl FnOnce() + Send + 'static) {
    static POOL: LazyLock<Option<rayon::ThreadPool>> =
        LazyLock::new(|| rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build().ok());
    std::thread::spawn(move || match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    });
}

struct ThreadWork {
    shared: Arc<Shared>,
    result: Receiver<Result<Scene, TaskError>>,
}

struct Shared {
    cancel: AtomicBool,
    /// Progress in thousandths.
    progress: AtomicU32,
}

impl ThreadWork {
    fn start(task: Task) -> Self {
        let shared = Arc::new(Shared { cancel: AtomicBool::new(false), progress: AtomicU32::new(0) });
        let (sender, result) = channel();
        let watched = Arc::clone(&shared);
        in_background(move || {
            let stages = Stages::default();
            let progress = |stage: &'static str, done: f32| {
                stages.begin(stage);
                watched.progress.store((done * 1000.0) as u32, Ordering::Relaxed);
            };
            let job = Job::none().on_progress(&progress).cancelled_by(&watched.cancel);
            // The receiver is gone if the document was closed or another world was asked for.
            let _ = sender.send(task.make(job));
        });
        Self { shared, result }
    }
}

impl SceneWork for ThreadWork {
    fn progress(&self) -> f32 {
        self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    fn poll(&mut self, wait: Duration) -> Option<Result<Scene, TaskError>> {
        let result = match self.result.try_recv() {
            Err(TryRecvError::Empty) if !wait.is_zero() => {
                self.result.recv_timeout(wait).map_err(|error| match error {
                    RecvTimeoutError::Timeout => TryRecvError::Empty,
                    RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
                })
            }
            result => result,
        };
        match result {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(SceneError::Interrupted.into())), // the thread has panicked
        }
    }
}

impl Drop for ThreadWork {
    fn drop(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
    }
}
