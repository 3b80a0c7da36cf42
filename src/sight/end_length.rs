//! [`EndLength`]: how far a path runs in the viewer's cell and in the target's.
//!
//! A field of view counts the cells between viewer and target, which is right for walls: a wall is visible itself. Air and
//! woods have no surface. A path of M steps from centre to centre leaves half of its first cell and enters half of its last,
//! so that it is as long as M cells, not M − 1.
//!
//! The lines of the methods `beam` and `exact` end all over the target's cell, and some cross more cells than others: on a
//! diagonal, those beside it cross a corner of the next cell. In even air of the optical depth β a cell their mean is
//! g(β) = Σ w exp(−β L), with L the length of a line between the two cells. The two cells have what g lacks of the law
//! exp(−β r). With the mean k₁, the variance k₂ and the third central moment k₃ of L, −ln g = β (k₁ − β k₂/2 + β² k₃/6).

use std::f64::consts::LN_2;
use std::ops::Range;

use glam::{IVec2, ivec2};

use super::beam::BeamList;
use super::config::{Method, PathRule, SightConfig};
use super::exact::RayBundle;
use super::window::half_width;
use crate::grid::Grid;
use crate::math::exp2_approx;
use crate::parallel::*;
use crate::simd::LANES;

/// The length of a path in each of its two cells, in cell widths: `base` + `slope` q + `bend` q², where −q is the sum of log₂
/// of the transmittances of both cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EndLength {
    pub(crate) base: f32,
    pub(crate) slope: f32,
    pub(crate) bend: f32,
}

/// The greatest q for which the moments hold: an optical depth of 4 a cell.
const MAX_DEPTH: f32 = 11.5;

impl EndLength {
    /// Returns the length for two parents and a target at an offset: 0 on the viewer's own cell, ½ along an axis. `slant` is 1
    /// if a slanted path is longer, else 0.
    ///
    /// With s = r/M for the slant, the path in each cell is s/2. Two parents raise the cells in between to the exponent
    /// 1 + (s − 1)(M − 1)/M instead of s; the ends have the difference, so that the whole path in even air is r.
    #[inline(always)]
    pub(crate) fn two_parent(slant: f32, dx: f32, dy: f32) -> Self {
        let (dx, dy) = (dx.abs(), dy.abs());
        let steps = if dx > dy { dx } else { dy };
        let is_other = if steps < 1.0 { 0.0 } else { 1.0 };
        let divisor = if steps > 1.0 { steps } else { 1.0 };
        let extra = ((dx * dx + dy * dy).sqrt() / divisor - 1.0) * slant;
        Self { base: 0.5 * is_other * (1.0 + extra + extra * ((divisor - 1.0) / divisor)), slope: 0.0, bend: 0.0 }
    }

    /// Returns the length for the method of a configuration; for beams, that of the lines of the exact method.
    pub(crate) fn of(config: &SightConfig, offset: IVec2) -> Self {
        match config.method {
            Method::TwoParent => Self::two_parent(slant(config.path), offset.x as f32, offset.y as f32),
            Method::Beam | Method::Exact => {
                let lengths = RayBundle::new(offset, config.samples, config.path).0.lengths();
                Self::of_lines(offset, config.path, lengths.into_iter().map(|length| (1.0, length)))
            }
        }
    }

    /// Returns the length for lines with these weights and lengths between the two cells.
    fn of_lines(offset: IVec2, path: PathRule, lines: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        if offset == IVec2::ZERO {
            return Self::default();
        }
        let whole = match path {
            PathRule::PerCell => f64::from(offset.abs().max_element()),
            PathRule::PerLength => offset.as_dvec2().length(),
        };
        let weight: f64 = lines.clone().map(|(weight, _)| weight).sum();
        let mean = lines.clone().map(|(weight, length)| weight * length).sum::<f64>() / weight;
        let (mut second, mut third) = (0.0, 0.0);
        for (weight, length) in lines {
            let deviation = length - mean;
            second += weight * deviation * deviation;
            third += weight * deviation * deviation * deviation;
        }
        Self {
            base: (0.5 * (whole - mean)) as f32,
            slope: (second / weight * LN_2 / 8.0) as f32,
            bend: (-third / weight * LN_2 * LN_2 / 48.0) as f32,
        }
    }

