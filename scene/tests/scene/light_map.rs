//! Light maps: lamps by id, changed maps, walls that are lit from one side, flicker.

use farsight::OpacityMap;
use farsight::glam::{IVec2, ivec2};
use farsight::light::{Falloff, Flicker, Lamp, LampId, LightError, LightMap, Rgb};
use proptest::prelude::*;

const RED: Rgb = Rgb([255, 0, 0]);
const BLUE: Rgb = Rgb([0, 0, 255]);

fn map(text: &str) -> OpacityMap {
    OpacityMap::from_text(text).unwrap()
}

fn lamp(x: i32, y: i32) -> Lamp {
    Lamp::new(ivec2(x, y)).with_reach(6.0)
}

/// Light maps are equal if level and hue are, on all cells, to the bit.
fn assert_same_light(map: &OpacityMap, one: &LightMap, other: &LightMap) {
    for (cell, _) in map.grid().iter() {
        assert_eq!(one.level(cell).to_bits(), other.level(cell).to_bits(), "level at {cell}");
        assert_eq!(one.hue(cell), other.hue(cell), "hue at {cell}");
    }
}

/// The light map with the same lamps, added to a new one.
fn fresh(map: &OpacityMap, light: &LightMap) -> LightMap {
    let lamps: Vec<Lamp> = light.lamps().map(|(_, lamp)| lamp.clone()).collect();
    let mut fresh = LightMap::new(map).with_seed(7);
    fresh.insert_many(map, &lamps).unwrap();
    fresh
}

#[test]
fn lights_add_up_and_hues_mix_in_proportion() {
    let map = OpacityMap::clear(70, 40).unwrap();
    let mut light = LightMap::new(&map);
    light.insert(&map, lamp(31, 31).with_colour(RED)).unwrap();
    light.insert(&map, lamp(31, 31).with_colour(BLUE).with_strength(0.5)).unwrap();
    assert_eq!((light.level(ivec2(31, 31)), light.hue(ivec2(31, 31))), (1.5, [2.0 / 3.0, 0.0, 1.0 / 3.0]));
    assert_eq!((light.level(ivec2(0, 0)), light.hue(ivec2(0, 0))), (0.0, [1.0; 3]));
    for off_the_map in [ivec2(-1, 31), ivec2(1000, 2), IVec2::MIN, IVec2::MAX] {
        assert_eq!(light.level(off_the_map), 0.0, "{off_the_map}");
        assert_eq!(light.level_from(&map, off_the_map, IVec2::MIN), 0.0, "{off_the_map}");
    }
}

#[test]
fn lamps_are_found_by_their_id_until_they_are_removed() {
    let map = map("...\n...");
    let mut light = LightMap::new(&map);
    let [first, second] = [lamp(0, 0), lamp(2, 1)].map(|lamp| light.insert(&map, lamp).unwrap());
    assert_eq!(light.remove(first), Some(lamp(0, 0)));
    assert_eq!((light.remove(first), light.get(first)), (None, None));
    assert_eq!(light.move_to(&map, first, ivec2(1, 1)), Ok(false));
    assert_eq!(light.recolour(first, RED, 1.0), Ok(false));
    let third = light.insert(&map, lamp(1, 1)).unwrap();
    assert_ne!(third, first);
    assert_eq!(light.lamps().map(|(id, _)| id).collect::<Vec<_>>(), [second, third]);
}

