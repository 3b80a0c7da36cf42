//! [`Surroundings`]: what blocks and receives the light of lamps.

use glam::IVec2;

use super::lamp::Lamp;
use crate::grid::CellRect;
use crate::sight::{OpacityMap, SightError, View};
use crate::viewshed::Viewshed;

/// A map on which lamps shine: it blocks and receives their light. [`OpacityMap`] and [`Terrain`](crate::scene::Terrain) are
/// such maps.
pub trait Surroundings: Sync {
    /// Returns the cells of the map.
    fn extent(&self) -> CellRect;

    /// Returns `true` if a cell blocks all light, so that light on one of its sides does not show on another.
    fn is_wall(&self, cell: IVec2) -> bool;

    /// Computes the share of its strength that a lamp gives to every cell. `viewshed` has the configuration of the lamp;
    /// see [`Lamp::sight_config`].
    ///
    /// # Errors
    /// [`SightError`] if the cells within its reach cannot be computed.
    fn shine<'v>(&self, lamp: &Lamp, viewshed: &'v mut Viewshed) -> Result<View<'v>, SightError>;
}

impl Surroundings for OpacityMap {
    fn extent(&self) -> CellRect {
        CellRect::of_size(self.grid().size())
    }

    #[inline]
    fn is_wall(&self, cell: IVec2) -> bool {
        self.get(cell).is_some_and(|opacity| opacity >= 1.0)
    }

    fn shine<'v>(&self, lamp: &Lamp, viewshed: &'v mut Viewshed) -> Result<View<'v>, SightError> {
        viewshed.field_of_view_mut().compute(self, lamp.at)
    }
}
