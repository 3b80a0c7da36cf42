//! [`Fill`]: rows of opacities for one eye.
//!
//! They are worked on lane by lane, in the vectors of the processor at hand: whatever these are, the bits are the same.

use std::ops::Range;

use glam::IVec2;
use pulp::{Simd, WithSimd};

use super::Optics;
use super::eye::{Eye, opacity};
use crate::sight::LANES;

/// Fills rows with opacities: the first cell of each, and its opacities from there to the right.
pub(super) struct Fill<'a, R> {
    pub(super) optics: &'a Optics,
    pub(super) eye: Eye,
    pub(super) rows: R,
}

/// Rows and vectors of a row that are worked on at a time: two short passes over some thousand cells keep more of them in
/// flight than a long one over each.
const ROWS: usize = 4;
const COLUMNS: usize = 256;

/// What is prepared of the cells of a row, as processors like it to lie.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Prepared([f32; COLUMNS]);

impl<'r, R: Iterator<Item = (IVec2, &'r mut [f32])>> WithSimd for Fill<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { optics, eye, mut rows } = self;
        let mut prepared = [[Prepared([0.0; COLUMNS]); 2]; ROWS];
        loop {
            let mut held: [(IVec2, &mut [f32]); ROWS] = Default::default();
            let mut longest = 0;
            for held in &mut held {
                let Some(row) = rows.next() else { break };
                longest = longest.max(row.1.len());
                *held = row;
            }
            if longest == 0 {
                return;
            }
            for start in (0..longest).step_by(COLUMNS) {
                let part = |row: &[f32]| start.min(row.len())..(start + COLUMNS).min(row.len());
                for ((first, row), prepared) in held.iter().zip(&mut prepared) {
                    prepare(&eye, &Cells::of(optics, *first, part(row)), prepared);
                }
                for ((first, row), prepared) in held.iter_mut().zip(&prepared) {
                    let part = part(row);
                    finish(&Cells::of(optics, *first, part.clone()), prepared, &mut row[part]);
                }
            }
        }
    }
}

/// The first pass over cells: what is to become of the light in woods and over high ground.
#[inline(always)]
fn prepare(eye: &Eye, cells: &Cells<'_>, [woods, relief]: &mut [Prepared; 2]) {
    for (part, at) in parts(cells.ground.len()) {
        let prepared = woods.0[at..].iter_mut().zip(&mut relief.0[at..]);
        for ((&ground, &cover), (woods, relief)) in
            cells.ground[part.clone()].iter().zip(&cells.cover[part]).zip(prepared)
        {
            *woods = eye.woods(ground, cover);
            *relief = eye.over_ground(ground);
        }
    }
}

/// The second pass: opacities.
#[inline(always)]
fn finish(cells: &Cells<'_>, [woods, relief]: &[Prepared; 2], row: &mut [f32]) {
    for (part, at) in parts(row.len()) {
        let prepared = woods.0[at..].iter().zip(&relief.0[at..]);
        for ((slot, &air), (&woods, &relief)) in row[part.clone()].iter_mut().zip(&cells.air[part]).zip(prepared) {
            *slot = opacity(air, woods, relief);
        }
    }
}

/// The fields of a run of cells.
struct Cells<'a> {
    ground: &'a [f32],
    cover: &'a [f32],
    air: &'a [f32],
}

impl<'a> Cells<'a> {
    /// Those with numbers `part`, counted from `first` to the right.
    #[inline(always)]
    fn of(optics: &'a Optics, first: IVec2, part: Range<usize>) -> Self {
        let (x, y) = (first.x as usize, first.y as usize);
        let cells = x + part.start..x + part.end;
        Self {
            ground: &optics.world.ground_m().row(y)[cells.clone()],
            cover: &optics.world.vegetation().row(y)[cells.clone()],
            air: &optics.air.row(y)[cells],
        }
    }
}

/// The parts of a row that are worked on one after the other, and where what is prepared of them begins: whole vectors,
/// then the last one, which reaches back if the row ends within it.
#[inline(always)]
fn parts(length: usize) -> [(Range<usize>, usize); 2] {
    let whole = length / LANES * LANES;
    match length {
        ..LANES => [(0..length, 0), (0..0, 0)],
        _ => [(0..whole, 0), (if whole < length { length - LANES..length } else { 0..0 }, whole.min(COLUMNS - LANES))],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::ivec2;

    use super::*;
    use crate::sight::widest;
    use crate::{Grid, OpticsConfig, World};

    type Rows<'a> = std::vec::IntoIter<(IVec2, &'a mut [f32])>;

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        let field = |scale: f32, n: i32| {
            Grid::from_fn(400, 9, move |cell| scale * ((cell.x * n + cell.y * 13) % 101) as f32 / 100.0)
        };
        let world = World::from_fields(field(60.0, 7), field(1.0, 11), field(1.0, 17), 100.0).unwrap();
        let optics = Optics::new(Arc::new(world), &OpticsConfig::default());
        let filled = |how: fn(Fill<'_, Rows<'_>>)| {
            let mut cells = Grid::new(397, 9, f32::NAN);
            let rows = cells.as_mut_slice().chunks_exact_mut(397).zip(0..).map(|(row, y)| (ivec2(3, y), row));
            let rows = rows.collect::<Vec<_>>().into_iter();
            how(Fill { optics: &optics, eye: Eye::new(&optics, 35.0), rows });
            cells.map(|opacity| opacity.to_bits())
        };
        let narrow = filled(|fill| fill.with_simd(pulp::Scalar));
        assert!(narrow == filled(|fill| pulp::Arch::new().dispatch(fill)) && narrow == filled(|fill| widest(fill)));
        let mixed = narrow.as_slice().iter().filter(|bits| (0.01..0.99).contains(&f32::from_bits(**bits)));
        assert!(mixed.count() > 397);
    }
}
