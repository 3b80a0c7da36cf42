//! [`PictureRelief`]: heights between the cells, their slopes, and the light on them.

use glam::{Vec2, Vec3A, vec2};

use super::ground_fields::GroundFields;
use super::noise::noise;
use super::resample::{Field, FieldRow, Sampler, b_spline, b_spline_slope, linear};
use super::viewport::Viewport;
use crate::world::Biome;

/// The blur of heights before interpolation, in cells. The spline adds to it.
const HEIGHT_BLUR: f32 = 0.5;
/// The blur that distinguishes ridges from valleys, in cells.
const WIDE_BLUR: f32 = 5.0;
/// Features of rock per cell, and their height. Features smaller than about two pixels are omitted.
const FEATURES: [(f32, f32); 4] = [(0.45, 1.0), (1.1, 0.55), (2.6, 0.26), (6.0, 0.09)];
const PIXELS_A_FEATURE: f32 = 2.2;
/// The height of rough rock per slope, in cells; plains are smooth.
const ROUGHNESS: f32 = 0.16;

/// The interpolated heights of a picture.
pub(crate) struct PictureRelief {
    viewport: Viewport,
    height: Field,
    wide: Field,
    value: Sampler<4>,
    across: Sampler<4>,
    down: Sampler<4>,
    wide_value: Sampler<2>,
    cell_m: Vec2,
    features: usize,
    /// The places of the columns of pixels, in cells.
    columns: Vec<f32>,
}

/// The relief of a row of pixels.
#[derive(Default)]
pub(crate) struct ReliefRow {
    /// Metres above the sea, without roughness.
    pub(crate) height: Vec<f32>,
    /// The smooth slope, in metres per cell.
    pub(crate) across: Vec<f32>,
    pub(crate) down: Vec<f32>,
    /// The exaggeration of slopes.
    pub(crate) exaggeration: Vec<f32>,
    /// The height with roughness, in metres.
    rough: Vec<f32>,
    /// The wide mean of heights, in metres.
    wide: Vec<f32>,
    line: FieldRow,
}

impl PictureRelief {
    /// Creates the relief of a picture with a margin of one pixel on each side.
    pub(crate) fn new(viewport: &Viewport, fields: &GroundFields) -> Self {
        let padded = viewport.grown(1);
        let height = fields.height.blurred(HEIGHT_BLUR);
        let wide = fields.height.blurred(WIDE_BLUR);
        Self {
            viewport: padded,
            columns: (0..padded.width()).map(|x| padded.place(x, 0).x).collect(),
            value: Sampler::new(&padded, &height, [b_spline, b_spline]),
            across: Sampler::new(&padded, &height, [b_spline_slope, b_spline]),
            down: Sampler::new(&padded, &height, [b_spline, b_spline_slope]),
            wide_value: Sampler::new(&padded, &wide, [linear, linear]),
            height,
            wide,
            cell_m: fields.cell_m,
            features: FEATURES.iter().filter(|(feature, _)| feature * PIXELS_A_FEATURE < viewport.side()).count(),
        }
    }

    /// Fills a row: `y` is the row of the picture plus 1, and pixel 0 is in the left margin.
    pub(crate) fn fill(&self, fields: &GroundFields, y: usize, row: &mut ReliefRow) {
        let width = self.viewport.width();
        let ReliefRow { height, across, down, exaggeration, rough, wide, line } = row;
        for values in [&mut *height, &mut *across, &mut *down, &mut *exaggeration, &mut *rough, &mut *wide] {
            values.resize(width, 0.0);
        }
        self.value.fill(&self.height, y, line, height);
        self.across.fill(&self.height, y, line, across);
        self.down.fill(&self.height, y, line, down);
        self.wide_value.fill(&self.wide, y, line, wide);
        let noise = noise();
        let least_m = self.cell_m.min_element();
        // The factor changes slowly: every eighth pixel is enough.
        let first = self.viewport.origin.x.div_euclid(8);
        let place_y = self.viewport.place(0, y).y;
        let factor = |eighth: i32| fields.exaggeration.at((8 * eighth) as f32 / self.viewport.scale.x, place_y);
        let (mut eighth, mut ends) = (first, [factor(first), factor(first + 1)]);
        for (x, value) in (self.viewport.origin.x..).zip(exaggeration.iter_mut()) {
            if x.div_euclid(8) != eighth {
                eighth += 1;
                ends = [ends[1], factor(eighth + 1)];
            }
            *value = ends[0] + (ends[1] - ends[0]) * (x - 8 * eighth) as f32 / 8.0;
        }
        let (run, roughest) = (1.0 / self.cell_m, least_m * ROUGHNESS);
        for x in 0..width {
            let factor = exaggeration[x];
            let slope = (vec2(across[x], down[x]) * run).length() * factor;
            let roughness = slope.clamp(0.05, 0.8) * roughest / factor;
            let mut bumps = 0.0;
            for (&(feature, share), seed) in FEATURES[..self.features].iter().zip(3..) {
                bumps += share * noise.at(self.columns[x] * feature, place_y * feature, seed);
            }
            rough[x] = height[x] + roughness * bumps;
        }
    }
}

