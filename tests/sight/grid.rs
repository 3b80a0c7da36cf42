//! Grids, rectangles of cells and maps in text.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid, TextMap};
use farsight::sight::{Door, OpacityMap};

#[test]
fn cells_outside_are_none_on_all_four_sides() {
    let grid = Grid::new(3, 2, 0);
    for cell in [ivec2(-1, 0), ivec2(0, -1), ivec2(3, 0), ivec2(0, 2), ivec2(i32::MIN, i32::MAX)] {
        assert_eq!(grid.get(cell), None, "{cell}");
    }
}

#[test]
fn from_vec_needs_exactly_width_times_height_values() {
    assert!(Grid::from_vec(2, 2, vec![1, 2, 3, 4]).is_ok());
    let message = |width, height| Grid::from_vec(width, height, vec![1]).unwrap_err().to_string();
    assert_eq!(message(2, 2), "1 values do not fill a grid of 2x2 = 4 cells");
    assert!(message(usize::MAX, 2).ends_with("= 36893488147419103230 cells"), "{}", message(usize::MAX, 2));
}

#[test]
#[should_panic(expected = "a grid of 9223372036854775872x2 cells is too large")]
fn grid_with_more_cells_than_a_usize_panics() {
    let _ = Grid::new((1 << 63) + 64, 2, 0.0);
}

#[test]
#[should_panic(expected = "is too large")]
fn grid_from_fn_with_more_cells_than_a_usize_panics() {
    let _ = Grid::from_fn(2, (1 << 63) + 64, |_| 0.0);
}

#[test]
fn iter_visits_cells_in_row_major_order() {
    let grid = Grid::from_fn(2, 2, |c| c);
    assert!(grid.iter().all(|(cell, value)| cell == *value));
    assert_eq!(grid.iter().count(), 4);
}

#[test]
fn square_around_a_corner_is_clipped_to_the_map() {
    let map = CellRect::of_size(ivec2(10, 5));
    let square = CellRect::around(ivec2(0, 4), 2);
    assert_eq!(square.size(), ivec2(5, 5));
    let both = map.intersect(square);
    assert_eq!((both.min, both.max), (ivec2(0, 2), ivec2(3, 5)));
    assert!(both.contains(ivec2(2, 4)) && !both.contains(ivec2(3, 4)));
}

#[test]
fn disjoint_rectangles_have_an_empty_intersection() {
    let empty = CellRect::around(ivec2(0, 0), 1).intersect(CellRect::around(ivec2(9, 9), 1));
    assert_eq!((empty.width(), empty.height()), (0, 0));
}

#[test]
fn errors_in_text_maps_have_line_and_column() {
    let message = |text| TextMap::parse(text).unwrap_err().to_string();
    assert!(message("").starts_with("the map is empty"));
    assert!(message("\n\n").starts_with("the map is empty"));
    assert!(message("..\n...").starts_with("line 2 has 3 characters, but line 1 has 2"));
    assert!(message("..\n\n..").starts_with("line 2 has 0 characters"));
    assert!(message("..\n.é").starts_with("line 2, column 2: 'é'"));
    assert!(message("@.\n.@").starts_with("line 2, column 2: a second @"));
    assert!(message(".0").starts_with("line 1, column 2: '0'"));
}

#[test]
fn text_maps_have_doors() {
    let map = TextMap::parse("#+#\n'.+\n").unwrap();
    assert_eq!(map.opacity.as_slice(), [1.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
    assert_eq!(map.doors, [ivec2(1, 0), ivec2(0, 1), ivec2(2, 1)]);
    let mut map = OpacityMap::try_from(map).unwrap();
    assert_eq!(map.door((1, 0)), Some(Door::Closed));
    assert_eq!([(0, 0), (9, 9), (-1, 0)].map(|cell| map.door(cell)), [None; 3]);
    assert_eq!(map.toggle_door((0, 1)), Some(Door::Closed));
    assert_eq!(map.get((0, 1)), Some(1.0));
    assert_eq!(map.toggle_door((1, 1)), None);
    assert!(map != OpacityMap::from_text("###\n#.#").unwrap(), "a door is no wall");
    assert!(map.clone().with_doors([(3, 0)]).is_err());
    let map = map.with_doors([(0, 0), (1, 0)]).unwrap();
    assert_eq!(map.doors(), [ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(2, 1)]);
}

#[test]
fn text_maps_have_line_breaks_of_both_kinds() {
    let unix = TextMap::parse("#9\n@ \n").unwrap();
    assert_eq!(unix, TextMap::parse("#9\r\n@ ").unwrap());
    assert_eq!(unix.opacity.as_slice(), [1.0, 0.9, 0.0, 0.0]);
    assert_eq!(unix.viewer, Some(ivec2(0, 1)));
}

#[test]
fn opacity_error_has_cell_and_value() {
    for bad in [f32::NAN, f32::INFINITY, -0.01, 1.01] {
        let mut grid = Grid::new(3, 2, 0.5);
        grid[ivec2(2, 1)] = bad;
        let error = OpacityMap::try_from(grid).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cell 2,1 has opacity {bad}")), "{error}");
    }
    assert!(OpacityMap::clear(0, 3).is_err());
}

#[test]
fn set_changes_one_cell_or_nothing() {
    let mut map = OpacityMap::clear(2, 2).unwrap();
    map.set(ivec2(1, 0), 1.0).unwrap();
    assert!(map.set(ivec2(1, 1), f32::NAN).is_err());
    assert!(map.set(IVec2::new(2, 0), 0.0).is_err());
    assert_eq!(map.grid().as_slice(), [0.0, 1.0, 0.0, 0.0]);
}
