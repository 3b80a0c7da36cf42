//! The classic methods against independent implementations, and their published faults.

use std::collections::BTreeSet;

use farsight::classic::{self, ClassicConfig, ClassicMethod, ClassicView, Line, Ties, TileMemory, TileState};
use farsight::glam::{IVec2, ivec2};
use farsight::{
    CellRect, DecayKind, GalleryMap, Grid, Job, Layer, OpacityMap, Preset, Scene, SightConfig, SightError, TextMap,
};
use proptest::prelude::*;

fn config(method: ClassicMethod, radius: u32) -> ClassicConfig {
    ClassicConfig { method, radius, ..Default::default() }
}

fn see(map: &OpacityMap, viewer: IVec2, method: ClassicMethod, radius: u32) -> ClassicView {
    classic::visible(map, viewer, &config(method, radius)).unwrap()
}

/// A map and its viewer, drawn.
fn drawn(text: &str) -> (OpacityMap, IVec2) {
    let map = TextMap::parse(text).unwrap();
    (OpacityMap::try_from(map.opacity).unwrap(), map.viewer.unwrap())
}

/// What is seen of a map: `#` and `.` where seen, a space where not, `@` the viewer.
fn picture(map: &OpacityMap, view: &ClassicView) -> String {
    let grid = map.grid();
    let mut text = String::new();
    for y in 0..grid.height() as i32 {
        for x in 0..grid.width() as i32 {
            let cell = ivec2(x, y);
            text.push(match (view.get(cell), cell == view.viewer(), grid[cell] >= 0.5) {
                (false, ..) => ' ',
                (_, true, _) => '@',
                (.., true) => '#',
                _ => '.',
            });
        }
        text.push('\n');
    }
    text
}

fn seen_cells(view: &ClassicView) -> BTreeSet<(i32, i32)> {
    view.visible().map(|cell| (cell.x, cell.y)).collect()
}

/// A map of walls and clear cells, about `walls` in a hundred of them walls, and a viewer on it.
fn random_map(walls: std::ops::Range<u32>, side: usize) -> impl Strategy<Value = (OpacityMap, IVec2)> {
    (1..=side, 1..=side, walls)
        .prop_flat_map(|(width, height, walls)| {
            let cell = (0u32..100).prop_map(move |roll| if roll < walls { 1.0 } else { 0.0 });
            (prop::collection::vec(cell, width * height), 0..width, 0..height, Just((width, height)))
        })
        .prop_map(|(cells, x, y, (width, height))| {
            let grid = Grid::from_vec(width, height, cells).unwrap();
            (OpacityMap::try_from(grid).unwrap(), ivec2(x as i32, y as i32))
        })
}

/// Recursive shadowcasting written down once more, as a recursion over matrices, with columns
/// counted from −row to 0 and the row negative.
mod recursion {
    use super::*;

    const OCTANTS: [[i32; 4]; 8] = [
        [1, 0, 0, 1],
        [0, 1, 1, 0],
        [0, -1, 1, 0],
        [-1, 0, 0, 1],
        [-1, 0, 0, -1],
        [0, -1, -1, 0],
        [0, 1, -1, 0],
        [1, 0, 0, -1],
    ];

