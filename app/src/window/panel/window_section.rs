//! The section of the panel for the window itself: theme, size of the panels, minimap.

use egui::Ui;
use egui_macroquad::egui;

use super::hover_help::HoverHelp;
use crate::window::command::WindowCommand;
use crate::window::theme::Theme;

/// Shows the settings of the window and returns the commands of their controls.
pub(crate) fn show_window_settings(ui: &mut Ui, theme: &mut Theme, minimap: &mut bool) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    ui.horizontal(|ui| {
        ui.label("colours");
        for (choice, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
            ui.selectable_value(theme, choice, name);
        }
        ui.add_space(12.0);
        ui.checkbox(minimap, "minimap")
            .help("A small map of the whole world. The frame is the part that is shown; click to go there.");
    });
    ui.horizontal(|ui| {
        ui.label("size of the panels");
        for (label, help, steps) in
            [("smaller", "Ctrl and -", Some(-1)), ("larger", "Ctrl and +", Some(1)), ("normal", "Ctrl and 0", None)]
        {
            if ui.button(label).help(help).clicked() {
                commands.push(WindowCommand::ScalePanels(steps));
            }
        }
    });
    commands
}
