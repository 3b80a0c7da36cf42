//! Files that the window saves and loads on request.

use std::path::{Path, PathBuf};

use super::state::App;
use crate::explorer::document::{OpenedFile, open};
use crate::explorer::error::ExploreError;
use crate::explorer::save;
use crate::export::SavedWalk;
use crate::paint::Unseen;

const NO_SCENE: &str = "there is no scene yet";

impl App {
    /// Exports the view to a path, or to the file of the panel.
    pub(super) fn export(&mut self, path: Option<PathBuf>, unseen: Unseen) -> Result<(), String> {
        let (scene, stem) = self.document.scene().zip(self.document.file_stem()).ok_or(NO_SCENE)?;
        let path = path.unwrap_or_else(|| self.session.file_names.export_path(&stem));
        let (name, map, inputs) = (self.document.name(), self.document.map(), self.document.input_files());
        save::export(scene, name, map, unseen, &path, inputs).map_err(|error| error.to_string())?;
        self.session.messages.info(saved(&path));
        Ok(())
    }

    pub(super) fn save_preset(&mut self) -> Result<(), String> {
        let path = self.session.file_names.preset_path(self.document.name());
        save::preset(self.document.preset(), &path)?;
        self.session.messages.info(format!("{}: farsight --preset {}", saved(&path), path.display()));
        Ok(())
    }

    /// Saves the walk to a path, or to the file of the panel.
    pub(super) fn save_walk(&mut self, path: Option<PathBuf>) -> Result<(), String> {
        let path = path.unwrap_or_else(|| self.session.file_names.walk_path());
        save::walk(&self.document.saved_walk().ok_or(NO_SCENE)?, &path)?;
        self.session.messages.info(format!("{}: farsight --load {}", saved(&path), path.display()));
        Ok(())
    }

    /// Loads a walk from a path, or from the file of the panel.
    pub(super) fn load_walk(&mut self, path: Option<PathBuf>) -> Result<(), String> {
        let path = path.unwrap_or_else(|| self.session.file_names.walk_path());
        let OpenedFile::Walk(walk) = open(Some(path.clone()), None)? else {
            return Err(format!("{}: not a saved walk (.{})", path.display(), SavedWalk::EXTENSION));
        };
        self.document.open_walk(*walk, &mut self.view.state);
        self.session.messages.info(format!("Loaded {}", path.display()));
        Ok(())
    }

    /// Saves the screen. A failure ends a script, and is shown to a person.
    pub(super) fn save_screenshot(&mut self, path: &Path, is_scripted: bool) -> Result<(), ExploreError> {
        match save::screenshot(path) {
            Ok(()) => self.session.messages.info(saved(path)),
            Err(error) if is_scripted => return Err(error.into()),
            Err(error) => self.session.messages.error(error.to_string()),
        }
        Ok(())
    }

    /// Copies the command line that exports the view.
    pub(super) fn copy_command_line(&mut self) {
        if let Some((link, stem)) = self.document.link().zip(self.document.file_stem()) {
            let command = format!("farsight export {} -o {stem}.png", link.flags());
            egui_macroquad::cfg(|context| context.copy_text(command.clone()));
            self.session.messages.info(format!("Copied: {command}"));
        }
    }
}

/// Returns `Saved view.png in /home/me`; on a page, where it is a download, `Saved view.png`.
fn saved(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    match std::path::absolute(path).ok().as_deref().and_then(Path::parent) {
        Some(folder) if cfg!(not(target_arch = "wasm32")) => format!("Saved {name} in {}", folder.display()),
        _ => format!("Saved {name}"),
    }
}
