//! [`Terrain`]: a world with its optics, or an opacity map; [`ViewWindow`]: the view of a viewer or an observer over it.

use std::borrow::Cow;
use std::sync::Arc;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::creatures::Habitat;
use crate::optics::{Optics, OpticsConfig};
use crate::world::{Biome, Dungeon, World, packed};
use farsight::Job;
use farsight::grid::{CellRect, Grid, ToCell};
use farsight::internal::parallel::*;
use farsight::sight::{OpacityMap, SightError, View};
use farsight::viewshed::Viewshed;

/// A world with its optics, or an opacity map.
#[derive(Clone, Debug)]
pub enum Terrain {
    /// A world. Its opacities depend on the viewer.
    World(Optics),
    /// A given opacity map, or that of a dungeon.
    Map(OpacityMap),
}

impl Terrain {
    pub(super) fn dungeon(dungeon: Dungeon) -> Self {
        Self::Map(OpacityMap::try_from(dungeon.opacity).expect("floor is 0 and wall is 1"))
    }

    /// Returns columns and rows.
    pub fn size(&self) -> IVec2 {
        match self {
            Self::World(optics) => optics.world().elevation_m().size(),
            Self::Map(opacity) => opacity.grid().size(),
        }
    }

    /// Returns the world, or `None` for an opacity map.
    pub fn world(&self) -> Option<&Arc<World>> {
        match self {
            Self::World(optics) => Some(optics.world()),
            Self::Map(_) => None,
        }
    }

    /// Returns `true` if a cell is on the map and has data; see [`World::has_data`].
    #[inline]
    pub fn has_data(&self, cell: impl ToCell) -> bool {
        let cell = cell.to_cell();
        match self {
            Self::World(optics) => optics.world().has_data(cell),
            Self::Map(opacity) => opacity.grid().contains(cell),
        }
    }

    /// Returns `true` if any cell is nodata.
    pub fn has_gaps(&self) -> bool {
        matches!(self, Self::World(optics) if optics.world().has_gaps())
    }

    /// Checks that a viewer can be on a cell.
    pub(super) fn check_viewer(&self, viewer: IVec2) -> Result<(), SightError> {
        let extent = CellRect::of_size(self.size());
        if !extent.contains(viewer) {
            return Err(SightError::ViewerOutside { viewer, extent });
        }
        if self.has_data(viewer) { Ok(()) } else { Err(SightError::ViewerWithoutData { viewer }) }
    }

    /// Sets nodata cells to 0.
    pub(super) fn zero_missing(&self, ViewWindow { top_left, window, .. }: &mut ViewWindow) {
        if self.has_gaps() {
            for y in 0..window.height() {
                for (x, seen) in window.row_mut(y).iter_mut().enumerate().filter(|(_, seen)| **seen > 0.0) {
                    if !self.has_data(*top_left + IVec2::new(x as i32, y as i32)) {
                        *seen = 0.0;
                    }
                }
            }
        }
    }

    /// Returns `true` if the viewer can enter a cell: it is on the map, has data, and is not a wall.
    pub fn can_enter(&self, cell: impl ToCell) -> bool {
        let cell = cell.to_cell();
        match self {
            Self::World(optics) => optics.world().has_data(cell),
            Self::Map(opacity) => opacity.get(cell).is_some_and(|opacity| opacity < 1.0),
        }
    }

    /// Returns the habitat of a cell, or `None` in walls, off the map, and in nodata cells.
    pub fn habitat(&self, cell: impl ToCell) -> Option<Habitat> {
        let cell = cell.to_cell();
        match self {
            Self::World(optics) => habitat_in(optics.world(), cell),
            Self::Map(_) => self.can_enter(cell).then_some(Habitat::Floor),
        }
    }

    /// Returns the opacity of a cell for a viewer on another, in [0, 1].
    pub(super) fn opacity(&self, viewer: IVec2, cell: IVec2) -> f32 {
        match self {
            Self::World(optics) => optics.opacity(optics.eye_m(viewer), cell),
            Self::Map(opacity) => opacity.grid()[cell],
        }
    }

    /// Returns the opacities of a part of the map.
    pub(super) fn opacities(&self, viewer: IVec2, frame: CellRect) -> Grid<f32> {
        let mut opacities = Grid::new(frame.width(), frame.height(), 0.0);
        let rows = if frame.width() == 0 { 0 } else { frame.height() }; // a frame off the map has no cells
        for y in 0..rows {
            self.fill_row(viewer, frame.min + IVec2::new(0, y as i32), opacities.row_mut(y));
        }
        opacities
    }

