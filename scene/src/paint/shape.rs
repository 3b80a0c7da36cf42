//! Antialiased shapes: a [`Path`] of lines and curves, and the [`Mask`] of its coverage.

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use glam::{DVec2, IVec2, Vec2, vec2};

use super::colour::Colour;
use super::picture::Picture;

/// A rectangle of pixels; `max` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelBounds {
    pub(crate) min: IVec2,
    pub(crate) max: IVec2,
}

impl PixelBounds {
    /// Returns the pixels of a picture.
    pub(crate) fn of(picture: &Picture) -> Self {
        let side = |pixels: usize| i32::try_from(pixels).unwrap_or(i32::MAX);
        Self { min: IVec2::ZERO, max: IVec2::new(side(picture.width()), side(picture.height())) }
    }

    /// Returns the pixels that a rectangle touches.
    pub(crate) fn around(min: Vec2, max: Vec2) -> Self {
        Self { min: min.floor().as_ivec2(), max: max.ceil().as_ivec2() }
    }

    /// Returns the rectangle, grown by `pixels` on each side.
    pub(crate) fn grown(self, pixels: i32) -> Self {
        let by = IVec2::splat(pixels);
        Self { min: self.min.saturating_sub(by), max: self.max.saturating_add(by) }
    }

    /// Returns the intersection, or `None` if it is empty.
    pub(crate) fn intersection(self, other: Self) -> Option<Self> {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        common.min.cmplt(common.max).all().then_some(common)
    }
}

/// Axes and origin of a drawing on a picture: the images of its points (1, 0), (0, 1) and (0, 0).
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawingAxes {
    pub(crate) x_axis: Vec2,
    pub(crate) y_axis: Vec2,
    pub(crate) origin: Vec2,
}

impl DrawingAxes {
    /// Returns the placement of a drawing without rotation.
    pub(crate) fn at(origin: Vec2, scale: f32) -> Self {
        Self { x_axis: vec2(scale, 0.0), y_axis: vec2(0.0, scale), origin }
    }

    /// Returns the pixel position of a point of the drawing.
    pub(crate) fn apply(&self, point: Vec2) -> Vec2 {
        self.x_axis * point.x + self.y_axis * point.y + self.origin
    }
}

/// A part of a [`Path`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    Move(Vec2),
    Line(Vec2),
    Quad(Vec2, Vec2),
    Cubic(Vec2, Vec2, Vec2),
}

impl Segment {
    fn map(self, change: impl Fn(Vec2) -> Vec2) -> Self {
        match self {
            Self::Move(to) => Self::Move(change(to)),
            Self::Line(to) => Self::Line(change(to)),
            Self::Quad(control, to) => Self::Quad(change(control), change(to)),
            Self::Cubic(first, second, to) => Self::Cubic(change(first), change(second), change(to)),
        }
    }

    /// Returns the control points and the end point.
    fn points(self) -> impl Iterator<Item = Vec2> {
        let points = match self {
            Self::Move(to) | Self::Line(to) => [Some(to), None, None],
            Self::Quad(control, to) => [Some(control), Some(to), None],
            Self::Cubic(first, second, to) => [Some(first), Some(second), Some(to)],
        };
        points.into_iter().flatten()
    }
}

/// Closed contours of lines and Bézier curves. It ignores segments with coordinates that are not finite.
///
/// Contours of the same orientation add up, contours of the opposite orientation cut holes. A straight line closes an
/// open contour.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Path {
    segments: Vec<Segment>,
}

impl Path {
    /// Starts a contour.
    pub(crate) fn move_to(&mut self, to: Vec2) -> &mut Self {
        self.push(Segment::Move(to))
    }

    /// Adds a straight line.
    pub(crate) fn line_to(&mut self, to: Vec2) -> &mut Self {
        self.push(Segment::Line(to))
    }

    /// Adds a quadratic Bézier curve.
    pub(crate) fn quad_to(&mut self, control: Vec2, to: Vec2) -> &mut Self {
        self.push(Segment::Quad(control, to))
    }

