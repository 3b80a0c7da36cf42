//! [`Water`] and [`Flow`]: the water on each cell, and where it flows.

use glam::IVec2;

use super::drainage::Drainage;
use super::neighbours::NEIGHBOURS;
use super::pyramid::PyramidLevel;
use crate::grid::Grid;

/// The water that covers a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Water {
    /// Dry land.
    #[default]
    None,
    /// The sea.
    Sea,
    /// A lake, filled up to its outlet.
    Lake,
    /// A river, at most as wide as its cell.
    River,
}

/// Flow directions and flow accumulation of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    drainage_km2: Grid<f32>,
    directions: Grid<u8>,
}

impl Flow {
    pub(super) fn new(drainage: Drainage, sea: &Grid<bool>, level: &PyramidLevel) -> Self {
        let mut drainage_km2 = drainage.accumulation((level.step_km * level.step_km) as f32);
        for (area, _) in drainage_km2.iter_mut().zip(sea.as_slice()).filter(|(_, sea)| **sea) {
            *area = 0.0;
        }
        let (width, height) = (sea.width(), sea.height());
        Self {
            drainage_km2: Grid::from_vec(width, height, drainage_km2).expect("one sum a cell"),
            directions: Grid::from_vec(width, height, drainage.directions.codes).expect("one direction a cell"),
        }
    }

    /// Returns the area of the land that drains through each cell, itself included, in square kilometres; 0 at sea.
    pub fn drainage_km2(&self) -> &Grid<f32> {
        &self.drainage_km2
    }

    /// Returns the neighbour that the water of a cell flows to. In a generated world it is never higher; on given ground
    /// water crosses the depressions. `None` for the sea, for land at the edge of the map whose water leaves it, and off
    /// the map.
    pub fn downstream(&self, cell: IVec2) -> Option<IVec2> {
        self.directions.get(cell).and_then(|&code| NEIGHBOURS.get(usize::from(code))).map(|&to| cell + to)
    }
}
