//! [`Atmosphere`]: the sky of the hour with sun, clouds and stars, and the air between the eye and the land.

use glam::{DVec2, IVec2, dvec2};

use crate::optics::Optics;
use crate::paint::map::map_painter::fogginess;
use crate::paint::map::noise::{Noise, lattice_random, noise};
use crate::paint::map::pixels::decay;
use crate::paint::map::sky_light::SkyLight;
use crate::paint::map::style::{Srgb, rgb};
use crate::scene::Scene;
use farsight::horizon::Projection;
use farsight::internal::math::{exp2_approx, log2_approx, smoothstep_f32};
use farsight::light::SunPosition;

/// The colours of the zenith and of the horizon by day, in haze, at dusk, and at night.
const DAY: [Srgb; 2] = [rgb(0x7ba7d1), rgb(0xe6eae6)];
const HAZY: [Srgb; 2] = [rgb(0xb3c3cc), rgb(0xe6e4da)];
const DUSK: [Srgb; 2] = [rgb(0x66769f), rgb(0xd3aaa2)];
const NIGHT: [Srgb; 2] = [rgb(0x0b1230), rgb(0x2c3a66)];
/// The sky around a low sun, and around a high one.
const LOW_SUN: Srgb = rgb(0xf7b67c);
const HIGH_SUN: Srgb = rgb(0xfffbee);
const CLOUD: [Srgb; 3] = [rgb(0xfdfaf2), rgb(0xf0bda6), rgb(0x3a476f)];
const STAR: Srgb = rgb(0xf4f2e6);

/// The extinction of red, green and blue light relative to that of green: λ^−1.3 (Ångström 1929) at 610, 550 and 465
/// nm.
const EXTINCTION: Srgb = Srgb::new(0.874, 1.0, 1.244);

/// The sky of the hour, and the air in front of the land.
pub(super) struct Atmosphere {
    pub(super) sky: SkyLight,
    pub(super) sun: Option<SunPosition>,
    zenith: Srgb,
    low: Srgb,
    air: Srgb,
    fog: Srgb,
    cloud: Srgb,
    clouds: f32,
    /// The offset of the clouds of the world.
    origin: [f32; 2],
    /// The fraction of haze, from 0 to 1.
    pub(super) hazy: f32,
}

/// A height in the sky of a panorama.
#[derive(Clone, Copy)]
pub(super) struct SkyHeight {
    /// The fraction of the zenith in its colour.
    zenith: f32,
    /// The fraction of fog banks of that height.
    banks: f32,
}

impl SkyHeight {
    /// Creates the height at a fraction of the upper edge: 0 is eye level.
    pub(super) fn of(share: f32) -> Self {
        /// Fog banks extend above the highest skyline and fade upwards.
        const TOPS: [f32; 2] = [0.62, 0.10];
        let below_zenith = 1.0 - share.clamp(0.0, 1.0);
        // Below eye level is the air over unknown land.
        let below_eye = smoothstep_f32(0.0, -0.45, share);
        Self {
            zenith: (1.0 - below_zenith * below_zenith).max(0.45 * below_eye),
            banks: smoothstep_f32(TOPS[0], TOPS[1], share),
        }
    }
}

/// A row of a panorama.
pub(super) struct SkyRow {
    elevation_deg: f32,
    pub(super) height: SkyHeight,
    /// The distance of the clouds as a multiple of their height, and their maximum cover.
    clouds: f32,
    cover: f32,
    /// The transmittance of the air above the horizon for stars.
    stars: f32,
}

/// The atmosphere at an azimuth.
pub(super) struct SkyColumn {
    azimuth: f32,
    /// The direction, and its azimuth from the sun in degrees.
    way: [f32; 2],
    from_sun_deg: f32,
    pub(super) low: Srgb,
    zenith: Srgb,
    /// The colour of thin air in front of land.
    air: Srgb,
    fog: Srgb,
    /// The fraction of fog banks in the low sky.
    banks: f32,
}

impl SkyColumn {
    /// Returns the colour of the sky without clouds.
    fn clear_sky(&self, height: SkyHeight) -> Srgb {
        self.low.lerp(self.zenith, height.zenith).lerp(self.fog, self.banks * height.banks)
    }

