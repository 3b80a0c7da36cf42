//! A level as letters: `#` wall, `.` floor, `~` fog, `+` closed door, `'` open door, `*` torch, `<` exit; `$` and `g`
//! are the initial places of the crown and the guards.

use farsight_scene::prelude::*;

use crate::Failure;

/// Returns the opacity of a tile, the only input of farsight.
pub(crate) fn opacity(tile: char) -> f32 {
    let opacities = [('#', 1.0), ('+', 1.0), ('~', 0.12)];
    opacities.into_iter().find(|(letter, _)| *letter == tile).map_or(0.0, |(_, opacity)| opacity)
}

/// Returns the steps from everywhere to a cell, through doors.
pub(crate) fn ways_to(goal: IVec2, tiles: &Grid<char>) -> DistanceMap {
    DistanceMap::new(CellRect::of_size(tiles.size()), goal, |cell| tiles[cell] != '#')
}

/// Creates a level: a dungeon with torches and guards, its deepest third a cellar full of fog.
pub(crate) fn generate(seed: u32) -> Result<Grid<char>, Failure> {
    let config = DungeonConfig::default().with_seed(seed).with_width(80).with_height(20);
    let mut dungeon = Dungeon::generate(&config.with_room_min(4).with_room_max(12).with_loops(0.6))?;
    let mut tiles = dungeon.opacity.map(|&opacity| if opacity == 1.0 { '#' } else { '.' });
    dungeon.doorways().into_iter().for_each(|door| tiles[door] = '+');
    // The further from the exit, the deeper. The crown is in the deepest room.
    let exit = dungeon.start();
    let ways = ways_to(exit, &tiles);
    let depth = |cell| ways.get(cell).unwrap_or(0);
    dungeon.rooms.sort_by_key(|room| depth(room.centre()));
    let crown = dungeon.rooms.last().map_or(exit, |room| room.centre());
    for cell in CellRect::of_size(tiles.size()).cells().filter(|&cell| depth(cell) > depth(crown) * 2 / 3) {
        tiles[cell] = if tiles[cell] == '.' { '~' } else { tiles[cell] };
    }
    // Two rooms of three have a torch. The guards start in the deeper rooms, so that the first is safe.
    for (index, room) in dungeon.rooms.iter().enumerate().filter(|(index, _)| index % 3 < 2) {
        tiles[if index % 2 == 0 { room.min } else { room.max - 1 }] = '*';
    }
    dungeon.rooms.iter().rev().step_by(2).take(3).for_each(|room| tiles[room.centre() - IVec2::X] = 'g');
    (tiles[exit], tiles[crown]) = ('<', '$');
    Ok(tiles)
}
