//! [`Ground`]: a piece of the earth that was measured, and what of a world is made on it.

use std::collections::VecDeque;

use super::config::{WorldConfig, WorldKind};
use super::drainage::NEIGHBOURS;
use super::error::WorldError;
use crate::grid::Grid;
use crate::world::{MAX_ELEVATION_M, check_values};
use glam::IVec2;

/// Ground that was measured, with what is known of the plants and the air on it.
///
/// ```
/// use farsight::Grid;
/// use farsight::world::{Ground, World, WorldConfig};
/// use farsight::Job;
/// let mut ground = Ground::new(Grid::from_fn(40, 30, |cell| 200.0 + 5.0 * cell.x as f32));
/// ground.elevation_m.as_mut_slice()[7] = f32::NAN;
/// ground.vegetation = Some(Grid::new(40, 30, 0.8));
/// let world = World::on_ground(&ground, &WorldConfig { cell_size_m: 30.0, ..Default::default() }, &Job::quiet())?;
/// assert_eq!(world.vegetation()[farsight::glam::ivec2(20, 20)], 0.8);
/// assert!(!world.has_data(farsight::glam::ivec2(7, 0)));
/// # Ok::<(), farsight::world::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ground {
    /// Metres over the sea, rows from the north; NaN where nobody measured.
    pub elevation_m: Grid<f32>,
    /// Relative humidity of the air, 0 to 1; without it, and where it is NaN, as the climate has it.
    pub humidity: Option<Grid<f32>>,
    /// How densely plants cover the ground, 0 to 1; without it, and where it is NaN, as the climate has it.
    pub vegetation: Option<Grid<f32>>,
}

impl Ground {
    /// Ground of these elevations, with the plants and the air of its climate.
    pub fn new(elevation_m: Grid<f32>) -> Self {
        Self { elevation_m, humidity: None, vegetation: None }
    }

    /// Whether the values can be, and there are any.
    pub(super) fn check(&self) -> Result<(), WorldError> {
        let ground = &self.elevation_m;
        let right = |v: f32| v.is_nan() || v.abs() <= MAX_ELEVATION_M;
        check_values("elevation", ground, right, "between -20000 and 20000 m")?;
        if ground.as_slice().iter().all(|v| v.is_nan()) {
            return Err(WorldError::NoData);
        }
        for (field, grid) in [("humidity", &self.humidity), ("vegetation", &self.vegetation)] {
            let Some(grid) = grid else { continue };
            if grid.size() != ground.size() {
                return Err(WorldError::Shape {
                    field,
                    width: grid.width(),
                    height: grid.height(),
                    expected_width: ground.width(),
                    expected_height: ground.height(),
                });
            }
            check_values(field, grid, |v| v.is_nan() || (0.0..=1.0).contains(&v), "from 0 to 1")?;
        }
        Ok(())
    }
}

impl WorldConfig {
    /// The keys that a world on given ground asks for; its ground has size and shape already.
    pub const KEYS_ON_GROUND: [&'static str; 11] = [
        "world.seed",
        "world.cell_size_m",
        "world.region_km",
        "world.river_basin_km2",
        "world.sea_level_m",
        "world.base_temperature_c",
        "world.latitude_span_c",
        "world.wind_from_deg",
        "world.rain",
        "world.rain_shadow",
        "world.vegetation",
    ];

    /// The same for ground of so many cells: keys that it does not ask for are at their defaults.
    pub fn on_ground(&self, size: IVec2) -> Self {
        let none = Self::default();
        Self {
            kind: WorldKind::Overworld,
            seed: self.seed,
            width: size.x as u32,
            height: size.y as u32,
            cell_size_m: self.cell_size_m,
            region_km: self.region_km,
            river_basin_km2: self.river_basin_km2,
            sea_level_m: self.sea_level_m,
            base_temperature_c: self.base_temperature_c,
            latitude_span_c: self.latitude_span_c,
            wind_from_deg: self.wind_from_deg,
            rain: self.rain,
            rain_shadow: self.rain_shadow,
            vegetation: self.vegetation,
            ..none
        }
    }
}

