//! Scenes that come from outside and go there: opened files, links, commands to copy.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use macroquad::input::get_dropped_files;

#[cfg(not(target_arch = "wasm32"))]
use super::changes::Origin;
use crate::explorer::app::App;
use crate::explorer::open;
use crate::explorer::open::Opened;
use crate::explorer::regenerate::Generation;
use crate::export::{Link, SavedWalk, SavedWalkError};
use crate::paint::Backdrop;
use crate::preset::Preset;
use crate::scene::Scene;

impl App {
    /// Takes over what was dropped on the window.
    pub(super) fn take_files(&mut self) {
        for file in get_dropped_files() {
            if let Err(error) = self.take_file(file.path, file.bytes) {
                self.messages.complain(error);
            }
        }
    }

    /// Takes over a file: its path, and on a page its bytes.
    pub(super) fn take_file(&mut self, path: Option<PathBuf>, bytes: Option<Vec<u8>>) -> Result<(), String> {
        match open::open(path.clone(), bytes)? {
            #[cfg(not(target_arch = "wasm32"))]
            Opened::Preset(mut preset, name) => {
                let origin = Origin { file: path, ..Self::origin_of(&name, &preset) };
                self.keep_ground(&mut preset);
                self.take_other(*preset, origin);
            }
            opened => self.take_opened(opened),
        }
        Ok(())
    }

    pub(super) fn take_opened(&mut self, opened: Opened) {
        let before = self.leaving();
        match opened {
            Opened::Preset(mut preset, name) => {
                let origin = Self::origin_of(&name, &preset);
                self.keep_ground(&mut preset);
                self.take_other(*preset, origin);
            }
            Opened::Scene { preset, name, viewer, caveats } => {
                caveats.into_iter().for_each(|caveat| self.messages.complain(caveat));
                self.begin(before, &name, &preset);
                (self.map, self.ground) = (None, None);
                self.preset = (*preset).clone();
                self.generation = Some(Generation::start(*preset, Some(viewer), None));
            }
            Opened::Heightmap { ground, cell_size_m, source } => {
                let preset = Preset::named(Preset::ON_GROUND_NAME).unwrap_or_default();
                let side = cell_size_m.unwrap_or_else(|error| {
                    let side = preset.world.cell_size_m;
                    self.messages.complain(format!("{}: {error}; {side} m are taken, see \"cell size\"", source.name));
                    side
                });
                self.begin_named(before, Preset::ON_GROUND_NAME);
                self.preset = preset.on_ground(ground.elevation_m.size(), side);
                let ground = Arc::new(ground);
                self.generation = Some(Generation::start(self.preset.clone(), None, Some(Arc::clone(&ground))));
                (self.map, self.ground) = (Some(source), Some(ground));
                (self.camera, self.follow, self.backdrop) = (None, true, Backdrop::Land);
                self.route.clear();
            }
            Opened::Walk(walk) => self.take_walk(*walk),
            Opened::Map(map, source) => {
                let preset = Preset::bare_kernel();
                match Scene::on_map(preset.clone(), map.opacity, map.viewer, crate::job::Job::quiet()) {
                    Ok(scene) => {
                        self.begin(before, "", &preset);
                        (self.map, self.ground) = (Some(source), None);
                        (self.preset, self.scene, self.generation) = (preset, Some(scene), None);
                        (self.camera, self.follow, self.backdrop) = (None, true, Backdrop::Land);
                        self.arrived();
                    }
                    Err(error) => self.messages.complain(format!("{}: {error}", source.name)),
                }
            }
        }
    }

    /// Takes a saved walk up: at once on the world that is there, if it is the walk's; else its world is made first.
    /// Until then, and where that fails, all stays as it is.
    fn take_walk(&mut self, walk: SavedWalk) {
        let before = self.leaving();
        match self.scene.as_mut().map(|scene| walk.resume(scene)) {
            Some(Ok(())) => {
                (self.map, self.preset) = (walk.map, walk.preset);
                self.begin_named(before, &walk.name);
                (self.generation, self.camera, self.follow) = (None, None, true);
                self.arrived();
            }
            _ if walk.opacity().is_none() && walk.map.is_some() => {
                let name = walk.map.map(|map| map.name).unwrap_or_default();
                self.messages.complain(SavedWalkError::NeedsGround(name).to_string());
            }
            _ => self.generation = Some(Generation::resume(walk)),
        }
    }

    /// Takes up the walk in the file that the panel names.
    pub(super) fn load_walk(&mut self, path: Option<&Path>) -> Result<(), String> {
        let path = path.map_or_else(|| self.walk_path(), Path::to_owned);
        match open::open(Some(path.clone()), None)? {
            Opened::Walk(walk) => {
                self.take_walk(*walk);
                self.messages.say(format!("took up {}", path.display()));
                Ok(())
            }
            _ => Err(format!("{}: not a saved walk (.{})", path.display(), SavedWalk::EXTENSION)),
        }
    }

    /// Back from a map of one's own to the world of the preset.
    pub(super) fn leave_map(&mut self) {
        let before = self.leaving();
        if self.map.take().is_some() {
            if self.name.is_empty() {
                self.preset = Preset::shipped_default();
                self.begin(before, Preset::DEFAULT_NAME, &Preset::shipped_default());
            } else {
                self.note_left(before);
            }
            if self.ground.take().is_some() {
                // Size and land of the ground are not those of the preset.
                self.preset.world = Preset::named(&self.name).unwrap_or_else(|_| Preset::shipped_default()).world;
            }
            self.generation = Some(Generation::start(self.preset.clone(), None, None));
        }
    }

    /// The scene in one line, once it is there.
    pub(super) fn link(&self) -> Option<Link> {
        let scene = self.scene.as_ref().filter(|_| self.generation.is_none())?;
        let (name, preset, map) = (self.name.clone(), self.preset.clone(), self.map.clone());
        Some(Link { name, preset, viewer: Some(scene.viewer()), map })
    }

    /// Tells the page around the window.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn tell(&self, page: &mut crate::explorer::web::Page) {
        if !crate::explorer::app::has_drawn() {
            crate::explorer::web::ready();
        }
        // While time runs by itself, every frame would be another address.
        if !self.time_runs
            && let (Some(link), Some(stem)) = (self.link(), self.stem())
        {
            page.show(link, &format!("{stem}.png"));
        }
    }

    /// Puts the command that exports the view on the clipboard.
    pub(super) fn copy_command(&mut self) {
        if let (Some(link), Some(stem)) = (self.link(), self.stem()) {
            let command = format!("farsight export {} -o {stem}.png", link.flags());
            egui_macroquad::cfg(|context| context.copy_text(command.clone()));
            self.messages.say(format!("copied: {command}"));
        }
    }
}
