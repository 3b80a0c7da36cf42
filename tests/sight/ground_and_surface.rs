//! Eyes and targets on the ground below obstacles and crowns: the limits, and lines traced through boxes in `f64`.

use farsight::Job;
use farsight::glam::{DVec2, IVec2, ivec2};
use farsight::grid::{CellSize, Grid};
use farsight::horizon::{AzimuthHorizon, HorizonConfig};
use farsight::internal::math::SplitMix64;
use farsight::sight::{MethodKind, PathRule, SightConfig, SightError};
use farsight::viewshed::{Canopy, Surface, Viewshed, is_in_sight};

use super::support::terrain::fractal;
use super::support::terrain::tracer::clearance;

const SIDE: i32 = 96;
const METHODS: [MethodKind; 2] = [MethodKind::TwoParent, MethodKind::Exact];

/// Hills, mountains and a plain.
fn grounds() -> [(&'static str, Grid<f32>, CellSize); 3] {
    let side = SIDE as usize;
    [
        ("hills", fractal(side, 3, 0.55, 120.0), CellSize::square(10.0)),
        ("mountains", fractal(side, 8, 0.5, 900.0), CellSize::new(20.0, 31.0)),
        ("plain", Grid::new(side, side, 12.0), CellSize::square(2.0)),
    ]
}

/// A box of leaves or of walls, from its first cell to the one after its last.
#[derive(Clone, Copy)]
struct Block {
    min: IVec2,
    max: IVec2,
    height_m: f32,
}

fn blocks(random: &mut SplitMix64, count: usize) -> Vec<Block> {
    let one = |random: &mut SplitMix64| {
        let min = ivec2(random.within(0, SIDE - 17), random.within(0, SIDE - 17));
        let size = ivec2(random.within(3, 14), random.within(3, 14));
        Block { min, max: min + size, height_m: 4.0 + 20.0 * random.next_f64() as f32 }
    };
    (0..count).map(|_| one(random)).collect()
}

/// Returns the heights of blocks over the ground, the highest of each cell.
fn heights(blocks: &[Block]) -> Grid<f32> {
    Grid::from_fn(SIDE as usize, SIDE as usize, |cell| {
        let contains = |block: &&Block| cell.cmpge(block.min).all() && cell.cmplt(block.max).all();
        blocks.iter().filter(contains).map(|block| block.height_m).fold(0.0, f32::max)
    })
}

fn viewshed(method: MethodKind) -> Viewshed {
    let config = SightConfig::default().with_radius(SightConfig::UNLIMITED).with_method(method);
    Viewshed::new(config.with_path(PathRule::PerLength)).unwrap()
}

#[test]
fn no_extinction_is_the_ground_and_obstacles_below_it_do_not_count() {
    for (name, ground, cell_size) in grounds() {
        let crowns = heights(&blocks(&mut SplitMix64::new(5), 30));
        let below = ground.map(|height| height - 3.0);
        let bare = Surface::of(&ground, cell_size).with_eye_height(1.7).with_target_height(1.0).with_curvature(0.857);
        let clear = bare.with_canopy(Canopy::of_heights(&crowns).with_extinction(0.0));
        for method in METHODS {
            let mut viewshed = viewshed(method);
            let views = [bare, clear, bare.with_obstacles(&ground), bare.with_obstacles(&below)]
                .map(|surface| viewshed.compute(&surface, (40, 50), Job::none()).unwrap().to_owned());
            for view in &views[1..] {
                let differ = ground.iter().filter(|(cell, _)| view.get(*cell) != views[0].get(*cell)).count();
                assert_eq!(differ, 0, "{name} {method:?}");
            }
        }
    }
}

#[test]
fn exact_viewsheds_between_houses_are_those_of_traced_lines() {
    for (name, ground, cell_size) in grounds() {
        let houses = heights(&blocks(&mut SplitMix64::new(7), 25));
        let obstacles = Grid::from_fn(SIDE as usize, SIDE as usize, |cell| ground[cell] + houses[cell]);
        let surface =
            Surface::of(&ground, cell_size).with_obstacles(&obstacles).with_eye_height(1.7).with_curvature(0.857);
        let mut viewshed = viewshed(MethodKind::Exact);
        let street = ground.iter().map(|(cell, _)| cell).filter(|cell| houses[*cell] == 0.0 && cell.x > 30).nth(700);
        let house = ground.iter().map(|(cell, _)| cell).find(|cell| houses[*cell] > 0.0);
        for viewer in [street.unwrap(), house.unwrap()] {
            let found = viewshed.clearance(&surface, viewer, Job::none()).unwrap();
            let some = |cell: &IVec2| *cell != viewer && (cell.x + 3 * cell.y) % 5 == 0;
            for cell in ground.iter().map(|(cell, _)| cell).filter(some) {
                let traced = clearance(&surface, viewer, cell);
                let Some(metres) = found.metres(cell) else { continue };
                let apart = f64::from(metres).min(0.0) - traced.min(0.0);
                assert!(apart.abs() < 2e-3, "{name} {viewer} {cell}: {metres} for {traced}");
                let is_seen = is_in_sight(&surface, viewer, cell).unwrap();
                assert!(is_seen == (traced >= 0.0) || traced.abs() < 1e-3, "{name} {viewer} {cell}: {traced}");
            }
        }
    }
}

/// The metres of a line within boxes of leaves, and the number of times that it passes one of their sides.
struct Crossed {
    leaves_m: f64,
    sides: usize,
}

/// Crowns that are certain to be around a cell, or that may be: heights of bottom and top over the ground.
#[derive(Clone, Copy)]
struct Crown {
    bottom_m: f64,
    top_m: f64,
}

/// Returns the crowns around a cell that a line at it crosses for sure, and those that it may cross: a crown ends between two cells.
fn crowns_around(crowns: &Grid<f32>, trunk_m: f64, cell: IVec2) -> [Crown; 2] {
    let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| ivec2(x, y)));
    let heights = around.map(|step| f64::from(crowns.get(cell + step).copied().unwrap_or(0.0)));
    let bottom = |top: f64| if top > trunk_m { trunk_m } else { 0.0 };
    let (mut sure, mut possible) =
        (Crown { bottom_m: 0.0, top_m: f64::INFINITY }, Crown { bottom_m: f64::INFINITY, top_m: 0.0 });
    for top_m in heights {
        sure = Crown { bottom_m: sure.bottom_m.max(bottom(top_m)), top_m: sure.top_m.min(top_m) };
        possible = Crown { bottom_m: possible.bottom_m.min(bottom(top_m)), top_m: possible.top_m.max(top_m) };
    }
    [sure, possible]
}

