//! [`PlaceNamer`]: names for the places of a world; [`PlaceWords`]: the words that form them: syllables, plants and animals,
//! colours, and patterns that join them. They are in `place_words.toml`, without comments, since it is a part of the page. In
//! the countries' patterns % and a letter stand for a word:
//!
//! ```text
//! %p a proper name of a first and a last syllable: Aldane
//! %r  a short name of a river: Wend
//! %c  an animal or a plant
//! %s the namesake of a sea
//! %a an adjective, by the kind of the place
//! %o a possessive: Shepherd's
//! %n the shape of a rock
//! %w  the first part of a compound, for summits: %whorn is Greyhorn
//! %x  the first part of a compound, for water
//! ```

use std::collections::BTreeSet;
use std::sync::LazyLock;

use glam::IVec2;
use serde::Deserialize;

use super::place::PlaceKind;
use farsight::internal::math::SplitMix64;

/// The stream of the random numbers of names.
const PURPOSE: u64 = 71;

/// The number of attempts to find a free name, among the words of the world and among all words of its country.
const TRIES_IN_WORLD: u64 = 24;
const TRIES_IN_COUNTRY: u64 = 64;

/// Prefixes of a name that is already used.
const DISTINCTIONS: [&str; 8] = ["Little", "Upper", "Nether", "Far", "East", "West", "North", "South"];

/// A generator of unique names for the places of a world. A name depends on the seed, the kind and the cell of a place,
/// and on another place only if both would have the same name.
pub(crate) struct PlaceNamer {
    words: &'static PlaceWords,
    climate: &'static ClimateWords,
    country: &'static Country,
    seed: u64,
    /// The first and last syllables of names of this world, and its animals and plants: a subset of those of the country.
    firsts: Vec<&'static str>,
    lasts: Vec<&'static str>,
    life: Vec<&'static str>,
    names: BTreeSet<String>,
    /// The words of names of each kind.
    used_words: BTreeSet<(PlaceKind, String)>,
}

impl PlaceNamer {
    /// Creates a namer for a world of a seed and a mean temperature in °C.
    pub(crate) fn new(seed: u64, mean_c: f64) -> Self {
        let mut random = SplitMix64::for_purpose(seed, PURPOSE);
        let words = PlaceWords::embedded();
        let climate = words.of_climate(mean_c);
        let country = &climate.countries[random_index(&mut random, climate.countries.len())];
        Self {
            firsts: part_of(&country.firsts, 14, &mut random),
            lasts: part_of(&country.lasts, 12, &mut random),
            life: part_of(&climate.life, 28, &mut random),
            words,
            climate,
            country,
            seed,
            names: BTreeSet::new(),
            used_words: BTreeSet::new(),
        }
    }

    /// Returns a name for a place. `is_great` chooses a word for a sea instead of a bay, a mountain instead of a hill.
    pub(crate) fn name(&mut self, kind: PlaceKind, cell: IVec2, is_great: bool) -> String {
        let place = (kind as u64) << 56 ^ u64::from(cell.y as u32) << 28 ^ u64::from(cell.x as u32);
        let seed = SplitMix64::mix(self.seed ^ SplitMix64::mix(place ^ PURPOSE << 48));
        let mut last = String::new();
        for attempt in 0..TRIES_IN_COUNTRY {
            let mut random = SplitMix64::for_purpose(seed, attempt);
            let is_in_world = attempt < TRIES_IN_WORLD;
            let Some((name, word)) = self.draw(kind, is_great, is_in_world, &mut random) else { continue };
            let is_new_word = !is_in_world || !self.used_words.contains(&(kind, word.clone()));
            if is_new_word && self.names.insert(name.clone()) {
                self.used_words.insert((kind, word));
                return name;
            }
            last = name;
        }
        let start = random_index(&mut SplitMix64::new(seed), DISTINCTIONS.len());
        let words = (0..DISTINCTIONS.len()).map(|i| DISTINCTIONS[(start + i) % DISTINCTIONS.len()]);
        let with_word = words.map(|word| format!("{word} {}", last.strip_prefix("The ").unwrap_or(&last)));
        let numbered = (2..).map(|number| format!("{last} {number}"));
        let name = with_word.chain(numbered).find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(name.clone());
        name
    }

