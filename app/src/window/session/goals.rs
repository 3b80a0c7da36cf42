//! [`Goal`]: a small task in the land with a score; [`Journal`]: the identified species; [`Goals`]: both.

use std::sync::LazyLock;

use crate::background::refresh_if_quick;
use crate::document::Command;
use crate::window::view::{Gaze, GoalMarks};
use farsight::grid::CellRect;
use farsight::perception::Recognition;
use farsight_scene::creatures::{Eyes, PlacedCreature, Species};
use farsight_scene::explain::{Cause, Explanation};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::text::group_digits;
use farsight_scene::world::{Place, PlaceKind, Water};
use glam::{IVec2, ivec2};

/// A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalKind {
    /// Identifies all initially glimpsed creatures before dusk.
    Identify,
    /// Finds the summit with the maximum number of visible cells.
    Summit,
    /// Makes initially hidden land around the start visible, with three lookouts.
    Cover,
    /// Reaches a shore before a wolf identifies the viewer.
    Shore,
}

/// The current task and its progress.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    kind: GoalKind,
    /// The settings at its start.
    preset: Preset,
    /// The object of the task: the creatures by their numbers, the initially hidden cells of an area, or the shore. The
    /// place is also the best one so far.
    creatures: Vec<usize>,
    hidden: Vec<IVec2>,
    valley: CellRect,
    place: IVec2,
    /// The distance to the shore, or the areas in sight, in words.
    words: String,
    /// The hour at the start, if the task has started the clock.
    hour: Option<f64>,
    marks: GoalMarks,
    /// The score and the score that completes the task: creatures, cells in sight, percent, or remaining cells.
    score: usize,
    needed: usize,
    /// The turns of the document at the start, and the turns since.
    first_turn: u64,
    turns: u64,
    pub(crate) state: GoalState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalState {
    Open,
    /// Whether the air, the sight or the land has changed since the start.
    Paused,
    Done,
    Failed,
}

/// The current goal and the journal.
#[derive(Debug, Default)]
pub(crate) struct Goals {
    /// Whether the card is shown.
    pub(crate) is_open: bool,
    pub(crate) goal: Option<Goal>,
    pub(crate) journal: Journal,
}

impl Goals {
    /// Updates journal and goal after a change of the scene, by the revision and the turns of its document. A goal ends with its world.
    pub(crate) fn update(&mut self, scene: &Scene, revision: u64, turns: u64) {
        if std::mem::replace(&mut self.journal.revision, revision) == revision {
            return;
        }
        self.journal.update(scene);
        self.goal.take_if(|goal| goal.preset.world != scene.preset().world);
        if let Some(goal) = &mut self.goal {
            goal.update(scene, turns);
        }
    }
}

/// The number of hidden creatures to search if no question mark is in sight, their maximum distance, and the side of the
/// area of each, in cells.
const SEARCHED: usize = 3;
const SEARCH_DISTANCE: i32 = 60;
const SEARCH_SIDE: i32 = 12;

/// The minimum daylight before dusk.
const DUSK: f64 = 0.5;

/// The half side, in cells, of the square around the start for lookouts to cover, and the required fraction, in
/// percent.
const VALLEY: u32 = 24;
const COVERED: usize = 80;
const LOOKOUTS: usize = 3;

/// The required fraction of the cells visible from the best summit, in percent.
const NEARLY_BEST: usize = 95;

/// The distances of the shore in steps, and the number of wolves on the route.
const SHORE_STEPS: std::ops::RangeInclusive<usize> = 25..=120;
const WOLVES: usize = 4;
const EYES: u32 = 9;

/// A wolf that searches for the viewer.
static WOLF: LazyLock<Option<&'static Species>> = LazyLock::new(|| {
    let wolf = Species::named("wolf")?.clone().with_eyes(Eyes::default().with_radius(EYES));
    wolf.intern().ok()
});

impl GoalKind {
    pub(crate) const ALL: [Self; 4] = [Self::Identify, Self::Summit, Self::Cover, Self::Shore];

    /// Returns the task in a sentence.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::Identify => "Identify every question mark before dusk.",
            Self::Summit => "Find the summit with the widest view.",
            Self::Cover => "Cover the valley with three lookouts.",
            Self::Shore => "Reach the far shore unseen by wolves.",
        }
    }
}

