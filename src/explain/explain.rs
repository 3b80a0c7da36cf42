//! [`Explanation::of`].

use glam::IVec2;

use super::corridor::SceneCorridor;
use crate::explain::{Cause, ExplainError, Explanation, ExplanationPaths, Loss};
use crate::grid::CellRect;
use crate::scene::Scene;

impl Explanation {
    /// Explains how well the viewer of a scene sees a cell. Run time grows with the number of cells between the two.
    ///
    /// # Errors
    /// [`ExplainError::Outside`].
    pub fn of(scene: &Scene, target: IVec2) -> Result<Self, ExplainError> {
        let size = scene.size();
        if !CellRect::of_size(size).contains(target) {
            return Err(ExplainError::Outside { target, size });
        }
        let mut explanation = Self {
            viewer: scene.viewer(),
            target,
            radius: scene.radius(),
            perceived: scene.own_visibility(target) * scene.light(target),
            perceived_by_all: scene.perceived(target),
            explained: 1.0,
            paths: ExplanationPaths::Parents,
            losses: Vec::new(),
            cells: Vec::new(),
            in_series: Vec::new(),
            without_series: 0.0,
            least_height_m: None,
        };
        let only_cause = match () {
            () if !scene.terrain().has_data(target) => Some(Cause::Unmeasured),
            () if explanation.is_out_of_range() => Some(Cause::Range),
            () => None,
        };
        if let Some(cause) = only_cause {
            explanation.explained = 0.0;
            explanation.losses = vec![Loss { cause, share: 1.0, regions: Vec::new() }];
        } else {
            SceneCorridor::new(scene, target)?.explain(&mut explanation)?;
        }
        Ok(explanation)
    }
}
