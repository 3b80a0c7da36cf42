//! Lamps, creatures, observers and names on cells of the map.

use glam::IVec2;

use super::painting::{self, Painting};
use crate::creatures::Creatures;
use crate::preset::{ChangedCell, Preset};
use crate::scene::{SceneError, Terrain};
use farsight::grid::CellRect;

/// Checks that all entries are on the map, all except names on cells with data, no creature is inside a wall, and no
/// cell of a world is changed.
pub(super) fn check(terrain: &Terrain, painting: &Painting, preset: &Preset) -> Result<(), SceneError> {
    let can_enter = |cell| painting.can_enter(cell) || is_opened(&preset.cells, cell);
    check_cells((terrain.size(), terrain.world().is_some()), preset, |cell| terrain.has_data(cell), can_enter)
}

/// Checks that all entries are on a generated world, which has neither nodata nor walls.
pub(super) fn check_in_world(size: IVec2, preset: &Preset) -> Result<(), SceneError> {
    check_cells((size, true), preset, |_| true, |_| true)
}

fn check_cells(
    (size, is_world): (IVec2, bool),
    preset: &Preset,
    has_data: impl Fn(IVec2) -> bool,
    can_enter: impl Fn(IVec2) -> bool,
) -> Result<(), SceneError> {
    painting::check(&preset.strokes, is_world)?;
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
        // Seas and lakes are often nodata.
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

/// Returns `true` if a change makes a cell enterable.
fn is_opened(cells: &[ChangedCell], cell: IVec2) -> bool {
    cells.iter().rfind(|changed| changed.at == cell).is_some_and(|changed| (changed.opacity as f32) < 1.0)
}

/// Creates the creatures on random cells, then those on given cells. They do not depend on strokes and changed cells,
/// so that a door can open without a new scene. A preview has none, since they would be elsewhere in the world.
pub(super) fn creatures(painting: &Painting, terrain: &Terrain, preset: &Preset) -> Creatures {
    let is_preview = terrain.world().is_some_and(|world| world.is_preview());
    let density = if is_preview { 0.0 } else { preset.perception.creatures };
    let mut creatures = Creatures::spawn(preset.world.seed, terrain.size(), density, |cell| painting.habitat(cell));
    for placed in preset.creatures.iter().filter(|_| !is_preview) {
        creatures.place(placed);
    }
    creatures
}
