//! [`ReferenceSystem`]: a coordinate reference system, by its code or its GeoTIFF keys: conversion of positions, and
//! cell sizes on the ground.
//!
//! The page has no table of definitions: it supports only Mercator and plate carrée, and ignores the distortion of others.

use std::fmt;

use glam::{DVec2, IVec2, dvec2};

use super::definitions::definition_of_code;
use super::geo_keys::{GEOGRAPHIC_CRS, GeoKeys, SEMI_MAJOR_AXIS};
use super::georeference::{CellSizeError, Georeference};
use super::length_unit::LengthUnit;
use crate::world::CellSizes;

/// A coordinate reference system with a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceSystem {
    /// The name in messages: `EPSG:32632`.
    name: String,
    /// The definition for PROJ: `+proj=utm +zone=32 +datum=WGS84`.
    definition: String,
}

/// An error of a conversion to another reference system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransformError {
    /// A datum whose shift from WGS 84 needs a grid or is not defined.
    #[error("the shift between the datums of {from} and {to} is not known here")]
    Datum {
        /// The reference system of the position.
        from: String,
        /// The other reference system.
        to: String,
    },
    /// An unknown projection.
    #[error("positions in {from} cannot be converted to {to} here")]
    Projection {
        /// The reference system of the position.
        from: String,
        /// The other reference system.
        to: String,
    },
}

/// The maximum relative distortion of a reference system that counts as true to scale.
pub(super) const TRUE_SCALE: f64 = 0.005;

/// The maximum relative distortion that is ignored, as in surveying, with a note above [`TRUE_SCALE`].
const SURVEYED_SCALE: f64 = 0.02;

/// The maximum change of scale over a raster with uniform cell sizes.
const MAX_CHANGE: f64 = 0.05;

/// Equatorial radius of WGS 84.
const EQUATOR_M: f64 = 6_378_137.0;

/// Codes of Web Mercator before it had its own, and in the software of Esri.
const WEB_MERCATOR_CODES: [u32; 4] = [3785, 900_913, 102_100, 102_113];

impl ReferenceSystem {
    /// Returns the system of longitude and latitude on WGS 84, in degrees.
    pub fn wgs84() -> Self {
        Self { name: "WGS 84".to_owned(), definition: "+proj=longlat +datum=WGS84 +no_defs".to_owned() }
    }

    /// Returns the reference system of an EPSG code, or of another code of Web Mercator.
    pub fn from_code(code: u32) -> Option<Self> {
        let definition = match WEB_MERCATOR_CODES.contains(&code) {
            true => definition_of_code(3857),
            false => definition_of_code(u16::try_from(code).ok()?),
        };
        Some(Self { name: format!("EPSG:{code}"), definition: definition? })
    }

    /// Returns the reference system of the keys of a GeoTIFF file, if it has a definition.
    pub fn from_keys(keys: &GeoKeys) -> Option<Self> {
        if let Some(code) = keys.epsg() {
            let system = Self::from_code(code.into())?;
            // The page has no definition in which a unit counts.
            return Some(match keys.own_unit().filter(|_| !cfg!(target_arch = "wasm32")) {
                Some(unit) => system.in_unit(unit),
                None => system,
            });
        }
        let definition = definition_of_keys(keys)?;
        let citation = keys.citation().unwrap_or("its reference system");
        Some(Self { name: citation.to_owned(), definition })
    }

    /// Returns the same projection with coordinates in another unit.
    fn in_unit(self, unit: LengthUnit) -> Self {
        let words = self.definition.split_whitespace();
        let words = words.filter(|word| !word.starts_with("+units=") && !word.starts_with("+to_meter="));
        let definition = words.map(|word| format!("{word} ")).collect::<String>();
        Self { definition: format!("{definition}+to_meter={}", unit.metres()), ..self }
    }

    /// Returns `true` if positions are the same in both.
    pub fn is_same(&self, other: &Self) -> bool {
        self.definition == other.definition
    }

    fn number(&self, parameter: &str) -> Option<f64> {
        self.words().find_map(|(key, value)| (key == parameter).then(|| value.parse().ok())?)
    }

    fn projection(&self) -> Option<&str> {
        self.words().find_map(|(key, value)| (key == "proj").then_some(value))
    }

