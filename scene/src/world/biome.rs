//! [`Biome`]: a class of land or water, determined by temperature, humidity, vegetation and water.

use glam::ivec2;

use super::climate::Climate;
use super::config::WorldConfig;
use super::hydrography::{Hydrography, Water};
use super::neighbours::NEIGHBOURS;
use super::noise::PerlinOctave;
use super::pyramid::{PyramidLevel, for_rows_with};
use farsight::grid::{CellRect, Grid};
use farsight::internal::math::SplitMix64;
use farsight::named_enum;
use farsight::{Cancelled, Job};

named_enum! {
    /// The kind of land or water of a cell.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[repr(u8)]
    #[non_exhaustive]
    pub enum Biome: "biome" {
        /// Sea deeper than 60 m.
        DeepSea = "deep sea",
        /// Sea down to 60 m.
        ShallowSea = "shallow sea",
        /// Standing fresh water.
        Lake = "lake",
        /// Running fresh water.
        River = "river",
        /// Low land next to the sea.
        Coast = "coast",
        /// Low, wet, level land next to water.
        Wetland = "wetland",
        /// Too dry for all but a few plants.
        Desert = "desert",
        /// Warm grassland with single trees.
        Savanna = "savanna",
        /// Temperate grassland.
        Grassland = "grassland",
        /// Broad-leaved woods.
        Woodland = "woodland",
        /// Temperate and very wet forest.
        TemperateRainforest = "temperate rainforest",
        /// Hot and very wet forest.
        TropicalRainforest = "tropical rainforest",
        /// Cold coniferous forest.
        Boreal = "boreal forest",
        /// Cold, low, treeless land.
        Tundra = "tundra",
        /// Rock and meadows above the tree line.
        Alpine = "alpine",
        /// Permanent snow.
        Ice = "ice",
        /// Nodata of measured ground.
        Unknown = "no data",
    }
}

impl Biome {
    /// All biomes but [`Unknown`](Self::Unknown), from the deep sea to the summits.
    pub const KNOWN: &'static [Self] = Self::ALL.split_at(Self::Unknown as usize).0;

    /// Returns `true` for sea, lakes and rivers.
    pub fn is_water(self) -> bool {
        matches!(self, Self::DeepSea | Self::ShallowSea | Self::Lake | Self::River)
    }
}

/// The maximum height of coasts above the sea in metres, and their maximum slope.
const MAX_COAST_M: f32 = 6.0;
const MAX_COAST_SLOPE: f32 = 0.08;
/// The maximum slope of wetlands.
const MAX_WETLAND_SLOPE: f32 = 0.012;
/// The maximum depth of shallow sea in metres.
const SHALLOW_SEA_M: f32 = 60.0;
/// The maximum mean temperature of permanent snow, in °C.
const ICE_C: f32 = -3.0;

/// Returns the biome of every cell. Noise varies temperature and humidity, so that biomes do not end along lines.
pub(super) fn biomes(
    config: &WorldConfig,
    level: &PyramidLevel,
    hydrography: &Hydrography,
    climate: &Climate,
    job: Job<'_>,
) -> Result<Grid<Biome>, Cancelled> {
    let fields = BiomeFields::new(config, level, hydrography, climate);
    let mut biomes = hydrography.water.map(|_| Biome::Unknown);
    for_rows_with(
        &mut biomes,
        job,
        || fields.buffers(),
        |buffers, y, row| {
            fields.fill_buffers(y, buffers);
            for (x, biome) in row.iter_mut().enumerate() {
                *biome = fields.biome(x, y, buffers);
            }
        },
    )?;
    Ok(biomes)
}

/// Recomputes the biomes of a part of the map, except nodata cells.
pub(super) fn update_biomes(
    biomes: &mut Grid<Biome>,
    part: CellRect,
    config: &WorldConfig,
    level: &PyramidLevel,
    hydrography: &Hydrography,
    climate: &Climate,
) {
    let fields = BiomeFields::new(config, level, hydrography, climate);
    let mut buffers = fields.buffers();
    for y in part.min.y as usize..part.max.y as usize {
        fields.fill_buffers(y, &mut buffers);
        for x in part.min.x as usize..part.max.x as usize {
            if !hydrography.elevation.row(y)[x].is_nan() {
                biomes.row_mut(y)[x] = fields.biome(x, y, &buffers);
            }
        }
    }
}

/// The inputs of biomes.
struct BiomeFields<'w> {
    config: &'w WorldConfig,
    level: &'w PyramidLevel,
    hydrography: &'w Hydrography,
    climate: &'w Climate,
    noise: PerlinOctave,
}

