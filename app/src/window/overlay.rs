//! [`OVERLAYS`]: the parts of a frame around and over the map, a function for each.

use egui::{Align2, Area, Button, Context, CursorIcon, Label, Rect, RichText, Sense, TextWrapMode, Ui};
use egui_macroquad::egui;
use macroquad::math::Vec2;
use macroquad::time::get_time;

use super::command::{Tool, WindowCommand};
use super::keys::HELP;
use super::open_dialog::Choice;
use super::panel;
use super::session::Session;
use super::status_line::show_status_line;
use super::theme::{self, FAULT_GROUND, FAULT_TEXT, OVER_MAP_EVENT, OVER_MAP_GROUND, OVER_MAP_TEXT, is_narrow};
use super::view::{MapView, SceneRevision, StripInput};
use crate::document::{Command, Document};
use crate::host::ON_PAGE;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The light on the cell of the viewer below which it is dark, and the reach of the lantern that is offered then, in cells.
const LEAST_LIGHT: f32 = 0.05;
const LANTERN: f64 = 16.0;

/// The state of the window while a frame is shown.
pub(crate) struct Frame<'a> {
    context: &'a Context,
    document: &'a Document,
    view: &'a mut MapView,
    session: &'a mut Session,
    /// The cell below the pointer.
    hovered: Option<IVec2>,
    /// The scene below the pointer: the second one right of the divider.
    hovered_scene: Option<&'a Scene>,
    is_on_divider: bool,
    /// The commands of the controls, which are carried out after the frame.
    pub(crate) commands: Vec<WindowCommand>,
}

