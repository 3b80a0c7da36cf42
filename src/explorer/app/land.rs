//! [`Land`]: a map or world that was left for another, to come back to.

use std::rc::Rc;
use std::sync::Arc;

use super::changes::Origin;
use crate::explorer::app::App;
use crate::explorer::bystanders::Bystanders;
use crate::explorer::camera::Camera;
use crate::explorer::history::{History, Moment};
use crate::files::MapSource;
use crate::paint::Backdrop;
use crate::scene::Scene;
use crate::world::Ground;

/// So many lands are kept to come back to.
pub(super) const MOST: usize = 3;

/// The most cells of a land that is kept: all layers of all of them are in memory.
const MOST_CELLS: i64 = 1 << 20;

/// A map or world that was left for another.
#[derive(Clone, Debug)]
pub(super) struct Land {
    map: Option<MapSource>,
    ground: Option<Arc<Ground>>,
    scene: Scene,
    backdrop: Backdrop,
}

impl Origin {
    /// Whether its land was left for another.
    pub(super) fn is_left(&self) -> bool {
        self.land.is_some()
    }
}

impl App {
    /// What holds now, with the land, which is about to be left; `None` where one cannot come back to it: it is still
    /// being made, or takes too much memory.
    pub(super) fn leaving(&self) -> Option<Moment<Origin>> {
        let scene = self.scene.as_ref().filter(|_| self.generation.is_none())?;
        if i64::from(scene.size().x) * i64::from(scene.size().y) > MOST_CELLS {
            return None;
        }
        let land =
            Land { map: self.map.clone(), ground: self.ground.clone(), scene: scene.clone(), backdrop: self.backdrop };
        let mut before = self.moment();
        before.origin.land = Some(Rc::new(land));
        Some(before)
    }

    /// The land was left, as one step that can be undone. Where one cannot come back to it, nothing that was changed on
    /// it can be undone: the land below is another.
    pub(super) fn note_left(&mut self, before: Option<Moment<Origin>>) {
        self.recall = None;
        match before {
            Some(before) => {
                self.history.note(before, None, Bystanders::default()); // on that land, time stands still
                self.history.keep_at_most(MOST, Origin::is_left);
            }
            None => self.history = History::default(),
        }
    }

    /// What holds now, to come back to from a moment on this land, or from one for which this land is left; and whether
    /// one can come back.
    pub(super) fn now(&self, leaves: bool) -> (Moment<Origin>, bool) {
        match if leaves { self.leaving() } else { None } {
            Some(leaving) => (leaving, true),
            None => (self.moment(), !leaves),
        }
    }

    /// The land that was left, as it was.
    pub(super) fn come_back(&mut self, land: Land, sight: (Option<Camera>, bool)) {
        (self.map, self.ground, self.backdrop) = (land.map, land.ground, land.backdrop);
        self.preset = land.scene.preset().clone();
        (self.scene, self.generation) = (Some(land.scene), None);
        (self.camera, self.follow) = sight;
        self.arrived();
    }

    /// What goes with another land: nobody is on the way, and it is compared anew.
    pub(super) fn arrived(&mut self) {
        self.route.clear();
        self.version += 1;
        if self.split.is_open() {
            self.split_with(self.split.contender());
        }
    }
}
