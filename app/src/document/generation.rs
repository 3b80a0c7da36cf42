//! [`Generation`]: a world that is made in the background, so that the caller never waits for it.
//!
//! A world that changes faster than it can be made is followed by previews: each is made to its end and shown, then one
//! of the newest settings begins. The world itself is made once the changes rest.

use std::sync::Arc;
use std::time::Duration;

use super::host::{Host, SceneWork};
use super::task::{Task, TaskError, WorldRequest};
use farsight_scene::export::SavedWalk;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

/// The time without a change after which the world itself follows its preview, in seconds.
const SECONDS_OF_REST: f64 = 0.1;

/// The time that a frame waits for a preview. Most are there by then, and a frame without one would only delay it. A page cannot
/// wait. It is the time in which one frame may continue what a worker has made.
const PREVIEW_WAIT: Duration = Duration::from_millis(if cfg!(target_arch = "wasm32") { 12 } else { 20 });

/// The same for a world.
const WORLD_WAIT: Duration = Duration::from_millis(if cfg!(target_arch = "wasm32") { 12 } else { 0 });

/// The same for the first world of a page, which has nothing else to draw.
const FIRST_WAIT: Duration = Duration::from_millis(if cfg!(target_arch = "wasm32") { 60 } else { 0 });

/// The time after which the progress of a world is shown, in seconds. Most worlds are there before.
const SECONDS_BEFORE_PROGRESS: f64 = 0.15;

/// A world that is being made. Dropping it cancels the work.
pub(crate) struct Generation {
    /// The saved walk that is loaded, if one is.
    pub(crate) walk: Option<Arc<SavedWalk>>,
    /// `true` if the viewer's cell was chosen, `false` if it is where the view is worth seeing.
    pub(crate) keeps_viewer: bool,
    /// The newest request, unless a walk is loaded.
    request: Option<WorldRequest>,
    phase: Phase,
    host: Host,
    /// In seconds.
    start: f64,
}

enum Phase {
    /// The world itself is being made.
    World(Box<dyn SceneWork>),
    /// A preview is being made. `is_stale` if there is a newer request.
    Preview { work: Box<dyn SceneWork>, is_stale: bool },
    /// The preview of the newest request is there since a time in seconds.
    Resting(f64),
}

/// The state of a [`Generation`].
pub(crate) enum Outcome {
    Working,
    /// A preview, or a world that is no longer the newest: the generation continues.
    Preview(Box<Scene>),
    Ready(Box<Scene>),
    Failed(TaskError),
}

impl Generation {
    /// Starts making the world of a preset, or its climate on measured ground, with a preview first if wanted.
    pub(crate) fn start(host: Host, request: WorldRequest, previews: bool) -> Self {
        let phase = if previews && request.has_preview() {
            Phase::Preview { work: (host.start)(Task::Preview(request.clone())), is_stale: false }
        } else {
            Phase::World((host.start)(Task::World(request.clone())))
        };
        let keeps_viewer = request.viewer.is_some();
        Self { walk: None, keeps_viewer, request: Some(request), phase, host, start: (host.now)() }
    }

    /// Starts making the world of a saved walk.
    pub(crate) fn resume(host: Host, walk: SavedWalk) -> Self {
        let walk = Arc::new(walk);
        let phase = Phase::World((host.start)(Task::Walk(Arc::clone(&walk))));
        Self { walk: Some(walk), keeps_viewer: true, request: None, phase, host, start: (host.now)() }
    }

    /// Continues with a newer request. A preview under way is completed and shown first, all else is cancelled.
    pub(crate) fn follow(&mut self, request: WorldRequest) {
        match &mut self.phase {
            Phase::Preview { is_stale, .. } if request.has_preview() => *is_stale = true,
            _ => *self = Self::start(self.host, request.clone(), true),
        }
        (self.walk, self.keeps_viewer) = (None, request.viewer.is_some());
        self.request = Some(request);
    }

    /// Returns the preset of the newest request; `None` while a walk is loaded.
    pub(crate) fn preset(&self) -> Option<&Preset> {
        self.request.as_ref().map(|request| &request.preset)
    }

    /// Takes over a preset of the same world.
    pub(crate) fn set_preset(&mut self, preset: Preset) {
        if let Some(request) = &mut self.request {
            request.preset = preset;
        }
    }

    /// Makes the world itself at once if its preview is there.
    pub(crate) fn end_drag(&mut self) {
        if let Phase::Resting(since) = &mut self.phase {
            *since = f64::NEG_INFINITY;
        }
    }

    /// Returns the progress, from 0 to 1.
    pub(crate) fn progress(&self) -> f32 {
        match &self.phase {
            Phase::World(work) | Phase::Preview { work, .. } => work.progress(),
            Phase::Resting(_) => 0.0,
        }
    }

    /// Returns `true` if the world itself takes a while, so that its progress is worth showing.
    pub(crate) fn is_slow(&self) -> bool {
        matches!(self.phase, Phase::World(_)) && (self.host.now)() > self.start + SECONDS_BEFORE_PROGRESS
    }

    /// Returns the state; each scene only once. `is_first` if no other scene is there to be shown.
    pub(crate) fn poll(&mut self, is_first: bool) -> Outcome {
        let now = (self.host.now)();
        let wait = |wait: Duration| if is_first { wait.max(FIRST_WAIT) } else { wait };
        let (result, is_stale) = match &mut self.phase {
            Phase::World(work) => (work.poll(wait(WORLD_WAIT)), false),
            Phase::Preview { work, is_stale } => (work.poll(wait(PREVIEW_WAIT)), *is_stale),
            Phase::Resting(since) if now < *since + SECONDS_OF_REST => return Outcome::Working,
            Phase::Resting(_) => {
                self.restart(false);
                return Outcome::Working;
            }
        };
        match result {
            None => Outcome::Working,
            Some(result) if is_stale => {
                self.restart(true);
                result.map_or(Outcome::Working, |scene| Outcome::Preview(Box::new(scene)))
            }
            Some(Ok(scene)) if scene.is_preview() => {
                self.phase = Phase::Resting((self.host.now)());
                Outcome::Preview(Box::new(scene))
            }
            Some(Ok(scene)) => Outcome::Ready(Box::new(scene)),
            Some(Err(error)) => Outcome::Failed(error),
        }
    }

    /// Starts the newest request again.
    fn restart(&mut self, previews: bool) {
        if let Some(request) = self.request.clone() {
            *self = Self::start(self.host, request, previews);
        }
    }
}
