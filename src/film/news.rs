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
const LOOKED_BACK: usize = 4;

/// What happened, from the least to the most important.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Glimpse,
    View,
    Biome,
    Creature,
}

/// What a line is about.
enum About {
    /// A creature, by its number; where the question mark lay that it was before, if it was one.
    Creature {
        id: usize,
        sense: Sense,
        unveiled: Option<&'static str>,
    },
    Biome(Biome),
    /// The view has opened or closed to so many cells.
    View {
        opens: bool,
        in_sight: usize,
    },
}

impl About {
    fn weight(&self) -> Weight {
        match self {
            Self::Creature { sense: Sense::Identified, .. } => Weight::Creature,
            Self::Creature { .. } => Weight::Glimpse,
            Self::Biome(_) => Weight::Biome,
            Self::View { .. } => Weight::View,
        }
    }

    /// The words for it as things stand now, or `None` where it is no longer so.
    fn words(&self, scene: &Scene, in_sight_now: usize) -> Option<String> {
        match *self {
            Self::Creature { id, sense, unveiled } => {
                let creature = scene.creatures().all().get(id).filter(|creature| creature.sense == sense)?;
                let (name, direction) = (creature.species.name, direction(creature.cell - scene.viewer()));
                Some(match (sense, unveiled) {
                    (Sense::Identified, Some(place)) if place == direction => format!("the ? {direction} is a {name}"),
                    (Sense::Identified, _) => format!("a {name} {direction}"),
                    _ => format!("a glimpse of something {direction}"),
                })
            }
            Self::Biome(biome) => Some(format!("into the {}", biome.name())),
            Self::View { opens: true, in_sight } => (in_sight_now >= in_sight).then(|| "the view opens".into()),
            Self::View { opens: false, in_sight } => (in_sight_now <= in_sight).then(|| "the view closes in".into()),
        }
    }
}

/// Follows a walk and tells what changes.
pub(super) struct Newsroom {
    /// The biomes that are come into, by the step.
    arrivals: Vec<Option<Biome>>,
    in_sight: Vec<usize>,
    senses: Vec<Sense>,
    /// What the line is about, and the step since which it stands.
    line: Option<(About, usize)>,
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
        let latest = creature.or(self.arrivals[step].map(About::Biome)).or_else(|| self.view(step));
        let age = |since: usize| (step - since) / self.frame_every;
        self.line.take_if(|(about, since)| age(*since) >= MOST_FRAMES || about.words(scene, in_sight).is_none());
        if let Some(about) = latest {
            let gives_way = self
                .line
                .as_ref()
                .is_none_or(|(old, since)| about.weight() > old.weight() || age(*since) >= LEAST_FRAMES);
            if gives_way {
                self.line = Some((about, step));
            }
        }
        self.line.as_ref()?.0.words(scene, in_sight)
    }

    /// The nearest creature of which more is made than before.
    fn creature(&mut self, step: usize, scene: &Scene) -> Option<About> {
        let creatures = scene.creatures().all();
        let before = std::mem::take(&mut self.senses);
        self.senses = creatures.iter().map(|creature| creature.sense).collect();
        if step == 0 || before.len() != creatures.len() {
            return None;
        }
        let viewer = scene.viewer();
        let better =
            creatures.iter().zip(&before).enumerate().filter(|(_, (creature, before))| creature.sense > **before);
        let (id, (creature, before)) = better.max_by_key(|(_, (creature, _))| {
            (creature.sense, std::cmp::Reverse((creature.cell - viewer).abs().max_element()))
        })?;
        let unveiled = (*before == Sense::Glimpsed).then(|| direction(creature.cell - viewer));
        Some(About::Creature { id, sense: creature.sense, unveiled })
    }

    /// How the view has opened or closed of late, and still does.
    fn view(&self, step: usize) -> Option<About> {
        let before = *self.in_sight.get(step.checked_sub(LOOKED_BACK)?)?;
        let (last, now) = (self.in_sight[step - 1], self.in_sight[step]);
        if 2 * now >= 3 * before && now > before + 100 && now >= last {
            Some(About::View { opens: true, in_sight: now })
        } else if 3 * now <= 2 * before && before > now + 100 && now <= last {
            Some(About::View { opens: false, in_sight: now })
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
    use crate::preset::Preset;
    use crate::sight::OpacityMap;
    use glam::ivec2;

    /// The lines of a walk from place to place on an open plain with a deer at 30,10.
    fn lines(places: &[IVec2], in_sight: &[usize]) -> Vec<Option<String>> {
        let mut preset = Preset::bare_kernel();
        preset.set("creatures", "[{ kind = \"deer\", at = [30, 10] }]").unwrap();
        preset.set("perception.creatures", "0").unwrap();
        preset.set("sight.radius", "12").unwrap();
        let mut scene =
            Scene::on_map(preset, OpacityMap::clear(60, 20).unwrap(), Some(ivec2(0, 0)), crate::job::Job::quiet())
                .unwrap();
        let mut newsroom = Newsroom::new(&vec![None; places.len()], 1);
        let look = |(step, &place): (usize, &IVec2)| {
            scene.place(place).unwrap();
            newsroom.news(step, &scene, in_sight[step])
        };
        places.iter().enumerate().map(look).collect()
    }

    #[test]
    fn a_line_on_a_creature_tells_where_it_is_now_or_nothing() {
        let places = [ivec2(0, 10), ivec2(25, 10), ivec2(30, 5), ivec2(35, 10), ivec2(59, 10), ivec2(59, 11)];
        let lines = lines(&places, &[0; 6]);
        let told: Vec<&str> = lines.iter().map(|line| line.as_deref().unwrap_or_default()).collect();
        assert_eq!(told, ["", "a deer to the east", "a deer to the south", "a deer to the west", "", ""]);
    }

    #[test]
    fn the_view_is_said_to_open_only_as_long_as_it_does() {
        let lines = lines(&[ivec2(0, 0); 9], &[500, 500, 500, 500, 900, 950, 940, 800, 700]);
        let told: Vec<bool> = lines.iter().map(|line| line.as_deref() == Some("the view opens")).collect();
        assert_eq!(told, [false, false, false, false, true, true, true, false, false]);
    }

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
