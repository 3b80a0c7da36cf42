//! [`Dungeon`]: rooms by binary space partitioning (BSP), connected by corridors.
//!
//! ```text
//!   ┌─────────┬──────┐    The map is split in two, and each part again, until a part is about as
//!   │ ▒▒▒▒    │ ▒▒▒  │    large as a room. Each leaf of the tree gets one room at a random place.
//!   │ ▒▒▒▒────┼─▒▒▒  │    Then, from the leaves up, a corridor connects a room of one half with a
//!   ├────┼────┤  │   │    near room of the other half. So all rooms are connected, and none
//!   │ ▒▒▒▒▒▒  │ ▒▒▒  │    overlaps another.
//!   └─────────┴──────┘
//! ```
//!
//! # References
//! *Basic BSP Dungeon generation*, RogueBasin.

use std::ops::{Range, RangeInclusive};

use glam::{IVec2, ivec2};

use farsight::grid::{CellRect, Grid};
use farsight::internal::math::SplitMix64;
use farsight::setters;
use farsight::sight::OutOfRange;

/// The configuration of a dungeon. The same configuration gives the same dungeon on every platform.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DungeonConfig {
    /// The seed of the random numbers.
    pub seed: u32,
    /// Columns of the map, in cells, including its outer walls.
    pub width: u32,
    /// Rows of the map, in cells, including its outer walls.
    pub height: u32,
    /// Minimum side of a room, in cells, without its walls.
    pub room_min: u32,
    /// Maximum side of a room, in cells, without its walls.
    pub room_max: u32,
    /// The probability that a second corridor connects two halves, 0 to 1.
    pub loops: f64,
}

impl Default for DungeonConfig {
    fn default() -> Self {
        Self { seed: 1, width: 128, height: 96, room_min: 6, room_max: 18, loops: 0.25 }
    }
}

impl DungeonConfig {
    /// The maximum side of a map, in cells.
    pub const MAX_SIDE: u32 = 16_384;

    /// The valid range of `room_min` and `room_max`.
    pub const ROOM_SIDES: RangeInclusive<u32> = 2..=256;

    /// The valid range of `loops`.
    pub const LOOPS: RangeInclusive<f64> = 0.0..=1.0;

    setters! {
        with_seed(seed: u32), with_width(width: u32), with_height(height: u32), with_room_min(room_min: u32),
        with_room_max(room_max: u32), with_loops(loops: f64),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`DungeonError`] for the first value out of range.
    pub fn check(&self) -> Result<(), DungeonError> {
        let (min, max) = (f64::from(*Self::ROOM_SIDES.start()), f64::from(*Self::ROOM_SIDES.end()));
        OutOfRange::check("room_min", self.room_min.into(), min..=max)?;
        OutOfRange::check("room_max", self.room_max.into(), min..=max)?;
        if self.room_min > self.room_max {
            return Err(DungeonError::RoomSides { room_min: self.room_min, room_max: self.room_max });
        }
        let least = self.room_min + 2;
        for (name, side) in [("width", self.width), ("height", self.height)] {
            if !(least..=Self::MAX_SIDE).contains(&side) {
                return Err(DungeonError::Side { name, side, least, limit: Self::MAX_SIDE });
            }
        }
        Ok(OutOfRange::check("loops", self.loops, Self::LOOPS)?)
    }
}

/// A value of a [`DungeonConfig`] that is not valid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DungeonError {
    /// A number is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The least side of a room is above the greatest.
    #[error("room_min: {room_min} is not valid: expected at most room_max, {room_max} cells")]
    RoomSides {
        /// The least side.
        room_min: u32,
        /// The greatest side.
        room_max: u32,
    },
    /// A side of the map is too small or too large.
    #[error("{name}: {side} is not valid: expected {least} (a room and its walls) to {limit} cells")]
    Side {
        /// `width` or `height`.
        name: &'static str,
        /// The given side.
        side: u32,
        /// The least side.
        least: u32,
        /// The maximum side.
        limit: u32,
    },
}

