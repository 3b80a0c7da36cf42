//! Optics: what air, forest and hills take away from a line of sight, as the opacity of every cell.
//! The only place that knows metres of fog and forest.
//!
//! With L the side of a cell in metres and β an extinction per metre, a layer of a cell lets
//! exp(−β L · share) through, where share is how much of the ray runs inside the layer.

mod breakdown;
mod config;

use std::sync::Arc;

use glam::IVec2;
use rayon::prelude::*;

pub use breakdown::Breakdown;
pub use config::{OpticsConfig, Relief};

use crate::Grid;
use crate::sight::{Land, Woods};
use crate::world::World;

/// The opacity of a world's cells: the part that hangs on no viewer, computed once, and the rest.
#[derive(Clone, Debug)]
pub struct Optics {
    config: OpticsConfig,
    world: Arc<World>,
    /// What the air of a cell lets through.
    air: Arc<Grid<f32>>,
    /// What the vegetation of a cell lets through, where the ray runs wholly inside it.
    vegetation: Arc<Grid<f32>>,
}

impl Optics {
    /// Computes the part that hangs on no viewer, for all cells.
    pub fn new(world: Arc<World>, config: &OpticsConfig) -> Self {
        Self {
            air: Arc::new(clear_air(&world, config)),
            vegetation: Arc::new(clear_vegetation(&world, config)),
            config: config.clone(),
            world,
        }
    }

    /// Takes over another configuration. Only the fields that it changes are computed again.
    pub fn set_config(&mut self, config: &OpticsConfig) {
        let old = std::mem::replace(&mut self.config, config.clone());
        let air = |c: &OpticsConfig| [c.visual_range_m, c.humidity_growth, c.fog_onset, c.fog_visual_range_m];
        if air(&old) != air(config) {
            self.air = Arc::new(clear_air(&self.world, config));
        }
        if old.vegetation_extinction_per_m != config.vegetation_extinction_per_m {
            self.vegetation = Arc::new(clear_vegetation(&self.world, config));
        }
    }

    /// The same for an eye at another height over its ground, in metres; nothing is computed again.
    #[must_use]
    pub fn at_eye_height(&self, eye_height_m: f64) -> Self {
        Self { config: OpticsConfig { eye_height_m, ..self.config.clone() }, ..self.clone() }
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
    /// metres over the sea, into `row`. Where nobody measured the ground, the air alone takes away.
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

    /// Writes the opacities of the air in the cells from `start` to the right into `row`.
    ///
    /// # Panics
    /// If the cells lie outside the world.
    pub fn fill_row_with_air(&self, start: IVec2, row: &mut [f32]) {
        let (x, y) = (start.x as usize, start.y as usize);
        for (opacity, clear) in row.iter_mut().zip(&self.air.row(y)[x..]) {
            *opacity = 1.0 - clear;
        }
    }

    /// Ground and woods, for lines of sight over them ([`Relief::Horizon`]).
    pub fn land(&self) -> Land<'_> {
        let config = &self.config;
        let woods = Woods {
            cover: self.world.vegetation(),
            extinction: config.vegetation_extinction_per_m,
            height: config.canopy_height_m,
        };
        Land {
            ground: self.world.ground_m(),
            woods: Some(woods),
            cell_size: self.world.config().cell_size_m,
            eye_height: config.eye_height_m,
            target_height: config.target_height_m,
            softness: config.relief_softness_m,
            curvature: config.curvature_coefficient,
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

/// What the air of each cell lets through; over ground that nobody measured, air of the reference humidity.
fn clear_air(world: &World, config: &OpticsConfig) -> Grid<f32> {
    let length = world.config().cell_size_m;
    map_cells(world.humidity(), |humidity| {
        let humidity = if humidity.is_nan() { OpticsConfig::REFERENCE_HUMIDITY } else { f64::from(humidity) };
        transmittance(config.air_extinction_per_m(humidity) * length)
    })
}

/// What the vegetation of each cell lets through, where the ray runs wholly inside it.
fn clear_vegetation(world: &World, config: &OpticsConfig) -> Grid<f32> {
    let full = config.vegetation_extinction_per_m * world.config().cell_size_m;
    map_cells(world.vegetation(), |v| if v > 0.0 { transmittance(full * f64::from(v)) } else { 1.0 })
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
