//! [`SightConfig`]: the configuration of a field of view.

use serde::{Deserialize, Serialize};

use super::decay::Decay;
use super::error::SightError;
use super::method::Method;
use super::radius_shape::RadiusShape;
use super::sector::Sector;
use crate::named_enum;
use crate::setters;

/// The configuration of a field of view or viewshed. By default: two-parent method, linear weights, opacity per cell, no decay,
/// radius 32.
///
/// ```
/// use farsight::SightConfig;
/// use farsight::sight::{Decay, Method, RadiusShape, Sector};
/// let guard = SightConfig::default()
///     .with_radius(12)
///     .with_shape(RadiusShape::Square)
///     .with_sector(Sector::new(180.0, 120.0)) // looks south
///     .with_decay(Decay::Linear { reach: None });
/// assert!(guard.check().is_ok());
/// let error = guard.with_method(Method::Beam { beams: 99.0 }).check().unwrap_err();
/// assert_eq!(error.to_string(), "beams: 99 is not valid: expected 0.5 to 4");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SightConfig {
    /// The range of sight in cells, by the [`shape`](field@Self::shape); over rectangular cells in their shorter sides. By default
    /// 32. Range beyond the edge of the map takes no time: [`UNLIMITED`](Self::UNLIMITED) reaches up to the edge.
    pub radius: u32,
    /// The shape of the cells in range: by default a circle. [Binary](Method) methods always see a circle.
    pub shape: RadiusShape,
    /// The algorithm.
    pub method: Method,
    /// The rule for the path length of a line of sight through a cell.
    pub path: PathRule,
    /// The decay of visibility with distance.
    pub decay: Decay,
    /// The directions of the view; by default all. Cells outside are not visible.
    #[serde(skip_serializing_if = "Sector::is_default")]
    pub sector: Sector,
}

impl Default for SightConfig {
    fn default() -> Self {
        Self {
            radius: Self::DEFAULT_RADIUS,
            shape: RadiusShape::Circle,
            method: Method::default(),
            path: PathRule::PerCell,
            decay: Decay::None,
            sector: Sector::ALL,
        }
    }
}

impl SightConfig {
    /// The default radius: the screen of a roguelike in every direction.
    pub const DEFAULT_RADIUS: u32 = 32;

    /// The maximum number of cells from the viewer to a cell in sight. Squared distances up to it are exact in `f32` and `f64`.
    pub const MAX_RADIUS: u32 = 4096;

    /// A radius that reaches up to the edge of the map. The map may extend [`MAX_RADIUS`](Self::MAX_RADIUS) cells from the viewer.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::clear(500, 1)?;
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(SightConfig::UNLIMITED))?;
    /// assert_eq!(fov.compute(&map, ivec2(0, 0))?.get(ivec2(499, 0)), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const UNLIMITED: u32 = u32::MAX;

    setters! {
        with_radius(radius: u32), with_shape(shape: RadiusShape), with_method(method: impl Into<Method>),
        with_path(path: PathRule), with_decay(decay: Decay), with_sector(sector: Sector),
    }

    /// Checks the parameters of method, sector and decay.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`] and [`SightError::DecayPoints`].
    pub fn check(&self) -> Result<(), SightError> {
        self.method.check()?;
        self.sector.check()?;
        self.decay.check()
    }

    /// Returns the shape of the cells in range: that of the configuration, or a circle for a [binary](Method) method.
    pub fn shape_in_sight(&self) -> RadiusShape {
        if self.method.is_binary() { RadiusShape::Circle } else { self.shape }
    }
}

named_enum! {
    /// The rule for the path length of a line of sight through a cell.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum PathRule: "path rule" {
        /// Opacity counts once per cell, at any angle. For walls, hand-drawn maps and single hedges.
        #[default]
        #[serde(alias = "per-cell")]
        PerCell = "per-cell",
        /// Opacity counts per cell width of the line. For areas of haze, fog and forest, where a diagonal crossing is √2
        /// times as long.
        #[serde(alias = "per-length")]
        PerLength = "per-length",
    }
}
