//! Optics: what air, forest and hills take away from a line of sight, as the opacity of every cell.
//! The only place that knows metres of fog and forest.
//!
//! With L the side of a cell in metres and β an extinction per metre, a layer of a cell lets
//! exp(−β L · share) through, where share is how much of the ray runs inside the layer.

use std::sync::Arc;

use glam::IVec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Grid;
use crate::knob::{Kind, Knob};
use crate::world::World;

/// How air, forest, hills and light act. Keys of `[optics]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpticsConfig {
    /// Meteorological visual range at the reference humidity, in metres; `inf` for no haze.
    pub visual_range_m: f64,
    /// γ of the hygroscopic growth of haze; 0 makes haze the same everywhere.
    pub humidity_growth: f64,
    /// Humidity above which fog forms.
    pub fog_onset: f64,
    /// Visual range in fog at humidity 1, in metres; `inf` for no fog.
    pub fog_visual_range_m: f64,
    /// Extinction of full vegetation, per metre.
    pub vegetation_extinction_per_m: f64,
    /// Height of full vegetation, in metres. Vegetation v is v² times as high: grass stays below
    /// the eye.
    pub canopy_height_m: f64,
    /// How ground hides what lies behind it.
    pub relief: Relief,
    /// Rise above the eye at which ground hides all, in metres.
    pub relief_softness_m: f64,
    /// Eye over ground, in metres.
    pub eye_height_m: f64,
    /// What is looked at, over its ground, in metres.
    pub target_height_m: f64,
    /// Cells that the radius grows by for each 100 m of height over the sea.
    pub radius_per_100m: f64,
    /// Ambient light: 0 is black night, 1 is day.
    pub light: f64,
    /// Reach of the carried light, in cells.
    pub lantern: f64,
}

/// How ground hides what lies behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Relief {
    /// Ground hides nothing.
    None,
    /// A cell grows opaque as its ground rises above the eye, as published: one sees far from a
    /// peak, and little past a peak from the valley.
    #[default]
    Difference,
}

impl Default for OpticsConfig {
    fn default() -> Self {
        Self {
            visual_range_m: Self::DEFAULT_VISUAL_RANGE_M,
            humidity_growth: 0.5,
            fog_onset: 0.9,
            fog_visual_range_m: 1000.0,
            vegetation_extinction_per_m: Self::FOREST_EXTINCTION_PER_M,
            canopy_height_m: 20.0,
            relief: Relief::Difference,
            relief_softness_m: 60.0,
            eye_height_m: 1.7,
            target_height_m: 0.0,
            radius_per_100m: 0.0,
            light: 1.0,
            lantern: 0.0,
        }
    }
}

impl OpticsConfig {
    /// A fair day with some haze.
    pub const DEFAULT_VISUAL_RANGE_M: f64 = 20_000.0;

    /// Temperate forest: stand density (0.05 trunks per m²) times trunk diameter (0.3 m).
    pub const FOREST_EXTINCTION_PER_M: f64 = 0.015;

    /// The humidity at which `visual_range_m` holds.
    pub const REFERENCE_HUMIDITY: f64 = 0.4;

