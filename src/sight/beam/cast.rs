//! The beam method: true shadows. Rays leave the viewer's centre in all directions; each stands for its share of the
//! turn and carries the part of the light that is left of it. A cell's visibility is the mean over the rays that cross it,
//! and then it dims them.
//!
//! All eight octants are walked at once: a ray of the list stands for its eight mirror images, whose light lies side
//! by side in eight lanes. A cell's opacity o dims a ray by (1 − o)^chord (`per_length`) or (1 − o)^(chord · M/r)
//! (`per_cell`, with M and r of the cell); opacity 1 blocks whatever it touches. What comes through of a ray's share is
//! held between what of the share met nothing and what of it met no wall (`beam_shares`).
//!
//! What holds: values in [0, 1], the open field, more opacity never raises visibility, sealed rings, the symmetries
//! of the square, translation. What does not: V(a→b) = V(b→a), since one sees from the centre of one cell over the
//! area of another; and the values of a smaller radius are not a prefix, since the directions follow the radius.

use pulp::{Simd, WithSimd};

use super::edges::CastEdges;
use super::list::{BeamList, Crossed};
use super::shares::Shares;
use crate::math::{LITTLE, exp_little, exp2, ln_clear, log2};
use crate::sight::config::PathRule;
use crate::sight::window::Window;

/// One value for each of the eight mirror images of the octant 0 ≤ dy ≤ dx: bit 0 flips x, bit 1 flips y, and bit 2
/// swaps the axes first.
pub(crate) type Lanes = [f32; 8];

/// The buffers of the beam method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beams {
    /// What comes through of every ray's share; the last is there for pairs that stand for one ray.
    light: Vec<Lanes>,
    shares: Shares,
    now: Column,
    before: Column,
}

/// The cells of one column of the octant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    pub(crate) opacity: Vec<Lanes>,
    pub(crate) seen: Vec<Lanes>,
    /// For opacities up to [`LITTLE`]: ln(1 − opacity), times M/r (`per_cell`).
    pub(crate) depth: Vec<Lanes>,
}

/// Leaves in the window the visibility of every cell within `in_sight`, in [0, 1], before decay.
pub(crate) fn cast(list: &BeamList, window: &mut Window, in_sight: u32, path: PathRule, beams: &mut Beams) {
    pulp::Arch::new().dispatch(Cast { list, window, in_sight, path, beams });
}

/// The walk along the list, compiled for the vectors of the processor at hand. The values are the same to the bit.
struct Cast<'a> {
    list: &'a BeamList,
    window: &'a mut Window,
    in_sight: u32,
    path: PathRule,
    beams: &'a mut Beams,
}

impl WithSimd for Cast<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { list, window, in_sight, path, beams } = self;
        let Beams { light, shares, now, before } = beams;
        light.clear();
        light.resize(list.rays() + 1, [1.0; 8]);
        shares.clear(list.rays());
        for dx in 0..=in_sight.min(window.radius) {
            let cells = &list.column(dx)[..=BeamList::last_row(dx, in_sight) as usize];
            now.read(window, dx, cells.len());
            if dx == 0 {
                now.seen[0] = [1.0; 8];
            } else {
                let most = now.take_depths(cells, path);
                if shares.stay(most) {
                    cast_column(simd, list, cells, light, now, path);
                } else {
                    simd.vectorize(CastEdges { list, cells, light, shares, column: now, path });
                }
            }
            if list.misses_cells() && dx > 0 {
                for (dy, _) in cells.iter().enumerate().filter(|(_, cell)| cell.is_missed()) {
                    now.seen[dy] = between_rays(dx, dy, before, path);
                    for (seen, opacity) in now.seen[dy].iter_mut().zip(&now.opacity[dy]) {
                        *seen = if *opacity <= 1.0 { *seen } else { 0.0 };
                    }
                }
            }
            now.merge_halves(dx);
            now.write(window, dx);
            std::mem::swap(now, before);
        }
    }
}

/// Settles the cells of one column: what is seen of them, and what they take from the rays. No edge of a shadow is near.
#[inline(always)]
fn cast_column<S: Simd>(
    simd: S,
    list: &BeamList,
    cells: &[Crossed],
    light: &mut [Lanes],
    column: &mut Column,
    path: PathRule,
) {
    let Column { opacity, seen, depth } = column;
    for (((cell, opacity), seen), depth) in cells.iter().zip(opacity).zip(seen).zip(depth) {
        let (rays, crossing) = list.crossing(cell);
        let light = light[rays.start..rays.start + 2 * crossing.len()].as_chunks_mut().0;
        *seen = mean(simd, light, crossing, opacity);
        if any_above_0(simd, opacity) && any_above_0(simd, seen) {
            dim(light, crossing, opacity, depth, cell.scale(path));
        }
    }
}

/// Pairs of rays that are summed at once.
pub(crate) const BLOCK: usize = 32;

