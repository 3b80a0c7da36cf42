//! Writes features as GeoJSON.

use std::io::{self, Write};

use glam::DVec2;
use serde_json::{Map, Value, json};

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
        let point = |at: &DVec2| {
            let degrees = system.as_ref().map_or(Ok(*at), |system| self.degrees_at(system, *at))?;
            Ok::<_, TransformError>(json!(degrees.to_array()))
        };
        let ring = |ring: &Vec<DVec2>| ring.iter().chain(ring.first()).map(point).collect::<Result<Vec<Value>, _>>();
        for (i, (geometry, fields)) in self.geometries.iter().zip(&self.table.rows).enumerate() {
            let geometry = match geometry {
                Geometry::Point(at) => json!({ "type": "Point", "coordinates": point(at)? }),
                Geometry::Polygon(rings) => {
                    let rings = rings.iter().map(ring).collect::<Result<Vec<_>, _>>()?;
                    json!({ "type": "Polygon", "coordinates": rings })
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

fn property(field: &FieldValue) -> Value {
    match field {
        FieldValue::Missing => Value::Null,
        FieldValue::Integer(number) => json!(number),
        FieldValue::Real(number) => json!(number),
        FieldValue::Text(text) => json!(text),
    }
}
