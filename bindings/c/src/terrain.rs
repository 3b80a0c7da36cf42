//! Viewsheds and skylines over heights.

use std::ffi::c_char;
use std::sync::Arc;

use farsight::Job;
use farsight::glam::IVec2;
use farsight_bindings::terrain::{self, Eye, Observers, Standing};
use farsight_bindings::{Failure, Values};
use farsight_scene::cumulative::CumulativeLayer;

use crate::border::{
    CallError, FarsightCell, FarsightStatus, buffer_at, guard, required_text_at, text_at, values_at, write_to,
};
use crate::handles::{self, FarsightHandle, Heights, Object};
use crate::sight::area;

/// The eye of an observer and its target, in metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarsightEye {
    /// The height of the eye over its ground: 1.7 is a person.
    pub eye_m: f64,
    /// The height of the target over its ground.
    pub target_m: f64,
    /// The range. INFINITY is the whole map.
    pub max_distance_m: f64,
    /// The curvature of the Earth that remains with refraction: 0.85714 is usual for light. 0 is a flat Earth.
    pub curvature: f64,
}

/// The skyline at an azimuth; NaN and -1 where the direction has no data.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarsightSkylinePoint {
    /// The angle over the level of the eye, in degrees.
    pub elevation_deg: f64,
    /// The distance from the viewer, in metres.
    pub distance_m: f64,
    /// The height over the sea, in metres.
    pub height_m: f64,
    /// The cell.
    pub cell: FarsightCell,
}

impl Heights {
    fn values(&self) -> Result<Values<'_>, Failure> {
        Values::new(self.ground.as_slice(), self.ground.width(), self.ground.height())
    }

    /// Reads an eye over these heights.
    ///
    /// # Safety
    /// The pointer is null or leads to an eye.
    unsafe fn eye(&self, eye: *const FarsightEye) -> Result<Eye, CallError> {
        // SAFETY: that of the caller.
        let eye = unsafe { values_at(eye, 1, "eye") }?[0];
        Ok(Eye {
            cell_size: self.cell_size,
            eye: eye.eye_m,
            target: eye.target_m,
            curvature: eye.curvature,
            max_distance: (eye.max_distance_m != f64::INFINITY).then_some(eye.max_distance_m),
        })
    }
}

/// Copies heights in metres into a new ground; NaN is nodata. The sides of a cell are in metres. The first row is the most northern.
///
/// # Safety
/// `heights` leads to `width` times `height` values, `ground` to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_ground_new(
    heights: *const f32,
    width: i32,
    height: i32,
    cell_width_m: f64,
    cell_height_m: f64,
    ground: *mut FarsightHandle,
) -> FarsightStatus {
    guard(|| {
        // SAFETY: the caller vouches for the pointers.
        let cells = unsafe { values_at(heights, area(width, height)?, "heights") }?;
        let copy = Values::new(cells, width as usize, height as usize)?.grid();
        let heights = Heights { ground: copy, cell_size: (cell_width_m, cell_height_m) };
        // SAFETY: as above. A handle that cannot be written is not opened.
        unsafe { write_to(ground, 0, "ground") }?;
        unsafe { write_to(ground, handles::open(Object::Ground(Arc::new(heights))), "ground") }
    })
}

/// Writes the visibility of the cells of a ground: 1, or 0. `method` is "exact" or "two-parent"; null is "exact".
///
/// # Safety
/// `eye` leads to an eye, `method` is null or a text, `out` leads to `out_length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_viewshed(
    ground: FarsightHandle,
    viewer: FarsightCell,
    eye: *const FarsightEye,
    method: *const c_char,
    out: *mut f32,
    out_length: usize,
) -> FarsightStatus {
    guard(|| {
        let heights = handles::ground(ground)?;
        // SAFETY: the caller vouches for the pointers.
        let (eye, method) = unsafe { (heights.eye(eye)?, text_at(method, "method")?) };
        let method = terrain::method_named(method.unwrap_or("exact"))?;
        let cells = unsafe { buffer_at(out, out_length, heights.ground.as_slice().len(), "out") }?;
        let values = heights.values()?;
        let window = terrain::viewshed(values, viewer.into(), method, 0.0, &eye, &Standing::default(), Job::none())?;
        cells.fill(0.0);
        window.write(values.size(), cells);
        Ok(())
    })
}

/// Writes a layer of the joint view of `count` observers, such as "count", "union", "nearest" or "best"; NaN for nodata. `method` is as for
/// farsight_viewshed.
///
/// # Safety
/// `observers` leads to `count` cells, `eye` to an eye; `layer` is a text, `method` null or a text; `out` leads to `out_length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_cumulative(
    ground: FarsightHandle,
    observers: *const FarsightCell,
    count: usize,
    eye: *const FarsightEye,
    layer: *const c_char,
    method: *const c_char,
    out: *mut f32,
    out_length: usize,
) -> FarsightStatus {
    guard(|| {
        let heights = handles::ground(ground)?;
        // SAFETY: the caller vouches for the pointers.
        let (eye, method) = unsafe { (heights.eye(eye)?, text_at(method, "method")?) };
        let observers = unsafe { values_at(observers, count, "observers") }?;
        let observers: Vec<IVec2> = observers.iter().map(|observer| (*observer).into()).collect();
        let layer: CumulativeLayer = unsafe { required_text_at(layer, "layer") }?.parse().map_err(Failure::invalid)?;
        let method = terrain::method_named(method.unwrap_or("exact"))?;
        let cells = unsafe { buffer_at(out, out_length, heights.ground.as_slice().len(), "out") }?;
        let layers = terrain::cumulative(
            heights.values()?,
            Observers { cells: &observers, columns: &[] },
            &[layer],
            method,
            (0.0, 0.0),
            &eye,
            Job::none(),
        )?;
        cells.copy_from_slice(layers[0].as_slice());
        Ok(())
    })
}

/// Writes the skyline around a viewer: `azimuths` points, evenly all around, from the top of the map over its right.
///
/// # Safety
/// `eye` leads to an eye, `out` to `azimuths` points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_skyline(
    ground: FarsightHandle,
    viewer: FarsightCell,
    eye: *const FarsightEye,
    azimuths: u32,
    out: *mut FarsightSkylinePoint,
) -> FarsightStatus {
    guard(|| {
        let heights = handles::ground(ground)?;
        // SAFETY: the caller vouches for the pointers.
        let eye = unsafe { heights.eye(eye) }?;
        let points = terrain::skylines(heights.values()?, &[viewer.into()], azimuths, 0.0, &eye, Job::none())?;
        let out = unsafe { buffer_at(out, azimuths as usize, points.len(), "out") }?;
        for (out, point) in out.iter_mut().zip(points) {
            *out = FarsightSkylinePoint {
                elevation_deg: point.elevation_deg,
                distance_m: point.distance_m,
                height_m: point.height_m,
                cell: point.cell.into(),
            };
        }
        Ok(())
    })
}
