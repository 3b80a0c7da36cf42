//! [`InkPlan`]: the plan of rooms in ink, with a compass rose.

use std::f32::consts::PI;
use std::ops::Range;

use glam::{IVec2, Vec2, vec2};

use super::crisp_edge::{CrispEdge, floor};
use super::noise::{Noise, floor_and_fraction, lattice_random, noise};
use super::pixels::{Pixel, blend, line, pixel};
use super::resample::Field;
use super::room_fields::{CellKind, RoomFields};
use super::style::{Sheet, Srgb, rgb};
use super::viewport::Viewport;
use crate::paint::options::Unseen;
use farsight::grid::CellRect;
use farsight::internal::math::smoothstep_f32;
use farsight::internal::parallel::*;

/// The length of strokes into the rock, in cells.
const HATCHING: f32 = 1.25;
/// The maximum number of bundles of strokes along the side of a cell.
const BUNDLES_A_SIDE: i32 = 2;
const STROKE_ALPHA: f32 = 0.59;
const STROKE_WIDTH: f32 = 1.1;
/// The minimum side of a cell, in pixels, with strokes; the rock next to rooms of smaller cells has a tone.
const LEAST_SIDE: f32 = 6.0;
/// The alpha of the wall line and of the dotted grid.
const WALL_LINE: f32 = 0.95;
const GRID: f32 = 0.22;
/// The strength of the plan of land never seen; that of land seen before is 1.
const FAINT: f32 = 0.36;
/// The tints of remembered grass and boards.
const GRASS_TINT: Srgb = rgb(0xb3b985);
const BOARDS_TINT: Srgb = rgb(0xc4a67e);

/// The plan of rooms in ink.
pub(crate) struct InkPlan<'a> {
    fields: &'a RoomFields,
    viewport: Viewport,
    side: f32,
    sheet: &'static Sheet,
    unseen: Unseen,
    floor: CrispEdge,
    grass: Option<Field>,
    boards: Option<Field>,
    panes: Option<CrispEdge>,
    strokes: Vec<PenStroke>,
    rose: Option<CompassRose>,
    noise: &'static Noise,
}

/// A stroke of the pen, in pixels.
struct PenStroke {
    from: Vec2,
    to: Vec2,
}

impl<'a> InkPlan<'a> {
    pub(crate) fn new(viewport: &Viewport, fields: &'a RoomFields, sheet: &'static Sheet, unseen: Unseen) -> Self {
        let is_floor = fields.kind.map(|kind| !kind.is_block());
        let panes = fields.kind.map(|kind| *kind == CellKind::Pane);
        let boards = fields.has_roof.map(|&has_roof| f32::from(u8::from(has_roof)));
        Self {
            viewport: *viewport,
            side: viewport.side(),
            sheet,
            unseen,
            floor: CrispEdge::new(viewport, &is_floor),
            grass: fields.is_outdoors.then(|| fields.grass()),
            boards: fields.has_roof.values.contains(&true).then_some(boards),
            panes: panes.values.contains(&true).then(|| CrispEdge::new(viewport, &panes)),
            strokes: strokes(viewport, fields, &is_floor),
            rose: CompassRose::new(viewport, fields.size).filter(|_| unseen == Unseen::Remembered),
            noise: noise(),
            fields,
        }
    }

    /// Returns the sheets of places never seen and seen before, with their brightness. The fourth value of the second
    /// is 255 in rock, away from the line of the wall.
    pub(crate) fn pixels(&self, place: Vec2, grain: f32) -> [Pixel; 2] {
        let (side, sheet) = (self.side, self.sheet);
        let base = sheet.base * grain;
        let mut distance = self.floor.distance(place);
        if distance.abs() < 0.3 {
            // Lines waver as if drawn by hand.
            distance += 0.03 * self.noise.sum(place.x, place.y, &[0.9, 2.5], 64);
        }
        let cover = (distance * side + 0.5).clamp(0.0, 1.0);
        let floor = if cover > 0.0 { self.floor_colour(place) * grain } else { base };
        let wide = (0.12 * side).clamp(0.8, 2.6);
        let wall = WALL_LINE * smoothstep_f32(0.5, 5.0, side) * line(distance * side, wide);
        let rock =
            (1.0 - cover) * 0.30 * smoothstep_f32(LEAST_SIDE + 2.0, LEAST_SIDE - 1.0, side) * (2.0 * distance + 1.0);
        let glass = self.panes.as_ref().map_or(0.0, |panes| self.pane_line(panes, place));
        let plan = |strength: f32| {
            let colour = base.lerp(sheet.ink, strength * rock.max(0.0)).lerp(floor, strength * cover);
            colour.lerp(sheet.ink, strength * wall.max(glass))
        };
        let never = match self.unseen {
            Unseen::Mapped => plan(FAINT),
            Unseen::Remembered => self.blank(base, place),
        };
        [pixel(never, 0), pixel(plan(1.0), if distance * side < -0.5 * wide - 0.5 { 255 } else { 0 })]
    }

