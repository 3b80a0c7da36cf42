//! Lines between two cells.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Line;

#[test]
fn line_has_the_same_cells_there_and_back() {
    for end in (-20..=20).flat_map(|y| (-20..=20).map(move |x| ivec2(x, y))) {
        for start in [IVec2::ZERO, ivec2(7, -3)] {
            let there: Vec<_> = Line::between(start, start + end).collect();
            let mut back: Vec<_> = Line::between(start + end, start).collect();
            back.reverse();
            assert_eq!(there, back, "{end}");
            let from_behind: Vec<_> = Line::between(start + end, start).rev().collect();
            assert_eq!(there, from_behind, "{end}");
        }
    }
}

#[test]
fn line_is_a_chain_of_the_nearest_cells_with_both_ends() {
    for end in (-20..=20).flat_map(|y| (-20..=20).map(move |x| ivec2(x, y))) {
        let cells: Vec<_> = Line::between(IVec2::ZERO, end).collect();
        assert_eq!((cells[0], cells[cells.len() - 1]), (IVec2::ZERO, end));
        assert_eq!(cells.len() as i32, end.abs().max_element() + 1);
        assert_eq!(Line::between(IVec2::ZERO, end).size_hint(), (cells.len(), Some(cells.len())));
        for pair in cells.windows(2) {
            assert_eq!((pair[1] - pair[0]).abs().max_element(), 1, "{end}");
        }
        let longer = end.abs().max_element();
        for cell in cells {
            assert!(2 * end.perp_dot(cell).abs() <= longer * longer, "{cell} is not the nearest of the line to {end}");
        }
    }
}

#[test]
fn line_across_all_coordinates_does_not_overflow() {
    let (first, last) = (IVec2::MIN, IVec2::MAX);
    for (a, b) in [(first, last), (last, first), (ivec2(i32::MIN, 5), ivec2(i32::MAX, -9))] {
        let mut line = Line::between(a, b);
        assert_eq!((line.next(), line.next_back(), line.clone().next()), (Some(a), Some(b), line.next()));
    }
    assert_eq!(Line::between(last, last).collect::<Vec<_>>(), [last]);
}
