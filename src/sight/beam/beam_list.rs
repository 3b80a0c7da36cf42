//! [`BeamList`]: the precomputed rays of the beam method, and the cells that they cross.

use std::f64::consts::FRAC_PI_4;
use std::ops::Range;

use glam::{IVec2, ivec2};

use crate::sight::window::half_width;
use crate::sight_config::PathRule;

/// The number of pairs of rays in a partial sum.
pub(super) const PAIRS_PER_SUM: usize = 32;

/// The rays of an octant for each cell of the radius, at `beams` = 1.
const RAYS_PER_CELL: f64 = 1.5;

/// The rays of the beam method for one radius, and the cells that they cross.
///
/// ```text
///           ╱ ray n−1    The full turn is cut into 8 · n sectors with a ray in the middle of each, so none runs along
///         ╱  ╱           an axis or an exact diagonal. The list has one octant, 0 ≤ dy ≤ dx: its n rays from the
///       ╱ ╱ ─ ray k      centre of the viewer's cell, and for each cell the rays that cross its square. The other
///     @──── ─ ray 0      seven octants are its mirror images.
/// ```
///
/// For each cell and each ray that crosses it, the list has the *chord*, the length of the ray inside the square in cells,
/// and the *weight*, the fraction of the cell's area that is in the ray's sector (the integral of chord × distance over
/// the sector), so that the mean over the rays is a mean over the area. It also has the sectors that the cell's silhouette
/// covers.
///
/// It takes about 8 bytes for each of the 1.9 · radius² · beams crossings of the octant and 36 for each of its
/// 0.4 · radius² cells. With beams = 1 this is 130 kB for radius 64, 8.2 MB for 512, 131 MB for 2048 and 524 MB for 4096.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamList {
    radius: u32,
    beams: f64,
    /// The number of rays in an octant.
    pub(super) rays: usize,
    /// The cells of the octant, column after column (dx = 0, 1, …), dy ascending: front to back for every ray.
    cells: Vec<CellRays>,
    column: Vec<usize>,
    /// For each cell, the weight and the chord of each ray that crosses it, padded with zeros to pairs of rays.
    numbers: Vec<f32>,
    crossings: usize,
    /// `true` if some cell is between two rays.
    pub(super) misses_cells: bool,
}

/// The rays that cross one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellRays {
    /// The index of its first number.
    start: u32,
    /// Its first ray.
    first: u16,
    /// The number of its rays.
    count: u16,
    /// M/r, the factor of a chord for `per_cell`.
    steps_per_length: f32,
    /// The sectors that its silhouette covers.
    pub(super) span: SectorSpan,
    /// The fractions of its area before the sector of the first ray that crosses it, and after that of the last. Above
    /// 0 only if the cell covers a sector there.
    pub(super) beyond: [f32; 2],
    /// The mean over its rays if all of them have the light 1.
    pub(super) clear_mean: f32,
}

/// The sectors that the silhouette of a cell covers. The first and the last may be covered in part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SectorSpan {
    first: u16,
    count: u16,
    /// The start in the first sector and the end in the last, in [0, 1].
    from: f32,
    to: f32,
}

impl SectorSpan {
    /// One whole sector.
    const WHOLE: Self = Self { first: 0, count: 1, from: 0.0, to: 1.0 };

    /// Creates the span between two corners, in sectors from the axis.
    fn new(from: f64, to: f64) -> Self {
        let on_edge = |at: f64| if (at - at.round()).abs() < 1e-6 { at.round() } else { at };
        let (from, to) = (on_edge(from), on_edge(to));
        let (first, end) = (from.floor(), to.ceil());
        let (mut from, mut to) = ((from - first) as f32, (to - (end - 1.0)) as f32);
        // At large distances with few beams it may touch neither end of its only sector. Then it is extended to the
        // nearer end.
        if end - first == 1.0 && from > 0.0 && to < 1.0 {
            if from + to < 1.0 { from = 0.0 } else { to = 1.0 }
        }
        Self { first: first as u16, count: (end - first) as u16, from, to }
    }

    /// Returns the rays whose sectors are covered.
    #[inline(always)]
    pub(super) fn rays(&self) -> Range<usize> {
        usize::from(self.first)..usize::from(self.first) + usize::from(self.count)
    }

