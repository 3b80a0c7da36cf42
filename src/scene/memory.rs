//! The memory that the views of a scene take, checked before any of it is allocated.

use glam::IVec2;

use crate::free_memory::bytes_available;
use crate::preset::Preset;
use crate::scene::SceneError;
use crate::sight::{Method, OffsetList, window_radius};

/// Bytes a cell of a scene in a world: 27 of the world, 17 of its optics, 4 of the air of another weather while a viewpoint is
/// sought, 1 of memory, 5 of the values and labels of an export. That is more than the world takes while it is made.
const BYTES_PER_WORLD_CELL: u64 = 54;

/// Bytes a cell of an opacity map besides the map itself: memory and layers.
const BYTES_PER_MAP_CELL: u64 = 8;

/// The height in units of 100 m up to which a radius that grows with height is counted.
const HUNDREDS_OF_METRES: f64 = 30.0;

/// Less is not checked: it takes longer to find out what is free.
const CHECKED_BYTES: u64 = 32 << 20;

/// The bytes of the windows of a view: opacities, visibilities, their mirror images, decay, the list of beams, and the
/// copy that the scene keeps; and those of the observers.
fn bytes_of_views(size: IVec2, preset: &Preset) -> u64 {
    let growth = (preset.optics.radius_per_100m * HUNDREDS_OF_METRES).round() as u32;
    let radius = preset.sight.radius.saturating_add(growth).min(OffsetList::MAX_RADIUS);
    let side = 2 * u64::from(window_radius(radius, size.max_element().max(0) as u32)) + 1;
    let bytes_per_cell = match (preset.classic.method, preset.sight.method) {
        (Some(_), _) => 12,
        (None, Method::Beam) => 56,
        (None, _) => 32,
    };
    side * side * (bytes_per_cell + 4 * preset.viewers.len() as u64)
}

/// Checks the memory of a scene of `size` cells before its world is made.
///
/// # Errors
/// [`SceneError::Memory`].
pub(super) fn check_world(size: IVec2, preset: &Preset) -> Result<(), SceneError> {
    check(cells(size) * BYTES_PER_WORLD_CELL + bytes_of_views(size, preset), &what(preset), "map")
}

/// Checks the memory of a scene on a map or world that exists.
///
/// # Errors
/// [`SceneError::Memory`].
pub(super) fn check_views(size: IVec2, preset: &Preset) -> Result<(), SceneError> {
    check(cells(size) * BYTES_PER_MAP_CELL + bytes_of_views(size, preset), &what(preset), "map")
}

fn cells(size: IVec2) -> u64 {
    size.as_u64vec2().element_product()
}

fn what(preset: &Preset) -> String {
    format!("a view of radius {}", preset.sight.radius)
}

fn check(needed: u64, what: &str, other: &'static str) -> Result<(), SceneError> {
    if needed < CHECKED_BYTES {
        return Ok(());
    }
    let available = bytes_available();
    if needed > available {
        return Err(SceneError::Memory {
            what: what.to_owned(),
            needed,
            available,
            smaller: format!("radius or {other}"),
        });
    }
    Ok(())
}

/// Checks the memory of a picture that is painted and written.
///
/// # Errors
/// [`SceneError::Memory`].
#[cfg(feature = "files")]
pub(crate) fn check_picture(width: i64, height: i64) -> Result<(), SceneError> {
    /// Four bytes of colour, painted and cut out, and what the encoder takes.
    const BYTES_PER_PIXEL: u64 = 12;
    let needed = (width.max(0) as u64).saturating_mul(height.max(0) as u64).saturating_mul(BYTES_PER_PIXEL);
    let available = if needed < CHECKED_BYTES { u64::MAX } else { bytes_available() };
    if needed > available {
        let what = format!("a picture of {width}x{height} pixels");
        return Err(SceneError::Memory { what, needed, available, smaller: "scale or part of the map".to_owned() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_count_up_to_the_edge_of_the_map() {
        let bytes = |size, radius| {
            let mut preset = Preset::bare_kernel();
            preset.sight.radius = radius;
            bytes_of_views(IVec2::splat(size), &preset)
        };
        assert_eq!(bytes(2048, 64), 129 * 129 * 32);
        assert_eq!(bytes(2048, 4096), 4097 * 4097 * 32);
        assert_eq!(bytes(100, 4096), 2049 * 2049 * 32, "the least window of large radii");
    }
}
