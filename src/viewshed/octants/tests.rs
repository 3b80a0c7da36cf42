//! The octants of a disc against the lines of its cells.

use glam::{IVec2, ivec2};
use proptest::prelude::*;

use crate::grid::{CellSize, Grid};
use crate::job::Job;
use crate::math::SplitMix64;
use crate::sight::{MethodKind, PathRule, SightConfig};
use crate::viewshed::exact::evaluate;
use crate::viewshed::surface::{Quantity, SurfaceTerms};
use crate::viewshed::viewshed::NO_HORIZON_M;
use crate::viewshed::{Canopy, Surface, Viewshed};

/// Returns ground of some roughness: a sum of steps between random heights, from coarse to fine.
fn ground(size: IVec2, seed: u64, roughness: f32, height: f32) -> Grid<f32> {
    let mut random = SplitMix64::new(seed);
    let mut ground = Grid::new(size.x as usize, size.y as usize, 0.0f32);
    let mut high = height;
    for spacing in [32, 16, 8, 4, 2, 1] {
        let columns = size.x / spacing + 2;
        let knots: Vec<f32> = (0..columns * (size.y / spacing + 2)).map(|_| random.next_f64() as f32 * high).collect();
        let knot = |x: i32, y: i32| knots[(y * columns + x) as usize];
        for y in 0..size.y {
            for x in 0..size.x {
                let [u, v] = [x, y].map(|v| (v % spacing) as f32 / spacing as f32);
                let (i, j) = (x / spacing, y / spacing);
                let upper = knot(i, j) * (1.0 - u) + knot(i + 1, j) * u;
                let lower = knot(i, j + 1) * (1.0 - u) + knot(i + 1, j + 1) * u;
                ground[ivec2(x, y)] += upper * (1.0 - v) + lower * v;
            }
        }
        high *= roughness;
    }
    ground
}

/// Asserts that all cells have the bits of the definition.
fn assert_same_bits(surface: &Surface<'_>, viewer: IVec2, radius: u32) {
    let config = SightConfig::default().with_radius(radius).with_method(MethodKind::Exact);
    let mut viewshed = Viewshed::new(config).unwrap();
    let terms = SurfaceTerms::new(surface, viewer, PathRule::default());
    let visibilities = viewshed.compute(surface, viewer, Job::none()).unwrap().to_owned();
    let clearances = viewshed.clearance(surface, viewer, Job::none()).unwrap();
    for (cell, _) in surface.ground.iter() {
        let offset = cell - viewer;
        if offset == IVec2::ZERO || !surface.cell_size.is_in_range(offset, radius) {
            continue;
        }
        let expected = [Quantity::Visibility, Quantity::Clearance].map(|quantity| evaluate(&terms, offset, quantity));
        assert_eq!(visibilities.get(cell).to_bits(), expected[0].to_bits(), "visibility of {cell} from {viewer}");
        let clearance = Some(expected[1]).filter(|metres| *metres < NO_HORIZON_M); // not NaN
        let bits = |metres: Option<f32>| metres.map(f32::to_bits);
        assert_eq!(bits(clearances.metres(cell)), bits(clearance), "clearance of {cell} from {viewer}");
    }
}