    /// Fills `row` with the opacities of a row of cells, starting at `start`.
    fn fill_row(&self, viewer: IVec2, start: IVec2, row: &mut [f32]) {
        match self {
            Self::World(optics) => optics.fill_row(optics.eye_m(viewer), start, row),
            Self::Map(opacity) => {
                let x = start.x as usize;
                row.copy_from_slice(&opacity.grid().row(start.y as usize)[x..x + row.len()]);
            }
        }
    }

    pub(super) fn view<'f>(
        &self,
        viewshed: &'f mut Viewshed,
        viewer: IVec2,
        job: Job<'_>,
    ) -> Result<View<'f>, SightError> {
        match self {
            Self::World(optics) => optics.view(viewshed, viewer, job),
            Self::Map(opacity) => viewshed.field_of_view_mut().compute_with_job(opacity, viewer, job),
        }
    }

    /// Returns the terrain for another eye height above ground, in metres. Opacity maps ignore it.
    pub(super) fn with_eye_height(&self, eye_height_m: f64) -> Cow<'_, Self> {
        match self {
            Self::World(optics) => Cow::Owned(Self::World(optics.at_eye_height(eye_height_m))),
            Self::Map(_) => Cow::Borrowed(self),
        }
    }

    /// Returns the distance between two cells, in units of the shorter side of the first cell.
    #[inline]
    pub(crate) fn distance(&self, from: IVec2, to: IVec2) -> f64 {
        match self {
            Self::World(optics) => optics.world().distance(from, to),
            Self::Map(_) => (to.as_dvec2() - from.as_dvec2()).length(),
        }
    }

    pub(super) fn set_optics(&mut self, config: &OpticsConfig) {
        if let Self::World(optics) = self {
            optics.set_config(config);
        }
    }
}

/// Returns the habitat of a cell of a world, or `None` off the map and in nodata cells.
pub(super) fn habitat_in(world: &World, cell: IVec2) -> Option<Habitat> {
    let biome = world.biome().get(cell).filter(|biome| **biome != Biome::Unknown);
    biome.map(|&biome| Habitat::Biome(biome))
}

/// Visibilities around a viewer, without light: a window and its upper left cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ViewWindow {
    pub(super) top_left: IVec2,
    #[serde(with = "packed")]
    pub(super) window: Grid<f32>,
    /// Whether the view is stale: older than the state of its scene.
    #[serde(skip)]
    pub(super) is_stale: bool,
}

impl Default for ViewWindow {
    fn default() -> Self {
        Self { top_left: IVec2::ZERO, window: Grid::new(0, 0, 0.0), is_stale: false }
    }
}

impl ViewWindow {
    pub(super) fn of(view: &View<'_>) -> Self {
        Self { top_left: view.top_left(), window: view.grid().to_grid(), is_stale: false }
    }

    /// Copies a view. Allocates only if its size differs.
    pub(super) fn copy_from(&mut self, view: &View<'_>) {
        if self.window.size() != view.grid().size() {
            *self = Self::of(view);
            return;
        }
        (self.top_left, self.is_stale) = (view.top_left(), false);
        for (y, row) in view.grid().rows().enumerate() {
            self.window.row_mut(y).copy_from_slice(row);
        }
    }

    /// Returns the visibilities of some cells; 0 out of range.
    pub(super) fn values(&self, cells: CellRect) -> Grid<f32> {
        let mut values = Grid::new(cells.width(), cells.height(), 0.0);
        let inside = cells.intersect(CellRect { min: self.top_left, max: self.top_left + self.window.size() });
        if inside.width() == 0 || inside.height() == 0 {
            return values;
        }
        let columns = |left: i32| (inside.min.x - left) as usize..(inside.max.x - left) as usize;
        let (from, to) = (columns(self.top_left.x), columns(cells.min.x));
        let rows = values.as_mut_slice().par_chunks_exact_mut(cells.width()).zip(cells.min.y..cells.max.y);
        rows.filter(|(_, y)| (inside.min.y..inside.max.y).contains(y)).for_each(|(row, y)| {
            row[to.clone()].copy_from_slice(&self.window.row((y - self.top_left.y) as usize)[from.clone()]);
        });
        values
    }

    #[inline]
    pub(super) fn visibility(&self, cell: IVec2) -> f32 {
        self.window.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(0.0)
    }

    /// Iterates over the cells with a visibility above 0.
    pub(super) fn visible(&self) -> impl Iterator<Item = IVec2> {
        self.window.iter().filter(|(_, visibility)| **visibility > 0.0).map(|(offset, _)| offset + self.top_left)
    }
}
