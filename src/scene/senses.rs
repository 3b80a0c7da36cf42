//! Creatures with eyes of their own, which notice the viewer.

use glam::IVec2;

use crate::grid::CellSize;
use crate::job::Job;
use crate::perception::{Creature, Eyes, PlacedCreature};
use crate::preset::Preset;
use crate::scene::{Scene, SceneError, Terrain};
use crate::sight::{Sector, SightError};

impl Scene {
    /// Places a creature besides those that there are. No turn passes.
    ///
    /// ```
    /// use farsight::Job;
    /// use farsight::perception::{PlacedCreature, Species};
    /// use farsight::prelude::*;
    /// let map = OpacityMap::from_text("@...\n..#.")?;
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), map, Some(ivec2(0, 0)), Job::quiet())?;
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
    pub(super) fn update_noticed(&mut self) {
        let thresholds = self.preset.perception.thresholds();
        for i in 0..self.creatures.all().len() {
            let Creature { species, cell, facing, .. } = self.creatures.all()[i];
            if let Some(eyes) = species.eyes {
                let perceived = self.perceived_by(eyes, cell, facing).unwrap_or(0.0); // the cells are on the map
                self.creatures.set_noticed(i, thresholds, perceived);
            }
        }
    }

    /// Returns visibility times light of the viewer, as a creature sees it.
    fn perceived_by(&mut self, eyes: Eyes, cell: IVec2, facing: f64) -> Result<f32, SightError> {
        let cell_size = self.terrain.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(cell));
        let (viewer, offset) = (self.viewer, self.viewer - cell);
        let is_in_range = cell_size.is_in_range(offset, eyes.radius);
        if !is_in_range || !Sector::new(facing, eyes.span).contains_in(offset, cell_size.ratios()) {
            return Ok(0.0);
        }
        let light = self.seen_light().light(cell, viewer).max(eyes.night_vision);
        Ok(self.visibility_from(cell)? * light)
    }

    /// Returns the visibility of the viewer's cell from another one, by the method of the preset and all around.
    fn visibility_from(&mut self, cell: IVec2) -> Result<f32, SightError> {
        let radius = self.radius_at(cell);
        if let Some(classic) = self.preset.classic.config(radius) {
            return Ok(self.classic_view(&self.terrain, cell, &classic)?.visibility(self.viewer));
        }
        self.configure_sight(radius, Sector::ALL)?;
        match &self.terrain {
            Terrain::Map(map) => self.viewshed.field_of_view_mut().line_of_sight(map, cell, self.viewer),
            Terrain::World(_) => Ok(self.terrain.view(&mut self.viewshed, cell, Job::quiet())?.get(self.viewer)),
        }
    }
}
