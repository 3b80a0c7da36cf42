//! [`Scene`]: one preset, its world and a viewer. The facade that command line and explorer drive.

mod change;
mod classic_sight;
mod error;
mod lamps;
mod layer;
mod look;
mod many;
mod observers;
mod placed;
mod route;
mod sky;
#[cfg(feature = "files")]
mod state;
mod terrain;
mod turn;
mod viewpoint;

use std::sync::Arc;

use glam::IVec2;

pub use error::SceneError;
pub use layer::Layer;
#[cfg(feature = "files")]
pub(crate) use state::WalkState;
pub use terrain::Terrain;
#[cfg(feature = "files")]
pub(crate) use viewpoint::DIRECTIONS;

use crate::grid::Grid;
use crate::job::Job;
use crate::light::LightMap;
use crate::optics::{Optics, OpticsConfig};
use crate::perception::{CellMemory, Creatures, Memory, Sighting};
use crate::preset::Preset;
use crate::sight::{OffsetList, OpacityMap};
use crate::viewshed::Viewshed;
use crate::world::{Dungeon, Ground, World, WorldKind};

/// One preset, its world and a viewer.
///
/// ```
/// use farsight::Job;
/// use farsight::preset::Preset;
/// use farsight::scene::Scene;
/// let mut preset = Preset::named("fog")?;
/// (preset.world.width, preset.world.height) = (96, 96);
/// let scene = Scene::generate(preset, None, &Job::quiet())?;
/// assert_eq!(scene.visibility(scene.viewer()), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    preset: Preset,
    terrain: Terrain,
    viewshed: Viewshed,
    viewer: IVec2,
    window: Grid<f32>,
    origin: IVec2,
    /// What the others see, in the order of the preset.
    others: Vec<observers::Seen>,
    memory: Memory,
    creatures: Creatures,
    lights: LightMap,
    /// The optics in force at this hour.
    sky: OpticsConfig,
}

impl Scene {
    /// Makes the preset's world and stands on `viewer`, or where the view is worth seeing: the same cell of the same
    /// land for every preset.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn generate(preset: Preset, viewer: Option<IVec2>, job: &Job) -> Result<Self, SceneError> {
        preset.check()?;
        let terrain = match preset.world.kind {
            WorldKind::Overworld => {
                let world = Arc::new(World::generate(&preset.world, job)?);
                Terrain::World(Optics::new(world, &preset.optics))
            }
            WorldKind::Dungeon => Terrain::dungeon(Dungeon::generate(&preset.world.dungeon())?),
        };
        Self::on(terrain, preset, viewer, job)
    }

    /// The preset's sight on a world that is there already.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn on_world(preset: Preset, world: Arc<World>, viewer: Option<IVec2>) -> Result<Self, SceneError> {
        preset.check()?;
        Self::on(Terrain::World(Optics::new(world, &preset.optics)), preset, viewer, &Job::quiet())
    }

    /// The preset's sight on ground that was measured, with the preset's climate on it; see [`World::on_ground`]. The
    /// preset becomes that of the ground, see [`Preset::on_ground`].
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn on_ground(preset: Preset, ground: &Ground, viewer: Option<IVec2>, job: &Job) -> Result<Self, SceneError> {
        let preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        preset.check()?;
        let world = Arc::new(World::on_ground(ground, &preset.world, job)?);
        Self::on(Terrain::World(Optics::new(world, &preset.optics)), preset, viewer, job)
    }

    /// The preset's sight on a map of opacities. Without `viewer` one stands on the clear cell
    /// nearest to the middle.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn on_map(preset: Preset, opacity: OpacityMap, viewer: Option<IVec2>) -> Result<Self, SceneError> {
        Self::on_map_watched(preset, opacity, viewer, &Job::quiet())
    }

    /// [`on_map`](Self::on_map), watched and stopped by a [`Job`]: the exact method takes its time.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn on_map_watched(
        preset: Preset,
        opacity: OpacityMap,
        viewer: Option<IVec2>,
        job: &Job,
    ) -> Result<Self, SceneError> {
        preset.check()?;
        Self::on(Terrain::map(opacity), preset, viewer, job)
    }

    fn on(mut terrain: Terrain, preset: Preset, viewer: Option<IVec2>, job: &Job) -> Result<Self, SceneError> {
        let size = terrain.size();
        if let Some(viewer) = viewer {
            terrain.check_viewer(viewer)?;
        }
        placed::check(&terrain, &preset)?;
        let sky = preset.optics_at_hour();
        terrain.set_optics(&sky);
        let mut scene = Self {
            viewshed: Viewshed::new(preset.sight.clone())?,
            viewer: viewer.unwrap_or(IVec2::ZERO),
            window: Grid::new(0, 0, 0.0),
            origin: IVec2::ZERO,
            others: Vec::new(),
            memory: Memory::new(size.x as usize, size.y as usize),
            creatures: placed::settle(&terrain, &preset),
            lights: lamps::light(&terrain, &preset)?,
            sky,
            terrain,
            preset,
        };
        if viewer.is_none() {
            scene.viewer = viewpoint::worth_seeing(&scene.terrain)?;
        }
        scene.see_watched(*job)?;
        scene.see_others()?;
        scene.notice();
        Ok(scene)
    }

    /// The configuration.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// What the viewer stands on.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// The world, or `None` on a map or in a dungeon.
    pub fn world(&self) -> Option<&Arc<World>> {
        self.terrain.world()
    }

    /// Columns and rows of the map.
    pub fn size(&self) -> IVec2 {
        self.terrain.size()
    }

    /// Where the viewer stands.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// The radius in force, in cells: the preset's, and what the height of the ground adds, at most
    /// [`OffsetList::MAX_RADIUS`].
    pub fn radius(&self) -> u32 {
        self.radius_at(self.viewer)
    }

    /// The radius in force for a viewer on a cell of the map.
    fn radius_at(&self, viewer: IVec2) -> u32 {
        let more = match &self.terrain {
            Terrain::World(optics) => {
                let height = optics.world().ground_m().get(viewer).map_or(0.0, |ground| ground.max(0.0));
                self.preset.optics.radius_per_100m * f64::from(height) / 100.0
            }
            Terrain::Map(_) => 0.0,
        };
        (self.preset.sight.radius + more.round() as u32).min(OffsetList::MAX_RADIUS)
    }

    /// What is remembered of a cell.
    #[inline]
    pub fn memory(&self, cell: IVec2) -> CellMemory {
        self.memory.get(cell)
    }

    /// The creatures.
    pub fn creatures(&self) -> &Creatures {
        &self.creatures
    }

    /// What is drawn for the creatures.
    pub fn sightings(&self) -> impl Iterator<Item = Sighting> + '_ {
        self.creatures.sightings()
    }
}
