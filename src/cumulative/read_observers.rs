//! [`read_observers`]: observers from CSV and GeoJSON, in the coordinates of a raster.
//!
//! # References
//! RFC 7946, *The GeoJSON Format*, for features and points. Coordinates are those of the raster, not always degrees.

use csv::{ReaderBuilder, StringRecord, Trim};
use glam::{DVec2, IVec2, dvec2};
use serde_json::Value;

use super::placed_observer::{LIMIT_KEYS, ObserverError, PlacedObserver, ViewLimits};
use crate::files::Georeference;

/// The format of a file of observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObserverFormat {
    /// A table with a header: `x,y`, and any of `name` and the keys of [`ViewLimits`].
    Csv,
    /// A collection of features that are points, with the same keys as properties.
    GeoJson,
}

/// An observer before it is placed on a raster.
struct FoundObserver {
    name: String,
    position: DVec2,
    limits: ViewLimits,
}

/// Reads the observers of a file, and places them on the raster of a georeference with `size` cells. What a file does not say
/// of an observer is taken from `limits`.
///
/// # Errors
/// [`ObserverError`] with the name of the first observer that cannot be used.
///
/// ```
/// use farsight::cumulative::{ObserverFormat, ViewLimits, read_observers};
/// use farsight::files::{GeoKeys, Georeference};
/// use farsight::glam::ivec2;
/// let place = Georeference { corner: [600_000.0, 5_200_000.0], cell: [30.0, 30.0], keys: GeoKeys::default() };
/// let text = "name,x,y,eye_height_m\nmast,600100,5199900,40\n";
/// let observers = read_observers(text, ObserverFormat::Csv, &place, ivec2(50, 50), ViewLimits::default())?;
/// assert_eq!((observers[0].cell, observers[0].limits.eye_height_m), (ivec2(3, 3), 40.0));
/// # Ok::<(), farsight::cumulative::ObserverError>(())
/// ```
pub fn read_observers(
    text: &str,
    format: ObserverFormat,
    georeference: &Georeference,
    size: IVec2,
    limits: ViewLimits,
) -> Result<Vec<PlacedObserver>, ObserverError> {
    let text = text.trim_start_matches('\u{FEFF}');
    let found = match format {
        ObserverFormat::Csv => read_csv(text, limits)?,
        ObserverFormat::GeoJson => read_geojson(text, limits)?,
    };
    if found.is_empty() {
        return Err(ObserverError::None);
    }
    let place =
        |found: FoundObserver| PlacedObserver::new(found.name, found.position, found.limits, georeference, size);
    found.into_iter().map(place).collect()
}

fn observer_name(number: usize, name: Option<&str>) -> String {
    match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => format!("observer {number} ({name})"),
        None => format!("observer {number}"),
    }
}

const COORDINATES: [[&str; 2]; 4] = [["x", "y"], ["easting", "northing"], ["longitude", "latitude"], ["lon", "lat"]];

fn read_csv(text: &str, limits: ViewLimits) -> Result<Vec<FoundObserver>, ObserverError> {
    let syntax = |error: csv::Error| ObserverError::Syntax(error.to_string());
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers().map_err(syntax)?.iter().map(str::to_ascii_lowercase).collect();
    let column = |name: &str| header.iter().position(|other| other == name);
    let coordinates = COORDINATES.iter().find_map(|[x, y]| Some([column(x)?, column(y)?]));
    let [x, y] = coordinates.ok_or_else(|| ObserverError::NoCoordinates(header.join(",")))?;
    let name_column = column("name");
    let keys: Vec<_> = LIMIT_KEYS.iter().filter_map(|key| Some((key, column(key.name)?))).collect();
    let mut found = Vec::new();
    for (i, record) in reader.records().enumerate() {
        let record: StringRecord = record.map_err(syntax)?;
        let field = |column: usize| record.get(column).unwrap_or_default();
        let name = observer_name(i + 1, name_column.map(field));
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
        found.push(FoundObserver { name, position, limits });
    }
    Ok(found)
}

fn not_a_number(observer: &str, key: &'static str, found: &str) -> ObserverError {
    let (observer, expected) = (observer.to_owned(), "a coordinate of the raster".to_owned());
    ObserverError::Value { observer, key, found: format!("{found:?}"), expected }
}

fn read_geojson(text: &str, limits: ViewLimits) -> Result<Vec<FoundObserver>, ObserverError> {
    let root: Value = serde_json::from_str(text).map_err(|error| ObserverError::Syntax(error.to_string()))?;
    let expected = || ObserverError::Syntax("expected a FeatureCollection of points".to_owned());
    let features = match root.get("type").and_then(Value::as_str) {
        Some("FeatureCollection") => root.get("features").and_then(Value::as_array).ok_or_else(expected)?.as_slice(),
        Some("Feature") => std::slice::from_ref(&root),
        _ => return Err(expected()),
    };
    features.iter().enumerate().map(|(i, feature)| read_feature(i + 1, feature, limits)).collect()
}

fn read_feature(number: usize, feature: &Value, mut limits: ViewLimits) -> Result<FoundObserver, ObserverError> {
    let properties = feature.get("properties");
    let property = |key: &str| properties.and_then(|properties| properties.get(key)).filter(|value| !value.is_null());
    let name = observer_name(number, property("name").and_then(Value::as_str));
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
    Ok(FoundObserver { name, position, limits })
}
