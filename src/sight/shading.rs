//! What the path rule and decay make of the raw values, row by row.

use std::ops::Range;

use glam::dvec2;
use pulp::{Simd, WithSimd};

use super::padded::{NARROW, Padded};
use super::power::{exp2_little, log2_little, log2_of_split, split};
use super::vectors::{LANES, widest};
use super::window::Window;
use super::{Method, PathRule, SightConfig};

/// The exponents of the path rule and the values of the decay for every offset, as far as they were needed.
///
/// Rows of the tables are |dy| = 0, 1, …, or dy = −reach … reach in a [`SMALL`] one; columns dx = −reach … reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Shading {
    reach: u32,
    /// What the exponents have over 1.
    extra: Option<Padded>,
    decay: Option<Padded>,
}

impl Shading {
    /// Makes the tables reach at least `reach` cells.
    pub(super) fn extend(&mut self, reach: u32, config: &SightConfig) {
        let wants_exponent = config.method == Method::TwoParent && config.path == PathRule::PerLength;
        let wants_decay = config.decay.kind != super::DecayKind::None;
        let ready = self.extra.is_some() == wants_exponent && self.decay.is_some() == wants_decay;
        if ready && self.reach >= reach {
            return;
        }
        // Doubling, so that a walk across a large map does not rebuild them at every step.
        self.reach = reach.max((2 * self.reach).min(config.radius));
        let reach = self.reach as usize;
        let above = if reach <= SMALL { reach } else { 0 };
        let table = |value: &dyn Fn(f64, f64) -> f64| {
            let mut table = Padded::new(2 * reach + 1, above + reach + 1);
            for y in 0..table.height() {
                let (dy, row) = (y.abs_diff(above), table.row_mut(y));
                for dx in 0..=reach {
                    let value = value(dvec2(dx as f64, dy as f64).length(), dx.max(dy) as f64) as f32;
                    (row[reach - dx], row[reach + dx]) = (value, value);
                }
            }
            table
        };
        self.extra = wants_exponent.then(|| table(&|distance, longer| length_exponent(distance, longer) - 1.0));
        self.decay = wants_decay.then(|| table(&|distance, _| config.decay.at(distance, config.radius)));
    }

    /// Turns the raw values of all cells in sight into visibilities.
    pub(super) fn apply(&self, window: &mut Window) {
        if self.extra.is_some() || self.decay.is_some() {
            widest(Apply { shading: self, window, raises: true });
        }
    }

    /// Multiplies all cells in sight by the decay, and leaves the path rule out.
    pub(super) fn fade(&self, window: &mut Window) {
        widest(Apply { shading: self, window, raises: false });
    }
}

/// The work of one call.
struct Apply<'a> {
    shading: &'a Shading,
    window: &'a mut Window,
    raises: bool,
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { shading, window, raises } = self;
        match (&shading.extra, &shading.decay) {
            (Some(extra), Some(decay)) if raises => raise::<true>(window, extra, decay),
            (Some(extra), None) if raises => raise::<false>(window, extra, extra),
            (_, Some(decay)) => fade(window, decay),
            _ => (),
        }
    }
}

type Vector = [f32; LANES];

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Exponents<const N: usize>([Vector; N]);

/// What a pass over cells leaves to the next.
#[repr(align(64))]
struct Between([f32; PART]);

/// Cells of a small window that are worked on at a time, about three rows: three short passes over some hundred cells keep
/// more of them in flight than a long one over each.
const PART: usize = 384;

/// Rows and vectors of a row that are worked on at a time in a larger window. There, two passes over some thousand cells are
/// faster.
const ROWS: usize = 8;
const VECTORS: usize = 16;

/// Windows up to this radius are worked on all in one, with what lies in their corners: there, 0 stays 0. That is a fifth
/// more cells, but no ends of rows.
const SMALL: usize = NARROW / 2;

/// The row of a table for a distance from the viewer's row.
#[inline(always)]
fn row(table: &Padded, dy: usize) -> &[f32] {
    table.row(table.height() - 1 - table.width() / 2 + dy)
}

