//! The slope of the ground.

use super::pyramid::PyramidLevel;
use crate::grid::Grid;

/// Returns rise over run of the ground around a cell, by differences over up to four cells.
pub(super) fn slope(surface: &Grid<f32>, level: &PyramidLevel, x: usize, y: usize) -> f32 {
    let (left, right) = (x.saturating_sub(2), (x + 2).min(surface.width() - 1));
    let (up, down) = (y.saturating_sub(2), (y + 2).min(surface.height() - 1));
    let step_m = (level.step_km * 1000.0) as f32;
    let run = |cells: usize| cells.max(1) as f32 * step_m;
    let dx = (surface.row(y)[right] - surface.row(y)[left]) / run(right - left);
    let dy = (surface.row(down)[x] - surface.row(up)[x]) / run(down - up);
    (dx * dx + dy * dy).sqrt()
}
