//! A warning about heights that are possibly nodata.

use super::text::pluralize;
use farsight::grid::Grid;

/// Returns a warning of heights of -9999 m, which are nodata in many files but are not declared in this one. It is no
/// error, since parts of the sea are that deep.
pub(crate) fn undeclared_nodata(file: &str, elevation_m: &Grid<f32>) -> Option<String> {
    const NODATA_M: f32 = -9999.0;
    let count = elevation_m.as_slice().iter().filter(|height| **height == NODATA_M).count();
    let (cells, are) = (pluralize(count, "cell"), if count == 1 { "is" } else { "are" });
    let hint = "if that means nodata, declare it in the file, or write NaN";
    (count > 0).then(|| format!("{file}: {cells} {are} at {NODATA_M} m; {hint}"))
}
