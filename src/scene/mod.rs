//! [`Scene`]: one preset, its world and a viewer. The facade that command line and explorer drive.

mod classic_sight;
mod layer;
mod many;
mod terrain;
mod viewpoint;

use std::sync::Arc;

use glam::IVec2;

pub use layer::Layer;
pub use terrain::Terrain;

use crate::job::Job;
use crate::optics::{Optics, OpticsConfig};
use crate::perception::{CellMemory, Creatures, Memory, Sense, Sighting};
use crate::preset::{Preset, PresetError};
use crate::sight::{FieldOfView, OffsetList, OpacityMap, SightConfig, SightError};
use crate::world::{Dungeon, DungeonError, World, WorldError, WorldKind};
use crate::{CellRect, Grid};

/// One preset, its world and a viewer.
///
/// ```
/// use farsight::{Job, Preset, Scene};
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
    fov: FieldOfView,
    viewer: IVec2,
    window: Grid<f32>,
    origin: IVec2,
    memory: Memory,
    creatures: Creatures,
}

/// Why there is no scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The preset is wrong.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The world could not be made.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The dungeon could not be made.
    #[error(transparent)]
    Dungeon(#[from] DungeonError),
    /// The view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// The work ended without an answer.
    #[error("making the world was interrupted")]
    Interrupted,
    /// A layer that a bare map does not have.
    #[error("a map of opacities has no layer {0}; it has visibility, perceived, light and opacity")]
    NoSuchLayer(&'static str),
    /// A picture of more pixels than are painted.
    #[error(
        "a picture of {width}x{height} pixels ({scale} a cell) is too large; at most {limit} pixels are painted: \
        choose a smaller scale or a part of the map"
    )]
    PictureTooLarge {
        /// Pixels a cell.
        scale: u32,
        /// Columns of pixels.
        width: i64,
        /// Rows of pixels.
        height: i64,
        /// The most pixels.
        limit: i64,
    },
}

impl Scene {
    /// Makes the preset's world and stands on `viewer`, or where the view is worth seeing.
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

    fn on(terrain: Terrain, preset: Preset, viewer: Option<IVec2>, job: &Job) -> Result<Self, SceneError> {
        let size = terrain.size();
        if let Some(viewer) = viewer
            && !CellRect::of_size(size).contains(viewer)
        {
            let (width, height) = (size.x as usize, size.y as usize);
            return Err(SightError::ViewerOutside { viewer, width, height }.into());
        }
        let mut scene = Self {
            fov: FieldOfView::new(preset.sight.clone())?,
            viewer: viewer.unwrap_or(IVec2::ZERO),
            window: Grid::new(0, 0, 0.0),
            origin: IVec2::ZERO,
            memory: Memory::new(size.x as usize, size.y as usize),
            creatures: settle(&terrain, &preset),
            terrain,
            preset,
        };
        if viewer.is_none() {
            scene.viewer = viewpoint::worth_seeing(&mut scene)?;
        }
        scene.see_watched(*job)?;
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

    /// The part of the map within the radius.
    pub fn sight_frame(&self) -> CellRect {
        let largest = self.size().max_element() as u32;
        CellRect::around(self.viewer, self.radius().min(largest)).intersect(CellRect::of_size(self.size()))
    }

    /// Visibility of a cell, in [0, 1]: transmittance times decay, before light.
    #[inline]
    pub fn visibility(&self, cell: IVec2) -> f32 {
        self.window.get(cell.wrapping_sub(self.origin)).copied().unwrap_or(0.0)
    }

    /// What is perceived of a cell, in [0, 1]: its visibility times the light on it.
    #[inline]
    pub fn perceived(&self, cell: IVec2) -> f32 {
        let visibility = self.visibility(cell);
        if visibility == 0.0 { 0.0 } else { visibility * light(&self.preset.optics, self.viewer, cell) }
    }

    /// What the viewer makes of a cell.
    pub fn sense(&self, cell: IVec2) -> Sense {
        self.preset.perception.thresholds().judge(self.perceived(cell))
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

    /// Opacity of a cell for this viewer, in [0, 1].
    pub fn opacity(&self, cell: IVec2) -> Option<f32> {
        CellRect::of_size(self.size()).contains(cell).then(|| self.terrain.opacity(self.viewer, cell))
    }

    /// Computes the view alone, by the classic method of the preset if it chooses one.
    /// [`look`](Self::look) does this and what follows from it.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn see(&mut self) -> Result<(), SightError> {
        self.see_watched(Job::quiet())
    }

    fn see_watched(&mut self, job: Job<'_>) -> Result<(), SightError> {
        let radius = self.radius();
        if let Some(classic) = self.preset.classic.config(radius) {
            return self.see_classically(&classic);
        }
        if self.fov.config().radius != radius {
            self.fov.set_config(SightConfig { radius, ..self.preset.sight.clone() })?;
        }
        let view = self.terrain.view(&mut self.fov, self.viewer, job)?;
        self.origin = view.origin();
        if self.window.size() == view.grid().size() {
            self.window.as_mut_slice().copy_from_slice(view.grid().as_slice());
        } else {
            self.window = view.grid().clone();
        }
        Ok(())
    }

    /// Looks around: view, memory, creatures.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn look(&mut self) -> Result<(), SightError> {
        self.see()?;
        self.notice();
        Ok(())
    }

