//! The lamps of a scene, and the light that they throw.

use glam::IVec2;
use rayon::prelude::*;

use super::error::SceneError;
use super::terrain::Terrain;
use crate::grid::Grid;
use crate::job::Job;
use crate::light::{Lamp, LightMap};
use crate::optics::OpticsConfig;
use crate::preset::Preset;
use crate::scene::Scene;
use crate::sight::SightError;
use crate::viewshed::Viewshed;

/// Lamps whose light is worked out before it is added up, so that no more windows than this are kept at a time.
const BATCH: usize = 64;

/// The light of a preset's lamps, the same on any number of threads.
pub(super) fn light(terrain: &Terrain, preset: &Preset) -> Result<LightMap, SightError> {
    let mut map = LightMap::new(terrain.size());
    for lamps in preset.lamps.chunks(BATCH) {
        let windows: Vec<_> = lamps.par_iter().map(|lamp| thrown(terrain, preset, lamp)).collect::<Result<_, _>>()?;
        for (lamp, (origin, window)) in lamps.iter().zip(windows) {
            map.add(lamp.colour, lamp.strength as f32, origin, &window);
        }
    }
    Ok(map)
}

/// Whether lamps throw another light in the air of other optics.
pub(super) fn matters(one: &OpticsConfig, other: &OpticsConfig) -> bool {
    // Neither ambient light nor what the viewer carries hangs on lamps, nor how high the viewer's own eye is.
    let air = |optics: &OpticsConfig| OpticsConfig {
        light: 0.0,
        lantern: 0.0,
        eye_height_m: 0.0,
        radius_per_100m: 0.0,
        ..optics.clone()
    };
    air(one) != air(other)
}

/// The light of one lamp, from 0 to 1: the upper left cell of its window, and the window.
fn thrown(terrain: &Terrain, preset: &Preset, lamp: &Lamp) -> Result<(IVec2, Grid<f32>), SightError> {
    let mut viewshed = Viewshed::new(lamp.sight_config(preset.sight.path))?;
    let terrain = terrain.raised(lamp.height_m);
    let view = terrain.view(&mut viewshed, lamp.at, Job::quiet())?;
    Ok((view.origin(), view.grid().to_grid()))
}

impl Scene {
    /// The lamps, in the order in which they were put up.
    pub fn lamps(&self) -> &[Lamp] {
        &self.preset.lamps
    }

    /// Puts up a lamp. No turn passes.
    ///
    /// # Errors
    /// [`SceneError`] for a lamp off the map or with values out of range; nothing is changed then.
    pub fn add_lamp(&mut self, lamp: Lamp) -> Result<(), SceneError> {
        let mut lamps = self.preset.lamps.clone();
        lamps.push(lamp);
        self.apply(Preset { lamps, ..self.preset.clone() })
    }

    /// Takes away all lamps on a cell, and tells whether there were any. No turn passes.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn remove_lamp(&mut self, cell: IVec2) -> Result<bool, SceneError> {
        let lamps: Vec<Lamp> = self.preset.lamps.iter().filter(|lamp| lamp.at != cell).cloned().collect();
        let any = lamps.len() < self.preset.lamps.len();
        if any {
            self.apply(Preset { lamps, ..self.preset.clone() })?;
        }
        Ok(any)
    }

    /// The hue of the light on a cell, each channel in [0, 1], or `None` where no lamp adds any: that of the lamps,
    /// mixed with white by the share of the light that was there without them.
    pub fn hue(&self, cell: IVec2) -> Option<[f32; 3]> {
        if self.lights.lamp_count() == 0 {
            return None;
        }
        let light = self.light(cell);
        let without = crate::scene::look::without_lamps(&self.sky, self.viewer, cell);
        if light <= without {
            return None;
        }
        let share = (light - without) / light;
        Some(self.lights.hue(cell).map(|channel| 1.0 + (channel - 1.0) * share))
    }
}