    /// Returns the column with the fog banks of its air.
    pub(super) fn with_banks(mut self, air: &AirColumn) -> Self {
        self.banks = 0.65 * air.fog;
        self.air = self.air.lerp(self.fog, 0.6 * self.banks);
        self
    }

    /// Returns the colour of air of a transmittance in front of land: opaque air has that of the sky behind.
    #[inline]
    pub(super) fn air(&self, height: SkyHeight, clear: f32) -> Srgb {
        let all = 1.0 - clear;
        self.air.lerp(self.clear_sky(height), all * all)
    }

    /// Returns the fraction of the sky, with its clouds, in the colour of land behind dense air.
    #[inline]
    pub(super) fn vanished(clear: f32) -> f32 {
        smoothstep_f32(0.30, 0.03, clear)
    }
}

impl Atmosphere {
    pub(super) fn of(scene: &Scene, optics: &Optics, sky: &SkyLight, sun: Option<SunPosition>) -> Self {
        let seed = scene.preset().world.seed;
        // Haze is that of the world, fog that of the viewer's cell.
        let fog = fogginess(optics.visual_range_m(scene.viewer()));
        let hazy = smoothstep_f32(24_000.0, 4000.0, optics.config().visual_range_m as f32).max(fog);
        let of_hour = |i: usize| DAY[i].lerp(HAZY[i], hazy) * sky.day + DUSK[i] * sky.dusk + NIGHT[i] * sky.night;
        let [zenith, low] = [of_hour(0), of_hour(1)];
        let clear_air = low.lerp(zenith, 0.42 - 0.30 * hazy);
        Self {
            sky: *sky,
            sun,
            zenith,
            low,
            air: clear_air.lerp(sky.haze(fog), 0.35),
            fog: sky.haze(1.0),
            cloud: CLOUD[0] * sky.day + CLOUD[1] * sky.dusk + CLOUD[2] * sky.night,
            clouds: (0.62 - 0.25 * sky.night) * (1.0 - 0.85 * fog),
            origin: [1, 2].map(|purpose| 128.0 * lattice_random(seed as i32, (seed >> 32) as i32, purpose)),
            hazy,
        }
    }

    pub(super) fn column(&self, azimuth_deg: f64) -> SkyColumn {
        let azimuth = azimuth_deg as f32;
        let (sin, cos) = libm::sincosf(azimuth.to_radians());
        let towards_sun = self.sun.map_or(-1.0, |sun| libm::cosf((azimuth - sun.azimuth_deg as f32).to_radians()));
        let Self { low, zenith, air, fog, .. } = *self;
        let from_sun_deg = libm::acosf(towards_sun.clamp(-1.0, 1.0)).to_degrees();
        let mut column = SkyColumn { azimuth, way: [sin, cos], from_sun_deg, low, zenith, air, fog, banks: 0.0 };
        if let Some(sun) = self.sun {
            // A low sun warms the sky around it.
            let height = sun.elevation_deg as f32;
            let warm = smoothstep_f32(-0.1, 1.0, towards_sun) * smoothstep_f32(-9.0, -1.0, height);
            let is_low = smoothstep_f32(26.0, 4.0, height) * warm;
            let is_high = warm * (1.0 - smoothstep_f32(26.0, 4.0, height));
            column.low = column.low.lerp(LOW_SUN, 0.85 * is_low).lerp(HIGH_SUN, 0.40 * is_high);
            column.air = column.air.lerp(LOW_SUN, 0.50 * is_low).lerp(HIGH_SUN, 0.22 * is_high);
            column.zenith = column.zenith.lerp(LOW_SUN, 0.12 * is_low);
        }
        column
    }

