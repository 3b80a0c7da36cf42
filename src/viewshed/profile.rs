//! [`Profile`]: ground, obstacles, crowns and the straight line between two points.

use glam::{DVec2, IVec2};

use super::surface::{Surface, SurfaceTerms};
use crate::grid::{CellRect, Grid, ToCell};
use crate::sight::SightError;

/// The speed of light in a vacuum, in metres per second.
const LIGHT_M_PER_S: f64 = 299_792_458.0;

/// The profile of the straight line from an eye to a target, as it is drawn over the sea: the Earth and the refraction of
/// light bend the line between its ends downwards.
///
/// A point is where the line crosses a row or a column of cell centres, along its longer axis; heights between two centres
/// are interpolated. What stands on the cells of both ends does not count.
///
/// ```
/// use farsight::Grid;
/// use farsight::viewshed::{Profile, Surface};
/// let ground = Grid::from_fn(50, 1, |cell| if cell.x == 20 { 10.0 } else { 0.0 }); // a ridge of 10 m
/// let surface = Surface::of(&ground, 30.0).with_eye_height(2.0).with_target_height(2.0);
/// let profile = Profile::new(&surface, (0, 0), (49, 0))?;
/// let ridge = profile.worst_obstacle(0.0, 0.0).expect("the ridge hides the target");
/// assert_eq!((ridge.cell.x, ridge.distance_m, ridge.clearance_m()), (20, 600.0, -8.0));
/// // Masts of 10 m at both ends see each other; so does one of 21.6 m at the target: 2 m + 8 m · 49/20.
/// assert_eq!(profile.clearing_lift_m(0.0, 0.0), 8.0);
/// assert!((profile.clearing_target_height_m(0.0, 0.0).expect("it is behind the ridge") - 21.6).abs() < 1e-9);
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// The points from the viewer to the target, both included; one for a target on the cell of the viewer.
    pub points: Vec<ProfilePoint>,
    /// The distance of the target, in metres.
    pub length_m: f64,
    target_height_m: f64,
    eye_height_m: f64,
}

/// A point of a [`Profile`]. Heights are in metres over the sea.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProfilePoint {
    /// The nearest cell.
    pub cell: IVec2,
    /// The distance from the viewer, in metres.
    pub distance_m: f64,
    /// The ground; NaN for nodata.
    pub ground_m: f64,
    /// The obstacle on it, or the ground.
    pub obstacle_m: f64,
    /// The higher one of the obstacle and of the top of the crowns.
    pub surface_m: f64,
    /// The straight line from the eye to the target.
    pub line_m: f64,
}

impl ProfilePoint {
    /// Returns the metres of the line above the surface; below 0 in it. NaN for nodata.
    pub fn clearance_m(&self) -> f64 {
        self.line_m - self.surface_m
    }
}

impl Profile {
    /// Computes the profile from the eye of a surface over a cell to its target over another cell.
    ///
    /// # Errors
    /// As [`Viewshed::compute`](super::Viewshed::compute), for both cells.
    pub fn new(surface: &Surface<'_>, viewer: impl ToCell, target: impl ToCell) -> Result<Self, SightError> {
        let (viewer, target) = (viewer.to_cell(), target.to_cell());
        for cell in [viewer, target] {
            surface.check(cell)?;
            let extent = CellRect::of_size(surface.ground.size());
            if !extent.contains(cell) {
                return Err(SightError::ViewerOutside { viewer: cell, extent });
            }
        }
        let line = target - viewer;
        let (steps, length_m) = (line.abs().max_element(), surface.cell_size.distance_m(line));
        let ground_m = |cell: IVec2| f64::from(surface.ground[cell]);
        let drop_m = |distance_m: f64| Surface::drop_m(surface.curvature, distance_m);
        let (eye_m, top_m) = (ground_m(viewer) + surface.eye_height, ground_m(target) + surface.target_height);
        let point = |step: i32| {
            let share = if steps == 0 { 0.0 } else { f64::from(step) / f64::from(steps) };
            let at = viewer.as_dvec2() + line.as_dvec2() * share;
            let distance_m = length_m * share;
            // The drop grows with the square of the distance, so a straight line is below that between the heights of its ends.
            let sag_m = drop_m(length_m) * share * (1.0 - share);
            let is_end = step == 0 || step == steps;
            let heights = if is_end { [ground_m(at.round().as_ivec2()); 3] } else { heights_at(surface, at) };
            let [ground_m, obstacle_m, surface_m] = heights;
            let line_m = eye_m + (top_m - eye_m) * share - sag_m;
            ProfilePoint { cell: at.round().as_ivec2(), distance_m, ground_m, obstacle_m, surface_m, line_m }
        };
        Ok(Self {
            points: (0..=steps).map(point).collect(),
            length_m,
            target_height_m: surface.target_height,
            eye_height_m: surface.eye_height,
        })
    }

