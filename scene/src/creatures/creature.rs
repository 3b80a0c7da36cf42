//! [`Creatures`]: spawned in the habitats of their species; they wander by a deterministic function of the seed.
//! [`PlacedCreature`]: an entry of `[[creatures]]`.

use farsight::grid::ToCell;
use glam::{IVec2, ivec2};
use serde::{Deserialize, Serialize};

use super::species::{self, Eyes, Habitat, Species};
use crate::math::shortest_decimal;
use crate::world::NEIGHBOURS;
use farsight::internal::math::SplitMix64;
use farsight::light::Rgb;
use farsight::perception::OutOfSight;
use farsight::perception::{Recognition, Thresholds};
use farsight::setters;
use farsight::sight::Sector;

/// One creature.
#[derive(Clone, Debug, PartialEq)]
pub struct Creature {
    /// Its species.
    pub species: &'static Species,
    /// Its cell.
    pub cell: IVec2,
    /// The current recognition by the viewer.
    pub recognition: Recognition,
    /// The cell where the viewer saw it last, until the viewer sees that cell again.
    pub last_seen: Option<IVec2>,
    /// `true` if the viewer has identified it, and has not lost track of it since.
    pub is_known: bool,
    /// Its direction of view, in degrees clockwise from the top of the map: that of its last step, if it has eyes.
    pub facing: f64,
    /// Its recognition of the viewer: hidden without eyes.
    pub noticed: Recognition,
}

impl Creature {
    pub(super) fn new(species: &'static Species, cell: IVec2) -> Self {
        let (facing, hidden) = (PlacedCreature::FACING, Recognition::Hidden);
        Self { species, cell, recognition: hidden, last_seen: None, is_known: false, facing, noticed: hidden }
    }

    /// Returns the cell of its mark: its cell if it is perceived, otherwise the cell where it was last seen.
    pub fn mark_cell(&self) -> Option<IVec2> {
        match self.recognition {
            Recognition::Hidden => self.last_seen,
            _ => Some(self.cell),
        }
    }

    /// Describes the viewer's knowledge of it, such as `deer, identified`, `guard, identified, sees you` or `deer, last
    /// seen here`. `visibility` is that of its cell.
    pub fn description(&self, visibility: f32) -> String {
        match self.recognition {
            Recognition::Identified => format!("{}, identified{}", self.species.name, self.words_on_viewer()),
            Recognition::Glimpsed => {
                format!("{}, glimpsed ({:.2})", self.name(), visibility * self.species.conspicuity)
            }
            Recognition::Hidden => format!("{}, last seen here", self.name()),
        }
    }

    /// Returns the name of its species if the viewer knows it, otherwise `something`.
    pub fn name(&self) -> &'static str {
        if self.is_known { self.species.name } else { "something" }
    }

    /// Describes the recognition of the viewer by a creature with eyes.
    fn words_on_viewer(&self) -> &'static str {
        match (self.species.eyes, self.noticed) {
            (None, _) => "",
            (_, Recognition::Hidden) => ", does not see you",
            (_, Recognition::Glimpsed) => ", glimpses you",
            (_, Recognition::Identified) => ", sees you",
        }
    }

    /// Returns the [description](Self::description) with the reason for a glimpse, such as
    /// `something, glimpsed: too faint to tell from here (cell 0.83 × conspicuity 0.25 = 0.21, identified from 0.35)`.
    /// `visibility` is that of its cell, and `identify` the threshold of identification.
    pub fn explanation(&self, visibility: f32, identify: f32) -> String {
        if self.recognition != Recognition::Glimpsed {
            return self.description(visibility);
        }
        let conspicuity = self.species.conspicuity;
        let perceived = visibility * conspicuity;
        let (name, fault) = match self.is_known {
            true => (self.species.name, "faint"),
            false => ("something", "too faint to tell"),
        };
        format!(
            "{name}, glimpsed: {fault} from here (cell {visibility:.2} \u{d7} conspicuity {conspicuity:.2} = \
            {perceived:.2}, identified from {identify:.2})"
        )
    }
}