    /// What follows from the view: memory and creatures.
    fn notice(&mut self) {
        let optics = &self.preset.optics;
        let perception = &self.preset.perception;
        let thresholds = perception.thresholds();
        let (window, origin, viewer) = (&self.window, self.origin, self.viewer);
        let perceived = |cell: IVec2| match window.get(cell.wrapping_sub(origin)) {
            Some(&visibility) if visibility > 0.0 => visibility * light(optics, viewer, cell),
            _ => 0.0,
        };
        let visible = window
            .iter()
            .filter(|(_, visibility)| **visibility > 0.0)
            .map(|(offset, _)| offset + origin)
            .filter(|&cell| thresholds.judge(perceived(cell)) > Sense::Hidden);
        self.memory.look(visible, perception.memory);
        let memory = &self.memory;
        self.creatures.look(thresholds, perception.memory, perceived, |cell| memory.get(cell) == CellMemory::Visible);
    }

    /// Goes one step, if nothing is in the way, and all creatures take a turn. Water carries a
    /// boat; only walls and the edge of the map stop one.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`]; nothing moves then.
    pub fn step(&mut self, step: IVec2) -> Result<bool, SightError> {
        let goal = self.viewer + step.signum();
        if step == IVec2::ZERO || !self.terrain.can_enter(goal) {
            return Ok(false);
        }
        self.see_from(goal)?;
        self.take_turns();
        self.notice();
        Ok(true)
    }

    /// Moves the viewer and computes the view; stays where that fails.
    fn see_from(&mut self, cell: IVec2) -> Result<(), SightError> {
        let old = std::mem::replace(&mut self.viewer, cell);
        self.see().inspect_err(|_| self.viewer = old)
    }

    fn take_turns(&mut self) {
        let terrain = &self.terrain;
        self.creatures.wander(self.viewer, |cell| terrain.habitat(cell));
    }

    /// Lets all creatures take a turn.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn wait(&mut self) -> Result<(), SightError> {
        self.take_turns();
        self.look()
    }

    /// Puts the viewer on a cell of the map. No turn passes.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] and [`SightError::RadiusTooLarge`]; the viewer stays.
    pub fn place(&mut self, cell: IVec2) -> Result<(), SightError> {
        let size = self.size();
        if !CellRect::of_size(size).contains(cell) {
            let (width, height) = (size.x as usize, size.y as usize);
            return Err(SightError::ViewerOutside { viewer: cell, width, height });
        }
        self.see_from(cell)?;
        self.notice();
        Ok(())
    }

    /// Forgets all that is not in sight.
    pub fn forget(&mut self) {
        self.memory.forget();
        self.creatures.forget();
    }

    /// Whether a preset asks for another world than the one that is there.
    pub fn needs_new_world(&self, preset: &Preset) -> bool {
        preset.world != self.preset.world
    }

    /// Takes over all of a preset but its world. Only what hangs on a changed key is computed
    /// again.
    ///
    /// # Errors
    /// [`SceneError`]; the old preset stays.
    pub fn apply(&mut self, preset: Preset) -> Result<(), SceneError> {
        preset.check()?;
        let preset = Preset { world: self.preset.world.clone(), ..preset };
        let old = self.preset.clone();
        if let Err(error) = self.see_with(preset) {
            self.see_with(old)?;
            return Err(error.into());
        }
        if self.preset.perception.creatures != old.perception.creatures {
            self.creatures = settle(&self.terrain, &self.preset);
        }
        if old.perception.memory && !self.preset.perception.memory {
            self.forget();
        }
        self.notice();
        Ok(())
    }

    /// Takes over a preset for the same world, and computes the view.
    fn see_with(&mut self, preset: Preset) -> Result<(), SightError> {
        self.fov.set_config(SightConfig { radius: self.fov.config().radius, ..preset.sight.clone() })?;
        if preset.optics != self.preset.optics {
            self.terrain.set_optics(&preset.optics);
        }
        self.preset = preset;
        self.see()
    }
}

fn settle(terrain: &Terrain, preset: &Preset) -> Creatures {
    let density = preset.perception.creatures;
    Creatures::settle(preset.world.seed, terrain.size(), density, |cell| terrain.habitat(cell))
}

/// Light on a cell, in [0, 1].
fn light(optics: &OpticsConfig, viewer: IVec2, cell: IVec2) -> f32 {
    if optics.light >= 1.0 { 1.0 } else { optics.light_at((cell - viewer).as_dvec2().length()) }
}