#[test]
fn errors_name_the_cell_and_the_value_and_change_nothing() {
    let map = map("...\n...");
    let mut light = LightMap::new(&map);
    let id = light.insert(&map, lamp(1, 1)).unwrap();
    let before = light.clone();
    let outside = light.move_to(&map, id, ivec2(3, 0)).unwrap_err();
    assert_eq!(outside.to_string(), "the lamp at 3,0 is outside the map of 3x2 cells");
    for (wrong, message) in [
        (lamp(0, 0).with_reach(0.5), "reach: 0.5 is not valid: expected 1 to 256"),
        (lamp(0, 0).with_reach(f64::NAN), "reach: NaN is not valid: expected 1 to 256"),
        (lamp(0, 0).with_strength(-1.0), "strength: -1 is not valid: expected 0 to 4"),
        (lamp(0, 0).with_height_m(1e9), "height_m: 1000000000 is not valid: expected 0 to 1000"),
    ] {
        assert_eq!(light.insert(&map, wrong.clone()).unwrap_err().to_string(), message);
        assert_eq!(light.replace(&map, id, wrong.clone()).unwrap_err().to_string(), message);
        assert!(matches!(light.insert_many(&map, &[lamp(0, 0), wrong]), Err(LightError::Sight(_))));
    }
    assert!(light.recolour(id, RED, f64::INFINITY).is_err());
    assert_eq!(light.lamps().count(), 1);
    assert_same_light(&map, &light, &before);
}

#[test]
fn a_wall_is_bright_only_from_a_side_that_light_reaches() {
    let map = map("#######\n\
                   #..#..#\n\
                   #..#..#\n\
                   #..#..#\n\
                   #######");
    let mut light = LightMap::new(&map);
    light.insert(&map, lamp(1, 2)).unwrap();
    let from = |cell, viewer| light.level_from(&map, cell, viewer);
    // The wall between the rooms, from the lit room and from the dark one.
    assert_eq!(from(ivec2(3, 2), ivec2(2, 1)), light.level(ivec2(2, 2)));
    assert!(light.level(ivec2(3, 2)) > 0.3);
    for y in 1..4 {
        assert_eq!(from(ivec2(3, y), ivec2(5, 2)), 0.0, "wall at 3,{y}");
    }
    // Corners are seen across the diagonal.
    assert_eq!(from(ivec2(0, 0), ivec2(2, 3)), light.level(ivec2(1, 1)));
    assert!(light.level(ivec2(0, 0)) > 0.0);
    // The end of the wall of the lit room belongs to both rooms, but only one of them sees its bright corner.
    assert!(from(ivec2(3, 0), ivec2(1, 3)) > 0.0);
    assert_eq!(from(ivec2(3, 0), ivec2(5, 3)), 0.0);
    // Floor has no sides.
    assert_eq!(from(ivec2(2, 2), ivec2(5, 2)), light.level(ivec2(2, 2)));
}

#[test]
fn walls_of_a_lit_room_are_as_bright_as_its_floor() {
    // Wider than a tile of the sums of light.
    let wall = "#".repeat(70);
    let floor = format!("#{}#\n", ".".repeat(68));
    let map = map(&[&wall, "\n", &floor.repeat(5), &wall].concat());
    for x in [1, 32, 33, 60, 68] {
        let mut light = LightMap::new(&map);
        light.insert(&map, lamp(x, 1)).unwrap();
        for wall in map.extent().cells().filter(|cell| map.is_wall(*cell)) {
            let floor = wall.clamp(ivec2(1, 1), ivec2(68, 5));
            let from = light.level_from(&map, wall, (34, 3));
            assert!(from >= light.level(floor), "lamp at {x}, wall {wall}: {from}, floor {}", light.level(floor));
        }
    }
}

#[test]
fn a_pillar_is_bright_on_the_side_of_the_lamp() {
    let map = map(".......\n.......\n...#...\n.......\n.......");
    let mut light = LightMap::new(&map);
    light.insert(&map, lamp(0, 0)).unwrap();
    let pillar = ivec2(3, 2);
    for (viewer, lit) in
        [(ivec2(0, 0), true), (ivec2(6, 0), true), (ivec2(0, 4), true), (ivec2(6, 4), false), (ivec2(6, 2), false)]
    {
        let level = light.level_from(&map, pillar, viewer);
        assert_eq!(level > light.level(pillar), lit, "from {viewer}");
        assert!(lit || level == 0.0, "from {viewer}: {level}");
    }
}

