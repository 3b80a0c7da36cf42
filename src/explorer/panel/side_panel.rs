//! The side panel: presets, layers, methods, files, and a control for every setting.

use std::collections::BTreeSet;

use egui::{RichText, Sense, Ui};
use egui_macroquad::egui;

use super::collapsible::{Opening, show_section};
use super::decay_curve::show_decay_curve;
use super::inactive_reason::{NO_LANDSCAPE, inactive_reason};
use super::placement::show_placement;
use super::setting_row::{RowState, placeholder, reset_button, show_setting};
use crate::compare::ComparedMethod;
use crate::explorer::command::{Command, Tool};
use crate::explorer::document::{Document, TerrainSource, UndoSteps};
use crate::explorer::session::{FileNames, PANEL_WIDTHS, Session, WindowSettings};
use crate::explorer::theme::is_narrow;
use crate::explorer::view::MapView;
use crate::paint::{Backdrop, Shading, Unseen};
use crate::preset::{Preset, shipped_names};
use crate::scene::Layer;

/// The height of a panel below the map, as a share of the window.
const HEIGHT_BELOW: f32 = 0.42;

/// The sections of settings: title, and prefix of the keys.
const SECTIONS: &[(&str, &str)] = &[
    ("Air, woods, hills", "optics"),
    ("Sight", "sight"),
    ("Decay with distance", "sight.decay"),
    ("Classic methods", "classic"),
    ("Perception", "perception"),
    ("Clock", "clock"),
    ("Weather", "weather"),
    ("Paint", "paint"),
    ("World", "world"),
];

const OPEN_AT_FIRST: [&str; 3] = ["optics", "sight", "sight.decay"];

const LAYERS: &[(&str, Backdrop)] = &[
    ("1 land", Backdrop::Land),
    ("2 elevation", Backdrop::Layer(Layer::Elevation)),
    ("3 humidity", Backdrop::Layer(Layer::Humidity)),
    ("4 vegetation", Backdrop::Layer(Layer::Vegetation)),
    ("5 temperature", Backdrop::Layer(Layer::Temperature)),
    ("6 biomes", Backdrop::Layer(Layer::Biome)),
    ("7 opacity", Backdrop::Layer(Layer::Opacity)),
    ("8 visibility", Backdrop::Layer(Layer::Visibility)),
];

/// Shows the panel and returns the commands of its controls.
pub(crate) fn show(
    context: &egui::Context,
    document: &Document,
    view: &MapView,
    session: &mut Session,
) -> Vec<Command> {
    let mut commands = Vec::new();
    let changed = document.changed_keys();
    let width = session.settings.window.panel_width;
    let mut content = |ui: &mut Ui| {
        show_head(ui, document, view, &mut commands);
        ui.separator();
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let Session { settings, tools, file_names, .. } = &mut *session;
            let window = &mut settings.window;
            for tool in [Tool::Lamp, Tool::Lookout] {
                commands.extend(show_placement(ui, &mut window.open, tools, tool, document.preset()));
            }
            for &section in SECTIONS {
                show_settings(ui, section, document, &changed, window, &mut commands);
            }
            let at_first = Opening { at_first: true, forced: None };
            let body = |ui: &mut Ui| show_files(ui, file_names, &mut commands);
            show_section(ui, &mut window.open, "Files", at_first, |_| {}, body);
        });
    };
    if is_narrow(context) {
        let height = context.screen_rect().height() * HEIGHT_BELOW;
        egui::TopBottomPanel::bottom("panel below").exact_height(height).show(context, &mut content);
    } else {
        let panel = egui::SidePanel::right("panel").exact_width(width).resizable(false);
        let dragged = panel.show(context, |ui| {
            content(ui);
            drag_edge(ui)
        });
        session.settings.window.panel_width = (width - dragged.inner).clamp(PANEL_WIDTHS[0], PANEL_WIDTHS[1]);
    }
    commands
}