    /// Adds a cubic Bézier curve.
    pub(crate) fn curve_to(&mut self, first: Vec2, second: Vec2, to: Vec2) -> &mut Self {
        self.push(Segment::Cubic(first, second, to))
    }

    /// Closes the contour; the next segment starts at its first point.
    pub(crate) fn close(&mut self) -> &mut Self {
        let start = self.segments.iter().rev().find_map(|segment| match segment {
            Segment::Move(start) => Some(*start),
            _ => None,
        });
        start.map(|start| self.line_to(start));
        self
    }

    /// Adds a polygon.
    pub(crate) fn polygon(&mut self, corners: &[Vec2]) -> &mut Self {
        for (i, &corner) in corners.iter().enumerate() {
            if i == 0 {
                self.move_to(corner)
            } else {
                self.line_to(corner)
            };
        }
        self.close()
    }

    /// Adds an axis-aligned ellipse.
    pub(crate) fn ellipse(&mut self, centre: Vec2, radii: Vec2) -> &mut Self {
        /// The offset of control points for a quarter of a unit circle.
        const QUARTER: f32 = 0.552_284_8;
        let at = |x: f32, y: f32| centre + radii * vec2(x, y);
        self.move_to(at(1.0, 0.0));
        for (x, y) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
            let (next_x, next_y) = (-y, x);
            let first = at(x + next_x * QUARTER, y + next_y * QUARTER);
            let second = at(next_x + x * QUARTER, next_y + y * QUARTER);
            self.curve_to(first, second, at(next_x, next_y));
        }
        self
    }

    /// Adds a path, placed on the picture.
    pub(crate) fn append(&mut self, path: &Path, placement: &DrawingAxes) -> &mut Self {
        self.append_mapped(path, |point| placement.apply(point))
    }

    /// Adds a path with all its points transformed.
    pub(crate) fn append_mapped(&mut self, path: &Path, change: impl Fn(Vec2) -> Vec2) -> &mut Self {
        for segment in &path.segments {
            self.push(segment.map(&change));
        }
        self
    }

    /// Returns the path, placed on a picture.
    pub(crate) fn placed(&self, placement: &DrawingAxes) -> Self {
        let mut placed = Self::default();
        placed.append(self, placement);
        placed
    }

    /// Returns the bounding box of all points, or `None` for an empty path.
    pub(crate) fn bounds(&self) -> Option<(Vec2, Vec2)> {
        let mut points = self.segments.iter().flat_map(|segment| segment.points());
        let first = points.next()?;
        Some(points.fold((first, first), |(min, max), point| (min.min(point), max.max(point))))
    }

    /// Returns the lines and curves.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    fn push(&mut self, segment: Segment) -> &mut Self {
        if segment.points().all(|point| point.is_finite()) {
            self.segments.push(segment);
        }
        self
    }

    /// Calls `line` with the straight lines of all contours.
    fn flatten(&self, mut line: impl FnMut(Vec2, Vec2)) {
        let (mut start, mut pen) = (Vec2::ZERO, Vec2::ZERO);
        for &segment in &self.segments {
            match segment {
                Segment::Move(to) => {
                    line(pen, start);
                    start = to;
                    pen = to;
                }
                Segment::Line(to) => line(pen, to),
                Segment::Quad(control, to) => {
                    let bend = (pen - 2.0 * control + to).length();
                    let mut last = pen;
                    for share in shares(bend * 0.25) {
                        let rest = 1.0 - share;
                        let next = pen * (rest * rest) + control * (2.0 * rest * share) + to * (share * share);
                        line(last, next);
                        last = next;
                    }
                    line(last, to);
                }
                Segment::Cubic(first, second, to) => {
                    let bend = (pen - 2.0 * first + second).length().max((first - 2.0 * second + to).length());
                    let mut last = pen;
                    for share in shares(bend * 0.75) {
                        let rest = 1.0 - share;
                        let near = pen * (rest * rest * rest) + first * (3.0 * rest * rest * share);
                        let far = second * (3.0 * rest * share * share) + to * (share * share * share);
                        line(last, near + far);
                        last = near + far;
                    }
                    line(last, to);
                }
            }
            pen = segment.points().last().unwrap_or(pen);
        }
        line(pen, start);
    }
}