    /// Returns the parameters of the definition with their values.
    fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        let words = self.definition.split_whitespace().map(|word| word.trim_start_matches('+'));
        words.map(|word| word.split_once('=').unwrap_or((word, "")))
    }

    /// Returns the cell sizes of a raster on the ground; `metre` is the length of its unit. A system that is true to
    /// scale needs no correction.
    ///
    /// # Errors
    /// [`CellSizeError::Scale`].
    pub(super) fn ground_sizes(
        &self,
        place: &Georeference,
        size: IVec2,
        metre: f64,
    ) -> Result<GroundSizes, CellSizeError> {
        let nominal = place.cell.map(|side| side * metre);
        if let Some(sizes) = self.cylindrical_sizes(place, metre) {
            let middle = sizes.in_the_middle(size.y as usize).mean_m();
            let ends = [0, size.y - 1].map(|row| (sizes.at_row(f64::from(row)).mean_m() / middle - 1.0).abs());
            return Ok(GroundSizes { sizes, change: ends[0].max(ends[1]) });
        }
        let true_to_scale = GroundSizes { sizes: CellSizes::Equal(nominal), change: 0.0 };
        let extent = size.as_dvec2() * DVec2::from(place.cell) * dvec2(1.0, -1.0);
        let scale_at = |share: DVec2| self.scale_at(DVec2::from(place.corner) + extent * share, metre);
        let Some(middle) = scale_at(dvec2(0.5, 0.5)) else { return Ok(true_to_scale) };
        let scales: Vec<Scale> = samples().filter_map(scale_at).collect();
        let change = |of: DVec2| {
            let changes = scales.iter().map(|scale| (scale.axes / of - 1.0).abs().max_element());
            changes.fold(0.0, f64::max)
        };
        if change(DVec2::ONE) <= SURVEYED_SCALE {
            return Ok(GroundSizes { change: change(DVec2::ONE), ..true_to_scale });
        }
        let skew = scales.iter().map(|scale| scale.skew.abs()).fold(0.0, f64::max);
        let change = change(middle.axes);
        if change.max(skew) > MAX_CHANGE {
            return Err(CellSizeError::Scale);
        }
        // Rounded, so that results do not depend on the sine of the platform.
        let [x, y] = middle.axes.to_array().map(|scale| (scale * 1e6).round() / 1e6);
        Ok(GroundSizes { sizes: CellSizes::Equal([nominal[0] * x, nominal[1] * y]), change })
    }

    /// Returns `true` if the scale in the middle of a raster is known.
    pub(super) fn has_scale(&self, place: &Georeference, size: IVec2, metre: f64) -> bool {
        let extent = size.as_dvec2() * DVec2::from(place.cell) * dvec2(0.5, -0.5);
        self.cylindrical_sizes(place, metre).is_some()
            || self.scale_at(DVec2::from(place.corner) + extent, metre).is_some()
    }

    /// Returns the meridian convergence at a position in degrees: the azimuth of grid north. `metre` is the length of the unit.
    pub(super) fn convergence_deg(&self, position: DVec2, metre: f64) -> Option<f64> {
        if matches!(self.projection()?, "merc" | "webmerc" | "eqc") {
            return Some(0.0);
        }
        // Rounded, so that the sine of the platform does not show.
        self.scale_at(position, metre).map(|scale| (scale.convergence_deg * 1e6).round() / 1e6 + 0.0)
    }

    /// Returns the cell sizes by row, if the scale depends only on the latitude: Mercator and plate carrée.
    fn cylindrical_sizes(&self, place: &Georeference, metre: f64) -> Option<CellSizes> {
        let radius = self.number("a").or_else(|| self.number("R")).unwrap_or(EQUATOR_M);
        let standard = self.number("lat_ts").unwrap_or(0.0).to_radians();
        let spherical = self.number("b").is_some_and(|b| b == radius) || self.number("R").is_some();
        let north_m = place.corner[1] * metre - self.number("y_0").unwrap_or(0.0);
        match self.projection()? {
            "merc" | "webmerc" => {
                let flattening = if spherical { 0.0 } else { FLATTENING };
                let bend = 1.0 - flattening * (2.0 - flattening) * libm::sin(standard) * libm::sin(standard);
                let scale = self.number("k").or_else(|| self.number("k_0")).unwrap_or(1.0);
                let scale = if standard == 0.0 { scale } else { libm::cos(standard) / bend.sqrt() };
                let degrees = (metre / (radius * scale)).to_degrees();
                let cell = place.cell.map(|side| side * degrees);
                Some(CellSizes::Mercator { north: (north_m / (radius * scale)).to_degrees(), cell, spherical })
            }
            "eqc" => {
                let [width, height] = place.cell.map(|side| (side * metre / radius).to_degrees());
                let north = (north_m / radius).to_degrees() + self.number("lat_0").unwrap_or(0.0);
                Some(CellSizes::Geographic { north, cell: [width / libm::cos(standard), height] })
            }
            _ => None,
        }
    }
}

