//! [`read_observers`]: observers from CSV and GeoJSON, placed on a raster; [`ObserverNote`].
//!
//! # References
//! RFC 7946, *The GeoJSON Format*, for features and points; GeoJSON 2008 for the member `crs`, in which longitude comes before
//! latitude whatever the reference system says.

use std::collections::BTreeSet;
use std::fmt;

use csv::{ReaderBuilder, StringRecord, Trim};
use glam::{DVec2, IVec2, dvec2};
use serde_json::Value;

use super::placed_observer::{LIMIT_KEYS, ObserverError, PlacedObserver, ViewLimits};
use crate::files::{Georeference, ReferenceSystem};
use crate::text::excerpt;

/// The format of a file of observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObserverFormat {
    /// A table with a header: `x,y`, and any of `name` and the keys of [`ViewLimits`].
    Csv,
    /// A collection of features that are points, with the same keys as properties.
    GeoJson,
}

/// The observers of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundObservers {
    /// The observers on the raster.
    pub observers: Vec<PlacedObserver>,
    /// Notes on the file.
    pub notes: Vec<ObserverNote>,
}

/// A note on a file of observers. The message continues the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObserverNote {
    /// The points are in another reference system than the raster, and were moved.
    Transformed {
        /// The reference system of the file.
        from: String,
        /// That of the raster.
        to: String,
    },
    /// The points may be in another reference system than the raster, and were not moved.
    TakenAsTheyAre {
        /// The reason.
        reason: String,
    },
    /// Columns or properties that are not read.
    NotRead {
        /// Their names.
        names: Vec<String>,
    },
}

impl fmt::Display for ObserverNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transformed { from, to } => write!(f, "the points are converted from {from} to {to}"),
            Self::TakenAsTheyAre { reason } => {
                write!(f, "{reason}; the points are taken to be in the coordinates of the heightmap")
            }
            Self::NotRead { names } => {
                let known: Vec<&str> = LIMIT_KEYS.iter().map(|key| key.name).collect();
                let names = names.iter().map(|name| excerpt(name)).collect::<Vec<_>>().join(", ");
                write!(f, "not read: {names}; what is read: name, {}", known.join(", "))
            }
        }
    }
}

/// The reference system of the points of a file.
enum PointSystem {
    /// That of the raster.
    Raster,
    /// Degrees on WGS 84, if all points can be degrees, else that of the raster.
    Wgs84IfPossible,
    /// One that the file names.
    Named(ReferenceSystem),
    /// One that the file names, without a definition.
    Unknown(String),
}

/// The content of a file, before observers are placed on a raster.
struct FileContent {
    found: Vec<FoundObserver>,
    system: PointSystem,
    not_read: BTreeSet<String>,
}

/// An observer before it is placed on a raster.
struct FoundObserver {
    name: String,
    position: DVec2,
    limits: ViewLimits,
}