/// The mark of a creature on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sighting {
    /// Its glyph, on its cell.
    Identified(&'static Species, IVec2),
    /// A question mark, on its cell.
    Glimpsed(IVec2),
    /// A pale glyph at the last known position of a known creature.
    Remembered(&'static Species, IVec2),
    /// A stale question mark at its last known position.
    Stale(IVec2),
}

impl Sighting {
    /// Returns the cell of the mark.
    pub fn cell(&self) -> IVec2 {
        match *self {
            Self::Identified(_, cell) | Self::Glimpsed(cell) | Self::Remembered(_, cell) | Self::Stale(cell) => cell,
        }
    }
}

/// All creatures of a world. They take a turn when the viewer does.
///
/// ```
/// use farsight_scene::creatures::{Creatures, Habitat, Species};
/// use farsight::perception::{OutOfSight, Thresholds};
/// use farsight::glam::{IVec2, ivec2};
/// let floor = |cell: IVec2| (cell.cmpge(IVec2::ZERO).all() && cell.cmplt(ivec2(20, 9)).all()).then_some(Habitat::Floor);
/// let mut creatures = Creatures::spawn(7, ivec2(20, 9), 0.0, floor); // none at random
/// creatures.add(Species::named("rat").expect("a species"), ivec2(12, 4));
/// let viewer = ivec2(2, 4);
/// creatures.wander(viewer, floor);
///
/// let thresholds = Thresholds { identify: 0.25, glimpse: 0.05, hysteresis: 0.02 };
/// let perceived = |_cell: IVec2| 0.2; // visibility × light; a rat shows 0.6 of that
/// creatures.update_recognition(thresholds, OutOfSight::Remember, perceived, |_cell| true);
/// let rat = &creatures.all()[0];
/// assert_eq!(rat.description(0.2), "something, glimpsed (0.12)");
/// ```
#[derive(Clone, Debug)]
pub struct Creatures {
    seed: u64,
    turn: u64,
    all: Vec<Creature>,
}

/// The maximum number of creatures in a world.
const MAX_SPAWNED: u64 = 20_000;

impl Creatures {
    /// Spawns `per_10000` creatures (0 to 1000) on 10,000 cells of a map of this size. `habitat` returns the habitat of
    /// a cell, or `None` for no habitat.
    pub fn spawn(seed: u64, size: IVec2, per_10000: f64, habitat: impl Fn(IVec2) -> Option<Habitat>) -> Self {
        let tries = (f64::from(size.x) * f64::from(size.y) * per_10000 / 10_000.0).round() as u64;
        let mut all = Vec::new();
        for id in 0..tries.min(MAX_SPAWNED) {
            let [x, y, pick] = [0, 1, 2].map(|salt| hash(seed, id, salt));
            let cell = ivec2(below(x, size.x as u64) as i32, below(y, size.y as u64) as i32);
            if let Some(species) = habitat(cell).and_then(|habitat| species::pick(habitat, pick)) {
                all.push(Creature::new(species, cell));
            }
        }
        Self { seed, turn: 0, all }
    }

    /// Adds a creature on a cell.
    pub fn add(&mut self, species: &'static Species, cell: impl ToCell) {
        let cell = cell.to_cell();
        self.all.push(Creature::new(species, cell));
    }

    /// Adds a placed creature.
    pub(crate) fn place(&mut self, placed: &PlacedCreature) {
        self.all.push(Creature { facing: placed.facing, ..Creature::new(placed.kind, placed.at) });
    }

    /// Updates a creature's recognition of the viewer from its perceived visibility, with hysteresis.
    pub(crate) fn set_noticed(&mut self, index: usize, thresholds: Thresholds, perceived: f32) {
        if let Some(creature) = self.all.get_mut(index) {
            creature.noticed = thresholds.classify_after(perceived, creature.noticed);
        }
    }

    /// Returns the number of turns so far.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Replaces the creatures by saved ones, after this many turns in the world of a seed.
    pub fn restore(&mut self, seed: u64, turn: u64, all: Vec<Creature>) {
        *self = Self { seed, turn, all };
    }

    /// Returns all creatures.
    pub fn all(&self) -> &[Creature] {
        &self.all
    }

    /// Moves each creature for a turn: it stays, or moves to one of the eight neighbours in its habitat, but never onto
    /// `viewer`.
    pub fn wander(&mut self, viewer: IVec2, habitat: impl Fn(IVec2) -> Option<Habitat>) {
        self.turn = self.turn.wrapping_add(1);
        for (id, creature) in self.all.iter_mut().enumerate() {
            let random = hash(self.seed ^ 0x77_61_6e_64_65_72, id as u64, self.turn);
            if (random >> 40) % 100 >= u64::from(creature.species.restlessness) {
                continue;
            }
            let goal = creature.cell + NEIGHBOURS[below(random, 8) as usize];
            if goal != viewer && habitat(goal).is_some_and(|habitat| creature.species.lives_in(habitat)) {
                if let Some(eyes) = creature.species.eyes {
                    creature.facing = Sector::towards(goal - creature.cell, eyes.span).facing;
                }
                creature.cell = goal;
            }
        }
    }

    /// Updates the viewer's recognition of each creature. `perceived` returns visibility × light of a cell, which is
    /// multiplied by the conspicuity of the species; `in_sight` returns `true` if the visibility of a cell is above 0.
    pub fn update_recognition(
        &mut self,
        thresholds: Thresholds,
        out_of_sight: OutOfSight,
        perceived: impl Fn(IVec2) -> f32,
        in_sight: impl Fn(IVec2) -> bool,
    ) {
        let remembers = out_of_sight == OutOfSight::Remember;
        for creature in &mut self.all {
            let visibility = perceived(creature.cell) * creature.species.conspicuity;
            creature.recognition = thresholds.classify_after(visibility, creature.recognition);
            creature.last_seen = match (creature.recognition, creature.last_seen) {
                (Recognition::Hidden, Some(cell)) if remembers && !in_sight(cell) => Some(cell),
                (Recognition::Hidden, _) => None,
                _ => Some(creature.cell),
            };
            creature.is_known =
                creature.recognition == Recognition::Identified || creature.is_known && creature.last_seen.is_some();
        }
    }

    /// Iterates over the marks on the map, those of creatures out of sight first.
    pub fn sightings(&self) -> impl Iterator<Item = Sighting> + '_ {
        let hidden = self.all.iter().filter(|creature| creature.recognition == Recognition::Hidden);
        let seen = self.all.iter().filter_map(|creature| match creature.recognition {
            Recognition::Hidden => None,
            Recognition::Glimpsed => Some(Sighting::Glimpsed(creature.cell)),
            Recognition::Identified => Some(Sighting::Identified(creature.species, creature.cell)),
        });
        let stale = hidden.filter_map(|creature| {
            let mark = |cell| {
                if creature.is_known { Sighting::Remembered(creature.species, cell) } else { Sighting::Stale(cell) }
            };
            creature.last_seen.map(mark)
        });
        stale.chain(seen)
    }

    /// Forgets the last known positions of hidden creatures.
    pub fn forget(&mut self) {
        for creature in &mut self.all {
            if creature.recognition == Recognition::Hidden {
                (creature.last_seen, creature.is_known) = (None, false);
            }
        }
    }
}

