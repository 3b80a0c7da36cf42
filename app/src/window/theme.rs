//! Colours and sizes of the panels.

use egui::{Color32, Context, Visuals};
use egui_macroquad::egui;
use macroquad::math::Vec2;
use serde::{Deserialize, Serialize};

use farsight_scene::paint::LegendTheme;

/// The scroll distance of a panel per notch of the wheel, in points.
#[cfg(target_os = "linux")]
const POINTS_PER_NOTCH: f32 = 48.0;

/// The theme of the panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Theme {
    Dark,
    #[default]
    Light,
}

/// The colours of texts and their backgrounds. Each text has a contrast of at least 4.5 : 1 on its background (WCAG
/// 2.2, 1.4.3).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    pub(crate) panel: Color32,
    /// The background of tooltips, messages and lists.
    pub(crate) window: Color32,
    /// The background of text fields.
    field: Color32,
    /// The background of buttons, idle and hovered.
    button: Color32,
    hovered: Color32,
    pub(crate) text: Color32,
    /// Text of less importance.
    pub(crate) weak: Color32,
    /// Names of settings that differ from the preset.
    pub(crate) changed: Color32,
    pub(crate) info: Color32,
    pub(crate) error: Color32,
    /// The colour blended into disabled texts, in equal parts.
    disabled: Color32,
    selection: Color32,
}

const DARK: Palette = Palette {
    panel: Color32::from_rgb(35, 32, 42),
    window: Color32::from_rgb(42, 39, 50),
    field: Color32::from_rgb(24, 22, 29),
    button: Color32::from_rgb(62, 57, 68),
    hovered: Color32::from_rgb(80, 72, 82),
    text: Color32::from_rgb(226, 214, 190),
    weak: Color32::from_rgb(178, 166, 146),
    changed: Color32::from_rgb(250, 214, 110),
    info: Color32::from_rgb(220, 235, 220),
    error: Color32::from_rgb(255, 150, 130),
    disabled: Color32::from_rgb(78, 72, 80),
    selection: Color32::from_rgb(104, 74, 44),
};

const LIGHT: Palette = Palette {
    panel: Color32::from_rgb(233, 222, 195),
    window: Color32::from_rgb(243, 235, 214),
    field: Color32::from_rgb(247, 241, 225),
    button: Color32::from_rgb(216, 201, 166),
    hovered: Color32::from_rgb(204, 186, 146),
    text: Color32::from_rgb(48, 35, 26),
    weak: Color32::from_rgb(92, 75, 56),
    changed: Color32::from_rgb(138, 78, 0),
    info: Color32::from_rgb(20, 60, 30),
    error: Color32::from_rgb(168, 24, 10),
    disabled: Color32::from_rgb(168, 154, 126),
    selection: Color32::from_rgb(208, 178, 122),
};

/// Texts over the map, in both themes, and their background.
pub(crate) const OVER_MAP_TEXT: Color32 = Color32::from_rgb(240, 230, 208);
pub(crate) const OVER_MAP_EVENT: Color32 = Color32::from_rgb(255, 222, 150);
/// The background of texts over the map; it keeps their contrast even over white.
pub(crate) const OVER_MAP_GROUND: Color32 = Color32::from_rgba_premultiplied(30, 27, 35, 222);

/// The error of the preset file, and its background.
pub(crate) const FAULT_TEXT: Color32 = Color32::from_rgb(255, 214, 200);
pub(crate) const FAULT_GROUND: Color32 = Color32::from_rgb(84, 30, 26);

impl Theme {
    const fn palette(self) -> &'static Palette {
        match self {
            Self::Dark => &DARK,
            Self::Light => &LIGHT,
        }
    }

    fn visuals(self) -> Visuals {
        let colours = self.palette();
        let mut visuals = match self {
            Self::Dark => Visuals::dark(),
            Self::Light => Visuals::light(),
        };
        visuals.override_text_color = Some(colours.text);
        visuals.panel_fill = colours.panel;
        visuals.window_fill = colours.window;
        visuals.extreme_bg_color = colours.field;
        visuals.widgets.noninteractive.weak_bg_fill = colours.disabled;
        for (widget, fill) in [
            (&mut visuals.widgets.inactive, colours.button),
            (&mut visuals.widgets.hovered, colours.hovered),
            (&mut visuals.widgets.active, colours.hovered),
            (&mut visuals.widgets.open, colours.button),
        ] {
            (widget.weak_bg_fill, widget.bg_fill) = (fill, fill);
        }
        visuals.selection.bg_fill = colours.selection;
        visuals
    }
}

/// Returns the colours of the panels.
pub(crate) fn palette(visuals: &Visuals) -> &'static Palette {
    if visuals.dark_mode { Theme::Dark.palette() } else { Theme::Light.palette() }
}

