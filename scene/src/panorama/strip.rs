//! [`paint_columns`]: the land, the water and the sky of a panorama, column by column.

use glam::{DVec2, Vec2};

use super::atmosphere::{AirColumn, Atmosphere, SkyColumn, SkyRow};
use super::land_colours::LandColours;
use super::named_feature::way;
use crate::optics::Optics;
use crate::paint::map::noise::{Noise, lattice_random, noise};
use crate::paint::map::pixels::{Pixel, colour, line, pixel};
use crate::paint::map::style::{FOAM, RIVER, SHORE_INK, Srgb};
use farsight::grid::CellSize;
use farsight::horizon::{Crest, DepthPanorama, Projection};
use farsight::internal::math::{exp2_approx, log2_approx, smoothstep_f32};
use farsight::internal::parallel::*;
use farsight::viewshed::Surface;

/// The inputs of the colours of a panorama.
pub(super) struct Strip<'a> {
    pub(super) depths: &'a DepthPanorama,
    /// That of the ground below the trees.
    pub(super) ground_depths: Option<&'a DepthPanorama>,
    pub(super) land: &'a LandColours,
    pub(super) optics: &'a Optics,
    pub(super) atmosphere: &'a Atmosphere,
    /// The cell size at the viewer.
    pub(super) cell_size: CellSize,
    /// Samples per pixel.
    pub(super) samples: f32,
    /// The air along the first column of each band, and along the column after the last.
    pub(super) air: Vec<AirColumn>,
}

/// Returns `true` if the land behind a wood covers more of a pixel than the wood.
pub(super) fn is_seen_through(pixel: Pixel) -> bool {
    pixel[3] > 127
}

/// The number of columns of a band.
const BAND: usize = 16;

/// The strength of ink on crests, and its width in pixels.
const INK: f32 = 0.62;
const INK_WIDTH: f32 = 1.1;
/// Ratios of the distances behind and of a crest between which its ink fades in.
const INK_GAPS: [f32; 2] = [1.015, 1.30];

