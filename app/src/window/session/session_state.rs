//! [`Session`]: the state of the window outside of documents.

use std::path::{Path, PathBuf};

use super::goals::Goals;
use super::input::InputReader;
use super::introduction::Introduction;
use super::kept_walk::KeptWalk;
use super::messages::{Messages, Ticker};
use super::preset_pictures::PresetPictures;
use super::read_files::ReadFiles;
use super::tools::Tools;
use super::window_settings::SavedSettings;
use crate::window::dialogs::{Naming, OpenDialog, Question};
use farsight_scene::export::SavedWalk;
use glam::IVec2;

#[derive(Default)]
pub(crate) struct Session {
    pub(crate) input: InputReader,
    pub(crate) messages: Messages,
    pub(crate) ticker: Ticker,
    pub(crate) settings: SavedSettings,
    pub(crate) read_files: ReadFiles,
    pub(crate) kept: KeptWalk,
    pub(crate) tools: Tools,
    pub(crate) file_names: FileNames,
    pub(crate) preset_pictures: PresetPictures,
    pub(crate) heights: HeightFields,
    /// The search text of the panel.
    pub(crate) search: String,
    pub(crate) open_dialog: Option<OpenDialog>,
    pub(crate) question: Option<Question>,
    pub(crate) naming: Option<Naming>,
    pub(crate) goals: Goals,
    pub(crate) introduction: Introduction,
    /// Whether a person uses the window, and its state is kept; `false` for scripts and screenshots.
    pub(crate) is_interactive: bool,
    pub(crate) shows_help: bool,
    /// Whether the device is a phone, on which the panel is a sheet over the map.
    pub(crate) has_sheet: bool,
    pub(crate) sheet_is_open: bool,
    /// The cell of the creature named by the last tap.
    named_cell: Option<IVec2>,
    /// Whether the status line describes a cell in numbers instead of words.
    pub(crate) has_numbers: bool,
    /// Whether input has arrived since the last frame.
    pub(crate) has_input: bool,
    /// Whether a control had the focus at the end of the last frame.
    pub(crate) has_focus: bool,
    pub(crate) screenshot: Option<Screenshot>,
    /// The progress of the film.
    pub(crate) film_progress: Option<f32>,
}

/// A picture of the screen, taken after a frame.
#[derive(Debug)]
pub(crate) struct Screenshot {
    pub(crate) path: PathBuf,
    pub(crate) content: ScreenshotContent,
}

/// The content of a picture of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenshotContent {
    /// The whole window.
    Window,
    /// The map with its legend and explanation, without panels, messages and hints. `is_drawn` is `true` after a frame
    /// without them.
    Map { is_drawn: bool },
}

impl Session {
    /// Returns `true` if a tap on a creature names it, `false` if the previous tap has named it.
    pub(crate) fn names_creature(&mut self, cell: Option<IVec2>) -> bool {
        std::mem::replace(&mut self.named_cell, cell) != cell
    }

    /// Returns `true` if the frame is drawn for a picture of the map, without messages and hints.
    pub(crate) fn is_picture_of_map(&self) -> bool {
        self.screenshot.as_ref().is_some_and(|shot| matches!(shot.content, ScreenshotContent::Map { .. }))
    }

    /// Returns `true` if the sheet of a phone covers a part of the map.
    pub(crate) fn has_open_sheet(&self) -> bool {
        self.has_sheet && self.sheet_is_open
    }

    /// Returns `true` if a dialog is open over the map.
    pub(crate) fn has_dialog(&self) -> bool {
        self.open_dialog.is_some() || self.question.is_some() || self.naming.is_some() || self.shows_help
    }

    /// Records that a frame without messages and hints is drawn.
    pub(crate) fn set_map_drawn(&mut self) {
        if let Some(Screenshot { content: ScreenshotContent::Map { is_drawn }, .. }) = &mut self.screenshot {
            *is_drawn = true;
        }
    }

    /// Removes and returns the screenshot, if its content is drawn.
    pub(crate) fn take_drawn_screenshot(&mut self) -> Option<Screenshot> {
        let is_drawn = |shot: &mut Screenshot| shot.content != ScreenshotContent::Map { is_drawn: false };
        self.screenshot.take_if(is_drawn)
    }
}

/// The fields of the panel for file names; empty for automatic names.
#[derive(Debug, Default)]
pub(crate) struct FileNames {
    pub(crate) export: String,
    pub(crate) preset: String,
    /// The last file of a saved preset or of a question to the user; and the preset that it is based on.
    confirmed: Option<(PathBuf, String)>,
    pub(crate) walk: String,
    pub(crate) film: String,
    /// The pixels per cell of an export of the whole map; 0 for a picture of about 1000 pixels.
    pub(crate) map_scale: u32,
}

/// The fields of the panel for the heights of black and white.
#[derive(Debug, Default)]
pub(crate) struct HeightFields {
    /// The typed text, until it is applied.
    pub(crate) draft: Option<[String; 2]>,
}