/// Raises all cells in sight, and multiplies them by the decay if it `FADES`.
#[inline(always)]
fn raise<const FADES: bool>(window: &mut Window, extra: &Padded, decay: &Padded) {
    if extra.size() == window.seen.size() {
        return raise_all::<FADES>(window.seen.values_mut(), extra.values(), decay.values());
    }
    let middle = window.radius as usize;
    let reach = window.halves.len() - 1;
    let table = extra.width() / 2;
    let mut exponents = [Exponents([[0.0; LANES]; VECTORS]); ROWS];
    // Rows above and below the viewer by turns: they share those of the tables.
    for first in (0..=reach).step_by(ROWS / 2) {
        let spans: [Range<usize>; ROWS / 2] =
            std::array::from_fn(|i| span(window.halves[(first + i).min(reach)], middle, reach));
        for start in (0..spans[0].len()).step_by(LANES * VECTORS) {
            let part = |i: usize| {
                let (dy, span) = (first + i / 2, &spans[i / 2]);
                let columns = span.start + start..span.end.min(span.start + start + LANES * VECTORS);
                let y = if i & 1 == 0 { middle + dy } else { middle - dy.min(middle) };
                let there = dy <= reach && !columns.is_empty() && (i, dy) != (1, 0);
                there.then(|| (y, columns.clone(), dy, columns.start + table - middle..columns.end + table - middle))
            };
            for (i, exponents) in exponents.iter_mut().enumerate() {
                if let Some((y, columns, dy, part)) = part(i) {
                    prepare(&window.seen.row(y)[columns], &row(extra, dy)[part], &mut exponents.0);
                }
            }
            for (i, exponents) in exponents.iter().enumerate() {
                if let Some((y, columns, dy, part)) = part(i) {
                    let seen = &mut window.seen.row_mut(y)[columns];
                    finish::<FADES>(seen, &row(extra, dy)[part.clone()], &exponents.0, &row(decay, dy)[part]);
                }
            }
        }
    }
}

/// The same for all cells of a window, one row behind the other; parts in which nothing is seen stay as they are.
#[inline(always)]
fn raise_all<const FADES: bool>(seen: &mut [f32], extra: &[f32], decay: &[f32]) {
    let (parts, rest) = seen.as_chunks_mut();
    let (extras, extra) = extra.as_chunks();
    let (decays, decay) = decay.as_chunks();
    let mut between = [Between([0.0; PART]), Between([0.0; PART])];
    for ((seen, extra), decay) in parts.iter_mut().zip(extras).zip(decays) {
        let mut bits = 0;
        for value in &*seen {
            bits |= value.to_bits();
        }
        if bits != 0 {
            raise_part::<FADES>(seen, extra, decay, &mut between);
        }
    }
    let mut exponents = Exponents([[0.0; LANES]; PART / LANES]);
    prepare(rest, extra, &mut exponents.0);
    finish::<FADES>(rest, extra, &exponents.0, decay);
}

/// The same for a part of them.
#[inline(always)]
fn raise_part<const FADES: bool>(
    seen: &mut [f32; PART],
    extra: &[f32; PART],
    decay: &[f32; PART],
    [Between(logs), Between(slants)]: &mut [Between; 2],
) {
    for i in 0..PART {
        (logs[i], slants[i]) = split(seen[i]);
    }
    for i in 0..PART {
        logs[i] = log2_of_split(logs[i], slants[i]) * extra[i];
    }
    for i in 0..PART {
        seen[i] = raised::<FADES>(seen[i], logs[i], decay[i]);
    }
}

/// The columns of a row that goes `half` cells to each side: in whole vectors, as far as there is room within `reach`. Out
/// of sight, 0 stays 0.
#[inline(always)]
fn span(half: usize, middle: usize, reach: usize) -> Range<usize> {
    let whole = (2 * half + 1).next_multiple_of(LANES);
    if whole > 2 * reach + 1 {
        return middle - half..middle + half + 1;
    }
    let start = (middle - half).min(middle + reach + 1 - whole);
    start..start + whole
}

/// The logarithms of what the path rule multiplies values by. The last vector may reach back over the one before: it comes
/// last.
#[inline(always)]
fn prepare(seen: &[f32], extra: &[f32], exponents: &mut [Vector]) {
    let each = |((seen, extra), exponents): ((&Vector, &Vector), &mut Vector)| {
        for ((&value, &extra), exponent) in seen.iter().zip(extra).zip(exponents) {
            *exponent = log2_little(value) * extra;
        }
    };
    seen.as_chunks().0.iter().zip(extra.as_chunks().0).zip(&mut *exponents).for_each(each);
    if let (Some(last), Some(extra)) = (seen.last_chunk(), extra.last_chunk())
        && !seen.len().is_multiple_of(LANES)
    {
        each(((last, extra), &mut exponents[seen.len() / LANES]));
    }
}

