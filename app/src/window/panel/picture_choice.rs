//! The reading of an opened picture: as a map of opacities, or as heights.

use egui::{RichText, Ui};
use egui_macroquad::egui;

use super::hover_help::HoverHelp;
use super::text_field::text_field;
use crate::document::{Command, Document, PictureReading};
use crate::window::command::WindowCommand;
use crate::window::session::HeightFields;
use crate::window::theme::palette;

/// Shows the choice, and the heights of black and white, if the terrain is from a picture.
pub(crate) fn show_picture_choice(
    ui: &mut Ui,
    document: &Document,
    fields: &mut HeightFields,
    commands: &mut Vec<WindowCommand>,
) {
    let Some(reading) = document.picture_reading() else { return };
    let heights = match reading {
        PictureReading::Heights(heights) => heights,
        PictureReading::Opacities | PictureReading::Metres => PictureReading::DEFAULT_HEIGHTS,
    };
    ui.horizontal_wrapped(|ui| {
        ui.label("picture as").help("What the brightness of the opened picture means");
        for (label, help, choice) in [
            ("opacities", "A map seen from above: black is clear, white is a wall", PictureReading::Opacities),
            ("heights", "Land: the brighter, the higher", PictureReading::Heights(heights)),
            ("metres", "Land: the whole numbers of a grey picture are metres", PictureReading::Metres),
        ] {
            let is_chosen = std::mem::discriminant(&choice) == std::mem::discriminant(&reading);
            if ui.selectable_label(is_chosen, label).help(help).clicked() && !is_chosen {
                *fields = HeightFields::default();
                commands.push(Command::ReadPicture(choice).into());
            }
        }
    });
    if !matches!(reading, PictureReading::Heights(_)) {
        return;
    }
    let mut texts = fields.draft.clone().unwrap_or_else(|| heights.metres().map(|metres| metres.to_string()));
    ui.horizontal_wrapped(|ui| {
        let (mut is_edited, mut is_given) = (false, false);
        for (label, help, text) in
            [("black", "The height of black in metres", 0), ("white", "The height of white in metres", 1)]
        {
            ui.label(format!("{label} is")).help(help);
            let field = ui.add(text_field(ui, &mut texts[text], "").desired_width(52.0)).help(help);
            ui.label(RichText::new("m").color(palette(ui.visuals()).weak));
            is_edited |= field.changed();
            is_given |= field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        }
        if is_edited {
            fields.draft = Some(texts.clone());
        }
        is_given |= ui.add_enabled(fields.draft.is_some(), egui::Button::new("apply")).clicked();
        if is_given && fields.draft.take().is_some() {
            commands.push(Command::SetHeights(texts).into());
        }
    });
}
