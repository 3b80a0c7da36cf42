//! The fast grade against its definition, cell by cell.

use crate::grid::Grid;
use glam::{IVec2, ivec2};
use proptest::prelude::*;

use super::*;
use crate::sight::PathRule;
use crate::viewshed::surface::{Canopy, Surface};

/// What is shown of every offset, by nothing but the rule: ring after ring, each cell from its two parents.
fn plainly(sight: &Sight<'_>, in_sight: u32, show: Show) -> Grid<f32> {
    let reach = in_sight as i32;
    let side = 2 * in_sight as usize + 1;
    let centre = IVec2::splat(reach);
    let mut out = Grid::new(side, side, 0.0);
    let mut carried = Grid::new(side, side, (NOTHING, Wood::default()));
    for m in 1..=reach {
        let ring = Ring::of(sight, m as usize);
        let cells = (-m..=m).flat_map(|y| (-m..=m).map(move |x| ivec2(x, y)));
        for cell in cells.filter(|c| c.abs().max_element() == m && c.length_squared() <= reach * reach) {
            let Some(&ground) = sight.ground.get(sight.viewer + cell) else { continue };
            let beside = cell.abs().min_element() as f32;
            let step = cell.signum();
            let along = if cell.x.abs() >= cell.y.abs() { ivec2(step.x, 0) } else { ivec2(0, step.y) };
            let (b, wood_b) = carried[centre + cell - step];
            let (a, wood_a) = if beside == ring.m { (b, wood_b) } else { carried[centre + cell - along] };
            let share = beside * ring.unit;
            let horizon = a + (b - a) * share;
            let wood = wood_a.between(wood_b, share);
            let drop = (sight.drop * f64::from(beside) * f64::from(beside)) as f32;
            let rise = (ground - ring.base) - drop;
            let slope = rise * ring.unit;
            let target = slope + ring.target;
            let clearance = ring.clearance(target, horizon);
            let higher = if slope > horizon { slope } else { horizon };
            let mut shown = if show == Show::Clearance { clearance } else { sight.left(clearance) };
            let mut grows = wood;
            if let (Some(cover), Show::Visibility) = (sight.cover, show) {
                shown *= wood_leaves(wood, target - horizon, share, sight.canopy);
                let cover = cover[sight.viewer + cell];
                grows = grown(wood.above(higher - horizon), sight.canopy, cover, rise, higher, &ring);
            }
            out[centre + cell] = shown;
            carried[centre + cell] = (higher, grows);
        }
    }
    out
}

/// Heights, some of them missing.
fn height() -> impl Strategy<Value = f32> {
    prop_oneof![6 => -40.0..60.0f32, 2 => Just(0.0f32), 1 => 0.0..400.0f32, 1 => Just(f32::NAN)]
}

/// Cells along a side of the map.
fn side() -> impl Strategy<Value = i32> {
    prop_oneof![5 => 1..60i32, 1 => 60..260i32]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

    #[test]
    fn equals_the_plain_rule_to_the_bit(
        some in proptest::collection::vec(height(), 900),
        covers in proptest::collection::vec(prop_oneof![0.0..=1.0f32, Just(0.0f32), Just(f32::NAN)], 900),
        size in (side(), side()),
        place in (0.0..1.0f64, 0.0..1.0f64),
        in_sight in prop_oneof![5 => 0..50u32, 1 => 50..150u32],
        softness in prop_oneof![Just(0.0), 0.1..50.0f64],
        (eye_height, target_height, curvature) in (0.0..30.0f64, 0.0..10.0f64, 0.0..1.0f64),
        per_length in any::<bool>(),
    ) {
        let mixed = |some: &[f32]| {
            Grid::from_fn(size.0 as usize, size.1 as usize, |c| some[((c.x * 31 + c.y * 17) % 900) as usize])
        };
        let (mut ground, cover) = (mixed(&some), mixed(&covers));
        let viewer = ivec2((place.0 * f64::from(size.0)) as i32, (place.1 * f64::from(size.1)) as i32);
        ground[viewer] = 3.0;
        let path = if per_length { PathRule::PerLength } else { PathRule::PerCell };
        for woods in [None, Some(Canopy { cover: &cover, extinction: 0.02, height: 20.0 })] {
            let land = Surface { woods, eye_height, target_height, softness, curvature, ..Surface::of(&ground, 500.0) };
            let sight = Sight::of(&land, viewer, path);
            for show in [Show::Visibility, Show::Clearance] {
                let expected = plainly(&sight, in_sight, show);
                let side = expected.width();
                let mut disc = Disc::default();
                disc.fit(in_sight, ground.size(), viewer);
                // As this processor does it best, with vectors of eight if it has any, and without vectors.
                let ways: [fn(Sweep<'_, '_>); 3] =
                    [|work| dispatch(work), |work| pulp::Arch::new().dispatch(work), |work| work.with_simd(pulp::Scalar)];
                let seen = ways.map(|run| {
                    let mut out = AlignedGrid::new(side, side);
                    out.values_mut().fill(7.0);
                    disc.blank_off_map(&mut out, 0.0);
                    let (sight, disc, planes, columns) =
                        (&sight, &disc, &mut Planes::default(), &mut Columns::default());
                    run(Sweep { sight, disc, show, planes, columns, out: &mut out, swap: Swap::new() });
                    out
                });
                for (cell, value) in expected.iter() {
                    let offset = cell - IVec2::splat(in_sight as i32);
                    let squared = offset.length_squared();
                    if squared == 0 {
                        continue;
                    }
                    let value = if squared <= (in_sight * in_sight) as i32 { *value } else { 7.0 };
                    for (way, seen) in seen.iter().enumerate() {
                        prop_assert_eq!(value.to_bits(), seen[cell].to_bits(), "{} {:?} {}", way, show, offset);
                    }
                }
            }
        }
    }
}