    struct Caster<'a> {
        map: &'a OpacityMap,
        viewer: IVec2,
        radius: i32,
        lit: BTreeSet<(i32, i32)>,
    }

    impl Caster<'_> {
        fn cast(&mut self, matrix: [i32; 4], first_row: i32, mut high: f32, low: f32) {
            if high < low {
                return;
            }
            let mut next_high = high;
            let mut row = first_row;
            let mut dark = false;
            while row <= self.radius && !dark {
                let down = -row;
                for across in -row..=0 {
                    let left = (across as f32 - 0.5) / (down as f32 + 0.5);
                    let right = (across as f32 + 0.5) / (down as f32 - 0.5);
                    if high < right {
                        continue;
                    } else if low > left {
                        break;
                    }
                    let cell = ivec2(
                        self.viewer.x + across * matrix[0] + down * matrix[1],
                        self.viewer.y + across * matrix[2] + down * matrix[3],
                    );
                    let Some(opacity) = self.map.get(cell) else { continue };
                    if across * across + down * down <= self.radius * self.radius {
                        self.lit.insert((cell.x, cell.y));
                    }
                    let wall = opacity >= 0.5;
                    if dark && wall {
                        next_high = right;
                    } else if dark {
                        dark = false;
                        high = next_high;
                    } else if wall && row < self.radius {
                        dark = true;
                        self.cast(matrix, row + 1, high, left);
                        next_high = right;
                    }
                }
                row += 1;
            }
        }
    }

    pub(crate) fn seen(map: &OpacityMap, viewer: IVec2, radius: u32) -> BTreeSet<(i32, i32)> {
        let mut caster = Caster { map, viewer, radius: radius as i32, lit: BTreeSet::from([(viewer.x, viewer.y)]) };
        for octant in OCTANTS {
            caster.cast(octant, 1, 1.0, 0.0);
        }
        caster.lit
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn shadowcast_is_the_recursion_cell_for_cell((map, viewer) in random_map(0..60, 90), radius in 0u32..=60) {
        let view = see(&map, viewer, ClassicMethod::Shadowcast, radius);
        prop_assert_eq!(seen_cells(&view), recursion::seen(&map, viewer, radius));
    }

    #[test]
    fn shadowcast_is_the_recursion_where_walls_are_rare((map, viewer) in random_map(0..4, 120), radius in 20u32..=60) {
        let view = see(&map, viewer, ClassicMethod::Shadowcast, radius);
        prop_assert_eq!(seen_cells(&view), recursion::seen(&map, viewer, radius));
    }

    #[test]
    fn a_line_ends_where_it_should_and_stays_within_half_a_cell(x in -99..=99, y in -99..=99) {
        let end = ivec2(x, y);
        for ties in [Ties::Inward, Ties::Outward] {
            let cells: Vec<_> = Line::new(IVec2::ZERO, end, ties).collect();
            let long = x.abs().max(y.abs());
            prop_assert_eq!(cells.len() as i32, long);
            let mut before = IVec2::ZERO;
            for cell in &cells {
                prop_assert_eq!((*cell - before).abs().max_element(), 1);
                before = *cell;
                // The distance from the true line along the shorter axis, in units of 1 / long.
                prop_assert!(2 * (cell.x * y - cell.y * x).abs() <= long * long.max(1));
            }
            prop_assert_eq!(before, end);
        }
    }

    #[test]
    fn a_line_is_the_same_in_all_eight_octants(x in -99..=99, y in -99..=99) {
        for ties in [Ties::Inward, Ties::Outward] {
            let line: Vec<_> = Line::new(IVec2::ZERO, ivec2(x, y), ties).collect();
            for turn in SYMMETRIES {
                let turned: Vec<_> = Line::new(IVec2::ZERO, turn(ivec2(x, y)), ties).collect();
                prop_assert_eq!(turned, line.iter().copied().map(turn).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn all_methods_have_the_eight_symmetries_of_the_square(
        (map, viewer) in random_map(0..50, 24), radius in 0u32..30, turn in 0usize..8,
    ) {
        let turn = SYMMETRIES[turn];
        // A square map around the viewer, walls outside: turning it moves no border.
        let reach = 30;
        let around = |from: &dyn Fn(IVec2) -> IVec2| {
            let grid = Grid::from_fn(2 * reach + 1, 2 * reach + 1, |cell| {
                map.get(viewer + from(cell - IVec2::splat(reach as i32))).unwrap_or(1.0)
            });
            OpacityMap::try_from(grid).unwrap()
        };
        let centre = IVec2::splat(reach as i32);
        let (straight, turned) = (around(&|offset| offset), around(&turn));
        for method in ClassicMethod::ALL {
            let (a, b) = (see(&straight, centre, method, radius), see(&turned, centre, method, radius));
            for (cell, &seen) in b.grid().iter() {
                let offset = cell + b.origin() - centre;
                prop_assert_eq!(a.get(centre + turn(offset)), seen, "{:?} {}", method, offset);
            }
        }
    }

    #[test]
    fn nothing_is_seen_out_of_range_off_the_map_or_through_a_ring(
        (map, viewer) in random_map(0..50, 40), radius in 0u32..50,
    ) {
        for method in ClassicMethod::ALL {
            let view = see(&map, viewer, method, radius);
            prop_assert!(view.get(viewer));
            for cell in view.visible() {
                prop_assert!(map.get(cell).is_some());
                prop_assert!((cell - viewer).length_squared() <= (radius * radius) as i32);
            }
            let mut closed = map.clone();
            let ring = |cell: IVec2| (cell - viewer).abs().max_element() == 3;
            for (cell, _) in map.grid().iter().filter(|(cell, _)| ring(*cell)) {
                closed.set(cell, 1.0).unwrap();
            }
            let inside = see(&closed, viewer, method, radius);
            prop_assert!(inside.visible().all(|cell| (cell - viewer).abs().max_element() <= 3));
        }
    }

    #[test]
    fn repair_only_adds_walls_and_rays_only_add_cells((map, viewer) in random_map(0..50, 40), radius in 0u32..40) {
        let border = config(ClassicMethod::RaycastBorder, radius);
        let bare = classic::visible(&map, viewer, &ClassicConfig { repair: false, ..border.clone() }).unwrap();
        let repaired = classic::visible(&map, viewer, &border).unwrap();
        for (cell, &opacity) in map.grid().iter() {
            prop_assert!(bare.get(cell) <= repaired.get(cell));
            prop_assert!(opacity == 1.0 || bare.get(cell) == repaired.get(cell));
        }
        let circle = ClassicConfig { rays: 40, ..config(ClassicMethod::RaycastCircle, radius) };
        let few = classic::visible(&map, viewer, &circle).unwrap();
        let many = classic::visible(&map, viewer, &ClassicConfig { rays: 120, ..circle }).unwrap();
        prop_assert!(few.visible().all(|cell| many.get(cell)));
    }
}

const SYMMETRIES: [fn(IVec2) -> IVec2; 8] = [
    |c| c,
    |c| ivec2(-c.x, c.y),
    |c| ivec2(c.x, -c.y),
    |c| -c,
    |c| ivec2(c.y, c.x),
    |c| ivec2(-c.y, c.x),
    |c| ivec2(c.y, -c.x),
    |c| ivec2(-c.y, -c.x),
];

#[test]
fn a_line_one_cell_wide_steps_aside_once() {
    // The published code tests for "more than 1" where it should test for "more than 0", and never steps aside here.
    for end in [ivec2(1, 5), ivec2(5, 1), ivec2(-1, 5), ivec2(5, -1), ivec2(1, 1)] {
        assert_eq!(Line::new(IVec2::ZERO, end, Ties::Outward).last(), Some(end));
    }
    assert_eq!(Line::new(ivec2(4, 4), ivec2(4, 4), Ties::Inward).next(), None);
}

#[test]
fn ties_go_inward_or_outward() {
    let line = |ties| Line::new(IVec2::ZERO, ivec2(4, 2), ties).collect::<Vec<_>>();
    assert_eq!(line(Ties::Inward), [ivec2(1, 0), ivec2(2, 1), ivec2(3, 1), ivec2(4, 2)]);
    assert_eq!(line(Ties::Outward), [ivec2(1, 1), ivec2(2, 1), ivec2(3, 2), ivec2(4, 2)]);
}

// The errors that the source of the shadowcaster calls common.

#[test]
fn the_map_is_hidden_at_spawn_but_for_what_is_seen() {
    let (map, viewer) = drawn("##########\n#..@.#...#\n#....#...#\n##########");
    let mut memory = TileMemory::new(10, 4);
    assert!(memory.grid().as_slice().iter().all(|&state| state == TileState::Hidden));
    memory.turn(&see(&map, viewer, ClassicMethod::Shadowcast, 20));
    assert_eq!(memory.get(ivec2(1, 2)), TileState::Visible);
    assert_eq!(memory.get(ivec2(7, 2)), TileState::Hidden);
    assert_eq!(memory.get(ivec2(-1, 2)), TileState::Hidden);
}

#[test]
fn a_room_that_was_left_is_remembered_not_lit() {
    let (mut map, viewer) = drawn("#########\n#@..#...#\n#########");
    let mut memory = TileMemory::new(9, 3);
    memory.turn(&see(&map, viewer, ClassicMethod::Shadowcast, 20));
    memory.turn(&see(&map, ivec2(6, 1), ClassicMethod::Shadowcast, 20));
    assert_eq!(memory.get(ivec2(2, 1)), TileState::Seen);
    assert_eq!(memory.get(ivec2(5, 1)), TileState::Visible);
    map.set(ivec2(4, 1), 0.0).unwrap(); // the door opens
    memory.turn(&see(&map, ivec2(6, 1), ClassicMethod::Shadowcast, 20));
    assert_eq!(memory.get(ivec2(2, 1)), TileState::Visible);
}

#[test]
fn more_than_the_tile_underfoot_is_lit() {
    let (map, viewer) = drawn("#####\n#...#\n#.@.#\n#...#\n#####");
    for method in ClassicMethod::ALL {
        let view = see(&map, viewer, method, 8);
        assert!(map.grid().iter().filter(|(c, _)| (*c - viewer).abs().max_element() < 2).all(|(c, _)| view.get(c)));
    }
    let view = see(&map, viewer, ClassicMethod::Shadowcast, 8);
    assert_eq!(view.visible().count(), 25, "{}", picture(&map, &view));
}

#[test]
fn the_lit_area_is_a_disc_not_a_square() {
    let map = OpacityMap::clear(61, 41).unwrap();
    let viewer = ivec2(40, 18);
    for method in ClassicMethod::ALL {
        let view = see(&map, viewer, method, 15);
        for (cell, _) in map.grid().iter() {
            let in_range = (cell - viewer).length_squared() <= 15 * 15;
            assert_eq!(view.get(cell), in_range, "{method:?} {cell}");
        }
    }
}

#[test]
fn who_stands_in_a_room_sees_all_of_its_floor_and_walls() {
    let room = OpacityMap::try_from(Grid::from_fn(17, 12, |c| {
        f32::from(u8::from(c.x == 0 || c.y == 0 || c.x == 16 || c.y == 11))
    }))
    .unwrap();
    for (viewer, _) in room.grid().iter().filter(|(_, opacity)| **opacity == 0.0) {
        let shadowcast = see(&room, viewer, ClassicMethod::Shadowcast, 40);
        assert_eq!(shadowcast.visible().count(), 17 * 12, "{}", picture(&room, &shadowcast));
    }
}

#[test]
fn no_radius_overflows_the_stack() {
    // A wall for every row and octant, in a thread that has next to no stack.
    let many_walls = || {
        let map = Grid::from_fn(1401, 1401, |c| if c.x % 7 == 3 && c.y % 5 == 2 { 1.0 } else { 0.0 });
        let map = OpacityMap::try_from(map).unwrap();
        [1000, 4096, u32::MAX]
            .map(|radius| see(&map, ivec2(700, 700), ClassicMethod::Shadowcast, radius).visible().count())
    };
    let counts = std::thread::Builder::new().stack_size(64 * 1024).spawn(many_walls).unwrap().join().unwrap();
    assert!(counts[0] > 1000 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

// The faults that the sources name.

#[test]
fn without_repair_walls_along_a_line_of_sight_have_holes() {
    let (map, viewer) = drawn(
        "########################\n\
         @.......................\n\
         ########################",
    );
    let wall_seen = |repair| {
        let config = ClassicConfig { repair, ..config(ClassicMethod::RaycastBorder, 40) };
        let view = classic::visible(&map, viewer, &config).unwrap();
        (0..24).filter(|&x| view.get(ivec2(x, 0))).count()
    };
    assert!(wall_seen(false) < 20, "{}", wall_seen(false));
    assert_eq!(wall_seen(true), 24);
}

#[test]
fn few_rays_miss_cells_far_away_first() {
    let map = OpacityMap::clear(201, 201).unwrap();
    let viewer = ivec2(100, 100);
    let nearest_miss = |rays| {
        let config = ClassicConfig { rays, ..config(ClassicMethod::RaycastCircle, 100) };
        let view = classic::visible(&map, viewer, &config).unwrap();
        let missed = map.grid().iter().map(|(cell, _)| cell).filter(|&cell| !view.get(cell));
        missed.map(|cell| (cell - viewer).length_squared()).min().map(|d| f64::from(d).sqrt())
    };
    let by_rays = [32, 90, 360].map(|rays| nearest_miss(rays).unwrap().round());
    assert_eq!(by_rays, [6.0, 13.0, 47.0]);
    assert_eq!(nearest_miss(2000).filter(|d| *d <= 100.0), None);
}

#[test]
fn none_of_them_is_symmetric() {
    let map =
        OpacityMap::try_from(Grid::from_fn(
            25,
            25,
            |c| {
                if (c.x * 7 + c.y * 11 + c.x * c.y) % 9 == 0 { 1.0 } else { 0.0 }
            },
        ))
        .unwrap();
    let floor: Vec<_> = map.grid().iter().filter(|(_, o)| **o == 0.0).map(|(c, _)| c).collect();
    for method in ClassicMethod::ALL {
        let views: Vec<_> = floor.iter().map(|&viewer| see(&map, viewer, method, 40)).collect();
        let one_way =
            |i: usize| floor.iter().enumerate().filter(|&(j, &c)| views[i].get(c) && !views[j].get(floor[i])).count();
        assert!((0..floor.len()).map(one_way).sum::<usize>() > 0, "{method:?}");
    }
}

// Edges.

#[test]
fn small_maps_and_radii() {
    for method in ClassicMethod::ALL {
        for opacity in [0.0, 1.0] {
            let one = OpacityMap::try_from(Grid::new(1, 1, opacity)).unwrap();
            for radius in [0, 1, 60, u32::MAX] {
                assert_eq!(see(&one, IVec2::ZERO, method, radius).visible().count(), 1);
            }
        }
        let map = OpacityMap::clear(9, 5).unwrap();
        let view = see(&map, ivec2(4, 2), method, 0);
        assert!(!view.get(IVec2::MIN) && !view.get(IVec2::MAX));
        assert_eq!((view.visible().count(), view.grid().width(), view.origin()), (1, 1, ivec2(4, 2)));
        for corner in [ivec2(0, 0), ivec2(8, 0), ivec2(0, 4), ivec2(8, 4)] {
            assert_eq!(see(&map, corner, method, 100).visible().count(), 45, "{method:?} {corner}");
        }
        let strip = OpacityMap::clear(300, 1).unwrap();
        assert_eq!(see(&strip, ivec2(0, 0), method, u32::MAX).visible().count(), 300);
    }
}

#[test]
fn a_viewer_outside_is_an_error() {
    let map = OpacityMap::clear(9, 5).unwrap();
    for viewer in [ivec2(-1, 0), ivec2(9, 0), ivec2(0, 5), ivec2(i32::MIN, i32::MAX)] {
        for method in ClassicMethod::ALL {
            let error = classic::visible(&map, viewer, &config(method, 8)).unwrap_err();
            assert_eq!(error, SightError::ViewerOutside { viewer, width: 9, height: 5 });
        }
    }
}

#[test]
fn a_map_too_large_for_the_radius_is_an_error() {
    let map = OpacityMap::clear(5000, 1).unwrap();
    for method in ClassicMethod::ALL {
        assert!(matches!(
            classic::visible(&map, IVec2::ZERO, &config(method, u32::MAX)),
            Err(SightError::RadiusTooLarge { radius: 4999, .. })
        ));
        assert!(classic::visible(&map, IVec2::ZERO, &config(method, 4096)).is_ok());
    }
}

#[test]
fn the_window_is_that_of_the_kernel() {
    use farsight::{FieldOfView, SightConfig};
    for (width, radius) in [(40, 0), (40, 7), (40, 900), (1400, 1300), (1400, u32::MAX)] {
        let map = OpacityMap::clear(width, 3).unwrap();
        let viewer = ivec2(11, 1);
        let mut kernel = FieldOfView::new(SightConfig { radius, ..Default::default() }).unwrap();
        let expected = kernel.compute(&map, viewer).unwrap();
        let found = see(&map, viewer, ClassicMethod::Shadowcast, radius);
        assert_eq!((found.origin(), found.grid().size()), (expected.origin(), expected.grid().size()));
        assert_eq!(found.to_visibility().as_slice(), expected.grid().as_slice());
    }
}

#[test]
fn the_wall_threshold_is_met_exactly() {
    for digit in 1..=9u8 {
        let (map, viewer) = drawn(&format!("@{digit}."));
        for method in ClassicMethod::ALL {
            for (wall_at, seen_through) in [(f64::from(digit) / 10.0, false), (f64::from(digit) / 10.0 + 0.01, true)] {
                let config = ClassicConfig { wall_at, ..config(method, 9) };
                let view = classic::visible(&map, viewer, &config).unwrap();
                assert_eq!(view.get(ivec2(2, 0)), seen_through, "{digit} {wall_at}");
            }
        }
    }
}

#[test]
fn a_viewer_inside_a_wall_still_sees() {
    let (mut map, viewer) = drawn("...\n.@.\n...");
    map.set(viewer, 1.0).unwrap();
    for method in ClassicMethod::ALL {
        assert_eq!(see(&map, viewer, method, 5).visible().count(), 9);
    }
}

#[test]
fn a_preset_chooses_a_method_strictly_and_saves_it() {
    let preset = Preset::from_toml("[classic]\nmethod = \"raycast_border\"\nrepair = false", "here").unwrap();
    let expected = ClassicConfig { repair: false, ..config(ClassicMethod::RaycastBorder, 9) };
    assert_eq!(preset.classic.config(9), Some(expected));
    assert_eq!(Preset::from_toml(&preset.to_toml(), "saved").unwrap(), preset);
    assert_eq!(Preset::default().classic.config(9), None);
    assert!(Preset::default().to_toml().contains("method = \"none\""));
    let message = |text| Preset::from_toml(text, "here").unwrap_err().to_string();
    assert!(message("[classic]\nmethod = \"shadowcasting\"").contains("none | shadowcast | raycast_border"));
    assert!(message("[classic]\nray = 3").contains("did you mean classic.rays?"));
    assert!(message("[classic]\nwall_at = 1.5").contains("0 to 1"));
    assert!(message("[classic]\nrays = 0").contains("1 to 65536"));
}

#[test]
fn a_scene_is_seen_by_the_classic_method_of_its_preset() {
    let (map, viewer) = drawn(GalleryMap::named("cave").unwrap().text);
    for method in ClassicMethod::ALL {
        let mut preset = Preset { sight: SightConfig { radius: 12, ..Default::default() }, ..Preset::default() };
        preset.classic.method = Some(method);
        let scene = Scene::on_map(preset.clone(), map.clone(), Some(viewer)).unwrap();
        let view = see(&map, viewer, method, 12);
        for (cell, _) in map.grid().iter() {
            assert_eq!(scene.visibility(cell), f32::from(u8::from(view.get(cell))), "{method:?} {cell}");
        }
        // A decay dims what is seen, and lights nothing else.
        preset.sight.decay.kind = DecayKind::Linear;
        let dimmed = Scene::on_map(preset.clone(), map.clone(), Some(viewer)).unwrap();
        for (cell, _) in map.grid().iter() {
            let left = preset.sight.decay.at((cell - viewer).as_dvec2().length(), 12) as f32;
            assert_eq!(dimmed.visibility(cell), scene.visibility(cell) * left, "{method:?} {cell}");
        }
    }
}

#[test]
fn over_a_world_a_classic_method_takes_the_opacities_of_the_viewer() {
    let mut preset = Preset::named("alpine").unwrap();
    (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 30);
    preset.optics.radius_per_100m = 0.0;
    preset.sight.decay.kind = DecayKind::None;
    preset.classic.method = Some(ClassicMethod::Shadowcast);
    let scene = Scene::generate(preset, Some(ivec2(40, 8)), &Job::quiet()).unwrap();
    let opacity = scene.layer(Layer::Opacity, CellRect::of_size(scene.size())).unwrap();
    let walls = opacity.as_slice().iter().filter(|&&opacity| opacity >= 0.5).count();
    assert!(walls > 20, "a world with nothing in the way shows nothing: {walls}");
    let map = OpacityMap::try_from(opacity).unwrap();
    let view = see(&map, scene.viewer(), ClassicMethod::Shadowcast, scene.radius());
    assert_eq!(scene.sight_frame().size().x, 61);
    for (cell, _) in map.grid().iter() {
        assert_eq!(scene.visibility(cell), f32::from(u8::from(view.get(cell))), "{cell}");
    }
}

#[test]
fn every_method_looks_from_the_same_place() {
    let mut preset = Preset::named("temperate").unwrap();
    (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 24);
    let scene = Scene::generate(preset.clone(), None, &Job::quiet()).unwrap();
    preset.classic.method = Some(ClassicMethod::RaycastCircle);
    let classic = Scene::generate(preset, None, &Job::quiet()).unwrap();
    assert_eq!(classic.viewer(), scene.viewer());
    let binary = |scene: &Scene| {
        let cells = CellRect::of_size(scene.size());
        let values = scene.layer(Layer::Visibility, cells).unwrap();
        values.as_slice().iter().filter(|&&value| value > 0.0).count()
    };
    assert_ne!(binary(&classic), binary(&scene), "but sees by its own method");
}

/// One case of `tests/data/fov_basic.txt`.
struct Golden {
    name: String,
    map: OpacityMap,
    viewer: IVec2,
    radius: u32,
    seen: Grid<bool>,
}

fn golden() -> Vec<Golden> {
    let text = include_str!("data/fov_basic.txt");
    let cases = text.split("\n\n").map(|case| {
        let (title, rows) = case.trim().split_once('\n').unwrap();
        let words: Vec<_> = title.split(' ').collect();
        let number = |i: usize| words[i].parse::<i32>().unwrap();
        let rows: Vec<Vec<char>> = rows.lines().map(|row| row.chars().collect()).collect();
        let at = |cell: IVec2| rows[cell.y as usize][cell.x as usize];
        let (width, height) = (rows[0].len(), rows.len());
        let wall = Grid::from_fn(width, height, |c| if matches!(at(c), '#' | 'X') { 1.0 } else { 0.0 });
        Golden {
            name: title.into(),
            map: OpacityMap::try_from(wall).unwrap(),
            viewer: ivec2(number(2), number(3)),
            radius: number(5) as u32,
            seen: Grid::from_fn(width, height, |c| matches!(at(c), 'o' | 'X')),
        }
    });
    cases.collect()
}

#[test]
fn raycast_border_agrees_with_libtcod() {
    let (mut cells, mut differ) = (0, 0);
    let cases = golden();
    assert_eq!(cases.len(), 16);
    for Golden { name, map, viewer, radius, seen } in cases {
        let view = see(&map, viewer, ClassicMethod::RaycastBorder, radius);
        for (cell, &opacity) in map.grid().iter() {
            let offset = cell - viewer;
            if offset.length_squared() > (radius * radius) as i32 {
                continue;
            }
            cells += 1;
            if view.get(cell) != seen[cell] {
                differ += 1;
                // Only ever a wall that libtcod shows diagonally behind seen floor.
                let before = cell - offset.signum();
                assert!(seen[cell] && opacity == 1.0, "{name}: {cell}");
                assert!(seen[before] && map.grid()[before] == 0.0, "{name}: {cell}");
            }
        }
    }
    let agreement = 1.0 - f64::from(differ) / f64::from(cells);
    assert!(differ > 0 && agreement >= 0.995, "{differ} of {cells} cells differ: {agreement}");
}
