//! [`AtlasSource`]: the scene of an atlas, or the heightmap that is read in part.

use glam::IVec2;

use super::estimate::print_estimate;
use super::failure::Failure;
use super::scene_request::SceneRequest;
use farsight::Job;
use farsight_scene::atlas::{AtlasCell, AtlasError, AtlasPlan, Cells};
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneCost};
use farsight_scene::world::Ground;

/// The scene of an atlas, or a heightmap that is read in windows.
pub(crate) enum AtlasSource {
    Scene(Box<Scene>),
    Windows(Box<SceneRequest>),
}

impl AtlasSource {
    /// Plans the atlas.
    pub(crate) fn new(
        mut request: SceneRequest,
        quiet: bool,
        cells: Cells,
    ) -> Result<(Self, Result<AtlasPlan, AtlasError>), Failure> {
        if !request.is_in_part() {
            let (scene, options) = request.scene(quiet)?;
            let plan = AtlasPlan::new(&scene, &options.name, options.map, cells);
            return Ok((Self::Scene(Box::new(scene)), plan));
        }
        request.print_notes(quiet);
        let (preset, size, options) = (&request.preset, request.size(), &request.options);
        let mut map = options.map.clone().unwrap_or_default();
        request.partial_heightmap()?.digest(&mut map)?;
        let viewer = request.viewer.unwrap_or(size / 2);
        let plan = AtlasPlan::in_windows(preset, [size, viewer], &options.name, map, cells);
        Ok((Self::Windows(Box::new(request)), plan))
    }

    /// Prints about how long the views from some cells take, unless `quiet`.
    pub(crate) fn print_estimate(&self, views: usize, quiet: bool) {
        let (preset, size, is_world) = match self {
            Self::Scene(scene) => (scene.preset(), scene.size(), scene.world().is_some()),
            Self::Windows(request) => (&request.preset, request.size(), true),
        };
        let estimate = if is_world { SceneCost::of_ground } else { SceneCost::of_map };
        let cost_of = |preset: &Preset| estimate(preset, size, Some(size / 2)).only_views(views as u64);
        print_estimate(quiet, "the atlas", preset, cost_of);
    }

    /// Computes the cells of a plan.
    pub(crate) fn survey(
        &self,
        plan: &AtlasPlan,
        from: usize,
        job: Job<'_>,
        keep: impl FnMut(&[AtlasCell]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Self::Scene(scene) => plan.survey(scene, from, job, keep),
            Self::Windows(request) => {
                let scene_around = |viewers: &[IVec2]| scene_around(request, viewers, job.without_progress());
                plan.survey_windows(from, job, scene_around, keep)
            }
        }
    }
}

/// Reads the window in range of the views from some cells. `None` if no cell has data.
fn scene_around(request: &SceneRequest, viewers: &[IVec2], job: Job<'_>) -> Result<Option<Scene>, Failure> {
    let ground: Ground = request.ground_around(viewers)?;
    let origin = ground.window.map_or(IVec2::ZERO, |window| window.cells.min);
    let has_data = |cell: &&IVec2| !ground.elevation_m[**cell - origin].is_nan();
    let Some(viewer) = viewers.iter().find(has_data).map(|viewer| *viewer - origin) else { return Ok(None) };
    let mut preset = request.preset.clone();
    preset.viewers.clear(); // the views of lookouts do not count
    preset.names.clear(); // nor do names
    Scene::from_dem(preset, ground, Some(viewer), job).map(Some).map_err(|error| request.named(error))
}