/// A value times two to the power of an exponent, and times the decay if it `FADES`.
#[inline(always)]
fn raised<const FADES: bool>(value: f32, exponent: f32, left: f32) -> f32 {
    let value = if FADES { value * left } else { value };
    value * exp2_little(exponent)
}

/// Values with those exponents, times the decay if it `FADES`.
#[inline(always)]
fn finish<const FADES: bool>(seen: &mut [f32], extra: &[f32], exponents: &[Vector], decay: &[f32]) {
    let each = |((seen, exponents), decay): ((&mut Vector, &Vector), &Vector)| {
        for ((value, &exponent), &left) in seen.iter_mut().zip(exponents).zip(decay) {
            *value = raised::<FADES>(*value, exponent, left);
        }
    };
    let (number, over) = (seen.len() / LANES, seen.len() % LANES);
    // Before what it reaches back over is changed.
    let last: Option<Vector> = seen.last_chunk().copied().filter(|_| over > 0);
    if number == 0 {
        for ((value, &extra), &left) in seen.iter_mut().zip(extra).zip(decay) {
            *value = raised::<FADES>(*value, log2_little(*value) * extra, left);
        }
    }
    seen.as_chunks_mut().0.iter_mut().zip(exponents).zip(decay.as_chunks().0).for_each(each);
    if let (Some(mut last), Some(decay), Some(end)) = (last, decay.last_chunk(), seen.last_chunk_mut()) {
        each(((&mut last, &exponents[number]), decay));
        *end = last;
    }
}

/// Multiplies all cells in sight by the decay.
#[inline(always)]
fn fade(window: &mut Window, decay: &Padded) {
    let (middle, reach) = (window.radius as usize, window.halves.len() - 1);
    let table = decay.width() / 2;
    for dy in 0..=reach {
        let columns = span(window.halves[dy], middle, reach);
        let decay = &row(decay, dy)[columns.start + table - middle..columns.end + table - middle];
        for y in [middle + dy, middle - dy].into_iter().take(1 + dy.min(1)) {
            for (value, &left) in window.seen.row_mut(y)[columns.clone()].iter_mut().zip(decay) {
                *value *= left;
            }
        }
    }
}

/// e of V = rawᵉ: the M − 1 cells between two cells are crossed on a slant, r/M as long each.
/// e = 1 + (r/M − 1)(M − 1)/M.
pub(super) fn length_exponent(distance: f64, longer: f64) -> f64 {
    let steps = longer.max(1.0);
    1.0 + (distance.max(steps) / steps - 1.0) * (steps - 1.0) / steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::sight::Decay;

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for (radius, raises) in [(1, true), (8, true), (64, true), (64, false), (65, true), (65, false), (300, true)] {
            let decay = Decay::of(super::super::DecayKind::Smooth);
            let config = SightConfig { radius, path: PathRule::PerLength, decay, ..Default::default() };
            let mut shading = Shading::default();
            shading.extend(radius, &config);
            let mut window = Window::default();
            window.make_room(radius, radius);
            let before = seen_of_some(&mut window);
            let [mut best, mut wide] = [window.clone(), window.clone()];
            let apply = |window| Apply { shading: &shading, window, raises };
            apply(&mut window).with_simd(pulp::Scalar);
            pulp::Arch::new().dispatch(apply(&mut wide));
            widest(apply(&mut best));
            let bits = |window: &Window| window.seen.view().map(|value| value.to_bits());
            assert!(bits(&window) == bits(&wide) && bits(&window) == bits(&best));
            for (cell, &value) in before.iter() {
                let offset = cell - window.centre();
                let (distance, longer) = (offset.as_dvec2().length(), f64::from(offset.abs().max_element()));
                let extra = if raises { (length_exponent(distance, longer) - 1.0) as f32 } else { 0.0 };
                let decay = config.decay.at(distance, radius) as f32;
                let expected = value * decay * exp2_little(log2_little(value) * extra);
                assert_eq!(window.seen[cell].to_bits(), expected.to_bits(), "{offset} of {radius}");
            }
        }
    }

    /// Fills the disc of a window with some visibilities; in some rows nothing is seen.
    fn seen_of_some(window: &mut Window) -> Grid<f32> {
        for (y, columns) in window.rows(window.radius).filter(|(y, _)| y % 32 < 24) {
            for (x, value) in columns.clone().zip(&mut window.seen.row_mut(y)[columns]) {
                *value = ((7 * x + 31 * y) % 101) as f32 / 100.0;
            }
        }
        window.seen.view().to_grid()
    }
}
