//! [`read_points`]: points from CSV and GeoJSON in the coordinates of a raster; [`PointKey`]: a number of a point in a file.
//!
//! # References
//! RFC 7946, *The GeoJSON Format*, for features and points; GeoJSON 2008 for the member `crs`, in which longitude comes
//! before latitude for every reference system.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use csv::{ReaderBuilder, StringRecord, Trim};
use glam::{DVec2, dvec2};
use serde_json::Value;

use super::error::ObserverError;
use crate::files::{Georeference, ReferenceSystem};
use farsight::internal::text::excerpt;

/// The format of a file of observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObserverFormat {
    /// A table with a header: `x,y`, and any of `name` and the keys of [`ViewLimits`](super::ViewLimits).
    Csv,
    /// A collection of features that are points, with the same keys as properties.
    GeoJson,
}

/// A note on a file of observers. The message continues the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObserverNote {
    /// The points were in a different reference system, and were converted.
    Transformed {
        /// The reference system of the file.
        from: String,
        /// That of the raster.
        to: String,
    },
    /// The points may be in a different reference system, but were not converted.
    TakenAsTheyAre {
        /// The reason.
        reason: String,
    },
    /// Ignored columns or properties.
    NotRead {
        /// Their names.
        names: Vec<String>,
        /// The names of the known ones.
        read: Vec<&'static str>,
    },
}

impl fmt::Display for ObserverNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transformed { from, to } => write!(f, "the points are converted from {from} to {to}"),
            Self::TakenAsTheyAre { reason } => {
                write!(f, "{reason}; the points are assumed to be in the coordinates of the heightmap")
            }
            Self::NotRead { names, read } => {
                let names = names.iter().map(|name| excerpt(name)).collect::<Vec<_>>().join(", ");
                write!(f, "not read: {names}; accepted: name, {}", read.join(", "))
            }
        }
    }
}

/// The reference system of the points of a file.
enum PointSystem {
    /// That of the raster.
    Raster,
    /// Degrees on WGS 84 if all points can be degrees, otherwise that of the raster.
    Wgs84IfPossible,
    /// The system named by the file.
    Named(ReferenceSystem),
    /// The name in the file, without a definition.
    Unknown(String),
}

/// The content of a file, before its points are converted.
struct FileContent<T> {
    found: Vec<FoundPoint<T>>,
    system: PointSystem,
    not_read: BTreeSet<String>,
}

/// A point of a file.
pub(crate) struct FoundPoint<T> {
    /// The name in messages: `observer 3 (North mast)`.
    pub(crate) label: String,
    /// Its name; empty if it has none.
    pub(crate) name: String,
    /// In the coordinates of the raster.
    pub(crate) position: DVec2,
    pub(crate) values: T,
}

/// The points of a file.
pub(crate) struct FoundPoints<T> {
    pub(crate) points: Vec<FoundPoint<T>>,
    pub(crate) notes: Vec<ObserverNote>,
}

/// The kind of the points of a file: its noun in messages, and its keys.
pub(crate) struct PointKind<T: 'static> {
    pub(crate) noun: &'static str,
    pub(crate) keys: &'static [PointKey<T>],
    /// The default values.
    pub(crate) default: T,
}

impl<T: 'static> PointKind<T> {
    fn label(&self, number: usize, name: &str) -> String {
        if name.is_empty() { format!("{} {number}", self.noun) } else { format!("{} {number} ({name})", self.noun) }
    }
}

