//! [`Inspector`]: explains the visibility of a cell, by marks on the corridor to it, in a sentence and as a cross-section.

use egui::{Color32, RichText, ScrollArea, Ui, vec2};
use egui_macroquad::egui;
use macroquad::color::Color;
use macroquad::math::{Rect, Vec2};
use macroquad::shapes::{draw_circle_lines, draw_line, draw_rectangle, draw_rectangle_lines};

use super::placement_words::lamp_warning;
use super::section_plot;
use crate::document::Camera;
use crate::window::slots::{Card, Slot, Slots};
use farsight_scene::explain::{Cause, Explanation, Section};
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The explained cell and its explanation.
#[derive(Default)]
pub(crate) struct Inspector {
    /// Whether the cell below the pointer is explained.
    pub(crate) follows_pointer: bool,
    pinned: Option<IVec2>,
    explained: Option<ExplainedCell>,
}

struct ExplainedCell {
    scene: SceneRevision,
    explanation: Explanation,
    section: Section,
    /// The cause that hides the cell, then the figures.
    short: String,
    sentence: String,
    /// The length of the line of sight in metres divided by its length in cells, in a world.
    metres_per_cell: Option<f64>,
}

/// A scene at a time: the revision of the document, and the side of the divider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SceneRevision {
    pub(crate) revision: u64,
    pub(crate) is_right: bool,
}

/// The maximum width of the card, and the minimum with a cross-section, in points.
const WIDTH: f32 = 540.0;
const MIN_WIDTH_WITH_PLOT: f32 = 300.0;

/// Height of a card without a cross-section, and the minimum height of a card with one, in points.
const FLAT_HEIGHT: f32 = 90.0;
const HEIGHT_WITH_PLOT: f32 = 212.0;

/// The minimum height of the map for a cross-section, in points. On a lower map, the card has at most half of the
/// width.
const MIN_MAP_HEIGHT_WITH_PLOT: f32 = 324.0;

/// The minimum loss of a marked cell, as a fraction of the maximum loss.
const MIN_SHARE: f64 = 0.01;

/// The maximum number of marked cells, those with the largest losses.
const MAX_MARKED: usize = 20_000;

const MARK: Color = Color::new(1.0, 1.0, 1.0, 0.95);
const SHADE: Color = Color::new(0.0, 0.0, 0.0, 0.6);

/// Returns the metres per unit of distance in sections.
fn metres_per_cell(scene: &Scene) -> Option<f64> {
    Some(scene.world()?.cell_size_at(scene.viewer()).shorter_m())
}

/// The button that was clicked on the card of a pinned cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InspectorAnswer {
    Unpin,
    /// To stand on the cell.
    StandOn(IVec2),
}

impl Inspector {
    /// Pins a cell, or unpins it if it is pinned.
    pub(crate) fn pin(&mut self, cell: IVec2) {
        self.pinned = if self.pinned == Some(cell) { None } else { Some(cell) };
    }

    pub(crate) fn unpin(&mut self) {
        self.pinned = None;
    }

    /// Explains the pinned cell, or else the cell below the pointer, after a change.
    pub(crate) fn update(&mut self, scene: &Scene, hovered: Option<IVec2>, of: SceneRevision) {
        let Some(target) = self.pinned.or(hovered.filter(|_| self.follows_pointer)) else {
            self.explained = None;
            return;
        };
        if self
            .explained
            .as_ref()
            .is_some_and(|explained| explained.scene == of && explained.explanation.target == target)
        {
            return;
        }
        self.explained = match Explanation::of(scene, target) {
            Ok(explanation) => Some(ExplainedCell {
                scene: of,
                short: lamp_warning(scene, target).unwrap_or_else(|| explanation.short_sentence()),
                sentence: explanation.sentence(),
                explanation,
                section: Section::of(scene, target),
                metres_per_cell: metres_per_cell(scene),
            }),
            Err(_) => {
                self.pinned = None; // the cell is not on this map
                None
            }
        };
    }

