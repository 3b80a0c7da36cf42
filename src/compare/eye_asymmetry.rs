//! [`eye_asymmetry`]: the asymmetry of a world, where opacities depend on the eye.

use glam::{IVec2, ivec2};

use super::metrics::{Asymmetry, spread};
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError, Terrain, check_more_views};
use crate::sight::{Decay, Method, Sector, SightConfig, Weights};
use crate::viewshed::Viewshed;

/// Measures the asymmetry of two parents with linear weights in a world, between at most `cells` cells within the radius of
/// the viewer, evenly spaced. Each cell is seen by an eye of its own: relief and woods are opaque for a low eye and clear for
/// a high one, so that the method is not symmetric, although it is on opacities that do not depend on the eye.
///
/// `None` without a world: the opacities of a map are the same for all eyes.
///
/// # Errors
/// [`SceneError::Memory`], [`SceneError::Sight`].
pub fn eye_asymmetry(scene: &Scene, cells: usize, job: Job<'_>) -> Result<Option<Asymmetry>, SceneError> {
    let Terrain::World(optics) = scene.terrain() else { return Ok(None) };
    let (frame, viewer, radius) = (scene.sight_frame(), scene.viewer(), scene.radius());
    let is_in_sight = |cell: &IVec2| {
        (*cell - viewer).as_i64vec2().length_squared() <= i64::from(radius).pow(2) && scene.terrain().has_data(*cell)
    };
    let sight = SightConfig {
        // The cells see each other across the whole disc.
        radius: 2 * radius,
        method: Method::TwoParent,
        weights: Weights::Linear,
        decay: Decay::default(),
        sector: Sector::ALL,
        ..scene.preset().sight.clone()
    };
    let preset = Preset { sight: sight.clone(), viewers: Vec::new(), ..scene.preset().clone() };
    let what = format!("a comparison with an eye on each cell, of radius {radius},");
    check_more_views(scene.size(), &preset, 1, size_of::<IVec2>() as u64, &what)?;
    let rows = frame.min.y..frame.max.y;
    let in_sight: Vec<IVec2> =
        rows.flat_map(|y| (frame.min.x..frame.max.x).map(move |x| ivec2(x, y))).filter(is_in_sight).collect();
    let mut viewshed = Viewshed::new(sight)?;
    Asymmetry::over(&spread(&in_sight, cells), |from, targets| {
        let view = optics.view(&mut viewshed, from, job)?;
        Ok(targets.iter().map(|&to| view.get(to)).collect())
    })
    .map(Some)
}