    /// The knobs of `[optics]`.
    pub const KNOBS: &'static [Knob] = &[
        Knob {
            key: "optics.visual_range_m",
            unit: "m",
            kind: Kind::Number { min: 10.0, max: f64::INFINITY, usual: [200.0, 100_000.0], log: true },
            help: "Visual range of dry air (2 % contrast). Clear 50000, haze 5000, mist 2000, fog 500. Raise it to see farther.",
        },
        Knob {
            key: "optics.humidity_growth",
            unit: "",
            kind: Kind::Number { min: 0.0, max: 2.0, usual: [0.0, 1.5], log: false },
            help: "How much humid air thickens the haze (exponent of hygroscopic growth). 0: haze is the same everywhere.",
        },
        Knob {
            key: "optics.fog_onset",
            unit: "humidity",
            kind: Kind::Number { min: 0.0, max: 1.0, usual: [0.3, 1.0], log: false },
            help: "Humidity above which fog forms. Lower it to let fog spread.",
        },
        Knob {
            key: "optics.fog_visual_range_m",
            unit: "m",
            kind: Kind::Number { min: 10.0, max: f64::INFINITY, usual: [50.0, 20_000.0], log: true },
            help: "Visual range inside the thickest fog. Lower it for denser fog; inf for none.",
        },
        Knob {
            key: "optics.vegetation_extinction_per_m",
            unit: "1/m",
            kind: Kind::Number { min: 0.0, max: 1.0, usual: [0.0, 0.08], log: false },
            help: "What a metre of full vegetation takes away. Savanna 0.002, forest 0.015, jungle 0.06.",
        },
        Knob {
            key: "optics.canopy_height_m",
            unit: "m",
            kind: Kind::Number { min: 0.0, max: 120.0, usual: [0.0, 60.0], log: false },
            help: "Height of full vegetation (half as dense is a quarter as high). From higher ground one looks over it.",
        },
        Knob {
            key: "optics.relief",
            unit: "",
            kind: Kind::Choice(&["none", "difference"]),
            help: "How ground hides what lies behind it: difference makes ground above the eye opaque.",
        },
        Knob {
            key: "optics.relief_softness_m",
            unit: "m",
            kind: Kind::Number { min: 0.0, max: 5000.0, usual: [0.0, 400.0], log: false },
            help: "How far ground must rise above the eye to hide all. 0: at once.",
        },
        Knob {
            key: "optics.eye_height_m",
            unit: "m",
            kind: Kind::Number { min: 0.0, max: 10_000.0, usual: [0.0, 100.0], log: false },
            help: "Eye over ground. Raise it (a tower, a balloon) to look over woods and hills.",
        },
        Knob {
            key: "optics.target_height_m",
            unit: "m",
            kind: Kind::Number { min: 0.0, max: 10_000.0, usual: [0.0, 100.0], log: false },
            help: "Height of what is looked at over its ground. Raise it (masts, towers) and lines of sight run higher.",
        },
        Knob {
            key: "optics.radius_per_100m",
            unit: "cells",
            kind: Kind::Number { min: 0.0, max: 64.0, usual: [0.0, 16.0], log: false },
            help: "Cells by which the radius grows for each 100 m over the sea: one sees farther from a peak.",
        },
        Knob {
            key: "optics.light",
            unit: "",
            kind: Kind::Number { min: 0.0, max: 1.0, usual: [0.0, 1.0], log: false },
            help: "Ambient light: 0 is black night, 1 is day.",
        },
        Knob {
            key: "optics.lantern",
            unit: "cells",
            kind: Kind::Number { min: 0.0, max: 512.0, usual: [0.0, 32.0], log: false },
            help: "Reach of the light that the viewer carries; 0 for none.",
        },
    ];

    /// Light on a cell at a distance (in cells) from the viewer, in [0, 1]: ambient light plus the
    /// lantern's (1 − (d/reach)²)², at most 1.
    pub fn light_at(&self, distance: f64) -> f32 {
        let lantern = if distance < self.lantern { (1.0 - (distance / self.lantern).powi(2)).powi(2) } else { 0.0 };
        (self.light + lantern).min(1.0) as f32
    }

    /// Extinction of air, per metre (Koschmieder: 3.912 / visual range, for 2 % contrast), grown by
    /// ((1 − 0.4)/(1 − h))^γ with humidity h (Hänel 1976), plus fog above its onset.
    pub fn air_extinction_per_m(&self, humidity: f64) -> f64 {
        let damp = (1.0 - Self::REFERENCE_HUMIDITY) / (1.0 - humidity.min(0.99));
        let haze = KOSCHMIEDER / self.visual_range_m * libm::pow(damp, self.humidity_growth);
        let fog = KOSCHMIEDER / self.fog_visual_range_m * smoothstep(self.fog_onset, 1.0, humidity);
        haze + if self.fog_onset < 1.0 { fog } else { 0.0 }
    }
}

/// −ln of the least contrast that the eye tells apart, 2 %.
const KOSCHMIEDER: f64 = 3.912;

/// The opacity of a world's cells: the part that hangs on no viewer, computed once, and the rest.
#[derive(Clone, Debug)]
pub struct Optics {
    config: OpticsConfig,
    world: Arc<World>,
    /// What the air of a cell lets through.
    air: Grid<f32>,
    /// What the vegetation of a cell lets through, where the ray runs wholly inside it.
    vegetation: Grid<f32>,
}

impl Optics {
    /// Computes the part that hangs on no viewer, for all cells.
    pub fn new(world: Arc<World>, config: &OpticsConfig) -> Self {
        Self {
            air: clear_air(&world, config),
            vegetation: clear_vegetation(&world, config),
            config: config.clone(),
            world,
        }
    }

    /// Takes over another configuration. Only the fields that it changes are computed again.
    pub fn set_config(&mut self, config: &OpticsConfig) {
        let old = std::mem::replace(&mut self.config, config.clone());
        let air = |c: &OpticsConfig| [c.visual_range_m, c.humidity_growth, c.fog_onset, c.fog_visual_range_m];
        if air(&old) != air(config) {
            self.air = clear_air(&self.world, config);
        }
        if old.vegetation_extinction_per_m != config.vegetation_extinction_per_m {
            self.vegetation = clear_vegetation(&self.world, config);
        }
    }