/// Returns the parameters at which to divide a curve, so that the lines are close to it. `bend` is the distance of a
/// single line from the curve.
fn shares(bend: f32) -> impl Iterator<Item = f32> {
    const TOLERANCE: f32 = 0.015;
    const MAX_LINES: f32 = 200.0;
    let lines = (bend / TOLERANCE).sqrt().ceil().clamp(1.0, MAX_LINES) as u16;
    (1..lines).map(move |i| f32::from(i) / f32::from(lines))
}

/// The coverage of each pixel of a rectangle, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mask {
    pub(crate) bounds: PixelBounds,
    /// Row-major coverage, from the top.
    pub(crate) coverage: Vec<f32>,
}

impl Mask {
    /// Returns an empty mask.
    pub(crate) fn empty(bounds: PixelBounds) -> Self {
        let size = (bounds.max - bounds.min).max(IVec2::ZERO);
        Self { bounds, coverage: vec![0.0; size.x as usize * size.y as usize] }
    }

    /// Returns the part of a path inside `clip`, or `None` if it is empty.
    pub(crate) fn of_path(path: &Path, clip: PixelBounds) -> Option<Self> {
        let (min, max) = path.bounds()?;
        let bounds = PixelBounds::around(min, max).intersection(clip)?;
        let mut mask = Self::empty(bounds);
        let width = mask.width();
        // The sums of a row need one more column.
        let mut rasterizer = Rasterizer::new(width + 1, mask.height());
        let corner = bounds.min.as_dvec2();
        let size = (bounds.max - bounds.min).as_dvec2();
        path.flatten(|from, to| {
            clip_line(from.as_dvec2() - corner, to.as_dvec2() - corner, size, |from, to| {
                rasterizer.draw_line(from, to);
            });
        });
        rasterizer.for_each_pixel(|index, coverage| {
            let (x, y) = (index % (width + 1), index / (width + 1));
            if x < width {
                mask.coverage[y * width + x] = if coverage < NEGLIGIBLE { 0.0 } else { coverage.min(1.0) };
            }
        });
        Some(mask)
    }

    /// Returns the part inside `clip` of a line with round joins and caps, or `None` if it is empty.
    pub(crate) fn of_stroke(line: &[Vec2], width: f32, clip: PixelBounds) -> Option<Self> {
        if !width.is_finite() || width <= 0.0 {
            return None;
        }
        let points: Vec<Vec2> = line.iter().copied().filter(|point| point.is_finite()).collect();
        let first = *points.first()?;
        let (min, max) = points.iter().fold((first, first), |(min, max), &p| (min.min(p), max.max(p)));
        let reach = Vec2::splat(width / 2.0 + 1.0);
        let mut mask = Self::empty(PixelBounds::around(min - reach, max + reach).intersection(clip)?);
        // Lines thinner than a pixel are pale instead of broken.
        let (radius, strength) = (width.max(1.0) / 2.0, width.min(1.0));
        let segments = points.windows(2).map(|ends| (ends[0], ends[1]));
        for (from, to) in segments.chain((points.len() == 1).then_some((first, first))) {
            let around = PixelBounds::around(from.min(to) - reach, from.max(to) + reach);
            let Some(part) = around.intersection(mask.bounds) else { continue };
            for y in part.min.y..part.max.y {
                for x in part.min.x..part.max.x {
                    let distance = distance_to_segment(vec2(x as f32, y as f32) + 0.5, from, to);
                    let covered = (radius + 0.5 - distance).clamp(0.0, 1.0) * strength;
                    let at = mask.index(x, y);
                    mask.coverage[at] = mask.coverage[at].max(covered);
                }
            }
        }
        Some(mask)
    }

    /// Returns the number of columns.
    pub(crate) fn width(&self) -> usize {
        (self.bounds.max.x - self.bounds.min.x).max(0) as usize
    }