    /// Draws a name and its main word; `None` if the parts do not combine.
    fn draw(
        &self,
        kind: PlaceKind,
        is_great: bool,
        is_in_world: bool,
        random: &mut SplitMix64,
    ) -> Option<(String, String)> {
        let Self { words, climate, country, .. } = self;
        let pattern = pick(country.patterns(kind, is_great), random);
        let Some((before, rest)) = pattern.split_once('%') else { return Some((pattern.into(), pattern.into())) };
        let (letter, after) = rest.split_at(1);
        let word = match letter {
            "p" => self.proper_name(is_in_world, random)?,
            "c" if is_in_world => pick(&self.life, random).into(),
            "c" => pick(&climate.life, random).into(),
            "r" => pick(&climate.rivers, random).into(),
            "s" => pick(&climate.sea, random).into(),
            "o" => pick(&climate.people, random).into(),
            "n" => pick(&words.rocks, random).into(),
            "w" => pick(&climate.rock_compounds, random).into(),
            "x" => pick(&climate.water_compounds, random).into(),
            _ => {
                let adjectives = match kind {
                    PlaceKind::Sea => &words.sea_adjectives,
                    PlaceKind::Lake | PlaceKind::River => &words.lake_adjectives,
                    PlaceKind::Summit | PlaceKind::Own => &climate.summit_adjectives,
                };
                pick(adjectives, random).to_owned()
            }
        };
        let is_compound = after.starts_with(|next: char| next.is_ascii_lowercase());
        let reads_well = if is_compound { goes_together(&word, after) } else { !repeats(&word, before, after) };
        reads_well.then(|| (format!("{before}{word}{after}"), word))
    }

    /// Returns a name of two syllables, or `None` if they do not combine.
    fn proper_name(&self, is_in_world: bool, random: &mut SplitMix64) -> Option<String> {
        let Self { country, firsts, lasts, .. } = self;
        let (first, last) = match is_in_world {
            true => (pick(firsts, random), pick(lasts, random)),
            false => (pick(&country.firsts, random), pick(&country.lasts, random)),
        };
        syllables_go_together(first, last).then(|| format!("{first}{last}"))
    }
}

impl Country {
    fn patterns(&self, kind: PlaceKind, is_great: bool) -> &[String] {
        match (kind, is_great) {
            (PlaceKind::Sea, true) => &self.seas,
            (PlaceKind::Sea, false) => &self.bays,
            (PlaceKind::Lake, true) => &self.lakes,
            (PlaceKind::Lake, false) => &self.ponds,
            (PlaceKind::River, true) => &self.rivers,
            (PlaceKind::River, false) => &self.brooks,
            (PlaceKind::Summit | PlaceKind::Own, true) => &self.mountains,
            (PlaceKind::Summit | PlaceKind::Own, false) => &self.hills,
        }
    }
}

/// Returns `true` if the parts of a compound are readable and do not rhyme: no "Ashhorn" and no "Thornhorn".
fn goes_together(word: &str, head: &str) -> bool {
    let is_doubled = word.ends_with(|last| head.starts_with(last) && last != 'r');
    let end = &head[head.len().saturating_sub(3)..];
    !is_doubled && !word.ends_with(end) && !word.contains(' ')
}

/// Returns `true` if the words around a word repeat it: "Talmere Mere", "Dun Dunnach".
fn repeats(word: &str, before: &str, after: &str) -> bool {
    let (word, before, after) = (word.to_lowercase(), before.trim().to_lowercase(), after.trim().to_lowercase());
    (!before.is_empty() && word.starts_with(&before)) || (!after.is_empty() && word.ends_with(&after))
}

/// Returns `true` if two syllables form a readable word: no "Arnnock", "Aldden", "Elellis" and "Burbury".
fn syllables_go_together(first: &str, last: &str) -> bool {
    let first = first.to_lowercase();
    let is_vowel = |letter: char| "aeiouy".contains(letter);
    let mut backwards = first.chars().rev();
    let (end, before) = (backwards.next().unwrap_or('-'), backwards.next().unwrap_or('-'));
    let start = last.chars().next().unwrap_or('-');
    // Only some letters can be double, and only after a vowel.
    let is_hard_double = end == start && (!is_vowel(before) || !"lmnr".contains(end));
    let are_vowels = is_vowel(end) && is_vowel(start);
    let is_said_twice = last.starts_with(&first[first.len().saturating_sub(2)..]) || first.starts_with(&last[..2]);
    !is_hard_double && !are_vowels && !is_said_twice
}

/// Returns `count` of some words in a random order.
fn part_of(words: &'static [String], count: usize, random: &mut SplitMix64) -> Vec<&'static str> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    for i in (1..words.len()).rev() {
        words.swap(i, random_index(random, i + 1));
    }
    words.truncate(count);
    words
}

fn pick<'w>(words: &'w [impl AsRef<str>], random: &mut SplitMix64) -> &'w str {
    words[random_index(random, words.len())].as_ref()
}