    /// Returns the rows of a panorama.
    pub(super) fn rows(projection: &Projection) -> Vec<SkyRow> {
        let [across, up] = projection.pixels_per_degree();
        let row = |y: usize| {
            let y = y as f64 + 0.5;
            // Clouds are on a horizontal plane; they use the heights of the drawing, so that they are equally flat everywhere.
            let angle = (projection.elevation_deg(y) * up / across).clamp(0.0, 88.0) as f32;
            let share = share_of_sky(projection, y);
            SkyRow {
                elevation_deg: projection.elevation_deg(y) as f32,
                height: SkyHeight::of(share),
                clouds: 1.0 / (libm::tanf(angle.to_radians()) + 0.045),
                cover: smoothstep_f32(0.04, 0.30, share),
                stars: smoothstep_f32(0.05, 0.45, share),
            }
        };
        (0..projection.height).map(row).collect()
    }

    /// Returns the colour of the sky in a row of a panorama with `per_degree` pixels per degree, horizontally and
    /// vertically.
    pub(super) fn sky(&self, column: &SkyColumn, row: &SkyRow, per_degree: [f32; 2]) -> Srgb {
        let SkyRow { elevation_deg, height, clouds, .. } = *row;
        let mut colour = column.clear_sky(height);
        let at = [0, 1].map(|axis| self.origin[axis] + column.way[axis] * clouds);
        let cover = if row.cover > 0.0 { self.cloud_cover(noise(), at) * row.cover * self.clouds } else { 0.0 };
        if self.sky.night > 0.05 {
            // The air above the horizon and the thinnest clouds hide stars.
            let clear = self.sky.night * row.stars * smoothstep_f32(0.10, 0.01, cover);
            colour = colour.lerp(STAR, clear * star(column.azimuth, elevation_deg, per_degree));
        }
        if cover > 0.0 {
            colour = colour.lerp(self.cloud, cover);
        }
        if let Some(sun) = self.sun {
            colour = self.with_sun(colour, column, elevation_deg, sun, per_degree);
        }
        colour
    }

    fn cloud_cover(&self, noise: &Noise, [x, y]: [f32; 2]) -> f32 {
        let base = 0.9 * noise.at(0.42 * x, 0.42 * y, 77) + 0.6 * noise.at(1.2 * x, 1.2 * y, 78);
        if base < 0.0 {
            return 0.0;
        }
        // Rotated, so that the lattices of the octaves do not align.
        let (x, y) = (0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y);
        let fine = 0.42 * noise.at(3.4 * x, 3.4 * y, 79) + 0.26 * noise.at(9.0 * x, 9.0 * y, 80);
        smoothstep_f32(0.0, 0.35, base) * smoothstep_f32(0.15, 1.5, base + fine)
    }

    /// Adds the disc of the sun, and the light around it.
    fn with_sun(
        &self,
        colour: Srgb,
        column: &SkyColumn,
        elevation_deg: f32,
        sun: SunPosition,
        [across, up]: [f32; 2],
    ) -> Srgb {
        let aside = column.from_sun_deg;
        let above = elevation_deg - sun.elevation_deg as f32;
        if sun.elevation_deg < -4.0 || aside > 60.0 {
            return colour;
        }
        let is_low = smoothstep_f32(30.0, 3.0, sun.elevation_deg as f32);
        let tint = HIGH_SUN.lerp(rgb(0xffd9a0), is_low);
        // The glow is round in the picture.
        let pixels = [aside * across, above * up];
        let distance = (pixels[0] * pixels[0] + pixels[1] * pixels[1]).sqrt();
        let glow = 0.75 * decay(distance / (7.0 * across.max(2.0))) + 0.35 * decay(distance / (22.0 * across.max(2.0)));
        let disc = (0.27 * across).max(3.5);
        let core = (disc + 0.5 - distance).clamp(0.0, 1.0);
        let is_up = smoothstep_f32(-3.0, 0.0, sun.elevation_deg as f32);
        colour.lerp(tint, (glow * is_up).min(0.92)).lerp(rgb(0xfffdf4), core * is_up)
    }
}

