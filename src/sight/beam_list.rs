//! [`BeamList`]: which directions cross which cell, and how far: what the beam method precomputes for a radius.

use std::f64::consts::FRAC_PI_4;

/// The directions of the beam method for one radius, and the cells that each crosses.
///
/// ```text
///           ╱ ray n−1    The full turn is cut into A = 8 · n directions, each in the middle of its share of the
///         ╱  ╱           turn, so none runs along an axis or an exact diagonal. The list holds one octant,
///       ╱ ╱ ─ ray k      0 ≤ dy ≤ dx: its n rays from the viewer's centre, and for each cell the run of rays that
///     @──── ─ ray 0      cross its square. The other seven octants are its mirror images.
/// ```
///
/// For each cell and ray it knows the *chord*, the length of the ray inside the square, in cells, and the *weight*
/// of the ray in the cell's mean: chord × mean distance to the viewer, so that the mean is over the area.
///
/// It takes about 8 bytes for each of the 1.3 · radius² · beams crossings and 12 for each of the 0.4 · radius²
/// cells: 60 kB for radius 64, 4 MB for 512, 62 MB for 2048 (beams 1).
#[derive(Clone, Debug, PartialEq)]
pub struct BeamList {
    radius: u32,
    beams: f64,
    rays: usize,
    /// Cells of the octant, column after column (dx = 0, 1, …), dy rising: a valid front-to-back order for every ray.
    cells: Vec<Crossed>,
    column: Vec<usize>,
    weights: Vec<f32>,
    chords: Vec<f32>,
    missed: bool,
}

/// The rays that cross one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossed {
    /// Where its weights and chords begin.
    start: u32,
    /// Its first ray.
    first: u16,
    /// The number of its rays.
    count: u16,
    /// M/r, by which a chord shrinks to the cell's count (`per_cell`).
    pub(super) steps_per_length: f32,
}

impl BeamList {
    /// The directions and crossings for a radius in cells, at most [`OffsetList::MAX_RADIUS`](super::OffsetList),
    /// and `beams` in [0.5, 4]: 8 · radius · beams directions, rounded up to a multiple of 8.
    pub(super) fn new(radius: u32, beams: f64) -> Self {
        let rays = ((f64::from(radius) * beams).ceil() as usize).max(1);
        let share = FRAC_PI_4 / rays as f64;
        let directions: Vec<(f64, f64)> =
            (0..rays).map(|ray| libm::sincos((ray as f64 + 0.5) * share)).map(|(sin, cos)| (cos, sin)).collect();

        let mut list = Self {
            radius,
            beams,
            rays,
            cells: Vec::new(),
            column: vec![0],
            weights: Vec::new(),
            chords: Vec::new(),
            missed: false,
        };
        for dx in 0..=radius {
            for dy in 0..=Self::last_row(dx, radius) {
                let (x, y) = (f64::from(dx), f64::from(dy));
                let ray_at = |x: f64, y: f64| libm::atan2(y, x) / share;
                let low = (ray_at(x + 0.5, y - 0.5) - 1.5).max(0.0) as usize;
                let high = (ray_at(x - 0.5, y + 0.5).max(0.0) + 1.5) as usize;
                let crossings = (low..rays.min(high)).filter_map(|ray| {
                    let (enter, leave) = crossing(x, y, directions[ray]);
                    (leave - enter > SHORTEST_CHORD).then_some((ray, enter, leave))
                });
                list.push_cell(if dx == 0 { Vec::new() } else { crossings.collect() }, x, y);
            }
            list.column.push(list.cells.len());
        }
        list
    }

    fn push_cell(&mut self, crossings: Vec<(usize, f64, f64)>, x: f64, y: f64) {
        let weight = |&(_, enter, leave): &(usize, f64, f64)| (leave - enter) * (leave + enter);
        let sum: f64 = crossings.iter().map(weight).sum();
        self.missed |= crossings.is_empty() && x > 0.0;
        self.cells.push(Crossed {
            start: self.weights.len() as u32,
            first: crossings.first().map_or(0, |c| c.0 as u16),
            count: crossings.len() as u16,
            steps_per_length: (x / x.hypot(y).max(1.0)) as f32,
        });
        self.weights.extend(crossings.iter().map(|c| (weight(c) / sum) as f32));
        self.chords.extend(crossings.iter().map(|(_, enter, leave)| (leave - enter) as f32));
    }

