//! The thief: what it does, sees and remembers.

use farsight::glam::IVec2;
use farsight::light::{Flicker, Lamp, LampId, LightMap, Rgb};
use farsight::perception::{Memory, OutOfSight, Sense};
use farsight::sight::{OwnedView, Sector};
use farsight::{FieldOfView, Grid, OpacityMap, SightConfig};

use crate::Failure;
use crate::guards::{CONE, Guard, Mood, NOTICES, PATIENCE};
use crate::level::{Random, neighbours, opacity};

pub(crate) const SIGHT: u32 = 40;
const GLOW: Rgb = Rgb([200, 110, 255]);
/// The visibility times light from which the thief sees a cell.
pub(crate) const SEEN_FROM: f32 = 0.05;

pub(crate) struct Game {
    pub(crate) tiles: Grid<char>,
    /// The opacities of the tiles.
    pub(crate) map: OpacityMap,
    pub(crate) light: LightMap,
    pub(crate) player: IVec2,
    pub(crate) stairs: IVec2,
    pub(crate) crown: IVec2,
    crown_glow: LampId,
    pub(crate) lives: u32,
    pub(crate) turn: u32,
    pub(crate) guards: Vec<Guard>,
    eyes: FieldOfView,
    pub(crate) guard_eyes: FieldOfView,
    /// The visibility of each cell through walls and fog, without light.
    pub(crate) view: OwnedView,
    /// The tiles as they were last seen: a door may have moved since.
    pub(crate) memory: Memory<char>,
    /// The cell of which the player asks why it is not seen.
    pub(crate) cursor: Option<IVec2>,
    pub(crate) message: String,
    pub(crate) random: Random,
}

impl Game {
    /// Starts on a level drawn with the letters of the module `level`.
    pub(crate) fn new(mut tiles: Grid<char>, seed: u32) -> Result<Self, Failure> {
        let map = OpacityMap::try_from(tiles.map(|&tile| opacity(tile)))?;
        let mut light = LightMap::new(&map).with_seed(u64::from(seed));
        let (mut stairs, mut crown, mut guards) = (IVec2::ZERO, None, Vec::new());
        for (cell, letter) in tiles.clone().iter() {
            let lamp = Lamp::new(cell);
            match letter {
                '<' => stairs = cell,
                '$' => {
                    let glow = lamp.with_reach(7.0).with_colour(GLOW).with_flicker(Flicker::Pulse);
                    crown = Some((cell, light.insert(&map, glow)?));
                }
                '*' => _ = light.insert(&map, lamp.with_strength(1.3).with_flicker(Flicker::Flame))?,
                'g' => {
                    let lantern = light.insert(&map, lamp.with_reach(6.0).with_colour(Rgb([255, 230, 200])))?;
                    let sense = Sense::new(NOTICES).with_sector(Sector::new(0.0, CONE));
                    let (mood, goal) = (Mood::Patrol, cell);
                    guards.push(Guard { at: cell, sense, mood, goal, patience: 0, rest: 0, lantern });
                }
                _ => continue,
            }
            tiles[cell] = '.'; // what is there is drawn on top
        }
        let (crown, crown_glow) = crown.ok_or("the level has no crown")?;
        let mut eyes = FieldOfView::new(SightConfig::default().with_radius(SIGHT))?;
        let mut game = Self {
            view: eyes.compute(&map, stairs)?.to_owned(),
            memory: Memory::of_contents(tiles.width(), tiles.height()),
            guard_eyes: FieldOfView::new(SightConfig::default().with_radius(15))?,
            message: "Steal the crown from the cellar and bring it to the stairs. Darkness hides you.".to_owned(),
            random: Random(u64::from(seed)),
            player: stairs,
            lives: 3,
            turn: 0,
            cursor: None,
            tiles,
            map,
            light,
            stairs,
            crown,
            crown_glow,
            guards,
            eyes,
        };
        game.look()?;
        Ok(game)
    }

    pub(crate) fn has_crown(&self) -> bool {
        self.crown == self.player
    }

    pub(crate) fn is_over(&self) -> bool {
        self.lives == 0 || self.has_crown() && self.player == self.stairs
    }

