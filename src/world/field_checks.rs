//! Checks of the fields that callers give.

use super::config::WorldConfig;
use super::error::WorldError;
use super::memory_budget::{BYTES_PER_GIVEN_CELL, check_memory};
use crate::grid::Grid;

/// The greatest height or depth of given ground; none on Earth is greater.
const MAX_ELEVATION_M: f32 = 20_000.0;

/// The treatment of NaN cells, which have no data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NoData {
    Allowed,
    Rejected,
}

/// Returns `config` with the size of `grid`, checked.
pub(super) fn with_size_of(grid: &Grid<f32>, config: &WorldConfig) -> Result<WorldConfig, WorldError> {
    let (width, height) = (grid.width() as u64, grid.height() as u64);
    let (Ok(w), Ok(h)) = (u32::try_from(width), u32::try_from(height)) else {
        return Err(WorldError::Size { width, height, limit: WorldConfig::MAX_SIDE });
    };
    let config = WorldConfig { width: w, height: h, ..config.clone() };
    config.check()?;
    check_memory(w, h, BYTES_PER_GIVEN_CELL)?;
    Ok(config)
}

pub(super) fn check_elevation(elevation: &Grid<f32>, no_data: NoData) -> Result<(), WorldError> {
    let is_valid = |value: f32| value.abs() <= MAX_ELEVATION_M;
    check_values("elevation", elevation, no_data, is_valid, "-20000 to 20000 m")
}

/// Checks a field of values from 0 to 1, which must have the size of the elevation.
pub(super) fn check_shares(
    field: &'static str,
    grid: &Grid<f32>,
    elevation: &Grid<f32>,
    no_data: NoData,
) -> Result<(), WorldError> {
    if grid.size() != elevation.size() {
        return Err(WorldError::Shape { field, size: grid.size(), expected: elevation.size() });
    }
    check_values(field, grid, no_data, |value| (0.0..=1.0).contains(&value), "0 to 1")
}

fn check_values(
    field: &'static str,
    grid: &Grid<f32>,
    no_data: NoData,
    is_valid: impl Fn(f32) -> bool,
    range: &'static str,
) -> Result<(), WorldError> {
    let accepts = |value: f32| is_valid(value) || (value.is_nan() && no_data == NoData::Allowed);
    match grid.iter().find(|&(_, &value)| !accepts(value)) {
        None => Ok(()),
        Some((cell, &value)) => Err(WorldError::Value { field, cell, value, range }),
    }
}
