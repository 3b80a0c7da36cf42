//! [`BeamList`]: which directions cross which cell, and how far: what the beam method precomputes for a radius.

use std::f64::consts::FRAC_PI_4;
use std::ops::Range;

use crate::sight::config::PathRule;
use crate::sight::window::half_width;

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
/// its share of the turn), so that the mean over the rays is a mean over the area. It also holds where in the shares of
/// the turn the cell's silhouette begins and ends.
///
/// It takes about 8 bytes for each of the 1.9 · radius² · beams crossings of an octant and 32 for each of its
/// 0.4 · radius² cells: with beams 1, 123 kB for radius 64, 7.8 MB for 512, 124 MB for 2048 and 497 MB for 4096. One
/// octant is all that is kept.
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
pub(crate) struct Crossed {
    /// Where its numbers begin.
    start: u32,
    /// Its first ray.
    first: u16,
    /// The number of its rays.
    count: u16,
    /// M/r, by which a chord shrinks to the cell's count (`per_cell`).
    steps_per_length: f32,
    /// What its silhouette covers.
    covers: Covers,
    /// The shares of its area beyond the shares of the rays that cross it: before the first and after the last. Above 0 only
    /// if it covers something there.
    beyond: [f32; 2],
}

/// The shares of rays that the silhouette of a cell covers, the outermost in part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Covers {
    first: u16,
    count: u16,
    /// Where in the first share it begins, and where in the last it ends.
    from: f32,
    to: f32,
}

impl Covers {
    /// Just one share, and all of it.
    pub(crate) const WHOLE: Self = Self { first: 0, count: 1, from: 0.0, to: 1.0 };

    /// Between two corners, in shares from the axis.
    fn new(from: f64, to: f64) -> Self {
        let on_edge = |at: f64| if (at - at.round()).abs() < 1e-6 { at.round() } else { at };
        let (from, to) = (on_edge(from), on_edge(to));
        let (first, end) = (from.floor(), to.ceil());
        let (mut from, mut to) = ((from - first) as f32, (to - (end - 1.0)) as f32);
        // Far out and with few beams it may touch neither end of its one share: it is widened to the nearer.
        if end - first == 1.0 && from > 0.0 && to < 1.0 {
            if from + to < 1.0 { from = 0.0 } else { to = 1.0 }
        }
        Self { first: first as u16, count: (end - first) as u16, from, to }
    }

    /// The rays of whose shares something is covered.
    #[inline(always)]
    pub(crate) fn rays(&self) -> Range<usize> {
        usize::from(self.first)..usize::from(self.first) + usize::from(self.count)
    }

    /// From where to where a share is covered.
    #[inline(always)]
    pub(crate) fn of(&self, ray: usize) -> [f32; 2] {
        let rays = self.rays();
        [if ray == rays.start { self.from } else { 0.0 }, if ray + 1 == rays.end { self.to } else { 1.0 }]
    }
}

