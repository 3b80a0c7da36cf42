//! [`Airlight`]: the colours of land behind air and woods, by day and by night.
//!
//! Air replaces what it takes from the light of a thing by the light that it scatters (Koschmieder 1924). With the
//! transmittance t of the air, a colour c behind air of colour a looks like t c + (1 − t) a. Woods darken and green what is
//! behind them, and night blackens both land and air.

use glam::IVec2;

use super::colour::{Colour, between, grey, lamplit, mix, scale};
use crate::scene::{Scene, SightPath};

/// The colour of air by day.
const AIR: Colour = [208.0, 215.0, 223.0];
/// The colour of a cell behind dense woods.
const BEHIND_WOODS: Colour = [16.0, 46.0, 20.0];
/// The colour of a cell behind other obstacles: the rim of a hill, a hedge of an opacity map.
const BEHIND_OBSTACLES: Colour = [26.0, 28.0, 38.0];

/// The tints of ambient light by its level: blue at night, reddish at dusk, white by day.
const SKY_TINTS: &[(f32, Colour)] =
    &[(0.0, [0.52, 0.64, 1.0]), (0.15, [0.62, 0.70, 1.0]), (0.42, [1.0, 0.83, 0.74]), (0.8, [1.0, 1.0, 1.0])];
/// The tint of the viewer's lantern.
const LANTERN_TINT: Colour = [1.0, 0.86, 0.62];
/// The share of the light of lamps that air scatters to the viewer.
const LAMP_SCATTER: f32 = 0.5;

/// Remembered land at full ambient light: this colour, and a share of its grey.
const MEMORY: (Colour, f32) = ([13.0, 13.0, 15.0], 0.28);
/// Land that was never seen, as on a map: this colour, and a share of its grey in the tint of ink.
const CHART: (Colour, f32) = ([14.0, 20.0, 32.0], 0.24);
const INK: Colour = [0.78, 1.0, 1.28];
/// The least brightness of memory and map, at night.
const MIN_MAP_BRIGHTNESS: f32 = 0.3;
/// The share of air in the colour of a cell that haze alone hides: far away, enough to tell fog from night with the map below,
/// and next to what is seen.
const VEIL: [f32; 2] = [0.3, 0.7];
/// The power of the light that the air takes, by which the veil thickens: 0.17 at a transmittance of 0.2, 0.66 at 0.05.
const VEIL_POWER: i32 = 8;

/// The colours of a scene, in the light of its hour.
pub(super) struct Airlight<'a> {
    scene: &'a Scene,
    ambient: f32,
    sky: Colour,
    map_brightness: f32,
}

/// The appearance of a cell in sight, for any colour of its ground.
pub(super) struct CellInAir {
    /// The tint and brightness of the light on the cell.
    light: Colour,
    hue: Option<[f32; 3]>,
    /// The transmittance of woods and other obstacles, as brightness.
    clear: f32,
    behind: Colour,
    /// The transmittance of the air.
    air: f32,
    air_colour: Colour,
}

