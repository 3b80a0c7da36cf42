//! Every width with the vectors of every level gives the bits of the definition, also if a processor would use another
//! one.

use fearless_simd::{Simd, f32x8, f32x16};
use glam::{DVec2, IVec2, ivec2};

use super::{Sweep, SweepWindow, TransmittancePlanes};
use crate::math::SplitMix64;
use crate::sight::OpacityRows;
use crate::sight::Sector;
use crate::sight::offsets::OffsetList;
use crate::sight::two_parent::definition::sweep_list;
use crate::sight::window::{SMALL, Window};
use crate::sight_config::{OctantPart, OctantParts, Weights};
use crate::simd::{Vector, dispatch, levels};

#[test]
fn sweeps_of_all_widths_and_levels_give_the_bits_of_the_definition() {
    let levels = levels();
    assert!(levels.len() >= 2);
    for (i, level) in levels.into_iter().enumerate() {
        assert_eq!(dispatch!(level, simd => compare::<_, f32x8<_>, 8>(simd, i as u64)), 500);
        assert_eq!(dispatch!(level, simd => compare::<_, f32x16<_>, 16>(simd, i as u64)), 500);
    }
}

/// Compares 250 windows with both weights, whole and in a sector, and returns the number of windows.
fn compare<S: Simd, V: Vector<S, W>, const W: usize>(simd: S, seed: u64) -> usize {
    let mut compared = 0;
    let mut random = SplitMix64::new(seed);
    let mut sweep = Sweep::<W>::default();
    let mut planes = TransmittancePlanes::default();
    let (mut plain, mut fast) = (Window::default(), Window::default());
    for case in 0..250 {
        let in_sight = if case % 25 == 0 { random.within(0, 70) } else { random.within(0, 40) } as u32;
        let radius = in_sight.saturating_sub([0, 0, 0, 5][case % 4]);
        let (dark, missing) =
            ([0.0, 0.3, 1.0, 0.05][random.within(0, 3) as usize], [0.0, 0.0, 0.05][random.within(0, 2) as usize]);
        for window in [&mut plain, &mut fast] {
            window.fit(radius, in_sight);
        }
        let fill = |_: IVec2, row: &mut [f32]| {
            for slot in row {
                let kind = random.next_f64();
                *slot = match random.next_f64() {
                    _ if kind < missing => f32::NAN,
                    _ if kind < missing + dark => 1.0,
                    value if value < 0.5 => 0.0,
                    value => value as f32,
                };
            }
        };
        plain.fill_opacities(&mut OpacityRows::new(fill), ivec2(3, 4));
        planes.fill_from(&plain);
        for weights in [Weights::Linear, Weights::Projection] {
            let list = OffsetList::new(in_sight, weights);
            sweep_list(list.as_slice(), &mut plain, &mut Vec::new());
            let turn = 45.0 * random.within(0, 7) as f64;
            let facing = if case % 3 == 0 { turn } else { 360.0 * random.next_f64() };
            let span = [90.0, 1.0 + 40.0 * random.next_f64(), 1.0 + 358.0 * random.next_f64()][case % 3];
            for sector in [Sector::ALL, Sector::new(facing, span), Sector::new(turn, 315.0)] {
                if in_sight <= SMALL && !sector.is_full() {
                    continue; // a small disc is swept whole
                }
                let edges = sector.edges(DVec2::ONE);
                let part = |k| if sector.is_full() { OctantPart::Inside } else { edges.octant(k) };
                let octants = &OctantParts::new(std::array::from_fn(part));
                let mut window = SweepWindow { seen: &mut fast.seen, in_sight, weights, was_swept: true, octants };
                assert!(sweep.sweep::<S, V>(simd, &planes, plain.centre(), &mut window));
                for (cell, value) in plain.seen.view().iter() {
                    let value = if sector.contains(cell - plain.centre()) { *value } else { 0.0 };
                    let found = fast.seen[cell];
                    assert_eq!(
                        value.to_bits(),
                        found.to_bits(),
                        "{in_sight} in {radius}, {W}, {cell}, {sector:?}: {found}, not {value}"
                    );
                }
            }
            compared += 1;
        }
    }
    compared
}
