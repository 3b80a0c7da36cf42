//! Fields of view over opacities.

use farsight::glam::IVec2;
use farsight::grid::CellRect;
use farsight::preset::Preset;
use farsight::sight::{Method, SightConfig, SightError};
use farsight::{FieldOfView, Job, OpacityMap};
use numpy::{PyArray2, PyReadonlyArray2, PyReadwriteArray2, PyReadwriteArray3};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::Value;

use crate::arrays::{InvalidOpacity, Values, array_of, array_of_grid, cells_of, write_view};
use crate::errors::{interruptible, sight_error, value_error};

/// Reads the keys of `[sight]` of a preset from JSON.
pub(crate) fn sight_config(json: &str) -> PyResult<SightConfig> {
    let config: SightConfig = serde_json::from_str(json).map_err(|error| {
        // The reader of presets says more: the key, the value and what is accepted.
        let mut settings = Vec::new();
        list_settings("sight", &serde_json::from_str(json).unwrap_or_default(), &mut settings);
        let changes = settings.iter().map(|(key, value)| (key.as_str(), Preset::parse_value(key, value)));
        match Preset::bare_kernel().with(changes) {
            Err(error) => value_error(error.with_origin("field of view")),
            Ok(_) => value_error(error),
        }
    })?;
    config.check().map_err(sight_error)?;
    Ok(config)
}

/// Lists the keys of a table, as in a preset, and their values.
fn list_settings(key: &str, value: &Value, settings: &mut Vec<(String, String)>) {
    match value {
        Value::Object(table) => {
            table.iter().for_each(|(name, value)| list_settings(&format!("{key}.{name}"), value, settings));
        }
        _ => settings.push((key.to_owned(), value.to_string())),
    }
}

#[pyfunction]
pub(crate) fn field_of_view<'py>(
    py: Python<'py>,
    opacity: PyReadonlyArray2<'py, f32>,
    viewer: (i32, i32),
    config: &str,
    out: Option<PyReadwriteArray2<'py, f32>>,
) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
    let (values, config) = (Values::of(&opacity)?, sight_config(config)?);
    let is_slow = config.method == Method::Exact;
    let mut fov = FieldOfView::new(config).map_err(sight_error)?;
    let size = values.size();
    let invalid = InvalidOpacity::default();
    let mut write_into = |py: Python<'py>, cells: &mut [f32]| -> PyResult<()> {
        cells.fill(0.0);
        let mut compute = |job: Job<'_>| {
            let view = fov.compute_with_job(invalid.source(values), viewer, job)?;
            write_view(&view, values.extent(), cells);
            Ok(())
        };
        let result = if is_slow { interruptible(py, compute)? } else { py.detach(|| compute(Job::quiet())) };
        result.map_err(sight_error)
    };
    let array = match out {
        Some(mut out) => {
            write_into(py, out.as_slice_mut()?)?;
            None
        }
        None => {
            let mut cells = vec![0.0; (size.x as usize) * (size.y as usize)];
            write_into(py, &mut cells)?;
            Some(array_of(py, cells, [size.y as usize, size.x as usize])?)
        }
    };
    invalid.check()?;
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
    let (values, config) = (Values::of(&opacity)?, sight_config(config)?);
    let viewers = cells_of(&viewers)?;
    let (radius, side) = (config.radius, 2 * config.radius as usize + 1);
    let fov = FieldOfView::new(config).map_err(sight_error)?;
    let invalid = InvalidOpacity::default();
    let cells = out.as_slice_mut()?;
    let result = interruptible(py, |job| {
        let windows = cells.par_chunks_mut(side * side).zip(&viewers);
        windows.try_for_each_init(
            || fov.clone(),
            |fov, (window, &viewer)| -> Result<(), SightError> {
                let view = fov.compute_with_job(invalid.source(values), viewer, job)?;
                let frame = CellRect::around(viewer, radius);
                window.fill(0.0);
                write_view(&view, frame, window);
                Ok(job.report("views", 0.0)?)
            },
        )
    })?;
    result.map_err(sight_error)?;
    invalid.check()
}

/// Copies an array into a checked map.
fn opacity_map(opacity: &PyReadonlyArray2<'_, f32>) -> PyResult<OpacityMap> {
    let values = Values::of(opacity)?;
    OpacityMap::try_from(values.window(values.extent())).map_err(value_error)
}

#[pyfunction]
pub(crate) fn line_of_sight(
    opacity: PyReadonlyArray2<'_, f32>,
    viewer: (i32, i32),
    target: (i32, i32),
    config: &str,
) -> PyResult<f32> {
    let (map, config) = (opacity_map(&opacity)?, sight_config(config)?);
    let mut fov = FieldOfView::new(config).map_err(sight_error)?;
    fov.line_of_sight(&map, viewer, target).map_err(sight_error)
}

#[pyfunction]
pub(crate) fn who_sees_whom<'py>(
    py: Python<'py>,
    opacity: PyReadonlyArray2<'py, f32>,
    cells: PyReadonlyArray2<'py, i32>,
    radii: Vec<u32>,
    config: &str,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (map, config) = (opacity_map(&opacity)?, sight_config(config)?);
    let creatures: Vec<(IVec2, u32)> = cells_of(&cells)?.into_iter().zip(radii).collect();
    let mut fov = FieldOfView::new(config).map_err(sight_error)?;
    array_of_grid(py, py.detach(|| fov.mutual(&map, &creatures)).map_err(sight_error)?)
}
