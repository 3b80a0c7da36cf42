//! [`NamedFeature`]: a named feature of a panorama: a summit, a water or a landmark; [`FeatureFinder`], which finds them.

use glam::{DVec2, IVec2, dvec2};

use super::atmosphere::{AirColumn, LEAST_CONTRAST};
use crate::optics::Optics;
use crate::paint::map::style::Srgb;
use crate::scene::Scene;
use crate::world::{Place, PlaceKind};
use farsight::grid::CellSize;
use farsight::horizon::{AzimuthHorizon, DepthPanorama, HorizonConfig, Projection};
use farsight::setters;
use farsight::viewshed::Surface;

/// A place named by the user, with the height of its tower.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Landmark {
    /// Its name; empty for none.
    pub name: String,
    /// Its place on the map in cells: 0,0 is the centre of cell 0,0.
    pub place: DVec2,
    /// The height of a tower or a mast over the ground in metres, at least 0; 0 without a tower.
    pub height_m: f64,
    /// The diameter of the rotor of a wind turbine in metres; 0 for none.
    pub rotor_m: f64,
}

impl Landmark {
    /// Creates a landmark without a height.
    pub fn new(name: impl Into<String>, place: impl Into<DVec2>) -> Self {
        Self { name: name.into(), place: place.into(), height_m: 0.0, rotor_m: 0.0 }
    }

    /// Returns the landmark, moved by some columns and rows.
    #[must_use]
    pub fn moved_by(self, cells: DVec2) -> Self {
        Self { place: self.place + cells, ..self }
    }

    setters! {
        with_height_m(height_m: f64), with_rotor_m(rotor_m: f64),
    }
}

/// The kind of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// A summit on the map.
    Summit,
    /// A sea or a lake.
    Water,
    /// A place that a user has named.
    Own,
    /// A top of the skyline at the edge of the map, beyond which the ground may rise further.
    Edge,
}

/// A named feature of a panorama.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NamedFeature {
    /// Its kind.
    pub kind: FeatureKind,
    /// Its name; empty for a summit without one.
    pub name: String,
    /// Its cell on the map.
    pub cell: IVec2,
    /// Its height in metres over the sea.
    pub height_m: f64,
    /// The distance along the ground in metres.
    pub distance_m: f64,
    /// Its direction, clockwise from north, in degrees.
    pub azimuth_deg: f64,
    /// The elevation angle of its top, in degrees.
    pub elevation_deg: f64,
    /// Its rank: the prominence of a summit divided by its distance, as rise over run; the radius of a water divided by
    /// its distance; the rise of an edge over the lowest skyline before a higher part of it.
    pub rank: f64,
}

/// A point on the panorama.
#[derive(Clone, Copy, Debug)]
pub(super) struct PanoramaPoint {
    pub(super) azimuth_deg: f64,
    pub(super) distance_m: f64,
    /// The slope from the eye.
    pub(super) slope: f64,
}

/// Finds the features that a viewer sees.
pub(super) struct FeatureFinder<'a> {
    pub(super) scene: &'a Scene,
    pub(super) optics: &'a Optics,
    pub(super) surface: Surface<'a>,
    pub(super) max_distance_m: f64,
}

/// The width in cells of the border of the map without summits, and the minimum rise of tops of the skyline there, as a fraction
/// of the height of the panorama.
const EDGE_CELLS: i32 = 5;
const LEAST_RISE: f64 = 0.03;
/// The number of cells in front of a place, its own slope, that may be higher.
const OWN_CELLS: f64 = 1.6;
/// The minimum height of a summit over a crest in front of it, in pixels, since a lower summit looks like a part of the
/// crest, and the fraction of its distance within which that crest belongs to the same mountain.
const LEAST_FACE: f64 = 3.0;
const OWN_MOUNTAIN: f64 = 0.8;

