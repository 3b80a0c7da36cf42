//! The strokes of a scene, and their effect on climate and rivers.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::IVec2;

use super::painting;
use crate::preset::ChangedCell;
use crate::scene::{Scene, SceneError};
use crate::world::{Footprint, Stroke, World, common_strokes};
use farsight::Job;
use farsight::sight::{OpacityMap, SightError};

impl Scene {
    /// Paints a stroke: land rises, a wood grows, a wall is built. No turn passes. In a world, the cost depends on the
    /// cells that the stroke reaches and the views near them, not on the map; for a stroke that
    /// [settles](field@Stroke::settles), it is that of generating the world.
    ///
    /// The stroke is in the [`state`](Self::state), and an entry of `[[strokes]]` of the
    /// [`present_preset`](Self::present_preset), so that exports, links and saved walks contain it. Creatures do not
    /// move. The stroke replaces the opacity of single changed cells, such as an open door.
    ///
    /// # Errors
    /// [`SceneError::WrongBrush`] for a brush of another kind of land, and [`SceneError::Preset`] for values out of
    /// range or too many strokes; the scene does not change.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::Job;
    /// use farsight_scene::world::{Brush, Stroke};
    /// let mut scene = Scene::from_map(Preset::bare_kernel(), OpacityMap::clear(9, 5)?, Some((0, 2).into()), Job::none())?;
    /// let wall = Stroke::new(Brush::Wall, [(4, 0), (4, 4)]).with_radius(0);
    /// scene.paint(wall.clone())?;
    /// assert_eq!(scene.visibility((8, 2)), 0.0);
    /// scene.paint(Stroke::new(Brush::Window, [(4, 2)]).with_radius(0))?;
    /// assert!(scene.visibility((8, 2)) > 0.8);
    /// assert_eq!(scene.present_preset().strokes.len(), 2);
    /// assert!(scene.paint(Stroke::new(Brush::Raise, [(4, 2)])).is_err()); // a map has no hills
    /// scene.set_strokes(vec![wall])?;
    /// assert_eq!(scene.visibility((8, 2)), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paint(&mut self, stroke: Stroke) -> Result<(), SceneError> {
        let mut strokes = self.state.strokes.clone();
        strokes.push(stroke);
        self.set_strokes(strokes)
    }

    /// Replaces the strokes. If only the last stroke differs, which grows during drawing, only that stroke is repainted.
    ///
    /// # Errors
    /// As [`paint`](Self::paint).
    pub fn set_strokes(&mut self, strokes: Vec<Stroke>) -> Result<(), SceneError> {
        painting::check(&strokes, self.world().is_some())?;
        let mut state = self.state.clone();
        state.cells = self.cells_under(&strokes);
        state.strokes = strokes;
        if state == self.state {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.state, state);
        if let Err(error) = self.update_cells(&old.cells) {
            let refused = std::mem::replace(&mut self.state, old);
            self.update_cells(&refused.cells)?;
            return Err(error.into());
        }
        self.update_perception();
        Ok(())
    }

    /// Returns the changed cells that remain after some strokes replace those of the scene: those that no new stroke
    /// paints.
    pub fn cells_under(&self, strokes: &[Stroke]) -> Vec<ChangedCell> {
        let mut cells = self.state.cells.clone();
        let same = common_strokes(strokes, &self.state.strokes);
        for stroke in strokes[same..].iter().filter(|_| !self.state.cells.is_empty()) {
            let footprint = Footprint::new(stroke, self.size());
            let painted: BTreeSet<[i32; 2]> = footprint.covered().map(|cell| cell.to_array()).collect();
            cells.retain(|changed| !painted.contains(&changed.at.to_array()));
        }
        cells
    }

    /// Returns the opacity map or dungeon without strokes and changed cells; `None` in a world.
    pub fn map_without_changes(&self) -> Option<&OpacityMap> {
        self.painting.unpainted_map()
    }

    /// Returns the world without strokes; `None` on an opacity map and in a dungeon.
    pub fn world_without_strokes(&self) -> Option<&Arc<World>> {
        self.painting.unpainted_world()
    }

    /// Returns the world below the last strokes, and these strokes: those since climate and rivers have settled, or all
    /// of them. `None` on an opacity map and in a dungeon.
    pub fn world_and_strokes(&self) -> Option<(&Arc<World>, &[Stroke])> {
        let (world, settled) = self.painting.base_of(&self.state.strokes)?;
        Some((world, &self.state.strokes[settled..]))
    }

    /// Sets the settled world of a scene with the same strokes on the same world.
    pub(super) fn set_settled_world(&mut self, world: World) -> Result<(), SightError> {
        self.painting.keep(&self.state.strokes, world);
        self.follow_climate()
    }

    /// Returns the strokes of the terrain.
    pub(crate) fn painted_strokes(&self) -> &Arc<Vec<Stroke>> {
        self.painting.strokes()
    }

    /// Replaces the strokes of the terrain by those of the state. Returns the cells that can differ; it ignores changed
    /// cells.
    pub(super) fn paint_strokes(&mut self) -> Vec<IVec2> {
        if !self.defers_climate() {
            let settled = self.painting.settle(&self.state.strokes, Job::none());
            settled.expect("a quiet job is not cancelled");
        }
        let cells = self.painting.paint(&mut self.terrain, &self.state.strokes);
        if !cells.is_empty() {
            self.named_places.take(); // the height of a place of one's own is that of its ground
        }
        cells
    }

    /// Settles deferred climate and rivers, and updates the light of lamps, but not the views.
    pub(super) fn settle(&mut self, job: Job<'_>) -> Result<(), SightError> {
        self.painting.settle(&self.state.strokes, job)?;
        self.follow_climate()
    }

    fn follow_climate(&mut self) -> Result<(), SightError> {
        let changed = self.change_terrain(&self.state.cells.clone());
        self.update_lamps_near(&changed)
    }
}