impl Strip<'_> {
    /// Prepares the air.
    pub(super) fn with_air(mut self) -> Self {
        let width = self.depths.projection().width;
        let farthest_m = (0..width).map(|x| self.farthest_m(x)).fold(1.0, f32::max);
        let first_columns = (0..=width.div_ceil(BAND)).into_par_iter().map(|band| self.way(band * BAND));
        let air = first_columns.map(|way| AirColumn::new(self.optics, self.depths.viewer(), way, farthest_m));
        self.air = air.collect();
        self
    }

    /// Paints the pixels column by column from the top; the fourth byte is the fraction seen through woods.
    pub(super) fn paint_columns(&self) -> Vec<Pixel> {
        let Projection { width, height, .. } = *self.depths.projection();
        let mut pixels = vec![[0; 4]; width * height];
        let rows = Atmosphere::rows(self.depths.projection());
        let bands: Vec<_> = pixels.chunks_mut((height * BAND).max(1)).enumerate().collect();
        bands.into_par_iter().for_each(|(band, columns)| {
            for (x, column) in (band * BAND..).zip(columns.chunks_exact_mut(height)) {
                self.paint_column(x, &rows, column);
            }
        });
        pixels
    }

    /// Returns the distance of the object that covers most of a pixel: a wood, or the land or sky behind it.
    pub(super) fn distance_m(&self, pixels: &[Pixel], x: usize, y: usize) -> f32 {
        let is_through = is_seen_through(pixels[x * self.depths.projection().height + y]);
        self.ground_depths.filter(|_| is_through).unwrap_or(self.depths).column_m(x)[y]
    }

    /// Returns the distance of the farthest land of a column in metres.
    fn farthest_m(&self, x: usize) -> f32 {
        let of = |depths: &DepthPanorama| depths.crests(x).last().map_or(1.0, |crest| crest.distance_m);
        of(self.depths).max(self.ground_depths.map_or(1.0, of))
    }

    /// Returns the direction of a column, in columns and rows of cells per metre.
    fn way(&self, x: usize) -> DVec2 {
        way(self.azimuth_deg(x), self.cell_size)
    }

    fn azimuth_deg(&self, x: usize) -> f64 {
        self.depths.projection().azimuth_deg(x as f64 + 0.5)
    }

    /// Returns the air along a column.
    pub(super) fn air(&self, x: usize) -> AirColumn {
        self.air[x / BAND].lerp(&self.air[x / BAND + 1], (x % BAND) as f32 / BAND as f32)
    }

    /// Returns the transmittance of the woods in front of a pixel between two distances. As in viewsheds, the line
    /// samples them where it crosses columns of cells, or rows if it crosses more of these.
    fn through_woods(&self, way: DVec2, slope: f64, [near_m, far_m]: [f32; 2]) -> f32 {
        /// The optical depth of opaque woods.
        const DARK: f32 = 4.0;
        let viewer = self.depths.viewer();
        let config = self.optics.config();
        let drop = Surface::drop_m(config.curvature(), 1.0);
        let eye_m = f64::from(self.optics.world().ground_m()[viewer]) + config.eye_height_m;
        let step_m = 1.0 / way.abs().max_element();
        let per_step = (config.vegetation_extinction_per_m * step_m) as f32;
        let (mut depth, mut at_m) = (0.0, (f64::from(near_m) / step_m).ceil() * step_m);
        while at_m < f64::from(far_m) && depth < DARK {
            let place = viewer.as_dvec2() + way * at_m;
            let Some([top_m, cover]) = self.land.wood_at(place.as_vec2()) else { break };
            // False for nodata.
            if (eye_m + at_m * (slope + drop * at_m)) < f64::from(top_m) && cover > 0.0 {
                depth += per_step * cover;
            }
            at_m += step_m;
        }
        if depth < DARK { libm::expf(-depth) } else { 0.0 }
    }

    fn paint_column(&self, x: usize, rows: &[SkyRow], out: &mut [Pixel]) {
        let projection = self.depths.projection();
        let distances = self.depths.column_m(x);
        let behind = self.ground_depths.map_or(distances, |ground| ground.column_m(x));
        let (air, way) = (self.air(x), self.way(x));
        let sky = self.atmosphere.column(self.azimuth_deg(x)).with_banks(&air);
        let per_degree = projection.pixels_per_degree().map(|pixels| pixels as f32);
        let viewer = self.depths.viewer().as_dvec2();
        let ground = ColumnGround {
            strip: self,
            noise: noise(),
            cell_m: Vec2::new(self.cell_size.x_m as f32, self.cell_size.y_m as f32),
            pixel_rad: (1.0 / per_degree[0]).to_radians(),
            sky: &sky,
        };
        // The land behind a wood starts some cells behind its surface; in front of the sky, a wood ends some cells
        // behind the last crest.
        let cell_m = self.cell_size.shorter_m() as f32;
        let (least_gap_m, last_m) = (2.0 * cell_m, self.farthest_m(x) + 12.0 * cell_m);
        let seen = |row: &SkyRow, distance_m: f32| {
            if distance_m == f32::INFINITY {
                return self.atmosphere.sky(&sky, row, per_degree);
            }
            let land = ground.at(viewer + way * f64::from(distance_m), distance_m);
            let clear = air.shown(distance_m);
            let mut air = sky.air(row.height, clear.y);
            let vanished = SkyColumn::vanished(clear.y);
            if vanished > 0.0 {
                air = air.lerp(self.atmosphere.sky(&sky, row, per_degree), vanished);
            }
            air + (land - air) * clear
        };
        for (y, (out, row)) in out.iter_mut().zip(rows).enumerate() {
            let (distance_m, behind_m) = (distances[y], behind[y]);
            let mut colour = seen(row, distance_m);
            let mut through = 0.0;
            if behind_m - distance_m > least_gap_m {
                // A wood, and the land behind it.
                let end_m = behind_m.min(last_m);
                through = self.through_woods(way, projection.slope(y as f64 + 0.5), [distance_m, end_m]);
                if through > 0.0 {
                    colour = colour.lerp(seen(row, behind_m), through);
                }
            } else if distance_m == f32::INFINITY {
                // Noise hides steps in slow gradients of colour.
                colour += lattice_random(x as i32, y as i32, 96) - 0.5;
            }
            *out = pixel(colour, (255.0 * through + 0.5) as u8);
        }
        self.draw_crests(x, &air, out);
    }

    /// Smooths the edges at crests, and draws ink on crests in front of much more distant land.
    fn draw_crests(&self, x: usize, air: &AirColumn, out: &mut [Pixel]) {
        let projection = self.depths.projection();
        let is_night = self.atmosphere.sky.night;
        let mut above = f64::INFINITY;
        for Crest { slope, distance_m, behind_m, .. } in self.depths.crests(x) {
            let y = projection.y_of_slope(f64::from(*slope));
            if !(0.0..out.len() as f64).contains(&y) {
                continue;
            }
            let row = y.floor() as usize;
            let inside = (y - row as f64) as f32;
            if row > 0 && row + 1 < out.len() {
                let [far, near] = [colour(out[row - 1]), colour(out[row + 1])];
                out[row] = pixel(near.lerp(far, inside), out[row][3]);
            }
            // A line within its width of the line below only darkens that line.
            let crowd = ((above - y) as f32 / (1.6 * self.samples)).clamp(0.15, 1.0);
            above = y;
            let ratio = behind_m / distance_m.max(1.0);
            let gap = smoothstep_f32(INK_GAPS[0], INK_GAPS[1], ratio) * crowd;
            let clear = air.shown(*distance_m).y;
            let near = smoothstep_f32(0.3, 3.0, distance_m / self.cell_size.shorter_m() as f32);
            let through = f32::from(out[(row + 1).min(out.len() - 1)][3]) / 255.0;
            let ink = INK * (1.0 - 0.45 * self.atmosphere.hazy);
            let share = ink * gap * clear * (0.35 + 0.65 * near) * (1.0 - through);
            if share < 0.02 {
                continue;
            }
            let width = INK_WIDTH * self.samples;
            let reach = width.ceil() as usize + 1;
            let ink_of = |colour: Srgb| {
                let dark = colour * Srgb::new(0.42, 0.42, 0.48);
                dark.lerp(colour * 1.30 + 14.0, is_night)
            };
            let below = colour(out[(row + reach).min(out.len() - 1)]);
            for (at, out) in out.iter_mut().enumerate().take(row + reach + 1).skip(row.saturating_sub(reach)) {
                let covered = line(at as f32 + 0.5 - y as f32 - 0.3 * width, width);
                *out = pixel(colour(*out).lerp(ink_of(below), share * covered), out[3]);
            }
        }
    }
}