#[test]
fn flicker_is_a_function_of_time_and_seed() {
    let map = map(".........\n.........");
    let mut light = LightMap::new(&map).with_seed(7);
    light.insert(&map, lamp(0, 0)).unwrap();
    assert!(!light.flickers() && !light.set_time(3.0));
    for &flicker in Flicker::ALL {
        light.insert(&map, lamp(3, 1).with_flicker(flicker)).unwrap();
    }
    assert!(light.flickers());
    let mut levels = Vec::new();
    for tick in 0..40 {
        light.set_time(f64::from(tick) * 0.11);
        levels.push(light.level(ivec2(3, 1)));
    }
    assert!(light.set_time(0.0) && light.level(ivec2(3, 1)) == levels[0], "the same moment looks the same");
    assert_same_light(&map, &light, &fresh(&map, &light));
    let [least, greatest] =
        [levels.iter().copied().fold(f32::MAX, f32::min), levels.iter().copied().fold(0.0, f32::max)];
    assert!(greatest - least > 1.0, "{least} to {greatest}");
    for seconds in [f64::NAN, f64::INFINITY, -1e300, 1e300] {
        light.set_time(seconds);
        assert!(light.level(ivec2(3, 1)).is_finite(), "{seconds}");
    }
}

#[test]
fn light_in_the_open_is_that_of_the_falloff() {
    let map = OpacityMap::clear(40, 1).unwrap();
    for &falloff in Falloff::ALL {
        let mut light = LightMap::new(&map);
        light.insert(&map, Lamp::new((0, 0)).with_reach(9.5).with_falloff(falloff)).unwrap();
        for x in 0..40 {
            let (expected, found) = (falloff.at(f64::from(x), 9.5), f64::from(light.level((x, 0))));
            assert!((found - expected).abs() < 1e-6, "{falloff:?} at {x}: {found}, not {expected}");
        }
        assert_eq!([0.0, 9.5, 20.0].map(|distance| falloff.at(distance, 9.5)), [1.0, 0.0, 0.0]);
    }
}

#[test]
fn flickers_stay_within_their_documented_shares() {
    for (flicker, least) in
        [(Flicker::Steady, 1.0), (Flicker::Flame, 0.6), (Flicker::Pulse, 0.4), (Flicker::Strobe, 0.0)]
    {
        let factors: Vec<f64> = (-500..500).map(|tick| flicker.factor(f64::from(tick) * 0.037, 3)).collect();
        assert!(factors.iter().all(|factor| (least - 1e-9..=1.0).contains(factor)), "{flicker:?}");
        let smallest = factors.iter().copied().fold(f64::MAX, f64::min);
        assert!(smallest < least + 0.05, "{flicker:?}: {smallest}");
    }
}

/// A change of the lamps or of the map.
#[derive(Clone, Debug)]
enum Change {
    Insert(Lamp),
    Move(usize, IVec2),
    Recolour(usize, [u8; 3], f64),
    Remove(usize),
    Cells(Vec<(IVec2, f32)>),
    Time(f64),
}

const SIZE: IVec2 = ivec2(70, 40);

fn cells() -> impl Strategy<Value = IVec2> {
    (0..SIZE.x, 0..SIZE.y).prop_map(|(x, y)| ivec2(x, y))
}

