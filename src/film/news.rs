//! [`Newsroom`]: which of the changes on a walk are worth a line below the picture.

use glam::IVec2;

use super::moment::Place;
use crate::perception::Sense;
use crate::scene::Scene;
use crate::world::Biome;

/// A line stays for at least so many frames, unless something more important happens.
const LEAST_FRAMES: usize = 8;

/// A line is gone after so many frames.
const MOST_FRAMES: usize = 24;

/// One has come into a biome once one stays there for so many steps: borders are ragged.
const SETTLED_STEPS: usize = 3;

/// The view is compared with that of so many steps before.
const LOOKED_BACK: usize = 8;

/// What happened, from the least to the most important.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Glimpse,
    View,
    Biome,
    Creature,
}

/// Follows a walk and tells what changes.
pub(super) struct Newsroom {
    /// The biomes that are come into, by the step.
    arrivals: Vec<Option<Biome>>,
    in_sight: Vec<usize>,
    senses: Vec<Sense>,
    line: Option<(Weight, usize, String)>,
    frame_every: usize,
}

impl Newsroom {
    /// A walk through places, `frame_every` so many steps a frame.
    pub(super) fn new(places: &[Option<Place>], frame_every: usize) -> Self {
        let biomes: Vec<Option<Biome>> = places.iter().map(|place| place.map(|place| place.biome)).collect();
        Self { arrivals: arrivals(&biomes), in_sight: Vec::new(), senses: Vec::new(), line: None, frame_every }
    }

    /// The line below the picture after a step.
    pub(super) fn news(&mut self, step: usize, scene: &Scene, in_sight: usize) -> Option<String> {
        self.in_sight.push(in_sight);
        let creature = self.creature(step, scene);
        let biome = self.arrivals[step].map(|biome| (Weight::Biome, format!("into the {}", biome.name())));
        let latest = creature.or(biome).or_else(|| self.view(step));
        let age = |since: usize| (step - since) / self.frame_every;
        if let Some((weight, text)) = latest {
            let gives_way =
                self.line.as_ref().is_none_or(|(old, since, _)| weight > *old || age(*since) >= LEAST_FRAMES);
            if gives_way {
                self.line = Some((weight, step, text));
            }
        }
        self.line = self.line.take().filter(|(_, since, _)| age(*since) < MOST_FRAMES);
        self.line.as_ref().map(|(_, _, text)| text.clone())
    }

    /// The nearest creature of which more is made than before.
    fn creature(&mut self, step: usize, scene: &Scene) -> Option<(Weight, String)> {
        let creatures = scene.creatures().all();
        let before = std::mem::take(&mut self.senses);
        self.senses = creatures.iter().map(|creature| creature.sense).collect();
        if step == 0 || before.len() != creatures.len() {
            return None;
        }
        let viewer = scene.viewer();
        let better = creatures.iter().zip(&before).filter(|(creature, before)| creature.sense > **before);
        let (creature, before) = better.max_by_key(|(creature, _)| {
            (creature.sense, std::cmp::Reverse((creature.cell - viewer).abs().max_element()))
        })?;
        let direction = direction(creature.cell - viewer);
        Some(match (creature.sense, before) {
            (Sense::Identified, Sense::Glimpsed) => {
                (Weight::Creature, format!("the ? {direction} is a {}", creature.species.name))
            }
            (Sense::Identified, _) => (Weight::Creature, format!("a {} {direction}", creature.species.name)),
            _ => (Weight::Glimpse, format!("a glimpse of something {direction}")),
        })
    }

    /// How the view has opened or closed of late.
    fn view(&self, step: usize) -> Option<(Weight, String)> {
        let before = *self.in_sight.get(step.checked_sub(LOOKED_BACK)?)?;
        let now = self.in_sight[step];
        if 2 * now >= 3 * before && now > before + 100 {
            Some((Weight::View, "the view opens".into()))
        } else if 3 * now <= 2 * before && before > now + 100 {
            Some((Weight::View, "the view closes in".into()))
        } else {
            None
        }
    }
}

/// The biomes that are come into, by the step.
fn arrivals(biomes: &[Option<Biome>]) -> Vec<Option<Biome>> {
    let mut told = biomes.first().copied().flatten();
    (0..biomes.len())
        .map(|i| {
            let settled = biomes[i..].iter().take(SETTLED_STEPS).all(|biome| *biome == biomes[i]);
            let new = biomes[i].filter(|biome| settled && told != Some(*biome));
            told = new.or(told);
            new
        })
        .collect()
}

/// `to the north-east`, or `here`.
fn direction(way: IVec2) -> &'static str {
    const NAMES: [&str; 8] = [
        "to the east",
        "to the south-east",
        "to the south",
        "to the south-west",
        "to the west",
        "to the north-west",
        "to the north",
        "to the north-east",
    ];
    if way == IVec2::ZERO {
        return "here";
    }
    // Octants of 45° around each name; tan 22.5° is about 12/29.
    let [x, y] = way.to_array().map(i64::from);
    let (is_x, is_y) = (29 * x.abs() > 12 * y.abs(), 29 * y.abs() > 12 * x.abs());
    NAMES[match (is_x.then_some(x > 0), is_y.then_some(y > 0)) {
        (Some(true), None) => 0,
        (Some(true), Some(true)) => 1,
        (None, Some(true)) => 2,
        (Some(false), Some(true)) => 3,
        (Some(false), None) => 4,
        (Some(false), Some(false)) => 5,
        (None, Some(false)) => 6,
        (Some(true), Some(false)) | (None, None) => 7,
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn ragged_borders_are_crossed_once() {
        let walk = "gggwgwwgwwwwwgwggg".chars().map(|letter| match letter {
            'g' => Some(Biome::Grassland),
            _ => Some(Biome::Woodland),
        });
        let told: Vec<(usize, Biome)> = arrivals(&walk.collect::<Vec<_>>())
            .into_iter()
            .enumerate()
            .filter_map(|(step, biome)| Some((step, biome?)))
            .collect();
        assert_eq!(told, [(8, Biome::Woodland), (15, Biome::Grassland)]);
        assert!(arrivals(&[None, None]).iter().all(Option::is_none));
    }

    #[test]
    fn directions_have_the_names_of_a_map() {
        for (way, name) in [
            (ivec2(5, 0), "to the east"),
            (ivec2(5, 1), "to the east"),
            (ivec2(5, -4), "to the north-east"),
            (ivec2(0, -1), "to the north"),
            (ivec2(-3, 3), "to the south-west"),
            (ivec2(1, 9), "to the south"),
            (ivec2(-9, -1), "to the west"),
            (ivec2(-2, -2), "to the north-west"),
            (ivec2(7, 6), "to the south-east"),
            (ivec2(0, 0), "here"),
        ] {
            assert_eq!(direction(way), name, "{way}");
        }
    }
}