/// Reads the points of a file, and converts them to the coordinates of a raster. Without a georeference they are not converted.
///
/// # Errors
/// [`ObserverError`].
pub(crate) fn read_points<T: Copy + 'static>(
    text: &str,
    format: ObserverFormat,
    georeference: Option<&Georeference>,
    kind: &PointKind<T>,
) -> Result<FoundPoints<T>, ObserverError> {
    let text = text.trim_start_matches('\u{FEFF}');
    let FileContent { mut found, system, not_read } = match format {
        ObserverFormat::Csv => read_csv(text, kind)?,
        ObserverFormat::GeoJson => read_geojson(text, kind)?,
    };
    if found.is_empty() {
        return Err(ObserverError::None(kind.noun));
    }
    let mut notes = Vec::new();
    if !not_read.is_empty() {
        let read = kind.keys.iter().map(|key| key.name).collect();
        notes.push(ObserverNote::NotRead { names: not_read.into_iter().collect(), read });
    }
    if let Some(georeference) = georeference {
        notes.extend(move_to_raster(&mut found, system, georeference)?);
    }
    Ok(FoundPoints { points: found, notes })
}

/// Converts the positions to the reference system of the raster.
fn move_to_raster<T>(
    found: &mut [FoundPoint<T>],
    system: PointSystem,
    georeference: &Georeference,
) -> Result<Option<ObserverNote>, ObserverError> {
    let as_they_are = |reason: String| Ok(Some(ObserverNote::TakenAsTheyAre { reason }));
    let is_degrees = |position: DVec2| position.x.abs() <= 180.0 && position.y.abs() <= 90.0;
    let (raster, keys) = (ReferenceSystem::from_keys(&georeference.keys), &georeference.keys);
    let from = match system {
        PointSystem::Raster => return Ok(None),
        PointSystem::Wgs84IfPossible if found.iter().all(|found| is_degrees(found.position)) => {
            if keys.is_empty() || keys.is_in_degrees() && raster.is_none() {
                return Ok(None);
            }
            ReferenceSystem::wgs84()
        }
        PointSystem::Wgs84IfPossible if keys.is_empty() => return Ok(None),
        PointSystem::Wgs84IfPossible => {
            return as_they_are("it names no reference system (crs) and is not in degrees".to_owned());
        }
        PointSystem::Named(system) if keys.is_empty() => {
            return as_they_are(format!("it is in {system}, and the heightmap names no reference system"));
        }
        PointSystem::Named(system) => system,
        PointSystem::Unknown(name) => {
            return Err(ObserverError::ReferenceSystem { points: name, raster: raster_name(georeference) });
        }
    };
    let Some(to) = raster else {
        return Err(ObserverError::ReferenceSystem { points: from.to_string(), raster: raster_name(georeference) });
    };
    if from.is_same(&to) {
        return Ok(None);
    }
    // Rounded to millimetres or less, so that results do not depend on the sine of the platform.
    let steps = if keys.is_in_degrees() { 1e9 } else { 1e3 };
    for found in found {
        let position = from.transform(&to, found.position).map_err(|error| ObserverError::Transform {
            observer: found.label.clone(),
            x: found.position.x,
            y: found.position.y,
            error,
        })?;
        found.position = (position * steps).round() / steps;
    }
    Ok(Some(ObserverNote::Transformed { from: from.to_string(), to: to.to_string() }))
}

fn raster_name(georeference: &Georeference) -> String {
    match (georeference.keys.epsg(), ReferenceSystem::from_keys(&georeference.keys)) {
        (Some(code), _) => format!("EPSG:{code}"),
        (None, Some(system)) => system.to_string(),
        (None, None) => "a reference system without a code".to_owned(),
    }
}

/// The columns of coordinates; the last two are degrees on WGS 84.
const COORDINATES: [[&str; 2]; 4] = [["x", "y"], ["easting", "northing"], ["longitude", "latitude"], ["lon", "lat"]];

