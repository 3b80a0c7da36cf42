//! Views that are kept: thresholds, changes, merging and saving.

use farsight::glam::{IVec2, ivec2};
use farsight::perception::TeamView;
use farsight::sight::{FieldOfView, MethodKind, OwnedView};
use farsight::{OpacityMap, SightConfig};
use proptest::prelude::*;

use crate::support::sight::{any_scene, cases};

fn cells(size: IVec2) -> impl Iterator<Item = IVec2> {
    (-2..size.y + 2).flat_map(move |y| (-2..size.x + 2).map(move |x| ivec2(x, y)))
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn kept_view_has_the_values_of_the_view(scene in any_scene(20), radius in 0..=24u32, threshold in 0.0..=1.0f32) {
        let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius)).unwrap();
        let map = scene.map();
        let view = fov.compute(&map, scene.viewer).unwrap();
        let kept = view.to_owned();
        prop_assert_eq!(kept.viewer(), scene.viewer);
        for cell in cells(scene.opacity.size()) {
            prop_assert_eq!(kept.get(cell).to_bits(), view.get(cell).to_bits());
        }
        prop_assert!(kept.visible().eq(view.visible()));
        for threshold in [threshold, 0.0, -1.0, f32::NAN] {
            let expected: Vec<_> =
                view.visible().filter(|(_, v)| *v >= threshold).map(|(cell, _)| cell).collect();
            prop_assert_eq!(view.at_least(threshold).collect::<Vec<_>>(), &*expected);
            prop_assert_eq!(kept.at_least(threshold).collect::<Vec<_>>(), expected);
        }
        let saved = serde_json::to_string(&kept).unwrap();
        prop_assert_eq!(serde_json::from_str::<OwnedView>(&saved).unwrap(), kept);
    }

    #[test]
    fn walls_are_as_visible_as_the_open_cells_in_front_of_them(
        scene in any_scene(20), method in prop::sample::select(MethodKind::ALL), radius in 0..=24u32,
    ) {
        let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius).with_method(method)).unwrap();
        let (map, viewer) = (scene.map(), scene.viewer);
        let view = fov.compute(&map, viewer).unwrap();
        let with_walls = view.with_walls(|cell| map.is_wall(cell));
        prop_assert_eq!(with_walls.viewer(), viewer);
        let window = view.grid().iter().map(|(cell, _)| cell + view.top_left());
        for cell in window {
            let toward = (viewer - cell).signum();
            let in_front: &[IVec2] = match (toward.x, toward.y) {
                (0, _) | (_, 0) => &[toward],
                _ => &[ivec2(toward.x, 0), ivec2(0, toward.y), toward],
            };
            let open = in_front.iter().map(|step| cell + step).filter(|front| *front == viewer || !map.is_wall(*front));
            let expected = if map.is_wall(cell) { open.map(|front| view.get(front)).fold(0.0, f32::max) } else { 0.0 };
            prop_assert_eq!(with_walls.get(cell), view.get(cell).max(expected), "{}", cell);
        }
    }

    #[test]
    fn teams_see_the_same_by_kept_views(
        scene in any_scene(20), radius in 0..=24u32, threshold in 0.0..=1.0f32, corner in (-5..5i32, -5..5i32),
    ) {
        let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius)).unwrap();
        let map = scene.map();
        let extent = map.extent();
        let part = farsight::grid::CellRect { min: corner.into(), max: extent.max - ivec2(corner.1, corner.0) };
        for extent in [extent, part] {
            let mut teams = [(); 2].map(|()| TeamView::new(extent).with_threshold(threshold));
            let view = fov.compute(&map, scene.viewer).unwrap();
            teams[0].set(7, &view);
            teams[1].set(7, &view.to_owned());
            for team in &mut teams {
                team.update();
            }
            prop_assert_eq!(teams[0].grid(), teams[1].grid());
            prop_assert_eq!(teams[0].changes(), teams[1].changes());
            for cell in extent.cells() {
                let seen = view.sees(cell) && view.get(cell) >= threshold;
                prop_assert_eq!([teams[0].count(cell), teams[1].count(cell)], [u32::from(seen); 2]);
            }
        }
    }

    #[test]
    fn changes_and_maxima_are_those_of_each_cell(
        scene in any_scene(20), x in 0..20i32, y in 0..20i32, radius in 0..=12u32, threshold in -0.5..=1.0f32,
    ) {
        let mut fov = FieldOfView::new(SightConfig::default().with_radius(radius)).unwrap();
        let (map, size) = (scene.map(), scene.opacity.size());
        let before = fov.compute(&map, scene.viewer).unwrap().to_owned();
        let now = fov.compute(&map, ivec2(x, y) % size).unwrap().to_owned();
        let changes = now.changes_since(&before, threshold);
        let is_visible = |view: &OwnedView, cell| view.get(cell) > 0.0 && view.get(cell) >= threshold;
        let differs = |a: &OwnedView, b: &OwnedView| -> Vec<IVec2> {
            cells(size).filter(|&cell| is_visible(a, cell) && !is_visible(b, cell)).collect()
        };
        prop_assert_eq!(&changes.newly_seen, &differs(&now, &before));
        prop_assert_eq!(&changes.newly_hidden, &differs(&before, &now));
        let mut merged = before.clone();
        let third = fov.compute(&map, ivec2(y, x) % size).unwrap().to_owned();
        merged.merge_max([&now, &third]);
        for cell in cells(size) {
            prop_assert_eq!(merged.get(cell), before.get(cell).max(now.get(cell)).max(third.get(cell)));
        }
        let mut one_by_one = before.clone();
        one_by_one.merge_max([&third]);
        one_by_one.merge_max([&now]);
        prop_assert_eq!(&one_by_one, &merged);
        prop_assert_eq!(merged.viewer(), scene.viewer);
    }
}

