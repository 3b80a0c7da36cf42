//! What a preset puts on cells of the map: where it may stand, and the creatures that settle.

use super::error::SceneError;
use super::terrain::Terrain;
use crate::grid::CellRect;
use crate::perception::Creatures;
use crate::preset::Preset;
use crate::scene::Scene;

/// Everything that a preset puts on a cell stands on the map where something is known of it, and creatures in no wall.
pub(super) fn check(terrain: &Terrain, preset: &Preset) -> Result<(), SceneError> {
    let size = terrain.size();
    let lamps = preset.lamps.iter().map(|lamp| lamp.at).enumerate().map(|(i, cell)| ("lamps", i, cell));
    let creatures = preset.creatures.iter().map(|placed| placed.at).enumerate().map(|(i, cell)| ("creatures", i, cell));
    let viewers = preset.viewers.iter().map(|lookout| lookout.at).enumerate().map(|(i, cell)| ("viewers", i, cell));
    for (list, i, cell) in lamps.chain(creatures).chain(viewers) {
        let what = || format!("{list}[{i}]");
        if !CellRect::of_size(size).contains(cell) {
            return Err(SceneError::OffMap { what: what(), cell, width: size.x, height: size.y });
        }
        if !terrain.has_data(cell) {
            return Err(SceneError::NoGround { what: what(), cell });
        }
        if list == "creatures" && !terrain.can_enter(cell) {
            return Err(SceneError::InWall { what: what(), cell });
        }
    }
    Ok(())
}

/// The creatures that settle by themselves, and after them those with a place of their own.
pub(super) fn settle(terrain: &Terrain, preset: &Preset) -> Creatures {
    let density = preset.perception.creatures;
    let mut creatures = Creatures::spawn(preset.world.seed, terrain.size(), density, |cell| terrain.habitat(cell));
    for placed in &preset.creatures {
        creatures.add(placed.kind, placed.at);
    }
    creatures
}

impl Scene {
    /// Lets the creatures follow a preset that took the place of `old`. Where only some were added, all others stay
    /// where they are.
    pub(super) fn resettle(&mut self, old: &Preset) {
        let preset = &self.preset;
        match preset.creatures.strip_prefix(&*old.creatures) {
            Some(added) if preset.perception.creatures == old.perception.creatures => {
                for placed in added {
                    self.creatures.add(placed.kind, placed.at);
                }
            }
            _ => self.creatures = settle(&self.terrain, preset),
        }
    }
}
