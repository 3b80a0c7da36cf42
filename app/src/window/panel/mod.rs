//! The side panel. It reads document and view, edits only the texts and tools of the session, and returns commands.

mod advanced;
mod comparison;
mod controls;
mod head;
mod hover_help;
mod inactive_reason;
mod main_sliders;
mod placement;
mod preset_menu;
mod setting_row;
mod sheet;
mod side_panel;

pub(crate) use hover_help::hide_tooltips;
pub(crate) use sheet::{rect_beside_sheet, show_sheet};
pub(crate) use side_panel::show;
