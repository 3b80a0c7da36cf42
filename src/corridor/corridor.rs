//! [`Corridor`]: the cells between a viewer and one target, and their effect on the target's visibility.

use glam::IVec2;

use super::ancestors::Ancestors;
use super::ray_bundle::RayBundle;
use crate::grid::ToCell;
use crate::sight::exact::half_cells;
use crate::sight::{HalfCells, length_exponent};
use crate::sight_config::{Method, PathRule, SightConfig, SightError};

/// The cells between a viewer and one target that affect the target's visibility.
///
/// Opacities and results are in the order of [`cells`](Self::cells). Visibilities are in [0, 1], before decay. The cost
/// is proportional to the number of these cells, at most a quarter of the square of the distance; no other cell is
/// read.
///
/// For [`Method::TwoParent`] these are the cells of all shortest paths of a chess king, for [`Method::Exact`] the cells
/// that its lines cross. For the other methods they are the cells of the exact method with its default parameters, so
/// the visibility of the corridor may differ from that of the method by its error.
///
/// ```
/// use farsight::corridor::Corridor;
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let map = OpacityMap::from_text("..4..5..")?; // a viewer on the left, two hedges
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let corridor = Corridor::new(ivec2(7, 0), fov.config())?;
/// let opacity: Vec<f32> = corridor.cells().iter().map(|&cell| map.get(cell).unwrap()).collect();
/// assert_eq!(corridor.visibility(&opacity), f64::from(fov.compute(&map, ivec2(0, 0))?.get(ivec2(7, 0))));
///
/// let gains = corridor.gains(&opacity, &[0.0; 6]); // for the cells 1,0 to 6,0: what if each were clear?
/// assert!((gains[1] - 0.2).abs() < 1e-6 && (gains[4] - 0.3).abs() < 1e-6 && gains[2] == 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Corridor {
    target: IVec2,
    cells: Vec<IVec2>,
    paths: Paths,
    exponent: f64,
    half_cells: HalfCells,
}

/// The paths of light through the cells.
#[derive(Clone, Debug)]
enum Paths {
    Ancestors(Ancestors),
    RayBundle(RayBundle),
}

impl Corridor {
    /// The corridor to a target at this offset from the viewer. The radius and the decay of `config` have no effect.
    ///
    /// # Errors
    /// As [`SightConfig::check`]; [`SightError::RadiusTooLarge`] for a target farther than [`SightConfig::MAX_RADIUS`].
    pub fn new(target: impl ToCell, config: &SightConfig) -> Result<Self, SightError> {
        config.check()?;
        let target = target.to_cell();
        let limit = SightConfig::MAX_RADIUS;
        let distance = target.as_dvec2().length();
        if distance > f64::from(limit) {
            return Err(SightError::RadiusTooLarge { radius: distance.ceil() as u32, limit });
        }
        let path = config.path;
        let samples = match config.method {
            Method::Exact { samples } => samples,
            Method::TwoParent { .. }
            | Method::Beam { .. }
            | Method::SymmetricShadowcast { .. }
            | Method::Shadowcast { .. }
            | Method::RaycastBorder { .. }
            | Method::RaycastCircle { .. } => Method::DEFAULT_SAMPLES,
        };
        let (paths, cells) = match config.method {
            Method::TwoParent { weights } => {
                let (ancestors, cells) = Ancestors::new(target, weights);
                (Paths::Ancestors(ancestors), cells)
            }
            Method::Beam { .. }
            | Method::Exact { .. }
            | Method::SymmetricShadowcast { .. }
            | Method::Shadowcast { .. }
            | Method::RaycastBorder { .. }
            | Method::RaycastCircle { .. } => {
                let (bundle, cells) = RayBundle::new(target, samples, path);
                (Paths::RayBundle(bundle), cells)
            }
        };
        let exponent = match (&paths, config.path) {
            (Paths::Ancestors(_), PathRule::PerLength) => {
                length_exponent(distance, f64::from(target.abs().max_element()))
            }
            _ => 1.0,
        };
        let half_cells = match &paths {
            Paths::Ancestors(_) => HalfCells::of_steps(target, path),
            Paths::RayBundle(_) => half_cells(target, samples, path),
        };
        Ok(Self { target, cells, paths, exponent, half_cells })
    }

    /// Returns the transmittance of the halves of the cells of viewer and target that the paths cross, from the sum of log₂ of the
    /// transmittances of both cells.
    pub fn end_transmittance(&self, log2: f32) -> f32 {
        self.half_cells.transmittance(log2)
    }

    /// Returns the number of straight lines along which the target is seen, or `None` for the paths of two parents.
    pub fn lines(&self) -> Option<u32> {
        match &self.paths {
            Paths::Ancestors(_) => None,
            Paths::RayBundle(bundle) => Some(bundle.len() as u32),
        }
    }

    /// Returns the offset of the target from the viewer.
    pub fn target(&self) -> IVec2 {
        self.target
    }

    /// Returns the offsets of the cells from the viewer, front to back. Viewer and target are not among them: their
    /// opacity has no effect.
    pub fn cells(&self) -> &[IVec2] {
        &self.cells
    }

    /// Computes the visibility of the target.
    ///
    /// # Panics
    /// If the number of opacities differs from that of [`cells`](Self::cells). The same applies to the methods below.
    pub fn visibility(&self, opacity: &[f32]) -> f64 {
        self.check(opacity);
        match &self.paths {
            Paths::Ancestors(ancestors) => {
                self.visibility_of_raw(ancestors.raw_values(opacity).last().copied().map_or(1.0, f64::from))
            }
            Paths::RayBundle(bundle) => bundle.visibility(opacity),
        }
    }

    /// Computes, for each cell, the increase of the target's visibility if only this cell had the opacity `instead`,
    /// which is at most its own. For the two-parent method, one forward and one backward pass give the result for all
    /// cells.
    pub fn gains(&self, opacity: &[f32], instead: &[f32]) -> Vec<f64> {
        self.check(opacity);
        self.check(instead);
        match &self.paths {
            Paths::Ancestors(ancestors) => {
                let raw = ancestors.raw_values(opacity);
                let now = raw.last().copied().map_or(1.0, f64::from);
                let seen = self.visibility_of_raw(now);
                let slopes = ancestors.slopes(opacity, &raw);
                let less = opacity.iter().zip(instead).map(|(was, is)| f64::from(was - is));
                slopes
                    .iter()
                    .zip(less)
                    .map(|(slope, less)| self.visibility_of_raw((now + slope * less).min(1.0)) - seen)
                    .collect()
            }
            Paths::RayBundle(bundle) => bundle.gains(opacity, instead),
        }
    }

    /// Finds the smallest set of opaque cells (opacity 1) that must all be removed to make the target visible. Returns their
    /// indices in [`cells`](Self::cells), nearest first. Empty if the target's visibility is above 0.
    pub fn fewest_in_series(&self, opacity: &[f32]) -> Vec<usize> {
        self.check(opacity);
        match &self.paths {
            Paths::Ancestors(ancestors) => ancestors.fewest_in_series(opacity),
            Paths::RayBundle(bundle) => bundle.fewest_in_series(opacity),
        }
    }

    /// Returns the visibility for a raw value by the path rule: rawᵉ.
    fn visibility_of_raw(&self, raw: f64) -> f64 {
        if self.exponent == 1.0 { raw } else { libm::pow(raw, self.exponent) }
    }

    fn check(&self, opacity: &[f32]) {
        assert_eq!(opacity.len(), self.cells.len(), "a corridor takes one opacity for each of its cells");
    }
}