/// The mean of the rays that cross a cell; 0 where there is no cell.
#[inline(always)]
pub(crate) fn mean<S: Simd>(simd: S, light: &[[Lanes; 2]], crossing: &[[f32; 4]], opacity: &Lanes) -> Lanes {
    let mut mean = [0.0; 8];
    let vectors = S::as_mut_simd_f32s(&mut mean).0;
    let opacity = S::as_simd_f32s(opacity).0;
    let (zero, one, step) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0), vectors.len());
    let light = S::as_simd_f32s(light.as_flattened().as_flattened()).0;
    for (i, (mean, &opacity)) in vectors.iter_mut().zip(opacity).enumerate() {
        let mut sum = zero;
        if crossing.len() <= BLOCK {
            sum = add_up(simd, light.get(i..).unwrap_or_default(), step, crossing);
        } else {
            // Close to the viewer thousands of rays can cross a cell: sums of sums keep the rounding small.
            for (light, crossing) in light.chunks(2 * step * BLOCK).zip(crossing.chunks(BLOCK)) {
                sum = simd.add_f32s(sum, add_up(simd, &light[i..], step, crossing));
            }
        }
        *mean = simd.select_f32s(simd.less_than_or_equal_f32s(opacity, one), simd.min_f32s(sum, one), zero);
    }
    mean
}

/// The weighted sum of rays whose vectors lie `step` apart.
#[inline(always)]
fn add_up<S: Simd>(simd: S, light: &[S::f32s], step: usize, crossing: &[[f32; 4]]) -> S::f32s {
    let mut sum = simd.splat_f32s(0.0);
    for (rays, &[weight, _, second_weight, _]) in light.chunks(2 * step).zip(crossing) {
        sum = simd.add_f32s(sum, simd.mul_f32s(simd.splat_f32s(weight), rays[0]));
        sum = simd.add_f32s(sum, simd.mul_f32s(simd.splat_f32s(second_weight), rays[step]));
    }
    sum
}

#[inline(always)]
pub(crate) fn any_above_0<S: Simd>(simd: S, lanes: &Lanes) -> bool {
    let zero = simd.splat_f32s(0.0);
    let vectors = S::as_simd_f32s(lanes).0;
    vectors.iter().any(|&v| simd.first_true_m32s(simd.less_than_f32s(zero, v)) < 8 / vectors.len())
}

/// Dims rays by (1 − opacity)^(chord · scale), for opacities up to [`LITTLE`].
#[inline(always)]
fn dim_a_little(light: &mut [[Lanes; 2]], crossing: &[[f32; 4]], depth: &Lanes) {
    for ([ray, second], &[_, chord, _, second_chord]) in light.iter_mut().zip(crossing) {
        for lane in 0..8 {
            ray[lane] *= exp_little(depth[lane] * chord);
        }
        for lane in 0..8 {
            second[lane] *= exp_little(depth[lane] * second_chord);
        }
    }
}

/// Dims rays by (1 − opacity)^(chord · scale).
#[inline(always)]
pub(crate) fn dim(light: &mut [[Lanes; 2]], crossing: &[[f32; 4]], opacity: &Lanes, depth: &Lanes, scale: f32) {
    if opacity.iter().all(|&o| o <= LITTLE) {
        dim_a_little(light, crossing, depth);
        return;
    }
    let chords = crossing.as_flattened().as_chunks().0;
    if opacity.iter().all(|&o| o == 0.0 || o >= 1.0) {
        for (ray, &[_, chord]) in light.as_flattened_mut().iter_mut().zip(chords) {
            for lane in 0..8 {
                ray[lane] = if opacity[lane] == 0.0 || chord == 0.0 { ray[lane] } else { 0.0 };
            }
        }
        return;
    }
    let mut depth = *opacity;
    for depth in &mut depth {
        *depth = log2(1.0 - *depth) * scale;
    }
    for (ray, &[_, chord]) in light.as_flattened_mut().iter_mut().zip(chords) {
        for lane in 0..8 {
            ray[lane] *= exp2(depth[lane] * chord);
        }
    }
}

impl Column {
    /// The opacities of the eight images of the cells (dx, 0), (dx, 1), …
    #[inline(always)]
    fn read(&mut self, window: &Window, dx: u32, cells: usize) {
        self.opacity.resize(cells, [0.0; 8]);
        self.seen.resize(cells, [0.0; 8]);
        let (grid, middle, dx) = (&window.opacity, window.radius as usize, dx as usize);
        let (left, right) = (middle - dx, middle + dx);
        let (above, below) = (grid.row(left), grid.row(right));
        let above = above[middle..].iter().zip(above[..=middle].iter().rev());
        let below = below[middle..].iter().zip(below[..=middle].iter().rev());
        let (down, up) = (grid.downwards(middle), grid.upwards(middle));
        for ((opacity, (down, up)), (above, below)) in self.opacity.iter_mut().zip(down.zip(up)).zip(above.zip(below)) {
            *opacity = [down[right], down[left], up[right], up[left], *below.0, *below.1, *above.0, *above.1];
        }
    }

