//! [`Latest`]: the latest request for a scene; requests can be faster than the work.
//!
//! Previews follow a world whose settings change faster than its generation: each preview is completed and shown before
//! one of the latest settings starts. The complete world is generated after the changes pause.

use std::time::Duration;

use super::request::Request;
use super::work::Work;
use crate::host::{ON_PAGE, now};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

/// The pause of changes after which the complete world follows its preview, in seconds.
const SECONDS_OF_REST: f64 = 0.1;

/// The time that a frame waits for a preview. Most are complete by then, and a frame without one would only delay it. A
/// page cannot wait: for it, this is the time of a frame to continue the work of a worker.
const PREVIEW_WAIT: Duration = Duration::from_millis(if ON_PAGE { 12 } else { 20 });

/// As above, for a world.
const WORLD_WAIT: Duration = Duration::from_millis(if ON_PAGE { 12 } else { 0 });

/// As above, for the first world of a page, which has nothing else to draw.
const FIRST_WAIT: Duration = Duration::from_millis(if ON_PAGE { 60 } else { 0 });

/// The latest request for a scene. Dropping it cancels the work.
pub(crate) struct Latest {
    request: Request,
    phase: Phase,
}

enum Phase {
    /// The requested scene is in progress.
    Whole(Work<Box<Scene>>),
    /// A preview is in progress. `is_stale` after a newer request.
    Preview { work: Work<Box<Scene>>, is_stale: bool },
    /// The preview of the latest request has been complete since a time in seconds.
    Resting(f64),
}

/// An update of a [`Latest`].
pub(crate) enum LatestOutcome {
    Working,
    /// A preview or a stale world: the work continues.
    Preview(Box<Scene>),
    Ready(Box<Scene>),
    /// An error sentence for the user.
    Failed(String),
}

impl Latest {
    /// Starts the work, with a preview first if requested and if the world has one.
    pub(crate) fn start(request: Request, previews: bool) -> Self {
        let phase = match &request {
            Request::World(world) if previews && world.has_preview() => {
                Phase::Preview { work: Work::start(Request::Preview(world.clone())), is_stale: false }
            }
            _ => Phase::Whole(Work::start(request.clone())),
        };
        Self { request, phase }
    }

    /// Continues with a newer request. It completes and shows a running preview first, and cancels other work.
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

    /// Replaces the preset if it has the world of the request. Returns `false` if it has another world.
    pub(crate) fn follows_in_same_world(&mut self, preset: &Preset) -> bool {
        match &mut self.request {
            Request::World(request) if request.preset.world == preset.world => {
                request.preset.clone_from(preset);
                true
            }
            _ => false,
        }
    }

    /// Starts the complete world immediately if its preview is complete.
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

    /// Returns the progress if it is slow. Most previews are too fast for a progress bar.
    pub(crate) fn slow_progress(&self) -> Option<f32> {
        match &self.phase {
            Phase::Whole(work) | Phase::Preview { work, .. } => work.slow_progress(),
            Phase::Resting(_) => None,
        }
    }

    /// Returns the next update; each scene only once. `is_first` if no other scene can be shown.
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

    /// Restarts the latest request.
    fn restart(&mut self, previews: bool) {
        *self = Self::start(self.request.clone(), previews);
    }
}
