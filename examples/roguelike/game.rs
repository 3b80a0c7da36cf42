//! The thief: its actions, view and memory.

use farsight::prelude::*;

use crate::level::{generate, opacity};
use crate::{Failure, guards::Guard};

pub(crate) const SEEN_FROM: f32 = 0.05; // the minimum visibility times light of a cell that the thief sees

pub(crate) struct Game {
    pub(crate) house: u32, // the number of the level, its seed
    pub(crate) tiles: Grid<char>,
    pub(crate) map: OpacityMap, // the opacities of the tiles
    pub(crate) light: LightMap,
    crown: LampId, // the crown is where its light is
    pub(crate) guards: Vec<Guard>,
    pub(crate) player: IVec2,
    pub(crate) eyes: FieldOfView,
    view: OwnedView,                 // the visibility of each cell through walls and fog, without light
    pub(crate) memory: Memory<char>, // the tiles as last seen: a door can have changed since
    pub(crate) lives: u32,
    pub(crate) turn: u32,
    pub(crate) messages: Vec<&'static str>, // of this turn
    pub(crate) cursor: Option<IVec2>,       // the cell of which the player asks why it is not seen
}

impl Game {
    /// Starts in a level drawn with the letters of the module `level`.
    pub(crate) fn new(tiles: Grid<char>, house: u32) -> Result<Self, Failure> {
        let doors = tiles.iter().filter(|(_, tile)| "+'".contains(**tile)).map(|(cell, _)| cell);
        let map = OpacityMap::try_from(tiles.map(|&tile| opacity(tile)))?.with_doors(doors)?;
        let mut light = LightMap::new(&map).with_seed(u64::from(house));
        let (mut player, mut crown, mut guards) = (IVec2::ZERO, None, Vec::new());
        for (cell, letter) in tiles.iter() {
            let lamp = Lamp::new(cell).with_reach(if *letter == 'g' { 6.0 } else { 12.0 });
            let violet = lamp.clone().with_colour(Rgb([200, 110, 255])).with_strength(0.3);
            match letter {
                '<' => player = cell,
                '*' => _ = light.insert(&map, lamp.with_strength(1.3).with_flicker(Flicker::Flame))?,
                '$' => crown = Some(light.insert(&map, violet.with_flicker(Flicker::Pulse))?),
                'g' => guards.push(Guard::new(cell, light.insert(&map, lamp)?)),
                _ => {}
            }
        }
        let mut eyes = FieldOfView::new(SightConfig::default().with_radius(82))?;
        let mut game = Self {
            house,
            view: eyes.compute(&map, player)?.with_walls(|cell| map.is_wall(cell)),
            memory: Memory::of_contents(map.extent()),
            tiles: tiles.map(|&tile| if "$g".contains(tile) { '.' } else { tile }),
            map,
            light,
            crown: crown.ok_or("the level has no crown")?,
            guards,
            player,
            eyes,
            lives: 3,
            turn: 0,
            messages: vec!["Steal the crown from the cellar and bring it to the exit. Darkness hides you."],
            cursor: None,
        };
        game.look()?;
        Ok(game)
    }

    pub(crate) fn guard_at(&self, cell: IVec2) -> Option<&Guard> {
        self.guards.iter().find(|guard| guard.at == cell)
    }

    pub(crate) fn has_crown(&self, cell: IVec2) -> bool {
        self.light.get(self.crown).is_some_and(|lamp| lamp.at == cell)
    }

    pub(crate) fn torches(&self) -> Vec<(LampId, IVec2)> {
        self.light.lamps().filter(|(_, lamp)| lamp.flicker == Flicker::Flame).map(|(id, lamp)| (id, lamp.at)).collect()
    }

