//! The guards: they notice, chase and search.

use farsight::prelude::*;

use crate::{Failure, game::Game, level::ways_to};

const CONE: f64 = 110.0; // the angle that a guard sees, in degrees
/// The minimum visibility times light at which a guard notices the thief. Hysteresis: a flicker of a torch does not
/// lose the thief.
const NOTICES: Thresholds = Thresholds { glimpse: 0.12, identify: 0.3, hysteresis: 0.06 };

#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) at: IVec2,
    pub(crate) sense: Sense, // its cone of vision, and its perception of the thief
    lantern: LampId,
    pub(crate) goal: IVec2,   // a torch on its round, or where the thief was last seen
    pub(crate) patience: u32, // the remaining turns of its search; 0 on its round
}

impl Guard {
    pub(crate) fn new(at: IVec2, lantern: LampId) -> Self {
        let sense = Sense::new(NOTICES).with_radius(15).with_sector(Sector::new(0.0, CONE));
        Self { at, sense, lantern, goal: at, patience: 0 }
    }
}

impl Game {
    pub(crate) fn guard_turn(&mut self, index: usize) -> Result<(), Failure> {
        let mut guard = self.guards[index].clone();
        let facing = |from: IVec2, to: IVec2| Sector::towards((to - from).signum(), CONE); // one of eight directions
        let (light, before) = (self.light.level(self.player), guard.sense.recognition());
        let visibility = self.eyes.line_of_sight(&self.map, guard.at, self.player)?;
        let seen = guard.sense.notice(guard.at, self.player, visibility, light)?;
        guard.patience = guard.patience.saturating_sub(1);
        if seen > Recognition::Hidden {
            (guard.goal, guard.patience) = (self.player, 15);
            guard.sense.sector = facing(guard.at, self.player);
        }
        let is_sure = seen == Recognition::Identified;
        if seen > before {
            self.messages.push(if is_sure { "\"Stop, thief!\"" } else { "\"Who is there?\"" });
        }
        let is_near = (self.player - guard.at).abs().max_element() == 1;
        // Guards on their round stroll, and even those who chase pause for breath: a thief can outrun them, just.
        if self.turn.is_multiple_of(if guard.patience == 0 { 2 } else { 3 }) {
            // It waits. A club takes four turns to swing.
        } else if is_near && is_sure && self.lives > 0 && self.turn.is_multiple_of(4) {
            self.lives -= 1;
            self.messages.push("A guard hits you!");
        } else if guard.at != guard.goal {
            // It goes one cell nearer to the goal, through doors.
            let is_free = |cell| cell != self.player && self.guard_at(cell).is_none();
            if let Some(next) = ways_to(guard.goal, &self.tiles).next_cell(guard.at, is_free) {
                guard.sense.sector = facing(guard.at, if seen == Recognition::Hidden { next } else { self.player });
                self.pass_doors(guard.at, next)?;
                guard.at = next;
                self.light.move_to(&self.map, guard.lantern, next)?;
            } else {
                guard.goal = guard.at; // another guard is in the way
            }
        } else if guard.patience > 0 {
            guard.sense.sector = Sector::new((guard.sense.sector.facing + 90.0) % 360.0, CONE); // looks around
        } else {
            let next = self.torches().into_iter().cycle().nth(self.turn as usize + 5 * index);
            guard.goal = next.map_or(guard.at, |(_, at)| at);
        }
        self.guards[index] = guard;
        Ok(())
    }
}
