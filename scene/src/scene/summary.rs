//! [`Scene::summary`]: a description of the view in two sentences.

use std::collections::BTreeMap;

use crate::creatures::Sighting;
use crate::math::sort_descending;
use crate::scene::Scene;
use farsight::internal::text::group_digits;
use farsight::perception::Recognition;

impl Scene {
    /// Returns a description of the view in two sentences: `You see 25.7 km², 8.71 km² of it sharply. A wolf, two deer;
    /// ten unknown.` On a map without a scale it counts cells: `27 cells in sight, 23 of them clear.`
    pub fn summary(&self) -> String {
        let (mut seen, mut clear) = (0_usize, 0_usize);
        for cell in self.seen_frame().cells() {
            match self.sense(cell) {
                Recognition::Identified => (seen, clear) = (seen + 1, clear + 1),
                Recognition::Glimpsed => seen += 1,
                Recognition::Hidden => {}
            }
        }
        let cells = if seen == 1 { "cell" } else { "cells" };
        let sharp = match clear {
            0 => "none of it sharply".to_owned(),
            _ if clear == seen => "all of it sharply".to_owned(),
            _ => format!("{} of it sharply", self.area_in_words(clear)),
        };
        let clear = match clear {
            0 => "none of them clear".to_owned(),
            _ if clear == seen && seen == 1 => "and it is clear".to_owned(),
            _ if clear == seen => "all of them clear".to_owned(),
            _ => format!("{} of them clear", group_digits(clear)),
        };
        let land = match (seen, self.world()) {
            (0, _) => "Nothing in sight.".to_owned(),
            (_, None) => format!("{} {cells} in sight, {clear}.", group_digits(seen)),
            (_, Some(_)) => format!("You see {}, {sharp}.", self.area_in_words(seen)),
        };
        let creatures = self.creatures_in_words();
        if creatures.is_empty() { land } else { format!("{land} {creatures}") }
    }

    /// Returns the area of a number of cells as text, by the size of the viewer's cell: `25.7 km²`, or `310 m²`. Without a
    /// world it returns the number: `27 cells`.
    pub fn area_in_words(&self, cells: usize) -> String {
        let Some(world) = self.world() else {
            return format!("{} {}", group_digits(cells), if cells == 1 { "cell" } else { "cells" });
        };
        let size = world.cell_size_at(self.viewer());
        let m2 = cells as f64 * size.ratios().element_product() * size.shorter_m() * size.shorter_m();
        match m2 / 1e6 {
            km2 if km2 >= 1000.0 => format!("{} km²", group_digits(km2.round() as usize)),
            km2 if km2 >= 10.0 => format!("{km2:.1} km²"),
            km2 if km2 >= 0.01 => format!("{km2:.2} km²"),
            _ => format!("{} m²", group_digits(m2.round() as usize)),
        }
    }

    /// Returns a sentence about the creatures in sight, empty without creatures.
    fn creatures_in_words(&self) -> String {
        let mut identified: BTreeMap<&str, usize> = BTreeMap::new();
        let mut unknown = 0;
        for sighting in self.sightings() {
            match sighting {
                Sighting::Identified(species, _) => *identified.entry(species.name).or_default() += 1,
                Sighting::Glimpsed(_) => unknown += 1,
                Sighting::Remembered(..) | Sighting::Stale(_) => {}
            }
        }
        let mut named: Vec<(&str, usize)> = identified.into_iter().collect();
        sort_descending(&mut named, |&(_, count)| count as f64);
        let named: Vec<String> = named.into_iter().map(|(name, count)| counted(name, count)).collect();
        let sentence = match (named.is_empty(), unknown) {
            (true, 0) => return String::new(),
            (true, count) => format!("{} unknown.", number(count)),
            (false, 0) => format!("{}.", named.join(", ")),
            (false, count) => format!("{}; {} unknown.", named.join(", "), number(count)),
        };
        let mut letters = sentence.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }
}

/// Returns a number as a word up to twelve, else in digits.
fn number(count: usize) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(count).map_or_else(|| group_digits(count), |word| (*word).to_owned())
}

/// Returns a number of creatures of a species as text: `a wolf`, `three wolves`.
fn counted(name: &str, count: usize) -> String {
    if count == 1 {
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        return format!("{article} {name}");
    }
    let plural = match name {
        "deer" => name.to_owned(),
        "wolf" => "wolves".to_owned(),
        _ if name.ends_with(['s', 'x', 'z']) || name.ends_with("ch") || name.ends_with("sh") => format!("{name}es"),
        _ => format!("{name}s"),
    };
    format!("{} {plural}", number(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;
    use crate::world::WorldConfig;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use glam::ivec2;

    #[test]
    fn creatures_are_counted_in_words() {
        let words = [("deer", 1), ("deer", 2), ("wolf", 3), ("ox", 2), ("owl", 1), ("monkey", 13)];
        let words = words.map(|(name, count)| counted(name, count));
        assert_eq!(words, ["a deer", "two deer", "three wolves", "two oxes", "an owl", "13 monkeys"]);
    }

    #[test]
    fn areas_have_a_unit_that_fits() {
        let area = |cell_size_m: f64, cells: usize| {
            let world = WorldConfig::default().with_width(32).with_height(32).with_cell_size_m(cell_size_m);
            let preset = Preset::shipped_default().with_world(world);
            Scene::generate(preset, None, Job::none()).unwrap().area_in_words(cells)
        };
        assert_eq!([0, 1, 871, 2566].map(|cells| area(100.0, cells)), ["0 m²", "0.01 km²", "8.71 km²", "25.7 km²"]);
        assert_eq!([area(500.0, 12_345), area(10.0, 31)], ["3,086 km²", "3,100 m²"]);
    }

    #[test]
    fn the_summary_counts_cells_and_creatures() {
        let mut preset = Preset::bare_kernel();
        preset.set("creatures", "[{ kind = \"wolf\", at = [6, 1] }, { kind = \"deer\", at = [7, 1] }]").unwrap();
        let map = OpacityMap::from_text("#########\n#.......#\n#########").unwrap();
        let scene = Scene::from_map(preset, map, Some(ivec2(2, 1)), Job::none()).unwrap();
        assert_eq!(scene.summary(), "27 cells in sight, 23 of them clear. A deer, a wolf.");
    }
}
