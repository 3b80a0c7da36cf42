//! The side panel. It reads document and view, edits only the texts and tools of the session, and returns commands.

mod collapsible;
mod decay_curve;
mod inactive_reason;
mod placement;
mod setting_row;
mod side_panel;

pub(super) use side_panel::show;
