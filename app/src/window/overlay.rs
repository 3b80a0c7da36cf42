//! [`OVERLAYS`]: the parts of a frame around and over the map, with a function for each.

use egui::{Align2, Area, Button, Context, CursorIcon, Label, Rect, RichText, ScrollArea, Sense};
use egui_macroquad::egui;
use macroquad::time::get_time;

use super::command::{Tool, WindowCommand};
use super::dialogs::OpenTarget;
use super::keys::HELP;
use super::panel;
use super::session::Session;
use super::slots::{Card, MARGIN, Slot, Slots};
use super::status_line::show_status_line;
use super::theme::{
    self, FAULT_GROUND, FAULT_TEXT, OVER_MAP_EVENT, OVER_MAP_GROUND, OVER_MAP_TEXT, TOUCH_HEIGHT, is_narrow,
};
use super::view::{InspectorAnswer, MapView, SceneRevision, StripInput};
use crate::document::{Command, Document};
use crate::host::ON_PAGE;
use farsight_scene::creatures::Sighting;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The minimum light at the viewer without an offer of a lantern, and the reach of that lantern in cells.
const MIN_LIGHT: f32 = 0.05;
const LANTERN_REACH: f64 = 16.0;

/// The name of the button on the divider.
const END_OF_COMPARISON: &str = "end of comparison";

/// The state of the window during a frame.
pub(crate) struct Frame<'a> {
    context: &'a Context,
    document: &'a Document,
    view: &'a mut MapView,
    session: &'a mut Session,
    /// The space over the map that the panels leave.
    slots: Slots<'a>,
    /// The cell below the pointer.
    hovered: Option<IVec2>,
    /// The scene below the pointer: the second one right of the divider.
    hovered_scene: Option<&'a Scene>,
    is_on_divider: bool,
    /// The commands of the controls, executed after the frame.
    pub(crate) commands: Vec<WindowCommand>,
}

