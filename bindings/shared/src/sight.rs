//! Fields of view over opacities.

use std::fmt::Display;

use farsight::glam::IVec2;
use farsight::grid::CellRect;
use farsight::sight::{OpacitySource, SightConfig};
use farsight::{FieldOfView, Job};
use farsight_scene::preset::{Preset, SightSettings};
use rayon::prelude::*;
use serde_json::Value;

use crate::failure::Failure;
use crate::values::write_view;

/// Reads the keys of `[sight]` of a preset from JSON.
///
/// # Errors
/// With the key, the value and what is accepted.
pub fn sight_config(json: &str) -> Result<SightConfig, Failure> {
    let parsed = serde_json::from_str::<SightSettings>(json).map_err(|error| explained(json, error))?;
    parsed.check().map_err(|error| explained(json, error))?;
    Ok(parsed.config())
}

/// Returns the more specific error of the preset reader: the key, the value and the accepted values.
fn explained(json: &str, error: impl Display) -> Failure {
    let mut settings = Vec::new();
    list_settings("sight", &serde_json::from_str(json).unwrap_or_default(), &mut settings);
    let changes = settings.iter().map(|(key, value)| (key.as_str(), Preset::parse_value(key, value)));
    match Preset::bare_kernel().with(changes) {
        Err(error) => Failure::invalid(error.with_origin("field of view")),
        Ok(_) => Failure::invalid(error),
    }
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

/// Writes a field of view into all cells of a map; those out of range become 0.
///
/// # Errors
/// As [`FieldOfView::compute_with_job`].
pub fn field_of_view(
    fov: &mut FieldOfView,
    opacity: impl OpacitySource,
    map: CellRect,
    viewer: IVec2,
    cells: &mut [f32],
    job: Job<'_>,
) -> Result<(), Failure> {
    cells.fill(0.0);
    let view = fov.compute_with_job(opacity, viewer, job)?;
    write_view(&view, map, cells);
    Ok(())
}

/// Writes the fields of view of several viewers on all threads: for each a square with a side of 2 · radius + 1 cells.
///
/// # Errors
/// As [`FieldOfView::compute_with_job`], for one of the failing viewers.
pub fn fields_of_view<S: OpacitySource>(
    fov: &FieldOfView,
    opacity: impl Fn() -> S + Sync,
    viewers: &[IVec2],
    cells: &mut [f32],
    job: Job<'_>,
) -> Result<(), Failure> {
    let radius = fov.config().radius;
    let side = 2 * radius as usize + 1;
    let windows = cells.par_chunks_mut(side * side).zip(viewers);
    windows.try_for_each_init(
        || fov.clone(),
        |fov, (window, &viewer)| -> Result<(), Failure> {
            window.fill(0.0);
            let view = fov.compute_with_job(opacity(), viewer, job)?;
            write_view(&view, CellRect::around(viewer, radius), window); // a viewer on the map, so that no side overflows
            job.report("views", 0.0).map_err(Failure::invalid)
        },
    )
}
