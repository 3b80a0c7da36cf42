//! The beam method: true shadows. Rays leave the viewer's centre in all directions; each carries the share of light
//! that is left of it. A cell's visibility is the mean of the rays that cross it, and then it dims them.
//!
//! All eight octants are walked at once: a ray of the list stands for its eight mirror images, whose light lies side
//! by side in eight lanes. A cell's opacity o dims a ray by (1 − o)^chord (`per_length`) or (1 − o)^(chord · M/r)
//! (`per_cell`, with M and r of the cell); opacity 1 blocks whatever it touches.
//!
//! What holds: values in [0, 1], the open field, more opacity never raises visibility, sealed rings, the symmetries
//! of the square, translation. What does not: V(a→b) = V(b→a), since one sees from the centre of one cell over the
//! area of another; and the values of a smaller radius are not a prefix, since the directions follow the radius.

use super::beam_list::BeamList;
use super::power::{exp2, log2};
use super::window::Window;
use super::{PathRule, ivec2};

/// One value for each of the eight mirror images of the octant 0 ≤ dy ≤ dx: bit 0 flips x, bit 1 flips y, and bit 2
/// swaps the axes first.
type Lanes = [f32; 8];

/// The buffers of the beam method.
#[derive(Clone, Debug, Default)]
pub(super) struct Beams {
    /// What is left of every ray.
    light: Vec<Lanes>,
    /// Visibility and opacity of the column before, for cells that no ray crosses.
    before: [Vec<(Lanes, Lanes)>; 2],
}

/// Leaves in the window the visibility of every cell within `in_sight`, in [0, 1], before decay.
pub(super) fn cast(list: &BeamList, window: &mut Window, in_sight: u32, path: PathRule, beams: &mut Beams) {
    beams.light.clear();
    beams.light.resize(list.rays(), [1.0; 8]);
    let centre = window.centre();
    window.seen[centre] = 1.0;
    let [now, before] = &mut beams.before;
    before.clear();
    before.push(([1.0; 8], [0.0; 8]));
    for dx in 1..=in_sight.min(window.radius) {
        now.clear();
        let column = &list.column(dx)[..=BeamList::last_row(dx, in_sight) as usize];
        for (dy, crossed) in column.iter().enumerate() {
            let at = Images::of(dx, dy as u32, window);
            let opacity = at.read(window.opacity.as_slice());
            let (rays, weights, chords) = list.crossings_of(crossed);
            let light = &mut beams.light[rays];
            let mut seen = [0.0; 8];
            for (ray, &weight) in light.iter().zip(weights) {
                for (seen, ray) in seen.iter_mut().zip(ray) {
                    *seen += weight * ray;
                }
            }
            if light.is_empty() {
                seen = between_rays(dx, dy as u32, before, path);
            } else if opacity != [0.0; 8] && seen != [0.0; 8] {
                let scale = if path == PathRule::PerCell { crossed.steps_per_length } else { 1.0 };
                dim(light, chords, opacity, scale);
            }
            at.merge_halves(&mut seen);
            for (seen, opacity) in seen.iter_mut().zip(opacity) {
                *seen = if opacity.is_nan() { 0.0 } else { seen.min(1.0) };
            }
            at.write(window.seen.as_mut_slice(), seen);
            if list.misses_cells() {
                now.push((seen, opacity));
            }
        }
        std::mem::swap(now, before);
    }
}

/// Dims rays by (1 − opacity)^(chord · scale).
#[inline]
fn dim(light: &mut [Lanes], chords: &[f32], opacity: Lanes, scale: f32) {
    if opacity.iter().all(|&o| o == 0.0 || o == 1.0) {
        for ray in light {
            for (ray, opacity) in ray.iter_mut().zip(opacity) {
                *ray *= 1.0 - opacity;
            }
        }
        return;
    }
    let depth = opacity.map(|o| log2(1.0 - o) * scale);
    for (ray, &chord) in light.iter_mut().zip(chords) {
        for (ray, depth) in ray.iter_mut().zip(depth) {
            *ray *= exp2(depth * chord);
        }
    }
}

/// Where the eight images of a cell lie in the window.
struct Images {
    index: [usize; 8],
    on_axis: bool,
    on_diagonal: bool,
}

impl Images {
    #[inline]
    fn of(dx: u32, dy: u32, window: &Window) -> Self {
        let side = 2 * window.radius as usize + 1;
        let centre = window.radius as usize * (side + 1);
        let (x, y) = (dx as usize, dy as usize);
        let (xs, ys) = (x * side, y * side);
        let index = [
            centre + ys + x,
            centre + ys - x,
            centre - ys + x,
            centre - ys - x,
            centre + xs + y,
            centre + xs - y,
            centre - xs + y,
            centre - xs - y,
        ];
        Self { index, on_axis: dy == 0, on_diagonal: dx == dy }
    }

    #[inline]
    fn read(&self, grid: &[f32]) -> Lanes {
        self.index.map(|i| grid[i])
    }

    #[inline]
    fn write(&self, grid: &mut [f32], values: Lanes) {
        for (i, value) in self.index.into_iter().zip(values) {
            grid[i] = value;
        }
    }

    /// A cell on an axis or a diagonal lies half in each of two octants: both show the mean.
    #[inline]
    fn merge_halves(&self, seen: &mut Lanes) {
        let mut mean = |a: usize, b: usize| {
            let mean = 0.5 * (seen[a] + seen[b]);
            (seen[a], seen[b]) = (mean, mean);
        };
        if self.on_axis {
            mean(0, 2);
            mean(1, 3);
            mean(4, 5);
            mean(6, 7);
        }
        if self.on_diagonal {
            mean(0, 4);
            mean(1, 5);
            mean(2, 6);
            mean(3, 7);
        }
    }
}

/// Far out and with few beams, a cell can lie between two rays: it takes its light from its two parents, as in the
/// two-parent method. It dims no ray, as none crosses it.
#[cold]
fn between_rays(dx: u32, dy: u32, before: &[(Lanes, Lanes)], path: PathRule) -> Lanes {
    let through = |y: u32| {
        let x = dx - 1;
        let (seen, opacity) = &before[y as usize];
        let length = match path {
            PathRule::PerCell => 1.0,
            PathRule::PerLength => (ivec2(x as i32, y as i32).as_dvec2().length() / f64::from(x.max(1))) as f32,
        };
        let mut passed = *seen;
        for (passed, opacity) in passed.iter_mut().zip(opacity) {
            *passed *= exp2(log2(1.0 - opacity) * length);
        }
        passed
    };
    let diagonal_weight = dy as f32 / dx as f32;
    let mut seen = if dy < dx { through(dy) } else { [0.0; 8] };
    if dy > 0 {
        for (seen, diagonal) in seen.iter_mut().zip(through(dy - 1)) {
            *seen = (1.0 - diagonal_weight) * *seen + diagonal_weight * diagonal;
        }
    }
    seen
}