fn read_csv<T: Copy + 'static>(text: &str, kind: &PointKind<T>) -> Result<FileContent<T>, ObserverError> {
    let syntax = |error: csv::Error| ObserverError::Syntax(error.to_string());
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers().map_err(syntax)?.iter().map(str::to_ascii_lowercase).collect();
    let column = |name: &str| header.iter().position(|other| other == name);
    let coordinates = COORDINATES.iter().find_map(|names| Some((names, [column(names[0])?, column(names[1])?])));
    let (names, [x, y]) = coordinates.ok_or_else(|| ObserverError::NoCoordinates(header.join(",")))?;
    let system = if names[0].starts_with("lon") { PointSystem::Wgs84IfPossible } else { PointSystem::Raster };
    let name_column = column("name");
    let keys: Vec<_> = kind.keys.iter().filter_map(|key| Some((key, column(key.name)?))).collect();
    let mut found = Vec::new();
    for (i, record) in reader.records().enumerate() {
        let record: StringRecord = record.map_err(syntax)?;
        let field = |column: usize| record.get(column).unwrap_or_default();
        let name = name_column.map(field).unwrap_or_default();
        let label = kind.label(i + 1, name);
        let coordinate = |key, column| {
            let number = field(column).parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| not_a_number(&label, key, field(column)))
        };
        let position = dvec2(coordinate("x", x)?, coordinate("y", y)?);
        let mut values = kind.default;
        for (key, column) in keys.iter().filter(|(_, column)| !field(*column).is_empty()) {
            let value = field(*column).parse().map_err(|_| key.error(&label, format!("{:?}", field(*column))))?;
            key.set(&mut values, value, &label)?;
        }
        found.push(FoundPoint { name: name.to_owned(), label, position, values });
    }
    let is_read =
        |i: usize| [x, y].contains(&i) || name_column == Some(i) || keys.iter().any(|(_, column)| *column == i);
    let not_read = header.iter().enumerate().filter(|(i, name)| !is_read(*i) && !name.is_empty());
    Ok(FileContent { found, system, not_read: not_read.map(|(_, name)| name.clone()).collect() })
}

fn not_a_number(observer: &str, key: &'static str, found: &str) -> ObserverError {
    let (observer, expected) = (observer.to_owned(), "a coordinate of the raster".to_owned());
    ObserverError::Value { observer, key, found: format!("{found:?}"), expected }
}

fn read_geojson<T: Copy + 'static>(text: &str, kind: &PointKind<T>) -> Result<FileContent<T>, ObserverError> {
    let root: Value = serde_json::from_str(text).map_err(|error| ObserverError::Syntax(error.to_string()))?;
    let expected = || ObserverError::Syntax("expected a FeatureCollection of points".to_owned());
    let features = match root.get("type").and_then(Value::as_str) {
        Some("FeatureCollection") => root.get("features").and_then(Value::as_array).ok_or_else(expected)?.as_slice(),
        Some("Feature") => std::slice::from_ref(&root),
        _ => return Err(expected()),
    };
    let found = features.iter().enumerate().map(|(i, feature)| read_feature(i + 1, feature, kind));
    let found = found.collect::<Result<_, _>>()?;
    let properties = features.iter().filter_map(|feature| feature.get("properties")?.as_object());
    let not_read = properties.flatten().filter(|(name, value)| !value.is_null() && resembles_key(name, kind.keys));
    let not_read = not_read.map(|(name, _)| name.clone()).collect();
    Ok(FileContent { found, system: point_system(root.get("crs"))?, not_read })
}

/// Returns `true` for an ignored property whose name suggests a height, a direction or a distance.
fn resembles_key<T>(name: &str, keys: &[PointKey<T>]) -> bool {
    const WORDS: [&str; 14] = [
        "height", "hgt", "hub", "eye", "mast", "target", "angle", "azimuth", "bearing", "pitch", "tilt", "distance",
        "range", "radius",
    ];
    let lower = name.to_ascii_lowercase();
    !keys.iter().any(|key| key.name == name) && WORDS.iter().any(|word| lower.contains(word))
}