/// Returns a number below `bound` from 32 bits of a hash.
fn below(hash: u64, bound: u64) -> u64 {
    ((hash & 0xffff_ffff) * bound) >> 32
}

fn hash(seed: u64, id: u64, salt: u64) -> u64 {
    SplitMix64::mix(SplitMix64::mix(SplitMix64::mix(seed) ^ id) ^ salt)
}

/// A creature that starts on a chosen cell, in addition to randomly spawned ones. An entry of `[[creatures]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CreatureEntry", into = "CreatureEntry")]
#[non_exhaustive]
pub struct PlacedCreature {
    /// Its initial cell, from which it wanders like all creatures.
    pub at: IVec2,
    /// Its species.
    pub kind: &'static Species,
    /// Its direction of view until its first step, in degrees clockwise from the top of the map.
    pub facing: f64,
}

impl PlacedCreature {
    /// The initial direction of view: east.
    pub const FACING: f64 = 90.0;

    /// Places a creature of a species on a cell. It looks east.
    pub fn new(at: impl ToCell, kind: &'static Species) -> Self {
        let at = at.to_cell();
        Self { at, kind, facing: Self::FACING }
    }

    setters! {
        with_facing(facing: f64),
    }
}

/// The keys of an entry. Missing keys of the species have the values of the shipped species of that name, or of
/// [`Species::new`].
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CreatureEntry {
    at: IVec2,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    facing: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    glyph: Option<char>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    colour: Option<Rgb>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    conspicuity: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restlessness: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    night_vision: Option<f64>,
}