/// Follows the straight line between two points over the ground in small steps through boxes around the cells of crowns, and
/// returns the metres that are within leaves for sure, and those that may be.
fn follow(surface: &Surface<'_>, crowns: &Grid<f32>, trunk_m: f64, [from, to]: [IVec2; 2]) -> [Crossed; 2] {
    let metres = surface.cell_size.distance_m(to - from);
    let end_m = |cell: IVec2, over: f64| f64::from(surface.ground[cell]) + over;
    let (eye, target) = (end_m(from, surface.eye_height), end_m(to, surface.target_height));
    let mut crossed = [0, 1].map(|_| Crossed { leaves_m: 0.0, sides: 0 });
    let (steps, mut was_inside) = (2000, [false; 2]);
    for i in 0..steps {
        let t = (f64::from(i) + 0.5) / f64::from(steps);
        let at: DVec2 = from.as_dvec2() + (to - from).as_dvec2() * t;
        let over_ground = eye + (target - eye) * t - bilinear(surface.ground, at);
        let around = crowns_around(crowns, trunk_m, (at + 0.5).floor().as_ivec2());
        for (kind, Crown { bottom_m, top_m }) in around.into_iter().enumerate() {
            let is_inside = over_ground < top_m && (bottom_m == 0.0 || over_ground > bottom_m);
            crossed[kind].leaves_m += if is_inside { metres / f64::from(steps) } else { 0.0 };
            crossed[kind].sides += usize::from(is_inside != was_inside[kind]);
            was_inside[kind] = is_inside;
        }
    }
    crossed
}

fn bilinear(ground: &Grid<f32>, at: DVec2) -> f64 {
    let low = at.floor().as_ivec2().clamp(IVec2::ZERO, ground.size() - 2);
    let share = at - low.as_dvec2();
    let value = |x, y| f64::from(ground[low + ivec2(x, y)]);
    let row = |y| value(0, y) * (1.0 - share.x) + value(1, y) * share.x;
    row(0) * (1.0 - share.y) + row(1) * share.y
}