/// The ground along a column.
struct ColumnGround<'a, 's> {
    strip: &'a Strip<'s>,
    noise: &'static Noise,
    cell_m: Vec2,
    /// The horizontal angle of a pixel.
    pixel_rad: f32,
    sky: &'a SkyColumn,
}

/// Features of the texture, in pixels.
const FEATURE: f32 = 5.0;
/// The width of the crown of a tree, in metres.
pub(super) const CROWN_M: f32 = 11.0;

impl ColumnGround<'_, '_> {
    /// Returns the colour of land or water at a place in cells, at a distance from the eye, without the air.
    #[inline]
    fn at(&self, place: DVec2, distance_m: f32) -> Srgb {
        let point = self.strip.land.at(place);
        let metres = place.as_vec2() * self.cell_m;
        let pixel_m = (distance_m * self.pixel_rad).max(0.004);
        // Two octaves of noise with features of a constant size in pixels, so that near and far ground are equally
        // fine.
        let octave = log2_approx(FEATURE * pixel_m);
        let floor = octave.floor();
        let fine = 1.0 - (octave - floor);
        let seed = 101 + (floor as i32).rem_euclid(8) as u32;
        let scale = exp2_approx(-floor);
        let texture = fine * self.noise.at(metres.x * scale, metres.y * scale, seed)
            + 0.9 * self.noise.at(metres.x * scale * 0.5, metres.y * scale * 0.5, seed + 1)
            + (1.0 - fine) * 0.8 * self.noise.at(metres.x * scale * 0.25, metres.y * scale * 0.25, seed + 2);
        let texture = texture * (1.0 - 0.5 * self.strip.atmosphere.hazy);
        let near = smoothstep_f32(300.0, 20.0, distance_m);
        let mut land = point.land;
        if point.wood_share > 0.05 {
            let crowns = smoothstep_f32(0.6, 2.5, CROWN_M / pixel_m);
            land *= 1.0 + point.wood_share * (0.07 + 0.07 * crowns) * (1.0 - 0.7 * near) * texture;
        }
        land *= 1.0 + (0.05 + 0.035 * near) * texture * (1.0 - 0.5 * point.wood_share);
        if point.river_share > 0.5 {
            land = land.lerp(
                self.strip.atmosphere.sky.light(RIVER, (Vec2::ZERO, 1.0), true),
                smoothstep_f32(0.60, 0.80, point.river_share),
            );
        }
        if point.water_share > 0.3 {
            // The shore is displaced by a fraction of a cell.
            let shore = point.water_share + 0.06 * texture;
            let soft = (0.5 * pixel_m / self.cell_m.x).clamp(0.02, 0.3);
            let share = smoothstep_f32(0.5 - soft, 0.5 + soft, shore);
            let water = self.water(point.water, texture, distance_m);
            let line = smoothstep_f32(0.10, 0.0, (shore - 0.53).abs()) * (1.0 - smoothstep_f32(0.02, 0.25, soft));
            let ink = smoothstep_f32(0.035, 0.0, (shore - 0.49).abs()) * (1.0 - smoothstep_f32(0.02, 0.2, soft));
            let hour = &self.strip.atmosphere.sky;
            land = land.lerp(water, share);
            land = land.lerp(hour.light(FOAM, (Vec2::ZERO, 1.0), true), 0.5 * line);
            land = land.lerp(hour.light(SHORE_INK, (Vec2::ZERO, 1.0), true), 0.35 * ink);
        }
        self.strip.land.with_lamps(land, place)
    }

    /// Returns the colour of water, which reflects more of the sky at grazing angles (Schlick 1994).
    fn water(&self, deep: Srgb, texture: f32, distance_m: f32) -> Srgb {
        let grazing = smoothstep_f32(40.0, 2500.0, distance_m);
        let sky = self.sky.low;
        let reflected = 0.12 + 0.30 * grazing;
        let waves = (0.05 + 0.06 * (1.0 - grazing)) * texture;
        let glint = smoothstep_f32(0.9, 1.9, texture) * (0.30 - 0.12 * grazing);
        (deep * (1.0 + waves))
            .lerp(sky, reflected)
            .lerp(sky.lerp(Srgb::splat(255.0), 0.5 * self.strip.atmosphere.sky.day), glint)
    }
}