    /// Returns the number of rows.
    pub(crate) fn height(&self) -> usize {
        (self.bounds.max.y - self.bounds.min.y).max(0) as usize
    }

    /// Returns the index of a pixel inside the bounds.
    fn index(&self, x: i32, y: i32) -> usize {
        (y - self.bounds.min.y) as usize * self.width() + (x - self.bounds.min.x) as usize
    }

    /// Returns the coverage of a pixel of the picture, 0 outside the bounds.
    #[cfg(test)]
    fn get(&self, x: i32, y: i32) -> f32 {
        let PixelBounds { min, max } = self.bounds;
        if x < min.x || y < min.y || x >= max.x || y >= max.y { 0.0 } else { self.coverage[self.index(x, y)] }
    }

    /// Returns the mask grown by a soft margin of about `radius` pixels, at most [`MAX_MARGIN`](Self::MAX_MARGIN).
    pub(crate) fn grown(&self, radius: f32) -> Self {
        let radius = if radius.is_finite() { radius.clamp(0.0, Self::MAX_MARGIN) } else { 0.0 };
        let (full, reach) = (0.6 * radius, 1.6 * radius + 0.5);
        let steps = reach.ceil() as i32;
        let mut kernel = Vec::new();
        for dy in -steps..=steps {
            for dx in -steps..=steps {
                let share = (reach - vec2(dx as f32, dy as f32).length()) / (reach - full);
                if share > 0.0 {
                    let share = share.min(1.0);
                    kernel.push((dx, dy, share * share * (3.0 - 2.0 * share)));
                }
            }
        }
        let mut grown = Self::empty(self.bounds.grown(steps));
        let width = grown.width();
        for (row, line) in self.coverage.chunks_exact(self.width().max(1)).enumerate() {
            for (column, &covered) in line.iter().enumerate().filter(|(_, covered)| **covered > 0.0) {
                let (x, y) = (column as i32 + steps, row as i32 + steps);
                for &(dx, dy, share) in &kernel {
                    let margin = &mut grown.coverage[(y + dy) as usize * width + (x + dx) as usize];
                    *margin = margin.max(covered * share);
                }
            }
        }
        grown
    }

    /// The widest margin of [`grown`](Self::grown), in pixels.
    pub(crate) const MAX_MARGIN: f32 = 8.0;

    /// Blends a colour into the covered pixels.
    pub(crate) fn paint(&self, picture: &mut Picture, colour: Colour, alpha: f32) {
        let Some(part) = self.bounds.intersection(PixelBounds::of(picture)) else { return };
        for y in part.min.y..part.max.y {
            for x in part.min.x..part.max.x {
                picture.blend(x, y, colour, self.coverage[self.index(x, y)] * alpha);
            }
        }
    }
}

/// The maximum rounding error of a sum of coverage.
const NEGLIGIBLE: f32 = 1.0 / 1024.0;

/// Fills the part of a path inside the picture.
pub(crate) fn fill(picture: &mut Picture, path: &Path, colour: Colour, alpha: f32) {
    if let Some(mask) = Mask::of_path(path, PixelBounds::of(picture)) {
        mask.paint(picture, colour, alpha);
    }
}

/// Draws a line with round joins and caps.
pub(crate) fn stroke(picture: &mut Picture, line: &[Vec2], width: f32, colour: Colour, alpha: f32) {
    if let Some(mask) = Mask::of_stroke(line, width, PixelBounds::of(picture)) {
        mask.paint(picture, colour, alpha);
    }
}

