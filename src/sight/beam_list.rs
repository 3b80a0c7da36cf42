//! [`BeamList`]: which directions cross which cell, and how far: what the beam method precomputes for a radius.

use std::f64::consts::FRAC_PI_4;
use std::ops::Range;

use super::PathRule;
use super::window::half_width;

/// Rays of an octant for each cell of the radius, at 1 `beams`.
const RAYS_PER_CELL: f64 = 1.5;

/// The directions of the beam method for one radius, and the cells that each crosses.
///
/// ```text
///           ╱ ray n−1    The full turn is cut into A = 8 · n directions, each in the middle of its share of the
///         ╱  ╱           turn, so none runs along an axis or an exact diagonal. The list holds one octant,
///       ╱ ╱ ─ ray k      0 ≤ dy ≤ dx: its n rays from the viewer's centre, and for each cell the run of rays that
///     @──── ─ ray 0      cross its square. The other seven octants are its mirror images.
/// ```
///
/// For each cell and ray that crosses it the list holds the *chord*, the length of the ray inside the square, in cells,
/// and the *weight*, the share of the cell's area that lies nearest to the ray (the integral of chord × distance over
/// its share of the turn), so that the mean over the rays is a mean over the area.
///
/// It takes about 8 bytes for each of the 1.9 · radius² · beams crossings of an octant and 12 for each of its
/// 0.4 · radius² cells: with beams 1, 90 kB for radius 64, 5.7 MB for 512, 91 MB for 2048 and 365 MB for 4096. One octant
/// is all that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamList {
    radius: u32,
    beams: f64,
    rays: usize,
    /// Cells of the octant, column after column (dx = 0, 1, …), dy rising: a valid front-to-back order for every ray.
    cells: Vec<Crossed>,
    column: Vec<usize>,
    /// For each cell, for each ray that crosses it: its weight and its chord. They come in pairs of rays (the last may
    /// stand for nothing), so that a walk along the list rarely changes its pace.
    numbers: Vec<f32>,
    crossings: usize,
    missed: bool,
}

/// The rays that cross one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossed {
    /// Where its numbers begin.
    start: u32,
    /// Its first ray.
    first: u16,
    /// The number of its rays.
    count: u16,
    /// M/r, by which a chord shrinks to the cell's count (`per_cell`).
    steps_per_length: f32,
}

impl BeamList {
    /// The directions and crossings for a radius in cells, at most [`OffsetList::MAX_RADIUS`](super::OffsetList),
    /// and `beams` in [0.5, 4]: 12 · radius · beams directions, rounded up to a multiple of 8.
    pub(super) fn new(radius: u32, beams: f64) -> Self {
        let rays = ((RAYS_PER_CELL * f64::from(radius) * beams).ceil() as usize).max(1);
        let share = FRAC_PI_4 / rays as f64;
        let toward = |ray: f64| libm::sincos(ray * share);
        let directions: Vec<(f64, f64)> = (0..rays).map(|ray| toward(ray as f64 + 0.5)).collect();
        let edges: Vec<(f64, f64)> = (0..=rays).map(|ray| toward(ray as f64)).collect();

        let mut crossing = Vec::new();
        let mut list = Self {
            radius,
            beams,
            rays,
            cells: Vec::new(),
            column: vec![0],
            numbers: Vec::new(),
            crossings: 0,
            missed: false,
        };
        for dx in 0..=radius {
            for dy in 0..=Self::last_row(dx, radius) {
                let (x, y) = (f64::from(dx), f64::from(dy));
                let ray_at = |x: f64, y: f64| libm::atan2(y, x) / share;
                let low = (ray_at(x + 0.5, y - 0.5) - 1.0).max(0.0) as usize;
                let high = (ray_at(x - 0.5, y + 0.5).max(0.0) + 2.0) as usize;
                crossing.clear();
                if dx > 0 {
                    let chords = (low..rays.min(high)).map(|ray| (ray, chord(x, y, directions[ray])));
                    crossing.extend(chords.filter(|(_, chord)| *chord > 0.0));
                }
                list.push_cell(&crossing, x, y, |ray| area_below(x, y, edges[ray]));
            }
            list.column.push(list.cells.len());
        }
        list
    }