/// The ground with every gap filled from the nearest measured cell, counted in straight steps, as if the ground went
/// on: the climate needs an answer everywhere.
pub(super) fn without_gaps(ground: &Grid<f32>) -> Grid<f32> {
    let mut filled = ground.clone();
    let beside_a_gap = |cell: IVec2| STRAIGHT.iter().any(|&d| ground.get(cell + d).is_some_and(|v| v.is_nan()));
    let mut open: VecDeque<IVec2> =
        ground.iter().filter(|&(cell, v)| !v.is_nan() && beside_a_gap(cell)).map(|(cell, _)| cell).collect();
    while let Some(cell) = open.pop_front() {
        for step in STRAIGHT {
            let here = filled[cell];
            if let Some(next) = filled.get_mut(cell + step).filter(|next| next.is_nan()) {
                *next = here;
                open.push_back(cell + step);
            }
        }
    }
    filled
}

/// Where the sea lies: ground no higher than its level that joins the edge of the map, or a gap in what was measured,
/// by straight steps. Hollows in the land stay dry however deep they are: polders, the Dead Sea.
pub(super) fn sea_on(ground: &Grid<f32>, filled: &Grid<f32>, level_m: f32) -> Grid<bool> {
    let mut sea = Grid::new(ground.width(), ground.height(), false);
    let last = ground.size() - 1;
    let starts = |&(cell, v): &(IVec2, &f32)| {
        let at_edge = cell.x == 0 || cell.y == 0 || cell.x == last.x || cell.y == last.y;
        (at_edge || v.is_nan()) && filled[cell] <= level_m
    };
    let mut open: Vec<IVec2> = ground.iter().filter(starts).map(|(cell, _)| cell).collect();
    open.iter().for_each(|&cell| sea[cell] = true);
    while let Some(cell) = open.pop() {
        for next in STRAIGHT.map(|step| cell + step) {
            if filled.get(next).is_some_and(|&v| v <= level_m) && !sea[next] {
                sea[next] = true;
                open.push(next);
            }
        }
    }
    sea
}

const STRAIGHT: [IVec2; 4] = [NEIGHBOURS[0], NEIGHBOURS[2], NEIGHBOURS[4], NEIGHBOURS[6]];

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: f32 = f32::NAN;

    #[test]
    fn gaps_are_filled_from_the_nearest_measured_cell() {
        let ground = Grid::from_vec(5, 1, vec![NONE, 3.0, NONE, NONE, 8.0]).unwrap();
        assert_eq!(without_gaps(&ground).as_slice(), [3.0, 3.0, 3.0, 8.0, 8.0]);
    }

    #[test]
    fn the_sea_comes_in_from_the_edge_and_polders_stay_dry() {
        let rows = [
            [-2.0, 1.0, 5.0, 5.0, 5.0],
            [0.0, 0.5, 2.0, -4.0, 5.0], // a polder behind a dike
            [-1.0, -3.0, 2.0, 2.0, 5.0],
            [1.0, 1.0, 2.0, NONE, -1.0],
        ];
        let ground = Grid::from_vec(5, 4, rows.concat()).unwrap();
        let filled = without_gaps(&ground);
        let drawn = |level| {
            let sea = sea_on(&ground, &filled, level);
            (0..4).map(|y| sea.row(y).iter().map(|&sea| if sea { '~' } else { '.' }).collect()).collect::<Vec<String>>()
        };
        assert_eq!(drawn(0.0), ["~....", "~....", "~~...", "....~"]);
        assert_eq!(drawn(-20.0), ["....."; 4]);
        assert_eq!(drawn(2.0), ["~~...", "~~~~.", "~~~~.", "~~~~~"]);
    }

    #[test]
    fn the_keys_on_ground_are_those_that_are_kept() {
        let odd = WorldConfig {
            kind: WorldKind::Dungeon,
            seed: 9,
            land: 0.1,
            cell_size_m: 30.0,
            wind_from_deg: 10.0,
            lakes: 0.9,
            ..Default::default()
        };
        let kept = odd.on_ground(IVec2::new(7, 8));
        assert_eq!((kept.width, kept.height, kept.seed, kept.cell_size_m), (7, 8, 9, 30.0));
        assert_eq!((kept.land, kept.lakes, kept.kind), (0.6, 0.4, WorldKind::Overworld));
        let is_known = |key: &&str| crate::preset::Preset::settings().any(|setting| setting.key == *key);
        assert!(WorldConfig::KEYS_ON_GROUND.iter().all(is_known));
    }
}
