//! [`Inspector`]: why a cell is seen no better. The corridor to it is lit by what each cell takes, and a card says the
//! rest in words and as a cross-section.

use egui::{Color32, RichText, Ui};
use egui_macroquad::egui;
use macroquad::color::Color;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_circle_lines, draw_line, draw_rectangle, draw_rectangle_lines};

use super::camera::Camera;
use crate::explain::{Cause, Explanation, Section};
use crate::explorer::section_plot;
use crate::scene::Scene;
use glam::IVec2;

/// What is asked about, and the answer.
#[derive(Default)]
pub(super) struct Inspector {
    /// Whether the cell below the pointer is explained.
    follows: bool,
    pinned: Option<IVec2>,
    answer: Option<Answer>,
}

struct Answer {
    /// The version of the scene, and whether it is the one on the right of the divider.
    of: (u64, bool),
    explanation: Explanation,
    section: Section,
    sentence: String,
    cell_size_m: Option<f64>,
}

/// Width of the card, in points.
const WIDTH: f32 = 540.0;

/// Cells that take less than this share of what the worst takes are not lit.
const LEAST: f64 = 0.01;

/// No more cells than this are lit: those that take most.
const MOST_LIT: usize = 20_000;

const MARK: Color = Color::new(1.0, 1.0, 1.0, 0.95);
const SHADE: Color = Color::new(0.0, 0.0, 0.0, 0.6);

impl Inspector {
    /// Explains the cell below the pointer from now on, or no more.
    pub(super) fn toggle(&mut self) {
        self.follows = !self.follows;
    }

    /// Whether it follows the pointer.
    pub(super) fn follows(&self) -> bool {
        self.follows
    }

    /// Keeps to a cell; asked for the same cell again, lets go of it.
    pub(super) fn pin(&mut self, cell: IVec2) {
        self.pinned = if self.pinned == Some(cell) { None } else { Some(cell) };
    }

    /// Lets go of the pinned cell; whether there was one.
    pub(super) fn unpin(&mut self) -> bool {
        self.pinned.take().is_some()
    }

    /// Looks at the pinned cell, or else at the one below the pointer. Nothing is computed while nothing changes.
    pub(super) fn look(&mut self, scene: &Scene, hovered: Option<IVec2>, of: (u64, bool)) {
        let Some(target) = self.pinned.or(hovered.filter(|_| self.follows)) else {
            self.answer = None;
            return;
        };
        if self.answer.as_ref().is_some_and(|answer| answer.of == of && answer.explanation.target == target) {
            return;
        }
        self.answer = match Explanation::of(scene, target) {
            Ok(explanation) => Some(Answer {
                of,
                sentence: explanation.sentence(),
                explanation,
                section: Section::of(scene, target),
                cell_size_m: scene.world().map(|world| world.config().cell_size_m),
            }),
            Err(_) => {
                self.pinned = None; // of a larger map
                None
            }
        };
    }

    /// Lights the corridor on the map. The viewport is given in pixels of the map, `map_pixels` of which are a point of
    /// the screen.
    pub(super) fn draw(&self, camera: &Camera, viewport: Rect, map_pixels: f32) {
        let Some(Answer { explanation, .. }) = &self.answer else { return };
        let square = |cell: IVec2| {
            let corner = camera.corner_of(cell, viewport);
            Rect::new(corner.x, corner.y, camera.side(), camera.side())
        };
        let fill = |cell: IVec2, colour: Color| {
            if let Some(Rect { x, y, w, h }) = square(cell).intersect(viewport) {
                draw_rectangle(x / map_pixels, y / map_pixels, w / map_pixels, h / map_pixels, colour);
            }
        };
        let most = explanation.cells.first().map_or(0.0, |loss| loss.gain);
        let lit = explanation.cells.iter().take(MOST_LIT).take_while(|loss| loss.gain > most * LEAST);
        for loss in lit {
            fill(loss.cell, heat((loss.gain / most) as f32));
        }
        for &cell in &explanation.in_series {
            fill(cell, heat(1.0));
        }
        let middle = |cell: IVec2| {
            let Rect { x, y, w, h } = square(cell);
            vec2(x + w / 2.0, y + h / 2.0) / map_pixels
        };
        let (from, to) = (middle(explanation.viewer), middle(explanation.target));
        dashed(from, to, Rect::new(viewport.x, viewport.y, viewport.w, viewport.h), map_pixels);
        let Rect { x, y, w, h } = square(explanation.target);
        if viewport.contains(vec2(x + w / 2.0, y + h / 2.0)) {
            let [x, y, w, h] = [x, y, w, h].map(|length| length / map_pixels);
            if w >= 6.0 {
                draw_rectangle_lines(x - 2.0, y - 2.0, w + 4.0, h + 4.0, 5.0, SHADE);
                draw_rectangle_lines(x - 1.0, y - 1.0, w + 2.0, h + 2.0, 2.5, MARK);
            } else {
                draw_circle_lines(to.x, to.y, 6.0, 4.0, SHADE);
                draw_circle_lines(to.x, to.y, 6.0, 2.0, MARK);
            }
        }
    }

