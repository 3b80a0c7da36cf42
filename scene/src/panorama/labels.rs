//! [`PanoramaLabels`]: names and degrees over a panorama.

use glam::{Vec2, vec2};

use super::annotation::Annotation;
use super::named_feature::{FeatureKind, NamedFeature};
use crate::math::sort_descending;
use crate::paint::colour::Colour;
use crate::paint::lettering::{Face, Halo, width};
use crate::paint::mark::summit_colours;
use farsight::horizon::Projection;

/// The height and the width of a panorama with letters of these sizes; larger panoramas have larger letters, readable
/// on a wall and on a phone.
const USUAL_SIZE: Vec2 = vec2(600.0, 260.0);
const LARGEST: f32 = 4.0;
/// Sizes of letters in pixels: names, and heights and distances below them.
const NAME_SIZE: f32 = 12.5;
const DETAIL_SIZE: f32 = 10.5;
const LINE: f32 = 12.5;
/// The minimum length of the line from a name to its place, and the spacing of rows of names.
const LEADER: f32 = 15.0;
const TIER: f32 = 15.0;
/// The maximum length in pixels of the line of a name in the sky over farther land. Other names are over that land, at
/// most this many rows up.
const CROSSED: f32 = 5.0;
const TIERS_OVER_LAND: usize = 3;
/// The minimum distance between names, and of names from the edge.
const APART: Vec2 = vec2(7.0, 3.0);
const EDGE: f32 = 6.0;
/// Names per thousand pixels of width, besides landmarks.
const NAMES: f32 = 15.0;
/// The maximum number of letters of a name.
const LONGEST: usize = 32;
/// The minimum spacing of degrees of the compass in pixels.
const DEGREES_APART: f64 = 56.0;
/// The height of the band of the compass, and the alpha of its colour.
const BAND: f32 = 21.0;
const BAND_ALPHA: f32 = 0.66;
/// Sizes of the letters of the compass, the increment for a main direction, and the size for elevations.
const COMPASS_SIZE: f32 = 11.5;
const MAIN_DIRECTION: f32 = 1.0;
const ELEVATION_SIZE: f32 = 11.0;
/// The steps of the degrees of the compass and of elevations.
const AZIMUTH_STEPS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 15.0, 22.5, 45.0, 90.0, 180.0];
const ELEVATION_STEPS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
const ELEVATIONS_APART: f64 = 30.0;

/// The texts and lines of a panorama.
pub(super) struct PanoramaLabels<'a> {
    projection: &'a Projection,
    is_dark: bool,
    /// The factor of all sizes.
    scale: f32,
    /// The row of the skyline in each column.
    skyline: Vec<f32>,
    taken: Vec<(Vec2, Vec2)>,
    pub(super) annotations: Vec<Annotation>,
}

impl<'a> PanoramaLabels<'a> {
    pub(super) fn new(projection: &'a Projection, is_dark: bool, skyline: Vec<f32>) -> Self {
        let size = vec2(projection.width as f32, projection.height as f32);
        let scale = (size / USUAL_SIZE).min_element().clamp(1.0, LARGEST);
        Self { projection, is_dark, scale, skyline, taken: Vec::new(), annotations: Vec::new() }
    }

    fn size(&self) -> Vec2 {
        vec2(self.projection.width as f32, self.projection.height as f32)
    }

    /// Labels the features, the most prominent first, while there is space over the skyline. Returns the labelled ones.
    pub(super) fn add_features(&mut self, features: &[NamedFeature]) -> Vec<NamedFeature> {
        let most = (NAMES * self.size().x / (1000.0 * self.scale)).ceil() as usize;
        let mut named = Vec::new();
        for feature in features {
            if (feature.kind == FeatureKind::Own || named.len() < most) && self.add_feature(feature) {
                named.push(feature.clone());
            }
        }
        named
    }