    /// Returns the covered interval of a ray's sector, in [0, 1].
    #[inline(always)]
    pub(super) fn interval(&self, ray: usize) -> [f32; 2] {
        let rays = self.rays();
        [if ray == rays.start { self.from } else { 0.0 }, if ray + 1 == rays.end { self.to } else { 1.0 }]
    }
}

impl BeamList {
    /// Creates the rays and crossings for a radius in cells, at most
    /// [`SightConfig::MAX_RADIUS`](crate::sight::SightConfig::MAX_RADIUS), and `beams` in [0.5, 4]: 12 · radius · beams
    /// directions, rounded up to a multiple of 8.
    pub(super) fn new(radius: u32, beams: f64) -> Self {
        let rays = ((RAYS_PER_CELL * f64::from(radius) * beams).ceil() as usize).max(1);
        let sector = FRAC_PI_4 / rays as f64;
        let toward = |ray: f64| libm::sincos(ray * sector);
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
            misses_cells: false,
        };
        for dx in 0..=radius {
            for dy in 0..=Self::last_row(dx, radius) {
                let (x, y) = (f64::from(dx), f64::from(dy));
                let ray_at = |x: f64, y: f64| libm::atan2(y, x) / sector;
                let low = (ray_at(x + 0.5, y - 0.5) - 1.0).max(0.0) as usize;
                let high = (ray_at(x - 0.5, y + 0.5).max(0.0) + 2.0) as usize;
                crossing.clear();
                if dx > 0 {
                    let chords = (low..rays.min(high)).map(|ray| (ray, chord(x, y, directions[ray])));
                    crossing.extend(chords.filter(|(_, chord)| *chord > 0.0));
                }
                let low = if dy > 0 { ray_at(x + 0.5, y - 0.5) } else { 0.0 };
                let high = ray_at(x - 0.5, y + 0.5).min(rays as f64);
                let span = if dx > 0 { SectorSpan::new(low, high) } else { SectorSpan::WHOLE };
                list.push_cell(&crossing, span, x, y, |ray| area_below(x, y, edges[ray]));
            }
            list.column.push(list.cells.len());
        }
        list
    }

    /// Adds a cell. `crossing` are the rays that cross it, in order, with their chords; `area_below` is the area of the cell
    /// before the sector of a ray.
    fn push_cell(
        &mut self,
        crossing: &[(usize, f64)],
        span: SectorSpan,
        x: f64,
        y: f64,
        area_below: impl Fn(usize) -> f64,
    ) {
        let (first, last) = (area_below(0), area_below(self.rays));
        let fraction = |from: f64, to: f64| ((to - from) / (last - first)) as f32;
        let covered = span.rays();
        let beyond = match (crossing.first(), crossing.last()) {
            (Some(&(low, _)), Some(&(high, _))) => [
                if covered.start < low { fraction(first, area_below(low)).max(f32::MIN_POSITIVE) } else { 0.0 },
                if covered.end > high + 1 { fraction(area_below(high + 1), last).max(f32::MIN_POSITIVE) } else { 0.0 },
            ],
            _ => [0.0; 2],
        };
        self.misses_cells |= crossing.is_empty() && x > 0.0;
        let mut cell = CellRays {
            start: self.numbers.len() as u32,
            first: crossing.first().map_or(0, |c| c.0 as u16),
            count: crossing.len() as u16,
            steps_per_length: (x / (x * x + y * y).sqrt().max(1.0)) as f32,
            span,
            beyond,
            clear_mean: 0.0,
        };
        // The outermost rays also take the area beyond their sectors.
        for (i, &(ray, chord)) in crossing.iter().enumerate() {
            let from = if i == 0 { first } else { area_below(ray) };
            let to = if i + 1 == crossing.len() { last } else { area_below(ray + 1) };
            self.numbers.extend([fraction(from, to), chord as f32]);
        }
        if crossing.len() % 2 == 1 {
            self.numbers.extend([0.0, 0.0]);
        }
        // Summed in the order of `mean`, for the same bits.
        let sums = self.crossing(&cell).1.chunks(PAIRS_PER_SUM);
        let sums = sums.map(|pairs| pairs.iter().fold(0.0, |sum, [weight, _, second, _]| sum + weight + second));
        cell.clear_mean = sums.fold(0.0, |sum, partial| sum + partial).min(1.0);
        self.cells.push(cell);
        self.crossings += crossing.len();
    }

    /// Returns the radius of the list in cells.
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// Returns the `beams` of the list.
    pub fn beams(&self) -> f64 {
        self.beams
    }

    /// Returns the number of directions in the full turn, a multiple of 8.
    pub fn directions(&self) -> usize {
        8 * self.rays
    }

    /// Returns the number of crossings of a ray with a cell in the full turn: the work of one field of view.
    pub fn crossings(&self) -> usize {
        8 * self.crossings
    }

    /// Returns the memory of the list in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.cells) + size_of_val(&*self.column) + size_of_val(&*self.numbers)
    }

    /// Returns the last dy of column `dx` within `radius`.
    pub(super) fn last_row(dx: u32, radius: u32) -> u32 {
        dx.min(half_width(radius, dx))
    }

    /// Returns the cells of column `dx`, dy = 0, 1, …
    pub(super) fn column(&self, dx: u32) -> &[CellRays] {
        &self.cells[self.column[dx as usize]..self.column[dx as usize + 1]]
    }

    /// Calls `visit` for each cell of the octant with its offset and, for each ray that crosses it, the weight and the length
    /// of the ray between the viewer's cell and this one, by the path rule.
    pub(super) fn for_each_cell(
        &self,
        path: PathRule,
        mut visit: impl FnMut(IVec2, std::iter::Copied<std::slice::Iter<'_, (f64, f64)>>),
    ) {
        let mut gone = vec![0.0; self.rays + 1];
        let mut lines = Vec::new();
        // The mean length to and through each cell of the previous column, for cells that no ray crosses.
        let (mut before, mut through) = (Vec::new(), vec![0.0]);
        for dx in 1..=self.radius {
            std::mem::swap(&mut before, &mut through);
            through.clear();
            for (dy, cell) in self.column(dx).iter().enumerate() {
                let (rays, crossing) = self.crossing(cell);
                let crossing: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
                lines.clear();
                lines.extend(rays.clone().zip(crossing).map(|(ray, [weight, _])| (f64::from(*weight), gone[ray])));
                if cell.is_missed() {
                    let share = dy as f64 / f64::from(dx);
                    let parent = |dy: Option<usize>| dy.and_then(|dy| before.get(dy)).copied();
                    let (straight, diagonal) = (parent(Some(dy)), parent(dy.checked_sub(1)));
                    let [straight, diagonal] =
                        [straight.or(diagonal), diagonal.or(straight)].map(Option::unwrap_or_default);
                    lines.push((1.0, straight + (diagonal - straight) * share));
                }
                visit(ivec2(dx as i32, dy as i32), lines.iter().copied());
                let mean: f64 = lines.iter().map(|(weight, length)| weight * length).sum();
                let slant = f64::from(dx).hypot(dy as f64) / f64::from(dx);
                through.push(mean + if path == PathRule::PerLength { slant } else { 1.0 });
                for (ray, [_, chord]) in rays.zip(crossing) {
                    gone[ray] += f64::from(chord * cell.scale(path));
                }
            }
        }
    }

    /// Returns the rays that cross a cell, and their weights and chords in pairs of rays. The weights sum to 1. If the
    /// number of rays is odd, weight and chord of the last are followed by zeros.
    #[inline(always)]
    pub(super) fn crossing(&self, cell: &CellRays) -> (Range<usize>, &[[f32; 4]]) {
        let (start, count) = (cell.start as usize, usize::from(cell.count));
        (cell.crossed(), self.numbers[start..start + 4 * count.div_ceil(2)].as_chunks().0)
    }
}

