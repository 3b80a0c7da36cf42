//! [`Masonry`]: walls, floors and grass of an opacity map in daylight.

use glam::{Vec2, vec2};

use super::crisp_edge::{CrispEdge, FARTHEST, floor};
use super::noise::{Noise, floor_and_fraction, lattice_random, noise};
use super::pixels::{Pixel, decay, line, pixel};
use super::resample::Field;
use super::room_fields::{CellKind, RoomFields};
use super::style::{Srgb, WOODS, rgb};
use super::viewport::Viewport;
use farsight::internal::math::smoothstep_f32;

/// Flags of stone, boards and the joints between them.
const FLAGS: [Srgb; 2] = [rgb(0xb9a98d), rgb(0xcdbfa2)];
const COOL_FLAG: Srgb = rgb(0xb3ad9f);
const BOARDS: [Srgb; 2] = [rgb(0xab8e6a), rgb(0xbfa27c)];
const JOINT: Srgb = rgb(0x6d5c49);
const GRASS: [Srgb; 2] = [rgb(0xa4b072), rgb(0xbcc285)];
const TUFT: Srgb = rgb(0x8a9c5c);
/// The top of walls, their face to the south, its mortar, and its lit edge.
const TOP: [Srgb; 2] = [rgb(0x5c534a), rgb(0x6f655a)];
const BRICK: [Srgb; 2] = [rgb(0x8f7c64), rgb(0xb39d80)];
const MORTAR: Srgb = rgb(0x54463a);
const LIT_EDGE: Srgb = rgb(0xe2d2ae);
const OUTLINE: Srgb = rgb(0x2e2620);
const GLASS: Srgb = rgb(0xbfe0e6);
const CURTAIN: Srgb = rgb(0xc7b48e);
const SMOKE: Srgb = rgb(0xc9c5bd);
/// The height of the face to the south, in cells.
const FACE: f32 = 0.45;
/// Shade on the floor as a factor of colours.
const SHADE: Srgb = Srgb::new(0.62, 0.62, 0.76);
/// The length of the shadow of a wall, in cells.
const CAST: Vec2 = vec2(0.35, 0.55);
/// The irregularity of walls, in cells.
const ROUGHNESS: f32 = 0.04;
/// Rows of bricks per cell.
const COURSES: f32 = 5.0;

/// Walls, floors and grass of an opacity map in daylight.
pub(crate) struct Masonry<'a> {
    fields: &'a RoomFields,
    viewport: Viewport,
    side: f32,
    block: CrispEdge,
    panes: Option<CrispEdge>,
    /// Walls and objects of their height, blurred: the shadow that they cast.
    shadow: Field,
    grass: Option<Field>,
    has_boards: bool,
    /// The opacity of smoke and hedges.
    screens: Option<Field>,
    indoors: Field,
    noise: &'static Noise,
}

impl<'a> Masonry<'a> {
    pub(crate) fn new(viewport: &Viewport, fields: &'a RoomFields) -> Self {
        let block = fields.kind.map(|kind| kind.is_block());
        let panes = fields.kind.map(|kind| *kind == CellKind::Pane);
        let screens = Field::from_fn(fields.rect, |cell| {
            if fields.kind.nearest(cell) == CellKind::HalfOpaque { fields.opacity.nearest(cell) } else { 0.0 }
        });
        Self {
            viewport: *viewport,
            side: viewport.side(),
            shadow: block.map(|&is_block| f32::from(u8::from(is_block))).blurred(0.3),
            block: CrispEdge::new(viewport, &block),
            panes: panes.values.contains(&true).then(|| CrispEdge::new(viewport, &panes).sharp()),
            grass: fields.is_outdoors.then(|| fields.grass()),
            has_boards: fields.has_roof.values.contains(&true),
            screens: screens.values.iter().any(|&opacity| opacity > 0.0).then(|| screens.blurred(0.35)),
            indoors: fields.indoors(),
            noise: noise(),
            fields,
        }
    }

    /// Returns the pixel at a place. Its fourth value is 255 where low visibility is painted dark, and 0 under the open
    /// sky.
    pub(crate) fn pixel(&self, place: Vec2) -> Pixel {
        let side = self.side;
        let mut block = self.block.distance(place);
        if block.abs() < 0.2 {
            block += ROUGHNESS * self.noise.sum(place.x, place.y, &[1.2, 3.0], 91);
        }
        let cover = (block * side + 0.5).clamp(0.0, 1.0);
        let mut colour = Srgb::ZERO;
        if cover < 1.0 {
            colour = self.floor(place, block);
        }
        if cover > 0.0 {
            colour = colour.lerp(self.wall(place, block), cover);
        }
        let outline = 0.75 * smoothstep_f32(1.5, 7.0, side);
        colour = colour.lerp(OUTLINE, outline * line(block * side, 1.3));
        pixel(colour, self.darkness(place, cover))
    }

