//! [`Scene`]: a preset, its world and a viewer, and changes of the preset.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use glam::IVec2;

use super::painting::Painting;
use super::placement;
use super::terrain::ViewWindow;
use super::{light, memory, viewpoint};
use crate::creatures::{Creatures, Sighting};
use crate::optics::{Optics, OpticsConfig};
use crate::preset::Preset;
use crate::scene::{SceneError, SceneState, Terrain};
use crate::world::{Dungeon, Ground, Place, World, WorldKind};
use farsight::Job;
use farsight::grid::{CellRect, ToCell};
use farsight::light::{Daylight, LightMap};
use farsight::perception::{CellMemory, Memory};
use farsight::sight::{OpacityMap, SightConfig, SightError};
use farsight::viewshed::Viewshed;

/// A preset, its world and a viewer.
///
/// ```
/// use farsight::Job;
/// use farsight_scene::preset::Preset;
/// use farsight_scene::scene::Scene;
/// let mut preset = Preset::named("fog")?;
/// (preset.world.width, preset.world.height) = (96, 96);
/// let scene = Scene::generate(preset, None, Job::none())?;
/// assert_eq!(scene.visibility(scene.viewer()), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) preset: Preset,
    pub(super) state: SceneState,
    pub(super) terrain: Terrain,
    /// The land without strokes and changed cells.
    pub(super) painting: Painting,
    pub(super) viewshed: Viewshed,
    pub(super) viewer: IVec2,
    pub(super) own_view: ViewWindow,
    /// The views of `state.observers`.
    pub(super) observer_views: Vec<ViewWindow>,
    pub(super) stale: Stale,
    /// Counts the changes.
    pub(super) revision: u64,
    pub(super) memory: Memory,
    pub(super) creatures: Creatures,
    pub(super) lamp_light: LightMap,
    /// The fraction of daylight on a map with roofs.
    pub(super) daylight: Option<Daylight>,
    /// The optics at the hour of the clock.
    pub(super) optics: OpticsConfig,
    /// The cache of the places of the world with the names of the preset.
    pub(super) named_places: OnceLock<Vec<Place>>,
}

/// The stale parts of a scene, besides each [`ViewWindow`].
#[derive(Clone, Debug, Default)]
pub(super) struct Stale {
    /// Set during a change that defers its consequences.
    pub(super) defers: bool,
    /// Memory and creatures.
    pub(super) perception: bool,
    /// Climate and rivers, and all views with them.
    pub(super) climate: bool,
}