/// Returns the brightness of a star in a direction: some cells of the sky have a star of the size of a pixel.
fn star(azimuth: f32, elevation_deg: f32, [across, up]: [f32; 2]) -> f32 {
    /// The side of a cell of the sky in degrees, and its minimum in pixels.
    const CELL_DEG: f32 = 1.1;
    const CELL_PIXELS: f32 = 7.0;
    const LEAST: f32 = 0.90;
    let [width, height] = [CELL_DEG.max(CELL_PIXELS / across), (CELL_DEG * across / up).max(CELL_PIXELS / up)];
    let (x, y) = (azimuth / width, elevation_deg / height);
    let cell = IVec2::new(x.floor() as i32, y.floor() as i32);
    let random = |purpose| lattice_random(cell.x, cell.y, purpose);
    let bright = random(91);
    if bright < LEAST {
        return 0.0;
    }
    // Most stars are faint.
    let bright = (bright - LEAST) / (1.0 - LEAST);
    let bright = bright * bright * bright;
    let at = [
        (x - cell.x as f32 - 0.2 - 0.6 * random(92)) * width * across,
        (y - cell.y as f32 - 0.2 - 0.6 * random(93)) * height * up,
    ];
    let radius = 0.55 + 0.75 * bright;
    let distance = (at[0] * at[0] + at[1] * at[1]).sqrt();
    (radius + 0.5 - distance).clamp(0.0, 1.0) * (0.12 + 0.83 * bright)
}

/// The number of adjacent rays that are averaged, and the length of their segments in cells.
const RAYS: usize = 12;
const CELLS: u8 = 4;
/// The spread of the rays to both sides in metres, and its minimum and maximum in radians: mist has soft sides.
const MIST_M: f32 = 700.0;
const MIST_RAD: [f32; 2] = [0.16, 0.70];
/// The minimum extinction of fog, as a multiple of that of clear air.
const FOG_RATIO: f32 = 3.0;

/// The optical depth of the air in a direction, by the distance: from the mean transmittance of adjacent rays.
pub(super) struct AirColumn {
    /// At the distances first · √2^i.
    depths: Vec<f32>,
    first_m: f32,
    /// The opacity of the fog on the entire line.
    fog: f32,
}

impl AirColumn {
    /// Creates the air of a picture along a line from a viewer, in a direction of `way` columns and rows per metre, up
    /// to a distance in metres.
    pub(super) fn new(optics: &Optics, viewer: IVec2, way: DVec2, farthest_m: f32) -> Self {
        Self::of_rays(optics, viewer, way, farthest_m, 1.0)
    }

    /// Creates the air on a line of sight, as on the map.
    pub(super) fn on_line(optics: &Optics, viewer: IVec2, way: DVec2, farthest_m: f32) -> Self {
        Self::of_rays(optics, viewer, way, farthest_m, 0.0)
    }

    /// Creates the air on rays with a spacing that is a fraction of their spread.
    fn of_rays(optics: &Optics, viewer: IVec2, way: DVec2, farthest_m: f32, apart: f32) -> Self {
        let world = optics.world();
        let first_m = (0.5 * world.shortest_side_m()) as f32;
        let cell_size = world.cell_size_at(viewer);
        let aside = dvec2(-way.y * cell_size.y_m / cell_size.x_m, way.x * cell_size.x_m / cell_size.y_m);
        // Beyond the edge of the map, the air is that of the edge, without fog banks.
        let last = world.ground_m().size() - 1;
        let extinction_per_m = |distance_m: f32, aside_rad: f32| {
            let way = way + aside * f64::from(aside_rad);
            let cell = (viewer.as_dvec2() + way * f64::from(distance_m)).round().as_ivec2();
            let on_map = cell.clamp(IVec2::ZERO, last);
            (KOSCHMIEDER / optics.visual_range_m(on_map), cell == on_map)
        };
        let fog_per_m = FOG_RATIO * KOSCHMIEDER / optics.config().visual_range_m as f32;
        let first = extinction_per_m(0.0, 0.0).0 * first_m;
        let (mut depths, mut rays, mut fog) = (vec![first], [first; RAYS], [0.0f32; RAYS]);
        let mut at_m = first_m;
        while at_m < farthest_m && depths.len() < 64 {
            let length_m = at_m * (std::f32::consts::SQRT_2 - 1.0);
            for (ray, (depth, fog)) in rays.iter_mut().zip(&mut fog).enumerate() {
                let part_m = length_m / f32::from(CELLS);
                for i in 0..CELLS {
                    // Each cell in a different direction.
                    let part = (f32::from(i) + 0.5) / f32::from(CELLS);
                    let distance_m = at_m + length_m * part;
                    let aside = apart * (2.0 * (ray as f32 + part) / RAYS as f32 - 1.0);
                    let aside_rad = aside * (MIST_M / distance_m).clamp(MIST_RAD[0], MIST_RAD[1]);
                    let (extinction, is_on_map) = extinction_per_m(distance_m, aside_rad);
                    *depth += extinction * part_m;
                    if is_on_map {
                        *fog += (extinction - fog_per_m).max(0.0) * part_m;
                    }
                }
            }
            depths.push(-libm::logf(mean_transmittance(&rays)));
            at_m += length_m;
        }
        Self { depths, first_m, fog: 1.0 - mean_transmittance(&fog) }
    }

