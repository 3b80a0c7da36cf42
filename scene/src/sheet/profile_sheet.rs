//! [`ProfileSheet`]: the profile of a line on paper: ground, houses and crowns below the straight line and its Fresnel zone.

use std::io::Write;

use glam::{Vec2, vec2};

use super::drawing::{Drawing, Text};
use super::pdf::pdf;
use super::png::write_png;
use super::svg::svg;
use crate::files::{Georeference, Provenance, SheetSource, WriteError};
use crate::paint::Colour;
use crate::paint::lettering::{Anchor, Face};
use farsight::Job;
use farsight::viewshed::{Profile, ProfilePoint};

/// The size of the page and of the plot, in millimetres.
const SIZE: Vec2 = vec2(240.0, 112.0);
const PLOT: [Vec2; 2] = [vec2(19.0, 17.0), vec2(232.0, 92.0)];

/// The pixels per inch of a picture.
const DPI: u32 = 150;

const INK: Colour = [51.0, 48.0, 42.0];
const PALE: Colour = [205.0, 201.0, 192.0];
const SKY: Colour = [240.0, 244.0, 246.0];
const GROUND: Colour = [196.0, 178.0, 148.0];
const HOUSE: Colour = [150.0, 96.0, 84.0];
const CROWN: Colour = [122.0, 158.0, 104.0];
const CLEAR: Colour = [28.0, 98.0, 160.0];
const HIDDEN: Colour = [200.0, 40.0, 40.0];
const ZONE: Colour = [150.0, 180.0, 214.0];

/// A profile with its title, ready to be written as a picture, as SVG or as PDF.
pub struct ProfileSheet {
    profile: Profile,
    title: String,
    summary: String,
    /// The frequency of radio waves, in hertz; 0 for light.
    frequency_hz: f64,
    /// The share of the first Fresnel zone that must be clear.
    zone_share: f64,
    provenance: Provenance,
}

impl ProfileSheet {
    /// Creates the sheet of a profile; `summary` is a line below the title. The first Fresnel zone is that of a frequency in hertz, 0
    /// for light, of which a share must be clear.
    pub fn new(
        profile: Profile,
        [title, summary]: [String; 2],
        [frequency_hz, zone_share]: [f64; 2],
        provenance: Provenance,
    ) -> Self {
        Self { profile, title, summary, frequency_hz, zone_share, provenance }
    }

    fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(self.title.clone(), SIZE);
        let axes = Axes::new(&self.profile, self.frequency_hz);
        drawing.rectangle(PLOT[0], PLOT[1], SKY);
        axes.draw_grid(&mut drawing);
        let points = &self.profile.points;
        for (height, colour) in [
            ((|point| point.surface_m) as fn(&ProfilePoint) -> f64, CROWN),
            (|point| point.obstacle_m, HOUSE),
            (|point| point.ground_m, GROUND),
        ] {
            for run in points.split(|point| point.ground_m.is_nan()).filter(|run| run.len() > 1) {
                axes.fill_below(&mut drawing, run, height, colour);
            }
        }
        self.draw_zone(&axes, &mut drawing);
        self.draw_line(&axes, &mut drawing);
        self.draw_obstacles(&axes, &mut drawing);
        drawing.outline(PLOT[0], PLOT[1], 0.25, INK);
        let mut text = |at: Vec2, text: &str, face: Face, size: f32| {
            let (text, anchor) = (text.to_owned(), Anchor::Left);
            drawing.text(Text { at, anchor, text, face, size, colour: INK, halo: None });
        };
        text(vec2(PLOT[0].x, 6.0), &self.title, Face::Bold, 4.6);
        text(vec2(PLOT[0].x, 12.0), &self.summary, Face::Roman, 3.4);
        self.draw_key(&axes, &mut drawing);
        drawing
    }

    fn draw_zone(&self, axes: &Axes, drawing: &mut Drawing) {
        if self.frequency_hz <= 0.0 {
            return;
        }
        for (share, width) in [(1.0, 0.2), (self.zone_share, 0.4)] {
            for side in [-share, share] {
                let edge = |point: &ProfilePoint| {
                    let radius_m = self.profile.fresnel_radius_m(point.distance_m, self.frequency_hz);
                    axes.at(point.distance_m, point.line_m + side * radius_m)
                };
                drawing.line(self.profile.points.iter().map(edge).collect(), width, ZONE);
            }
        }
    }

    fn draw_line(&self, axes: &Axes, drawing: &mut Drawing) {
        let on_line = |point: &ProfilePoint| axes.at(point.distance_m, point.line_m);
        drawing.line(self.profile.points.iter().map(on_line).collect(), 0.5, CLEAR);
        for ends in self.profile.points.windows(2).filter(|ends| ends.iter().any(|end| end.clearance_m() < 0.0)) {
            drawing.line(ends.iter().map(on_line).collect(), 0.7, HIDDEN);
        }
        if let [first, .., last] = &self.profile.points[..] {
            [first, last].into_iter().for_each(|end| drawing.disc(on_line(end), 0.9, CLEAR));
        }
    }

    fn draw_obstacles(&self, axes: &Axes, drawing: &mut Drawing) {
        let worst = self.profile.worst_obstacle(self.frequency_hz, self.zone_share);
        let first = self.profile.first_obstacle(self.frequency_hz, self.zone_share);
        for (name, point) in [("worst", worst), ("first", first.filter(|first| Some(*first) != worst))] {
            let Some(point) = point else { continue };
            let (top, line) = (axes.at(point.distance_m, point.surface_m), axes.at(point.distance_m, point.line_m));
            drawing.line(vec![top, line], 0.4, HIDDEN);
            drawing.disc(top, 0.9, HIDDEN);
            let at =
                vec2(top.x.clamp(PLOT[0].x + 26.0, PLOT[1].x - 26.0), (top.y.min(line.y) - 3.0).max(PLOT[0].y + 3.0));
            let over_m = -point.clearance_m();
            let side = if over_m >= 0.0 { "above" } else { "below" };
            let distance = distance_text(point.distance_m);
            let text = format!("{name}: {:.1} m {side} the line at {distance}", over_m.abs());
            let (anchor, face, halo) = (Anchor::Middle, Face::Roman, Some(SKY));
            drawing.text(Text { at, anchor, text, face, size: 3.0, colour: HIDDEN, halo });
        }
    }

    fn draw_key(&self, axes: &Axes, drawing: &mut Drawing) {
        let points = &self.profile.points;
        let mut entries = vec![("line of sight", CLEAR), ("ground", GROUND)];
        entries.extend(points.iter().any(|point| point.obstacle_m > point.ground_m).then_some(("obstacles", HOUSE)));
        entries.extend(points.iter().any(|point| point.surface_m > point.obstacle_m).then_some(("crowns", CROWN)));
        entries.extend((self.frequency_hz > 0.0).then_some(("first Fresnel zone", ZONE)));
        let mut x = PLOT[0].x;
        let y = SIZE.y - 5.0;
        for (name, colour) in entries {
            drawing.rectangle(vec2(x, y - 1.2), vec2(x + 4.0, y + 1.2), colour);
            let (anchor, face) = (Anchor::Left, Face::Roman);
            drawing.text(Text {
                at: vec2(x + 5.5, y),
                anchor,
                text: name.to_owned(),
                face,
                size: 3.0,
                colour: INK,
                halo: None,
            });
            x += 14.0 + 1.6 * name.len() as f32;
        }
        let text = format!("vertical exaggeration {:.1}", axes.exaggeration());
        let (anchor, face) = (Anchor::Middle, Face::Italic);
        drawing.text(Text { at: vec2(PLOT[1].x - 17.0, y), anchor, text, face, size: 3.0, colour: INK, halo: None });
    }
}

/// The scales of distances and heights.
struct Axes {
    length_m: f64,
    low_m: f64,
    high_m: f64,
}

impl Axes {
    fn new(profile: &Profile, frequency_hz: f64) -> Self {
        let radius_m = |point: &ProfilePoint| profile.fresnel_radius_m(point.distance_m, frequency_hz);
        let lows = profile.points.iter().map(|point| point.ground_m.min(point.line_m - radius_m(point)));
        let highs = profile.points.iter().map(|point| point.surface_m.max(point.line_m + radius_m(point)));
        let (low, high) = (lows.fold(f64::INFINITY, f64::min), highs.fold(f64::NEG_INFINITY, f64::max));
        let span = (high - low).max(1.0);
        Self { length_m: profile.length_m.max(1e-3), low_m: low - 0.08 * span, high_m: high + 0.12 * span }
    }

