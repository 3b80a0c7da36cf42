//! [`survey`]: the number of visible cells from places all over a scene, in passes of increasing resolution.

use serde::{Deserialize, Serialize};

use farsight::Job;
use farsight::sight::View;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The spacing of the places of each pass, in cells.
const STEPS: [u32; 5] = [64, 32, 16, 8, 4];

/// The maximum number of places of a pass.
const MAX_PLACES: usize = 20_000;

/// The number of views per batch: small, so that the view of the window waits only shortly.
const CHUNK: usize = 8;

/// A place, the spacing of its pass, and the sum of the perceived cells from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SurveyedPlace {
    pub(crate) cell: IVec2,
    pub(crate) step: u32,
    pub(crate) seen: f32,
}

/// Surveys a scene and passes the places of each pass to `send`. It ends early if the job is cancelled, or if the scene
/// has no view, which the map also shows.
pub(super) fn survey(scene: Scene, job: Job<'_>, mut send: impl FnMut(Vec<SurveyedPlace>)) {
    for step in STEPS {
        let cells = |side: i32| (0..side).step_by(step as usize);
        let viewers = cells(scene.size().y).flat_map(|y| cells(scene.size().x).map(move |x| IVec2::new(x, y)));
        if viewers.clone().nth(MAX_PLACES).is_some() {
            return;
        }
        let viewers: Vec<IVec2> = viewers.collect();
        let mut places = Vec::with_capacity(viewers.len());
        for chunk in viewers.chunks(CHUNK) {
            let place = |cell, _, view: View<'_>| SurveyedPlace {
                cell,
                step,
                seen: view.visible().map(|(_, share)| share).sum(),
            };
            match scene.view_many(chunk, job, place) {
                Ok(seen) => places.extend(seen),
                Err(_) => return,
            }
        }
        send(places);
    }
}
