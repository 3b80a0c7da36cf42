//! [`CellHorizons`]: the horizon of every cell along an azimuth.
//!
//! Relative to its cell, the line along an azimuth crosses the same patches for all cells. So 16 neighbours of a row
//! are computed at once, patch by patch. A run of patches whose maximum corner is below the running horizons is
//! skipped: runs are tried from long to short, so that the cost of far land grows about logarithmically.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x16};
use glam::{IVec2, ivec2};

use super::azimuth_line::{AzimuthLine, LinePatch};
use super::config::HorizonError;
use super::highest_pyramid::HighestPyramid;
use super::ray::SurfaceHeights;
use crate::grid::{CellRect, CellSize, Grid};
use crate::parallel::*;
use crate::sight::OutOfRange;
use crate::simd::{LANES, dispatch};
use crate::viewshed::{Bilinear, Surface};

/// The length of runs that are not divided.
const LEAST_RUN: usize = 8;

/// The horizons of all cells of a surface, each from the eye over it.
///
/// They are those of [`Horizon`](super::Horizon), in `f32`: less than 0.001° off over bare ground, and with trees at most 0.05° on
/// heights up to 9 km and cells of 1 m and more.
///
/// ```
/// use farsight::Grid;
/// use farsight::grid::CellRect;
/// use farsight::horizon::CellHorizons;
/// use farsight::viewshed::Surface;
/// let ground = Grid::from_fn(101, 101, |cell| if cell.y == 20 { 300.0 } else { 0.0 }); // a ridge in the north
/// let horizons = CellHorizons::new(&Surface::of(&ground, 100.0))?;
/// let north = horizons.slopes(0.0, 5000.0, CellRect::of_size(ground.size()))?;
/// assert_eq!(north[[50, 50]], 0.1); // 300 m over 3 km
/// assert_eq!(north[[50, 90]], 0.0); // the ridge is out of range
/// # Ok::<(), farsight::horizon::HorizonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CellHorizons<'a> {
    surface: Surface<'a>,
    /// The heights in row-major order, each row between [`LANES`] nodata cells. Trees are included.
    tops: Vec<f32>,
    highest: HighestPyramid,
    /// An upper bound of the rounding error of a height over the eye, in metres.
    margin_m: f32,
}

/// The number of cells of a row that are computed together.
struct Group<'a, S: Simd> {
    simd: S,
    horizons: &'a CellHorizons<'a>,
    line: &'a AzimuthLine,
    /// The first cell.
    cell: IVec2,
    /// The heights of the ground below the eyes, and of the eyes.
    grounds: f32x16<S>,
    eyes: f32x16<S>,
    /// The running maximum slopes.
    slopes: f32x16<S>,
}

impl<'a> CellHorizons<'a> {
    /// Prepares the heights of a surface. Target height and softness are ignored; a canopy is opaque, except over the
    /// eyes.
    ///
    /// # Errors
    /// [`HorizonError::EyeHeight`], [`HorizonError::Surface`].
    pub fn new(surface: &Surface<'a>) -> Result<Self, HorizonError> {
        if !(0.0..f64::INFINITY).contains(&surface.eye_height) {
            return Err(HorizonError::EyeHeight(surface.eye_height));
        }
        surface.check_numbers()?;
        let (size, heights) = (surface.ground.size(), SurfaceHeights::of(surface));
        let [width, height] = [surface.ground.width(), surface.ground.height()];
        let mut tops = vec![f32::NAN; (width + 2 * LANES) * height];
        let row_length = width + 2 * LANES;
        for (y, row) in tops.chunks_exact_mut(row_length).enumerate() {
            for (x, top) in row[LANES..LANES + width].iter_mut().enumerate() {
                *top = heights.at((y * width + x) as isize) as f32;
            }
        }
        let top = |cell: IVec2| tops[cell.y as usize * row_length + LANES + cell.x as usize];
        let highest = HighestPyramid::new(size, top);
        let largest = tops.iter().fold(surface.eye_height as f32, |largest, top| largest.max(top.abs()));
        Ok(Self { surface: *surface, tops, highest, margin_m: largest * 1e-5 })
    }

    /// Computes the slopes of the horizons of some cells along an azimuth, in degrees clockwise from north, up to a range in metres,
    /// on all threads. NaN for nodata cells, and for nodata in that direction.
    ///
    /// # Errors
    /// [`HorizonError::MaxDistance`], [`HorizonError::CellsOutside`]; [`HorizonError::OutOfRange`] for an azimuth that is not finite.
    pub fn slopes(&self, azimuth_deg: f64, max_distance_m: f64, cells: CellRect) -> Result<Grid<f32>, HorizonError> {
        if max_distance_m.is_nan() || max_distance_m <= 0.0 {
            return Err(HorizonError::MaxDistance(max_distance_m));
        }
        self.check_cells(cells)?;
        OutOfRange::check("azimuth_deg", azimuth_deg, ..)?;
        let line = self.line(azimuth_deg, self.surface.cell_size, max_distance_m);
        let mut slopes = Grid::new(cells.width(), cells.height(), f32::NAN);
        let rows = slopes.as_mut_slice().par_chunks_mut(cells.width().max(1)).enumerate();
        rows.for_each(|(y, row)| self.fill_row(&line, cells.min + ivec2(0, y as i32), row));
        Ok(slopes)
    }

