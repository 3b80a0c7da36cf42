//! Lamps, creatures, observers and names on cells of the map; [`MapOpacities`]: what changed cells are on the map, so that they can
//! return to it.

use std::collections::BTreeMap;

use glam::IVec2;

use crate::grid::CellRect;
use crate::perception::{Creatures, Habitat};
use crate::preset::{ChangedCell, Preset};
use crate::scene::{SceneError, Terrain};

/// Checks that everything is on a cell of the map, all but names on one with data, no creature inside a wall, and no cell of a world changed.
pub(super) fn check(terrain: &Terrain, map_opacities: &MapOpacities, preset: &Preset) -> Result<(), SceneError> {
    let can_enter = |cell| map_opacities.can_enter(terrain, &preset.cells, cell);
    check_cells((terrain.size(), terrain.world().is_some()), preset, |cell| terrain.has_data(cell), can_enter)
}

/// Checks that everything is on a cell of a generated world, which has data everywhere and no walls.
pub(super) fn check_in_world(size: IVec2, preset: &Preset) -> Result<(), SceneError> {
    check_cells((size, true), preset, |_| true, |_| true)
}

fn check_cells(
    (size, is_world): (IVec2, bool),
    preset: &Preset,
    has_data: impl Fn(IVec2) -> bool,
    can_enter: impl Fn(IVec2) -> bool,
) -> Result<(), SceneError> {
    let lamps = preset.lamps.iter().map(|lamp| lamp.at).enumerate().map(|(i, cell)| ("lamps", i, cell));
    let creatures = preset.creatures.iter().map(|placed| placed.at).enumerate().map(|(i, cell)| ("creatures", i, cell));
    let viewers = preset.viewers.iter().map(|observer| observer.at).enumerate().map(|(i, cell)| ("viewers", i, cell));
    let cells = preset.cells.iter().map(|changed| changed.at).enumerate().map(|(i, cell)| ("cells", i, cell));
    let names = preset.names.iter().map(|named| named.at).enumerate().map(|(i, cell)| ("names", i, cell));
    for (list, i, cell) in lamps.chain(creatures).chain(viewers).chain(cells).chain(names) {
        let what = || format!("{list}[{i}]");
        if !CellRect::of_size(size).contains(cell) {
            return Err(SceneError::OffMap { what: what(), cell, width: size.x, height: size.y });
        }
        // Seas and lakes often have no data.
        if list != "names" && !has_data(cell) {
            return Err(SceneError::NoGround { what: what(), cell });
        }
        if list == "creatures" && !can_enter(cell) {
            return Err(SceneError::InWall { what: what(), cell });
        }
        if list == "cells" && is_world {
            return Err(SceneError::NoOpacities { what: what(), cell });
        }
    }
    Ok(())
}

/// Creates the creatures that settle by chance, then those on chosen cells.
pub(super) fn creatures(terrain: &Terrain, map_opacities: &MapOpacities, preset: &Preset) -> Creatures {
    let density = preset.perception.creatures;
    let habitat = |cell| map_opacities.habitat(terrain, cell);
    let mut creatures = Creatures::spawn(preset.world.seed, terrain.size(), density, habitat);
    for placed in &preset.creatures {
        creatures.place(placed);
    }
    creatures
}

/// The opacities that changed cells have on the map.
#[derive(Clone, Debug, Default)]
pub(super) struct MapOpacities(BTreeMap<[i32; 2], f32>);

impl MapOpacities {
    /// Returns the opacity of a cell on the map, given its present one.
    pub(super) fn get(&self, cell: IVec2, present: f32) -> f32 {
        self.0.get(&cell.to_array()).copied().unwrap_or(present)
    }

    /// Changes the terrain to the cells of a preset, which are on the map. Returns the cells whose opacity is another than before.
    pub(super) fn change(&mut self, terrain: &mut Terrain, cells: &[ChangedCell]) -> Vec<IVec2> {
        let Terrain::Map(map) = terrain else { return Vec::new() };
        let mut wanted = std::mem::take(&mut self.0);
        for changed in cells {
            let cell = changed.at.to_array();
            let on_map = wanted.get(&cell).copied().or_else(|| map.get(changed.at));
            self.0.entry(cell).or_insert(on_map.unwrap_or_default());
        }
        wanted.extend(cells.iter().map(|changed| (changed.at.to_array(), changed.opacity as f32)));
        wanted.retain(|cell, opacity| map.get(*cell) != Some(*opacity));
        let set = map.set_many(wanted.iter().map(|(cell, opacity)| (*cell, *opacity)));
        debug_assert!(set.is_ok(), "the cells were checked");
        wanted.into_keys().map(IVec2::from).collect()
    }

    /// Returns the habitat of a cell on the map, without changes.
    fn habitat(&self, terrain: &Terrain, cell: IVec2) -> Option<Habitat> {
        let Terrain::Map(_) = terrain else { return terrain.habitat(cell) };
        self.can_enter(terrain, &[], cell).then_some(Habitat::Floor)
    }

    /// Returns `true` if a cell can be entered on the map, or with the changes of a preset.
    fn can_enter(&self, terrain: &Terrain, cells: &[ChangedCell], cell: IVec2) -> bool {
        let Terrain::Map(map) = terrain else { return terrain.can_enter(cell) };
        let changed = cells.iter().rev().find(|changed| changed.at == cell).map(|changed| changed.opacity as f32);
        changed.is_some_and(|opacity| opacity < 1.0) || map.get(cell).is_some_and(|now| self.get(cell, now) < 1.0)
    }
}
