//! [`PlacedObserver`]: an observer on a cell of the raster; [`ViewLimits`]: the heights, the directions and the distances of its
//! view; [`POINT_KEYS`]: the keys of points in files.

use std::ops::RangeInclusive;

use glam::{DVec2, IVec2, dvec2};

use super::error::ObserverError;
use super::found_points::PointKey;
use crate::files::Georeference;
use farsight::grid::CellSize;
use farsight::internal::sight_config::SectorEdges;

/// An observer on a cell of the raster.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlacedObserver {
    /// The name, as its file gives it, or its `label` without one.
    pub name: String,
    /// The name in errors: `observer 3 (North mast)`.
    pub label: String,
    /// The position in the coordinates of the raster.
    pub position: DVec2,
    /// The cell of the position.
    pub cell: IVec2,
    /// The limits of its view: directions, distances and heights.
    pub limits: ViewLimits,
    /// The radius of its view in cells, without the growth by `optics.radius_per_100m`; `None` is that of the preset.
    pub radius: Option<u32>,
    /// The meridian convergence at the observer in degrees, from which its angles count: the azimuth of the top of the raster. 0 if
    /// the reference system is not known, or for angles from the top of the raster.
    pub convergence_deg: f64,
}

impl PlacedObserver {
    /// Places an observer on the raster of a georeference with `size` cells. Its name is its label.
    ///
    /// # Errors
    /// [`ObserverError::Outside`], and those of [`ViewLimits::check`].
    pub fn new(
        label: String,
        position: DVec2,
        limits: ViewLimits,
        georeference: &Georeference,
        size: IVec2,
    ) -> Result<Self, ObserverError> {
        limits.check(&label)?;
        let position = georeference.wrapped(position, size);
        let [west, north] = georeference.corner;
        let [width, height] = georeference.cell;
        let cell = dvec2((position.x - west) / width, (north - position.y) / height).floor();
        if !(cell.cmpge(DVec2::ZERO).all() && cell.cmplt(size.as_dvec2()).all()) {
            let (east, south) = (west + f64::from(size.x) * width, north - f64::from(size.y) * height);
            let DVec2 { x, y } = position;
            return Err(ObserverError::Outside { observer: label, x, y, west, south, east, north });
        }
        let cell = cell.as_ivec2();
        let convergence_deg = limits.has_sector().then(|| georeference.convergence_deg(cell)).flatten().unwrap_or(0.0);
        Ok(Self { name: label.clone(), label, position, cell, limits, radius: None, convergence_deg })
    }

    /// Returns the limits with angles from the top of the raster.
    pub(super) fn limits_on_raster(&self) -> ViewLimits {
        let [start_angle_deg, end_angle_deg] =
            [self.limits.start_angle_deg, self.limits.end_angle_deg].map(|angle| angle - self.convergence_deg);
        ViewLimits { start_angle_deg, end_angle_deg, ..self.limits }
    }

    /// Checks that the observer is on a cell for which `has_data` returns `true`.
    ///
    /// # Errors
    /// [`ObserverError::NoGround`].
    pub fn check_ground(&self, has_data: impl Fn(IVec2) -> bool) -> Result<(), ObserverError> {
        if has_data(self.cell) {
            return Ok(());
        }
        Err(ObserverError::NoGround { observer: self.label.clone(), x: self.position.x, y: self.position.y })
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
    /// The direction in which the view starts, in degrees clockwise from true north; from the top of a raster whose reference system
    /// is not known.
    pub start_angle_deg: f64,
    /// The direction in which the view ends, clockwise from its start.
    pub end_angle_deg: f64,
    /// The minimum angle of the line to a target over the horizontal, in degrees.
    pub lowest_pitch_deg: f64,
    /// The maximum angle of the line to a target over the horizontal, in degrees.
    pub highest_pitch_deg: f64,
    /// The minimum distance of a target, in metres.
    pub min_distance_m: f64,
    /// The maximum distance of a target, in metres; the radius of the observer counts, too.
    pub max_distance_m: f64,
    /// Height of the hub of a turbine over its ground, in metres; 0 is that of the tip.
    pub hub_height_m: f64,
    /// Maximum height of the tip of a turbine or mast over its ground, in metres; 0 is that of the eye.
    pub tip_height_m: f64,
    /// The weight in sums of visibilities.
    pub weight: f64,
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
            min_distance_m: 0.0,
            max_distance_m: f64::INFINITY,
            hub_height_m: 0.0,
            tip_height_m: 0.0,
            weight: 1.0,
        }
    }
}

