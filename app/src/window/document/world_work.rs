//! [`WorldWork`]: a scene that a thread makes.
//!
//! A page has one thread. There a worker makes the world (`page_work`). Where there are no workers, and for walks on maps, the
//! scene is made between two frames, a few frames after it was asked for, so that the page shows progress first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use super::world_request::Task;
use crate::stage_log::Stages;
use crate::window::error::ExploreError;
use farsight::Job;
use farsight::scene::{Scene, SceneError};

/// A scene that is being made. Dropping it cancels the work.
pub(crate) struct WorldWork {
    shared: Arc<Shared>,
    result: Receiver<Result<Scene, ExploreError>>,
    #[cfg(target_arch = "wasm32")]
    page: Option<super::page_work::PageWork>,
    #[cfg(target_arch = "wasm32")]
    waiting: Option<(u32, Box<dyn FnOnce()>)>,
}

/// The frames on a page between the request and the work.
#[cfg(target_arch = "wasm32")]
const FRAMES_BEFORE_WORK: u32 = 4;

struct Shared {
    cancel: AtomicBool,
    /// Progress in thousandths.
    progress: AtomicU32,
}

impl WorldWork {
    /// Starts the work.
    pub(crate) fn start(task: Task) -> Self {
        let shared = Arc::new(Shared { cancel: AtomicBool::new(false), progress: AtomicU32::new(0) });
        let (sender, result) = channel();
        let watched = Arc::clone(&shared);
        #[cfg(target_arch = "wasm32")]
        let page = super::page_work::PageWork::start(&task);
        let work = move || {
            let stages = Stages::default();
            let progress = |stage: &'static str, done: f32| {
                stages.begin(stage);
                watched.progress.store((done * 1000.0) as u32, Ordering::Relaxed);
            };
            let job = Job::quiet().on_progress(&progress).cancelled_by(&watched.cancel);
            // The receiver is gone if the window was closed or another world was asked for.
            let _ = sender.send(task.make(job));
        };
        #[cfg(not(target_arch = "wasm32"))]
        std::thread::spawn(work);
        Self {
            shared,
            result,
            #[cfg(target_arch = "wasm32")]
            page,
            #[cfg(target_arch = "wasm32")]
            waiting: Some((FRAMES_BEFORE_WORK, Box::new(work))),
        }
    }

    /// Returns the progress, from 0 to 1.
    pub(crate) fn progress(&self) -> f32 {
        #[cfg(target_arch = "wasm32")]
        if let Some(page) = &self.page {
            return page.progress();
        }
        self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Returns the scene or the error once it is there, after a short time in which the caller waits for it. A page does not
    /// wait, but begins no further slice of its own work after that time.
    pub(crate) fn poll(&mut self, wait: Duration) -> Option<Result<Scene, ExploreError>> {
        #[cfg(target_arch = "wasm32")]
        let (page, wait) = (self.page.as_mut().map(|page| page.poll(wait)), Duration::ZERO);
        #[cfg(target_arch = "wasm32")]
        match page {
            Some(Ok(outcome)) => return outcome,
            Some(Err(_)) => self.page = None, // the worker has failed, but this thread may not
            None => self.work_if_due(),
        }
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

    /// Does the work on the only thread of a page once the frames before it have passed.
    #[cfg(target_arch = "wasm32")]
    fn work_if_due(&mut self) {
        match self.waiting.take() {
            Some((0, work)) => work(),
            Some((frames, work)) => self.waiting = Some((frames - 1, work)),
            None => {}
        }
    }
}

impl Drop for WorldWork {
    fn drop(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
    }
}
