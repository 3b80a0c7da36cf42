//! Writes features as GeoPackage: an SQLite database that GIS programs read and edit.
//!
//! # References
//! OGC, *GeoPackage Encoding Standard* 1.3.1 (12-128r18); *Simple Feature Access* 1.2.1 (06-103r4) for well-known binary geometries.

use std::io::Write;

use farsight::Job;
use glam::DVec2;
use rusqlite::types::Value;
use rusqlite::{Connection, MAIN_DB, params, params_from_iter};

use super::error::WriteError;
use super::features::{Features, FieldKind, FieldValue, Geometry};
use crate::files::definitions::wkt_of_code;
use crate::files::provenance::Provenance;
use crate::files::reference_system::ReferenceSystem;

/// The required tables of a GeoPackage, and those of its metadata. 1196444487 is `GPKG` in ASCII.
const SCHEMA: &str = "
PRAGMA application_id = 1196444487;
PRAGMA user_version = 10300;
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
  description TEXT DEFAULT '', last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,
  srs_id INTEGER REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL UNIQUE REFERENCES gpkg_contents (table_name),
  column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL REFERENCES gpkg_spatial_ref_sys (srs_id),
  z TINYINT NOT NULL, m TINYINT NOT NULL, PRIMARY KEY (table_name, column_name));
CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
  scope TEXT NOT NULL, UNIQUE (table_name, column_name, extension_name));
CREATE TABLE gpkg_metadata (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, md_scope TEXT NOT NULL DEFAULT 'dataset',
  md_standard_uri TEXT NOT NULL, mime_type TEXT NOT NULL DEFAULT 'text/xml', metadata TEXT NOT NULL DEFAULT '');
CREATE TABLE gpkg_metadata_reference (reference_scope TEXT NOT NULL, table_name TEXT, column_name TEXT, row_id_value INTEGER,
  timestamp DATETIME NOT NULL, md_file_id INTEGER NOT NULL REFERENCES gpkg_metadata (id), md_parent_id INTEGER);
INSERT INTO gpkg_extensions SELECT name, NULL, 'gpkg_metadata', 'http://www.geopackage.org/spec131/#extension_metadata',
  'read-write' FROM sqlite_schema WHERE name LIKE 'gpkg_metadata%' AND type = 'table';
INSERT INTO gpkg_spatial_ref_sys VALUES ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', NULL),
  ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', NULL);
";

/// A fixed time, so that the same scene gives the same bytes.
const NO_TIME: &str = "1970-01-01T00:00:00.000Z";

const UNDEFINED: i32 = -1;
const WGS84: u16 = 4326;

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Encode(error.to_string())
    }
}

impl Features {
    /// Writes a GeoPackage with a table of the features, and the provenance in its metadata. The coordinates are in the
    /// reference system of the features if it has an EPSG code, in longitude and latitude if it is known without a
    /// code, and otherwise in an undefined system.
    ///
    /// # Errors
    /// [`WriteError`] for a point without longitude and latitude, and if the writer fails or the job is cancelled.
    pub fn write_gpkg(&self, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        let mut database = Connection::open_in_memory()?;
        database.execute_batch(SCHEMA)?;
        let transaction = database.transaction()?;
        self.insert_into(&transaction, job)?;
        transaction.commit()?;
        Ok(out.write_all(&database.serialize(MAIN_DB)?)?)
    }

