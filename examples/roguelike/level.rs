//! The dungeon before the first turn.

use farsight::Grid;
use farsight::glam::{IVec2, ivec2};
use farsight::light::{Flicker, Lamp, Rgb};
use farsight::world::{Dungeon, DungeonConfig};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tile {
    Wall,
    Floor,
    Fog,
    ClosedDoor,
    OpenDoor,
}

impl Tile {
    /// The letter of the tile, and the share of light that it takes: all that farsight needs to know.
    pub(crate) fn letter_and_opacity(self) -> (char, f32) {
        match self {
            Self::Wall => ('#', 1.0),
            Self::Floor => ('.', 0.0),
            Self::Fog => ('~', 0.12),
            Self::ClosedDoor => ('+', 1.0),
            Self::OpenDoor => ('\'', 0.0),
        }
    }
}

pub(crate) struct Level {
    pub(crate) tiles: Grid<Tile>,
    pub(crate) stairs: IVec2,
    pub(crate) crown: IVec2,
    pub(crate) torches: Vec<Lamp>,
    pub(crate) guards: Vec<IVec2>,
    /// The middles of the rooms, between which guards patrol.
    pub(crate) posts: Vec<IVec2>,
}

impl Level {
    pub(crate) fn generate(seed: u32) -> Result<Self, crate::Failure> {
        let config = DungeonConfig::default().with_seed(seed).with_width(80).with_height(20);
        let dungeon = Dungeon::generate(&config.with_room_min(4).with_room_max(12).with_loops(0.6))?;
        let mut random = Random(u64::from(seed));
        let mut tiles = dungeon.opacity.map(|&opacity| if opacity == 1.0 { Tile::Wall } else { Tile::Floor });

        // A door is where a corridor enters a room: a wall on both sides, the room before or behind.
        let in_room = |cell| dungeon.rooms.iter().any(|room| room.contains(cell));
        let is_wall = |cell| dungeon.opacity.get(cell) != Some(&0.0);
        let is_gate = |cell: IVec2, side: IVec2, ahead: IVec2| {
            is_wall(cell + side) && is_wall(cell - side) && (in_room(cell + ahead) || in_room(cell - ahead))
        };
        for (cell, _) in dungeon.opacity.iter().filter(|&(cell, _)| !is_wall(cell) && !in_room(cell)) {
            if is_gate(cell, IVec2::X, IVec2::Y) || is_gate(cell, IVec2::Y, IVec2::X) {
                tiles[cell] = Tile::ClosedDoor;
            }
        }

        // The further from the stairs, the deeper: the crown is in the deepest room, and the last third is the cellar.
        let stairs = dungeon.start();
        let depth = distances(&tiles, stairs);
        let mut rooms = dungeon.rooms;
        rooms.sort_by_key(|room| depth[room.min + room.size() / 2]);
        let posts: Vec<IVec2> = rooms.iter().map(|room| room.min + room.size() / 2).collect();
        let crown = posts[posts.len() - 1];
        let is_cellar = |cell: IVec2| depth[cell] > depth[crown] * 2 / 3;
        tiles = Grid::from_fn(tiles.width(), tiles.height(), |cell| match tiles[cell] {
            Tile::Floor if is_cellar(cell) => Tile::Fog,
            tile => tile,
        });

        // Three rooms of four are lit. Guards start in the deeper half, so that the first room is safe.
        let mut torches = Vec::new();
        for room in &rooms[..rooms.len() - 1] {
            let at = room.min + ivec2(random.below(room.width()), random.below(room.height()));
            let colour = if is_cellar(at) { Rgb([96, 255, 160]) } else { Rgb([255, 150, 60]) };
            if random.below(4) > 0 && at != stairs {
                torches.push(Lamp::new(at).with_reach(9.0).with_colour(colour).with_flicker(Flicker::Flame));
            }
        }
        let guards = posts.iter().skip(posts.len() / 2).step_by(2).take(4).copied().collect();
        Ok(Self { tiles, stairs, crown, torches, guards, posts })
    }
}

pub(crate) fn neighbours(cell: IVec2) -> impl Iterator<Item = IVec2> {
    // Straight steps first: of two ways that are equally long, they look more natural.
    let steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    steps.into_iter().map(move |step| cell + IVec2::from(step))
}

/// Returns the number of steps from every cell to `goal`, through doors; `u32::MAX` where there is no way.
pub(crate) fn distances(tiles: &Grid<Tile>, goal: IVec2) -> Grid<u32> {
    let mut steps = Grid::new(tiles.width(), tiles.height(), u32::MAX);
    steps[goal] = 0;
    let mut queue = std::collections::VecDeque::from([goal]);
    while let Some(cell) = queue.pop_front() {
        for next in neighbours(cell) {
            if tiles.get(next).is_some_and(|&tile| tile != Tile::Wall) && steps[next] == u32::MAX {
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
