//! What stands over the map: the status line, hints, messages, progress, the list of keys.

use egui::{Align2, Color32, Context, RichText};
use egui_macroquad::egui;

use macroquad::math::Vec2;

use super::keys::HELP;
use crate::perception::{CellMemory, Sense};
use crate::scene::Scene;
use glam::IVec2;

/// Messages stay for so many seconds.
const MESSAGE_SECONDS: f64 = 5.0;

/// So many messages are shown at a time.
const MOST_MESSAGES: usize = 4;

/// The longest line of a message, in points.
const MESSAGE_WIDTH: f32 = 520.0;

/// How far a notch of the wheel moves what stands on the panels, in points.
#[cfg(target_os = "linux")]
const POINTS_A_NOTCH: f32 = 48.0;

/// Dark, with text light enough to read over a map.
pub(super) fn dress(context: &Context) {
    // Under X11 a notch of the wheel is 1; what hands it on takes 90 of them for a line, as elsewhere a notch has about as
    // many.
    #[cfg(target_os = "linux")]
    context.options_mut(|options| options.line_scroll_speed = 90.0 * POINTS_A_NOTCH);
    let mut visuals = egui::Visuals::dark();
    visuals.override_text_color = Some(Color32::from_gray(222));
    visuals.panel_fill = Color32::from_rgb(26, 27, 33);
    visuals.window_fill = Color32::from_rgb(30, 31, 38);
    context.set_visuals(visuals);
}

/// Pixels a point of the panels: the display's, but so that the side panel leaves room for a map
/// where the window is too narrow for it. Where it is narrow and high, the panel lies below the map.
pub(super) fn scale(window_pixels: Vec2, display: f32) -> f32 {
    const LEAST_POINTS: f32 = 800.0;
    const LEAST_POINTS_BELOW: f32 = 350.0;
    let least = if window_pixels.x < window_pixels.y { LEAST_POINTS_BELOW } else { LEAST_POINTS };
    display.min(window_pixels.x / least).max(1.0)
}

/// Whether the screen is a phone's, held upright: the panel lies below the map there, and words are few.
pub(super) fn is_narrow(context: &Context) -> bool {
    let size = context.screen_rect().size();
    size.x < size.y && size.x < 700.0
}

/// What was said to the user a moment ago.
#[derive(Default)]
pub(super) struct Messages {
    all: Vec<(String, bool, f64)>,
}

impl Messages {
    /// Something that went well.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.push(text.into(), false);
    }

    /// Something that did not.
    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.push(text.into(), true);
    }

    fn push(&mut self, text: String, bad: bool) {
        self.note(text, bad, macroquad::time::get_time());
    }

    /// Notes a message at a time in seconds; too many push the oldest out.
    fn note(&mut self, text: String, bad: bool, now: f64) {
        let until = now + MESSAGE_SECONDS * if bad { 2.0 } else { 1.0 };
        self.all.retain(|(old, _, _)| *old != text);
        self.all.push((text, bad, until));
        self.all.drain(..self.all.len().saturating_sub(MOST_MESSAGES));
    }

    /// Shows them in the upper left of the map, which they do not leave.
    pub(super) fn show(&mut self, context: &Context, map: egui::Rect) {
        let now = macroquad::time::get_time();
        self.all.retain(|(_, _, until)| *until > now);
        if self.all.is_empty() {
            return;
        }
        let corner = map.left_top() + egui::vec2(8.0, 8.0);
        let area = egui::Area::new("messages".into()).fixed_pos(corner).interactable(false);
        area.show(context, |ui| {
            ui.set_clip_rect(map);
            ui.set_max_width((map.width() - 32.0).clamp(120.0, MESSAGE_WIDTH));
            for (text, bad, _) in &self.all {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    let colour = if *bad { Color32::from_rgb(255, 150, 130) } else { Color32::from_rgb(220, 235, 220) };
                    ui.label(RichText::new(text).color(colour));
                });
            }
        });
    }
}

