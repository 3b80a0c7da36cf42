//! [`Latest`]: the newest of requests for a scene, which may come faster than scenes are made.
//!
//! A world whose settings change faster than it can be made is followed by previews: each is made to its end and shown, then one
//! of the newest settings begins. The world itself is made once the changes rest.

use std::time::Duration;

use super::request::Request;
use super::work::Work;
use crate::host::{ON_PAGE, now};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

/// The time without a change after which the world itself follows its preview, in seconds.
const SECONDS_OF_REST: f64 = 0.1;

/// The time that a frame waits for a preview. Most are there by then, and a frame without one would only delay it. A page cannot
/// wait. It is the time in which one frame may continue what a worker has made.
const PREVIEW_WAIT: Duration = Duration::from_millis(if ON_PAGE { 12 } else { 20 });

/// The same for a world.
const WORLD_WAIT: Duration = Duration::from_millis(if ON_PAGE { 12 } else { 0 });

/// The same for the first world of a page, which has nothing else to draw.
const FIRST_WAIT: Duration = Duration::from_millis(if ON_PAGE { 60 } else { 0 });

/// The newest request for a scene. Dropping it cancels the work.
pub(crate) struct Latest {
    request: Request,
    phase: Phase,
}

enum Phase {
    /// What is requested is being made.
    Whole(Work<Box<Scene>>),
    /// A preview is being made. `is_stale` if there is a newer request.
    Preview { work: Work<Box<Scene>>, is_stale: bool },
    /// The preview of the newest request is there since a time in seconds.
    Resting(f64),
}

/// What has come of a [`Latest`].
pub(crate) enum LatestOutcome {
    Working,
    /// A preview, or a world that is no longer the newest: the work continues.
    Preview(Box<Scene>),
    Ready(Box<Scene>),
    /// A sentence for the user.
    Failed(String),
}

impl Latest {
    /// Starts the work, with a preview first if wanted and if the world has one.
    pub(crate) fn start(request: Request, previews: bool) -> Self {
        let phase = match &request {
            Request::World(world) if previews && world.has_preview() => {
                Phase::Preview { work: Work::start(Request::Preview(world.clone())), is_stale: false }
            }
            _ => Phase::Whole(Work::start(request.clone())),
        };
        Self { request, phase }
    }

    /// Continues with a newer request. A preview under way is completed and shown first, all else is cancelled.
    pub(crate) fn follow(&mut self, request: Request) {
        match (&mut self.phase, &request) {
            (Phase::Preview { is_stale, .. }, Request::World(world)) if world.has_preview() => {
                (*is_stale, self.request) = (true, request);
            }
            _ => *self = Self::start(request, true),
        }
    }

    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    pub(crate) fn into_request(self) -> Request {
        self.request
    }

    /// Takes over a preset if the world of the request is its world. Returns `false` if it has another.
    pub(crate) fn follows_in_same_world(&mut self, preset: &Preset) -> bool {
        match &mut self.request {
            Request::World(request) if request.preset.world == preset.world => {
                request.preset.clone_from(preset);
                true
            }
            _ => false,
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
            Phase::Whole(work) | Phase::Preview { work, .. } => work.progress(),
            Phase::Resting(_) => 0.0,
        }
    }

    /// Returns the progress of the world itself if it takes a while; that of a preview is not worth showing.
    pub(crate) fn slow_progress(&self) -> Option<f32> {
        match &self.phase {
            Phase::Whole(work) => work.slow_progress(),
            Phase::Preview { .. } | Phase::Resting(_) => None,
        }
    }

    /// Returns what has come of it; each scene only once. `is_first` if no other scene is there to be shown.
    pub(crate) fn poll(&mut self, is_first: bool) -> LatestOutcome {
        let least = if is_first { FIRST_WAIT } else { Duration::ZERO };
        let (result, is_stale) = match &mut self.phase {
            Phase::Whole(work) => (work.poll(WORLD_WAIT.max(least)), false),
            Phase::Preview { work, is_stale } => (work.poll(PREVIEW_WAIT.max(least)), *is_stale),
            Phase::Resting(since) if now() < *since + SECONDS_OF_REST => return LatestOutcome::Working,
            Phase::Resting(_) => {
                self.restart(false);
                return LatestOutcome::Working;
            }
        };
        match result {
            None => LatestOutcome::Working,
            Some(result) if is_stale => {
                self.restart(true);
                result.map_or(LatestOutcome::Working, LatestOutcome::Preview)
            }
            Some(Ok(scene)) if scene.is_preview() => {
                self.phase = Phase::Resting(now());
                LatestOutcome::Preview(scene)
            }
            Some(Ok(scene)) => LatestOutcome::Ready(scene),
            Some(Err(words)) => LatestOutcome::Failed(words),
        }
    }

    /// Starts the newest request again.
    fn restart(&mut self, previews: bool) {
        *self = Self::start(self.request.clone(), previews);
    }
}
