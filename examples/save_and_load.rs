//! Save and load: a hero with a memory that fades, a guard who is on the lookout, and a torch. The game loaded from
//! JSON continues bit-identically to the saved game.
//!
//! JSON keeps numbers of 64 bits to the last digit with the feature `float_roundtrip` of serde_json.
//!
//! `cargo run --example save_and_load`

use std::io::Write;

use farsight::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Game {
    map: OpacityMap,
    hero: IVec2,
    memory: Memory,
    guard: Sense,
    light: LightMap,
    torch: LampId,      // which of its lamps the hero carries
    sight: SightConfig, // a FieldOfView has only buffers: it is recreated
}

impl Game {
    fn step(&mut self, step: IVec2) -> Result<Recognition, Box<dyn std::error::Error>> {
        let mut eyes = FieldOfView::new(self.sight.clone())?;
        self.hero += step;
        self.light.move_to(&self.map, self.torch, self.hero)?;
        self.memory.update(eyes.compute(&self.map, self.hero)?.seen(), OutOfSight::Remember);
        let visibility = eyes.line_of_sight(&self.map, (9, 1), self.hero)?;
        Ok(self.guard.notice((9, 1), self.hero, visibility, self.light.level(self.hero))?)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = OpacityMap::from_text("###########\n#....+....#\n#....#....#\n###########")?;
    let mut light = LightMap::new(&map);
    let torch = light.insert(&map, Lamp::new((1, 1)))?;
    let (memory, guard) = (Memory::new(map.extent()).with_fading(5), Sense::new(Thresholds::default()));
    let sight = SightConfig::default().with_radius(8).with_method(MethodKind::SymmetricShadowcast);
    let mut game = Game { map, hero: ivec2(1, 1), memory, guard, light, torch, sight };
    game.step(ivec2(1, 0))?;
    game.map.toggle_door(ivec2(5, 1));

    let json = serde_json::to_string(&game)?;
    let mut loaded: Game = serde_json::from_str(&json)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "saved: {} kB", json.len() / 1000)?;
    for _ in 0..4 {
        let (noticed, again) = (game.step(ivec2(1, 0))?, loaded.step(ivec2(1, 0))?);
        writeln!(out, "hero at {}: {} in the game, {} in the loaded one", game.hero, noticed.name(), again.name())?;
    }
    let is_same = serde_json::to_string(&game)? == serde_json::to_string(&loaded)?;
    writeln!(out, "both are the same: {is_same}")?;
    Ok(())
}
