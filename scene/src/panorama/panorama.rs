//! [`Panorama`]: the view of a viewer in all directions as a picture; [`PanoramaPainter`].

use std::fmt::Write;

use glam::IVec2;

use super::annotation::Annotation;
use super::atmosphere::Atmosphere;
use super::labels::PanoramaLabels;
use super::land_colours::LandColours;
use super::marks::PanoramaMarks;
use super::named_feature::{FeatureFinder, Landmark, NamedFeature};
use super::options::{PanoramaError, PanoramaOptions};
use super::strip::{Strip, is_seen_through};
use super::woods::draw_woods;
use crate::math::sort_descending;
use crate::paint::Picture;
use crate::paint::map::pixels::{Pixel, colour, pixel};
use crate::paint::map::sky_light::SkyLight;
use crate::paint::map::style::Srgb;
use crate::scene::{Scene, Terrain};
use farsight::horizon::{AzimuthHorizon, DepthPanorama, HorizonConfig, Projection};
use farsight::internal::horizon::{panorama_over, replace_distances};
use farsight::internal::parallel::*;
use farsight::light::SunPosition;
use farsight::viewshed::Surface;

/// A panoramic picture of the view of a viewer, with names.
#[derive(Clone, Debug)]
pub struct Panorama {
    /// Without names and degrees.
    ground: Picture,
    /// With the samples of a pixel next to each other.
    depths: DepthPanorama,
    projection: Projection,
    samples: usize,
    annotations: Vec<Annotation>,
    features: Vec<NamedFeature>,
}

impl Panorama {
    /// Returns the picture, with names and degrees.
    pub fn picture(&self) -> Picture {
        let mut picture = self.ground.clone();
        self.annotations.iter().for_each(|annotation| annotation.paint(&mut picture));
        picture
    }

    /// Returns the picture without names and degrees.
    pub fn ground(&self) -> &Picture {
        &self.ground
    }

    /// Returns the names and degrees as elements of SVG over a picture at `href`, which may be a data URL.
    pub fn svg(&self, href: &str) -> String {
        let Projection { width, height, .. } = self.projection;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" text-anchor=\"middle\" \
             font-family=\"Libertinus Serif, Linux Libertine, Georgia, serif\">\n<title>Panorama</title>\n\
             <image width=\"{width}\" height=\"{height}\" href=\"{href}\"/>\n"
        );
        self.annotations.iter().for_each(|annotation| annotation.write_svg(&mut svg));
        let _ = writeln!(svg, "</svg>");
        svg
    }

    /// Returns the directions of the pixels, clockwise from the top of the map.
    pub fn projection(&self) -> &Projection {
        &self.projection
    }

    /// Returns the labelled features, the most prominent first.
    pub fn features(&self) -> &[NamedFeature] {
        &self.features
    }

    /// Returns the distance of the land in a pixel, in metres; `None` for the sky.
    pub fn distance_m(&self, x: usize, y: usize) -> Option<f32> {
        let middle = |at: usize| at * self.samples + self.samples / 2;
        self.depths.distance_m(middle(x), middle(y))
    }

    /// Returns the vertical exaggeration.
    pub fn exaggeration(&self) -> f64 {
        let [across, up] = self.projection.pixels_per_degree();
        up / across
    }
}

/// Paints panoramas. It caches the colours of the land between pictures, so that a step of a viewer costs little.
///
/// ```
/// use farsight::Job;
/// use farsight_scene::panorama::{PanoramaOptions, PanoramaPainter};
/// use farsight_scene::preset::Preset;
/// use farsight_scene::scene::Scene;
/// let mut preset = Preset::named("alpine")?;
/// (preset.world.width, preset.world.height) = (96, 96);
/// let scene = Scene::generate(preset, None, Job::none())?;
/// let options = PanoramaOptions::default().with_width(400).with_height(120).with_samples(1);
/// let mut painter = PanoramaPainter::default();
/// let panorama = painter.paint(&scene, &options, &[])?;
/// assert_eq!((panorama.picture().width(), panorama.picture().height()), (400, 120));
/// // The lower edge shows ground, the upper one sky.
/// assert!(panorama.distance_m(200, 119).is_some() && panorama.distance_m(200, 0).is_none());
/// assert!(painter.cell_at(&scene, &panorama, 200, 119).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct PanoramaPainter {
    land: Option<LandColours>,
}