    /// Takes the logarithms of a whole column at once: one after another they would hold up the walk. The greatest
    /// opacity in it.
    #[inline(always)]
    fn take_depths(&mut self, cells: &[Crossed], path: PathRule) -> f32 {
        self.depth.resize(cells.len(), [0.0; 8]);
        let mut most = [0.0; 8];
        for opacity in &self.opacity {
            for lane in 0..8 {
                most[lane] = if opacity[lane] > most[lane] { opacity[lane] } else { most[lane] };
            }
        }
        let most = most.into_iter().fold(0.0, f32::max);
        if most == 0.0 {
            return most;
        }
        for ((depth, opacity), cell) in self.depth.iter_mut().zip(&self.opacity).zip(cells) {
            let (scale, mut lanes) = (cell.scale(path), *opacity);
            for lane in &mut lanes {
                *lane = ln_clear(*lane) * scale;
            }
            *depth = lanes;
        }
        most
    }

    /// Puts what is seen of the eight images into the window.
    #[inline(always)]
    fn write(&self, window: &mut Window, dx: u32) {
        let (grid, middle, dx) = (&mut window.seen, window.radius as usize, dx as usize);
        let (left, right) = (middle - dx, middle + dx);
        for (seen, row) in self.seen.iter().zip(grid.downwards_mut(middle)) {
            (row[right], row[left]) = (seen[0], seen[1]);
        }
        for (seen, row) in self.seen.iter().zip(grid.upwards_mut(middle)) {
            (row[right], row[left]) = (seen[2], seen[3]);
        }
        for (lane, row) in [(4, right), (6, left)] {
            let row = grid.row_mut(row);
            for (seen, value) in self.seen.iter().zip(&mut row[middle..]) {
                *value = seen[lane];
            }
            for (seen, value) in self.seen.iter().zip(row[..=middle].iter_mut().rev()) {
                *value = seen[lane + 1];
            }
        }
    }

    /// A cell on an axis or a diagonal lies half in each of two octants: both show the mean.
    #[inline(always)]
    fn merge_halves(&mut self, dx: u32) {
        let merge = |seen: &mut Lanes, pairs: [(usize, usize); 4]| {
            for (a, b) in pairs {
                let mean = 0.5 * (seen[a] + seen[b]);
                (seen[a], seen[b]) = (mean, mean);
            }
        };
        if let Some(on_axis) = self.seen.first_mut() {
            merge(on_axis, [(0, 2), (1, 3), (4, 5), (6, 7)]);
        }
        if let Some(on_diagonal) = self.seen.get_mut(dx as usize) {
            merge(on_diagonal, [(0, 4), (1, 5), (2, 6), (3, 7)]);
        }
    }
}

/// Far out and with few beams, a cell can lie between two rays: it takes its light from its two parents, as in the
/// two-parent method. It dims no ray, as none crosses it.
#[cold]
fn between_rays(dx: u32, dy: usize, before: &Column, path: PathRule) -> Lanes {
    let through = |dy: usize| {
        let (x, y) = (f64::from(dx - 1), dy as f64);
        let length = match path {
            PathRule::PerCell => 1.0,
            PathRule::PerLength => ((x * x + y * y).sqrt() / x.max(1.0)) as f32,
        };
        let mut passed = before.seen[dy];
        for (passed, opacity) in passed.iter_mut().zip(&before.opacity[dy]) {
            *passed *= exp2(log2(1.0 - opacity) * length);
        }
        passed
    };
    let diagonal_weight = dy as f32 / dx as f32;
    let mut seen = if dy < dx as usize { through(dy) } else { [0.0; 8] };
    if dy > 0 {
        for (seen, diagonal) in seen.iter_mut().zip(through(dy - 1)) {
            *seen = (1.0 - diagonal_weight) * *seen + diagonal_weight * diagonal;
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use glam::IVec2;

    use super::*;
    use crate::grid::CellRect;
    use crate::sight::OpacityRows;

    #[test]
    fn narrow_and_wide_vectors_give_the_same_bits() {
        for (radius, beams) in [(24, 1.0), (30, 0.5)] {
            let list = BeamList::new(radius, beams);
            for path in [PathRule::PerCell, PathRule::PerLength] {
                let mut wide = Window::default();
                wide.make_room(radius, radius);
                let fill = |start: IVec2, row: &mut [f32]| {
                    for (x, slot) in (start.x..).zip(row) {
                        let mixed = (x * 37 + start.y * 101 + x * start.y * 7).rem_euclid(97);
                        *slot = if mixed < 9 {
                            1.0
                        } else if mixed < 50 {
                            0.0
                        } else {
                            (mixed - 49) as f32 / 90.0
                        };
                    }
                };
                let extent = CellRect { min: IVec2::splat(-20), max: IVec2::MAX };
                wide.fill_opacities(OpacityRows::new(fill).within(extent), IVec2::ZERO);
                let mut narrow = wide.clone();
                cast(&list, &mut wide, radius, path, &mut Beams::default());
                let (window, beams) = (&mut narrow, &mut Beams::default());
                Cast { list: &list, window, in_sight: radius, path, beams }.with_simd(pulp::Scalar);
                let bits = |window: &Window| window.seen.view().map(|value| value.to_bits());
                assert!(bits(&wide) == bits(&narrow), "{radius}, {path:?}");
                assert!(wide.seen.view().rows().flatten().any(|v| *v > 0.0 && *v < 1.0));
            }
        }
    }
}
