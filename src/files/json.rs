//! JSON: what the values are, and the values.

use std::io::Write;

use serde::Serialize;

use super::error::WriteError;
use super::gradient::Gradient;
use super::provenance::Provenance;

/// Everything but the values.
#[derive(Serialize)]
struct Heading<'a> {
    farsight: &'a Provenance,
    layer: &'a str,
    width: usize,
    height: usize,
    origin: [i32; 2],
    viewer: [i32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_size_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    georeference: Option<Place>,
}

/// Where the values lie on the earth.
#[derive(Serialize)]
struct Place {
    /// The upper left corner.
    corner: [f64; 2],
    cell: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    epsg: Option<u16>,
}

impl Gradient {
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
    /// `values[y][x]` belongs to the map cell `origin + [x, y]`; `null` is a cell without data. The word of the
    /// same cell is `labels.names[labels.cells[y][x]]`. `cell_size_m` and `labels` are there if the layer has them;
    /// so is `georeference` with the upper left `corner`, the `cell` and the `epsg` code of their coordinates.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, the labels do not fit, or the writer fails.
    pub fn write_json(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let heading = serde_json::to_string_pretty(&Heading {
            farsight: &self.provenance,
            layer: &self.layer,
            width: self.values.width(),
            height: self.values.height(),
            origin: self.origin.to_array(),
            viewer: self.viewer.to_array(),
            cell_size_m: self.cell_size_m,
            georeference: self.georeference.as_ref().map(|place| Place {
                corner: place.corner,
                cell: place.cell,
                epsg: place.keys.epsg(),
            }),
        })?;
        // The object is left open for the rows, which would take too much room as a value of serde_json's.
        let open = heading.strip_suffix("\n}").unwrap_or(&heading);
        write!(out, "{open},\n  \"values\": [")?;
        rows(&mut out, "    ", self.values.height(), |y| self.values.row(y))?;
        write!(out, "\n  ]")?;
        if let Some(labels) = &self.labels {
            let (column, names) = (serde_json::to_string(&labels.column)?, serde_json::to_string(&labels.names)?);
            write!(out, ",\n  \"labels\": {{\n    \"column\": {column},\n    \"names\": {names},\n    \"cells\": [")?;
            rows(&mut out, "      ", labels.cells.height(), |y| labels.cells.row(y))?;
            write!(out, "\n    ]\n  }}")?;
        }
        Ok(out.write_all(b"\n}\n")?)
    }
}

fn rows<'a, T: Serialize + 'a>(
    out: &mut impl Write,
    indent: &str,
    height: usize,
    row: impl Fn(usize) -> &'a [T],
) -> Result<(), WriteError> {
    for y in 0..height {
        write!(out, "{}\n{indent}", if y == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, row(y))?;
    }
    Ok(())
}
