//! The sections of the panel for lamps and lookouts.

use egui::Ui;
use egui_macroquad::egui;

use super::collapsible::{OpenSections, Opening, show_section};
use crate::explorer::command::{Command, Tool};
use crate::explorer::session::Tools;
use crate::light::{Lamp, Rgb};
use crate::preset::{LAMPS, Preset, VIEWERS};
use crate::preset::{Setting, SettingKind};

/// A section for things that clicks add to the map.
struct Placement {
    title: &'static str,
    tool: Tool,
    help: &'static str,
    /// The number on the map.
    count: usize,
    remove_all: Command,
}

pub(super) fn show_lamps(
    ui: &mut Ui,
    open_sections: &mut OpenSections,
    tools: &mut Tools,
    preset: &Preset,
) -> Vec<Command> {
    let placement = Placement {
        title: "Lamps",
        tool: Tool::Lamp,
        help: "Click on the map to add or remove a lamp (T). Lamps show in the dark: turn \"light\" down.",
        count: preset.lamps.len(),
        remove_all: Command::RemoveLamps,
    };
    show_placement(ui, open_sections, tools, placement, |ui, tools| {
        ui.label("colour");
        let mut colour = tools.lamp.colour.0;
        ui.color_edit_button_srgb(&mut colour);
        tools.lamp.colour = Rgb(colour);
        ui.end_row();
        let Lamp { reach, strength, height_m, .. } = &mut tools.lamp;
        for (name, number) in [("reach", reach), ("strength", strength), ("height_m", height_m)] {
            if let Some(setting) = LAMPS.settings.iter().find(|setting| setting.name() == name) {
                show_slider(ui, setting, number);
                ui.end_row();
            }
        }
    })
}

pub(super) fn show_lookouts(
    ui: &mut Ui,
    open_sections: &mut OpenSections,
    tools: &mut Tools,
    preset: &Preset,
) -> Vec<Command> {
    let placement = Placement {
        title: "Lookouts",
        tool: Tool::Lookout,
        help: "Click on the map to add or remove a lookout (O). The view shows what any of them sees.",
        count: preset.viewers.len(),
        remove_all: Command::RemoveLookouts,
    };
    show_placement(ui, open_sections, tools, placement, |ui, tools| {
        for setting in VIEWERS.settings {
            match setting.name() {
                "eye_height_m" => show_slider(ui, setting, &mut tools.lookout.eye_height_m),
                "follows" => {
                    ui.label("follows").on_hover_text(setting.help);
                    ui.checkbox(&mut tools.lookout.follows, "").on_hover_text(setting.help);
                }
                _ => continue,
            }
            ui.end_row();
        }
    })
}

fn show_placement(
    ui: &mut Ui,
    open_sections: &mut OpenSections,
    tools: &mut Tools,
    placement: Placement,
    show_rows: impl FnOnce(&mut Ui, &mut Tools),
) -> Vec<Command> {
    let Placement { title, tool, help, count, remove_all } = placement;
    let mut is_selected = tools.tool == tool;
    let opening = Opening { at_first: false, forced: is_selected.then_some(true) };
    let mut commands = Vec::new();
    let body = |ui: &mut Ui| {
        ui.horizontal(|ui| {
            if ui.checkbox(&mut is_selected, "place with a click").on_hover_text(help).changed() {
                commands.push(Command::ToggleTool(tool));
            }
            if count > 0 && ui.button(format!("Remove all ({count})")).clicked() {
                commands.push(remove_all);
            }
        });
        egui::Grid::new(title).num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| show_rows(ui, tools));
    };
    show_section(ui, open_sections, title, opening, |_| {}, body);
    commands
}

/// Shows a number within the range of its setting.
fn show_slider(ui: &mut Ui, setting: &Setting, number: &mut f64) {
    let SettingKind::Number { min, max, slider_range, log } = setting.kind else { return };
    ui.label(setting.name().trim_end_matches("_m").replace('_', " ")).on_hover_text(setting.help);
    ui.spacing_mut().slider_width = 84.0;
    let slider = egui::Slider::new(number, slider_range[0]..=slider_range[1])
        .logarithmic(log)
        .max_decimals(2)
        .suffix(format!(" {}", setting.unit));
    ui.add(slider.clamping(egui::SliderClamping::Never)).on_hover_text(setting.help);
    *number = number.clamp(min, max);
}
