//! [`Dungeon`]: rooms by binary space partition, joined by corridors.
//!
//! ```text
//!   ┌─────────┬──────┐    The map is cut in two, and each part again, until a part is about as
//!   │ ▒▒▒▒    │ ▒▒▒  │    large as a room. Every part gets one room, somewhere inside it. Then the
//!   │ ▒▒▒▒────┼─▒▒▒  │    cuts are undone one by one: where two halves meet again, a corridor
//!   ├────┼────┤  │   │    joins a room of one with a near room of the other. So all rooms are
//!   │ ▒▒▒▒▒▒  │ ▒▒▒  │    joined, and none lies on top of another.
//!   └─────────┴──────┘
//! ```

use std::ops::{Range, RangeInclusive};

use glam::{IVec2, ivec2};

use crate::grid::Grid;
use crate::math::SplitMix64;

/// What a dungeon looks like. The same configuration gives the same dungeon everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct DungeonConfig {
    /// Which of the dungeons of this kind.
    pub seed: u32,
    /// Columns of the map, in cells, its outer walls included.
    pub width: u32,
    /// Rows of the map, in cells, its outer walls included.
    pub height: u32,
    /// Least side of a room, in cells, without its walls.
    pub room_min: u32,
    /// Greatest side of a room, in cells, without its walls.
    pub room_max: u32,
    /// How often two halves are joined by a second corridor, in [0, 1].
    pub loops: f64,
}

impl Default for DungeonConfig {
    fn default() -> Self {
        Self { seed: 1, width: 128, height: 96, room_min: 6, room_max: 18, loops: 0.25 }
    }
}

impl DungeonConfig {
    /// The longest side of a map, in cells.
    pub const MAX_SIDE: u32 = 16_384;

    /// The valid range of `room_min` and `room_max`.
    pub const ROOM_SIDES: RangeInclusive<u32> = 2..=256;

    /// The valid range of `loops`.
    pub const LOOPS: RangeInclusive<f64> = 0.0..=1.0;

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`DungeonError`] for the first value that is out of its range.
    pub fn check(&self) -> Result<(), DungeonError> {
        for (key, value) in [("room_min", self.room_min), ("room_max", self.room_max)] {
            if !Self::ROOM_SIDES.contains(&value) {
                return Err(DungeonError::Room { key, value });
            }
        }
        if self.room_min > self.room_max {
            return Err(DungeonError::RoomOrder { room_min: self.room_min, room_max: self.room_max });
        }
        for (key, value) in [("width", self.width), ("height", self.height)] {
            let least = self.room_min + 2;
            if !(least..=Self::MAX_SIDE).contains(&value) {
                return Err(DungeonError::Side { key, value, least });
            }
        }
        if !Self::LOOPS.contains(&self.loops) {
            return Err(DungeonError::Loops(self.loops));
        }
        Ok(())
    }
}

/// What is wrong with a [`DungeonConfig`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DungeonError {
    /// A side of the map that holds no room, or is too long.
    #[error(
        "world.{key} = {value} cells is out of range; it goes from {least} (a room and its walls) to {}",
        DungeonConfig::MAX_SIDE
    )]
    Side {
        /// `width` or `height`.
        key: &'static str,
        /// Its value.
        value: u32,
        /// The least that holds one room.
        least: u32,
    },
    /// A side of a room that is out of range.
    #[error("world.{key} = {value} cells is out of range; it goes from 2 to {}", DungeonConfig::ROOM_SIDES.end())]
    Room {
        /// `room_min` or `room_max`.
        key: &'static str,
        /// Its value.
        value: u32,
    },
    /// Rooms whose least side is above their greatest.
    #[error("world.room_min = {room_min} cells is above world.room_max = {room_max}")]
    RoomOrder {
        /// The least side.
        room_min: u32,
        /// The greatest side.
        room_max: u32,
    },
    /// A share outside [0, 1].
    #[error("world.loops = {0} is out of range; it is a share from 0 to 1")]
    Loops(f64),
}

/// A room: a rectangle of floor, without its walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Its top left cell.
    pub min: IVec2,
    /// Columns and rows.
    pub size: IVec2,
}

impl Room {
    /// The cell in its middle; the one to the lower right of the middle where a side is even.
    pub fn centre(&self) -> IVec2 {
        self.min + self.size / 2
    }

    /// Whether a cell is part of its floor.
    pub fn contains(&self, cell: IVec2) -> bool {
        cell.cmpge(self.min).all() && cell.cmplt(self.min + self.size).all()
    }

    /// How far a cell is from its floor, in steps along the axes.
    fn steps_to(&self, cell: IVec2) -> i32 {
        let nearest = cell.clamp(self.min, self.min + self.size - 1);
        let way = (cell - nearest).abs();
        way.x + way.y
    }
}

/// Rooms and corridors. Every floor cell can be reached from every other by steps along the axes,
/// and the outermost cells of the map are walls.
#[derive(Clone, Debug, PartialEq)]
pub struct Dungeon {
    /// The opacity of every cell: 1 for walls, 0 for floor.
    pub opacity: Grid<f32>,
    /// The rooms; there is at least one. None overlaps another.
    pub rooms: Vec<Room>,
}

