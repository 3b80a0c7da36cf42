//! The sections of the panel for lamps and lookouts.

use egui::Ui;
use egui_macroquad::egui;

use super::controls::{HoverHelp, OpenSections, Opening, show_section};
use crate::document::Command;
use crate::window::command::{Tool, WindowCommand};
use crate::window::session::Tools;
use farsight::light::{Falloff, Flicker, Lamp};
use farsight_scene::creatures::Observer;
use farsight_scene::preset::{LAMPS, Preset, Setting, SettingKind, VIEWERS};
use glam::IVec2;

/// The maximum number of listed lamps.
const MAX_LISTED: usize = 200;

/// Shows the section of a tool, which adds lamps or lookouts to the map with clicks. `shows_survey` is `true` if the
/// map shows the survey.
pub(crate) fn show_placement(
    ui: &mut Ui,
    open_sections: &mut OpenSections,
    tools: &mut Tools,
    tool: Tool,
    preset: &Preset,
    shows_survey: bool,
) -> Vec<WindowCommand> {
    let (title, help, count, remove_all) = match tool {
        Tool::Walk | Tool::Brush | Tool::Name => return Vec::new(),
        Tool::Lamp => (
            "Lamps",
            "Click on the map to add or remove a lamp (T). The controls below change the lamp that was placed last. Lamps \
            show in the dark: turn \"light\" down.",
            preset.lamps.len(),
            Command::RemoveLamps.into(),
        ),
        Tool::Lookout => (
            "Lookouts",
            "Click on the map to add or remove a lookout (O). The view shows what any of them sees.",
            preset.viewers.len(),
            Command::RemoveLookouts.into(),
        ),
    };
    let mut is_selected = tools.tool == tool;
    let opening = Opening { at_first: false, forced: is_selected.then_some(true) };
    let mut commands = Vec::new();
    let body = |ui: &mut Ui, _: &mut OpenSections| {
        ui.horizontal(|ui| {
            if ui.checkbox(&mut is_selected, "place with a click").help(help).changed() {
                commands.push(WindowCommand::ToggleTool(tool));
            }
            if count > 0 && ui.button(format!("Remove all ({count})")).clicked() {
                commands.push(remove_all);
            }
        });
        let help = "Colour the land by how much one sees from each place: coarse first, and then finer";
        if tool == Tool::Lookout && ui.checkbox(&mut { shows_survey }, "show where one sees most").help(help).changed()
        {
            commands.push(WindowCommand::ToggleSurvey);
        }
        if tool == Tool::Lamp && count > 0 {
            commands.extend(show_lamp_choice(ui, tools, preset));
        }
        let grid = egui::Grid::new(title).num_columns(2).spacing([8.0, 3.0]);
        grid.show(ui, |ui| match tool {
            Tool::Lookout => show_lookout(ui, &mut tools.lookout),
            _ => match tools.selected(preset).cloned() {
                Some(mut lamp) => {
                    let old = lamp.clone();
                    show_lamp(ui, &mut lamp);
                    if lamp != old {
                        tools.lamp = lamp.clone();
                        commands.push(Command::ChangeLamp(lamp).into());
                    }
                }
                None => show_lamp(ui, &mut tools.lamp),
            },
        });
    };
    show_section(ui, open_sections, title, opening, |_| {}, body);
    commands
}

/// Shows the lamp that the controls below change, and fields for its cell.
fn show_lamp_choice(ui: &mut Ui, tools: &mut Tools, preset: &Preset) -> Option<WindowCommand> {
    let name = |cell: IVec2| format!("lamp at {},{}", cell.x, cell.y);
    let selected = tools.selected(preset).map(|lamp| lamp.at);
    let mut command = None;
    ui.horizontal(|ui| {
        let help = "The lamp of the controls below: a lamp on the map, or the next lamp to place";
        ui.label("change").help(help);
        let text = selected.map_or_else(|| "the next lamp".to_owned(), name);
        egui::ComboBox::from_id_salt("lamp").selected_text(text).width(130.0).show_ui(ui, |ui| {
            if ui.selectable_label(selected.is_none(), "the next lamp").clicked() {
                tools.selected_lamp = None;
            }
            for lamp in preset.lamps.iter().take(MAX_LISTED) {
                if ui.selectable_label(selected == Some(lamp.at), name(lamp.at)).clicked() {
                    tools.selected_lamp = Some(lamp.at);
                }
            }
        });
        if let Some(from) = selected {
            let mut to = from;
            ui.label("at").help("Moves the lamp to another cell");
            let fields = [&mut to.x, &mut to.y].map(|number| ui.add(egui::DragValue::new(number).speed(0.2)).changed());
            if fields.contains(&true) {
                command = Some(Command::MoveLamp(from, to).into());
            }
        }
    });
    command
}

fn show_lamp(ui: &mut Ui, lamp: &mut Lamp) {
    ui.label("colour");
    ui.color_edit_button_srgb(&mut lamp.colour.0);
    ui.end_row();
    let Lamp { reach, strength, height_m, .. } = lamp;
    for (name, number) in [("reach", reach), ("strength", strength), ("height_m", height_m)] {
        if let Some(setting) = LAMPS.settings.iter().find(|setting| setting.name() == name) {
            show_slider(ui, setting, number);
            ui.end_row();
        }
    }
    show_choice(ui, "falloff", &mut lamp.falloff, Falloff::ALL, Falloff::name);
    show_choice(ui, "flicker", &mut lamp.flicker, Flicker::ALL, Flicker::name);
}

/// Shows a list of names for a key of lamps.
fn show_choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    key: &str,
    value: &mut T,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) {
    let help = LAMPS.settings.iter().find(|setting| setting.name() == key).map_or_else(String::new, Setting::help);
    ui.label(key).help(&help);
    egui::ComboBox::from_id_salt(key).selected_text(name(*value)).show_ui(ui, |ui| {
        for choice in all {
            ui.selectable_value(value, *choice, name(*choice));
        }
    });
    ui.end_row();
}

fn show_lookout(ui: &mut Ui, lookout: &mut Observer) {
    for setting in VIEWERS.settings {
        match setting.name() {
            "eye_height_m" => show_slider(ui, setting, &mut lookout.eye_height_m),
            "follows" => {
                ui.label("follows").help(&setting.help());
                ui.checkbox(&mut lookout.follows, "").help(&setting.help());
            }
            _ => continue,
        }
        ui.end_row();
    }
}

/// Shows a number within the range of its setting.
fn show_slider(ui: &mut Ui, setting: &Setting, number: &mut f64) {
    let SettingKind::Number { min, max, slider_range, log } = setting.kind else { return };
    ui.label(setting.name().trim_end_matches("_m").replace('_', " ")).help(&setting.help());
    ui.spacing_mut().slider_width = 84.0;
    let slider = egui::Slider::new(number, slider_range[0]..=slider_range[1])
        .logarithmic(log)
        .max_decimals(2)
        .suffix(format!(" {}", setting.unit));
    ui.add(slider.clamping(egui::SliderClamping::Never)).help(&setting.help());
    *number = number.clamp(min, max);
}