/// Compares the light on random lines with that on the line through boxes.
fn compare_with_boxes(pairs: usize) {
    const EXTINCTION: f64 = 0.004;
    for (name, ground, cell_size) in grounds() {
        let mut random = SplitMix64::new(11);
        let mut viewsheds = METHODS.map(viewshed);
        let (crowns, houses) = (heights(&blocks(&mut random, 18)), heights(&blocks(&mut random, 8)));
        let crowns =
            Grid::from_fn(SIDE as usize, SIDE as usize, |cell| if houses[cell] > 0.0 { 0.0 } else { crowns[cell] });
        let obstacles = Grid::from_fn(SIDE as usize, SIDE as usize, |cell| ground[cell] + houses[cell]);
        let (mut lit, mut dimmed, mut wide) = (0, 0, 0.0f64);
        for i in 0..pairs {
            let trunk_m = [0.0, 3.0][i % 2];
            let canopy = Canopy::of_heights(&crowns).with_extinction(EXTINCTION).with_clear_trunk(trunk_m);
            let ends = [0, 1].map(|_| ivec2(random.within(0, SIDE - 1), random.within(0, SIDE - 1)));
            if ends[0] == ends[1] {
                continue;
            }
            let bare = Surface::of(&ground, cell_size)
                .with_obstacles(&obstacles)
                .with_eye_height(1.7 + 8.0 * random.next_f64());
            let bare = bare.with_target_height(4.0 * random.next_f64());
            let viewshed = &mut viewsheds[i / 2 % 2];
            let over_walls = viewshed.line_of_sight(&bare, ends[0], ends[1]).unwrap();
            let light = viewshed.line_of_sight(&bare.with_canopy(canopy), ends[0], ends[1]).unwrap();
            if METHODS[i / 2 % 2] == MethodKind::Exact {
                let traced = clearance(&bare, ends[0], ends[1]) + bare.target_height;
                assert!((over_walls > 0.0) == (traced >= 0.0) || traced.abs() < 2e-3, "{name} {ends:?}: {traced}");
            }
            if over_walls == 0.0 {
                assert_eq!(light, 0.0);
                continue;
            }
            let [sure, possible] = follow(&bare, &crowns, trunk_m, ends);
            let depth = -f64::from(light).ln();
            let a_cell = EXTINCTION * cell_size.x_m.hypot(cell_size.y_m);
            let [least, most] = [&sure, &possible].map(|crossed| EXTINCTION * crossed.leaves_m);
            // The library counts a crossing of a row of cells as a whole.
            let [margin, most_margin] = [&sure, &possible].map(|crossed| a_cell * (1.0 + crossed.sides as f64));
            assert!(
                depth >= least - margin && depth <= most + most_margin,
                "{name} {ends:?}, trunks of {trunk_m} m: {depth}, and {least} to {most} through boxes"
            );
            wide = wide.max(most - least);
            (lit, dimmed) = (lit + 1, dimmed + usize::from(sure.leaves_m > 0.0));
        }
        // Enough lines count, and boxes say much of them.
        assert!(lit > pairs / 20 && dimmed > pairs / 40 && wide < 2.0, "{name}: {lit}, {dimmed}, {wide}");
    }
}

#[test]
fn light_through_crowns_is_that_of_lines_through_boxes() {
    compare_with_boxes(150);
}

#[test]
#[ignore = "10,000 lines on each ground take a minute"]
fn light_through_crowns_is_that_of_many_lines_through_boxes() {
    compare_with_boxes(10_000);
}

#[test]
fn eyes_below_crowns_see_between_the_trunks() {
    let (ground, crowns) = (Grid::new(40, 1, 0.0), Grid::new(40, 1, 15.0));
    let canopy = Canopy::of_heights(&crowns).with_extinction(0.02);
    let surface = Surface::of(&ground, 10.0).with_eye_height(1.7).with_target_height(1.7);
    for method in METHODS {
        let seen = |clear_trunk| {
            let surface = surface.with_canopy(canopy.with_clear_trunk(clear_trunk));
            viewshed(method).line_of_sight(&surface, (0, 0), (20, 0)).unwrap()
        };
        assert_eq!(seen(2.0), 1.0, "{method:?}");
        assert!((f64::from(seen(1.0)).ln() + 0.02 * 200.0).abs() < 0.01, "{method:?}");
        assert_eq!(seen(20.0), seen(0.0), "{method:?}: bushes of 15 m have no trunks");
    }
}

#[test]
fn roofs_are_on_the_horizon() {
    let ground = Grid::new(60, 3, 0.0);
    let mut obstacles = ground.clone();
    (0..3).for_each(|y| obstacles[(40, y)] = 30.0);
    let surface = Surface::of(&ground, 10.0).with_obstacles(&obstacles).with_eye_height(2.0);
    let east = AzimuthHorizon::of(&surface, (10, 1), 90.0, &HorizonConfig::default()).unwrap();
    let roof = east.skyline().unwrap();
    assert_eq!((roof.cell, roof.distance_m), (ivec2(40, 1), 300.0));
    assert!((roof.slope - 28.0 / 300.0).abs() < 1e-9);
}

#[test]
fn grids_of_another_size_are_an_error() {
    let (ground, narrow) = (Grid::new(9, 4, 0.0), Grid::new(8, 4, 0.0));
    let surface = Surface::of(&ground, 10.0);
    let mut viewshed = viewshed(MethodKind::Exact);
    let other_size = |field| SightError::OtherSize { field, size: ivec2(8, 4), expected: ivec2(9, 4) };
    let error = viewshed.compute(&surface.with_obstacles(&narrow), (0, 0), Job::none()).unwrap_err();
    assert_eq!(error, other_size("obstacles"));
    assert_eq!(error.to_string(), "obstacles: 8x4 cells; expected 9x4, as the ground has");
    let error = viewshed.compute(&surface.with_canopy(Canopy::of(&narrow)), (0, 0), Job::none()).unwrap_err();
    assert_eq!(error, other_size("canopy.cover"));
}
