//! [`Table`]: rows of named fields; [`Features`]: a table whose rows are points or polygons.

use std::borrow::Cow;
use std::io::Write;

use glam::DVec2;

use super::error::WriteError;
use crate::files::geo_keys::GeoKeys;
use crate::files::provenance::Provenance;
use crate::files::reference_system::{ReferenceSystem, TransformError};

/// Rows of named fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<TableColumn>,
    /// The fields of each row, in the order of the columns.
    pub rows: Vec<Vec<FieldValue>>,
}

/// A column of a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// The name.
    pub name: &'static str,
    /// The type of the fields.
    pub kind: FieldKind,
}

/// The type of the fields of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Whole numbers.
    Integer,
    /// Numbers, as text with the shortest decimals or a fixed number of decimals.
    Real {
        /// The decimals as text.
        decimals: Option<usize>,
    },
    /// Texts.
    Text,
}

/// A field of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// No value.
    Missing,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
}

/// Points or polygons with fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The name of the layer: `seen`.
    pub name: &'static str,
    /// The fields of each feature.
    pub table: Table,
    /// The geometry of each feature; all are of one type.
    pub geometries: Vec<Geometry>,
    /// The reference system of the coordinates; empty if unknown.
    pub keys: GeoKeys,
    /// The scene.
    pub provenance: Provenance,
}

/// The geometry of a feature, in easting and northing, or in longitude and latitude.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A point.
    Point(DVec2),
    /// An outer ring, counterclockwise, and holes, clockwise. Rings are not closed: the last point differs from the
    /// first.
    Polygon(Vec<Vec<DVec2>>),
}

impl TableColumn {
    /// Creates a column of whole numbers.
    pub const fn integer(name: &'static str) -> Self {
        Self { name, kind: FieldKind::Integer }
    }

    /// Creates a column of numbers with the shortest decimals.
    pub const fn real(name: &'static str) -> Self {
        Self { name, kind: FieldKind::Real { decimals: None } }
    }

    /// Creates a column of texts.
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: FieldKind::Text }
    }

    fn field_text(self, field: &FieldValue) -> Cow<'_, str> {
        match (field, self.kind) {
            (FieldValue::Missing, _) => "".into(),
            (FieldValue::Text(text), _) => text.into(),
            (FieldValue::Integer(number), _) => number.to_string().into(),
            (FieldValue::Real(number), FieldKind::Real { decimals: Some(decimals) }) => {
                format!("{number:.decimals$}").into()
            }
            (FieldValue::Real(number), _) => number.to_string().into(),
        }
    }
}

impl Table {
    /// Writes the table as CSV with a line of names. A missing value is an empty field.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails.
    pub fn write_csv(&self, out: impl Write) -> Result<(), WriteError> {
        let mut table = csv::Writer::from_writer(out);
        table.write_record(self.columns.iter().map(|column| column.name))?;
        for row in &self.rows {
            let fields = self.columns.iter().zip(row).map(|(column, field)| column.field_text(field));
            fields.into_iter().try_for_each(|field| table.write_field(&*field))?;
            table.write_record(None::<&[u8]>)?;
        }
        Ok(table.flush()?)
    }
}

impl Features {
    /// Returns a position in longitude and latitude on WGS 84, if the reference system is known.
    pub(super) fn degrees_at(&self, system: &ReferenceSystem, position: DVec2) -> Result<DVec2, TransformError> {
        let wgs84 = ReferenceSystem::wgs84();
        if system.is_same(&wgs84) {
            return Ok(position);
        }
        // Rounded to a millimetre, so that results do not depend on the sine of the platform.
        Ok((system.transform(&wgs84, position)? * 1e8).round() / 1e8)
    }
}