impl PanoramaPainter {
    /// Paints the view of the viewer of a scene, with the user's landmarks.
    ///
    /// # Errors
    /// [`PanoramaError`].
    pub fn paint(
        &mut self,
        scene: &Scene,
        options: &PanoramaOptions,
        landmarks: &[Landmark],
    ) -> Result<Panorama, PanoramaError> {
        options.check()?;
        let Terrain::World(optics) = scene.terrain() else { return Err(PanoramaError::NoLand) };
        // Below, azimuths count from the top of the map; only in degrees and features that are returned they count from true north.
        let (sky, convergence_deg) = (SkyLight::of(scene), options.convergence_deg);
        let sun = SunPosition::of(&scene.clock(), options.latitude_deg)
            .map(|sun| SunPosition { azimuth_deg: (sun.azimuth_deg - convergence_deg).rem_euclid(360.0), ..sun });
        let land = LandColours::of(self.land.take(), scene, optics, &sky, sun);
        let land = &*self.land.insert(land);
        let viewer = scene.viewer();
        let (surface, ground) = (land.surface(optics, viewer), land.ground(optics, viewer));
        let projection = projection(&surface, viewer, options)?;
        let samples = options.samples as usize;
        let sampled = projection.with_width(projection.width * samples).with_height(projection.height * samples);
        let depths = |surface: &Surface<'_>| {
            panorama_over(surface, Some(land.pyramid()), viewer, &sampled, options.max_distance_m)
        };
        let (mut depths, ground_depths) = (depths(&surface)?, ground.as_ref().map(depths).transpose()?);
        let atmosphere = Atmosphere::of(scene, optics, &sky, sun);
        let strip = Strip {
            depths: &depths,
            ground_depths: ground_depths.as_ref(),
            land,
            optics,
            atmosphere: &atmosphere,
            cell_size: surface.cell_size,
            samples: samples as f32,
            air: Vec::new(),
        }
        .with_air();
        let mut pixels = strip.paint_columns();
        draw_woods(&strip, &surface, &mut pixels);
        let mut ground = picture(&pixels, projection.width, projection.height, samples);
        let finder = FeatureFinder { scene, optics, surface, max_distance_m: options.max_distance_m };
        let marks = PanoramaMarks { finder: &finder, projection: &projection, is_dark: sky.is_night() };
        // Trees hide landmarks as they hide their names: these depths do not reach through them.
        marks.paint_landmarks(&mut ground, &depths, landmarks, &atmosphere);
        if let Some(ground_depths) = &ground_depths {
            replace_distances(&mut depths, ground_depths, |pixel| is_seen_through(pixels[pixel]));
        }
        marks.paint_lamps(&mut ground, 1.0 - sky.day);
        marks.paint_creatures(&mut ground);
        let skyline = (0..projection.width).map(|x| skyline_row(&depths, x * samples) / samples as f32).collect();
        let mut labels = PanoramaLabels::new(&projection, sky.is_night(), skyline);
        if let Some(sun) = atmosphere.sun {
            labels.add_sun(sun.azimuth_deg, sun.elevation_deg);
        }
        let mut found = Vec::new();
        if options.names {
            found = finder.find(&projection, &depths, samples, landmarks);
            found.extend(finder.edges(&projection, &depths, samples));
            sort_descending(&mut found, |feature| feature.rank); // own places first
        }
        let mut named = labels.add_features(&found);
        for feature in &mut named {
            feature.azimuth_deg = (feature.azimuth_deg + convergence_deg).rem_euclid(360.0);
        }
        labels.add_degrees(convergence_deg);
        let annotations = labels.annotations;
        Ok(Panorama { ground, depths, projection, samples, annotations, features: named })
    }

    /// Returns the cell that a pixel of a panorama of a scene shows, whose centre is visible over ground and trees, or
    /// through trees with a transmittance above one half; `None` for the sky. The panorama must be the last painted
    /// one.
    pub fn cell_at(&self, scene: &Scene, panorama: &Panorama, x: usize, y: usize) -> Option<IVec2> {
        let (Some(land), Terrain::World(optics)) = (&self.land, scene.terrain()) else { return None };
        let (depths, viewer) = (&panorama.depths, panorama.depths.viewer());
        let [x, y] = [x, y].map(|at| at * panorama.samples + panorama.samples / 2);
        let through_woods = || depths.cell_at(&land.ground(optics, viewer)?, x, y);
        depths.cell_at(&land.surface(optics, viewer), x, y).or_else(through_woods)
    }

    /// Returns the pixel of the ground of a cell in a panorama, even if it is hidden; `None` for the viewer's cell,
    /// outside the field and off the map.
    pub fn pixel_of(&self, scene: &Scene, panorama: &Panorama, cell: IVec2) -> Option<[f64; 2]> {
        let (Some(land), Terrain::World(optics)) = (&self.land, scene.terrain()) else { return None };
        let surface = land.surface(optics, scene.viewer());
        let finder = FeatureFinder { scene, optics, surface, max_distance_m: f64::INFINITY };
        let direction = finder.direction(cell.as_dvec2(), 0.0)?;
        Some([panorama.projection.x(direction.azimuth_deg)?, panorama.projection.y_of_slope(direction.slope)])
    }
}

