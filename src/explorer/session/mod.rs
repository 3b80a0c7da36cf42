//! The session: input state, messages, saved settings and what the panel edits. It knows no document.

mod gestures;
mod input;
mod messages;
mod preset_pictures;
mod read_files;
mod session_state;
mod ticker;
mod tools;
mod window_settings;

pub(super) use input::PanelFocus;
pub(super) use preset_pictures::PresetPictures;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use read_files::ReadContent;
pub(super) use read_files::ReadFiles;
pub(super) use session_state::{FileNames, HeightFields, Screenshot, ScreenshotContent, Session};
pub(super) use tools::Tools;
pub(super) use window_settings::{PANEL_WIDTHS, SavedSettings, WindowSettings};