    /// Returns columns and rows.
    pub(crate) fn size(&self) -> IVec2 {
        self.surface.ground.size()
    }

    /// Checks that cells are on the map.
    pub(crate) fn check_cells(&self, cells: CellRect) -> Result<(), HorizonError> {
        let size = self.size();
        if cells.intersect(CellRect::of_size(size)) == cells {
            Ok(())
        } else {
            Err(HorizonError::CellsOutside { cells, size })
        }
    }

    /// Returns the line along an azimuth over cells of a size.
    pub(crate) fn line(&self, azimuth_deg: f64, cell_size: CellSize, max_distance_m: f64) -> AzimuthLine {
        AzimuthLine::new(azimuth_deg, cell_size, self.surface.curvature, self.size(), max_distance_m)
    }

    /// Computes the slopes of the horizons of the cells of a row, starting at `first`; see [`slopes`](Self::slopes).
    pub(crate) fn fill_row(&self, line: &AzimuthLine, first: IVec2, slopes: &mut [f32]) {
        dispatch!(Level::new(), simd => self.fill_row_in_vectors::<true>(simd, line, first, slopes));
    }

    /// [`fill_row`](Self::fill_row), with or without skipping.
    #[inline(always)]
    fn fill_row_in_vectors<const SKIPS: bool>(
        &self,
        simd: impl Simd,
        line: &AzimuthLine,
        first: IVec2,
        slopes: &mut [f32],
    ) {
        let size = self.size();
        let rows = if line.step.y < 0 { first.y } else { size.y - 1 - first.y };
        for (i, out) in slopes.chunks_mut(LANES).enumerate() {
            let cell = first + ivec2((i * LANES) as i32, 0);
            let ground = &self.surface.ground.row(cell.y as usize)[cell.x as usize..][..out.len()];
            let mut grounds = [f32::NAN; LANES];
            grounds[..ground.len()].copy_from_slice(ground);
            let eyes = grounds.map(|ground| (f64::from(ground) + self.surface.eye_height) as f32);
            // Those of the cells that reach farthest before the edge.
            let columns = if line.step.x < 0 { cell.x + out.len() as i32 - 1 } else { size.x - 1 - cell.x };
            let [grounds, eyes] = [grounds, eyes].map(|heights| f32x16::simd_from(simd, heights));
            let slopes = f32x16::splat(simd, f32::NEG_INFINITY);
            let mut group = Group { simd, horizons: self, line, cell, grounds, eyes, slopes };
            let count = line.patches_within(columns, rows);
            if SKIPS {
                group.follow(count);
            } else {
                group.raise(0..count);
            }
            for (out, slope) in out.iter_mut().zip(group.slopes.to_array()) {
                *out = if slope == f32::NEG_INFINITY { f32::NAN } else { slope };
            }
        }
    }
}

