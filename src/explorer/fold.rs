//! Parts of the panel that fold away.

use std::collections::BTreeMap;

use egui::collapsing_header::CollapsingState;
use egui::{Label, RichText, Sense, Ui};
use egui_macroquad::egui;

/// Which parts are open, by their titles; those that are not in it are as they are at first.
pub(super) type Folds = BTreeMap<String, bool>;

/// A part with a title, and something on its right; whether it is open is kept in `folds`. `force` opens or closes it.
pub(super) fn fold(
    ui: &mut Ui,
    folds: &mut Folds,
    title: &str,
    (open_at_first, force): (bool, Option<bool>),
    aside: impl FnOnce(&mut Ui),
    body: impl FnOnce(&mut Ui),
) {
    let wanted = folds.get(title).copied().unwrap_or(open_at_first);
    let id = ui.make_persistent_id(("fold", title));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, wanted);
    if let Some(open) = force {
        state.set_open(open);
    }
    let mut clicked = false;
    let mut header = state.show_header(ui, |ui| {
        let label = Label::new(RichText::new(title).strong()).selectable(false).sense(Sense::click());
        clicked = ui.add(label).clicked();
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), aside);
    });
    if clicked {
        header.toggle();
    }
    let is_open = header.is_open();
    header.body(body);
    if is_open != wanted {
        folds.insert(title.to_owned(), is_open);
    }
}
