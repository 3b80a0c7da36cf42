//! The light of the lamps of a scene.

use rayon::prelude::*;

use super::view_window::ViewWindow;
use crate::job::Job;
use crate::light::{Lamp, LightMap};
use crate::optics::OpticsConfig;
use crate::preset::Preset;
use crate::scene::Terrain;
use crate::sight::SightError;
use crate::viewshed::Viewshed;

/// Lamps whose windows are in memory at the same time.
const BATCH: usize = 64;

/// Computes the light of all lamps. It is the same on any number of threads.
pub(super) fn lamp_light(terrain: &Terrain, preset: &Preset) -> Result<LightMap, SightError> {
    let mut map = LightMap::new(terrain.size());
    for lamps in preset.lamps.chunks(BATCH) {
        let views: Vec<_> = lamps.par_iter().map(|lamp| light_of(lamp, terrain, preset)).collect::<Result<_, _>>()?;
        for (lamp, ViewWindow { top_left, window }) in lamps.iter().zip(views) {
            map.add(lamp.colour, lamp.strength as f32, top_left, &window);
        }
    }
    Ok(map)
}

/// Returns `true` if lamps give the same light with both optics.
pub(super) fn is_same_for_lamps(one: &OpticsConfig, other: &OpticsConfig) -> bool {
    // The light of lamps does not depend on other light, nor on the viewer.
    let relevant = |optics: &OpticsConfig| {
        optics.clone().with_light(0.0).with_lantern(0.0).with_eye_height_m(0.0).with_radius_per_100m(0.0)
    };
    relevant(one) == relevant(other)
}

/// Computes the light of a lamp, in [0, 1].
fn light_of(lamp: &Lamp, terrain: &Terrain, preset: &Preset) -> Result<ViewWindow, SightError> {
    let mut viewshed = Viewshed::new(lamp.sight_config(preset.sight.path))?;
    let terrain = terrain.with_eye_height(lamp.height_m);
    Ok(ViewWindow::of(&terrain.view(&mut viewshed, lamp.at, Job::quiet())?))
}