    /// Returns the radius of the first Fresnel zone at a distance from the viewer, in metres, for radio waves of a frequency in hertz:
    /// √(λ d₁ d₂ / (d₁ + d₂)). 0 at the ends and for a frequency of 0, which means light.
    ///
    /// # References
    /// ITU-R P.526-15: *Propagation by diffraction*, section 2.1.
    pub fn fresnel_radius_m(&self, distance_m: f64, frequency_hz: f64) -> f64 {
        if frequency_hz <= 0.0 || self.length_m == 0.0 {
            return 0.0;
        }
        let beyond_m = (self.length_m - distance_m).max(0.0);
        (LIGHT_M_PER_S / frequency_hz * distance_m * beyond_m / self.length_m).sqrt()
    }

    /// Returns the metres of the line above the surface at a point and above a share of the first Fresnel zone around the line.
    fn margin_m(&self, point: &ProfilePoint, frequency_hz: f64, zone_share: f64) -> f64 {
        point.clearance_m() - zone_share * self.fresnel_radius_m(point.distance_m, frequency_hz)
    }

    /// Returns the points between the ends that have data.
    fn between(&self) -> impl Iterator<Item = &ProfilePoint> {
        let inner = self.points.len().saturating_sub(1).max(1);
        self.points[..inner].iter().skip(1).filter(|point| !point.surface_m.is_nan())
    }

    /// Returns the first point whose surface is above the line, or in a share of the first Fresnel zone at a frequency in hertz.
    pub fn first_obstacle(&self, frequency_hz: f64, zone_share: f64) -> Option<&ProfilePoint> {
        self.between().find(|point| self.margin_m(point, frequency_hz, zone_share) < 0.0)
    }

    /// Returns the point whose surface is the farthest above the line, or above the lower edge of a share of the first Fresnel zone;
    /// `None` if none is.
    pub fn worst_obstacle(&self, frequency_hz: f64, zone_share: f64) -> Option<&ProfilePoint> {
        let margin_m = |point: &ProfilePoint| self.margin_m(point, frequency_hz, zone_share);
        let worst = self.between().reduce(|worst, point| if margin_m(point) < margin_m(worst) { point } else { worst });
        worst.filter(|point| margin_m(point) < 0.0)
    }

    /// Returns the minimum clearance of the line between its ends, in metres; infinite for neighbours.
    pub fn least_clearance_m(&self) -> f64 {
        self.between().map(ProfilePoint::clearance_m).fold(f64::INFINITY, f64::min)
    }

    /// Returns the metres by which both ends must rise for a clear line, with a share of the first Fresnel zone.
    pub fn clearing_lift_m(&self, frequency_hz: f64, zone_share: f64) -> f64 {
        self.between().map(|point| -self.margin_m(point, frequency_hz, zone_share)).fold(0.0, f64::max)
    }

