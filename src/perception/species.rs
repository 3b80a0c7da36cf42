//! The kinds of creatures, and where they live.

use crate::world::Biome;

/// Where something can live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habitat {
    /// Open country.
    Biome(Biome),
    /// The floor of a dungeon, or of a map that was given.
    Floor,
}

/// A kind of creature.
#[derive(Debug, PartialEq)]
pub struct Species {
    /// What it is called.
    pub name: &'static str,
    /// What it is drawn as.
    pub glyph: char,
    /// Colour of its glyph, sRGB.
    pub colour: [u8; 3],
    /// How easily it is seen, in (0, 1]: its visibility is multiplied by this.
    pub conspicuity: f32,
    /// Chance in a hundred that it moves on a turn.
    pub restlessness: u8,
    /// Where it lives.
    habitats: &'static [Habitat],
}

impl Species {
    /// Whether it lives in such a place.
    pub fn lives_in(&self, habitat: Habitat) -> bool {
        self.habitats.contains(&habitat)
    }

    /// The kind of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SPECIES.iter().find(|species| species.name == name)
    }

    /// The names of all kinds.
    pub const NAMES: &'static [&'static str] = &{
        let mut names = [""; SPECIES.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = SPECIES[i].name;
            i += 1;
        }
        names
    };

    /// Every kind.
    pub fn all() -> &'static [Species] {
        SPECIES
    }
}

/// One of the kinds that live in such a place, by chance.
pub(super) fn living_in(habitat: Habitat, chance: u64) -> Option<&'static Species> {
    let count = SPECIES.iter().filter(|species| species.lives_in(habitat)).count() as u64;
    let pick = chance.checked_rem(count)?;
    SPECIES.iter().filter(|species| species.lives_in(habitat)).nth(pick as usize)
}

use Habitat::{Biome as In, Floor};

const SPECIES: &[Species] = &[
    Species {
        name: "deer",
        glyph: 'd',
        colour: [214, 160, 98],
        conspicuity: 0.8,
        restlessness: 45,
        habitats: &[In(Biome::Grassland), In(Biome::Woodland), In(Biome::TemperateRainforest), In(Biome::Boreal)],
    },
    Species {
        name: "wolf",
        glyph: 'w',
        colour: [190, 196, 204],
        conspicuity: 0.6,
        restlessness: 60,
        habitats: &[In(Biome::Woodland), In(Biome::Boreal), In(Biome::Tundra), In(Biome::Grassland)],
    },
    Species {
        name: "bear",
        glyph: 'B',
        colour: [170, 112, 70],
        conspicuity: 1.0,
        restlessness: 25,
        habitats: &[In(Biome::Boreal), In(Biome::TemperateRainforest), In(Biome::Woodland)],
    },
    Species {
        name: "goat",
        glyph: 'g',
        colour: [236, 232, 220],
        conspicuity: 0.9,
        restlessness: 35,
        habitats: &[In(Biome::Alpine), In(Biome::Tundra)],
    },
    Species {
        name: "lion",
        glyph: 'L',
        colour: [240, 190, 90],
        conspicuity: 0.7,
        restlessness: 25,
        habitats: &[In(Biome::Savanna)],
    },
    Species {
        name: "zebra",
        glyph: 'z',
        colour: [240, 240, 240],
        conspicuity: 1.0,
        restlessness: 45,
        habitats: &[In(Biome::Savanna), In(Biome::Grassland)],
    },
    Species {
        name: "tiger",
        glyph: 'T',
        colour: [255, 150, 60],
        conspicuity: 0.5,
        restlessness: 30,
        habitats: &[In(Biome::TropicalRainforest), In(Biome::Wetland)],
    },
    Species {
        name: "monkey",
        glyph: 'm',
        colour: [200, 150, 110],
        conspicuity: 0.7,
        restlessness: 70,
        habitats: &[In(Biome::TropicalRainforest)],
    },
    Species {
        name: "camel",
        glyph: 'C',
        colour: [226, 190, 130],
        conspicuity: 1.0,
        restlessness: 30,
        habitats: &[In(Biome::Desert)],
    },
    Species {
        name: "heron",
        glyph: 'h',
        colour: [205, 220, 240],
        conspicuity: 0.9,
        restlessness: 30,
        habitats: &[In(Biome::Wetland), In(Biome::River), In(Biome::Lake), In(Biome::Coast)],
    },
    Species {
        name: "seal",
        glyph: 's',
        colour: [160, 170, 185],
        conspicuity: 0.7,
        restlessness: 40,
        habitats: &[In(Biome::Coast), In(Biome::ShallowSea)],
    },
    Species {
        name: "ship",
        glyph: 'S',
        colour: [250, 244, 226],
        conspicuity: 1.0,
        restlessness: 70,
        habitats: &[In(Biome::DeepSea), In(Biome::ShallowSea)],
    },
    Species {
        name: "penguin",
        glyph: 'p',
        colour: [235, 240, 250],
        conspicuity: 0.8,
        restlessness: 40,
        habitats: &[In(Biome::Ice)],
    },
    Species {
        name: "rat",
        glyph: 'r',
        colour: [186, 160, 140],
        conspicuity: 0.6,
        restlessness: 60,
        habitats: &[Floor],
    },
    Species {
        name: "goblin",
        glyph: 'o',
        colour: [140, 210, 110],
        conspicuity: 0.9,
        restlessness: 45,
        habitats: &[Floor],
    },
    Species {
        name: "ghost",
        glyph: 'G',
        colour: [214, 220, 250],
        conspicuity: 0.35,
        restlessness: 50,
        habitats: &[Floor],
    },
];
