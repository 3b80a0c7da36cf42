//! The upper part of the panel: preset, the few controls that most people need, layers, comparison and buttons.

use egui::{RichText, Ui};
use egui_macroquad::egui;

use super::hover_help::HoverHelp;
use super::main_sliders::show_main_sliders;
use crate::compare::ComparedMethod;
use crate::explorer::command::Command;
use crate::explorer::document::{Document, TerrainSource, UndoSteps};
use crate::explorer::theme::palette;
use crate::explorer::view::MapView;
use crate::paint::{Backdrop, Shading};
use crate::preset::{Preset, shipped_names};
use crate::scene::Layer;

/// The layers: label, explanation, backdrop.
const LAYERS: &[(&str, &str, Backdrop)] = &[
    ("1 land", "The land as it is seen (1)", Backdrop::Land),
    ("2 elevation", "Height above the sea, with hillshade (2)", Backdrop::Layer(Layer::Elevation)),
    (
        "3 humidity",
        "How damp the air and the ground are: fog forms where it is damp (3)",
        Backdrop::Layer(Layer::Humidity),
    ),
    ("4 vegetation", "How dense plants grow: woods hide what is behind them (4)", Backdrop::Layer(Layer::Vegetation)),
    (
        "5 temperature",
        "Mean temperature, from the coldest to the warmest cell shown (5)",
        Backdrop::Layer(Layer::Temperature),
    ),
    ("6 biomes", "Kinds of land: desert, woodland, tundra … (6)", Backdrop::Layer(Layer::Biome)),
    (
        "7 opacity",
        "How much of the view each cell takes, from the least to the most shown (7)",
        Backdrop::Layer(Layer::Opacity),
    ),
    ("8 visibility", "How much of each cell the viewer sees, 0 to 1 (8)", Backdrop::Layer(Layer::Visibility)),
];

/// A page opens files with a button of its own.
const HAS_DIALOG: bool = cfg!(not(target_arch = "wasm32"));

/// Shows the upper part of the panel and returns the commands of its controls.
pub(super) fn show_head(ui: &mut Ui, document: &Document, view: &MapView) -> Vec<Command> {
    let mut commands = Vec::new();
    ui.add_space(4.0);
    show_origin(ui, document, &mut commands);
    commands.extend(show_main_sliders(ui, document, ui.available_width()));
    show_layers(ui, document, view, &mut commands);
    show_comparison(ui, document, view, &mut commands);
    ui.horizontal_wrapped(|ui| {
        let UndoSteps { undo, redo } = document.undo_steps();
        for (label, help, command, is_enabled) in [
            ("open", "Open a preset, map, heightmap, walk or export (Ctrl+O)", Command::ToggleOpenDialog, HAS_DIALOG),
            (
                "export",
                "Export the view as it is on the screen, to the file named below (X)",
                Command::Export(None, None),
                true,
            ),
            ("screenshot", "Save the screen (P)", Command::Screenshot(None), true),
            ("keys", "All keys (H)", Command::ToggleHelp, true),
            ("undo", "Undo the last change (Ctrl+Z)", Command::Undo, undo > 0),
            ("redo", "Redo the change that was undone last (Ctrl+Y)", Command::Redo, redo > 0),
        ] {
            if label == "open" && !is_enabled {
                continue;
            }
            if ui.add_enabled(is_enabled, egui::Button::new(label)).help(help).clicked() {
                commands.push(command);
            }
        }
    });
    commands
}

/// Shows the preset and the button for a new world; on a map its name and the button that closes it. A map of opacities
/// has no preset.
fn show_origin(ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) {
    let weak = palette(ui.visuals()).weak;
    ui.horizontal(|ui| {
        if document.name().is_empty() {
            let name = document.map().map_or("", |map| map.name.as_str());
            ui.label("map");
            ui.add(egui::Label::new(RichText::new(name).strong()).truncate());
        } else {
            show_presets(ui, document, commands);
        }
        let (label, help, command) = match document.terrain_source() {
            TerrainSource::Generated => ("new world", "The world of the next seed (N)", Command::AddToSeed(1)),
            _ => ("close map", "Return to the world of the preset", Command::CloseMap),
        };
        if ui.button(label).help(help).clicked() {
            commands.push(command);
        }
    });
    let about = &document.preset().about;
    if !about.is_empty() {
        ui.label(RichText::new(about).italics().color(weak));
    }
}

fn show_presets(ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) {
    ui.label("preset");
    let presets = egui::ComboBox::from_id_salt("preset").selected_text(document.name()).width(150.0);
    presets.height(ui.ctx().screen_rect().height() * 0.6).show_ui(ui, |ui| {
        for name in shipped_names() {
            let about = Preset::named(name).map(|preset| preset.about).unwrap_or_default();
            if ui.selectable_label(name == document.name(), name).help(&about).clicked() {
                commands.push(Command::Preset(name.to_owned()));
            }
        }
    });
}

/// Shows the layers that the terrain has, and how the land is shown.
fn show_layers(ui: &mut Ui, document: &Document, view: &MapView, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        for &(label, help, backdrop) in LAYERS {
            let needs_landscape = matches!(backdrop, Backdrop::Layer(layer) if layer.is_of_world());
            if needs_landscape && !document.has_landscape() {
                continue;
            }
            if ui.selectable_label(view.state.backdrop == backdrop, label).help(help).clicked() {
                commands.push(Command::Show(backdrop));
            }
        }
        let help = "Show the land that was never seen as on a map, instead of hiding it (M)";
        if ui.checkbox(&mut { view.reveals }, "map").help(help).changed() {
            commands.push(Command::ToggleReveal);
        }
        let help = "Paint haze in the colour of the air, woods green and night dark. Otherwise the brightness is the \
            visibility (9)";
        if ui.checkbox(&mut { view.shading == Shading::Airlight }, "airlight").help(help).changed() {
            commands.push(Command::ToggleAirlight);
        }
    });
}

/// Shows the inspector's checkbox and the choice of a second method.
fn show_comparison(ui: &mut Ui, document: &Document, view: &MapView, commands: &mut Vec<Command>) {
    let comparison = document.comparison();
    ui.horizontal(|ui| {
        let help =
            "Explains the visibility of the cell below the pointer (I). Right-click or long press to pin a cell.";
        if ui.checkbox(&mut { view.inspector.follows_pointer }, "why?").help(help).changed() {
            commands.push(Command::ToggleInspector);
        }
        let help = "Compares two methods, with a divider to drag (V). The scene's own method is on the left.";
        if ui.checkbox(&mut comparison.is_open(), "compare with").help(help).changed() {
            commands.push(Command::ToggleComparison);
        }
        let methods = egui::ComboBox::from_id_salt("compare").selected_text(comparison.method.title()).width(130.0);
        methods.show_ui(ui, |ui| {
            for method in ComparedMethod::ALL {
                if ui.selectable_label(method == comparison.method, method.title()).clicked() {
                    commands.push(Command::CompareWith(method));
                }
            }
        });
    });
}
