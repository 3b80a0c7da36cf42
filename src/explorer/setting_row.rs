//! Rows of the panel: a setting with its name, and what it is turned with.

use egui::{DragValue, RichText, Sense, Slider, SliderClamping, Ui};
use egui_macroquad::egui;
use toml::Value;

use super::command::Command;
use crate::preset::{Preset, Setting, SettingKind};

/// A setting with its name, and what was done to it. One that is not as the preset says has a button to set it back; one
/// that does nothing for now is grey, and says why.
pub(super) fn setting_row(
    ui: &mut Ui,
    setting: &'static Setting,
    preset: &Preset,
    (is_turned, idle): (bool, Option<&str>),
    wider: f32,
) -> Option<Command> {
    let help = format!("{}\n{}: {}", setting.help, setting.key, setting.range_with_unit());
    let why = format!("{}\n{}", idle.unwrap_or_default(), setting.help);
    let is_live = idle.is_none();
    let name = RichText::new(short_name(setting));
    let name = if is_turned { name.color(TURNED) } else { name };
    ui.add_enabled(is_live, egui::Label::new(name)).on_hover_text(&help).on_disabled_hover_text(&why);
    ui.spacing_mut().slider_width = 46.0 + wider; // with room for the button
    let row = ui.horizontal(|ui| {
        let value = ui.add_enabled_ui(is_live, |ui| turn(ui, setting, preset.value(setting.key), &help));
        value.response.on_disabled_hover_text(&why);
        let turned = value.inner.map(|value| Command::Set(setting.key, value));
        let resets = is_turned && reset_button(ui, "Back to what the preset says");
        if resets { Some(Command::Reset(setting.key.to_owned())) } else { turned }
    });
    row.inner
}

/// The name of a setting that is not as the preset says.
const TURNED: egui::Color32 = egui::Color32::from_rgb(250, 214, 110);

fn turn(ui: &mut Ui, setting: &'static Setting, value: Option<Value>, help: &str) -> Option<Option<Value>> {
    let as_number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    match setting.kind {
        SettingKind::Number { slider_range, log, .. } => {
            let mut number = value.as_ref().and_then(as_number)?;
            let shown = Shown { slider_range, log, unit: setting.unit, help };
            number_slider(ui, &mut number, shown).then_some(Some(Value::Float(number)))
        }
        SettingKind::Optional { slider_range, log, absent, .. } => {
            let mut number = value.as_ref().and_then(as_number);
            let mut given = number.is_some();
            if ui.checkbox(&mut given, "").on_hover_text(format!("Left out: {absent}")).changed() {
                let first = if log { (slider_range[0] * slider_range[1]).sqrt().round() } else { slider_range[0] };
                return Some(given.then_some(Value::Float(first)));
            }
            match &mut number {
                Some(number) => {
                    ui.spacing_mut().slider_width -= 24.0;
                    let shown = Shown { slider_range, log, unit: setting.unit, help };
                    number_slider(ui, number, shown).then_some(Some(Value::Float(*number)))
                }
                None => {
                    ui.weak(absent);
                    None
                }
            }
        }
        SettingKind::Integer { slider_range: [low, high], min, max } => {
            let mut number = value.as_ref().and_then(Value::as_integer)?;
            let changed = if high - low > 4096 {
                ui.add(DragValue::new(&mut number).range(min..=max).update_while_editing(false)).changed()
            } else {
                let speed = speed(ui, number as f64, [low as f64, high as f64], false);
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
                        ui.selectable_value(&mut word, (*choice).to_owned(), choice.replace('_', " "));
                    }
                },
            );
            (word != before).then_some(Some(Value::String(word)))
        }
        SettingKind::Switch => {
            let mut on = value.as_ref().and_then(Value::as_bool)?;
            ui.checkbox(&mut on, "").on_hover_text(help).changed().then_some(Some(Value::Boolean(on)))
        }
        SettingKind::Points => points_field(ui, setting, &value?, help).map(Some),
        SettingKind::Cell | SettingKind::Colour => None, // they stand in lists only
    }
}

/// A list of points as text, taken over when one leaves the field; what is no list is kept in the
/// field as it was typed.
fn points_field(ui: &mut Ui, setting: &'static Setting, value: &Value, help: &str) -> Option<Value> {
    let id = ui.id().with(setting.key);
    let mut text = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_else(|| value.to_string());
    let field = egui::TextEdit::singleline(&mut text).hint_text(hint("[[10, 1], [40, 0.2]]")).desired_width(132.0);
    let response = ui.add(field).on_hover_text(help);
    let typed = Preset::parse_value(setting.key, &text);
    if response.has_focus() || (!typed.is_array() && text != value.to_string()) {
        ui.data_mut(|data| data.insert_temp(id, text));
    } else {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    (response.lost_focus() && typed.is_array() && typed != *value).then_some(typed)
}

/// How a number is shown.
struct Shown<'a> {
    slider_range: [f64; 2],
    log: bool,
    unit: &'a str,
    help: &'a str,
}

