//! [`Stage`]: the pending work of a document.

use super::snapshot::Snapshot;
use crate::background::{Latest, Request, Work};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

/// The pending work of a document.
#[derive(Default)]
pub(super) enum Stage {
    /// None, without a scene, since the first one failed.
    #[default]
    Empty,
    /// A world. The scene is the previous one, or a preview, or none.
    Making(Box<Making>),
    /// Nothing.
    Ready,
    /// Views, climate or rivers.
    Refreshing(Refreshing),
    /// None: views have failed. The next change retries.
    Failed,
}

/// A world in progress.
pub(super) struct Making {
    pub(super) latest: Latest,
    /// The document before the step of the world, to return to on failure.
    pub(super) before: Option<Snapshot>,
    /// The step to which undo or redo returns after the world is complete.
    pub(super) restored: Option<Snapshot>,
}

/// A scene with a copy in refresh.
pub(super) struct Refreshing {
    /// Whether it is the second scene.
    pub(super) is_second: bool,
    /// The revision of the scene at the time of the copy.
    pub(super) revision: u64,
    pub(super) work: Work<Box<Scene>>,
}

impl Stage {
    /// Starts a world. If another world is in progress, `before` is the document before that.
    pub(super) fn make(&mut self, request: Request, previews: bool, before: Option<Snapshot>) {
        let before = match std::mem::take(self) {
            Self::Making(making) => making.before,
            _ => before,
        };
        *self = Self::Making(Box::new(Making { latest: Latest::start(request, previews), before, restored: None }));
    }

    pub(super) fn latest(&self) -> Option<&Latest> {
        match self {
            Self::Making(making) => Some(&making.latest),
            _ => None,
        }
    }

    pub(super) fn making_mut(&mut self) -> Option<&mut Making> {
        match self {
            Self::Making(making) => Some(making),
            _ => None,
        }
    }

    pub(super) fn is_making(&self) -> bool {
        matches!(self, Self::Making(_))
    }

    /// Returns the settings of the world in progress, unless it is that of a saved walk.
    pub(super) fn preset(&self) -> Option<&Preset> {
        self.latest()?.request().world_preset()
    }

    /// Drops a running or failed refresh after a scene was replaced.
    pub(super) fn leave_refresh(&mut self) {
        if let Self::Refreshing(_) | Self::Failed = self {
            *self = Self::Ready;
        }
    }
}
