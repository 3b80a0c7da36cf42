//! The figures of comparisons, by hand on small grids.

use farsight::Grid;
use farsight::glam::{IVec2, ivec2};
use farsight::sight::OpacityMap;
use farsight_scene::compare::{
    Asymmetry, Difference, MetricsError, MissedWalls, blind_spots, hidden_walls, orphans, room_walls_missed, spread,
    within,
};

fn row(values: &[f32]) -> Grid<f32> {
    Grid::from_vec(values.len(), 1, values.to_vec()).unwrap()
}

#[test]
fn difference_by_hand() {
    let found = row(&[1.0, 0.25, 0.5, 0.0, 1.0]);
    let reference = row(&[1.0, 0.75, 0.25, 0.0, 0.0]);
    let mask = Grid::from_vec(5, 1, vec![true, true, true, true, false]).unwrap();
    let difference = Difference::between(&found, &reference, &mask).unwrap();
    let expected = Difference {
        cells: 4,
        seen: 2,
        reference_seen: 2,
        agreement: 0.5,
        rmse: (0.3125f64 / 4.0).sqrt(),
        bias: -0.0625,
        mean_error: 0.1875,
        max_error: 0.5,
        worst: ivec2(1, 0),
    };
    assert_eq!(difference, expected);
}

#[test]
fn equal_views_do_not_differ() {
    let view = row(&[1.0, 0.3, 0.0]);
    let difference = Difference::between(&view, &view, &Grid::new(3, 1, true)).unwrap();
    assert_eq!((difference.agreement, difference.rmse, difference.max_error), (1.0, 0.0, 0.0));
    assert_eq!(difference.worst, IVec2::ZERO);
}

#[test]
fn shapes_must_match_and_masks_hold_a_cell() {
    let view = row(&[1.0, 0.0]);
    let error = Difference::between(&view, &row(&[1.0]), &Grid::new(2, 1, true)).unwrap_err();
    assert_eq!(error.to_string(), "cannot compare 2x1 cells with 1x1: the grids must be equally large");
    assert!(Difference::between(&view, &view, &Grid::new(1, 2, true)).is_err());
    assert_eq!(Difference::between(&view, &view, &Grid::new(2, 1, false)), Err(MetricsError::NoCells));
    assert!(hidden_walls(&view, &row(&[0.0]), &Grid::new(2, 1, true), IVec2::ZERO).is_err());
}

