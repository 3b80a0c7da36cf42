//! Writes rasters as text: Esri ASCII grids (Esri, *Esri ASCII raster format*), tables with one line per cell, JSON
//! with metadata and values, and drawn maps.

use std::io::{self, Write};

use serde::Serialize;

use super::error::WriteError;
use super::raster::Raster;
use crate::files::format::Format;
use crate::files::provenance::Provenance;

impl Raster {
    /// Writes an Esri ASCII grid: a header, then one line per row of the map from the north (the top).
    ///
    /// Without a [`georeference`](Raster::georeference) the upper left corner of the map's cell 0,0 is the point 0,0; x
    /// is metres to the east and y metres to the north, so that the cells of a map have a negative y. A cell without a
    /// size in metres has side 1. The header of rectangular cells has `dx` and `dy` instead of `cellsize`, as in GDAL.
    /// Numbers have the shortest digits that read back as the same `f32`.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_asc(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let (columns, rows) = (self.values.width(), self.values.height());
        let georeference = self.georeference_or_plane();
        let [west, south] = georeference.lower_left(rows).map(|coordinate| coordinate + 0.0); // + 0.0: no "-0"
        writeln!(out, "ncols {columns}\nnrows {rows}\nxllcorner {west}\nyllcorner {south}")?;
        match georeference.cell {
            [width, height] if width == height => writeln!(out, "cellsize {width}")?,
            [width, height] => writeln!(out, "dx {width}\ndy {height}")?,
        }
        writeln!(out, "NODATA_value {}", self.nodata)?;
        for y in 0..rows {
            for (x, &value) in self.values.row(y).iter().enumerate() {
                let value = if value.is_nan() { self.nodata } else { value };
                write!(out, "{}{value}", if x == 0 { "" } else { " " })?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

impl Raster {
    /// Writes the values as a table `x,y,visibility,state`, one line per cell, row-major.
    ///
    /// `x` and `y` are map cells. The third column is named after the layer, and the fourth after the labels, if there
    /// are labels. Numbers have the shortest digits that read back as the same `f32`; a nodata cell is empty.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, the labels do not fit, or the writer fails.
    pub fn write_csv(&self, out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let mut table = csv::Writer::from_writer(out);
        let mut header = vec!["x", "y", self.layer.as_str()];
        header.extend(self.labels.as_ref().map(|labels| labels.column.as_str()));
        table.write_record(header)?;
        let mut number = String::new();
        for (cell, &value) in self.values.iter() {
            for coordinate in (self.top_left + cell).to_array() {
                table.write_field(number_text(&mut number, coordinate))?;
            }
            table.write_field(if value.is_nan() { "" } else { number_text(&mut number, value) })?;
            if let Some(label) = self.label(cell) {
                table.write_field(label)?;
            }
            table.write_record(None::<&[u8]>)?;
        }
        Ok(table.flush()?)
    }
}

/// Formats a number in `buffer`, which the caller reuses.
fn number_text(buffer: &mut String, number: impl std::fmt::Display) -> &str {
    use std::fmt::Write;
    buffer.clear();
    let _ = write!(buffer, "{number}"); // writing to a string does not fail
    buffer
}

impl From<csv::Error> for WriteError {
    fn from(error: csv::Error) -> Self {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::Io(error),
            other => Self::Encode(format!("{other:?}")),
        }
    }
}

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
    /// Writes one JSON object, with one line per row of the map:
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
    /// `values[y][x]` belongs to the map cell `origin + [x, y]`; `null` is a nodata cell. The label of the same cell is
    /// `labels.names[labels.cells[y][x]]`. `cell_size_m`, `labels` and `georeference` are written if the raster
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
        // The rows are written one at a time, since one value of serde_json would take too much memory.
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

/// Writes rows as arrays, one line per row.
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

impl Raster {
    /// Draws the values as text, one character per cell: `.` for 0, `1` to `9` for tenths, `#` for 1, `+` and `'` for
    /// closed and open doors, `_` for 0 under a roof, and `@` for the viewer. Values are rounded to the nearest tenth.
    /// The text can be read as a map.
    ///
    /// # Errors
    /// [`WriteError`] if a value is outside [0, 1], or the writer fails.
    pub fn write_txt(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        self.check_unit_range(Format::Txt)?;
        let mut line = Vec::with_capacity(self.values.width() + 1);
        for y in 0..self.values.height() {
            line.clear();
            line.extend(self.values.row(y).iter().map(|value| match (value * 10.0).round() as u8 {
                0 => b'.',
                tenths @ 1..=9 => b'0' + tenths,
                _ => b'#',
            }));
            if let Some(roofs) = &self.roofs {
                let roofed = line.iter_mut().zip(roofs.row(y)).filter(|(cell, has_roof)| **has_roof && **cell == b'.');
                roofed.for_each(|(cell, _)| *cell = b'_');
            }
            let first = self.doors.partition_point(|door| door.y < self.top_left.y + y as i32);
            for door in self.doors[first..].iter().take_while(|door| door.y == self.top_left.y + y as i32) {
                let column = usize::try_from(door.x - self.top_left.x).ok();
                if let Some(cell) = column.and_then(|x| line.get_mut(x)) {
                    *cell = match *cell {
                        b'.' | b'_' => b'\'',
                        b'#' => b'+',
                        tenths => tenths,
                    };
                }
            }
            let viewer = self.viewer - self.top_left;
            if viewer.y == y as i32
                && let Some(cell) = usize::try_from(viewer.x).ok().and_then(|x| line.get_mut(x))
            {
                *cell = b'@';
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }
}