/// Reads the observers of a file, and places them on the raster of a georeference with `size` cells. What a file does not say
/// of an observer is taken from `limits`; one with a tip height and no eye height looks from its tip. `noun` is what messages call a
/// point.
///
/// Columns `longitude` and `latitude` and GeoJSON without a reference system are degrees on WGS 84. Points in another reference
/// system than the raster are converted. GeoJSON without a reference system whose points cannot be degrees is in the coordinates of
/// the raster, as other columns are.
///
/// # Errors
/// [`ObserverError`] with the name of the first observer that cannot be used, or with the reference systems if one of them is not
/// known.
///
/// ```
/// use farsight::cumulative::{ObserverFormat, ViewLimits, read_observers};
/// use farsight::files::{GeoKeys, Georeference};
/// use farsight::glam::ivec2;
/// let place = Georeference { corner: [600_000.0, 5_200_000.0], cell: [30.0, 30.0], keys: GeoKeys::default() };
/// let text = "name,x,y,eye_height_m\nmast,600100,5199900,40\n";
/// let limits = ViewLimits::default();
/// let observers = read_observers(text, ObserverFormat::Csv, &place, ivec2(50, 50), limits, "observer")?.observers;
/// assert_eq!((observers[0].cell, observers[0].limits.eye_height_m), (ivec2(3, 3), 40.0));
/// # Ok::<(), farsight::cumulative::ObserverError>(())
/// ```
pub fn read_observers(
    text: &str,
    format: ObserverFormat,
    georeference: &Georeference,
    size: IVec2,
    limits: ViewLimits,
    noun: &str,
) -> Result<FoundObservers, ObserverError> {
    let text = text.trim_start_matches('\u{FEFF}');
    let FileContent { mut found, system, not_read } = match format {
        ObserverFormat::Csv => read_csv(text, limits, noun)?,
        ObserverFormat::GeoJson => read_geojson(text, limits, noun)?,
    };
    if found.is_empty() {
        return Err(ObserverError::None);
    }
    let mut notes = Vec::new();
    if !not_read.is_empty() {
        notes.push(ObserverNote::NotRead { names: not_read.into_iter().collect() });
    }
    notes.extend(move_to_raster(&mut found, system, georeference)?);
    let place =
        |found: FoundObserver| PlacedObserver::new(found.name, found.position, found.limits, georeference, size);
    let observers = found.into_iter().map(place).collect::<Result<_, _>>();
    let observers = observers.map_err(|error| match (error, notes.last()) {
        (
            ObserverError::Outside { observer, x, y, west, south, east, north },
            Some(ObserverNote::Transformed { from, to }),
        ) => {
            let observer = format!("{observer}, converted from {from} to {to},");
            ObserverError::Outside { observer, x, y, west, south, east, north }
        }
        (error, _) => error,
    })?;
    Ok(FoundObservers { observers, notes })
}