impl fmt::Display for ReferenceSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// The cell sizes of a raster on the ground.
pub(super) struct GroundSizes {
    pub(super) sizes: CellSizes,
    /// The maximum relative deviation of the scale from that in the middle of the raster.
    pub(super) change: f64,
}

/// The scale at a point.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// Metres on the ground per metre to the east and to the north of the raster.
    axes: DVec2,
    /// The cosine of the angle between both.
    skew: f64,
    /// The azimuth of the north of the raster.
    convergence_deg: f64,
}

/// Returns sample points of a raster as fractions of its width and height, including its corners.
fn samples() -> impl Iterator<Item = DVec2> {
    (0..25).map(|i| dvec2(f64::from(i % 5), f64::from(i / 5)) / 4.0)
}

#[cfg(target_arch = "wasm32")]
mod positions {
    use super::*;

    impl ReferenceSystem {
        /// Converts a position to another reference system.
        ///
        /// # Errors
        /// [`TransformError`].
        pub fn transform(&self, to: &Self, _position: DVec2) -> Result<DVec2, TransformError> {
            Err(TransformError::Projection { from: self.name.clone(), to: to.name.clone() })
        }

        pub(super) fn scale_at(&self, _position: DVec2, _metre: f64) -> Option<Scale> {
            None
        }

