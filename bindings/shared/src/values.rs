//! [`Values`]: the cells of a map owned by another language.

use std::sync::Mutex;

use farsight::Grid;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::sight::{OpacityRows, OpacitySource, View};

use crate::failure::Failure;

/// The maximum height and depth of ground; none on Earth is larger.
const MAX_HEIGHT_M: f32 = 20_000.0;

/// The values of a map, row by row: `x` counts columns, `y` rows.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    cells: &'a [f32],
    size: IVec2,
}

impl<'a> Values<'a> {
    /// The values of a map of some columns and rows, at least one of each.
    ///
    /// # Errors
    /// If a side is 0 or too large, or if the numbers of values and cells differ.
    pub fn new(cells: &'a [f32], width: usize, height: usize) -> Result<Self, Failure> {
        let size = [width, height].map(|side| i32::try_from(side).ok().filter(|side| (1..1 << 30).contains(side)));
        match size {
            [Some(x), Some(y)] if width.checked_mul(height) == Some(cells.len()) => {
                Ok(Self { cells, size: ivec2(x, y) })
            }
            [Some(_), Some(_)] => Err(Failure::invalid(format!(
                "{} values are not accepted: expected {width} columns times {height} rows",
                cells.len()
            ))),
            _ => Err(Failure::invalid(format!(
                "a map of {width} columns and {height} rows is not accepted: expected 1 to 2³⁰ − 1 of each"
            ))),
        }
    }

    /// Returns columns and rows.
    pub fn size(&self) -> IVec2 {
        self.size
    }

    /// Returns all cells.
    pub fn extent(&self) -> CellRect {
        CellRect::of_size(self.size)
    }

    /// Returns the values of a part of a row that is on the map.
    fn row(&self, start: IVec2, length: usize) -> &'a [f32] {
        let first = start.y as usize * self.size.x as usize + start.x as usize;
        &self.cells[first..first + length]
    }

    /// Returns `true` if a cell of the map has a finite value.
    pub fn has_data(&self, cell: IVec2) -> bool {
        self.row(cell, 1)[0].is_finite()
    }

    /// Copies a part of the map.
    pub fn window(&self, part: CellRect) -> Grid<f32> {
        let part = part.intersect(self.extent());
        let mut cells = Vec::with_capacity(part.width() * part.height());
        for y in part.min.y..part.max.y {
            cells.extend_from_slice(self.row(ivec2(part.min.x, y), part.width()));
        }
        Grid::from_vec(part.width(), part.height(), cells).expect("as many cells as the part has")
    }

    /// Copies a part of a map of heights.
    ///
    /// # Errors
    /// For a value that is no height in metres, and not NaN either.
    pub fn heights(&self, part: CellRect) -> Result<Grid<f32>, Failure> {
        let grid = self.window(part);
        let is_valid = |value: f32| value.is_nan() || value.abs() <= MAX_HEIGHT_M;
        let invalid = grid.iter().find(|(_, value)| !is_valid(**value)).map(|(cell, value)| (cell, *value));
        match invalid {
            None => Ok(grid),
            Some((cell, value)) => {
                let IVec2 { x, y } = part.intersect(self.extent()).min + cell;
                Err(Failure::invalid(format!(
                    "heights: {value} in column {x} and row {y} is not valid: expected -{MAX_HEIGHT_M} m to {MAX_HEIGHT_M} m, or NaN"
                )))
            }
        }
    }

    /// Copies the whole map.
    pub fn grid(&self) -> Grid<f32> {
        self.window(self.extent())
    }
}

/// The first value of a map that is not an opacity, and its cell.
#[derive(Default)]
pub struct InvalidOpacity(Mutex<Option<(IVec2, f32)>>);

impl InvalidOpacity {
    /// Returns the opacities of a map as a source for views, which reads them in place and checks them.
    pub fn source<'a>(&'a self, opacity: Values<'a>) -> impl OpacitySource + 'a {
        let fill = move |start: IVec2, row: &mut [f32]| {
            row.copy_from_slice(opacity.row(start, row.len()));
            if !row.iter().all(|value| value.is_nan() || (0.0..=1.0).contains(value)) {
                let found = (start.x..).zip(&*row).find(|(_, value)| !(value.is_nan() || (0.0..=1.0).contains(*value)));
                let mut first = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                *first = first.or(found.map(|(x, value)| (ivec2(x, start.y), *value)));
            }
        };
        OpacityRows::new(fill).within(opacity.extent())
    }

    /// Returns an error if a view has read a value that is not an opacity.
    pub fn check(self) -> Result<(), Failure> {
        match self.0.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            None => Ok(()),
            Some((IVec2 { x, y }, value)) => Err(Failure::invalid(format!(
                "opacity: {value} in column {x} and row {y} is not valid: expected a number from 0 (clear) to 1 (a wall), or NaN"
            ))),
        }
    }
}

/// Writes a view into cells of the rows of a rectangle; cells out of range do not change.
pub fn write_view(view: &View<'_>, frame: CellRect, cells: &mut [f32]) {
    let window = CellRect { min: view.top_left(), max: view.top_left() + view.grid().size() };
    let part = window.intersect(frame);
    for y in part.min.y..part.max.y {
        let source = view.grid().row((y - window.min.y) as usize);
        let from = (part.min.x - window.min.x) as usize;
        let to = (y - frame.min.y) as usize * frame.width() + (part.min.x - frame.min.x) as usize;
        cells[to..to + part.width()].copy_from_slice(&source[from..from + part.width()]);
    }
}