    /// Does what a key says. Arrow keys arrive as h, j, k and l.
    pub(crate) fn press(&mut self, key: char) -> Result<(), Failure> {
        let steps = [(-1, 0), (0, 1), (0, -1), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];
        let step = "hjklyubn".find(key).map(|index| IVec2::from(steps[index]));
        if let Some(cursor) = self.cursor {
            self.cursor = step.map(|step| (cursor + step).clamp(IVec2::ZERO, self.tiles.size() - 1));
            self.message = self.cursor.map_or(String::new(), |cell| self.why(cell));
        } else if key == '?' {
            self.cursor = Some(self.player);
            self.message = "Why can't I see that? Move the cursor; any other key ends the question.".to_owned();
        } else if !self.is_over() && (step.is_some() || ".cx".contains(key)) {
            self.message.clear();
            match (step, key) {
                (Some(step), _) => self.walk(self.player + step)?,
                (None, 'c') => {
                    let is_free = |cell: &IVec2| self.guards.iter().all(|guard| guard.at != *cell);
                    let mut near = neighbours(self.player).filter(is_free);
                    if let Some(door) = near.find(|cell| self.tiles.get(*cell) == Some(&'\'')) {
                        self.set_tile(door, '+')?;
                    }
                }
                (None, 'x') => {
                    let is_near = |lamp: &Lamp| (lamp.at - self.player).abs().max_element() <= 1;
                    let is_torch = |lamp: &Lamp| lamp.flicker == Flicker::Flame && is_near(lamp);
                    let torch = self.light.lamps().find(|(_, lamp)| is_torch(lamp)).map(|(id, _)| id);
                    torch.and_then(|torch| self.light.remove(torch));
                }
                _ => {} // waits
            }
            self.turn += 1;
            // The rules count the time of flames in turns, so that the same keys give the same game.
            self.light.set_time(f64::from(self.turn) * 0.3);
            for index in 0..self.guards.len() {
                if !self.is_over() {
                    self.guard_turn(index)?;
                }
            }
            self.look()?;
        }
        Ok(())
    }

    fn walk(&mut self, to: IVec2) -> Result<(), Failure> {
        let had_crown = self.has_crown();
        match self.tiles.get(to) {
            None | Some('#') => return Ok(()),
            Some('+') => return self.set_tile(to, '\''),
            _ if self.guards.iter().any(|guard| guard.at == to) => return Ok(()),
            _ => self.player = to,
        }
        if had_crown {
            self.crown = to;
            self.light.move_to(&self.map, self.crown_glow, to)?;
        } else if self.has_crown() {
            // The crown shines on whoever carries it, and a bell calls the guards.
            self.light.recolour(self.crown_glow, GLOW, 0.15)?;
            for guard in &mut self.guards {
                (guard.mood, guard.goal, guard.patience) = (Mood::Search, to, 2 * PATIENCE);
            }
            self.message = "You have the crown! It glows, and a bell rings. Back to the stairs!".to_owned();
        }
        if self.is_over() {
            self.message = "You escaped with the crown!".to_owned();
        }
        Ok(())
    }

    /// Changes a tile and what depends on it: its opacity, and the light of the lamps that reach it.
    pub(crate) fn set_tile(&mut self, cell: IVec2, tile: char) -> Result<(), Failure> {
        self.tiles[cell] = tile;
        self.map.set(cell, opacity(tile))?;
        Ok(self.light.changed(&self.map, [cell])?)
    }

    /// Computes what the thief sees, and remembers it.
    fn look(&mut self) -> Result<(), Failure> {
        self.view = self.eyes.compute(&self.map, self.player)?.to_owned();
        let seen: Vec<IVec2> = self.tiles.iter().map(|(cell, _)| cell).filter(|&cell| self.sees(cell)).collect();
        self.memory.update_with(seen, OutOfSight::Remember, |cell| self.tiles[cell]);
        Ok(())
    }

    /// Returns the brightness of a cell for the thief: its visibility times the light on the side that faces the thief.
    pub(crate) fn brightness(&self, cell: IVec2) -> f32 {
        let visibility = self.view.get(cell);
        if visibility == 0.0 { 0.0 } else { visibility * self.light.level_from(&self.map, cell, self.player) }
    }

    /// Returns `true` if the thief sees a cell, or feels it in the dark.
    pub(crate) fn sees(&self, cell: IVec2) -> bool {
        let is_near = (cell - self.player).abs().max_element() <= 2 && self.view.get(cell) > 0.0;
        is_near || self.brightness(cell) >= SEEN_FROM
    }
}