fn random_index(random: &mut SplitMix64, len: usize) -> usize {
    random.within(0, len as i32 - 1) as usize
}

/// All words.
#[derive(Deserialize)]
struct PlaceWords {
    rocks: Vec<String>,
    lake_adjectives: Vec<String>,
    sea_adjectives: Vec<String>,
    temperate: ClimateWords,
    cold: ClimateWords,
    warm: ClimateWords,
}

/// The words that follow from the climate.
#[derive(Deserialize)]
struct ClimateWords {
    life: Vec<String>,
    sea: Vec<String>,
    rivers: Vec<String>,
    people: Vec<String>,
    rock_compounds: Vec<String>,
    water_compounds: Vec<String>,
    summit_adjectives: Vec<String>,
    countries: Vec<Country>,
}

/// The syllables and patterns of a kind of country. Each world draws a kind, and a subset of its syllables.
#[derive(Deserialize)]
struct Country {
    firsts: Vec<String>,
    lasts: Vec<String>,
    mountains: Vec<String>,
    hills: Vec<String>,
    lakes: Vec<String>,
    ponds: Vec<String>,
    rivers: Vec<String>,
    brooks: Vec<String>,
    seas: Vec<String>,
    bays: Vec<String>,
}

/// The maximum mean temperature of cold country and the minimum of warm country, in °C.
const COLD_BELOW_C: f64 = 5.0;
const WARM_FROM_C: f64 = 19.0;

