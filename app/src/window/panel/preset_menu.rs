//! The menu of presets: a small picture and a line for each, and the user's presets.

use std::path::{Path, PathBuf};

use egui::text::{LayoutJob, TextFormat};
use egui::{Button, FontId, Image, RichText, Ui};
use egui_macroquad::egui;

use crate::document::{Command, Document};
use crate::host::ON_PAGE;
use crate::host::{list_presets, preset_name};
use crate::window::command::WindowCommand;
use crate::window::session::PresetPictures;
use crate::window::theme::palette;
use farsight_scene::preset::{Preset, shipped_names};

/// Width of the menu and size of a picture, in points.
const WIDTH: f32 = 400.0;
const PICTURE: egui::Vec2 = egui::vec2(63.0, 42.0);

/// The width for the button that removes a preset, in points.
const REMOVE_WIDTH: f32 = 110.0;

/// Shows the menu and returns the command of a click.
pub(crate) fn show_preset_menu(
    ui: &mut Ui,
    document: &Document,
    pictures: &mut PresetPictures,
    my_presets: Option<&Path>,
) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    ui.label("preset");
    let menu = egui::ComboBox::from_id_salt("preset").selected_text(document.name()).width(150.0);
    menu.height(ui.ctx().screen_rect().height() * 0.7).show_ui(ui, |ui| {
        ui.set_width(WIDTH.min(ui.ctx().screen_rect().width() - 40.0));
        let mine = my_presets.map(list_presets).unwrap_or_default();
        if let Some(folder) = my_presets.filter(|_| !mine.is_empty()) {
            commands.extend(show_mine(ui, document, folder, &mine));
            ui.separator();
        }
        let mut may_make = true;
        for name in shipped_names() {
            let about = Preset::named(name).map(|preset| preset.about).unwrap_or_default();
            let context = ui.ctx().clone();
            let is_shown = name == document.name();
            let text = name_and_line(ui, name, &about, is_shown);
            let button = match pictures.get(&context, name, &mut may_make) {
                Some(texture) => {
                    let image = Image::from_texture((texture.id(), PICTURE)).fit_to_exact_size(PICTURE);
                    Button::image_and_text(image, text)
                }
                None => Button::new(text).min_size(PICTURE),
            };
            if show_row(ui, button, is_shown) {
                commands.push(Command::Preset(name.to_owned()).into());
            }
        }
        if let Some(folder) = my_presets.filter(|_| mine.is_empty()) {
            ui.separator();
            commands.extend(show_mine(ui, document, folder, &mine));
        }
    });
    commands
}

/// Shows a row of the menu and returns `true` if it is clicked, which closes the menu.
fn show_row(ui: &mut Ui, button: Button<'_>, is_selected: bool) -> bool {
    let row = button.wrap().frame(is_selected).selected(is_selected);
    let is_clicked = ui.add(row).clicked();
    if is_clicked {
        ui.memory_mut(egui::Memory::close_popup);
    }
    is_clicked
}

fn name_and_line(ui: &Ui, name: &str, line: &str, is_selected: bool) -> LayoutJob {
    let colours = palette(ui.visuals());
    let format = |size, color| TextFormat { font_id: FontId::proportional(size), color, ..TextFormat::default() };
    let mut job = LayoutJob::default();
    job.append(name, 0.0, format(14.0, colours.text));
    if !line.is_empty() {
        job.append(&format!("\n{line}"), 0.0, format(12.0, if is_selected { colours.text } else { colours.weak }));
    }
    job
}

/// Shows the button that removes a preset, and a second button as confirmation. Returns `true` if the second is clicked.
fn is_removed(ui: &mut Ui, path: &Path) -> bool {
    let asked = egui::Id::new("preset to be removed");
    let is_asked = ui.data(|data| data.get_temp::<PathBuf>(asked)).as_deref() == Some(path);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if !is_asked && ui.small_button("remove").clicked() {
            ui.data_mut(|data| data.insert_temp(asked, path.to_owned()));
        }
        is_asked && ui.button("really remove").clicked()
    })
    .inner
}

/// Shows the user's presets in a folder, and the button for the folder.
fn show_mine(ui: &mut Ui, document: &Document, folder: &Path, mine: &[PathBuf]) -> Option<WindowCommand> {
    let colours = palette(ui.visuals());
    let place = if ON_PAGE { "in this browser".to_owned() } else { folder.display().to_string() };
    ui.horizontal(|ui| {
        ui.label(RichText::new("My presets").strong());
        ui.add(egui::Label::new(RichText::new(place).color(colours.weak).size(12.0)).truncate());
    });
    if mine.is_empty() {
        ui.label(RichText::new("None yet. \"my preset\" under Files saves one here.").color(colours.weak));
        return None;
    }
    let mut command = None;
    for path in mine {
        let name = preset_name(path);
        let text = name_and_line(ui, &name, "", false);
        ui.horizontal(|ui| {
            let remove_width = if ON_PAGE { REMOVE_WIDTH } else { 0.0 };
            let size = egui::vec2((ui.available_width() - remove_width).max(0.0), ui.spacing().interact_size.y);
            if show_row(ui, Button::new(text).min_size(size), name == document.name()) {
                command = Some(WindowCommand::Open(Some(path.clone()), None));
            }
            if ON_PAGE && is_removed(ui, path) {
                command = Some(WindowCommand::RemovePreset(path.clone()));
            }
        });
    }
    if !ON_PAGE && ui.button("show folder").clicked() {
        command = Some(WindowCommand::ShowFolder(folder.to_owned()));
    }
    command
}