    /// Fills a row of pixels with the brightness of the sheet: its grain, and interpolated stains.
    pub(crate) fn fill_grain(&self, y: usize, out: &mut [f32]) {
        const STEP: i32 = 8;
        let origin = self.viewport.origin;
        let y = (origin.y + y as i32) as f32 + 0.5;
        let stain = |column: i32| 0.022 * self.noise.sum((column * STEP) as f32, y, &[0.05, 0.012], 62);
        let mut column = origin.x.div_euclid(STEP);
        let [mut left, mut right] = [column, column + 1].map(stain);
        for (x, out) in (origin.x..).zip(out) {
            if x.div_euclid(STEP) > column {
                column += 1;
                (left, right) = (right, stain(column + 1));
            }
            let share = (x - column * STEP) as f32 / STEP as f32;
            let grain = 0.016 * self.noise.at((x as f32 + 0.5) * 0.45, y * 0.45, 61);
            *out = 1.0 + grain + left + (right - left) * share;
        }
    }

    /// Returns the blank sheet, with a compass rose in its corner on large maps.
    fn blank(&self, base: Srgb, place: Vec2) -> Srgb {
        let share = self.rose.as_ref().map_or(0.0, |rose| rose.ink(self.viewport.pixel(place)));
        base.lerp(self.sheet.ink, share)
    }

    fn floor_colour(&self, place: Vec2) -> Srgb {
        let sheet = self.sheet;
        let grass = self
            .grass
            .as_ref()
            .map_or(0.0, |grass| ((grass.bilinear(place.x, place.y) - 0.5) * self.side + 0.5).clamp(0.0, 1.0));
        let boards = self.boards.as_ref().map_or(0.0, |boards| boards.bilinear(place.x, place.y));
        let mut colour = sheet.seen.lerp(sheet.wash, 0.15);
        colour = colour.lerp(BOARDS_TINT * sheet.land_share, 0.22 * boards * (1.0 - grass));
        let mottle = 0.30 * (1.0 + 0.35 * self.noise.sum(place.x, place.y, &[0.25, 0.8], 94));
        colour = colour.lerp(GRASS_TINT * sheet.land_share, mottle * grass);
        colour.lerp(sheet.ink, (1.0 - grass) * self.dotted_grid(place))
    }

    /// Returns the ink of the dotted lines between cells.
    fn dotted_grid(&self, place: Vec2) -> f32 {
        let detail = smoothstep_f32(7.0, 12.0, self.side);
        if detail <= 0.0 {
            return 0.0;
        }
        let to_line = (place - floor(place + 0.5).as_vec2()) * self.viewport.scale;
        if to_line.abs().min_element() >= 1.0 {
            return 0.0;
        }
        let is_dot = |along: f32| floor_and_fraction(along * 6.0).1 < 0.4;
        let dots = [(to_line.x, place.y), (to_line.y, place.x)];
        let ink = dots.map(|(distance, along)| if is_dot(along) { line(distance, 1.0) } else { 0.0 });
        GRID * detail * ink[0].max(ink[1])
    }

    /// Returns the ink of windows: a thin double line.
    fn pane_line(&self, panes: &CrispEdge, place: Vec2) -> f32 {
        if panes.distance(place) <= 0.0 {
            return 0.0;
        }
        let cell = floor(place);
        let within = place - cell.as_vec2();
        let (across, pixels) = if self.fields.is_in_horizontal_wall(cell) {
            (within.y, self.viewport.scale.y)
        } else {
            (within.x, self.viewport.scale.x)
        };
        0.8 * line(((across - 0.5).abs() - 0.14) * pixels, 1.1)
    }

