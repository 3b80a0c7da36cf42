//! The layout of a sheet: the title above, the map at its scale, and a panel with the legend at its right or below.

use glam::{DVec2, IVec2, Vec2, dvec2, vec2};

use super::base::CellSampling;
use super::drawing::{Drawing, Text};
use super::frame::MapFrame;
use super::key::TRANSPARENCY;
use super::map_sheet::{MapSheet, SheetError};
use super::panel::draw_panel;
use super::paper::Orientation;
use super::png::pixels_per_mm;
use super::rings::rings;
use super::symbols::{INK, PointSymbol, RING, WHITE, distance_text, draw_symbol};
use crate::paint::Colour;
use crate::paint::lettering::{self, Anchor, Face};

/// The margin of the paper, which printers cannot print, in millimetres.
const MARGIN: f32 = 10.0;

/// Lengths in millimetres on A4; they grow with the square root of the paper.
const GAP: f32 = 5.0;
const HEAD: f32 = 15.0;
const PANEL_WIDTH: f32 = 60.0;
const PANEL_HEIGHT: f32 = 62.0;
const TITLE: f32 = 6.6;
const NAME: f32 = 3.2;

/// The parts of a page.
pub(super) struct Page {
    pub(super) orientation: Orientation,
    pub(super) frame: MapFrame,
    size: Vec2,
    panel: [Vec2; 2],
    /// The factor of lengths on A4.
    unit: f32,
}

impl Page {
    /// Divides a page, and places the map.
    pub(super) fn new(sheet: &MapSheet<'_>) -> Result<Self, SheetError> {
        let cell_m = dvec2(sheet.cell_size.x_m, sheet.cell_size.y_m);
        let ground_m = sheet.values.size().as_dvec2() * cell_m;
        let orientation = sheet.paper.orientation.unwrap_or(match ground_m.x >= ground_m.y {
            true => Orientation::Landscape,
            false => Orientation::Portrait,
        });
        let size = sheet.paper.size_mm(orientation);
        let unit = (size.min_element() / 210.0).sqrt();
        let (top, end) = (MARGIN + HEAD * unit, size - MARGIN);
        let (panel, free) = match orientation {
            Orientation::Landscape => {
                let left = end.x - PANEL_WIDTH * unit;
                ([vec2(left, top), end], [vec2(MARGIN, top), vec2(left - GAP * unit, end.y)])
            }
            Orientation::Portrait => {
                let above = end.y - PANEL_HEIGHT * unit;
                ([vec2(MARGIN, above), end], [vec2(MARGIN, top), vec2(end.x, above - GAP * unit)])
            }
        };
        Ok(Self { orientation, frame: frame(sheet, cell_m, free)?, size, panel, unit })
    }

    /// Draws the sheet.
    pub(super) fn draw(&self, sheet: &MapSheet<'_>) -> Drawing {
        let Self { frame, unit, .. } = self;
        let mut drawing = Drawing::new(sheet.title.clone(), self.size);
        let mut map = MapLayers { drawing: &mut drawing, frame, unit: *unit, taken: Vec::new() };
        map.draw_images(sheet);
        map.draw_rings(sheet);
        map.draw_points(sheet);
        drawing.outline(frame.min, frame.max(), 0.3 * unit, INK);
        let free = self.size.x - 2.0 * MARGIN;
        let mut line = |y: f32, text: &str, face: Face, size: f32| {
            let size = size.min(size * free / lettering::width(text, face, size, 0.0).max(1.0));
            let (at, text) = (vec2(MARGIN, y), text.to_owned());
            drawing.text(Text { at, anchor: Anchor::Left, text, face, size, colour: INK, halo: None });
        };
        line(MARGIN + 0.5 * TITLE * unit, &sheet.title, Face::Bold, TITLE * unit);
        line(MARGIN + (HEAD - 3.6) * unit, &sheet.subtitle, Face::Roman, 3.8 * unit);
        draw_panel(&mut drawing, sheet, frame, self.panel, self.orientation, *unit);
        drawing
    }
}

/// Chooses the scale and the cells on the paper.
fn frame(sheet: &MapSheet<'_>, cell_m: DVec2, [min, max]: [Vec2; 2]) -> Result<MapFrame, SheetError> {
    let (free, size) = ((max - min).as_dvec2(), sheet.values.size());
    let at_most = (size.as_dvec2() * cell_m * 1000.0 / free).max_element();
    let scale = sheet.scale.unwrap_or_else(|| round_scale(at_most));
    let mm_per_cell = cell_m * 1000.0 / scale;
    if !mm_per_cell.cmple(free).all() {
        let least = (cell_m * 1000.0 / free).max_element().ceil();
        let (cell_m, cell_mm, free_mm) = match mm_per_cell.x > free.x {
            true => (cell_m.x, mm_per_cell.x, free.x),
            false => (cell_m.y, mm_per_cell.y, free.y),
        };
        return Err(SheetError::CellTooLarge { cell_m, cell_mm, free_mm, scale, least });
    }
    let cells = size.min((free / mm_per_cell + 1e-6).floor().as_ivec2());
    let centre = centre(sheet).unwrap_or(size.as_dvec2() / 2.0);
    let first = (centre - cells.as_dvec2() / 2.0).round().as_ivec2().clamp(IVec2::ZERO, size - cells);
    Ok(MapFrame { first, cells, min, mm_per_cell: mm_per_cell.as_vec2(), scale })
}

