//! [`Accuracy`]: the error of one view against another.

use super::view::View;
use glam::ivec2;

/// The error of a view against a reference view, over the cells within a radius.
///
/// ```
/// use farsight::sight::{Accuracy, Method};
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let mut map = OpacityMap::clear(41, 41)?;
/// map.set(ivec2(24, 21), 1.0)?; // a pillar
/// let with = |method| FieldOfView::new(SightConfig::default().with_radius(20).with_method(method));
/// let (mut beam, mut exact) = (with(Method::Beam)?, with(Method::Exact)?);
/// let error = Accuracy::of(&beam.compute(&map, ivec2(20, 20))?, &exact.compute(&map, ivec2(20, 20))?, 20);
/// assert!(error.rmse < 0.03 && error.bias.abs() < 0.003, "{error:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The root of the mean square of the differences.
    pub rmse: f64,
    /// The largest absolute difference.
    pub greatest: f64,
    /// The mean difference. It is above 0 if the view shows more than the reference.
    pub bias: f64,
    /// The number of cells compared.
    pub cells: usize,
}

impl Accuracy {
    /// Computes the error of `view` against `reference`, over all cells within `radius` of the reference's viewer.
    /// Cells off the map count too; both views have 0 there.
    pub fn of(view: &View<'_>, reference: &View<'_>, radius: u32) -> Self {
        let radius = radius.min(i32::MAX as u32 / 2) as i32;
        let middle = reference.viewer();
        let (mut squares, mut sum, mut greatest, mut cells) = (0.0, 0.0, 0.0f64, 0);
        for dy in -radius..=radius {
            let half = (i64::from(radius).pow(2) - i64::from(dy).pow(2)).isqrt() as i32;
            for dx in -half..=half {
                let cell = middle + ivec2(dx, dy);
                let error = f64::from(view.get(cell)) - f64::from(reference.get(cell));
                squares += error * error;
                sum += error;
                greatest = greatest.max(error.abs());
                cells += 1;
            }
        }
        let count = cells as f64;
        Self { rmse: (squares / count).sqrt(), greatest, bias: sum / count, cells }
    }

    /// Computes the error over the cells of several comparisons.
    pub fn pooled(parts: &[Self]) -> Self {
        let cells: usize = parts.iter().map(|part| part.cells).sum();
        let mean = |value: fn(&Self) -> f64| {
            parts.iter().map(|part| value(part) * part.cells as f64).sum::<f64>() / cells.max(1) as f64
        };
        Self {
            rmse: mean(|part| part.rmse * part.rmse).sqrt(),
            greatest: parts.iter().map(|part| part.greatest).fold(0.0, f64::max),
            bias: mean(|part| part.bias),
            cells,
        }
    }
}
