//! The plot of the cross-section between viewer and target: ground, canopy, straight line and remaining view.

use egui::{Align2, Color32, FontId, Mesh, Pos2, Rect, Shape, Stroke, Ui};
use egui_macroquad::egui;

use farsight_scene::explain::{Section, SectionPoint};

/// Height in points.
const HEIGHT: f32 = 128.0;

const SKY: Color32 = Color32::from_rgb(37, 42, 54);
/// Ground and canopy differ in lightness, so that colour-blind people can distinguish them.
const GROUND: Color32 = Color32::from_rgb(112, 84, 60);
const CANOPY: Color32 = Color32::from_rgb(150, 208, 164);
const OPAQUE: Color32 = Color32::from_rgb(128, 128, 138);
const LINE: Color32 = Color32::from_rgb(240, 240, 240);
const LEFT: Color32 = Color32::from_rgb(245, 203, 92);
const WORDS: Color32 = Color32::from_gray(190);

/// Shows a section with the given width; `metres_per_cell` if there is a world.
pub(crate) fn show(ui: &mut Ui, section: &Section, metres_per_cell: Option<f64>, width: f32) {
    if section.points.len() < 2 {
        return;
    }
    let (place, _) = ui.allocate_exact_size(egui::vec2(width, HEIGHT), egui::Sense::hover());
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 3.0, SKY);
    let plot = Rect::from_min_max(place.min + egui::vec2(44.0, 18.0), place.max - egui::vec2(34.0, 17.0));
    let length = section.points.last().map_or(1.0, |point| point.distance.max(1.0));
    let x = |point: &SectionPoint| plot.left() + (point.distance / length) as f32 * plot.width();
    let share = |value: f32| plot.bottom() - value * plot.height();
    let label = |text: &str, at: Pos2, align, colour| painter.text(at, align, text, FontId::proportional(11.0), colour);
    match section.span_m() {
        Some([low, high]) => {
            // At least 10 m, so that small bumps appear small.
            let span = (high - low).max(10.0);
            let y = |height: f32| plot.bottom() - (height - low) / span * plot.height();
            let heights = section.points.iter().filter_map(|point| Some((x(point), point.heights?)));
            let heights: Vec<_> = heights.collect();
            let band = |low: &dyn Fn(usize) -> f32, high: &dyn Fn(usize) -> f32| {
                let columns = heights.iter().enumerate().map(|(i, (x, _))| (*x, low(i), high(i)));
                columns.collect::<Vec<_>>()
            };
            let ground = |i: usize| y(heights[i].1.ground);
            painter.add(filled(&band(&ground, &|i| y(heights[i].1.canopy)), CANOPY));
            painter.add(filled(&band(&|_| plot.bottom(), &ground), GROUND));
            let line = heights.iter().map(|(x, heights)| Pos2::new(*x, y(heights.line)));
            painter.extend(Shape::dashed_line(&line.collect::<Vec<_>>(), Stroke::new(1.5, LINE), 6.0, 4.0));
            for (height, at) in [(low + span, plot.left_top()), (low, plot.left_bottom())] {
                label(&format!("{height:.0} m"), at - egui::vec2(4.0, 0.0), Align2::RIGHT_CENTER, WORDS);
            }
        }
        None => {
            // A bar covers its cell.
            let half = plot.width() / (section.points.len() - 1) as f32 / 2.0;
            for point in &section.points[1..section.points.len() - 1] {
                let bar =
                    Rect::from_x_y_ranges(x(point) - half..=x(point) + half, share(point.opacity)..=plot.bottom());
                painter.rect_filled(bar, 0.0, OPAQUE);
            }
        }
    }
    let left = section.points.iter().map(|point| Pos2::new(x(point), share(point.left)));
    painter.add(Shape::line(left.collect(), Stroke::new(2.0, LEFT)));
    label("100 %", plot.right_top() + egui::vec2(3.0, 0.0), Align2::LEFT_CENTER, LEFT);
    label("0", plot.right_bottom() + egui::vec2(3.0, 0.0), Align2::LEFT_CENTER, LEFT);
    let below = place.bottom() - 3.0;
    label("eye", Pos2::new(plot.left(), below), Align2::LEFT_BOTTOM, WORDS);
    label(&distance_text(length, metres_per_cell), Pos2::new(plot.right(), below), Align2::RIGHT_BOTTOM, WORDS);
    let mut at = plot.left();
    let keys: &[(&str, Color32)] = match section.span_m() {
        Some(_) => &[("ground", GROUND), ("canopy", CANOPY), ("straight line", LINE), ("visible fraction", LEFT)],
        None => &[("opacity", OPAQUE), ("visible fraction", LEFT)],
    };
    for (name, colour) in keys {
        painter.rect_filled(Rect::from_min_size(Pos2::new(at, place.top() + 5.0), egui::vec2(8.0, 8.0)), 1.0, *colour);
        let written = label(name, Pos2::new(at + 11.0, place.top() + 9.0), Align2::LEFT_CENTER, WORDS);
        at = written.right() + 12.0;
    }
}

/// Fills the band between two lines, given as (x, low, high) from left to right.
fn filled(columns: &[(f32, f32, f32)], colour: Color32) -> Shape {
    let mut mesh = Mesh::default();
    for &(x, low, high) in columns {
        mesh.colored_vertex(Pos2::new(x, low), colour);
        mesh.colored_vertex(Pos2::new(x, high), colour);
    }
    for i in 1..columns.len() as u32 {
        mesh.add_triangle(2 * i - 2, 2 * i - 1, 2 * i);
        mesh.add_triangle(2 * i - 1, 2 * i, 2 * i + 1);
    }
    Shape::mesh(mesh)
}

/// Returns `2.4 km`, `300 m`, or cells without a world.
fn distance_text(cells: f64, metres_per_cell: Option<f64>) -> String {
    match metres_per_cell.map(|size| cells * size) {
        Some(metres) if metres >= 1000.0 => format!("{:.1} km", metres / 1000.0),
        Some(metres) => format!("{metres:.0} m"),
        None => format!("{cells:.1} cells"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canopy_is_at_least_twice_as_light_as_the_ground() {
        // The luma of video (ITU-R BT.601), in thousandths.
        let lightness = |c: Color32| 299 * u32::from(c.r()) + 587 * u32::from(c.g()) + 114 * u32::from(c.b());
        assert!(lightness(CANOPY) > 2 * lightness(GROUND));
        assert!(lightness(GROUND) > 2 * lightness(SKY));
    }

    #[test]
    fn distances_have_a_unit_that_fits() {
        assert_eq!(distance_text(24.2, Some(100.0)), "2.4 km");
        assert_eq!(distance_text(3.0, Some(100.0)), "300 m");
        assert_eq!(distance_text(3.0, None), "3.0 cells");
    }
}
