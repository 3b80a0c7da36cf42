//! The air and the ambient light of a scene, for colours.

use glam::IVec2;

use super::scene::Scene;
use super::terrain::Terrain;

impl Scene {
    /// Returns the level of ambient light at the hour of the clock under the open sky, in [0, 1]: without lantern and lamps.
    pub(crate) fn ambient_light(&self) -> f32 {
        self.optics.light as f32
    }

    /// Returns the ambient light that reaches a cell, in [0, 1]: under a roof, what falls through doors and windows.
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