    /// Returns 255 where low visibility is painted dark, and 0 under the open sky.
    fn darkness(&self, place: Vec2, cover: f32) -> u8 {
        if !self.fields.is_outdoors {
            return 255;
        }
        let share = if cover >= 0.5 {
            self.indoors.nearest(floor(place))
        } else {
            smoothstep_f32(0.35, 0.65, self.indoors.bilinear(place.x, place.y))
        };
        (share * 255.0 + 0.5) as u8
    }

    /// Returns the colour of the floor at a place, in the shade of the walls; `block` is the distance to them.
    fn floor(&self, place: Vec2, block: f32) -> Srgb {
        let grass = self.grass.as_ref().map_or(0.0, |grass| {
            let share = grass.bilinear(place.x, place.y);
            ((share - 0.5) * 1.4 * self.side + 0.5).clamp(0.0, 1.0)
        });
        let mut colour = Srgb::ZERO;
        if grass < 1.0 {
            colour = if self.has_boards { self.boards(place) } else { self.flags(place) };
        }
        if grass > 0.0 {
            colour = colour.lerp(self.grass(place), grass);
        }
        if let Some(screens) = &self.screens {
            colour = self.screened(place, colour, grass, screens.bilinear(place.x, place.y));
        }
        // The floor is dark at walls, up to half a cell from them.
        let away = (-block).max(0.0);
        let foot = (decay(away / 0.26) - FOOT_END).max(0.0) / (1.0 - FOOT_END);
        let cast = (1.2 * self.shadow.bilinear(place.x - CAST.x, place.y - CAST.y)).clamp(0.0, 1.0);
        colour = colour.lerp(colour * SHADE, 0.62 * cast);
        colour * (1.0 - 0.42 * foot)
    }

    /// Returns the colour of the ground under hedges, or in smoke.
    fn screened(&self, place: Vec2, ground: Srgb, grass: f32, opacity: f32) -> Srgb {
        if opacity <= 0.0 {
            return ground;
        }
        // Small cells have a tone instead of bushes.
        let tone = 0.30 + 0.55 * smoothstep_f32(6.0, 3.0, self.side);
        let hedge = ground.lerp(WOODS, tone * smoothstep_f32(0.0, 0.55, opacity));
        let bank = 1.0 + 0.35 * self.noise.sum(place.x, place.y, &[0.7, 1.6], 98);
        let smoke = ground.lerp(SMOKE, (0.85 * opacity * bank).clamp(0.0, 0.9));
        smoke.lerp(hedge, grass)
    }

    /// Returns the colour of a floor of stone flags.
    fn flags(&self, place: Vec2) -> Srgb {
        const SIZE: Vec2 = vec2(0.87, 0.5);
        let (course, down) = floor_and_fraction(place.y / SIZE.y);
        let shift = 0.5 * (course & 1) as f32 + 0.25 * lattice_random(course, 0, 1);
        let (column, along) = floor_and_fraction(place.x / SIZE.x + shift);
        let within = vec2(along, down);
        let (tone, hue) = (lattice_random(column, course, 2), lattice_random(column, course, 7));
        let near = smoothstep_f32(2.0, 6.0, self.side);
        let mut colour = FLAGS[0].lerp(FLAGS[1], 0.5 + (tone - 0.5) * near);
        colour = colour.lerp(COOL_FLAG, 0.55 * (hue - 0.4).max(0.0) * near);
        self.laid(place, colour, within, SIZE, 93)
    }

    /// Returns the colour of a floor of boards.
    fn boards(&self, place: Vec2) -> Srgb {
        const SIZE: Vec2 = vec2(2.7, 1.0 / 3.0);
        let (course, down) = floor_and_fraction(place.y / SIZE.y);
        let shift = 0.5 * (course & 1) as f32 + 0.8 * lattice_random(course, 0, 1);
        let (column, along) = floor_and_fraction(place.x / SIZE.x + shift);
        let within = vec2(along, down);
        let near = smoothstep_f32(2.0, 6.0, self.side);
        let tone = 0.5 + (lattice_random(column, course, 2) - 0.5) * near;
        let mut colour = BOARDS[0].lerp(BOARDS[1], tone);
        if self.side > 9.0 {
            // The grain of the wood runs along the board, and differs from board to board.
            let grain = self.noise.at(place.x * 0.9 + 17.0 * tone, place.y * 9.0, 99);
            colour *= 1.0 + 0.035 * grain * smoothstep_f32(9.0, 16.0, self.side);
        }
        self.laid(place, colour, within, SIZE, 93)
    }

