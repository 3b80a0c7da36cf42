//! The section of the panel for files.

use egui::Ui;
use egui_macroquad::egui;

use super::hover_help::HoverHelp;
use super::text_field::text_field;
use crate::window::command::{ExportedPart, WindowCommand};
use crate::window::options::ON_PAGE;
use crate::window::session::FileNames;

/// Shows the names of files and the buttons that write and read them.
pub(crate) fn show_files(ui: &mut Ui, names: &mut FileNames, commands: &mut Vec<WindowCommand>) {
    const AUTOMATIC: &str = "automatic name";
    let help =
        "The extension selects the format: png, npy, csv, json, asc, tif, txt. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "export", &mut names.export, AUTOMATIC, help);
        // A page has the button below the window.
        if !ON_PAGE && ui.button("export").clicked() {
            commands.push(WindowCommand::Export(None, ExportedPart::Shown));
        }
    });
    let help = "The name under which all settings are saved, for \"My presets\" and farsight --preset. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "my preset", &mut names.preset, AUTOMATIC, help);
        if ui.button("save").clicked() {
            commands.push(WindowCommand::SavePreset);
        }
    });
    let help = "Saves the walk: viewer, memory, creatures, lamps and hour. farsight --load loads it, too.";
    ui.horizontal(|ui| {
        show_file_name(ui, "walk", &mut names.walk, "walk.farsight", help);
        if ui.button("save").help("Save the walk to a new file (F5)").clicked() {
            commands.push(WindowCommand::SaveWalk(None));
        }
        // A page loads a walk that is dropped on it.
        if !ON_PAGE && ui.button("load").help("Load the last walk (F9)").clicked() {
            commands.push(WindowCommand::LoadWalk(None));
        }
    });
    // A page shows the command below the window.
    let help = "Copy the command line that exports this view";
    if !ON_PAGE && ui.button("copy as command").help(help).clicked() {
        commands.push(WindowCommand::CopyCommandLine);
    }
}

fn show_file_name(ui: &mut Ui, label: &str, name: &mut String, empty: &str, help: &str) {
    ui.label(label);
    let field = text_field(ui, name, empty).desired_width(140.0);
    ui.add(field).help(help);
}
