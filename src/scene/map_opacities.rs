//! [`MapOpacities`]: what changed cells are on the map, so that they can return to it.

use std::collections::BTreeMap;

use glam::IVec2;

use crate::perception::Habitat;
use crate::preset::ChangedCell;
use crate::scene::Terrain;

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
    pub(super) fn habitat(&self, terrain: &Terrain, cell: IVec2) -> Option<Habitat> {
        let Terrain::Map(_) = terrain else { return terrain.habitat(cell) };
        self.can_enter(terrain, &[], cell).then_some(Habitat::Floor)
    }

    /// Returns `true` if a cell can be entered on the map, or with the changes of a preset.
    pub(super) fn can_enter(&self, terrain: &Terrain, cells: &[ChangedCell], cell: IVec2) -> bool {
        let Terrain::Map(map) = terrain else { return terrain.can_enter(cell) };
        let changed = cells.iter().rev().find(|changed| changed.at == cell).map(|changed| changed.opacity as f32);
        changed.is_some_and(|opacity| opacity < 1.0) || map.get(cell).is_some_and(|now| self.get(cell, now) < 1.0)
    }
}
