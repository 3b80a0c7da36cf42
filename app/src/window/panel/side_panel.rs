//! The side panel: presets, layers, methods, files, and a control for every setting. On a phone it is a sheet that slides over the map,
//! from below or from the right.

use egui::{Area, Id, Order, Rect, Sense, Ui, UiBuilder, Vec2, vec2};
use egui_macroquad::egui;

use super::advanced::{show_advanced, show_search};
use super::controls::{HoverHelp, OpenSections, Opening, set_panel_edge, show_section, text_field};
use super::head::{film_command, show_head};
use super::placement::show_placement;
use crate::document::Document;
use crate::host::ON_PAGE;
use crate::window::command::{ExportedPart, Tool, WindowCommand};
use crate::window::session::{FileNames, PANEL_WIDTHS, Session, WindowSettings};
use crate::window::slots::MARGIN;
use crate::window::theme::{Theme, is_narrow, palette};
use crate::window::view::MapView;

/// The maximum number of pixels of a cell in an export of the whole map.
const MAX_SCALE: u32 = 64;

/// The fraction of the map's height that the sheet covers in portrait orientation, and of its width in landscape
/// orientation.
const SHARES: [f32; 2] = [0.45, 0.4];

/// The duration of the sheet's slide, in seconds.
const SLIDE_SECONDS: f32 = 0.12;

/// Shows the panel next to the map and returns the commands of its controls.
pub(crate) fn show(
    context: &egui::Context,
    document: &Document,
    view: &MapView,
    session: &mut Session,
) -> Vec<WindowCommand> {
    let width = session.settings.window.panel_width;
    let panel = egui::SidePanel::right("panel").exact_width(width).resizable(false);
    let shown = panel.show(context, |ui| {
        let commands = show_content(ui, document, view, session);
        (drag_edge(ui), commands)
    });
    let (dragged, commands) = shown.inner;
    session.settings.window.panel_width = (width - dragged).clamp(PANEL_WIDTHS[0], PANEL_WIDTHS[1]);
    commands
}

/// Shows the sheet over the map if it is open, or slides. Returns the commands of its controls.
pub(crate) fn show_sheet(
    context: &egui::Context,
    map: Rect,
    document: &Document,
    view: &MapView,
    session: &mut Session,
) -> Vec<WindowCommand> {
    let shown = context.animate_bool_with_time(Id::new("sheet slides"), session.sheet_is_open, SLIDE_SECONDS);
    let mut commands = Vec::new();
    if shown == 0.0 {
        return commands;
    }
    let (open, hidden) = open_place(context, map);
    let place = open.translate(hidden * (1.0 - shown));
    let area =
        Area::new(Id::new("sheet")).sense(Sense::CLICK).order(Order::Middle).fixed_pos(place.min).constrain(false);
    area.show(context, |ui| {
        ui.allocate_rect(place, Sense::hover());
        ui.set_clip_rect(place);
        ui.painter().rect_filled(place, 0.0, palette(ui.visuals()).panel);
        let mut ui = ui.new_child(UiBuilder::new().max_rect(place.shrink(MARGIN)));
        commands.extend(show_content(&mut ui, document, view, session));
    });
    commands
}

/// Returns the place of the open sheet over the map, and its displacement when closed.
fn open_place(context: &egui::Context, map: Rect) -> (Rect, Vec2) {
    let [height, width] = SHARES;
    let (size, hidden) = if is_narrow(context) {
        let height = map.height() * height;
        (vec2(map.width(), height), vec2(0.0, height))
    } else {
        let width = map.width() * width;
        (vec2(width, map.height()), vec2(width, 0.0))
    };
    (Rect::from_min_max(map.max - size, map.max), hidden)
}

/// Returns the part of the map that the open sheet does not cover, which keeps the viewer in sight.
pub(crate) fn map_next_to_sheet(context: &egui::Context, map: Rect) -> Rect {
    let sheet = open_place(context, map).0;
    let max = if is_narrow(context) { egui::pos2(map.max.x, sheet.min.y) } else { egui::pos2(sheet.min.x, map.max.y) };
    Rect::from_min_max(map.min, max)
}

/// Shows all controls.
pub(crate) fn show_content(
    ui: &mut Ui,
    document: &Document,
    view: &MapView,
    session: &mut Session,
) -> Vec<WindowCommand> {
    set_panel_edge(ui);
    let mut commands = Vec::new();
    // In a low window, or with controls for fingers, the head also scrolls.
    let scrolls_head = session.has_sheet || session.input.is_touch;
    let my_presets = session.settings.my_presets();
    let head = |ui: &mut Ui, session: &mut Session| {
        let presets = (&mut session.preset_pictures, my_presets.as_deref());
        let commands = show_head(ui, document, view, presets, &mut session.heights);
        ui.separator();
        commands
    };
    if !scrolls_head {
        commands.extend(head(ui, session));
    }
    let scroll = egui::ScrollArea::vertical().auto_shrink(false).drag_to_scroll(session.input.is_touch);
    scroll.show(ui, |ui| {
        if scrolls_head {
            commands.extend(head(ui, session));
        }
        let Session { settings, tools, file_names, search, .. } = &mut *session;
        let WindowSettings { open, theme, minimap, page, panel_width, .. } = &mut settings.window;
        let [shown, folded] = [true, false].map(|at_first| Opening { at_first, forced: None });
        commands.extend(show_search(ui, document, *panel_width, search));
        let body = |ui: &mut Ui, _: &mut OpenSections| show_files(ui, document, file_names, &mut commands);
        show_section(ui, open, "Files", shown, |_| {}, body);
        for tool in [Tool::Lamp, Tool::Lookout] {
            commands.extend(show_placement(ui, open, tools, tool, document.preset(), view.shows_survey));
        }
        let body = |ui: &mut Ui, _: &mut OpenSections| {
            commands.extend(show_window_settings(ui, theme, minimap));
            if !ON_PAGE {
                let help =
                    "The address of a page with farsight, such as https://example.org/farsight/, for links that open in a browser";
                ui.horizontal(|ui| show_file_name(ui, "page for links", page, "no page", help));
            }
        };
        show_section(ui, open, "Window", folded, |_| {}, body);
        let body = |ui: &mut Ui, open: &mut OpenSections| {
            commands.extend(show_advanced(ui, document, open, *panel_width));
        };
        show_section(ui, open, "Advanced: every setting", folded, |_| {}, body);
        scroll_to_focus(ui);
    });
    commands
}

