//! [`CrowdView`]: the view of a creature with many others nearby.

use glam::IVec2;

use super::opacity_map::OpacityMap;
use super::opacity_source::ReadOpacities;
use super::solver::Solver;
use super::two_parent::TwoParent;
use super::view_plan::ViewPlan;
use super::window::Window;
use crate::job::Job;
use crate::sight_config::{OctantParts, Sector, SightConfig, SightError, Weights};

/// The buffers of the views, and the last view.
#[derive(Clone, Debug, Default)]
pub(super) struct CrowdView {
    window: Window,
    two_parent: TwoParent,
    plan: ViewPlan,
}

impl CrowdView {
    /// Computes the raw values of two parents within `reach` cells in some octants. Returns `false` if that needs a
    /// copy of the map.
    pub(super) fn compute(&mut self, map: &OpacityMap, viewer: IVec2, reach: u32, octants: &OctantParts) -> bool {
        let Self { window, two_parent, .. } = self;
        window.fit(reach, reach);
        two_parent.sweep_map(map, viewer, window, reach, Weights::Linear, octants)
    }

    /// Computes the raw values of two parents within `reach` cells over the opacities of a source.
    ///
    /// # Errors
    /// As [`FieldOfView::compute`](super::FieldOfView::compute).
    pub(super) fn compute_source(
        &mut self,
        source: &mut dyn ReadOpacities,
        viewer: IVec2,
        reach: u32,
    ) -> Result<(), SightError> {
        let Self { window, two_parent, plan } = self;
        let config = SightConfig::default().with_radius(reach); // two parents with linear weights
        plan.set(&config, source.extent(), viewer, None, Sector::ALL)?;
        window.fit(plan.radii.window, plan.radii.in_sight);
        window.fill_opacities(source, viewer);
        two_parent.solve(&config, plan, window, Job::none())
    }

    /// Returns the raw value of the cell at an offset within the reach.
    pub(super) fn raw(&self, offset: IVec2) -> f32 {
        self.window.seen[self.window.centre() + offset]
    }
}