#[test]
fn asymmetry_by_hand() {
    let cells = [ivec2(0, 0), ivec2(1, 0), ivec2(2, 0)];
    // 0 and 1 see each other by halves, 0 sees 2 but not back, 1 and 2 do not see each other.
    let table = [[1.0, 0.5, 0.75], [0.25, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let see = |viewer: IVec2, targets: &[IVec2]| {
        Ok::<_, ()>(targets.iter().map(|to| table[viewer.x as usize][to.x as usize]).collect())
    };
    let expected = Asymmetry { pairs: 2, mean: 0.5, max: 0.75, worst: Some([cells[0], cells[2]]) };
    assert_eq!(Asymmetry::over(&cells, see), Ok(expected));
    let nobody = Asymmetry { pairs: 0, mean: 0.0, max: 0.0, worst: None };
    assert_eq!(Asymmetry::over(&cells[..1], see), Ok(nobody));
    assert_eq!(Asymmetry::over(&cells, |_, _| Err("broken")), Err("broken"));
}

#[test]
fn spread_takes_cells_from_everywhere() {
    let cells: Vec<_> = (0..10).map(|x| ivec2(x, 0)).collect();
    let columns = |count| spread(&cells, count).into_iter().map(|cell| cell.x).collect::<Vec<_>>();
    assert_eq!(columns(2), [2, 7]);
    assert_eq!(columns(1), [5]);
    assert_eq!(columns(99), (0..10).collect::<Vec<_>>());
    assert_eq!(columns(0), [0; 0]);
    assert_eq!(spread(&[], 3), []);
}

#[test]
fn within_is_a_disc() {
    let disc = within(ivec2(5, 5), ivec2(2, 2), 2);
    assert_eq!(disc.as_slice().iter().filter(|inside| **inside).count(), 13);
    assert!(within(ivec2(3, 1), ivec2(i32::MIN, 0), u32::MAX - 1)[ivec2(0, 0)]);
}

#[test]
fn orphans_have_no_lit_parent() {
    let mut view = Grid::new(7, 7, 0.0);
    let viewer = ivec2(3, 3);
    view[viewer] = 1.0;
    assert_eq!(orphans(&view, viewer), []);
    view[ivec2(5, 4)] = 0.1; // (2, 1): its parents are (1, 1) and (1, 0)
    assert_eq!(orphans(&view, viewer), [ivec2(5, 4)]);
    view[ivec2(4, 4)] = 1.0;
    assert_eq!(orphans(&view, viewer), []);
    view[ivec2(5, 5)] = 1.0; // (2, 2) from (1, 1)
    view[ivec2(6, 3)] = 1.0; // (3, 0) only from (2, 0)
    view[ivec2(3, 1)] = 1.0; // (0, -2) only from (0, -1)
    assert_eq!(orphans(&view, viewer), [ivec2(3, 1), ivec2(6, 3)]);
    view[ivec2(4, 2)] = 1.0; // (1, -1), next to (0, -1), is no parent of (0, -2)
    assert_eq!(orphans(&view, viewer).len(), 2);
}

#[test]
fn hidden_walls_stand_behind_seen_floor() {
    let opacity = row(&[1.0, 0.0, 0.0, 1.0, 1.0]);
    let everywhere = Grid::new(5, 1, true);
    let viewer = ivec2(2, 0);
    let hidden = |view: &[f32]| hidden_walls(&row(view), &opacity, &everywhere, viewer).unwrap();
    assert_eq!(hidden(&[1.0, 1.0, 1.0, 1.0, 0.0]), []);
    assert_eq!(hidden(&[0.0, 1.0, 1.0, 0.0, 0.0]), [ivec2(0, 0), ivec2(3, 0)]);
    assert_eq!(hidden(&[0.0, 0.0, 1.0, 1.0, 0.0]), []);
}

#[test]
fn blind_spots_have_nothing_in_their_way() {
    let mut view = Grid::new(5, 5, 1.0);
    let mut opacity = Grid::new(5, 5, 0.0);
    let (mask, viewer) = (Grid::new(5, 5, true), ivec2(2, 2));
    view[ivec2(4, 3)] = 0.0; // (2, 1): its parents are (1, 0) and (1, 1)
    let spots = |view: &_, opacity: &_| blind_spots(view, opacity, &mask, viewer).unwrap();
    assert_eq!(spots(&view, &opacity), [ivec2(4, 3)]);
    opacity[ivec2(3, 3)] = 1.0;
    assert_eq!(spots(&view, &opacity), []);
    view[ivec2(2, 0)] = 0.4;
    assert_eq!(spots(&view, &opacity), [ivec2(2, 0)]);
    view[ivec2(2, 1)] = 0.0;
    assert_eq!(spots(&view, &opacity), [ivec2(2, 1)]);
}

#[test]
fn missed_walls_of_a_room_are_counted_over_all_viewers() {
    let all = |_: &OpacityMap, _| Ok::<_, ()>(Grid::new(5, 4, 1.0));
    assert_eq!(room_walls_missed(ivec2(3, 2), all), Ok(MissedWalls { missed: 0, walls: 84 }));
    let no_corner = |_: &OpacityMap, _| Ok::<_, ()>(Grid::from_fn(5, 4, |c| if c == IVec2::ZERO { 0.0 } else { 1.0 }));
    assert_eq!(room_walls_missed(ivec2(3, 2), no_corner), Ok(MissedWalls { missed: 6, walls: 84 }));
}
