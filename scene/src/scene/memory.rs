//! The memory of the views of a scene, checked before it is allocated.

use glam::IVec2;

use crate::free_memory::bytes_available;
use crate::optics::Relief;
use crate::preset::Preset;
use crate::scene::{SceneError, Terrain};
use farsight::internal::sight::window_radius;
use farsight::internal::sight_config::KnownMethod;
use farsight::sight::{MethodKind, SightConfig};

/// Bytes per cell of a scene in a world: 27 for the world, 17 for its optics, 4 for the air of another weather during
/// the search for a viewpoint, 1 for memory, 5 for the values and labels of an export. The sum exceeds the peak of
/// world generation.
const BYTES_PER_WORLD_CELL: u64 = 54;

/// Bytes per cell of the second world of a scene with strokes, the land without them.
const BYTES_PER_PAINTED_CELL: u64 = 27;

/// Bytes per cell of the two cached worlds in which climate and rivers have followed strokes.
const BYTES_PER_SETTLED_CELL: u64 = 2 * 27;

/// Bytes per cell of an opacity map besides the map itself: memory and layers.
const BYTES_PER_MAP_CELL: u64 = 8;

/// Bytes per cell of the two copies of an opacity map for two-parent sweeps.
const BYTES_PER_SWEPT_CELL: u64 = 8;

/// Padding of such a copy in cells: two borders, and the rest of its last vectors.
const SWEPT_MARGIN: u64 = 2 * 64 + 32;

/// The maximum height, in units of 100 m, for the estimate of a radius that grows with height.
const HUNDREDS_OF_METRES: f64 = 30.0;

/// The fixed memory of a scene in bytes.
const BASE_BYTES: u64 = 1 << 20;

/// The minimum number of bytes to check: for less, the query for free memory takes longer than the work.
const CHECKED_BYTES: u64 = 4 << 20;

/// Returns the bytes of the windows of a view: opacities, visibilities, their mirror images, decay, the list of beams,
/// and the copy that the scene keeps; and those of the observers.
fn bytes_of_views(size: IVec2, preset: &Preset) -> u64 {
    let growth = (preset.optics.radius_per_100m * HUNDREDS_OF_METRES).round() as u32;
    let radius = preset.sight.radius.saturating_add(growth).min(SightConfig::MAX_RADIUS);
    let side = 2 * u64::from(window_radius(radius, size.max_element().max(0) as u32)) + 1;
    let bytes_per_cell = match preset.sight.method.into() {
        KnownMethod::Beam => 56,
        KnownMethod::TwoParent | KnownMethod::Exact => 32,
        // Without mirror images and lists.
        KnownMethod::SymmetricShadowcast
        | KnownMethod::Shadowcast
        | KnownMethod::RaycastBorder
        | KnownMethod::RaycastCircle => 20,
    };
    // Windows of the viewshed. A view of radius 300 over a heightmap takes 37 bytes per cell with them.
    let bytes_over_relief = if preset.optics.relief == Relief::LineOfSight { 8 } else { 0 };
    side * side * (bytes_per_cell + bytes_over_relief + 4 * preset.viewers.len() as u64)
}

/// Returns the bytes of the copies of an opacity map for its views.
fn bytes_of_swept_map(size: IVec2, preset: &Preset) -> u64 {
    let is_swept = preset.sight.method == MethodKind::TwoParent;
    let [width, height] = size.to_array().map(|side| side.max(0) as u64 + SWEPT_MARGIN);
    if is_swept { width * height * BYTES_PER_SWEPT_CELL } else { 0 }
}

fn bytes_per_world_cell(preset: &Preset) -> u64 {
    let painted = if preset.strokes.is_empty() { 0 } else { BYTES_PER_PAINTED_CELL };
    let settles = preset.strokes.iter().any(|stroke| stroke.settles);
    BYTES_PER_WORLD_CELL + painted + if settles { BYTES_PER_SETTLED_CELL } else { 0 }
}

/// Returns the bytes of a scene of `size` cells.
pub(super) fn bytes_of_scene(size: IVec2, preset: &Preset, is_world: bool) -> u64 {
    let map = match is_world {
        true => cells(size) * bytes_per_world_cell(preset),
        false => cells(size) * BYTES_PER_MAP_CELL + bytes_of_swept_map(size, preset),
    };
    map + bytes_of_views(size, preset) + BASE_BYTES
}

/// Checks the memory of a scene of `size` cells before its world is generated.
///
/// # Errors
/// [`SceneError::Memory`].
pub(super) fn check_world(size: IVec2, preset: &Preset) -> Result<(), SceneError> {
    check_both(cells(size) * bytes_per_world_cell(preset), "a world", size, preset)
}

/// Checks the memory of a scene on an existing world or on an opacity map.
///
/// # Errors
/// [`SceneError::Memory`].
pub(super) fn check_views(terrain: &Terrain, preset: &Preset) -> Result<(), SceneError> {
    let size = terrain.size();
    let swept = if terrain.world().is_none() { bytes_of_swept_map(size, preset) } else { 0 };
    check_both(cells(size) * BYTES_PER_MAP_CELL + swept, "a map", size, preset)
}

