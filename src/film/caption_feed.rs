//! [`CaptionFeed`]: the line of the caption on the candidate event of a walk.

use crate::perception::{CreatureEvent, CreatureWatch, Recognition};
use crate::scene::Scene;
use crate::world::Biome;

/// A line stays for at least this many frames, unless a more important event happens.
const MIN_FRAMES: usize = 8;

/// A line disappears after this many frames.
const MAX_FRAMES: usize = 24;

/// A biome counts as entered if the next steps, this many, stay in it: borders are ragged.
const SETTLED_STEPS: usize = 3;

/// The view is compared with that of this many steps before.
const VIEW_STEPS: usize = 4;

enum WalkEvent {
    /// The nearest of the creatures that are perceived better than before.
    Creature(CreatureEvent),
    /// The viewer enters a biome.
    Biome(Biome),
    /// The view has opened to this many cells.
    ViewOpens(usize),
    /// The view has closed to this many cells.
    ViewCloses(usize),
}

impl WalkEvent {
    /// Returns the rank of the event, 0 to 3. A higher rank replaces the line of a lower one at once.
    fn importance(&self) -> u8 {
        match self {
            Self::Creature(event) if event.recognition == Recognition::Identified => 3,
            Self::Biome(_) => 2,
            Self::ViewOpens(_) | Self::ViewCloses(_) => 1,
            Self::Creature(_) => 0,
        }
    }

    /// Returns the line as of now, or `None` if the event no longer holds.
    fn line(&self, scene: &Scene, cells_in_sight: usize) -> Option<String> {
        match *self {
            Self::Creature(event) => event.line(scene.creatures().all(), scene.viewer()),
            Self::Biome(biome) => Some(format!("into the {}", biome.name())),
            Self::ViewOpens(cells) => (cells_in_sight >= cells).then(|| "the view opens".into()),
            Self::ViewCloses(cells) => (cells_in_sight <= cells).then(|| "the view closes in".into()),
        }
    }
}

/// Follows a walk and chooses the line of the caption.
pub(super) struct CaptionFeed {
    /// The biome that is entered at each step.
    entered: Vec<Option<Biome>>,
    /// The number of cells in sight after each step so far.
    cells_in_sight: Vec<usize>,
    creatures: CreatureWatch,
    /// The event of the line, and the step at which it appeared.
    shown: Option<(WalkEvent, usize)>,
    steps_per_frame: usize,
}

impl CaptionFeed {
    /// A feed for a walk through biomes, one for each step.
    pub(super) fn new(biomes: &[Option<Biome>], steps_per_frame: usize) -> Self {
        let entered = entered_biomes(biomes);
        Self { entered, cells_in_sight: Vec::new(), creatures: CreatureWatch::default(), shown: None, steps_per_frame }
    }

    /// Returns the line after a step. Every step must be given, in order.
    pub(super) fn line(&mut self, step: usize, scene: &Scene, cells_in_sight: usize) -> Option<String> {
        self.cells_in_sight.push(cells_in_sight);
        let creature = self.creatures.update(scene.creatures().all(), scene.viewer()).map(WalkEvent::Creature);
        let candidate = creature.or(self.entered[step].map(WalkEvent::Biome)).or_else(|| self.view_event(step));
        let age = |since: usize| (step - since) / self.steps_per_frame;
        self.shown.take_if(|(event, since)| age(*since) >= MAX_FRAMES || event.line(scene, cells_in_sight).is_none());
        if let Some(event) = candidate {
            let shows_new = self
                .shown
                .as_ref()
                .is_none_or(|(old, since)| event.importance() > old.importance() || age(*since) >= MIN_FRAMES);
            if shows_new {
                self.shown = Some((event, step));
            }
        }
        self.shown.as_ref()?.0.line(scene, cells_in_sight)
    }

    fn view_event(&self, step: usize) -> Option<WalkEvent> {
        let before = *self.cells_in_sight.get(step.checked_sub(VIEW_STEPS)?)?;
        let (last, now) = (self.cells_in_sight[step - 1], self.cells_in_sight[step]);
        if 2 * now >= 3 * before && now > before + 100 && now >= last {
            Some(WalkEvent::ViewOpens(now))
        } else if 3 * now <= 2 * before && before > now + 100 && now <= last {
            Some(WalkEvent::ViewCloses(now))
        } else {
            None
        }
    }
}

/// Returns for each step the biome that is entered there, if one is.
fn entered_biomes(biomes: &[Option<Biome>]) -> Vec<Option<Biome>> {
    let mut current = biomes.first().copied().flatten();
    (0..biomes.len())
        .map(|i| {
            let is_settled = biomes[i..].iter().take(SETTLED_STEPS).all(|biome| *biome == biomes[i]);
            let entered = biomes[i].filter(|biome| is_settled && current != Some(*biome));
            current = entered.or(current);
            entered
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;
    use crate::sight::OpacityMap;
    use glam::{IVec2, ivec2};

    /// Returns the lines for a viewer who jumps from cell to cell on an open plain with a deer on 30,10.
    fn lines(viewers: &[IVec2], cells_in_sight: &[usize]) -> Vec<Option<String>> {
        let mut preset = Preset::bare_kernel();
        preset.set("creatures", "[{ kind = \"deer\", at = [30, 10] }]").unwrap();
        preset.set("perception.creatures", "0").unwrap();
        preset.set("sight.radius", "12").unwrap();
        let mut scene =
            Scene::on_map(preset, OpacityMap::clear(60, 20).unwrap(), Some(ivec2(0, 0)), crate::job::Job::quiet())
                .unwrap();
        let mut feed = CaptionFeed::new(&vec![None; viewers.len()], 1);
        let line = |(step, &viewer): (usize, &IVec2)| {
            scene.place(viewer).unwrap();
            feed.line(step, &scene, cells_in_sight[step])
        };
        viewers.iter().enumerate().map(line).collect()
    }

    #[test]
    fn the_line_on_a_creature_gives_its_current_direction() {
        let viewers = [ivec2(0, 10), ivec2(25, 10), ivec2(30, 5), ivec2(35, 10), ivec2(59, 10), ivec2(59, 11)];
        let lines = lines(&viewers, &[0; 6]);
        let texts: Vec<&str> = lines.iter().map(|line| line.as_deref().unwrap_or_default()).collect();
        assert_eq!(texts, ["", "a deer to the east", "a deer to the south", "a deer to the west", "", ""]);
    }

    #[test]
    fn the_line_on_an_opening_view_ends_when_the_view_closes() {
        let lines = lines(&[ivec2(0, 0); 9], &[500, 500, 500, 500, 900, 950, 940, 800, 700]);
        let opens: Vec<bool> = lines.iter().map(|line| line.as_deref() == Some("the view opens")).collect();
        assert_eq!(opens, [false, false, false, false, true, true, true, false, false]);
    }

    #[test]
    fn a_ragged_border_is_crossed_once() {
        let walk = "gggwgwwgwwwwwgwggg".chars().map(|letter| match letter {
            'g' => Some(Biome::Grassland),
            _ => Some(Biome::Woodland),
        });
        let entered: Vec<(usize, Biome)> = entered_biomes(&walk.collect::<Vec<_>>())
            .into_iter()
            .enumerate()
            .filter_map(|(step, biome)| Some((step, biome?)))
            .collect();
        assert_eq!(entered, [(8, Biome::Woodland), (15, Biome::Grassland)]);
        assert!(entered_biomes(&[None, None]).iter().all(Option::is_none));
    }
}