    fn at(&self, distance_m: f64, height_m: f64) -> Vec2 {
        let (x, y) = (distance_m / self.length_m, (height_m - self.low_m) / (self.high_m - self.low_m));
        let size = PLOT[1] - PLOT[0];
        vec2(PLOT[0].x + size.x * x as f32, PLOT[1].y - size.y * y as f32)
    }

    /// Returns the ratio of the scale of heights to that of distances.
    fn exaggeration(&self) -> f64 {
        let size = (PLOT[1] - PLOT[0]).as_dvec2();
        size.y / (self.high_m - self.low_m) / (size.x / self.length_m)
    }

    fn fill_below(
        &self,
        drawing: &mut Drawing,
        run: &[ProfilePoint],
        height: fn(&ProfilePoint) -> f64,
        colour: Colour,
    ) {
        let mut corners: Vec<Vec2> = run.iter().map(|point| self.at(point.distance_m, height(point))).collect();
        let ends = [run.last(), run.first()].into_iter().flatten();
        corners.extend(ends.map(|end| self.at(end.distance_m, self.low_m)));
        drawing.polygon(&corners, colour);
    }

    fn draw_grid(&self, drawing: &mut Drawing) {
        let label = |at: Vec2, text: String| Text {
            at,
            anchor: Anchor::Middle,
            text,
            face: Face::Roman,
            size: 3.0,
            colour: INK,
            halo: None,
        };
        for height_m in ticks(self.low_m, self.high_m, 6) {
            let y = self.at(0.0, height_m).y;
            drawing.line(vec![vec2(PLOT[0].x, y), vec2(PLOT[1].x, y)], 0.15, PALE);
            drawing.text(label(vec2(PLOT[0].x - 9.0, y), format!("{} m", (height_m * 1e3).round() / 1e3 + 0.0)));
        }
        for distance_m in ticks(0.0, self.length_m, 8) {
            let x = self.at(distance_m, self.low_m).x;
            drawing.line(vec![vec2(x, PLOT[1].y), vec2(x, PLOT[1].y + 1.2)], 0.25, INK);
            drawing.text(label(vec2(x, PLOT[1].y + 4.0), distance_text(distance_m)));
        }
    }
}

/// Returns round numbers between two others, about as many as `count`.
fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let least = (high - low) / count as f64;
    // 1, 2, 5, 10, …
    let (mut step, mut factors) = (1e-3, [2.0, 2.5, 2.0].into_iter().cycle());
    while step < least * (1.0 - 1e-9) {
        step *= factors.next().unwrap_or(10.0);
    }
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|tick| *tick <= high).collect()
}

/// Returns `850 m` or `12.5 km`.
fn distance_text(metres: f64) -> String {
    if metres < 1000.0 { format!("{} m", metres.round()) } else { format!("{} km", (metres / 10.0).round() / 100.0) }
}

impl SheetSource for ProfileSheet {
    fn summary(&self) -> &str {
        &self.summary
    }

    fn georeference(&self) -> Option<&Georeference> {
        None
    }

    fn write_png(&self, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        write_png(&self.draw(), DPI, &self.provenance, job, out)
    }

    fn write_svg(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        Ok(out.write_all(svg(&self.draw())?.as_bytes())?)
    }

    fn write_pdf(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        Ok(out.write_all(&pdf(&self.draw()))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 8000.0, 8), [0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0, 6000.0, 7000.0, 8000.0]);
        assert_eq!(ticks(101.0, 240.0, 6), [150.0, 200.0]);
        assert_eq!(ticks(-3.0, 9.0, 6), [-2.0, 0.0, 2.0, 4.0, 6.0, 8.0]);
    }

    #[test]
    fn distances_have_a_unit() {
        assert_eq!([0.0, 850.4, 12_500.0].map(distance_text), ["0 m", "850 m", "12.5 km"]);
    }
}
