//! [`PlacedObserver`]: an observer on a cell of the raster; [`ViewLimits`]: the heights, the directions and the distances of its view, and
//! their keys in files.

use std::ops::RangeInclusive;

use glam::{DVec2, IVec2, dvec2};

use super::error::ObserverError;
use super::point_key::PointKey;
use crate::files::Georeference;
use crate::grid::CellSize;

/// An observer on a cell of the raster.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlacedObserver {
    /// The name in messages: `observer 3 (North mast)`.
    pub name: String,
    /// The position in the coordinates of the raster.
    pub position: DVec2,
    /// The cell of the position.
    pub cell: IVec2,
    /// The directions, distances and heights that it observes.
    pub limits: ViewLimits,
    /// The radius of its view in cells; `None` is that of the preset.
    pub radius: Option<u32>,
}

impl PlacedObserver {
    /// Places an observer on the raster of a georeference with `size` cells.
    ///
    /// # Errors
    /// [`ObserverError::Outside`], and those of [`ViewLimits::check`].
    pub fn new(
        name: String,
        position: DVec2,
        limits: ViewLimits,
        georeference: &Georeference,
        size: IVec2,
    ) -> Result<Self, ObserverError> {
        limits.check(&name)?;
        let [west, north] = georeference.corner;
        let [width, height] = georeference.cell;
        let cell = dvec2((position.x - west) / width, (north - position.y) / height).floor();
        if !(cell.cmpge(DVec2::ZERO).all() && cell.cmplt(size.as_dvec2()).all()) {
            let (east, south) = (west + f64::from(size.x) * width, north - f64::from(size.y) * height);
            let DVec2 { x, y } = position;
            return Err(ObserverError::Outside { observer: name, x, y, west, south, east, north });
        }
        Ok(Self { name, position, cell: cell.as_ivec2(), limits, radius: None })
    }

    /// Checks that the observer is where `has_data` returns `true`.
    ///
    /// # Errors
    /// [`ObserverError::NoGround`].
    pub fn check_ground(&self, has_data: impl Fn(IVec2) -> bool) -> Result<(), ObserverError> {
        if has_data(self.cell) {
            return Ok(());
        }
        Err(ObserverError::NoGround { observer: self.name.clone(), x: self.position.x, y: self.position.y })
    }
}

/// The heights, the directions and the distances of the view of an observer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ViewLimits {
    /// Height of the eye over its ground, in metres.
    pub eye_height_m: f64,
    /// Height of targets over their ground, in metres.
    pub target_height_m: f64,
    /// The direction in which the view starts, in degrees clockwise from the top of the raster.
    pub start_angle_deg: f64,
    /// The direction in which the view ends, clockwise from its start.
    pub end_angle_deg: f64,
    /// The lowest angle of the line to a target over the horizontal, in degrees.
    pub lowest_pitch_deg: f64,
    /// The highest angle of the line to a target over the horizontal, in degrees.
    pub highest_pitch_deg: f64,
    /// The least distance of a target, in metres.
    pub least_distance_m: f64,
    /// The greatest distance of a target, in metres; the radius of the observer counts, too.
    pub greatest_distance_m: f64,
}

impl Default for ViewLimits {
    fn default() -> Self {
        Self {
            eye_height_m: 1.7,
            target_height_m: 0.0,
            start_angle_deg: 0.0,
            end_angle_deg: 360.0,
            lowest_pitch_deg: -90.0,
            highest_pitch_deg: 90.0,
            least_distance_m: 0.0,
            greatest_distance_m: f64::INFINITY,
        }
    }
}

const HEIGHTS_M: RangeInclusive<f64> = 0.0..=10_000.0;
const DIRECTIONS_DEG: RangeInclusive<f64> = -360.0..=360.0;
const PITCHES_DEG: RangeInclusive<f64> = -90.0..=90.0;
const DISTANCES_M: RangeInclusive<f64> = 0.0..=f64::INFINITY;

/// The keys of [`ViewLimits`] in files.
pub(super) const LIMIT_KEYS: [PointKey<ViewLimits>; 8] = [
    PointKey { name: "eye_height_m", range: HEIGHTS_M, unit: "m", field: |limits| &mut limits.eye_height_m },
    PointKey { name: "target_height_m", range: HEIGHTS_M, unit: "m", field: |limits| &mut limits.target_height_m },
    PointKey {
        name: "start_angle_deg", range: DIRECTIONS_DEG, unit: "°", field: |limits| &mut limits.start_angle_deg
    },
    PointKey { name: "end_angle_deg", range: DIRECTIONS_DEG, unit: "°", field: |limits| &mut limits.end_angle_deg },
    PointKey { name: "lowest_pitch_deg", range: PITCHES_DEG, unit: "°", field: |limits| &mut limits.lowest_pitch_deg },
    PointKey {
        name: "highest_pitch_deg",
        range: PITCHES_DEG,
        unit: "°",
        field: |limits| &mut limits.highest_pitch_deg,
    },
    PointKey { name: "least_distance_m", range: DISTANCES_M, unit: "m", field: |limits| &mut limits.least_distance_m },
    PointKey {
        name: "greatest_distance_m",
        range: DISTANCES_M,
        unit: "m",
        field: |limits| &mut limits.greatest_distance_m,
    },
];