impl Dungeon {
    /// Digs the dungeon of a configuration. Memory and time grow with the area of the map.
    ///
    /// # Errors
    /// [`DungeonError`] for the first value that is out of its range.
    ///
    /// ```
    /// use farsight::world::{Dungeon, DungeonConfig};
    /// let dungeon = Dungeon::generate(&DungeonConfig { seed: 7, ..Default::default() })?;
    /// assert_eq!(dungeon.opacity[dungeon.start()], 0.0);
    /// # Ok::<(), farsight::world::DungeonError>(())
    /// ```
    pub fn generate(config: &DungeonConfig) -> Result<Self, DungeonError> {
        config.check()?;
        let opacity = Grid::new(config.width as usize, config.height as usize, 1.0);
        let mut digger = Digger {
            random: SplitMix64::new(u64::from(config.seed)),
            room: [config.room_min as i32, config.room_max as i32],
            loops: config.loops,
            dungeon: Self { opacity, rooms: Vec::new() },
        };
        digger.dig(Room { min: IVec2::ZERO, size: digger.dungeon.opacity.size() });
        Ok(digger.dungeon)
    }

    /// A cell to begin at: the middle of the first room.
    pub fn start(&self) -> IVec2 {
        self.rooms.first().map_or(IVec2::ZERO, Room::centre)
    }
}

/// A dungeon that is being dug.
struct Digger {
    random: SplitMix64,
    room: [i32; 2],
    loops: f64,
    dungeon: Dungeon,
}

impl Digger {
    /// Fills a part of the map with rooms that are all joined, and answers which rooms they are.
    fn dig(&mut self, part: Room) -> Range<usize> {
        let first = self.dungeon.rooms.len();
        let Some([one, other]) = self.cut(part) else {
            self.dig_room(part);
            return first..first + 1;
        };
        let near = self.dig(one);
        let far = self.dig(other);
        self.join(other, near.clone(), far.clone());
        if self.random.chance(self.loops) {
            self.join(other, near, far.clone());
        }
        first..far.end
    }

    /// Cuts a part in two, each of which still holds a room with its walls; `None` where it should stay whole.
    fn cut(&mut self, part: Room) -> Option<[Room; 2]> {
        let least = self.room[0] + 2;
        let roomy = self.room[1] + 2;
        let (width, height) = (part.size.x, part.size.y);
        if width.max(height) <= roomy {
            return None;
        }
        let longer_is_x = if 4 * width > 5 * height {
            true
        } else if 4 * height > 5 * width {
            false
        } else {
            self.random.chance(0.5)
        };
        let along_x = if longer_is_x { width >= 2 * least } else { height < 2 * least };
        let side = if along_x { width } else { height };
        if side < 2 * least {
            return None;
        }
        // Somewhere in the middle third, as far as both halves allow.
        let low = least.max(side / 3);
        let at = self.random.within(low, side - low);
        let (first, second) =
            if along_x { (ivec2(at, height), ivec2(at, 0)) } else { (ivec2(width, at), ivec2(0, at)) };
        Some([Room { min: part.min, size: first }, Room { min: part.min + second, size: part.size - second }])
    }

    /// Digs one room somewhere in a part, with a wall's width left on all sides.
    fn dig_room(&mut self, part: Room) {
        let [least, most] = self.room;
        let space = part.size - 2;
        let width = self.random.within(least, most.min(space.x));
        let height = self.random.within(least, most.min(space.y));
        let x = self.random.within(0, space.x - width);
        let y = self.random.within(0, space.y - height);
        let room = Room { min: part.min + 1 + ivec2(x, y), size: ivec2(width, height) };
        for row in 0..height {
            self.dig_line(room.min + ivec2(0, row), room.min + ivec2(width - 1, row));
        }
        self.dungeon.rooms.push(room);
    }

    /// Joins two groups of rooms by one corridor, near a random place of the second group's part.
    fn join(&mut self, other: Room, one_group: Range<usize>, other_group: Range<usize>) {
        let place = self.cell_of(other);
        let from = self.nearest(place, one_group);
        let to = self.nearest(from.centre(), other_group);
        let (low, high) = (from.min.max(to.min), (from.min + from.size).min(to.min + to.size) - 1);
        let mut start = self.cell_of(from);
        let mut end = self.cell_of(to);
        // Rooms that face each other are joined by a straight corridor.
        if low.x <= high.x {
            start.x = self.random.within(low.x, high.x);
            end.x = start.x;
        } else if low.y <= high.y {
            start.y = self.random.within(low.y, high.y);
            end.y = start.y;
        }
        let corner = if self.random.chance(0.5) { ivec2(start.x, end.y) } else { ivec2(end.x, start.y) };
        self.dig_line(start, corner);
        self.dig_line(corner, end);
    }

    /// The room of a group that is nearest to a cell; the first of them where several are.
    fn nearest(&self, cell: IVec2, group: Range<usize>) -> Room {
        let rooms = &self.dungeon.rooms[group];
        rooms.iter().copied().min_by_key(|room| room.steps_to(cell)).expect("every part has a room")
    }

    /// A random cell of a rectangle.
    fn cell_of(&mut self, room: Room) -> IVec2 {
        let x = self.random.within(0, room.size.x - 1);
        let y = self.random.within(0, room.size.y - 1);
        room.min + ivec2(x, y)
    }

    /// Makes floor of all cells between two that share a row or a column.
    fn dig_line(&mut self, from: IVec2, to: IVec2) {
        let (low, high) = (from.min(to), from.max(to));
        for y in low.y..=high.y {
            self.dungeon.opacity.row_mut(y as usize)[low.x as usize..=high.x as usize].fill(0.0);
        }
    }
}
