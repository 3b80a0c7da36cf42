//! Shared controls of the panel: collapsible sections, text fields, and [`HoverHelp`], tooltips next to the panel,
//! where they do not cover rows.

use std::collections::BTreeMap;

use egui::collapsing_header::CollapsingState;
use egui::{Align, Align2, Area, Frame, Id, Label, Order, Response, RichText, Sense, TextEdit, Ui, vec2};
use egui_macroquad::egui;

use crate::window::goal_card::left_edge;
use crate::window::theme::{is_narrow, palette};

/// The sections that the user has expanded (`true`) or collapsed, by title.
pub(crate) type OpenSections = BTreeMap<String, bool>;

/// The state of a section: initially, and forced by the program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening {
    pub(crate) at_first: bool,
    pub(crate) forced: Option<bool>,
}

/// Shows a section with a title, controls to the right of the title, and a body if it is expanded. The body can contain
/// sections.
pub(crate) fn show_section(
    ui: &mut Ui,
    open_sections: &mut OpenSections,
    title: &str,
    opening: Opening,
    aside: impl FnOnce(&mut Ui),
    body: impl FnOnce(&mut Ui, &mut OpenSections),
) {
    let was_open = open_sections.get(title).copied().unwrap_or(opening.at_first);
    let id = ui.make_persistent_id(("section", title));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, was_open);
    if let Some(open) = opening.forced {
        state.set_open(open);
    }
    let mut clicked = false;
    let mut header = state.show_header(ui, |ui| {
        let label = Label::new(RichText::new(title).strong()).selectable(false).sense(Sense::click());
        clicked = ui.add(label).clicked();
        ui.with_layout(egui::Layout::right_to_left(Align::Center), aside);
    });
    if clicked {
        header.toggle();
    }
    let is_open = header.is_open();
    header.body(|ui| body(ui, open_sections));
    if is_open != was_open {
        open_sections.insert(title.to_owned(), is_open);
    }
}

/// Returns a text field with a placeholder.
pub(crate) fn text_field<'a>(ui: &Ui, text: &'a mut String, words: &str) -> TextEdit<'a> {
    let words = RichText::new(words).color(palette(ui.visuals()).weak);
    let height = ui.spacing().interact_size.y;
    TextEdit::singleline(text).hint_text(words).min_size(vec2(0.0, height)).vertical_align(Align::Center)
}

/// The delay of a tooltip, in seconds.
const REST_SECONDS: f32 = 0.4;

/// The maximum width of a tooltip, in points.
const WIDTH: f32 = 320.0;

/// The distance between a tooltip and the panel, in points.
const GAP: f32 = 10.0;

/// Tooltips of the panel.
pub(crate) trait HoverHelp {
    /// Shows a text left of the panel and of the card with the goals, or above the row if the panel is below the map,
    /// while the pointer rests on the control.
    fn help(self, text: &str) -> Self;
}

impl HoverHelp for Response {
    fn help(self, text: &str) -> Self {
        let context = &self.ctx;
        let (rest, is_down) =
            context.input(|input| (input.pointer.time_since_last_movement(), input.pointer.any_down()));
        let is_hidden = context.data(|data| data.get_temp(hidden_id())).unwrap_or(false);
        if text.is_empty() || is_hidden || is_down || !self.contains_pointer() {
            return self;
        }
        if rest < REST_SECONDS {
            context.request_repaint_after_secs(REST_SECONDS - rest);
            return self;
        }
        let panel = context.data(|data| data.get_temp(panel_id())).unwrap_or(self.rect.left());
        let (pivot, at) = if is_narrow(context) {
            (Align2::LEFT_BOTTOM, self.rect.left_top() - vec2(0.0, 6.0))
        } else {
            let left = left_edge(context).map_or(panel, |card| card.min(panel));
            (Align2::RIGHT_CENTER, egui::pos2(left - GAP, self.rect.center().y))
        };
        let area = Area::new(Id::new("help")).order(Order::Tooltip).pivot(pivot).fixed_pos(at).interactable(false);
        area.fade_in(false).show(context, |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(WIDTH);
                ui.label(RichText::new(text).color(palette(ui.visuals()).text));
            });
        });
        self
    }
}

fn panel_id() -> Id {
    Id::new("left edge of the panel")
}

fn hidden_id() -> Id {
    Id::new("tooltips are hidden")
}

/// Hides tooltips over an open dialog and in a picture of the map.
pub(crate) fn hide_tooltips(context: &egui::Context, are_hidden: bool) {
    context.data_mut(|data| data.insert_temp(hidden_id(), are_hidden));
}

/// Sets the edge of the panel for tooltips.
pub(crate) fn set_panel_edge(ui: &Ui) {
    let left = ui.max_rect().left();
    ui.data_mut(|data| data.insert_temp(panel_id(), left));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `true` if a tooltip is shown for the hovered control.
    fn shows_help(are_hidden: bool) -> bool {
        let context = egui::Context::default();
        let mut is_shown = false;
        for frame in 0..4 {
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(800.0, 600.0)));
            let mut input = egui::RawInput { time: Some(f64::from(frame)), screen_rect, ..egui::RawInput::default() };
            if frame == 0 {
                input.events.push(egui::Event::PointerMoved(egui::pos2(400.0, 300.0)));
            }
            let _ = context.run(input, |context| {
                hide_tooltips(context, are_hidden);
                egui::CentralPanel::default().show(context, |ui| {
                    let control = ui.allocate_response(ui.available_size(), Sense::hover());
                    control.help("words");
                });
                let layers = context.memory(|memory| memory.areas().visible_layer_ids());
                is_shown = layers.iter().any(|layer| layer.id == Id::new("help"));
            });
        }
        is_shown
    }

    #[test]
    fn no_tooltip_covers_a_dialog() {
        assert!(shows_help(false), "the pointer rests on the control");
        assert!(!shows_help(true), "a dialog is open");
    }
}
