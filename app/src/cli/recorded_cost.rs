//! [`RecordedCost`]: the cost of the scene of a file, and the permission of a command to compute it.

use super::failure::Failure;
use farsight_scene::scene::SceneCost;

/// The cost of the untrusted scene of `--from` or `--load`.
pub(crate) struct RecordedCost {
    file: String,
    scene: SceneCost,
}

impl RecordedCost {
    /// Creates the cost of the scene of a file.
    ///
    /// # Errors
    /// If the cost is above the limit.
    pub(super) fn new(file: String, scene: SceneCost) -> Result<Self, Failure> {
        let cost = Self { file, scene };
        cost.check_cost("its scene", &scene)?;
        Ok(cost)
    }

    /// Refuses the computation of a command, named by a noun, if its cost is above the limit.
    pub(super) fn check_cost(&self, what: &str, cost: &SceneCost) -> Result<(), Failure> {
        if !cost.is_over_budget() {
            return Ok(());
        }
        let (file, limit) = (&self.file, SceneCost::BUDGET / 1_000_000_000);
        Err(Failure::input(format!(
            "{file}: {what} takes {cost}: expected at most {limit} G cell updates; --allow-cost computes it"
        )))
    }

    /// Refuses the computation of a command if the total cost of its views, each with the cost of the scene's, is above
    /// the limit.
    pub(super) fn check_view_cost(&self, what: &str, views: usize) -> Result<(), Failure> {
        self.check_cost(what, &self.scene.with_views(views as u64))
    }

    /// Refuses the horizons of a number of cells × azimuths if their cost is above the limit.
    pub(super) fn check_horizon_cost(&self, what: &str, count: u64) -> Result<(), Failure> {
        self.check_cost(what, &self.scene.with_horizons(count))
    }
}
