//! [`SightPath`]: what is between the viewer and a cell, for colours.

use glam::IVec2;

use super::scene::Scene;
use super::terrain::Terrain;
use crate::optics::Optics;

/// The air and the woods between the viewer and a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SightPath {
    /// The transmittance of the air, in [0, 1].
    pub(crate) air: f32,
    /// The mean vegetation, in [0, 1].
    pub(crate) vegetation: f32,
}

impl SightPath {
    const CLEAR: Self = Self { air: 1.0, vegetation: 0.0 };
}

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

    /// Returns the path to a cell from the viewer or, if it has the clearer air, from an observer.
    pub(crate) fn sight_path(&self, cell: IVec2) -> SightPath {
        let Terrain::World(optics) = &self.terrain else { return SightPath::CLEAR };
        let own = path_between(optics, self.viewer, cell, MAX_SAMPLES);
        let others = self.preset.viewers.iter().map(|observer| path_between(optics, observer.at, cell, MAX_SAMPLES));
        others.fold(own, |best, path| if path.air > best.air { path } else { best })
    }

    /// Returns the transmittance of the air to a cell that may be out of sight, of the viewer with the clearest air, and the
    /// nearness of the cell: 1 within the radius, 0 from twice the radius on, where nobody looks. The air is from few samples, since
    /// there are many cells.
    pub(crate) fn air_to(&self, cell: IVec2) -> (f32, f32) {
        let Terrain::World(optics) = &self.terrain else { return (1.0, 0.0) };
        let radius = self.radius().max(1) as f32;
        let air_from = |from: IVec2| {
            let ratios = optics.world().cell_size_at(from).ratios().as_vec2();
            let nearness = (2.0 - ((cell - from).as_vec2() * ratios).length() / radius).min(1.0);
            (nearness > 0.0).then(|| (path_between(optics, from, cell, MAX_SAMPLES / 3).air, nearness))
        };
        let others = self.preset.viewers.iter().map(|observer| air_from(observer.at));
        let paths = others.chain([air_from(self.viewer)]).flatten();
        paths.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((1.0, 0.0))
    }
}

impl Scene {
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

/// The samples along a path. The air changes slowly from cell to cell.
const MAX_SAMPLES: i32 = 12;

fn path_between(optics: &Optics, from: IVec2, to: IVec2, max_samples: i32) -> SightPath {
    let way = (to - from).as_vec2();
    let cells = (to - from).abs().max_element();
    let samples = cells.min(max_samples);
    if samples == 0 {
        return SightPath::CLEAR;
    }
    let (mut air, mut vegetation) = (0.0, 0.0);
    for i in 0..samples {
        let share = (i as f32 + 1.0) / samples as f32; // the last sample is the cell itself
        let cell = from + (way * share).round().as_ivec2();
        air += optics.air_exponent(cell);
        vegetation += optics.world().vegetation()[cell].max(0.0); // NaN without data is 0
    }
    let mean = 1.0 / samples as f32;
    SightPath {
        air: crate::math::exp2_approx((air * mean * optics.path_length(from, to)).max(-126.0)),
        vegetation: vegetation * mean,
    }
}
