//! Writes features as GeoJSON.

use std::io::{self, Write};

use glam::DVec2;
use serde_json::{Map, Value, json};

#[cfg(not(target_arch = "wasm32"))]
use super::antimeridian::cut_at_antimeridian;
use super::error::WriteError;
use super::features::{Features, FieldValue, Geometry};
use crate::files::reference_system::{ReferenceSystem, TransformError};

impl Features {
    /// Writes a GeoJSON collection of features in longitude and latitude on WGS 84. If the reference system is unknown,
    /// the coordinates are written unchanged.
    ///
    /// # Errors
    /// [`WriteError`] for a point without longitude and latitude, and if the writer fails.
    ///
    /// # References
    /// RFC 7946, *The GeoJSON Format*. The member `crs` is that of GeoJSON 2008, which GIS programs read; unchanged
    /// coordinates have it if they have an EPSG code.
    pub fn write_geojson(&self, mut out: impl Write) -> Result<(), WriteError> {
        let system = ReferenceSystem::from_keys(&self.keys);
        out.write_all(b"{")?;
        if let (None, Some(code)) = (&system, self.keys.epsg()) {
            let name = format!("urn:ogc:def:crs:EPSG::{code}");
            write!(out, "\"crs\":{},", json!({ "type": "name", "properties": { "name": name } }))?;
        }
        out.write_all(b"\"features\":[")?;
        let degrees = |at: &DVec2| system.as_ref().map_or(Ok(*at), |system| self.degrees_at(system, *at));
        let is_in_degrees = system.is_some() || self.keys.is_in_degrees();
        for (i, (geometry, fields)) in self.geometries.iter().zip(&self.table.rows).enumerate() {
            let geometry = match geometry {
                Geometry::Point(at) => {
                    let mut at = degrees(at)?;
                    if is_in_degrees && at.x.abs() > 180.0 {
                        at.x -= 360.0 * (at.x / 360.0).round();
                    }
                    json!({ "type": "Point", "coordinates": at.to_array() })
                }
                Geometry::Polygon(rings) => {
                    let rings = rings.iter().map(|ring| ring.iter().map(degrees).collect());
                    let rings = rings.collect::<Result<Vec<Vec<DVec2>>, TransformError>>()?;
                    let mut polygons = if is_in_degrees { cut(rings, !self.keys.is_in_degrees()) } else { vec![rings] };
                    match polygons.len() {
                        1 => json!({ "type": "Polygon", "coordinates": closed(&polygons.remove(0)) }),
                        _ => {
                            let parts: Vec<Value> = polygons.iter().map(|rings| closed(rings)).collect();
                            json!({ "type": "MultiPolygon", "coordinates": parts })
                        }
                    }
                }
            };
            let names = self.table.columns.iter().map(|column| column.name.to_owned());
            let properties: Map<String, Value> = names.zip(fields.iter().map(property)).collect();
            let feature = json!({ "type": "Feature", "properties": properties, "geometry": geometry });
            out.write_all(if i == 0 { b"" } else { b"," })?;
            serde_json::to_writer(&mut out, &feature).map_err(io::Error::from)?;
        }
        Ok(out.write_all(b"],\"type\":\"FeatureCollection\"}\n")?)
    }
}

/// Returns the coordinates of a polygon, with the first point of each ring at its end, too.
fn closed(rings: &[Vec<DVec2>]) -> Value {
    let ring = |ring: &Vec<DVec2>| ring.iter().chain(ring.first()).map(|at| json!(at.to_array())).collect();
    rings.iter().map(ring).collect::<Vec<Value>>().into()
}

/// Returns the polygons into which the antimeridian cuts a polygon in degrees, which were converted from another reference system
/// or not.
#[cfg(not(target_arch = "wasm32"))]
fn cut(rings: Vec<Vec<DVec2>>, is_converted: bool) -> Vec<Vec<Vec<DVec2>>> {
    let is_beyond = rings.iter().flatten().any(|at| at.x.abs() > 180.0);
    match is_beyond || is_converted && rings.iter().any(|ring| jumps(ring)) {
        true => cut_at_antimeridian(&rings, is_converted),
        false => vec![rings],
    }
}

/// Returns the polygon as it is: the page knows few reference systems, and has to be small.
#[cfg(target_arch = "wasm32")]
fn cut(rings: Vec<Vec<DVec2>>, _is_converted: bool) -> Vec<Vec<Vec<DVec2>>> {
    vec![rings]
}

/// Returns `true` if a longitude of a ring is more than half a turn from the one before.
#[cfg(not(target_arch = "wasm32"))]
fn jumps(ring: &[DVec2]) -> bool {
    ring.iter().zip(ring.iter().cycle().skip(1)).any(|(a, b)| (a.x - b.x).abs() > 180.0)
}

fn property(field: &FieldValue) -> Value {
    match field {
        FieldValue::Missing => Value::Null,
        FieldValue::Integer(number) => json!(number),
        FieldValue::Real(number) => json!(number),
        FieldValue::Text(text) => json!(text),
    }
}
