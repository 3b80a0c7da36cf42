//! [`visible`]: the classic methods on a map, and [`visible_within`] on a function.

use glam::IVec2;

use super::config::{ClassicConfig, ClassicMethod};
use super::view::{ClassicView, WallMap};
use super::{raycast, shadowcast};
use crate::sight::{OpacityMap, SightError};

/// Computes the cells that `viewer` sees on a map. Run time depends on the radius, not on the size of the map.
///
/// ```
/// use farsight::classic::{ClassicConfig, visible};
/// use farsight::OpacityMap;
/// use farsight::glam::ivec2;
/// let map = OpacityMap::from_text("...#..")?;
/// let view = visible(&map, ivec2(0, 0), &ClassicConfig::default())?; // recursive shadowcasting
/// assert_eq!(view.visible().map(|cell| cell.x).collect::<Vec<_>>(), [0, 1, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SightError::ViewerOutside`]; [`SightError::RadiusTooLarge`] if more than
/// [`OffsetList::MAX_RADIUS`](crate::sight::OffsetList::MAX_RADIUS) cells of the map are in range in one direction.
#[doc(alias = "shadowcasting")]
pub fn visible(
    opacity: &OpacityMap,
    viewer: impl Into<IVec2>,
    config: &ClassicConfig,
) -> Result<ClassicView, SightError> {
    let viewer = viewer.into();
    let grid = opacity.grid();
    visible_within(grid.size(), viewer, config, |cell| grid[cell])
}

/// Computes the cells that `viewer` sees on a map of this size (width, height) whose opacities come from a function, for
/// maps that depend on the viewer.
///
/// Calls `opacity` only for cells of the map, for some of them many times. NaN counts as clear.
///
/// ```
/// use farsight::classic::{ClassicConfig, visible_within};
/// use farsight::glam::ivec2;
/// let level = *b"..+..."; // a closed door
/// let opacity = |cell: farsight::glam::IVec2| if level[cell.x as usize] == b'+' { 1.0 } else { 0.0 };
/// let view = visible_within(ivec2(6, 1), ivec2(0, 0), &ClassicConfig::default(), opacity)?;
/// assert!(view.get(ivec2(2, 0)) && !view.get(ivec2(3, 0)));
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
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
            raycast::cast_to_border(&walls, &mut view);
            if config.repair {
                raycast::repair(&walls, &mut view);
            }
        }
        ClassicMethod::RaycastCircle => raycast::cast_to_circle(&walls, config.rays, &mut view),
    }
    Ok(view)
}