    /// The card over the map, in the half of it that the target does not lie in. `target_y` says where that is, in points.
    pub(super) fn show(&mut self, context: &egui::Context, map: egui::Rect, target_y: Option<f32>, legend: f32) {
        let Some(answer) = &self.answer else { return };
        let width = WIDTH.min(map.width() - 36.0);
        let below = target_y.is_none_or(|y| y < map.center().y);
        let (pivot, at) = if below {
            (egui::Align2::LEFT_BOTTOM, map.left_bottom() + egui::vec2(8.0, -36.0 - legend))
        } else {
            (egui::Align2::LEFT_TOP, map.left_top() + egui::vec2(8.0, 8.0))
        };
        let pinned = self.pinned.is_some();
        let mut unpin = false;
        let area = egui::Area::new("why".into()).pivot(pivot).fixed_pos(at).interactable(pinned).constrain(false);
        area.show(context, |ui| {
            let frame = egui::Frame::popup(ui.style()).fill(Color32::from_rgba_unmultiplied(22, 23, 29, 240));
            frame.show(ui, |ui| {
                ui.set_width(width);
                ui.label(RichText::new(&answer.sentence).color(Color32::from_gray(235)));
                shares(ui, &answer.explanation, width);
                section_plot::show(ui, &answer.section, answer.cell_size_m, width);
                if pinned {
                    ui.horizontal(|ui| {
                        unpin = ui.small_button("let go").clicked();
                        ui.weak("pinned; right-click, long press or Esc lets go, too");
                    });
                }
            });
        });
        if unpin {
            self.pinned = None;
        }
    }

    /// The cell that is explained.
    pub(super) fn target(&self) -> Option<IVec2> {
        self.answer.as_ref().map(|answer| answer.explanation.target)
    }
}

/// What is seen, and what each cause takes, as parts of a bar.
fn shares(ui: &mut Ui, explanation: &Explanation, width: f32) {
    let (place, _) = ui.allocate_exact_size(egui::vec2(width, 18.0), egui::Sense::hover());
    let painter = ui.painter_at(place);
    let mut left = place.left();
    let seen = [("seen", explanation.explained, Color32::from_rgb(236, 231, 214))];
    let lost = explanation.losses.iter().map(|loss| (loss.cause.name(), loss.share, colour(loss.cause)));
    for (name, share, colour) in seen.into_iter().chain(lost) {
        let part = egui::Rect::from_min_size(egui::pos2(left, place.top()), egui::vec2(share as f32 * width, 18.0));
        left = part.right();
        painter.rect_filled(part, 0.0, colour);
        let text = painter.layout_no_wrap(name.into(), egui::FontId::proportional(12.0), Color32::BLACK);
        if text.size().x + 6.0 < part.width() {
            let at = part.center() - text.size() / 2.0;
            painter.galley(at, text, Color32::BLACK);
        }
    }
}

