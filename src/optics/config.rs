//! [`OpticsConfig`]: the keys of `[optics]`, and the laws of air and light.

use serde::{Deserialize, Serialize};

use crate::math::smoothstep;
use crate::setting::{Setting, SettingKind};

/// Air, vegetation, relief and light: the keys of `[optics]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpticsConfig {
    /// Meteorological visual range at the reference humidity, in metres; `inf` for no haze.
    pub visual_range_m: f64,
    /// Exponent γ of the hygroscopic growth of haze; 0 makes haze the same everywhere.
    pub humidity_growth: f64,
    /// Humidity above which fog forms.
    pub fog_onset: f64,
    /// Visual range in fog at humidity 1, in metres; `inf` for no fog.
    pub fog_visual_range_m: f64,
    /// Extinction of full vegetation, per metre.
    pub vegetation_extinction_per_m: f64,
    /// Height of full vegetation, in metres. Vegetation v is v² times as high: grass is below the eye.
    pub canopy_height_m: f64,
    /// The rule by which ground hides what is behind it.
    pub relief: Relief,
    /// Metres of ground above the eye ([`Relief::Difference`]), or of a target below the horizon ([`Relief::Horizon`]), that
    /// hide all; 0 is a hard edge.
    pub relief_softness_m: f64,
    /// Height of the eye over its ground, in metres.
    pub eye_height_m: f64,
    /// Height of targets over their ground, in metres.
    pub target_height_m: f64,
    /// Curvature coefficient ([`Relief::Horizon`]): a point at distance d is lowered by this times d² over the diameter of
    /// the Earth. 1 is without air, 0.857 with the refraction of common air, 0 a flat world. `None` is
    /// [`REAL_TERRAIN_CURVATURE`](Self::REAL_TERRAIN_CURVATURE) on measured ground and 0 in generated worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curvature_coefficient: Option<f64>,
    /// Cells by which the radius grows for each 100 m over the sea.
    pub radius_per_100m: f64,
    /// Ambient light: 0 is black night, 1 is day.
    pub light: f64,
    /// Reach of the carried light, in cells.
    pub lantern: f64,
}

