//! Fields of view over opacities.

use farsight::glam::IVec2;
use farsight::sight::MethodKind;
use farsight::{FieldOfView, Job, OpacityMap};
use farsight_bindings::sight::{self, sight_config};
use farsight_bindings::{Failure, InvalidOpacity};
use numpy::{PyArray2, PyReadonlyArray2, PyReadwriteArray2, PyReadwriteArray3};
use pyo3::prelude::*;

use crate::arrays::{array_of, array_of_grid, cells_of, values_of};
use crate::errors::{failed, interruptible};

/// Returns the view that keys of `[sight]` as JSON describe.
fn field_of_view_from(json: &str) -> Result<FieldOfView, Failure> {
    Ok(FieldOfView::new(sight_config(json)?)?)
}

#[pyfunction]
pub(crate) fn field_of_view<'py>(
    py: Python<'py>,
    opacity: PyReadonlyArray2<'py, f32>,
    viewer: (i32, i32),
    config: &str,
    out: Option<PyReadwriteArray2<'py, f32>>,
) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
    let (values, mut fov) = (values_of(&opacity)?, field_of_view_from(config).map_err(failed)?);
    let is_slow = fov.config().method.kind() == MethodKind::Exact;
    let size = values.size();
    let invalid = InvalidOpacity::default();
    let mut write_into = |py: Python<'py>, cells: &mut [f32]| -> PyResult<()> {
        let mut compute = |job: Job<'_>| {
            let opacity = invalid.source(values);
            sight::field_of_view(&mut fov, opacity, values.extent(), viewer.into(), cells, job)
        };
        if is_slow { interruptible(py, compute) } else { py.detach(|| compute(Job::none())).map_err(failed) }
    };
    let array = match out {
        Some(mut out) => {
            write_into(py, out.as_slice_mut()?)?;
            None
        }
        None => {
            let mut cells = vec![0.0; (size.x as usize) * (size.y as usize)];
            write_into(py, &mut cells)?;
            Some(array_of(py, cells, size)?)
        }
    };
    invalid.check().map_err(failed)?;
    Ok(array)
}

#[pyfunction]
pub(crate) fn fields_of_view<'py>(
    py: Python<'py>,
    opacity: PyReadonlyArray2<'py, f32>,
    viewers: PyReadonlyArray2<'py, i32>,
    config: &str,
    mut out: PyReadwriteArray3<'py, f32>,
) -> PyResult<()> {
    let (values, fov) = (values_of(&opacity)?, field_of_view_from(config).map_err(failed)?);
    let viewers = cells_of(&viewers)?;
    let invalid = InvalidOpacity::default();
    let cells = out.as_slice_mut()?;
    interruptible(py, |job| sight::fields_of_view(&fov, || invalid.source(values), &viewers, cells, job))?;
    invalid.check().map_err(failed)
}

/// Copies an array into a checked map.
fn opacity_map(opacity: &PyReadonlyArray2<'_, f32>) -> PyResult<OpacityMap> {
    OpacityMap::try_from(values_of(opacity)?.grid()).map_err(|error| failed(Failure::invalid(error)))
}

#[pyfunction]
pub(crate) fn line_of_sight(
    opacity: PyReadonlyArray2<'_, f32>,
    viewer: (i32, i32),
    target: (i32, i32),
    config: &str,
) -> PyResult<f32> {
    let (map, mut fov) = (opacity_map(&opacity)?, field_of_view_from(config).map_err(failed)?);
    fov.line_of_sight(&map, viewer, target).map_err(failed)
}

#[pyfunction]
pub(crate) fn who_sees_whom<'py>(
    py: Python<'py>,
    opacity: PyReadonlyArray2<'py, f32>,
    cells: PyReadonlyArray2<'py, i32>,
    radii: Vec<u32>,
    config: &str,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (map, mut fov) = (opacity_map(&opacity)?, field_of_view_from(config).map_err(failed)?);
    let creatures: Vec<(IVec2, u32)> = cells_of(&cells)?.into_iter().zip(radii).collect();
    array_of_grid(py, py.detach(|| fov.mutual(&map, &creatures)).map_err(failed)?)
}
