//! Controls that several sections of the panel have: collapsible sections, and fields for text.

use std::collections::BTreeMap;

use egui::collapsing_header::CollapsingState;
use egui::{Align, Label, RichText, Sense, TextEdit, Ui, vec2};
use egui_macroquad::egui;

use crate::window::theme::palette;

/// The sections that the user has opened (`true`) or closed, by title.
pub(crate) type OpenSections = BTreeMap<String, bool>;

/// The state of a section: at first, and forced by the program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening {
    pub(crate) at_first: bool,
    pub(crate) forced: Option<bool>,
}

/// Shows a section with a title, something on the right of the title, and a body if it is open. The body may have sections
/// of its own.
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

/// Returns a field with words that are shown while it is empty.
pub(crate) fn text_field<'a>(ui: &Ui, text: &'a mut String, words: &str) -> TextEdit<'a> {
    let words = RichText::new(words).color(palette(ui.visuals()).weak);
    let height = ui.spacing().interact_size.y;
    TextEdit::singleline(text).hint_text(words).min_size(vec2(0.0, height)).vertical_align(Align::Center)
}
