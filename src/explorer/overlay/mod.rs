//! Texts over and below the map: status line, hints, progress, faults of the preset file, and the list of keys.

mod overlays;
mod status_line;
mod theme;

pub(super) use overlays::{show_file_error, show_help, show_hint, show_method_names, show_progress};
pub(super) use status_line::show_status_line;
pub(super) use theme::{apply_theme, is_narrow, pixels_per_point};
