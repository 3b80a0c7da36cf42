//! [`Species`]: the species of creatures and where they live.

use super::eyes::Eyes;
use crate::world::Biome;

/// The kind of place where a creature can live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habitat {
    /// Open country.
    Biome(Biome),
    /// The floor of a dungeon or of a given map.
    Floor,
}

/// A species of creatures: a shipped one, or [one of one's own](Self::new).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Species {
    /// The name in presets and captions.
    pub name: &'static str,
    /// The character that is drawn.
    pub glyph: char,
    /// The sRGB colour of the glyph.
    pub colour: [u8; 3],
    /// Factor on the visibility of its cell, in (0, 1].
    pub conspicuity: f32,
    /// Probability in percent that it moves on a turn.
    pub restlessness: u8,
    /// Its eyes, if it looks for the viewer.
    pub eyes: Option<Eyes>,
    /// `None` for all.
    pub(super) habitats: Option<&'static [Habitat]>,
}

impl Species {
    /// Returns `true` if it lives in such a habitat.
    pub fn lives_in(&self, habitat: Habitat) -> bool {
        self.habitats.is_none_or(|habitats| habitats.contains(&habitat))
    }

    /// Returns the shipped species of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SPECIES.iter().find(|species| species.name == name)
    }

    /// The names of all shipped species.
    pub const NAMES: &'static [&'static str] = &{
        let mut names = [""; SPECIES.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = SPECIES[i].name;
            i += 1;
        }
        names
    };

    /// Returns all shipped species.
    pub fn all() -> &'static [Species] {
        SPECIES
    }
}

/// Picks one of the species that live in a habitat, by a random number.
pub(super) fn pick(habitat: Habitat, random: u64) -> Option<&'static Species> {
    let count = SPECIES.iter().filter(|species| species.lives_in(habitat)).count() as u64;
    let index = random.checked_rem(count)?;
    SPECIES.iter().filter(|species| species.lives_in(habitat)).nth(index as usize)
}

const fn species(
    name: &'static str,
    glyph: char,
    colour: [u8; 3],
    conspicuity: f32,
    restlessness: u8,
    habitats: &'static [Habitat],
) -> Species {
    Species { name, glyph, colour, conspicuity, restlessness, eyes: None, habitats: Some(habitats) }
}

macro_rules! biomes {
    ($($Biome:ident),+) => { &[$(Habitat::Biome(Biome::$Biome)),+] };
}

#[rustfmt::skip]
const SPECIES: &[Species] = &[
    //      name     glyph       colour      conspicuity  restlessness  habitats
    species("deer",    'd', [214, 160,  98], 0.8,  45, biomes![Grassland, Woodland, TemperateRainforest, Boreal]),
    species("wolf",    'w', [190, 196, 204], 0.6,  60, biomes![Woodland, Boreal, Tundra, Grassland]),
    species("bear",    'B', [170, 112,  70], 1.0,  25, biomes![Boreal, TemperateRainforest, Woodland]),
    species("goat",    'g', [236, 232, 220], 0.9,  35, biomes![Alpine, Tundra]),
    species("lion",    'L', [240, 190,  90], 0.7,  25, biomes![Savanna]),
    species("zebra",   'z', [240, 240, 240], 1.0,  45, biomes![Savanna, Grassland]),
    species("tiger",   'T', [255, 150,  60], 0.5,  30, biomes![TropicalRainforest, Wetland]),
    species("monkey",  'm', [200, 150, 110], 0.7,  70, biomes![TropicalRainforest]),
    species("camel",   'C', [226, 190, 130], 1.0,  30, biomes![Desert]),
    species("heron",   'h', [205, 220, 240], 0.9,  30, biomes![Wetland, River, Lake, Coast]),
    species("seal",    's', [160, 170, 185], 0.7,  40, biomes![Coast, ShallowSea]),
    species("ship",    'S', [250, 244, 226], 1.0,  70, biomes![DeepSea, ShallowSea]),
    species("penguin", 'p', [235, 240, 250], 0.8,  40, biomes![Ice]),
    species("rat",     'r', [186, 160, 140], 0.6,  60, &[Habitat::Floor]),
    species("goblin",  'o', [140, 210, 110], 0.9,  45, &[Habitat::Floor]),
    species("ghost",   'G', [214, 220, 250], 0.35, 50, &[Habitat::Floor]),
];
