//! [`SkyLight`]: the light of the hour and its effect on colours; [`sunlit`]: the cells that the sun reaches.

use glam::Vec2;

use super::pixels::luma;
use super::relief::Sun;
use super::style::*;
use crate::scene::Scene;
use farsight::grid::{CellRect, Grid};
use farsight::horizon::CellHorizons;
use farsight::internal::math::smoothstep_f32;
use farsight::light::SunPosition;
use farsight::viewshed::Surface;

/// The light of the hour as fractions of day, dusk and night, which sum to 1.
#[derive(Clone, Copy)]
pub(crate) struct SkyLight {
    pub(crate) day: f32,
    pub(crate) dusk: f32,
    pub(crate) night: f32,
    /// The sun of a clock that runs.
    pub(crate) low_sun: Option<SunPosition>,
    sun: Sun,
    moon: Sun,
}

/// The ambient light at which it is night, dusk and day.
const NIGHT_LEVEL: f32 = 0.12;
const DUSK_LEVELS: [f32; 2] = [0.40, 0.50];
const DAY_LEVEL: f32 = 0.90;
/// The low sun in degrees: without a clock, an evening sun in the west-south-west.
const EVENING_AZIMUTH: f32 = 262.0;
const LOW_SUN: f32 = 16.0;
/// The moon, in degrees.
const MOON_AZIMUTH: f32 = 315.0;
const MOON_HEIGHT: f32 = 35.0;

impl SkyLight {
    pub(crate) fn of(scene: &Scene) -> Self {
        Self::with(scene.ambient_light(), SunPosition::of(&scene.clock(), SunPosition::LATITUDE_DEG))
    }

    /// Creates the sky at a level of ambient light, in [0, 1], with the sun of a clock that runs.
    fn with(level: f32, sun: Option<SunPosition>) -> Self {
        let night = smoothstep_f32(DUSK_LEVELS[0], NIGHT_LEVEL, level);
        let day = smoothstep_f32(DUSK_LEVELS[1], DAY_LEVEL, level);
        let azimuth = sun.map_or(EVENING_AZIMUTH, |sun| sun.azimuth_deg as f32);
        Self {
            day,
            dusk: 1.0 - night - day,
            night,
            low_sun: sun,
            sun: Sun::new(azimuth, LOW_SUN),
            moon: Sun::new(MOON_AZIMUTH, MOON_HEIGHT),
        }
    }

    /// Returns `true` if the sheet is that of the night.
    pub(crate) fn is_night(&self) -> bool {
        self.night > 0.5
    }

    /// Returns the sheet for land out of sight.
    pub(crate) fn sheet(&self) -> &'static Sheet {
        if self.is_night() { &WALNUT } else { &PAPER }
    }

    /// Returns the colour factors of the sheet.
    pub(crate) fn on_sheet(&self) -> Srgb {
        if self.is_night() { Srgb::splat(0.74) } else { Srgb::ONE.lerp(Srgb::new(0.56, 0.50, 0.60), 1.0 - self.day) }
    }

    /// Returns the colour of air with a fraction of fog.
    pub(crate) fn haze(&self, fog: f32) -> Srgb {
        HAZE.lerp(FOG, fog) * self.day + DUSK_HAZE * self.dusk + NIGHT_HAZE * self.night
    }

    pub(crate) fn rim(&self) -> Srgb {
        RIM.lerp(NIGHT_RIM, self.night)
    }

    /// Returns a colour of the land, or of water, in the light of the hour without lamps, which a fraction of the
    /// sunlight reaches.
    #[inline]
    pub(crate) fn light(&self, colour: Srgb, (slope, sunlit): (Vec2, f32), is_water: bool) -> Srgb {
        if self.day >= 1.0 {
            return colour;
        }
        let mut lit = colour * self.day;
        if self.dusk > 0.0 {
            let sun = if is_water { 1.15 } else { self.sun.on(slope).min(2.2) };
            let share = smoothstep_f32(0.55, 1.7, sun * sunlit);
            let glowing = colour * Srgb::new(0.46, 0.44, 0.74).lerp(Srgb::new(1.26, 0.92, 0.60), share);
            let grey = luma(glowing) * Srgb::new(1.1, 0.95, 0.95);
            lit += glowing.lerp(grey, 0.12) * self.dusk;
        }
        if self.night > 0.0 {
            let shape = 0.72 + 0.28 * self.moon.on(slope).min(1.6);
            let mut moonlit = (colour.lerp(Srgb::splat(luma(colour)), 0.66) * 0.82 + 24.0) * shape * MOON * MOONLIGHT;
            if is_water {
                moonlit += MOON_ON_WATER;
            }
            lit += moonlit * self.night;
        }
        lit
    }
}

/// The brightness of moonlit land.
const MOONLIGHT: f32 = 0.92;
/// The reflection of the sky in water.
const MOON_ON_WATER: Srgb = Srgb::new(8.0, 16.0, 24.0);

/// The minimum elevation of the sun in degrees: below it, only the sky lights the land.
const LOWEST_DEG: f64 = 4.0;
/// Half of the penumbra, as a difference between the slopes to the sun and of the horizon.
const PENUMBRA: f32 = 0.015;

/// Returns the fraction of the sunlight that reaches the surface on some cells: 0 in the shadow of land within a
/// distance, 1 in full sun. It ignores the eye height, target height and softness of the surface. `None` if the surface
/// has an invalid number.
pub(crate) fn sunlit(
    surface: &Surface<'_>,
    sun: SunPosition,
    max_distance_m: f64,
    cells: CellRect,
) -> Option<Grid<f32>> {
    let horizons = CellHorizons::new(&surface.with_eye_height(0.0)).ok()?;
    let mut shares = horizons.slopes(sun.azimuth_deg, max_distance_m, cells).ok()?;
    let to_sun = libm::tan(sun.elevation_deg.clamp(LOWEST_DEG, 89.0).to_radians()) as f32;
    for share in shares.as_mut_slice() {
        // NaN without land in that direction, and so without a shadow.
        let over = if share.is_nan() { f32::INFINITY } else { to_sun - *share };
        *share = smoothstep_f32(-PENUMBRA, PENUMBRA, over);
    }
    Some(shares)
}
