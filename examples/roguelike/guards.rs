//! The guards: they notice, chase and search.

use farsight::glam::IVec2;
use farsight::light::LampId;
use farsight::perception::{Recognition, Sense, Thresholds};
use farsight::sight::Sector;

use crate::Failure;
use crate::game::Game;
use crate::level::{distances, neighbours};

/// The angle that a guard sees, in degrees.
pub(crate) const CONE: f64 = 110.0;
/// From which visibility times light a guard notices the thief. Hysteresis: a flicker of a torch does not lose the thief.
pub(crate) const NOTICES: Thresholds = Thresholds { glimpse: 0.12, identify: 0.3, hysteresis: 0.06 };
/// The turns for which a guard searches.
pub(crate) const PATIENCE: u32 = 15;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mood {
    Patrol,
    Search,
    Chase,
}

#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) at: IVec2,
    /// Its direction, and the notice that it takes of the thief.
    pub(crate) sense: Sense,
    pub(crate) mood: Mood,
    /// The goal of the guard: anywhere, or where the thief was last seen.
    pub(crate) goal: IVec2,
    pub(crate) patience: u32,
    pub(crate) rest: u32,
    pub(crate) lantern: LampId,
}

impl Game {
    pub(crate) fn guard_turn(&mut self, index: usize) -> Result<(), Failure> {
        let mut guard = self.guards[index].clone();
        self.notice(&mut guard)?;
        let offset = self.player - guard.at;
        // Guards on patrol stroll, and even those who chase pause for breath: a thief can outrun them, just.
        let pause = if guard.mood == Mood::Patrol { 2 } else { 3 };
        if guard.rest > 0 {
            guard.rest -= 1;
        } else if guard.sense.recognition() == Recognition::Identified && offset.abs().max_element() == 1 {
            guard.rest = 3;
            self.lives -= 1;
            self.message =
                if self.lives == 0 { "The guards have caught you." } else { "The guard hits you!" }.to_owned();
        } else if !self.turn.is_multiple_of(pause) {
            self.step(&mut guard)?;
        }
        self.guards[index] = guard;
        Ok(())
    }

    /// Looks for the thief, and decides where to go.
    fn notice(&mut self, guard: &mut Guard) -> Result<(), Failure> {
        let light = self.light.level(self.player);
        let recognition = guard.sense.notice(&mut self.guard_eyes, &self.map, guard.at, self.player, light)?;
        let (mood, call) = match recognition {
            Recognition::Identified => (Mood::Chase, "\"Stop, thief!\""),
            Recognition::Glimpsed if guard.mood == Mood::Patrol => (Mood::Search, "\"Who is there?\""),
            _ => (guard.mood, ""),
        };
        if mood != guard.mood {
            (guard.mood, self.message) = (mood, call.to_owned());
        }
        if recognition > Recognition::Hidden {
            (guard.goal, guard.patience) = (self.player, PATIENCE);
            guard.sense.sector = direction(self.player - guard.at);
        } else if guard.mood == Mood::Search && guard.patience == 0 {
            (guard.mood, guard.goal) = (Mood::Patrol, guard.at);
        } else if guard.at == guard.goal && guard.mood == Mood::Patrol {
            guard.goal = self.random_cell(guard.at, u32::MAX - 1);
        } else if guard.at == guard.goal {
            // The thief was last seen here. Search the cells around.
            guard.mood = Mood::Search;
            guard.goal = self.random_cell(guard.at, 6);
        }
        guard.patience = guard.patience.saturating_sub(1);
        Ok(())
    }

    fn random_cell(&mut self, from: IVec2, max_steps: u32) -> IVec2 {
        let steps = distances(&self.tiles, from);
        let near: Vec<IVec2> = steps.iter().filter(|(_, steps)| **steps <= max_steps).map(|(cell, _)| cell).collect();
        near[self.random.below(near.len()) as usize]
    }

    /// Goes one cell nearer to the goal, and opens the door in the way.
    fn step(&mut self, guard: &mut Guard) -> Result<(), Failure> {
        let steps = distances(&self.tiles, guard.goal);
        let nearer = || neighbours(guard.at).filter(|&cell| steps[cell] <= steps[guard.at]);
        if let Some(ahead) = nearer().min_by_key(|&cell| steps[cell])
            && guard.sense.recognition() == Recognition::Hidden
        {
            guard.sense.sector = direction(ahead - guard.at); // even if somebody is in the way
        }
        let is_free = |&cell: &IVec2| cell != self.player && self.guards.iter().all(|other| other.at != cell);
        let Some(next) = nearer().filter(is_free).min_by_key(|&cell| steps[cell]) else { return Ok(()) };
        if self.tiles[next] == '+' {
            return self.set_tile(next, '\'');
        }
        let left = std::mem::replace(&mut guard.at, next);
        self.light.move_to(&self.map, guard.lantern, next)?;
        // Guards in no hurry shut the door behind them.
        if self.tiles[left] == '\'' && guard.mood == Mood::Patrol && left != self.player {
            self.set_tile(left, '+')?;
        }
        Ok(())
    }
}

/// Returns the nearest of the eight directions to an offset, with the angle that a guard sees.
fn direction(offset: IVec2) -> Sector {
    Sector::towards(offset.signum(), CONE)
}