        /// Returns longitude and latitude on the datum of the system.
        pub(crate) fn degrees_on_own_datum(&self, _position: DVec2) -> Option<DVec2> {
            None
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod positions {
    use glam::DVec3;
    use proj4rs::Proj;
    use proj4rs::transform::transform;

    use super::*;

    /// The datum parameters of a definition.
    const DATUM_PARAMETERS: [&str; 10] = ["datum", "ellps", "towgs84", "nadgrids", "a", "b", "rf", "R", "pm", "f"];

    /// Datums of PROJ that need a grid.
    const DATUMS_WITH_GRIDS: [&str; 1] = ["NAD27"];

    impl ReferenceSystem {
        /// Converts a position to another reference system.
        ///
        /// # Errors
        /// [`TransformError`].
        pub fn transform(&self, to: &Self, position: DVec2) -> Result<DVec2, TransformError> {
            if self.is_same(to) {
                return Ok(position);
            }
            let (from_name, to_name) = (self.name.clone(), to.name.clone());
            if self.datum() != to.datum() && !(self.has_datum_shift() && to.has_datum_shift()) {
                return Err(TransformError::Datum { from: from_name, to: to_name });
            }
            let is_same_datum = self.datum() == to.datum();
            let moved = self.proj(is_same_datum).zip(to.proj(is_same_datum));
            moved
                .and_then(|(from, to)| moved_position(&from, &to, position))
                .ok_or(TransformError::Projection { from: from_name, to: to_name })
        }

        /// Returns the parameters of the datum.
        fn datum(&self) -> Vec<(&str, &str)> {
            self.words().filter(|(key, _)| DATUM_PARAMETERS.contains(key)).collect()
        }

        /// Returns `true` if positions can be shifted to WGS 84. Positions on GRS 80 and on spheres are unchanged, as in PROJ.
        fn has_datum_shift(&self) -> bool {
            let is_sphere = self.number("R").is_some() || self.number("a").is_some_and(|a| self.number("b") == Some(a));
            is_sphere
                || self.words().any(|(key, value)| match key {
                    "datum" => !DATUMS_WITH_GRIDS.contains(&value),
                    "nadgrids" => value == "@null",
                    "ellps" => ["GRS80", "WGS84"].contains(&value),
                    "towgs84" => true,
                    _ => false,
                })
        }

        fn proj(&self, without_datum_shift: bool) -> Option<Proj> {
            if !without_datum_shift {
                return Proj::from_proj_string(&self.definition).ok();
            }
            let keeps = |key: &str| !["nadgrids", "towgs84"].contains(&key);
            let words = self.words().filter(|(key, _)| keeps(key));
            let words = words.map(|(key, value)| match (key, value) {
                ("datum", "NAD27") => "+ellps=clrk66 ".to_owned(),
                (key, "") => format!("+{key} "),
                (key, value) => format!("+{key}={value} "),
            });
            Proj::from_proj_string(words.collect::<String>().trim()).ok()
        }

        /// Returns the longitude and latitude of a position on the datum of the system, which are within 0.02° of those on WGS 84.
        pub(crate) fn degrees_on_own_datum(&self, position: DVec2) -> Option<DVec2> {
            let proj = self.proj(true)?;
            moved_position(&proj, &degrees_of(&proj)?, position)
        }

        /// Returns the scale at a position; `metre` is the length of the unit. `None` for places that the projection does not reach.
        pub(super) fn scale_at(&self, centre: DVec2, metre: f64) -> Option<Scale> {
            /// Half the length of the line that measures the scale: short compared with the Earth, long compared with rounding.
            const STEP_M: f64 = 500.0;
            let proj = self.proj(true)?;
            let (major, minor) = proj.ellipse_parameters();
            let degrees = degrees_of(&proj)?;
            let radians_at = |position: DVec2| {
                let position = moved_position(&proj, &degrees, position)?;
                Some([position.x.to_radians(), position.y.to_radians()])
            };
            let on_ground = |position: DVec2| {
                let [longitude, latitude] = radians_at(position)?;
                let squared = 1.0 - (minor / major) * (minor / major);
                let prime = major / (1.0 - squared * libm::sin(latitude) * libm::sin(latitude)).sqrt();
                let to_axis = prime * libm::cos(latitude);
                Some(DVec3::new(
                    to_axis * libm::cos(longitude),
                    to_axis * libm::sin(longitude),
                    prime * (1.0 - squared) * libm::sin(latitude),
                ))
            };
            let step = STEP_M / metre;
            let line = |along: DVec2| {
                Some((on_ground(centre + along * step)? - on_ground(centre - along * step)?) / (2.0 * STEP_M))
            };
            let (east, north) = (line(DVec2::X)?, line(DVec2::Y)?);
            let axes = dvec2(east.length(), north.length());
            let skew = east.dot(north) / (axes.x * axes.y);
            let [longitude, latitude] = radians_at(centre)?;
            let (to_east, away) = (dvec2(-libm::sin(longitude), libm::cos(longitude)), libm::sin(latitude));
            let true_east = DVec3::new(to_east.x, to_east.y, 0.0);
            let true_north = DVec3::new(-away * to_east.y, away * to_east.x, libm::cos(latitude));
            let convergence_deg = libm::atan2(north.dot(true_east), north.dot(true_north)).to_degrees();
            let is_known = axes.is_finite() && axes.min_element() > 0.0 && skew.is_finite();
            is_known.then_some(Scale { axes, skew, convergence_deg })
        }
    }

    /// Returns degrees on the ellipsoid of a projection.
    fn degrees_of(proj: &Proj) -> Option<Proj> {
        let (major, minor) = proj.ellipse_parameters();
        Proj::from_proj_string(&format!("+proj=longlat +a={major} +b={minor}")).ok()
    }

    /// Returns a position in another reference system, in its unit or in degrees.
    fn moved_position(from: &Proj, to: &Proj, position: DVec2) -> Option<DVec2> {
        let start = if from.is_latlong() { dvec2(position.x.to_radians(), position.y.to_radians()) } else { position };
        let mut point = (start.x, start.y, 0.0);
        transform(from, to, &mut point).ok()?;
        let (x, y) = if to.is_latlong() { (point.0.to_degrees(), point.1.to_degrees()) } else { (point.0, point.1) };
        Some(dvec2(x, y)).filter(|position| position.is_finite())
    }
}

// Keys of the GeoTIFF standard.
pub(super) const ELLIPSOID: u16 = 2056;
pub(super) const SEMI_MINOR_AXIS: u16 = 2058;
pub(super) const INVERSE_FLATTENING: u16 = 2059;
pub(super) const PROJECTION: u16 = 3074;
pub(super) const PROJECTION_METHOD: u16 = 3075;
pub(super) const STANDARD_PARALLELS: [u16; 2] = [3078, 3079];
pub(super) const ORIGIN_LONGITUDES: [u16; 4] = [3080, 3084, 3088, 3095];
pub(super) const ORIGIN_LATITUDES: [u16; 3] = [3081, 3085, 3089];
pub(super) const FALSE_EASTINGS: [u16; 3] = [3082, 3086, 3090];
pub(super) const FALSE_NORTHINGS: [u16; 3] = [3083, 3087, 3091];
pub(super) const SCALES: [u16; 2] = [3092, 3093];

/// The values of [`PROJECTION_METHOD`] with the names of PROJ.
const METHODS: [(u16, &str); 19] = [
    (1, "tmerc"),
    (7, "merc"),
    (8, "lcc"),
    (9, "lcc"),
    (10, "laea"),
    (11, "aea"),
    (12, "aeqd"),
    (13, "eqdc"),
    (14, "stere"),
    (15, "stere"),
    (16, "sterea"),
    (17, "eqc"),
    (18, "cass"),
    (19, "gnom"),
    (20, "mill"),
    (22, "poly"),
    (23, "robin"),
    (24, "sinu"),
    (28, "cea"),
];

/// Returns the definition by the projection parameters in the keys of a GeoTIFF file.
///
/// # References
/// OGC, *GeoTIFF Standard* 1.1, annex C; PROJ, *Cartographic projection*.
fn definition_of_keys(keys: &GeoKeys) -> Option<String> {
    let is_web_mercator = ["Auxiliary_Sphere", "Pseudo-Mercator"].iter().any(|name| keys.ascii.contains(name));
    if is_web_mercator && keys.number(PROJECTION_METHOD) == Some(7) {
        return definition_of_code(3857);
    }
    let zone = match keys.number(PROJECTION) {
        Some(code @ 16001..=16060) => Some(format!("+proj=utm +zone={}", code - 16000)),
        Some(code @ 16101..=16160) => Some(format!("+proj=utm +zone={} +south", code - 16100)),
        _ => None,
    };
    let metre = keys.length_unit()?.metres();
    let projection = zone.or_else(|| {
        let method = keys.number(PROJECTION_METHOD)?;
        let (_, name) = METHODS.iter().find(|(code, _)| *code == method)?;
        let first = |keys_of: &[u16]| keys_of.iter().find_map(|key| keys.double(*key));
        let mut latitude = first(&ORIGIN_LATITUDES);
        let parallels = STANDARD_PARALLELS.map(|key| keys.double(key));
        let [mut standard, mut true_scale] = [parallels, [None; 2]];
        match method {
            7 | 17 | 28 => (standard, true_scale) = ([None; 2], [parallels[0], None]),
            9 => standard = [latitude, None],
            15 => {
                true_scale = [latitude, None];
                latitude = latitude.map(|latitude| f64::copysign(90.0, latitude));
            }
            _ => {}
        }
        let values = [
            ("lat_0", latitude),
            ("lon_0", first(&ORIGIN_LONGITUDES)),
            ("lat_1", standard[0]),
            ("lat_2", standard[1]),
            ("lat_ts", true_scale[0]),
            ("k", first(&SCALES)),
            ("x_0", first(&FALSE_EASTINGS).map(|east| east * metre)),
            ("y_0", first(&FALSE_NORTHINGS).map(|north| north * metre)),
        ];
        let values = values.into_iter().filter_map(|(key, value)| Some(format!(" +{key}={}", value?)));
        Some(format!("+proj={name}{}", values.collect::<String>()))
    })?;
    Some(format!("{projection} +to_meter={metre} {}", datum_of_keys(keys)))
}

/// Returns the parameters of the datum in the keys of a GeoTIFF file.
fn datum_of_keys(keys: &GeoKeys) -> String {
    let geographic = keys.number(GEOGRAPHIC_CRS).and_then(definition_of_code);
    if let Some(datum) = geographic.as_deref().and_then(|definition| definition.strip_prefix("+proj=longlat ")) {
        return datum.replace(" +no_defs", "");
    }
    let ellipsoid = match keys.number(ELLIPSOID) {
        Some(7030) => Some("+ellps=WGS84"),
        Some(7019) => Some("+ellps=GRS80"),
        _ => None,
    };
    let axis = |key| keys.double(key).filter(|axis| *axis > 0.0);
    match (ellipsoid, axis(SEMI_MAJOR_AXIS), axis(SEMI_MINOR_AXIS), axis(INVERSE_FLATTENING)) {
        (Some(ellipsoid), ..) => ellipsoid.to_owned(),
        (None, Some(a), Some(b), _) => format!("+a={a} +b={b}"),
        (None, Some(a), None, Some(rf)) => format!("+a={a} +rf={rf}"),
        _ => "+datum=WGS84".to_owned(),
    }
}