    /// Adds wear, joints and bevels to a stone or a board of a size in cells; `within` is the place in it, both
    /// coordinates in [0, 1].
    fn laid(&self, place: Vec2, colour: Srgb, within: Vec2, size: Vec2, seed: u32) -> Srgb {
        let side = self.side;
        let octaves = if side > 7.0 { 2 } else { 1 };
        let mut colour = colour * (1.0 + 0.055 * self.noise.sum(place.x, place.y, &[1.1, 4.6][..octaves], seed));
        let detail = smoothstep_f32(4.0, 10.0, side);
        if detail > 0.0 {
            let pixels = size * self.viewport.scale;
            let [start, end] = [within * pixels, (1.0 - within) * pixels];
            let joint = start.min(end).min_element();
            let wide = (0.026 * side).clamp(0.5, 1.4);
            if side > 13.0 && joint < 4.0 * wide {
                // The edges that face the light are lit, those away from it are dark.
                let [lit, dark] =
                    [start.min_element(), end.min_element()].map(|edge| line(edge - 2.2 * wide, 1.4 * wide));
                let bevel = smoothstep_f32(13.0, 20.0, side);
                colour = colour.lerp(LIT_EDGE, 0.28 * bevel * lit).lerp(colour * SHADE, 0.34 * bevel * dark);
            }
            if joint < 3.0 {
                let rough = 0.5 * self.noise.at(place.x * 2.0, place.y * 2.0, 92);
                let share = (wide + 0.75 - joint - rough).clamp(0.0, 1.0);
                colour = colour.lerp(JOINT, 0.55 * detail * share);
            }
        }
        colour
    }

    fn grass(&self, place: Vec2) -> Srgb {
        let (side, noise) = (self.side, self.noise);
        let octaves = if side > 8.0 { 3 } else { 2 };
        let tone = noise.sum(place.x, place.y, &[0.25, 1.0, 5.0][..octaves], 94);
        let mut colour = GRASS[0].lerp(GRASS[1], smoothstep_f32(-1.0, 1.0, tone));
        if side > 5.0 {
            let blades = noise.at(place.x * 5.5, place.y * 3.3, 96) + 0.5 * noise.at(place.x * 0.4, place.y * 0.4, 97);
            colour = colour.lerp(TUFT, 0.42 * smoothstep_f32(1.0, 1.5, blades) * smoothstep_f32(5.0, 9.0, side));
        }
        colour
    }

    /// Returns the colour of a wall at a place; `block` is the distance to its outline.
    fn wall(&self, place: Vec2, block: f32) -> Srgb {
        let (side, noise) = (self.side, self.noise);
        let mut top = self.block.distance(place + vec2(0.0, FACE));
        if top.abs() < 0.2 {
            top += ROUGHNESS * noise.sum(place.x, place.y, &[1.2, 3.0], 91);
        }
        let cover = (top * side + 0.5).clamp(0.0, 1.0);
        let mut colour = Srgb::ZERO;
        if cover > 0.0 {
            let octaves = if side > 6.0 { 3 } else { 2 };
            let tone = noise.sum(place.x, place.y, &[0.8, 3.0, 7.0][..octaves], 95);
            colour = TOP[0].lerp(TOP[1], smoothstep_f32(-1.0, 1.0, tone));
            if side > 7.0 && block < 0.3 {
                // Edges to the north-west are lit.
                let step = Vec2::splat(0.07);
                let rise = self.block.distance(place + step) - self.block.distance(place - step);
                colour *= 1.0 + 1.3 * rise * smoothstep_f32(0.26, 0.04, block);
            }
        }
        if cover < 1.0 {
            colour = self.face(place).lerp(colour, cover);
        }
        if let Some(panes) = &self.panes {
            colour = self.glazed(place, colour, block, panes);
        }
        let strength = 0.50 * smoothstep_f32(4.0, 10.0, side);
        colour.lerp(LIT_EDGE, strength * line(top * side - 0.8, 1.2))
    }

    /// Returns the colour of the face of a wall to the south: courses of bricks, darker at the foot.
    fn face(&self, place: Vec2) -> Srgb {
        let (course, row) = floor_and_fraction((place.y - (1.0 - FACE)) * COURSES);
        let (column, along) = floor_and_fraction(place.x * 2.0 + 0.5 * (course & 1) as f32);
        let tone = lattice_random(column, course, 3);
        let depth = (floor_and_fraction(place.y).1 - (1.0 - FACE)).max(0.0) / FACE;
        let mut colour = BRICK[0].lerp(BRICK[1], tone) * (1.10 - 0.32 * smoothstep_f32(0.0, 1.0, depth));
        let detail = smoothstep_f32(6.0, 14.0, self.side);
        if detail > 0.0 {
            let across = along.min(1.0 - along) * 0.5 * self.viewport.scale.x;
            let down = row.min(1.0 - row) / COURSES * self.viewport.scale.y;
            let mortar = (0.9 + 0.012 * self.side - across.min(down)).clamp(0.0, 1.0);
            colour = colour.lerp(MORTAR, 0.55 * detail * mortar);
        }
        colour
    }

