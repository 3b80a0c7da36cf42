//! The upper part of the panel: preset, the main controls, layers, comparison and buttons.

use std::path::Path;

use egui::{RichText, Ui};
use egui_macroquad::egui;

use super::comparison::show_comparison;
use super::controls::{HoverHelp, text_field};
use super::main_sliders::show_main_sliders;
use super::preset_menu::show_preset_menu;
use crate::document::{Command, Document, PictureReading, Source, UndoSteps};
use crate::host::ON_PAGE;
use crate::window::command::{ExportedPart, Tool, WindowCommand};
use crate::window::session::{HeightFields, PresetPictures};
use crate::window::theme::{has_sheet, is_touch_sized, palette};
use crate::window::view::MapView;
use farsight_scene::files::{HeightEncoding, PictureHeights};
use farsight_scene::paint::Backdrop;
use farsight_scene::preset::Look;
use farsight_scene::scene::Layer;

/// The layers: label, explanation, backdrop.
const LAYERS: &[(&str, &str, Backdrop)] = &[
    ("1 land", "The land as it is seen (1)", Backdrop::Land),
    ("2 elevation", "Height above the sea, with hillshade (2)", Backdrop::Layer(Layer::Elevation)),
    ("3 humidity", "Dampness of air and ground: fog forms where it is high (3)", Backdrop::Layer(Layer::Humidity)),
    ("4 vegetation", "Density of plants: woods hide the land behind them (4)", Backdrop::Layer(Layer::Vegetation)),
    (
        "5 temperature",
        "Mean temperature, from the coldest to the warmest cell shown (5)",
        Backdrop::Layer(Layer::Temperature),
    ),
    ("6 biomes", "Kinds of land: desert, woodland, tundra … (6)", Backdrop::Layer(Layer::Biome)),
    ("7 opacity", "Opacity of each cell, from the minimum to the maximum shown (7)", Backdrop::Layer(Layer::Opacity)),
    ("8 visibility", "Visible fraction of each cell, 0 to 1 (8)", Backdrop::Layer(Layer::Visibility)),
];

/// The button that a phone has in the first row.
const GOALS: &str = "goals";

/// The buttons: label, explanation, command.
const BUTTONS: [(&str, &str, WindowCommand); 8] = [
    ("open", "Open a preset, map, heightmap, walk or export (Ctrl+O)", WindowCommand::ToggleOpenDialog),
    (
        "export",
        "Export the part of the map that is on the screen, to the file named below (X)",
        WindowCommand::Export(None, ExportedPart::Shown),
    ),
    (
        "screenshot",
        "Save map and panorama as they are on the screen, without panel and messages (P)",
        WindowCommand::Screenshot(None),
    ),
    ("keys", "All keys (H)", WindowCommand::ToggleHelp),
    (
        "paint",
        "Paint hills, lakes and woods with a brush, or walls, doors and windows (U)",
        WindowCommand::ToggleTool(Tool::Brush),
    ),
    (GOALS, "Small tasks in this land, and the species identified so far", WindowCommand::ToggleGoals),
    ("undo", "Undo the last change (Ctrl+Z)", WindowCommand::Document(Command::Undo)),
    ("redo", "Redo the change that was undone last (Ctrl+Y)", WindowCommand::Document(Command::Redo)),
];

const SHARE: (&str, &str) =
    ("share", "Send the scene: copy its link, save a picture or a film of the last steps, or copy its command");

/// Returns the labels and explanations of the buttons.
pub(super) fn button_words() -> impl Iterator<Item = (&'static str, &'static str)> {
    BUTTONS.iter().map(|(label, help, _)| (*label, *help)).chain([SHARE]).filter(|(label, _)| !is_absent(label))
}

/// Returns `true` for a button that a page has below the map.
fn is_absent(label: &str) -> bool {
    ON_PAGE && matches!(label, "open" | "export")
}

