//! [`RoomFields`]: the fields of an opacity map that the painter reads, for the cells of a picture and a margin.

use glam::IVec2;

use super::ground_fields::CellGroups;
use super::resample::Field;
use super::viewport::Viewport;
use farsight::grid::CellRect;
use farsight::sight::{Door, OpacityMap};

/// The margin in cells that blurs and drawings read.
const MARGIN: i32 = 6;
/// The minimum opacity of walls.
const WALL: f32 = 0.999;
/// The maximum opacity of panes, and their maximum number in a row.
const PANE: f32 = 0.6;
const PANES: i32 = 4;
/// The minimum fraction of walls at which a group of cells is a wall: small enough that thin walls show on small
/// scales.
const WALL_SHARE: f32 = 0.3;
/// The fraction of the border above which an open border makes a map with half-opaque cells outdoors.
const OPEN_BORDER: f32 = 0.25;

/// The kind of a cell of an opacity map, which decides how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellKind {
    Floor,
    Wall,
    /// A window or a curtain: half-opaque, in line with walls.
    Pane,
    /// A hedge outdoors, smoke indoors.
    HalfOpaque,
    Door(Door),
}

impl CellKind {
    /// Returns `true` for cells of the height of walls.
    pub(crate) fn is_block(self) -> bool {
        matches!(self, Self::Wall | Self::Pane | Self::Door(Door::Closed))
    }
}

/// The cells of an opacity map that a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RoomFields {
    pub(crate) rect: CellRect,
    pub(crate) kind: Field<CellKind>,
    pub(crate) opacity: Field,
    pub(crate) has_roof: Field<bool>,
    /// Whether the map has open sky where it has no roof.
    pub(crate) is_outdoors: bool,
    /// Columns and rows of the map, in groups.
    pub(crate) size: IVec2,
}

impl RoomFields {
    pub(crate) fn new(map: &OpacityMap, groups: CellGroups, viewport: &Viewport) -> Self {
        let rect = viewport.cells_near(groups.rect(), MARGIN);
        let opacity = Field::from_fn(rect, |group| groups.mean(group, |cell| map.get(cell).unwrap_or(1.0)));
        let kind = Field::from_fn(rect, |group| {
            let kind = kind_of(map, groups.middle(group));
            if groups.stride == 1 || kind != CellKind::Floor {
                return kind;
            }
            let walls = groups.mean(group, |cell| f32::from(u8::from(kind_of(map, cell) == CellKind::Wall)));
            if walls >= WALL_SHARE { CellKind::Wall } else { CellKind::Floor }
        });
        let has_roof = Field::from_fn(rect, |group| map.has_roof(groups.middle(group)));
        Self { rect, kind, opacity, has_roof, is_outdoors: is_outdoors(map), size: groups.rect().size() }
    }

    /// Returns `true` if the fields have the same cells in their intersection.
    pub(crate) fn agree_with(&self, other: &Self) -> bool {
        let shared = self.rect.intersect(other.rect);
        let agrees = |cell: IVec2| {
            self.kind.nearest(cell) == other.kind.nearest(cell)
                && self.opacity.nearest(cell) == other.opacity.nearest(cell)
                && self.has_roof.nearest(cell) == other.has_roof.nearest(cell)
        };
        (self.size, self.is_outdoors) == (other.size, other.is_outdoors) && shared.cells().all(agrees)
    }

    /// Returns the fraction of grass on each cell. Under a wall, it is that of the ground around it.
    pub(crate) fn grass(&self) -> Field {
        Field::from_fn(self.rect, |cell| {
            if !self.is_outdoors {
                return 0.0;
            }
            if !self.kind.nearest(cell).is_block() {
                return f32::from(u8::from(!self.has_roof.nearest(cell)));
            }
            let around = CellRect::around(cell, 1).cells().filter(|&near| !self.kind.nearest(near).is_block());
            let (grass, ground) = around.fold((0.0, 0.0), |(grass, ground), near| {
                (grass + f32::from(u8::from(!self.has_roof.nearest(near))), ground + 1.0)
            });
            if ground > 0.0 { grass / ground } else { 0.5 }
        })
    }

    /// Returns 1 for cells out of daylight, and for walls next to them; else 0.
    pub(crate) fn indoors(&self) -> Field {
        Field::from_fn(self.rect, |cell| {
            let is_indoors = !self.is_outdoors
                || self.has_roof.nearest(cell)
                || self.kind.nearest(cell).is_block()
                    && CellRect::around(cell, 1).cells().any(|near| self.has_roof.nearest(near));
            f32::from(u8::from(is_indoors))
        })
    }

    /// Returns `true` if the wall of a door or a pane extends from west to east.
    pub(crate) fn is_in_horizontal_wall(&self, cell: IVec2) -> bool {
        let blocks =
            |step: IVec2| [cell - step, cell + step].iter().filter(|&&near| self.kind.nearest(near).is_block()).count();
        blocks(IVec2::X) >= blocks(IVec2::Y)
    }

