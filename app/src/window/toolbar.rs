//! The toolbar: an icon for each brush and each placing tool, and sliders for the radius and strength of the brush.

use egui::{Color32, Frame, Pos2, Rect, ScrollArea, Sense, Stroke, Ui, Vec2, pos2, vec2};
use egui_macroquad::egui;

use super::command::{Tool, WindowCommand};
use super::session::Tools;
use super::slots::{Card, Slot, Slots};
use crate::document::Command;
use farsight_scene::world::Brush;

/// The side of an icon in points, for a mouse and for a finger.
const SIDES: [f32; 2] = [30.0, 38.0];

/// The maximum radius of the slider, in cells.
const MAX_RADIUS: u32 = 40;

/// The minimum widths of a row with both sliders, and of a row that also has the switch of the rain, in points.
const MIN_ROW_WIDTHS: [f32; 2] = [420.0, 700.0];

/// Shows the toolbar, at most `widest` points wide. Returns the commands of its icons. `height_m` is the height of a hill.
pub(crate) fn show(
    slots: &mut Slots<'_>,
    widest: f32,
    tools: &mut Tools,
    brushes: &[Brush],
    (height_m, is_touch): (Option<f64>, bool),
) -> Option<WindowCommand> {
    let frame = Frame::popup(&slots.context.style()).inner_margin(6);
    let width = (slots.free.width() - frame.total_margin().sum().x).clamp(160.0, widest);
    let card = Card::new(slots.context, "toolbar", Slot::LowerLeft).frame(frame).clickable(true);
    let mut command = None;
    slots.show(card.scroll(ScrollArea::vertical().stick_to_bottom(true)), |ui| {
        ui.set_max_width(width);
        // The icons are below, so that they keep their place.
        match tools.hint(is_touch) {
            Some(hint) => drop(ui.label(hint)),
            None => show_brush(ui, tools, width, (height_m, is_touch)),
        }
        let side = SIDES[usize::from(is_touch)];
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
            for &brush in brushes {
                let is_chosen = tools.tool == Tool::Brush && tools.brush == brush;
                let draw = |ui: &Ui, rect: Rect, colour: Color32| draw_icon(ui, brush, rect, colour);
                if show_icon(ui, [brush.name(), title(brush)], is_chosen, side, draw) {
                    command = Some(WindowCommand::ChooseBrush(brush));
                }
            }
            ui.separator();
            for (tool, words) in PLACED {
                let draw = |ui: &Ui, rect: Rect, colour: Color32| draw_tool(ui, tool, rect, colour);
                if show_icon(ui, words, tools.tool == tool, side, draw) && tools.tool != tool {
                    command = Some(WindowCommand::ToggleTool(tool));
                }
            }
            let undo = ui.add_sized([side * 1.4, side], egui::Button::new("undo"));
            if undo.on_hover_text("undoes the last stroke or change (Ctrl Z)").clicked() {
                command = Some(Command::Undo.into());
            }
            let done = ui.add_sized([side * 1.4, side], egui::Button::new("done"));
            if done.on_hover_text("lets you walk again (Esc)").clicked() {
                command = Some(WindowCommand::PutToolDown);
            }
        });
    });
    command
}

/// Shows the sliders of the brush and its effect.
fn show_brush(ui: &mut Ui, tools: &mut Tools, width: f32, (height_m, is_touch): (Option<f64>, bool)) {
    let size = |ui: &mut Ui, tools: &mut Tools| {
        ui.label("size").on_hover_text("Ctrl and the wheel");
        ui.add(egui::Slider::new(&mut tools.brush_radius, 0..=MAX_RADIUS).clamping(egui::SliderClamping::Edits));
    };
    let strength = |ui: &mut Ui, tools: &mut Tools| {
        ui.label(if tools.brush == Brush::Hedge { "opacity" } else { "strength" }).on_hover_text("Shift and the wheel");
        ui.add(egui::Slider::new(&mut tools.brush_strength, 0.0..=1.0).fixed_decimals(2));
    };
    let rain = |ui: &mut Ui, tools: &mut Tools| {
        if tools.brush.changes_ground() {
            ui.checkbox(&mut tools.brush_settles, "rain and rivers follow the land")
                .on_hover_text("after each stroke: humidity, plants and rivers of the whole world");
        }
    };
    ui.spacing_mut().slider_width = if is_touch { 110.0 } else { 90.0 };
    let [fits_sliders, fits_all] = MIN_ROW_WIDTHS.map(|least| width >= least);
    if fits_sliders {
        ui.horizontal(|ui| {
            size(ui, tools);
            strength(ui, tools);
            if fits_all {
                rain(ui, tools);
            }
        });
    } else {
        ui.horizontal(|ui| size(ui, tools));
        ui.horizontal(|ui| strength(ui, tools));
    }
    if !fits_all {
        rain(ui, tools);
    }
    ui.label(words(tools.brush, height_m, is_touch));
}

/// Returns the effect and the use of the brush.
fn words(brush: Brush, height_m: Option<f64>, is_touch: bool) -> String {
    let name = match (brush, height_m) {
        (Brush::Raise | Brush::Lower, Some(height_m)) => format!("{} by {height_m:.0} m", title(brush)),
        _ => title(brush).to_owned(),
    };
    let usage = if is_touch {
        "draw with a finger, move with two"
    } else {
        "drag: paint    right drag: move    , ;: other brush"
    };
    format!("{name}    {usage}")
}