impl Goal {
    /// Starts a task in a scene, with the turns of its document. Also returns its change of the document. It is an
    /// error if the land does not suit the task.
    pub(crate) fn begin(kind: GoalKind, scene: &Scene, first_turn: u64) -> Result<(Self, Vec<Command>), &'static str> {
        let start = scene.viewer();
        let mut goal = Self {
            kind,
            preset: scene.preset().clone(),
            creatures: Vec::new(),
            hidden: Vec::new(),
            valley: CellRect::around(start, VALLEY).intersect(CellRect::of_size(scene.size())),
            place: start,
            words: String::new(),
            hour: None,
            marks: GoalMarks::default(),
            score: 0,
            needed: 0,
            first_turn,
            turns: 0,
            state: GoalState::Open,
        };
        let mut commands = Vec::new();
        match kind {
            GoalKind::Identify => {
                let glimpsed = scene.creatures().all().iter().enumerate();
                let glimpsed = glimpsed.filter(|(_, it)| it.recognition == Recognition::Glimpsed && !it.is_known);
                goal.creatures = glimpsed.map(|(number, _)| number).collect();
                if goal.creatures.is_empty() {
                    goal.creatures = hidden_creatures(scene);
                }
                goal.needed = goal.creatures.len();
                if goal.creatures.is_empty() {
                    return Err("There is no question mark near: walk on and try again.");
                }
                if scene.clock().daylight() < DUSK {
                    return Err("It is too late in the day: wait for the morning (K).");
                }
                if !scene.clock().runs {
                    goal.hour = Some(scene.clock().hour);
                    commands.push(Command::ToggleClock);
                }
            }
            GoalKind::Summit => {
                goal.needed = best_summit(scene).ok_or("This land has no summits.")? * NEARLY_BEST / 100;
            }
            GoalKind::Cover => {
                let valley = goal.valley;
                goal.hidden = valley.cells().filter(|cell| is_hidden(scene, *cell)).collect();
                goal.needed = COVERED;
                if goal.hidden.len() * 5 < valley.cells().count() {
                    return Err("Nearly all of the valley is in sight already: begin elsewhere.");
                }
            }
            GoalKind::Shore => {
                let (shore, route) = far_shore(scene).ok_or("No far shore can be reached from here on foot.")?;
                (goal.place, goal.score) = (shore, route.len());
                let wolf = WOLF.ok_or("There are no wolves.")?;
                let places = wolf_places(scene, &route);
                commands.extend(places.into_iter().map(|at| Command::AddCreature(PlacedCreature::new(at, wolf))));
            }
        }
        goal.update(scene, first_turn);
        Ok((goal, commands))
    }

    /// Returns the marks on the map.
    pub(crate) fn marks(&self) -> GoalMarks {
        self.marks.clone()
    }

    /// Returns the changes of the document at the end of the task: they stop a clock that the task has started, and set it
    /// back. `now` is the present hour.
    pub(crate) fn end(&self, clock_runs: bool, now: f64) -> Vec<Command> {
        let Some(hour) = self.hour.filter(|_| clock_runs) else { return Vec::new() };
        // The hour of a scene follows that of its preset only if the latter changes.
        let [now, hour] = [now, hour].map(|hour| Command::Set("clock.hour", Some(toml::Value::Float(hour))));
        vec![now, hour, Command::ToggleClock]
    }

    /// Updates state and score after a change of the scene. `turn` is that of its document.
    pub(crate) fn update(&mut self, scene: &Scene, turn: u64) {
        self.update_state(scene, turn);
        self.marks = match self.state {
            GoalState::Open | GoalState::Paused => self.marks_in(scene),
            GoalState::Done | GoalState::Failed => GoalMarks::default(),
        };
    }

    fn update_state(&mut self, scene: &Scene, turn: u64) {
        if matches!(self.state, GoalState::Done | GoalState::Failed) {
            return;
        }
        if !has_same_rules(&self.preset, scene.preset()) {
            self.state = GoalState::Paused;
            return;
        }
        self.turns = turn - self.first_turn;
        let creatures = scene.creatures().all();
        let is_failed = match self.kind {
            GoalKind::Identify => {
                let known = self.creatures.iter().filter(|&&i| creatures.get(i).is_some_and(|it| it.is_known));
                self.score = self.score.max(known.count());
                self.score < self.needed && scene.clock().daylight() < DUSK
            }
            GoalKind::Summit => {
                let seen = cells_in_sight(scene);
                if seen > self.score {
                    (self.score, self.place) = (seen, scene.viewer());
                }
                self.words = format!(
                    "at most {} in sight so far, {} needed",
                    scene.area_in_words(self.score),
                    scene.area_in_words(self.needed)
                );
                false
            }
            GoalKind::Cover => {
                let seen = self.hidden.iter().filter(|cell| !is_hidden(scene, **cell)).count();
                let is_allowed = scene.observers().len() <= LOOKOUTS;
                self.score = if is_allowed { seen * 100 / self.hidden.len().max(1) } else { 0 };
                false
            }
            GoalKind::Shore => {
                self.score = scene.route(scene.viewer(), self.place).map_or(usize::MAX, |route| route.len());
                self.words = distance_in_words(scene, self.place);
                creatures.iter().any(|it| it.species.eyes.is_some() && it.noticed == Recognition::Identified)
            }
        };
        let is_done = match self.kind {
            GoalKind::Shore => self.score == 0,
            _ => self.score >= self.needed,
        };
        self.state = match (is_failed, is_done) {
            (true, _) => GoalState::Failed,
            (_, true) => GoalState::Done,
            _ => GoalState::Open,
        };
    }

    fn marks_in(&self, scene: &Scene) -> GoalMarks {
        let mut marks = GoalMarks::default();
        match self.kind {
            GoalKind::Identify => {
                let all = scene.creatures().all();
                for creature in self.creatures.iter().filter_map(|&i| all.get(i)).filter(|it| !it.is_known) {
                    match creature.mark_cell() {
                        Some(cell) => marks.rings.push(cell),
                        None => {
                            let min = creature.cell / SEARCH_SIDE * SEARCH_SIDE;
                            let area = CellRect { min, max: min + SEARCH_SIDE };
                            marks.areas.push(area.intersect(CellRect::of_size(scene.size())));
                        }
                    }
                }
            }
            GoalKind::Summit => marks.flag = Some(self.place),
            GoalKind::Cover => marks.areas = vec![self.valley],
            GoalKind::Shore => {
                marks.flag = Some(self.place);
                let steps = scene.route(scene.viewer(), self.place).unwrap_or_default();
                let walked = steps.iter().scan(scene.viewer(), |cell, step| {
                    *cell += *step;
                    Some(*cell)
                });
                marks.way = walked.collect();
                let seen = scene.creatures().all().iter().filter(|it| it.recognition != Recognition::Hidden);
                marks.gazes = seen
                    .filter_map(|it| {
                        let Eyes { radius, span, .. } = it.species.eyes?;
                        Some(Gaze { at: it.cell, radius, facing_deg: it.facing, span_deg: span })
                    })
                    .collect();
            }
        }
        marks
    }

    /// Returns the task in a sentence.
    pub(crate) fn sentence(&self) -> &'static str {
        self.kind.sentence()
    }

    /// Returns the progress of the task: `3 of 7 identified`.
    pub(crate) fn score(&self) -> String {
        let Self { kind, score, needed, .. } = *self;
        match kind {
            GoalKind::Identify => format!("{score} of {needed} identified"),
            GoalKind::Summit => self.words.clone(),
            GoalKind::Cover => format!("{score} % of the hidden land is in sight, {needed} % needed"),
            GoalKind::Shore if score == usize::MAX => "the shore cannot be reached from here".to_owned(),
            GoalKind::Shore if score == 0 => "0 steps to go".to_owned(),
            GoalKind::Shore => format!("{score} steps to go, {} away", self.words),
        }
    }

    /// Returns the result to share. It names no place, since others can play the same land.
    pub(crate) fn result(&self, land: &str) -> String {
        let how = match self.state {
            GoalState::Done => "Done",
            GoalState::Failed => "Failed",
            GoalState::Open | GoalState::Paused => "Not done yet",
        };
        let turns = if self.turns == 1 { "turn" } else { "turns" };
        format!(
            "farsight, {land}: {} {how} after {} {turns}: {}.",
            self.sentence(),
            group_digits(self.turns as usize),
            self.score()
        )
    }
}