/// The rule by which ground hides what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Relief {
    /// Ground hides nothing.
    None,
    /// A cell becomes opaque as its ground rises above the eye, as published: one sees far from a peak, and little past a
    /// peak from the valley.
    #[default]
    Difference,
    /// A [viewshed](crate::viewshed): the steepest slope on the way hides what is below it, and vegetation counts where the
    /// line of sight runs below its top. `sight.method` chooses the grade. Relief is then not an opacity: the classic
    /// methods and comparisons, which read opacities only, look through hills.
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

    /// The settings of `[optics]`.
    pub const SETTINGS: &'static [Setting] = &[
        Setting {
            key: "optics.visual_range_m",
            unit: "m",
            kind: SettingKind::Number { min: 10.0, max: f64::INFINITY, slider_range: [200.0, 100_000.0], log: true },
            help: "Visual range of dry air (2 % contrast). Clear 50000, haze 5000, mist 2000, fog 500. Raise it to see farther.",
        },
        Setting {
            key: "optics.humidity_growth",
            unit: "",
            kind: SettingKind::Number { min: 0.0, max: 2.0, slider_range: [0.0, 1.5], log: false },
            help: "Exponent of the growth of haze with humidity (hygroscopic growth). 0: haze is the same everywhere.",
        },
        Setting {
            key: "optics.fog_onset",
            unit: "humidity",
            kind: SettingKind::Number { min: 0.0, max: 1.0, slider_range: [0.3, 1.0], log: false },
            help: "Humidity above which fog forms. Lower it to let fog spread.",
        },
        Setting {
            key: "optics.fog_visual_range_m",
            unit: "m",
            kind: SettingKind::Number { min: 10.0, max: f64::INFINITY, slider_range: [50.0, 20_000.0], log: true },
            help: "Visual range inside the thickest fog. Lower it for denser fog; inf for none.",
        },
        Setting {
            key: "optics.vegetation_extinction_per_m",
            unit: "1/m",
            kind: SettingKind::Number { min: 0.0, max: 1.0, slider_range: [0.0, 0.08], log: false },
            help: "Extinction of full vegetation. Savanna 0.002, forest 0.015, jungle 0.06.",
        },
        Setting {
            key: "optics.canopy_height_m",
            unit: "m",
            kind: SettingKind::Number { min: 0.0, max: 120.0, slider_range: [0.0, 60.0], log: false },
            help: "Height of full vegetation (half as dense is a quarter as high). From higher ground one looks over it.",
        },
        Setting {
            key: "optics.relief",
            unit: "",
            kind: SettingKind::Choice(&["none", "difference", "horizon"]),
            help: "Rule by which ground hides what is behind it. difference: ground above the eye is opaque; horizon: a true line of sight.",
        },
        Setting {
            key: "optics.relief_softness_m",
            unit: "m",
            kind: SettingKind::Number { min: 0.0, max: 5000.0, slider_range: [0.0, 400.0], log: false },
            help: "Height of ground above the eye, or depth of a target below the horizon, that hides all. 0: a hard edge.",
        },
        Setting {
            key: "optics.eye_height_m",
            unit: "m",
            kind: SettingKind::Number { min: 0.0, max: 10_000.0, slider_range: [0.0, 100.0], log: false },
            help: "Height of the eye over ground. Raise it (a tower, a balloon) to look over vegetation and hills.",
        },
        Setting {
            key: "optics.target_height_m",
            unit: "m",
            kind: SettingKind::Number { min: 0.0, max: 10_000.0, slider_range: [0.0, 100.0], log: false },
            help: "Height of targets over their ground. Raise it (masts, towers) and lines of sight run higher.",
        },
        Setting {
            key: "optics.curvature_coefficient",
            unit: "",
            kind: SettingKind::Optional {
                min: 0.0,
                max: 2.0,
                slider_range: [0.0, 1.0],
                log: false,
                absent: "0; heightmap 0.857",
            },
            help: "Coefficient of the Earth's curvature, which lowers distant ground with relief horizon. 0: flat; 0.85714: with refraction; 1: without.",
        },
        Setting {
            key: "optics.radius_per_100m",
            unit: "cells",
            kind: SettingKind::Number { min: 0.0, max: 64.0, slider_range: [0.0, 16.0], log: false },
            help: "Cells by which the radius grows for each 100 m over the sea: one sees farther from a peak.",
        },
        Setting {
            key: "optics.light",
            unit: "",
            kind: SettingKind::Number { min: 0.0, max: 1.0, slider_range: [0.0, 1.0], log: false },
            help: "Ambient light: 0 is black night, 1 is day.",
        },
        Setting {
            key: "optics.lantern",
            unit: "cells",
            kind: SettingKind::Number { min: 0.0, max: 512.0, slider_range: [0.0, 32.0], log: false },
            help: "Reach of the light that the viewer carries; 0 for none.",
        },
    ];

    /// Returns the curvature coefficient, 0 for `None`: on measured ground
    /// [`Preset::on_ground`](crate::preset::Preset::on_ground) sets it.
    pub fn curvature(&self) -> f64 {
        self.curvature_coefficient.unwrap_or(0.0)
    }

    /// Returns `true` if there is haze or fog.
    pub fn has_air(&self) -> bool {
        self.visual_range_m.is_finite() || (self.fog_visual_range_m.is_finite() && self.fog_onset < 1.0)
    }

    /// Returns the mean height of lines to the targets over the eye, in metres.
    pub(super) fn mean_lift_m(&self) -> f64 {
        (self.target_height_m - self.eye_height_m).max(0.0) / 2.0
    }

    /// Returns the light on a cell at a distance (in cells) from the viewer, in [0, 1]: ambient light plus the lantern's
    /// (1 − (d/reach)²)², at most 1.
    pub fn light_at(&self, distance: f64) -> f32 {
        let square = |x: f64| x * x;
        let lantern = if distance < self.lantern { square(1.0 - square(distance / self.lantern)) } else { 0.0 };
        (self.light + lantern).min(1.0) as f32
    }

    /// Returns the extinction of air, per metre: haze and fog.
    pub fn air_extinction_per_m(&self, humidity: f64) -> f64 {
        self.haze_extinction_per_m(humidity) + self.fog_extinction_per_m(humidity)
    }

    /// Returns the extinction of haze, per metre: 3.912 / visual range for 2 % contrast (Koschmieder 1924), times
    /// ((1 − 0.4)/(1 − h))^γ at humidity h (Hänel 1976).
    pub fn haze_extinction_per_m(&self, humidity: f64) -> f64 {
        let damp = (1.0 - Self::REFERENCE_HUMIDITY) / (1.0 - humidity.min(0.99));
        KOSCHMIEDER / self.visual_range_m * libm::pow(damp, self.humidity_growth)
    }

    /// Returns the extinction of fog, per metre: 0 up to its onset, that of its visual range at humidity 1.
    pub fn fog_extinction_per_m(&self, humidity: f64) -> f64 {
        let thick = KOSCHMIEDER / self.fog_visual_range_m * smoothstep(self.fog_onset, 1.0, humidity);
        if self.fog_onset < 1.0 { thick } else { 0.0 }
    }
}

/// −ln of the least contrast that the eye can see, 2 %.
const KOSCHMIEDER: f64 = 3.912;
