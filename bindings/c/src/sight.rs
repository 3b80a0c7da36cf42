//! Fields of view over opacities.

use std::ffi::c_char;
use std::sync::{Arc, Mutex, RwLock};

use farsight::glam::IVec2;
use farsight::grid::CellRect;
use farsight::{FieldOfView, Job, OpacityMap};
use farsight_bindings::sight;
use farsight_bindings::{Failure, Values};

use crate::border::{
    CallError, FarsightCell, FarsightStatus, buffer_at, failed, guard, required_text_at, values_at, write_to,
};
use crate::handles::{self, FarsightHandle, Object, after_panic, lock};

/// Returns the number of values of a map, which [`Values::new`] checks.
pub(crate) fn area(width: i32, height: i32) -> Result<usize, CallError> {
    let sides = usize::try_from(width).ok().zip(usize::try_from(height).ok());
    let area = sides.and_then(|(width, height)| width.checked_mul(height));
    area.ok_or_else(|| Failure::invalid(format!("a map of {width} columns and {height} rows is not accepted")).into())
}

/// Copies opacities from 0 (clear) to 1 (a wall) into a new map; a cell that is NaN does not exist.
///
/// # Safety
/// `opacity` leads to `width` times `height` values, `map` to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_map_new(
    opacity: *const f32,
    width: i32,
    height: i32,
    map: *mut FarsightHandle,
) -> FarsightStatus {
    guard(|| {
        // SAFETY: the caller vouches for the pointers.
        let cells = unsafe { values_at(opacity, area(width, height)?, "opacity") }?;
        let values = Values::new(cells, width as usize, height as usize)?;
        let opacities = OpacityMap::try_from(values.grid()).map_err(Failure::invalid)?;
        // SAFETY: as above. A handle that cannot be written is not opened.
        unsafe { write_to(map, 0, "map") }?;
        unsafe { write_to(map, handles::open(Object::Map(Arc::new(RwLock::new(opacities)))), "map") }
    })
}

/// Changes the opacity of a cell of a map: a door that opens, a wall that falls.
#[unsafe(no_mangle)]
pub extern "C" fn farsight_map_set(map: FarsightHandle, cell: FarsightCell, opacity: f32) -> FarsightStatus {
    guard(|| {
        let map = handles::map(map)?;
        let mut map = map.write().map_err(|_| after_panic())?;
        let cell = IVec2::from(cell);
        if map.get(cell).is_none() {
            let IVec2 { x, y } = cell;
            return Err(CallError::new(FarsightStatus::OffMap, format!("cell: {x},{y} is off the map")));
        }
        map.set(cell, opacity).map_err(|error| Failure::invalid(error).into())
    })
}

/// Prepares fields of view. `settings` are the keys of [sight] of a preset as a JSON object: {"radius": 64, "method": "beam"}; {} is the
/// default. A sight keeps the buffers of its last view, so that the next allocates nothing; threads with separate sights do not wait.
///
/// # Safety
/// `settings` is a text, `sight` leads to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_sight_new(settings: *const c_char, sight: *mut FarsightHandle) -> FarsightStatus {
    guard(|| {
        // SAFETY: the caller vouches for the pointers.
        let settings = unsafe { required_text_at(settings, "settings") }?;
        let fov = FieldOfView::new(sight::sight_config(settings)?).map_err(failed)?;
        // SAFETY: as above. A handle that cannot be written is not opened.
        unsafe { write_to(sight, 0, "sight") }?;
        unsafe { write_to(sight, handles::open(Object::Sight(Arc::new(Mutex::new(fov)))), "sight") }
    })
}

/// Writes the visibility of each cell of a map, from 0 to 1; 0 out of range. `out` has a value for each cell of the map.
///
/// # Safety
/// `out` leads to `out_length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_field_of_view(
    sight: FarsightHandle,
    map: FarsightHandle,
    viewer: FarsightCell,
    out: *mut f32,
    out_length: usize,
) -> FarsightStatus {
    guard(|| {
        let (sight, map) = (handles::sight(sight)?, handles::map(map)?);
        let map = map.read().map_err(|_| after_panic())?;
        let extent = CellRect::of_size(map.grid().size());
        // SAFETY: the caller vouches for the pointer.
        let cells = unsafe { buffer_at(out, out_length, extent.width() * extent.height(), "out") }?;
        Ok(sight::field_of_view(&mut *lock(&sight)?, &*map, extent, viewer.into(), cells, Job::none())?)
    })
}

/// Writes the views of `count` viewers on all processors. `out` has for each the square with 2 · radius + 1 cells per side around it,
/// which is 0 off the map.
///
/// # Safety
/// `viewers` leads to `count` cells, `out` to `out_length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_fields_of_view(
    sight: FarsightHandle,
    map: FarsightHandle,
    viewers: *const FarsightCell,
    count: usize,
    out: *mut f32,
    out_length: usize,
) -> FarsightStatus {
    guard(|| {
        let (sight, map) = (handles::sight(sight)?, handles::map(map)?);
        let fov = lock(&sight)?.clone();
        let map = map.read().map_err(|_| after_panic())?;
        // SAFETY: the caller vouches for the pointers.
        let viewers = unsafe { values_at(viewers, count, "viewers") }?;
        let viewers: Vec<IVec2> = viewers.iter().map(|viewer| (*viewer).into()).collect();
        let side = 2 * fov.config().radius as usize + 1;
        let needed = side.saturating_mul(side).saturating_mul(count);
        let cells = unsafe { buffer_at(out, out_length, needed, "out") }?;
        Ok(sight::fields_of_view(&fov, || &*map, &viewers, cells, Job::none())?)
    })
}

/// Writes the visibility of one cell: the value of the field of view at it, in less time.
///
/// # Safety
/// `visibility` leads to a value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_line_of_sight(
    sight: FarsightHandle,
    map: FarsightHandle,
    viewer: FarsightCell,
    target: FarsightCell,
    visibility: *mut f32,
) -> FarsightStatus {
    guard(|| {
        let (sight, map) = (handles::sight(sight)?, handles::map(map)?);
        let map = map.read().map_err(|_| after_panic())?;
        let (viewer, target) = (IVec2::from(viewer), IVec2::from(target));
        let seen = lock(&sight)?.line_of_sight(&*map, viewer, target).map_err(failed)?;
        // SAFETY: the caller vouches for the pointer.
        unsafe { write_to(visibility, seen, "visibility") }
    })
}
