//! [`Naming`]: the field for the name of a place.

use egui::{Align2, Context, TextEdit};
use egui_macroquad::egui;

use crate::document::Command;
use farsight_scene::preset::{PlaceName, Preset};
use glam::IVec2;

/// The name that is typed for a cell.
#[derive(Debug)]
pub(crate) struct Naming {
    at: IVec2,
    text: String,
    /// `true` if the field is to take the keys from the next frame on.
    needs_focus: bool,
}

impl Naming {
    /// Asks for the name of a cell, beginning with the one that it has in a preset.
    pub(crate) fn of(preset: &Preset, at: IVec2) -> Self {
        let old = preset.names.iter().find(|place| place.at == at);
        Self { at, text: old.map_or_else(String::new, |place| place.name.clone()), needs_focus: true }
    }

    /// Shows the field in the middle of the map. Returns `true` once it is closed, with the command for the name if it was given.
    pub(crate) fn show(&mut self, context: &Context, map: egui::Rect) -> (bool, Option<Command>) {
        let mut is_open = true;
        let mut is_given = false;
        let window = egui::Window::new("Name of the place").open(&mut is_open).collapsible(false).resizable(false);
        window.pivot(Align2::CENTER_CENTER).fixed_pos(map.center()).show(context, |ui| {
            ui.horizontal(|ui| {
                let field = ui.add(TextEdit::singleline(&mut self.text).char_limit(PlaceName::MAX_LENGTH));
                if std::mem::take(&mut self.needs_focus) {
                    field.request_focus();
                }
                is_given = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                is_given |= ui.button("name").clicked();
            });
            ui.label("Without a name, the place has its own again.");
        });
        let command = is_given.then(|| Command::NamePlace(self.at, self.text.clone()));
        (is_given || !is_open, command)
    }
}