impl FeatureFinder<'_> {
    /// Returns the direction of a point at a height over the ground of its cell; `None` for the viewer's place and off the map.
    pub(super) fn direction(&self, place: DVec2, over_ground_m: f64) -> Option<PanoramaPoint> {
        let (viewer, cell_size) = (self.scene.viewer(), self.surface.cell_size);
        let offset = (place - viewer.as_dvec2()) * dvec2(cell_size.x_m, cell_size.y_m);
        let distance_m = offset.length();
        let ground = self.optics.world().ground_m();
        let ground_m = f64::from(*ground.get(place.round().as_ivec2())?);
        let eye_m = f64::from(ground[viewer]) + self.optics.config().eye_height_m;
        if ground_m.is_nan() || distance_m < 0.2 * cell_size.shorter_m() {
            return None;
        }
        let drop_m = Surface::drop_m(self.surface.curvature, distance_m);
        let azimuth_deg = libm::atan2(offset.x, -offset.y).to_degrees().rem_euclid(360.0);
        Some(PanoramaPoint { azimuth_deg, distance_m, slope: (ground_m + over_ground_m - drop_m - eye_m) / distance_m })
    }

    /// Returns the distance in metres up to which land can hide a point.
    pub(super) fn hiding_range_m(&self, direction: &PanoramaPoint) -> f64 {
        direction.distance_m - OWN_CELLS * self.surface.cell_size.shorter_m()
    }

    /// Returns the slope of the horizon up to a distance.
    pub(super) fn horizon_before(&self, direction: &PanoramaPoint) -> f64 {
        let range_m = self.hiding_range_m(direction);
        if range_m <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let config = HorizonConfig::default().with_max_distance_m(range_m);
        let along = AzimuthHorizon::of(&self.surface, self.scene.viewer(), direction.azimuth_deg, &config);
        let slope = along.ok().and_then(|along| along.skyline().map(|ridge| ridge.slope));
        slope.unwrap_or(f64::NEG_INFINITY)
    }

    /// Returns the transmittance of the air up to a direction.
    pub(super) fn clear(&self, direction: &PanoramaPoint) -> Srgb {
        let way = way(direction.azimuth_deg, self.surface.cell_size);
        let air = AirColumn::on_line(self.optics, self.scene.viewer(), way, direction.distance_m as f32);
        air.transmittance(direction.distance_m as f32)
    }

    /// Returns the direction of a point that is in the field and in sight.
    fn seen(&self, projection: &Projection, place: DVec2, over_ground_m: f64) -> Option<PanoramaPoint> {
        let direction = self.direction(place, over_ground_m)?;
        let is_near = direction.distance_m <= self.max_distance_m && projection.x(direction.azimuth_deg).is_some();
        let is_seen =
            is_near && self.clear(&direction).y >= LEAST_CONTRAST && direction.slope >= self.horizon_before(&direction);
        is_seen.then_some(direction)
    }

    /// Returns the visible places; `depths` has some samples per pixel horizontally.
    pub(super) fn find(
        &self,
        projection: &Projection,
        depths: &DepthPanorama,
        samples: usize,
        landmarks: &[Landmark],
    ) -> Vec<NamedFeature> {
        let ground = self.optics.world().ground_m();
        let mut features = Vec::new();
        for landmark in landmarks {
            let cell = landmark.place.round().as_ivec2();
            let Some(direction) = self.seen(projection, landmark.place, landmark.height_m.max(1.0)) else { continue };
            let height_m = ground.get(cell).map_or(f64::NAN, |ground| f64::from(*ground));
            features.push(named_feature(FeatureKind::Own, &landmark.name, cell, height_m, &direction, f64::INFINITY));
        }
        for place in self.scene.places() {
            let kind = match place.kind {
                PlaceKind::Summit => FeatureKind::Summit,
                PlaceKind::Sea | PlaceKind::Lake => FeatureKind::Water,
                PlaceKind::Own => FeatureKind::Own,
                _ => continue,
            };
            let Some((cell, direction)) = self.seen_point(projection, depths, samples, place) else { continue };
            let rank = match kind {
                FeatureKind::Own => f64::INFINITY,
                FeatureKind::Water => {
                    f64::from(place.extent) * self.surface.cell_size.mean_m() / direction.distance_m.max(1.0)
                }
                FeatureKind::Summit | FeatureKind::Edge => f64::from(place.extent) / direction.distance_m,
            };
            features.push(named_feature(kind, &place.name, cell, f64::from(place.height_m), &direction, rank));
        }
        features
    }

    /// Returns the tops of the skyline at the edge of the map; `depths` has some samples per pixel horizontally.
    pub(super) fn edges(&self, projection: &Projection, depths: &DepthPanorama, samples: usize) -> Vec<NamedFeature> {
        let ground = self.optics.world().ground_m();
        let crest = |x: usize| depths.crests(x * samples).last();
        let slopes: Vec<f32> =
            (0..projection.width).map(|x| crest(x).map_or(f32::NEG_INFINITY, |crest| crest.slope)).collect();
        // The minimum slope up to a higher one, or to the end.
        let saddle = |slope: f32, way: &mut dyn Iterator<Item = &f32>| {
            let mut lowest = slope;
            for other in way {
                if *other > slope {
                    return (lowest, true);
                }
                lowest = lowest.min(*other);
            }
            (lowest, false)
        };
        let mut features = Vec::new();
        for (x, &slope) in slopes.iter().enumerate() {
            let is_top = x > 0 && x + 1 < slopes.len() && slopes[x - 1] < slope && slopes[x + 1] <= slope;
            let Some(crest) = crest(x).filter(|_| is_top) else { continue };
            let azimuth_deg = projection.azimuth_deg(x as f64 + 0.5);
            let distance_m = f64::from(crest.distance_m);
            let place = self.scene.viewer().as_dvec2() + way(azimuth_deg, self.surface.cell_size) * distance_m;
            let cell = place.round().as_ivec2();
            if cell.min(ground.size() - 1 - cell).min_element() >= EDGE_CELLS {
                continue;
            }
            let saddles = [saddle(slope, &mut slopes[..x].iter().rev()), saddle(slope, &mut slopes[x..].iter())];
            let saddle = match saddles {
                [(left, true), (right, true)] => left.max(right),
                [(left, true), _] => left,
                [_, (right, true)] => right,
                [(left, _), (right, _)] => left.min(right),
            };
            let rank = f64::from(slope - saddle);
            let direction = PanoramaPoint { azimuth_deg, distance_m, slope: f64::from(slope) };
            let rise = projection.y_of_slope(f64::from(saddle)) - projection.y_of_slope(direction.slope);
            if rise >= LEAST_RISE * projection.height as f64 && self.clear(&direction).y >= LEAST_CONTRAST {
                let height_m = ground.get(cell).map_or(f64::NAN, |ground| f64::from(*ground));
                features.push(named_feature(FeatureKind::Edge, "", cell, height_m, &direction, rank));
            }
        }
        features
    }

    /// Returns a visible point of a place: of water, the visible point nearest to its widest part.
    fn seen_point(
        &self,
        projection: &Projection,
        depths: &DepthPanorama,
        samples: usize,
        place: &Place,
    ) -> Option<(IVec2, PanoramaPoint)> {
        let is_water = matches!(place.kind, PlaceKind::Sea | PlaceKind::Lake);
        let over_ground_m = if is_water { 0.0 } else { 1.0 };
        let seen = |cell: IVec2| Some((cell, self.seen(projection, cell.as_dvec2(), over_ground_m)?));
        if !is_water {
            let is_here = (place.at - self.scene.viewer()).as_vec2().length() < 3.0;
            let is_clear = |direction: &PanoramaPoint| {
                place.kind == PlaceKind::Own || stands_out(projection, depths, samples, direction)
            };
            return seen(place.at).filter(|(_, direction)| !is_here && is_clear(direction));
        }
        if place.name.is_empty() {
            return None;
        }
        let course = place.course.iter().map(|point| point.floor().as_ivec2());
        let water = self.optics.world().water();
        let is_same = |cell: &IVec2| water.get(*cell) == water.get(place.at);
        let is_shown = |direction: &PanoramaPoint| {
            let at = projection.x(direction.azimuth_deg).map(|x| [x, projection.y_of_slope(direction.slope)]);
            let [x, y] = at.unwrap_or_default().map(|at| (at * samples as f64) as usize);
            depths.place(&self.surface, x, y).is_some_and(|place| is_same(&place.round().as_ivec2()))
        };
        let shown = |cell: IVec2| seen(cell).filter(|(_, direction)| is_shown(direction));
        std::iter::once(place.at).chain(course).filter(is_same).find_map(shown)
    }
}

