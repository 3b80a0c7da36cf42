//! Changes of the sliders: noted, undone, done again, set back; and presets whose file changes underneath.

use std::rc::Rc;

#[cfg(not(target_arch = "wasm32"))]
use macroquad::time::get_time;

use super::land::Land;
use crate::explorer::app::App;
use crate::explorer::bystanders::Bystanders;
use crate::explorer::camera::Camera;
use crate::explorer::history::Moment;
use crate::explorer::regenerate::Generation;
use crate::explorer::turned;
use crate::preset::Preset;
#[cfg(not(target_arch = "wasm32"))]
use crate::preset::PresetError;
use crate::preset::Setting;

/// Where a preset comes from.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// What it is called.
    pub(super) name: String,
    /// What it was before anyone turned a slider: what keys are set back to.
    pub(super) base: Rc<Preset>,
    /// What part of its world was looked at, and whether that followed the viewer.
    pub(super) sight: (Option<Camera>, bool),
    /// Its file, if it has one.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) file: Option<std::path::PathBuf>,
    /// The land below it, where that was left for another.
    pub(super) land: Option<Rc<Land>>,
}

impl App {
    fn origin(&self) -> Origin {
        Origin {
            name: self.name.clone(),
            base: Rc::clone(&self.base),
            sight: (self.camera, self.follow),
            #[cfg(not(target_arch = "wasm32"))]
            file: self.watch.as_ref().map(|watch| watch.path().to_owned()),
            land: None,
        }
    }

    /// What holds now, to come back to.
    pub(super) fn moment(&self) -> Moment<Origin> {
        Moment::new(self.preset.clone(), self.origin(), self.scene.as_ref(), self.turns)
    }

    /// Takes over a preset as one step that can be undone; further changes of the same key go on with the step until
    /// the slider is let go.
    pub(super) fn take_noted(&mut self, preset: Preset, key: Option<&'static str>) {
        if preset == self.preset {
            return;
        }
        self.recall = None;
        let bystanders = Bystanders::of(&self.preset, &preset);
        if !self.history.goes_on(key, &bystanders) {
            let before = self.moment();
            self.history.note(before, key, bystanders);
        }
        self.take(preset);
    }

    /// Another preset with another name and base, as one step that can be undone. Where its world is another than that of
    /// the preset before, one goes where the view is worth seeing.
    pub(super) fn take_other(&mut self, preset: Preset, origin: Origin) {
        let before = self.moment();
        self.history.note(before, None, Bystanders::of(&self.preset, &preset));
        let shares_world = self.base.world == origin.base.world;
        let stays = self.ground.is_some() || (shares_world && self.same_place(&preset));
        self.come_from(origin);
        self.take_standing(preset, stays);
    }

    /// Another map or world takes the place of what was before, with another name and base, as one step that can be
    /// undone.
    pub(super) fn begin(&mut self, before: Option<Moment<Origin>>, name: &str, base: &Preset) {
        self.note_left(before);
        self.come_from(Self::origin_of(name, base));
    }

    /// The same, with the base that a name stands for, or else the sliders as they are.
    pub(super) fn begin_named(&mut self, before: Option<Moment<Origin>>, name: &str) {
        let base = Preset::named(name).unwrap_or_else(|_| self.preset.clone());
        self.begin(before, name, &base);
    }

    /// A shipped preset, or one in memory.
    pub(super) fn origin_of(name: &str, base: &Preset) -> Origin {
        Origin {
            name: name.to_owned(),
            base: Rc::new(base.clone()),
            sight: (None, true),
            #[cfg(not(target_arch = "wasm32"))]
            file: None,
            land: None,
        }
    }

    fn come_from(&mut self, origin: Origin) {
        (self.name, self.base) = (origin.name, origin.base);
        #[cfg(not(target_arch = "wasm32"))]
        if self.watch.as_ref().map(|watch| watch.path()) != origin.file.as_deref() {
            self.watch = origin.file.as_deref().map(crate::explorer::watch::Watch::new);
            self.fault = None;
        }
    }