/// A map of rooms and corridors. Steps along the axes connect all floor cells, and the
/// outermost cells of the map are walls.
///
/// ```
/// use farsight_scene::world::{Dungeon, DungeonConfig};
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// let dungeon = Dungeon::generate(&DungeonConfig::default().with_width(60).with_height(40).with_seed(3))?;
/// let (start, first) = (dungeon.start(), dungeon.rooms[0]);
/// let map = OpacityMap::try_from(dungeon.opacity)?;
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let view = fov.compute(&map, start)?;
/// assert!(view.visible().count() > first.width() * first.height()); // the room and its walls
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dungeon {
    /// The opacity of every cell: 1 for walls, 0 for floor.
    pub opacity: Grid<f32>,
    /// The floors of the rooms, without walls: at least one; none overlaps another.
    pub rooms: Vec<CellRect>,
}

impl Dungeon {
    /// Generates a dungeon. Memory and time grow with the area of the map.
    ///
    /// # Errors
    /// [`DungeonError`] for the first value out of range.
    ///
    /// ```
    /// use farsight_scene::world::{Dungeon, DungeonConfig};
    /// let dungeon = Dungeon::generate(&DungeonConfig::default().with_seed(7))?;
    /// assert_eq!(dungeon.opacity[dungeon.start()], 0.0);
    /// # Ok::<(), farsight_scene::world::DungeonError>(())
    /// ```
    pub fn generate(config: &DungeonConfig) -> Result<Self, DungeonError> {
        config.check()?;
        let opacity = Grid::new(config.width as usize, config.height as usize, 1.0);
        let map = CellRect::of_size(opacity.size());
        let mut builder = DungeonBuilder {
            random: SplitMix64::new(u64::from(config.seed)),
            room_min: config.room_min as i32,
            room_max: config.room_max as i32,
            loops: config.loops,
            dungeon: Self { opacity, rooms: Vec::new() },
        };
        builder.fill(map);
        Ok(builder.dungeon)
    }

    /// Returns the cell at which a viewer starts: the centre of the first room.
    pub fn start(&self) -> IVec2 {
        self.rooms.first().map_or(IVec2::ZERO, |room| room.centre())
    }

    /// Returns the cells for doors, row by row: corridor cells with a wall on both sides and a room in front or behind.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight_scene::world::{Dungeon, DungeonConfig};
    /// let dungeon = Dungeon::generate(&DungeonConfig::default())?;
    /// let doors = dungeon.doorways();
    /// let mut map = OpacityMap::try_from(dungeon.opacity)?;
    /// map.set_many(doors.into_iter().map(|door| (door, 1.0)))?; // all doors are closed
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn doorways(&self) -> Vec<IVec2> {
        let is_floor = |cell| self.opacity.get(cell) == Some(&0.0);
        let is_in_room = |cell| self.rooms.iter().any(|room| room.contains(cell));
        let is_passage = |cell: IVec2, side: IVec2| {
            let ahead = side.perp();
            !is_floor(cell + side) && !is_floor(cell - side) && (is_in_room(cell + ahead) || is_in_room(cell - ahead))
        };
        let is_doorway = |&cell: &IVec2| is_passage(cell, IVec2::X) || is_passage(cell, IVec2::Y);
        let corridors = self.opacity.iter().map(|(cell, _)| cell).filter(|&cell| is_floor(cell) && !is_in_room(cell));
        corridors.filter(is_doorway).collect()
    }
}

struct DungeonBuilder {
    random: SplitMix64,
    room_min: i32,
    room_max: i32,
    loops: f64,
    dungeon: Dungeon,
}

