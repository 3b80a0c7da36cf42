//! [`Generation`]: a world that is made in the background, so that the window never freezes.
//!
//! A page has one thread. There the world is made between two frames, a few frames after it was asked for, so that the
//! page shows progress first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::explorer::error::ExploreError;
use crate::export::SavedWalk;
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};
use crate::stage_log::Stages;
use crate::world::Ground;
use glam::IVec2;

/// A world that is being made. Dropping it cancels the work.
pub(super) struct Generation {
    shared: Arc<Shared>,
    result: Receiver<Result<Scene, ExploreError>>,
    /// The saved walk that is loaded, if one is.
    pub(super) walk: Option<Arc<SavedWalk>>,
    /// `true` if the viewer's cell was chosen, `false` if it is where the view is worth seeing.
    pub(super) keeps_viewer: bool,
    #[cfg(target_arch = "wasm32")]
    waiting: std::cell::RefCell<Option<(u32, Box<dyn FnOnce()>)>>,
}

/// The frames on a page between the request and the work.
#[cfg(target_arch = "wasm32")]
const FRAMES_BEFORE_WORK: u32 = 4;

struct Shared {
    cancel: AtomicBool,
    /// Progress in thousandths.
    progress: AtomicU32,
}

/// The state of a [`Generation`].
pub(super) enum Outcome {
    Working,
    Ready(Box<Scene>),
    Failed(ExploreError),
}

impl Generation {
    /// Starts making the world of a preset, or its climate on measured ground.
    pub(super) fn start(preset: Preset, viewer: Option<IVec2>, ground: Option<Arc<Ground>>) -> Self {
        Self::of(None, viewer.is_some(), move |job| {
            Ok(match ground {
                Some(ground) => Scene::on_ground(preset, &ground, viewer, job)?,
                None => Scene::generate(preset, viewer, job)?,
            })
        })
    }

    /// Starts making the world of a saved walk.
    pub(super) fn resume(walk: SavedWalk) -> Self {
        let walk = Arc::new(walk);
        let make = Arc::clone(&walk);
        Self::of(Some(walk), true, move |job| make.to_scene(job).map_err(|error| ExploreError::Walk(Box::new(error))))
    }

    fn of(
        walk: Option<Arc<SavedWalk>>,
        keeps_viewer: bool,
        make: impl FnOnce(Job<'_>) -> Result<Scene, ExploreError> + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared { cancel: AtomicBool::new(false), progress: AtomicU32::new(0) });
        let (sender, result) = channel();
        let watched = Arc::clone(&shared);
        let work = move || {
            let stages = Stages::default();
            let progress = |stage: &'static str, done: f32| {
                stages.begin(stage);
                watched.progress.store((done * 1000.0) as u32, Ordering::Relaxed);
            };
            let job = Job::quiet().on_progress(&progress).cancelled_by(&watched.cancel);
            // The receiver is gone if the window was closed or another world was asked for.
            let _ = sender.send(make(job));
        };
        #[cfg(not(target_arch = "wasm32"))]
        std::thread::spawn(work);
        Self {
            shared,
            result,
            walk,
            keeps_viewer,
            #[cfg(target_arch = "wasm32")]
            waiting: std::cell::RefCell::new(Some((FRAMES_BEFORE_WORK, Box::new(work)))),
        }
    }

    /// Returns the progress, from 0 to 1.
    pub(super) fn progress(&self) -> f32 {
        self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Returns the state; the scene only once.
    pub(super) fn poll(&self) -> Outcome {
        #[cfg(target_arch = "wasm32")]
        self.work_if_due();
        match self.result.try_recv() {
            Ok(Ok(scene)) => Outcome::Ready(Box::new(scene)),
            Ok(Err(error)) => Outcome::Failed(error),
            Err(TryRecvError::Empty) => Outcome::Working,
            Err(TryRecvError::Disconnected) => {
                Outcome::Failed(SceneError::Interrupted.into()) // the worker has panicked
            }
        }
    }

    /// Does the work on the only thread of a page once the frames before it have passed.
    #[cfg(target_arch = "wasm32")]
    fn work_if_due(&self) {
        let mut waiting = self.waiting.borrow_mut();
        match waiting.take() {
            Some((0, work)) => work(),
            Some((frames, work)) => *waiting = Some((frames - 1, work)),
            None => {}
        }
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
    }
}
