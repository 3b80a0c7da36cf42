//! [`Task`]: a scene to make: the world of a [`WorldRequest`], a preview of it, a saved walk, or a scene that catches up with its views.

use std::sync::Arc;

use farsight::Job;
use farsight_scene::export::{SavedWalk, SavedWalkError};
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneError};
use farsight_scene::world::{Ground, World, WorldKind};
use glam::IVec2;

/// The most cells of a world that is followed while its settings change, or of the level that its previews are made on.
const MAX_PREVIEW_CELLS: u64 = 300_000;

/// A world to make.
#[derive(Clone)]
pub(crate) struct WorldRequest {
    pub(crate) preset: Preset,
    /// The cell of the viewer; `None` for one where the view is worth seeing.
    pub(crate) viewer: Option<IVec2>,
    /// The cell of the viewer in the world before, where it stays in previews.
    pub(crate) last_viewer: Option<IVec2>,
    /// Measured ground in place of a generated world.
    pub(crate) ground: Option<Arc<Ground>>,
}

impl WorldRequest {
    /// Returns `true` if the world, or a preview of it, is made about as fast as its settings are changed.
    pub(crate) fn has_preview(&self) -> bool {
        let world = &self.preset.world;
        let cells = match &self.ground {
            Some(ground) => ground.elevation_m.size().as_u64vec2().element_product(),
            None if world.kind == WorldKind::Dungeon => world.cells(),
            None => World::preview_cells(world),
        };
        cells <= MAX_PREVIEW_CELLS
    }

    fn make(self, job: Job<'_>) -> Result<Scene, SceneError> {
        match self.ground {
            Some(ground) => Scene::on_ground(self.preset, &ground, self.viewer, job),
            None => Scene::generate(self.preset, self.viewer, job),
        }
    }

    fn make_preview(self, job: Job<'_>) -> Result<Scene, SceneError> {
        if !self.has_coarser_world() {
            return self.make(job);
        }
        let viewer = self.viewer_in_preview();
        Scene::preview(self.preset, viewer, job)
    }

    /// Returns `true` if a preview of the world is another one than the world itself.
    pub(crate) fn has_coarser_world(&self) -> bool {
        let world = &self.preset.world;
        let is_generated = self.ground.is_none() && world.kind == WorldKind::Overworld;
        is_generated && World::preview_cells(world) != world.cells()
    }

    pub(crate) fn viewer_in_preview(&self) -> Option<IVec2> {
        let world = &self.preset.world;
        let last = IVec2::new(world.width as i32, world.height as i32) - 1;
        self.viewer.or(self.last_viewer.map(|cell| cell.clamp(IVec2::ZERO, last)))
    }
}

/// A scene to make.
pub(crate) enum Task {
    World(WorldRequest),
    /// A preview, or the world itself if it has none.
    Preview(WorldRequest),
    Walk(Arc<SavedWalk>),
    /// A scene, which catches up with its views, and its measured ground.
    Views(
        Box<Scene>,
        #[cfg_attr(not(any(test, target_arch = "wasm32")), expect(dead_code, reason = "a worker of a page needs it"))]
        Option<Arc<Ground>>,
    ),
}

/// A scene cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TaskError {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error(transparent)]
    Walk(Box<SavedWalkError>),
}

impl Task {
    pub(crate) fn make(self, job: Job<'_>) -> Result<Scene, TaskError> {
        let scene = match self {
            Self::World(request) => request.make(job)?,
            Self::Preview(request) => request.make_preview(job)?,
            Self::Views(mut scene, _) => {
                scene.catch_up(job).map_err(SceneError::from)?;
                *scene
            }
            Self::Walk(walk) => walk.to_scene(job).map_err(|error| TaskError::Walk(Box::new(error)))?,
        };
        find_names(&scene);
        Ok(scene)
    }
}

/// Finds the places whose names a picture shows, so that the first picture does not wait for them.
pub(super) fn find_names(scene: &Scene) {
    if scene.preset().paint.names {
        scene.places();
    }
}
