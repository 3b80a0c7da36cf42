//! The native module of `farsight_fov`: arrays in, arrays out. The package in `python/` has the functions that users call, with their
//! documentation.
//!
//! - [`arrays`] reads NumPy arrays as the maps of farsight and writes views into them.
//! - [`errors`] turns the errors of farsight into exceptions, and Ctrl-C into the end of a computation.
//! - [`sight`], [`terrain`] and [`scene`] are the functions.

use pyo3::prelude::*;

mod arrays;
mod errors;
mod scene;
mod sight;
mod terrain;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::scene::NativeScene;
    #[pymodule_export]
    use crate::sight::{field_of_view, fields_of_view, line_of_sight, who_sees_whom};
    #[pymodule_export]
    use crate::terrain::{
        cell_sizes, coverage, cumulative, horizon, latitude_and_convergence, observer_columns, profile, sky,
        total_viewshed, viewshed,
    };

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