    /// `crossing` are the rays that cross the cell, in order, with their chords; `area_below` is the area of the cell
    /// before the share of a ray.
    fn push_cell(&mut self, crossing: &[(usize, f64)], x: f64, y: f64, area_below: impl Fn(usize) -> f64) {
        self.missed |= crossing.is_empty() && x > 0.0;
        self.cells.push(Crossed {
            start: self.numbers.len() as u32,
            first: crossing.first().map_or(0, |c| c.0 as u16),
            count: crossing.len() as u16,
            steps_per_length: (x / (x * x + y * y).sqrt().max(1.0)) as f32,
        });
        // The outermost rays also take what lies beyond their share.
        let (first, last) = (area_below(0), area_below(self.rays));
        for (i, &(ray, chord)) in crossing.iter().enumerate() {
            let from = if i == 0 { first } else { area_below(ray) };
            let to = if i + 1 == crossing.len() { last } else { area_below(ray + 1) };
            self.numbers.extend([((to - from) / (last - first)) as f32, chord as f32]);
        }
        if crossing.len() % 2 == 1 {
            self.numbers.extend([0.0, 0.0]);
        }
        self.crossings += crossing.len();
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
        8 * self.crossings
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.cells) + size_of_val(&*self.column) + size_of_val(&*self.numbers)
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
        dx.min(half_width(radius, dx))
    }

    /// The cells of column `dx`, dy = 0, 1, …
    pub(super) fn column(&self, dx: u32) -> &[Crossed] {
        &self.cells[self.column[dx as usize]..self.column[dx as usize + 1]]
    }

    /// The rays that cross a cell, and for each its weight and its chord, two rays at a time. The weights sum to 1. If the
    /// number of rays is odd, the last of the pairs stands for nothing: weight and chord are 0.
    #[inline(always)]
    pub(super) fn crossing(&self, cell: &Crossed) -> (Range<usize>, &[[f32; 4]]) {
        let (start, first, count) = (cell.start as usize, usize::from(cell.first), usize::from(cell.count));
        (first..first + count, self.numbers[start..start + 4 * count.div_ceil(2)].as_chunks().0)
    }
}

impl Crossed {
    /// What a chord is multiplied with to become an exponent.
    #[inline(always)]
    pub(super) fn scale(&self, path: PathRule) -> f32 {
        if path == PathRule::PerCell { self.steps_per_length } else { 1.0 }
    }

    /// Whether it lies between two rays.
    pub(super) fn is_missed(&self) -> bool {
        self.count == 0
    }
}

/// What is below this, in cells, is what rounding leaves of a corner.
const SMALLEST: f64 = 1e-9;

/// How long a ray from the viewer's centre runs in the square of a cell.
fn chord(x: f64, y: f64, (sin, cos): (f64, f64)) -> f64 {
    let enter = ((x - 0.5) / cos).max((y - 0.5) / sin);
    let leave = ((x + 0.5) / cos).min((y + 0.5) / sin);
    if leave - enter > SMALLEST { leave - enter } else { 0.0 }
}

/// The area of a cell's square on the side of the axis (clockwise on the screen: smaller angles) of a ray in the octant.
fn area_below(x: f64, y: f64, (sin, cos): (f64, f64)) -> f64 {
    // The square's breadth across the ray grows, stays at 1/cos and shrinks again.
    let across = x * sin - y * cos;
    let (whole, flat) = (0.5 * (cos + sin), 0.5 * (cos - sin).max(0.0));
    match across {
        a if a <= -whole => 0.0,
        a if a < -flat => (a + whole) * (a + whole) / (2.0 * sin * cos),
        a if a <= flat => 0.5 + a / cos,
        a if a < whole => 1.0 - (whole - a) * (whole - a) / (2.0 * sin * cos),
        _ => 1.0,
    }
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
                let (rays, crossing) = list.crossing(cell);
                for (ray, [_, chord]) in rays.zip(crossing.as_flattened().as_chunks().0) {
                    length[ray] += f64::from(*chord);
                }
            }
            // From the edge of the viewer's cell to about the radius.
            for (ray, length) in length.into_iter().enumerate() {
                let angle = (ray as f64 + 0.5) * FRAC_PI_4 / list.rays() as f64;
                let covered = length + 0.5 / angle.cos();
                assert!((covered - f64::from(radius)).abs() < 1.5, "ray {ray} of radius {radius}: {covered}");
            }
        }
    }

    #[test]
    fn weights_sum_to_1_and_chords_fit_into_a_cell() {
        let list = BeamList::new(30, 2.0);
        for (dx, dy) in (1..=30).flat_map(|dx| (0..=BeamList::last_row(dx, 30)).map(move |dy| (dx, dy))) {
            let (rays, crossing) = list.crossing(&list.column(dx)[dy as usize]);
            let crossing: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
            assert!(!rays.is_empty() && rays.end <= list.rays(), "{dx},{dy}");
            let sum = crossing.iter().map(|[weight, _]| weight).sum::<f32>();
            assert!((sum - 1.0).abs() < 1e-6, "{dx},{dy}: {sum}");
            for (i, [weight, chord]) in crossing.iter().enumerate() {
                let real = *weight > 0.0 && (1e-9..1.4143).contains(chord);
                let filling = [*weight, *chord] == [0.0; 2];
                assert!(if i < rays.len() { real } else { filling }, "{dx},{dy}: {weight}, {chord}");
            }
        }
    }

    #[test]
    fn beams_of_1_leave_no_cell_out_and_memory_stays_small() {
        assert!(!BeamList::new(200, 1.0).misses_cells());
        assert!(BeamList::new(200, 0.5).misses_cells() && !BeamList::new(200, 0.55).misses_cells());
        let list = BeamList::new(512, 1.0);
        assert_eq!(list.directions(), 6144);
        assert!(list.bytes() < 8 << 20, "{} bytes", list.bytes());
        assert_eq!(BeamList::new(64, 1.0).directions(), 768);
    }
}