fn title(brush: Brush) -> &'static str {
    match brush {
        Brush::Raise => "raise the ground",
        Brush::Lower => "lower the ground",
        Brush::Smooth => "smooth the ground",
        Brush::Flatten => "level the ground to the height at the start of the line",
        Brush::Water => "dig a lake",
        Brush::Plant => "plant a wood",
        Brush::Clear => "clear woods",
        Brush::Wall => "build walls",
        Brush::Hedge => "grow a hedge",
        Brush::Floor => "clear the floor",
        Brush::Door => "build doors",
        Brush::Window => "build windows",
        _ => brush.name(),
    }
}

/// The placing tools, with their names and effects.
const PLACED: [(Tool, [&str; 2]); 3] = [
    (Tool::Lamp, ["lamp", "place lamps (T)"]),
    (Tool::Lookout, ["lookout", "place lookouts (O)"]),
    (Tool::Name, ["name", "name places"]),
];

/// Shows a button with a drawn icon, a name and an effect. Returns `true` if it is clicked.
fn show_icon(
    ui: &mut Ui,
    [name, effect]: [&str; 2],
    is_chosen: bool,
    side: f32,
    draw: impl FnOnce(&Ui, Rect, Color32),
) -> bool {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Button, true, is_chosen, name));
    let visuals = ui.style().interact_selectable(&response, is_chosen);
    ui.painter().rect(rect, 4.0, visuals.bg_fill, visuals.bg_stroke, egui::StrokeKind::Inside);
    draw(ui, rect.shrink(side * 0.2), visuals.text_color());
    response.on_hover_text(effect).clicked()
}

/// Draws the icon of a placing tool: a flame, a tower or a flag.
fn draw_tool(ui: &Ui, tool: Tool, rect: Rect, colour: Color32) {
    let points: &[(f32, f32)] = match tool {
        Tool::Lamp => &[(0.5, 0.0), (0.85, 0.55), (0.7, 0.95), (0.3, 0.95), (0.15, 0.55), (0.5, 0.0)],
        Tool::Lookout => {
            &[(0.1, 1.0), (0.3, 0.35), (0.15, 0.35), (0.15, 0.0), (0.85, 0.0), (0.85, 0.35), (0.7, 0.35), (0.9, 1.0)]
        }
        _ => &[(0.2, 1.0), (0.2, 0.0), (0.95, 0.25), (0.2, 0.5)],
    };
    let at = |&(x, y): &(f32, f32)| pos2(rect.left() + x * rect.width(), rect.top() + y * rect.height());
    ui.painter().line(points.iter().map(at).collect(), Stroke::new(1.8, colour));
}

/// Draws the icon of a brush in lines of one colour.
fn draw_icon(ui: &Ui, brush: Brush, rect: Rect, colour: Color32) {
    let painter = ui.painter();
    let stroke = Stroke::new(1.8, colour);
    let at = |x: f32, y: f32| pos2(rect.left() + x * rect.width(), rect.top() + y * rect.height());
    let line = |points: &[(f32, f32)]| {
        let points: Vec<Pos2> = points.iter().map(|&(x, y)| at(x, y)).collect();
        painter.line(points, stroke);
    };
    let wave =
        |y: f32| line(&[(0.0, y), (0.17, y - 0.12), (0.33, y), (0.5, y + 0.12), (0.67, y), (0.83, y - 0.12), (1.0, y)]);
    let square = |min: (f32, f32), max: (f32, f32), is_full: bool| {
        let rect = Rect::from_min_max(at(min.0, min.1), at(max.0, max.1));
        let fill = if is_full { colour } else { Color32::TRANSPARENT };
        painter.rect(rect, 0.0, fill, stroke, egui::StrokeKind::Inside);
    };
    match brush {
        Brush::Raise => {
            line(&[(0.0, 1.0), (0.5, 0.35), (1.0, 1.0)]);
            line(&[(0.3, 0.2), (0.5, 0.0), (0.7, 0.2)]);
        }
        Brush::Lower => {
            line(&[(0.0, 0.0), (0.5, 0.65), (1.0, 0.0)]);
            line(&[(0.3, 0.8), (0.5, 1.0), (0.7, 0.8)]);
        }
        Brush::Smooth => {
            line(&[(0.0, 0.5), (0.2, 0.1), (0.4, 0.5)]);
            line(&[(0.4, 0.5), (0.6, 0.65), (0.8, 0.7), (1.0, 0.7)]);
            line(&[(0.0, 1.0), (1.0, 1.0)]);
        }
        Brush::Flatten => {
            line(&[(0.0, 1.0), (0.2, 0.5), (0.8, 0.5), (1.0, 1.0)]);
            line(&[(0.0, 0.2), (1.0, 0.2)]);
        }
        Brush::Water => [0.25, 0.55, 0.85].into_iter().for_each(wave),
        Brush::Plant | Brush::Clear => {
            painter.circle_stroke(at(0.5, 0.35), rect.width() * 0.33, stroke);
            line(&[(0.5, 0.68), (0.5, 1.0)]);
            if brush == Brush::Clear {
                line(&[(0.0, 0.0), (1.0, 1.0)]);
            }
        }
        Brush::Wall => square((0.0, 0.0), (1.0, 1.0), true),
        Brush::Hedge => {
            square((0.0, 0.0), (1.0, 1.0), false);
            [0.25, 0.5, 0.75].into_iter().for_each(|x| line(&[(x, 0.1), (x, 0.9)]));
        }
        Brush::Floor => square((0.0, 0.0), (1.0, 1.0), false),
        Brush::Door => {
            square((0.2, 0.0), (0.8, 1.0), false);
            painter.circle_filled(at(0.66, 0.5), 1.6, colour);
        }
        Brush::Window => {
            square((0.0, 0.0), (1.0, 1.0), false);
            line(&[(0.5, 0.0), (0.5, 1.0)]);
            line(&[(0.0, 0.5), (1.0, 0.5)]);
        }
        _ => {}
    }
}
