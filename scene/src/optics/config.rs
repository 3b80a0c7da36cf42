//! [`OpticsConfig`]: the keys of `[optics]`, and the laws of air and light.

use serde::{Deserialize, Serialize};

use farsight::grid::{CellSize, Grid};
use farsight::internal::math::smoothstep;
use farsight::light::Falloff;
use farsight::viewshed::{Canopy, Surface};
use farsight::{named_enum, setters};

/// Air, vegetation, relief and light: the keys of `[optics]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct OpticsConfig {
    /// Meteorological visual range at the reference humidity, in metres; `inf` for no haze.
    pub visual_range_m: f64,
    /// Exponent γ of the hygroscopic growth of haze; 0 is uniform haze.
    pub humidity_growth: f64,
    /// Humidity above which fog forms.
    pub fog_onset: f64,
    /// Visual range in fog at humidity 1, in metres; `inf` for no fog.
    pub fog_visual_range_m: f64,
    /// Extinction of full vegetation, per metre.
    pub vegetation_extinction_per_m: f64,
    /// Height of full vegetation, in metres. Vegetation v has v² times this height, so that grass is below the eye.
    pub canopy_height_m: f64,
    /// The rule by which ground hides the cells behind it.
    pub relief: Relief,
    /// Metres of ground above the eye ([`Relief::HeightDifference`]), or of a target below the horizon
    /// ([`Relief::LineOfSight`]), that hide a cell completely; 0 is a hard edge.
    pub relief_softness_m: f64,
    /// Height of the eye over its ground, in metres.
    pub eye_height_m: f64,
    /// Height of targets over their ground, in metres.
    pub target_height_m: f64,
    /// Curvature coefficient ([`Relief::LineOfSight`]): a point at distance d is lowered by this times d² over the diameter of
    /// the Earth. 1 is without air, 0.857 with standard refraction, 0 a flat world. `None` is
    /// [`REAL_TERRAIN_CURVATURE`](Self::REAL_TERRAIN_CURVATURE) on measured ground and 0 in generated worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curvature_coefficient: Option<f64>,
    /// The growth of the radius in cells per 100 m above the sea.
    pub radius_per_100m: f64,
    /// Ambient light: 0 is black night, 1 is day.
    pub light: f64,
    /// Reach of the viewer's lantern, in cells; in shorter sides of rectangular cells.
    pub lantern: f64,
    /// Reach of the daylight through doors and windows under [roofs](farsight::OpacityMap::with_roofs), in cells; at
    /// half the reach it is ½. `None` is [`DEFAULT_DAYLIGHT_REACH`](Self::DEFAULT_DAYLIGHT_REACH).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub daylight_reach: Option<f64>,
}

named_enum! {
    /// The rule by which ground hides the cells behind it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Relief: "relief" {
        /// Ground hides nothing.
        None = "none",
        /// A cell becomes opaque as its ground rises above the eye, as published: the view is long from a peak, and
        /// short from the valley past a peak.
        #[default]
        #[serde(rename = "difference")]
        HeightDifference = "difference",
        /// A [viewshed](farsight::viewshed): the maximum slope along the line hides everything below it, and vegetation
        /// dims where the line of sight is below its top. `sight.method` chooses the grade. Relief is then not an
        /// opacity: [binary](farsight::sight::Method) methods and comparisons, which read only opacities, ignore hills.
        #[serde(rename = "horizon")]
        LineOfSight = "horizon",
    }
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
            relief: Relief::HeightDifference,
            relief_softness_m: 60.0,
            eye_height_m: 1.7,
            target_height_m: 0.0,
            curvature_coefficient: None,
            radius_per_100m: 0.0,
            light: 1.0,
            lantern: 0.0,
            daylight_reach: None,
        }
    }
}

impl OpticsConfig {
    /// A fair day with some haze.
    pub const DEFAULT_VISUAL_RANGE_M: f64 = 20_000.0;

