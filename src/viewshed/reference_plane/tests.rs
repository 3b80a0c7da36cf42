//! The reference-plane grade against its definition, cell by cell.

use crate::grid::Grid;
use glam::{IVec2, ivec2};
use proptest::prelude::*;

use super::*;
use crate::grid::{AlignedGrid, CellSize};
use crate::sight::PathRule;
use crate::simd::{dispatch, levels};
use crate::viewshed::canopy::{DARK_DEPTH, canopy_depth};
use crate::viewshed::surface::{Canopy, Surface};
use crate::viewshed::transposed_columns::TransposedColumns;

/// Computes a quantity of every offset by the definition: ring by ring, each cell from its two parents.
fn by_definition(terms: &SurfaceTerms<'_>, in_sight: u32, quantity: Quantity) -> Grid<f32> {
    let reach = in_sight as i32;
    let side = 2 * in_sight as usize + 1;
    let centre = IVec2::splat(reach);
    let mut out = Grid::new(side, side, 0.0);
    let mut carried = Grid::new(side, side, (NO_HORIZON, CanopyState::default(), NO_HORIZON));
    // A cell on a diagonal belongs to two quadrants: first that of a row, then that of a column.
    for (is_column, m) in [false, true].into_iter().flat_map(|is_column| (1..=reach).map(move |m| (is_column, m))) {
        if m == 1 {
            carried = Grid::new(side, side, (NO_HORIZON, CanopyState::default(), NO_HORIZON));
        }
        let cells = (-m..=m).flat_map(|y| (-m..=m).map(move |x| ivec2(x, y)));
        let cells = cells.filter(|c| if is_column { c.x.abs() >= c.y.abs() } else { c.y.abs() >= c.x.abs() });
        for cell in cells.filter(|c| c.abs().max_element() == m && c.length_squared() <= reach * reach) {
            let Some(&ground) = terms.ground.get(terms.viewer + cell) else { continue };
            let aside = cell.abs().min_element() as f32;
            let step = cell.signum();
            let along = if is_column { ivec2(step.x, 0) } else { ivec2(0, step.y) };
            let sides = terms.squared_sides(along);
            let ring = RingTerms::new(terms, sides, m as usize);
            let (diagonal, diagonal_canopy, diagonal_top) = carried[centre + cell - step];
            let parent = if aside == m as f32 { cell - step } else { cell - along };
            let (straight, straight_canopy, straight_top) = carried[centre + parent];
            let share = aside * ring.inverse;
            let horizon = straight + (diagonal - straight) * share;
            let state = straight_canopy.lerp(diagonal_canopy, share);
            let drop = (terms.drop * sides.aside * f64::from(aside) * f64::from(aside)) as f32;
            let rise = (ground - ring.base) - drop;
            let slope = rise * ring.inverse;
            let target = slope + ring.target;
            let clearance = ring.clearance(target, horizon);
            let top = terms.obstacles.map_or(ground, |obstacles| ground.max(obstacles[terms.viewer + cell]));
            let top_slope = if ground.is_nan() { ground } else { ((top - ring.base) - drop) * ring.inverse };
            let higher = if top_slope > horizon { top_slope } else { horizon };
            let mut value = if quantity == Quantity::Clearance { clearance } else { terms.visibility(clearance) };
            let (mut next_state, mut highest) = (state, straight_top.max(diagonal_top));
            if let (Some(cover), Quantity::Visibility) = (terms.cover, quantity) {
                let cover = cover[terms.viewer + cell];
                let canopy = RingCanopy::new(terms, sides, ring.m);
                let estimate = canopy.estimate(state, [target, horizon, highest], share, rise, cover);
                let depth = if estimate.is_unsure && value > LEAST_VISIBILITY {
                    canopy_depth(terms, cell, estimate.end.into(), DARK_DEPTH.into())
                } else {
                    estimate.depth
                };
                value *= transmittance(depth);
                highest = highest.max(ring.top_slope(terms.canopy, cover, rise));
                next_state = ring.with_cell(state.above(higher - horizon), terms.canopy, cover, rise, higher);
            }
            out[centre + cell] = value;
            carried[centre + cell] = (higher, next_state, highest);
        }
    }
    out
}

