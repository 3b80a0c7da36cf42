//! The ranges of values that are accepted.

use glam::IVec2;

use super::error::ReadError;

/// Returns a value as an opacity. The value is rounded to `f32` first, so that a sum of 1 + 2e−16 is 1.
pub(super) fn opacity(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    let rounded = value as f32;
    if (0.0..=1.0).contains(&rounded) { Ok(rounded) } else { Err(ReadError::Opacity { cell, value }) }
}

/// Returns a value as an elevation: finite, and within the limits of any planet.
pub(super) fn elevation(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    const LIMIT_M: f64 = 20_000.0;
    if value.abs() <= LIMIT_M { Ok(value as f32) } else { Err(ReadError::Elevation { cell, value }) }
}

/// Returns a value as an elevation; NaN means no data.
pub(super) fn elevation_or_nodata(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    if value.is_nan() { Ok(f32::NAN) } else { elevation(cell, value) }
}

/// Returns a value as a humidity or vegetation; NaN means no data.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn fraction_or_nodata(cell: IVec2, value: f64) -> Result<f32, ReadError> {
    let rounded = value as f32;
    let is_valid = rounded.is_nan() || (0.0..=1.0).contains(&rounded);
    if is_valid { Ok(rounded) } else { Err(ReadError::Fraction { cell, value }) }
}
