//! Biomes: what kind of place a cell is, from water, temperature, humidity and vegetation.

use crate::grid::Grid;

use super::rivers::Water;
use super::waves::Wave;
use crate::math::SplitMix64;
use glam::ivec2;

/// What kind of place a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum Biome {
    /// Sea deeper than 60 m.
    DeepSea,
    /// Sea down to 60 m.
    ShallowSea,
    /// Standing fresh water.
    Lake,
    /// Running fresh water.
    River,
    /// Low land beside the sea.
    Coast,
    /// Low, wet, level land beside water.
    Wetland,
    /// Too dry for more than a few plants.
    Desert,
    /// Warm grass with single trees.
    Savanna,
    /// Mild grass.
    Grassland,
    /// Broad-leaved wood.
    Woodland,
    /// Mild and very wet forest.
    TemperateRainforest,
    /// Hot and very wet forest.
    TropicalRainforest,
    /// Cold coniferous forest.
    Boreal,
    /// Cold, low, treeless land.
    Tundra,
    /// Rock and meadows above the tree line.
    Alpine,
    /// Snow that stays.
    Ice,
    /// Nobody knows: given ground without data.
    Unknown,
}

impl Biome {
    /// All biomes that there are, from the depths to the peaks.
    pub const ALL: [Self; 16] = [
        Self::DeepSea,
        Self::ShallowSea,
        Self::Lake,
        Self::River,
        Self::Coast,
        Self::Wetland,
        Self::Desert,
        Self::Savanna,
        Self::Grassland,
        Self::Woodland,
        Self::TemperateRainforest,
        Self::TropicalRainforest,
        Self::Boreal,
        Self::Tundra,
        Self::Alpine,
        Self::Ice,
    ];

    /// The biome in words: `temperate rainforest`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DeepSea => "deep sea",
            Self::ShallowSea => "shallow sea",
            Self::Lake => "lake",
            Self::River => "river",
            Self::Coast => "coast",
            Self::Wetland => "wetland",
            Self::Desert => "desert",
            Self::Savanna => "savanna",
            Self::Grassland => "grassland",
            Self::Woodland => "woodland",
            Self::TemperateRainforest => "temperate rainforest",
            Self::TropicalRainforest => "tropical rainforest",
            Self::Boreal => "boreal forest",
            Self::Tundra => "tundra",
            Self::Alpine => "alpine",
            Self::Ice => "ice",
            Self::Unknown => "no data",
        }
    }

    /// Whether it lies under water.
    pub fn is_water(self) -> bool {
        matches!(self, Self::DeepSea | Self::ShallowSea | Self::Lake | Self::River)
    }
}

/// What a biome is judged by.
pub(super) struct Place {
    pub(super) water: Water,
    /// Ground or sea floor, metres over the sea.
    pub(super) elevation: f32,
    pub(super) temperature: f32,
    pub(super) humidity: f32,
    pub(super) vegetation: f32,
    /// Rise over run.
    pub(super) slope: f32,
    /// Sea next to it.
    pub(super) by_sea: bool,
    /// Fresh water next to it.
    pub(super) by_fresh: bool,
}

/// Metres over the sea that end the shore.
pub(super) const SHORE_M: f32 = 6.0;
/// Slopes less than this are marshy beside water.
pub(super) const LEVEL: f32 = 0.012;
/// Metres of water that end the shallows.
const SHALLOW_M: f32 = 60.0;
/// Mean temperature at which snow stays, °C.
pub(super) const ICE_C: f32 = -3.0;

impl Place {
    /// The kind of place: Whittaker's diagram (1975) of temperature and moisture, with water, shores
    /// and height before it.
    pub(super) fn biome(&self) -> Biome {
        let (t, h, v) = (self.temperature, self.humidity, self.vegetation);
        match self.water {
            Water::Sea if self.elevation < -SHALLOW_M => return Biome::DeepSea,
            Water::Sea => return Biome::ShallowSea,
            Water::Lake => return Biome::Lake,
            Water::River => return Biome::River,
            Water::None => {}
        }
        if t < ICE_C {
            return Biome::Ice;
        }
        if self.by_sea && self.elevation < SHORE_M && self.slope < 0.08 {
            return Biome::Coast;
        }
        if t < 2.0 && v < 0.35 {
            return if self.elevation > 600.0 { Biome::Alpine } else { Biome::Tundra };
        }
        if (self.by_sea || self.by_fresh) && self.slope < LEVEL && h > 0.72 && v > 0.3 {
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

/// Noise that frays the borders between biomes: one kind of place does not end along a line.
pub(super) struct Border(Wave);

impl Border {
    pub(super) fn new(seed: u64, step_km: f64) -> Self {
        let mut random = SplitMix64::for_purpose(seed, 51);
        Self(Wave::new(&mut random, f64::max(1.4, 6.0 * step_km)))
    }

    /// About ±0.03.
    pub(super) fn at(&self, x_km: f64, y_km: f64) -> f32 {
        0.07 * self.0.at(x_km, y_km)
    }
}

/// Whether any of the eight neighbours holds this water.
pub(super) fn beside(water: &Grid<Water>, x: usize, y: usize, wanted: impl Fn(Water) -> bool) -> bool {
    crate::world::drainage::NEIGHBOURS
        .iter()
        .any(|&to| water.get(ivec2(x as i32, y as i32) + to).is_some_and(|&water| wanted(water)))
}
