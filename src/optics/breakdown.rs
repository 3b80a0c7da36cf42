//! [`Breakdown`]: the causes of a cell's opacity, each with its part.

use glam::IVec2;

use super::config::OpticsConfig;
use super::eye::Eye;
use crate::optics::{Optics, transmittance};

/// What each cause alone would take away at a cell, in [0, 1]. Together they make its opacity, 1 − Π (1 − part).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// Air, without fog.
    pub haze: f32,
    /// Fog.
    pub fog: f32,
    /// Vegetation, as far as the line of sight runs below its top.
    pub vegetation: f32,
    /// Ground above the eye ([`Relief::Difference`](super::Relief::Difference)).
    pub relief: f32,
}

impl Breakdown {
    /// All of them together.
    pub fn opacity(&self) -> f32 {
        1.0 - (1.0 - self.haze) * (1.0 - self.fog) * (1.0 - self.vegetation) * (1.0 - self.relief)
    }
}

impl Optics {
    /// The causes of the opacity of one cell for an eye at `eye_m` metres over the sea: the terms of
    /// [`fill_row`](Self::fill_row), one by one.
    ///
    /// # Panics
    /// If the cell lies outside the world.
    pub fn breakdown(&self, eye_m: f32, cell: IVec2) -> Breakdown {
        let config = &self.config;
        let length = self.world.config().cell_size_m;
        let humidity = self.world.humidity()[cell];
        let humidity = if humidity.is_nan() { OpticsConfig::REFERENCE_HUMIDITY } else { f64::from(humidity) };
        let ground_m = self.world.ground_m()[cell];
        let eye = Eye::new(self, eye_m);
        Breakdown {
            haze: 1.0 - transmittance(config.haze_extinction_per_m(humidity) * length),
            fog: 1.0 - transmittance(config.fog_extinction_per_m(humidity) * length),
            vegetation: 1.0 - eye.through_woods(ground_m, self.world.vegetation()[cell]),
            relief: 1.0 - eye.over_ground(ground_m),
        }
    }

    /// Height of the vegetation of a cell over its ground, in metres: v² times the canopy's. NaN where nobody measured.
    ///
    /// # Panics
    /// If the cell lies outside the world.
    pub fn canopy_m(&self, cell: IVec2) -> f32 {
        let cover = self.world.vegetation()[cell];
        self.config.canopy_height_m as f32 * cover * cover
    }
}