/// A part of a frame.
pub(crate) struct Overlay {
    pub(crate) show: fn(&mut Frame<'_>),
    /// `true` if the part belongs to a picture of the map, which has no messages and buttons.
    pub(crate) is_in_pictures: bool,
}

/// The parts of a frame in the order in which they are shown.
///
/// The status line and the panels come first, since they take their place from the map: all others find the place of the map in
/// `view.map_rect`. Among those over the map, a later one is above an earlier one where both are new in a frame.
pub(crate) const OVERLAYS: &[Overlay] = &[
    always(status_line),
    always(panels),
    always(compared_names),
    outside_pictures(end_of_comparison),
    always(divider_cursor),
    outside_pictures(file_error),
    outside_pictures(messages),
    outside_pictures(open_dialog),
    outside_pictures(question),
    outside_pictures(progress),
    always(creature_name),
    outside_pictures(door_label),
    outside_pictures(creature_event),
    always(words_on_survey),
    always(minimap),
    outside_pictures(way_to_viewer),
    always(inspector),
    always(legend),
    outside_pictures(help_or_hint),
    outside_pictures(toolbar),
    outside_pictures(placement_gain),
    outside_pictures(naming),
    outside_pictures(goals),
];

const fn always(show: fn(&mut Frame<'_>)) -> Overlay {
    Overlay { show, is_in_pictures: true }
}

const fn outside_pictures(show: fn(&mut Frame<'_>)) -> Overlay {
    Overlay { show, is_in_pictures: false }
}

impl<'a> Frame<'a> {
    /// Returns a frame in which nothing is shown yet. The inspector explains the cell below the pointer.
    pub(crate) fn new(
        context: &'a Context,
        document: &'a Document,
        view: &'a mut MapView,
        session: &'a mut Session,
    ) -> Self {
        let hovered = document.scene().and_then(|scene| view.hovered(scene));
        let (viewport, map_pixels) = (view.viewport(), view.map_pixels());
        let (comparison, pointer) = (document.comparison(), view.pointer.filter(|_| document.comparison().is_open()));
        let is_right = pointer.is_some_and(|at| at.x >= view.divider.column(viewport));
        let is_on_divider = pointer.is_some_and(|at| view.divider.is_near(at, viewport, map_pixels));
        let hovered_scene = if is_right { comparison.scene.as_ref() } else { document.scene() };
        if let Some(scene) = hovered_scene {
            view.inspector.update(scene, hovered, SceneRevision { revision: document.revision(), is_right });
        }
        Self { context, document, view, session, hovered, hovered_scene, is_on_divider, commands: Vec::new() }
    }

    fn map(&self) -> Rect {
        self.view.map_rect
    }

    /// Returns the lower left corner of the map, above the legend.
    fn corner_above_legend(&self) -> egui::Pos2 {
        self.map().left_bottom() - egui::vec2(-8.0, self.view.legend_points())
    }
}

fn status_line(frame: &mut Frame<'_>) {
    let Frame { context, document, view, session, hovered, hovered_scene, .. } = frame;
    let summary = document.scene().map_or("", |scene| view.summary(scene, document.revision()));
    show_status_line(context, document, summary, (*hovered_scene, *hovered), &mut session.has_numbers);
}

/// Shows the side panel, or on a phone the sheet, and the panorama, and gives the map the place that is left.
fn panels(frame: &mut Frame<'_>) {
    let Frame { context, document, view, session, commands, hovered, .. } = frame;
    session.has_sheet = theme::has_sheet(context);
    panel::hide_tooltips(context, session.has_dialog() || session.is_picture_of_map());
    if !session.has_sheet && session.settings.window.panel {
        commands.extend(panel::show(context, document, view, session));
    }
    let has_open_sheet = session.has_open_sheet();
    view.max_legend_rows = match session.has_sheet {
        true => usize::from(!has_open_sheet),
        false => usize::MAX,
    };
    if let Some(scene) = document.scene() {
        let input = StripInput {
            revision: document.revision(),
            marked: hovered.filter(|_| view.strip.hovered.is_none()).or(view.inspector.target()),
            latitude_deg: document.map().and_then(|map| map.latitude_deg(scene.origin() + scene.viewer())),
            is_upright_phone: is_narrow(context),
            is_hidden: has_open_sheet,
            asks: view.inspector.follows_pointer || session.input.is_touch,
        };
        commands.extend(view.strip.show(context, scene, input));
    }
    view.map_rect = context.available_rect();
    if session.has_sheet {
        let place = (view.map_rect, view.legend_points());
        commands.extend(panel::show_sheet(context, place, document, view, session));
        if has_open_sheet {
            view.map_rect = panel::rect_beside_sheet(context, view.map_rect);
        }
    }
}

/// Shows the names of the scenes left and right of the divider.
fn compared_names(frame: &mut Frame<'_>) {
    let Some(divider) = divider_in_points(frame) else { return };
    let Some(left) = frame.document.scene() else { return };
    let titles = frame.document.comparison().to.titles(frame.document.name(), left);
    for (title, (pivot, offset)) in titles.iter().zip([(Align2::RIGHT_TOP, -10.0), (Align2::LEFT_TOP, 10.0)]) {
        let at = egui::pos2(divider + offset, frame.map().top() + 8.0);
        let area = Area::new(egui::Id::new(("side", pivot))).pivot(pivot).fixed_pos(at).constrain(false);
        show_line(frame.context, area, 5, RichText::new(title).strong().color(OVER_MAP_TEXT));
    }
}

fn end_of_comparison(frame: &mut Frame<'_>) {
    if let Some(divider) = divider_in_points(frame)
        && show_end_of_comparison(frame.context, frame.map(), divider)
    {
        frame.commands.push(Command::EndComparison.into());
    }
}

/// Returns the column of the divider in points, if two scenes are shown.
fn divider_in_points(frame: &Frame<'_>) -> Option<f32> {
    let Frame { document, view, .. } = frame;
    let is_shown = document.scene().is_some() && document.comparison().is_open();
    is_shown.then(|| view.to_points(view.divider.column(view.viewport())))
}

fn divider_cursor(frame: &mut Frame<'_>) {
    if frame.is_on_divider {
        frame.context.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
}

/// Shows the fault of the preset file.
fn file_error(frame: &mut Frame<'_>) {
    let Some(error) = frame.document.file_error() else { return };
    let map = frame.map();
    let at = map.center_top() + egui::vec2(0.0, 48.0);
    let area = Area::new("file error".into()).pivot(Align2::CENTER_TOP).fixed_pos(at);
    let card = egui::Frame::popup(&frame.context.style()).fill(FAULT_GROUND);
    show_in_frame(frame.context, area, card, |ui| {
        ui.set_max_width((map.width() - 40.0).clamp(120.0, 560.0));
        ui.label(RichText::new(error).color(FAULT_TEXT));
    });
}

fn messages(frame: &mut Frame<'_>) {
    let folder = frame.session.messages.show(frame.context, frame.map());
    frame.commands.extend(folder.map(WindowCommand::ShowFolder));
}

fn open_dialog(frame: &mut Frame<'_>) {
    let map = frame.map();
    let Session { open_dialog, settings, .. } = &mut *frame.session;
    let Some(dialog) = open_dialog else { return };
    let answer = dialog.show(frame.context, map, &settings.window.recent);
    if answer.is_closed {
        *open_dialog = None;
    }
    frame.commands.extend(answer.chosen.map(|choice| match choice {
        Choice::File(path) => WindowCommand::Open(Some(path), None),
        Choice::Link(query) => WindowCommand::OpenLink(query),
    }));
}

/// Asks whether a scene that takes long is computed.
fn question(frame: &mut Frame<'_>) {
    let answer = frame.session.question.as_ref().and_then(|question| question.show(frame.context, frame.map()));
    frame.commands.extend(answer.map(WindowCommand::Answer));
}

/// Shows the progress of a world, of views or of a film.
fn progress(frame: &mut Frame<'_>) {
    let world = frame.document.slow_progress().map(|done| (done, "generating the world"));
    let is_settling = frame.document.is_settling_land();
    let views = if is_settling { "rain and rivers follow the land" } else { "computing what is seen" };
    let views = frame.document.views_progress().map(|done| (done, views));
    let film = frame.session.film_progress.map(|done| (done, "filming the last steps"));
    let Some((progress, words)) = world.or(views).or(film) else { return };
    let at = frame.map().center_top() + egui::vec2(-150.0, 12.0);
    // Without a fade: a page stops drawing a few frames later, and the bar would hardly be visible.
    let area = Area::new("progress".into()).fixed_pos(at).fade_in(false);
    show_in_frame(frame.context, area, egui::Frame::popup(&frame.context.style()), |ui| {
        ui.set_width(300.0);
        ui.add(egui::ProgressBar::new(progress).text(words));
    });
}

fn creature_name(frame: &mut Frame<'_>) {
    if let Some(scene) = frame.hovered_scene {
        frame.view.show_creature_name(frame.context, scene);
    }
}

fn door_label(frame: &mut Frame<'_>) {
    let may_click = frame.session.tools.tool == Tool::Walk && !frame.session.input.is_touch;
    if let Some(scene) = frame.hovered_scene.filter(|_| may_click)
        && frame.view.show_door_label(frame.context, scene)
    {
        frame.context.set_cursor_icon(CursorIcon::PointingHand);
    }
}

/// Shows a line on what has just been recognised, above the hint.
fn creature_event(frame: &mut Frame<'_>) {
    let height_of_hint = if frame.session.tools.tool == Tool::Walk { 62.0 } else { 140.0 };
    let at = frame.corner_above_legend() - egui::vec2(0.0, height_of_hint);
    let Frame { context, document, session, .. } = frame;
    let Some(scene) = document.scene() else { return };
    let line = session.ticker.line(scene, [document.revision(), document.turns()], get_time());
    if let Some(line) = line.filter(|_| scene.preset().paint.creatures) {
        let area = Area::new("event".into()).fixed_pos(at).fade_in(false);
        show_line(context, area, 4, RichText::new(line).strong().color(OVER_MAP_EVENT));
    }
}

/// Shows what the colours of the survey mean.
fn words_on_survey(frame: &mut Frame<'_>) {
    if let Some(words) = frame.view.words_on_survey() {
        let at = frame.corner_above_legend() - egui::vec2(0.0, 66.0);
        let area = Area::new("survey".into()).fixed_pos(at).fade_in(false);
        show_line(frame.context, area, 4, RichText::new(words).color(OVER_MAP_TEXT));
    }
}

/// Goes to the cell of the minimap on which the pointer is down.
fn minimap(frame: &mut Frame<'_>) {
    let Frame { context, document, view, commands, .. } = frame;
    let Some((scene, place)) = document.scene().and_then(|scene| Some((scene, view.minimap_rect(scene)?))) else {
        return;
    };
    let area = Area::new("minimap".into()).sense(Sense::CLICK).fixed_pos(place.min).order(egui::Order::Background);
    let response = area.show(context, |ui| ui.allocate_response(place.size(), Sense::CLICK | Sense::DRAG)).inner;
    let point = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on());
    commands.extend(point.and_then(|point| view.cell_on_minimap(scene, point)).map(WindowCommand::GoTo));
}

fn way_to_viewer(frame: &mut Frame<'_>) {
    if let Some(way) = frame.document.scene().and_then(|scene| frame.view.way_to_viewer(scene))
        && show_way_to_viewer(frame.context, frame.map(), way)
    {
        frame.commands.push(WindowCommand::Centre);
    }
}

/// Shows the explanation of a cell.
fn inspector(frame: &mut Frame<'_>) {
    let Frame { context, view, session, .. } = frame;
    let (target_y, legend) = (view.target_y(), view.legend_points());
    if view.inspector.show(context, view.map_rect, target_y, legend, session.input.is_touch) {
        view.inspector.unpin();
    }
}

/// Folds or unfolds the legend below the map if it is clicked.
fn legend(frame: &mut Frame<'_>) {
    let height = frame.view.legend_points();
    if height <= 0.0 {
        return;
    }
    let at = frame.map().left_bottom() - egui::vec2(0.0, height);
    let area = Area::new("legend".into()).sense(Sense::CLICK).fixed_pos(at).order(egui::Order::Background);
    let size = egui::vec2(frame.map().width(), height);
    if area.show(frame.context, |ui| ui.allocate_response(size, Sense::click()).clicked()).inner {
        frame.commands.push(WindowCommand::ToggleLegendFold);
    }
}

/// Shows the list of keys, or in the lower left above the legend the first keys to try or the hint of the selected tool.
fn help_or_hint(frame: &mut Frame<'_>) {
    let (context, map) = (frame.context, frame.map());
    if frame.session.shows_help {
        return show_help(context, map, &mut frame.session.shows_help);
    }
    if frame.session.tools.tool != Tool::Walk || frame.session.has_open_sheet() {
        return; // the toolbar says what to do, and the sheet leaves little of the map
    }
    let at = frame.corner_above_legend() - egui::vec2(0.0, 6.0);
    let area = Area::new("hint".into()).pivot(Align2::LEFT_BOTTOM).fixed_pos(at);
    let ground = egui::Frame::new().fill(OVER_MAP_GROUND).inner_margin(4).corner_radius(4);
    let is_touch = frame.session.input.is_touch;
    let asks = is_touch && frame.view.inspector.follows_pointer;
    let text = match () {
        () if asks => "tap: why?    drag: move    pinch: zoom",
        () if frame.document.scene().is_some_and(is_dark) => {
            return frame.commands.extend(show_dark_hint(context, area));
        }
        () if is_touch => "tap: walk    drag: move    pinch: zoom    long press: why?",
        () if frame.session.settings.window.panel && !frame.session.has_sheet => {
            "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys"
        }
        () => "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys    0: side panel",
    };
    show_in_frame(context, area, ground, |ui| {
        ui.set_max_width((map.width() - 24.0).max(80.0));
        ui.label(RichText::new(text).color(OVER_MAP_TEXT));
    });
}

/// Shows what a click with the selected tool adds to the view.
fn placement_gain(frame: &mut Frame<'_>) {
    let Frame { context, document, view, session, hovered, .. } = frame;
    if !matches!(session.tools.tool, Tool::Lamp | Tool::Lookout) || session.has_dialog() {
        return;
    }
    if let (Some(scene), Some(cell), true) = (document.scene(), *hovered, document.is_settled()) {
        let preset = session.tools.used_on(document.preset(), scene.observers(), cell);
        view.show_placement_gain(context, scene, document.revision(), preset);
    }
}

/// Shows the card with the goals, below the minimap.
fn goals(frame: &mut Frame<'_>) {
    if !frame.session.goals.is_open {
        return;
    }
    let map = frame.map();
    let minimap = frame.document.scene().and_then(|scene| frame.view.minimap_rect(scene));
    let top = minimap.map_or(map.top(), |minimap| minimap.bottom().min(map.center().y));
    let corner = egui::pos2(map.right() - 8.0, top + 8.0);
    frame.commands.extend(super::goal_card::show(frame.context, corner, &frame.session.goals));
}

/// Shows the field for the name of a place.
fn naming(frame: &mut Frame<'_>) {
    let map = frame.map();
    let Some(naming) = &mut frame.session.naming else { return };
    let (is_closed, command) = naming.show(frame.context, map);
    if is_closed {
        frame.session.naming = None;
    }
    frame.commands.extend(command.map(WindowCommand::from));
}

/// Shows the toolbar of the selected tool, in the lower left above the legend.
fn toolbar(frame: &mut Frame<'_>) {
    if frame.session.tools.tool == Tool::Walk {
        return;
    }
    let has_sheet = frame.session.has_sheet;
    // Above the button of a phone's sheet.
    let corner = frame.corner_above_legend() - egui::vec2(0.0, if has_sheet && !ON_PAGE { 56.0 } else { 6.0 });
    let widest = if has_sheet { 760.0 } else { 460.0 };
    let width = (frame.map().width() - 32.0).clamp(160.0, widest);
    let Frame { context, document, session, .. } = frame;
    let brushes: Vec<_> = document.brushes().collect();
    let world = document.scene().and_then(|scene| scene.world());
    let height_m = world.map(|world| session.tools.stroke([]).height_m(world.config().cell_size_m));
    let is_touch = session.input.is_touch || has_sheet;
    let place = (corner, width);
    let command = super::toolbar::show(context, place, &mut session.tools, &brushes, (height_m, is_touch));
    frame.commands.extend(command);
}

/// Returns `true` if it is night around the viewer, and nothing gives light.
fn is_dark(scene: &Scene) -> bool {
    scene.lamps().is_empty() && scene.light(scene.viewer()) < LEAST_LIGHT
}

/// Shows what gives light in the dark. Returns the command of the button that is clicked.
fn show_dark_hint(context: &Context, area: Area) -> Option<WindowCommand> {
    let lantern = Command::Set("optics.lantern", Some(toml::Value::Float(LANTERN)));
    let choices = [("carry a lantern", lantern.into()), ("place a lamp", WindowCommand::ToggleTool(Tool::Lamp))];
    let card = egui::Frame::popup(&context.style());
    let area = area.sense(Sense::CLICK).fade_in(false);
    let clicked = area.show(context, |ui| {
        card.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.add(Label::new("It is dark.").extend());
                choices.into_iter().filter_map(|(label, command)| ui.button(label).clicked().then_some(command)).last()
            })
        })
    });
    clicked.inner.inner.inner
}

