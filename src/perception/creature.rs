//! [`Creatures`]: they live where their kind can, and wander deterministically from the seed.

use glam::{IVec2, ivec2};

use super::sense::{Sense, Thresholds};
use super::species::{self, Habitat, Species};
use crate::math::SplitMix64;
use crate::world::NEIGHBOURS;

/// One creature.
#[derive(Clone, Debug, PartialEq)]
pub struct Creature {
    /// What it is.
    pub species: &'static Species,
    /// Where it is.
    pub cell: IVec2,
    /// What the viewer makes of it now.
    pub sense: Sense,
    /// Where the viewer saw it last, as long as that place has not been looked at again.
    pub last_seen: Option<IVec2>,
}

/// What is drawn for a creature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sighting {
    /// Its glyph, where it is.
    Identified(&'static Species, IVec2),
    /// A question mark, where it is.
    Glimpsed(IVec2),
    /// A stale question mark, where one was last seen.
    Stale(IVec2),
}

impl Sighting {
    /// Where it is drawn.
    pub fn cell(&self) -> IVec2 {
        match *self {
            Self::Identified(_, cell) | Self::Glimpsed(cell) | Self::Stale(cell) => cell,
        }
    }
}

/// All creatures of a world. They take a turn when the viewer does.
#[derive(Clone, Debug)]
pub struct Creatures {
    seed: u64,
    turn: u64,
    all: Vec<Creature>,
}

/// More creatures than this are never kept, however large the world.
const MOST: usize = 20_000;

impl Creatures {
    /// Settles `per_10000` creatures on 10,000 cells of a map of this size, in [0, 1000]. `habitat`
    /// tells what can live on a cell; on `None` nothing can.
    pub fn settle(seed: u64, size: IVec2, per_10000: f64, habitat: impl Fn(IVec2) -> Option<Habitat>) -> Self {
        let tries = (f64::from(size.x) * f64::from(size.y) * per_10000 / 10_000.0).round() as u64;
        let mut all = Vec::new();
        for id in 0..tries.min(MOST as u64) {
            let [x, y, pick] = [0, 1, 2].map(|salt| hash(seed, id, salt));
            let cell = ivec2(below(x, size.x as u64) as i32, below(y, size.y as u64) as i32);
            if let Some(species) = habitat(cell).and_then(|place| species::living_in(place, pick)) {
                all.push(Creature { species, cell, sense: Sense::Hidden, last_seen: None });
            }
        }
        Self { seed, turn: 0, all }
    }

    /// Adds one on a cell.
    pub fn add(&mut self, species: &'static Species, cell: IVec2) {
        self.all.push(Creature { species, cell, sense: Sense::Hidden, last_seen: None });
    }

    /// Turns that they have taken.
    #[cfg(feature = "files")]
    pub(crate) fn turn(&self) -> u64 {
        self.turn
    }

    /// Takes up creatures as they were after so many turns in the world of a seed.
    #[cfg(feature = "files")]
    pub(crate) fn restore(&mut self, seed: u64, turn: u64, all: Vec<Creature>) {
        *self = Self { seed, turn, all };
    }

    /// All of them.
    pub fn all(&self) -> &[Creature] {
        &self.all
    }

    /// Everyone takes a turn: stays, or moves to one of the eight neighbours that `habitat` allows,
    /// but never onto `viewer`.
    pub fn wander(&mut self, viewer: IVec2, habitat: impl Fn(IVec2) -> Option<Habitat>) {
        self.turn += 1;
        for (id, creature) in self.all.iter_mut().enumerate() {
            let chance = hash(self.seed ^ 0x77_61_6e_64_65_72, id as u64, self.turn);
            if (chance >> 40) % 100 >= u64::from(creature.species.restlessness) {
                continue;
            }
            let step = NEIGHBOURS[below(chance, 8) as usize];
            let goal = creature.cell + step;
            if goal != viewer && habitat(goal).is_some_and(|place| creature.species.lives_in(place)) {
                creature.cell = goal;
            }
        }
    }

    /// The viewer looks: `perceived` is visibility × light of a cell, `in_sight` whether a cell is
    /// seen at all. A creature's share of it is its conspicuity.
    pub fn look(
        &mut self,
        thresholds: Thresholds,
        remember: bool,
        perceived: impl Fn(IVec2) -> f32,
        in_sight: impl Fn(IVec2) -> bool,
    ) {
        for creature in &mut self.all {
            let seen = perceived(creature.cell) * creature.species.conspicuity;
            creature.sense = thresholds.judge_after(seen, creature.sense);
            creature.last_seen = match (creature.sense, creature.last_seen) {
                (Sense::Hidden, Some(place)) if remember && !in_sight(place) => Some(place),
                (Sense::Hidden, _) => None,
                _ => Some(creature.cell),
            };
        }
    }

    /// What is drawn, stale question marks first.
    pub fn sightings(&self) -> impl Iterator<Item = Sighting> + '_ {
        let stale = self.all.iter().filter(|c| c.sense == Sense::Hidden).filter_map(|c| c.last_seen);
        let seen = self.all.iter().filter_map(|c| match c.sense {
            Sense::Hidden => None,
            Sense::Glimpsed => Some(Sighting::Glimpsed(c.cell)),
            Sense::Identified => Some(Sighting::Identified(c.species, c.cell)),
        });
        stale.map(Sighting::Stale).chain(seen)
    }

    /// Forgets where creatures were last seen.
    pub fn forget(&mut self) {
        for creature in &mut self.all {
            if creature.sense == Sense::Hidden {
                creature.last_seen = None;
            }
        }
    }
}

/// A number from 0 to `bound` − 1 out of 32 bits of a hash.
fn below(hash: u64, bound: u64) -> u64 {
    ((hash & 0xffff_ffff) * bound) >> 32
}

/// Mixes three numbers into 64 random bits.
fn hash(seed: u64, id: u64, salt: u64) -> u64 {
    SplitMix64::mix(SplitMix64::mix(SplitMix64::mix(seed) ^ id) ^ salt)
}
