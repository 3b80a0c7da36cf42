//! The view of a team, against the maximum over its units.

use farsight::OpacityMap;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::perception::{CellMemory, TeamView};
use farsight::sight::{FieldOfView, MethodKind, SightConfig};
use farsight_scene::compare::kinds::{rooms, scene};

/// Units 0, 1, … on these cells, with views of different radii.
struct Team {
    map: OpacityMap,
    fovs: [FieldOfView; 3],
    units: Vec<Option<IVec2>>,
    view: TeamView,
    random: u64,
}

impl Team {
    fn new(method: MethodKind, threshold: f32) -> Self {
        let (map, _) = scene(40, 3, rooms);
        let fov = |radius| FieldOfView::new(SightConfig::default().with_radius(radius).with_method(method)).unwrap();
        let view = TeamView::new(CellRect::of_size((40, 40))).with_threshold(threshold);
        Self { map, fovs: [3, 8, 21].map(fov), units: vec![None; 12], view, random: 1 }
    }

    fn random(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % below
    }

    fn step(&mut self) {
        for _ in 0..3 {
            let unit = self.random(self.units.len());
            if self.random(4) == 0 {
                assert_eq!(self.view.remove(unit as u64), self.units[unit].take().is_some());
                continue;
            }
            let at = ivec2(self.random(40) as i32, self.random(40) as i32);
            self.units[unit] = Some(at);
            self.look(unit);
        }
    }

    fn look(&mut self, unit: usize) {
        let at = self.units[unit].unwrap();
        self.view.set(unit as u64, &self.fovs[unit % 3].compute(&self.map, at).unwrap());
    }

    fn count(&mut self, cell: IVec2, threshold: f32) -> u32 {
        let mut count = 0;
        for (unit, at) in self.units.iter().enumerate().filter_map(|(unit, at)| Some((unit, (*at)?))) {
            let value = self.fovs[unit % 3].compute(&self.map, at).unwrap().get(cell);
            count += u32::from(value > 0.0 && value >= threshold);
        }
        count
    }
}

#[test]
fn counts_states_and_changes_are_those_of_all_units() {
    for (method, threshold) in [(MethodKind::SymmetricShadowcast, 0.0), (MethodKind::TwoParent, 0.4)] {
        let mut team = Team::new(method, threshold);
        let mut states = vec![CellMemory::Hidden; 1600];
        for tick in 0..12 {
            team.step();
            let changes = team.view.update().clone();
            assert_eq!(&changes, team.view.changes());
            let (mut seen, mut hidden, mut discovered) = (Vec::new(), Vec::new(), Vec::new());
            for cell in (0..1600).map(|i| ivec2(i % 40, i / 40)) {
                let count = team.count(cell, threshold);
                assert_eq!(
                    (team.view.count(cell), team.view.sees(cell)),
                    (count, count > 0),
                    "{method:?} {tick} {cell}"
                );
                let state = &mut states[(cell.y * 40 + cell.x) as usize];
                match (*state, count > 0) {
                    (CellMemory::Visible, false) => {
                        hidden.push(cell);
                        *state = CellMemory::Seen;
                    }
                    (CellMemory::Hidden | CellMemory::Seen, true) => {
                        seen.push(cell);
                        if *state == CellMemory::Hidden {
                            discovered.push(cell);
                        }
                        *state = CellMemory::Visible;
                    }
                    _ => {}
                }
                assert_eq!(team.view.get(cell), *state, "{method:?} {tick} {cell}");
            }
            assert_eq!((changes.newly_seen, changes.newly_hidden, changes.discovered), (seen, hidden, discovered));
        }
        assert!(team.view.update().is_empty(), "nothing moved");
    }
}

#[test]
fn changed_cell_concerns_the_units_near_it() {
    let mut team = Team::new(MethodKind::SymmetricShadowcast, 0.0);
    (0..6).for_each(|_| team.step());
    for cell in (0..1600).step_by(7).map(|i| ivec2(i % 40, i / 40)) {
        let opacity = if team.map.is_wall(cell) { 0.0 } else { 1.0 };
        team.map.set(cell, opacity).unwrap();
        for unit in team.view.units_near(cell) {
            team.look(unit as usize);
        }
        for cell in (0..1600).step_by(3).map(|i| ivec2(i % 40, i / 40)) {
            assert_eq!(team.view.count(cell), team.count(cell, 0.0), "{cell}");
        }
    }
}

#[test]
fn view_beyond_the_map_is_ignored() {
    let map = OpacityMap::clear(30, 30).unwrap();
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(4)).unwrap();
    let mut team = TeamView::new(CellRect::of_size((10, 10)));
    team.set(1, &fov.compute(&map, (9, 5)).unwrap());
    assert_eq!(team.update().newly_seen.iter().map(|cell| cell.x).max(), Some(9));
    team.set(2, &fov.compute(&map, (25, 25)).unwrap());
    assert!(team.update().is_empty() && team.units().eq([1, 2]));
    team.set(1, &fov.compute(&map, (25, 5)).unwrap());
    assert_eq!((team.update().newly_seen.len(), team.grid().as_slice().contains(&CellMemory::Visible)), (0, false));
    assert_eq!((team.count((-1, 3)), team.get((10, 3))), (0, CellMemory::Hidden));
    let saved = serde_json::to_string(&team).unwrap();
    let loaded: TeamView = serde_json::from_str(&saved).unwrap();
    assert!(loaded.units().eq([1, 2]));
    assert!(loaded == team, "also with changes that no update has told yet");
    team.remove(1);
    assert!(loaded != team);
}