fn show_in_frame(context: &Context, area: Area, frame: egui::Frame, content: impl FnOnce(&mut Ui)) {
    area.interactable(false).show(context, |ui| frame.show(ui, content));
}

/// Shows a line of text on a dark ground.
fn show_line(context: &Context, area: Area, margin: i8, text: RichText) {
    let frame = egui::Frame::new().fill(OVER_MAP_GROUND).inner_margin(margin).corner_radius(4);
    show_in_frame(context, area, frame, |ui| {
        ui.add(Label::new(text).extend());
    });
}

/// Shows a button with its text on one line. An area is as wide as in the frame before, so that a text that may wrap stays
/// narrow after a tiny window or a shorter text. Returns `true` if it is clicked.
fn show_button(context: &Context, area: Area, text: &str) -> bool {
    let button = Button::new(text).wrap_mode(TextWrapMode::Extend);
    area.sense(Sense::CLICK).show(context, |ui| ui.add(button).clicked()).inner
}

/// Shows the button that ends the comparison, below the names at the divider. Returns `true` if it is clicked.
fn show_end_of_comparison(context: &Context, map: Rect, divider: f32) -> bool {
    let at = egui::pos2(divider, map.top() + 44.0);
    let area = Area::new("end of comparison".into()).pivot(Align2::CENTER_TOP).fixed_pos(at).constrain_to(map);
    show_button(context, area, "end comparison")
}