    /// Returns the transmittance of both ends, from the sum of log₂ of the transmittances of the two cells.
    #[inline(always)]
    pub(crate) fn transmittance(self, log2: f32) -> f32 {
        let depth = if -log2 < MAX_DEPTH { -log2 } else { MAX_DEPTH };
        Self::transmittance_of_base(self.base + depth * (self.slope + depth * self.bend), log2)
    }

    /// The same for a length that has only a base.
    #[inline(always)]
    pub(crate) fn transmittance_of_base(base: f32, log2: f32) -> f32 {
        let exponent = log2 * base;
        let exponent = if exponent > -126.0 { exponent } else { -126.0 };
        exp2_approx(if exponent < 0.0 { exponent } else { 0.0 })
    }
}

/// Returns 1 if a slanted path is longer, else 0.
fn slant(path: PathRule) -> f32 {
    f32::from(u8::from(path == PathRule::PerLength))
}

/// The [`EndLength`]s of all cells of a radius.
#[derive(Clone, Debug)]
pub(crate) struct EndLengths {
    radius: u32,
    path: PathRule,
    lines: Lines,
    /// `base` of the lengths. Columns are dx from −radius − [`MARGIN`] on, rows are |dy|. Empty if rows are computed when they
    /// are needed.
    base: Grid<f32>,
    /// `slope` and `bend` of the lengths. Two parents have none.
    moments: Option<[Grid<f32>; 2]>,
}

/// Columns to the left and to the right of the radius, for vectors that have some cells out of sight.
const MARGIN: u32 = LANES as u32;

/// The lines of a method, by what they depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lines {
    TwoParent,
    Beams { radius: u32, beams: f64 },
    Samples(u32),
}

/// The lengths of neighbouring cells in a row: `base`, and `slope` and `bend` if the method has them.
#[derive(Clone, Copy)]
pub(crate) struct RowLengths<'a> {
    pub(crate) base: &'a [f32],
    pub(crate) moments: Option<[&'a [f32]; 2]>,
}

impl EndLengths {
    /// The largest radius for which the lengths of two parents are kept.
    const MAX_KEPT: u32 = 512;

    /// Returns the lengths for two parents.
    pub(super) fn of_two_parent(radius: u32, path: PathRule) -> Self {
        let mut lengths = Self { radius, path, lines: Lines::TwoParent, base: Grid::new(0, 0, 0.0), moments: None };
        if radius <= Self::MAX_KEPT {
            let (slant, middle) = (slant(path), lengths.middle());
            lengths.base = Grid::from_fn(2 * middle as usize + 1, radius as usize + 1, |cell| {
                EndLength::two_parent(slant, (cell.x - middle) as f32, cell.y as f32).base
            });
        }
        lengths
    }

    /// Computes the lengths for beams.
    pub(super) fn of_beams(list: &BeamList, path: PathRule) -> Self {
        let lines = Lines::Beams { radius: list.radius(), beams: list.beams() };
        let mut lengths = Self::of_lines(list.radius(), path, lines);
        list.for_each_cell(path, |offset, lines| lengths.set(offset, EndLength::of_lines(offset, path, lines)));
        lengths
    }

    /// Computes the lengths for the lines of the exact method.
    pub(super) fn of_samples(radius: u32, samples: u32, path: PathRule) -> Self {
        let config = SightConfig { method: Method::Exact, samples, path, ..SightConfig::default() };
        let column = |dx: u32| {
            let rows = 0..=dx.min(half_width(radius, dx));
            rows.map(|dy| EndLength::of(&config, ivec2(dx as i32, dy as i32))).collect()
        };
        let columns: Vec<Vec<EndLength>> = (0..=radius).into_par_iter().map(column).collect();
        let mut lengths = Self::of_lines(radius, path, Lines::Samples(samples));
        for (dx, column) in (0..).zip(columns) {
            for (dy, length) in (0..).zip(column) {
                lengths.set(ivec2(dx, dy), length);
            }
        }
        lengths
    }

    fn of_lines(radius: u32, path: PathRule, lines: Lines) -> Self {
        let mut lengths = Self { radius, path, lines, base: Grid::new(0, 0, 0.0), moments: None };
        let field = || Grid::new(2 * lengths.middle() as usize + 1, radius as usize + 1, 0.0);
        (lengths.base, lengths.moments) = (field(), Some([field(), field()]));
        lengths
    }

    /// The column of the viewer.
    fn middle(&self) -> i32 {
        (self.radius + MARGIN) as i32
    }

