//! What a click on the map does: walk there, or put something up.

use egui::Ui;
use egui_macroquad::egui;

use super::command::{Command, Tool};
use super::fold::{Folds, fold};
use crate::light::{Lamp, Rgb};
use crate::perception::Observer;
use crate::preset::{LAMPS, Preset, Setting, SettingKind, VIEWERS};
use glam::IVec2;

/// The tool in hand, and what it puts up.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    pub(super) tool: Tool,
    /// The next lamp; its cell means nothing.
    pub(super) lamp: Lamp,
    /// The next who looks, too; its cell means nothing.
    pub(super) lookout: Observer,
}

impl Default for Tools {
    fn default() -> Self {
        Self { tool: Tool::default(), lamp: Lamp::new(IVec2::ZERO), lookout: Observer::new(IVec2::ZERO) }
    }
}

impl Tools {
    /// Takes a tool in hand, or lays it down if it is there.
    pub(super) fn toggle(&mut self, tool: Tool) {
        self.tool = if self.tool == tool { Tool::Walk } else { tool };
    }

    /// A preset with what the tool does to a cell.
    pub(super) fn used_on(&self, preset: &Preset, cell: IVec2) -> Preset {
        let mut preset = preset.clone();
        match self.tool {
            Tool::Walk => {}
            Tool::Lamp => {
                let before = preset.lamps.len();
                preset.lamps.retain(|lamp| lamp.at != cell);
                if preset.lamps.len() == before {
                    preset.lamps.push(Lamp { at: cell, ..self.lamp.clone() });
                }
            }
            Tool::Lookout => {
                let before = preset.viewers.len();
                preset.viewers.retain(|lookout| lookout.at != cell);
                if preset.viewers.len() == before {
                    preset.viewers.push(Observer { at: cell, ..self.lookout.clone() });
                }
            }
        }
        preset
    }

    /// What the hint on the map says while a tool is in hand.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self.tool {
            Tool::Walk => None,
            Tool::Lamp => Some("lamps: click puts one up or takes it away    T: done"),
            Tool::Lookout => Some("lookouts: click puts one up or sends it away    O: done"),
        }
    }
}

/// The part of the panel on lamps.
pub(super) fn lamps(ui: &mut Ui, folds: &mut Folds, tools: &mut Tools, preset: &Preset, commands: &mut Vec<Command>) {
    let open = (tools.tool == Tool::Lamp).then_some(true);
    fold(
        ui,
        folds,
        "Lamps",
        (false, open),
        |_| {},
        |ui| {
            ui.horizontal(|ui| {
            let mut on = tools.tool == Tool::Lamp;
            let help =
                "A click on the map puts a lamp up, or takes it away (T). By day one sees no lamp: turn light down.";
            if ui.checkbox(&mut on, "place with a click").on_hover_text(help).changed() {
                tools.toggle(Tool::Lamp);
            }
            let count = preset.lamps.len();
            if count > 0 && ui.button(format!("take all {count} away")).clicked() {
                commands.push(Command::RemoveLamps);
            }
        });
            egui::Grid::new("lamps").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
                ui.label("colour");
                let mut colour = tools.lamp.colour.0;
                ui.color_edit_button_srgb(&mut colour);
                tools.lamp.colour = Rgb(colour);
                ui.end_row();
                let Lamp { reach, strength, height_m, .. } = &mut tools.lamp;
                for (name, number) in [("reach", reach), ("strength", strength), ("height_m", height_m)] {
                    if let Some(setting) = LAMPS.settings.iter().find(|setting| setting.name() == name) {
                        slider(ui, setting, number);
                        ui.end_row();
                    }
                }
            });
        },
    );
}

/// The part of the panel on others who look.
pub(super) fn lookouts(
    ui: &mut Ui,
    folds: &mut Folds,
    tools: &mut Tools,
    preset: &Preset,
    commands: &mut Vec<Command>,
) {
    let open = (tools.tool == Tool::Lookout).then_some(true);
    fold(
        ui,
        folds,
        "Others who look",
        (false, open),
        |_| {},
        |ui| {
            ui.horizontal(|ui| {
                let mut on = tools.tool == Tool::Lookout;
                let help =
                    "A click on the map puts a lookout there, or sends it away (O). One sees what any of them sees.";
                if ui.checkbox(&mut on, "place with a click").on_hover_text(help).changed() {
                    tools.toggle(Tool::Lookout);
                }
                let count = preset.viewers.len();
                if count > 0 && ui.button(format!("send all {count} away")).clicked() {
                    commands.push(Command::RemoveLookouts);
                }
            });
            egui::Grid::new("lookouts").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
                for setting in VIEWERS.settings {
                    match setting.name() {
                        "eye_height_m" => slider(ui, setting, &mut tools.lookout.eye_height_m),
                        "follows" => {
                            ui.label("follows").on_hover_text(setting.help);
                            ui.checkbox(&mut tools.lookout.follows, "").on_hover_text(setting.help);
                        }
                        _ => continue,
                    }
                    ui.end_row();
                }
            });
        },
    );
}

/// A number of the next thing to put up, within the range of its setting.
fn slider(ui: &mut Ui, setting: &Setting, number: &mut f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn a_lamp_is_put_up_on_a_cell_and_taken_away_again() {
        let mut tools = Tools::default();
        let preset = Preset::default();
        assert_eq!(tools.used_on(&preset, ivec2(3, 4)), preset, "one walks");
        tools.toggle(Tool::Lamp);
        tools.lamp.colour = Rgb([1, 2, 3]);
        let lit = tools.used_on(&preset, ivec2(3, 4));
        assert_eq!(lit.lamps, [Lamp { colour: Rgb([1, 2, 3]), ..Lamp::new(ivec2(3, 4)) }]);
        let two = tools.used_on(&lit, ivec2(5, 4));
        assert_eq!(two.lamps.len(), 2);
        assert_eq!(tools.used_on(&two, ivec2(3, 4)).lamps, [two.lamps[1].clone()]);
        tools.toggle(Tool::Lamp);
        assert_eq!(tools.tool, Tool::Walk);
    }
}
