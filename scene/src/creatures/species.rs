//! [`Species`]: the shipped species of creatures, with habitats and [`Eyes`]; and species of a program or a preset,
//! which are interned until the program ends.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use crate::world::Biome;
use farsight::setters;
use farsight::sight::{Sector, SightConfig};

/// A habitat of creatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habitat {
    /// Open country.
    Biome(Biome),
    /// The floor of a dungeon or of an opacity map.
    Floor,
}

/// A species of creatures: a shipped one, or [your own](Self::new).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Species {
    /// The name in presets and captions.
    pub name: &'static str,
    /// The character that represents it.
    pub glyph: char,
    /// The sRGB colour of the glyph.
    pub colour: [u8; 3],
    /// Factor on the visibility of its cell, in (0, 1].
    pub conspicuity: f32,
    /// The probability of a move per turn, in percent.
    pub restlessness: u8,
    /// Its eyes, if it searches for the viewer.
    pub eyes: Option<Eyes>,
    /// The habitats; `None` for all.
    habitats: Option<&'static [Habitat]>,
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

/// Picks one of the species of a habitat, by a random number.
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

impl Species {
    /// The maximum length of a name.
    pub const MAX_NAME: usize = 40;

    /// Creates your own species: fully conspicuous, moving every other turn, without eyes. It has the habitats of the
    /// shipped species of that name, or otherwise all.
    ///
    /// ```
    /// use farsight_scene::prelude::*;
    /// use farsight::Job;
    /// use farsight_scene::creatures::{Eyes, PlacedCreature, Species};
    /// use farsight::perception::Recognition;
    ///
    /// let eyes = Eyes::default().with_radius(6).with_span(120.0);
    /// let guard = Species::new("guard", 'A').with_restlessness(0).with_eyes(eyes).intern()?;
    /// let map = OpacityMap::from_text("....#....")?;
    /// let guards = vec![PlacedCreature::new((1, 0), guard).with_facing(90.0)]; // it looks east
    /// let preset = Preset::bare_kernel().with_creatures(guards);
    /// let mut scene = Scene::from_map(preset, map, Some((8, 0).into()), Job::none())?;
    /// assert_eq!(scene.creatures().all()[0].noticed, Recognition::Hidden); // behind a wall
    /// scene.set_opacity((4, 0), 0.0)?;
    /// scene.place((6, 0))?;
    /// assert_eq!(scene.creatures().all()[0].noticed, Recognition::Identified);
    /// assert_eq!(scene.creatures().all()[0].description(1.0), "guard, identified, sees you");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: &'static str, glyph: char) -> Self {
        let habitats = Self::named(name).and_then(|shipped| shipped.habitats);
        Self { name, glyph, colour: [236, 232, 220], conspicuity: 1.0, restlessness: 50, eyes: None, habitats }
    }

    setters! {
        with_glyph(glyph: char), with_colour(colour: [u8; 3]), with_conspicuity(conspicuity: f32),
        with_restlessness(restlessness: u8), with_eyes(eyes: impl Into<Option<Eyes>>),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`SpeciesError`] for the first value that is not valid.
    pub fn check(&self) -> Result<(), SpeciesError> {
        SpeciesError::check("name", format!("{:?}", self.name), is_name(self.name), || {
            format!("1 to {} characters that are no control characters", Self::MAX_NAME)
        })?;
        SpeciesError::check("glyph", format!("{:?}", self.glyph), is_glyph(self.glyph), || GLYPHS.to_owned())?;
        let is_share = self.conspicuity > 0.0 && self.conspicuity <= 1.0;
        SpeciesError::check("conspicuity", self.conspicuity, is_share, || "more than 0, up to 1".to_owned())?;
        SpeciesError::check("restlessness", self.restlessness, self.restlessness <= 100, || "0 to 100 %".to_owned())?;
        self.eyes.map_or(Ok(()), |eyes| eyes.check())
    }

    /// Checks the species and interns it until the program ends, as creatures need it. Equal values give the same
    /// reference, so that memory grows only with different species.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn intern(self) -> Result<&'static Self, SpeciesError> {
        self.check()?;
        if let Some(shipped) = Self::named(self.name).filter(|shipped| **shipped == self) {
            return Ok(shipped);
        }
        let mut kept = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        let of_name = kept.entry(self.name).or_default();
        if let Some(same) = of_name.iter().find(|species| ***species == self) {
            return Ok(same);
        }
        let species: &'static Self = Box::leak(Box::new(self));
        of_name.push(species);
        Ok(species)
    }

    /// Interns a name until the program ends.
    ///
    /// # Errors
    /// [`SpeciesError`] for an invalid name, which is not interned.
    pub(super) fn intern_name(name: &str) -> Result<&'static str, SpeciesError> {
        if let Some(shipped) = Self::named(name) {
            return Ok(shipped.name);
        }
        SpeciesError::check("name", format!("{name:?}"), is_name(name), || {
            format!("1 to {} characters", Self::MAX_NAME)
        })?;
        let mut kept = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, _)) = kept.get_key_value(name) {
            return Ok(known);
        }
        let name: &'static str = Box::leak(name.into());
        kept.insert(name, Vec::new());
        Ok(name)
    }
}

