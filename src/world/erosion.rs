//! Erosion by rivers and soil creep.
//!
//! One pass lowers every cell towards the cell downstream of it, beginning at the sea:
//!
//! ```text
//! h ← (h + uplift + f · h(downstream)) / (1 + f),    f = strength · √(drainage area) / distance
//! ```
//!
//! This is the implicit solution of the stream power law with the exponents ½ and 1. Slopes are limited to the talus
//! slope of loose rock.
//!
//! # References
//! J. Braun and S. D. Willett, *A very efficient O(n), implicit and parallel method to solve the stream power equation*,
//! 2013; G. Cordonnier et al., *Large scale terrain generation from tectonic uplift and fluvial erosion*, 2016.

use fearless_simd::Level;

use super::drainage::Drainage;
use super::flow_directions::{FlowJitter, OFF_MAP, SEA};
use super::neighbours::is_diagonal;
use super::pyramid::{CELLS_BETWEEN_CHECKS, for_rows, rows_mut};
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::parallel::*;
use crate::simd::dispatch;

/// The steepest slope, rise over run.
const MAX_SLOPE: f32 = 0.9;
/// The least slope of a stream, rise over run, and the greatest fall from cell to cell that it causes. Both shrink to
/// nothing at `NO_MIN_SLOPE_M`, so that long streams do not begin at impossible heights.
const MIN_SLOPE: f32 = 0.0004;
const MAX_MIN_FALL_M: f32 = 0.5;
const NO_MIN_SLOPE_M: f32 = 9000.0;
/// The share of the uplift that the land gains in one pass.
const UPLIFT_SHARE: f32 = 0.05;

pub(super) struct ErosionPass {
    /// Side of a cell in kilometres.
    pub(super) step_km: f32,
    /// The erodibility of the stream power law.
    pub(super) strength: f32,
    /// Share of the difference from its neighbours that a cell loses by soil creep.
    pub(super) creep: f32,
    /// Distance from the edge of the map to the sea, for streams that leave the map, in kilometres.
    pub(super) off_map_km: f32,
    /// The seed of the [`FlowJitter`]: streams wind differently in each pass.
    pub(super) jitter_seed: u32,
}

impl ErosionPass {
    /// Erodes `ground`, in metres above the sea, once. Land rises by [`UPLIFT_SHARE`] of the metres of `uplift`.
    ///
    /// Reports its stages with `done`, the share of the whole work that is done.
    pub(super) fn erode(
        &self,
        ground: &mut Grid<f32>,
        sea: &Grid<bool>,
        uplift: Option<&Grid<f32>>,
        job: Job<'_>,
        done: f32,
    ) -> Result<(), Cancelled> {
        let drainage =
            Drainage::new(ground, sea, FlowJitter { strength: 0.5, seed: self.jitter_seed }, None, job, done)?;
        job.report("erosion", done)?;
        let Drainage { directions, order, counts } = drainage;
        let mut strengths = vec![0.0; counts.len()];
        rows_mut(ground).zip(strengths.par_chunks_mut(sea.width())).try_for_each(|((y, ground), strengths)| {
            job.check()?;
            let cells = y * sea.width()..(y + 1) * sea.width();
            let uplift = uplift.map(|metres| metres.row(y));
            let (codes, counts) = (&directions.codes[cells.clone()], &counts[cells]);
            dispatch!(Level::new(), _ => self.prepare_row(ground, uplift, codes, counts, strengths));
            Ok(())
        })?;
        drop(counts);
        let cells = ground.as_mut_slice();
        for downstream_cells in order.rchunks(CELLS_BETWEEN_CHECKS) {
            job.check()?;
            for &i in downstream_cells.iter().rev() {
                let i = i as usize;
                let below = directions.downstream(i).map_or(0.0, |downstream| cells[downstream].max(0.0));
                let distance_m = 1000.0 * self.distance_km(directions.codes[i]);
                let eroded = cells[i] + strengths[i] * below;
                let min_fall =
                    (MIN_SLOPE * distance_m).min(MAX_MIN_FALL_M) * (1.0 - below * (1.0 / NO_MIN_SLOPE_M)).max(0.0);
                cells[i] = eroded.clamp(below + min_fall, below + MAX_SLOPE * distance_m);
            }
        }
        if self.creep > 0.0 {
            self.creep_soil(ground, sea, job)?;
        }
        Ok(())
    }

    /// Returns the distance to the cell downstream, or to the sea off the map, in kilometres.
    #[inline(always)]
    fn distance_km(&self, code: u8) -> f32 {
        let step = if is_diagonal(code) { self.step_km * std::f32::consts::SQRT_2 } else { self.step_km };
        if code == OFF_MAP { self.off_map_km } else { step }
    }

    /// Replaces the ground on land by the part of its eroded height that does not depend on the cell downstream, and
    /// `strengths` by the factor of the height of that cell.
    #[inline(always)]
    fn prepare_row(
        &self,
        ground: &mut [f32],
        uplift: Option<&[f32]>,
        codes: &[u8],
        counts: &[u32],
        strengths: &mut [f32],
    ) {
        if let Some(uplift) = uplift {
            for ((ground, uplift), &code) in ground.iter_mut().zip(uplift).zip(codes) {
                *ground += if code == SEA { 0.0 } else { UPLIFT_SHARE * uplift };
            }
        }
        let cell_km2 = self.step_km * self.step_km;
        for (((ground, &code), &count), strength) in ground.iter_mut().zip(codes).zip(counts).zip(strengths) {
            let area_km2 = cell_km2 * count as i32 as f32;
            let f = self.strength * area_km2.sqrt() / self.distance_km(code);
            let share = 1.0 / (1.0 + f);
            *strength = f * share;
            *ground *= if code == SEA { 1.0 } else { share };
        }
    }

    /// Moves each land cell towards the mean of its four neighbours (hillslope diffusion).
    fn creep_soil(&self, ground: &mut Grid<f32>, sea: &Grid<bool>, job: Job<'_>) -> Result<(), Cancelled> {
        let before = ground.clone();
        let (right, bottom) = (ground.width() - 1, ground.height() - 1);
        for_rows(ground, job, |y, row| {
            let [above, here, below] = [y.saturating_sub(1), y, (y + 1).min(bottom)].map(|y| before.row(y));
            for (x, cell) in row.iter_mut().enumerate().filter(|&(x, _)| !sea.row(y)[x]) {
                let mean = 0.25 * (above[x] + below[x] + here[x.saturating_sub(1)] + here[(x + 1).min(right)]);
                *cell += self.creep * (mean.max(0.0) - *cell);
            }
        })
    }
}