/// Scrolls to the newly focused control.
fn scroll_to_focus(ui: &Ui) {
    let focused = ui.memory(egui::Memory::focused);
    let last = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(ui.id()), focused));
    if let Some(id) = focused.filter(|_| focused != last)
        && let Some(control) = ui.ctx().read_response(id)
        && control.layer_id == ui.layer_id()
    {
        ui.scroll_to_rect(control.rect, None);
    }
}

/// Shows the left edge of the panel and returns its drag distance to the right. A resizable panel of egui would also
/// grow with its content.
fn drag_edge(ui: &Ui) -> f32 {
    const GRIP: f32 = 5.0;
    let left = ui.max_rect().left() - ui.spacing().window_margin.leftf();
    let edge = Rect::from_x_y_ranges(left..=left + GRIP, ui.max_rect().y_range());
    let grip = ui.interact(edge, ui.id().with("edge"), Sense::DRAG);
    grip.clone().on_hover_and_drag_cursor(egui::CursorIcon::ResizeHorizontal);
    grip.drag_delta().x
}

/// Shows the names of files and the buttons that write and read them.
fn show_files(ui: &mut Ui, document: &Document, names: &mut FileNames, commands: &mut Vec<WindowCommand>) {
    const AUTOMATIC: &str = "automatic name";
    let help =
        "The extension selects the format: png, npy, csv, json, asc, tif, txt. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "export", &mut names.export, AUTOMATIC, help);
        // A page has the button below the window.
        if !ON_PAGE && ui.button("export").clicked() {
            commands.push(WindowCommand::Export(None, ExportedPart::Shown));
        }
    });
    let help = "The name under which all settings are saved, for \"My presets\" and farsight --preset. Leave empty for an automatic name.";
    ui.horizontal(|ui| {
        show_file_name(ui, "my preset", &mut names.preset, AUTOMATIC, help);
        if ui.button("save").clicked() {
            commands.push(WindowCommand::SavePreset);
        }
    });
    let help = "Saves the walk: viewer, memory, creatures, lamps and hour. farsight --load loads it, too.";
    ui.horizontal(|ui| {
        show_file_name(ui, "walk", &mut names.walk, "walk.farsight", help);
        if ui.button("save").help("Save the walk to a new file (F5)").clicked() {
            commands.push(WindowCommand::SaveWalk(None));
        }
        // A page loads a dropped walk.
        if !ON_PAGE && ui.button("load").help("Load the last walk (F9)").clicked() {
            commands.push(WindowCommand::LoadWalk(None));
        }
    });
    let help =
        "Films the last steps, up to 80, in the look of the screen: .gif or .apng. farsight walk films longer walks.";
    ui.horizontal(|ui| {
        show_file_name(ui, "film", &mut names.film, AUTOMATIC, help);
        let command = film_command(document.trail_steps());
        if ui.add_enabled(command.is_some(), egui::Button::new("film")).help(help).clicked() {
            commands.extend(command);
        }
    });
    let help = "Pixels per cell of a picture of the whole map: drag or type. At the left end, as many as fit into 1000 pixels.";
    ui.horizontal(|ui| {
        ui.label("whole map").help(help);
        let scale = egui::DragValue::new(&mut names.map_scale).range(0..=MAX_SCALE).speed(0.1);
        let words =
            |scale: f64, _| if scale < 1.0 { "fitting scale".into() } else { format!("{scale:.0} pixels per cell") };
        ui.add(scale.custom_formatter(words)).help(help);
        if ui.button("export whole map").help("Export the whole map, in the look of the screen").clicked() {
            commands.push(WindowCommand::Export(None, ExportedPart::WholeMap));
        }
    });
    // A page shows the command below the window.
    let help = "Copy the command line that exports this view";
    if !ON_PAGE && ui.button("copy as command").help(help).clicked() {
        commands.push(WindowCommand::CopyCommandLine);
    }
}

fn show_file_name(ui: &mut Ui, label: &str, name: &mut String, empty: &str, help: &str) {
    ui.label(label);
    let field = text_field(ui, name, empty).desired_width(140.0);
    ui.add(field).help(help);
}

/// Shows the settings of the window and returns the commands of their controls.
fn show_window_settings(ui: &mut Ui, theme: &mut Theme, minimap: &mut bool) -> Vec<WindowCommand> {
    let mut commands = Vec::new();
    ui.horizontal(|ui| {
        ui.label("colours");
        for (choice, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
            ui.selectable_value(theme, choice, name);
        }
        ui.add_space(12.0);
        ui.checkbox(minimap, "minimap")
            .help("A small map of the whole world. The frame is the part that is shown; click to go there.");
    });
    ui.horizontal(|ui| {
        ui.label("size of the panels");
        for (label, help, steps) in
            [("smaller", "Ctrl and -", Some(-1)), ("larger", "Ctrl and +", Some(1)), ("normal", "Ctrl and 0", None)]
        {
            if ui.button(label).help(help).clicked() {
                commands.push(WindowCommand::ScalePanels(steps));
            }
        }
    });
    commands
}