/// Shows the upper part of the panel and returns the commands of its controls. `presets` are the pictures of presets
/// and the folder of the user's presets.
pub(crate) fn show_head(
    ui: &mut Ui,
    document: &Document,
    view: &MapView,
    presets: (&mut PresetPictures, Option<&Path>),
    heights: &mut HeightFields,
) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    ui.add_space(4.0);
    let (pictures, my_presets) = presets;
    show_origin(ui, document, (pictures, my_presets), &mut commands);
    show_picture_choice(ui, document, heights, &mut commands);
    commands.extend(show_main_sliders(ui, document, ui.available_width()));
    // The sheet of a phone is low: frequent controls are visible when it opens.
    let has_sheet = has_sheet(ui.ctx());
    if has_sheet {
        ui.horizontal_wrapped(|ui| show_switches(ui, document, view, &mut commands));
        show_buttons(ui, document, &mut commands);
    }
    ui.horizontal_wrapped(|ui| {
        show_layers(ui, document, view, &mut commands);
        if !has_sheet {
            show_switches(ui, document, view, &mut commands);
        }
    });
    commands.extend(show_comparison(ui, document, my_presets));
    if !has_sheet {
        show_buttons(ui, document, &mut commands);
    }
    commands
}

/// Shows the buttons for files, tools, goals and changes.
fn show_buttons(ui: &mut Ui, document: &Document, commands: &mut Vec<WindowCommand>) {
    ui.horizontal_wrapped(|ui| {
        let UndoSteps { undo, redo } = document.undo_steps();
        for (label, help, command) in BUTTONS {
            if is_absent(label) || label == "keys" && is_touch_sized(ui) || label == GOALS && has_sheet(ui.ctx()) {
                continue;
            }
            let is_enabled = match label {
                "undo" => undo > 0,
                "redo" => redo > 0,
                _ => true,
            };
            if ui.add_enabled(is_enabled, egui::Button::new(label)).help(help).clicked() {
                commands.push(command);
            }
        }
        show_share(ui, document, commands);
    });
}

/// Shows the button with the list of ways to share the scene.
fn show_share(ui: &mut Ui, document: &Document, commands: &mut Vec<WindowCommand>) {
    let button = ui.menu_button(SHARE.0, |ui| {
        let steps = document.trail_steps();
        let film = format!("film of the last {steps} steps");
        for (label, command) in [
            ("link", Some(WindowCommand::CopyLink)),
            ("picture", Some(WindowCommand::Export(None, ExportedPart::Shown))),
            (&*film, film_command(steps)),
            ("command", Some(WindowCommand::CopyCommandLine)),
        ] {
            if let Some(command) = command
                && ui.button(label).clicked()
            {
                commands.push(command);
                ui.close_menu();
            }
        }
    });
    button.response.help(SHARE.1);
}

/// Returns the command that films the last steps, if any.
pub(super) fn film_command(steps: usize) -> Option<WindowCommand> {
    (steps > 0).then_some(WindowCommand::Film(None))
}

/// Shows the preset and the button for a new world; on a map, its name and the button that closes it. A map of
/// opacities has no preset.
fn show_origin(
    ui: &mut Ui,
    document: &Document,
    (pictures, my_presets): (&mut PresetPictures, Option<&Path>),
    commands: &mut Vec<WindowCommand>,
) {
    let weak = palette(ui.visuals()).weak;
    ui.horizontal(|ui| {
        if document.name().is_empty() {
            let name = document.map().map_or("", |map| map.name.as_str());
            ui.label("map");
            ui.add(egui::Label::new(RichText::new(name).strong()).truncate());
        } else {
            commands.extend(show_preset_menu(ui, document, pictures, my_presets));
        }
        let (label, help, command) = match document.source() {
            Source::Generated => ("new world", "The world of the next seed (N)", Command::AddToSeed(1).into()),
            _ => ("close map", "Return to the world before", Command::CloseMap.into()),
        };
        if ui.button(label).help(help).clicked() {
            commands.push(command);
        }
        if has_sheet(ui.ctx())
            && let Some((label, help, command)) = BUTTONS.into_iter().find(|(label, ..)| *label == GOALS)
            && ui.button(label).help(help).clicked()
        {
            commands.push(command);
        }
    });
    let about = &document.preset().about;
    if !about.is_empty() && !has_sheet(ui.ctx()) {
        ui.vertical(|ui| {
            ui.set_min_height(2.0 * ui.text_style_height(&egui::TextStyle::Body)); // the controls below keep their place
            ui.label(RichText::new(about).italics().color(weak));
        });
    }
}