impl<S: Simd> Group<'_, S> {
    /// Follows the line over its first patches, without those that cannot exceed the horizons.
    #[inline(always)]
    fn follow(&mut self, count: usize) {
        let mut at = 0;
        while at < count {
            // The longest run that starts at this patch, then its halves.
            let mut length = if at == 0 { LEAST_RUN } else { 1 << at.trailing_zeros() };
            loop {
                let run = at..(at + length).min(count);
                if at > 0 && self.hides(run.clone()) {
                    break;
                }
                if length == LEAST_RUN {
                    self.raise(run);
                    break;
                }
                length /= 2;
            }
            at += length;
        }
    }

    /// Returns `true` if no patch of a run, which excludes the first patch, can exceed the horizon of a cell.
    #[inline(always)]
    fn hides(&self, run: Range<usize>) -> bool {
        let (nearest, farthest) = (&self.line.patches[run.start], &self.line.patches[run.end - 1]);
        let (near, far) = (nearest.enters, farthest.leaves);
        let (low, high) = (self.cell + nearest.corner, self.cell + farthest.corner + self.line.step);
        let lanes = ivec2(LANES as i32 - 1, 0);
        let highest = self.horizons.highest.between(low.min(high), low.max(high) + lanes);
        let rise = highest - near.drop_m.min(far.drop_m) + self.horizons.margin_m;
        let (at_near, at_far) = (self.eyes + self.slopes * near.at_m, self.eyes + self.slopes * far.at_m);
        let may_rise = at_near.simd_le(rise) | at_far.simd_le(rise); // false for NaN, without an eye
        !may_rise.any_true()
    }

    /// Raises the slopes to the maximum with those of some patches.
    #[inline(always)]
    fn raise(&mut self, run: Range<usize>) {
        for patch in &self.line.patches[run] {
            self.raise_to(patch);
        }
    }

    /// Raises the slopes to the maximum with those of a patch: at both ends and, if it is steeper, between them.
    #[inline(always)]
    fn raise_to(&mut self, patch: &LinePatch) {
        let LinePatch { enters, leaves, inverse_length, .. } = *patch;
        let surface = self.surface(patch);
        // Without closures, which would not be compiled for the vectors.
        let first = surface.height(enters.share[0], enters.share[1]) - enters.drop_m;
        let last = surface.height(leaves.share[0], leaves.share[1]) - leaves.drop_m;
        // A `Quadratic` from the heights at both ends: the sums of `Bilinear::along` would lose digits of `f32` far from the cell. For a
        // root few rise enough.
        let (chord, c) = ((last - first) * inverse_length, surface.twist * self.line.bend_of_twist - self.line.drop);
        let a = first - (chord - c * leaves.at_m) * enters.at_m;
        let b = chord - c * (enters.at_m + leaves.at_m);
        let (near, far) = (c * (enters.at_m * enters.at_m), c * (leaves.at_m * leaves.at_m));
        let above = b - self.slopes;
        let is_steeper = above.simd_gt(0.0) & (above * above).simd_gt(a * c * 3.99);
        let has_top = a.simd_le(near) & a.simd_gt(far) & is_steeper; // at most: an eye on the ground has its limit b
        self.raise_slopes(first * enters.inverse);
        self.raise_slopes(last * leaves.inverse);
        if has_top.any_true() {
            // The height is clamped to that of the patch, so that no rounding lifts it over all corners.
            let at_m = (a / c).sqrt();
            let way = ((at_m - enters.at_m) * inverse_length).max(0.0).min(1.0);
            let x = way * (leaves.share[0] - enters.share[0]) + enters.share[0];
            let y = way * (leaves.share[1] - enters.share[1]) + enters.share[1];
            let slope = (surface.height(x, y) - at_m * at_m * self.line.drop) / at_m;
            let slope = at_m.simd_gt(0.0).select(slope, b);
            let highest = self.slopes;
            self.raise_slopes(slope);
            self.slopes = has_top.select(self.slopes, highest);
        }
    }

    /// Returns the surface in a patch over the eye of each cell. Heights count from the ground of the cell first, so that few digits are
    /// lost.
    #[inline(always)]
    fn surface(&self, patch: &LinePatch) -> Bilinear<f32x16<S>> {
        let (CellHorizons { surface, tops, .. }, step) = (self.horizons, self.line.step);
        let row_length = surface.ground.width() + 2 * LANES;
        let first = self.cell + patch.corner;
        // Cells off the map are in the padding.
        let start = first.y as usize * row_length + (first.x + LANES as i32) as usize;
        let (column, row) = (step.x as isize, step.y as isize * row_length as isize);
        Bilinear::of_corners([
            lanes_at(self.simd, tops, start),
            lanes_at(self.simd, tops, start.wrapping_add_signed(column)),
            lanes_at(self.simd, tops, start.wrapping_add_signed(row)),
            lanes_at(self.simd, tops, start.wrapping_add_signed(column + row)),
        ])
        .over(self.grounds)
        .over(f32x16::splat(self.simd, surface.eye_height as f32))
    }

    /// Raises the slopes to the maximum with others, ignoring NaN.
    #[inline(always)]
    fn raise_slopes(&mut self, slopes: f32x16<S>) {
        self.slopes = slopes.simd_gt(self.slopes).select(slopes, self.slopes);
    }
}

/// Returns the values starting at an index.
#[inline(always)]
fn lanes_at<S: Simd>(simd: S, values: &[f32], start: usize) -> f32x16<S> {
    f32x16::from_slice(simd, &values[start..start + LANES])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::levels;

    #[test]
    fn skipped_runs_and_the_width_of_vectors_do_not_change_a_bit() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f32 / 2_147_483_648.0
        };
        for roughness in [0.0, 1.0, 60.0] {
            let ground = Grid::from_fn(150, 90, |cell| {
                let hills = (cell.x as f32 * 0.11).sin() * 300.0 + (cell.y as f32 * 0.07).cos() * 200.0;
                if random() < 0.01 { f32::NAN } else { 1000.0 + hills + roughness * random() }
            });
            let surface = Surface::of(&ground, CellSize::new(20.0, 30.0)).with_eye_height(1.0).with_curvature(0.857);
            let horizons = CellHorizons::new(&surface).unwrap();
            for azimuth_deg in (0..24).map(|i| f64::from(i) * 15.0).chain([33.3, 211.7]) {
                let line = horizons.line(azimuth_deg, surface.cell_size, 3000.0);
                for y in (0..90).step_by(7) {
                    let mut plain = [0.0; 150];
                    dispatch!(Level::baseline(), simd => {
                        horizons.fill_row_in_vectors::<false>(simd, &line, ivec2(0, y), &mut plain);
                    });
                    for level in levels() {
                        let mut found = [0.0; 150];
                        dispatch!(level, simd => {
                            horizons.fill_row_in_vectors::<true>(simd, &line, ivec2(0, y), &mut found);
                        });
                        let is_same = plain.iter().zip(&found).all(|(a, b)| a.to_bits() == b.to_bits());
                        assert!(is_same, "{azimuth_deg}° in row {y}, roughness {roughness}");
                    }
                }
            }
        }
    }
}