/// Shows the left edge of the panel and returns how far it is dragged to the right. A resizable panel of egui would also
/// grow with its content.
fn drag_edge(ui: &Ui) -> f32 {
    const GRIP: f32 = 5.0;
    let left = ui.max_rect().left() - ui.spacing().window_margin.leftf();
    let edge = egui::Rect::from_x_y_ranges(left..=left + GRIP, ui.max_rect().y_range());
    let grip = ui.interact(edge, ui.id().with("edge"), Sense::drag());
    grip.clone().on_hover_and_drag_cursor(egui::CursorIcon::ResizeHorizontal);
    grip.drag_delta().x
}

fn show_settings(
    ui: &mut Ui,
    (title, section): (&str, &str),
    document: &Document,
    changed: &BTreeSet<&str>,
    window: &mut WindowSettings,
    commands: &mut Vec<Command>,
) {
    let (preset, terrain) = (document.preset(), document.terrain_source());
    let title = match (section, terrain) {
        ("world", TerrainSource::OpacityMap) => return,
        ("world", TerrainSource::Heightmap) => "Climate on the heightmap",
        _ => title,
    };
    let mut presets = vec![preset.clone()];
    if document.comparison().is_open() {
        presets.push(document.comparison().method.applied_to(preset));
    }
    let settings = || Preset::settings().filter(move |setting| setting.section() == section && terrain.has(setting));
    let mut is_reset = false;
    let show_reset = |ui: &mut Ui| {
        if settings().any(|setting| changed.contains(setting.key)) {
            ui.add_space(10.0); // next to the scroll bar
            is_reset = reset_button(ui, &format!("{title}: reset to the preset"));
        }
    };
    let extra_width = window.panel_width - PANEL_WIDTHS[0];
    let mut changes = Vec::new();
    let opening = Opening { at_first: OPEN_AT_FIRST.contains(&section), forced: None };
    show_section(ui, &mut window.open, title, opening, show_reset, |ui| {
        if section == "clock" {
            let label = if document.time_runs() { "pause (R)" } else { "let time run (R)" };
            let help = "Time passes by itself, at \"hours a second\". Only the sun and the weather move meanwhile.";
            if ui.button(label).on_hover_text(help).clicked() {
                changes.push(Command::ToggleTime);
            }
        }
        egui::Grid::new(section).num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            for setting in settings() {
                let is_changed = changed.contains(setting.key);
                let inactive_reason = inactive_reason(setting, &presets, document.has_landscape());
                changes.extend(show_setting(
                    ui,
                    setting,
                    preset,
                    RowState { is_changed, inactive_reason, extra_width },
                ));
                ui.end_row();
            }
        });
        if section == "sight.decay" {
            show_decay_curve(ui, preset);
        }
    });
    if is_reset {
        commands.push(Command::Reset(section.to_owned()));
    }
    commands.extend(changes);
}