/// Returns the colours of the legend next to the panels.
pub(crate) fn legend_theme(theme: Theme) -> LegendTheme {
    match theme {
        Theme::Dark => LegendTheme::DARK,
        Theme::Light => LegendTheme::LIGHT,
    }
}

/// The height of a control for fingers, in points (WCAG 2.2, 2.5.5).
pub(crate) const TOUCH_HEIGHT: f32 = 44.0;

/// The maximum duration of a click, in seconds.
const MAX_CLICK_SECONDS: f64 = 3.0;

/// Returns `true` if controls have the size for fingers, on a device possibly without a keyboard.
pub(crate) fn is_touch_sized(ui: &egui::Ui) -> bool {
    ui.spacing().interact_size.y >= TOUCH_HEIGHT
}

/// Sets the colours of the panels, and the size of their controls for the mouse or for fingers.
pub(crate) fn apply_theme(context: &Context, theme: Theme, is_touch: bool) {
    // Under X11 a notch of the wheel counts 1; egui-macroquad divides by 90, as suits other systems.
    #[cfg(target_os = "linux")]
    context.options_mut(|options| options.line_scroll_speed = 90.0 * POINTS_PER_NOTCH);
    // A frame of a slow device can reach egui's limit, which would ignore a tap.
    context.options_mut(|options| options.input_options.max_click_duration = MAX_CLICK_SECONDS);
    let height = if is_touch { TOUCH_HEIGHT } else { egui::style::Spacing::default().interact_size.y };
    if context.style().spacing.interact_size.y != height {
        context.style_mut(|style| {
            style.spacing.interact_size.y = height;
            style.interaction.selectable_labels = !is_touch; // a finger scrolls
        });
    }
    let is_applied = context.style().visuals.panel_fill == theme.palette().panel;
    if !is_applied {
        context.set_visuals(theme.visuals());
    }
}

/// Returns the pixels per point of the map: those of the display, or fewer if the window is too narrow for a side
/// panel. In a narrow, high window the panel is below the map. A window of 4K is as readable as one of half its sides, on a
/// display that does not say so, too.
pub(crate) fn pixels_per_point(window_pixels: Vec2, display: f32) -> f32 {
    const LARGE_SIDE: f32 = 1080.0;
    const MIN_POINTS: f32 = 800.0;
    const MIN_POINTS_BELOW: f32 = 350.0;
    let min = if window_pixels.x < window_pixels.y { MIN_POINTS_BELOW } else { MIN_POINTS };
    let large = (window_pixels.min_element() / LARGE_SIDE).floor();
    display.max(large).min(window_pixels.x / min).max(1.0)
}

/// The accepted scales of the panels.
pub(crate) const SCALES: [f32; 2] = [0.75, 2.5];

/// Returns the pixels per point of panels with the user's scale, limited by the window.
pub(crate) fn scaled_pixels_per_point(window_pixels: Vec2, display: f32, scale: f32) -> f32 {
    const MIN_POINTS: f32 = 560.0;
    const MIN_POINTS_BELOW: f32 = 300.0;
    let base = pixels_per_point(window_pixels, display);
    let min = if window_pixels.x < window_pixels.y { MIN_POINTS_BELOW } else { MIN_POINTS };
    let largest = (window_pixels.x / min).max(base);
    (base * scale).min(largest)
}

/// Returns the whole pixels of the screen per pixel of the map view: those of the display, or of larger panels, so that
/// legend, minimap and marks scale with them.
pub(crate) fn map_scale(window_pixels: Vec2, display: f32, scale: f32) -> f32 {
    let usual = pixels_per_point(window_pixels, display).floor();
    let larger = scaled_pixels_per_point(window_pixels, display, scale).round();
    if scale > 1.0 { larger.max(usual) } else { usual.max(1.0) }
}

/// Returns `true` on a phone in portrait orientation.
pub(crate) fn is_narrow(context: &Context) -> bool {
    is_upright_phone(context.screen_rect().size())
}

/// Returns `true` on a phone: the panel is a sheet over the map there, which a button opens.
pub(crate) fn has_sheet(context: &Context) -> bool {
    let size = context.screen_rect().size();
    is_upright_phone(size) || is_lying_phone(size)
}

fn is_upright_phone(size: egui::Vec2) -> bool {
    size.x < size.y && size.x < 700.0
}

