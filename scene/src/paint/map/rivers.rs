//! [`RiverMasks`]: rivers as lines that grow with their basins.

use glam::{IVec2, Vec2};

use super::ground_fields::{CellGroups, GroundFields};
use super::noise::lattice_random;
use super::viewport::Viewport;
use crate::world::{Water, World};

/// The width of a river at its source, and its growth with the square root of its basin, in cells.
const SOURCE_WIDTH: f32 = 0.10;
const GROWTH: f32 = 0.05;
/// The minimum and the maximum width in pixels, and the width of the banks on both sides. The minimum is for small cells.
const WIDTHS: [f32; 2] = [0.9, 9.0];
const LEAST_WIDTH_AFAR: f32 = 0.7;
const BANKS: f32 = 1.5;
/// Rivers out of sight are thinner.
const INK_SHARE: f32 = 0.45;
const INK_WIDTHS: [f32; 2] = [0.8, 2.2];
/// The maximum displacement of bends, in cells, so that rivers do not follow the grid.
const BEND: f32 = 0.36;

/// The coverage of pixels by rivers, 0 to 255: their water, their water with its banks, and their lines out of sight.
pub(crate) struct RiverMasks {
    pub(crate) water: Vec<u8>,
    pub(crate) banks: Vec<u8>,
    pub(crate) ink: Vec<u8>,
}

impl RiverMasks {
    /// Draws the rivers of a picture.
    pub(crate) fn new(world: &World, groups: CellGroups, fields: &GroundFields, viewport: &Viewport) -> Self {
        let pixels = viewport.width() * viewport.height();
        let blank = || vec![0; pixels];
        let mut masks = Self { water: blank(), banks: blank(), ink: blank() };
        if groups.stride > 1 {
            return masks; // thinner than a pixel
        }
        let basin_km2 = world.config().river_basin_km2.max(1e-6) as f32;
        let drainage = world.flow().drainage_km2();
        let width = |cell: IVec2| {
            let basins = drainage.get(cell).map_or(1.0, |km2| km2 / basin_km2);
            SOURCE_WIDTH + GROWTH * basins.max(0.0).sqrt()
        };
        let is_river = |cell: IVec2| world.water().get(cell) == Some(&Water::River);
        let sources = |cell: IVec2| {
            let from = STEPS.into_iter().map(move |step| cell + step);
            from.filter(move |&from| is_river(from) && world.flow().downstream(from) == Some(cell))
        };
        let jittered = |cell: IVec2| {
            let random = Vec2::new(lattice_random(cell.x, cell.y, 1), lattice_random(cell.x, cell.y, 7));
            cell.as_vec2() + 0.5 + if is_river(cell) { BEND * (random - 0.5) } else { Vec2::ZERO }
        };
        // The mean with the previous and next cells, weighted 1, 2, 1, rounds the corners of the grid.
        let bend = |cell: IVec2| {
            let main = sources(cell).max_by(|a, b| width(*a).total_cmp(&width(*b)));
            match (main, world.flow().downstream(cell)) {
                (Some(from), Some(to)) if is_river(cell) => {
                    0.25 * jittered(from) + 0.5 * jittered(cell) + 0.25 * jittered(to)
                }
                _ => jittered(cell),
            }
        };
        let rect = fields.rect;
        for y in rect.min.y..rect.max.y {
            for x in rect.min.x..rect.max.x {
                let cell = IVec2::new(x, y);
                if !is_river(cell) {
                    continue;
                }
                let Some(next) = world.flow().downstream(cell) else { continue };
                let (at, width_at) = (bend(cell), width(cell));
                // A river ends at the centre of the first cell of a sea or lake.
                let end = if is_river(next) { at.midpoint(bend(next)) } else { bend(next) };
                let end_width = if is_river(next) { 0.5 * (width_at + width(next)) } else { width_at };
                let mut has_source = true;
                for from in sources(cell) {
                    has_source = false;
                    let start_width = (0.5 * (width(from) + width_at)).min(1.2 * width(from));
                    masks.draw_curve(viewport, [bend(from).midpoint(at), at, end], [start_width, end_width]);
                }
                if has_source {
                    masks.draw_curve(viewport, [at, at, end], [0.6 * width_at, end_width]);
                }
            }
        }
        masks
    }

    /// Draws a quadratic curve, whose width in cells changes from its start to its end.
    fn draw_curve(&mut self, viewport: &Viewport, points: [Vec2; 3], widths: [f32; 2]) {
        // In pixels of the map, so that rounding does not depend on where a picture begins.
        let [start, middle, end] = points.map(|place| place * viewport.scale);
        let side = viewport.side();
        let pieces = ((end - start).length() / 4.0).ceil().clamp(2.0, 12.0) as usize;
        let at = |t: f32| start.lerp(middle, t).lerp(middle.lerp(end, t), t);
        let least = if side < 3.0 { LEAST_WIDTH_AFAR } else { WIDTHS[0] };
        for i in 0..pieces {
            let [t, u] = [i, i + 1].map(|i| i as f32 / pieces as f32);
            let width = (widths[0] + (widths[1] - widths[0]) * t) * side;
            let water = width.clamp(least, WIDTHS[1]);
            let ink = (width * INK_SHARE).clamp(INK_WIDTHS[0], INK_WIDTHS[1]);
            let ends = [at(t), at(u)];
            draw_line(&mut self.water, viewport, ends, water);
            draw_line(&mut self.banks, viewport, ends, water + BANKS);
            draw_line(&mut self.ink, viewport, ends, ink);
        }
    }
}

const STEPS: [IVec2; 8] = [
    IVec2::new(-1, -1),
    IVec2::new(0, -1),
    IVec2::new(1, -1),
    IVec2::new(-1, 0),
    IVec2::new(1, 0),
    IVec2::new(-1, 1),
    IVec2::new(0, 1),
    IVec2::new(1, 1),
];

/// Draws a line with round ends, in pixels of the map, into a mask; where lines overlap, the maximum coverage counts.
fn draw_line(mask: &mut [u8], viewport: &Viewport, [start, end]: [Vec2; 2], width: f32) {
    let reach = Vec2::splat(width / 2.0 + 1.0);
    let low = (start.min(end) - reach).floor().as_ivec2().max(viewport.origin);
    let high = (start.max(end) + reach).ceil().as_ivec2().min(viewport.origin + viewport.size);
    let way = end - start;
    let squared = way.length_squared().max(1e-6);
    for y in low.y..high.y {
        let first = (y - viewport.origin.y) * viewport.size.x - viewport.origin.x;
        for x in low.x..high.x {
            let pixel = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - start;
            let share = (pixel.dot(way) / squared).clamp(0.0, 1.0);
            let distance = (pixel - way * share).length();
            let coverage = (width / 2.0 + 0.5 - distance).clamp(0.0, 1.0);
            let value = &mut mask[(first + x) as usize];
            *value = (*value).max((coverage * 255.0 + 0.5) as u8);
        }
    }
}
