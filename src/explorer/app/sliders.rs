//! Sliders that are turned, and the scene that follows them.

use toml::Value;

use crate::explorer::ExploreError;
use crate::explorer::app::App;
use crate::explorer::bystanders::Bystanders;
use crate::explorer::regenerate::{Generation, Outcome};
use crate::paint::Backdrop;
use crate::preset::Preset;
use crate::scene::Scene;

impl App {
    pub(super) fn turn_radius(&mut self, by: i32) {
        let radius = (i64::from(self.preset.sight.radius) + i64::from(by)).max(0);
        self.turn("sight.radius", Some(Value::Integer(radius)));
    }

    pub(super) fn turn_seed(&mut self, by: i64) {
        if self.map.is_none() {
            let seed = (self.preset.world.seed as i64).saturating_add(by).max(0);
            self.turn("world.seed", Some(Value::Integer(seed)));
        }
    }

    pub(super) fn turn(&mut self, key: &str, value: Option<Value>) {
        let changed = match value {
            Some(value) => self.preset.with([(key, value)]),
            None => self.preset.without(key),
        };
        match changed {
            Ok(preset) => {
                self.take_noted(preset, Preset::settings().map(|setting| setting.key).find(|known| *known == key))
            }
            Err(error) => self.messages.complain(error.to_string().trim_start_matches("--set: ")), // no flag is at fault
        }
    }

    /// Another preset. One with the same world is seen on the seed and the cell that are shown, so that the two can be
    /// compared; one with another world brings its own seed.
    pub(super) fn take_preset(&mut self, name: &str) {
        match Preset::named(name) {
            Ok(mut preset) => {
                let origin = Self::origin_of(name, &preset);
                if preset.world == self.base.world {
                    preset.world.seed = self.preset.world.seed;
                }
                self.keep_ground(&mut preset);
                self.take_other(preset, origin);
            }
            Err(error) => self.messages.complain(error.to_string()),
        }
    }

    /// What of another preset's world belongs to the ground that one stands on, if it was measured.
    pub(super) fn keep_ground(&self, preset: &mut Preset) {
        if let Some(ground) = &self.ground {
            let old = &self.preset.world;
            preset.world.sea_level_m = old.sea_level_m;
            *preset = preset.on_ground(ground.elevation_m.size(), old.cell_size_m);
        }
    }

    /// Lets the scene follow the sliders; its world, or the climate on measured ground, is made anew beside the
    /// window if it must be. One stays on the same cell, unless that means another place there.
    pub(super) fn take(&mut self, preset: Preset) {
        let stays = self.same_place(&preset);
        self.take_standing(preset, stays);
    }

    /// The same; in a world that is made anew one stays on the same cell, or goes where the view is worth seeing.
    pub(super) fn take_standing(&mut self, mut preset: Preset, stays: bool) {
        if let Some(ground) = &self.ground {
            preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        }
        let was = std::mem::replace(&mut self.preset, preset);
        let has_world = self.map.is_none() || self.ground.is_some();
        let needs_world = match &self.scene {
            Some(scene) => has_world && scene.needs_new_world(&self.preset),
            None => true,
        };
        if needs_world {
            let world_turned = was.world != self.preset.world || self.generation.is_none();
            let stay = self.scene.as_ref().filter(|_| stays).map(Scene::viewer);
            if world_turned {
                self.generation = Some(Generation::start(self.preset.clone(), stay, self.ground.clone()));
            }
        } else {
            self.generation = None; // turned back to the world that is there
        }
        if self.scene.is_some() {
            self.apply_preset();
        }
    }

    /// Puts something up from a script: a preset that only adds to a list. What cannot stand where it should is said.
    pub(super) fn put_up(&mut self, preset: Preset) -> Result<(), String> {
        let before = self.moment();
        let scene = self.scene.as_mut().ok_or("there is no scene yet")?;
        scene.apply(preset.clone()).map_err(|error| error.to_string())?;
        self.history.note(before, None, Bystanders::of(&self.preset, &preset));
        self.take(preset);
        Ok(())
    }

    /// Whether a cell means the same place in the world of another preset.
    pub(super) fn same_place(&self, preset: &Preset) -> bool {
        let place = |preset: &Preset| (preset.world.seed, preset.world.width, preset.world.height);
        self.ground.is_some() || place(preset) == place(&self.preset)
    }

    pub(super) fn poll_generation(&mut self) -> Result<(), ExploreError> {
        let stays = self.generation.as_ref().is_some_and(|made| made.stays);
        match self.generation.as_ref().map(Generation::poll) {
            Some(Outcome::Ready(scene)) => {
                if let Some(arrival) = self.generation.take().and_then(|mut made| made.arrival.take()) {
                    let before = self.leaving();
                    (self.map, self.ground) = (arrival.map, None);
                    (self.preset, self.backdrop) = (scene.preset().clone(), Backdrop::Land);
                    self.begin_named(before, &arrival.name);
                }
                let same_place = stays && self.scene.as_ref().is_some_and(|old| old.viewer() == scene.viewer());
                self.scene = Some(*scene);
                self.route.clear();
                if !same_place {
                    self.camera = None; // it fits the new radius
                    self.follow = true;
                }
                if self.split.is_open() {
                    self.split_with(self.split.contender()); // in the new world
                }
                self.apply_preset(); // sliders may have moved meanwhile
                self.recall(true);
                if !self.has_layer() {
                    self.backdrop = Backdrop::Land; // the one that was remembered
                }
            }
            Some(Outcome::Failed(error)) => {
                self.generation = None;
                let Some(scene) = &self.scene else { return Err(error) };
                self.preset.world = scene.preset().world.clone();
                self.messages.complain(error.to_string());
            }
            Some(Outcome::Working) | None => {}
        }
        Ok(())
    }
}