/// A part of a frame.
pub(crate) struct Overlay {
    pub(crate) show: fn(&mut Frame<'_>),
    /// Whether the part is also in a picture of the map, which has no messages and buttons.
    pub(crate) is_in_pictures: bool,
}

/// The parts of a frame in their order of display.
///
/// The status line and the panels come first, since they reduce the area of the map: all others read that area from
/// `view.map_rect`. Strips and cards get a place in `slots`: an earlier one is nearer to the edge of the map, and has
/// priority in limited space.
pub(crate) const OVERLAYS: &[Overlay] = &[
    always(status_line),
    always(panels),
    always(divider_cursor),
    always(legend),
    always(minimap),
    outside_pictures(end_of_comparison),
    always(compared_names),
    outside_pictures(progress),
    outside_pictures(earlier_work),
    outside_pictures(file_error),
    outside_pictures(way_to_viewer),
    outside_pictures(introduction),
    outside_pictures(help_or_hint),
    outside_pictures(sheet_button),
    outside_pictures(toolbar),
    outside_pictures(messages),
    outside_pictures(goals),
    always(inspector),
    always(survey_caption),
    outside_pictures(creature_event),
    always(creature_name),
    outside_pictures(door_label),
    outside_pictures(placement_gain),
    outside_pictures(open_dialog),
    outside_pictures(question),
    outside_pictures(naming),
];

const fn always(show: fn(&mut Frame<'_>)) -> Overlay {
    Overlay { show, is_in_pictures: true }
}

const fn outside_pictures(show: fn(&mut Frame<'_>)) -> Overlay {
    Overlay { show, is_in_pictures: false }
}

impl<'a> Frame<'a> {
    /// Returns an empty frame. The inspector explains the cell below the pointer.
    pub(crate) fn new(
        context: &'a Context,
        document: &'a Document,
        view: &'a mut MapView,
        session: &'a mut Session,
    ) -> Self {
        let hovered = document.scene().and_then(|scene| view.hovered(scene));
        let (viewport, map_pixels) = (view.viewport(), view.map_pixels());
        let (comparison, pointer) =
            (document.comparison(), view.pointer.filter(|_| document.comparison().scene.is_some()));
        let is_right = pointer.is_some_and(|at| at.x >= view.divider.column(viewport));
        let is_on_divider = pointer.is_some_and(|at| view.divider.is_near(at, viewport, map_pixels));
        let hovered_scene = if is_right { comparison.scene.as_ref() } else { document.scene() };
        if let Some(scene) = hovered_scene {
            view.inspector.update(scene, hovered, SceneRevision { revision: document.revision(), is_right });
        }
        let slots = Slots::new(context, view.map_rect);
        Self { context, document, view, session, slots, hovered, hovered_scene, is_on_divider, commands: Vec::new() }
    }

    fn map(&self) -> Rect {
        self.view.map_rect
    }
}

fn status_line(frame: &mut Frame<'_>) {
    let Frame { context, document, view, session, hovered, hovered_scene, .. } = frame;
    let summary = match document.scene() {
        Some(scene) if !scene.is_preview() => view.summary(scene, document.revision()),
        _ => "", // a preview is not counted
    };
    show_status_line(context, document, summary, (*hovered_scene, *hovered), &mut session.has_numbers);
}

/// Shows the side panel, or on a phone the sheet, and the panorama, and gives the remaining space to the map.
fn panels(frame: &mut Frame<'_>) {
    let Frame { context, document, view, session, slots, commands, hovered, .. } = frame;
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
            convergence_deg: document.map().and_then(|map| map.convergence_deg(scene.origin() + scene.viewer())),
            is_upright_phone: is_narrow(context),
            is_hidden: has_open_sheet,
            asks: view.inspector.follows_pointer || session.input.is_touch,
        };
        commands.extend(view.strip.show(context, scene, input));
    }
    view.map_rect = context.available_rect();
    if session.has_sheet {
        commands.extend(panel::show_sheet(context, view.map_rect, document, view, session));
        if has_open_sheet {
            view.map_rect = panel::map_next_to_sheet(context, view.map_rect);
        }
    }
    let Rect { min, max } = view.map_rect;
    *slots = Slots::new(context, Rect::from_min_max(min, max - egui::vec2(0.0, view.legend_points())));
}

/// Shows the names of the scenes left and right of the divider, and of the button on it.
fn compared_names(frame: &mut Frame<'_>) {
    let Some(divider) = divider_in_points(frame) else { return };
    let Some(left) = frame.document.scene() else { return };
    let titles = frame.document.comparison().to.titles(frame.document.name(), left);
    let (left, right) =
        frame.slots.last_place(END_OF_COMPARISON).map_or((divider, divider), |at| (at.left(), at.right()));
    let sides = [("left scene", Slot::LeftOf(left - MARGIN)), ("right scene", Slot::RightOf(right + MARGIN))];
    for (title, (name, slot)) in titles.iter().zip(sides) {
        frame.slots.show_line(name, slot, RichText::new(title).strong().color(OVER_MAP_TEXT));
    }
}

fn end_of_comparison(frame: &mut Frame<'_>) {
    if let Some(divider) = divider_in_points(frame)
        && frame.slots.show_button(END_OF_COMPARISON, Slot::At(divider), Button::new("end comparison"))
    {
        frame.commands.push(Command::EndComparison.into());
    }
}

/// Returns the column of the divider in points, if two scenes are shown.
fn divider_in_points(frame: &Frame<'_>) -> Option<f32> {
    let Frame { document, view, .. } = frame;
    let is_shown = document.scene().is_some() && document.comparison().scene.is_some();
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
    let card = Card::new(frame.context, "file error", Slot::UpperMiddle)
        .frame(egui::Frame::popup(&frame.context.style()).fill(FAULT_GROUND));
    let width = (frame.slots.free.width() - 24.0).clamp(120.0, 560.0);
    frame.slots.show(card.scroll(ScrollArea::vertical()), |ui| {
        ui.set_max_width(width);
        ui.label(RichText::new(error).color(FAULT_TEXT));
    });
}

fn messages(frame: &mut Frame<'_>) {
    let folder = frame.session.messages.show(&mut frame.slots);
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
        OpenTarget::File(path) => WindowCommand::Open(Some(path), None),
        OpenTarget::Link(query) => WindowCommand::OpenLink(query),
    }));
}

/// Asks for confirmation of a slow scene.
fn question(frame: &mut Frame<'_>) {
    let answer = frame.session.question.as_ref().and_then(|question| question.show(frame.context, frame.map()));
    frame.commands.extend(answer.map(WindowCommand::Answer));
}

/// Shows the progress of a world, of views or of a film.
fn progress(frame: &mut Frame<'_>) {
    let is_sketch = frame.document.shows_preview();
    let making = if is_sketch { "a sketch: the land follows" } else { "generating the world" };
    let world = frame.document.slow_progress().map(|done| (done, making));
    let is_settling = frame.document.is_settling_land();
    let views = if is_settling { "rain and rivers follow the land" } else { "computing views" };
    let views = frame.document.views_progress().map(|done| (done, views));
    let film = frame.session.film_progress.map(|done| (done, "filming the last steps"));
    let Some((progress, words)) = world.or(views).or(film) else {
        if frame.view.is_drawing_world() {
            frame.slots.show_line("drawing", Slot::UpperMiddle, RichText::new("drawing the map").color(OVER_MAP_TEXT));
        }
        return;
    };
    frame.slots.show(Card::new(frame.context, "progress", Slot::UpperMiddle), |ui| {
        ui.set_width(300.0);
        ui.add(egui::ProgressBar::new(progress).text(words));
    });
}

