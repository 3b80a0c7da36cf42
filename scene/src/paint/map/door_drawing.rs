//! [`DoorDrawings`]: closed plank doors, and open doors with their leaf ajar.

use glam::{IVec2, Vec2, vec2};

use super::noise::lattice_random;
use super::pixels::{Pixel, blend, line};
use super::room_fields::{CellKind, RoomFields};
use super::style::{Sheet, Srgb, rgb};
use super::viewport::Viewport;
use farsight::internal::math::smoothstep_f32;
use farsight::sight::Door;

const PLANKS: [Srgb; 2] = [rgb(0x91623a), rgb(0xb5824e)];
const DARK_WOOD: Srgb = rgb(0x3b2515);
const LIT_WOOD: Srgb = rgb(0xdcae74);
const IRON: Srgb = rgb(0x38322f);
const RING: Srgb = rgb(0xe3c98c);
const PLANKS_A_DOOR: f32 = 4.0;

/// The doors of a picture.
pub(crate) struct DoorDrawings {
    doors: Vec<DoorDrawing>,
    viewport: Viewport,
}

struct DoorDrawing {
    cell: IVec2,
    door: Door,
    /// Whether its wall extends from west to east.
    is_horizontal: bool,
}

impl DoorDrawings {
    pub(crate) fn new(viewport: &Viewport, fields: &RoomFields) -> Self {
        let doors = fields.rect.cells().filter_map(|cell| match fields.kind.nearest(cell) {
            CellKind::Door(door) if fields.is_on_map(cell) => {
                Some(DoorDrawing { cell, door, is_horizontal: fields.is_in_horizontal_wall(cell) })
            }
            _ => None,
        });
        Self { doors: doors.collect(), viewport: *viewport }
    }

    /// Draws the doors in some rows in daylight.
    pub(crate) fn draw_day(&self, rows: std::ops::Range<usize>, day: &mut [Pixel]) {
        self.draw(rows, day, |door, place, pixels| match door.door {
            Door::Closed => closed(door, place, pixels),
            Door::Open => open(place, pixels),
        });
    }

    /// Draws the doors in some rows in ink. `strength` is the alpha of the ink.
    pub(crate) fn draw_ink(&self, rows: std::ops::Range<usize>, out: &mut [Pixel], sheet: &Sheet, strength: f32) {
        self.draw(rows, out, |door, place, pixels| {
            let mut parts = BlendedShapes::new(place, pixels);
            match door.door {
                Door::Closed => {
                    parts.fill([0.0, 1.0], [0.28, 0.72], sheet.seen, strength);
                    parts.outline([0.0, 1.0], [0.28, 0.72], sheet.ink, strength);
                }
                Door::Open => {
                    parts.fill([0.0, 0.18], [0.28, 0.72], sheet.ink, strength);
                    parts.fill([0.82, 1.0], [0.28, 0.72], sheet.ink, strength);
                    parts.segment(vec2(0.18, 0.5), vec2(0.52, 1.0), sheet.ink, strength);
                }
            }
            parts.done()
        });
    }

    /// Blends a drawing over the pixels of all doors. Its parameters are the position along and across the wall, both
    /// in [0, 1], and the size of a cell in pixels along and across; it returns colour times alpha, and alpha.
    fn draw(
        &self,
        rows: std::ops::Range<usize>,
        out: &mut [Pixel],
        drawing: impl Fn(&DoorDrawing, Vec2, Vec2) -> (Srgb, f32),
    ) {
        let width = self.viewport.width();
        for door in &self.doors {
            let [low, high] = [door.cell, door.cell + 1].map(|corner| self.viewport.pixel(corner.as_vec2()));
            let [low, high] = [low.floor(), high.ceil()].map(|at| at.as_ivec2());
            let y_range = (rows.start as i32).max(low.y)..(rows.end as i32).min(high.y);
            for y in y_range {
                for x in low.x.max(0)..high.x.min(width as i32) {
                    let within = self.viewport.place(x as usize, y as usize) - door.cell.as_vec2();
                    if within.min_element() < 0.0 || within.max_element() >= 1.0 {
                        continue;
                    }
                    let [place, pixels] =
                        [within, self.viewport.scale].map(|at| if door.is_horizontal { at } else { at.yx_swapped() });
                    let (colour, alpha) = drawing(door, place, pixels);
                    if alpha > 0.0 {
                        blend(&mut out[(y as usize - rows.start) * width + x as usize], colour, alpha);
                    }
                }
            }
        }
    }
}

trait Swapped {
    fn yx_swapped(self) -> Self;
}

impl Swapped for Vec2 {
    fn yx_swapped(self) -> Self {
        vec2(self.y, self.x)
    }
}

/// Shapes blended at a pixel.
struct BlendedShapes {
    place: Vec2,
    pixels: Vec2,
    colour: Srgb,
    alpha: f32,
}

impl BlendedShapes {
    fn new(place: Vec2, pixels: Vec2) -> Self {
        Self { place, pixels, colour: Srgb::ZERO, alpha: 0.0 }
    }

