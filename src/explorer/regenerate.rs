//! Worlds are made beside the window, so that it never freezes. A page has one thread: there they are made between two
//! frames, once it shows that it is about to, and no sooner than sliders rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::explorer::ExploreError;
use crate::export::SavedWalk;
use crate::files::MapSource;
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};
use crate::world::Ground;
use glam::IVec2;

/// A world that is being made. Dropping it stops the work.
pub(super) struct Generation {
    shared: Arc<Shared>,
    result: Receiver<Result<Scene, ExploreError>>,
    /// What the explorer becomes with the scene, where that is a walk that was saved.
    pub(super) arrival: Option<Arrival>,
    /// Whether one stands on a cell that was chosen, not where the view is worth seeing.
    pub(super) stays: bool,
    #[cfg(target_arch = "wasm32")]
    waiting: std::cell::RefCell<Option<(u32, Box<dyn FnOnce()>)>>,
}

/// So many frames pass on a page before the work.
#[cfg(target_arch = "wasm32")]
const FRAMES_BEFORE: u32 = 4;

struct Shared {
    cancel: AtomicBool,
    /// Thousandths done.
    done: AtomicU32,
}

/// What comes with the scene of a saved walk.
pub(super) struct Arrival {
    pub(super) name: String,
    pub(super) map: Option<MapSource>,
}

/// How a [`Generation`] stands.
pub(super) enum Outcome {
    /// Still at work.
    Working,
    /// Here it is.
    Ready(Box<Scene>),
    /// It could not be made.
    Failed(ExploreError),
}

impl Generation {
    /// Starts making the world of a preset, or its climate on measured ground.
    pub(super) fn start(preset: Preset, viewer: Option<IVec2>, ground: Option<Arc<Ground>>) -> Self {
        Self::of(None, viewer.is_some(), move |job| {
            Ok(match ground {
                Some(ground) => Scene::on_ground(preset, &ground, viewer, *job)?,
                None => Scene::generate(preset, viewer, *job)?,
            })
        })
    }

    /// Starts making the world of a saved walk.
    pub(super) fn resume(walk: SavedWalk) -> Self {
        let arrival = Arrival { name: walk.name.clone(), map: walk.map.clone() };
        Self::of(Some(arrival), true, move |job| walk.scene(job).map_err(|error| ExploreError::Walk(Box::new(error))))
    }

    fn of(
        arrival: Option<Arrival>,
        stays: bool,
        make: impl FnOnce(&Job) -> Result<Scene, ExploreError> + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared { cancel: AtomicBool::new(false), done: AtomicU32::new(0) });
        let (sender, result) = channel();
        let watched = Arc::clone(&shared);
        let work = move || {
            let progress = |_: &'static str, done: f32| watched.done.store((done * 1000.0) as u32, Ordering::Relaxed);
            let job = Job::quiet().on_progress(&progress).cancelled_by(&watched.cancel);
            // Nobody listens any more if the window was closed or another world was asked for.
            let _ = sender.send(make(&job));
        };
        #[cfg(not(target_arch = "wasm32"))]
        std::thread::spawn(work);
        Self {
            shared,
            result,
            arrival,
            stays,
            #[cfg(target_arch = "wasm32")]
            waiting: std::cell::RefCell::new(Some((FRAMES_BEFORE, Box::new(work)))),
        }
    }

    /// The share that is done, in [0, 1].
    pub(super) fn done(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// How it stands.
    pub(super) fn poll(&self) -> Outcome {
        #[cfg(target_arch = "wasm32")]
        self.work_if_due();
        match self.result.try_recv() {
            Ok(Ok(scene)) => Outcome::Ready(Box::new(scene)),
            Ok(Err(error)) => Outcome::Failed(error),
            Err(TryRecvError::Empty) => Outcome::Working,
            Err(TryRecvError::Disconnected) => {
                Outcome::Failed(SceneError::Interrupted.into()) // the worker is gone without an answer
            }
        }
    }

    /// Does the work on the page's only thread, a few frames after it was asked for.
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