/// Returns `true` if scores with these settings are comparable. A lantern is allowed.
fn has_same_rules(first: &Preset, now: &Preset) -> bool {
    let optics = now.optics.clone().with_lantern(first.optics.lantern);
    first.sight == now.sight
        && first.optics == optics
        && first.perception == now.perception
        && first.weather == now.weather
        && first.strokes == now.strokes
}

/// Returns the numbers of the nearest unknown creatures.
fn hidden_creatures(scene: &Scene) -> Vec<usize> {
    let distance = |cell: IVec2| (cell - scene.viewer()).abs().max_element();
    let unknown = scene.creatures().all().iter().enumerate().filter(|(_, it)| !it.is_known);
    let mut near: Vec<(i32, usize)> = unknown.map(|(number, it)| (distance(it.cell), number)).collect();
    near.retain(|(distance, _)| *distance <= SEARCH_DISTANCE);
    near.sort_unstable();
    near.into_iter().take(SEARCHED).map(|(_, number)| number).collect()
}

/// Returns the number of perceived cells.
fn cells_in_sight(scene: &Scene) -> usize {
    scene.seen_frame().cells().filter(|cell| !is_hidden(scene, *cell)).count()
}

fn is_hidden(scene: &Scene, cell: IVec2) -> bool {
    scene.sense(cell) == Recognition::Hidden
}

