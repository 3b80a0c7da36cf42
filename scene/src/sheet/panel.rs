//! The panel of a sheet: legend, scale bar, north arrow, and notes.

use glam::{Vec2, vec2};

use super::base::Base;
use super::drawing::{Drawing, Text};
use super::frame::MapFrame;
use super::key::{ZoneColours, on_base};
use super::map_sheet::MapSheet;
use super::paper::Orientation;
use super::symbols::{INK, PointSymbol, RING, WHITE, distance_text, draw_symbol, grouped};
use crate::paint::lettering::{self, Anchor, Face};
use crate::paint::round_length_m;

/// Lengths in millimetres on A4.
const TEXT: f32 = 3.2;
const SMALL: f32 = 2.8;
const ROW: f32 = 5.2;
const SWATCH: Vec2 = vec2(6.0, 3.6);

/// Draws the panel in a rectangle: in one column, or in three below a map.
pub(super) fn draw_panel(
    drawing: &mut Drawing,
    sheet: &MapSheet<'_>,
    frame: &MapFrame,
    [min, max]: [Vec2; 2],
    orientation: Orientation,
    unit: f32,
) {
    let mut column = Column { drawing, at: min, width: max.x - min.x, bottom: max.y, unit };
    match orientation {
        Orientation::Landscape => {
            let notes = column.wrapped(&sheet.notes);
            let foot = notes.len() as f32 * SMALL * 1.35 * unit;
            column.bottom = max.y - foot - 44.0 * unit;
            column.draw_legend(sheet);
            column.at.y = max.y - foot - 40.0 * unit;
            column.draw_scale_bar(sheet, frame);
            column.draw_north(sheet);
            column.at.y = max.y - foot;
            column.draw_notes(&notes);
        }
        Orientation::Portrait => {
            let step = (max.x - min.x) / 3.0;
            column.width = step - 4.0 * unit;
            column.draw_legend(sheet);
            column.at = vec2(min.x + step, min.y);
            column.draw_scale_bar(sheet, frame);
            column.draw_north(sheet);
            column.at = vec2(min.x + 2.0 * step, min.y);
            let notes = column.wrapped(&sheet.notes);
            column.draw_notes(&notes);
        }
    }
}

/// A column that is filled from the top.
struct Column<'a> {
    drawing: &'a mut Drawing,
    at: Vec2,
    width: f32,
    /// The end of the legend.
    bottom: f32,
    unit: f32,
}

