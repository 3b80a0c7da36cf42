//! [`PackedWorld`]: a serializable world for another process that has its configuration.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::biome::Biome;
use super::climate::{Climate, range};
use super::config::WorldConfig;
use super::flow_directions::OFF_MAP;
use super::ground::{Ground, with_size_of};
use super::hydrography::{Flow, Hydrography, Water};
use super::packed;
use super::place::{KnownPlaces, Place};
use super::world::{GivenCover, World, row_sizes};
use farsight::grid::Grid;

const WATERS: [Water; 4] = [Water::None, Water::Sea, Water::Lake, Water::River];

/// The fields of a world and its cached places, for a serde codec to another process that has the configuration and the
/// measured ground of the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PackedWorld {
    is_preview: bool,
    #[serde(with = "packed")]
    elevation: Grid<f32>,
    #[serde(with = "packed")]
    surface: Grid<f32>,
    #[serde(with = "packed")]
    drainage_km2: Grid<f32>,
    #[serde(with = "packed")]
    temperature: Grid<f32>,
    #[serde(with = "packed")]
    humidity: Grid<f32>,
    #[serde(with = "packed")]
    vegetation: Grid<f32>,
    #[serde(with = "packed")]
    water: Grid<u8>,
    #[serde(with = "packed")]
    directions: Grid<u8>,
    #[serde(with = "packed")]
    biome: Grid<u8>,
    places: Vec<Place>,
}

impl From<&World> for PackedWorld {
    fn from(world: &World) -> Self {
        let (Hydrography { elevation, water, flow, .. }, climate) = (&world.hydrography, world.climate());
        Self {
            is_preview: world.is_preview,
            elevation: elevation.clone(),
            surface: world.hydrography.surface().clone(),
            drainage_km2: flow.drainage_km2.clone(),
            temperature: climate.temperature.clone(),
            humidity: climate.humidity.clone(),
            vegetation: climate.vegetation.clone(),
            water: water.map(|water| *water as u8),
            directions: flow.directions.clone(),
            biome: world.biome().map(|biome| *biome as u8),
            places: world.places.0.get().cloned().unwrap_or_default(),
        }
    }
}

impl PackedWorld {
    /// Returns the world of a configuration, or on measured ground, or `None` if the fields do not fit such a world. It
    /// ignores a [`window`](field@Ground::window) of a raster.
    pub fn unpack(self, config: &WorldConfig, ground: Option<&Ground>) -> Option<World> {
        let config = match ground {
            Some(ground) => with_size_of(&ground.elevation_m, &config.on_ground(ground.elevation_m.size())).ok()?,
            None => config.clone(),
        };
        let Self { elevation, surface, drainage_km2, temperature, humidity, vegetation, .. } = self;
        let size = [config.width, config.height].map(|side| side as i32).into();
        let floats = [&elevation, &surface, &drainage_km2, &temperature, &humidity, &vegetation];
        let codes = [&self.water, &self.directions, &self.biome];
        let sizes = floats.map(Grid::size).into_iter().chain(codes.map(Grid::size));
        if sizes.into_iter().any(|other| other != size) || self.directions.as_slice().iter().any(|&code| code > OFF_MAP)
        {
            return None;
        }
        let places = if self.places.is_empty() { OnceLock::new() } else { OnceLock::from(self.places) };
        Some(World {
            elevation_range_m: range(&elevation),
            biome: decoded(&self.biome, Biome::ALL)?.into(),
            has_gaps: ground.is_some() && elevation.as_slice().iter().any(|metres| metres.is_nan()),
            hydrography: Hydrography {
                elevation,
                surface: Some(surface),
                water: decoded(&self.water, &WATERS)?,
                flow: Flow { drainage_km2, directions: self.directions },
            },
            climate: Climate::new(temperature, humidity, vegetation).into(),
            is_preview: self.is_preview,
            is_on_given_ground: ground.is_some(),
            given: ground.map(GivenCover::of).unwrap_or_default(),
            row_sizes: ground.and_then(|ground| row_sizes(ground, &config)),
            window: None,
            surface: ground.and_then(|ground| ground.surface.clone()),
            places: KnownPlaces(places),
            config,
        })
    }
}

fn decoded<T: Copy>(codes: &Grid<u8>, all: &[T]) -> Option<Grid<T>> {
    let values: Option<Vec<T>> = codes.as_slice().iter().map(|&code| all.get(usize::from(code)).copied()).collect();
    Grid::from_vec(codes.width(), codes.height(), values?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::CellSizes;
    use farsight::Job;

    fn unpacked(world: &World, config: &WorldConfig, ground: Option<&Ground>) -> World {
        PackedWorld::from(world).unpack(config, ground).unwrap()
    }

    #[test]
    fn worlds_are_the_same_after_they_were_packed() {
        let config = WorldConfig::default().with_width(190).with_height(170);
        for world in [World::generate, World::preview].map(|make| make(&config, Job::none()).unwrap()) {
            assert!(unpacked(&world, &config, None).places.0.get().is_none(), "nobody asked");
            let places = world.places().to_vec();
            let same = unpacked(&world, &config, None);
            assert_eq!(same.places.0.get().is_some(), !world.is_preview, "a preview has none");
            assert!(same == world && same.places() == places);
        }
    }

    #[test]
    fn worlds_on_measured_ground_are_the_same_after_they_were_packed() {
        let mut ground = Ground::new(Grid::from_fn(40, 30, |cell| 9.0 * cell.x as f32 - 20.0));
        for (cell_sizes, gap, vegetation) in [
            (None, false, None),
            (Some(CellSizes::Equal([30.0, 20.0])), true, Some(Grid::new(40, 30, 0.5))),
            (Some(CellSizes::Geographic { north: 47.5, cell: [0.0003, 0.0002] }), false, None),
            (Some(CellSizes::Mercator { north: 51.0, cell: [0.0003, 0.0002], spherical: true }), false, None),
        ] {
            ground.cell_sizes = cell_sizes;
            ground.vegetation = vegetation;
            if gap {
                ground.elevation_m.as_mut_slice()[77] = f32::NAN;
            }
            let config = WorldConfig::default().with_cell_size_m(25.0);
            let world = World::from_dem(&ground, &config, Job::none()).unwrap();
            // A cell without data is NaN, which differs from itself.
            assert_eq!(format!("{:?}", unpacked(&world, &config, Some(&ground))), format!("{world:?}"));
        }
    }

    #[test]
    fn fields_of_no_world_are_refused() {
        let config = WorldConfig::default().with_width(40).with_height(30);
        let world = World::generate(&config, Job::none()).unwrap();
        let packed = || PackedWorld::from(&world);
        assert!(packed().unpack(&config.clone().with_width(41), None).is_none());
        assert!(PackedWorld { humidity: Grid::new(40, 29, 0.5), ..packed() }.unpack(&config, None).is_none());
        let codes = Grid::new(40, 30, 200);
        assert!(PackedWorld { water: codes.clone(), ..packed() }.unpack(&config, None).is_none());
        assert!(PackedWorld { directions: codes.clone(), ..packed() }.unpack(&config, None).is_none());
        assert!(PackedWorld { biome: codes, ..packed() }.unpack(&config, None).is_none());
    }
}