    /// Returns the colour of a wall with its panes.
    fn glazed(&self, place: Vec2, wall: Srgb, block: f32, panes: &CrispEdge) -> Srgb {
        let inside = panes.distance(place).min(block - 0.10);
        if inside <= -FARTHEST {
            return wall;
        }
        let side = self.side;
        let cell = floor(place);
        let milky = smoothstep_f32(0.25, 0.55, self.fields.opacity.nearest(cell));
        let within = place - cell.as_vec2();
        // Reflections of the sky cross each pane, and a bar halves it.
        let glint =
            smoothstep_f32(0.05, 0.0, ((within.x + within.y) % 0.9 - 0.3).abs()) * smoothstep_f32(9.0, 16.0, side);
        let glass = GLASS.lerp(CURTAIN, milky).lerp(Srgb::splat(255.0), 0.35 * glint * (1.0 - milky));
        let along = if self.fields.is_in_horizontal_wall(cell) { within.x } else { within.y };
        let bar = line((along - 0.5) * side, 1.2).max(line(inside * side, 1.2)) * smoothstep_f32(6.0, 10.0, side);
        let glass = glass.lerp(OUTLINE, 0.5 * bar);
        wall.lerp(glass, 0.92 * (inside * side + 0.5).clamp(0.0, 1.0))
    }
}

/// The darkness of the foot of walls where it ends: e^(−0.5 / 0.26).
const FOOT_END: f32 = 0.1461;

#[cfg(test)]
mod tests {
    use super::super::ground_fields::CellGroups;
    use super::super::pixels::{colour, luma};
    use super::*;
    use farsight::sight::OpacityMap;
    use glam::IVec2;

    /// Returns the mean luma of a rectangle of places, and the mean of the fourth values.
    fn mean(masonry: &Masonry, low: Vec2, high: Vec2) -> (f32, f32) {
        let steps = 16;
        let (mut sum, mut dark) = (0.0, 0.0);
        for i in 0..steps * steps {
            let share = vec2((i % steps) as f32 + 0.5, (i / steps) as f32 + 0.5) / steps as f32;
            let pixel = masonry.pixel(low + (high - low) * share);
            (sum, dark) = (sum + luma(colour(pixel)), dark + f32::from(pixel[3]));
        }
        let count = (steps * steps) as f32;
        (sum / count, dark / count)
    }

    fn with_masonry(text: &str, test: impl FnOnce(&Masonry)) {
        let map = OpacityMap::from_text(text).unwrap();
        let size = map.grid().size();
        let viewport = Viewport { origin: IVec2::ZERO, scale: Vec2::splat(16.0), size: size * 16 };
        let fields = RoomFields::new(&map, CellGroups { stride: 1, size }, &viewport);
        test(&Masonry::new(&viewport, &fields));
    }

    #[test]
    fn walls_are_darker_than_their_faces_and_these_than_the_floor() {
        with_masonry("#####\n#...#\n#...#\n#####", |masonry| {
            let (top, _) = mean(masonry, vec2(1.2, 0.1), vec2(3.8, 0.45));
            let (face, _) = mean(masonry, vec2(1.2, 0.65), vec2(3.8, 0.9));
            let (floor, dark) = mean(masonry, vec2(2.2, 1.8), vec2(3.6, 2.6));
            assert!(top + 12.0 < face && face + 25.0 < floor, "{top}, {face}, {floor}");
            assert_eq!(dark, 255.0);
            // The wall casts its shadow to the south-east.
            let (west, _) = mean(masonry, vec2(1.05, 2.0), vec2(1.3, 2.9));
            let (east, _) = mean(masonry, vec2(3.7, 2.0), vec2(3.95, 2.9));
            assert!(west + 8.0 < east, "{west}, {east}");
        });
    }

    #[test]
    fn dim_is_dark_under_roofs_only() {
        with_masonry("........\n.#####..\n.#___#..\n.#___'..\n.#####..\n........", |masonry| {
            assert_eq!(mean(masonry, vec2(2.6, 2.6), vec2(4.4, 3.6)).1, 255.0);
            assert_eq!(mean(masonry, vec2(1.2, 1.2), vec2(1.8, 4.0)).1, 255.0);
            assert_eq!(mean(masonry, vec2(6.6, 0.2), vec2(7.8, 5.0)).1, 0.0);
        });
    }
}
