//! The memory of a viewer, and the shared view of a team.

use farsight::Grid;
use farsight::grid::CellRect;
use farsight::perception::{CellMemory, Memory, MemoryChanges, OutOfSight, TeamView};
use wasm_bindgen::prelude::*;

use crate::frame::Frame;
use crate::pairs_of;

/// The cells that an update changed.
#[wasm_bindgen]
pub struct Changes {
    newly_seen: Vec<i32>,
    discovered: Vec<i32>,
    newly_hidden: Vec<i32>,
}

impl From<&MemoryChanges> for Changes {
    fn from(changes: &MemoryChanges) -> Self {
        Self {
            newly_seen: pairs_of(&changes.newly_seen),
            discovered: pairs_of(&changes.discovered),
            newly_hidden: pairs_of(&changes.newly_hidden),
        }
    }
}

#[wasm_bindgen]
impl Changes {
    pub fn newly_seen(&self) -> Vec<i32> {
        self.newly_seen.clone()
    }

    pub fn discovered(&self) -> Vec<i32> {
        self.discovered.clone()
    }

    pub fn newly_hidden(&self) -> Vec<i32> {
        self.newly_hidden.clone()
    }
}

/// Returns the cells of a map with sides above 0.
fn map_of(width: i32, height: i32) -> CellRect {
    CellRect::of_size((width, height))
}

/// Returns the states of all cells as numbers: 0 hidden, 1 seen, 2 visible.
fn states_of(grid: &Grid<CellMemory>) -> Vec<u8> {
    grid.as_slice().iter().map(|state| u8::from(*state)).collect()
}

/// The map as a viewer remembers it.
#[wasm_bindgen]
pub struct MapMemory(Memory);

#[wasm_bindgen]
impl MapMemory {
    #[wasm_bindgen(constructor)]
    pub fn new(width: i32, height: i32, fading: Option<u32>) -> Self {
        let memory = Memory::new(map_of(width, height));
        Self(match fading {
            Some(updates) => memory.with_fading(updates),
            None => memory,
        })
    }

    pub fn update(&mut self, frame: &Frame, threshold: f32, forgets: bool) -> Changes {
        let out_of_sight = if forgets { OutOfSight::Forget } else { OutOfSight::Remember };
        self.0.update(frame.0.borrow().view().at_least(threshold), out_of_sight);
        self.0.changes().into()
    }

    pub fn get(&self, x: i32, y: i32) -> u8 {
        self.0.get((x, y)).into()
    }

    pub fn strength(&self, x: i32, y: i32) -> f32 {
        self.0.strength((x, y))
    }

    pub fn states(&self) -> Vec<u8> {
        states_of(self.0.grid())
    }

    pub fn forget(&mut self) {
        self.0.forget();
    }

    pub fn restore(&mut self, states: &[u8]) -> Result<(), JsError> {
        let states = states.iter().map(|state| CellMemory::try_from(*state)).collect::<Result<Vec<_>, _>>()?;
        let size = self.0.grid().size();
        self.0.restore(Grid::from_vec(size.x as usize, size.y as usize, states)?);
        Ok(())
    }
}

/// The union of the views of a team.
#[wasm_bindgen]
pub struct Team(TeamView);

#[wasm_bindgen]
impl Team {
    #[wasm_bindgen(constructor)]
    pub fn new(width: i32, height: i32, threshold: f32) -> Self {
        Self(TeamView::new(map_of(width, height)).with_threshold(threshold))
    }

    pub fn set(&mut self, unit: u32, frame: &Frame) {
        self.0.set(unit.into(), &frame.0.borrow().view());
    }

    pub fn remove(&mut self, unit: u32) -> bool {
        self.0.remove(unit.into())
    }

    pub fn update(&mut self) -> Changes {
        self.0.update().into()
    }

    pub fn count(&self, x: i32, y: i32) -> u32 {
        self.0.count((x, y))
    }

    pub fn get(&self, x: i32, y: i32) -> u8 {
        self.0.get((x, y)).into()
    }

    pub fn states(&self) -> Vec<u8> {
        states_of(self.0.grid())
    }

    /// Units are numbers of 32 bits when they arrive.
    pub fn units_near(&self, x: i32, y: i32) -> Vec<u32> {
        self.0.units_near((x, y)).into_iter().map(|unit| unit as u32).collect()
    }
}
