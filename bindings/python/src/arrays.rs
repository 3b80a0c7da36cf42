//! NumPy arrays as the maps of farsight, and views as arrays.

use std::sync::Mutex;

use farsight::Grid;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::sight::{OpacityRows, OpacitySource, View};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The values of a two-dimensional array, row by row: `x` counts columns, `y` rows.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    cells: &'a [f32],
    size: IVec2,
}

impl<'a> Values<'a> {
    /// Reads an array in C order, without a copy.
    pub(crate) fn of(array: &'a PyReadonlyArray2<'_, f32>) -> PyResult<Self> {
        let [height, width] = [array.as_array().nrows(), array.as_array().ncols()];
        let size = [width, height].map(|side| i32::try_from(side).ok().filter(|side| *side < 1 << 30));
        let [Some(width), Some(height)] = size else {
            return Err(PyValueError::new_err(format!("an array of {width} columns and {height} rows is too large")));
        };
        Ok(Self { cells: array.as_slice()?, size: ivec2(width, height) })
    }

    pub(crate) fn size(&self) -> IVec2 {
        self.size
    }

    pub(crate) fn extent(&self) -> CellRect {
        CellRect::of_size(self.size)
    }

    /// Returns the values of a part of a row that is on the map.
    fn row(&self, start: IVec2, length: usize) -> &'a [f32] {
        let first = start.y as usize * self.size.x as usize + start.x as usize;
        &self.cells[first..first + length]
    }

    /// Copies a part of the map.
    pub(crate) fn window(&self, part: CellRect) -> Grid<f32> {
        let part = part.intersect(self.extent());
        let mut cells = Vec::with_capacity(part.width() * part.height());
        for y in part.min.y..part.max.y {
            cells.extend_from_slice(self.row(ivec2(part.min.x, y), part.width()));
        }
        Grid::from_vec(part.width(), part.height(), cells).expect("as many cells as the part has")
    }
}

/// Returns the cells of an array of two columns.
pub(crate) fn cells_of(array: &PyReadonlyArray2<'_, i32>) -> PyResult<Vec<IVec2>> {
    if array.as_array().ncols() != 2 {
        return Err(PyValueError::new_err("cells: expected an array with two columns"));
    }
    Ok(array.as_slice()?.chunks_exact(2).map(|cell| ivec2(cell[0], cell[1])).collect())
}

/// The first value of a map that is no opacity, and its cell.
#[derive(Default)]
pub(crate) struct InvalidOpacity(Mutex<Option<(IVec2, f32)>>);

impl InvalidOpacity {
    /// Returns the opacities of an array as a source for views, which are read where they are and checked.
    pub(crate) fn source<'a>(&'a self, opacity: Values<'a>) -> impl OpacitySource + 'a {
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

    /// Returns an error if a view read a value that is no opacity.
    pub(crate) fn check(self) -> PyResult<()> {
        match self.0.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            None => Ok(()),
            Some((IVec2 { x, y }, value)) => Err(PyValueError::new_err(format!(
                "opacity: {value} in column {x} and row {y} is not valid: expected a number from 0 (clear) to 1 (a wall), or NaN"
            ))),
        }
    }
}

/// Writes a view into cells of the rows of a rectangle; cells that it does not reach stay as they are.
pub(crate) fn write_view(view: &View<'_>, frame: CellRect, cells: &mut [f32]) {
    let window = CellRect { min: view.top_left(), max: view.top_left() + view.grid().size() };
    let part = window.intersect(frame);
    for y in part.min.y..part.max.y {
        let source = view.grid().row((y - window.min.y) as usize);
        let from = (part.min.x - window.min.x) as usize;
        let to = (y - frame.min.y) as usize * frame.width() + (part.min.x - frame.min.x) as usize;
        cells[to..to + part.width()].copy_from_slice(&source[from..from + part.width()]);
    }
}

/// Returns the cells of a rectangle as a new array, without a copy.
pub(crate) fn array_of<'py>(
    py: Python<'py>,
    cells: Vec<f32>,
    [rows, columns]: [usize; 2],
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    PyArray1::from_vec(py, cells).reshape([rows, columns])
}

/// Returns a grid as a new array, without a copy.
pub(crate) fn array_of_grid(py: Python<'_>, grid: Grid<f32>) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let sides = [grid.height(), grid.width()];
    array_of(py, grid.into_vec(), sides)
}