    fn set(&mut self, IVec2 { x, y }: IVec2, length: EndLength) {
        let middle = self.middle();
        let fields = std::iter::once(&mut self.base).chain(self.moments.iter_mut().flatten());
        for (field, value) in fields.zip([length.base, length.slope, length.bend]) {
            for (dx, dy) in [(x, y), (-x, y), (y, x), (-y, x)] {
                field[ivec2(middle + dx, dy)] = value;
            }
        }
    }

    /// Returns `true` if these are the lengths for two parents, up to a radius.
    pub(super) fn fits_two_parent(&self, radius: u32, path: PathRule) -> bool {
        self.path == path && self.lines == Lines::TwoParent && self.radius >= radius
    }

    /// Returns `true` if these are the lengths for a list of beams.
    pub(super) fn fits_beams(&self, list: &BeamList, path: PathRule) -> bool {
        self.path == path && self.lines == Lines::Beams { radius: list.radius(), beams: list.beams() }
    }

    /// Returns `true` if these are the lengths for the exact method, up to a radius.
    pub(super) fn fits_samples(&self, radius: u32, samples: u32, path: PathRule) -> bool {
        self.path == path && self.lines == Lines::Samples(samples) && self.radius >= radius
    }

    /// Returns the length for a target at an offset within the radius; that of the viewer's own cell beyond.
    pub(crate) fn at(&self, offset: IVec2) -> EndLength {
        if self.lines == Lines::TwoParent {
            return EndLength::two_parent(slant(self.path), offset.x as f32, offset.y as f32);
        }
        let cell = ivec2(self.middle() + offset.x, offset.y.abs());
        let value = |field: &Grid<f32>| field.get(cell).copied().unwrap_or_default();
        let [slope, bend] = self.moments.as_ref().map_or([0.0; 2], |moments| moments.each_ref().map(value));
        EndLength { base: value(&self.base), slope, bend }
    }

    /// Returns the lengths of the cells at these dx of a row, from −radius − 16 to radius + 16. `buffer` has the lengths that are not kept.
    #[inline(always)]
    pub(crate) fn row<'a>(&'a self, dy: i32, columns: Range<i32>, buffer: &'a mut Vec<f32>) -> RowLengths<'a> {
        if self.base.width() == 0 {
            let slant = slant(self.path);
            buffer.clear();
            buffer.extend(columns.map(|dx| EndLength::two_parent(slant, dx as f32, dy as f32).base));
            return RowLengths { base: buffer, moments: None };
        }
        let kept = (self.middle() + columns.start) as usize..(self.middle() + columns.end) as usize;
        let row = |field: &'a Grid<f32>| &field.row(dy.unsigned_abs() as usize)[kept.clone()];
        RowLengths { base: row(&self.base), moments: self.moments.as_ref().map(|moments| moments.each_ref().map(row)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_in_even_air_is_as_long_as_the_line() {
        for (dx, dy) in [(1, 0), (1, 1), (0, -7), (5, 5), (-9, 4), (30, 29), (0, 0)] {
            let (steps, r) = (f64::from(i32::max(i32::abs(dx), i32::abs(dy))), f64::hypot(dx.into(), dy.into()));
            let extra = if steps > 0.0 { r / steps - 1.0 } else { 0.0 };
            let between = (steps - 1.0).max(0.0);
            let raised = between * (1.0 + extra * between / steps.max(1.0));
            for (path, between, whole) in [(PathRule::PerLength, raised, r), (PathRule::PerCell, between, steps)] {
                let length = EndLength::two_parent(slant(path), dx as f32, dy as f32).base;
                assert!((between + 2.0 * f64::from(length) - whole).abs() < 1e-4 * whole.max(1.0), "{dx},{dy}");
            }
            let config = SightConfig::default().with_method(Method::Exact).with_path(PathRule::PerLength);
            let lines = RayBundle::new(ivec2(dx, dy), config.samples, config.path).0.lengths();
            for depth in [0.05, 0.5, 2.0] {
                let mean = lines.iter().map(|length| (-depth * length).exp()).sum::<f64>() / lines.len() as f64;
                let log2 = (-2.0 * depth / LN_2) as f32;
                let seen = mean * f64::from(EndLength::of(&config, ivec2(dx, dy)).transmittance(log2));
                let law = (-depth * r).exp();
                assert!((seen - law).abs() < 0.01 * law, "{dx},{dy}, {depth}: {seen}, not {law}");
            }
        }
    }
}