const HEIGHTS_M: RangeInclusive<f64> = 0.0..=10_000.0;
const DIRECTIONS_DEG: RangeInclusive<f64> = -360.0..=360.0;
const PITCHES_DEG: RangeInclusive<f64> = -90.0..=90.0;
const DISTANCES_M: RangeInclusive<f64> = 0.0..=f64::INFINITY;
const ROTORS_M: RangeInclusive<f64> = 0.0..=1000.0;
const WEIGHTS: RangeInclusive<f64> = 0.0..=1e6;

/// The values of a point in a file: the limits of an observer, and the size of a tower or turbine. NaN is a missing value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointValues {
    pub(crate) limits: ViewLimits,
    /// The height of a tower, or of the hub of a turbine with a rotor, in metres.
    height_m: f64,
    /// The diameter of a rotor in metres.
    rotor_m: f64,
}

/// The number of keys of [`ViewLimits`], the first of [`POINT_KEYS`].
const LIMIT_KEYS: usize = 11;

/// The keys of points in files, whatever the points are: one table of turbines serves every command.
pub(crate) const POINT_KEYS: [PointKey<PointValues>; LIMIT_KEYS + 2] = [
    PointKey { name: "eye_height_m", range: HEIGHTS_M, unit: "m", field: |values| &mut values.limits.eye_height_m },
    PointKey {
        name: "target_height_m",
        range: HEIGHTS_M,
        unit: "m",
        field: |values| &mut values.limits.target_height_m,
    },
    PointKey {
        name: "start_angle_deg",
        range: DIRECTIONS_DEG,
        unit: "°",
        field: |values| &mut values.limits.start_angle_deg,
    },
    PointKey {
        name: "end_angle_deg",
        range: DIRECTIONS_DEG,
        unit: "°",
        field: |values| &mut values.limits.end_angle_deg,
    },
    PointKey {
        name: "lowest_pitch_deg",
        range: PITCHES_DEG,
        unit: "°",
        field: |values| &mut values.limits.lowest_pitch_deg,
    },
    PointKey {
        name: "highest_pitch_deg",
        range: PITCHES_DEG,
        unit: "°",
        field: |values| &mut values.limits.highest_pitch_deg,
    },
    PointKey {
        name: "min_distance_m",
        range: DISTANCES_M,
        unit: "m",
        field: |values| &mut values.limits.min_distance_m,
    },
    PointKey {
        name: "max_distance_m",
        range: DISTANCES_M,
        unit: "m",
        field: |values| &mut values.limits.max_distance_m,
    },
    PointKey { name: "hub_height_m", range: HEIGHTS_M, unit: "m", field: |values| &mut values.limits.hub_height_m },
    PointKey { name: "tip_height_m", range: HEIGHTS_M, unit: "m", field: |values| &mut values.limits.tip_height_m },
    PointKey { name: "weight", range: WEIGHTS, unit: "", field: |values| &mut values.limits.weight },
    PointKey { name: "height_m", range: HEIGHTS_M, unit: "m", field: |values| &mut values.height_m },
    PointKey { name: "rotor_m", range: ROTORS_M, unit: "m", field: |values| &mut values.rotor_m },
];

impl PointValues {
    /// Returns the values of a point without any, whose heights are missing and whose other limits are `limits`.
    pub(crate) fn without_heights(limits: ViewLimits) -> Self {
        let nan = f64::NAN;
        let limits = ViewLimits { eye_height_m: nan, hub_height_m: nan, tip_height_m: nan, ..limits };
        Self { limits, height_m: nan, rotor_m: nan }
    }

