//! [`Breakdown`]: the causes of a cell's opacity.

use glam::IVec2;

use super::config::OpticsConfig;
use super::optics::Optics;
use super::row_bounds::canopy_top;

/// The opacity of a cell by each cause, in [0, 1]. The whole is 1 − Π (1 − part).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// Air, without fog.
    pub haze: f32,
    /// Fog.
    pub fog: f32,
    /// Vegetation, where the line of sight runs below its top.
    pub vegetation: f32,
    /// Ground above the eye ([`Relief::Difference`](super::Relief::Difference)).
    pub relief: f32,
}

impl Breakdown {
    /// Returns the opacity by all causes together.
    pub fn opacity(&self) -> f32 {
        1.0 - (1.0 - self.haze) * (1.0 - self.fog) * (1.0 - self.vegetation) * (1.0 - self.relief)
    }
}

impl Optics {
    /// Returns the causes of the opacity of one cell for an eye at `eye_m` metres over the sea: the factors of
    /// [`opacity`](Self::opacity).
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn breakdown(&self, eye_m: f32, cell: IVec2) -> Breakdown {
        let (config, world) = (self.config(), self.world());
        let length = world.config().cell_size_m;
        let humidity = world.humidity()[cell];
        let humidity = if humidity.is_nan() { OpticsConfig::REFERENCE_HUMIDITY } else { f64::from(humidity) };
        let ground_m = world.ground_m()[cell];
        let eye = self.eye_terms(eye_m);
        Breakdown {
            haze: 1.0 - transmittance(config.haze_extinction_per_m(humidity) * length),
            fog: 1.0 - transmittance(config.fog_extinction_per_m(humidity) * length),
            vegetation: 1.0 - eye.vegetation_transmittance(ground_m, world.vegetation()[cell]),
            relief: 1.0 - eye.relief_transmittance(ground_m),
        }
    }

    /// Returns the height of the vegetation of a cell over its ground, in metres; NaN without data.
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn canopy_m(&self, cell: IVec2) -> f32 {
        canopy_top(self.config().canopy_height_m as f32, self.world().vegetation()[cell])
    }
}

fn transmittance(optical_depth: f64) -> f32 {
    libm::exp(-optical_depth) as f32
}