/// Converts the positions to the reference system of the raster.
fn move_to_raster(
    found: &mut [FoundObserver],
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
    // Rounded, so that the sine of the platform does not show: to millimetres or less.
    let steps = if keys.is_in_degrees() { 1e9 } else { 1e3 };
    for found in found {
        let position = from.transform(&to, found.position).map_err(|error| ObserverError::Transform {
            observer: found.name.clone(),
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

/// Returns the name of a point in messages: `observer 3 (North mast)`.
fn point_name(point: &str, name: Option<&str>) -> String {
    match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => format!("{point} ({name})"),
        None => point.to_owned(),
    }
}

/// Lets an observer look from the tip that its file gives, unless that gives an eye height.
fn look_from_tip(limits: &mut ViewLimits, is_given: impl Fn(&str) -> bool) {
    if is_given("tip_height_m") && !is_given("eye_height_m") {
        limits.eye_height_m = limits.tip_m();
    }
}

/// The columns of coordinates; the last two are degrees on WGS 84.
const COORDINATES: [[&str; 2]; 4] = [["x", "y"], ["easting", "northing"], ["longitude", "latitude"], ["lon", "lat"]];

fn read_csv(text: &str, limits: ViewLimits, noun: &str) -> Result<FileContent, ObserverError> {
    let syntax = |error: csv::Error| ObserverError::Syntax(error.to_string());
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers().map_err(syntax)?.iter().map(str::to_ascii_lowercase).collect();
    let column = |name: &str| header.iter().position(|other| other == name);
    let coordinates = COORDINATES.iter().find_map(|names| Some((names, [column(names[0])?, column(names[1])?])));
    let (names, [x, y]) = coordinates.ok_or_else(|| ObserverError::NoCoordinates(header.join(",")))?;
    let system = if names[0].starts_with("lon") { PointSystem::Wgs84IfPossible } else { PointSystem::Raster };
    let name_column = column("name");
    let keys: Vec<_> = LIMIT_KEYS.iter().filter_map(|key| Some((key, column(key.name)?))).collect();
    let mut found = Vec::new();
    for (i, record) in reader.records().enumerate() {
        let record: StringRecord = record.map_err(syntax)?;
        let field = |column: usize| record.get(column).unwrap_or_default();
        let name = point_name(&format!("{noun} {}", i + 1), name_column.map(field));
        let coordinate = |key, column| {
            let number = field(column).parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| not_a_number(&name, key, field(column)))
        };
        let position = dvec2(coordinate("x", x)?, coordinate("y", y)?);
        let mut limits = limits;
        for (key, column) in keys.iter().filter(|(_, column)| !field(*column).is_empty()) {
            let value = field(*column).parse().map_err(|_| key.error(&name, format!("{:?}", field(*column))))?;
            key.set(&mut limits, value, &name)?;
        }
        look_from_tip(&mut limits, |key| keys.iter().any(|(other, i)| other.name == key && !field(*i).is_empty()));
        found.push(FoundObserver { name, position, limits });
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

fn read_geojson(text: &str, limits: ViewLimits, noun: &str) -> Result<FileContent, ObserverError> {
    let root: Value = serde_json::from_str(text).map_err(|error| ObserverError::Syntax(error.to_string()))?;
    let expected = || ObserverError::Syntax("expected a FeatureCollection of points".to_owned());
    let features = match root.get("type").and_then(Value::as_str) {
        Some("FeatureCollection") => root.get("features").and_then(Value::as_array).ok_or_else(expected)?.as_slice(),
        Some("Feature") => std::slice::from_ref(&root),
        _ => return Err(expected()),
    };
    let found =
        features.iter().enumerate().map(|(i, feature)| read_feature(&format!("{noun} {}", i + 1), feature, limits));
    let found = found.collect::<Result<_, _>>()?;
    let properties = features.iter().filter_map(|feature| feature.get("properties")?.as_object());
    let not_read = properties.flatten().filter(|(name, value)| !value.is_null() && resembles_limit(name));
    let not_read = not_read.map(|(name, _)| name.clone()).collect();
    Ok(FileContent { found, system: point_system(root.get("crs"))?, not_read })
}

/// Returns `true` for a property that is not read, but whose name speaks of a height, a direction or a distance.
fn resembles_limit(name: &str) -> bool {
    const WORDS: [&str; 14] = [
        "height", "hgt", "hub", "eye", "mast", "target", "angle", "azimuth", "bearing", "pitch", "tilt", "distance",
        "range", "radius",
    ];
    let lower = name.to_ascii_lowercase();
    !LIMIT_KEYS.iter().any(|key| key.name == name) && WORDS.iter().any(|word| lower.contains(word))
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

fn read_feature(point: &str, feature: &Value, mut limits: ViewLimits) -> Result<FoundObserver, ObserverError> {
    let properties = feature.get("properties");
    let property = |key: &str| properties.and_then(|properties| properties.get(key)).filter(|value| !value.is_null());
    let name = point_name(point, property("name").and_then(Value::as_str));
    let geometry = feature.get("geometry").filter(|geometry| !geometry.is_null());
    let kind = geometry
        .and_then(|geometry| geometry.get("type"))
        .and_then(Value::as_str)
        .unwrap_or("feature without geometry");
    if kind != "Point" {
        return Err(ObserverError::NotAPoint { observer: name, kind: kind.to_owned() });
    }
    let coordinates = geometry.and_then(|geometry| geometry.get("coordinates"));
    let coordinate = |key, i: usize| {
        let value = coordinates.and_then(|coordinates| coordinates.get(i));
        value
            .and_then(Value::as_f64)
            .ok_or_else(|| not_a_number(&name, key, &value.map_or_else(String::new, Value::to_string)))
    };
    let position = dvec2(coordinate("x", 0)?, coordinate("y", 1)?);
    for key in &LIMIT_KEYS {
        if let Some(value) = property(key.name) {
            let number = value.as_f64().ok_or_else(|| key.error(&name, value.to_string()))?;
            key.set(&mut limits, number, &name)?;
        }
    }
    look_from_tip(&mut limits, |key| property(key).is_some());
    Ok(FoundObserver { name, position, limits })
}