/// Returns the maximum number of cells in sight from a summit of the land.
fn best_summit(scene: &Scene) -> Option<usize> {
    let mut walker = scene.clone();
    let summits = scene.places().iter().filter(|place| place.kind == PlaceKind::Summit);
    let mut seen_from = |summit: &Place| {
        walker.defer(|walker| walker.place(summit.at)).ok()?;
        refresh_if_quick(&mut walker).ok()?;
        (!walker.is_stale()).then(|| cells_in_sight(&walker)) // slow views make no goal
    };
    summits.filter_map(&mut seen_from).max()
}

/// Returns the shore with the longest route, of those in 64 directions, and the steps to it.
fn far_shore(scene: &Scene) -> Option<(IVec2, Vec<IVec2>)> {
    let world = scene.world()?;
    let is_land = |cell: IVec2| world.water().get(cell) == Some(&Water::None);
    let is_shore = |cell: IVec2| {
        is_land(cell)
            && [ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1)]
                .iter()
                .any(|by| world.water().get(cell + *by).is_some_and(|water| *water != Water::None))
    };
    let directions = (-16..16).step_by(2).flat_map(|k| [ivec2(16, k), ivec2(-k, 16), ivec2(-16, -k), ivec2(k, -16)]);
    let shores = directions.filter_map(|direction| {
        let cell = |distance: i32| scene.viewer() + direction * distance / 16;
        let distances = (*SHORE_STEPS.start() as i32..*SHORE_STEPS.end() as i32).rev();
        let shore = distances.map(cell).find(|cell| is_shore(*cell))?;
        let route = scene.route(scene.viewer(), shore).filter(|route| SHORE_STEPS.contains(&route.len()))?;
        Some((shore, route))
    });
    shores.max_by_key(|(_, route)| route.len())
}

/// Returns habitable cells for wolves near a route.
fn wolf_places(scene: &Scene, route: &[IVec2]) -> Vec<IVec2> {
    let mut cell = scene.viewer();
    let mut places = Vec::new();
    for (i, step) in route.iter().enumerate() {
        cell += *step;
        let quarter = (i + 1) * (WOLVES + 1) / route.len().max(1);
        let side = ivec2(step.y, -step.x) * if quarter.is_multiple_of(2) { 5 } else { -5 };
        let is_next = quarter > places.len() && places.len() < WOLVES && i > EYES as usize;
        places.extend((is_next && scene.terrain().habitat(cell + side).is_some()).then_some(cell + side));
    }
    places
}

/// The identified species, each with its place.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    species: Vec<&'static str>,
    pub(crate) lines: Vec<String>,
    /// The revision of the last scene.
    revision: u64,
}

