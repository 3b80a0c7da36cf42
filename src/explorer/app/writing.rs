//! What is written on request: exports, presets, screenshots.

use std::path::{Path, PathBuf};

use crate::explorer::app::App;
use crate::explorer::{ExploreError, output};
use crate::export::SavedWalk;
use crate::paint::Unseen;

impl App {
    pub(super) fn stem(&self) -> Option<String> {
        let map = self.map.as_ref().map(|map| Path::new(&map.name).file_stem().unwrap_or_default().to_string_lossy());
        let name = map.filter(|_| self.name.is_empty()).unwrap_or_else(|| (&*self.name).into());
        self.scene.as_ref().map(|scene| output::stem(scene, &name))
    }

    /// Exports to a path, to the name on the panel, or to a name that is made up.
    pub(super) fn export(&mut self, path: Option<&Path>, unseen: Unseen) -> Result<(), String> {
        let (Some(scene), Some(stem)) = (&self.scene, self.stem()) else {
            return Err("there is no scene yet".into());
        };
        let path = match path {
            Some(path) => path.to_owned(),
            None if self.export_name.trim().is_empty() => format!("{stem}.png").into(),
            None => self.export_name.trim().into(),
        };
        output::export(scene, &self.name, self.map.as_ref(), unseen, &path)?;
        self.messages.say(format!("wrote {}", path.display()));
        Ok(())
    }

    pub(super) fn save_preset(&mut self) -> Result<(), String> {
        let name = match self.preset_file.trim() {
            "" => format!("{}-mine.toml", self.name),
            name if name.ends_with(".toml") => name.to_owned(),
            name => format!("{name}.toml"),
        };
        output::preset(&self.preset, Path::new(&name))?;
        self.messages.say(format!("wrote {name}: farsight --preset {name}"));
        Ok(())
    }

    /// The file that the panel names for the walk.
    pub(super) fn walk_path(&self) -> PathBuf {
        match self.walk_file.trim() {
            "" => format!("walk.{}", SavedWalk::EXTENSION).into(),
            name if Path::new(name).extension().is_some() => name.into(),
            name => format!("{name}.{}", SavedWalk::EXTENSION).into(),
        }
    }

    /// Saves the walk as it stands.
    pub(super) fn save_walk(&mut self, path: Option<&Path>) -> Result<(), String> {
        let path = path.map_or_else(|| self.walk_path(), Path::to_owned);
        let scene = self.scene.as_ref().ok_or("there is no scene yet")?;
        output::walk(&SavedWalk::of(scene, &self.name, self.map.as_ref()), &path)?;
        self.messages.say(format!("wrote {0}: farsight --load {0}", path.display()));
        Ok(())
    }

    pub(super) fn screenshot_path(&self) -> PathBuf {
        format!("{}-screen.png", self.stem().unwrap_or_else(|| "farsight".into())).into()
    }

    /// In a script a failure ends the program; a person is told.
    pub(super) fn write_screenshot(&mut self, path: &Path, scripted: bool) -> Result<(), ExploreError> {
        match output::screenshot(path) {
            Ok(()) => self.messages.say(format!("wrote {}", path.display())),
            Err(error) if scripted => return Err(error.into()),
            Err(error) => self.messages.complain(error.to_string()),
        }
        Ok(())
    }
}
