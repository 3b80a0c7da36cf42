//! The side panel: presets, layers, and a slider for every setting.

use std::collections::BTreeSet;

use egui::{RichText, Sense, Ui};
use egui_macroquad::egui;

use super::command::Command;
use super::fold::{Folds, fold};
use super::idle::{NO_LAND, idle};
use super::remembered::PANEL_WIDTHS;
use super::setting_row::{decay_curve, hint, reset_button, setting_row};
use super::tools::Tools;
use crate::compare::ComparedMethod;
use crate::explorer::tools;
use crate::paint::{Backdrop, Unseen};
use crate::preset::Setting;
use crate::preset::{Preset, shipped_names};
use crate::scene::Layer;
use crate::world::WorldConfig;

/// What one stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Land {
    /// A world that was made: all of its keys can be turned.
    Generated,
    /// Measured ground: the keys of its climate can.
    Measured,
    /// A map of opacities, which has no world.
    Map,
}

impl Land {
    /// Whether a setting does anything on it.
    pub(super) fn has(self, setting: &Setting) -> bool {
        let on_ground = WorldConfig::KEYS_ON_GROUND.contains(&setting.key);
        match self {
            _ if !setting.key.starts_with("world.") => true,
            Self::Generated => setting.key != "world.sea_level_m",
            Self::Measured => on_ground,
            Self::Map => false,
        }
    }
}

/// What the panel shows and edits.
pub(super) struct PanelState<'a> {
    pub(super) preset: &'a Preset,
    pub(super) name: &'a str,
    /// The keys that are not as the preset says.
    pub(super) turned: BTreeSet<&'static str>,
    /// Steps that can be undone, and done again.
    pub(super) steps: [usize; 2],
    /// Which parts are open.
    pub(super) folds: &'a mut Folds,
    /// Width in points.
    pub(super) width: &'a mut f32,
    pub(super) backdrop: Backdrop,
    pub(super) reveal: bool,
    /// Whether the cell below the pointer is explained.
    pub(super) inspects: bool,
    /// Which of the world's keys can be turned.
    pub(super) land: Land,
    /// Whether there is air, and woods and hills: neither a dungeon nor a map has any.
    pub(super) has_land: bool,
    /// Whether two methods are shown side by side.
    pub(super) split: bool,
    /// The method on the right.
    pub(super) other: ComparedMethod,
    /// Whether time goes by itself.
    pub(super) time_runs: bool,
    pub(super) tools: &'a mut Tools,
    pub(super) export_name: &'a mut String,
    pub(super) preset_file: &'a mut String,
    pub(super) walk_file: &'a mut String,
}

/// Height where it lies below the map, as a share of the window's.
const SHARE_BELOW: f32 = 0.42;

/// Groups of settings: title, section, whether it is open at first.
const GROUPS: &[(&str, &str, bool)] = &[
    ("Air, woods, hills", "optics", true),
    ("Sight", "sight", true),
    ("Decay with distance", "sight.decay", true),
    ("Classic methods", "classic", false),
    ("Perception", "perception", false),
    ("Clock", "clock", false),
    ("Weather", "weather", false),
    ("Paint", "paint", false),
    ("World", "world", false),
];

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

/// Draws the panel and says what was done on it.
pub(super) fn show(context: &egui::Context, state: &mut PanelState) -> Vec<Command> {
    let mut commands = Vec::new();
    let width = *state.width;
    let mut content = |ui: &mut Ui| {
        head(ui, state, &mut commands);
        ui.separator();
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            tools::lamps(ui, state.folds, state.tools, state.preset, &mut commands);
            tools::lookouts(ui, state.folds, state.tools, state.preset, &mut commands);
            for &(title, section, open) in GROUPS {
                let title = match (section, state.land) {
                    ("world", Land::Map) => continue,
                    ("world", Land::Measured) => "Climate on the heightmap",
                    _ => title,
                };
                group(ui, state, title, section, open, &mut commands);
            }
            files(ui, state, &mut commands);
        });
    };
    if crate::explorer::hud::is_narrow(context) {
        let height = context.screen_rect().height() * SHARE_BELOW;
        egui::TopBottomPanel::bottom("panel below").exact_height(height).show(context, &mut content);
    } else {
        let panel = egui::SidePanel::right("panel").exact_width(width).resizable(false);
        let dragged = panel.show(context, |ui| {
            content(ui);
            drag_edge(ui)
        });
        *state.width = (width - dragged.inner).clamp(PANEL_WIDTHS[0], PANEL_WIDTHS[1]);
    }
    commands
}

