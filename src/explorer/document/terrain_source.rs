//! [`TerrainSource`]: the origin of the terrain.

use crate::preset::Setting;
use crate::world::WorldConfig;

/// The origin of the terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TerrainSource {
    /// A world generated from the preset.
    Generated,
    /// Elevations from a file, with a generated climate.
    Heightmap,
    /// Opacities from a file, without a world.
    OpacityMap,
}

impl TerrainSource {
    /// Returns `true` if a setting has an effect on this terrain.
    pub(crate) fn has(self, setting: &Setting) -> bool {
        match self {
            _ if !setting.key.starts_with("world.") => true,
            Self::Generated => setting.key != "world.sea_level_m",
            Self::Heightmap => WorldConfig::KEYS_ON_GROUND.contains(&setting.key),
            Self::OpacityMap => false,
        }
    }
}
