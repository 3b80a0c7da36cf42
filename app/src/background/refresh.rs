//! The decision whether a frame waits for views.

use crate::host::ON_PAGE;
use farsight::Job;
use farsight::sight::SightError;
use farsight_scene::scene::{Scene, SceneCost};

/// The maximum cell updates of views that a frame waits for: about two frames of one core, since a worker of a page
/// needs a copy of the terrain first.
const UPDATES_AT_ONCE: u64 = if ON_PAGE { 200_000_000 } else { 30_000_000 };

/// Returns `true` if a refresh of a scene exceeds the time that a frame waits.
fn is_slow(scene: &Scene) -> bool {
    scene.has_stale_views() && (scene.is_unsettled() || SceneCost::of_views(scene).updates() > UPDATES_AT_ONCE)
}

/// Refreshes a scene, or leaves it stale if that exceeds the time that a frame waits.
pub(crate) fn refresh_if_quick(scene: &mut Scene) -> Result<(), SightError> {
    if is_slow(scene) { Ok(()) } else { scene.refresh(Job::none()) }
}