/// The left edge of the panel, by which it is made wider and narrower; how far it is dragged to the right. A panel that
/// egui lets one resize would grow with what stands in it, too.
fn drag_edge(ui: &Ui) -> f32 {
    const GRIP: f32 = 5.0;
    let left = ui.max_rect().left() - ui.spacing().window_margin.leftf();
    let edge = egui::Rect::from_x_y_ranges(left..=left + GRIP, ui.max_rect().y_range());
    let grip = ui.interact(edge, ui.id().with("edge"), Sense::drag());
    grip.clone().on_hover_and_drag_cursor(egui::CursorIcon::ResizeHorizontal);
    grip.drag_delta().x
}

/// The settings of a section.
fn group(
    ui: &mut Ui,
    state: &mut PanelState,
    title: &str,
    section: &'static str,
    open: bool,
    commands: &mut Vec<Command>,
) {
    let PanelState { preset, turned, folds, width, land, has_land, split, other, time_runs, .. } = state;
    let land = *land;
    let mut shown = vec![(*preset).clone()];
    shown.extend(split.then(|| other.applied_to(preset)));
    let settings = || Preset::settings().filter(move |setting| setting.section() == section && land.has(setting));
    let mut resets = false;
    let aside = |ui: &mut Ui| {
        if settings().any(|setting| turned.contains(setting.key)) {
            ui.add_space(10.0); // beside the bar to scroll by
            resets = reset_button(ui, &format!("{title}: back to what the preset says"));
        }
    };
    let wider = **width - PANEL_WIDTHS[0];
    let mut turns = Vec::new();
    fold(ui, folds, title, (open, None), aside, |ui| {
        if section == "clock" {
            let label = if *time_runs { "pause (R)" } else { "let time run (R)" };
            let help = "Hours pass by themselves, \"hours a second\" of them. Nobody moves meanwhile but the sun.";
            if ui.button(label).on_hover_text(help).clicked() {
                turns.push(Command::ToggleTime);
            }
        }
        egui::Grid::new(section).num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            for setting in settings() {
                let is_turned = turned.contains(setting.key);
                let idle = idle(setting, &shown, *has_land);
                turns.extend(setting_row(ui, setting, preset, (is_turned, idle), wider));
                ui.end_row();
            }
        });
        if section == "sight.decay" {
            decay_curve(ui, preset);
        }
    });
    if resets {
        commands.push(Command::Reset(section.to_owned()));
    }
    commands.extend(turns);
}

fn head(ui: &mut Ui, state: &mut PanelState, commands: &mut Vec<Command>) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label("preset");
        let presets = egui::ComboBox::from_id_salt("preset").selected_text(state.name).width(150.0);
        presets.height(ui.ctx().screen_rect().height() * 0.6).show_ui(ui, |ui| {
            for name in shipped_names() {
                let about = Preset::named(name).map(|preset| preset.about).unwrap_or_default();
                if ui.selectable_label(name == state.name, name).on_hover_text(about).clicked() {
                    commands.push(Command::Preset(name.to_owned()));
                }
            }
        });
        if state.land == Land::Generated
            && ui.button("new world").on_hover_text("The world of the next seed (N)").clicked()
        {
            commands.push(Command::AddToSeed(1));
        }
        if state.land != Land::Generated
            && ui.button("close map").on_hover_text("Back to the world of the preset").clicked()
        {
            commands.push(Command::CloseMap);
        }
    });
    if !state.preset.about.is_empty() {
        ui.label(RichText::new(&state.preset.about).italics().weak());
    }
    ui.horizontal_wrapped(|ui| {
        for &(label, backdrop) in LAYERS {
            let is_there = state.has_land || !matches!(backdrop, Backdrop::Layer(layer) if layer.is_of_world());
            let button = egui::SelectableLabel::new(state.backdrop == backdrop, label);
            if ui.add_enabled(is_there, button).on_disabled_hover_text(NO_LAND).clicked() {
                commands.push(Command::Show(backdrop));
            }
        }
        let mut reveal = state.reveal;
        if ui.checkbox(&mut reveal, "map").on_hover_text("Mute what was never seen instead of hiding it (M)").changed()
        {
            commands.push(Command::ToggleReveal);
        }
    });
    compare(ui, state, commands);
    ui.horizontal(|ui| {
        let buttons = [
            ("export", "Write the view to the file named below (X)", Command::Export(None, Unseen::Mapped)),
            ("screenshot", "Write what is on the screen (P)", Command::Screenshot(None)),
            ("keys", "All keys (H)", Command::ToggleHelp),
        ];
        for (label, help, command) in buttons {
            if ui.button(label).on_hover_text(help).clicked() {
                commands.push(command);
            }
        }
        let [back, again] = state.steps;
        for (label, help, command, steps) in [
            ("undo", "Take the last change back (Ctrl+Z)", Command::Undo, back),
            ("redo", "Do again what was taken back (Ctrl+Y)", Command::Redo, again),
        ] {
            if ui.add_enabled(steps > 0, egui::Button::new(label)).on_hover_text(help).clicked() {
                commands.push(command);
            }
        }
    });
}