    /// Temperate forest: stand density (0.05 trunks per m²) times trunk diameter (0.3 m).
    pub const FOREST_EXTINCTION_PER_M: f64 = 0.015;

    /// Curvature with standard refraction, 6/7, as on real terrain.
    pub const REAL_TERRAIN_CURVATURE: f64 = 0.85714;

    /// The reach of daylight under roofs, in cells: a window lights a room of some paces.
    pub const DEFAULT_DAYLIGHT_REACH: f64 = 12.0;

    /// The reference humidity of `visual_range_m`.
    pub const REFERENCE_HUMIDITY: f64 = 0.4;

    setters! {
        with_visual_range_m(visual_range_m: f64), with_humidity_growth(humidity_growth: f64),
        with_fog_onset(fog_onset: f64), with_fog_visual_range_m(fog_visual_range_m: f64),
        with_vegetation_extinction_per_m(vegetation_extinction_per_m: f64), with_canopy_height_m(canopy_height_m: f64),
        with_relief(relief: Relief), with_relief_softness_m(relief_softness_m: f64),
        with_eye_height_m(eye_height_m: f64), with_target_height_m(target_height_m: f64),
        with_curvature_coefficient(curvature_coefficient: impl Into<Option<f64>>),
        with_radius_per_100m(radius_per_100m: f64), with_light(light: f64), with_lantern(lantern: f64),
        with_daylight_reach(daylight_reach: impl Into<Option<f64>>),
    }

    /// Returns the curvature coefficient, 0 for `None`: on measured ground
    /// [`Preset::on_ground`](crate::preset::Preset::on_ground) sets it.
    pub fn curvature(&self) -> f64 {
        self.curvature_coefficient.unwrap_or(0.0)
    }

    /// Returns the reach of daylight under roofs, in cells.
    pub fn daylight_reach_cells(&self) -> f64 {
        self.daylight_reach.unwrap_or(Self::DEFAULT_DAYLIGHT_REACH)
    }

    /// Returns the ground, and vegetation that dims the view, as the surface of a viewshed ([`Relief::LineOfSight`]).
    pub(crate) fn surface<'a>(
        &self,
        ground: &'a Grid<f32>,
        cover: Option<&'a Grid<f32>>,
        cell_size: CellSize,
    ) -> Surface<'a> {
        let canopy = |cover| {
            Canopy::of(cover).with_extinction(self.vegetation_extinction_per_m).with_height(self.canopy_height_m)
        };
        Surface::of(ground, cell_size)
            .with_canopy(cover.map(canopy))
            .with_eye_height(self.eye_height_m)
            .with_target_height(self.target_height_m)
            .with_softness(self.relief_softness_m)
            .with_curvature(self.curvature())
    }

    /// Returns `true` if there is haze or fog.
    pub fn has_air(&self) -> bool {
        self.visual_range_m.is_finite() || (self.fog_visual_range_m.is_finite() && self.fog_onset < 1.0)
    }

    /// Returns the mean height of lines to the targets over the eye, in metres.
    pub(super) fn mean_lift_m(&self) -> f64 {
        (self.target_height_m - self.eye_height_m).max(0.0) / 2.0
    }

    /// Returns the light on a cell at a distance (in cells, or shorter sides of them) from the viewer, in [0, 1]: ambient light plus that of the lantern, with
    /// [`Falloff::Smooth`], at most 1.
    pub fn light_at(&self, distance: f64) -> f32 {
        self.light_under(1.0, distance)
    }

    /// Returns the light on a cell like [`light_at`](Self::light_at), with only a fraction of the ambient light; see
    /// [`Daylight`](farsight::light::Daylight).
    pub fn light_under(&self, share: f32, distance: f64) -> f32 {
        let lantern = Falloff::Smooth.at(distance, self.lantern);
        (self.light * f64::from(share) + lantern).min(1.0) as f32
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

/// −ln of the contrast threshold of the eye, 2 %.
const KOSCHMIEDER: f64 = 3.912;
