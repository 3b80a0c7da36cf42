//! [`WorldField`]: a field of a generated world, computed by only the stages that it needs.

use super::climate::{humidity, temperature, vegetation};
use super::config::{WorldConfig, WorldError};
use super::hydrography::Hydrography;
use super::world::{World, pyramid};
use farsight::Job;
use farsight::grid::Grid;

/// A field of a generated world that needs only a part of the stages.
///
/// ```
/// use farsight::Job;
/// use farsight_scene::world::{World, WorldConfig, WorldField};
/// let config = WorldConfig::default().with_width(64).with_height(48);
/// let elevation_m = WorldField::Elevation.generate(&config, Job::none())?;
/// assert_eq!(&elevation_m, World::generate(&config, Job::none())?.elevation_m());
/// # Ok::<(), farsight_scene::world::WorldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WorldField {
    /// [`World::elevation_m`](super::World::elevation_m): needs no climate.
    Elevation,
    /// [`World::temperature_c`](super::World::temperature_c): needs neither wind nor plants.
    Temperature,
    /// [`World::humidity`](super::World::humidity): needs neither temperature nor plants.
    Humidity,
    /// [`World::vegetation`](super::World::vegetation): needs no biomes.
    Vegetation,
}

impl WorldField {
    /// Returns this field of a world.
    pub(crate) fn of(self, world: &World) -> &Grid<f32> {
        match self {
            Self::Elevation => world.elevation_m(),
            Self::Temperature => world.temperature_c(),
            Self::Humidity => world.humidity(),
            Self::Vegetation => world.vegetation(),
        }
    }

    /// Generates the field of the world of a configuration: the same values as those of
    /// [`World::generate`](super::World::generate), in less time.
    ///
    /// # Errors
    /// As [`World::generate`](super::World::generate).
    pub fn generate(self, config: &WorldConfig, job: Job<'_>) -> Result<Grid<f32>, WorldError> {
        config.check()?;
        job.report("continents", 0.0)?;
        let pyramid = pyramid(config);
        let relief = Hydrography::relief(config, &pyramid, 0, job)?;
        let hydrography = Hydrography::generate(config, &pyramid, relief, job)?;
        let (stage, field) = match self {
            Self::Elevation => ("elevation", hydrography.elevation),
            Self::Temperature => {
                job.report("temperature", 0.7)?;
                ("temperature", temperature(config, &pyramid, hydrography.surface(), job)?)
            }
            Self::Humidity => {
                let (surface, water) = (hydrography.surface(), &hydrography.water);
                ("humidity", humidity(config, &pyramid, surface, water, job)?)
            }
            Self::Vegetation => {
                let (surface, water) = (hydrography.surface(), &hydrography.water);
                job.report("temperature", 0.7)?;
                let temperature = temperature(config, &pyramid, surface, job)?;
                let humidity = humidity(config, &pyramid, surface, water, job)?;
                job.report("vegetation", 0.85)?;
                ("vegetation", vegetation(config, &pyramid, surface, &temperature, &humidity, water, job)?)
            }
        };
        job.report(stage, 1.0)?;
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::world::World;

    #[test]
    fn fields_are_those_of_the_world_and_their_stages_are_fewer() {
        let config = WorldConfig::default().with_width(96).with_height(70).with_seed(3);
        let stages_of = |work: &dyn Fn(Job<'_>)| {
            let stages = Mutex::new(Vec::new());
            work(Job::none().on_progress(&|stage, _| stages.lock().unwrap().push(stage)));
            stages.into_inner().unwrap()
        };
        let world = World::generate(&config, Job::none()).unwrap();
        let fields = [
            (WorldField::Elevation, world.elevation_m(), &["temperature", "wind", "vegetation", "biomes"][..]),
            (WorldField::Temperature, world.temperature_c(), &["wind", "vegetation", "biomes"]),
            (WorldField::Humidity, world.humidity(), &["temperature", "vegetation", "biomes"]),
            (WorldField::Vegetation, world.vegetation(), &["biomes"]),
        ];
        for (field, expected, left_out) in fields {
            assert_eq!(&field.generate(&config, Job::none()).unwrap(), expected, "{field:?}");
            let stages = stages_of(&|job| drop(field.generate(&config, job).unwrap()));
            assert!(left_out.iter().all(|stage| !stages.contains(stage)), "{field:?}: {stages:?}");
        }
    }
}
