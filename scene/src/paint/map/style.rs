//! The palette and the weights of the map look. Colours are sRGB, 0 to 255; each length names its unit, cells or pixels.

use glam::Vec3A;

use crate::world::Biome;

/// An sRGB colour of the painter, each channel from 0 to 255.
pub(crate) type Srgb = Vec3A;

/// Returns the colour of a number such as 0xfff2cf.
pub(crate) const fn rgb(hex: u32) -> Srgb {
    Srgb::new((hex >> 16 & 255) as f32, (hex >> 8 & 255) as f32, (hex & 255) as f32)
}

/// Returns the tint of bare land.
pub(crate) fn land_tint(biome: Biome) -> Srgb {
    rgb(match biome {
        Biome::Wetland => 0x93a478,
        Biome::Desert => 0xe2c993,
        Biome::Savanna => 0xcfc07e,
        Biome::Grassland => 0xbfc28d,
        Biome::Woodland => 0xa0b171,
        Biome::TemperateRainforest => 0x7fa06c,
        Biome::TropicalRainforest => 0x739b5f,
        Biome::Boreal => 0x8aa483,
        Biome::Tundra => 0xbdb79a,
        Biome::Alpine => 0xb9ab98,
        Biome::Ice => 0xf3f5f9,
        Biome::Unknown => 0xc8c0b0,
        Biome::Coast | Biome::DeepSea | Biome::ShallowSea | Biome::Lake | Biome::River => 0xdccb9a,
    })
}

/// Returns the colour of the crowns of trees.
pub(crate) fn canopy(biome: Biome) -> Srgb {
    rgb(match biome {
        Biome::Coast => 0x8b9a55,
        Biome::Wetland => 0x6d8a55,
        Biome::Desert => 0x93955a,
        Biome::Savanna => 0x8b9147,
        Biome::TemperateRainforest => 0x447653,
        Biome::TropicalRainforest => 0x477c47,
        Biome::Boreal => 0x4c7458,
        Biome::Tundra => 0x7d8b62,
        Biome::Alpine => 0x55775a,
        Biome::Ice => 0x5b7d68,
        Biome::Woodland | Biome::River => 0x5f8a45,
        _ => 0x6f9048,
    })
}

/// Land high above the sea, dense vegetation, bare rock, snow, and woods seen from afar.
pub(crate) const HEIGHT_TINT: Srgb = rgb(0xd9c39c);
pub(crate) const VEGETATION_TINT: Srgb = rgb(0x6b8a52);
pub(crate) const ROCK: Srgb = rgb(0xa2968b);
pub(crate) const SNOW: Srgb = rgb(0xf6f8fc);
pub(crate) const WOODS: Srgb = rgb(0x567c4c);

/// Sunlight and shade, as factors of a colour.
pub(crate) const SUN: Srgb = Srgb::new(1.0, 0.949, 0.812);
pub(crate) const SHADE: Srgb = Srgb::new(0.357, 0.384, 0.478);

/// Water by depth, lakes, and the lines along shores.
pub(crate) const SHALLOW: Srgb = rgb(0xb5dcd0);
pub(crate) const MIDDLE: Srgb = rgb(0x5fa3bb);
pub(crate) const DEEP: Srgb = rgb(0x2d628e);
/// The depth of the darkest water, in metres.
pub(crate) const DEEPEST_M: f32 = 180.0;
pub(crate) const LAKE: Srgb = rgb(0x8cc0cb);
pub(crate) const FOAM: Srgb = rgb(0xf4fbf6);
pub(crate) const SAND: Srgb = rgb(0xe9dab2);
pub(crate) const SHORE_INK: Srgb = rgb(0x37505e);
pub(crate) const RIVER: Srgb = rgb(0x64abc9);
pub(crate) const RIVER_BANK: Srgb = rgb(0x2f6488);
/// Pack ice on the sea.
pub(crate) const SEA_ICE: Srgb = rgb(0xe4ecef);

/// The paper for land out of sight.
pub(crate) struct Sheet {
    /// Land that was never seen.
    pub(crate) base: Srgb,
    /// Water that was never seen.
    pub(crate) sea: Srgb,
    pub(crate) ink: Srgb,
    /// Rivers out of sight.
    pub(crate) river: Srgb,
    /// Land that was seen before.
    pub(crate) seen: Srgb,
    /// The shaded side of hills.
    pub(crate) shade: Srgb,
    /// A wash over land that was seen before.
    pub(crate) wash: Srgb,
    /// The fraction of the colours of the land in land that was seen before.
    pub(crate) land_share: f32,
}

/// Paper, for maps by day.
pub(crate) const PAPER: Sheet = Sheet {
    base: rgb(0xc9b793),
    sea: rgb(0xa9b3ae),
    ink: rgb(0x5b4632),
    river: rgb(0x6f8791),
    seen: rgb(0xe6dbbf),
    shade: rgb(0x8d7455),
    wash: rgb(0xf3ead3),
    land_share: 1.0,
};

/// Walnut, for maps by night.
pub(crate) const WALNUT: Sheet = Sheet {
    base: rgb(0x2d2a35),
    sea: rgb(0x232637),
    ink: rgb(0x7d7364),
    river: rgb(0x4f5f72),
    seen: rgb(0x413e4b),
    shade: rgb(0x14131b),
    wash: rgb(0x6d6672),
    land_share: 0.45,
};

/// The light on the sunlit side of hills on paper.
pub(crate) const PAPER_LIGHT: Srgb = rgb(0xfffaeb);

/// The colour of air by day, in fog, at dusk and at night.
pub(crate) const HAZE: Srgb = rgb(0xdbe3e3);
pub(crate) const FOG: Srgb = rgb(0xdae0db);
pub(crate) const DUSK_HAZE: Srgb = rgb(0xe2ae93);
pub(crate) const NIGHT_HAZE: Srgb = rgb(0x1b2947);

/// The rim of visible land, by day and by night.
pub(crate) const RIM: Srgb = rgb(0xfff7e2);
pub(crate) const NIGHT_RIM: Srgb = rgb(0xaebbe0);
/// The dashed line within which creatures are identified, and its casing.
pub(crate) const CLEAR_LINE: Srgb = rgb(0xfff1c0);
pub(crate) const CLEAR_LINE_CASING: Srgb = rgb(0x4d3820);

/// Moonlight as a factor of a colour.
pub(crate) const MOON: Srgb = Srgb::new(0.490, 0.608, 0.878);

/// The floor of rooms.
pub(crate) const FLOOR: Srgb = rgb(0xc3b499);
