//! [`ChangedCell`]: a cell whose opacity is not that of the map.

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::math::shortest_decimal;

/// A cell of an opacity map or dungeon whose opacity is not that of the map: a door that was opened, a wall that fell. An entry of
/// `[[cells]]`. If a cell occurs twice, the last entry holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ChangedCell {
    /// The cell.
    pub at: IVec2,
    /// Its opacity, in [0, 1].
    pub opacity: f64,
}

impl ChangedCell {
    /// Gives a cell another opacity.
    pub fn new(at: impl Into<IVec2>, opacity: f32) -> Self {
        Self { at: at.into(), opacity: shortest_decimal(opacity) }
    }
}