impl BeamList {
    /// The directions and crossings for a radius in cells, at most [`OffsetList::MAX_RADIUS`](super::OffsetList),
    /// and `beams` in [0.5, 4]: 12 · radius · beams directions, rounded up to a multiple of 8.
    pub(crate) fn new(radius: u32, beams: f64) -> Self {
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
                let low = if dy > 0 { ray_at(x + 0.5, y - 0.5) } else { 0.0 };
                let high = ray_at(x - 0.5, y + 0.5).min(rays as f64);
                let covers = if dx > 0 { Covers::new(low, high) } else { Covers::WHOLE };
                list.push_cell(&crossing, covers, x, y, |ray| area_below(x, y, edges[ray]));
            }
            list.column.push(list.cells.len());
        }
        list
    }

    /// `crossing` are the rays that cross the cell, in order, with their chords; `area_below` is the area of the cell
    /// before the share of a ray.
    fn push_cell(
        &mut self,
        crossing: &[(usize, f64)],
        covers: Covers,
        x: f64,
        y: f64,
        area_below: impl Fn(usize) -> f64,
    ) {
        let (first, last) = (area_below(0), area_below(self.rays));
        let share = |from: f64, to: f64| ((to - from) / (last - first)) as f32;
        let covered = covers.rays();
        let beyond = match (crossing.first(), crossing.last()) {
            (Some(&(low, _)), Some(&(high, _))) => [
                if covered.start < low { share(first, area_below(low)).max(f32::MIN_POSITIVE) } else { 0.0 },
                if covered.end > high + 1 { share(area_below(high + 1), last).max(f32::MIN_POSITIVE) } else { 0.0 },
            ],
            _ => [0.0; 2],
        };
        self.missed |= crossing.is_empty() && x > 0.0;
        self.cells.push(Crossed {
            start: self.numbers.len() as u32,
            first: crossing.first().map_or(0, |c| c.0 as u16),
            count: crossing.len() as u16,
            steps_per_length: (x / (x * x + y * y).sqrt().max(1.0)) as f32,
            covers,
            beyond,
        });
        // The outermost rays also take what lies beyond their share.
        for (i, &(ray, chord)) in crossing.iter().enumerate() {
            let from = if i == 0 { first } else { area_below(ray) };
            let to = if i + 1 == crossing.len() { last } else { area_below(ray + 1) };
            self.numbers.extend([share(from, to), chord as f32]);
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
    pub(crate) fn rays(&self) -> usize {
        self.rays
    }

    /// Whether some cell lies between all rays.
    pub(crate) fn misses_cells(&self) -> bool {
        self.missed
    }

    /// The last dy of column `dx` of the octant that is within `radius`.
    pub(crate) fn last_row(dx: u32, radius: u32) -> u32 {
        dx.min(half_width(radius, dx))
    }

    /// The cells of column `dx`, dy = 0, 1, …
    pub(crate) fn column(&self, dx: u32) -> &[Crossed] {
        &self.cells[self.column[dx as usize]..self.column[dx as usize + 1]]
    }

    /// The rays that cross a cell, and for each its weight and its chord, two rays at a time. The weights sum to 1. If the
    /// number of rays is odd, the last of the pairs stands for nothing: weight and chord are 0.
    #[inline(always)]
    pub(crate) fn crossing(&self, cell: &Crossed) -> (Range<usize>, &[[f32; 4]]) {
        let (start, first, count) = (cell.start as usize, usize::from(cell.first), usize::from(cell.count));
        (first..first + count, self.numbers[start..start + 4 * count.div_ceil(2)].as_chunks().0)
    }
}

impl Crossed {
    /// What a chord is multiplied with to become an exponent.
    #[inline(always)]
    pub(crate) fn scale(&self, path: PathRule) -> f32 {
        if path == PathRule::PerCell { self.steps_per_length } else { 1.0 }
    }

    /// What its silhouette covers.
    pub(crate) fn covers(&self) -> &Covers {
        &self.covers
    }

    /// The shares of its area before the share of the first ray that crosses it, and after that of the last.
    pub(crate) fn beyond(&self) -> [f32; 2] {
        self.beyond
    }

    /// Whether it lies between two rays.
    pub(crate) fn is_missed(&self) -> bool {
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
    fn cells_that_share_a_corner_cover_shares_without_a_gap() {
        for (radius, beams) in [(23, 0.5), (30, 1.0), (64, 1.7)] {
            let list = BeamList::new(radius, beams);
            let cell = |dx: u32, dy: u32| list.column(dx).get(dy as usize).filter(|_| dy <= dx);
            for (dx, dy) in (2..=radius).flat_map(|dx| (0..dx).map(move |dy| (dx, dy))) {
                let (Some(lower), Some(upper)) = (cell(dx, dy), cell(dx - 1, dy + 1)) else { continue };
                let (last, first) = (lower.covers.rays().end - 1, upper.covers.rays().start);
                match (lower.covers.of(last)[1], upper.covers.of(first)[0]) {
                    (1.0, 0.0) => assert!(first <= last + 1, "{dx},{dy}"),
                    (to, from) => assert!(first < last || first == last && from <= to, "{dx},{dy}: {to}, {from}"),
                }
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
