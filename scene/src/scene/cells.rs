//! Cells of a scene with changing opacity, such as doors and falling walls.

use std::collections::BTreeMap;

use glam::IVec2;

use crate::preset::{CELLS, ChangedCell, PresetError};
use crate::scene::{Scene, SceneError, Terrain};
use farsight::Job;
use farsight::grid::ToCell;
use farsight::perception::CellMemory;
use farsight::sight::{Door, OpacityError, RadiusShape, SightError};

impl Scene {
    /// Sets the opacity of a cell of an opacity map or dungeon: a door opens, a wall falls. No turn passes. Only the
    /// views, and the light of lamps and windows, that reach the cell are recomputed.
    ///
    /// The change is in the [`state`](Self::state), and an entry of `[[cells]]` of the
    /// [`present_preset`](Self::present_preset), so that exports, links and saved walks contain it. A cell set to its
    /// opacity on the map has no entry.
    ///
    /// # Errors
    /// [`SceneError`] for a cell outside the map, an opacity outside [0, 1], and in a world, where opacity follows from
    /// air, woods and relief; the scene does not change.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::Job;
    /// let map = OpacityMap::from_text("..#..")?;
    /// let mut scene = Scene::from_map(Preset::bare_kernel(), map, Some((0, 0).into()), Job::none())?;
    /// assert_eq!(scene.visibility((4, 0)), 0.0);
    /// scene.set_opacity((2, 0), 0.25)?; // the wall falls
    /// assert_eq!(scene.visibility((4, 0)), 0.75);
    /// assert!(scene.set_opacity((9, 0), 0.0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_opacity(&mut self, cell: impl ToCell, opacity: f32) -> Result<(), SceneError> {
        self.change_cells(self.cells_with(cell.to_cell(), opacity)?)
    }

    /// Returns the state of the door on a cell, or `None` if there is no door.
    pub fn door(&self, cell: impl ToCell) -> Option<Door> {
        match &self.terrain {
            Terrain::Map(map) => map.door(cell),
            Terrain::World(_) => None,
        }
    }

    /// Returns the state of the door on a cell that is in sight or remembered.
    pub fn known_door(&self, cell: impl ToCell) -> Option<Door> {
        let cell = cell.to_cell();
        self.door(cell).filter(|_| self.memory(cell) != CellMemory::Hidden)
    }

    /// Opens or closes the door on a cell and returns its new state. No turn passes; see [`set_opacity`](Self::set_opacity).
    ///
    /// # Errors
    /// [`SceneError::NoDoor`] on a cell without a door; [`SceneError::BlockedDoor`] if the viewer, an observer or a
    /// creature is in the open door; the scene does not change.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::{Job, sight::Door};
    /// let map = OpacityMap::from_text("..+..")?;
    /// let mut scene = Scene::from_map(Preset::bare_kernel(), map, Some((0, 0).into()), Job::none())?;
    /// assert_eq!(scene.toggle_door((2, 0))?, Door::Open);
    /// assert_eq!(scene.visibility((4, 0)), 1.0);
    /// assert_eq!(scene.present_preset().cells.len(), 1); // exports and links write this
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn toggle_door(&mut self, cell: impl ToCell) -> Result<Door, SceneError> {
        let cell = cell.to_cell();
        self.change_cells(self.cells_with_toggled_door(cell)?)?;
        self.door(cell).ok_or(SceneError::NoDoor(cell))
    }

    /// Returns the changed cells with a door opened or closed.
    pub fn cells_with_toggled_door(&self, cell: impl ToCell) -> Result<Vec<ChangedCell>, SceneError> {
        let cell = cell.to_cell();
        let door = self.door(cell).ok_or(SceneError::NoDoor(cell))?.toggled();
        let is_blocked = self.viewer == cell
            || self.state.observers.iter().any(|observer| observer.at == cell)
            || self.creatures.all().iter().any(|creature| creature.cell == cell);
        if door == Door::Closed && is_blocked {
            return Err(SceneError::BlockedDoor(cell));
        }
        self.cells_with(cell, door.opacity())
    }

    /// Returns the changed cells with another opacity for a cell.
    fn cells_with(&self, cell: IVec2, opacity: f32) -> Result<Vec<ChangedCell>, SceneError> {
        let Terrain::Map(map) = &self.terrain else {
            return Err(SceneError::NoOpacities { what: "the cell".to_owned(), cell });
        };
        if !map.grid().contains(cell) {
            let (width, height) = (map.grid().width(), map.grid().height());
            return Err(OpacityError::Outside { cell, width, height }.into());
        }
        if !(0.0..=1.0).contains(&opacity) {
            return Err(OpacityError::OutOfRange { cell, value: opacity }.into());
        }
        let mut cells = self.state.cells.clone();
        cells.retain(|changed| changed.at != cell);
        if self.painting.map().and_then(|map| map.get(cell)) != Some(opacity) {
            cells.push(ChangedCell::new(cell, opacity));
        }
        if cells.len() > CELLS.max_len {
            return Err(PresetError::Value {
                origin: "preset".to_owned(),
                key: CELLS.key.to_owned(),
                value: format!("{} entries", cells.len()),
                unit: String::new(),
                range: format!("at most {}", CELLS.max_len),
            }
            .into());
        }
        Ok(cells)
    }

    /// Sets the changed cells, and recomputes the data that depend on cells that differ.
    fn change_cells(&mut self, cells: Vec<ChangedCell>) -> Result<(), SceneError> {
        let old = std::mem::replace(&mut self.state.cells, cells);
        if let Err(error) = self.update_cells(&old) {
            let refused = std::mem::replace(&mut self.state.cells, old);
            self.update_cells(&refused)?;
            return Err(error.into());
        }
        self.update_perception();
        Ok(())
    }

    /// Updates the terrain to the strokes and changed cells of the state, and recomputes the lamps and views that reach
    /// a cell that differs.
    pub(super) fn update_cells(&mut self, old: &[ChangedCell]) -> Result<(), SightError> {
        let changed = self.change_terrain(old);
        self.update_lamps_near(&changed)?;
        if let Some(daylight) = &mut self.daylight {
            daylight.changed(&self.terrain, changed.iter().copied())?;
        }
        let is_near =
            |viewer: IVec2, radius| changed.iter().any(|cell| RadiusShape::Square.contains(cell - viewer, radius));
        for i in 0..self.state.observers.len() {
            let at = self.state.observers[i].at;
            if is_near(at, self.radius_at(at)) {
                self.compute_observer_view(i, Job::none())?;
            }
        }
        if is_near(self.viewer, self.radius()) {
            self.compute_view()?;
        }
        Ok(())
    }

    /// Computes the light of the lamps that reach one of these cells.
    pub(super) fn update_lamps_near(&mut self, changed: &[IVec2]) -> Result<(), SightError> {
        if !self.state.lamps.is_empty() {
            self.lamp_light.changed(&self.terrain, changed.iter().copied())?;
        }
        Ok(())
    }

    /// Updates the terrain to the strokes of the state, and from some changed cells to those of the state. Returns the
    /// cells that can differ.
    pub(super) fn change_terrain(&mut self, old: &[ChangedCell]) -> Vec<IVec2> {
        let mut changed = self.paint_strokes();
        let (Terrain::Map(map), Some(start)) = (&mut self.terrain, self.painting.map()) else { return changed };
        let at_start = old.iter().filter_map(|cell| Some((cell.at.to_array(), start.get(cell.at)?)));
        let now = self.state.cells.iter().map(|cell| (cell.at.to_array(), cell.opacity as f32));
        let mut wanted: BTreeMap<[i32; 2], f32> = at_start.chain(now).collect();
        wanted.retain(|cell, opacity| map.get(*cell) != Some(*opacity));
        let set = map.set_many(wanted.iter().map(|(cell, opacity)| (*cell, *opacity)));
        debug_assert!(set.is_ok(), "the cells were checked");
        changed.extend(wanted.into_keys().map(IVec2::from));
        changed
    }
}
