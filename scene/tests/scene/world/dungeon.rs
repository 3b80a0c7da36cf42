//! Dungeons: all floor is connected, the map has walls on all sides, rooms have the configured sizes.

use farsight::glam::{IVec2, ivec2};
use farsight_scene::world::{Dungeon, DungeonConfig};
use proptest::prelude::*;

/// The number of floor cells that can be reached from `start` by steps along the axes.
fn reached(dungeon: &Dungeon, start: IVec2) -> usize {
    let mut left = dungeon.opacity.clone();
    let mut open = vec![start];
    let mut count = 0;
    while let Some(cell) = open.pop() {
        if left.get(cell) == Some(&0.0) {
            left[cell] = 1.0;
            count += 1;
            open.extend([IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y].map(|step| cell + step));
        }
    }
    count
}

fn check(config: &DungeonConfig) -> Result<(), TestCaseError> {
    let dungeon = Dungeon::generate(config).unwrap();
    prop_assert_eq!(&dungeon, &Dungeon::generate(config).unwrap());
    let (size, floor) = (dungeon.opacity.size(), dungeon.opacity.as_slice().iter().filter(|o| **o == 0.0).count());
    prop_assert_eq!(size, ivec2(config.width as i32, config.height as i32));
    prop_assert_eq!(reached(&dungeon, dungeon.start()), floor);
    for (cell, &opacity) in dungeon.opacity.iter() {
        let outermost = cell.min_element() == 0 || (size - 1 - cell).min_element() == 0;
        prop_assert!(opacity == 1.0 || (opacity == 0.0 && !outermost), "{}", cell);
    }
    let sides = config.room_min as i32..=config.room_max as i32;
    for (i, room) in dungeon.rooms.iter().enumerate() {
        prop_assert!(sides.contains(&room.size().x) && sides.contains(&room.size().y), "{:?}", room);
        for y in room.min.y..room.max.y {
            for x in room.min.x..room.max.x {
                prop_assert_eq!(dungeon.opacity[ivec2(x, y)], 0.0);
            }
        }
        for other in &dungeon.rooms[..i] {
            let gap = (other.min - room.max).max(room.min - other.max).max_element();
            prop_assert!(gap >= 2, "{:?} and {:?} share a wall", room, other);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_floor_cell_is_reached(
        seed: u32, room_min in 2u32..=20, more in 0u32..20, wider in 0u32..150, taller in 0u32..150, loops in 0.0..=1.0,
    ) {
        let (room_max, width, height) = (room_min + more, room_min + 2 + wider, room_min + 2 + taller);
        let config = DungeonConfig::default().with_seed(seed).with_width(width).with_height(height);
        check(&config.with_room_min(room_min).with_room_max(room_max).with_loops(loops))?;
    }

    #[test]
    fn rooms_of_6_to_18_cells_fill_the_default_map(seed: u32, loops in 0.0..=1.0) {
        let config = DungeonConfig::default().with_seed(seed).with_loops(loops);
        check(&config)?;
        let dungeon = Dungeon::generate(&config).unwrap();
        prop_assert!((16..=96).contains(&dungeon.rooms.len()), "{} rooms", dungeon.rooms.len());
        let floor = dungeon.opacity.as_slice().iter().filter(|o| **o == 0.0).count();
        let share = floor as f64 / dungeon.opacity.as_slice().len() as f64;
        prop_assert!((0.25..0.75).contains(&share), "{share} of the map is floor");
    }
}

#[test]
fn smallest_dungeon_is_one_room() {
    let config = DungeonConfig::default().with_width(8).with_height(8);
    let dungeon = Dungeon::generate(&config).unwrap();
    assert_eq!(dungeon.rooms.len(), 1);
    assert_eq!((dungeon.rooms[0].min, dungeon.rooms[0].max), (ivec2(1, 1), ivec2(7, 7)));
}

#[test]
fn seeds_differ() {
    let of = |seed| Dungeon::generate(&DungeonConfig::default().with_seed(seed)).unwrap();
    assert_ne!(of(1).opacity, of(2).opacity);
}

#[test]
fn dungeon_is_the_same_on_every_platform() {
    let config = DungeonConfig::default()
        .with_seed(11)
        .with_width(44)
        .with_height(22)
        .with_room_min(4)
        .with_room_max(9)
        .with_loops(0.5);
    let dungeon = Dungeon::generate(&config).unwrap();
    let mut drawn = String::new();
    for y in 0..22 {
        drawn.extend(dungeon.opacity.row(y).iter().map(|&opacity| if opacity == 1.0 { '#' } else { '.' }));
        drawn.push('\n');
    }
    assert_eq!(drawn, GOLDEN, "\n{drawn}");
}

const GOLDEN: &str = "\
############################################
#############....##############....#########
#############....####......####....##.....##
#....########....####..............##.....##
#....########....####......####...........##
#....########....####......####....##.....##
#....#########.######......#############.###
#....#########.######......#############.###
#....#########.######......####.....####.###
#....#########.##########.#####.....###....#
###.########......#######.#####.....###....#
###.########......#######.#####.....###....#
#......#####......####.......#####.####....#
#......#####......####.......#####.#####.###
#......#######.#.#####.......#####.#####.###
#......#######.#.#####.......##.....####.###
#......#####.................##.....####.###
#.................####.......##.....##....##
#......#####......####.......##...........##
#......#####......####.......##.....##....##
#......###############.......#########....##
############################################
";

#[test]
fn errors_name_field_value_and_range() {
    let message = |config: DungeonConfig| Dungeon::generate(&config).unwrap_err().to_string();
    let default = DungeonConfig::default;
    assert_eq!(
        message(default().with_width(7)),
        "width: 7 is not valid: expected 8 (a room and its walls) to 16384 cells"
    );
    assert!(message(default().with_height(0)).starts_with("height: 0 is"));
    assert!(message(default().with_height(u32::MAX)).starts_with("height: 4294967295 is"));
    assert!(message(default().with_room_min(1)).starts_with("room_min: 1 is"));
    assert!(message(default().with_room_max(257)).starts_with("room_max: 257 is"));
    assert!(message(default().with_room_min(19)).contains("at most room_max, 18 cells"));
    assert!(message(default().with_loops(f64::NAN)).starts_with("loops: NaN is"));
}

#[test]
fn doorways_are_between_two_walls_and_next_to_a_room() {
    for seed in 0..20 {
        let dungeon = Dungeon::generate(&DungeonConfig::default().with_seed(seed)).unwrap();
        let is_floor = |x, y| dungeon.opacity[ivec2(x, y)] == 0.0;
        let is_in_room = |x, y| dungeon.rooms.iter().any(|room| room.contains((x, y)));
        let doorways = dungeon.doorways();
        assert!(doorways.len() >= dungeon.rooms.len(), "{} doors in {} rooms", doorways.len(), dungeon.rooms.len());
        for door in doorways {
            let (x, y) = (door.x, door.y);
            assert!(is_floor(x, y) && !is_in_room(x, y), "{door}");
            let along_x = is_in_room(x - 1, y) || is_in_room(x + 1, y);
            let along_y = is_in_room(x, y - 1) || is_in_room(x, y + 1);
            let walls_beside = !is_floor(x, y - 1) && !is_floor(x, y + 1);
            let walls_above = !is_floor(x - 1, y) && !is_floor(x + 1, y);
            assert!(along_x && walls_beside || along_y && walls_above, "{door}");
        }
    }
}