/// What is wrong with the preset's file, for as long as it is.
pub(super) fn fault(context: &Context, map: egui::Rect, words: &str) {
    let at = map.center_top() + egui::vec2(0.0, 48.0);
    let area = egui::Area::new("fault".into()).pivot(Align2::CENTER_TOP).fixed_pos(at).interactable(false);
    area.show(context, |ui| {
        egui::Frame::popup(ui.style()).fill(Color32::from_rgb(84, 30, 26)).show(ui, |ui| {
            ui.set_max_width((map.width() - 40.0).clamp(120.0, 560.0));
            ui.label(RichText::new(words).color(Color32::from_rgb(255, 214, 200)));
        });
    });
}

/// How a world in the making stands, as a bar over the map.
pub(super) fn progress(context: &Context, map: egui::Rect, done: f32) {
    let at = map.center_top() + egui::vec2(-150.0, 12.0);
    // It does not fade in: a page stands still a few frames later, and would stop with a bar that is hardly there.
    let area = egui::Area::new("progress".into()).fixed_pos(at).interactable(false).fade_in(false);
    area.show(context, |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_width(300.0);
            ui.add(egui::ProgressBar::new(done).text("making the world"));
        });
    });
}

/// The first things to try, how to come by the panel where it is hidden, or what the tool in hand does, on the map's
/// lower left, above the legend.
pub(super) fn hint(context: &Context, map: egui::Rect, legend: f32, tool: Option<&str>, has_panel: bool) {
    let text = if let Some(tool) = tool {
        tool
    } else if is_narrow(context) {
        "tap: walk    drag: move    pinch: zoom    long press: why?"
    } else if has_panel {
        "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys"
    } else {
        "WASD or click: walk    wheel: zoom    drag: move    right-click: why?    H: all keys    Tab: side panel"
    };
    let at = map.left_bottom() + egui::vec2(8.0, -30.0 - legend);
    egui::Area::new("hint".into()).fixed_pos(at).interactable(false).show(context, |ui| {
        egui::Frame::new().fill(Color32::from_black_alpha(170)).inner_margin(4).corner_radius(4).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(text).color(Color32::from_gray(225))).extend());
        });
    });
}

/// What each side of the divider shows, given where it stands, in points.
pub(super) fn sides(context: &Context, map: egui::Rect, divider: f32, titles: [&str; 2]) {
    let sides = [(Align2::RIGHT_TOP, -10.0), (Align2::LEFT_TOP, 10.0)];
    for (i, (pivot, aside)) in sides.into_iter().enumerate() {
        let at = egui::pos2(divider + aside, map.top() + 8.0);
        let area = egui::Area::new(egui::Id::new(("side", i))).pivot(pivot).fixed_pos(at).constrain(false);
        area.interactable(false).show(context, |ui| {
            egui::Frame::new().fill(Color32::from_black_alpha(190)).inner_margin(5).corner_radius(4).show(ui, |ui| {
                let title = RichText::new(titles[i]).strong().color(Color32::from_gray(240));
                ui.add(egui::Label::new(title).extend());
            });
        });
    }
}

/// The list of keys.
pub(super) fn help(context: &Context, map: egui::Rect, open: &mut bool) {
    egui::Window::new("Keys")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(map.center())
        .show(context, |ui| {
            egui::Grid::new("keys").num_columns(2).min_row_height(14.0).spacing([24.0, 1.0]).show(ui, |ui| {
                for (keys, meaning) in HELP {
                    ui.label(RichText::new(*keys).strong().monospace());
                    ui.label(*meaning);
                    ui.end_row();
                }
            });
            ui.separator();
            ui.label("Every slider on the right acts at once. Fog: \"visual range\" and \"fog onset\".");
            ui.label("Yellow line: things are identified inside it. Violet line: glimpsed, as a \"?\".");
        });
}

/// The status line: the cell below the pointer, the hour and whether it runs, and what one field of view takes.
pub(super) fn status(context: &Context, scene: Option<&Scene>, cell: Option<IVec2>, sight_ms: f64, time_runs: bool) {
    egui::TopBottomPanel::bottom("status").show(context, |ui| {
        let text = match scene {
            Some(scene) => line(scene, cell.unwrap_or(scene.viewer()), sight_ms, time_runs),
            None => "making the first world".into(),
        };
        ui.add(egui::Label::new(RichText::new(text).monospace().size(12.0)).truncate());
    });
}