impl TryFrom<CreatureEntry> for PlacedCreature {
    type Error = String;

    fn try_from(entry: CreatureEntry) -> Result<Self, String> {
        let CreatureEntry { at, kind, facing, glyph, colour, conspicuity, restlessness, radius, span, night_vision } =
            entry;
        let facing = facing.unwrap_or(Self::FACING);
        let mut species = match (Species::named(&kind), glyph) {
            (Some(shipped), _) => shipped.clone(),
            (None, Some(glyph)) => Species::new(Species::intern_name(&kind).map_err(|error| error.to_string())?, glyph),
            (None, None) => {
                let shipped = Species::NAMES.join(", ");
                return Err(format!(
                    "creature {kind:?} is not known: expected {shipped}, or a name of your own with a glyph"
                ));
            }
        };
        species.glyph = glyph.unwrap_or(species.glyph);
        species.colour = colour.map_or(species.colour, |Rgb(colour)| colour);
        species.conspicuity = conspicuity.map_or(species.conspicuity, |share| share as f32);
        species.restlessness = restlessness.unwrap_or(species.restlessness);
        if radius.is_some() || span.is_some() || night_vision.is_some() {
            let default = Eyes::default();
            species.eyes = Some(Eyes {
                radius: radius.unwrap_or(default.radius),
                span: span.unwrap_or(default.span),
                night_vision: night_vision.map_or(default.night_vision, |share| share as f32),
            });
        }
        let kind = species.intern().map_err(|error| format!("creature {kind:?}: {error}"))?;
        Ok(Self { at, kind, facing })
    }
}

impl From<PlacedCreature> for CreatureEntry {
    fn from(placed: PlacedCreature) -> Self {
        let PlacedCreature { at, kind: species, facing } = placed;
        let shipped = Species::named(species.name);
        let usual = shipped.cloned().unwrap_or_else(|| Species::new(species.name, species.glyph));
        let eyes = species.eyes;
        Self {
            at,
            kind: species.name.to_owned(),
            facing: (facing != PlacedCreature::FACING).then_some(facing),
            glyph: (shipped.is_none() || species.glyph != usual.glyph).then_some(species.glyph),
            colour: (species.colour != usual.colour).then_some(Rgb(species.colour)),
            conspicuity: (species.conspicuity != usual.conspicuity).then(|| shortest_decimal(species.conspicuity)),
            restlessness: (species.restlessness != usual.restlessness).then_some(species.restlessness),
            radius: eyes.map(|eyes| eyes.radius),
            span: eyes.map(|eyes| eyes.span).filter(|span| *span != Eyes::default().span),
            night_vision: eyes.map(|eyes| eyes.night_vision).filter(|share| *share != 0.0).map(shortest_decimal),
        }
    }
}
