//! Typed text on a phone: its keyboard writes into a field of the page, which forwards the text.

use egui_macroquad::egui::output::OutputEvent;
use egui_macroquad::egui::{self, Context, Id, WidgetType};

use crate::host;

/// Shows the field of the page when a field of the panels is tapped, and hides it without focus.
#[derive(Debug, Default)]
pub(crate) struct Typing {
    /// The focused field.
    field: Option<Id>,
    /// The text of the field under a finger, until the finger leaves the screen.
    touched: Option<String>,
    is_drag: bool,
    is_shown: bool,
}

impl Typing {
    /// Follows the focus at the end of a frame.
    pub(crate) fn update(&mut self, context: &Context, is_touch: bool) {
        let is_editing = context.output(|output| output.ime.is_some());
        let field = context.memory(egui::Memory::focused).filter(|_| is_editing);
        if std::mem::replace(&mut self.field, field) != field && field.is_some() && is_touch {
            self.touched = Some(text_of_field(context));
        }
        let (is_down, is_dragging) =
            context.input(|input| (input.pointer.any_down(), input.pointer.is_decidedly_dragging()));
        if is_down {
            self.is_drag = is_dragging;
            return;
        }
        // A scroll gesture can start on a field.
        let is_scroll = std::mem::take(&mut self.is_drag);
        if let Some(text) = self.touched.take() {
            if is_scroll {
                context.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
            } else {
                host::type_text(&text);
                self.is_shown = true;
            }
        } else if self.is_shown && !is_editing {
            host::end_typing();
            self.is_shown = false;
        }
    }
}

/// Returns the text of a newly focused field.
fn text_of_field(context: &Context) -> String {
    let text = context.output(|output| {
        output.events.iter().rev().find_map(|event| match event {
            OutputEvent::FocusGained(info) | OutputEvent::Clicked(info) | OutputEvent::TextSelectionChanged(info)
                if info.typ == WidgetType::TextEdit =>
            {
                info.current_text_value.clone()
            }
            _ => None,
        })
    });
    text.unwrap_or_default()
}