#[test]
fn saved_view_that_is_not_sound_is_an_error() {
    let read = |json: &str| serde_json::from_str::<OwnedView>(json).map_err(|error| error.to_string());
    assert!(read(r#"{"viewer":[0,0],"runs":[[0,0,2],[-5,1,1]],"values":[1.0,0.5,0.25]}"#).is_ok());
    for (json, message) in [
        (r#"{"viewer":[0,0],"runs":[[0,0,2]],"values":[1.0]}"#, "the run of 2 cells at 0,0 has too few values"),
        (r#"{"viewer":[0,0],"runs":[[2147483647,0,2]],"values":[1.0,1.0]}"#, "has too few values"),
        (r#"{"viewer":[0,0],"runs":[[0,0,18446744073709551615]],"values":[1.0]}"#, "has too few values"),
        (r#"{"viewer":[0,0],"runs":[[0,0,1]],"values":[1.0,1.0]}"#, "1 values belong to no run"),
        (
            r#"{"viewer":[0,0],"runs":[[0,1,1],[9,0,1]],"values":[1.0,1.0]}"#,
            "the cell 9,0 is not behind the one before",
        ),
        (r#"{"viewer":[0,0],"runs":[[0,0,1]],"values":[1.5]}"#, "the cell 0,0 has visibility 1.5"),
    ] {
        let error = read(json).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn rooms_have_all_their_walls() {
    let room =
        OpacityMap::from_text(&format!("{0}\n{1}{0}", "#".repeat(20), format!("#{}#\n", ".".repeat(18)).repeat(5)));
    let room = room.unwrap();
    for &method in MethodKind::ALL {
        let mut fov = FieldOfView::new(SightConfig::default().with_method(method)).unwrap();
        for viewer in room.extent().cells().filter(|cell| !room.is_wall(*cell)) {
            let view = fov.compute(&room, viewer).unwrap().with_walls(|cell| room.is_wall(cell));
            let dim: Vec<_> = room.extent().cells().filter(|cell| view.get(*cell) < 0.99).collect();
            assert_eq!(dim, [IVec2::ZERO; 0], "{method:?} from {viewer}");
        }
    }
}