    /// Returns the height of the hub of a turbine; `None` for a mast, a tower or a point.
    fn hub_m(&self) -> Option<f64> {
        let rotor_m = given(self.rotor_m);
        let below_tip = || Some(given(self.limits.tip_height_m)? - 0.5 * rotor_m?);
        let of_tower = || given(self.height_m).filter(|_| rotor_m.is_some());
        given(self.limits.hub_height_m).or_else(of_tower).or_else(below_tip)
    }

    /// Returns the height of the tip of a turbine, or of the top of a mast or tower.
    fn tip_m(&self) -> Option<f64> {
        let over_hub = || Some(self.hub_m()? + 0.5 * given(self.rotor_m)?);
        given(self.limits.tip_height_m).or_else(over_hub).or(given(self.height_m))
    }

    /// Returns the limits of an observer, with the heights of `default` where the file has none: the default of the eye
    /// is `eye_m`, or else the height of the tip.
    pub(super) fn limits_or(&self, default: &ViewLimits, eye_m: Option<f64>) -> ViewLimits {
        let (tip_m, mut limits) = (self.tip_m(), self.limits);
        limits.hub_height_m = self.hub_m().unwrap_or(default.hub_height_m);
        limits.tip_height_m = tip_m.unwrap_or(default.tip_height_m);
        let eye_m = given(self.limits.eye_height_m).or(eye_m).or(tip_m.filter(|tip_m| *tip_m > 0.0));
        limits.eye_height_m = eye_m.unwrap_or(default.eye_height_m);
        limits
    }

    /// Returns the height of a tower, or of the hub of a turbine, in metres; 0 without one.
    pub(crate) fn tower_m(&self) -> f64 {
        self.hub_m().or(self.tip_m()).unwrap_or(0.0)
    }

    /// Returns the diameter of the rotor in metres; 0 without one.
    pub(crate) fn rotor_m(&self) -> f64 {
        let of_tip = || Some(2.0 * (self.tip_m()? - self.hub_m()?).max(0.0));
        given(self.rotor_m).or_else(of_tip).unwrap_or(0.0)
    }
}

/// Returns a value that is not missing.
fn given(value: f64) -> Option<f64> {
    Some(value).filter(|value| !value.is_nan())
}

impl ViewLimits {
    /// Checks all values. `observer` names the observer in messages.
    ///
    /// # Errors
    /// [`ObserverError::Value`] for a value out of range, for a minimum pitch or distance above the maximum, for equal
    /// angles, and for a hub above its tip.
    pub fn check(&self, observer: &str) -> Result<(), ObserverError> {
        let mut values = PointValues { limits: *self, ..PointValues::without_heights(*self) };
        for key in &POINT_KEYS[..LIMIT_KEYS] {
            let value = *(key.field)(&mut values);
            key.set(&mut values, value, observer)?;
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
        if self.min_distance_m > self.max_distance_m {
            let greatest = self.max_distance_m;
            let expected = format!("at most the max_distance_m, {greatest}");
            return error("min_distance_m", self.min_distance_m, expected);
        }
        if self.start_angle_deg == self.end_angle_deg {
            return error("end_angle_deg", self.end_angle_deg, "another angle than start_angle_deg".to_owned());
        }
        if self.hub_height_m > self.tip_height_m && self.tip_height_m > 0.0 {
            let expected = format!("at most the tip_height_m, {}", self.tip_height_m);
            return error("hub_height_m", self.hub_height_m, expected);
        }
        Ok(())
    }

    /// Returns `true` if not all directions are observed.
    pub fn has_sector(&self) -> bool {
        (self.end_angle_deg - self.start_angle_deg).rem_euclid(360.0) > 0.0
    }

    /// Returns the columns of observers' files: `eye_height_m` and so on, the names of the fields, and `height_m` and `rotor_m` of towers and
    /// turbines.
    pub fn columns() -> impl Iterator<Item = &'static str> {
        POINT_KEYS.iter().map(|key| key.name)
    }