impl Session {
    pub(crate) fn new(mut settings: SavedSettings, read_files: ReadFiles) -> Self {
        let mut messages = Messages::default();
        if let Some(warning) = settings.warning.take() {
            messages.error(warning);
        }
        Self { messages, settings, read_files, ..Self::default() }
    }
}

impl FileNames {
    pub(crate) fn export_path(&self, stem: &str) -> PathBuf {
        match self.export.trim() {
            "" => format!("{stem}.png").into(),
            name => name.into(),
        }
    }

    pub(crate) fn film_path(&self, stem: &str) -> PathBuf {
        match self.film.trim() {
            "" => format!("{stem}.gif").into(),
            name if Path::new(name).extension().is_some() => name.into(),
            name => format!("{name}.gif").into(),
        }
    }

    /// Returns the file for a preset, given the name of the preset that it is based on. A name without a folder is a
    /// file in the folder of the user's presets, if any.
    pub(crate) fn preset_path(&self, base: &str, my_presets: Option<&Path>) -> PathBuf {
        let name: PathBuf = match self.preset.trim() {
            "" => format!("{base}-mine.toml").into(),
            name if name.ends_with(".toml") => name.into(),
            name => format!("{name}.toml").into(),
        };
        match my_presets.filter(|_| name.components().count() == 1) {
            Some(folder) => folder.join(name),
            None => name,
        }
    }

    /// Returns `true` if the last preset of this base was saved as this file, or the user was asked about it.
    pub(crate) fn is_confirmed(&self, path: &Path, base: &str) -> bool {
        self.confirmed.as_ref().is_some_and(|(file, name)| file == path && name == base)
    }

    /// Allows the next preset of this base to overwrite this file.
    pub(crate) fn confirm(&mut self, path: &Path, base: &str) {
        self.confirmed = Some((path.to_owned(), base.to_owned()));
    }

    /// Returns the file of the panel for a walk, or else the automatic name of a number, starting at 1.
    pub(crate) fn walk_path(&self, number: u32) -> PathBuf {
        match self.walk.trim() {
            "" if number == 1 => format!("walk.{}", SavedWalk::EXTENSION).into(),
            "" => format!("walk-{number}.{}", SavedWalk::EXTENSION).into(),
            name if Path::new(name).extension().is_some() => name.into(),
            name => format!("{name}.{}", SavedWalk::EXTENSION).into(),
        }
    }

    /// Returns the file for a new walk: an unused automatic name.
    pub(crate) fn new_walk_path(&self) -> PathBuf {
        let is_free = |number: &u32| !self.walk.trim().is_empty() || !self.walk_path(*number).exists();
        self.walk_path((1..MAX_WALKS).find(is_free).unwrap_or(MAX_WALKS))
    }

    /// Returns the file of the last saved walk.
    pub(crate) fn last_walk_path(&self) -> PathBuf {
        let is_there = |number: &u32| self.walk_path(*number).exists();
        let first_free = (1..MAX_WALKS).find(|number| !is_there(number)).unwrap_or(MAX_WALKS);
        self.walk_path(if self.walk.trim().is_empty() { first_free.saturating_sub(1).max(1) } else { 1 })
    }
}

/// The maximum number of walks with automatic names; a further walk replaces the last.
const MAX_WALKS: u32 = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_saved_among_those_of_the_user_unless_a_folder_is_given() {
        let path = |preset: &str, folder: Option<&str>| {
            let names = FileNames { preset: preset.into(), ..FileNames::default() };
            names.preset_path("fog", folder.map(Path::new)).display().to_string().replace('\\', "/")
        };
        assert_eq!(path("", Some("/mine")), "/mine/fog-mine.toml");
        assert_eq!(path("thick", Some("/mine")), "/mine/thick.toml");
        assert_eq!(path("here/thick.toml", Some("/mine")), "here/thick.toml");
        assert_eq!(path("thick", None), "thick.toml");
    }

    #[test]
    fn only_the_same_file_of_the_same_base_is_confirmed() {
        let mut names = FileNames::default();
        assert!(!names.is_confirmed(Path::new("a.toml"), "fog"));
        names.confirm(Path::new("a.toml"), "fog");
        assert!(names.is_confirmed(Path::new("a.toml"), "fog"));
        assert!(!names.is_confirmed(Path::new("b.toml"), "fog"));
        assert!(!names.is_confirmed(Path::new("a.toml"), "forest"));
    }

    #[test]
    fn walks_with_automatic_names_are_numbered_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let named = FileNames { walk: folder.path().join("mine").display().to_string(), ..FileNames::default() };
        std::fs::write(named.new_walk_path(), "").unwrap();
        assert_eq!(named.new_walk_path(), named.last_walk_path());
        let automatic = FileNames::default();
        assert_eq!(
            [1, 2, 3].map(|number| automatic.walk_path(number)),
            ["walk", "walk-2", "walk-3"].map(|stem| { PathBuf::from(format!("{stem}.farsight")) })
        );
    }
}
