//! Scenes: a world or a map, its viewer, and what is made of them.

use std::ffi::c_char;
use std::sync::{Arc, Mutex};

use farsight::Job;
use farsight_bindings::Failure;
use farsight_bindings::scene::{NamedScene, SceneLand};
use serde_json::{Map, Value};

use crate::border::{
    CallError, FarsightCell, FarsightStatus, buffer_at, failed, guard, required_text_at, text_at, values_at, write_to,
};
use crate::handles::{self, FarsightHandle, Object, after_panic, lock, no_handle};

/// The size of a scene and its viewer.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarsightSceneInfo {
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// The cell of the viewer.
    pub viewer: FarsightCell,
}

/// Creates a scene: a land and the view of a viewer.
///
/// `preset` is the name of a shipped preset ("fog", "alpine") or a file; null is that of the land. `settings` changes keys of it, as a JSON
/// object: {"world.seed": 7}; null changes none. `land` is a map or a ground, which is copied; 0 is a world from the seed. `viewer` is the
/// cell of the viewer; null is a cell with a varied view.
///
/// # Safety
/// `preset` and `settings` are null or texts, `viewer` is null or leads to a cell, `scene` leads to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_scene_new(
    preset: *const c_char,
    settings: *const c_char,
    land: FarsightHandle,
    viewer: *const FarsightCell,
    scene: *mut FarsightHandle,
) -> FarsightStatus {
    guard(|| {
        // SAFETY: the caller vouches for the pointers.
        let (preset, settings) = unsafe { (text_at(preset, "preset")?, text_at(settings, "settings")?) };
        let viewer = match viewer.is_null() {
            true => None,
            false => Some(unsafe { values_at(viewer, 1, "viewer") }?[0].into()),
        };
        let settings: Map<String, Value> = serde_json::from_str(settings.unwrap_or("{}")).map_err(|error| {
            let text = settings.unwrap_or_default();
            Failure::invalid(format!("settings: \"{text}\" is not valid: expected a JSON object: {error}"))
        })?;
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.as_str(), value.to_string())).collect();
        let settings = settings.iter().map(|(key, value)| (*key, value.as_str()));
        let land = match land {
            0 => SceneLand::Generated,
            land => match handles::object(land, "land")? {
                Object::Map(map) => SceneLand::Opacities(map.read().map_err(|_| after_panic())?.clone()),
                Object::Ground(heights) => {
                    SceneLand::Heights { ground: heights.ground.clone(), cell_size: heights.cell_size }
                }
                _ => return Err(no_handle(land, "land", "a map, a ground, or 0")),
            },
        };
        // SAFETY: as above. A handle that cannot be written is not opened.
        unsafe { write_to(scene, 0, "scene") }?;
        let made = NamedScene::new(preset, settings, land, viewer, Job::none())?;
        unsafe { write_to(scene, handles::open(Object::Scene(Arc::new(Mutex::new(made)))), "scene") }
    })
}

/// Writes the size of a scene and the cell of its viewer.
///
/// # Safety
/// `info` leads to a FarsightSceneInfo.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_scene_info(scene: FarsightHandle, info: *mut FarsightSceneInfo) -> FarsightStatus {
    guard(|| {
        let scene = handles::scene(scene)?;
        let scene = &lock(&scene)?.scene;
        let (size, viewer) = (scene.size(), scene.viewer().into());
        // SAFETY: the caller vouches for the pointer.
        unsafe { write_to(info, FarsightSceneInfo { width: size.x, height: size.y, viewer }, "info") }
    })
}

/// Moves the viewer of a scene to a cell.
#[unsafe(no_mangle)]
pub extern "C" fn farsight_scene_place(scene: FarsightHandle, viewer: FarsightCell) -> FarsightStatus {
    guard(|| {
        let scene = handles::scene(scene)?;
        lock(&scene)?.scene.place((viewer.x, viewer.y)).map_err(failed)
    })
}

/// Writes a layer of a scene, a value for each cell: "visibility" (the view), "perceived", "light", "opacity", "elevation", "humidity",
/// "vegetation", "temperature", "biome", "min-visible-height" or "slope-margin".
///
/// # Safety
/// `layer` is a text, `out` leads to `out_length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_scene_layer(
    scene: FarsightHandle,
    layer: *const c_char,
    out: *mut f32,
    out_length: usize,
) -> FarsightStatus {
    guard(|| {
        let scene = handles::scene(scene)?;
        // SAFETY: the caller vouches for the pointers.
        let layer = unsafe { required_text_at(layer, "layer") }?;
        let values = lock(&scene)?.layer(layer)?;
        unsafe { buffer_at(out, out_length, values.as_slice().len(), "out") }?.copy_from_slice(values.as_slice());
        Ok(())
    })
}

/// Writes the explanation of a cell as a JSON object with a "sentence", the "perceived" visibility, and the "losses" by cause. `length`
/// is set to the number of bytes with the zero at the end; with a null `buffer` nothing else is written.
///
/// # Safety
/// `buffer` is null or leads to `capacity` bytes, `length` leads to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farsight_scene_explain(
    scene: FarsightHandle,
    target: FarsightCell,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> FarsightStatus {
    guard(|| {
        let scene = handles::scene(scene)?;
        let text = lock(&scene)?.explanation(target.into())? + "\0";
        // SAFETY: the caller vouches for the pointers.
        unsafe { write_to(length, text.len(), "length") }?;
        if !buffer.is_null() {
            unsafe { buffer_at(buffer.cast::<u8>(), capacity, text.len(), "buffer") }?.copy_from_slice(text.as_bytes());
        }
        Ok::<(), CallError>(())
    })
}