impl<'a> Airlight<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        let ambient = scene.ambient_light();
        let map_brightness = ambient.sqrt().max(MIN_MAP_BRIGHTNESS);
        Self { scene, ambient, sky: between(SKY_TINTS, ambient), map_brightness }
    }

    /// Returns the appearance of a cell in sight.
    pub(super) fn of_cell(&self, cell: IVec2) -> CellInAir {
        let (visibility, light) = (self.scene.visibility(cell), self.scene.light(cell));
        let SightPath { air, vegetation } = self.scene.sight_path(cell);
        let air = air.max(visibility); // sampling may miss a damp cell's air, but not clear air
        let obstacles = if air > 0.0 { visibility / air } else { 0.0 };
        let ambient = self.scene.ambient_light_on(cell);
        let ambient_share = if light > 0.0 { (ambient / light).min(1.0) } else { 1.0 };
        let tint = mix(LANTERN_TINT, self.sky, ambient_share);
        let hue = self.scene.hue(cell);
        let glow = LAMP_SCATTER * (light - ambient).max(0.0).sqrt();
        let glow_tint = hue.unwrap_or(LANTERN_TINT);
        let air_light = [0, 1, 2].map(|i| (self.sky[i] * ambient.sqrt()).max(glow_tint[i] * glow));
        CellInAir {
            light: scale(tint, light.sqrt()),
            hue,
            clear: obstacles.min(1.0).sqrt(),
            behind: mix(BEHIND_OBSTACLES, BEHIND_WOODS, (vegetation * 2.0).min(1.0)),
            air,
            air_colour: [0, 1, 2].map(|i| AIR[i] * air_light[i]),
        }
    }

    /// Returns the colour of a cell out of sight from its colour in memory or on the map. Air that lets little through lies
    /// over it like a veil, which the light of the sky makes bright. Where sight ends at a ridge in clear air, there is none.
    /// The veil is thinner than the air, so that no cell is brighter than it would be in sight.
    pub(super) fn veiled(&self, cell: IVec2, colour: Colour) -> Colour {
        let level = self.ambient.sqrt();
        let (air, nearness) = self.scene.air_to(cell);
        let glow = air.sqrt().sqrt().sqrt(); // it ends five visual ranges away
        let veil = level * nearness * (VEIL[0] + (VEIL[1] - VEIL[0]) * glow) * (1.0 - air).powi(VEIL_POWER);
        mix(colour, [0, 1, 2].map(|i| AIR[i] * self.sky[i] * level), veil)
    }

    /// Returns the colour of a cell that was seen before: desaturated, and darker than it is when seen.
    pub(super) fn remembered(&self, colour: Colour) -> Colour {
        let (base, share) = MEMORY;
        scale(mix(base, mix(grey(colour), colour, 0.25), share), self.map_brightness)
    }

    /// Returns the colour of a cell that was never seen, as on a map.
    pub(super) fn charted(&self, colour: Colour) -> Colour {
        let (base, share) = CHART;
        let ink = [0, 1, 2].map(|i| grey(colour)[i] * INK[i]);
        scale(mix(base, ink, share), self.map_brightness)
    }
}

impl CellInAir {
    pub(super) fn apply(&self, colour: Colour) -> Colour {
        let coloured = match self.hue {
            None => colour,
            Some(hue) => lamplit(colour, hue),
        };
        let near = [0, 1, 2].map(|i| mix(self.behind, coloured, self.clear)[i] * self.light[i]);
        mix(self.air_colour, near, self.air)
    }
}

/// Returns the colours of a cell that was seen before and of one that never was, for the legend.
pub(super) fn colours_out_of_sight(scene: &Scene, ground: Colour) -> (Colour, Colour) {
    let light = Airlight::new(scene);
    (light.remembered(ground), light.charted(ground))
}

/// Returns the colours from air to a near cell, for the legend.
pub(super) fn haze_bar(scene: &Scene, ground: Colour) -> impl Iterator<Item = Colour> {
    let light = Airlight::new(scene);
    let level = scale(light.sky, light.ambient.sqrt().max(MIN_MAP_BRIGHTNESS));
    let lit = move |colour: Colour| [0, 1, 2].map(|i| colour[i] * level[i]);
    (0..120).map(move |i| mix(lit(AIR), lit(ground), i as f32 / 119.0))
}

/// Returns the colours from a cell behind woods, or behind walls of an opacity map, to a near cell, for the legend.
pub(super) fn obstacle_bar(scene: &Scene, ground: Colour, len: usize) -> impl Iterator<Item = Colour> {
    let behind = if scene.world().is_some() { BEHIND_WOODS } else { BEHIND_OBSTACLES };
    (0..len).map(move |i| mix(behind, ground, (i as f32 / (len - 1) as f32).sqrt()))
}