    /// Returns `true` for cells of the map.
    pub(crate) fn is_on_map(&self, cell: IVec2) -> bool {
        CellRect::of_size(self.size).contains(cell)
    }
}

/// Returns the kind of a cell of the map.
fn kind_of(map: &OpacityMap, cell: IVec2) -> CellKind {
    if let Some(door) = map.door(cell) {
        return CellKind::Door(door);
    }
    let opacity = map.get(cell).unwrap_or(1.0);
    match opacity {
        _ if opacity >= WALL => CellKind::Wall,
        _ if opacity <= 0.0 => CellKind::Floor,
        _ if opacity <= PANE && is_pane(map, cell) => CellKind::Pane,
        _ => CellKind::HalfOpaque,
    }
}

/// Returns `true` for a half-opaque cell in a short row between two walls, with clear cells on both sides.
fn is_pane(map: &OpacityMap, cell: IVec2) -> bool {
    let opacity = |cell: IVec2| map.get(cell).unwrap_or(0.0);
    let is_clear = |cell: IVec2| opacity(cell) <= 0.0;
    [IVec2::X, IVec2::Y].into_iter().any(|along| {
        let length = |step: IVec2| {
            let end = (1..=PANES).find(|&i| opacity(cell + i * step) >= WALL || is_clear(cell + i * step))?;
            (opacity(cell + end * step) >= WALL).then_some(end - 1)
        };
        let across = along.perp();
        let is_thin = is_clear(cell + across) && is_clear(cell - across);
        is_thin && length(along).zip(length(-along)).is_some_and(|(after, before)| after + before < PANES)
    })
}

/// Returns `true` for a map with open sky: one with roofs, or with half-opaque cells that are not between closed walls.
fn is_outdoors(map: &OpacityMap) -> bool {
    if map.roofs().is_some() {
        return true;
    }
    let grid = map.grid();
    let size = grid.size();
    let (mut open, mut border) = (0, 0);
    let edge_rows = [0, size.y - 1].into_iter().flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
    let edge_columns = [0, size.x - 1].into_iter().flat_map(|x| (0..size.y).map(move |y| IVec2::new(x, y)));
    for cell in edge_rows.chain(edge_columns) {
        (open, border) = (open + usize::from(grid[cell] < WALL), border + 1);
    }
    let has_screens = || {
        grid.iter()
            .any(|(cell, &opacity)| opacity > 0.0 && opacity < WALL && kind_of(map, cell) == CellKind::HalfOpaque)
    };
    open as f32 > OPEN_BORDER * border as f32 && has_screens()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, ivec2};

    fn fields(text: &str) -> RoomFields {
        let map = OpacityMap::from_text(text).unwrap();
        let size = map.grid().size();
        let viewport = Viewport { origin: IVec2::ZERO, scale: Vec2::splat(8.0), size: size * 8 };
        RoomFields::new(&map, CellGroups { stride: 1, size }, &viewport)
    }

    #[test]
    fn windows_are_panes_and_hedges_are_not() {
        let fields = fields("..#11#..\n..#__1..\n..####..\n.88...5.");
        let kind = |x, y| fields.kind.nearest(ivec2(x, y));
        assert_eq!([kind(3, 0), kind(5, 1)], [CellKind::Pane; 2]);
        assert_eq!([kind(1, 3), kind(6, 3)], [CellKind::HalfOpaque; 2]);
        assert!(fields.is_outdoors);
        assert_eq!(fields.indoors().nearest(ivec2(3, 1)), 1.0);
        assert_eq!(fields.indoors().nearest(ivec2(0, 0)), 0.0);
        assert_eq!(fields.grass().nearest(ivec2(0, 0)), 1.0);
        assert!((0.2..0.8).contains(&fields.grass().nearest(ivec2(2, 1))));
    }

    #[test]
    fn smoke_in_a_closed_room_makes_no_garden_of_it() {
        assert!(!fields("#####\n#.5.#\n#.55#\n#####").is_outdoors);
        assert!(!fields(".....\n..#..\n.....").is_outdoors);
        assert!(fields(".....\n..5..\n.....").is_outdoors);
    }

    #[test]
    fn doors_know_the_direction_of_their_wall() {
        let fields = fields("#.#.#\n#.+.#\n#.#.#\n#'###");
        assert!(!fields.is_in_horizontal_wall(ivec2(2, 1)));
        assert!(fields.is_in_horizontal_wall(ivec2(1, 3)));
        assert_eq!(fields.kind.nearest(ivec2(2, 1)), CellKind::Door(Door::Closed));
        assert_eq!(fields.kind.nearest(ivec2(1, 3)), CellKind::Door(Door::Open));
    }
}
