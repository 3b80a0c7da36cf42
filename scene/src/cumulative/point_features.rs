//! [`read_geojson`]: points of features.
//!
//! # References
//! RFC 7946, *The GeoJSON Format*, for features and points; GeoJSON 2008 for the member `crs`, in which longitude comes before
//! latitude whatever the reference system says.

use glam::dvec2;
use serde_json::Value;

use super::error::ObserverError;
use super::found_points::{FileContent, FoundPoint, PointKey, PointKind, PointSystem, not_a_number, parse_number};
use crate::files::ReferenceSystem;

/// Reads the points of features.
pub(super) fn read_geojson<T: Copy + 'static>(
    text: &str,
    kind: &PointKind<T>,
) -> Result<FileContent<T>, ObserverError> {
    let root: Value = serde_json::from_str(text).map_err(|error| ObserverError::Syntax(error.to_string()))?;
    let expected = || ObserverError::Syntax("expected a FeatureCollection of points".to_owned());
    let features = match root.get("type").and_then(Value::as_str) {
        Some("FeatureCollection") => root.get("features").and_then(Value::as_array).ok_or_else(expected)?.as_slice(),
        Some("Feature") => std::slice::from_ref(&root),
        _ => return Err(expected()),
    };
    let mut found = Vec::new();
    for feature in features {
        read_feature(feature, kind, &mut found)?;
    }
    let properties = features.iter().filter_map(|feature| feature.get("properties")?.as_object());
    let not_read = properties.flatten().filter(|(name, value)| !value.is_null() && resembles_key(name, kind.keys));
    let not_read = not_read.map(|(name, _)| name.clone()).collect();
    Ok(FileContent { found, system: point_system(root.get("crs"))?, not_read })
}

/// Returns `true` for a property that is not read, but whose name speaks of a height, a direction or a distance.
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

/// Adds the points of a feature, one of each position of a `MultiPoint`.
fn read_feature<T: Copy + 'static>(
    feature: &Value,
    kind: &PointKind<T>,
    found: &mut Vec<FoundPoint<T>>,
) -> Result<(), ObserverError> {
    let properties = feature.get("properties");
    let property = |key: &str| properties.and_then(|properties| properties.get(key)).filter(|value| !value.is_null());
    let name = property("name").and_then(Value::as_str).unwrap_or_default().trim();
    let label = kind.label(found.len() + 1, name);
    let geometry = feature.get("geometry").filter(|geometry| !geometry.is_null());
    let geometry_kind = geometry
        .and_then(|geometry| geometry.get("type"))
        .and_then(Value::as_str)
        .unwrap_or("feature without geometry");
    let coordinates = geometry.and_then(|geometry| geometry.get("coordinates"));
    let positions: Vec<Option<&Value>> = match geometry_kind {
        "Point" => vec![coordinates],
        "MultiPoint" => {
            let positions = coordinates.and_then(Value::as_array).into_iter().flatten();
            positions.map(Some).collect()
        }
        _ => return Err(ObserverError::NotAPoint { observer: label, kind: geometry_kind.to_owned() }),
    };
    let mut values = kind.default;
    for key in kind.keys {
        // Programs that read a table keep its numbers as texts, and its empty fields.
        let Some(value) = property(key.name).filter(|value| value.as_str() != Some("")) else { continue };
        let number = value.as_f64().or_else(|| parse_number(value.as_str()?.trim()));
        key.set(&mut values, number.ok_or_else(|| key.error(&label, value.to_string()))?, &label)?;
    }
    for position in positions {
        let label = kind.label(found.len() + 1, name);
        let coordinate = |key, i: usize| {
            let value = position.and_then(|position| position.get(i));
            value
                .and_then(Value::as_f64)
                .ok_or_else(|| not_a_number(&label, key, &value.map_or_else(String::new, Value::to_string)))
        };
        let position = dvec2(coordinate("x", 0)?, coordinate("y", 1)?);
        found.push(FoundPoint { name: name.to_owned(), label, position, values });
    }
    Ok(())
}
