//! Cells of a scene whose opacity changes: doors that open, walls that fall.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::IVec2;

use super::placement;
use crate::perception::CellMemory;
use crate::preset::{CELLS, ChangedCell, PresetError};
use crate::scene::{Scene, SceneError, Terrain};
use crate::sight::OpacityMap;
use crate::sight::{Door, OpacityError, RadiusShape, SightError};

impl Scene {
    /// Gives a cell of an opacity map or dungeon another opacity: a door opens, a wall falls. No turn passes. Only the views, and the
    /// light of lamps and windows, that reach the cell are computed.
    ///
    /// The change is an entry of `[[cells]]` of the [`preset`](Self::preset), so that exports, links and saved walks have it. A cell
    /// that gets the opacity that it has on the map has no entry.
    ///
    /// # Errors
    /// [`SceneError`] for a cell outside the map, an opacity outside [0, 1], and in a world, where opacity follows from air,
    /// woods and relief; the scene stays as it was.
    ///
    /// ```
    /// use farsight::prelude::*;
    /// use farsight::Job;
    /// let map = OpacityMap::from_text("..#..")?;
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), map, Some((0, 0).into()), Job::quiet())?;
    /// assert_eq!(scene.visibility((4, 0)), 0.0);
    /// scene.set_opacity((2, 0), 0.25)?; // the wall falls
    /// assert_eq!(scene.visibility((4, 0)), 0.75);
    /// assert!(scene.set_opacity((9, 0), 0.0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_opacity(&mut self, cell: impl Into<IVec2>, opacity: f32) -> Result<(), SceneError> {
        self.set_opacities([(cell.into(), opacity)])
    }

    /// Gives several cells other opacities at once; see [`set_opacity`](Self::set_opacity). If a cell occurs twice, the last opacity
    /// holds.
    ///
    /// # Errors
    /// As [`set_opacity`](Self::set_opacity), for the first cell for which it fails; and [`SceneError::Preset`] if more cells than
    /// `[[cells]]` has entries would differ from the map.
    pub fn set_opacities<P: Into<IVec2>>(
        &mut self,
        cells: impl IntoIterator<Item = (P, f32)>,
    ) -> Result<(), SceneError> {
        let cells = self.cells_with(cells.into_iter().map(|(cell, opacity)| (cell.into(), opacity)))?;
        self.change_cells(cells)
    }

    /// Returns the state of the door on a cell, or `None` if there is no door.
    pub fn door(&self, cell: impl Into<IVec2>) -> Option<Door> {
        match &self.terrain {
            Terrain::Map(map) => map.door(cell),
            Terrain::World(_) => None,
        }
    }

    /// Returns the state of the door on a cell that is in sight or remembered.
    pub fn known_door(&self, cell: IVec2) -> Option<Door> {
        self.door(cell).filter(|_| self.memory(cell) != CellMemory::Hidden)
    }

    /// Opens or closes the door on a cell and returns its new state. No turn passes; see [`set_opacity`](Self::set_opacity).
    ///
    /// # Errors
    /// [`SceneError::NoDoor`] on a cell without a door; [`SceneError::BlockedDoor`] if the viewer, an observer or a creature is in the
    /// open door; the scene stays as it was.
    ///
    /// ```
    /// use farsight::prelude::*;
    /// use farsight::{Job, sight::Door};
    /// let map = OpacityMap::from_text("..+..")?;
    /// let mut scene = Scene::on_map(Preset::bare_kernel(), map, Some((0, 0).into()), Job::quiet())?;
    /// assert_eq!(scene.toggle_door((2, 0))?, Door::Open);
    /// assert_eq!(scene.visibility((4, 0)), 1.0);
    /// assert_eq!(scene.preset().cells.len(), 1); // what exports and links write
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn toggle_door(&mut self, cell: impl Into<IVec2>) -> Result<Door, SceneError> {
        let cell = cell.into();
        self.change_cells(self.cells_with_toggled_door(cell)?)?;
        self.door(cell).ok_or(SceneError::NoDoor(cell))
    }

    /// Returns the changed cells with a door opened or closed.
    pub fn cells_with_toggled_door(&self, cell: IVec2) -> Result<Vec<ChangedCell>, SceneError> {
        let door = self.door(cell).ok_or(SceneError::NoDoor(cell))?.toggled();
        let is_blocked = self.viewer == cell
            || self.preset.viewers.iter().any(|observer| observer.at == cell)
            || self.creatures.all().iter().any(|creature| creature.cell == cell);
        if door == Door::Closed && is_blocked {
            return Err(SceneError::BlockedDoor(cell));
        }
        self.cells_with([(cell, door.opacity())])
    }

    /// Returns the changed cells with other opacities for some cells.
    fn cells_with(&self, changes: impl IntoIterator<Item = (IVec2, f32)>) -> Result<Vec<ChangedCell>, SceneError> {
        let mut wanted = BTreeMap::new();
        for (cell, opacity) in changes {
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
            wanted.insert(cell.to_array(), opacity);
        }
        let mut cells = self.preset.cells.clone();
        cells.retain(|changed| !wanted.contains_key(&changed.at.to_array()));
        let wanted = wanted.into_iter().map(|(cell, opacity)| (IVec2::from(cell), opacity));
        let on_map = |cell| self.map_opacities.get(cell, self.terrain.opacity(self.viewer, cell));
        cells.extend(
            wanted
                .filter(|(cell, opacity)| on_map(*cell) != *opacity)
                .map(|(cell, opacity)| ChangedCell::new(cell, opacity)),
        );
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

    /// Takes over changed cells, and computes what depends on those that differ.
    fn change_cells(&mut self, cells: Vec<ChangedCell>) -> Result<(), SceneError> {
        let old = std::mem::replace(&mut self.preset.cells, cells);
        let changed = placement::check(&self.terrain, &self.map_opacities, &self.preset)
            .and_then(|()| self.update_cells().map_err(SceneError::from));
        if let Err(error) = changed {
            self.preset.cells = old;
            self.update_cells()?;
            return Err(error);
        }
        self.update_perception();
        Ok(())
    }

    /// Changes the terrain to the cells of the preset, and computes the lamps and views that reach a cell that differs.
    fn update_cells(&mut self) -> Result<(), SightError> {
        let changed = self.map_opacities.change(&mut self.terrain, &self.preset.cells);
        self.lamp_light.changed(&self.terrain, changed.iter().copied())?;
        if let Some(daylight) = &mut self.daylight {
            daylight.changed(&self.terrain, changed.iter().copied())?;
        }
        let is_near =
            |viewer: IVec2, radius| changed.iter().any(|cell| RadiusShape::Square.contains(cell - viewer, radius));
        for i in 0..self.preset.viewers.len() {
            let at = self.preset.viewers[i].at;
            if is_near(at, self.radius_at(at)) {
                self.observer_views[i] = self.observer_view(i)?;
            }
        }
        if is_near(self.viewer, self.radius()) {
            self.compute_view()?;
        }
        Ok(())
    }

    /// Returns the opacity map or dungeon without the changed cells; `None` in a world.
    pub fn map_without_changes(&self) -> Option<Cow<'_, OpacityMap>> {
        let Terrain::Map(map) = &self.terrain else { return None };
        if self.preset.cells.is_empty() {
            return Some(Cow::Borrowed(map));
        }
        let mut terrain = self.terrain.clone();
        self.map_opacities.clone().change(&mut terrain, &[]);
        match terrain {
            Terrain::Map(map) => Some(Cow::Owned(map)),
            Terrain::World(_) => None,
        }
    }
}
