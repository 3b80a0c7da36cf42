//! NumPy arrays as the maps of farsight, and results as arrays.

use farsight::Grid;
use farsight::glam::{IVec2, ivec2};
use farsight_bindings::Values;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::failed;

/// Reads an array in C order, without a copy.
pub(crate) fn values_of<'a>(array: &'a PyReadonlyArray2<'_, f32>) -> PyResult<Values<'a>> {
    let [height, width] = [array.as_array().nrows(), array.as_array().ncols()];
    Values::new(array.as_slice()?, width, height).map_err(failed)
}

/// Returns the cells of an array of two columns.
pub(crate) fn cells_of(array: &PyReadonlyArray2<'_, i32>) -> PyResult<Vec<IVec2>> {
    if array.as_array().ncols() != 2 {
        return Err(PyValueError::new_err("cells: expected an array with two columns"));
    }
    Ok(array.as_slice()?.chunks_exact(2).map(|cell| ivec2(cell[0], cell[1])).collect())
}

/// Returns the cells of a rectangle as a new array, without a copy.
pub(crate) fn array_of(py: Python<'_>, cells: Vec<f32>, size: IVec2) -> PyResult<Bound<'_, PyArray2<f32>>> {
    PyArray1::from_vec(py, cells).reshape([size.y as usize, size.x as usize])
}

/// Returns a grid as a new array, without a copy.
pub(crate) fn array_of_grid(py: Python<'_>, grid: Grid<f32>) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let size = grid.size();
    array_of(py, grid.into_vec(), size)
}
