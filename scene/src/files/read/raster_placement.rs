//! [`RasterPlacement`]: the position of a raster, and the order of its rows; [`WorldFile`], which tells it next to a raster.

use super::error::{ReadError, TifError};
use super::limits::check_position;
use super::number::parse_number;
use crate::files::geo_keys::GeoKeys;
use crate::files::georeference::Georeference;
use farsight::grid::CellRect;

/// The direction in which the rows of a file follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RowOrder {
    #[default]
    FromNorth,
    FromSouth,
}

impl RowOrder {
    /// Returns the cells in the order of the file, of a raster of `rows` rows.
    pub(super) fn in_file(self, cells: CellRect, rows: i32) -> CellRect {
        let CellRect { mut min, mut max } = cells;
        if self == Self::FromSouth {
            (min.y, max.y) = (rows - cells.max.y, rows - cells.min.y);
        }
        CellRect { min, max }
    }

    /// Sorts rows in the order of the file from the north.
    pub(super) fn sort(self, cells: &mut [f32], width: usize) {
        if self == Self::FromSouth {
            let (north, south) = cells.split_at_mut(cells.len() / width / 2 * width);
            for (a, b) in north.chunks_exact_mut(width).zip(south.rchunks_exact_mut(width)) {
                a.swap_with_slice(b);
            }
        }
    }
}

/// The position of a raster, and the order of its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct RasterPlacement {
    pub(super) georeference: Option<Georeference>,
    pub(super) order: RowOrder,
}

impl RasterPlacement {
    /// Places a raster whose first cell begins at `start`. The step from row to row is below 0 if the first row is in the north.
    pub(super) fn new(
        start: [f64; 2],
        [width, step]: [f64; 2],
        keys: GeoKeys,
        [columns, rows]: [usize; 2],
    ) -> Result<Self, ReadError> {
        let (corner, order) = if step < 0.0 {
            (start, RowOrder::FromNorth)
        } else {
            ([start[0], start[1] + rows as f64 * step], RowOrder::FromSouth)
        };
        let georeference = Georeference { corner, cell: [width, step.abs()], keys: keys.without_heights() };
        Ok(Self { georeference: Some(check_position(georeference, columns, rows)?), order })
    }
}

/// The position of a raster in six lines: the width of a cell, two terms of a rotation, the step from row to row, and the centre
/// of the first cell.
///
/// # References
/// Esri, *World files for raster datasets*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorldFile([f64; 6]);

impl WorldFile {
    /// Parses the text of a world file; `None` if it has no six finite numbers, or its cells no sides.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words = text.trim_start_matches('\u{FEFF}').split_whitespace();
        let numbers: Vec<f64> = words.map(parse_number).collect::<Option<_>>()?;
        let numbers: [f64; 6] = numbers.try_into().ok()?;
        let has_sides = numbers[0] != 0.0 && numbers[3] != 0.0;
        (has_sides && numbers.iter().all(|number| number.is_finite())).then_some(Self(numbers))
    }

    /// Places a raster.
    pub(super) fn place(self, keys: GeoKeys, size: [usize; 2]) -> Result<RasterPlacement, ReadError> {
        let Self([width, column_turn, row_turn, step, x, y]) = self;
        if column_turn != 0.0 || row_turn != 0.0 || width < 0.0 {
            return Err(TifError::NotNorthUp.into());
        }
        RasterPlacement::new([x - width / 2.0, y - step / 2.0], [width, step], keys, size)
    }
}
