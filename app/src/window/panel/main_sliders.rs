//! The main controls: fog, forest, light and radius, each with a word for its value.

use egui::{RichText, Slider, Ui};
use egui_macroquad::egui;
use toml::Value;

use super::controls::HoverHelp;
use crate::document::{Command, Document};
use crate::window::command::WindowCommand;
use crate::window::theme::palette;
use farsight_scene::preset::{Preset, Setting};

/// The words of a slider, each with its minimum position, from 0 at the left to 1 at the right.
type Words = &'static [(f64, &'static str)];

const FOG: Words = &[(0.0, "clear"), (0.2, "hazy"), (0.42, "misty"), (0.6, "foggy"), (0.85, "dense")];
const FOREST: Words = &[(0.0, "open"), (0.05, "sparse"), (0.28, "woods"), (0.55, "thick"), (0.78, "jungle")];
const LIGHT: Words = &[(0.0, "night"), (0.03, "moonlight"), (0.2, "dusk"), (0.5, "overcast"), (0.85, "day")];
const HOUR: Words = &[(0.0, "night"), (0.03, "moonlight"), (0.2, "dusk"), (0.85, "day")];
const RADIUS: Words = &[(0.0, "near"), (0.12, "medium"), (0.35, "far"), (0.7, "very far")];

/// Shows the sliders and returns the commands of moved sliders. Maps and dungeons have no fog and no forest.
pub(crate) fn show_main_sliders(ui: &mut Ui, document: &Document, width: f32) -> Vec<WindowCommand> {
    let preset = document.present_preset();
    let mut commands = Vec::new();
    ui.spacing_mut().slider_width = (width - 190.0).max(90.0);
    egui::Grid::new("main sliders").num_columns(3).spacing([8.0, 4.0]).show(ui, |ui| {
        let mut row = |name: &str, help: &str, words: Words, position: f64, figure: String| {
            let mut moved = position;
            ui.label(name).help(help);
            let slider = Slider::new(&mut moved, 0.0..=1.0).show_value(false);
            let is_moved = ui.add(slider).help(help).changed();
            let word = word_at(words, position);
            ui.label(RichText::new(format!("{word}  {figure}")).color(palette(ui.visuals()).text)).help(help);
            ui.end_row();
            is_moved.then_some(moved)
        };
        if document.has_landscape() {
            let range_m = preset.optics.visual_range_m;
            let help = "The density of haze and fog. Move it right to see less far. (visual range)";
            if let Some(position) = row("fog", help, FOG, fog_position(range_m), metres_text(range_m)) {
                commands
                    .push(Command::Set("optics.visual_range_m", Some(Value::Float(visual_range_m(position)))).into());
            }
            let extinction = preset.optics.vegetation_extinction_per_m;
            let help = "The density of woods. Move it right to see less far into them. (vegetation extinction)";
            if let Some(position) = row("forest", help, FOREST, forest_position(extinction), String::new()) {
                let extinction = extinction_at(position);
                commands
                    .push(Command::Set("optics.vegetation_extinction_per_m", Some(Value::Float(extinction))).into());
            }
        }
        let clock = &preset.clock;
        if clock.runs {
            let (day, hour) = ((clock.hour / 24.0).floor(), clock.hour.rem_euclid(24.0));
            let light = clock.moon + (1.0 - clock.moon) * clock.daylight(); // of a bright sky
            let help = "The hour of the day, which the light follows. G pauses the clock.";
            let words: Words = HOUR.iter().rev().find(|(from, _)| light >= *from).map_or(HOUR, std::slice::from_ref);
            let time = clock.day_and_time();
            let figure = time.split_once(", ").map_or("", |(_, time)| time).to_owned();
            if let Some(position) = row("hour", help, words, hour / 24.0, figure) {
                let hour = day * 24.0 + (position * 96.0).round().min(95.0) / 4.0;
                commands.push(Command::Set("clock.hour", Some(Value::Float(hour))).into());
            }
        }
        let (name, help) = match clock.runs {
            true => ("sky", "The light of the sky at noon. Move it left for clouds."),
            false => ("light", "The light of the sky. At the left end only lamps and the lantern give light."),
        };
        if let Some(light) = row(name, help, LIGHT, preset.optics.light, String::new()) {
            commands.push(Command::Set("optics.light", Some(Value::Float((light * 100.0).round() / 100.0))).into());
        }
        let radius = f64::from(preset.sight.radius);
        let help = "The maximum distance of sight, in cells. ([ and ] change it, too)";
        let figure = format!("{} cells", preset.sight.radius);
        let [low, high] = slider_range("sight.radius");
        if let Some(position) = row("radius", help, RADIUS, ((radius - low) / (high - low)).clamp(0.0, 1.0), figure) {
            let radius = (low + position * (high - low)).round() as i64;
            commands.push(Command::Set("sight.radius", Some(Value::Integer(radius))).into());
        }
    });
    commands
}