    fn insert_into(&self, database: &Connection, job: Job<'_>) -> Result<(), WriteError> {
        let system = ReferenceSystem::from_keys(&self.keys);
        let is_wgs84 = system.as_ref().is_some_and(|system| system.is_same(&ReferenceSystem::wgs84()));
        let (code, converted) = match (self.keys.epsg(), &system) {
            (Some(code), _) if !is_wgs84 => (Some(code), None),
            (None, None) => (None, None),
            _ => (Some(WGS84), system.as_ref()),
        };
        let mut insert_system =
            database.prepare("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, 'EPSG', ?, ?, NULL)")?;
        for code in [Some(WGS84), code.filter(|code| *code != WGS84)].into_iter().flatten() {
            insert_system.execute(params![
                format!("EPSG:{code}"),
                code,
                code,
                wkt_of_code(code).unwrap_or("undefined")
            ])?;
        }
        let (name, srs_id) = (self.name, code.map_or(UNDEFINED, i32::from));
        let geometry_type = match self.geometries.first() {
            Some(Geometry::Point(_)) => "POINT",
            Some(Geometry::Polygon(_)) => "POLYGON",
            None => "GEOMETRY",
        };
        let columns: String = self.table.columns.iter().fold(String::new(), |columns, column| {
            let kind = match column.kind {
                FieldKind::Integer => "INTEGER",
                FieldKind::Real { .. } => "DOUBLE",
                FieldKind::Text => "TEXT",
            };
            format!("{columns}, \"{}\" {kind}", column.name)
        });
        database.execute_batch(&format!(
            "CREATE TABLE \"{name}\" (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom {geometry_type}{columns})"
        ))?;
        let places = ", ?".repeat(self.table.columns.len());
        let mut insert = database.prepare(&format!("INSERT INTO \"{name}\" VALUES (NULL, ?{places})"))?;
        let mut all = Envelope::default();
        for (i, (geometry, fields)) in self.geometries.iter().zip(&self.table.rows).enumerate() {
            let report = job.report("writing", i as f32 / self.geometries.len() as f32);
            report.map_err(|cancelled| WriteError::Encode(cancelled.to_string()))?;
            let position = |at: &DVec2| converted.map_or(Ok(*at), |system| self.degrees_at(system, *at));
            let rings = match geometry {
                Geometry::Point(at) => vec![vec![position(at)?]],
                Geometry::Polygon(rings) => {
                    let ring = |ring: &Vec<DVec2>| ring.iter().chain(ring.first()).map(position).collect();
                    rings.iter().map(ring).collect::<Result<Vec<Vec<DVec2>>, _>>()?
                }
            };
            rings.iter().flatten().for_each(|at| all.add(*at));
            let values = fields.iter().map(|field| match field {
                FieldValue::Missing => Value::Null,
                FieldValue::Integer(number) => Value::Integer(*number),
                FieldValue::Real(number) => Value::Real(*number),
                FieldValue::Text(text) => Value::Text(text.clone()),
            });
            insert.execute(params_from_iter(
                std::iter::once(Value::Blob(blob(geometry, &rings, srs_id))).chain(values),
            ))?;
        }
        let [min, max] = [all.min, all.max].map(|corner| corner.map(|corner| corner.to_array()));
        let ([min_x, min_y], [max_x, max_y]) = (transposed(min), transposed(max));
        database.execute(
            "INSERT INTO gpkg_contents VALUES (?1, 'features', ?1, '', ?2, ?3, ?4, ?5, ?6, ?7)",
            params![name, NO_TIME, min_x, min_y, max_x, max_y, srs_id],
        )?;
        database.execute(
            "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, 0, 0)",
            params![name, geometry_type, srs_id],
        )?;
        database.execute(
            "INSERT INTO gpkg_metadata VALUES (1, 'dataset', ?, 'application/json', ?)",
            params![Provenance::KEYWORD, self.provenance.to_json()?],
        )?;
        let reference = "INSERT INTO gpkg_metadata_reference VALUES ('table', ?, NULL, NULL, ?, 1, NULL)";
        database.execute(reference, params![name, NO_TIME])?;
        Ok(())
    }
}

fn transposed(corner: Option<[f64; 2]>) -> [Option<f64>; 2] {
    corner.map_or([None; 2], |corner| corner.map(Some))
}

/// The bounding rectangle of some points.
#[derive(Default)]
struct Envelope {
    min: Option<DVec2>,
    max: Option<DVec2>,
}

impl Envelope {
    fn add(&mut self, at: DVec2) {
        self.min = Some(self.min.map_or(at, |min| min.min(at)));
        self.max = Some(self.max.map_or(at, |max| max.max(at)));
    }
}

/// Returns a GeoPackage geometry: a header with the extent of a polygon, and well-known binary, in little-endian order.
fn blob(geometry: &Geometry, rings: &[Vec<DVec2>], srs_id: i32) -> Vec<u8> {
    const LITTLE_ENDIAN: u8 = 1;
    const WITH_EXTENT: u8 = 2;
    const POINT: u32 = 1;
    const POLYGON: u32 = 3;
    let add_point = |bytes: &mut Vec<u8>, at: &DVec2| {
        bytes.extend(at.to_array().into_iter().flat_map(f64::to_le_bytes));
    };
    let (flags, kind) = match geometry {
        Geometry::Point(_) => (LITTLE_ENDIAN, POINT),
        Geometry::Polygon(_) => (LITTLE_ENDIAN | WITH_EXTENT, POLYGON),
    };
    let mut bytes = vec![b'G', b'P', 0, flags];
    bytes.extend(srs_id.to_le_bytes());
    if kind == POLYGON {
        let mut envelope = Envelope::default();
        rings.iter().flatten().for_each(|at| envelope.add(*at));
        let (min, max) = (envelope.min.unwrap_or_default(), envelope.max.unwrap_or_default());
        bytes.extend([min.x, max.x, min.y, max.y].into_iter().flat_map(f64::to_le_bytes));
    }
    bytes.push(LITTLE_ENDIAN);
    bytes.extend(kind.to_le_bytes());
    if kind == POLYGON {
        bytes.extend((rings.len() as u32).to_le_bytes());
    }
    for ring in rings {
        if kind == POLYGON {
            bytes.extend((ring.len() as u32).to_le_bytes());
        }
        ring.iter().for_each(|at| add_point(&mut bytes, at));
    }
    bytes
}