    /// Returns the least height of the target over its ground for a clear line from the eye, in metres; at least its own. `None` if
    /// both are on the same cell.
    pub fn clearing_target_height_m(&self, frequency_hz: f64, zone_share: f64) -> Option<f64> {
        let share = |point: &ProfilePoint| point.distance_m / self.length_m;
        self.clearing_height_m(frequency_hz, zone_share, self.target_height_m, share)
    }

    /// Returns the least height of the eye over its ground for a clear line to the target, in metres; at least its own. `None` if
    /// both are on the same cell.
    pub fn clearing_eye_height_m(&self, frequency_hz: f64, zone_share: f64) -> Option<f64> {
        let share = |point: &ProfilePoint| 1.0 - point.distance_m / self.length_m;
        self.clearing_height_m(frequency_hz, zone_share, self.eye_height_m, share)
    }

    /// Returns the height of an end, by whose lift the line rises by a share at each point.
    fn clearing_height_m(
        &self,
        frequency_hz: f64,
        zone_share: f64,
        height_m: f64,
        share: impl Fn(&ProfilePoint) -> f64,
    ) -> Option<f64> {
        let lift = |point: &ProfilePoint| -self.margin_m(point, frequency_hz, zone_share) / share(point);
        (self.length_m > 0.0).then(|| height_m + self.between().map(lift).fold(0.0, f64::max))
    }
}

