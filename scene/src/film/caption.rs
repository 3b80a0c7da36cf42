//! [`Caption`]: the status and profile of a walk, below the picture. [`simulate_walk`] computes its [`StepState`]s in
//! advance, and [`CaptionFeed`] chooses its message on events.
//!
//! ```text
//!  12:00                                      19:00     both states, of a film that fades between them
//!  woodland, 412 m   1,204 cells in sight           12/84
//!  the ? to the north is a deer
//!        ▁▂▄▆█▇▅▂▁            cells in sight so far
//!   ▁▂▃▄▅▆•▆▄▃▂▁▁             height of the ground of the whole walk, in its colours
//! ```

use std::ops::Range;

use glam::{IVec2, ivec2, vec2};

use super::itinerary::Itinerary;
use super::options::FilmError;
use crate::creatures::{CreatureEvent, CreatureWatch};
use crate::paint::lettering::{self, Anchor, Face, Lettering};
use crate::paint::{Colour, Picture, ground_colour, mix, scale};
use crate::scene::Scene;
use crate::world::Biome;
use farsight::Job;
use farsight::internal::text::group_digits;
use farsight::perception::Recognition;

const BACKGROUND: Colour = [233.0, 222.0, 195.0];
const TEXT: Colour = [64.0, 48.0, 36.0];
const STEP_TEXT: Colour = [110.0, 92.0, 70.0];
const SIGHT: Colour = [188.0, 140.0, 52.0];
const EVENT_TEXT: Colour = [126.0, 44.0, 36.0];
const VIEWER: Colour = [200.0, 38.0, 44.0];
/// The size of letters, in pixels.
const TEXT_SIZE: f32 = 14.5;

// Heights and distances in pixels.
const MARGIN: i32 = 8;
const LINE_HEIGHT: i32 = 18;
const SIGHT_HEIGHT: i32 = 22;
const GROUND_HEIGHT: i32 = 28;
const GAP: i32 = 3;

/// The minimum height range of the profile, in metres.
const MIN_CLIMB_M: f32 = 60.0;

/// Draws the captions of a film.
pub(super) struct Caption<'a> {
    states: &'a [StepState],
    width: i32,
    /// The maximum number of cells in sight.
    max_in_sight: usize,
    /// The heights at the bottom and the top of the profile, or `None` on an opacity map.
    profile_m: Option<Range<f32>>,
    shown: Option<ShownState<'a>>,
}

/// The names of both states of a film, and the index of the shown one.
#[derive(Clone, Copy)]
pub(super) struct ShownState<'a> {
    pub(super) names: &'a [String; 2],
    pub(super) index: usize,
}

impl<'a> Caption<'a> {
    pub(super) fn new(states: &'a [StepState], width: usize, shown: Option<ShownState<'a>>) -> Self {
        let max_in_sight = states.iter().map(|state| state.cells_in_sight).max().unwrap_or(0).max(1);
        let heights = states.iter().filter_map(|state| state.ground).map(|ground| ground.height_m.max(0.0));
        let range = heights.map(|height| height..height).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
        let profile_m = range.map(|Range { start, end }| start..end.max(start + MIN_CLIMB_M));
        Self { states, width: width as i32, max_in_sight, profile_m, shown }
    }

    /// Returns the height in pixels.
    pub(super) fn height(&self) -> usize {
        let ground = if self.profile_m.is_some() { GAP + GROUND_HEIGHT } else { GAP };
        (self.top() + GAP + 2 * LINE_HEIGHT + SIGHT_HEIGHT + ground + MARGIN) as usize
    }

    /// Returns the first row of pixels of the status.
    fn top(&self) -> i32 {
        if self.shown.is_some() { GAP + LINE_HEIGHT } else { GAP }
    }

    /// Draws the caption after a step.
    pub(super) fn draw(&self, step: usize) -> Picture {
        let mut picture = Picture::new(self.width as usize, self.height(), BACKGROUND);
        if let Some(shown) = self.shown {
            self.write_states(&mut picture, shown);
        }
        let top = self.top();
        self.write_status(&mut picture, step);
        if let Some(event) = &self.states[step].event {
            let fitting = fitting(event, Face::Italic, self.width - 2 * MARGIN);
            write(&mut picture, MARGIN, top + GAP + LINE_HEIGHT, &fitting, (Face::Italic, EVENT_TEXT));
        }
        let sight_bottom = top + GAP + 2 * LINE_HEIGHT + SIGHT_HEIGHT;
        let ground_bottom = sight_bottom + GAP + GROUND_HEIGHT;
        for x in MARGIN..self.width - MARGIN {
            let at = self.step_at(x);
            let state = &self.states[at];
            if at <= step {
                let share = state.cells_in_sight as f32 / self.max_in_sight as f32;
                let height = ((share * SIGHT_HEIGHT as f32).round() as i32).max(1);
                picture.fill(x, sight_bottom - height, 1, height, scale(SIGHT, 0.62));
                picture.fill(x, sight_bottom - height, 1, height.min(2), SIGHT);
            }
            if let Some(height) = self.ground_height(at) {
                let is_walked = at <= step;
                let colour = if is_walked { state.ground_colour } else { mix(BACKGROUND, state.ground_colour, 0.45) };
                picture.fill(x, ground_bottom - height, 1, height, colour);
            }
        }
        let x = self.column_of(step) as f32 + 0.5;
        let y = self.ground_height(step).map_or(sight_bottom, |height| ground_bottom - height) as f32;
        picture.disc(x, y, 4.2, [255.0; 3]);
        picture.disc(x, y, 3.2, VIEWER);
        picture
    }