    /// Draws the strokes in the rock in some rows of both sheets.
    pub(crate) fn draw_strokes(&self, rows: Range<usize>, [never, seen]: [&mut [Pixel]; 2]) {
        let width = self.viewport.width();
        let (top, bottom) = (rows.start as f32, rows.end as f32);
        let ink = self.sheet.ink;
        for &PenStroke { from, to } in &self.strokes {
            let low = (from.min(to) - 1.0).floor().max(vec2(0.0, top));
            let high = (from.max(to) + 2.0).ceil().min(vec2(width as f32, bottom));
            let way = to - from;
            let squared = way.length_squared().max(1e-6);
            for y in low.y as i32..high.y as i32 {
                for x in low.x as i32..high.x as i32 {
                    let way_here = vec2(x as f32 + 0.5, y as f32 + 0.5) - from;
                    let share = (way_here.dot(way) / squared).clamp(0.0, 1.0);
                    let coverage = line((way_here - way * share).length(), STROKE_WIDTH);
                    if coverage <= 0.0 {
                        continue;
                    }
                    let outside = -self.floor.distance(self.viewport.place(x as usize, y as usize)) * self.side;
                    let alpha = STROKE_ALPHA * coverage * (outside - 0.5).clamp(0.0, 1.0);
                    let at = (y as usize - rows.start) * width + x as usize;
                    blend(&mut seen[at], ink * alpha, alpha);
                    if self.unseen == Unseen::Mapped {
                        blend(&mut never[at], ink * (FAINT * alpha), FAINT * alpha);
                    }
                }
            }
        }
    }

    /// Returns the strength of drawings of land never seen.
    pub(crate) fn faint(&self) -> Option<f32> {
        (self.unseen == Unseen::Mapped).then_some(FAINT)
    }
}

/// Returns bundles of three strokes in the rock near floors.
fn strokes(viewport: &Viewport, fields: &RoomFields, is_floor: &Field<bool>) -> Vec<PenStroke> {
    let side = viewport.side();
    if side < LEAST_SIDE {
        return Vec::new();
    }
    let reach = HATCHING.ceil() as u32 + 1;
    let shown = viewport.cells(2).intersect(fields.rect);
    let rows: Vec<i32> = (shown.min.y..shown.max.y).collect();
    let row_of_strokes = |&y: &i32| {
        let mut strokes = Vec::new();
        for cell in (shown.min.x..shown.max.x).map(|x| IVec2::new(x, y)) {
            if is_floor.nearest(cell) {
                continue;
            }
            let floors: Vec<IVec2> =
                CellRect::around(cell, reach).cells().filter(|&near| is_floor.nearest(near)).collect();
            if floors.is_empty() {
                continue;
            }
            for i in 0..BUNDLES_A_SIDE * BUNDLES_A_SIDE {
                let point = cell * BUNDLES_A_SIDE + IVec2::new(i % BUNDLES_A_SIDE, i / BUNDLES_A_SIDE);
                strokes.extend(bundle(viewport, point, &floors).into_iter().flatten());
            }
        }
        strokes
    };
    let rows: Vec<Vec<PenStroke>> = rows.par_iter().map(row_of_strokes).collect();
    rows.into_iter().flatten().collect()
}

/// Returns the bundle of strokes at a point of the lattice, if it is near floors.
fn bundle(viewport: &Viewport, point: IVec2, floors: &[IVec2]) -> Option<[PenStroke; 3]> {
    let random = |purpose| lattice_random(point.x, point.y, purpose);
    let jitter = 0.6 * vec2(random(1) - 0.5, random(2) - 0.5);
    let place = (point.as_vec2() + 0.5 + jitter) / BUNDLES_A_SIDE as f32;
    let to_floor = |cell: &IVec2| (place.clamp(cell.as_vec2(), cell.as_vec2() + 1.0) - place).length();
    let away = floors.iter().map(to_floor).fold(f32::INFINITY, f32::min);
    if away >= HATCHING {
        return None;
    }
    let side = viewport.side();
    let angle = PI * random(3);
    let along = vec2(libm::cosf(angle), libm::sinf(angle));
    let half = 0.31 * side * (1.15 - 0.5 * away);
    let middle = viewport.pixel(place);
    Some([-0.16, 0.0, 0.16].map(|shift| {
        let middle = middle + along.perp() * (shift * side);
        PenStroke { from: middle - along * half, to: middle + along * half }
    }))
}

