//! The side panel. It reads document and view, edits only the texts and tools of the session, and returns commands.

mod advanced;
mod comparison;
mod controls;
mod head;
mod inactive_reason;
mod main_sliders;
mod placement;
mod preset_menu;
mod setting_row;
mod side_panel;

pub(crate) use controls::hide_tooltips;
pub(crate) use side_panel::{map_next_to_sheet, show, show_sheet};