/// Checks the memory of `count` simultaneous further views in an existing world, with `more` bytes per cell of the map.
/// The error names them by `what`.
///
/// # Errors
/// [`SceneError::Memory`].
pub(crate) fn check_more_views(
    size: IVec2,
    preset: &Preset,
    count: u64,
    more: u64,
    what: &str,
) -> Result<(), SceneError> {
    check(cells(size) * more + count * bytes_of_views(size, preset), what, "map")
}

/// Checks the memory of a view of an opacity map by another method, with `more` bytes per cell of the map.
///
/// # Errors
/// [`SceneError::Memory`].
pub(crate) fn check_compared_view(size: IVec2, preset: &Preset, more: u64) -> Result<(), SceneError> {
    check_both(cells(size) * more + bytes_of_swept_map(size, preset), "a map", size, preset)
}

/// Checks the memory of the copies of a scene for a film, of its frames, and of `more` bytes while they are painted.
///
/// # Errors
/// [`SceneError::Memory`].
pub(crate) fn check_film(
    terrain: &Terrain,
    preset: &Preset,
    copies: u64,
    [width, height]: [i64; 2],
    more: u64,
) -> Result<(), SceneError> {
    /// Four bytes of colour, painted, cropped and with a caption; the indices of two frames, and the memory of the
    /// encoder.
    const BYTES_PER_PIXEL: u64 = 20;
    /// The optics of a world or an opacity map, and the memory.
    const BYTES_PER_COPIED_CELL: u64 = 18;
    let size = terrain.size();
    let swept = if terrain.world().is_none() { bytes_of_swept_map(size, preset) } else { 0 };
    let copy = cells(size) * BYTES_PER_COPIED_CELL + swept + bytes_of_views(size, preset);
    let copies = copy.saturating_mul(copies).saturating_add(more);
    let pixels = (width.max(0) as u64).saturating_mul(height.max(0) as u64);
    let what = format!("a film of {width}x{height} pixels, with a copy of the scene,");
    check_bytes(copies.saturating_add(pixels.saturating_mul(BYTES_PER_PIXEL)), &what, "scale, radius or map")
}

/// Checks the memory of a sheet of panels and of `more` bytes for their contents.
///
/// # Errors
/// [`SceneError::Memory`].
pub(crate) fn check_sheet(width: i64, height: i64, more: u64) -> Result<(), SceneError> {
    const BYTES_PER_PIXEL: u64 = 4;
    let pixels = (width.max(0) as u64).saturating_mul(height.max(0) as u64);
    let needed = pixels.saturating_mul(BYTES_PER_PIXEL).saturating_add(more);
    check_bytes(needed, &format!("a sheet of {width}x{height} pixels"), "panel or map, or fewer of them")
}

/// Checks any number of bytes. The query for free memory takes a fraction of a millisecond.
///
/// # Errors
/// [`SceneError::Memory`].
pub(crate) fn check_bytes(needed: u64, what: &str, smaller: &str) -> Result<(), SceneError> {
    let available = bytes_available();
    if needed > available {
        let (what, smaller) = (what.to_owned(), smaller.to_owned());
        return Err(SceneError::Memory { what, needed, available, smaller });
    }
    Ok(())
}

fn cells(size: IVec2) -> u64 {
    size.as_u64vec2().element_product()
}

/// Checks the memory of a map and of the views on it. The error names the larger of the two.
fn check_both(bytes_of_map: u64, map: &str, size: IVec2, preset: &Preset) -> Result<(), SceneError> {
    let bytes_of_views = bytes_of_views(size, preset);
    let what = if bytes_of_map > bytes_of_views {
        format!("{map} of {}x{} cells", size.x, size.y)
    } else {
        format!("a view of radius {}", preset.sight.radius)
    };
    check(bytes_of_map + bytes_of_views, &what, "map")
}

fn check(needed: u64, what: &str, other: &'static str) -> Result<(), SceneError> {
    if needed < CHECKED_BYTES {
        return Ok(());
    }
    let (needed, available) = (needed + BASE_BYTES, bytes_available());
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

/// Checks the memory of an exported picture, and of `more` bytes while it is painted.
///
/// # Errors
/// [`SceneError::Memory`].
pub(crate) fn check_picture(width: i64, height: i64, more: u64) -> Result<(), SceneError> {
    /// Four bytes of colour, painted and cropped, and the memory of the encoder.
    const BYTES_PER_PIXEL: u64 = 12;
    let needed = (width.max(0) as u64).saturating_mul(height.max(0) as u64).saturating_mul(BYTES_PER_PIXEL);
    let needed = needed.saturating_add(more);
    check_bytes(needed, &format!("a picture of {width}x{height} pixels"), "scale or part of the map")
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
        assert_eq!(bytes(100, 4096), 513 * 513 * 32, "the least window of large radii");
    }

    #[test]
    fn copies_of_a_swept_map_count_for_two_parents_only() {
        let mut preset = Preset::bare_kernel();
        assert_eq!(bytes_of_swept_map(IVec2::new(6000, 6000), &preset), 8 * 6160 * 6160);
        preset.sight.method = MethodKind::Beam;
        assert_eq!(bytes_of_swept_map(IVec2::new(6000, 6000), &preset), 0);
    }
}