impl ViewLimits {
    /// Checks all values. `observer` names the observer in messages.
    ///
    /// # Errors
    /// [`ObserverError::Value`] for a value out of range, for a lowest pitch or distance above the highest, and for equal angles.
    pub fn check(&self, observer: &str) -> Result<(), ObserverError> {
        let mut limits = *self;
        for key in &LIMIT_KEYS {
            let value = *(key.field)(&mut limits);
            key.set(&mut limits, value, observer)?;
        }
        let error = |key, found: f64, expected: String| {
            Err(ObserverError::Value { observer: observer.to_owned(), key, found: found.to_string(), expected })
        };
        if self.lowest_pitch_deg > self.highest_pitch_deg {
            let highest = self.highest_pitch_deg;
            return error(
                "lowest_pitch_deg",
                self.lowest_pitch_deg,
                format!("at most the highest_pitch_deg, {highest}"),
            );
        }
        if self.least_distance_m > self.greatest_distance_m {
            let greatest = self.greatest_distance_m;
            let expected = format!("at most the greatest_distance_m, {greatest}");
            return error("least_distance_m", self.least_distance_m, expected);
        }
        if self.start_angle_deg == self.end_angle_deg {
            return error("end_angle_deg", self.end_angle_deg, "another angle than start_angle_deg".to_owned());
        }
        Ok(())
    }

    /// Returns `true` if all directions count.
    fn is_full_turn(&self) -> bool {
        (self.end_angle_deg - self.start_angle_deg).rem_euclid(360.0) == 0.0
    }

    /// Returns `true` if a target is within the limits. `rise_m` is its height over the eye, less what curvature takes. The
    /// observer's own cell is, unless there is a least distance.
    pub(super) fn contains(&self, cell_size: CellSize, offset: IVec2, rise_m: f64) -> bool {
        let distance = cell_size.distance_m(offset);
        if !(self.least_distance_m..=self.greatest_distance_m).contains(&distance) {
            return false;
        }
        if offset == IVec2::ZERO {
            return true;
        }
        let DVec2 { x: east, y: south } = offset.as_dvec2() * cell_size.ratios();
        let direction = libm::atan2(east, -south).to_degrees();
        let width = (self.end_angle_deg - self.start_angle_deg).rem_euclid(360.0);
        let pitch = libm::atan2(rise_m, distance).to_degrees();
        (self.is_full_turn() || (direction - self.start_angle_deg).rem_euclid(360.0) <= width)
            && (self.lowest_pitch_deg..=self.highest_pitch_deg).contains(&pitch)
    }
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn limits_are_angles_on_the_ground() {
        let size = CellSize::new(20.0, 30.0);
        let contains = |limits: ViewLimits, x: i32, y: i32, rise: f64| limits.contains(size, ivec2(x, y), rise);
        let north = ViewLimits { start_angle_deg: 315.0, end_angle_deg: 45.0, ..ViewLimits::default() };
        assert!(contains(north, 0, -1, 0.0) && !contains(north, 0, 1, 0.0));
        // 3 cells to the east are as far as 2 to the north.
        assert!(contains(north, 29, -20, 0.0) && !contains(north, 31, -20, 0.0));
        let east = ViewLimits { start_angle_deg: 45.0, end_angle_deg: 135.0, ..ViewLimits::default() };
        assert!(contains(east, 31, -20, 0.0) && !contains(east, 29, -20, 0.0) && !contains(east, -5, 0, 0.0));
        let steep = ViewLimits { lowest_pitch_deg: -10.0, highest_pitch_deg: 5.0, ..ViewLimits::default() };
        assert!(contains(steep, 5, 0, 8.0) && !contains(steep, 5, 0, 9.0), "100 m · tan 5° = 8.75 m");
        assert!(contains(steep, 5, 0, -17.0) && !contains(steep, 5, 0, -18.0), "100 m · tan 10° = 17.6 m");
        let far = ViewLimits { least_distance_m: 90.0, greatest_distance_m: 120.0, ..ViewLimits::default() };
        assert!(
            !contains(far, 4, 0, 0.0)
                && contains(far, 5, 0, 0.0)
                && contains(far, 0, 4, 0.0)
                && !contains(far, 0, 5, 0.0)
        );
        assert!(!contains(far, 0, 0, 0.0) && contains(north, 0, 0, 0.0));
    }

    #[test]
    fn limits_the_wrong_way_round_are_errors() {
        let message = |limits: ViewLimits| limits.check("mast").unwrap_err().to_string();
        let limits = ViewLimits { lowest_pitch_deg: 10.0, highest_pitch_deg: -5.0, ..ViewLimits::default() };
        assert_eq!(message(limits), "mast: lowest_pitch_deg is 10: expected at most the highest_pitch_deg, -5");
        let limits = ViewLimits { least_distance_m: 10.0, greatest_distance_m: 5.0, ..ViewLimits::default() };
        assert_eq!(message(limits), "mast: least_distance_m is 10: expected at most the greatest_distance_m, 5");
        let limits = ViewLimits { start_angle_deg: 90.0, end_angle_deg: 90.0, ..ViewLimits::default() };
        assert_eq!(message(limits), "mast: end_angle_deg is 90: expected another angle than start_angle_deg");
        let limits = ViewLimits { eye_height_m: f64::NAN, ..ViewLimits::default() };
        assert_eq!(message(limits), "mast: eye_height_m is NaN: expected 0 to 10000 m");
        assert!(ViewLimits::default().check("mast").is_ok());
    }
}
