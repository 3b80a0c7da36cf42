//! Turns of the viewer and the creatures, and the clock, which changes light and air. Creatures with eyes notice the
//! viewer.

use glam::IVec2;

use super::light;
use crate::creatures::{Creature, Eyes};
use crate::optics::OpticsConfig;
use crate::scene::{Scene, Terrain};
use farsight::Job;
use farsight::grid::{CellSize, ToCell};
use farsight::sight::{Sector, SightError};

impl Scene {
    /// Moves the viewer one step, and advances a turn. Returns `false` if a wall, the edge of the map or a nodata cell
    /// blocks the step; then nothing moves. Water does not block it.
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

    /// Moves the viewer and computes the view. After an error the viewer has not moved.
    pub(super) fn compute_view_from(&mut self, cell: IVec2) -> Result<(), SightError> {
        let old = std::mem::replace(&mut self.viewer, cell);
        self.compute_view().inspect_err(|_| self.viewer = old)
    }

    fn move_creatures(&mut self) {
        let terrain = &self.terrain;
        self.creatures.wander(self.viewer, |cell| terrain.habitat(cell));
    }

    /// Advances a turn.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`].
    pub fn wait(&mut self) -> Result<(), SightError> {
        self.advance_turn()?;
        self.move_creatures();
        self.observe()
    }

    /// Moves the viewer to a cell of the map. No turn passes.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`], [`SightError::ViewerWithoutData`] and [`SightError::RadiusTooLarge`]; the viewer
    /// does not move.
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

    /// Sets the optics of the hour. Returns `true` if the air changes, and with it views and the light of lamps.
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

    /// Advances the clock, if it runs. No turn passes, and nothing moves. Returns `true` if the optics change;
    /// otherwise it computes nothing.
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
    /// Updates the perception of the viewer by creatures with eyes: visibility of the viewer's cell times its light,
    /// with the thresholds and the hysteresis of the viewer's perception.
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

    /// Returns visibility times light of the viewer, as seen by a creature.
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

    /// Returns the visibility of the viewer's cell from another cell, by the method of the preset, without a cone of
    /// vision.
    fn visibility_from(&mut self, cell: IVec2, job: Job<'_>) -> Result<f32, SightError> {
        let radius = self.radius_at(cell);
        self.configure_sight(radius, Sector::ALL)?;
        match &self.terrain {
            Terrain::Map(map) => self.viewshed.field_of_view_mut().line_of_sight(map, cell, self.viewer),
            Terrain::World(_) => Ok(self.terrain.view(&mut self.viewshed, cell, job)?.get(self.viewer)),
        }
    }
}
