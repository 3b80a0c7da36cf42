//! Cells of any type that is `ToCell`.

use farsight::glam::{IVec2, ivec2, uvec2};
use farsight::grid::{CellRect, Line, ToCell};
use farsight::light::{Lamp, LightMap};
use farsight::perception::Memory;
use farsight::sight::{FieldOfView, OpacityCells, OpacityMap, Sector, SightConfig};
use farsight::viewshed::{Surface, Viewshed};
use farsight::{Grid, Job};

/// A position of a game.
#[derive(Clone, Copy)]
struct Position {
    column: i16,
    row: i16,
}

impl ToCell for Position {
    fn to_cell(self) -> IVec2 {
        ivec2(self.column.into(), self.row.into())
    }
}

#[test]
fn tuples_arrays_and_types_of_a_game_are_cells() {
    let guard = Position { column: 3, row: 1 };
    let mut map = OpacityMap::from_text("......\n......\n......").unwrap();
    map.set((1, 1), 0.5).unwrap();
    map.set_many([([5, 0], 1.0), ([5, 2], 1.0)]).unwrap();
    assert_eq!((map.get([1, 1]), map.get((5, 2)), map.get(guard)), (Some(0.5), Some(1.0), Some(0.0)));

    let mut fov = FieldOfView::new(SightConfig::default()).unwrap();
    let view = fov.compute(&map, guard).unwrap();
    assert_eq!((view.get(guard), view.get((0, 1)), view.get([0, 1])), (1.0, 0.5, 0.5));
    assert_eq!(view.to_owned().get((0, 1)), 0.5);
    assert_eq!(fov.line_of_sight(&map, guard, (0, 1)), Ok(0.5));
    assert!(fov.compute_sector(&map, (3, 1), Sector::new(0.0, 90.0)).is_ok());
    assert!(fov.compute(OpacityCells::new(|_| 0.0), [3, 1]).is_ok());
    assert_eq!(Line::between((0, 0), [2, 0]).count(), Line::between(ivec2(0, 0), ivec2(2, 0)).count());

    let mut light = LightMap::new(&map);
    let lamp = light.insert(&map, Lamp::new((0, 0))).unwrap();
    assert!(light.move_to(&map, lamp, guard).unwrap());
    light.changed(&map, [(1, 1)]).unwrap();
    assert_eq!((light.level(guard), light.level_from(&map, (3, 1), [0, 0])), (1.0, 1.0));

    let ground = Grid::new(6, 3, 0.0f32);
    assert_eq!((ground.get((5, 2)), ground.get([6, 2])), (Some(&0.0), None));
    let surface = Surface::of(&ground, 10.0);
    let mut viewshed = Viewshed::new(SightConfig::default()).unwrap();
    assert_eq!(viewshed.compute(&surface, (0, 0), Job::none()).unwrap().get(guard), 1.0);
    assert_eq!(Memory::new(CellRect::of_size((6, 3))).get(guard), Memory::new(CellRect::of_size((6, 3))).get((3, 1)));
}

#[test]
fn unsigned_coordinates_are_cells_and_large_ones_are_off_the_map() {
    let tiles = Grid::from_fn(5, 4, |cell| cell.x + 10 * cell.y);
    let (x, y) = (4usize, 3usize);
    let cells = [tiles[(x, y)], tiles[[x, y]], tiles[uvec2(4, 3)], tiles[(4u32, 3u32)], tiles[(4, 3)], tiles[[4, 3]]];
    assert_eq!(cells, [34; 6]);
    assert_eq!(tiles.view()[(x, y)], 34);
    for far in [usize::MAX, 1 << 31, (1 << 32) + 1] {
        assert_eq!((far, y).to_cell(), ivec2(i32::MAX, 3));
        assert_eq!(tiles.get((far, y)), None);
    }
    assert_eq!(uvec2(u32::MAX, 7).to_cell(), ivec2(i32::MAX, 7));
}

#[cfg(feature = "mint")]
#[test]
fn points_and_vectors_of_mint_are_cells() {
    let cells = [
        mint::Point2 { x: 4, y: -3 }.to_cell(),
        mint::Vector2 { x: 4, y: -3 }.to_cell(),
        mint::Point2 { x: 4u32, y: u32::MAX }.to_cell(),
        mint::Vector2 { x: 4u32, y: 3 }.to_cell(),
    ];
    assert_eq!(cells, [ivec2(4, -3), ivec2(4, -3), ivec2(4, i32::MAX), ivec2(4, 3)]);
}