impl Journal {
    /// Adds newly identified species.
    fn update(&mut self, scene: &Scene) {
        for creature in scene.creatures().all().iter().filter(|it| it.recognition == Recognition::Identified) {
            if !self.species.contains(&creature.species.name) {
                self.species.push(creature.species.name);
                self.lines.push(line(scene, creature.species.name, creature.cell));
            }
        }
    }
}

/// Returns the distance from the viewer to a cell: `3.1 km`.
fn distance_in_words(scene: &Scene, cell: IVec2) -> String {
    let offset = cell - scene.viewer();
    match scene.world().map(|world| world.cell_size_at(scene.viewer()).distance_m(offset)) {
        Some(metres) if metres >= 1000.0 => format!("{:.1} km", metres / 1000.0),
        Some(metres) => format!("{metres:.0} m"),
        None => format!("{:.0} cells", offset.as_dvec2().length()),
    }
}

/// Returns `heron, 3.1 km, through haze`.
fn line(scene: &Scene, name: &str, cell: IVec2) -> String {
    let distance = distance_in_words(scene, cell);
    let loss = Explanation::of(scene, cell).ok().and_then(|it| it.losses.into_iter().next());
    match loss.filter(|loss| loss.share >= 0.05).map(|loss| loss.cause) {
        Some(Cause::Distance) | None => format!("{name}, {distance}"),
        Some(Cause::Dark) => format!("{name}, {distance}, in the dark"),
        Some(cause) => format!("{name}, {distance}, through {}", cause.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use farsight_scene::creatures::Observer;
    use farsight_scene::world::WorldConfig;

    fn on_plain(creatures: &str) -> Scene {
        let mut preset = Preset::bare_kernel();
        for (key, value) in [
            ("creatures", creatures),
            ("perception.creatures", "0"),
            ("sight.radius", "30"),
            ("sight.decay.kind", "linear"),
        ] {
            preset.set(key, value).unwrap();
        }
        Scene::from_map(preset, OpacityMap::clear(60, 20).unwrap(), Some(ivec2(4, 10)), Job::none()).unwrap()
    }

    fn in_world() -> Scene {
        let world = WorldConfig::default().with_width(160).with_height(160).with_seed(3);
        Scene::generate(Preset::shipped_default().with_world(world), None, Job::none()).unwrap()
    }

    #[test]
    fn question_marks_are_identified_one_by_one_and_written_down() {
        let mut scene = on_plain("[{ kind = \"bear\", at = [30, 10] }, { kind = \"bear\", at = [29, 4] }]");
        let mut journal = Journal::default();
        journal.update(&scene);
        assert!(journal.lines.is_empty());
        let (mut goal, commands) = Goal::begin(GoalKind::Identify, &scene, 7).unwrap();
        assert_eq!((goal.score(), commands), ("0 of 2 identified".to_owned(), vec![Command::ToggleClock]));
        assert_eq!(goal.marks().rings, [ivec2(30, 10), ivec2(29, 4)]);
        let [now, hour] = [15.5, scene.clock().hour].map(|hour| Command::Set("clock.hour", Some(hour.into())));
        assert_eq!(goal.end(true, 15.5), [now, hour, Command::ToggleClock], "the clock is given back");
        assert_eq!(goal.end(false, 15.5), [], "somebody has stopped it");
        scene.place(ivec2(26, 7)).unwrap();
        goal.update(&scene, 30);
        journal.update(&scene);
        assert_eq!((goal.state, &*goal.score()), (GoalState::Done, "2 of 2 identified"));
        assert_eq!(
            goal.result("seed 7"),
            "farsight, seed 7: Identify every question mark before dusk. Done after 23 turns: 2 of 2 identified."
        );
        assert_eq!(journal.lines.len(), 1, "each species once: {:?}", journal.lines);
        assert_eq!(journal.lines[0], "bear, 5 cells");
        assert_eq!(goal.marks(), GoalMarks::default());
        let nothing = on_plain("[]");
        assert!(Goal::begin(GoalKind::Identify, &nothing, 0).unwrap_err().contains("no question mark"));
    }

    #[test]
    fn creatures_out_of_sight_are_searched_in_marked_areas() {
        let row = format!("{}#{}\n", ".".repeat(8), ".".repeat(51));
        let map = OpacityMap::from_text(&row.repeat(20)).unwrap();
        let preset = on_plain("[{ kind = \"bear\", at = [30, 10] }]").preset().clone();
        let mut scene = Scene::from_map(preset, map, Some(ivec2(4, 10)), Job::none()).unwrap();
        let (mut goal, _) = Goal::begin(GoalKind::Identify, &scene, 0).unwrap();
        let area = CellRect { min: ivec2(24, 0), max: ivec2(36, 12) };
        assert_eq!((goal.score(), goal.marks().areas), ("0 of 1 identified".to_owned(), vec![area]));
        scene.place(ivec2(26, 10)).unwrap();
        goal.update(&scene, 9);
        assert_eq!(goal.state, GoalState::Done);
    }

    #[test]
    fn the_valley_is_covered_by_lookouts_and_not_by_more_than_three() {
        let plain = on_plain("[]");
        assert!(Goal::begin(GoalKind::Cover, &plain, 0).unwrap_err().contains("in sight already"));
        let row = format!("{}#{}\n", ".".repeat(8), ".".repeat(51));
        let map = OpacityMap::from_text(&row.repeat(20)).unwrap();
        let mut scene = Scene::from_map(plain.preset().clone(), map, Some(ivec2(4, 10)), Job::none()).unwrap();
        let (mut goal, _) = Goal::begin(GoalKind::Cover, &scene, 0).unwrap();
        assert_eq!((goal.state, &*goal.score()), (GoalState::Open, "0 % of the hidden land is in sight, 80 % needed"));
        let lookouts = |count: i32| (0..count).map(|i| Observer::new((18 + i, 10))).collect::<Vec<_>>();
        let preset = scene.preset().clone();
        scene.apply(preset.clone().with_viewers(lookouts(4))).unwrap();
        goal.update(&scene, 2);
        assert_eq!(goal.state, GoalState::Open, "four are too many");
        let easy = preset.clone().with([("sight.radius", 60.into())]).unwrap();
        scene.apply(easy.with_viewers(lookouts(1))).unwrap();
        goal.update(&scene, 3);
        assert_eq!(goal.state, GoalState::Paused, "nobody wins with a slider");
        scene.apply(preset.with_viewers(lookouts(1))).unwrap();
        goal.update(&scene, 3);
        assert_eq!(goal.state, GoalState::Done, "{}", goal.score());
        assert!(Goal::begin(GoalKind::Summit, &scene, 0).is_err() && Goal::begin(GoalKind::Shore, &scene, 0).is_err());
    }

    #[test]
    fn the_best_summit_is_enough_and_a_shore_is_reached_unless_a_wolf_sees_it() {
        let scene = in_world();
        let (mut goal, _) = Goal::begin(GoalKind::Summit, &scene, 0).unwrap();
        let summits: Vec<IVec2> =
            scene.places().iter().filter(|place| place.kind == PlaceKind::Summit).map(|place| place.at).collect();
        let mut walker = scene.clone();
        for at in summits {
            walker.place(at).unwrap();
            goal.update(&walker, 9);
        }
        assert_eq!(goal.state, GoalState::Done, "{}", goal.score());
        let (goal, commands) = Goal::begin(GoalKind::Shore, &scene, 0).unwrap();
        assert!(!commands.is_empty() && goal.state == GoalState::Open, "{commands:?}");
        let marks = goal.marks();
        assert_eq!(marks.way.last(), marks.flag.as_ref(), "the way leads to the flag");
        assert!(goal.score().contains(" steps to go, ") && goal.score().ends_with(" away"));
        let mut reached = scene.clone();
        reached.place(goal.marks().flag.unwrap()).unwrap();
        let mut won = goal.clone();
        won.update(&reached, 40);
        assert_eq!((won.state, &*won.score()), (GoalState::Done, "0 steps to go"));
        let wolf = PlacedCreature::new(scene.viewer() + ivec2(1, 0), WOLF.unwrap());
        let mut hunted = scene.clone();
        hunted.apply(scene.preset().clone().with_creatures(vec![wolf])).unwrap();
        let mut lost = goal;
        lost.update(&hunted, 1);
        assert_eq!(lost.state, GoalState::Failed);
    }
}
