//! [`OpticsConfig`]: the keys of `[optics]`, and the laws of air and light that they set.

use serde::{Deserialize, Serialize};

use crate::math::smoothstep;

/// How air, forest, hills and light act. Keys of `[optics]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpticsConfig {
    /// Meteorological visual range at the reference humidity, in metres; `inf` for no haze.
    pub visual_range_m: f64,
    /// γ of the hygroscopic growth of haze; 0 makes haze the same everywhere.
    pub humidity_growth: f64,
    /// Humidity above which fog forms.
    pub fog_onset: f64,
    /// Visual range in fog at humidity 1, in metres; `inf` for no fog.
    pub fog_visual_range_m: f64,
    /// Extinction of full vegetation, per metre.
    pub vegetation_extinction_per_m: f64,
    /// Height of full vegetation, in metres. Vegetation v is v² times as high: grass stays below
    /// the eye.
    pub canopy_height_m: f64,
    /// How ground hides what lies behind it.
    pub relief: Relief,
    /// How far ground rises above the eye ([`Relief::Difference`]), or a target lies below the horizon
    /// ([`Relief::Horizon`]), where all is hidden, in metres; 0 hides at once.
    pub relief_softness_m: f64,
    /// Eye over ground, in metres.
    pub eye_height_m: f64,
    /// What is looked at, over its ground, in metres.
    pub target_height_m: f64,
    /// How much the curvature of the Earth lowers what is far ([`Relief::Horizon`]): by this times d² over the diameter
    /// of the Earth. 1 is without air, 0.857 with the refraction of common air, 0 a flat world. Left out, it is
    /// [`REAL_TERRAIN_CURVATURE`](Self::REAL_TERRAIN_CURVATURE) on measured ground and 0 in worlds that are made up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curvature_coefficient: Option<f64>,
    /// Cells that the radius grows by for each 100 m of height over the sea.
    pub radius_per_100m: f64,
    /// Ambient light: 0 is black night, 1 is day.
    pub light: f64,
    /// Reach of the carried light, in cells.
    pub lantern: f64,
}

/// How ground hides what lies behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Relief {
    /// Ground hides nothing.
    None,
    /// A cell grows opaque as its ground rises above the eye, as published: one sees far from a
    /// peak, and little past a peak from the valley.
    #[default]
    Difference,
    /// A true line of sight: the steepest slope on the way hides what stays below it, and woods count where the line
    /// runs below their tops. `sight.method` chooses the grade: `two_parent` fast, `beam` true, `exact` the reference. It
    /// is not an opacity: the classic methods and comparisons, which see opacities alone, look through hills.
    Horizon,
}

impl Default for OpticsConfig {
    fn default() -> Self {
        Self {
            visual_range_m: Self::DEFAULT_VISUAL_RANGE_M,
            humidity_growth: 0.5,
            fog_onset: 0.9,
            fog_visual_range_m: 1000.0,
            vegetation_extinction_per_m: Self::FOREST_EXTINCTION_PER_M,
            canopy_height_m: 20.0,
            relief: Relief::Difference,
            relief_softness_m: 60.0,
            eye_height_m: 1.7,
            target_height_m: 0.0,
            curvature_coefficient: None,
            radius_per_100m: 0.0,
            light: 1.0,
            lantern: 0.0,
        }
    }
}

impl OpticsConfig {
    /// A fair day with some haze.
    pub const DEFAULT_VISUAL_RANGE_M: f64 = 20_000.0;

    /// Temperate forest: stand density (0.05 trunks per m²) times trunk diameter (0.3 m).
    pub const FOREST_EXTINCTION_PER_M: f64 = 0.015;

    /// Curvature with the refraction of common air, 6/7: what holds on real terrain.
    pub const REAL_TERRAIN_CURVATURE: f64 = 0.85714;

    /// The humidity at which `visual_range_m` holds.
    pub const REFERENCE_HUMIDITY: f64 = 0.4;

    /// How much the Earth's curvature lowers what is far, whether it was given or left out; on measured ground
    /// [`Preset::on_ground`](crate::preset::Preset::on_ground) has given it.
    pub fn curvature(&self) -> f64 {
        self.curvature_coefficient.unwrap_or(0.0)
    }

    /// Whether air takes anything away.
    pub fn has_air(&self) -> bool {
        self.visual_range_m.is_finite() || (self.fog_visual_range_m.is_finite() && self.fog_onset < 1.0)
    }

    /// Light on a cell at a distance (in cells) from the viewer, in [0, 1]: ambient light plus the
    /// lantern's (1 − (d/reach)²)², at most 1.
    pub fn light_at(&self, distance: f64) -> f32 {
        let square = |x: f64| x * x;
        let lantern = if distance < self.lantern { square(1.0 - square(distance / self.lantern)) } else { 0.0 };
        (self.light + lantern).min(1.0) as f32
    }

    /// Extinction of air, per metre: haze and fog.
    pub fn air_extinction_per_m(&self, humidity: f64) -> f64 {
        self.haze_extinction_per_m(humidity) + self.fog_extinction_per_m(humidity)
    }

    /// Extinction of haze, per metre (Koschmieder: 3.912 / visual range, for 2 % contrast), grown by
    /// ((1 − 0.4)/(1 − h))^γ with humidity h (Hänel 1976).
    pub fn haze_extinction_per_m(&self, humidity: f64) -> f64 {
        let damp = (1.0 - Self::REFERENCE_HUMIDITY) / (1.0 - humidity.min(0.99));
        KOSCHMIEDER / self.visual_range_m * libm::pow(damp, self.humidity_growth)
    }

    /// Extinction of fog, per metre: none up to its onset, that of its visual range at humidity 1.
    pub fn fog_extinction_per_m(&self, humidity: f64) -> f64 {
        let thick = KOSCHMIEDER / self.fog_visual_range_m * smoothstep(self.fog_onset, 1.0, humidity);
        if self.fog_onset < 1.0 { thick } else { 0.0 }
    }
}

/// −ln of the least contrast that the eye tells apart, 2 %.
const KOSCHMIEDER: f64 = 3.912;