    /// The radius it was built for, in cells.
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// The `beams` it was built for.
    pub fn beams(&self) -> f64 {
        self.beams
    }

    /// The number of directions of the full turn, a multiple of 8.
    pub fn directions(&self) -> usize {
        8 * self.rays
    }

    /// How many crossings of a direction with a cell there are in the full turn: what one field of view has to do.
    pub fn crossings(&self) -> usize {
        8 * self.weights.len()
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.cells)
            + size_of_val(&*self.column)
            + size_of_val(&*self.weights)
            + size_of_val(&*self.chords)
    }

    /// The number of rays of an octant.
    pub(super) fn rays(&self) -> usize {
        self.rays
    }

    /// Whether some cell lies between all rays.
    pub(super) fn misses_cells(&self) -> bool {
        self.missed
    }

    /// The last dy of column `dx` of the octant that is within `radius`.
    pub(super) fn last_row(dx: u32, radius: u32) -> u32 {
        dx.min((radius * radius - dx * dx).isqrt())
    }

    /// The cells of column `dx`, dy = 0, 1, …
    pub(super) fn column(&self, dx: u32) -> &[Crossed] {
        &self.cells[self.column[dx as usize]..self.column[dx as usize + 1]]
    }

    /// The rays that cross a cell, with their weights (sum 1) and chords (in cells).
    #[inline]
    pub(super) fn crossings_of(&self, cell: &Crossed) -> (std::ops::Range<usize>, &[f32], &[f32]) {
        let (start, count) = (cell.start as usize, usize::from(cell.count));
        let first = usize::from(cell.first);
        (first..first + count, &self.weights[start..start + count], &self.chords[start..start + count])
    }
}

/// Rays that touch a square for less than this, in cells, pass beside it: it is what rounding leaves of a corner.
const SHORTEST_CHORD: f64 = 1e-9;

/// Where a ray from the viewer's centre enters and leaves the square of a cell; it misses it if it leaves first.
fn crossing(x: f64, y: f64, (cos, sin): (f64, f64)) -> (f64, f64) {
    let enter = ((x - 0.5) / cos).max((y - 0.5) / sin);
    let leave = ((x + 0.5) / cos).min((y + 0.5) / sin);
    (enter, leave)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ray_is_covered_by_its_chords_to_the_end() {
        for (radius, beams) in [(1, 1.0), (9, 0.5), (24, 1.0), (40, 4.0)] {
            let list = BeamList::new(radius, beams);
            let mut length = vec![0.0; list.rays()];
            for cell in &list.cells {
                let (rays, weights, chords) = list.crossings_of(cell);
                for (ray, chord) in rays.zip(chords) {
                    length[ray] += f64::from(*chord);
                }
                assert!(weights.is_empty() || (weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            }
            // From the edge of the viewer's cell to about the radius. Halves of cells on an axis or diagonal count whole
            // here only along this octant's side, which the rays cross.
            for (ray, length) in length.into_iter().enumerate() {
                let angle = (ray as f64 + 0.5) * FRAC_PI_4 / list.rays() as f64;
                let covered = length + 0.5 / angle.cos();
                assert!((covered - f64::from(radius)).abs() < 1.5, "ray {ray} of radius {radius}: {covered}");
            }
        }
    }

    #[test]
    fn runs_are_contiguous_and_lie_in_the_octant() {
        let list = BeamList::new(30, 2.0);
        for (dx, dy) in (1..=30).flat_map(|dx| (0..=BeamList::last_row(dx, 30)).map(move |dy| (dx, dy))) {
            let cell = &list.column(dx)[dy as usize];
            let (rays, weights, chords) = list.crossings_of(cell);
            assert!(!rays.is_empty() && rays.end <= list.rays(), "{dx},{dy}");
            assert!(weights.iter().all(|w| *w > 0.0));
            assert!(chords.iter().all(|c| *c > 0.0 && *c <= std::f32::consts::SQRT_2));
        }
    }

    #[test]
    fn one_beam_a_cell_leaves_no_cell_out_and_memory_stays_small() {
        assert!(!BeamList::new(200, 1.0).misses_cells());
        assert!(BeamList::new(200, 0.5).misses_cells());
        let list = BeamList::new(512, 1.0);
        assert_eq!(list.directions(), 4096);
        assert!(list.bytes() < 8 << 20, "{} bytes", list.bytes());
        assert_eq!(BeamList::new(64, 1.0).directions(), 512);
    }
}
