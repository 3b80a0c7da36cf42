//! The words of which names of places are made: syllables, plants and animals, colours, and patterns that join them. They are in
//! `place_words.toml`, which says what the marks in the patterns mean.

use std::sync::LazyLock;

use serde::Deserialize;

/// All words.
#[derive(Deserialize)]
pub(crate) struct PlaceWords {
    pub(crate) rocks: Vec<String>,
    pub(crate) lake_adjectives: Vec<String>,
    pub(crate) sea_adjectives: Vec<String>,
    pub(crate) temperate: ClimateWords,
    pub(crate) cold: ClimateWords,
    pub(crate) warm: ClimateWords,
}

/// The words that follow from the climate.
#[derive(Deserialize)]
pub(crate) struct ClimateWords {
    pub(crate) life: Vec<String>,
    pub(crate) sea: Vec<String>,
    pub(crate) rivers: Vec<String>,
    pub(crate) people: Vec<String>,
    pub(crate) rock_compounds: Vec<String>,
    pub(crate) water_compounds: Vec<String>,
    pub(crate) summit_adjectives: Vec<String>,
    pub(crate) countries: Vec<Country>,
}

/// The syllables and patterns of a kind of country. Each world draws one, and a part of its syllables.
#[derive(Deserialize)]
pub(crate) struct Country {
    pub(crate) firsts: Vec<String>,
    pub(crate) lasts: Vec<String>,
    pub(crate) mountains: Vec<String>,
    pub(crate) hills: Vec<String>,
    pub(crate) lakes: Vec<String>,
    pub(crate) ponds: Vec<String>,
    pub(crate) rivers: Vec<String>,
    pub(crate) brooks: Vec<String>,
    pub(crate) seas: Vec<String>,
    pub(crate) bays: Vec<String>,
}

/// The maximum mean temperature of cold country and the minimum of warm country, in °C.
const COLD_BELOW_C: f64 = 5.0;
const WARM_FROM_C: f64 = 19.0;

impl PlaceWords {
    /// Returns the words that are compiled into the library.
    pub(crate) fn embedded() -> &'static Self {
        static WORDS: LazyLock<PlaceWords> =
            LazyLock::new(|| toml::from_str(include_str!("place_words.toml")).expect("place_words.toml is valid"));
        &WORDS
    }

    /// Returns the words of a climate, by its mean temperature in °C.
    pub(crate) fn of_climate(&self, mean_c: f64) -> &ClimateWords {
        match mean_c {
            _ if mean_c < COLD_BELOW_C => &self.cold,
            _ if mean_c >= WARM_FROM_C => &self.warm,
            _ => &self.temperate,
        }
    }
}