    /// Interpolates the air of a column between this column and another of the same length.
    pub(super) fn lerp(&self, other: &Self, share: f32) -> Self {
        let depths = self.depths.iter().zip(&other.depths).map(|(near, far)| near + (far - near) * share);
        let fog = self.fog + (other.fog - self.fog) * share;
        Self { depths: depths.collect(), first_m: self.first_m, fog }
    }

    /// Returns the transmittance of red, green and blue light up to a distance in metres.
    #[inline]
    pub(super) fn transmittance(&self, distance_m: f32) -> Srgb {
        let depth = self.depth(distance_m) * std::f32::consts::LOG2_E;
        let [red, green, blue] = (EXTINCTION * depth).to_array().map(|depth| exp2_approx((-depth).max(-126.0)));
        Srgb::new(red, green, blue)
    }

    /// Returns the fraction of red, green and blue light in the picture up to a distance in metres: a power of the
    /// transmittance, as on the map, since paper has less contrast than the world; 0 below the contrast threshold of
    /// the eye.
    #[inline]
    pub(super) fn shown(&self, distance_m: f32) -> Srgb {
        /// The optical depths between which the contrast fades to 0: that of 2 % is between them.
        const FADE: [f32; 2] = [3.5, 5.1];
        const EXPONENT: f32 = 0.62;
        let depth = self.depth(distance_m);
        if depth >= FADE[1] {
            return Srgb::ZERO;
        }
        let exponents = EXTINCTION * (depth * -EXPONENT * std::f32::consts::LOG2_E);
        Srgb::from_array(exponents.to_array().map(exp2_approx)) * smoothstep_f32(FADE[1], FADE[0], depth)
    }

    /// Returns the optical depth of green light up to a distance in metres.
    #[inline]
    fn depth(&self, distance_m: f32) -> f32 {
        if distance_m <= self.first_m {
            return self.depths[0] * (distance_m / self.first_m).max(0.0);
        }
        let at = 2.0 * log2_approx(distance_m / self.first_m);
        let i = (at as usize).min(self.depths.len() - 1);
        let next = self.depths[(i + 1).min(self.depths.len() - 1)];
        self.depths[i] + (next - self.depths[i]) * (at - i as f32).min(1.0)
    }
}

/// Returns the weighted mean transmittance of rays of some optical depths, above 0; the central rays have the largest
/// weights.
fn mean_transmittance(depths: &[f32; RAYS]) -> f32 {
    let weight = |ray: usize| 1.0 - (2.0 * (ray as f32 + 0.5) / RAYS as f32 - 1.0).abs();
    let sum: f32 = depths.iter().enumerate().map(|(ray, depth)| weight(ray) * libm::expf(-depth.min(80.0))).sum();
    sum / (0.5 * RAYS as f32)
}

/// The contrast threshold of the eye (Koschmieder 1924), and −ln of it.
pub(super) const LEAST_CONTRAST: f32 = 0.02;
const KOSCHMIEDER: f32 = 3.912;

/// Returns the height of a row as a fraction of the upper edge of a projection: 0 at eye level.
pub(super) fn share_of_sky(projection: &Projection, y: f64) -> f32 {
    let horizon = projection.y(0.0).clamp(1.0, 4.0 * projection.height as f64);
    ((horizon - y) / horizon) as f32
}
