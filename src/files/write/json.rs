//! Writes JSON: metadata and values.

use std::io::{self, Write};

use serde::Serialize;

use super::error::WriteError;
use super::raster::Raster;
use crate::files::provenance::Provenance;

/// The entries before the values.
#[derive(Serialize)]
struct JsonHeader<'a> {
    farsight: &'a Provenance,
    layer: &'a str,
    width: usize,
    height: usize,
    origin: [i32; 2],
    viewer: [i32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_size_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    georeference: Option<JsonGeoreference>,
}

#[derive(Serialize)]
struct JsonGeoreference {
    corner: [f64; 2],
    cell: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    epsg: Option<u16>,
}

impl Raster {
    /// Writes one JSON object, a line a row of the map:
    ///
    /// ```json
    /// {
    ///   "farsight": { "version": "0.1.0", "…": "the provenance" },
    ///   "layer": "visibility",
    ///   "width": 3,
    ///   "height": 2,
    ///   "origin": [10, 20],
    ///   "viewer": [11, 20],
    ///   "cell_size_m": 100.0,
    ///   "values": [
    ///     [0.5, 1.0, 0.5],
    ///     [0.0, 0.5, null]
    ///   ],
    ///   "labels": {
    ///     "column": "state",
    ///     "names": ["hidden", "seen", "visible"],
    ///     "cells": [
    ///       [2, 2, 2],
    ///       [0, 2, 0]
    ///     ]
    ///   }
    /// }
    /// ```
    ///
    /// `values[y][x]` belongs to the map cell `origin + [x, y]`; `null` is a cell without data. The label of the same
    /// cell is `labels.names[labels.cells[y][x]]`. `cell_size_m`, `labels` and `georeference` are written if the raster
    /// has them; `georeference` has the upper left `corner`, the size of a `cell` and the `epsg` code.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, the labels do not fit, or the writer fails.
    pub fn write_json(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let header = serde_json::to_string_pretty(&JsonHeader {
            farsight: &self.provenance,
            layer: &self.layer,
            width: self.values.width(),
            height: self.values.height(),
            origin: self.top_left.to_array(),
            viewer: self.viewer.to_array(),
            cell_size_m: self.cell_size_m,
            georeference: self.georeference.as_ref().map(|georeference| JsonGeoreference {
                corner: georeference.corner,
                cell: georeference.cell,
                epsg: georeference.keys.epsg(),
            }),
        })
        .map_err(io::Error::from)?;
        // The rows are written one at a time: as one value of serde_json they would take too much memory.
        let open = header.strip_suffix("\n}").unwrap_or(&header);
        write!(out, "{open},\n  \"values\": [")?;
        write_rows(&mut out, "    ", self.values.height(), |y| self.values.row(y))?;
        write!(out, "\n  ]")?;
        if let Some(labels) = &self.labels {
            let column = serde_json::to_string(&labels.column).map_err(io::Error::from)?;
            let names = serde_json::to_string(&labels.names).map_err(io::Error::from)?;
            write!(out, ",\n  \"labels\": {{\n    \"column\": {column},\n    \"names\": {names},\n    \"cells\": [")?;
            write_rows(&mut out, "      ", labels.cells.height(), |y| labels.cells.row(y))?;
            write!(out, "\n    ]\n  }}")?;
        }
        Ok(out.write_all(b"\n}\n")?)
    }
}

/// Writes rows as arrays, a line a row.
fn write_rows<'a, T: Serialize + 'a>(
    out: &mut impl Write,
    indent: &str,
    height: usize,
    row: impl Fn(usize) -> &'a [T],
) -> io::Result<()> {
    for y in 0..height {
        write!(out, "{}\n{indent}", if y == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, row(y))?;
    }
    Ok(())
}