/// The interned species, by name.
static INTERNED: Mutex<BTreeMap<&'static str, Vec<&'static Species>>> = Mutex::new(BTreeMap::new());

/// A description of the valid glyphs. Other characters have a meaning on maps.
pub(crate) const GLYPHS: &str = "a letter A to Z or a to z, a digit, or &";

/// Returns `true` if the name of a species is valid.
pub(crate) fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= Species::MAX_NAME && !name.chars().any(char::is_control)
}

/// Returns `true` if the glyph of a species is valid.
pub(crate) fn is_glyph(glyph: char) -> bool {
    glyph.is_ascii_alphanumeric() || glyph == '&'
}

/// The eyes of a species that searches for the viewer. It sees by the rules of the viewer, within these limits. Without
/// a scene use a [`Sense`](farsight::perception::Sense).
///
/// ```
/// use farsight_scene::creatures::{Eyes, Species};
/// let owl = Species::new("owl", 'O').with_eyes(Eyes::default().with_radius(20).with_night_vision(0.6)).intern()?;
/// assert_eq!(owl.eyes.unwrap().span, 360.0); // it looks all around
/// let error = Species::new("newt", 'n').with_eyes(Eyes::default().with_span(0.0)).intern().unwrap_err();
/// assert!(error.to_string().contains("expected 1 to 360 degrees"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Eyes {
    /// The maximum distance at which it sees, in cells. The radius of the scene is a limit, too.
    pub radius: u32,
    /// The angle of its cone of vision, 1 to 360 degrees. It looks in the direction of its last step.
    pub span: f64,
    /// The minimum light that it perceives, in [0, 1]: 0 depends on the actual light, 1 sees by night as by day.
    pub night_vision: f32,
}

impl Default for Eyes {
    /// Eyes that see all around, as far as the viewer, without night vision.
    fn default() -> Self {
        Self { radius: SightConfig::MAX_RADIUS, span: Sector::ALL.span, night_vision: 0.0 }
    }
}

impl Eyes {
    setters! {
        with_radius(radius: u32), with_span(span: f64), with_night_vision(night_vision: f32),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`SpeciesError`] for the first value that is out of its range.
    fn check(&self) -> Result<(), SpeciesError> {
        let (span, radius) = (Sector::SPAN, SightConfig::MAX_RADIUS);
        SpeciesError::check("radius", self.radius, self.radius <= radius, || format!("0 to {radius} cells"))?;
        let expected = || format!("{} to {} degrees", span.start(), span.end());
        SpeciesError::check("span", self.span, span.contains(&self.span), expected)?;
        let is_share = (0.0..=1.0).contains(&self.night_vision);
        SpeciesError::check("night_vision", self.night_vision, is_share, || "0 to 1".to_owned())
    }
}

/// An invalid value of a [`Species`](super::Species).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {value} is not valid: expected {expected}")]
#[non_exhaustive]
pub struct SpeciesError {
    /// The value's name: `conspicuity`.
    pub key: &'static str,
    /// The given value.
    pub value: String,
    /// The accepted values.
    pub expected: String,
}

impl SpeciesError {
    /// Returns an error unless a value is valid.
    fn check(
        key: &'static str,
        value: impl Display,
        is_valid: bool,
        expected: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        if is_valid { Ok(()) } else { Err(Self { key, value: value.to_string(), expected: expected() }) }
    }
}