/// Returns the heights of ground, obstacle and surface on the line between two cell centres.
fn heights_at(surface: &Surface<'_>, at: DVec2) -> [f64; 3] {
    let low = at.floor();
    let share = at - low;
    let of_cell = |cell: IVec2| {
        let ground = surface.ground[cell];
        let obstacle =
            surface.obstacles.map_or(ground, |obstacles: &Grid<f32>| SurfaceTerms::top_of(ground, obstacles[cell]));
        let crown = surface.canopy.map_or(0.0, |canopy| canopy.top_m(canopy.cover[cell]));
        [ground, obstacle, SurfaceTerms::top_of(obstacle, ground + crown)].map(f64::from)
    };
    // A crossing is on a row or a column, so that one of both shares is 0, except for its rounding.
    let (step, share) = if share.x > share.y { (IVec2::X, share.x) } else { (IVec2::Y, share.y) };
    let near = of_cell(low.as_ivec2());
    const ROUNDING: f64 = 1e-9;
    match share {
        share if share < ROUNDING => near,
        share if share > 1.0 - ROUNDING => of_cell(at.round().as_ivec2()),
        share => {
            let next = of_cell(low.as_ivec2() + step);
            [0, 1, 2].map(|i| near[i] + (next[i] - near[i]) * share)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewshed::Canopy;

    #[test]
    fn a_profile_has_the_values_of_a_spreadsheet() {
        // Eyes at 100 m + 10 m and 130 m + 20 m over 5 cells of 1 km; the Earth without air.
        let heights = vec![100.0, 90.0, 140.0, 120.0, 110.0, 130.0];
        let ground = Grid::from_vec(6, 1, heights).unwrap();
        let surface = Surface::of(&ground, 1000.0).with_eye_height(10.0).with_target_height(20.0).with_curvature(1.0);
        let profile = Profile::new(&surface, (0, 0), (5, 0)).unwrap();
        // 110 + 8 i − d₁ d₂ / (2 · 6,378,137 m), by hand.
        let lines = [110.0, 117.686_429, 125.529_643, 133.529_643, 141.686_429, 150.0];
        for (point, line) in profile.points.iter().zip(lines) {
            assert!((point.line_m - line).abs() < 1e-5, "{}: {}", point.distance_m, point.line_m);
        }
        let worst = profile.worst_obstacle(0.0, 0.0).unwrap();
        assert!(worst.cell.x == 2 && (worst.clearance_m() + 14.470_357).abs() < 1e-5, "{}", worst.clearance_m());
        assert!((profile.clearing_lift_m(0.0, 0.0) - 14.470_357).abs() < 1e-5);
        assert!((profile.clearing_target_height_m(0.0, 0.0).unwrap() - (20.0 + 14.470_357 * 5.0 / 2.0)).abs() < 1e-5);
        assert!((profile.clearing_eye_height_m(0.0, 0.0).unwrap() - (10.0 + 14.470_357 * 5.0 / 3.0)).abs() < 1e-5);
    }

    #[test]
    fn the_first_fresnel_zone_has_its_closed_form() {
        let ground = Grid::new(101, 1, 0.0);
        let surface = Surface::of(&ground, 100.0).with_eye_height(30.0).with_target_height(30.0);
        let profile = Profile::new(&surface, (0, 0), (100, 0)).unwrap();
        // 17.31 √(d/(4 f)) m with d = 10 km and f = 5.8 GHz: 11.37 m in the middle.
        assert!((profile.fresnel_radius_m(5000.0, 5.8e9) - 11.368).abs() < 1e-3);
        assert_eq!([0.0, 10_000.0].map(|at| profile.fresnel_radius_m(at, 5.8e9)), [0.0, 0.0]);
        assert_eq!(profile.worst_obstacle(5.8e9, 0.6), None);
        let low = surface.with_eye_height(5.0).with_target_height(5.0);
        let profile = Profile::new(&low, (0, 0), (100, 0)).unwrap();
        assert_eq!((profile.worst_obstacle(0.0, 0.0), profile.worst_obstacle(5.8e9, 0.6).unwrap().cell.x), (None, 50));
        assert!((profile.clearing_lift_m(5.8e9, 0.6) - (0.6 * 11.3678 - 5.0)).abs() < 1e-3);
    }

    #[test]
    fn houses_and_crowns_stand_between_the_ends_only() {
        let ground = Grid::new(7, 1, 0.0);
        let obstacles = Grid::from_vec(7, 1, vec![30.0, 0.0, 12.0, 0.0, 0.0, 0.0, 30.0]).unwrap();
        let crowns = Grid::from_vec(7, 1, vec![0.0, 0.0, 5.0, 0.0, 20.0, 0.0, 0.0]).unwrap();
        let surface = Surface::of(&ground, 10.0).with_obstacles(&obstacles).with_canopy(Canopy::of_heights(&crowns));
        let profile = Profile::new(&surface.with_eye_height(2.0), (0, 0), (6, 0)).unwrap();
        let tops: Vec<f64> = profile.points.iter().map(|point| point.surface_m).collect();
        assert_eq!(tops, [0.0, 0.0, 12.0, 0.0, 20.0, 0.0, 0.0]);
        assert_eq!(profile.points[4].obstacle_m, 0.0);
        assert_eq!(profile.first_obstacle(0.0, 0.0).unwrap().cell.x, 2);
        assert_eq!(profile.worst_obstacle(0.0, 0.0).unwrap().cell.x, 4);
    }

    #[test]
    fn slanted_lines_read_between_two_cells() {
        let ground = Grid::from_fn(5, 3, |cell| 10.0 * cell.y as f32);
        let profile = Profile::new(&Surface::of(&ground, 10.0), (0, 0), (4, 2)).unwrap();
        let heights: Vec<f64> = profile.points.iter().map(|point| point.ground_m).collect();
        assert_eq!(heights, [0.0, 5.0, 10.0, 15.0, 20.0]);
        let own = Profile::new(&Surface::of(&ground, 10.0), (1, 1), (1, 1)).unwrap();
        assert_eq!((own.points.len(), own.clearing_target_height_m(0.0, 0.0)), (1, None));
        let error = Profile::new(&Surface::of(&ground, 10.0), (1, 1), (9, 1)).unwrap_err();
        assert!(matches!(error, SightError::ViewerOutside { .. }));
        let bent = Surface::of(&ground, 10.0).with_curvature(f64::NAN);
        assert!(matches!(Profile::new(&bent, (0, 0), (1, 1)), Err(SightError::OutOfRange(_))));
    }
}
