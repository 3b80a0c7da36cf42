//! [`Work`]: running work, on a thread, or on the page in a worker.

use std::time::Duration;

use farsight::Job;

use super::request::{Reply, Request, run};
use crate::host::now;

/// The time after which progress is shown, in seconds. Most results arrive earlier.
const SECONDS_BEFORE_PROGRESS: f64 = 0.15;

/// Asynchronous work on a request. Dropping it cancels the work.
pub(crate) struct Work<T> {
    runner: Runner,
    /// In seconds.
    start: f64,
    is_done: bool,
    result: std::marker::PhantomData<T>,
}

impl<T: TryFrom<Reply, Error = String>> Work<T> {
    pub(crate) fn start(request: Request) -> Self {
        Self { runner: Runner::start(request), start: now(), is_done: false, result: std::marker::PhantomData }
    }

    /// Returns the progress, from 0 to 1.
    pub(crate) fn progress(&self) -> f32 {
        self.runner.progress()
    }

    /// Returns the progress of slow work.
    pub(crate) fn slow_progress(&self) -> Option<f32> {
        (self.seconds() > SECONDS_BEFORE_PROGRESS).then(|| self.progress())
    }

    /// Returns the seconds since the start of the work.
    pub(crate) fn seconds(&self) -> f64 {
        now() - self.start
    }

    /// Returns a result, or an error sentence for the user, if available. The caller waits for it for a short time; the
    /// page, which cannot wait, continues its part of the work during that time.
    pub(crate) fn poll(&mut self, budget: Duration) -> Option<Result<T, String>> {
        if self.is_done {
            return None;
        }
        let reply = self.runner.poll(budget)?;
        self.is_done = reply.is_last();
        Some(reply.try_into())
    }

    /// Returns `true` if no further result follows.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod runner {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
    use std::sync::{Arc, LazyLock};

    use super::*;
    use crate::stage_log::Stages;

    /// A thread, whose parallel parts run on a separate pool: in the pool of the drawing thread, they would delay the next frame.
    pub(super) struct Runner {
        shared: Arc<Shared>,
        replies: Receiver<Reply>,
    }

    #[derive(Default)]
    struct Shared {
        cancel: AtomicBool,
        /// Progress in thousandths.
        progress: AtomicU32,
    }

    impl Runner {
        pub(super) fn start(request: Request) -> Self {
            static POOL: LazyLock<Option<rayon::ThreadPool>> = LazyLock::new(|| {
                rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build().ok()
            });
            let shared = Arc::<Shared>::default();
            let (sender, replies) = channel();
            let watched = Arc::clone(&shared);
            let work = move || {
                let stages = Stages::default();
                let progress = |stage: &'static str, done: f32| {
                    stages.begin(stage);
                    watched.progress.store((done * 1000.0) as u32, Ordering::Relaxed);
                };
                let job = Job::none().on_progress(&progress).cancelled_by(&watched.cancel);
                // The receiver is dropped if nothing waits for the work.
                run(request, job, &mut |reply| drop(sender.send(reply)));
            };
            std::thread::spawn(move || match &*POOL {
                Some(pool) => pool.install(work),
                None => work(),
            });
            Self { shared, replies }
        }

        pub(super) fn progress(&self) -> f32 {
            self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0
        }

        pub(super) fn poll(&mut self, budget: Duration) -> Option<Reply> {
            match self.replies.recv_timeout(budget) {
                Ok(reply) => Some(reply),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Reply::interrupted()), // the thread has panicked
            }
        }
    }

    impl Drop for Runner {
        fn drop(&mut self) {
            self.shared.cancel.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod runner {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::super::crossing::{self, Assembly};
    use super::super::page_worker::{Worker, WorkerFailed};
    use super::*;

    /// The number of frames between the request and the work on this thread, so that the page shows progress first.
    const FRAMES_BEFORE_WORK: u32 = 4;

    /// A worker of the page, whose replies this thread completes. Without workers, or after one has failed, this thread
    /// runs the work between two frames, up to the first reply.
    pub(super) struct Runner {
        /// Until a reply arrives.
        request: Option<Request>,
        worker: Option<Worker>,
        assembly: Option<Assembly>,
        /// Until this thread runs the work, without a worker.
        frames: u32,
    }

    impl Runner {
        pub(super) fn start(request: Request) -> Self {
            let worker = Worker::start(&crossing::request_to_bytes(&request));
            Self { request: Some(request), worker, assembly: None, frames: FRAMES_BEFORE_WORK }
        }

        pub(super) fn progress(&self) -> f32 {
            self.worker.as_ref().map_or(0.0, Worker::progress)
        }

        pub(super) fn poll(&mut self, budget: Duration) -> Option<Reply> {
            let Some(worker) = &self.worker else { return self.work_here() };
            let end = now() + budget.as_secs_f64();
            let mut is_due = self.assembly.is_some();
            if !is_due {
                match worker.take_answer() {
                    Ok(None) => return None,
                    Ok(Some(answer)) => {
                        self.assembly = Some(Assembly::new(self.request.take(), crossing::reply_from_bytes(&answer)));
                    }
                    Err(WorkerFailed) => {
                        self.worker = None; // this thread must not fail
                        return None;
                    }
                }
            }
            while is_due || now() < end {
                is_due = false;
                if let Some(reply) = self.assembly.as_mut()?.advance() {
                    self.assembly = None;
                    return Some(reply);
                }
            }
            None
        }

        fn work_here(&mut self) -> Option<Reply> {
            if let Some(frames) = self.frames.checked_sub(1) {
                self.frames = frames;
                return None;
            }
            let Some(request) = self.request.take() else { return Some(Reply::interrupted()) };
            let (mut first, has_replied) = (None, AtomicBool::new(false));
            run(request, Job::none().cancelled_by(&has_replied), &mut |reply| {
                has_replied.store(true, Ordering::Relaxed);
                first.get_or_insert(reply);
            });
            first
        }
    }
}

use runner::Runner;
