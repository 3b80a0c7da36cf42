//! Saves: saved states continue bit-identically, and damaged saves are errors.

use farsight::OpacityMap;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::light::{Flicker, Lamp, LightMap, Rgb};
use farsight::perception::{Memory, OutOfSight, Sense, TeamView, Thresholds};
use farsight::sight::{FieldOfView, MethodKind, Sector, SightConfig};
use farsight_scene::compare::kinds::{rooms, scene};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn saved<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

/// Asserts that every single change of a number, a list or a key of a save is read or refused, without a panic. Returns the messages.
fn damaged<T: Serialize + DeserializeOwned>(value: &T) -> Vec<String> {
    let whole = serde_json::to_value(value).unwrap();
    let mut places = Vec::new();
    list_places(&whole, &mut Vec::new(), &mut places);
    let mut messages = Vec::new();
    for place in places.iter().step_by((places.len() / 300).max(1)) {
        let numbers = [-1, 3, i64::from(i32::MAX), 1 << 40].map(Value::from);
        for damage in numbers.into_iter().chain([Value::from(1.5), Value::Null, Value::from(vec![0; 3])]) {
            let mut copy = whole.clone();
            *copy.pointer_mut(place).unwrap() = damage;
            if let Err(error) = serde_json::from_value::<T>(copy) {
                messages.push(error.to_string());
            }
        }
    }
    let text = whole.to_string();
    for end in (0..text.len()).step_by((text.len() / 50).max(1)) {
        assert!(serde_json::from_str::<T>(&text[..end]).is_err());
    }
    assert!(messages.len() > places.len().min(300), "{} of {}", messages.len(), places.len());
    messages
}

fn list_places(value: &Value, path: &mut Vec<String>, places: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Array(values) => values.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        Value::Object(values) => values.iter().map(|(key, value)| (key.clone(), value)).collect(),
        _ => Vec::new(),
    };
    if !path.is_empty() {
        places.push(format!("/{}", path.join("/")));
    }
    for (key, child) in children {
        path.push(key);
        list_places(child, path, places);
        path.pop();
    }
}

fn assert_mentions(messages: &[String], words: &[&str]) {
    for word in words {
        assert!(messages.iter().any(|message| message.contains(word)), "no message has {word:?}");
    }
}

#[test]
fn grids_and_maps_come_back() {
    let grid = Grid::from_fn(5, 3, |cell| cell.as_vec2().length() / 7.0);
    assert_eq!(saved(&grid), grid);
    assert_mentions(&damaged(&grid), &["15 values do not fill a grid of"]);
    let map = OpacityMap::from_text("#...__\n#.+'4_\n######").unwrap();
    let back = saved(&map);
    assert_eq!((&back, back.doors(), back.roofs()), (&map, map.doors(), map.roofs()));
    assert_mentions(&damaged(&map), &["has opacity", "is outside the map", "values do not fill"]);
}

#[test]
fn memory_that_fades_continues() {
    let (map, _) = scene(30, 1, rooms);
    let floor: Vec<IVec2> = map.grid().iter().filter(|(_, o)| **o < 1.0).map(|(cell, _)| cell).collect();
    let mut fov =
        FieldOfView::new(SightConfig::default().with_radius(6).with_method(MethodKind::SymmetricShadowcast)).unwrap();
    let mut memory = Memory::<u32>::of_contents(CellRect::of_size((30, 30))).with_fading(5);
    let mut step = |memory: &mut Memory<u32>, turn: usize| {
        let view = fov.compute(&map, floor[turn * 13 % floor.len()]).unwrap();
        memory.update_with(view.seen(), OutOfSight::Remember, |cell| (cell.x * turn as i32) as u32);
    };
    (0..9).for_each(|turn| step(&mut memory, turn));
    let mut back = saved(&memory);
    assert_eq!(back, memory);
    for turn in 9..30 {
        step(&mut memory, turn);
        step(&mut back, turn);
        assert_eq!(back, memory, "turn {turn}");
        for (cell, _) in map.grid().iter() {
            assert_eq!((back.content(cell), back.strength(cell)), (memory.content(cell), memory.strength(cell)));
        }
    }
    let messages = damaged(&memory);
    assert_mentions(&messages, &["is not the state of a cell", "in_sight is not the list"]);
    let mut value = serde_json::to_value(&memory).unwrap();
    value["fading"]["now"] = 1.into();
    let error = serde_json::from_value::<Memory<u32>>(value).unwrap_err().to_string();
    assert!(error.contains("after the present one, 1"), "{error}");
}