    /// Writes the names of both states, at the left and at the right, and the hidden one in pale letters.
    fn write_states(&self, picture: &mut Picture, ShownState { names, index }: ShownState<'_>) {
        for (i, name) in names.iter().enumerate() {
            let name = fitting(name, Face::Roman, (self.width - 2 * MARGIN - SPACE) / 2);
            let x = if i == 0 { MARGIN } else { self.width - MARGIN - width(&name, Face::Roman) };
            let colour = if i == index { TEXT } else { mix(BACKGROUND, TEXT, 0.3) };
            write(picture, x, GAP, &name, (Face::Roman, colour));
        }
    }

    /// Writes the step on the right, and the texts that fit on the left.
    fn write_status(&self, picture: &mut Picture, step: usize) {
        let counter = format!("{step}/{}", self.states.len() - 1);
        let mut free = self.width - 2 * MARGIN;
        let counter_width = width(&counter, Face::Roman);
        if counter_width <= free {
            free -= counter_width + SPACE;
            let x = self.width - MARGIN - counter_width;
            write(picture, x, self.top(), &counter, (Face::Roman, STEP_TEXT));
        }
        let StepState { ground, cells_in_sight, .. } = &self.states[step];
        let ground = ground.map(|GroundUnderViewer { biome, height_m }| format!("{}, {height_m:.0} m", biome.name()));
        let in_sight = format!("{} cells in sight", group_digits(*cells_in_sight));
        let mut x = MARGIN;
        for words in ground.into_iter().chain([in_sight]) {
            let width = width(&words, Face::Roman);
            if width > free {
                break;
            }
            write(picture, x, self.top(), &words, (Face::Roman, TEXT));
            free -= width + SPACE;
            x += width + SPACE;
        }
    }

    /// Returns the height of the ground in the profile, in pixels.
    fn ground_height(&self, step: usize) -> Option<i32> {
        let Range { start, end } = self.profile_m.clone()?;
        let height_m = self.states[step].ground?.height_m.max(0.0);
        Some(3 + ((GROUND_HEIGHT - 3) as f32 * (height_m - start) / (end - start)).round() as i32)
    }

    /// Returns the step that a column of the profile shows.
    fn step_at(&self, x: i32) -> usize {
        let (last, columns) = (self.states.len() - 1, self.columns());
        (((x - MARGIN) as usize * last + columns / 2) / columns).min(last)
    }

    fn column_of(&self, step: usize) -> i32 {
        let last = (self.states.len() - 1).max(1);
        MARGIN + ((step * self.columns() + last / 2) / last) as i32
    }

    /// Returns the distance between the first and the last column of the profile.
    fn columns(&self) -> usize {
        (self.width - 2 * MARGIN - 1).max(1) as usize
    }
}

/// Truncates a text to a number of pixels.
fn fitting(text: &str, face: Face, pixels: i32) -> String {
    let mut fitting = text.to_owned();
    while width(&fitting, face) > pixels && fitting.pop().is_some() {}
    fitting
}

/// The space between texts, in pixels.
const SPACE: i32 = 18;

/// Returns the width of a text, in whole pixels.
fn width(text: &str, face: Face) -> i32 {
    lettering::width(text, face, TEXT_SIZE, 0.0).ceil() as i32
}

/// Writes a text with the upper left corner of its line at a pixel.
fn write(picture: &mut Picture, x: i32, y: i32, text: &str, (face, colour): (Face, Colour)) {
    let at = vec2(x as f32, (y + LINE_HEIGHT / 2) as f32);
    lettering::draw(picture, at, Anchor::Left, text, &Lettering::new(face, TEXT_SIZE, colour));
}

#[derive(Debug)]
pub(super) struct StepState {
    /// The ground under the viewer, or `None` on an opacity map.
    ground: Option<GroundUnderViewer>,
    ground_colour: Colour,
    /// The number of cells that are at least glimpsed.
    cells_in_sight: usize,
    /// The message of the latest event.
    event: Option<String>,
}

/// The ground under the viewer.
#[derive(Clone, Copy, Debug)]
struct GroundUnderViewer {
    biome: Biome,
    /// Metres above the sea.
    height_m: f32,
}