/// Colours that stay apart for colour-blind eyes, too (Okabe and Ito, "Color Universal Design", 2008), softened.
fn colour(cause: Cause) -> Color32 {
    match cause {
        Cause::Wall => Color32::from_rgb(150, 150, 158),
        Cause::Hedge | Cause::Forest => Color32::from_rgb(66, 168, 124),
        Cause::Ridge => Color32::from_rgb(213, 125, 60),
        Cause::Fog => Color32::from_rgb(204, 154, 190),
        Cause::Haze => Color32::from_rgb(110, 180, 226),
        Cause::Distance => Color32::from_rgb(224, 196, 84),
        _ => Color32::from_rgb(110, 110, 140),
    }
}

/// From a faint yellow to a strong magenta, which nothing else on a map is, for shares from 0 to 1 of what the worst cell takes.
fn heat(share: f32) -> Color {
    let strength = share.clamp(0.0, 1.0).sqrt();
    Color::new(1.0, 0.85 - 0.75 * strength, 0.25 + 0.40 * strength, 0.18 + 0.67 * strength)
}

/// A dashed line, given in points, as far as it runs within the viewport.
fn dashed(from: Vec2, to: Vec2, viewport: Rect, map_pixels: f32) {
    const DASH: f32 = 5.0;
    let length = (to - from).length();
    let along = (to - from) / length.max(1.0);
    let dashes = (length / (2.0 * DASH)).min(2000.0) as i32;
    for i in 0..dashes {
        let start = from + along * (i as f32 * 2.0 * DASH);
        let end = start + along * DASH;
        if viewport.contains(start * map_pixels) && viewport.contains(end * map_pixels) {
            draw_line(start.x, start.y, end.x, end.y, 3.0, SHADE);
            draw_line(start.x, start.y, end.x, end.y, 1.5, MARK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;
    use crate::sight::OpacityMap;
    use glam::ivec2;

    fn scene() -> Scene {
        let mut map = OpacityMap::clear(21, 21).unwrap();
        map.set(ivec2(13, 10), 1.0).unwrap();
        Scene::on_map(Preset::bare_kernel(), map, Some(ivec2(10, 10)), crate::job::Job::quiet()).unwrap()
    }

    #[test]
    fn a_pinned_cell_stays_and_the_pointer_is_followed_only_when_asked() {
        let (scene, mut inspector) = (scene(), Inspector::default());
        inspector.look(&scene, Some(ivec2(4, 4)), (0, false));
        assert_eq!(inspector.target(), None, "nobody asked");
        inspector.toggle();
        inspector.look(&scene, Some(ivec2(4, 4)), (0, false));
        assert_eq!(inspector.target(), Some(ivec2(4, 4)));
        inspector.pin(ivec2(16, 10));
        inspector.look(&scene, Some(ivec2(4, 4)), (0, false));
        assert_eq!(inspector.target(), Some(ivec2(16, 10)));
        inspector.pin(ivec2(16, 10));
        inspector.look(&scene, None, (0, false));
        assert_eq!(inspector.target(), None, "pinned twice, it is let go");
    }

    #[test]
    fn the_answer_follows_the_scene_and_a_cell_that_is_gone_is_let_go() {
        let (mut scene, mut inspector) = (scene(), Inspector::default());
        inspector.pin(ivec2(16, 10));
        inspector.look(&scene, None, (0, false));
        let sentence = |inspector: &Inspector| inspector.answer.as_ref().map(|answer| answer.sentence.clone()).unwrap();
        assert!(sentence(&inspector).contains("wall at (13, 10)"), "{}", sentence(&inspector));
        scene.place(ivec2(15, 10)).unwrap();
        inspector.look(&scene, None, (1, false));
        assert!(sentence(&inspector).contains("in full"), "{}", sentence(&inspector));
        let small =
            Scene::on_map(Preset::bare_kernel(), OpacityMap::clear(5, 5).unwrap(), None, crate::job::Job::quiet())
                .unwrap();
        inspector.look(&small, None, (2, false));
        assert!(inspector.target().is_none() && !inspector.unpin());
    }

    #[test]
    fn what_takes_more_is_hotter() {
        let heats: Vec<Color> = [0.0, 0.1, 0.5, 1.0].map(heat).into();
        assert!(heats.is_sorted_by(|a, b| a.a < b.a && a.g > b.g));
    }
}