    /// Marks the corridor on the map. The viewport is in pixels of the map view; `map_pixels` is their number per point
    /// of the screen.
    pub(crate) fn draw(&self, camera: &Camera, viewport: Rect, map_pixels: f32) {
        let Some(ExplainedCell { explanation, .. }) = &self.explained else { return };
        let place = |cell: IVec2| {
            let (corner, sides) = (camera.corner_of(cell, viewport), camera.sides());
            Rect::new(corner.x, corner.y, sides.x, sides.y)
        };
        let fill = |cell: IVec2, colour: Color| {
            if let Some(Rect { x, y, w, h }) = place(cell).intersect(viewport) {
                draw_rectangle(x / map_pixels, y / map_pixels, w / map_pixels, h / map_pixels, colour);
            }
        };
        let most = explanation.cells.first().map_or(0.0, |loss| loss.gain);
        let marked = explanation.cells.iter().take(MAX_MARKED).take_while(|loss| loss.gain > most * MIN_SHARE);
        for loss in marked {
            fill(loss.cell, heat((loss.gain / most) as f32));
        }
        for &cell in &explanation.in_series {
            fill(cell, heat(1.0));
        }
        let target = place(explanation.target);
        let (from, to) = (place(explanation.viewer).center() / map_pixels, target.center() / map_pixels);
        draw_dashed(from, to, viewport, map_pixels);
        if viewport.contains(target.center()) {
            let [x, y, w, h] = [target.x, target.y, target.w, target.h].map(|length| length / map_pixels);
            if w >= 6.0 {
                draw_rectangle_lines(x - 2.0, y - 2.0, w + 4.0, h + 4.0, 5.0, SHADE);
                draw_rectangle_lines(x - 1.0, y - 1.0, w + 2.0, h + 2.0, 2.5, MARK);
            } else {
                draw_circle_lines(to.x, to.y, 6.0, 4.0, SHADE);
                draw_circle_lines(to.x, to.y, 6.0, 2.0, MARK);
            }
        }
    }

    /// Shows the card in the half of the map without the target. `target_y` is the vertical position of the target in
    /// points. `can_enter` is `true` for a cell to stand on.
    pub(crate) fn show(
        &self,
        slots: &mut Slots<'_>,
        target_y: Option<f32>,
        (is_touch, can_enter): (bool, bool),
    ) -> Option<InspectorAnswer> {
        let explained = self.explained.as_ref()?;
        let is_below = target_y.is_none_or(|y| y < slots.free.center().y);
        let slot = if is_below { Slot::LowerLeft } else { Slot::UpperLeft };
        let has_height = slots.free.height() >= MIN_MAP_HEIGHT_WITH_PLOT;
        let least = vec2(MIN_WIDTH_WITH_PLOT, HEIGHT_WITH_PLOT);
        let with_plot = slots.width_for(slot, least, WIDTH).filter(|_| has_height);
        let flat = || slots.width_for(slot, vec2(120.0, FLAT_HEIGHT), WIDTH.min(slots.free.width() / 2.0));
        let frame = egui::Frame::popup(&slots.context.style()).fill(Color32::from_rgba_unmultiplied(22, 23, 29, 240));
        let width = with_plot.or_else(flat).unwrap_or(120.0) - frame.total_margin().sum().x;
        let is_pinned = self.pinned.is_some();
        let card = Card::new(slots.context, "why", slot).frame(frame).clickable(is_pinned);
        let answer = slots.show(card.scroll(ScrollArea::vertical()), |ui| {
            ui.set_width(width);
            ui.label(RichText::new(&explained.short).strong().color(Color32::from_gray(235)));
            ui.label(RichText::new(&explained.sentence).size(11.0).color(Color32::from_gray(200)));
            shares(ui, &explained.explanation, width);
            if with_plot.is_some() {
                section_plot::show(ui, &explained.section, explained.metres_per_cell, width);
            }
            if !is_pinned {
                return None;
            }
            ui.horizontal_wrapped(|ui| {
                let unpins = ui.small_button("Unpin").clicked().then_some(InspectorAnswer::Unpin);
                let stand = ui.add_enabled(can_enter, egui::Button::new("see from there").small());
                let stand = stand.on_hover_text("Puts you there at once, with the view and its panorama");
                let target = explained.explanation.target;
                let words = if is_touch { "" } else { "pinned; right-click or Esc also unpin" };
                ui.label(RichText::new(words).color(Color32::from_gray(170)));
                unpins.or(stand.clicked().then_some(InspectorAnswer::StandOn(target)))
            })
            .inner
        });
        answer.flatten()
    }

    /// Returns the explained cell.
    pub(crate) fn target(&self) -> Option<IVec2> {
        self.explained.as_ref().map(|explained| explained.explanation.target)
    }
}

