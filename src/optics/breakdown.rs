//! [`Breakdown`]: the causes of a cell's opacity, each with its part.

use glam::IVec2;

use super::{Optics, OpticsConfig, Relief, share_in_canopy, smoothstep_f32, transmittance};

/// What each cause alone would take away at a cell, in [0, 1]. Together they make its opacity, 1 − Π (1 − part).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// Air, without fog.
    pub haze: f32,
    /// Fog.
    pub fog: f32,
    /// Vegetation, as far as the line of sight runs below its top.
    pub vegetation: f32,
    /// Ground above the eye ([`Relief::Difference`]).
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
        let wood = self.vegetation[cell];
        let rise = self.world.ground_m()[cell] - eye_m;
        let [level_m, target_m] = [config.eye_height_m, config.target_height_m].map(|metres| metres as f32);
        let share = share_in_canopy(rise + self.lift_m() as f32, self.canopy_m(cell), level_m, target_m);
        let softness = config.relief_softness_m as f32;
        let relief = match config.relief {
            Relief::Difference if rise > 0.0 && softness > 0.0 => smoothstep_f32(rise / softness),
            Relief::Difference if rise > 0.0 => 1.0,
            _ => 0.0,
        };
        Breakdown {
            haze: 1.0 - transmittance(config.haze_extinction_per_m(humidity) * length),
            fog: 1.0 - transmittance(config.fog_extinction_per_m(humidity) * length),
            vegetation: if wood < 1.0 { 1.0 - libm::powf(wood, share) } else { 0.0 },
            relief,
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
