//! Yes or no: symmetric, and near symmetric shadowcasting.

use farsight::compare::kinds::{KINDS, scene};
use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::sight::{FieldOfView, Method};
use farsight::{OpacityMap, SightConfig};

#[test]
fn game_of_yes_and_no_draws_no_hidden_floor_behind_a_door() {
    let room = "#.....#.....#\n";
    let text = ["#############\n", room, room, "#.....'.....#\n", room, room, "#############"].concat();
    let map = OpacityMap::from_text(&text).unwrap();
    let viewer = ivec2(3, 1);
    let mut fov = FieldOfView::new(SightConfig::crisp()).unwrap();
    let view = fov.compute(&map, viewer).unwrap();
    let seen: Vec<IVec2> = view.at_least_with_walls(SightConfig::CRISP_THRESHOLD, |cell| map.is_wall(cell)).collect();
    let mut exact = FieldOfView::new(SightConfig::default().with_method(Method::Exact)).unwrap();
    let exact = exact.compute(&map, viewer).unwrap();
    let is_hidden_floor = |cell: &IVec2| !map.is_wall(*cell) && exact.get(*cell) == 0.0;
    assert!(view.visible().any(|(cell, _)| is_hidden_floor(&cell)), "above 0 is not enough");
    assert!(!seen.iter().any(is_hidden_floor), "{seen:?}");
    // The room of the viewer is drawn with all its walls and corners, and walls are drawn next to floor that is drawn only.
    assert!(CellRect { min: ivec2(0, 0), max: ivec2(7, 7) }.cells().all(|cell| seen.contains(&cell)), "{seen:?}");
    let is_drawn_floor = |cell| !map.is_wall(cell) && seen.contains(&cell);
    for cell in seen.iter().filter(|cell| map.is_wall(**cell)) {
        assert!(CellRect::around(*cell, 1).cells().any(is_drawn_floor), "{cell}");
    }
    let strictly: Vec<IVec2> = view.at_least(SightConfig::CRISP_THRESHOLD).collect();
    assert!(strictly.iter().all(|cell| seen.contains(cell)) && seen.len() > strictly.len());
}

#[test]
fn crisp_views_are_symmetric_and_near_symmetric_shadowcasting() {
    const RADIUS: i32 = 12;
    for ((_, make), least) in KINDS[..3].iter().zip([0.91, 0.94, 0.98]) {
        let (mut equal, mut cells) = (0u32, 0u32);
        for seed in 1..=3 {
            let (map, _) = scene(40, seed, *make);
            let grid = map.grid();
            let mut fov = FieldOfView::new(SightConfig::crisp().with_radius(RADIUS as u32)).unwrap();
            let floor: Vec<IVec2> = grid.iter().filter(|(_, o)| **o < 1.0).map(|(cell, _)| cell).collect();
            let mut views = Vec::new();
            for &viewer in &floor {
                let seen: std::collections::HashSet<IVec2> =
                    fov.compute(&map, viewer).unwrap().at_least(SightConfig::CRISP_THRESHOLD).collect();
                views.push(seen);
            }
            for (i, viewer) in floor.iter().enumerate().step_by(9) {
                let in_range = |cell: IVec2| (cell - *viewer).length_squared() <= RADIUS * RADIUS;
                let cell = |(x, y): (isize, isize)| IVec2::new(x as i32, y as i32);
                let mut expected = std::collections::HashSet::new();
                symmetric_shadowcasting::compute_fov(
                    (viewer.x as isize, viewer.y as isize),
                    &mut |at| !in_range(cell(at)) || grid.get(cell(at)).is_none_or(|opacity| *opacity >= 1.0),
                    &mut |at| _ = expected.insert(cell(at)),
                );
                for (j, other) in floor.iter().enumerate().filter(|(_, other)| in_range(**other)) {
                    assert_eq!(views[i].contains(other), views[j].contains(viewer), "{viewer} and {other}");
                    cells += 1;
                    equal += u32::from(views[i].contains(other) == expected.contains(other));
                }
            }
        }
        let share = f64::from(equal) / f64::from(cells);
        assert!(share > least, "{share} of {cells}");
    }
}