/// Rows of eye level, of the highest and of the lowest skyline in a panorama, from the top, as fractions of its height.
const LEVEL_ROW: f64 = 0.70;
const HIGHEST_ROW: f64 = 0.36;
const LOWEST_ROW: f64 = 0.80;
/// The range of automatic vertical exaggerations.
const CHOSEN_EXAGGERATIONS: [f64; 2] = [0.4, 2.6];
/// The minimum elevation angle of land that fills the panorama, in degrees.
const LEAST_SKYLINE_DEG: f64 = 1.5;

/// Returns the directions of the pixels, with eye level and skyline in balanced rows.
fn projection(surface: &Surface<'_>, viewer: IVec2, options: &PanoramaOptions) -> Result<Projection, PanoramaError> {
    /// The number of azimuths at which the skyline is sampled.
    const AZIMUTHS: u32 = 128;
    let (width, height) = (f64::from(options.width), f64::from(options.height));
    let left_deg = options.middle_deg - options.convergence_deg - 0.5 * options.field_deg;
    let config = HorizonConfig::default().with_max_distance_m(options.max_distance_m);
    let mut skyline: Vec<f64> = Vec::new();
    for i in 0..AZIMUTHS {
        let azimuth_deg = left_deg + options.field_deg * (f64::from(i) + 0.5) / f64::from(AZIMUTHS);
        let along = AzimuthHorizon::of(surface, viewer, azimuth_deg, &config)?;
        skyline.extend(along.skyline().map(|ridge| ridge.elevation_deg()));
    }
    sort_descending(&mut skyline, |elevation| *elevation);
    // A near tree can hide a narrow part of the sky, and a narrow valley can open it.
    let last = skyline.len().saturating_sub(1);
    let [high, low] = [3, 97].map(|part| skyline.get(last * part / 100).copied().unwrap_or(0.0));
    let (low, high) = (low.min(0.0), high.max(0.0));
    let per_degree = width / options.field_deg;
    let rows_of_land = (LOWEST_ROW - HIGHEST_ROW) * height / (per_degree * (high - low).max(LEAST_SKYLINE_DEG));
    let rows_above = (LEVEL_ROW - HIGHEST_ROW) * height / (per_degree * high.max(LEAST_SKYLINE_DEG));
    let [least, most] = CHOSEN_EXAGGERATIONS;
    // The true slope of the land, where another row of eye level makes it fit.
    let chosen =
        if rows_above >= 1.0 { rows_of_land.min(rows_above) } else { rows_of_land.min(1.0) }.clamp(least, most);
    let exaggeration = options.exaggeration.unwrap_or((chosen * 10.0).round() / 10.0);
    let up = per_degree * exaggeration;
    let highest_level = HIGHEST_ROW * height + up * high;
    let level = (LEVEL_ROW * height).min(LOWEST_ROW * height + up * low).max(highest_level);
    Ok(Projection::new(options.width as usize, options.height as usize)
        .with_left_deg(left_deg)
        .with_field_deg(options.field_deg)
        .with_top_deg(level / up)
        .with_bottom_deg((level - height) / up))
}

/// Returns the row of the skyline of a column, in samples.
fn skyline_row(depths: &DepthPanorama, x: usize) -> f32 {
    let column = depths.column_m(x);
    column.iter().position(|distance| distance.is_finite()).unwrap_or(column.len()) as f32
}

/// Returns the picture of columns of pixels; each pixel is the mean of its samples.
fn picture(pixels: &[Pixel], width: usize, height: usize, samples: usize) -> Picture {
    let mut picture = Picture::new(width, height, [0.0; 3]);
    let tall = height * samples;
    let rows: Vec<_> = picture.bytes_mut().chunks_mut(4 * width.max(1)).enumerate().collect();
    rows.into_par_iter().for_each(|(y, row)| {
        for (x, out) in row.chunks_exact_mut(4).enumerate() {
            let mut sum = Srgb::ZERO;
            for column in 0..samples {
                let start = (x * samples + column) * tall + y * samples;
                sum += pixels[start..start + samples].iter().map(|&pixel| colour(pixel)).sum::<Srgb>();
            }
            out.copy_from_slice(&pixel(sum / (samples * samples) as f32, 255));
        }
    });
    picture
}
