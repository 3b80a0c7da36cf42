//! The session: input state, messages, saved settings and the panel's inputs. It does not change documents.

mod goals;
mod input;
mod introduction;
mod kept_walk;
mod messages;
mod preset_pictures;
mod read_files;
mod session_state;
mod tools;
mod window_settings;

pub(crate) use goals::{Goal, GoalKind, GoalState, Goals};
pub(crate) use input::{PanelFocus, PointerEvent, is_key_first};
pub(crate) use introduction::Introduction;
pub(crate) use kept_walk::KeptWalk;
pub(crate) use preset_pictures::PresetPictures;
pub(crate) use read_files::ReadContent;
pub(crate) use read_files::ReadFiles;
pub(crate) use session_state::{FileNames, HeightFields, Screenshot, ScreenshotContent, Session};
pub(crate) use tools::Tools;
pub(crate) use window_settings::{PANEL_WIDTHS, SavedSettings, WindowSettings};