#[test]
fn changes_of_a_memory_are_those_of_its_cells() {
    let (map, _) = scene(24, 2, rooms);
    let floor: Vec<IVec2> = map.grid().iter().filter(|(_, o)| **o < 1.0).map(|(cell, _)| cell).collect();
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(5)).unwrap();
    for out_of_sight in [OutOfSight::Remember, OutOfSight::Forget] {
        let mut memory = Memory::new(map.extent());
        for turn in 0..20 {
            let before = memory.grid().clone();
            let seen: Vec<IVec2> = fov.compute(&map, floor[turn * 17 % floor.len()]).unwrap().seen().collect();
            // Twice, and off the map.
            memory.update(seen.iter().chain(&seen).copied().chain([ivec2(-1, 0)]), out_of_sight);
            let cells = |is_listed: &dyn Fn(IVec2) -> bool| -> Vec<IVec2> {
                before.iter().map(|(cell, _)| cell).filter(|cell| is_listed(*cell)).collect()
            };
            use farsight::perception::CellMemory::{Hidden, Visible};
            let is_in_sight = |cell| memory.get(cell) == Visible;
            let changes = memory.changes();
            assert_eq!(changes.newly_seen, cells(&|cell| is_in_sight(cell) && before[cell] != Visible));
            assert_eq!(changes.discovered, cells(&|cell| is_in_sight(cell) && before[cell] == Hidden));
            assert_eq!(changes.newly_hidden, cells(&|cell| !is_in_sight(cell) && before[cell] == Visible));
        }
    }
}

#[test]
fn lights_continue() {
    let (mut map, _) = scene(40, 2, rooms);
    let mut light = LightMap::new(&map).with_seed(5);
    let mut ids = Vec::new();
    for i in 0..12 {
        let lamp = Lamp::new(ivec2(i * 11 % 40, i * 7 % 40)).with_reach(7.0).with_colour(Rgb([255, 20 * i as u8, 9]));
        ids.push(light.insert(&map, lamp.with_flicker(Flicker::Flame)).unwrap());
    }
    light.remove(ids[3]);
    light.set_time(0.7);
    let mut back = saved(&light);
    let assert_same = |one: &LightMap, other: &LightMap| {
        for cell in (0..1600).map(|i| ivec2(i % 40, i / 40)) {
            assert_eq!((one.level(cell).to_bits(), one.hue(cell)), (other.level(cell).to_bits(), other.hue(cell)));
        }
        assert!(one.lamps().eq(other.lamps()));
    };
    assert_same(&light, &back);
    map.set((20, 20), 1.0).unwrap();
    for light in [&mut light, &mut back] {
        light.changed(&map, [(20, 20)]).unwrap();
        light.move_to(&map, ids[5], (8, 9)).unwrap();
        light.insert(&map, Lamp::new((3, 3))).unwrap();
        light.set_time(1.1);
    }
    assert_same(&light, &back);
    let messages = damaged(&light);
    assert_mentions(&messages, &["a light map from", "has light off the map", "is not behind the one before"]);
}

#[test]
fn senses_and_teams_continue() {
    let (map, viewer) = scene(40, 2, rooms);
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(9)).unwrap();
    let mut sense = Sense::new(Thresholds::default()).with_night_vision(0.2).with_sector(Sector::new(20.0, 100.0));
    let target = viewer + ivec2(1, -2);
    sense.notice(viewer, target, fov.line_of_sight(&map, viewer, target).unwrap(), 1.0).unwrap();
    assert_eq!(saved(&sense), sense);
    assert_mentions(&damaged(&sense), &["night_vision: ", "span: "]);

    let mut team = TeamView::new(map.extent()).with_threshold(0.3);
    let floor: Vec<IVec2> = map.grid().iter().filter(|(_, o)| **o < 1.0).map(|(cell, _)| cell).collect();
    let mut step = |team: &mut TeamView, turn: usize| {
        let at = floor[turn * 37 % floor.len()];
        team.set(turn as u64 % 5, &fov.compute(&map, at).unwrap());
    };
    for turn in 0..11 {
        step(&mut team, turn);
        if turn % 3 == 0 {
            team.update();
        }
    }
    let mut back = saved(&team); // with changes that no update has told
    assert_eq!(back.changes(), team.changes());
    for turn in 11..20 {
        assert_eq!(back.update(), team.update());
        assert_eq!(back.grid(), team.grid());
        for cell in (0..1600).map(|i| ivec2(i % 40, i / 40)) {
            assert_eq!(back.count(cell), team.count(cell));
        }
        step(&mut team, turn);
        step(&mut back, turn);
    }
    assert_mentions(&damaged(&team), &["is not the state of a cell", "on a map of", "which are not in order"]);
}
