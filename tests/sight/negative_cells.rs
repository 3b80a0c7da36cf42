//! Maps with cells left of and above 0,0: memory, teams, lamps and daylight answer as on the same map at 0,0.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::light::{Daylight, Lamp, LightMap, Surroundings};
use farsight::perception::{CellMemory, Memory, OutOfSight, TeamView};
use farsight::sight::{FieldOfView, MethodKind, OpacityCells, OpacityMap, SightConfig, SightError, View};
use farsight::viewshed::Viewshed;
use serde::Serialize;
use serde::de::DeserializeOwned;

const LEVEL: &str = "..........\n....##....\n..#.......\n......+...\n..........";

/// A map whose top left cell is `min`.
struct Moved {
    map: OpacityMap,
    min: IVec2,
}

impl Moved {
    fn opacity(&self, cell: IVec2) -> f32 {
        self.map.get(cell - self.min).unwrap_or(f32::NAN)
    }
}

impl Surroundings for Moved {
    fn extent(&self) -> CellRect {
        CellRect { min: self.min, max: self.min + self.map.grid().size() }
    }

    fn is_wall(&self, cell: IVec2) -> bool {
        self.opacity(cell) == 1.0
    }

    fn shine<'v>(&self, lamp: &Lamp, viewshed: &'v mut Viewshed) -> Result<View<'v>, SightError> {
        viewshed.field_of_view_mut().compute(OpacityCells::new(|cell| self.opacity(cell)), lamp.at)
    }
}

fn saved<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn memory_team_and_lamps_follow_a_map_to_any_place() {
    let map = OpacityMap::from_text(LEVEL).unwrap();
    let config = SightConfig::default().with_radius(4).with_method(MethodKind::SymmetricShadowcast);
    let mut fov = FieldOfView::new(config).unwrap();
    for min in [ivec2(-5, -3), ivec2(-100, 70), ivec2(i32::MIN / 4, i32::MAX / 4)] {
        let moved = Moved { map: map.clone(), min };
        let (mut memory, mut wanted) =
            (Memory::new(moved.extent()).with_fading(3), Memory::new(map.extent()).with_fading(3));
        let (mut team, mut wanted_team) = (TeamView::new(moved.extent()), TeamView::new(map.extent()));
        for (unit, at) in (0..).zip([ivec2(0, 0), ivec2(9, 4), ivec2(5, 2), ivec2(0, 4), ivec2(8, 0)]) {
            let view = fov.compute(OpacityCells::new(|cell| moved.opacity(cell)), min + at).unwrap();
            memory.update(view.seen().chain([min - 1]), OutOfSight::Remember);
            team.set(unit % 2, &view);
            let view = fov.compute(&map, at).unwrap();
            wanted.update(view.seen(), OutOfSight::Remember);
            wanted_team.set(unit % 2, &view);
            assert_eq!(team.update().newly_seen.len(), wanted_team.update().newly_seen.len());
            assert_eq!((memory.grid(), team.grid()), (wanted.grid(), wanted_team.grid()));
            for cell in map.extent().cells() {
                assert_eq!(
                    (memory.get(min + cell), memory.strength(min + cell)),
                    (wanted.get(cell), wanted.strength(cell))
                );
                assert_eq!(
                    (team.count(min + cell), team.get(min + cell)),
                    (wanted_team.count(cell), wanted_team.get(cell))
                );
            }
            assert_eq!((memory.get(min - 1), team.count(min - 1)), (CellMemory::Hidden, 0));
            (memory, team) = (saved(&memory), saved(&team));
        }
        assert_eq!((memory.extent(), team.extent()), (moved.extent(), moved.extent()));

        let (mut light, mut wanted) = (LightMap::new(&moved), LightMap::new(&map));
        for at in [ivec2(1, 1), ivec2(8, 3)] {
            light.insert(&moved, Lamp::new(min + at).with_reach(5.0)).unwrap();
            wanted.insert(&map, Lamp::new(at).with_reach(5.0)).unwrap();
        }
        let light = saved(&light);
        for cell in map.extent().cells() {
            assert_eq!(light.level(min + cell).to_bits(), wanted.level(cell).to_bits(), "{cell} from {min} on");
        }
        assert_eq!(light.level(min - 1), 0.0);
    }
}

#[test]
fn daylight_follows_a_map_to_any_place() {
    let [open, closed] = ["...#####\n...'...#\n...#####", "...#####\n...+...#\n...#####"];
    let [open, closed] = [open, closed].map(|map| OpacityMap::from_text(map).unwrap());
    let roofs = Grid::from_fn(8, 3, |cell| cell.x >= 3);
    let mut wanted = Daylight::new(&closed, &roofs, 8.0).unwrap();
    wanted.changed(&open, [ivec2(3, 1)]).unwrap();
    assert!(wanted.level((5, 1)) > 0.3);
    for min in [ivec2(-5, -1), ivec2(-100, -90), IVec2::MIN / 4, ivec2(i32::MIN / 4, i32::MAX / 4)] {
        let [open, closed] = [&open, &closed].map(|map| Moved { map: map.clone(), min });
        let mut day = Daylight::new(&closed, &roofs, 8.0).unwrap();
        assert_eq!(day.level(min + ivec2(5, 1)), 0.0);
        let surroundings: &dyn Surroundings = &open;
        day.changed(surroundings, [min + ivec2(3, 1)]).unwrap();
        for cell in open.map.extent().cells() {
            let (at, viewer) = (min + cell, min + ivec2(0, 1));
            assert_eq!(day.level(at).to_bits(), wanted.level(cell).to_bits(), "{cell} from {min} on");
            assert_eq!(day.level_from(&open, at, viewer), wanted.level_from(&open.map, cell, (0, 1)), "{cell}");
            assert_eq!(day.has_roof(at), wanted.has_roof(cell));
        }
        assert_eq!(day.level(min.wrapping_sub(IVec2::ONE)), 0.0);
    }
}