    fn add_feature(&mut self, feature: &NamedFeature) -> bool {
        let Some(x) = self.projection.x(feature.azimuth_deg) else { return false };
        let at = vec2(x as f32, self.projection.y(feature.elevation_deg) as f32);
        let scale = self.scale;
        if at.y > self.size().y - BAND * scale {
            return false;
        }
        let (ink, halo) = summit_colours(self.is_dark);
        let ink: Colour = match (feature.kind, self.is_dark) {
            (FeatureKind::Water, false) => [30.0, 70.0, 104.0],
            (FeatureKind::Water, true) => [150.0, 176.0, 214.0],
            _ => ink,
        };
        let halo = Halo { alpha: 0.55, width: halo.width * scale, ..halo };
        let lines = self.lines(feature);
        let half = lines.iter().map(|(text, face, size)| width(text, *face, *size, 0.0)).fold(0.0, f32::max) * 0.5;
        let (tall, edge) = (scale * LINE * lines.len() as f32, scale * EDGE);
        let middle = at.x.clamp(half + edge, (self.size().x - half - edge).max(half + edge));
        if (middle - at.x).abs() > half {
            return false;
        }
        // The lowest free row over the skyline and the place. A line over a farther crest would appear to end at that
        // crest.
        let is_before_land = at.y - self.roof(at.x, at.x) > scale * CROSSED && feature.kind != FeatureKind::Own;
        let (roof, tiers) = match is_before_land {
            true => (at.y, TIERS_OVER_LAND),
            false => (self.roof(middle - half - 3.0, middle + half + 3.0).min(at.y), usize::MAX),
        };
        let rows = (0..tiers).map(|tier| roof - scale * (LEADER + tier as f32 * TIER));
        for bottom in rows.take_while(|bottom| bottom - tall >= edge) {
            let rect = (vec2(middle - half, bottom - tall), vec2(middle + half, bottom));
            let leader = (vec2(at.x, bottom), vec2(at.x, at.y));
            if self.is_free(rect) && self.is_free((leader.0 + vec2(0.0, 2.0), leader.1)) {
                let style = (ink, halo);
                self.annotations.push(Annotation::Line {
                    from: vec2(at.x, bottom + 1.0),
                    to: at,
                    width: 1.2 * scale,
                    colour: ink,
                    alpha: 0.72,
                });
                for (i, (text, face, size)) in lines.into_iter().enumerate() {
                    let y = bottom - tall + scale * LINE * (i as f32 + 0.5);
                    self.annotations.push(Annotation::text(vec2(middle, y), text, face, size, style));
                }
                self.taken.extend([rect, (leader.0 - vec2(2.0, 0.0), leader.1 + vec2(2.0, 0.0))]);
                return true;
            }
        }
        false
    }

    fn lines(&self, feature: &NamedFeature) -> [(String, Face, f32); 2] {
        let distance = distance(feature.distance_m);
        let (name, height) = (shortened(&feature.name), format!("{:.0} m", feature.height_m));
        let (first, face, second) = match feature.kind {
            FeatureKind::Summit if name.is_empty() => (height, Face::Bold, distance),
            FeatureKind::Summit => (name, Face::Bold, format!("{height}, {distance}")),
            FeatureKind::Edge => (height, Face::Roman, format!("{distance}, map edge")),
            FeatureKind::Water | FeatureKind::Own => (name, Face::Italic, distance),
        };
        [(first, face, NAME_SIZE * self.scale), (second, Face::Roman, DETAIL_SIZE * self.scale)]
    }

    /// Returns the highest row of the skyline between two columns.
    fn roof(&self, left: f32, right: f32) -> f32 {
        let last = self.skyline.len().saturating_sub(1);
        let [left, right] = [left, right].map(|x| (x.max(0.0) as usize).min(last));
        self.skyline[left..=right].iter().copied().fold(f32::INFINITY, f32::min)
    }

    fn is_free(&self, (low, high): (Vec2, Vec2)) -> bool {
        let touches = |(l, h): &(Vec2, Vec2)| {
            low.cmplt(*h + self.scale * APART).all() && high.cmpgt(*l - self.scale * APART).all()
        };
        !self.taken.iter().any(touches)
    }

    /// Adds the compass in a band along the lower edge, with the azimuth of the top of the map, and degrees of elevation at the left
    /// edge.
    pub(super) fn add_degrees(&mut self, convergence_deg: f64) {
        let [across, up] = self.projection.pixels_per_degree();
        let (size, scale) = (self.size(), self.scale);
        let (ink, halo) = summit_colours(self.is_dark);
        let halo = Halo { width: halo.width * scale, ..halo };
        let band = size.y - BAND * scale;
        self.annotations.push(Annotation::Line {
            from: vec2(0.0, 0.5 * (band + size.y)),
            to: vec2(size.x, 0.5 * (band + size.y)),
            width: BAND * scale,
            colour: halo.colour,
            alpha: BAND_ALPHA,
        });
        let step =
            AZIMUTH_STEPS.into_iter().find(|step| step * across >= DEGREES_APART * f64::from(scale)).unwrap_or(180.0);
        let left_deg = self.projection.left_deg + convergence_deg;
        let first = (left_deg / step).ceil() as i64;
        let last = ((left_deg + self.projection.field_deg) / step).floor() as i64;
        let mut azimuths: Vec<(f64, u8)> =
            (first..=last).map(|i| i as f64 * step).map(|azimuth| (azimuth, compass_weight(azimuth))).collect();
        // Main directions have priority in the limited space at the edges.
        sort_descending(&mut azimuths, |azimuth| f64::from(azimuth.1));
        for (azimuth, weight) in azimuths {
            let x = ((azimuth - left_deg) * across) as f32;
            let text = compass_text(azimuth.rem_euclid(360.0));
            let face = if weight > 0 { Face::Bold } else { Face::Roman };
            let letters = scale * (COMPASS_SIZE + MAIN_DIRECTION * f32::from(u8::from(weight > 0)));
            let half = width(&text, face, letters, 0.0) * 0.5 + EDGE * scale;
            let tick = x.clamp(0.5, size.x - 0.5);
            self.annotations.push(Annotation::Line {
                from: vec2(tick, band),
                to: vec2(tick, band + scale * (3.0 + f32::from(weight))),
                width: 1.5 * scale,
                colour: ink,
                alpha: 0.9,
            });
            let at = vec2(x.clamp(half, size.x - half), size.y - 0.38 * BAND * scale);
            let label = Annotation::text(at, text, face, letters, (ink, halo));
            if self.is_free(label.bounds()) {
                self.taken.push(label.bounds());
                self.annotations.push(label);
            }
        }
        let step =
            ELEVATION_STEPS.into_iter().find(|step| step * up >= ELEVATIONS_APART * f64::from(scale)).unwrap_or(45.0);
        let letters = ELEVATION_SIZE * scale;
        let mut i = (self.projection.bottom_deg / step).ceil() as i64;
        while i as f64 * step <= self.projection.top_deg {
            let y = self.projection.y(i as f64 * step) as f32;
            if (10.0 * scale..band - 8.0 * scale).contains(&y) {
                let text = format!("{}°", i as f64 * step);
                let half = width(&text, Face::Roman, letters, 0.0) * 0.5;
                self.annotations.push(Annotation::Line {
                    from: vec2(0.0, y),
                    to: vec2(5.0 * scale, y),
                    width: scale,
                    colour: ink,
                    alpha: 0.8,
                });
                let label = Annotation::text(vec2(8.0 * scale + half, y), text, Face::Roman, letters, (ink, halo));
                if self.is_free(label.bounds()) {
                    self.annotations.push(label);
                }
            }
            i += 1;
        }
    }