    /// Nothing is being dragged or held down: the next change is a step of its own.
    pub(super) fn lift(&mut self) {
        self.history.lift();
    }

    pub(super) fn undo(&mut self) {
        let [leaves, _] = self.history.is_next(Origin::is_left);
        let (now, comes_back) = self.now(leaves);
        match self.history.undo(|| now) {
            Some(then) => self.put_back(then),
            None => self.messages.say("there is nothing to undo"),
        }
        if !comes_back {
            self.history.forget_future();
        }
    }

    pub(super) fn redo(&mut self) {
        let [_, leaves] = self.history.is_next(Origin::is_left);
        let (now, comes_back) = self.now(leaves);
        match self.history.redo(|| now) {
            Some(then) => self.put_back(then),
            None => self.messages.say("there is nothing to do again"),
        }
        if !comes_back {
            self.history.forget_past();
        }
    }

    /// The sliders of another moment, over the land that they were turned on; and where no time has passed since, the
    /// picture, too.
    fn put_back(&mut self, mut then: Moment<Origin>) {
        if let Some(land) = then.origin.land.take() {
            self.come_back(Rc::unwrap_or_clone(land), then.origin.sight);
        }
        self.come_from(then.origin.clone());
        let has_world = self.map.is_none() || self.ground.is_some();
        let needs_world = has_world && self.scene.as_ref().is_none_or(|scene| scene.needs_new_world(&then.preset));
        if needs_world {
            let is_made = self.generation.is_some() && self.preset.world == then.preset.world;
            self.preset = then.preset.clone();
            if !is_made {
                self.generation = Some(Generation::start(then.preset.clone(), then.viewer, self.ground.clone()));
            }
            if self.scene.is_some() {
                self.apply_preset();
            }
        } else {
            self.take(then.preset.clone());
        }
        self.recall = Some(then);
        if self.generation.is_none() {
            self.recall(false);
        }
    }

    /// Lets the scene remember what it did in the moment that is put back, once its world is there; where that was made
    /// anew, it is looked at as it was then.
    pub(super) fn recall(&mut self, made_anew: bool) {
        let (Some(then), Some(scene)) = (self.recall.take(), &mut self.scene) else { return };
        then.recall(scene, self.turns);
        if made_anew && then.viewer == Some(scene.viewer()) {
            (self.camera, self.follow) = then.origin.sight;
        }
        self.version += 1;
    }

    /// Sets keys back to what the preset says.
    pub(super) fn reset(&mut self, which: impl Fn(&Setting) -> bool) {
        match turned::reset(&self.preset, &self.base, which) {
            Ok(preset) => self.take_noted(preset, None),
            Err(error) => self.messages.complain(error.to_string()),
        }
    }

    /// Follows the preset's file: what was turned stays turned, all else is as the file says now. A faulty file changes
    /// nothing, and what is wrong with it is shown until it is mended.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn follow_file(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        let name = watch.path().display().to_string();
        let Some(read) = watch.poll(get_time()) else { return };
        let rebased = read.and_then(|newer| Ok((turned::rebased(&self.preset, &self.base, &newer)?, newer)));
        match rebased {
            Ok((preset, newer)) => {
                self.fault = None;
                let before = self.moment();
                if preset != self.preset {
                    self.history.note(before, None, Bystanders::of(&self.preset, &preset));
                }
                self.base = Rc::new(newer);
                self.take(preset);
                self.messages.say(format!("{name}: read again"));
            }
            Err(error) => self.fault = Some(fault(&name, &error)),
        }
    }
}

/// What is wrong with a preset's file.
#[cfg(not(target_arch = "wasm32"))]
fn fault(name: &str, error: &PresetError) -> String {
    let words = error.to_string();
    let words = if words.contains(name) { words } else { format!("{name}: {words}") };
    format!("{words}\nThe preset stays as it was until the file is mended.")
}
