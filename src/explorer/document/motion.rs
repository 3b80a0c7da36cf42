//! [`Motion`]: the walk under way, and running time.

use std::collections::VecDeque;

use glam::IVec2;

/// The walk under way, and running time.
#[derive(Debug, Default)]
pub(super) struct Motion {
    /// The steps still to take.
    pub(super) route: VecDeque<IVec2>,
    /// Seconds since the last step.
    pub(super) since_step: f32,
    pub(super) time_runs: bool,
    /// Minutes that have not yet passed on the clock.
    pub(super) minutes: f64,
}
