//! The session: input state, messages, saved settings and what the panel edits. It knows neither document nor scene.

mod gestures;
mod input;
mod messages;
mod session_state;
mod ticker;
mod tools;
mod window_settings;

pub(super) use input::PanelFocus;
pub(super) use session_state::{FileNames, Session};
pub(super) use tools::Tools;
pub(super) use window_settings::{PANEL_WIDTHS, SavedSettings, WindowSettings};