/// Shows the visibility and the loss by each cause as parts of a bar.
fn shares(ui: &mut Ui, explanation: &Explanation, width: f32) {
    let (place, _) = ui.allocate_exact_size(vec2(width, 18.0), egui::Sense::hover());
    let painter = ui.painter_at(place);
    let mut left = place.left();
    let seen = [("seen", explanation.explained, Color32::from_rgb(236, 231, 214))];
    let lost = explanation.losses.iter().map(|loss| (loss.cause.name(), loss.share, colour(loss.cause)));
    for (name, share, colour) in seen.into_iter().chain(lost) {
        let part = egui::Rect::from_min_size(egui::pos2(left, place.top()), vec2(share as f32 * width, 18.0));
        left = part.right();
        painter.rect_filled(part, 0.0, colour);
        let text = painter.layout_no_wrap(name.into(), egui::FontId::proportional(12.0), Color32::BLACK);
        if text.size().x + 6.0 < part.width() {
            let at = part.center() - text.size() / 2.0;
            painter.galley(at, text, Color32::BLACK);
        }
    }
}

/// Returns a softened colour that is safe for colour-blind people (Okabe and Ito, "Color Universal Design", 2008).
fn colour(cause: Cause) -> Color32 {
    match cause {
        Cause::Wall | Cause::Obstacle => Color32::from_rgb(150, 150, 158),
        Cause::Hedge | Cause::Forest => Color32::from_rgb(66, 168, 124),
        Cause::Ridge | Cause::Door => Color32::from_rgb(213, 125, 60),
        Cause::Fog => Color32::from_rgb(204, 154, 190),
        Cause::Haze => Color32::from_rgb(110, 180, 226),
        Cause::Distance => Color32::from_rgb(224, 196, 84),
        _ => Color32::from_rgb(110, 110, 140),
    }
}

/// Returns a colour from faint yellow to strong magenta, which no map has, for fractions of the maximum loss from 0 to
/// 1.
fn heat(share: f32) -> Color {
    let strength = share.clamp(0.0, 1.0).sqrt();
    Color::new(1.0, 0.85 - 0.75 * strength, 0.25 + 0.40 * strength, 0.18 + 0.67 * strength)
}

/// Draws a dashed line, given in points, clipped to the viewport.
fn draw_dashed(from: Vec2, to: Vec2, viewport: Rect, map_pixels: f32) {
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
    use farsight::sight::OpacityMap;
    use farsight_scene::preset::Preset;
    use glam::ivec2;

    const LEFT: SceneRevision = SceneRevision { revision: 0, is_right: false };

    fn scene() -> Scene {
        let mut map = OpacityMap::clear(21, 21).unwrap();
        map.set(ivec2(13, 10), 1.0).unwrap();
        Scene::from_map(Preset::bare_kernel(), map, Some(ivec2(10, 10)), farsight::Job::none()).unwrap()
    }

    #[test]
    fn a_pinned_cell_stays_and_the_pointer_is_followed_only_on_request() {
        let (scene, mut inspector) = (scene(), Inspector::default());
        inspector.update(&scene, Some(ivec2(4, 4)), LEFT);
        assert_eq!(inspector.target(), None, "nobody asked");
        inspector.follows_pointer = true;
        inspector.update(&scene, Some(ivec2(4, 4)), LEFT);
        assert_eq!(inspector.target(), Some(ivec2(4, 4)));
        inspector.pin(ivec2(16, 10));
        inspector.update(&scene, Some(ivec2(4, 4)), LEFT);
        assert_eq!(inspector.target(), Some(ivec2(16, 10)));
        inspector.pin(ivec2(16, 10));
        inspector.update(&scene, None, LEFT);
        assert_eq!(inspector.target(), None, "pinned twice, it is unpinned");
    }

    #[test]
    fn the_explanation_follows_the_scene_and_a_missing_cell_is_unpinned() {
        let (mut scene, mut inspector) = (scene(), Inspector::default());
        inspector.pin(ivec2(16, 10));
        inspector.update(&scene, None, LEFT);
        let sentence =
            |inspector: &Inspector| inspector.explained.as_ref().map(|explained| explained.sentence.clone()).unwrap();
        assert!(sentence(&inspector).contains("wall at (13, 10)"), "{}", sentence(&inspector));
        scene.place(ivec2(15, 10)).unwrap();
        inspector.update(&scene, None, SceneRevision { revision: 1, ..LEFT });
        assert!(sentence(&inspector).contains("fully seen"), "{}", sentence(&inspector));
        let small =
            Scene::from_map(Preset::bare_kernel(), OpacityMap::clear(5, 5).unwrap(), None, farsight::Job::none())
                .unwrap();
        inspector.update(&small, None, SceneRevision { revision: 2, ..LEFT });
        assert!(inspector.target().is_none() && inspector.pinned.is_none());
    }

    #[test]
    fn larger_losses_are_hotter() {
        let heats: Vec<Color> = [0.0, 0.1, 0.5, 1.0].map(heat).into();
        assert!(heats.is_sorted_by(|a, b| a.a < b.a && a.g > b.g));
    }
}