fn is_lying_phone(size: egui::Vec2) -> bool {
    size.y < 480.0 && size.x < 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_notch_of_the_wheel_scrolls_a_panel_by_a_few_lines() {
        let context = Context::default();
        apply_theme(&context, Theme::Dark, false);
        let notch = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, -1.0 / 90.0), // as it arrives
            modifiers: egui::Modifiers::NONE,
        };
        let mut moved = 0.0;
        let _ = context.run(egui::RawInput { events: vec![notch], ..Default::default() }, |context| {
            moved = context.input(|input| input.raw_scroll_delta.y);
        });
        assert!((moved + POINTS_PER_NOTCH).abs() < 0.1, "{moved}");
    }

    /// Returns the relative luminance (WCAG 2.2).
    fn luminance(colour: Color32) -> f64 {
        let [r, g, b] = [colour.r(), colour.g(), colour.b()].map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Blends a colour over white, the worst background for bright text.
    fn over_white(colour: Color32) -> Color32 {
        let share = 255 - colour.a();
        Color32::from_rgb(colour.r() + share, colour.g() + share, colour.b() + share)
    }

    #[test]
    fn every_text_has_a_contrast_of_4_5_to_1() {
        let mut pairs = vec![
            ("over the map".to_owned(), OVER_MAP_TEXT, over_white(OVER_MAP_GROUND)),
            ("events".to_owned(), OVER_MAP_EVENT, over_white(OVER_MAP_GROUND)),
            ("faults".to_owned(), FAULT_TEXT, FAULT_GROUND),
        ];
        for theme in [Theme::Dark, Theme::Light] {
            let (colours, visuals) = (theme.palette(), theme.visuals());
            for (ground_name, ground) in [("panel", visuals.panel_fill), ("window", visuals.window_fill)] {
                let disabled = visuals.gray_out(colours.text);
                let texts = [
                    ("text", colours.text),
                    ("weak", colours.weak),
                    ("changed", colours.changed),
                    ("info", colours.info),
                    ("error", colours.error),
                    ("disabled", disabled),
                ];
                pairs.extend(texts.map(|(name, text)| (format!("{theme:?} {name} on {ground_name}"), text, ground)));
            }
            let widgets = &visuals.widgets;
            let grounds = [
                ("button", widgets.inactive.weak_bg_fill),
                ("hovered button", widgets.hovered.weak_bg_fill),
                ("pressed button", widgets.active.weak_bg_fill),
                ("open list", widgets.open.weak_bg_fill),
                ("selection", visuals.selection.bg_fill),
                ("field", visuals.extreme_bg_color),
            ];
            pairs.extend(grounds.map(|(name, ground)| (format!("{theme:?} text on {name}"), colours.text, ground)));
            pairs.push((format!("{theme:?} weak in a field"), colours.weak, visuals.extreme_bg_color));
        }
        let faint: Vec<_> = pairs
            .iter()
            .map(|(name, text, ground)| (name, contrast(*text, *ground)))
            .filter(|(_, contrast)| *contrast < 4.5)
            .collect();
        assert!(faint.is_empty(), "{faint:#?}");
    }

    #[test]
    fn phones_have_a_sheet_in_both_directions_and_other_windows_a_panel() {
        let has_sheet = |x: f32, y: f32| is_upright_phone(egui::vec2(x, y)) || is_lying_phone(egui::vec2(x, y));
        assert!(has_sheet(390.0, 780.0) && has_sheet(844.0, 346.0) && has_sheet(800.0, 400.0));
        assert!(!has_sheet(800.0, 600.0) && !has_sheet(1280.0, 720.0) && !has_sheet(768.0, 1024.0));
    }

    #[test]
    fn panels_are_scaled_as_far_as_they_fit() {
        let scaled = |width: f32, scale| scaled_pixels_per_point(Vec2::new(width, 720.0), 1.0, scale);
        assert_eq!([scaled(1280.0, 1.0), scaled(1280.0, 1.5), scaled(1280.0, 0.75)], [1.0, 1.5, 0.75]);
        assert!((scaled(800.0, 2.5) - 800.0 / 560.0).abs() < 1e-6, "the map keeps its place");
        let map = |width: f32, display, scale| map_scale(Vec2::new(width, 720.0), display, scale);
        assert_eq!([map(1280.0, 1.0, 0.75), map(1280.0, 1.0, 1.25), map(1280.0, 1.0, 1.5)], [1.0, 1.0, 2.0]);
        assert_eq!([map(3840.0, 1.5, 1.0), map(3840.0, 2.0, 1.0), map(3840.0, 2.0, 2.0)], [1.0, 2.0, 4.0]);
        let usual = |width: f32, height: f32| pixels_per_point(Vec2::new(width, height), 1.0);
        assert_eq!([usual(3840.0, 2160.0), usual(3840.0, 1600.0), usual(1200.0, 2400.0)], [2.0, 1.0, 1.0]);
    }
}
