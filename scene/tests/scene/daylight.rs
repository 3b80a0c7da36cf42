//! Daylight that falls through openings into roofed rooms.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::light::{Daylight, LightError};
use farsight_scene::prelude::OpacityMap;
use proptest::prelude::*;

/// A house with a door on the left and a window on the right, in a garden.
const HOUSE: &str = "\
............
.##########.
.#........#.
.+........1.
.#........#.
.##########.
............";

fn house() -> (OpacityMap, Grid<bool>) {
    let indoors = CellRect { min: ivec2(1, 1), max: ivec2(11, 6) };
    (OpacityMap::from_text(HOUSE).unwrap(), Grid::from_fn(12, 7, |cell| indoors.contains(cell)))
}

fn levels(day: &Daylight, size: IVec2) -> Vec<u32> {
    CellRect::of_size(size).cells().map(|cell| day.level(cell).to_bits()).collect()
}

#[test]
fn light_dims_with_the_distance_from_the_window() {
    let (map, roofs) = house();
    let day = Daylight::new(&map, &roofs, 14.0).unwrap();
    assert_eq!([(0, 0), (11, 3)].map(|cell| day.level(cell)), [1.0; 2], "the garden");
    let inside: Vec<f32> = (2..10).map(|x| day.level((x, 3))).collect();
    assert!(inside.is_sorted() && inside[0] > 0.0 && inside[7] < 0.95, "{inside:?}");
    let glass = 0.9;
    assert!(inside[7] <= glass);
    assert_eq!(day.level((-1, 3)), 0.0, "off the map");
}

#[test]
fn an_opened_door_lets_day_in_and_a_closed_one_shuts_it_out() {
    let (mut map, roofs) = house();
    map.set((10, 3), 1.0).unwrap(); // the window is walled up
    let mut day = Daylight::new(&map, &roofs, 14.0).unwrap();
    let dark = levels(&day, ivec2(12, 7));
    assert!(CellRect { min: ivec2(2, 2), max: ivec2(10, 5) }.cells().all(|cell| day.level(cell) == 0.0));
    map.set((1, 3), 0.0).unwrap();
    day.changed(&map, [(1, 3)]).unwrap();
    assert!(day.level((2, 3)) > 0.8 && day.level((9, 3)) > 0.0);
    map.set((1, 3), 1.0).unwrap();
    day.changed(&map, [(1, 3)]).unwrap();
    assert_eq!(levels(&day, ivec2(12, 7)), dark);
}

#[test]
fn a_wall_is_as_bright_as_what_is_in_front_of_the_side_that_is_seen() {
    let (map, roofs) = house();
    let day = Daylight::new(&map, &roofs, 14.0).unwrap();
    let wall = ivec2(5, 1);
    assert_eq!(day.level_from(&map, wall, (5, 0)), 1.0);
    assert_eq!(day.level_from(&map, wall, (5, 4)), day.level((5, 2)));
    assert!(day.level((5, 2)) < 0.6);
}

#[test]
fn without_roofs_all_cells_are_in_full_daylight() {
    let (map, _) = house();
    let day = Daylight::new(&map, &Grid::new(0, 0, false), 8.0).unwrap();
    assert!(levels(&day, ivec2(12, 7)).iter().all(|level| *level == 1_f32.to_bits()));
    assert!(!day.has_roof((5, 3)));
}

#[test]
fn a_reach_out_of_range_is_an_error() {
    let (map, roofs) = house();
    for reach in [f64::NAN, 0.0, 1e9] {
        assert!(matches!(Daylight::new(&map, &roofs, reach), Err(LightError::Sight(_))), "{reach}");
    }
}

proptest! {
    #[test]
    fn changes_give_the_light_of_a_new_computation(
        cells in prop::collection::vec(0.0..1.6_f32, 20 * 12),
        roofs in prop::collection::vec(any::<bool>(), 5 * 3),
        changes in prop::collection::vec((-1..21_i32, -1..13_i32, prop::bool::ANY), 1..12),
    ) {
        // Half of the cells are walls, some are fog; roofs cover blocks of four times four cells.
        let opacity = |value: f32| if value > 0.9 { 1.0 } else if value > 0.6 { value } else { 0.0 };
        let mut map = OpacityMap::try_from(Grid::from_vec(20, 12, cells.into_iter().map(opacity).collect()).unwrap()).unwrap();
        let roofs = Grid::from_fn(20, 12, |cell| roofs[(cell.y / 4 * 5 + cell.x / 4) as usize]);
        let mut day = Daylight::new(&map, &roofs, 6.0).unwrap();
        for (x, y, is_wall) in changes {
            let is_on_map = map.set((x, y), f32::from(u8::from(is_wall))).is_ok();
            prop_assert_eq!(is_on_map, map.get((x, y)).is_some());
            day.changed(&map, [(x, y)]).unwrap();
            let fresh = Daylight::new(&map, &roofs, 6.0).unwrap();
            prop_assert_eq!(levels(&day, ivec2(20, 12)), levels(&fresh, ivec2(20, 12)));
        }
    }
}