    /// The configuration it was made with.
    pub fn config(&self) -> &OpticsConfig {
        &self.config
    }

    /// The world it was made for.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Height at which lines of sight leave a viewer on a cell, in metres over the sea: its ground
    /// and the eye height. Lines to a target taller than that rise on the way; on average they run
    /// higher by half of the difference, and that is added.
    ///
    /// # Panics
    /// If the cell lies outside the world.
    pub fn eye_m(&self, viewer: IVec2) -> f32 {
        self.world.ground_m()[viewer] + (self.config.eye_height_m + self.lift_m()) as f32
    }

    /// How much higher than the eye lines to the target run on average, in metres.
    fn lift_m(&self) -> f64 {
        (self.config.target_height_m - self.config.eye_height_m).max(0.0) / 2.0
    }

    /// Writes the opacities of the cells from `start` to the right, seen by an eye at `eye_m`
    /// metres over the sea, into `row`.
    ///
    /// # Panics
    /// If the cells lie outside the world.
    pub fn fill_row(&self, eye_m: f32, start: IVec2, row: &mut [f32]) {
        let (x, y) = (start.x as usize, start.y as usize);
        let cells = x..x + row.len();
        let air = &self.air.row(y)[cells.clone()];
        let wood = &self.vegetation.row(y)[cells.clone()];
        let cover = &self.world.vegetation().row(y)[cells.clone()];
        let ground = &self.world.ground_m().row(y)[cells];
        let canopy_m = self.config.canopy_height_m as f32;
        let (level_m, target_m) = (self.config.eye_height_m as f32, self.config.target_height_m as f32);
        let lift_m = self.lift_m() as f32;
        let softness = self.config.relief_softness_m as f32;
        let hides = self.config.relief == Relief::Difference;
        for (i, opacity) in row.iter_mut().enumerate() {
            let rise = ground[i] - eye_m;
            let mut clear = air[i];
            if wood[i] < 1.0 {
                let canopy = canopy_m * cover[i] * cover[i];
                let share = share_in_canopy(rise + lift_m, canopy, level_m, target_m);
                clear *= if share >= 1.0 { wood[i] } else { libm::powf(wood[i], share) };
            }
            if hides && rise > 0.0 {
                clear *= 1.0 - if softness > 0.0 { smoothstep_f32(rise / softness) } else { 1.0 };
            }
            *opacity = 1.0 - clear;
        }
    }

    /// The opacity of one cell for an eye at `eye_m` metres over the sea.
    ///
    /// # Panics
    /// If the cell lies outside the world.
    pub fn opacity(&self, eye_m: f32, cell: IVec2) -> f32 {
        let mut row = [0.0];
        self.fill_row(eye_m, cell, &mut row);
        row[0]
    }
}

/// How much of the ray runs inside the vegetation of a cell, in [0, 1]: 0 where the eye is above
/// the canopy, 1 where the cell's ground lies no lower than the viewer's own. Of a line that climbs
/// to a target above the canopy, the part over level woods that is still below their top.
///
/// `rise` is the ground of the cell over the eye, `level` the eye over its own ground, `target` the
/// height of what is looked at; all in metres.
fn share_in_canopy(rise: f32, canopy: f32, level: f32, target: f32) -> f32 {
    let below_top = rise + canopy;
    if below_top <= 0.0 { 0.0 } else { (below_top / (canopy.max(target) - level).max(f32::MIN_POSITIVE)).min(1.0) }
}

/// What the air of each cell lets through.
fn clear_air(world: &World, config: &OpticsConfig) -> Grid<f32> {
    let length = world.config().cell_size_m;
    map_cells(world.humidity(), |humidity| transmittance(config.air_extinction_per_m(f64::from(humidity)) * length))
}

/// What the vegetation of each cell lets through, where the ray runs wholly inside it.
fn clear_vegetation(world: &World, config: &OpticsConfig) -> Grid<f32> {
    let full = config.vegetation_extinction_per_m * world.config().cell_size_m;
    map_cells(world.vegetation(), |v| if v == 0.0 { 1.0 } else { transmittance(full * f64::from(v)) })
}

fn transmittance(optical_depth: f64) -> f32 {
    libm::exp(-optical_depth) as f32
}

fn map_cells(grid: &Grid<f32>, f: impl Fn(f32) -> f32 + Sync) -> Grid<f32> {
    let mut out = grid.clone();
    out.as_mut_slice().par_chunks_mut(4096).for_each(|cells| {
        for cell in cells {
            *cell = f(*cell);
        }
    });
    out
}

/// 0 below `low`, 1 above `high`, 3t² − 2t³ between.
fn smoothstep(low: f64, high: f64, value: f64) -> f64 {
    if value >= high {
        return 1.0;
    }
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn smoothstep_f32(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