/// The noise and the slopes of a row of cells.
struct BiomeBuffers {
    variations: Vec<f32>,
    slopes: Vec<f32>,
}

impl<'w> BiomeFields<'w> {
    fn new(
        config: &'w WorldConfig,
        level: &'w PyramidLevel,
        hydrography: &'w Hydrography,
        climate: &'w Climate,
    ) -> Self {
        let mut random = SplitMix64::for_purpose(config.seed, 51);
        let noise = PerlinOctave::new(&mut random, f64::max(1.4, 6.0 * level.step_km));
        Self { config, level, hydrography, climate, noise }
    }

    fn buffers(&self) -> BiomeBuffers {
        BiomeBuffers { variations: vec![0.0; self.level.width], slopes: vec![0.0; self.level.width] }
    }

    fn fill_buffers(&self, y: usize, BiomeBuffers { variations, slopes }: &mut BiomeBuffers) {
        self.level.noise_row(y).fill(&[(0.07, &self.noise)], variations);
        self.level.slopes(self.hydrography.surface(), y, slopes);
    }

    fn biome(&self, x: usize, y: usize, buffers: &BiomeBuffers) -> Biome {
        let Hydrography { elevation, water, .. } = self.hydrography;
        let is_next_to = |wanted: &[Water]| {
            let cell = ivec2(x as i32, y as i32);
            NEIGHBOURS.iter().any(|&to| water.get(cell + to).is_some_and(|water| wanted.contains(water)))
        };
        let (variation, slope) = (buffers.variations[x], buffers.slopes[x]);
        let elevation = elevation.row(y)[x] - self.config.sea_level() as f32;
        let is_land = water.row(y)[x] == Water::None;
        let mut conditions = CellConditions {
            water: water.row(y)[x],
            elevation,
            temperature: self.climate.temperature.row(y)[x] + 10.0 * variation,
            humidity: self.climate.humidity.row(y)[x] + variation,
            vegetation: self.climate.vegetation.row(y)[x],
            slope,
            next_to_sea: is_land && elevation < MAX_COAST_M && is_next_to(&[Water::Sea]),
            next_to_fresh_water: false,
        };
        if is_land && conditions.allow_wetland() {
            conditions.next_to_fresh_water = is_next_to(&[Water::Lake, Water::River]);
        }
        conditions.biome()
    }
}

/// The inputs of the biome of a cell.
struct CellConditions {
    water: Water,
    /// Ground or sea floor, metres above the sea.
    elevation: f32,
    temperature: f32,
    humidity: f32,
    vegetation: f32,
    slope: f32,
    /// Only known on land below [`MAX_COAST_M`].
    next_to_sea: bool,
    /// Only known on land with a true [`allow_wetland`](Self::allow_wetland).
    next_to_fresh_water: bool,
}

impl CellConditions {
    /// Returns `true` where land next to water is a wetland.
    fn allow_wetland(&self) -> bool {
        self.slope < MAX_WETLAND_SLOPE && self.humidity > 0.72 && self.vegetation > 0.3
    }

    /// Classifies after Whittaker's diagram (1975) of temperature and moisture, after water, coasts and height.
    fn biome(&self) -> Biome {
        let (t, h, v) = (self.temperature, self.humidity, self.vegetation);
        match self.water {
            Water::Sea if self.elevation < -SHALLOW_SEA_M => return Biome::DeepSea,
            Water::Sea => return Biome::ShallowSea,
            Water::Lake => return Biome::Lake,
            Water::River => return Biome::River,
            Water::None => {}
        }
        if t < ICE_C {
            return Biome::Ice;
        }
        if self.next_to_sea && self.slope < MAX_COAST_SLOPE {
            return Biome::Coast;
        }
        if t < 2.0 && v < 0.35 {
            return if self.elevation > 600.0 { Biome::Alpine } else { Biome::Tundra };
        }
        if (self.next_to_sea || self.next_to_fresh_water) && self.allow_wetland() {
            return Biome::Wetland;
        }
        if self.slope > 0.7 && v < 0.2 {
            return Biome::Alpine;
        }
        if v < 0.3 {
            return match t {
                _ if h < 0.22 + 0.006 * t.max(0.0) => Biome::Desert,
                18.0.. => Biome::Savanna,
                _ => Biome::Grassland,
            };
        }
        match t {
            20.0.. if h > 0.72 => Biome::TropicalRainforest,
            20.0.. if v < 0.55 => Biome::Savanna,
            5.0.. if h > 0.8 && v > 0.5 => Biome::TemperateRainforest,
            ..5.0 => Biome::Boreal,
            _ => Biome::Woodland,
        }
    }
}