/// Shows a button that leads back to a viewer outside of the picture, and names the direction. Returns `true` if it is clicked.
fn show_way_to_viewer(context: &Context, map: Rect, way: Vec2) -> bool {
    const DIRECTIONS: [&str; 8] =
        ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];
    let eighths = (way.y.atan2(way.x) / std::f32::consts::FRAC_PI_4).round() as i32;
    let text = format!("back to the viewer, {}", DIRECTIONS[eighths.rem_euclid(8) as usize]);
    let at = map.center_top() + egui::vec2(0.0, 8.0);
    let area = Area::new("way to the viewer".into()).pivot(Align2::CENTER_TOP).fixed_pos(at).fade_in(false);
    show_button(context, area, &text)
}

/// Shows the list of keys.
fn show_help(context: &Context, map: Rect, open: &mut bool) {
    egui::Window::new("Keys")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(if is_narrow(context) { context.screen_rect().center() } else { map.center() })
        .show(context, |ui| {
            let screen = context.screen_rect();
            ui.set_max_width((screen.width() - 48.0).clamp(120.0, 620.0));
            let height = (map.height() - 150.0).max(80.0);
            egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                egui::Grid::new("keys").num_columns(2).min_row_height(14.0).spacing([24.0, 1.0]).show(ui, |ui| {
                    for (keys, meaning) in HELP {
                        ui.label(RichText::new(*keys).strong().monospace());
                        ui.add(Label::new(*meaning).wrap());
                        ui.end_row();
                    }
                });
            });
            ui.separator();
            ui.label("Every slider takes effect at once. \"Advanced\" has all settings.");
            ui.label("Creatures inside the dashed line are identified; others in sight are a \"?\".");
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area_size(context: &Context, name: &'static str) -> egui::Vec2 {
        context.memory(|memory| memory.area_rect(name)).expect("the area was shown").size()
    }

    /// Shows the buttons over the map for a few frames in a window with a size, while the viewer is away in one direction.
    fn show_buttons(context: &Context, size: egui::Vec2, way: Vec2) -> [egui::Vec2; 2] {
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
        for _ in 0..4 {
            let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
            let _ = context.run(input, |context| {
                show_end_of_comparison(context, screen, screen.center().x);
                show_way_to_viewer(context, screen, way);
            });
        }
        ["end of comparison", "way to the viewer"].map(|name| area_size(context, name))
    }

    #[test]
    fn buttons_are_as_wide_as_their_text_after_a_tiny_window_and_a_shorter_text() {
        let window = egui::vec2(1280.0, 720.0);
        let [east, north_west] = [Vec2::new(1.0, 0.0), Vec2::new(-1.0, -1.0)];
        let fresh = show_buttons(&Context::default(), window, north_west);
        let context = Context::default();
        show_buttons(&context, egui::vec2(60.0, 40.0), east);
        assert_eq!(show_buttons(&context, window, north_west), fresh);
    }
}