/// Returns `true` if a summit is distinct from a much nearer crest; `depths` has some samples per pixel.
fn stands_out(projection: &Projection, depths: &DepthPanorama, samples: usize, summit: &PanoramaPoint) -> bool {
    let Some(x) = projection.x(summit.azimuth_deg) else { return false };
    let column = ((x * samples as f64) as usize).min(projection.width * samples - 1);
    let nearer_m = (OWN_MOUNTAIN * summit.distance_m) as f32;
    let before = depths.crests(column).iter().rev().find(|crest| crest.distance_m < nearer_m);
    let foot = before.map_or(f64::INFINITY, |crest| projection.y_of_slope(f64::from(crest.slope)));
    foot - projection.y_of_slope(summit.slope) >= LEAST_FACE
}

/// Returns the columns and rows of a metre along an azimuth.
pub(super) fn way(azimuth_deg: f64, cell_size: CellSize) -> DVec2 {
    let (sin, cos) = libm::sincos(azimuth_deg.to_radians());
    DVec2::new(sin / cell_size.x_m, -cos / cell_size.y_m)
}

fn named_feature(
    kind: FeatureKind,
    name: &str,
    cell: IVec2,
    height_m: f64,
    direction: &PanoramaPoint,
    rank: f64,
) -> NamedFeature {
    NamedFeature {
        kind,
        name: name.to_owned(),
        cell,
        height_m,
        distance_m: direction.distance_m,
        azimuth_deg: direction.azimuth_deg,
        elevation_deg: libm::atan(direction.slope).to_degrees(),
        rank,
    }
}
