//! The section of the panel for files.

use egui::Ui;
use egui_macroquad::egui;

use super::hover_help::HoverHelp;
use super::text_field::text_field;
use crate::explorer::command::{Command, ExportedPart};
use crate::explorer::session::FileNames;

/// Shows the names of files and the buttons that write and read them.
pub(super) fn show_files(ui: &mut Ui, names: &mut FileNames, commands: &mut Vec<Command>) {
    const AUTOMATIC: &str = "automatic name";
    let help =
        "The extension selects the format: png, npy, csv, json, asc, tif, txt. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "export file", &mut names.export, AUTOMATIC, help);
        if ui.button("export").clicked() {
            commands.push(Command::Export(None, ExportedPart::Shown));
        }
    });
    let help = "Saves all settings as a commented preset, for \"My presets\" and farsight --preset. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "preset file", &mut names.preset, AUTOMATIC, help);
        if ui.button("save").clicked() {
            commands.push(Command::SavePreset);
        }
    });
    let help = "Saves the walk: viewer, memory, creatures, lamps and hour. farsight --load loads it, too.";
    ui.horizontal(|ui| {
        show_file_name(ui, "walk file", &mut names.walk, "walk.farsight", help);
        if ui.button("save").help("Save the walk to a new file (F5)").clicked() {
            commands.push(Command::SaveWalk(None));
        }
        // A page loads a walk that is dropped on it.
        if cfg!(not(target_arch = "wasm32")) && ui.button("load").help("Load the last walk (F9)").clicked() {
            commands.push(Command::LoadWalk(None));
        }
    });
    // A page shows the command below the window.
    let help = "Copy the command line that exports this view";
    if cfg!(not(target_arch = "wasm32")) && ui.button("copy as command").help(help).clicked() {
        commands.push(Command::CopyCommandLine);
    }
}

fn show_file_name(ui: &mut Ui, label: &str, name: &mut String, empty: &str, help: &str) {
    ui.label(label);
    let field = text_field(ui, name, empty).desired_width(140.0);
    ui.add(field).help(help);
}