/// Walks through a copy of the scene and returns the state after each step, and before the first.
pub(super) fn simulate_walk(
    scene: &Scene,
    itinerary: &Itinerary,
    steps_per_frame: usize,
    job: Job<'_>,
) -> Result<Vec<StepState>, FilmError> {
    let cells = itinerary.cells();
    let grounds: Vec<Option<GroundUnderViewer>> = cells.iter().map(|&cell| ground(scene, cell)).collect();
    let biomes: Vec<Option<Biome>> = grounds.iter().map(|ground| ground.map(|ground| ground.biome)).collect();
    let mut feed = CaptionFeed::new(&biomes, steps_per_frame);
    let mut scene = scene.clone();
    let mut states = Vec::with_capacity(cells.len());
    for (step, &cell) in cells.iter().enumerate() {
        if step > 0 {
            scene.step(cell - cells[step - 1])?;
        }
        job.report("walking", step as f32 / cells.len() as f32)?;
        let cells_in_sight = count_cells_in_sight(&scene);
        states.push(StepState {
            ground: grounds[step],
            ground_colour: ground_colour(&scene, scene.viewer()),
            cells_in_sight,
            event: feed.line(step, &scene, cells_in_sight),
        });
    }
    Ok(states)
}

fn ground(scene: &Scene, cell: IVec2) -> Option<GroundUnderViewer> {
    let world = scene.world()?;
    Some(GroundUnderViewer { biome: *world.biome().get(cell)?, height_m: *world.ground_m().get(cell)? })
}

fn count_cells_in_sight(scene: &Scene) -> usize {
    let frame = scene.sight_frame();
    let cells = (frame.min.y..frame.max.y).flat_map(|y| (frame.min.x..frame.max.x).map(move |x| ivec2(x, y)));
    cells.filter(|&cell| scene.sense(cell) > Recognition::Hidden).count()
}

/// The minimum number of frames of a message, unless a more important event happens.
const MIN_FRAMES: usize = 8;

/// The maximum number of frames of a message.
const MAX_FRAMES: usize = 24;

/// The number of steps in a biome after which it counts as entered, since borders are ragged.
const SETTLED_STEPS: usize = 3;

/// The number of steps between compared views.
const VIEW_STEPS: usize = 4;

enum WalkEvent {
    /// The nearest creature with improved recognition.
    Creature(CreatureEvent),
    /// The viewer enters a biome.
    Biome(Biome),
    /// The view has opened to this many cells.
    ViewOpens(usize),
    /// The view has closed to this many cells.
    ViewCloses(usize),
}

impl WalkEvent {
    /// Returns the priority of the event, 0 to 3. A higher priority replaces the message of a lower one at once.
    fn importance(&self) -> u8 {
        match self {
            Self::Creature(event) if event.recognition == Recognition::Identified => 3,
            Self::Biome(_) => 2,
            Self::ViewOpens(_) | Self::ViewCloses(_) => 1,
            Self::Creature(_) => 0,
        }
    }

    /// Returns the current message, or `None` after the event has ended.
    fn line(&self, scene: &Scene, cells_in_sight: usize) -> Option<String> {
        match *self {
            Self::Creature(event) => event.line(scene.creatures().all(), scene.viewer()),
            Self::Biome(biome) => Some(format!("into the {}", biome.name())),
            Self::ViewOpens(cells) => (cells_in_sight >= cells).then(|| "the view opens".into()),
            Self::ViewCloses(cells) => (cells_in_sight <= cells).then(|| "the view closes in".into()),
        }
    }
}

/// Chooses the message of the caption during a walk.
struct CaptionFeed {
    /// The biome that the viewer enters at each step.
    entered: Vec<Option<Biome>>,
    /// The number of cells in sight after each step so far.
    cells_in_sight: Vec<usize>,
    creatures: CreatureWatch,
    /// The event of the message, and the step at which it appeared.
    shown: Option<(WalkEvent, usize)>,
    steps_per_frame: usize,
}

impl CaptionFeed {
    /// Creates a feed for a walk through biomes, one for each step.
    fn new(biomes: &[Option<Biome>], steps_per_frame: usize) -> Self {
        let entered = entered_biomes(biomes);
        Self { entered, cells_in_sight: Vec::new(), creatures: CreatureWatch::default(), shown: None, steps_per_frame }
    }

    /// Returns the message after a step. It must be called for every step, in order.
    fn line(&mut self, step: usize, scene: &Scene, cells_in_sight: usize) -> Option<String> {
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

/// Returns for each step the biome that the viewer enters, if any.
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
    use farsight::sight::OpacityMap;

    /// Returns the lines for a viewer who jumps from cell to cell on an open plain with a deer on 30,10.
    fn lines(viewers: &[IVec2], cells_in_sight: &[usize]) -> Vec<Option<String>> {
        let mut preset = Preset::bare_kernel();
        preset.set("creatures", "[{ kind = \"deer\", at = [30, 10] }]").unwrap();
        preset.set("perception.creatures", "0").unwrap();
        preset.set("sight.radius", "12").unwrap();
        let mut scene =
            Scene::from_map(preset, OpacityMap::clear(60, 20).unwrap(), Some(ivec2(0, 0)), Job::none()).unwrap();
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
