//! Lamps, creatures and observers on cells of the map.

use glam::IVec2;

use crate::grid::CellRect;
use crate::perception::Creatures;
use crate::preset::Preset;
use crate::scene::{SceneError, Terrain};

/// Checks that everything is on a cell of the map with data, and no creature inside a wall.
pub(super) fn check(terrain: &Terrain, preset: &Preset) -> Result<(), SceneError> {
    check_cells(terrain.size(), preset, |cell| terrain.has_data(cell), |cell| terrain.can_enter(cell))
}

/// Checks that everything is on a cell of a generated world, which has data everywhere and no walls.
pub(super) fn check_in_world(size: IVec2, preset: &Preset) -> Result<(), SceneError> {
    check_cells(size, preset, |_| true, |_| true)
}

fn check_cells(
    size: IVec2,
    preset: &Preset,
    has_data: impl Fn(IVec2) -> bool,
    can_enter: impl Fn(IVec2) -> bool,
) -> Result<(), SceneError> {
    let lamps = preset.lamps.iter().map(|lamp| lamp.at).enumerate().map(|(i, cell)| ("lamps", i, cell));
    let creatures = preset.creatures.iter().map(|placed| placed.at).enumerate().map(|(i, cell)| ("creatures", i, cell));
    let viewers = preset.viewers.iter().map(|observer| observer.at).enumerate().map(|(i, cell)| ("viewers", i, cell));
    for (list, i, cell) in lamps.chain(creatures).chain(viewers) {
        let what = || format!("{list}[{i}]");
        if !CellRect::of_size(size).contains(cell) {
            return Err(SceneError::OffMap { what: what(), cell, width: size.x, height: size.y });
        }
        if !has_data(cell) {
            return Err(SceneError::NoGround { what: what(), cell });
        }
        if list == "creatures" && !can_enter(cell) {
            return Err(SceneError::InWall { what: what(), cell });
        }
    }
    Ok(())
}

/// Creates the creatures that settle by chance, then those on chosen cells.
pub(super) fn creatures(terrain: &Terrain, preset: &Preset) -> Creatures {
    let density = preset.perception.creatures;
    let mut creatures = Creatures::spawn(preset.world.seed, terrain.size(), density, |cell| terrain.habitat(cell));
    for placed in &preset.creatures {
        creatures.add(placed.kind, placed.at);
    }
    creatures
}
