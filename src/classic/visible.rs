//! [`visible`]: the classic methods on a map, and [`visible_within`] on a function.

use glam::IVec2;

use super::config::{ClassicConfig, ClassicMethod};
use super::view::ClassicView;
use super::wall_map::WallMap;
use super::{raycast_border, raycast_circle, shadowcast};
use crate::sight::{OpacityMap, SightError};

/// Computes the cells that `viewer` sees on a map. Run time depends on the radius, not on the size of the map.
///
/// # Errors
/// [`SightError::ViewerOutside`]; [`SightError::RadiusTooLarge`] if more than
/// [`OffsetList::MAX_RADIUS`](crate::sight::OffsetList::MAX_RADIUS) cells of the map are in range in one direction.
#[doc(alias = "shadowcasting")]
pub fn visible(opacity: &OpacityMap, viewer: IVec2, config: &ClassicConfig) -> Result<ClassicView, SightError> {
    let grid = opacity.grid();
    visible_within(grid.size(), viewer, config, |cell| grid[cell])
}

/// Computes the cells that `viewer` sees on a map of this size (width, height) whose opacities come from a function, for
/// maps that depend on the viewer.
///
/// Calls `opacity` only for cells of the map, for some of them many times. NaN counts as clear.
///
/// # Errors
/// As [`visible`].
pub fn visible_within(
    size: IVec2,
    viewer: IVec2,
    config: &ClassicConfig,
    opacity: impl Fn(IVec2) -> f32,
) -> Result<ClassicView, SightError> {
    let walls = WallMap::new(size, viewer, config, opacity)?;
    let mut view = ClassicView::new(viewer, walls.window_radius);
    view.mark(IVec2::ZERO);
    match config.method {
        ClassicMethod::Shadowcast => shadowcast::cast(&walls, &mut view),
        ClassicMethod::RaycastBorder => {
            raycast_border::cast(&walls, &mut view);
            if config.repair {
                raycast_border::repair(&walls, &mut view);
            }
        }
        ClassicMethod::RaycastCircle => raycast_circle::cast(&walls, config.rays, &mut view),
    }
    Ok(view)
}
