//! [`Surroundings`]: the walls around one viewer, as far as the radius and the map reach.

use glam::{IVec2, ivec2};

use super::config::ClassicConfig;
use crate::grid::CellRect;
use crate::sight::radius_of_window;
use crate::sight::{OffsetList, SightError};

/// The walls around one viewer. Places are named by their offset from the viewer.
pub(super) struct Surroundings<F> {
    size: IVec2,
    viewer: IVec2,
    opacity: F,
    wall_at: f32,
    radius: i32,
    window: u32,
}

impl<F: Fn(IVec2) -> f32> Surroundings<F> {
    pub(super) fn new(size: IVec2, viewer: IVec2, config: &ClassicConfig, opacity: F) -> Result<Self, SightError> {
        let extent = CellRect::of_size(size);
        if !extent.contains(viewer) {
            return Err(SightError::ViewerOutside { viewer, extent });
        }
        let farthest = viewer.max(size - 1 - viewer);
        let corner = farthest.as_dvec2().length().ceil() as u32;
        let radius = config.radius.min(corner);
        if radius > OffsetList::MAX_RADIUS {
            return Err(SightError::RadiusTooLarge { radius, limit: OffsetList::MAX_RADIUS });
        }
        let window = radius_of_window(config.radius, farthest.max_element() as u32);
        Ok(Self { size, viewer, opacity, wall_at: config.wall_at as f32, radius: radius as i32, window })
    }

    /// How far one can see, in cells; no farther than the map's farthest corner.
    pub(super) fn radius(&self) -> i32 {
        self.radius
    }

    /// Half the side of the window that holds everything in sight.
    pub(super) fn window(&self) -> u32 {
        self.window
    }

    /// Whether there is a wall; `None` where there is no cell.
    #[inline]
    pub(super) fn wall(&self, offset: IVec2) -> Option<bool> {
        let cell = self.viewer + offset;
        let exists = (cell.x as u32) < self.size.x as u32 && (cell.y as u32) < self.size.y as u32;
        exists.then(|| (self.opacity)(cell) >= self.wall_at)
    }

    /// Whether an offset lies within the radius.
    #[inline]
    pub(super) fn in_range(&self, offset: IVec2) -> bool {
        offset.length_squared() <= self.radius * self.radius
    }

    /// The lowest and the highest offset of the square of the radius, clipped to the map.
    pub(super) fn square(&self) -> [IVec2; 2] {
        let reach = IVec2::splat(self.radius);
        [(-reach).max(-self.viewer), reach.min(self.size - 1 - self.viewer)]
    }

    /// Every offset of [`square`](Self::square) within the radius, row after row.
    pub(super) fn disc(&self) -> impl Iterator<Item = IVec2> {
        let [low, high] = self.square();
        let squared = self.radius * self.radius;
        (low.y..=high.y).flat_map(move |y| {
            let half = ((squared - y * y) as u32).isqrt() as i32;
            (low.x.max(-half)..=high.x.min(half)).map(move |x| ivec2(x, y))
        })
    }
}