/// Returns the distance of a point from a straight line between two points.
pub(crate) fn distance_to_segment(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let (along, offset) = (to - from, point - from);
    let length_squared = along.length_squared();
    let share = if length_squared > 0.0 { (offset.dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (offset - along * share).length()
}

/// Passes the parts of a line inside a rectangle from (0, 0) to `size` to `draw`. Parts to the left or right are moved
/// to that side, since they contribute to the pixels of their rows.
fn clip_line(from: DVec2, to: DVec2, size: DVec2, mut draw: impl FnMut(Point, Point)) {
    /// A distance beyond any picture, but small enough that the sides of a picture are at different fractions of a
    /// line.
    const FARTHEST: f64 = 1e7;
    let [from, to] = [from, to].map(|end| end.clamp(DVec2::splat(-FARTHEST), DVec2::splat(FARTHEST)));
    let rise = to.y - from.y;
    if rise == 0.0 {
        return;
    }
    let at_height = |y: f64| ((y - from.y) / rise).clamp(0.0, 1.0);
    let (mut start, mut end) = (at_height(0.0), at_height(size.y));
    if start > end {
        std::mem::swap(&mut start, &mut end);
    }
    if start == end {
        return;
    }
    let run = to.x - from.x;
    let mut cuts = [start, end, end, end];
    if run != 0.0 {
        let [left, right] = [0.0, size.x].map(|x| ((x - from.x) / run).clamp(start, end));
        cuts = [start, left.min(right), left.max(right), end];
    }
    let at = |share: f64| {
        let position = from + (to - from) * share;
        point(position.x.clamp(0.0, size.x) as f32, position.y.clamp(0.0, size.y) as f32)
    };
    for ends in cuts.windows(2).filter(|ends| ends[0] < ends[1]) {
        draw(at(ends[0]), at(ends[1]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Colour = [255.0; 3];

    fn black(width: usize, height: usize) -> Picture {
        Picture::new(width, height, [0.0; 3])
    }

    fn rectangle(min: Vec2, max: Vec2) -> Path {
        let mut path = Path::default();
        path.polygon(&[min, vec2(max.x, min.y), max, vec2(min.x, max.y)]);
        path
    }

    fn area(mask: &Mask) -> f32 {
        mask.coverage.iter().sum()
    }

    const CLIP: PixelBounds = PixelBounds { min: IVec2::ZERO, max: IVec2::new(40, 30) };

    #[test]
    fn coverage_is_the_area_in_each_pixel() {
        let mask = Mask::of_path(&rectangle(vec2(1.5, 2.0), vec2(4.0, 3.25)), CLIP).unwrap();
        assert_eq!(mask.bounds, PixelBounds { min: IVec2::new(1, 2), max: IVec2::new(4, 4) });
        assert_eq!(mask.coverage, [0.5, 1.0, 1.0, 0.125, 0.25, 0.25]);
        let mut circle = Path::default();
        circle.ellipse(vec2(20.0, 15.0), Vec2::splat(9.0));
        let mask = Mask::of_path(&circle, CLIP).unwrap();
        assert!((area(&mask) - 81.0 * std::f32::consts::PI).abs() < 0.6, "{}", area(&mask));
    }

    #[test]
    fn contours_that_turn_the_other_way_are_holes() {
        let mut path = rectangle(vec2(2.0, 2.0), vec2(12.0, 12.0));
        path.polygon(&[vec2(4.0, 4.0), vec2(4.0, 8.0), vec2(8.0, 8.0), vec2(8.0, 4.0)]);
        let mask = Mask::of_path(&path, CLIP).unwrap();
        assert_eq!((mask.get(5, 5), mask.get(3, 3), mask.get(20, 5)), (0.0, 1.0, 0.0));
        assert!((area(&mask) - 84.0).abs() < 1e-3);
    }

    #[test]
    fn shapes_are_clipped_where_they_leave_the_picture() {
        let whole = rectangle(vec2(-7.0, -1e30), vec2(9.5, 1e30));
        let mut picture = black(12, 5);
        fill(&mut picture, &whole, WHITE, 1.0);
        let row: Vec<u8> = (0..12).map(|x| picture.get(x, 4).unwrap()[0]).collect();
        assert_eq!(row, [255, 255, 255, 255, 255, 255, 255, 255, 255, 128, 0, 0]);
        // A sloped line that crosses both sides.
        let mut wedge = Path::default();
        wedge.polygon(&[vec2(-100.0, 4.0), vec2(100.0, 4.0), vec2(100.0, 14.0), vec2(-100.0, 14.0)]);
        let clip = PixelBounds { min: IVec2::ZERO, max: IVec2::new(8, 8) };
        assert_eq!(area(&Mask::of_path(&wedge, clip).unwrap()), 32.0);
        let mut triangle = Path::default();
        triangle.polygon(&[vec2(-8.0, 0.0), vec2(24.0, 0.0), vec2(8.0, 16.0)]);
        let inside = Mask::of_path(&triangle, PixelBounds { min: IVec2::ZERO, max: IVec2::new(16, 8) }).unwrap();
        assert!((area(&inside) - 128.0).abs() < 1e-3, "{}", area(&inside));
    }

    #[test]
    fn shapes_off_the_picture_cost_nothing() {
        let far = rectangle(Vec2::splat(1e9), Vec2::splat(2e9));
        assert_eq!(Mask::of_path(&far, CLIP), None);
        assert_eq!(Mask::of_stroke(&[Vec2::splat(-1e9), vec2(-1e9, 1e9)], 3.0, CLIP), None);
        assert_eq!(Mask::of_path(&Path::default(), CLIP), None);
        let mut huge = Path::default();
        huge.ellipse(Vec2::ZERO, Vec2::splat(1e30));
        assert_eq!(area(&Mask::of_path(&huge, CLIP).unwrap()), 1200.0);
        let mut nothing = black(0, 0);
        fill(&mut nothing, &huge, WHITE, 1.0);
    }

    #[test]
    fn coordinates_that_are_not_finite_are_ignored() {
        let mut path = Path::default();
        path.move_to(vec2(f32::NAN, 1.0)).line_to(vec2(f32::INFINITY, 0.0)).ellipse(vec2(5.0, 5.0), Vec2::NAN);
        path.polygon(&[vec2(1.0, 1.0), vec2(3.0, 1.0), vec2(f32::NAN, 2.0), vec2(3.0, 3.0), vec2(1.0, 3.0)]);
        assert_eq!(area(&Mask::of_path(&path, CLIP).unwrap()), 4.0);
        assert_eq!(Mask::of_stroke(&[Vec2::NAN], 2.0, CLIP), None);
        assert_eq!(Mask::of_stroke(&[Vec2::ONE], f32::NAN, CLIP), None);
    }

    #[test]
    fn strokes_are_even_at_their_joins() {
        let line: Vec<Vec2> = (0..20).map(|i| vec2(5.0 + i as f32, 10.0)).collect();
        let mask = Mask::of_stroke(&line, 3.0, CLIP).unwrap();
        let ends = Mask::of_stroke(&[line[0], line[19]], 3.0, CLIP).unwrap();
        assert_eq!(mask, ends);
        assert!((area(&mask) - (19.0 * 3.0 + 2.25 * std::f32::consts::PI)).abs() < 0.5);
        let thin = Mask::of_stroke(&[vec2(5.0, 9.5), vec2(20.0, 9.5)], 0.25, CLIP).unwrap();
        assert_eq!(thin.get(10, 9), 0.25);
        let mut picture = black(40, 30);
        stroke(&mut picture, &line, 3.0, WHITE, 0.5);
        let column: Vec<u8> = (7..13).map(|y| picture.get(15, y).unwrap()[0]).collect();
        assert_eq!(column, [0, 64, 128, 128, 64, 0]);
    }

    #[test]
    fn a_grown_mask_is_soft_and_covers_the_old_one() {
        let mask = Mask::of_path(&rectangle(vec2(10.0, 10.0), vec2(14.0, 14.0)), CLIP).unwrap();
        let grown = mask.grown(3.0);
        assert!(mask.coverage.iter().all(|covered| *covered == 1.0));
        let row: Vec<f32> = (13..20).map(|x| grown.get(x, 12)).collect();
        assert!(row[0] == 1.0 && row.is_sorted_by(|near, far| near >= far), "{row:?}");
        assert!(row[2] > 0.5 && row[4] > 0.05 && row[6] < 0.05, "{row:?}");
        assert_eq!(mask.grown(f32::NAN).get(12, 12), 1.0);
    }
}
