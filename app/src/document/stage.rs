//! [`Stage`]: what a document waits for.

use super::snapshot::Snapshot;
use crate::background::{Latest, Request, Work};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

/// What a document waits for.
#[derive(Default)]
pub(super) enum Stage {
    /// Nothing, without a scene: the first one could not be made.
    #[default]
    Empty,
    /// A world. The scene is that before it, or a preview of it, or none.
    Making(Box<Making>),
    /// Nothing.
    Ready,
    /// Views, climate or rivers.
    Refreshing(Refreshing),
    /// Nothing: views could not be computed. The next change tries again.
    Failed,
}

/// A world that is being made.
pub(super) struct Making {
    pub(super) latest: Latest,
    /// The document before the step that wants the world, in case that it cannot be made.
    pub(super) before: Option<Snapshot>,
    /// The step that undo or redo returns to once the world is there.
    pub(super) restored: Option<Snapshot>,
}

/// A scene whose copy is refreshed.
pub(super) struct Refreshing {
    /// `true` for the second scene.
    pub(super) is_second: bool,
    /// That of the scene when it was copied.
    pub(super) revision: u64,
    pub(super) work: Work<Box<Scene>>,
}

impl Stage {
    /// Starts to make a world. If another one is being made, `before` is the document before that.
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

    /// Returns the settings of the world that is being made, unless it is that of a saved walk.
    pub(super) fn preset(&self) -> Option<&Preset> {
        self.latest()?.request().world_preset()
    }

    /// Gives up the refresh that is under way or has failed, since a scene is another one.
    pub(super) fn leave_refresh(&mut self) {
        if let Self::Refreshing(_) | Self::Failed = self {
            *self = Self::Ready;
        }
    }
}