impl PlaceWords {
    /// Returns the words embedded in the library.
    fn embedded() -> &'static Self {
        static WORDS: LazyLock<PlaceWords> =
            LazyLock::new(|| toml::from_str(include_str!("place_words.toml")).expect("place_words.toml is valid"));
        &WORDS
    }

    /// Returns the words of a climate, by its mean temperature in °C.
    fn of_climate(&self, mean_c: f64) -> &ClimateWords {
        match mean_c {
            _ if mean_c < COLD_BELOW_C => &self.cold,
            _ if mean_c >= WARM_FROM_C => &self.warm,
            _ => &self.temperate,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    const KINDS: [PlaceKind; 4] = [PlaceKind::Sea, PlaceKind::Lake, PlaceKind::River, PlaceKind::Summit];

    fn countries() -> impl Iterator<Item = (&'static ClimateWords, &'static Country)> {
        let PlaceWords { temperate, cold, warm, .. } = PlaceWords::embedded();
        [temperate, cold, warm]
            .into_iter()
            .flat_map(|climate| climate.countries.iter().map(move |land| (climate, land)))
    }

    #[test]
    fn names_are_stable_and_no_two_are_the_same() {
        for (seed, mean_c) in [(1, 12.0), (2, -4.0), (3, 26.0)] {
            let mut namer = PlaceNamer::new(seed, mean_c);
            let mut names = BTreeSet::new();
            for i in 0..4000 {
                let kind = KINDS[i % KINDS.len()];
                let name = namer.name(kind, ivec2(i as i32 * 7 % 911, i as i32), i % 3 == 0);
                assert!(!name.is_empty() && names.insert(name.clone()), "{name:?} twice");
            }
        }
        let first = |cell| PlaceNamer::new(9, 12.0).name(PlaceKind::Lake, cell, true);
        assert_eq!(first(ivec2(40, 50)), first(ivec2(40, 50)));
        let several: BTreeSet<String> = (0..40).map(|x| first(ivec2(x, 50))).collect();
        assert!(several.len() > 25, "{several:?}");
    }

    #[test]
    fn a_name_does_not_depend_on_places_named_before() {
        let (mut one, mut many) = (PlaceNamer::new(5, 12.0), PlaceNamer::new(5, 12.0));
        let cell = ivec2(77, 12);
        for x in 0..5 {
            many.name(PlaceKind::River, ivec2(x, 3), true);
        }
        assert_eq!(one.name(PlaceKind::Summit, cell, true), many.name(PlaceKind::Summit, cell, true));
    }

    #[test]
    fn names_are_plain_words_of_a_readable_length() {
        for seed in 0..60 {
            for mean_c in [-10.0, 12.0, 28.0] {
                let mut namer = PlaceNamer::new(seed, mean_c);
                for i in 0..60 {
                    let name = namer.name(KINDS[i % 4], ivec2(i as i32, 3), i % 8 < 4);
                    assert!((3..=24).contains(&name.len()), "{name}");
                    assert!(name.chars().all(|c| c.is_ascii_alphabetic() || " '".contains(c)), "{name}");
                    assert!(name.split(' ').all(|word| word == "of" || word.starts_with(char::is_uppercase)), "{name}");
                }
            }
        }
    }

    /// Every possible word, to check that none is an insult by chance.
    #[test]
    fn no_name_contains_a_rude_word() {
        let rude = [
            "anal", "anus", "arse", "bastard", "bitch", "boob", "bugger", "chink", "clit", "cock", "coon", "crap",
            "cum", "cunt", "dago", "damn", "dick", "dildo", "dyke", "fag", "fanny", "fart", "fuck", "gook", "heil",
            "hitler", "homo", "hooker", "kike", "kraut", "minge", "nazi", "negro", "nigg", "nonce", "paki", "penis",
            "piss", "poof", "poop", "porn", "prick", "pube", "puss", "queer", "rape", "rapis", "rectum", "scrot",
            "semen", "sex", "shag", "shit", "slag", "slave", "slut", "spunk", "testic", "tits", "titt", "turd",
            "vagin", "wank", "whore", "wop",
        ];
        let mut words: BTreeSet<String> = BTreeSet::new();
        for (climate, country) in countries() {
            for first in &country.firsts {
                words.extend(
                    country
                        .lasts
                        .iter()
                        .filter(|last| syllables_go_together(first, last))
                        .map(|l| format!("{first}{l}")),
                );
            }
            let ClimateWords { life, sea, rivers, people, summit_adjectives, .. } = climate;
            words.extend([life, sea, rivers, people, summit_adjectives].into_iter().flatten().cloned());
            for kind in KINDS {
                for pattern in [true, false].iter().flat_map(|is_great| country.patterns(kind, *is_great)) {
                    for (mark, list) in [("%w", &climate.rock_compounds), ("%x", &climate.water_compounds)] {
                        let whole = list.iter().filter(|_| pattern.contains(mark)).map(|w| pattern.replace(mark, w));
                        words.extend(whole);
                    }
                }
            }
        }
        let PlaceWords { rocks, lake_adjectives, sea_adjectives, .. } = PlaceWords::embedded();
        words.extend([rocks, lake_adjectives, sea_adjectives].into_iter().flatten().cloned());
        let is_rude = |word: &&String| rude.iter().any(|rude| word.to_lowercase().replace(' ', "").contains(rude));
        assert_eq!(words.iter().filter(is_rude).collect::<Vec<_>>(), [] as [&String; 0]);
        assert!(words.len() > 2000, "{} words", words.len());
    }

    #[test]
    fn patterns_have_known_words_and_every_kind_has_several() {
        for (_, country) in countries() {
            for kind in KINDS {
                for is_great in [true, false] {
                    let patterns = country.patterns(kind, is_great);
                    assert!(patterns.len() >= 4);
                    for pattern in patterns {
                        let marks: Vec<&str> = pattern.split('%').skip(1).collect();
                        assert!(marks.len() <= 1, "{pattern}");
                        assert!(marks.iter().all(|mark| mark.starts_with(|letter| "prcsaonwx".contains(letter))));
                    }
                }
            }
            assert!(country.firsts.len() >= 16 && country.lasts.len() >= 14);
        }
    }

    #[test]
    fn climate_changes_the_words() {
        let names = |mean_c: f64| {
            let mut namer = PlaceNamer::new(4, mean_c);
            (0..30).map(|x| namer.name(PlaceKind::Lake, ivec2(x, 9), true)).collect::<BTreeSet<_>>()
        };
        assert_ne!(names(12.0), names(-9.0));
        assert_ne!(names(12.0), names(27.0));
        assert_eq!(names(12.0), names(13.0), "the same words within a climate");
    }

    /// Prints names for review: `cargo test -p farsight-scene --lib place_namer -- --ignored --nocapture`.
    #[test]
    #[ignore = "prints names to read"]
    #[expect(clippy::print_stdout, reason = "the names are to be read")]
    fn print_names() {
        for seed in 0..20 {
            for mean_c in [12.0, -5.0, 25.0].into_iter().filter(|mean_c| *mean_c == 12.0 || seed % 4 == 0) {
                let mut namer = PlaceNamer::new(seed, mean_c);
                println!("\nseed {seed}, {mean_c} °C");
                for kind in KINDS {
                    for is_great in [true, false] {
                        let names: Vec<String> =
                            (0..9).map(|x| namer.name(kind, ivec2(x, 5 + i32::from(is_great)), is_great)).collect();
                        println!("  {kind:?} {is_great}: {}", names.join(", "));
                    }
                }
            }
        }
    }
}
