//! [`ClassicView`]: the cells that a classic method sees; [`WallMap`]: the walls around its viewer, as far as the radius and the map
//! reach.

use glam::{IVec2, ivec2};

use super::config::ClassicConfig;
use crate::grid::{CellRect, Grid};
use crate::sight::{OffsetList, SightError, window_radius};

/// The cells that one viewer sees, in a window like that of [`View`](crate::sight::View): the square around the viewer of
/// side 2 · radius + 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicView {
    viewer: IVec2,
    top_left: IVec2,
    grid: Grid<bool>,
}

impl ClassicView {
    /// A window of side 2 · `radius` + 1 in which no cell is seen yet.
    pub(super) fn new(viewer: IVec2, radius: u32) -> Self {
        let side = 2 * radius as usize + 1;
        Self { viewer, top_left: viewer - IVec2::splat(radius as i32), grid: Grid::new(side, side, false) }
    }

    /// Marks the cell at an offset from the viewer as seen.
    #[inline]
    pub(super) fn mark(&mut self, offset: IVec2) {
        if let Some(seen) = self.grid.get_mut(self.viewer - self.top_left + offset) {
            *seen = true;
        }
    }

    /// Returns `true` if the cell at an offset from the viewer is seen.
    #[inline]
    pub(super) fn marked(&self, offset: IVec2) -> bool {
        self.get(self.viewer + offset)
    }

    /// Returns `true` if a cell of the map is seen; `false` outside the radius and off the map.
    #[inline]
    pub fn get(&self, cell: impl Into<IVec2>) -> bool {
        let cell = cell.into();
        self.grid.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(false)
    }

    /// Returns the viewer's cell.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the cell of the window's top left corner, which may be off the map.
    pub fn top_left(&self) -> IVec2 {
        self.top_left
    }

    /// Returns the window. A radius above 1024 is limited to the size of the map, rounded up to a multiple of 256.
    pub fn grid(&self) -> &Grid<bool> {
        &self.grid
    }

    /// Iterates over the cells of the map that are seen, row after row.
    pub fn visible(&self) -> impl Iterator<Item = IVec2> + '_ {
        self.grid.iter().filter(|(_, seen)| **seen).map(|(cell, _)| cell + self.top_left)
    }

    /// Returns the window as visibilities: 1 for seen cells, else 0.
    pub fn to_visibility(&self) -> Grid<f32> {
        self.grid.map(|&seen| if seen { 1.0 } else { 0.0 })
    }
}

/// The walls around one viewer. Cells are given by their offset from the viewer.
pub(super) struct WallMap<F> {
    size: IVec2,
    viewer: IVec2,
    opacity: F,
    wall_at: f32,
    /// The radius in cells, at most the distance of the farthest corner of the map.
    pub(super) radius: i32,
    /// The radius of the window of a [`ClassicView`](ClassicView).
    pub(super) window_radius: u32,
}

impl<F: Fn(IVec2) -> f32> WallMap<F> {
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
        let window_radius = window_radius(config.radius, farthest.max_element() as u32);
        let (radius, wall_at) = (radius as i32, config.wall_at as f32);
        Ok(Self { size, viewer, opacity, wall_at, radius, window_radius })
    }

    /// Returns `true` for a wall, `None` off the map.
    #[inline]
    pub(super) fn is_wall(&self, offset: IVec2) -> Option<bool> {
        let cell = self.viewer + offset;
        let on_map = (cell.x as u32) < self.size.x as u32 && (cell.y as u32) < self.size.y as u32;
        on_map.then(|| (self.opacity)(cell) >= self.wall_at)
    }

    #[inline]
    pub(super) fn in_range(&self, offset: IVec2) -> bool {
        offset.length_squared() <= self.radius * self.radius
    }

    /// Returns the offsets of the square of the radius, clipped to the map.
    pub(super) fn square(&self) -> CellRect {
        let map = CellRect { min: -self.viewer, max: self.size - self.viewer };
        CellRect::around(IVec2::ZERO, self.radius as u32).intersect(map)
    }

    /// Iterates over the offsets of [`square`](Self::square) within the radius, row after row.
    pub(super) fn disc(&self) -> impl Iterator<Item = IVec2> {
        let CellRect { min, max } = self.square();
        let squared = self.radius * self.radius;
        (min.y..max.y).flat_map(move |y| {
            let half = ((squared - y * y) as u32).isqrt() as i32;
            (min.x.max(-half)..max.x.min(half + 1)).map(move |x| ivec2(x, y))
        })
    }
}