/// Returns the reference system of the member `crs` of a collection.
fn point_system(crs: Option<&Value>) -> Result<PointSystem, ObserverError> {
    let Some(crs) = crs.filter(|crs| !crs.is_null()) else { return Ok(PointSystem::Wgs84IfPossible) };
    let property = |key: &str| crs.get("properties").and_then(|properties| properties.get(key));
    let name = match (property("name").and_then(Value::as_str), property("code").and_then(Value::as_u64)) {
        (Some(name), _) => name.to_owned(),
        (None, Some(code)) => format!("EPSG:{code}"),
        (None, None) => return Err(ObserverError::Syntax(format!("crs is {crs}: expected a name such as EPSG:32632"))),
    };
    if name.ends_with("CRS84") {
        return Ok(PointSystem::Named(ReferenceSystem::wgs84()));
    }
    // EPSG:32632, urn:ogc:def:crs:EPSG::32632, http://www.opengis.net/def/crs/EPSG/0/32632
    let is_known = |authority: &str| name.to_ascii_uppercase().contains(authority);
    let code = name.rsplit([':', '/']).next().and_then(|code| code.parse().ok());
    let code = code.filter(|_| is_known("EPSG") || is_known("ESRI"));
    Ok(code.and_then(ReferenceSystem::from_code).map_or(PointSystem::Unknown(name), PointSystem::Named))
}

fn read_feature<T: Copy + 'static>(
    number: usize,
    feature: &Value,
    kind: &PointKind<T>,
) -> Result<FoundPoint<T>, ObserverError> {
    let properties = feature.get("properties");
    let property = |key: &str| properties.and_then(|properties| properties.get(key)).filter(|value| !value.is_null());
    let name = property("name").and_then(Value::as_str).unwrap_or_default().trim();
    let label = kind.label(number, name);
    let geometry = feature.get("geometry").filter(|geometry| !geometry.is_null());
    let geometry_kind = geometry
        .and_then(|geometry| geometry.get("type"))
        .and_then(Value::as_str)
        .unwrap_or("feature without geometry");
    if geometry_kind != "Point" {
        return Err(ObserverError::NotAPoint { observer: label, kind: geometry_kind.to_owned() });
    }
    let coordinates = geometry.and_then(|geometry| geometry.get("coordinates"));
    let coordinate = |key, i: usize| {
        let value = coordinates.and_then(|coordinates| coordinates.get(i));
        value
            .and_then(Value::as_f64)
            .ok_or_else(|| not_a_number(&label, key, &value.map_or_else(String::new, Value::to_string)))
    };
    let position = dvec2(coordinate("x", 0)?, coordinate("y", 1)?);
    let mut values = kind.default;
    for key in kind.keys {
        if let Some(value) = property(key.name) {
            let number = value.as_f64().ok_or_else(|| key.error(&label, value.to_string()))?;
            key.set(&mut values, number, &label)?;
        }
    }
    Ok(FoundPoint { name: name.to_owned(), label, position, values })
}

/// A number of a point in a file: its name in files, its values, and its field.
pub(crate) struct PointKey<T> {
    pub(crate) name: &'static str,
    pub(crate) range: RangeInclusive<f64>,
    pub(crate) unit: &'static str,
    pub(crate) field: fn(&mut T) -> &mut f64,
}

impl<T> PointKey<T> {
    /// Sets the field to a value in range.
    pub(crate) fn set(&self, values: &mut T, value: f64, point: &str) -> Result<(), ObserverError> {
        if self.range.contains(&value) {
            *(self.field)(values) = value;
            return Ok(());
        }
        Err(self.error(point, value.to_string()))
    }

    pub(crate) fn error(&self, point: &str, found: String) -> ObserverError {
        let (low, high) = (self.range.start(), self.range.end());
        let expected = match high.is_finite() {
            true => format!("{low} to {high} {}", self.unit).trim_end().to_owned(),
            false => format!("{low} {} or more", self.unit),
        };
        ObserverError::Value { observer: point.to_owned(), key: self.name, found, expected }
    }
}