/// Shows the layers of the terrain.
fn show_layers(ui: &mut Ui, document: &Document, view: &MapView, commands: &mut Vec<WindowCommand>) {
    for &(label, help, backdrop) in LAYERS {
        let needs_landscape = matches!(backdrop, Backdrop::Layer(layer) if layer.is_of_world());
        if needs_landscape && !document.has_landscape() {
            continue;
        }
        let label =
            if is_touch_sized(ui) { label.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ') } else { label };
        if ui.selectable_label(view.state.backdrop == backdrop, label).help(help).clicked() {
            commands.push(WindowCommand::Show(backdrop));
        }
    }
}

/// Shows the switches of the map, the explanation and the panorama.
fn show_switches(ui: &mut Ui, document: &Document, view: &MapView, commands: &mut Vec<WindowCommand>) {
    let is_painted = document.preset().paint.look == Look::Map;
    for (label, help, is_on, command) in [
        (
            "unseen land",
            "Show the land that was never seen, as on a map (M)",
            view.reveals,
            WindowCommand::ToggleReveal,
        ),
        (
            "map",
            "Paint a map of the land. Off: the visibility as exact squares, without the land (9)",
            is_painted,
            Command::ToggleLook.into(),
        ),
        (
            "why?",
            "Explain the visibility of the cell below the pointer (I). Right-click or long press to pin a cell.",
            view.inspector.follows_pointer,
            WindowCommand::ToggleInspector,
        ),
        (
            "panorama",
            "Show what you see all around, below the map (Y). Drag it to turn, the wheel narrows the field.",
            view.strip.is_shown(),
            WindowCommand::TogglePanorama,
        ),
    ] {
        if command == WindowCommand::TogglePanorama && !document.has_landscape() {
            continue;
        }
        if ui.checkbox(&mut { is_on }, label).help(help).changed() {
            commands.push(command);
        }
    }
}

/// Shows the reading of the picture, and the heights of black and white, if the terrain is from a picture.
fn show_picture_choice(ui: &mut Ui, document: &Document, fields: &mut HeightFields, commands: &mut Vec<WindowCommand>) {
    let Some(reading) = document.picture_reading() else { return };
    let heights = match reading {
        PictureReading::Heights(PictureHeights::Shades(heights)) => heights,
        PictureReading::Heights(_) | PictureReading::Opacities | PictureReading::Metres => {
            PictureReading::DEFAULT_HEIGHTS
        }
    };
    let is_shades = matches!(reading, PictureReading::Heights(PictureHeights::Shades(_)));
    let encoded = |encoding| PictureReading::Heights(PictureHeights::Colours(encoding));
    ui.horizontal_wrapped(|ui| {
        ui.label("picture as").help("The meaning of the brightness of the opened picture");
        for (label, help, choice) in [
            ("opacities", "A map seen from above: black is clear, white is a wall", PictureReading::Opacities),
            ("heights", "Land: the brighter, the higher", PictureReading::Heights(heights.into())),
            ("metres", "Land: the whole numbers of a grey picture are metres", PictureReading::Metres),
            ("terrarium", "Land: heights as colours, as in tiles of Mapzen", encoded(HeightEncoding::Terrarium)),
            ("terrain-rgb", "Land: heights as colours, as in tiles of Mapbox", encoded(HeightEncoding::TerrainRgb)),
        ] {
            let is_chosen = choice == if is_shades { PictureReading::Heights(heights.into()) } else { reading };
            if ui.selectable_label(is_chosen, label).help(help).clicked() && !is_chosen {
                *fields = HeightFields::default();
                commands.push(Command::ReadPicture(choice).into());
            }
        }
    });
    if !is_shades {
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
