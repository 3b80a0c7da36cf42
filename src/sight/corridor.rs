//! [`Corridor`]: what lies between a viewer and one target, and which of it takes the view away.

use glam::IVec2;

use super::config::{Method, PathRule, SightConfig};
use super::error::SightError;
use super::exact::RayBundle;
use super::offsets::OffsetList;
use super::shading::length_exponent;
use crate::sight::two_parent::cone::Cone;

/// The cells between a viewer and one target that have a say in how well it is seen.
///
/// Opacities are handed in and answers come back in the order of [`cells`](Self::cells). Visibilities are in [0, 1],
/// before decay. The cost is that of the cells between the two, at most a quarter of the square of their distance; the
/// rest of the map is never looked at.
///
/// [`Method::TwoParent`] is followed cell by cell, along all shortest paths of a king. [`Method::Exact`] is followed
/// along its lines. [`Method::Beam`] approximates those lines, and is followed along them, too: `samples` squared of
/// them, and its own answer may differ by the error of its beams.
///
/// ```
/// use farsight::sight::Corridor;
/// use farsight::{FieldOfView, Grid, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let map = OpacityMap::try_from(Grid::<f32>::from_text("..4..5..")?)?; // a viewer on the left, two hedges
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
    way: Way,
    exponent: f64,
}

/// How the cells are gone through.
#[derive(Clone, Debug)]
enum Way {
    Cone(Cone),
    RayBundle(RayBundle),
}

impl Corridor {
    /// The corridor to a target, given from the viewer. The radius of `config` does not matter, nor does its decay.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`] for a target farther away than [`OffsetList::MAX_RADIUS`].
    pub fn new(target: IVec2, config: &SightConfig) -> Result<Self, SightError> {
        let limit = OffsetList::MAX_RADIUS;
        let distance = target.as_dvec2().length();
        if distance > f64::from(limit) {
            return Err(SightError::RadiusTooLarge { radius: distance.ceil() as u32, limit });
        }
        let (way, cells) = match config.method {
            Method::TwoParent => {
                let (cone, cells) = Cone::new(target, config.weights);
                (Way::Cone(cone), cells)
            }
            Method::Beam | Method::Exact => {
                let (sheaf, cells) = RayBundle::new(target, config.samples, config.path);
                (Way::RayBundle(sheaf), cells)
            }
        };
        let exponent = match (&way, config.path) {
            (Way::Cone(_), PathRule::PerLength) => length_exponent(distance, f64::from(target.abs().max_element())),
            _ => 1.0,
        };
        Ok(Self { target, cells, way, exponent })
    }

    /// Where the target lies, seen from the viewer.
    pub fn target(&self) -> IVec2 {
        self.target
    }

    /// The cells, seen from the viewer, none behind another comes before it. Viewer and target are not among them: how
    /// opaque they are changes nothing.
    pub fn cells(&self) -> &[IVec2] {
        &self.cells
    }

    /// Visibility of the target.
    ///
    /// # Panics
    /// If there are not as many opacities as [`cells`](Self::cells), here and below.
    pub fn visibility(&self, opacity: &[f32]) -> f64 {
        self.check(opacity);
        match &self.way {
            Way::Cone(cone) => self.seen_at(cone.forwards(opacity).last().copied().map_or(1.0, f64::from)),
            Way::RayBundle(sheaf) => sheaf.visibility(opacity),
        }
    }

    /// How much the target's visibility would rise for each cell if that one alone had the opacity `instead`, which must
    /// be no greater than its own. For two parents that is one walk forwards and one backwards for all of them.
    pub fn gains(&self, opacity: &[f32], instead: &[f32]) -> Vec<f64> {
        self.check(opacity);
        self.check(instead);
        match &self.way {
            Way::Cone(cone) => {
                let raw = cone.forwards(opacity);
                let now = raw.last().copied().map_or(1.0, f64::from);
                let seen = self.seen_at(now);
                let slopes = cone.slopes(opacity, &raw);
                let less = opacity.iter().zip(instead).map(|(was, is)| f64::from(was - is));
                slopes
                    .iter()
                    .zip(less)
                    .map(|(slope, less)| self.seen_at((now + slope * less).min(1.0)) - seen)
                    .collect()
            }
            Way::RayBundle(sheaf) => sheaf.gains(opacity, instead),
        }
    }

    /// The fewest opaque cells (1) that must all go before anything of the target is seen, nearest first, as indices of
    /// [`cells`](Self::cells); none if it is seen, be it ever so little.
    pub fn fewest_in_series(&self, opacity: &[f32]) -> Vec<usize> {
        self.check(opacity);
        match &self.way {
            Way::Cone(cone) => cone.fewest_in_series(opacity),
            Way::RayBundle(sheaf) => sheaf.fewest_in_series(opacity),
        }
    }

    /// Visibility at a raw value, by the path rule: rawᵉ.
    fn seen_at(&self, raw: f64) -> f64 {
        if self.exponent == 1.0 { raw } else { libm::pow(raw, self.exponent) }
    }

    fn check(&self, opacity: &[f32]) {
        assert_eq!(opacity.len(), self.cells.len(), "one opacity for each cell of the corridor");
    }
}
