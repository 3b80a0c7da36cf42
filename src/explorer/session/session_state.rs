//! [`Session`]: the state of the window that belongs to no document.

use std::path::{Path, PathBuf};

use super::input::InputReader;
use super::messages::Messages;
use super::tools::Tools;
use super::window_settings::SavedSettings;
use crate::export::SavedWalk;

#[derive(Default)]
pub(crate) struct Session {
    pub(crate) input: InputReader,
    pub(crate) messages: Messages,
    pub(crate) settings: SavedSettings,
    pub(crate) tools: Tools,
    pub(crate) file_names: FileNames,
    pub(crate) shows_help: bool,
    /// `true` if there was input since the last frame.
    pub(crate) has_input: bool,
    /// The file for the screen after this frame.
    pub(crate) screenshot: Option<PathBuf>,
}

/// The fields of the panel for file names; empty for automatic names.
#[derive(Debug, Default)]
pub(crate) struct FileNames {
    pub(crate) export: String,
    pub(crate) preset: String,
    pub(crate) walk: String,
}

impl Session {
    pub(crate) fn new(mut settings: SavedSettings) -> Self {
        let mut messages = Messages::default();
        if let Some(warning) = settings.warning.take() {
            messages.error(warning);
        }
        Self { messages, settings, ..Self::default() }
    }
}

impl FileNames {
    pub(crate) fn export_path(&self, stem: &str) -> PathBuf {
        match self.export.trim() {
            "" => format!("{stem}.png").into(),
            name => name.into(),
        }
    }

    /// Returns the file for a preset, given the name of the preset that it is based on.
    pub(crate) fn preset_path(&self, base: &str) -> PathBuf {
        match self.preset.trim() {
            "" => format!("{base}-mine.toml").into(),
            name if name.ends_with(".toml") => name.into(),
            name => format!("{name}.toml").into(),
        }
    }

    pub(crate) fn walk_path(&self) -> PathBuf {
        match self.walk.trim() {
            "" => format!("walk.{}", SavedWalk::EXTENSION).into(),
            name if Path::new(name).extension().is_some() => name.into(),
            name => format!("{name}.{}", SavedWalk::EXTENSION).into(),
        }
    }
}
