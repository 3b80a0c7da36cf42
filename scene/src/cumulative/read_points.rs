//! [`read_points`]: points from CSV and GeoJSON in the coordinates of a raster; [`PointKey`]: a number of a point in a file.
//!
//! # References
//! RFC 7946, *The GeoJSON Format*, for features and points; GeoJSON 2008 for the member `crs`, in which longitude comes
//! before latitude for every reference system.

use std::fmt;

use glam::{DVec2, dvec2};

use super::error::ObserverError;
use super::found_points::{FileContent, FoundPoint, PointKind, PointSystem};
use super::point_features::read_geojson;
use super::point_table::read_csv;
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

/// The points of a file.
pub(crate) struct FoundPoints<T> {
    pub(crate) points: Vec<FoundPoint<T>>,
    pub(crate) notes: Vec<ObserverNote>,
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
    // From 0 to 360, or beyond 180, as programs write them next to the antimeridian.
    let is_degrees = |position: DVec2| position.x.abs() <= 360.0 && position.y.abs() <= 90.0;
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
        let is_beyond = found.position.x.abs() > 180.0 && from.is_same(&ReferenceSystem::wgs84());
        let turn = if is_beyond { -360.0_f64.copysign(found.position.x) } else { 0.0 };
        let start = found.position + dvec2(turn, 0.0);
        let position = from.transform(&to, start).map_err(|error| ObserverError::Transform {
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
