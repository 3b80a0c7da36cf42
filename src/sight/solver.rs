//! [`Solver`]: a method of a field of view; [`CellSolver`]: a method that does not read all cells.

use glam::IVec2;

use super::half_cells::HalfCellTable;
use super::opacity_map::OpacityMap;
use super::view_plan::ViewPlan;
use super::window::Window;
use crate::job::Job;
use crate::sight_config::{SightConfig, SightError};

/// A method of a field of view. It computes raw values: visibilities in [0, 1] before path rule and decay.
///
/// It writes every cell in sight, since the window has stale values of the last view: 1 for the viewer, and 0 where the
/// opacity is above 1, which means a cell that does not exist and blocks. It allocates nothing after the first view of
/// a radius.
pub(super) trait Solver {
    /// Computes the raw value of every cell in sight into the window, from the window's opacities.
    fn solve(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        window: &mut Window,
        job: Job<'_>,
    ) -> Result<(), SightError>;

    /// Solves as [`solve`](Self::solve), but over a map, and copies its opacities to the window if the method needs
    /// them.
    fn solve_map(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        window: &mut Window,
        job: Job<'_>,
    ) -> Result<(), SightError> {
        window.fill_opacities(&mut { map }, plan.viewer);
        self.solve(config, plan, window, job)
    }

    /// Returns the solver as one that reads cells on demand, if the method supports it.
    fn as_cell_solver(&mut self) -> Option<&mut dyn CellSolver> {
        None
    }

    /// Computes the raw value of the cell at an offset from the viewer, which is in sight, with the bits of
    /// [`solve_map`](Self::solve_map). The visibilities of the window stay.
    fn solve_cell(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        window: &mut Window,
        offset: IVec2,
    ) -> f32;

    /// Returns the half cells at the ends of the paths to all cells in sight, or `None` if they have no effect.
    fn half_cells(&mut self, config: &SightConfig, plan: &ViewPlan) -> Option<HalfCellTable>;
}

/// A method that does not read all cells in sight.
pub(super) trait CellSolver {
    /// Solves as [`solve`](Solver::solve), but calls `opacity` on demand, at most once for each cell.
    fn solve_cells(&mut self, plan: &ViewPlan, opacity: &mut dyn FnMut(IVec2) -> f32, window: &mut Window);
}