impl CellRays {
    /// Returns the factor of a chord in the exponent.
    #[inline(always)]
    pub(super) fn scale(&self, path: PathRule) -> f32 {
        if path == PathRule::PerCell { self.steps_per_length } else { 1.0 }
    }

    /// Returns the rays that cross the cell.
    #[inline(always)]
    pub(super) fn crossed(&self) -> Range<usize> {
        usize::from(self.first)..usize::from(self.first) + usize::from(self.count)
    }

    /// Returns `true` if the cell is between two rays.
    pub(super) fn is_missed(&self) -> bool {
        self.count == 0
    }
}

/// Shorter chords, in cells, are rounding errors at a corner.
const MIN_CHORD: f64 = 1e-9;

/// Returns the length of a ray from the viewer's centre inside the square of a cell.
fn chord(x: f64, y: f64, (sin, cos): (f64, f64)) -> f64 {
    let enter = ((x - 0.5) / cos).max((y - 0.5) / sin);
    let leave = ((x + 0.5) / cos).min((y + 0.5) / sin);
    if leave - enter > MIN_CHORD { leave - enter } else { 0.0 }
}

/// Returns the area of a cell's square between the axis and a ray of the octant.
fn area_below(x: f64, y: f64, (sin, cos): (f64, f64)) -> f64 {
    // The width of the square across the ray rises, is constant at 1/cos, and falls again.
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
    fn chords_of_a_ray_sum_to_the_radius() {
        for (radius, beams) in [(1, 1.0), (9, 0.5), (24, 1.0), (40, 4.0)] {
            let list = BeamList::new(radius, beams);
            let mut length = vec![0.0; list.rays];
            for cell in &list.cells {
                let (rays, crossing) = list.crossing(cell);
                for (ray, [_, chord]) in rays.zip(crossing.as_flattened().as_chunks().0) {
                    length[ray] += f64::from(*chord);
                }
            }
            // From the edge of the viewer's cell to about the radius.
            for (ray, length) in length.into_iter().enumerate() {
                let angle = (ray as f64 + 0.5) * FRAC_PI_4 / list.rays as f64;
                let covered = length + 0.5 / angle.cos();
                assert!((covered - f64::from(radius)).abs() < 1.5, "ray {ray} of radius {radius}: {covered}");
            }
        }
    }

    #[test]
    fn weights_sum_to_1_and_chords_are_at_most_a_diagonal() {
        let list = BeamList::new(30, 2.0);
        for (dx, dy) in (1..=30).flat_map(|dx| (0..=BeamList::last_row(dx, 30)).map(move |dy| (dx, dy))) {
            let cell = &list.column(dx)[dy as usize];
            let (rays, crossing) = list.crossing(cell);
            assert!(cell.span.rays().start <= rays.start && rays.end <= cell.span.rays().end, "{dx},{dy}");
            let crossing: &[[f32; 2]] = crossing.as_flattened().as_chunks().0;
            assert!(!rays.is_empty() && rays.end <= list.rays, "{dx},{dy}");
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
    fn cells_that_share_a_corner_cover_sectors_without_a_gap() {
        for (radius, beams) in [(23, 0.5), (30, 1.0), (64, 1.7)] {
            let list = BeamList::new(radius, beams);
            let cell = |dx: u32, dy: u32| list.column(dx).get(dy as usize).filter(|_| dy <= dx);
            for (dx, dy) in (2..=radius).flat_map(|dx| (0..dx).map(move |dy| (dx, dy))) {
                let (Some(lower), Some(upper)) = (cell(dx, dy), cell(dx - 1, dy + 1)) else { continue };
                let (last, first) = (lower.span.rays().end - 1, upper.span.rays().start);
                match (lower.span.interval(last)[1], upper.span.interval(first)[0]) {
                    (1.0, 0.0) => assert!(first <= last + 1, "{dx},{dy}"),
                    (to, from) => assert!(first < last || first == last && from <= to, "{dx},{dy}: {to}, {from}"),
                }
            }
        }
    }

    #[test]
    fn one_beam_misses_no_cell_and_memory_is_small() {
        assert!(!BeamList::new(200, 1.0).misses_cells);
        assert!(BeamList::new(200, 0.5).misses_cells && !BeamList::new(200, 0.55).misses_cells);
        let list = BeamList::new(512, 1.0);
        assert_eq!(list.directions(), 6144);
        assert!(list.bytes() < 8 << 20, "{} bytes", list.bytes());
        assert_eq!(BeamList::new(64, 1.0).directions(), 768);
    }
}
