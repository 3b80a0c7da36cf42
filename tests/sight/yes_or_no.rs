//! Binary visibility through gaps of one cell: the false negatives and false positives of each method.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{FieldOfView, Method, MethodKind};
use farsight::{OpacityMap, SightConfig};

/// Two rooms of 15 × 15 cells, with a door of one cell in the wall between them.
fn two_rooms() -> OpacityMap {
    let is_floor = |cell: IVec2| match cell.x {
        16 => cell.y == 6,
        x => (1..=31).contains(&x) && (1..=15).contains(&cell.y),
    };
    let grid = Grid::from_fn(33, 17, |cell| if is_floor(cell) { 0.0 } else { 1.0 });
    OpacityMap::try_from(grid).unwrap()
}

/// Shares of the floor of the other room.
#[derive(Debug, Default)]
struct Shares {
    /// The fraction of wholly visible cells that are seen.
    recall: f64,
    /// Of the cells that are seen, those of which a part is in sight.
    precision: f64,
}

fn shares(method: MethodKind) -> Shares {
    let map = two_rooms();
    let mut exact = FieldOfView::new(SightConfig::default().with_radius(40).with_method(MethodKind::Exact)).unwrap();
    let method = if method == MethodKind::Exact { Method::Exact { samples: 5 } } else { method.into() };
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(40).with_method(method)).unwrap();
    let (mut whole, mut whole_and_seen, mut seen, mut seen_and_in_sight) = (0, 0, 0, 0);
    for viewer in (1..=15).step_by(2).flat_map(|y| (1..=15).step_by(2).map(move |x| ivec2(x, y))) {
        let (exact, view) = (exact.compute(&map, viewer).unwrap(), fov.compute(&map, viewer).unwrap());
        for cell in (1..=15).flat_map(|y| (17..=31).map(move |x| ivec2(x, y))) {
            let is_seen = view.sees(cell);
            whole += u32::from(exact.get(cell) == 1.0);
            whole_and_seen += u32::from(exact.get(cell) == 1.0 && is_seen);
            seen += u32::from(is_seen);
            seen_and_in_sight += u32::from(exact.sees(cell) && is_seen);
        }
    }
    assert!(whole > 150 && seen > 500, "{method:?}: {whole}, {seen}");
    Shares {
        recall: f64::from(whole_and_seen) / f64::from(whole),
        precision: f64::from(seen_and_in_sight) / f64::from(seen),
    }
}

#[test]
fn no_method_hides_what_a_door_shows_as_a_whole() {
    let all: Vec<_> = MethodKind::ALL.iter().map(|&method| (method, shares(method))).collect();
    for (method, shares) in &all {
        let (recall, precision) = match method {
            MethodKind::Exact => (1.0, 1.0),
            MethodKind::Beam => (1.0, 0.95),
            MethodKind::SymmetricShadowcast | MethodKind::Shadowcast => (1.0, 0.85),
            MethodKind::RaycastBorder | MethodKind::RaycastCircle => (1.0, 0.8),
            MethodKind::TwoParent => (1.0, 0.25),
            method => panic!("{method:?} has no bounds"),
        };
        assert!(shares.recall >= recall && shares.precision >= precision, "{method:?} of {all:?}");
    }
    let two_parent = &all[MethodKind::ALL.iter().position(|method| *method == MethodKind::TwoParent).unwrap()].1;
    assert!(two_parent.precision < 0.5, "two parents are no yes or no: {all:?}");
}

#[test]
fn walls_and_corners_around_seen_floor_are_seen() {
    let map = two_rooms();
    let mut fov = FieldOfView::new(SightConfig::default().with_method(MethodKind::SymmetricShadowcast)).unwrap();
    for viewer in [ivec2(1, 1), ivec2(8, 8), ivec2(15, 6), ivec2(3, 15)] {
        let view = fov.compute(&map, viewer).unwrap();
        assert!((0..17).all(|y| (0..=16).all(|x| view.sees((x, y)))), "{viewer}: the room with its walls");
        let seen: Vec<IVec2> = view.seen().collect();
        assert!(seen.iter().all(|cell| view.sees(*cell)) && seen.len() == view.visible().count());
    }
}