fn changes() -> impl Strategy<Value = Change> {
    let flickers = prop::sample::select(Flicker::ALL);
    let lamps = (cells(), 1.0..20.0, 0.0..4.0, any::<[u8; 3]>(), flickers).prop_map(
        |(at, reach, strength, colour, flicker)| {
            Lamp::new(at).with_reach(reach).with_strength(strength).with_colour(Rgb(colour)).with_flicker(flicker)
        },
    );
    let opacities = prop::sample::select(vec![0.0, 0.0, 0.3, 1.0, 1.0]);
    prop_oneof![
        3 => lamps.prop_map(Change::Insert),
        2 => (any::<usize>(), cells()).prop_map(|(lamp, to)| Change::Move(lamp, to)),
        1 => (any::<usize>(), any::<[u8; 3]>(), 0.0..4.0).prop_map(|(lamp, rgb, strength)| Change::Recolour(lamp, rgb, strength)),
        1 => any::<usize>().prop_map(Change::Remove),
        3 => prop::collection::vec((cells(), opacities), 1..40).prop_map(Change::Cells),
        1 => (0.0..9.0).prop_map(Change::Time),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn light_after_any_changes_is_that_of_a_new_light_map(
        first in prop::collection::vec((cells(), prop::sample::select(vec![0.2, 1.0])), 0..400),
        changes in prop::collection::vec(changes(), 1..30),
    ) {
        let mut map = OpacityMap::clear(SIZE.x as usize, SIZE.y as usize).unwrap();
        map.set_many(first).unwrap();
        let mut light = LightMap::new(&map).with_seed(7);
        let mut seconds = 0.0;
        for change in changes {
            let ids: Vec<LampId> = light.lamps().map(|(id, _)| id).collect();
            let pick = |index: usize| ids.get(index % ids.len().max(1)).copied();
            match change {
                Change::Insert(lamp) => drop(light.insert(&map, lamp).unwrap()),
                Change::Move(lamp, to) => if let Some(id) = pick(lamp) { prop_assert!(light.move_to(&map, id, to).unwrap()) },
                Change::Recolour(lamp, rgb, strength) => if let Some(id) = pick(lamp) {
                    prop_assert!(light.recolour(id, Rgb(rgb), strength).unwrap());
                },
                Change::Remove(lamp) => if let Some(id) = pick(lamp) { prop_assert!(light.remove(id).is_some()) },
                Change::Cells(cells) => {
                    map.set_many(cells.iter().copied()).unwrap();
                    light.changed(&map, cells.into_iter().map(|(cell, _)| cell)).unwrap();
                }
                Change::Time(to) => {
                    light.set_time(to);
                    seconds = to;
                }
            }
        }
        let mut fresh = fresh(&map, &light);
        fresh.set_time(seconds);
        assert_same_light(&map, &light, &fresh);
    }
}

#[test]
fn black_lamp_gives_no_light() {
    let map = OpacityMap::clear(9, 3).unwrap();
    let mut light = LightMap::new(&map);
    let black = light.insert(&map, lamp(4, 1).with_colour(Rgb([0; 3]))).unwrap();
    assert_eq!((light.level((4, 1)), light.hue((4, 1))), (0.0, [1.0; 3]));
    light.recolour(black, RED, 1.0).unwrap();
    assert_eq!(light.level((4, 1)), 1.0);
    light.recolour(black, Rgb([0; 3]), 1.0).unwrap();
    assert_eq!(light.level((4, 1)), 0.0);
}

#[test]
fn sconce_in_a_wall_lights_one_room() {
    let room = "#.....#.....#\n";
    let map =
        map(&["#############\n", room, room, "######.######\n", room, "######'######\n", "#############"].concat());
    // Lit below, to the right, to the left and above.
    for (sconce, lit, behind) in
        [((3, 3), (3, 4), (3, 2)), ((6, 1), (7, 1), (5, 1)), ((12, 2), (11, 2), (5, 2)), ((3, 5), (3, 4), (3, 2))]
    {
        let mut light = LightMap::new(&map);
        light.insert(&map, lamp(sconce.0, sconce.1)).unwrap();
        assert!(light.level(lit) > 0.5, "{sconce:?}: {lit:?}");
        assert_eq!(light.level(behind), 0.0, "{sconce:?}: {behind:?}");
        assert!(light.level_from(&map, sconce, lit) > 0.5, "{sconce:?}: {lit:?}");
    }
    let mut light = LightMap::new(&map);
    light.insert(&map, lamp(6, 1)).unwrap();
    assert_eq!(light.level_from(&map, (6, 1), (4, 1)), 0.0, "the other side of the wall is dark, too");
}
