//! The lamps of a scene, and its ambient light and air, for colours.

use glam::IVec2;

use crate::scene::Terrain;
use crate::scene::{Scene, SceneError};
use farsight::grid::ToCell;
use farsight::light::Lamp;

impl Scene {
    /// Returns the lamps in the order in which they were added.
    pub fn lamps(&self) -> &[Lamp] {
        &self.state.lamps
    }

    /// Adds a lamp. No turn passes.
    ///
    /// # Errors
    /// [`SceneError`] for a lamp off the map or with values out of range; the scene does not change.
    pub fn add_lamp(&mut self, lamp: Lamp) -> Result<(), SceneError> {
        self.change_state(|state| state.lamps.push(lamp))
    }

    /// Sets the time in seconds of flickering lamps until the next turn or change. Perception and memory use time 0, so
    /// they do not depend on the time of display. Returns `true` if light changes.
    pub fn set_time(&mut self, seconds: f64) -> bool {
        self.lamp_light.set_time(seconds)
    }

    /// Returns `true` if light changes with time: a lamp flickers, and some cell is not in full daylight.
    pub fn flickers(&self) -> bool {
        !self.is_fully_lit() && self.lamp_light.flickers()
    }

    /// Returns the colour of the light on a cell, each channel in [0, 1], or `None` if lamps add nothing. It is the
    /// colour of the lamps, blended with white by the fraction of other light.
    pub fn hue(&self, cell: impl ToCell) -> Option<[f32; 3]> {
        let cell = cell.to_cell();
        self.seen_light().hue(cell)
    }
}

/// The ambient light and the air.
impl Scene {
    /// Returns the level of ambient light at the hour of the clock under the open sky, in [0, 1], without lantern and lamps.
    pub(crate) fn ambient_light(&self) -> f32 {
        self.optics.light as f32
    }

    /// Returns the ambient light that reaches a cell, in [0, 1]: under a roof, the light through doors and windows.
    pub(crate) fn ambient_light_on(&self, cell: IVec2) -> f32 {
        let seen = self.seen_light();
        (self.optics.light * f64::from(seen.ambient_share(seen.best_view(cell).1, cell))) as f32
    }

    /// Returns the light of the lantern of the viewer on a cell, in [0, 1].
    pub(crate) fn lantern_light_on(&self, cell: IVec2) -> f32 {
        self.optics.light_under(0.0, self.terrain.distance(self.viewer, cell))
    }

    /// Returns the mean extinction of the air within the radius as a visual range, in metres; infinite on an opacity map.
    pub(crate) fn visual_range_m(&self) -> f32 {
        const SAMPLES: i32 = 7;
        let Terrain::World(optics) = &self.terrain else { return f32::INFINITY };
        let frame = self.sight_frame();
        let mut extinction = 0.0;
        for y in 0..SAMPLES {
            for x in 0..SAMPLES {
                let cell = frame.min + (2 * IVec2::new(x, y) + 1) * frame.size() / (2 * SAMPLES);
                extinction += 1.0 / optics.visual_range_m(cell);
            }
        }
        (SAMPLES * SAMPLES) as f32 / extinction
    }
}
