//! [`CrowdView`]: the view of a creature that has many others around.

use glam::IVec2;

use super::opacity_map::OpacityMap;
use super::two_parent::TwoParent;
use super::window::Window;
use crate::sight_config::{OctantParts, Weights};

/// The buffers of the views, and the last of them.
#[derive(Clone, Debug, Default)]
pub(super) struct CrowdView {
    window: Window,
    two_parent: TwoParent,
}

impl CrowdView {
    /// Computes the raw values of two parents within `reach` cells in some octants. Returns `false` if that needs a copy of the
    /// map.
    pub(super) fn compute(&mut self, map: &OpacityMap, viewer: IVec2, reach: u32, octants: &OctantParts) -> bool {
        let Self { window, two_parent } = self;
        window.fit(reach, reach);
        two_parent.sweep_map(map, viewer, window, reach, Weights::Linear, octants)
    }

    /// Returns the raw value of the cell at an offset within the reach.
    pub(super) fn raw(&self, offset: IVec2) -> f32 {
        self.window.seen[self.window.centre() + offset]
    }
}