impl Column<'_> {
    fn text(&mut self, at: Vec2, anchor: Anchor, text: &str, face: Face, size: f32) {
        let (text, size) = (text.to_owned(), size * self.unit);
        self.drawing.text(Text { at, anchor, text, face, size, colour: INK, halo: None });
    }

    /// Draws a text at a distance from the left, shortened to the column.
    fn entry(&mut self, left: f32, text: &str, face: Face) {
        let (free, size) = (self.width - left * self.unit, TEXT * self.unit);
        let mut shown = text.to_owned();
        while lettering::width(&shown, face, size, 0.0) > free && !shown.is_empty() {
            shown.truncate(shown.trim_end_matches('…').char_indices().next_back().map_or(0, |(at, _)| at));
            shown.push('…');
        }
        self.text(self.at + vec2(left, ROW / 2.0) * self.unit, Anchor::Left, &shown, face, TEXT);
        self.at.y += ROW * self.unit;
    }

    fn has_row(&self) -> bool {
        self.at.y + 2.0 * ROW * self.unit <= self.bottom
    }

    fn draw_legend(&mut self, sheet: &MapSheet<'_>) {
        let has_base = !matches!(sheet.base, Base::Blank);
        if sheet.colours.has_entries() {
            self.entry(0.0, &sheet.heading, Face::Bold);
        }
        match &sheet.colours {
            ZoneColours::Zones(zones) => {
                for (i, zone) in zones.iter().enumerate() {
                    if !self.has_row() && i + 1 < zones.len() {
                        self.entry(8.5, &format!("… to {}", zones[zones.len() - 1].label), Face::Roman);
                        break;
                    }
                    self.draw_swatch(zone.colour, has_base);
                    self.entry(8.5, &zone.label, Face::Roman);
                }
            }
            ZoneColours::Ramp { colours, low, high, unit } => {
                let (size, steps) = (vec2(self.width.min(48.0 * self.unit), 4.0 * self.unit), 48);
                let corner = self.at + vec2(0.0, self.unit);
                for i in 0..steps {
                    let colour = colours[i * (colours.len() - 1) / (steps - 1)];
                    let left = size.x * i as f32 / steps as f32;
                    // To the end of the bar, so that no seams show.
                    self.drawing.rectangle(corner + vec2(left, 0.0), corner + size, on_base(colour, has_base));
                }
                self.drawing.outline(corner, corner + size, 0.2 * self.unit, INK);
                let row = corner.y + size.y + 2.6 * self.unit;
                for share in [0.0, 0.5, 1.0] {
                    let number = round_number(f64::from(low + (high - low) * share));
                    let text = if share == 1.0 { format!("{number} {unit}") } else { number };
                    let width = lettering::width(&text, Face::Roman, TEXT * self.unit, 0.0);
                    let left = (size.x * share - width * 0.5).clamp(0.0, self.width - width);
                    self.text(vec2(corner.x + left, row), Anchor::Left, text.trim_end(), Face::Roman, TEXT);
                }
                self.at.y = row + 3.5 * self.unit;
            }
        }
        let mut symbols: Vec<PointSymbol> = sheet.points.iter().map(|point| point.symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        self.at.y += 1.5 * self.unit;
        for symbol in symbols {
            let drop = if symbol == PointSymbol::Turbine { 1.8 } else { 0.0 };
            let at = self.at + vec2(SWATCH.x / 2.0, ROW / 2.0 + drop) * self.unit;
            draw_symbol(self.drawing, at, symbol, self.unit);
            self.entry(8.5, symbol.label(), Face::Roman);
        }
        if !sheet.rings_m.is_empty() {
            let at = self.at + vec2(0.0, ROW / 2.0) * self.unit;
            let line = vec![at, at + vec2(SWATCH.x * self.unit, 0.0)];
            self.drawing.line(line, 0.3 * self.unit, RING);
            self.entry(8.5, "distance from the nearest", Face::Roman);
        }
    }

    fn draw_swatch(&mut self, colour: Option<[u8; 3]>, has_base: bool) {
        let corner = self.at + vec2(0.0, (ROW - SWATCH.y) / 2.0) * self.unit;
        let end = corner + SWATCH * self.unit;
        if let Some(colour) = colour {
            self.drawing.rectangle(corner, end, on_base(colour, has_base));
        }
        self.drawing.outline(corner, end, 0.2 * self.unit, INK);
    }

    fn draw_scale_bar(&mut self, sheet: &MapSheet<'_>, frame: &MapFrame) {
        let mm_per_m = 1000.0 / frame.scale;
        let metres = round_length_m(f64::from(self.width.min(45.0 * self.unit)) / mm_per_m);
        let (length, height) = ((metres * mm_per_m) as f32, 1.6 * self.unit);
        self.entry(0.0, &format!("1:{} on {}", grouped(frame.scale), sheet.paper.format.name()), Face::Bold);
        let corner = self.at + vec2(0.0, self.unit);
        let middle = corner + vec2(length / 2.0, height);
        self.drawing.rectangle(corner, middle, INK);
        self.drawing.rectangle(vec2(middle.x, corner.y), corner + vec2(length, height), WHITE);
        self.drawing.outline(corner, corner + vec2(length, height), 0.2 * self.unit, INK);
        let row = corner.y + height + 2.6 * self.unit;
        self.text(vec2(corner.x, row), Anchor::Left, "0", Face::Roman, TEXT);
        let text = distance_text(metres);
        let half = lettering::width(&text, Face::Roman, TEXT * self.unit, 0.0) / 2.0;
        let x = (corner.x + length).min(self.at.x + self.width - half);
        self.text(vec2(x, row), Anchor::Middle, &text, Face::Roman, TEXT);
        self.at.y = row + 4.0 * self.unit;
    }

    /// Draws an arrow to the north, with its name.
    fn draw_north(&mut self, sheet: &MapSheet<'_>) {
        let centre = self.at + vec2(9.0, 10.0) * self.unit;
        let angle = sheet.north.angle_deg.to_radians();
        let up = vec2(libm::sin(angle) as f32, -libm::cos(angle) as f32);
        let point = |along: f32, across: f32| centre + (up * along + up.perp() * across) * self.unit;
        let [tip, left, notch, right] = [point(7.0, 0.0), point(-7.0, -3.4), point(-4.5, 0.0), point(-7.0, 3.4)];
        self.drawing.polygon(&[tip, notch, left], WHITE);
        self.drawing.polygon(&[tip, right, notch], INK);
        self.drawing.line(vec![tip, right, notch, left, tip], 0.25 * self.unit, INK);
        let at = point(9.6, 0.0);
        self.text(at, Anchor::Middle, "N", Face::Bold, 4.4);
        let left = centre + vec2(8.0 * self.unit, 0.0);
        self.text(left, Anchor::Left, &sheet.north.name, Face::Roman, TEXT);
        self.at.y = centre.y + 9.0 * self.unit;
    }

    /// Breaks texts into lines of the column.
    fn wrapped(&self, texts: &[String]) -> Vec<String> {
        let fits = |line: &str| lettering::width(line, Face::Roman, SMALL * self.unit, 0.0) <= self.width;
        let mut lines: Vec<String> = Vec::new();
        for text in texts {
            let mut line = String::new();
            for word in text.split_whitespace() {
                let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                if fits(&longer) {
                    line = longer;
                    continue;
                }
                lines.extend((!line.is_empty()).then(|| std::mem::take(&mut line)));
                for letter in word.chars() {
                    if !fits(&format!("{line}{letter}")) {
                        lines.push(std::mem::take(&mut line));
                    }
                    line.push(letter);
                }
            }
            lines.push(line);
        }
        lines
    }

    fn draw_notes(&mut self, lines: &[String]) {
        for line in lines {
            self.at.y += SMALL * 1.35 * self.unit;
            self.text(self.at - vec2(0.0, SMALL * 0.6 * self.unit), Anchor::Left, line, Face::Roman, SMALL);
        }
    }
}

/// Returns a number with three digits, or more if it is whole.
fn round_number(number: f64) -> String {
    let digits = if number.abs() >= 100.0 || number == number.round() {
        0
    } else if number.abs() >= 10.0 {
        1
    } else {
        2
    };
    format!("{number:.digits$}")
}