/// Returns elevations, some of them nodata.
fn elevation() -> impl Strategy<Value = f32> {
    prop_oneof![6 => -40.0..60.0f32, 2 => Just(0.0f32), 1 => 0.0..400.0f32, 1 => Just(f32::NAN)]
}

fn side() -> impl Strategy<Value = i32> {
    prop_oneof![5 => 1..60i32, 1 => 60..260i32]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

    #[test]
    fn all_vector_widths_equal_the_definition_to_the_bit(
        some in proptest::collection::vec(elevation(), 900),
        covers in proptest::collection::vec(prop_oneof![0.0..=1.0f32, Just(0.0f32), Just(f32::NAN)], 900),
        size in (side(), side()),
        place in (0.0..1.0f64, 0.0..1.0f64),
        in_sight in prop_oneof![5 => 0..50u32, 1 => 50..150u32],
        softness in prop_oneof![Just(0.0), 0.1..50.0f64],
        (eye_height, target_height, curvature) in (0.0..30.0f64, 0.0..10.0f64, 0.0..1.0f64),
        per_length in any::<bool>(),
        height_m in prop_oneof![Just(500.0), 300.0..900.0f64],
        (is_of_heights, trunk, has_obstacles) in (any::<bool>(), prop_oneof![Just(0.0), 0.0..9.0f64], any::<bool>()),
    ) {
        let mixed = |some: &[f32]| {
            Grid::from_fn(size.0 as usize, size.1 as usize, |c| some[((c.x * 31 + c.y * 17) % 900) as usize])
        };
        let (mut ground, cover) = (mixed(&some), mixed(&covers));
        let viewer = ivec2((place.0 * f64::from(size.0)) as i32, (place.1 * f64::from(size.1)) as i32);
        ground[viewer] = 3.0;
        let cell_size = CellSize::new(500.0, height_m);
        let path = if per_length { PathRule::PerLength } else { PathRule::PerCell };
        let obstacles = Grid::from_fn(ground.width(), ground.height(), |c| {
            ground[c] + 40.0 * some[((c.x * 7 + c.y * 13) % 900) as usize].max(0.0)
        });
        let obstacles = has_obstacles.then_some(&obstacles);
        let canopy = if is_of_heights { Canopy::of_heights(&cover).with_height(20.0) } else { Canopy::of(&cover) };
        for canopy in [None, Some(canopy.with_extinction(0.02).with_clear_trunk(trunk))] {
            let surface = Surface { canopy, obstacles, eye_height, target_height, softness, curvature, ..Surface::of(&ground, cell_size) };
            let terms = SurfaceTerms::new(&surface, viewer, path);
            for quantity in [Quantity::Visibility, Quantity::Clearance] {
                let expected = by_definition(&terms, in_sight, quantity);
                let side = expected.width();
                let mut disc = ClippedDisc::default();
                disc.fit(in_sight, in_sight, ground.size(), viewer);
                let seen = levels().into_iter().map(|level| {
                    let mut out = AlignedGrid::new(side, side);
                    out.values_mut().fill(7.0);
                    disc.fill_off_map(&mut out, 0.0);
                    let columns = &mut TransposedColumns::default();
                    let sweep = QuadrantSweep { terms: &terms, disc: &disc, columns, out: &mut out };
                    dispatch!(level, simd => ReferencePlanes::default().sweep(simd, sweep, quantity));
                    (level, out)
                });
                let seen: Vec<_> = seen.collect();
                for (cell, value) in expected.iter() {
                    let offset = cell - IVec2::splat(in_sight as i32);
                    let squared = offset.length_squared();
                    if squared == 0 {
                        continue;
                    }
                    let value = if squared <= (in_sight * in_sight) as i32 { *value } else { 7.0 };
                    for (level, seen) in &seen {
                        prop_assert_eq!(value.to_bits(), seen[cell].to_bits(), "{:?} {:?} {}", level, quantity, offset);
                    }
                }
            }
        }
    }
}