    /// Executes a key. Arrow keys arrive as h, j, k and l.
    pub(crate) fn press(&mut self, key: char) -> Result<(), Failure> {
        let step = "ykuh.lbjn".find(key).map(|place| ivec2(place as i32 % 3, place as i32 / 3) - 1);
        if let Some(cursor) = self.cursor {
            self.cursor = step.map(|step| (cursor + step).clamp(IVec2::ZERO, self.tiles.size() - 1));
        } else if key == '?' {
            self.cursor = Some(self.player);
        } else if key == 'r' && self.lives == 0 {
            *self = Self::new(generate(self.house)?, self.house)?;
        } else if let Some(to) = step.map(|step| self.player + step).filter(|_| self.lives > 0) {
            self.messages.clear();
            match self.tiles.get(to) {
                None | Some('#') => self.messages.push("A wall bars the way."),
                _ if self.guard_at(to).is_some() => self.messages.push("A guard bars the way."),
                _ => self.take_turn(to)?,
            }
        }
        Ok(())
    }

    fn take_turn(&mut self, to: IVec2) -> Result<(), Failure> {
        self.turn += 1;
        // The rules count the time of flames in turns, so that the same keys give the same game.
        self.light.set_time(f64::from(self.turn) * 0.3);
        let had_crown = self.has_crown(self.player);
        self.pass_doors(self.player, to)?;
        self.player = to;
        if let Some((torch, _)) = self.torches().iter().find(|(_, at)| *at == to) {
            self.light.remove(*torch);
            self.messages.push("You tread out the torch.");
            self.tiles[to] = '.';
        }
        if had_crown && self.tiles[to] == '<' {
            let (house, messages) = (self.house.wrapping_add(1), vec!["You escaped with the crown. Next house!"]);
            *self = Self { lives: self.lives, messages, ..Self::new(generate(house)?, house)? };
        } else if had_crown {
            self.light.move_to(&self.map, self.crown, to)?;
        } else if self.has_crown(to) {
            self.guards.iter_mut().for_each(|guard| (guard.goal, guard.patience) = (to, 30));
            self.messages.push("You have the crown! It glows, and a bell rings. Back to the exit!");
        }
        (0..self.guards.len()).try_for_each(|index| self.guard_turn(index))?;
        self.look()
    }

    /// Opens the door at `to`, and lets the door at `from` fall shut.
    pub(crate) fn pass_doors(&mut self, from: IVec2, to: IVec2) -> Result<(), Failure> {
        for (cell, before, after) in [(from, '\'', '+'), (to, '+', '\'')] {
            if self.tiles[cell] == before {
                self.tiles[cell] = after;
                self.light.toggle_door(&mut self.map, cell)?; // with the light of the lamps that reach it
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), Failure> {
        self.view = self.eyes.compute(&self.map, self.player)?.with_walls(|cell| self.map.is_wall(cell));
        let seen = self.view.seen().filter(|&cell| self.perceived(cell) >= SEEN_FROM);
        self.memory.update_with(seen.collect::<Vec<_>>(), OutOfSight::Remember, |cell| self.tiles[cell]);
        Ok(())
    }

    /// Returns visibility times light, on the side that faces the thief. What is near is felt in the dark.
    pub(crate) fn perceived(&self, cell: IVec2) -> f32 {
        let visibility = self.view.get(cell);
        let felt = if CellRect::around(self.player, 2).contains(cell) { SEEN_FROM } else { 0.0 };
        (visibility * self.light.level_from(&self.map, cell, self.player)).max(visibility.min(felt))
    }

    pub(crate) fn why(&self, cell: IVec2) -> String {
        let (visibility, light) = (self.view.get(cell), self.light.level_from(&self.map, cell, self.player));
        let (is_lit, is_perceived) = (visibility * light >= SEEN_FROM, self.perceived(cell) >= SEEN_FROM);
        let path: String = Line::between(self.player, cell).filter(|at| *at != cell).map(|at| self.tiles[at]).collect();
        let reason = match path.matches('~').count() {
            _ if visibility == 0.0 && path.contains('#') => "a wall is in the way".into(),
            _ if visibility == 0.0 => "a closed door is in the way".into(),
            _ if light == 0.0 => "no light falls on this side".into(),
            fog => format!("light {:.0} %, visibility {:.0} %, {fog} cells of fog", light * 100.0, visibility * 100.0),
        };
        format!(
            "{}: {reason}.",
            if is_lit {
                "Seen"
            } else if is_perceived {
                "Felt in the dark"
            } else {
                "Not seen"
            }
        )
    }
}