/// Two methods side by side, and which.
fn compare(ui: &mut Ui, state: &PanelState, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let mut inspects = state.inspects;
        let help =
            "What takes the view of the cell below the pointer (I). A right-click or a long press keeps to a cell.";
        if ui.checkbox(&mut inspects, "why?").on_hover_text(help).changed() {
            commands.push(Command::ToggleInspector);
        }
        let mut split = state.split;
        let help = "Two methods side by side, with a divider to drag (V). On the left is the scene's own.";
        if ui.checkbox(&mut split, "compare with").on_hover_text(help).changed() {
            commands.push(Command::ToggleComparison);
        }
        egui::ComboBox::from_id_salt("compare").selected_text(state.other.title()).width(130.0).show_ui(ui, |ui| {
            for contender in ComparedMethod::ALL {
                if ui.selectable_label(contender == state.other, contender.title()).clicked() {
                    commands.push(Command::CompareWith(contender));
                }
            }
        });
    });
}

fn files(ui: &mut Ui, state: &mut PanelState, commands: &mut Vec<Command>) {
    let PanelState { folds, export_name, preset_file, walk_file, .. } = state;
    fold(
        ui,
        folds,
        "Files",
        (true, None),
        |_| {},
        |ui| {
            ui.horizontal(|ui| {
                ui.label("export to");
                let help =
                    "The extension chooses the format: png, npy, csv, json, asc, tif, txt. Left empty, a name is made up.";
                ui.add(egui::TextEdit::singleline(*export_name).hint_text(hint("name made up")).desired_width(140.0))
                    .on_hover_text(help);
                if ui.button("export").clicked() {
                    commands.push(Command::Export(None, Unseen::Mapped));
                }
            });
            ui.horizontal(|ui| {
                ui.label("preset to");
                ui.add(egui::TextEdit::singleline(*preset_file).hint_text(hint("name made up")).desired_width(140.0))
                    .on_hover_text(
                        "A complete, commented file that farsight --preset reads. Left empty, a name is made up.",
                    );
                if ui.button("save").clicked() {
                    commands.push(Command::SavePreset);
                }
            });
            ui.horizontal(|ui| {
                ui.label("walk in");
                let help =
                    "The walk as it stands: viewer, memory, creatures, lamps and hour. farsight --load takes it up, too.";
                ui.add(egui::TextEdit::singleline(*walk_file).hint_text(hint("walk.farsight")).desired_width(140.0))
                    .on_hover_text(help);
                if ui.button("save").on_hover_text("F5").clicked() {
                    commands.push(Command::SaveWalk(None));
                }
                // A page takes it up when the file is dropped on it.
                if cfg!(not(target_arch = "wasm32")) && ui.button("load").on_hover_text("F9").clicked() {
                    commands.push(Command::LoadWalk(None));
                }
            });
            // A page shows the command below the window.
            let help = "The line that exports this view on the command line, to the clipboard.";
            if cfg!(not(target_arch = "wasm32")) && ui.button("copy as command").on_hover_text(help).clicked() {
                commands.push(Command::CopyCommandLine);
            }
        },
    );
}