/// Offers the work of an earlier window until the first step or change.
fn earlier_work(frame: &mut Frame<'_>) {
    let Some(earlier) = frame.session.kept.earlier.as_ref().filter(|_| frame.document.work() == 0) else { return };
    let card = Card::new(frame.context, "earlier work", Slot::UpperMiddle).clickable(true);
    let answer = frame.slots.show(card, |ui| {
        ui.horizontal(|ui| {
            let wanted = ui.button(RichText::new("Continue").strong()).clicked();
            ui.label(&earlier.title);
            let declined = ui.button("close").clicked();
            (wanted || declined).then_some(wanted)
        })
        .inner
    });
    frame.commands.extend(answer.flatten().map(WindowCommand::ContinueEarlier));
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

/// Shows a line on the creature that was recognised last.
fn creature_event(frame: &mut Frame<'_>) {
    let Frame { document, session, slots, .. } = frame;
    let Some(scene) = document.scene() else { return };
    let line = session.ticker.line(scene, [document.revision(), document.turns()], get_time());
    if let Some(line) = line.filter(|_| scene.preset().paint.creatures) {
        slots.show_line("event", Slot::LowerLeft, RichText::new(line).strong().color(OVER_MAP_EVENT));
    }
}

/// Shows the meaning of the survey's colours.
fn survey_caption(frame: &mut Frame<'_>) {
    if let Some(words) = frame.view.survey_caption() {
        frame.slots.show_line("survey", Slot::LowerLeft, RichText::new(words).color(OVER_MAP_TEXT));
    }
}

/// Keeps the place of the minimap free, and moves the map to the pressed cell of the minimap.
fn minimap(frame: &mut Frame<'_>) {
    let Frame { context, document, view, slots, commands, .. } = frame;
    let Some((scene, place)) = document.scene().and_then(|scene| Some((scene, view.minimap_rect(scene)?))) else {
        return;
    };
    slots.take(place);
    let area = Area::new("minimap".into()).sense(Sense::CLICK).fixed_pos(place.min).order(egui::Order::Background);
    let response = area.show(context, |ui| ui.allocate_response(place.size(), Sense::CLICK | Sense::DRAG)).inner;
    let point = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on());
    commands.extend(point.and_then(|point| view.cell_on_minimap(scene, point)).map(WindowCommand::GoTo));
}

/// Shows a button that returns to a viewer outside the picture and names the direction.
fn way_to_viewer(frame: &mut Frame<'_>) {
    const DIRECTIONS: [&str; 8] =
        ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];
    let Some(way) = frame.document.scene().and_then(|scene| frame.view.way_to_viewer(scene)) else { return };
    let eighths = (way.y.atan2(way.x) / std::f32::consts::FRAC_PI_4).round() as i32;
    let text = format!("back to you, {}", DIRECTIONS[eighths.rem_euclid(8) as usize]);
    if frame.slots.show_button("way to the viewer", Slot::UpperMiddle, Button::new(text)) {
        frame.commands.push(WindowCommand::Centre);
    }
}

/// Shows the explanation of a cell.
fn inspector(frame: &mut Frame<'_>) {
    let Frame { document, view, session, slots, commands, .. } = frame;
    let target = view.inspector.target();
    let can_enter = target.zip(document.scene()).is_some_and(|(cell, scene)| scene.terrain().can_enter(cell));
    let answer = view.inspector.show(slots, view.target_y(), (session.input.is_touch, can_enter));
    if answer.is_some() {
        view.inspector.unpin();
    }
    if let Some(InspectorAnswer::StandOn(cell)) = answer {
        commands.push(Command::Place(cell).into());
        let has_world = document.scene().is_some_and(|scene| scene.world().is_some());
        commands.extend((has_world && !view.strip.is_shown()).then_some(WindowCommand::TogglePanorama));
    }
}

/// Folds or unfolds the legend below the map on a click.
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

/// Shows lines for a new user until the first step.
fn introduction(frame: &mut Frame<'_>) {
    let Frame { document, session, slots, .. } = frame;
    let Some(scene) = document.scene().filter(|scene| !scene.is_preview() && !scene.is_stale()) else { return };
    let Some(opacities) = session.introduction.opacities(document.work() > 0, get_time()) else { return };
    let has_question = scene.sightings().any(|sighting| matches!(sighting, Sighting::Glimpsed(_)));
    let is_touch = session.input.is_touch;
    let size = if slots.free.width() < 600.0 { 14.0 } else { 17.0 };
    let lines = [
        Some("You are the red dot."),
        Some(if is_touch { "Tap to walk." } else { "Click to walk." }),
        has_question.then_some(match is_touch {
            true => "What is that \"?\"  Walk nearer, or hold a finger on it.",
            false => "What is that \"?\"  Walk nearer, or right-click it.",
        }),
    ];
    let opacity = opacities.into_iter().fold(0.0, f32::max);
    let ground = egui::Frame::new().fill(OVER_MAP_GROUND.gamma_multiply(opacity)).inner_margin(8).corner_radius(4);
    slots.show(Card::new(slots.context, "introduction", Slot::LowerLeft).frame(ground), |ui| {
        for (line, opacity) in lines.into_iter().zip(opacities) {
            if let Some(line) = line {
                ui.label(RichText::new(line).size(size).color(OVER_MAP_TEXT.gamma_multiply(opacity)));
            }
        }
    });
}