fn number_slider(ui: &mut Ui, number: &mut f64, shown: Shown) -> bool {
    let Shown { slider_range: [low, high], log, unit, help } = shown;
    let suffix = if unit.chars().count() > 5 { String::new() } else { format!(" {unit}") };
    let slider = Slider::new(number, low..=high).logarithmic(log).clamping(SliderClamping::Never);
    let slid = ui.add(slider.max_decimals(3).show_value(false)).on_hover_text(help).changed();
    let speed = speed(ui, *number, [low, high], log);
    // What is typed is taken whole when one leaves the field: its first digits are no value that anyone wants, to be
    // complained of, to make a world for, or to come back to.
    let field = DragValue::new(number).speed(speed).max_decimals(3).suffix(suffix.trim_end());
    ui.add(field.update_while_editing(false)).on_hover_text(help).changed() || slid
}

/// How much a number that is dragged changes a pixel, and so how finely it is shown: as on its slider, at that number.
fn speed(ui: &Ui, number: f64, [low, high]: [f64; 2], log: bool) -> f64 {
    /// Where a logarithmic slider begins that goes down to 0.
    const LEAST: f64 = 1e-6;
    let space = ui.spacing();
    let pixels = f64::from(space.slider_width - 0.8 * space.interact_size.y); // the handle keeps within
    if log {
        let least = if low > 0.0 { low } else { LEAST };
        number.abs().max(least) * (high / least).ln() / pixels
    } else {
        (high - low) / pixels
    }
}

/// `visual range` for `optics.visual_range_m`: units stand behind the value.
fn short_name(setting: &Setting) -> String {
    let name = setting.name();
    let units = ["_per_m", "_m", "_c", "_km2", "_km", "_deg"];
    let bare = units.iter().find_map(|unit| name.strip_suffix(unit)).unwrap_or(name);
    bare.replace('_', " ").replace("100m", "100 m")
}

/// Visibility over distance, as decay alone leaves it, with words on its left and above it.
pub(super) fn decay_curve(ui: &mut Ui, preset: &Preset) {
    const LEFT: f32 = 14.0;
    const TOP: f32 = 16.0;
    let size = egui::vec2(ui.available_width() - 8.0, 68.0);
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 3.0, ui.visuals().extreme_bg_color);
    let radius = preset.sight.radius;
    let points = (0..=100).map(|i| {
        let share = i as f32 / 100.0;
        let value = preset.sight.decay.at(f64::from(share) * f64::from(radius), radius) as f32;
        let (width, height) = (place.width() - LEFT, place.height() - TOP);
        egui::pos2(place.left() + LEFT + share * width, place.bottom() - 3.0 - value * (height - 3.0))
    });
    painter.add(egui::Shape::line(points.collect(), egui::Stroke::new(2.0, egui::Color32::from_rgb(240, 200, 90))));
    let font = egui::FontId::proportional(10.0);
    let label = |text: &str, at, align| painter.text(at, align, text, font.clone(), ui.visuals().weak_text_color());
    label("1", egui::pos2(place.left() + 4.0, place.top() + TOP), egui::Align2::LEFT_CENTER);
    label("0", place.left_bottom() + egui::vec2(4.0, -2.0), egui::Align2::LEFT_BOTTOM);
    label(&format!("{radius} cells"), place.right_top() + egui::vec2(-4.0, 2.0), egui::Align2::RIGHT_TOP);
}

/// A small button that sets something back: an arrow round to where it began. It is drawn, for fonts may lack it.
pub(super) fn reset_button(ui: &mut Ui, help: &str) -> bool {
    const RADIUS: f32 = 4.5;
    let (place, response) = ui.allocate_exact_size(egui::Vec2::splat(14.0), Sense::click());
    let colour = ui.style().interact(&response).fg_stroke.color;
    let at = |radius: f32, degrees: f32| place.center() + radius * egui::Vec2::angled(degrees.to_radians());
    let round = (0..=14).map(|i| at(RADIUS, -60.0 + 20.0 * i as f32)).collect();
    ui.painter().add(egui::Shape::line(round, egui::Stroke::new(1.5, colour)));
    let head = vec![at(RADIUS - 3.0, -60.0), at(RADIUS + 3.0, -60.0), at(RADIUS + 0.7, -105.0)];
    ui.painter().add(egui::Shape::convex_polygon(head, colour, egui::Stroke::NONE));
    response.on_hover_text(help).clicked()
}

/// What stands greyed in a field that is empty.
pub(super) fn hint(words: &str) -> RichText {
    RichText::new(words).weak()
}
