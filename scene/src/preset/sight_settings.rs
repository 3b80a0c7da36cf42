//! [`SightSettings`]: the field of view of a preset, with the parameters of all methods and decays.

use serde::{Deserialize, Serialize};

use farsight::internal::sight_config::KnownMethod;
use farsight::sight::{Decay, Method, MethodKind, PathRule, RadiusShape, Sector, SightConfig, SightError, Weights};
use farsight::{named_enum, setters};

/// The field of view of a preset. Keys of `[sight]`.
///
/// It keeps the parameters of all methods and decays, so that a preset can change only the selection.
/// [`config`](Self::config) returns the selected ones.
///
/// ```
/// use farsight_scene::preset::SightSettings;
/// use farsight::sight::{Method, MethodKind};
/// let mut sight = SightSettings::default();
/// sight.beams = 2.0;
/// assert!(matches!(sight.config().method, Method::TwoParent { .. }));
/// sight.method = MethodKind::Beam;
/// assert_eq!(sight.config().method, Method::Beam { beams: 2.0 });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SightSettings {
    /// The radius in cells.
    pub radius: u32,
    /// The shape of the cells within the radius.
    pub shape: RadiusShape,
    /// The selected method.
    pub method: MethodKind,
    /// The weights of [`Method::TwoParent`].
    pub weights: Weights,
    /// The path rule.
    pub path: PathRule,
    /// The number of directions of [`Method::Beam`].
    pub beams: f64,
    /// The sample points per axis of [`Method::Exact`].
    pub samples: u32,
    /// The minimum opacity of walls for the binary methods.
    pub wall_at: f64,
    /// The lines of [`Method::RaycastCircle`].
    pub rays: u32,
    /// The repair of [`Method::RaycastBorder`].
    pub repair: bool,
    /// The decay.
    pub decay: DecaySettings,
    /// The cone of vision of the viewer.
    #[serde(skip_serializing_if = "is_all_around")]
    pub sector: Sector,
}

fn is_all_around(sector: &Sector) -> bool {
    *sector == Sector::ALL
}

impl Default for SightSettings {
    fn default() -> Self {
        Self {
            radius: SightConfig::DEFAULT_RADIUS,
            shape: RadiusShape::default(),
            method: MethodKind::default(),
            weights: Weights::default(),
            path: PathRule::default(),
            beams: Method::DEFAULT_BEAMS,
            samples: Method::DEFAULT_SAMPLES,
            wall_at: Method::DEFAULT_WALL_AT,
            rays: Method::DEFAULT_RAYS,
            repair: true,
            decay: DecaySettings::default(),
            sector: Sector::ALL,
        }
    }
}

impl SightSettings {
    setters! {
        with_radius(radius: u32), with_shape(shape: RadiusShape), with_method(method: MethodKind),
        with_path(path: PathRule), with_decay(decay: DecaySettings), with_sector(sector: Sector),
    }

    /// Returns the field of view with the selected method.
    pub fn config(&self) -> SightConfig {
        self.config_by(self.method)
    }

    /// Returns the field of view with a method.
    pub fn config_by(&self, method: MethodKind) -> SightConfig {
        SightConfig::default()
            .with_radius(self.radius)
            .with_shape(self.shape)
            .with_method(self.method_by(method))
            .with_path(self.path)
            .with_decay(self.decay.decay())
            .with_sector(self.sector)
    }

    fn method_by(&self, kind: MethodKind) -> Method {
        let &Self { weights, beams, samples, wall_at, rays, repair, .. } = self;
        match kind.into() {
            KnownMethod::TwoParent => Method::TwoParent { weights },
            KnownMethod::Beam => Method::Beam { beams },
            KnownMethod::Exact => Method::Exact { samples },
            KnownMethod::SymmetricShadowcast => Method::SymmetricShadowcast { wall_at },
            KnownMethod::Shadowcast => Method::Shadowcast { wall_at },
            KnownMethod::RaycastBorder => Method::RaycastBorder { wall_at, repair },
            KnownMethod::RaycastCircle => Method::RaycastCircle { wall_at, rays },
        }
    }

    /// Returns the shape of the cells in range: a circle for binary methods.
    pub fn shape_in_sight(&self) -> RadiusShape {
        if self.method.is_binary() { RadiusShape::Circle } else { self.shape }
    }

    /// Checks the parameters of all methods and decays.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`] and [`SightError::DecayPoints`].
    pub fn check(&self) -> Result<(), SightError> {
        MethodKind::ALL.iter().copied().try_for_each(|kind| self.method_by(kind).check())?;
        self.sector.check()?;
        let DecaySettings { kind: chosen, points, .. } = &self.decay;
        let checked = DecayKind::ALL.iter().copied().filter(|kind| {
            kind == chosen || *kind != DecayKind::Points || !points.is_empty() // there need not be points
        });
        checked.into_iter().try_for_each(|kind| self.decay.decay_of(kind).check())
    }
}

/// The decay of a preset. Keys of `[sight.decay]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct DecaySettings {
    /// The selected formula.
    pub kind: DecayKind,
    /// The distance in cells at which the factor is 0. By default radius + 1, so that the rim is still visible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<f64>,
    /// The distance in cells at which the factor is ½. By default half the radius, at least 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<f64>,
    /// The maximum distance in cells without decay.
    pub near: f64,
    /// Pairs of distance (in cells, ascending) and value (in [0, 1], descending).
    pub points: Vec<[f64; 2]>,
}

named_enum! {
    /// The names of the formulas of [`Decay`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum DecayKind: "decay" {
        /// [`Decay::None`].
        #[default]
        None = "none",
        /// [`Decay::Linear`].
        Linear = "linear",
        /// [`Decay::Smooth`].
        Smooth = "smooth",
        /// [`Decay::InverseSquare`].
        #[serde(alias = "inverse-square")]
        InverseSquare = "inverse-square",
        /// [`Decay::Exponential`].
        Exponential = "exponential",
        /// [`Decay::Lamp`].
        Lamp = "lamp",
        /// [`Decay::Fuzzy`].
        Fuzzy = "fuzzy",
        /// [`Decay::Points`].
        Points = "points",
    }
}

impl From<DecayKind> for DecaySettings {
    fn from(kind: DecayKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl DecaySettings {
    /// Returns the selected decay.
    pub fn decay(&self) -> Decay {
        self.decay_of(self.kind)
    }

    fn decay_of(&self, kind: DecayKind) -> Decay {
        let &Self { reach, half, near, .. } = self;
        match kind {
            DecayKind::None => Decay::None,
            DecayKind::Linear => Decay::Linear { reach },
            DecayKind::Smooth => Decay::Smooth { reach },
            DecayKind::InverseSquare => Decay::InverseSquare { half },
            DecayKind::Exponential => Decay::Exponential { half },
            DecayKind::Lamp => Decay::Lamp { reach, half },
            DecayKind::Fuzzy => Decay::Fuzzy { near, half },
            DecayKind::Points => Decay::Points(self.points.clone()),
        }
    }
}