fn line(scene: &Scene, cell: IVec2, sight_ms: f64, time_runs: bool) -> String {
    let mut words = vec![format!("seed {}", scene.preset().world.seed), format!("cell {},{}", cell.x, cell.y)];
    if scene.preset().clock.runs {
        let running = if time_runs { ", running" } else { "" };
        words.push(scene.preset().clock.words() + running);
    }
    if let Some(world) = scene.world()
        && let Some(elevation) = world.elevation_m().get(cell)
    {
        if elevation.is_nan() {
            words.push("no data".into());
            return words.join("  ");
        }
        words.push(format!("{elevation:.0} m"));
        words.push(format!("humidity {:.2}", world.humidity()[cell]));
        words.push(format!("vegetation {:.2}", world.vegetation()[cell]));
        words.push(world.biome()[cell].name().to_owned());
    }
    match scene.opacity(cell) {
        Some(opacity) => {
            words.push(format!("opacity {opacity:.3}"));
            let (visibility, perceived) = (scene.visibility(cell), scene.perceived(cell));
            words.push(format!("visibility {visibility:.3}"));
            if perceived < visibility {
                words.push(format!("by its light {perceived:.3}"));
            }
            let state = match (scene.sense(cell), scene.memory(cell)) {
                (Sense::Hidden, CellMemory::Seen) => "remembered",
                (Sense::Hidden, memory) => memory.name(),
                (sense, _) => sense.name(),
            };
            words.push(state.to_owned());
        }
        None => words.push("off the map".into()),
    }
    words.push(format!("radius {}", scene.radius()));
    words.extend(scene.preset().classic.method.map(|method| method.name().to_owned()));
    if cfg!(not(target_arch = "wasm32")) {
        words.push(format!("sight {sight_ms:.2} ms")); // a page's clock is too coarse to say
    }
    words.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_notch_of_the_wheel_scrolls_a_panel_by_a_few_lines() {
        let context = Context::default();
        dress(&context);
        let notch = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, -1.0 / 90.0), // as it arrives
            modifiers: egui::Modifiers::NONE,
        };
        let mut moved = 0.0;
        let _ = context.run(egui::RawInput { events: vec![notch], ..Default::default() }, |context| {
            moved = context.input(|input| input.raw_scroll_delta.y);
        });
        assert!((moved + POINTS_A_NOTCH).abs() < 0.1, "{moved}");
    }

    #[test]
    fn the_status_line_tells_what_is_drawn_and_what_light_leaves() {
        let map = crate::grid::Grid::<f32>::from_text(".....").unwrap();
        let map = crate::sight::OpacityMap::try_from(map).unwrap();
        let mut preset = crate::preset::Preset::bare_kernel();
        preset.set("classic.method", "shadowcast").unwrap();
        let mut scene = Scene::on_map(preset.clone(), map, Some(IVec2::new(2, 0)), crate::job::Job::quiet()).unwrap();
        let words = |scene: &Scene| line(scene, IVec2::new(4, 0), 0.0, false);
        assert!(words(&scene).contains("visibility 1.000  identified  radius 32  shadowcast"), "{}", words(&scene));
        preset.set("optics.light", "0.04").unwrap();
        scene.apply(preset).unwrap();
        assert!(words(&scene).contains("visibility 1.000  by its light 0.040  remembered"), "{}", words(&scene));
    }

    #[test]
    fn only_the_last_messages_are_kept_and_none_twice() {
        let mut messages = Messages::default();
        for i in 0..9 {
            messages.note(format!("wrote {}", i % 6), false, f64::from(i));
        }
        let shown: Vec<&str> = messages.all.iter().map(|(text, _, _)| text.as_str()).collect();
        assert_eq!(shown, ["wrote 5", "wrote 0", "wrote 1", "wrote 2"]);
    }
}
