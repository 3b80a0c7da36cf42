//! [`PanoramaMarks`]: objects on a panorama: towers, lamps, creatures, lookouts.

use std::f32::consts::TAU;

use glam::{DVec2, Vec2, vec2};

use super::atmosphere::{Atmosphere, SkyHeight};
use super::named_feature::{FeatureFinder, Landmark, PanoramaPoint};
use crate::creatures::Sighting;
use crate::math::sort_descending;
use crate::paint::Picture;
use crate::paint::colour::Colour;
use crate::paint::map::style::Srgb;
use crate::paint::mark::{paint_creature, paint_lookout, paint_question};
use crate::paint::shape::{Mask, Path, PixelBounds, fill};
use farsight::horizon::{DepthPanorama, Projection};

/// Objects on the land: towers, lamps, creatures, lookouts.
pub(super) struct PanoramaMarks<'a> {
    pub(super) finder: &'a FeatureFinder<'a>,
    pub(super) projection: &'a Projection,
    pub(super) is_dark: bool,
}

impl PanoramaMarks<'_> {
    /// Returns the pixel of a point at a height over the ground of its cell, and its distance; `None` if it is hidden.
    fn pixel(&self, place: DVec2, over_ground_m: f64) -> Option<(Vec2, f64)> {
        let direction = self.finder.direction(place, over_ground_m)?;
        let is_seen = direction.slope >= self.finder.horizon_before(&direction);
        let x = self.projection.x(direction.azimuth_deg).filter(|_| is_seen)?;
        Some((vec2(x as f32, self.projection.y_of_slope(direction.slope) as f32), direction.distance_m))
    }

    /// Draws towers and turbines within the range in their true size, without what the land in front of them hides. `depths` has
    /// some samples per pixel along each axis.
    pub(super) fn paint_landmarks(
        &self,
        picture: &mut Picture,
        depths: &DepthPanorama,
        landmarks: &[Landmark],
        atmosphere: &Atmosphere,
    ) {
        for landmark in landmarks.iter().filter(|landmark| landmark.height_m > 0.0) {
            let is_near = |foot: &PanoramaPoint| foot.distance_m <= self.finder.max_distance_m;
            let Some(foot) = self.finder.direction(landmark.place, 0.0).filter(is_near) else { continue };
            let Some(x) = self.projection.x(foot.azimuth_deg) else { continue };
            let (x, before) = (x as f32, self.finder.horizon_before(&foot));
            let slope = |over_ground_m: f64| foot.slope + over_ground_m / foot.distance_m;
            let y = |slope: f64| self.projection.y_of_slope(slope) as f32;
            let up = self.projection.pixels_per_degree()[1] as f32;
            let metre = (1.0 / foot.distance_m).to_degrees() as f32 * up;
            let dark = if self.is_dark { [196.0, 204.0, 226.0] } else { [58.0, 60.0, 70.0] };
            let clear = self.finder.clear(&foot).y;
            let air = atmosphere.column(foot.azimuth_deg).air(SkyHeight::of(0.0), clear);
            let ink: Colour = (air + (Srgb::from_array(dark) - air) * clear.max(0.15)).to_array();
            let top = slope(landmark.height_m);
            if top > before {
                let low = foot.slope.max(before);
                // Tapered, and at least a pixel wide.
                let [foot, head] = [26.0, 60.0].map(|part| (landmark.height_m as f32 / part * metre).max(0.6));
                let (bottom, top) = (y(low), y(top));
                let corners = [(-foot, bottom), (foot, bottom), (head, top), (-head, top)];
                let mut tower = Path::default();
                tower.polygon(&corners.map(|(aside, y)| vec2(x + aside, y)));
                fill(picture, &tower, ink, 0.95);
            }
            if landmark.rotor_m > 0.0 {
                let (hub, blade_m) = (vec2(x, y(top)), landmark.rotor_m / 2.0);
                let blade = blade_m as f32 * metre;
                for i in 0..3 {
                    let angle = TAU * (i as f32 / 3.0) + 0.35;
                    let tip_m = landmark.height_m + blade_m * f64::from(libm::cosf(angle));
                    let tip = vec2(x + libm::sinf(angle) * blade, y(slope(tip_m)));
                    let width = (blade / 14.0).max(1.0);
                    let Some(mut mask) = Mask::of_stroke(&[hub, tip], width, PixelBounds::of(picture)) else {
                        continue;
                    };
                    hide_behind_land(&mut mask, depths, self.projection, self.finder.hiding_range_m(&foot));
                    mask.paint(picture, ink, 0.9);
                }
            }
        }
    }

    /// Draws the flames of lamps in sight with the light around them; `dark` is 1 at night.
    pub(super) fn paint_lamps(&self, picture: &mut Picture, dark: f32) {
        for lamp in self.finder.scene.lamps() {
            let Some((at, distance_m)) = self.pixel(lamp.at.as_dvec2(), lamp.height_m) else { continue };
            let hue = Srgb::from_array(lamp.colour.hue().map(|channel| channel * 255.0));
            let near = (600.0 / distance_m).sqrt().clamp(0.35, 1.6) as f32;
            let clear =
                self.finder.direction(lamp.at.as_dvec2(), lamp.height_m).map_or(0.0, |at| self.finder.clear(&at).y);
            let (reach, strength) = (14.0 * near, dark * clear.max(0.04).sqrt() * (lamp.strength as f32).min(1.5));
            let low = (at - reach).floor().as_ivec2();
            let high = (at + reach).ceil().as_ivec2();
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let distance = (vec2(x as f32, y as f32) + 0.5 - at).length();
                    let halo = lamp.falloff.at(f64::from(distance), f64::from(reach)) as f32;
                    let flame = (1.6 * near + 0.6 - distance).clamp(0.0, 1.0);
                    picture.blend(x, y, hue.to_array(), 0.55 * strength * halo);
                    picture.blend(
                        x,
                        y,
                        hue.lerp(Srgb::splat(255.0), 0.6).to_array(),
                        flame * (0.4 + 0.6 * strength).min(1.0),
                    );
                }
            }
        }
    }

    /// Draws creatures as perceived, and lookouts, the farthest first.
    pub(super) fn paint_creatures(&self, picture: &mut Picture) {
        let scene = self.finder.scene;
        let mut marks: Vec<(f64, Vec2, Option<Sighting>)> = Vec::new();
        if scene.preset().paint.creatures {
            for sighting in scene.sightings() {
                let seen = self.pixel(sighting.cell().as_dvec2(), 1.0);
                marks.extend(seen.map(|(at, distance_m)| (distance_m, at, Some(sighting))));
            }
        }
        for lookout in scene.observers() {
            let seen = self.pixel(lookout.at.as_dvec2(), lookout.eye_height_m);
            marks.extend(seen.map(|(at, distance_m)| (distance_m, at, None)));
        }
        sort_descending(&mut marks, |mark| mark.0);
        for (distance_m, at, mark) in marks {
            let scale = (0.95 - 0.12 * libm::log2f(distance_m as f32 / 500.0)).clamp(0.55, 0.95);
            let at = at - vec2(0.0, 6.0 * scale);
            match mark {
                Some(Sighting::Identified(species, _)) => {
                    paint_creature(picture, at, species, false, scale, self.is_dark);
                }
                Some(Sighting::Remembered(species, _)) => {
                    paint_creature(picture, at, species, true, scale, self.is_dark);
                }
                Some(Sighting::Glimpsed(_)) => paint_question(picture, at, false, scale, self.is_dark, None),
                Some(Sighting::Stale(_)) => paint_question(picture, at, true, scale, self.is_dark, None),
                None => paint_lookout(picture, at, scale),
            }
        }
    }
}

/// Reduces the coverage of each pixel to the fraction of its samples without land up to a distance.
fn hide_behind_land(mask: &mut Mask, depths: &DepthPanorama, projection: &Projection, range_m: f64) {
    let ([left, top], width) = (mask.bounds.min.to_array().map(|at| at as usize), mask.width());
    let samples = depths.projection().width / projection.width;
    for (i, covered) in mask.coverage.iter_mut().enumerate().filter(|(_, covered)| **covered > 0.0) {
        let (x, y) = ((left + i % width) * samples, (top + i / width) * samples);
        let distances = (x..x + samples).flat_map(|x| depths.column_m(x)[y..y + samples].iter());
        let clear = distances.filter(|distance_m| f64::from(**distance_m) > range_m).count();
        *covered *= clear as f32 / (samples * samples) as f32;
    }
}
