//! [`Host`]: what a document needs from the system that it runs on. [`SceneWork`]: a scene that is being made.

use std::time::Duration;

use super::task::{Task, TaskError};
use farsight_scene::scene::Scene;

/// The clock of a document, and what makes its scenes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host {
    /// Returns the time in seconds, from any moment on.
    pub(crate) now: fn() -> f64,
    /// Starts to make a scene.
    pub(crate) start: fn(Task) -> Box<dyn SceneWork>,
}

/// A scene that is being made while the caller goes on. Dropping it cancels the work.
pub(crate) trait SceneWork {
    /// Returns the progress, from 0 to 1.
    fn progress(&self) -> f32;

    /// Returns the scene or the error once it is there, after a short time in which the caller waits for it. A host that cannot
    /// wait works during that time instead.
    fn poll(&mut self, wait: Duration) -> Option<Result<Scene, TaskError>>;
}