    /// Returns the limits of an observer with the values of [columns](Self::columns) of observers' files, and these limits where it has
    /// none. An observer with a tip and no eye height looks from its tip. [`check`](Self::check) has the ranges.
    pub fn with_columns<'c>(self, columns: impl IntoIterator<Item = (&'c str, f64)>) -> Self {
        let mut values = PointValues::without_heights(self);
        for (name, value) in columns {
            if let Some(key) = POINT_KEYS.iter().find(|key| key.name == name) {
                *(key.field)(&mut values) = value;
            }
        }
        values.limits_or(&self, None)
    }

    /// Returns the height of the tip over its ground, in metres.
    pub fn tip_m(&self) -> f64 {
        if self.tip_height_m > 0.0 { self.tip_height_m } else { self.eye_height_m }
    }

    /// Returns the height of the hub over its ground, in metres.
    pub fn hub_m(&self) -> f64 {
        if self.hub_height_m > 0.0 { self.hub_height_m } else { self.tip_m() }
    }

    /// Sets the cells of a row outside of the limits to 0, without trigonometry. The row starts at an offset from the
    /// viewer; `rise_m` returns the height of the targets of a column over the eye, minus the drop by curvature. The
    /// viewer's own cell is within the limits, unless there is a minimum distance.
    pub(super) fn clear_row(&self, row: &mut [f32], start: IVec2, cell_size: CellSize, rise_m: impl Fn(usize) -> f64) {
        let own = if start.y == 0 { usize::try_from(-start.x).ok().filter(|own| *own < row.len()) } else { None };
        let own_value = own.map(|own| row[own]);
        let width = (self.end_angle_deg - self.start_angle_deg).rem_euclid(360.0);
        if width > 0.0 {
            let angles = [self.start_angle_deg, self.start_angle_deg + width];
            let part = SectorEdges::new(angles, width > 180.0, cell_size.ratios()).row(start.y);
            let [first, last] = [part.columns.start, part.columns.end]
                .map(|column| (i64::from(column) - i64::from(start.x)).clamp(0, row.len() as i64) as usize);
            let last = last.max(first);
            match part.is_gap {
                true => row[first..last].fill(0.0),
                false => {
                    row[..first].fill(0.0);
                    row[last..].fill(0.0);
                }
            }
        }
        let squared_m = |column: usize| {
            let (x_m, y_m) = (f64::from(start.x + column as i32) * cell_size.x_m, f64::from(start.y) * cell_size.y_m);
            x_m * x_m + y_m * y_m
        };
        if self.lowest_pitch_deg > -90.0 || self.highest_pitch_deg < 90.0 {
            let [lowest, highest] =
                [self.lowest_pitch_deg, self.highest_pitch_deg].map(|deg| libm::tan(deg.to_radians()));
            for (column, value) in row.iter_mut().enumerate().filter(|(_, value)| **value > 0.0) {
                let (rise_m, distance_m) = (rise_m(column), squared_m(column).sqrt());
                if !(lowest * distance_m..=highest * distance_m).contains(&rise_m) {
                    *value = 0.0;
                }
            }
        }
        if let (Some(own), Some(value)) = (own, own_value) {
            row[own] = value;
        }
        let [least, greatest] = [self.min_distance_m, self.max_distance_m].map(|distance_m| distance_m * distance_m);
        if least > 0.0 || greatest.is_finite() {
            for (column, value) in row.iter_mut().enumerate() {
                let squared = squared_m(column);
                *value = if squared >= least && squared <= greatest { *value } else { 0.0 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn limits_are_angles_on_the_ground() {
        let size = CellSize::new(20.0, 30.0);
        let contains = |limits: ViewLimits, x: i32, y: i32, rise: f64| {
            // The cell in the middle of a row of seen cells.
            let mut row = [1.0; 5];
            limits.clear_row(&mut row, ivec2(x - 2, y), size, |_| rise);
            row[2] > 0.0
        };
        let north = ViewLimits { start_angle_deg: 315.0, end_angle_deg: 45.0, ..ViewLimits::default() };
        assert!(contains(north, 0, -1, 0.0) && !contains(north, 0, 1, 0.0));
        // 3 cells to the east have the same length as 2 to the north.
        assert!(contains(north, 29, -20, 0.0) && !contains(north, 31, -20, 0.0));
        let east = ViewLimits { start_angle_deg: 45.0, end_angle_deg: 135.0, ..ViewLimits::default() };
        assert!(contains(east, 31, -20, 0.0) && !contains(east, 29, -20, 0.0) && !contains(east, -5, 0, 0.0));
        let steep = ViewLimits { lowest_pitch_deg: -10.0, highest_pitch_deg: 5.0, ..ViewLimits::default() };
        assert!(contains(steep, 5, 0, 8.0) && !contains(steep, 5, 0, 9.0), "100 m · tan 5° = 8.75 m");
        assert!(contains(steep, 5, 0, -17.0) && !contains(steep, 5, 0, -18.0), "100 m · tan 10° = 17.6 m");
        let far = ViewLimits { min_distance_m: 90.0, max_distance_m: 120.0, ..ViewLimits::default() };
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
        let limits = ViewLimits { min_distance_m: 10.0, max_distance_m: 5.0, ..ViewLimits::default() };
        assert_eq!(message(limits), "mast: min_distance_m is 10: expected at most the max_distance_m, 5");
        let limits = ViewLimits { start_angle_deg: 90.0, end_angle_deg: 90.0, ..ViewLimits::default() };
        assert_eq!(message(limits), "mast: end_angle_deg is 90: expected another angle than start_angle_deg");
        let limits = ViewLimits { eye_height_m: f64::NAN, ..ViewLimits::default() };
        assert_eq!(message(limits), "mast: eye_height_m is NaN: expected 0 to 10000 m");
        assert!(ViewLimits::default().check("mast").is_ok());
    }

    #[test]
    fn turbine_has_the_same_heights_in_either_columns() {
        let default = ViewLimits { tip_height_m: 7.0, ..ViewLimits::default() };
        let values = |columns: &[(&str, f64)]| {
            let mut values = PointValues::without_heights(default);
            for (name, value) in columns {
                let key = POINT_KEYS.iter().find(|key| key.name == *name).unwrap();
                key.set(&mut values, *value, "turbine").unwrap();
            }
            let limits = values.limits_or(&default, None);
            let heights = [limits.hub_m(), limits.tip_m(), limits.eye_height_m];
            (heights, values.tower_m(), values.rotor_m())
        };
        let turbine = ([100.0, 160.0, 160.0], 100.0, 120.0);
        assert_eq!(values(&[("hub_height_m", 100.0), ("tip_height_m", 160.0)]), turbine);
        assert_eq!(values(&[("height_m", 100.0), ("rotor_m", 120.0)]), turbine);
        assert_eq!(values(&[("hub_height_m", 100.0), ("rotor_m", 120.0)]), turbine);
        assert_eq!(values(&[("tip_height_m", 160.0), ("rotor_m", 120.0)]), turbine);
        let every = [("hub_height_m", 100.0), ("tip_height_m", 160.0), ("height_m", 3.0), ("rotor_m", 118.0)];
        assert_eq!(values(&every), ([100.0, 160.0, 160.0], 100.0, 118.0), "hub and tip count first");
        let mast = ([40.0, 40.0, 40.0], 40.0, 0.0);
        assert_eq!(values(&[("height_m", 40.0)]), mast);
        assert_eq!(values(&[("tip_height_m", 40.0)]), mast);
        assert_eq!(values(&[("height_m", 40.0), ("eye_height_m", 2.0)]), ([40.0, 40.0, 2.0], 40.0, 0.0));
        assert_eq!(values(&[]), ([7.0, 7.0, 1.7], 0.0, 0.0));
        let tall = PointValues { height_m: 40.0, ..PointValues::without_heights(default) };
        assert_eq!(tall.limits_or(&default, Some(2.0)).eye_height_m, 2.0, "an eye that is asked for");
        let limits = default.with_columns([("height_m", 100.0), ("rotor_m", 120.0)]);
        assert_eq!([limits.hub_m(), limits.tip_m(), limits.eye_height_m], [100.0, 160.0, 160.0]);
    }
}
