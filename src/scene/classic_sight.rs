//! A scene seen by a classic method: yes or no over walls, then the decay.

use glam::{IVec2, ivec2};

use super::terrain::Terrain;
use crate::classic;
use crate::classic::{ClassicConfig, ClassicView};
use crate::grid::{CellRect, Grid};
use crate::scene::Scene;
use crate::sight::{DecayKind, SightError};

impl Scene {
    /// Computes the window by a classic method: 1 where a cell is seen, else 0, times the preset's decay.
    pub(super) fn see_classically(&mut self, config: &ClassicConfig) -> Result<(), SightError> {
        (self.origin, self.window) = self.classic_window(&self.terrain, self.viewer, config)?;
        Ok(())
    }

    /// The upper left cell of the window of a viewer anywhere on the map, and the window. `terrain` is the scene's, for
    /// an eye at any height.
    pub(super) fn classic_window(
        &self,
        terrain: &Terrain,
        viewer: IVec2,
        config: &ClassicConfig,
    ) -> Result<(IVec2, Grid<f32>), SightError> {
        let view = match terrain {
            Terrain::Map(opacity) => classic::visible(opacity, viewer, config)?,
            Terrain::World(_) => over_world(terrain, viewer, config)?,
        };
        let mut window = view.to_visibility();
        self.dim(&mut window, viewer - view.origin(), config.radius);
        self.terrain.blot_out_gaps(view.origin(), &mut window);
        Ok((view.origin(), window))
    }

    /// Multiplies a window, with the viewer at `middle`, by the decay for a radius.
    fn dim(&self, window: &mut Grid<f32>, middle: IVec2, radius: u32) {
        let decay = &self.preset.sight.decay;
        if decay.kind == DecayKind::None {
            return;
        }
        let side = window.width() / 2 + 1;
        let quadrant = Grid::from_fn(side, side, |cell| decay.at(cell.as_dvec2().length(), radius) as f32);
        for y in 0..window.height() {
            for (x, seen) in window.row_mut(y).iter_mut().enumerate() {
                *seen *= quadrant[(ivec2(x as i32, y as i32) - middle).abs()];
            }
        }
    }
}

/// Opacity hangs on the viewer's eye: it is worked out once for all the lines that cross a cell.
fn over_world(terrain: &Terrain, viewer: IVec2, config: &ClassicConfig) -> Result<ClassicView, SightError> {
    let map = CellRect::of_size(terrain.size());
    let frame = CellRect::around(viewer, config.radius.min(terrain.size().max_element() as u32)).intersect(map);
    let mut opacity = Grid::new(frame.width(), frame.height(), 0.0);
    for y in 0..frame.height() {
        terrain.fill_row(viewer, frame.min + ivec2(0, y as i32), opacity.row_mut(y));
    }
    let at = |cell| opacity.get(cell - frame.min).copied().unwrap_or(0.0);
    classic::visible_within(terrain.size(), viewer, config, at)
}
