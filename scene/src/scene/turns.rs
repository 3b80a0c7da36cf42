//! Turns of the viewer and the creatures, and the clock: time passes, and light and air change. Creatures with eyes of their own notice
//! the viewer.

use glam::IVec2;

use super::light;
use crate::creatures::{Creature, Eyes, PlacedCreature};
use crate::optics::OpticsConfig;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError, Terrain};
use farsight::Job;
use farsight::grid::{CellSize, ToCell};
use farsight::sight::{Sector, SightError};

impl Scene {
    /// Moves the viewer one step, and lets a turn pass. Returns `false` if a wall, the edge of the map or a cell without
    /// data is in the way; then nothing moves. Water is no obstacle.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`]; nothing moves.
    pub fn step(&mut self, step: IVec2) -> Result<bool, SightError> {
        let goal = self.viewer + step.signum();
        if step == IVec2::ZERO || !self.terrain.can_enter(goal) {
            return Ok(false);
        }
        let left = self.viewer;
        self.advance_turn()?;
        self.compute_view_from(goal)?;
        self.move_followers(left)?;
        self.move_creatures();
        self.update_perception();
        Ok(true)
    }

    /// Moves the viewer and computes the view. After an error the viewer is where it was.
    pub(super) fn compute_view_from(&mut self, cell: IVec2) -> Result<(), SightError> {
        let old = std::mem::replace(&mut self.viewer, cell);
        self.compute_view().inspect_err(|_| self.viewer = old)
    }

    fn move_creatures(&mut self) {
        let terrain = &self.terrain;
        self.creatures.wander(self.viewer, |cell| terrain.habitat(cell));
    }

    /// Lets a turn pass.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn wait(&mut self) -> Result<(), SightError> {
        self.advance_turn()?;
        self.move_creatures();
        self.observe()
    }

    /// Puts the viewer on a cell of the map. No turn passes.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`], [`SightError::ViewerWithoutData`] and [`SightError::RadiusTooLarge`]; the viewer
    /// stays where it is.
    pub fn place(&mut self, cell: impl ToCell) -> Result<(), SightError> {
        let cell = cell.to_cell();
        self.terrain.check_viewer(cell)?;
        self.compute_view_from(cell)?;
        self.update_perception();
        Ok(())
    }

    /// Forgets all cells and creatures that are out of sight.
    pub fn forget(&mut self) {
        self.memory.forget();
        self.creatures.forget();
        self.revision += 1;
    }

    /// Returns the optics at this hour: those of the preset, changed by clock and weather.
    pub fn optics(&self) -> &OpticsConfig {
        &self.optics
    }

    /// Takes over the optics of the hour. Returns `true` if the air changes, and with it views and the light of lamps.
    pub(super) fn update_optics(&mut self) -> bool {
        let optics = self.preset.optics_at(self.state.hour);
        let old = std::mem::replace(&mut self.optics, optics);
        if self.optics != old {
            self.terrain.set_optics(&self.optics);
        }
        !light::is_same_for_lamps(&self.optics, &old)
    }

    /// Advances the clock by a turn. The caller computes the view of the viewer.
    fn advance_turn(&mut self) -> Result<(), SightError> {
        self.advance(self.preset.clock.minutes_a_turn).map(|_| ())
    }

    /// Advances the clock, if it runs. No turn passes, and nobody moves. Returns `true` if the optics change; otherwise
    /// nothing is computed.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn advance_minutes(&mut self, minutes: f64) -> Result<bool, SightError> {
        let before = self.optics.clone();
        if self.advance(minutes)? {
            self.compute_view()?;
        }
        let changed = self.optics != before;
        if changed {
            self.update_perception();
        }
        Ok(changed)
    }

    /// Advances the clock, if it runs. Returns `true` if the air changes; the caller computes the view of the viewer.
    fn advance(&mut self, minutes: f64) -> Result<bool, SightError> {
        if !self.preset.clock.runs {
            return Ok(false);
        }
        self.state.hour = self.clock().hour_after(minutes);
        self.revision += 1;
        let air_changed = self.update_optics();
        if air_changed {
            self.lamp_light.changed_everywhere(&self.terrain)?;
            self.compute_observer_views(Job::none())?;
        }
        Ok(air_changed)
    }
}

impl Scene {
    /// Places a creature besides those that there are. No turn passes.
    ///
    /// ```
    /// use farsight::Job;
    /// use farsight_scene::creatures::{PlacedCreature, Species};
    /// use farsight_scene::prelude::*;
    /// let map = OpacityMap::from_text("@...\n..#.")?;
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), map, Some(ivec2(0, 0)), Job::none())?;
    /// let goblin = Species::named("goblin").expect("a shipped species");
    /// scene.add_creature(PlacedCreature::new((3, 0), goblin))?;
    /// assert_eq!(scene.sightings().count(), 1);
    /// assert!(scene.add_creature(PlacedCreature::new((2, 1), goblin)).is_err()); // inside a wall
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError`] for a cell off the map or inside a wall, and for values out of range; the scene stays as it was.
    pub fn add_creature(&mut self, creature: PlacedCreature) -> Result<(), SceneError> {
        let mut creatures = self.preset.creatures.clone();
        creatures.push(creature);
        self.apply(Preset { creatures, ..self.preset.clone() })
    }

    /// Updates what creatures with eyes make of the viewer: visibility of the viewer's cell times its light, by the thresholds and the
    /// hysteresis by which the viewer notices them.
    pub(super) fn update_noticed(&mut self, job: Job<'_>) -> Result<(), SightError> {
        let thresholds = self.preset.perception.thresholds();
        for i in 0..self.creatures.all().len() {
            let Creature { species, cell, facing, .. } = self.creatures.all()[i];
            if let Some(eyes) = species.eyes {
                let perceived = self.perceived_by(eyes, cell, facing, job)?;
                self.creatures.set_noticed(i, thresholds, perceived);
            }
        }
        Ok(())
    }

    /// Returns visibility times light of the viewer, as a creature sees it.
    fn perceived_by(&mut self, eyes: Eyes, cell: IVec2, facing: f64, job: Job<'_>) -> Result<f32, SightError> {
        let cell_size = self.terrain.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(cell));
        let (viewer, offset) = (self.viewer, self.viewer - cell);
        let is_in_range = cell_size.is_in_range(offset, eyes.radius);
        if !is_in_range || !Sector::new(facing, eyes.span).contains_in(offset, cell_size.ratios()) {
            return Ok(0.0);
        }
        let light = self.seen_light().light(cell, viewer).max(eyes.night_vision);
        Ok(self.visibility_from(cell, job)? * light)
    }

    /// Returns the visibility of the viewer's cell from another one, by the method of the preset and all around.
    fn visibility_from(&mut self, cell: IVec2, job: Job<'_>) -> Result<f32, SightError> {
        let radius = self.radius_at(cell);
        self.configure_sight(radius, Sector::ALL)?;
        match &self.terrain {
            Terrain::Map(map) => self.viewshed.field_of_view_mut().line_of_sight(map, cell, self.viewer),
            Terrain::World(_) => Ok(self.terrain.view(&mut self.viewshed, cell, job)?.get(self.viewer)),
        }
    }
}
