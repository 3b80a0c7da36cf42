//! The view by a classic method: yes or no over walls, times the decay.

use glam::{IVec2, ivec2};

use super::view_window::ViewWindow;
use crate::classic::{self, ClassicConfig, ClassicView};
use crate::grid::{CellRect, CellSize, Grid};
use crate::scene::{Scene, Terrain};
use crate::sight::{DecayKind, SightError};

impl Scene {
    /// Computes a view: 1 for seen cells, else 0, times the decay. `terrain` is that of the scene with any eye height.
    pub(super) fn classic_view(
        &self,
        terrain: &Terrain,
        viewer: IVec2,
        config: &ClassicConfig,
    ) -> Result<ViewWindow, SightError> {
        let view = match terrain {
            Terrain::Map(opacity) => classic::visible(opacity, viewer, config)?,
            Terrain::World(_) => visible_in_world(terrain, viewer, config)?,
        };
        let mut window = view.to_visibility();
        let cell_size = terrain.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(viewer));
        self.multiply_by_decay(&mut window, viewer - view.top_left(), config.radius, cell_size);
        let mut view = ViewWindow { top_left: view.top_left(), window };
        self.terrain.zero_missing(&mut view);
        Ok(view)
    }

    /// Clears the cells of a view that are not in the sector of the preset.
    pub(super) fn clip_to_sector(&self, view: &mut ViewWindow, viewer: IVec2) {
        if self.preset.sight.sector.is_full() {
            return;
        }
        for y in 0..view.window.height() {
            for (x, seen) in view.window.row_mut(y).iter_mut().enumerate().filter(|(_, seen)| **seen > 0.0) {
                if !self.is_in_sector(viewer, view.top_left + ivec2(x as i32, y as i32)) {
                    *seen = 0.0;
                }
            }
        }
    }

    /// Returns `true` if a cell is in the cone of vision of a viewer, by its direction on the ground.
    pub(crate) fn is_in_sector(&self, viewer: IVec2, cell: IVec2) -> bool {
        let cell_size = self.terrain.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(viewer));
        self.preset.sight.sector.contains_in(cell - viewer, cell_size.ratios())
    }

    /// Multiplies a window by the decay; on rectangular cells, also clears what is out of range. The viewer is at
    /// `middle`.
    fn multiply_by_decay(&self, window: &mut Grid<f32>, middle: IVec2, radius: u32, cell_size: CellSize) {
        let decay = &self.preset.sight.decay;
        if decay.kind == DecayKind::None && cell_size.is_square() {
            return;
        }
        let side = window.width() / 2 + 1;
        let quadrant = Grid::from_fn(side, side, |cell| {
            let is_seen = cell_size.is_square() || cell_size.is_in_range(cell, radius);
            if is_seen { decay.at((cell.as_dvec2() * cell_size.ratios()).length(), radius) as f32 } else { 0.0 }
        });
        for y in 0..window.height() {
            for (x, seen) in window.row_mut(y).iter_mut().enumerate() {
                *seen *= quadrant[(ivec2(x as i32, y as i32) - middle).abs()];
            }
        }
    }
}

/// Computes the opacity of each cell once, since many lines cross it.
fn visible_in_world(terrain: &Terrain, viewer: IVec2, config: &ClassicConfig) -> Result<ClassicView, SightError> {
    let map = CellRect::of_size(terrain.size());
    let frame = CellRect::around(viewer, config.radius.min(terrain.size().max_element() as u32)).intersect(map);
    let opacity = terrain.opacities(viewer, frame);
    let at = |cell| opacity.get(cell - frame.min).copied().unwrap_or(0.0);
    classic::visible_within(terrain.size(), viewer, config, at)
}