impl Scene {
    /// Generates the world of a preset. Without `viewer`, the viewer starts on a cell with a varied view. That cell is the
    /// same for all presets of the same world.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn generate(preset: Preset, viewer: Option<IVec2>, job: Job<'_>) -> Result<Self, SceneError> {
        match preset.world.kind {
            WorldKind::Overworld => {
                let world = Self::make_world(&preset, None, false, job)?;
                Self::from_world(preset, world.into(), viewer, job)
            }
            WorldKind::Dungeon => {
                preset.check()?;
                let terrain = Terrain::dungeon(Dungeon::generate(&preset.world.dungeon())?);
                Self::create(terrain, preset, viewer, false, job)
            }
        }
    }

    /// Makes the world of a scene only: of open country, or on measured ground. A preview of open country is coarser and faster to make;
    /// a scene on it [needs a new world](Self::needs_new_world) for any preset, and has no creatures and no names.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn make_world(
        preset: &Preset,
        ground: Option<Cow<'_, Ground>>,
        is_preview: bool,
        job: Job<'_>,
    ) -> Result<World, SceneError> {
        let size = match &ground {
            Some(ground) => ground.elevation_m.size(),
            None => IVec2::new(preset.world.width as i32, preset.world.height as i32),
        };
        preset.check()?;
        if ground.is_none() {
            preset.world.check()?; // the world alone may be too large
        }
        memory::check_world(size, preset)?;
        let world = match ground {
            Some(ground) => World::from_dem(ground, &preset.on_ground(size, preset.world.cell_size_m).world, job),
            None if is_preview => World::preview(&preset.world, job),
            None => World::generate(&preset.world, job),
        };
        Ok(world?)
    }

    /// Creates a scene in an existing world.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn from_world(
        preset: Preset,
        world: Arc<World>,
        viewer: Option<IVec2>,
        job: Job<'_>,
    ) -> Result<Self, SceneError> {
        job.report("optics", 1.0).map_err(SightError::from)?;
        let terrain = Terrain::World(Optics::new(world, &preset.optics_at(preset.clock.hour)));
        Self::create(terrain, preset, viewer, false, job)
    }

    /// Creates a scene on measured ground with the climate of the preset; see [`World::from_dem`] and
    /// [`Preset::on_ground`].
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn from_dem<'g>(
        preset: Preset,
        ground: impl Into<Cow<'g, Ground>>,
        viewer: Option<IVec2>,
        job: Job<'_>,
    ) -> Result<Self, SceneError> {
        let ground = ground.into();
        let preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        let world = Self::make_world(&preset, Some(ground), false, job)?;
        Self::from_world(preset, world.into(), viewer, job)
    }

    /// [`from_dem`](Self::from_dem) without views, for those of others from the same ground: the scene
    /// [is stale](Self::is_stale).
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn from_dem_without_views<'g>(
        preset: Preset,
        ground: impl Into<Cow<'g, Ground>>,
        viewer: Option<IVec2>,
        job: Job<'_>,
    ) -> Result<Self, SceneError> {
        let ground = ground.into();
        let preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        let world = Self::make_world(&preset, Some(ground), false, job)?;
        let optics = Optics::new(world.into(), &preset.optics_at(preset.clock.hour));
        Self::from_terrain_without_views(preset, Terrain::World(optics), viewer)
    }

    /// Creates a scene on an opacity map. Without `viewer`, the viewer starts on the clear cell nearest to the middle.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn from_map(
        preset: Preset,
        opacity: OpacityMap,
        viewer: Option<IVec2>,
        job: Job<'_>,
    ) -> Result<Self, SceneError> {
        Self::create(Terrain::Map(opacity), preset, viewer, false, job)
    }

    /// Creates a scene on a terrain without its views: it [is stale](Self::is_stale). The terrain is an opacity map, or
    /// a world with the optics of the preset at its hour.
    ///
    /// # Errors
    /// [`SceneError`].
    pub fn from_terrain_without_views(
        preset: Preset,
        terrain: Terrain,
        viewer: Option<IVec2>,
    ) -> Result<Self, SceneError> {
        Self::create(terrain, preset, viewer, true, Job::none())
    }

    fn create(
        mut terrain: Terrain,
        preset: Preset,
        viewer: Option<IVec2>,
        defers: bool,
        job: Job<'_>,
    ) -> Result<Self, SceneError> {
        preset.check()?;
        let size = terrain.size();
        memory::check_views(&terrain, &preset)?;
        if let Some(viewer) = viewer {
            terrain.check_viewer(viewer)?;
        }
        let painting = Painting::new(&terrain);
        placement::check(&terrain, &painting, &preset)?;
        let optics = preset.optics_at(preset.clock.hour);
        terrain.set_optics(&optics);
        let viewer = match viewer {
            Some(viewer) => viewer,
            None => {
                job.report("viewpoint", 1.0).map_err(SightError::from)?;
                viewpoint::best_viewpoint(&terrain)?
            }
        };
        let mut scene = Self {
            state: SceneState::at_start(&preset),
            viewshed: Viewshed::new(preset.sight.config())?,
            viewer,
            own_view: ViewWindow::default(),
            observer_views: Vec::new(),
            stale: Stale { defers, ..Stale::default() },
            revision: 0,
            memory: Memory::new(CellRect::of_size(size)),
            creatures: placement::creatures(&painting, &terrain, &preset),
            lamp_light: LightMap::new(&terrain),
            daylight: None,
            optics,
            named_places: OnceLock::new(),
            terrain,
            painting,
            preset,
        };
        if !scene.defers_climate() {
            scene.painting.settle(&scene.state.strokes, job).map_err(SightError::from)?;
        }
        scene.change_terrain(&[]);
        scene.lamp_light = light::lamp_light(&scene.terrain, &scene.preset, &scene.state.lamps)?;
        scene.daylight = light::daylight(&scene.terrain, &scene.preset)?;
        job.report("sight", 1.0).map_err(SightError::from)?;
        scene.compute_own_view(job)?;
        scene.compute_observer_views(job.without_progress())?;
        scene.update_perception();
        scene.stale.defers = false;
        Ok(scene)
    }

    /// Returns the preset. It describes how the scene begins; [`present_preset`](Self::present_preset) describes it as it is now.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// Returns the terrain.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Returns the world, or `None` on an opacity map and in a dungeon.
    pub fn world(&self) -> Option<&Arc<World>> {
        self.terrain.world()
    }

    /// Returns columns and rows of the map.
    pub fn size(&self) -> IVec2 {
        self.terrain.size()
    }

    /// Returns the offset of cell 0,0 of the map in its raster: 0,0 unless the world is a window of a raster.
    pub fn origin(&self) -> IVec2 {
        self.world().map_or(IVec2::ZERO, |world| world.origin())
    }

    /// Returns columns and rows of the raster that contains the map as a window, or those of the map.
    pub fn raster_size(&self) -> IVec2 {
        self.world().and_then(|world| world.window()).map_or(self.size(), |window| window.raster_size)
    }

    /// Returns the cell of the viewer.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the radius of the view, in cells: that of the preset and the growth by height, at most
    /// [`SightConfig::MAX_RADIUS`].
    pub fn radius(&self) -> u32 {
        self.radius_at(self.viewer)
    }

    /// Returns the radius of a view from a cell of the map.
    pub(super) fn radius_at(&self, viewer: IVec2) -> u32 {
        let ground_m = self.world().and_then(|world| world.ground_m().get(viewer)).copied();
        radius_over(&self.preset, ground_m.unwrap_or(0.0))
    }

    /// Returns the memory of a cell.
    #[inline]
    pub fn memory(&self, cell: impl ToCell) -> CellMemory {
        let cell = cell.to_cell();
        self.memory.get(cell)
    }

    /// Returns the creatures.
    pub fn creatures(&self) -> &Creatures {
        &self.creatures
    }

    /// Returns the creatures as known to the viewer.
    pub fn sightings(&self) -> impl Iterator<Item = Sighting> + '_ {
        self.creatures.sightings()
    }
}

