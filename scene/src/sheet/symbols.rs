//! The symbols of points on a sheet, its colours, and texts of its numbers.

use glam::{Vec2, vec2};

use super::drawing::Drawing;
use crate::paint::Colour;

pub(super) const INK: Colour = [38.0, 36.0, 34.0];
pub(super) const WHITE: Colour = [255.0; 3];
const RED: Colour = [190.0, 30.0, 40.0];
pub(super) const RING: Colour = [120.0, 40.0, 110.0];

/// The symbol of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointSymbol {
    /// A mast with three blades.
    Turbine,
    /// A disc in a ring.
    Observer,
    /// A square.
    Place,
}

impl PointSymbol {
    /// Returns its text in the legend.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Turbine => "turbine or mast",
            Self::Observer => "observer",
            Self::Place => "place",
        }
    }
}

/// Draws the symbol of a point. Returns its extent above and below.
pub(super) fn draw_symbol(drawing: &mut Drawing, at: Vec2, symbol: PointSymbol, unit: f32) -> (f32, f32) {
    match symbol {
        PointSymbol::Turbine => {
            let hub = at - vec2(0.0, 3.0 * unit);
            let blade = |deg: f32| {
                let angle = deg.to_radians();
                hub + vec2(libm::sinf(angle), -libm::cosf(angle)) * 1.9 * unit
            };
            let lines = [vec![at, hub], vec![blade(0.0), hub, blade(120.0)], vec![hub, blade(240.0)]];
            for (width, colour) in [(1.1, WHITE), (0.42, RED)] {
                lines.iter().for_each(|line| drawing.line(line.clone(), width * unit, colour));
                drawing.disc(at, (0.3 + width / 2.0) * unit, colour);
            }
            (4.9 * unit, 0.6 * unit)
        }
        PointSymbol::Observer => {
            for (radius, colour) in [(1.6, RED), (1.25, WHITE), (0.85, RED)] {
                drawing.disc(at, radius * unit, colour);
            }
            (1.6 * unit, 1.6 * unit)
        }
        PointSymbol::Place => {
            for (half, colour) in [(1.15, WHITE), (0.8, INK)] {
                drawing.rectangle(at - half * unit, at + half * unit, colour);
            }
            (1.2 * unit, 1.2 * unit)
        }
    }
}

/// Returns a distance in metres, or in kilometres from 1 km.
pub(super) fn distance_text(metres: f64) -> String {
    if metres >= 1000.0 { format!("{} km", metres / 1000.0) } else { format!("{metres} m") }
}

/// Returns a whole number with commas between thousands: `50,000`; other numbers as they are.
pub(super) fn grouped(number: f64) -> String {
    let text = format!("{number}");
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text;
    }
    let mut out = String::new();
    for (i, digit) in text.char_indices() {
        if i > 0 && (text.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