fn show_head(ui: &mut Ui, document: &Document, view: &MapView, commands: &mut Vec<Command>) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label("preset");
        let presets = egui::ComboBox::from_id_salt("preset").selected_text(document.name()).width(150.0);
        presets.height(ui.ctx().screen_rect().height() * 0.6).show_ui(ui, |ui| {
            for name in shipped_names() {
                let about = Preset::named(name).map(|preset| preset.about).unwrap_or_default();
                if ui.selectable_label(name == document.name(), name).on_hover_text(about).clicked() {
                    commands.push(Command::Preset(name.to_owned()));
                }
            }
        });
        let (label, help, command) = match document.terrain_source() {
            TerrainSource::Generated => ("new world", "The world of the next seed (N)", Command::AddToSeed(1)),
            _ => ("close map", "Return to the world of the preset", Command::CloseMap),
        };
        if ui.button(label).on_hover_text(help).clicked() {
            commands.push(command);
        }
    });
    let about = &document.preset().about;
    if !about.is_empty() {
        ui.label(RichText::new(about).italics().weak());
    }
    ui.horizontal_wrapped(|ui| {
        for &(label, backdrop) in LAYERS {
            let needs_landscape = matches!(backdrop, Backdrop::Layer(layer) if layer.is_of_world());
            let is_there = document.has_landscape() || !needs_landscape;
            let button = egui::SelectableLabel::new(view.state.backdrop == backdrop, label);
            if ui.add_enabled(is_there, button).on_disabled_hover_text(NO_LANDSCAPE).clicked() {
                commands.push(Command::Show(backdrop));
            }
        }
        let help = "Show the land that was never seen as on a map, instead of hiding it (M)";
        if ui.checkbox(&mut { view.reveals }, "map").on_hover_text(help).changed() {
            commands.push(Command::ToggleReveal);
        }
        let help = "Paint haze in the colour of the air, woods green and night dark. Otherwise the brightness is the \
            visibility (9)";
        if ui.checkbox(&mut { view.shading == Shading::Airlight }, "airlight").on_hover_text(help).changed() {
            commands.push(Command::ToggleAirlight);
        }
    });
    show_comparison(ui, document, view, commands);
    ui.horizontal(|ui| {
        let UndoSteps { undo, redo } = document.undo_steps();
        for (label, help, command, is_enabled) in [
            ("export", "Export the view to the file named below (X)", Command::Export(None, Unseen::Mapped), true),
            ("screenshot", "Save the screen (P)", Command::Screenshot(None), true),
            ("keys", "All keys (H)", Command::ToggleHelp, true),
            ("undo", "Undo the last change (Ctrl+Z)", Command::Undo, undo > 0),
            ("redo", "Redo the change that was undone last (Ctrl+Y)", Command::Redo, redo > 0),
        ] {
            if ui.add_enabled(is_enabled, egui::Button::new(label)).on_hover_text(help).clicked() {
                commands.push(command);
            }
        }
    });
}

/// Shows the inspector's checkbox and the choice of a second method.
fn show_comparison(ui: &mut Ui, document: &Document, view: &MapView, commands: &mut Vec<Command>) {
    let comparison = document.comparison();
    ui.horizontal(|ui| {
        let help =
            "Explains the visibility of the cell below the pointer (I). Right-click or long press to pin a cell.";
        if ui.checkbox(&mut { view.inspector.follows_pointer }, "why?").on_hover_text(help).changed() {
            commands.push(Command::ToggleInspector);
        }
        let help = "Compares two methods, with a divider to drag (V). The scene's own method is on the left.";
        if ui.checkbox(&mut comparison.is_open(), "compare with").on_hover_text(help).changed() {
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

fn show_files(ui: &mut Ui, names: &mut FileNames, commands: &mut Vec<Command>) {
    const AUTOMATIC: &str = "automatic name";
    let help =
        "The extension selects the format: png, npy, csv, json, asc, tif, txt. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "export to", &mut names.export, AUTOMATIC, help);
        if ui.button("export").clicked() {
            commands.push(Command::Export(None, Unseen::Mapped));
        }
    });
    let help = "A complete, commented file for farsight --preset. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "preset to", &mut names.preset, AUTOMATIC, help);
        if ui.button("save").clicked() {
            commands.push(Command::SavePreset);
        }
    });
    let help = "The walk so far: viewer, memory, creatures, lamps and hour. farsight --load loads it too.";
    ui.horizontal(|ui| {
        show_file_name(ui, "walk in", &mut names.walk, "walk.farsight", help);
        if ui.button("save").on_hover_text("F5").clicked() {
            commands.push(Command::SaveWalk(None));
        }
        // A page loads a walk that is dropped on it.
        if cfg!(not(target_arch = "wasm32")) && ui.button("load").on_hover_text("F9").clicked() {
            commands.push(Command::LoadWalk(None));
        }
    });
    // A page shows the command below the window.
    let help = "Copies the command line that exports this view.";
    if cfg!(not(target_arch = "wasm32")) && ui.button("copy as command").on_hover_text(help).clicked() {
        commands.push(Command::CopyCommandLine);
    }
}

fn show_file_name(ui: &mut Ui, label: &str, name: &mut String, empty: &str, help: &str) {
    ui.label(label);
    let field = egui::TextEdit::singleline(name).hint_text(placeholder(empty)).desired_width(140.0);
    ui.add(field).on_hover_text(help);
}
