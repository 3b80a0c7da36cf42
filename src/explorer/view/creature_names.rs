//! Names of creatures: a label below the pointer, and a legend of the species in view.

use std::collections::BTreeMap;

use egui::{Align2, Area, Color32, Context, FontId, Frame, Id, Order, Painter, RichText, Ui};
use egui_macroquad::egui;
use macroquad::math::Rect;

use super::camera::Camera;
use crate::explorer::theme::{OVER_MAP_GROUND, OVER_MAP_TEXT};
use crate::grid::CellRect;
use crate::paint::{MIN_SPRITE_SIDE, sprite};
use crate::perception::{Creature, Recognition, Species};
use crate::scene::Scene;
use glam::IVec2;

/// The distance from which a mark is below the pointer, in pixels of the map view; marks are about 16 pixels high.
const REACH: f32 = 11.0;

/// The longest line of a label, in points.
const LABEL_WIDTH: f32 = 270.0;

/// The most rows of the legend of creatures.
const MAX_ROWS: usize = 8;

const GLIMPSED: Color32 = Color32::from_rgb(255, 240, 150);
const STALE: Color32 = Color32::from_rgb(168, 168, 190);

/// Returns the label of the mark of a creature that is nearest to a point, if one is near: `deer, identified`.
pub(super) fn label_at(scene: &Scene, camera: &Camera, viewport: Rect, point: macroquad::math::Vec2) -> Option<String> {
    let reach = REACH.max(camera.sides().max_element() * 0.6);
    let marks = scene.creatures().all().iter().filter_map(|creature| Some((creature.mark_cell()?, creature)));
    let distance = |cell: IVec2| (camera.middle_of(cell, viewport) - point).length();
    let near = marks.map(|(cell, creature)| (distance(cell), creature)).filter(|(distance, _)| *distance <= reach);
    let (_, creature) = near.min_by(|(a, one), (b, other)| {
        other.recognition.cmp(&one.recognition).then(a.total_cmp(b)) // identified ones are painted last
    })?;
    Some(creature.explanation(scene.perceived(creature.cell), scene.preset().perception.thresholds().identify))
}

/// The creatures in a part of the map, as the viewer knows them.
#[derive(Debug, Default, PartialEq)]
struct CreatureCount {
    /// Identified ones, by name.
    identified: BTreeMap<&'static str, (usize, &'static Species)>,
    glimpsed: usize,
    stale: usize,
}

impl CreatureCount {
    fn of(creatures: &[Creature], frame: CellRect) -> Self {
        let mut count = Self::default();
        for creature in creatures.iter().filter(|it| it.mark_cell().is_some_and(|cell| frame.contains(cell))) {
            match creature.recognition {
                Recognition::Identified => {
                    let species = creature.species;
                    count.identified.entry(species.name).or_insert((0, species)).0 += 1;
                }
                Recognition::Glimpsed => count.glimpsed += 1,
                Recognition::Hidden => count.stale += 1,
            }
        }
        count
    }
}

/// Shows the legend of the creatures in view, with its upper right corner at a point.
pub(super) fn show_legend(context: &Context, scene: &Scene, camera: &Camera, viewport: Rect, corner: egui::Pos2) {
    let frame = camera.frame(viewport, scene.size());
    let CreatureCount { identified, glimpsed, stale } = CreatureCount::of(scene.creatures().all(), frame);
    let has_sprites = camera.side() >= MIN_SPRITE_SIDE;
    let mut rows: Vec<(Option<&Species>, Color32, String)> = Vec::new();
    for (name, (count, species)) in identified {
        let [r, g, b] = species.colour;
        rows.push((Some(species), Color32::from_rgb(r, g, b), counted(name, count)));
    }
    if glimpsed > 0 {
        rows.push((None, GLIMPSED, counted("glimpsed", glimpsed)));
    }
    if stale > 0 {
        rows.push((None, STALE, counted("last seen here", stale)));
    }
    if rows.is_empty() {
        return;
    }
    let area = Area::new(Id::new("creatures")).pivot(Align2::RIGHT_TOP).fixed_pos(corner).interactable(false);
    area.show(context, |ui| {
        Frame::new().fill(OVER_MAP_GROUND).inner_margin(5).corner_radius(4).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (species, colour, text) in rows.iter().take(MAX_ROWS) {
                ui.horizontal(|ui| {
                    show_mark(ui, *species, *colour, has_sprites);
                    ui.label(RichText::new(text).color(OVER_MAP_TEXT).size(12.0));
                });
            }
        });
    });
}

fn counted(name: &str, count: usize) -> String {
    if count == 1 { name.to_owned() } else { format!("{name} x {count}") }
}

/// Shows the mark of a species as it is on the map.
fn show_mark(ui: &mut Ui, species: Option<&Species>, colour: Color32, has_sprites: bool) {
    let (place, _) = ui.allocate_exact_size(egui::vec2(16.0, 14.0), egui::Sense::hover());
    match species.filter(|_| has_sprites).and_then(sprite) {
        Some(rows) => paint_rows(ui.painter(), place, rows, colour),
        None => {
            let glyph = species.map_or('?', |species| species.glyph);
            ui.painter().text(place.center(), Align2::CENTER_CENTER, glyph, FontId::monospace(14.0), colour);
        }
    }
}

fn paint_rows(painter: &Painter, place: egui::Rect, rows: &[&str], colour: Color32) {
    let corner = place.left_top() + egui::vec2(2.0, ((14 - rows.len() as i32) / 2) as f32);
    let mut mesh = egui::Mesh::default(); // the soft edges of shapes would take most of such small ones
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.bytes().enumerate().filter(|(_, dot)| *dot == b'#') {
            let at = corner + egui::vec2(x as f32, y as f32);
            mesh.add_colored_rect(egui::Rect::from_min_size(at, egui::vec2(1.0, 1.0)), colour);
        }
    }
    painter.add(mesh);
}

/// Shows a label next to the pointer, at a point.
pub(super) fn show_label(context: &Context, at: egui::Pos2, text: &str) {
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
    use crate::job::Job;
    use crate::preset::Preset;
    use crate::sight::OpacityMap;
    use glam::ivec2;
    use macroquad::math::vec2;

    const VIEWPORT: Rect = Rect { x: 0.0, y: 0.0, w: 900.0, h: 500.0 };

    /// A deer on a plain, and a viewer who looks at it from some distance.
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
        Scene::on_map(preset, OpacityMap::clear(60, 20).unwrap(), Some(viewer), Job::quiet()).unwrap()
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

    #[test]
    fn the_legend_counts_what_is_in_view() {
        let near = scene(ivec2(26, 10));
        let count = CreatureCount::of(near.creatures().all(), CellRect::of_size(near.size()));
        assert_eq!(
            count,
            CreatureCount {
                identified: BTreeMap::from([("deer", (1, Species::named("deer").unwrap()))]),
                ..CreatureCount::default()
            }
        );
        let elsewhere = CreatureCount::of(near.creatures().all(), CellRect::of_size(ivec2(20, 20)));
        assert_eq!(elsewhere, CreatureCount::default());
        assert_eq!((counted("wolf", 1), counted("wolf", 2)), ("wolf".into(), "wolf x 2".into()));
    }
}
