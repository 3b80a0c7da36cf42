//! Rivers and lakes: hollows filled with water, and the cells that drain enough land.

use glam::IVec2;

use crate::grid::Grid;
use crate::job::Cancelled;
use crate::job::Job;

use super::config::WorldConfig;
use super::drainage::{Drainage, NEIGHBOURS, Wobble, around};
use super::elevation::Relief;
use super::frame::{Frame, rows_mut};
use super::waves::Wave;
use crate::math::{SplitMix64, smoothstep_f32};
use rayon::prelude::*;

/// What water covers a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Water {
    /// Dry land.
    #[default]
    None,
    /// The sea.
    Sea,
    /// A lake, filled up to its outlet.
    Lake,
    /// A river, as wide as its cell or less.
    River,
}

/// Where the water of every cell goes, and how much land it drains.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    drainage_km2: Grid<f32>,
    downstream: Grid<u8>,
}

impl Flow {
    pub(super) fn new(drainage: Drainage, sea: &Grid<bool>, frame: &Frame) -> Self {
        let mut drainage_km2 = drainage.gathered((frame.step_km * frame.step_km) as f32);
        for (area, _) in drainage_km2.iter_mut().zip(sea.as_slice()).filter(|(_, sea)| **sea) {
            *area = 0.0;
        }
        let (width, height) = (sea.width(), sea.height());
        Self {
            drainage_km2: Grid::from_vec(width, height, drainage_km2).expect("one sum a cell"),
            downstream: Grid::from_vec(width, height, drainage.downstream).expect("one direction a cell"),
        }
    }

    /// The land that drains through each cell, itself included, in square kilometres; 0 at sea.
    pub fn drainage_km2(&self) -> &Grid<f32> {
        &self.drainage_km2
    }

    /// The neighbour that a cell's water goes to next. In a generated world it is never higher; on
    /// given ground water crosses the hollows. `None` for the sea, for
    /// land at the edge of the map whose water leaves it, and outside the map.
    pub fn downstream(&self, cell: IVec2) -> Option<IVec2> {
        self.downstream.get(cell).and_then(|&d| NEIGHBOURS.get(usize::from(d))).map(|&to| cell + to)
    }
}

/// Water and what it does to the ground.
pub(super) struct Waters {
    /// Metres over the sea; the bottoms of lakes and of the sea.
    pub(super) elevation: Grid<f32>,
    /// The ground or the surface of the water on it.
    pub(super) surface: Grid<f32>,
    pub(super) water: Grid<Water>,
    pub(super) flow: Flow,
}

/// Lets some land sag, finds where water goes, fills the hollows and marks the rivers.
pub(super) fn waters(config: &WorldConfig, frames: &[Frame], relief: Relief, job: &Job) -> Result<Waters, Cancelled> {
    let Relief { mut elevation, sea } = relief;
    sag(config, frames, &mut elevation, &sea);
    job.report("rivers", 0.55)?;
    let drainage = Drainage::of(&elevation, &sea, Wobble { share: 0.5, turn: 0 });
    job.report("rivers", 0.62)?;
    let mut waters = fill(elevation, sea, drainage, &frames[0]);
    job.report("rivers", 0.68)?;
    mark_rivers(config, &mut waters);
    Ok(waters)
}

/// Finds where water goes on given ground, and the rivers. The ground stays as it is, its hollows dry; where it is
/// `sea` it lies no higher than the sea's level.
pub(super) fn waters_on(config: &WorldConfig, frame: &Frame, elevation: Grid<f32>, sea: Grid<bool>) -> Waters {
    let level = config.sea_level_m as f32;
    let over_sea = elevation.map(|&elevation| elevation - level);
    let flow = Flow::new(Drainage::of(&over_sea, &sea, Wobble::default()), &sea, frame);
    let water = sea.map(|&sea| if sea { Water::Sea } else { Water::None });
    let mut surface = elevation.clone();
    for (surface, _) in surface.as_mut_slice().iter_mut().zip(sea.as_slice()).filter(|(_, sea)| **sea) {
        *surface = level;
    }
    let mut waters = Waters { surface, elevation, water, flow };
    mark_rivers(config, &mut waters);
    waters
}