/// Returns the radius of a view from ground of a height in metres.
pub fn radius_over(preset: &Preset, ground_m: f32) -> u32 {
    grown_radius(preset.sight.radius, &preset.optics, ground_m)
}

/// Returns a radius in cells, grown by the height of the ground in metres.
pub(crate) fn grown_radius(radius: u32, optics: &OpticsConfig, ground_m: f32) -> u32 {
    let growth = optics.radius_per_100m * f64::from(ground_m.max(0.0)) / 100.0;
    (radius + growth.round() as u32).min(SightConfig::MAX_RADIUS)
}

impl Scene {
    /// Returns `true` if a preset describes another world.
    pub fn needs_new_world(&self, preset: &Preset) -> bool {
        preset.world != self.preset.world || self.is_preview()
    }

    /// Returns `true` if the world is a preview of that of the preset.
    pub fn is_preview(&self) -> bool {
        self.world().is_some_and(|world| world.is_preview())
    }

    /// Sets the preset except its world. Recomputes only data that depend on a changed key. Hour, observers, lamps,
    /// strokes and changed cells do not change where both presets describe them equally; see [`SceneState::under`].
    ///
    /// # Errors
    /// [`SceneError`]; the scene does not change.
    pub fn apply(&mut self, preset: Preset) -> Result<(), SceneError> {
        let state = self.state.under(&self.preset, &preset);
        self.take_over(preset, state)
    }

    /// Sets the preset except its world, and the state. After an error the scene is unchanged.
    pub(super) fn take_over(&mut self, preset: Preset, state: SceneState) -> Result<(), SceneError> {
        let preset = Preset { world: self.preset.world.clone(), ..preset };
        let present = state.applied_to(&preset);
        present.check()?;
        placement::check(&self.terrain, &self.painting, &present)?;
        if preset.sight != self.preset.sight || state.observers.len() > self.state.observers.len() {
            memory::check_views(&self.terrain, &present)?; // the old windows may be replaced, so this errs on the safe side
        }
        let (old, old_state) = (self.preset.clone(), self.state.clone());
        if let Err(error) = self.compute_views_with(preset, state) {
            self.compute_views_with(old, old_state)?;
            return Err(error.into());
        }
        self.update_creatures(&old);
        if old.perception.memory && !self.preset.perception.memory {
            self.forget();
        }
        self.update_perception();
        Ok(())
    }

    /// Sets a preset of the same world and a state, and recomputes light and views.
    fn compute_views_with(&mut self, preset: Preset, state: SceneState) -> Result<(), SightError> {
        self.viewshed.set_config(preset.sight.config().with_radius(self.viewshed.config().radius))?;
        let old = std::mem::replace(&mut self.preset, preset);
        let old_state = std::mem::replace(&mut self.state, state);
        if self.preset.names != old.names {
            self.named_places.take();
        }
        let old_optics = self.optics.clone();
        let air_changed = self.update_optics();
        let changed = self.change_terrain(&old_state.cells);
        if air_changed || self.preset.sight.path != old.sight.path {
            self.lamp_light = light::lamp_light(&self.terrain, &self.preset, &self.state.lamps)?;
        } else {
            self.update_lamps_near(&changed)?;
            if self.state.lamps != old_state.lamps {
                light::update_lamps(&mut self.lamp_light, &self.terrain, &self.state.lamps)?;
            }
        }
        let is_same_view = changed.is_empty()
            && (&self.preset.sight, &self.preset.optics) == (&old.sight, &old.optics)
            && self.optics == old_optics;
        if !light::is_same_daylight(&self.preset, &old) {
            self.daylight = light::daylight(&self.terrain, &self.preset)?;
        } else if let Some(daylight) = &mut self.daylight {
            daylight.changed(&self.terrain, changed)?;
        }
        if !is_same_view || self.state.observers != old_state.observers {
            self.compute_observer_views(Job::none())?;
        }
        if is_same_view { Ok(()) } else { self.compute_own_view(Job::none()) }
    }

    /// Recreates the creatures of the preset, or only adds creatures if the only change is a longer list.
    fn update_creatures(&mut self, old: &Preset) {
        let preset = &self.preset;
        match preset.creatures.strip_prefix(&*old.creatures) {
            Some(added) if preset.perception.creatures == old.perception.creatures && !self.is_preview() => {
                for placed in added {
                    self.creatures.place(placed);
                }
            }
            _ => self.creatures = placement::creatures(&self.painting, &self.terrain, preset),
        }
    }
}