/// Shows the list of keys, or in the lower left the first keys to try.
fn help_or_hint(frame: &mut Frame<'_>) {
    if frame.session.shows_help {
        return show_help(frame.context, frame.map(), &mut frame.session.shows_help);
    }
    if frame.session.introduction.is_wanted() || frame.document.scene().is_none() {
        return;
    }
    if frame.session.tools.tool != Tool::Walk || frame.session.has_open_sheet() {
        return; // the toolbar has instructions, and the sheet leaves little of the map
    }
    let is_touch = frame.session.input.is_touch;
    let asks = is_touch && frame.view.inspector.follows_pointer;
    let text = match () {
        () if asks => "tap: why?    drag: move    pinch: zoom",
        () if frame.document.scene().is_some_and(is_dark) => {
            return frame.commands.extend(show_dark_hint(&mut frame.slots));
        }
        () if is_touch => "tap: walk    drag: move    pinch: zoom    long press: why?",
        () if frame.session.settings.window.panel && !frame.session.has_sheet => {
            "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys"
        }
        () => "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys    0: side panel",
    };
    frame.slots.show_line("hint", Slot::LowerLeft, RichText::new(text).color(OVER_MAP_TEXT));
}

/// Shows the button that opens or closes the sheet of a phone. A page has a button below the map that opens it.
fn sheet_button(frame: &mut Frame<'_>) {
    let is_open = frame.session.has_open_sheet();
    if !frame.session.has_sheet || ON_PAGE && !is_open {
        return;
    }
    let button = Button::new(if is_open { "close" } else { "sliders" });
    let card = Card::new(frame.context, "sheet button", Slot::LowerRight).frame(egui::Frame::new()).clickable(true);
    if frame.slots.show(card, |ui| ui.add_sized([72.0, TOUCH_HEIGHT], button).clicked()) == Some(true) {
        frame.commands.push(WindowCommand::TogglePanel);
    }
}

/// Shows the effect of a click with the selected tool on the view.
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

/// Shows the card with the goals.
fn goals(frame: &mut Frame<'_>) {
    if frame.session.goals.is_open {
        let map = frame.map();
        let viewer = frame.document.scene().and_then(|scene| frame.view.viewer_point(scene));
        let (slots, goals) = (&mut frame.slots, &frame.session.goals);
        frame.commands.extend(super::goal_card::show(slots, goals, viewer.map(|at| (at - map.min) / map.size())));
    }
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

/// Shows the toolbar of the selected tool.
fn toolbar(frame: &mut Frame<'_>) {
    let Frame { document, session, slots, .. } = frame;
    if session.tools.tool == Tool::Walk {
        return;
    }
    let brushes: Vec<_> = document.brushes().collect();
    let world = document.scene().and_then(|scene| scene.world());
    let height_m = world.map(|world| session.tools.stroke([]).height_m(world.config().cell_size_m));
    let has_sheet = session.has_sheet;
    let is_touch = session.input.is_touch || has_sheet;
    let widest = if has_sheet { 760.0 } else { 460.0 };
    let command = super::toolbar::show(slots, widest, &mut session.tools, &brushes, (height_m, is_touch));
    frame.commands.extend(command);
}

/// Returns `true` if the viewer is in the dark, without a lamp in the scene.
fn is_dark(scene: &Scene) -> bool {
    scene.lamps().is_empty() && scene.light(scene.viewer()) < MIN_LIGHT
}

/// Shows the sources of light in the dark. Returns the command of the clicked button.
fn show_dark_hint(slots: &mut Slots<'_>) -> Option<WindowCommand> {
    let lantern = Command::Set("optics.lantern", Some(toml::Value::Float(LANTERN_REACH)));
    let choices = [("carry a lantern", lantern.into()), ("place a lamp", WindowCommand::ToggleTool(Tool::Lamp))];
    let card = Card::new(slots.context, "dark hint", Slot::LowerLeft).clickable(true);
    let clicked = slots.show(card, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.add(Label::new("It is dark.").extend());
            choices.into_iter().filter_map(|(label, command)| ui.button(label).clicked().then_some(command)).last()
        })
    });
    clicked?.inner
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
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
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