/// Returns the middle of the points, without places if there are others.
fn centre(sheet: &MapSheet<'_>) -> Option<DVec2> {
    let observers = sheet.points.iter().filter(|point| point.symbol != PointSymbol::Place).map(|point| point.at);
    let (low, high) = observers.fold(None, |ends: Option<(DVec2, DVec2)>, at| {
        Some(ends.map_or((at, at), |(low, high)| (low.min(at), high.max(at))))
    })?;
    Some((low + high) / 2.0)
}

/// Returns a round denominator that is at least a number, and at least 1.
fn round_scale(least: f64) -> f64 {
    const STEPS: [f64; 11] = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 10.0];
    let mut power = 1.0;
    loop {
        let round = STEPS.into_iter().map(|step| step * power).find(|scale| *scale >= least * (1.0 - 1e-9));
        match round {
            Some(scale) => return scale,
            None if power < 1e12 => power *= 10.0,
            None => return least,
        }
    }
}

/// Draws what is in the frame.
struct MapLayers<'a> {
    drawing: &'a mut Drawing,
    frame: &'a MapFrame,
    unit: f32,
    /// The rectangles of symbols and texts.
    taken: Vec<(Vec2, Vec2)>,
}

impl MapLayers<'_> {
    fn draw_images(&mut self, sheet: &MapSheet<'_>) {
        let corners = [self.frame.min, self.frame.max()];
        let most = ((corners[1] - corners[0]) * pixels_per_mm(sheet.dpi)).ceil().as_ivec2();
        let base = sheet.base.image(self.frame, sheet.georeference.as_ref(), most);
        let alpha = if base.is_some() { (255.0 * (1.0 - TRANSPARENCY)) as u8 } else { u8::MAX };
        if let Some(base) = base {
            self.drawing.image(corners, base);
        }
        let colour = sheet.colours.lookup();
        let zones = CellSampling::new(self.frame, most).image(false, |cell| match colour(sheet.values[cell]) {
            Some([red, green, blue]) => [red, green, blue, alpha],
            None => [0; 4],
        });
        self.drawing.image(corners, zones);
    }

    fn draw_rings(&mut self, sheet: &MapSheet<'_>) {
        let cell_m = dvec2(sheet.cell_size.x_m, sheet.cell_size.y_m);
        let points: Vec<DVec2> = sheet
            .points
            .iter()
            .filter(|point| point.symbol != PointSymbol::Place)
            .map(|point| point.at * cell_m)
            .collect();
        let first = self.frame.first.as_dvec2();
        let corners = [first, first + self.frame.cells.as_dvec2()].map(|corner| corner * cell_m);
        for &radius_m in &sheet.rings_m {
            let lines = rings(&points, radius_m, corners);
            for line in &lines {
                let line: Vec<Vec2> = line.iter().map(|at| self.frame.place(*at / cell_m)).collect();
                self.drawing.line(line.clone(), 0.7 * self.unit, WHITE);
                self.drawing.line(line, 0.3 * self.unit, RING);
            }
            let highest = lines.iter().flatten().min_by(|a, b| a.y.total_cmp(&b.y));
            if let Some(highest) = highest {
                let at = self.frame.place(*highest / cell_m);
                self.add_label(at, 0.0, &distance_text(radius_m), Face::Italic, RING);
            }
        }
    }

    fn draw_points(&mut self, sheet: &MapSheet<'_>) {
        let shown = || {
            let placed = sheet.points.iter().map(|point| (point, self.frame.place(point.at)));
            placed.filter(|(_, at)| self.frame.contains(*at)).collect::<Vec<_>>()
        };
        let shown = shown();
        for (point, at) in &shown {
            let (above, below) = draw_symbol(self.drawing, *at, point.symbol, self.unit);
            self.taken.push((*at - vec2(1.2 * self.unit, above), *at + vec2(1.2 * self.unit, below)));
        }
        for (point, at) in &shown {
            let face = if point.symbol == PointSymbol::Place { Face::Roman } else { Face::Bold };
            self.add_label(*at, 1.9 * self.unit, &point.name, face, INK);
        }
    }

    /// Draws a text next to a point, where it is inside of the frame and free; nowhere if it is not.
    fn add_label(&mut self, at: Vec2, distance: f32, text: &str, face: Face, colour: Colour) {
        if text.is_empty() {
            return;
        }
        let size = NAME * self.unit;
        let half = vec2(lettering::width(text, face, size, 0.0) / 2.0, 0.5 * size);
        let (side, row) = (distance + half.x, distance + half.y);
        let offsets = [
            vec2(side, 0.0),
            vec2(-side, 0.0),
            vec2(0.0, row),
            vec2(0.0, -row - distance),
            vec2(side, row),
            vec2(-side, row),
            vec2(side, -row),
            vec2(-side, -row),
        ];
        let offsets = if distance > 0.0 { &offsets[..] } else { &[Vec2::ZERO, vec2(0.0, 2.0), vec2(0.0, -2.0)][..] };
        let free = offsets.iter().map(|offset| at + *offset).find(|at| {
            let (min, max) = (*at - half, *at + half);
            let is_free = |(low, high): &(Vec2, Vec2)| max.cmplt(*low).any() || min.cmpgt(*high).any();
            self.frame.contains(min) && self.frame.contains(max) && self.taken.iter().all(is_free)
        });
        if let Some(at) = free {
            self.taken.push((at - half, at + half));
            let text = text.to_owned();
            self.drawing.text(Text { at, anchor: Anchor::Middle, text, face, size, colour, halo: Some(WHITE) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round() {
        let rounded = [50_000.0, 50_001.0, 12_300.0, 25_000.1, 99_000.0, 0.3].map(round_scale);
        assert_eq!(rounded, [50_000.0, 60_000.0, 12_500.0, 30_000.0, 100_000.0, 1.0]);
    }
}
