//! Scenes that come from outside and go there: opened files, links, commands to copy.

use macroquad::input::get_dropped_files;

use super::App;
use crate::explorer::open::{self, Opened};
use crate::explorer::regenerate::Generation;
use crate::{Backdrop, Link, Preset, Scene};

impl App {
    /// Takes over what was dropped on the window.
    pub(super) fn take_files(&mut self) {
        for file in get_dropped_files() {
            match open::open(file.path, file.bytes) {
                Ok(opened) => self.take_opened(opened),
                Err(error) => self.messages.complain(error),
            }
        }
    }

    pub(super) fn take_opened(&mut self, opened: Opened) {
        match opened {
            Opened::Preset(preset, name) => {
                self.name = name;
                self.take(*preset);
            }
            Opened::Scene { preset, name, viewer } => {
                (self.name, self.map) = (name, None);
                self.preset = (*preset).clone();
                self.generation = Some(Generation::start(*preset, Some(viewer)));
            }
            Opened::Map(map, source) => {
                let preset = Preset::bare_kernel();
                match Scene::on_map(preset.clone(), map.opacity, map.viewer) {
                    Ok(scene) => {
                        (self.name, self.map) = (String::new(), Some(source));
                        (self.preset, self.scene, self.generation) = (preset, Some(scene), None);
                        (self.camera, self.follow, self.backdrop) = (None, true, Backdrop::Land);
                        self.route.clear();
                        self.version += 1;
                        if self.split.is_open() {
                            self.split_with(self.split.contender());
                        }
                    }
                    Err(error) => self.messages.complain(format!("{}: {error}", source.name)),
                }
            }
        }
    }

    /// Back from a map of one's own to the world of the preset.
    pub(super) fn leave_map(&mut self) {
        if self.map.take().is_some() {
            if self.name.is_empty() {
                (self.name, self.preset) = (Preset::DEFAULT_NAME.into(), Preset::shipped_default());
            }
            self.generation = Some(Generation::start(self.preset.clone(), None));
        }
    }

    /// The scene in one line, once it is there.
    pub(super) fn link(&self) -> Option<Link> {
        let scene = self.scene.as_ref().filter(|_| self.generation.is_none())?;
        let map = self.map.as_ref().map(|map| map.name.clone());
        Some(Link { name: self.name.clone(), preset: self.preset.clone(), viewer: Some(scene.viewer()), map })
    }

    /// Tells the page around the window.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn tell(&self, page: &mut crate::explorer::web::Page) {
        if !super::has_drawn() {
            crate::explorer::web::ready();
        }
        if let (Some(link), Some(stem)) = (self.link(), self.stem()) {
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
