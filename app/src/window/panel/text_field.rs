//! Fields for text, as high as other controls.

use egui::{Align, RichText, TextEdit, Ui, vec2};
use egui_macroquad::egui;

use crate::window::theme::palette;

/// Returns a field with words that are shown while it is empty.
pub(crate) fn text_field<'a>(ui: &Ui, text: &'a mut String, words: &str) -> TextEdit<'a> {
    let words = RichText::new(words).color(palette(ui.visuals()).weak);
    let height = ui.spacing().interact_size.y;
    TextEdit::singleline(text).hint_text(words).min_size(vec2(0.0, height)).vertical_align(Align::Center)
}