    fn blend(&mut self, colour: Srgb, alpha: f32) {
        self.colour = self.colour * (1.0 - alpha) + colour * alpha;
        self.alpha = self.alpha * (1.0 - alpha) + alpha;
    }

    /// Returns the signed distance to the outline of a rectangle in pixels, positive inside.
    fn inside(&self, along: [f32; 2], across: [f32; 2]) -> f32 {
        let [low, high] = [0, 1].map(|i| vec2(along[i], across[i]));
        ((self.place - low) * self.pixels).min((high - self.place) * self.pixels).min_element()
    }

    fn fill(&mut self, along: [f32; 2], across: [f32; 2], colour: Srgb, alpha: f32) {
        let share = (self.inside(along, across) + 0.5).clamp(0.0, 1.0);
        self.blend(colour, alpha * share);
    }

    fn outline(&mut self, along: [f32; 2], across: [f32; 2], colour: Srgb, alpha: f32) {
        let width = (0.09 * self.pixels.min_element()).clamp(0.9, 1.8);
        let share = line(self.inside(along, across) - 0.5, width);
        self.blend(colour, alpha * share);
    }

    fn segment(&mut self, from: Vec2, to: Vec2, colour: Srgb, alpha: f32) {
        let (way, place) = ((to - from) * self.pixels, (self.place - from) * self.pixels);
        let share = (place.dot(way) / way.length_squared()).clamp(0.0, 1.0);
        let width = (0.10 * self.pixels.min_element()).clamp(1.0, 2.2);
        self.blend(colour, alpha * line((place - way * share).length(), width));
    }

    fn done(self) -> (Srgb, f32) {
        (self.colour, self.alpha)
    }
}

/// Draws a closed door: planks with iron bands.
fn closed(door: &DoorDrawing, place: Vec2, pixels: Vec2) -> (Srgb, f32) {
    let side = pixels.min_element();
    // A door in a wall from west to east is drawn from the front, below its lintel.
    let (along, across) = if door.is_horizontal { ([0.08, 0.92], [0.24, 1.0]) } else { ([0.04, 0.96], [0.12, 0.88]) };
    let mut parts = BlendedShapes::new(place, pixels);
    let plank = ((place.x - along[0]) / (along[1] - along[0]) * PLANKS_A_DOOR).clamp(0.0, PLANKS_A_DOOR - 0.01);
    let tone = lattice_random(door.cell.x * 5 + plank as i32, door.cell.y, 4);
    parts.fill(along, across, PLANKS[0].lerp(PLANKS[1], 0.25 + 0.75 * tone), 1.0);
    let detail = smoothstep_f32(9.0, 15.0, side);
    let inside = (parts.inside(along, across) + 0.5).clamp(0.0, 1.0);
    let gap = (plank - plank.round()) / PLANKS_A_DOOR * (along[1] - along[0]) * pixels.x;
    parts.blend(DARK_WOOD, 0.7 * detail * inside * line(gap, 1.1));
    for share in [0.24, 0.74] {
        let middle = across[0] + share * (across[1] - across[0]);
        let half = (0.05_f32).max(0.5 / pixels.y);
        parts.fill(along, [middle - half, middle + half], IRON, 0.75 * smoothstep_f32(6.0, 9.0, side));
    }
    let ring = ((place - vec2(0.72, across[0] + 0.5 * (across[1] - across[0]))) * pixels).length();
    parts.blend(RING, detail * (0.07 * side + 0.5 - ring).clamp(0.0, 1.0));
    parts.outline(along, across, DARK_WOOD, 0.9);
    parts.done()
}

/// Draws an open door: jambs at the ends of the wall, a sill, and the leaf ajar.
fn open(place: Vec2, pixels: Vec2) -> (Srgb, f32) {
    let side = pixels.min_element();
    let wide = if side < 12.0 { 0.30 } else { 0.26 };
    let mut parts = BlendedShapes::new(place, pixels);
    parts.fill([0.0, 1.0], [0.26, 0.74], DARK_WOOD, 0.30);
    parts.fill([wide, wide + 0.16], [0.10, 1.0], Srgb::splat(20.0), 0.26);
    for along in [[0.0, 0.10], [0.90, 1.0]] {
        parts.fill(along, [0.14, 0.86], PLANKS[0] * 0.85, 1.0);
        parts.outline(along, [0.14, 0.86], DARK_WOOD, 0.8 * smoothstep_f32(8.0, 14.0, side));
    }
    let leaf = ([0.08, wide], [0.06, 0.98]);
    parts.fill(leaf.0, leaf.1, PLANKS[1], 1.0);
    let lit = (place.x - 0.08 - 0.35 * (wide - 0.08)) * pixels.x;
    let inside = (parts.inside(leaf.0, leaf.1) + 0.5).clamp(0.0, 1.0);
    parts.blend(LIT_WOOD, 0.75 * inside * line(lit, 0.25 * (wide - 0.08) * pixels.x));
    parts.outline(leaf.0, leaf.1, DARK_WOOD, 0.9);
    parts.done()
}