fn mark_rivers(config: &WorldConfig, waters: &mut Waters) {
    let least = config.river_basin_km2 as f32;
    for (water, &area) in waters.water.as_mut_slice().iter_mut().zip(waters.flow.drainage_km2.as_slice()) {
        if *water == Water::None && area >= least {
            *water = Water::River;
        }
    }
}

/// Fills every hollow to its rim: wide and deep ones become lakes, the rest are levelled.
fn fill(mut elevation: Grid<f32>, sea: Grid<bool>, drainage: Drainage, frame: &Frame) -> Waters {
    let width = elevation.width();
    let levels = drainage.levels(elevation.as_slice());
    let mut water = sea.map(|&sea| if sea { Water::Sea } else { Water::None });
    mark_lakes(&mut water, frame.step_km, elevation.as_slice(), &levels);
    let mut surface = elevation.clone();
    rows_mut(&mut surface).for_each(|(y, row)| {
        for (x, cell) in row.iter_mut().enumerate() {
            let i = y * width + x;
            *cell = if sea.as_slice()[i] { cell.max(0.0) } else { levels[i] };
        }
    });
    for (i, cell) in elevation.as_mut_slice().iter_mut().enumerate() {
        if water.as_slice()[i] == Water::None {
            *cell = levels[i];
        }
    }
    let flow = Flow::new(drainage, &sea, frame);
    Waters { elevation, surface, water, flow }
}

/// Lowers wide patches of land away from crests, so that valleys drown there.
fn sag(config: &WorldConfig, frames: &[Frame], elevation: &mut Grid<f32>, sea: &Grid<bool>) {
    if config.lakes == 0.0 {
        return;
    }
    let mut random = SplitMix64::for_purpose(config.seed, 21);
    let (wide, small) =
        (Wave::new(&mut random, config.region_km * 0.16), Wave::new(&mut random, config.region_km * 0.04));
    let foot = 0.55 - 0.45 * config.lakes as f32;
    let small_km = config.region_km * 0.04;
    let waves = Frame::smooth_grid(frames, small_km, |x, y| wide.at(x, y) + 0.3 * small.at(x, y));
    rows_mut(elevation).for_each(|(y, row)| {
        for (x, cell) in row.iter_mut().enumerate() {
            if sea.row(y)[x] || *cell < 6.0 {
                continue;
            }
            let depth = (0.7 * (*cell - 3.0)).min(20.0 + 0.12 * *cell).min(90.0);
            *cell -= depth * smoothstep_f32(foot, foot + 0.4, waves.row(y)[x]);
        }
    });
}

/// Hollows at least this deep somewhere and this large are lakes.
const LAKE_DEPTH_M: f32 = 2.0;
const LAKE_KM2: f64 = 0.08;
const LAKE_CELLS: usize = 3;

fn mark_lakes(water: &mut Grid<Water>, step_km: f64, ground: &[f32], levels: &[f32]) {
    let (width, height) = (water.width(), water.height());
    let water = water.as_mut_slice();
    let least = LAKE_CELLS.max((LAKE_KM2 / (step_km * step_km)) as usize);
    let wet = |i: usize| levels[i] > ground[i] + 0.3;
    let mut seen = vec![false; water.len()];
    let mut lake = Vec::new();
    for start in 0..water.len() {
        if seen[start] || water[start] == Water::Sea || !wet(start) {
            continue;
        }
        lake.clear();
        lake.push(start);
        seen[start] = true;
        let (mut done, mut deepest) = (0, 0.0_f32);
        while let Some(&i) = lake.get(done) {
            done += 1;
            deepest = deepest.max(levels[i] - ground[i]);
            for (_, n) in around(i, width, height) {
                if !seen[n] && water[n] != Water::Sea && wet(n) && levels[n] == levels[i] {
                    seen[n] = true;
                    lake.push(n);
                }
            }
        }
        if lake.len() >= least && deepest >= LAKE_DEPTH_M {
            for &i in &lake {
                water[i] = Water::Lake;
            }
        }
    }
}