    /// Marks the azimuth of a sun above the upper edge.
    pub(super) fn add_sun(&mut self, azimuth_deg: f64, elevation_deg: f64) {
        let Some(x) = self.projection.x(azimuth_deg) else { return };
        if elevation_deg <= self.projection.top_deg {
            return;
        }
        let text = format!("sun {elevation_deg:.0}°");
        let (scale, letters) = (self.scale, DETAIL_SIZE * self.scale);
        let half = width(&text, Face::Italic, letters, 0.0) * 0.5 + EDGE * scale;
        let at = vec2((x as f32).clamp(half, self.size().x - half), 19.0 * scale);
        let (ink, halo) = summit_colours(self.is_dark);
        let halo = Halo { width: halo.width * scale, ..halo };
        self.annotations.push(Annotation::Line {
            from: vec2(x as f32, 1.0),
            to: vec2(x as f32, 11.0 * scale),
            width: 1.5 * scale,
            colour: ink,
            alpha: 0.6,
        });
        let label = Annotation::text(at, text, Face::Italic, letters, (ink, halo));
        self.taken.push(label.bounds());
        self.annotations.push(label);
    }
}

/// Returns the weight of a direction of the compass: 2 for the four main directions, 1 for the four between them, 0 for
/// others.
fn compass_weight(azimuth_deg: f64) -> u8 {
    u8::from(azimuth_deg % 45.0 == 0.0) + u8::from(azimuth_deg % 90.0 == 0.0)
}

/// Returns the name of one of the sixteen directions, or degrees; the eight main names have degrees: `N 0°`, `SE 135°`,
/// `SSE`, `140°`.
fn compass_text(azimuth_deg: f64) -> String {
    const NAMES: [&str; 16] =
        ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];
    let at = azimuth_deg / 22.5;
    let name = NAMES[at as usize % 16];
    match compass_weight(azimuth_deg) {
        0 if at.fract() == 0.0 => name.to_owned(),
        0 => format!("{azimuth_deg}°"),
        _ => format!("{name} {azimuth_deg}°"),
    }
}

/// Returns a distance as text: `870 m`, `9.3 km`, `23 km`.
fn distance(metres: f64) -> String {
    match metres {
        _ if metres < 995.0 => format!("{:.0} m", (metres / 10.0).round() * 10.0),
        _ if metres < 19_950.0 => format!("{:.1} km", metres / 1000.0),
        _ => format!("{:.0} km", metres / 1000.0),
    }
}

/// Returns a name, truncated to the available space.
fn shortened(name: &str) -> String {
    let mut letters = name.chars();
    let short: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() { format!("{}…", short.trim_end()) } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_distances_have_their_words() {
        assert_eq!([0.0, 135.0, 22.5, 40.0].map(compass_text), ["N 0°", "SE 135°", "NNE", "40°"]);
        assert_eq!([-90.0, 135.0, 22.5, 40.0].map(compass_weight), [2, 1, 0, 0]);
        assert_eq!([870.4, 9349.0, 23_400.0].map(distance), ["870 m", "9.3 km", "23 km"]);
        assert_eq!(shortened(&"ab".repeat(40)), "ab".repeat(LONGEST / 2) + "…");
    }
}
