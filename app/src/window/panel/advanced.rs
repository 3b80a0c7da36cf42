//! Every setting, by section, with a search.

use std::collections::BTreeSet;

use egui::{RichText, Sense, Ui};
use egui_macroquad::egui;

use super::controls::{HoverHelp, OpenSections, Opening, show_section, text_field};
use super::head::button_words;
use super::inactive_reason::inactive_reason;
use super::setting_row::{RowState, reset_button, show_setting};
use crate::document::{Command, Document, Source};
use crate::window::command::WindowCommand;
use crate::window::keys::HELP;
use crate::window::session::PANEL_WIDTHS;
use crate::window::theme::{is_touch_sized, palette};
use farsight_scene::preset::{Preset, Setting};

/// The sections of settings: title, and prefix of the keys.
const SECTIONS: &[(&str, &str)] = &[
    ("Air, woods, hills", "optics"),
    ("Sight", "sight"),
    ("Decay with distance", "sight.decay"),
    ("Cone of vision", "sight.sector"),
    ("Perception", "perception"),
    ("Clock", "clock"),
    ("Weather", "weather"),
    ("Paint", "paint"),
    ("World", "world"),
];

const OPEN_AT_FIRST: [&str; 1] = ["optics"];

/// Settings of a document with the state of their rows.
struct Rows<'a> {
    document: &'a Document,
    /// The preset at the present hour.
    present: Preset,
    changed: BTreeSet<&'a str>,
    /// The preset, and that of the compared method.
    presets: Vec<Preset>,
    extra_width: f32,
}

/// Shows the search, and its matching settings and commands. Returns the commands of their controls.
pub(crate) fn show_search(
    ui: &mut Ui,
    document: &Document,
    panel_width: f32,
    search: &mut String,
) -> Vec<WindowCommand> {
    ui.horizontal(|ui| {
        let field = text_field(ui, search, "search settings and commands");
        let help = "Searches names and explanations: fog, radius, method …";
        ui.add(field.desired_width(200.0 + panel_width - PANEL_WIDTHS[0])).help(help);
        if !search.is_empty() && ui.button("clear").clicked() {
            search.clear();
        }
    });
    if search.trim().is_empty() { Vec::new() } else { Rows::new(document, panel_width).show_found(ui, search) }
}

/// Shows every setting that has a meaning on the terrain. Returns the commands of their controls.
pub(crate) fn show_advanced(
    ui: &mut Ui,
    document: &Document,
    open_sections: &mut OpenSections,
    panel_width: f32,
) -> Vec<WindowCommand> {
    let rows = Rows::new(document, panel_width);
    let mut commands = Vec::new();
    for &(title, section) in SECTIONS {
        rows.show_section(ui, (title, section), open_sections, &mut commands);
    }
    commands
}

/// Returns `true` if a setting has every word in its key or its explanation.
fn matches(setting: &Setting, search: &str) -> bool {
    has_words(&format!("{} {} {}", setting.key, setting.key.replace('_', " "), setting.help()), search)
}

