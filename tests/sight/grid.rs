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
    let too_large = "a grid of 18446744073709551615x2 cells is too large: expected at most 2147483647 columns and rows";
    assert_eq!(message(usize::MAX, 2), too_large);
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
    assert!(message("\n..\n..").starts_with("line 1 is empty: the text begins with an empty line"));
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

/// Draws the roofs of a map as `R`.
fn roofs_of(text: &str) -> String {
    let roofs = TextMap::parse(text).unwrap().roofs.expect("there is a roof");
    let rows: Vec<String> = (0..roofs.height())
        .map(|y| roofs.row(y).iter().map(|&has_roof| if has_roof { 'R' } else { '.' }).collect())
        .collect();
    rows.join("\n")
}

#[test]
fn roofs_cover_the_walls_doors_and_windows_next_to_roofed_floor() {
    // A window, a tree in the garden, a tree in front of the window, a hole in the roof, a free-standing wall.
    let cottage = ".......7..\n.#1###....\n71___#..#.\n.#_._+..#.\n.#####....";
    assert_eq!(roofs_of(cottage), "..........\n.RRRRR....\n.RRRRR....\n.RR.RR....\n.RRRRR....");
    let map = TextMap::parse(cottage).unwrap();
    assert_eq!(map.opacity, TextMap::parse(&cottage.replace('_', ".")).unwrap().opacity);
    assert_eq!(TextMap::parse("#..#").unwrap().roofs, None);
}

#[test]
fn what_has_roofed_floor_on_all_sides_has_no_hole_in_its_roof() {
    let smoke = "_______\n_22222_\n_22222_\n_22222_\n_22222_\n_22222_\n_______";
    assert!(!roofs_of(smoke).contains('.'));
    assert!(!roofs_of(&smoke.replace('2', "#")).contains('.'), "the rock around a cave");
    let hedge = "_22222.\n_22222.\n_22222.";
    assert_eq!(roofs_of(hedge), "RR.....\nRR.....\nRR.....");
}

#[test]
fn the_viewer_is_under_a_roof_among_more_roofed_than_open_cells() {
    assert_eq!(roofs_of("#____\n.@___\n#____"), "RRRRR\n.RRRR\nRRRRR");
    assert_eq!(roofs_of("...#_\n..@'_\n...#_"), "...RR\n...RR\n...RR");
}

#[test]
fn maps_have_roofs_where_they_are_put() {
    let map = OpacityMap::clear(3, 2).unwrap();
    let roofed = map.clone().with_roofs(&Grid::from_fn(9, 1, |cell| cell.x > 0));
    assert_eq!(
        [(0, 0), (1, 0), (1, 1), (5, 0), (-1, 0)].map(|cell| roofed.has_roof(cell)),
        [false, true, false, false, false]
    );
    assert_eq!(roofed.roofs().map(Grid::size), Some(ivec2(3, 2)));
    assert!(roofed != map && roofed.clone() == roofed);
    assert_eq!(roofed.with_roofs(&Grid::new(3, 2, false)), map, "no roof is no grid");
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
