//! Rows of the panel: the name of a setting and its control.

use egui::{DragValue, RichText, Sense, Slider, SliderClamping, Ui};
use egui_macroquad::egui;
use toml::Value;

use super::controls::{HoverHelp, text_field};
use crate::document::Command;
use crate::window::command::WindowCommand;
use crate::window::theme::palette;
use farsight_scene::preset::{Preset, Setting, SettingKind};

#[derive(Clone, Debug)]
pub(crate) struct RowState {
    /// Whether the setting differs from the preset; the row then has a reset button.
    pub(crate) is_changed: bool,
    /// The reason why the setting has no effect; the row is then grey.
    pub(crate) inactive_reason: Option<String>,
    /// Width for the control beyond the smallest, in points.
    pub(crate) extra_width: f32,
}

/// Shows a setting and returns the command of its control.
pub(crate) fn show_setting(
    ui: &mut Ui,
    setting: &'static Setting,
    preset: &Preset,
    state: RowState,
) -> Option<WindowCommand> {
    let (text, range) = (setting.help(), setting.range_with_unit());
    let help = match setting.kind {
        SettingKind::Optional { absent, .. } => format!("{text}\n{}: {range}\nunchecked: {absent}", setting.key),
        _ => format!("{text}\n{}: {range}", setting.key),
    };
    let RowState { is_changed, inactive_reason, extra_width } = state;
    let is_active = inactive_reason.is_none();
    let reason = format!("{}\n{text}", inactive_reason.unwrap_or_default());
    let name = RichText::new(short_name(setting));
    let name = if is_changed { name.color(palette(ui.visuals()).changed) } else { name };
    let shown_help = if is_active { &help } else { &reason };
    ui.add_enabled(is_active, egui::Label::new(name)).help(shown_help);
    ui.spacing_mut().slider_width = 46.0 + extra_width; // leaves space for the button
    let row = ui.horizontal(|ui| {
        let value = ui.add_enabled_ui(is_active, |ui| show_control(ui, setting, preset.value(setting.key)));
        value.response.help(shown_help);
        let changed = value.inner.map(|value| Command::Set(setting.key, value).into());
        let resets = is_changed && reset_button(ui, "Reset to the preset");
        if resets { Some(Command::Reset(setting.key.to_owned()).into()) } else { changed }
    });
    row.inner
}

fn show_control(ui: &mut Ui, setting: &'static Setting, value: Option<Value>) -> Option<Option<Value>> {
    let as_number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    match setting.kind {
        SettingKind::Number { slider_range, log, .. } => {
            let mut number = value.as_ref().and_then(as_number)?;
            number_slider(ui, &mut number, slider_range, log, setting.unit).then_some(Some(Value::Float(number)))
        }
        SettingKind::Optional { slider_range, log, absent, .. } => {
            let mut number = value.as_ref().and_then(as_number);
            let mut given = number.is_some();
            if ui.checkbox(&mut given, "").changed() {
                let first = if log { (slider_range[0] * slider_range[1]).sqrt().round() } else { slider_range[0] };
                return Some(given.then_some(Value::Float(first)));
            }
            match &mut number {
                Some(number) => {
                    ui.spacing_mut().slider_width -= 24.0;
                    number_slider(ui, number, slider_range, log, setting.unit).then_some(Some(Value::Float(*number)))
                }
                None => {
                    ui.label(RichText::new(absent).color(palette(ui.visuals()).weak));
                    None
                }
            }
        }
        SettingKind::Integer { slider_range: [low, high], min, max } => {
            let mut number = value.as_ref().and_then(Value::as_integer)?;
            let changed = if high - low > 4096 {
                ui.add(DragValue::new(&mut number).range(min..=max).update_while_editing(false)).changed()
            } else {
                let speed = drag_speed(ui, number as f64, [low as f64, high as f64], false);
                let slider = Slider::new(&mut number, low..=high).clamping(SliderClamping::Never).show_value(false);
                let slid = ui.add(slider).changed();
                ui.add(DragValue::new(&mut number).speed(speed).update_while_editing(false)).changed() || slid
            };
            changed.then(|| Some(Value::Integer(number.clamp(min, max))))
        }
        SettingKind::Choice(words) => {
            let mut word = value.as_ref().and_then(Value::as_str)?.to_owned();
            let before = word.clone();
            egui::ComboBox::from_id_salt(setting.key).selected_text(word.replace('_', " ")).width(140.0).show_ui(
                ui,
                |ui| {
                    for choice in words {
                        ui.selectable_value(&mut word, (*choice).to_owned(), choice_name(setting, choice));
                    }
                },
            );
            (word != before).then_some(Some(Value::String(word)))
        }
        SettingKind::Switch => {
            let mut on = value.as_ref().and_then(Value::as_bool)?;
            ui.checkbox(&mut on, "").changed().then_some(Some(Value::Boolean(on)))
        }
        SettingKind::Points => show_points(ui, setting, &value?).map(Some),
        SettingKind::Cell | SettingKind::Cells(_) | SettingKind::Colour | SettingKind::Name(_) | SettingKind::Glyph => {
            None
        } // only in lists
    }
}