/// Returns `true` if a text has every word of a search.
fn has_words(text: &str, search: &str) -> bool {
    let text = text.to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// Returns the places of the commands that match a search: the buttons at the top of the panel, and the keys.
fn places_of_commands(search: &str) -> Vec<String> {
    let buttons = button_words().filter(|(label, help)| has_words(&format!("{label} {help}"), search));
    let keys = HELP.iter().filter(|(_, meaning)| has_words(meaning, search));
    let buttons = buttons.map(|(label, help)| format!("Button \"{label}\" at the top of the panel: {help}."));
    buttons.chain(keys.map(|(keys, meaning)| format!("Key {keys}: {meaning}."))).collect()
}

impl<'a> Rows<'a> {
    fn new(document: &'a Document, panel_width: f32) -> Self {
        let mut presets = vec![document.preset().clone()];
        if document.comparison().is_open() {
            presets.push(document.comparison().to.applied_to(document.preset()));
        }
        let extra_width = panel_width - PANEL_WIDTHS[0];
        let (present, changed) = (document.present_preset(), document.changed_keys());
        Self { document, present, changed, presets, extra_width }
    }

    fn settings(&self) -> impl Iterator<Item = &'static Setting> + '_ {
        let document = self.document;
        let (preset, has_landscape) = (document.preset(), document.has_landscape());
        Preset::settings()
            .filter(move |setting| document.source().has(setting) && !setting.is_absent(preset, has_landscape))
    }

    fn show_found(&self, ui: &mut Ui, search: &str) -> Vec<WindowCommand> {
        let mut commands = Vec::new();
        let found: Vec<_> = self.settings().filter(|setting| matches(setting, search)).collect();
        let mut lines = places_of_commands(search);
        if found.is_empty() && lines.is_empty() {
            lines.push("Nothing matches.".to_owned());
        }
        self.show_grid(ui, "found", found.into_iter(), &mut commands);
        for line in lines {
            ui.label(RichText::new(line).color(palette(ui.visuals()).weak));
        }
        commands
    }

    fn show_section(
        &self,
        ui: &mut Ui,
        (title, section): (&str, &str),
        open_sections: &mut OpenSections,
        commands: &mut Vec<WindowCommand>,
    ) {
        let title = match (section, self.document.source()) {
            ("world", Source::Heightmap { .. }) => "Climate on the heightmap",
            ("optics", _) if !self.document.has_landscape() => "Light",
            _ => title,
        };
        let settings = || self.settings().filter(|setting| setting.section() == section);
        if settings().next().is_none() {
            return;
        }
        let mut is_reset = false;
        let show_reset = |ui: &mut Ui| {
            if settings().any(|setting| self.changed.contains(setting.key)) {
                ui.add_space(10.0); // next to the scroll bar
                is_reset = reset_button(ui, &format!("{title}: reset to the preset"));
            }
        };
        let mut changes = Vec::new();
        let opening = Opening { at_first: OPEN_AT_FIRST.contains(&section), forced: None };
        show_section(ui, open_sections, title, opening, show_reset, |ui, _| {
            if section == "clock" {
                let verb = if self.document.time_runs() { "pause time" } else { "run time" };
                let label = format!("{verb}{}", if is_touch_sized(ui) { "" } else { " (R)" });
                let help = "Time passes by itself, at \"hours a second\". Only the sun and the weather move meanwhile.";
                if ui.button(label).help(help).clicked() {
                    changes.push(Command::ToggleTime.into());
                }
            }
            self.show_grid(ui, section, settings(), &mut changes);
            if section == "sight.decay" {
                show_decay_curve(ui, self.document.preset());
            }
        });
        if is_reset {
            commands.push(Command::Reset(section.to_owned()).into());
        }
        commands.extend(changes);
    }

    fn show_grid(
        &self,
        ui: &mut Ui,
        id: &str,
        settings: impl Iterator<Item = &'static Setting>,
        commands: &mut Vec<WindowCommand>,
    ) {
        let Self { document, present, changed, presets, extra_width } = self;
        egui::Grid::new(id).num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            for setting in settings {
                let is_changed = changed.contains(setting.key);
                let inactive_reason = inactive_reason(setting, presets, document.has_landscape());
                let state = RowState { is_changed, inactive_reason, extra_width: *extra_width };
                commands.extend(show_setting(ui, setting, present, state));
                ui.end_row();
            }
        });
    }
}

/// Shows the visibility over distance in the open, from 0 to the radius.
fn show_decay_curve(ui: &mut Ui, preset: &Preset) {
    const LEFT: f32 = 14.0;
    const TOP: f32 = 16.0;
    let size = egui::vec2(ui.available_width() - 8.0, 68.0);
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 3.0, ui.visuals().extreme_bg_color);
    let (radius, decay) = (preset.sight.radius, preset.sight.decay.decay());
    let points = (0..=100).map(|i| {
        let share = i as f32 / 100.0;
        let value = decay.at(f64::from(share) * f64::from(radius), radius) as f32;
        let (width, height) = (place.width() - LEFT, place.height() - TOP);
        egui::pos2(place.left() + LEFT + share * width, place.bottom() - 3.0 - value * (height - 3.0))
    });
    painter.add(egui::Shape::line(points.collect(), egui::Stroke::new(2.0, egui::Color32::from_rgb(216, 150, 30))));
    let font = egui::FontId::proportional(10.0);
    let label = |text: &str, at, align| painter.text(at, align, text, font.clone(), palette(ui.visuals()).weak);
    label("1", egui::pos2(place.left() + 4.0, place.top() + TOP), egui::Align2::LEFT_CENTER);
    label("0", place.left_bottom() + egui::vec2(4.0, -2.0), egui::Align2::LEFT_BOTTOM);
    label(&format!("{radius} cells"), place.right_top() + egui::vec2(-4.0, 2.0), egui::Align2::RIGHT_TOP);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_names_and_explanations() {
        let found = |search: &str| -> Vec<&str> {
            Preset::settings().filter(|setting| matches(setting, search)).map(|setting| setting.key).collect()
        };
        assert_eq!(found("Visual Range fog_v"), ["optics.fog_visual_range_m"]);
        assert!(found("fog").contains(&"optics.visual_range_m"), "its explanation speaks of fog");
        assert!(found("gold").is_empty());
    }

    #[test]
    fn a_search_says_where_a_command_is() {
        let goals =
            "Button \"goals\" at the top of the panel: Small tasks in this land, and the species identified so far.";
        assert_eq!(places_of_commands("Goal"), [goals]);
        for search in ["film", "share", "undo", "screenshot", "panorama"] {
            assert!(!places_of_commands(search).is_empty(), "{search}");
        }
        let lamp = "Key T: add and remove lamps with clicks, or walk again.";
        assert!(places_of_commands("lamps clicks").contains(&lamp.to_owned()));
        assert!(places_of_commands("gold").is_empty());
    }

    #[test]
    fn every_setting_has_a_section() {
        for setting in Preset::settings() {
            let known = SECTIONS.iter().any(|(_, section)| *section == setting.section());
            assert!(known || setting.section().is_empty(), "{}", setting.key);
        }
    }
}
