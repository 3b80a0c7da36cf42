//! Names of creatures: a label below the pointer.

use egui::{Align2, Area, Context, Frame, Id, Order, RichText};
use egui_macroquad::egui;
use macroquad::math::Rect;

use crate::document::Camera;
use crate::window::theme::{OVER_MAP_GROUND, OVER_MAP_TEXT};
use farsight_scene::paint::MIN_SIDE_WITH_CREATURES;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The maximum distance of a mark from the pointer, in pixels of the map view; marks are about 16 pixels high.
const REACH: f32 = 11.0;

/// The maximum width of a label, in points.
const LABEL_WIDTH: f32 = 270.0;

/// Returns the label of the creature mark nearest to a point, if within that distance: `deer, identified`.
pub(crate) fn label_at(scene: &Scene, camera: &Camera, viewport: Rect, point: macroquad::math::Vec2) -> Option<String> {
    if camera.side() < MIN_SIDE_WITH_CREATURES {
        return None;
    }
    let reach = REACH.max(camera.sides().max_element() * 0.6);
    let marks = scene.creatures().all().iter().filter_map(|creature| Some((creature.mark_cell()?, creature)));
    let distance = |cell: IVec2| (camera.middle_of(cell, viewport) - point).length();
    let near = marks.map(|(cell, creature)| (distance(cell), creature)).filter(|(distance, _)| *distance <= reach);
    let (_, creature) = near.min_by(|(a, one), (b, other)| {
        other.recognition.cmp(&one.recognition).then(a.total_cmp(b)) // identified creatures are painted last
    })?;
    Some(creature.explanation(scene.perceived(creature.cell), scene.preset().perception.thresholds().identify))
}

/// Shows a label next to the pointer, at a point.
pub(crate) fn show_label(context: &Context, at: egui::Pos2, text: &str) {
    let area = Area::new(Id::new("creature")).order(Order::Tooltip).pivot(Align2::LEFT_BOTTOM);
    area.fixed_pos(at + egui::vec2(12.0, -10.0)).interactable(false).fade_in(false).show(context, |ui| {
        Frame::new().fill(OVER_MAP_GROUND).inner_margin(5).corner_radius(4).show(ui, |ui| {
            ui.set_max_width(LABEL_WIDTH);
            ui.add(egui::Label::new(RichText::new(text).color(OVER_MAP_TEXT)).wrap());
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::grid::CellRect;
    use farsight::sight::OpacityMap;
    use farsight_scene::preset::Preset;
    use glam::ivec2;
    use macroquad::math::vec2;

    const VIEWPORT: Rect = Rect { x: 0.0, y: 0.0, w: 900.0, h: 500.0 };

    /// Returns a deer on a plain, and a viewer at a distance.
    fn scene(viewer: IVec2) -> Scene {
        let mut preset = Preset::bare_kernel();
        for (key, value) in [
            ("creatures", "[{ kind = \"deer\", at = [30, 10] }]"),
            ("perception.creatures", "0"),
            ("sight.radius", "30"),
            ("sight.decay.kind", "linear"),
        ] {
            preset.set(key, value).unwrap();
        }
        Scene::from_map(preset, OpacityMap::clear(60, 20).unwrap(), Some(viewer), Job::none()).unwrap()
    }

    #[test]
    fn a_creature_is_named_where_its_mark_is() {
        let near = scene(ivec2(26, 10));
        let square = macroquad::math::Vec2::ONE;
        let camera = Camera::showing(CellRect::around(ivec2(26, 10), 40), near.size(), square, VIEWPORT);
        let at = |cell: IVec2| camera.middle_of(cell, VIEWPORT);
        let label = |scene: &Scene, cell| label_at(scene, &camera, VIEWPORT, at(cell));
        assert_eq!(label(&near, ivec2(30, 10)).as_deref(), Some("deer, identified"));
        assert_eq!(label(&near, ivec2(34, 10)), None);
        let far = scene(ivec2(4, 10));
        let words = label(&far, ivec2(30, 10)).unwrap();
        let [cell, conspicuity, perceived, identify] =
            ["cell ", "conspicuity ", "= ", "identified from "].map(|before| {
                let number = words.split(before).nth(1).unwrap().split([' ', ',', ')']).next().unwrap();
                number.parse::<f32>().unwrap_or_else(|_| panic!("{words}"))
            });
        assert!((cell * conspicuity - perceived).abs() < 0.01, "{words}");
        assert!(perceived < identify && far.perceived(ivec2(30, 10)) - cell < 0.01, "{words}");
        assert!(label_at(&near, &camera, VIEWPORT, at(ivec2(30, 10)) + vec2(8.0, 0.0)).is_some(), "the mark is large");
    }
}