/// Shows a list of points as text, which takes effect when the field loses focus. Invalid text stays in the field.
fn show_points(ui: &mut Ui, setting: &'static Setting, value: &Value) -> Option<Value> {
    let id = ui.id().with(setting.key);
    let mut text = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_else(|| value.to_string());
    let field = text_field(ui, &mut text, "[[10, 1], [40, 0.2]]").desired_width(132.0);
    let response = ui.add(field);
    let typed = Preset::parse_value(setting.key, &text);
    if response.has_focus() || (!typed.is_array() && text != value.to_string()) {
        ui.data_mut(|data| data.insert_temp(id, text));
    } else {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    (response.lost_focus() && typed.is_array() && typed != *value).then_some(typed)
}

fn number_slider(ui: &mut Ui, number: &mut f64, [low, high]: [f64; 2], log: bool, unit: &str) -> bool {
    let suffix = if unit.chars().count() > 5 { String::new() } else { format!(" {unit}") };
    let slider = Slider::new(number, low..=high).logarithmic(log).clamping(SliderClamping::Never);
    let slid = ui.add(slider.max_decimals(3).show_value(false)).changed();
    let speed = drag_speed(ui, *number, [low, high], log);
    // Typed text takes effect when the field loses focus, since its first digits must not start a world or an undo
    // step.
    let field = DragValue::new(number).speed(speed).max_decimals(3).suffix(suffix.trim_end());
    ui.add(field.update_while_editing(false)).changed() || slid
}

/// Returns the change of a dragged number per pixel, equal to that of its slider at that number. It also sets the
/// number of decimals.
fn drag_speed(ui: &Ui, number: f64, [low, high]: [f64; 2], log: bool) -> f64 {
    /// The lower end of a logarithmic slider that includes 0.
    const MIN: f64 = 1e-6;
    let space = ui.spacing();
    let pixels = f64::from(space.slider_width - 0.8 * space.interact_size.y); // the handle stays inside
    if log {
        let min = if low > 0.0 { low } else { MIN };
        number.abs().max(min) * (high / min).ln() / pixels
    } else {
        (high - low) / pixels
    }
}

/// Returns the name of a choice, with a note on ramps that are safe for colour-blind people.
fn choice_name(setting: &Setting, choice: &str) -> String {
    /// Ramps with monotonic lightness and without red–green contrast.
    const COLOUR_BLIND_SAFE: [&str; 4] = ["cividis", "viridis", "inferno", "grey"];
    let name = choice.replace('_', " ");
    if setting.key == "paint.ramp" && COLOUR_BLIND_SAFE.contains(&choice) {
        return format!("{name} (colour-blind safe)");
    }
    name
}

/// Returns `visual range` for `optics.visual_range_m`; the unit follows the value.
fn short_name(setting: &Setting) -> String {
    let name = setting.name();
    let units = ["_per_m", "_m", "_c", "_km2", "_km", "_deg"];
    let bare = units.iter().find_map(|unit| name.strip_suffix(unit)).unwrap_or(name);
    bare.replace('_', " ").replace("100m", "100 m")
}

/// Shows a small reset button and returns `true` if it was clicked. Its arrow is drawn, since fonts can lack it.
pub(crate) fn reset_button(ui: &mut Ui, help: &str) -> bool {
    const RADIUS: f32 = 4.5;
    let (place, response) = ui.allocate_exact_size(egui::Vec2::splat(14.0), Sense::click());
    let colour = ui.style().interact(&response).fg_stroke.color;
    let at = |radius: f32, degrees: f32| place.center() + radius * egui::Vec2::angled(degrees.to_radians());
    let round = (0..=14).map(|i| at(RADIUS, -60.0 + 20.0 * i as f32)).collect();
    ui.painter().add(egui::Shape::line(round, egui::Stroke::new(1.5, colour)));
    let head = vec![at(RADIUS - 3.0, -60.0), at(RADIUS + 3.0, -60.0), at(RADIUS + 0.7, -105.0)];
    ui.painter().add(egui::Shape::convex_polygon(head, colour, egui::Stroke::NONE));
    response.help(help).clicked()
}
