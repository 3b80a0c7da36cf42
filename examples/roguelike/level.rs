//! The dungeon as letters: `#` wall, `.` floor, `~` fog, `+` closed door, `'` open door; at first also `<` stairs, `$` crown,
//! `*` torch, `g` guard.

use farsight::Grid;
use farsight::glam::{IVec2, ivec2};
use farsight::world::{Dungeon, DungeonConfig};

/// Returns the share of light that a tile takes: all that farsight needs to know.
pub(crate) fn opacity(tile: char) -> f32 {
    match tile {
        '#' | '+' => 1.0,
        '~' => 0.12,
        _ => 0.0,
    }
}

pub(crate) fn generate(seed: u32) -> Result<Grid<char>, crate::Failure> {
    let config = DungeonConfig::default().with_seed(seed).with_width(80).with_height(20);
    let Dungeon { opacity, mut rooms, .. } =
        Dungeon::generate(&config.with_room_min(4).with_room_max(12).with_loops(0.6))?;
    let is_wall = |cell| opacity.get(cell) != Some(&0.0);
    let in_room = |cell| rooms.iter().any(|room| room.contains(cell));
    // A door is where a corridor enters a room: a wall on both sides, the room before or behind.
    let is_gate = |cell: IVec2, side: IVec2, ahead: IVec2| {
        is_wall(cell + side) && is_wall(cell - side) && (in_room(cell + ahead) || in_room(cell - ahead))
    };
    let mut tiles = Grid::from_fn(opacity.width(), opacity.height(), |cell| match cell {
        _ if is_wall(cell) => '#',
        _ if in_room(cell) => '.',
        _ if is_gate(cell, IVec2::X, IVec2::Y) || is_gate(cell, IVec2::Y, IVec2::X) => '+',
        _ => '.',
    });

    // The further from the stairs, the deeper: the crown is in the deepest room, and the last third is the cellar, in fog.
    let stairs = rooms[0].min + rooms[0].size() / 2;
    let depth = distances(&tiles, stairs);
    rooms.sort_by_key(|room| depth[room.min + room.size() / 2]);
    let crown = rooms[rooms.len() - 1].min + rooms[rooms.len() - 1].size() / 2;
    for (cell, _) in depth.iter().filter(|(cell, steps)| !is_wall(*cell) && **steps > depth[crown] * 2 / 3) {
        tiles[cell] = if tiles[cell] == '.' { '~' } else { tiles[cell] };
    }
    // Three rooms of four are lit. Three guards start in the deeper half, so that the first room is safe.
    let mut random = Random(u64::from(seed));
    for (index, room) in rooms.iter().enumerate() {
        let torch = room.min + ivec2(random.below(room.width()), random.below(room.height()));
        tiles[torch] = if random.below(4) > 0 { '*' } else { tiles[torch] };
        if index >= rooms.len() / 2 && index % 2 == 0 && index < rooms.len() / 2 + 6 {
            tiles[room.min + room.size() / 2] = 'g';
        }
    }
    (tiles[stairs], tiles[crown]) = ('<', '$');
    Ok(tiles)
}

pub(crate) fn neighbours(cell: IVec2) -> impl Iterator<Item = IVec2> {
    // Straight steps first: of two ways that are equally long, they look more natural.
    let steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    steps.into_iter().map(move |step| cell + IVec2::from(step))
}

/// Returns the number of steps from every cell to `goal`, through doors; `u32::MAX` where there is no way.
pub(crate) fn distances(tiles: &Grid<char>, goal: IVec2) -> Grid<u32> {
    let mut steps = Grid::new(tiles.width(), tiles.height(), u32::MAX);
    steps[goal] = 0;
    let mut queue = std::collections::VecDeque::from([goal]);
    while let Some(cell) = queue.pop_front() {
        for next in neighbours(cell) {
            if tiles.get(next).is_some_and(|&tile| tile != '#') && steps[next] == u32::MAX {
                steps[next] = steps[cell] + 1;
                queue.push_back(next);
            }
        }
    }
    steps
}

/// Random numbers, the same for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number from 0 up to but excluding `count`.
    pub(crate) fn below(&mut self, count: usize) -> i32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 29)) % count as u64) as i32
    }
}