/// The relief at a pixel.
pub(crate) struct ReliefPoint {
    /// Metres above the sea.
    pub(crate) height: f32,
    /// The exaggerated slope to the right and downwards, as rise over run.
    pub(crate) slope: Vec2,
    /// 1 on ridges, −1 in valleys.
    pub(crate) ridge: f32,
    /// The smooth slope in metres per cell.
    pub(crate) smooth: Vec2,
}

/// Returns the relief at a pixel of the picture from three rows of the padded picture; the middle row contains the
/// pixel.
pub(crate) fn relief_point(rows: [&ReliefRow; 3], x: usize, viewport: &Viewport, cell_m: Vec2) -> ReliefPoint {
    let [above, own, below] = rows;
    let x = x + 1;
    let factor = own.exaggeration[x];
    // Metres a pixel over metres of a pixel.
    let pixel_m = cell_m / viewport.scale;
    let slope = vec2(own.rough[x + 1] - own.rough[x - 1], below.rough[x] - above.rough[x]) / (2.0 * pixel_m);
    let ridge = (own.height[x] - own.wide[x]) * factor / cell_m.min_element() / 2.2;
    ReliefPoint {
        height: own.height[x],
        slope: slope * factor,
        ridge: ridge.clamp(-1.0, 1.0),
        smooth: vec2(own.across[x], own.down[x]),
    }
}

/// A direction of light: the unit vector to it, with y downwards, divided by the sine of its elevation.
#[derive(Clone, Copy)]
pub(crate) struct Sun(Vec3A);

impl Sun {
    /// Creates the light from an azimuth, clockwise from the north, and an elevation, in degrees.
    pub(crate) fn new(azimuth: f32, height: f32) -> Self {
        let [azimuth, height] = [azimuth, height].map(f32::to_radians);
        let (flat, sine) = (libm::cosf(height), libm::sinf(height));
        Self(Vec3A::new(libm::sinf(azimuth) * flat, -libm::cosf(azimuth) * flat, sine) / sine)
    }

    /// Returns the light on ground with a slope; 1 on level ground, 0 in the shade.
    #[inline]
    pub(crate) fn on(self, slope: Vec2) -> f32 {
        self.times_length(slope) / length_of_normal(slope)
    }

    /// Returns the light times the length of the normal (−x, −y, 1).
    #[inline]
    fn times_length(self, slope: Vec2) -> f32 {
        (self.0.z - self.0.x * slope.x - self.0.y * slope.y).max(0.0)
    }
}

#[inline]
fn length_of_normal(slope: Vec2) -> f32 {
    (slope.length_squared() + 1.0).sqrt()
}

/// The three lights of a relief by day, their fractions, and the ambient light.
pub(crate) struct DayLight([(Sun, f32); 3]);

const AMBIENT: f32 = 0.04;
const RIDGE_LIGHT: f32 = 0.10;

impl DayLight {
    /// Creates the light of a map, from the north-west.
    pub(crate) fn new() -> Self {
        Self::with_sun(315.0, 40.0)
    }

    /// Creates the light of a sun at an azimuth and an elevation in degrees, and of the sky.
    pub(crate) fn with_sun(azimuth: f32, height: f32) -> Self {
        Self([(Sun::new(azimuth, height), 0.60), (Sun::new(270.0, 45.0), 0.18), (Sun::new(0.0, 45.0), 0.18)])
    }

    /// Returns the light on a slope that a fraction of the sunlight reaches: 1 on level ground in full sun.
    #[inline]
    pub(crate) fn on(&self, point: &ReliefPoint, sunlit: f32) -> f32 {
        let [(first, a), (second, b), (third, c)] = &self.0;
        let suns = a * sunlit * first.times_length(point.slope)
            + b * second.times_length(point.slope)
            + c * third.times_length(point.slope);
        let suns = suns / length_of_normal(point.slope);
        (suns + AMBIENT + RIDGE_LIGHT * point.ridge).clamp(0.12, 1.5)
    }
}

/// Returns `true` for land with a biome.
pub(crate) fn is_land(biome: Biome) -> bool {
    !matches!(biome, Biome::DeepSea | Biome::ShallowSea | Biome::Lake | Biome::River | Biome::Unknown)
}