/// Asserts that the least heights of eyes have the bits of the lines from the targets back to the viewer.
fn assert_same_eye_heights(surface: &Surface<'_>, viewer: IVec2, radius: u32) {
    let mut viewshed = Viewshed::new(SightConfig::default().with_radius(radius)).unwrap();
    let is_wanted = |cell: IVec2| (cell.x + cell.y) % 7 != 3;
    let heights = viewshed.least_eye_heights(surface, viewer, &is_wanted, Job::none()).unwrap();
    let terms = SurfaceTerms::new(&surface.with_eye_height(0.0).with_canopy(None), viewer, PathRule::default());
    for (cell, ground) in surface.ground.iter() {
        let offset = cell - viewer;
        if offset == IVec2::ZERO {
            continue;
        }
        let has_height = is_wanted(cell) && !ground.is_nan() && surface.cell_size.is_in_range(offset, radius);
        let on_line = || -evaluate(&terms.at_target(cell), -offset, Quantity::Clearance);
        let expected = has_height.then(|| on_line().max(0.0));
        let found = heights.metres(cell);
        let bits = |metres: Option<f32>| metres.map(f32::to_bits);
        assert_eq!(bits(found), bits(expected), "{cell} from {viewer}: {found:?} m, by its own line {expected:?} m");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..Default::default() })]

    #[test]
    fn cells_of_a_disc_have_the_bits_of_their_own_lines(
        (width, height, seed) in (1..70i32, 1..70i32, any::<u64>()),
        (roughness, high) in (0.2..1.0f32, prop::sample::select(vec![0.0f32, 0.01, 3.0, 200.0, 5000.0])),
        (x, y) in (0.0..=1.0f64, 0.0..=1.0f64),
        gaps in prop::sample::select(vec![0, 0, 1, 30, 1000]),
        (sides, curvature) in (
            prop::sample::select(vec![(30.0, 30.0), (21.0, 31.0), (5000.0, 1100.0)]),
            prop::sample::select(vec![0.0, 0.857, -3.0]),
        ),
        (eye, target) in (prop::sample::select(vec![0.0, 1.7, 60.0]), prop::sample::select(vec![0.0, 2.0])),
        (softness, is_wooded) in (prop::sample::select(vec![0.0, 0.0, 7.0]), any::<bool>()),
        (has_obstacles, trunk) in (any::<bool>(), prop::sample::select(vec![0.0, 3.0])),
        radius in prop::sample::select(vec![1, 2, 9, 33, 80]),
    ) {
        let size = ivec2(width, height);
        let mut surface = ground(size, seed, roughness, high);
        let mut random = SplitMix64::new(seed ^ 1);
        for _ in 0..gaps {
            let cell = ivec2(random.within(0, width - 1), random.within(0, height - 1));
            surface[cell] = f32::NAN;
        }
        let viewer = (size - 1).as_dvec2() * glam::dvec2(x, y);
        let viewer = viewer.round().as_ivec2();
        if surface[viewer].is_nan() {
            surface[viewer] = high;
        }
        let cover = ground(size, seed ^ 2, 0.5, 0.4);
        let canopy = is_wooded.then(|| Canopy::of(&cover).with_extinction(0.01).with_clear_trunk(trunk));
        // Houses on a third of the cells, nodata and cellars on others.
        let obstacles = Grid::from_fn(surface.width(), surface.height(), |cell| match random.within(0, 9) {
            0..3 => surface[cell] + random.next_f64() as f32 * 30.0,
            3 => f32::NAN,
            4 => surface[cell] - 5.0,
            _ => surface[cell],
        });
        let surface = Surface::of(&surface, CellSize::new(sides.0, sides.1))
            .with_obstacles(has_obstacles.then_some(&obstacles)).with_canopy(canopy).with_eye_height(eye).with_target_height(target).with_softness(softness)
            .with_curvature(curvature);
        assert_same_bits(&surface, viewer, radius);
        assert_same_eye_heights(&surface, viewer, radius);
    }
}

#[test]
fn large_discs_have_the_bits_of_their_own_lines() {
    for (seed, roughness, height) in [(1, 0.5, 600.0), (2, 0.8, 100.0), (3, 0.35, 2000.0)] {
        let ground = ground(ivec2(330, 301), seed, roughness, height);
        let surface = Surface::of(&ground, 30.0).with_eye_height(1.7).with_curvature(0.857);
        for viewer in [ivec2(160, 151), ivec2(0, 300)] {
            assert_same_bits(&surface, viewer, 200);
            assert_same_eye_heights(&surface.with_target_height(2.0), viewer, 200);
        }
    }
}

#[test]
fn cells_on_rays_have_the_bits_of_their_own_lines() {
    // Lines along diagonals, and other lines that are rays, cross corners of patches.
    for seed in 0..24 {
        let ground = ground(ivec2(97, 97), seed, 0.75, 100.0);
        let surface = Surface::of(&ground, 30.0).with_eye_height(1.7).with_curvature(0.857);
        assert_same_bits(&surface, ivec2(48, 48), 48);
    }
}

#[test]
fn cell_on_a_diagonal_hides_next_to_a_gap() {
    let mut ground = Grid::new(4, 4, 0.0);
    (ground[(0, 2)], ground[(1, 2)], ground[(3, 0)]) = (f32::NAN, 30.0, 40.0);
    let surface = Surface::of(&ground, 30.0);
    let mut viewshed = Viewshed::new(SightConfig::default().with_method(MethodKind::Exact)).unwrap();
    let view = viewshed.compute(&surface, (0, 3), Job::none()).unwrap();
    assert_eq!((view.get((1, 2)), view.get((3, 0))), (1.0, 0.0)); // the line over the cell is 90 m high there
    assert_same_bits(&surface, ivec2(0, 3), 9);
}