/// The radius of the rose, as a fraction of the shorter side of the map.
const RADIUS: f32 = 0.07;
/// The distance of its centre from both edges of the map, in radii.
const INSET: f32 = 1.7;
/// The minimum size of a rose in pixels, and of a map with a rose in cells.
const LEAST_RADIUS: f32 = 18.0;
const LEAST_MAP: i32 = 40;
/// The alpha of its ink.
const STRENGTH: f32 = 0.30;
/// The lengths of the points, starting at the north, in radii.
const LENGTHS: [f32; 4] = [1.0, 0.46, 0.74, 0.46];

/// A compass rose in ink: it shows the north and reveals nothing else of the map.
pub(crate) struct CompassRose {
    /// In pixels.
    middle: Vec2,
    radius: f32,
}

impl CompassRose {
    /// Creates the rose of a map of `size` cells, in its upper right corner.
    pub(crate) fn new(viewport: &Viewport, size: IVec2) -> Option<Self> {
        let cells = size.min_element();
        let radius = RADIUS * cells as f32 * viewport.side();
        let inset = INSET * radius / viewport.scale;
        let middle = viewport.pixel(vec2(size.x as f32 - inset.x, inset.y));
        (cells >= LEAST_MAP && radius >= LEAST_RADIUS).then_some(Self { middle, radius })
    }

    /// Returns the coverage of ink at a pixel.
    pub(crate) fn ink(&self, pixel: Vec2) -> f32 {
        let way = pixel - self.middle;
        let distance = way.length();
        if distance > self.radius + 2.0 {
            return 0.0;
        }
        let ring = |radius: f32, width: f32| line(distance - radius * self.radius, width);
        let mut ink: f32 = (0.8 * ring(0.60, 1.2)).max(0.5 * ring(0.66, 1.0)).max(0.8 * ring(0.30, 1.0));
        for point in 0..8_u8 {
            let angle = f32::from(point) * std::f32::consts::FRAC_PI_4;
            let along = vec2(libm::sinf(angle), -libm::cosf(angle));
            let (reach, across) = (way.dot(along), way.dot(along.perp()));
            // The north point is the longest.
            let length = LENGTHS[usize::from(point % 4)] * if point == 0 { 1.0 } else { 0.92 } * self.radius;
            if !(0.0..length).contains(&reach) {
                continue;
            }
            let waist = 0.13 * self.radius;
            let half = if reach < waist { reach } else { waist * (length - reach) / (length - waist) };
            let inside = half - across.abs();
            if inside <= -1.0 {
                continue;
            }
            let cover = (inside + 0.5).clamp(0.0, 1.0);
            // One half of each point is filled, the other is bare.
            let filled = (across + 0.5).clamp(0.0, 1.0);
            ink = ink * (1.0 - cover) + cover * filled;
            ink = ink.max(0.9 * line(inside, 1.1));
        }
        STRENGTH * ink.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rose_is_on_large_maps_only_and_symmetric() {
        let viewport = |side: f32| Viewport { origin: IVec2::ZERO, scale: Vec2::splat(side), size: IVec2::splat(800) };
        assert!(CompassRose::new(&viewport(8.0), IVec2::splat(20)).is_none());
        assert!(CompassRose::new(&viewport(1.0), IVec2::splat(96)).is_none());
        let rose = CompassRose::new(&viewport(8.0), IVec2::splat(96)).unwrap();
        assert!(rose.radius > 40.0);
        assert_eq!(rose.ink(rose.middle + vec2(rose.radius + 5.0, 0.0)), 0.0);
        assert!(rose.ink(rose.middle + vec2(2.0, -0.5 * rose.radius)) > 0.5 * STRENGTH);
        assert!(rose.ink(rose.middle + vec2(0.0, -0.97 * rose.radius)) > 0.0);
        assert_eq!(rose.ink(rose.middle + vec2(0.0, 0.97 * rose.radius)), 0.0);
    }
}
