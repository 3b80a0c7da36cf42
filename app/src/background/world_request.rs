//! [`WorldRequest`]: a scene in a new world, or in a preview of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::codec;
use farsight::Job;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneError};
use farsight_scene::world::{Ground, World, WorldKind};
use glam::IVec2;

/// The maximum number of cells of a world, or of the level of its previews, that follows changing settings.
const MAX_PREVIEW_CELLS: u64 = 300_000;

/// A scene in a new world.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct WorldRequest {
    #[serde(with = "codec::preset")]
    pub(crate) preset: Preset,
    /// The cell of the viewer; `None` for a cell with a varied view.
    pub(crate) viewer: Option<IVec2>,
    /// The cell of the viewer in the previous world, which previews keep.
    pub(crate) last_viewer: Option<IVec2>,
    /// Measured ground instead of a generated world.
    pub(crate) ground: Option<Arc<Ground>>,
}

impl WorldRequest {
    /// Returns `true` if the world, or a preview of it, can follow changing settings.
    pub(super) fn has_preview(&self) -> bool {
        let world = &self.preset.world;
        let cells = match &self.ground {
            Some(ground) => ground.elevation_m.size().as_u64vec2().element_product(),
            None if world.kind == WorldKind::Dungeon => world.cells(),
            None => World::preview_cells(world),
        };
        cells <= MAX_PREVIEW_CELLS
    }

    pub(super) fn make(self, job: Job<'_>) -> Result<Scene, SceneError> {
        match self.ground {
            Some(ground) => Scene::from_dem(self.preset, &*ground, self.viewer, job),
            None => Scene::generate(self.preset, self.viewer, job),
        }
    }

    /// Creates a preview, or the complete world if it has no preview.
    pub(super) fn make_preview(self, job: Job<'_>) -> Result<Scene, SceneError> {
        if !self.has_coarser_world() {
            return self.make(job);
        }
        let viewer = self.viewer_in_preview();
        let world = Scene::make_world(&self.preset, None, true, job)?;
        Scene::from_world(self.preset, world.into(), viewer, job)
    }

    /// Returns `true` if a preview of the world differs from the complete world.
    pub(super) fn has_coarser_world(&self) -> bool {
        let world = &self.preset.world;
        let is_generated = self.ground.is_none() && world.kind == WorldKind::Overworld;
        is_generated && World::preview_cells(world) != world.cells()
    }

    pub(super) fn viewer_in_preview(&self) -> Option<IVec2> {
        let world = &self.preset.world;
        let last = IVec2::new(world.width as i32, world.height as i32) - 1;
        self.viewer.or(self.last_viewer.map(|cell| cell.clamp(IVec2::ZERO, last)))
    }
}