/// The keys of the sliders.
#[cfg(test)]
const KEYS: [&str; 5] =
    ["optics.visual_range_m", "optics.vegetation_extinction_per_m", "clock.hour", "optics.light", "sight.radius"];

fn word_at(words: Words, position: f64) -> &'static str {
    words.iter().rev().find(|(from, _)| position >= *from).or(words.first()).map_or("", |(_, word)| word)
}

/// Returns the position of a visual range, 0 (clear) to 1 (dense), by its logarithm.
fn fog_position(range_m: f64) -> f64 {
    let [dense, clear] = slider_range("optics.visual_range_m");
    ((clear / range_m).ln() / (clear / dense).ln()).clamp(0.0, 1.0)
}

fn visual_range_m(position: f64) -> f64 {
    let [dense, clear] = slider_range("optics.visual_range_m");
    rounded(clear * (dense / clear).powf(position))
}

/// Returns the position of an extinction per metre, 0 (open) to 1 (jungle).
fn forest_position(extinction: f64) -> f64 {
    (extinction / slider_range("optics.vegetation_extinction_per_m")[1]).sqrt().min(1.0)
}

fn extinction_at(position: f64) -> f64 {
    rounded(slider_range("optics.vegetation_extinction_per_m")[1] * position * position)
}

/// Returns the minimum and maximum of the slider of a setting.
fn slider_range(key: &str) -> [f64; 2] {
    Preset::setting(key).and_then(Setting::slider_range).unwrap_or_default()
}

/// Returns a number with two significant digits.
fn rounded(number: f64) -> f64 {
    if number <= 0.0 {
        return 0.0;
    }
    let digits = 1 - number.log10().floor() as i32;
    let power = 10f64.powi(digits.abs());
    if digits >= 0 { (number * power).round() / power } else { (number / power).round() * power }
}

/// Returns `850 m`, `3.2 km` or `no haze`.
fn metres_text(metres: f64) -> String {
    match metres {
        _ if metres.is_infinite() => "no haze".into(),
        _ if metres < 1000.0 => format!("{metres:.0} m"),
        _ if metres < 10_000.0 => format!("{:.1} km", metres / 1000.0),
        _ => format!("{:.0} km", metres / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_gives_a_valid_setting_and_comes_back() {
        for key in KEYS {
            assert!(Preset::settings().any(|setting| setting.key == key), "{key}");
        }
        let preset = Preset::default();
        for step in 0..=20 {
            let position = f64::from(step) / 20.0;
            let range_m = visual_range_m(position);
            assert!((fog_position(range_m) - position).abs() < 0.01, "{range_m}");
            let extinction = extinction_at(position);
            assert!((forest_position(extinction) - position).abs() < 0.01, "{extinction}");
            let changed = preset.with([
                ("optics.visual_range_m", Value::Float(range_m)),
                ("optics.vegetation_extinction_per_m", Value::Float(extinction)),
            ]);
            assert!(changed.is_ok());
        }
        assert_eq!((fog_position(f64::INFINITY), fog_position(10.0)), (0.0, 1.0));
    }

    #[test]
    fn words_follow_the_value() {
        let fog = |metres: f64| word_at(FOG, fog_position(metres));
        assert_eq!(
            [50_000.0, 20_000.0, 3000.0, 1500.0, 700.0, 150.0].map(fog),
            ["clear", "hazy", "misty", "foggy", "foggy", "dense"]
        );
        let forest = |extinction: f64| word_at(FOREST, forest_position(extinction));
        assert_eq!([0.0, 0.002, 0.015, 0.03, 0.06].map(forest), ["open", "sparse", "woods", "thick", "jungle"]);
        assert_eq!([0.0, 0.08, 0.3, 0.7, 1.0].map(|light| word_at(LIGHT, light)), LIGHT_WORDS);
        assert_eq!((metres_text(850.0), metres_text(3200.0)), ("850 m".into(), "3.2 km".into()));
    }

    const LIGHT_WORDS: [&str; 5] = ["night", "moonlight", "dusk", "overcast", "day"];
}