impl DungeonBuilder {
    /// Fills a part of the map with connected rooms, and returns their indices.
    fn fill(&mut self, part: CellRect) -> Range<usize> {
        let first_room = self.dungeon.rooms.len();
        let Some([first_part, second_part]) = self.split(part) else {
            self.add_room(part);
            return first_room..first_room + 1;
        };
        let first_rooms = self.fill(first_part);
        let second_rooms = self.fill(second_part);
        self.connect(second_part, first_rooms.clone(), second_rooms.clone());
        if self.random.chance(self.loops) {
            self.connect(second_part, first_rooms, second_rooms.clone());
        }
        first_room..second_rooms.end
    }

    /// Splits a part in two, each with space for a room and its walls; `None` if it is a leaf.
    fn split(&mut self, part: CellRect) -> Option<[CellRect; 2]> {
        let least = self.room_min + 2;
        let IVec2 { x: width, y: height } = part.size();
        if width.max(height) <= self.room_max + 2 {
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
        // In the middle third, if both sides have enough space.
        let low = least.max(side / 3);
        let at = self.random.within(low, side - low);
        let (first, second) =
            if along_x { (ivec2(at, height), ivec2(at, 0)) } else { (ivec2(width, at), ivec2(0, at)) };
        Some([CellRect { min: part.min, max: part.min + first }, CellRect { min: part.min + second, max: part.max }])
    }

    /// Adds a room at a random place of a part, with space for a wall on all sides.
    fn add_room(&mut self, part: CellRect) {
        let space = part.size() - 2;
        let width = self.random.within(self.room_min, self.room_max.min(space.x));
        let height = self.random.within(self.room_min, self.room_max.min(space.y));
        let x = self.random.within(0, space.x - width);
        let y = self.random.within(0, space.y - height);
        let min = part.min + 1 + ivec2(x, y);
        let room = CellRect { min, max: min + ivec2(width, height) };
        self.carve(room.min, room.max - 1);
        self.dungeon.rooms.push(room);
    }

    /// Connects two groups of rooms by a corridor, near a random cell of the part of the second group.
    fn connect(&mut self, other_part: CellRect, one_rooms: Range<usize>, other_rooms: Range<usize>) {
        let near = self.random_cell(other_part);
        let from = self.nearest_room(near, one_rooms);
        let to = self.nearest_room(from.centre(), other_rooms);
        let (low, high) = (from.min.max(to.min), from.max.min(to.max) - 1);
        let mut start = self.random_cell(from);
        let mut end = self.random_cell(to);
        // Rooms with a common row or column get a straight corridor.
        if low.x <= high.x {
            start.x = self.random.within(low.x, high.x);
            end.x = start.x;
        } else if low.y <= high.y {
            start.y = self.random.within(low.y, high.y);
            end.y = start.y;
        }
        let corner = if self.random.chance(0.5) { ivec2(start.x, end.y) } else { ivec2(end.x, start.y) };
        self.carve(start, corner);
        self.carve(corner, end);
    }

    /// Returns the first of the rooms that are nearest to a cell.
    fn nearest_room(&self, cell: IVec2, rooms: Range<usize>) -> CellRect {
        let rooms = self.dungeon.rooms[rooms].iter().copied();
        rooms.min_by_key(|&room| distance(room, cell)).expect("every part has a room")
    }

    fn random_cell(&mut self, rect: CellRect) -> IVec2 {
        let last = rect.size() - 1;
        let x = self.random.within(0, last.x);
        let y = self.random.within(0, last.y);
        rect.min + ivec2(x, y)
    }

    /// Sets the rectangle with these two corners to floor.
    fn carve(&mut self, from: IVec2, to: IVec2) {
        let (low, high) = (from.min(to), from.max(to));
        for y in low.y..=high.y {
            self.dungeon.opacity.row_mut(y as usize)[low.x as usize..=high.x as usize].fill(0.0);
        }
    }
}

/// Returns the Manhattan distance of a cell from a room.
fn distance(room: CellRect, cell: IVec2) -> i32 {
    (cell - cell.clamp(room.min, room.max - 1)).abs().element_sum()
}
