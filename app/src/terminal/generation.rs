//! [`Generation`]: a world that is made on a thread of its own, so that keys still work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use glam::IVec2;

use farsight::Job;
use farsight::preset::Preset;
use farsight::scene::{Scene, SceneError};
use farsight::world::Ground;

/// A world that is being made. Dropping it cancels the work.
pub(crate) struct Generation {
    /// The name of its preset.
    pub(crate) name: String,
    shared: Arc<Shared>,
    result: Receiver<Result<Scene, SceneError>>,
}

#[derive(Default)]
struct Shared {
    cancel: AtomicBool,
    percent: AtomicU32,
}

impl Generation {
    /// Starts making the world of a preset, or its climate on measured ground.
    pub(crate) fn start(name: String, preset: Preset, viewer: Option<IVec2>, ground: Option<Arc<Ground>>) -> Self {
        let shared = Arc::new(Shared::default());
        let (sender, result) = channel();
        let watched = Arc::clone(&shared);
        std::thread::spawn(move || {
            let progress =
                |_: &'static str, share: f32| watched.percent.store((share * 100.0) as u32, Ordering::Relaxed);
            let job = Job::quiet().on_progress(&progress).cancelled_by(&watched.cancel);
            let scene = match ground {
                Some(ground) => Scene::on_ground(preset, &ground, viewer, job),
                None => Scene::generate(preset, viewer, job),
            };
            let _ = sender.send(scene); // the receiver is gone if another world was asked for
        });
        Self { name, shared, result }
    }

    /// Returns the progress in percent.
    pub(crate) fn percent(&self) -> u32 {
        self.shared.percent.load(Ordering::Relaxed)
    }

    /// Returns the scene, or its error, once.
    pub(crate) fn poll(&self) -> Option<Result<Scene, SceneError>> {
        match self.result.try_recv() {
            Ok(scene) => Some(scene),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(SceneError::Interrupted)), // the thread has panicked
        }
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
    }
}
