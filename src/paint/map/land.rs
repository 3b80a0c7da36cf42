//! [`LandPainter`] and [`Land`]: everything of a world that a step does not change, painted for a zoom.

use glam::{Vec2, vec2};

use super::distance::DistanceField;
use super::frame::MapFrame;
use super::ground_fields::{CellGroups, GroundFields};
use super::noise::{Noise, noise};
use super::relief::{DayLight, Relief, ReliefPoint, ReliefRow, is_land, relief_point};
use super::resample::{Field, Sampler, linear};
use super::rivers::RiverMasks;
use super::soft_edge::{EdgeBuffers, SoftEdge, soft_field};
use super::style::*;
use super::trees::{self, TreeStyle, Trees};
use super::viewport::Viewport;
use crate::math::smoothstep_f32;
use crate::paint::options::Unseen;
use crate::parallel::*;
use crate::world::{Biome, World};

/// A pixel of a painted layer: red, green, blue, and a fourth value that the layer defines.
pub(crate) type Pixel = [u8; 4];

/// The painted land of a picture, and the sheets for land out of sight. A step only blends them.
pub(crate) struct Land {
    /// The land in daylight; the fourth value is 255 on water.
    pub(crate) day: Vec<Pixel>,
    /// The land without its details, as it is seen through much air. The fourth value is 255 where dim is dark: under a roof.
    pub(crate) soft: Vec<Pixel>,
    /// The sheet where nothing was seen: blank, or surveyed land in ink.
    pub(crate) sheet: Vec<Pixel>,
    /// The sheet where something was seen before. The fourth value is 255 in rock, where the drawing fades away beyond the edge
    /// of what was seen; elsewhere it ends with a line.
    pub(crate) seen_sheet: Vec<Pixel>,
    /// The slope of the ground to the right and downwards, in 1/64.
    pub(crate) slopes: Vec<[i8; 2]>,
}

/// Rows of a band, which one thread paints.
pub(crate) const BAND: usize = 24;

/// Everything that is prepared before the bands of a picture are painted.
struct LandPainter<'a> {
    viewport: Viewport,
    fields: &'a GroundFields,
    sheet: &'static Sheet,
    unseen: Unseen,
    relief: Relief,
    day_light: DayLight,
    /// Red, green and blue of bare land, vegetation, ice.
    tints: Field<[f32; 5]>,
    shore: SoftEdge,
    far_shore: DistanceField,
    depth: (Field, Sampler<2>),
    /// Shares of land that has data, of lakes, of sea near land, of ice on water, and of woods.
    masks: [(Field, Sampler<2>); 4],
    woods: (Field, Sampler<2>),
    rivers: RiverMasks,
    trees: Trees,
    ink_trees: Trees,
    frame: MapFrame,
    noise: &'static Noise,
}

impl Land {
    /// Paints the land of a world.
    pub(crate) fn paint(
        world: &World,
        groups: CellGroups,
        viewport: &Viewport,
        sheet: &'static Sheet,
        unseen: Unseen,
    ) -> Self {
        let fields = GroundFields::new(world, groups, viewport);
        let painter = LandPainter::new(world, groups, &fields, viewport, (sheet, unseen));
        let (width, pixels) = (viewport.width(), viewport.width() * viewport.height());
        let blank = || vec![[0; 4]; pixels];
        let (mut day, mut paper, mut seen_paper, mut slopes) = (blank(), blank(), blank(), vec![[0; 2]; pixels]);
        let length = (width * BAND).max(1);
        let bands: Vec<_> = day
            .chunks_mut(length)
            .zip(paper.chunks_mut(length))
            .zip(seen_paper.chunks_mut(length))
            .zip(slopes.chunks_mut(length))
            .enumerate()
            .collect();
        bands.into_par_iter().for_each(|(band, (((day, paper), seen_paper), slopes))| {
            painter.paint_band(band * BAND, day, [paper, seen_paper], slopes);
        });
        let soft = softened(&day, width, (0.45 * viewport.side()).clamp(2.0, 9.0));
        Self { day, soft, sheet: paper, seen_sheet: seen_paper, slopes }
    }
}

pub(crate) fn share(is: bool) -> f32 {
    f32::from(u8::from(is))
}

impl<'a> LandPainter<'a> {
    fn new(
        world: &World,
        groups: CellGroups,
        fields: &'a GroundFields,
        viewport: &Viewport,
        (sheet, unseen): (&'static Sheet, Unseen),
    ) -> Self {
        let rect = fields.rect;
        let sampled = |field: Field| {
            let sampler = Sampler::new(viewport, &field, [linear, linear]);
            (field, sampler)
        };
        let shore = SoftEdge::new(viewport, soft_field(&fields.is_water, SHORE_BLUR));
        let has_data = Field::from_fn(rect, |cell| share(fields.has_data.nearest(cell))).blurred(0.5);
        let lakes = fields.biome.map(|biome| share(*biome == Biome::Lake));
        let sea_side = Field::from_fn(rect, |cell| share(fields.is_sea(cell))).dilated();
        let sea_ice = Field::from_fn(rect, |cell| {
            share(fields.biome.nearest(cell) == Biome::Ice && fields.is_water.nearest(cell))
        });
        let woods = Field::from_fn(rect, |cell| {
            if is_land(fields.biome.nearest(cell)) { fields.vegetation.nearest(cell) } else { 0.0 }
        });
        let depth_blur = (9.0 / viewport.side()).clamp(0.8, 5.0);
        Self {
            viewport: *viewport,
            sheet,
            unseen,
            relief: Relief::new(viewport, fields),
            day_light: DayLight::new(),
            tints: tints(fields),
            far_shore: DistanceField::new(viewport, &shore, true),
            shore,
            depth: sampled(fields.depth.blurred(depth_blur)),
            masks: [sampled(has_data), sampled(lakes), sampled(sea_side), sampled(sea_ice)],
            woods: sampled(woods.blurred(0.5)),
            rivers: RiverMasks::new(world, groups, fields, viewport),
            trees: Trees::new(fields, groups.rect(), viewport, TreeStyle::Painted),
            ink_trees: Trees::new(fields, groups.rect(), viewport, TreeStyle::Ink),
            frame: MapFrame::new(viewport, groups.rect().size(), sheet),
            noise: noise(),
            fields,
        }
    }

    /// Paints rows from `top` on into the layers.
    fn paint_band(&self, top: usize, day: &mut [Pixel], sheets: [&mut [Pixel]; 2], slopes: &mut [[i8; 2]]) {
        let width = self.viewport.width();
        let [paper, seen_paper] = sheets;
        let mut rows = [ReliefRow::default(), ReliefRow::default(), ReliefRow::default()];
        for (y, row) in (top..).zip(&mut rows[..2]) {
            self.relief.fill(self.fields, y, row);
        }
        let mut buffers = RowBuffers::new(width);
        let lines = day.chunks_exact_mut(width).zip(paper.chunks_exact_mut(width));
        let lines = lines.zip(seen_paper.chunks_exact_mut(width)).zip(slopes.chunks_exact_mut(width));
        for (y, (((day, paper), seen_paper), slopes)) in (top..).zip(lines) {
            self.relief.fill(self.fields, y + 2, &mut rows[2]);
            self.fill_row(y, &mut buffers);
            let [above, own, below] = &rows;
            for x in 0..width {
                let relief = relief_point([above, own, below], x, &self.viewport, self.fields.cell_m);
                let pixel = self.paint_pixel(x, y, &relief, &buffers);
                (day[x], paper[x], seen_paper[x], slopes[x]) = (pixel.day, pixel.sheet, pixel.seen_sheet, pixel.slope);
            }
            rows.rotate_left(1);
        }
        let lines = top..top + day.len() / width.max(1);
        self.trees.draw(lines.clone(), width, |at, colour, alpha| blend(&mut day[at], colour, alpha));
        let ink = self.sheet.ink;
        self.ink_trees.draw(lines, width, |at, _, alpha| {
            if self.unseen == Unseen::Mapped {
                blend(&mut paper[at], ink * (INK_TREES * alpha), INK_TREES * alpha);
            }
            blend(&mut seen_paper[at], ink * (SEEN_INK_TREES * alpha), SEEN_INK_TREES * alpha);
        });
        let lines = day.chunks_exact_mut(width).zip(paper.chunks_exact_mut(width));
        for (y, ((day, paper), seen_paper)) in (top..).zip(lines.zip(seen_paper.chunks_exact_mut(width))) {
            self.frame.paint_row(y, [day, paper, seen_paper]);
        }
    }

    fn fill_row(&self, y: usize, row: &mut RowBuffers) {
        let side = self.viewport.side();
        self.shore.fill_distances(side, y, 0, &mut row.edge, &mut row.shore);
        self.far_shore.fill(y, 0, &mut row.line, &mut row.far);
        for (near, &far) in row.shore.iter_mut().zip(&row.far) {
            if *near > 2.0 {
                *near += (far.max(2.0) - *near) * smoothstep_f32(2.0, 2.0 + side.min(6.0), *near);
            }
        }
        if side >= COAST_NOISE_SIDE {
            let reach = COAST_NOISE * side.min(45.0);
            for (x, distance) in row.shore.iter_mut().enumerate() {
                if distance.abs() < 3.0 * side {
                    let place = self.viewport.place(x, y);
                    let near = 1.0 - smoothstep_f32(0.0, 3.0 * side, distance.abs());
                    *distance += reach * near * self.noise.sum(place.x, place.y, &[0.6, 1.5, 4.0], 71);
                }
            }
        }
        self.depth.1.fill(&self.depth.0, y, 0, &mut row.line, &mut row.depth);
        self.woods.1.fill(&self.woods.0, y, 0, &mut row.line, &mut row.woods);
        for ((field, sampler), out) in self.masks.iter().zip(&mut row.masks) {
            sampler.fill(field, y, 0, &mut row.line, out);
        }
    }

    fn paint_pixel(&self, x: usize, y: usize, relief: &ReliefPoint, row: &RowBuffers) -> PaintedPixel {
        let place = self.viewport.place(x, y);
        let at = y * self.viewport.width() + x;
        let shore = row.shore[x];
        let light = self.day_light.on(relief);
        let steep = relief.slope.length();
        let [has_data, lake, sea_side, sea_ice] = [0, 1, 2, 3].map(|i| row.masks[i][x]);
        let tone = smoothstep_f32(trees::LEAST_SIDE + 3.0, trees::LEAST_SIDE - 0.5, self.viewport.side());
        let mut land = Rgb::ZERO;
        if shore < 2.0 {
            land = self.ground(place, relief.height, steep);
            if tone > 0.0 {
                land = self.woods_afar(place, land, tone, row, x);
            }
            land = lit(land, light);
        }
        let day = if shore > -0.5 * self.viewport.side() || sea_side > 0.0 {
            self.water(place, land, row, x, [lake, sea_side, sea_ice])
        } else {
            land
        };
        let rivers = &self.rivers;
        let [water, banks, ink] = [&rivers.water, &rivers.banks, &rivers.ink].map(|mask| f32::from(mask[at]) / 255.0);
        let day = day.lerp(RIVER_BANK, 0.66 * banks * share(shore < 1.0)).lerp(RIVER, water * share(shore < 1.0));
        let sheet = self.paper(place, relief, light, [shore, steep, ink], row.woods[x], day);
        let holes = |colour: Rgb, hole: Rgb| hole.lerp(colour, has_data.clamp(0.0, 1.0));
        let hole = self.sheet.base * 0.82;
        PaintedPixel {
            day: pixel(holes(day, hole), if shore > 0.0 { 255 } else { 0 }),
            sheet: pixel(if self.unseen == Unseen::Mapped { holes(sheet[0], hole) } else { sheet[0] }, 0),
            seen_sheet: pixel(holes(sheet[1], hole), 0),
            slope: relief.slope.to_array().map(|slope| (slope * 64.0).clamp(-127.0, 127.0) as i8),
        }
    }

    /// Returns the colour of land in level light: its biome, warmed by height, green with plants, bare where it is steep.
    fn ground(&self, place: Vec2, height: f32, steep: f32) -> Rgb {
        let noise = self.noise;
        let warp = vec2(noise.at(place.x * 0.5, place.y * 0.5, 5), noise.at(place.x * 0.5, place.y * 0.5, 6));
        let warped = place + WARP * warp;
        let [r, g, b, vegetation, ice] = bilinear(&self.tints, warped);
        let mut colour = Rgb::new(r, g, b);
        let high = self.fields.high_m;
        colour = colour.lerp(HEIGHT_TINT, 0.38 * smoothstep_f32(0.05 * high, 0.6 * high, height));
        colour = colour.lerp(VEGETATION_TINT, 0.38 * smoothstep_f32(0.25, 1.0, vegetation));
        colour = colour.lerp(ROCK, 0.62 * smoothstep_f32(0.55, 1.15, steep) * (1.0 - 0.5 * vegetation));
        if ice > 0.0 {
            colour = colour.lerp(SNOW, smoothstep_f32(0.3, 0.6, ice) * smoothstep_f32(1.6, 0.8, steep));
        }
        colour * (1.0 + 0.035 * noise.sum(place.x, place.y, &[0.25, 1.0, 3.0][..self.octaves(3)], 8))
    }

    /// Returns how many of three octaves up to three features a cell are large enough to be seen.
    fn octaves(&self, most: usize) -> usize {
        if self.viewport.side() < 3.0 { most - 1 } else { most }
    }

    /// Paints woods that are too small for trees as a mottled tone with a lit rim.
    fn woods_afar(&self, place: Vec2, land: Rgb, tone: f32, row: &RowBuffers, x: usize) -> Rgb {
        let noise = self.noise.at(place.x * 0.9, place.y * 0.9, 41);
        let woods = row.woods[x];
        let behind = self.woods.0.bilinear(place.x + 0.7, place.y + 0.7);
        let cover = smoothstep_f32(0.35, 0.85, woods + 0.13 * noise) * tone;
        land.lerp(WOODS, 0.5 * cover) * (1.0 + 0.30 * (woods - behind) * cover + 0.10 * noise * cover)
    }

    /// Paints water, its shore lines, sand and the ink of the shore over land.
    fn water(&self, place: Vec2, land: Rgb, row: &RowBuffers, x: usize, [lake, sea_side, sea_ice]: [f32; 3]) -> Rgb {
        let (side, noise, shore) = (self.viewport.side(), self.noise, row.shore[x]);
        let mut colour = land;
        if shore < 0.5 && sea_side > 0.0 {
            colour = colour.lerp(SAND, 0.75 * smoothstep_f32(-0.42 * side, 0.0, shore) * sea_side);
        }
        if shore > -0.5 {
            let spacing = shore_spacing(side);
            let t = depth_share(row.depth[x]);
            let deep = if t < 0.5 { SHALLOW.lerp(MIDDLE, 2.0 * t) } else { MIDDLE.lerp(DEEP, 2.0 * t - 1.0) };
            let mut water = deep.lerp(LAKE, 0.8 * smoothstep_f32(0.2, 0.8, lake));
            if shore < 6.0 * spacing {
                water = water.lerp(SHALLOW, 0.55 * decay(shore.max(0.0) / (1.3 * spacing)));
            }
            water = water.lerp(SEA_ICE, smoothstep_f32(0.3, 0.7, sea_ice));
            let mut shade = 0.03 * noise.sum(place.x, place.y, &[(0.006 * side).min(0.06), (0.02 * side).min(0.2)], 22);
            if side > 5.0 {
                shade += 0.022 * noise.at(place.x * 0.77, place.y * 2.2, 21);
            }
            water *= 1.0 + shade;
            if shore < 4.0 * spacing {
                let wavy = shore * (1.0 + 0.10 * noise.at(place.x * 0.35, place.y * 0.35, 23));
                for (step, alpha) in SHORE_LINES {
                    water = water.lerp(FOAM, alpha * line(wavy - step * spacing, 1.6));
                }
            }
            colour = colour.lerp(water, (shore + 0.5).clamp(0.0, 1.0));
        }
        colour.lerp(SHORE_INK, 0.62 * line(shore, 1.1))
    }

    /// Returns the sheets: never seen, and seen before.
    fn paper(
        &self,
        place: Vec2,
        relief: &ReliefPoint,
        light: f32,
        [shore, steep, river]: [f32; 3],
        woods: f32,
        land: Rgb,
    ) -> [Rgb; 2] {
        let (sheet, side, noise) = (self.sheet, self.viewport.side(), self.noise);
        let at = place * self.viewport.scale;
        let grain = paper_grain(at);
        let strokes = if shore < 0.5 { self.hachures(at, relief, light, steep) } else { 0.0 };
        let hand_tint = if side < 4.0 { 0.30 } else { 0.14 };
        let grey = land.lerp(Rgb::splat(luma(land)), 0.30) * sheet.land_share;
        let water = (shore + 0.5).clamp(0.0, 1.0);
        let stipple = if side < 4.0 && shore < -1.0 && woods > 0.35 {
            0.34 * smoothstep_f32(0.35, 0.75, woods) * smoothstep_f32(0.55, 1.1, noise.at(at.x * 0.62, at.y * 0.62, 63))
        } else {
            0.0
        };
        let lines: f32 = if shore > 0.0 && shore < 6.0 * shore_spacing(side) {
            let spacing = (0.5 * side).clamp(3.2, 9.0);
            PAPER_SHORE_LINES.iter().map(|(step, alpha)| alpha * line(shore - step * spacing, 1.0)).sum()
        } else {
            0.0
        };
        let coast = 0.85 * line(shore, 1.5);
        let ink = |base: Rgb, sea: Rgb, relief_share: f32, tint: f32, woods_share: f32| {
            let mut colour = base;
            colour = colour.lerp(sheet.shade, relief_share * 0.55 * (1.0 - light).clamp(0.0, 0.8));
            colour = colour.lerp(PAPER_LIGHT, relief_share * 0.16 * (light - 1.0).clamp(0.0, 1.0) * sheet.land_share);
            colour = colour.lerp(sheet.ink, relief_share * 0.30 * strokes);
            colour = colour.lerp(sea, water);
            colour = colour.lerp(grey, tint);
            colour = colour.lerp(sheet.ink, lines);
            (colour, woods_share * stipple)
        };
        let finish = |(colour, stipple): (Rgb, f32), wash: f32| {
            let mut colour = colour.lerp(sheet.wash, wash);
            colour = colour.lerp(sheet.river, 0.75 * river * share(shore < 0.5));
            colour = colour.lerp(sheet.ink, stipple);
            colour.lerp(sheet.ink, coast) * grain
        };
        let never = match self.unseen {
            Unseen::Mapped => finish(ink(sheet.base, sheet.sea, NEVER_SEEN_RELIEF, hand_tint, 0.6), 0.0),
            Unseen::Remembered => sheet.base * grain,
        };
        let before = ink(sheet.seen, sheet.sea.lerp(sheet.seen, 0.5), 0.8, 0.46, 1.0);
        [never, finish(before, 0.26)]
    }

    /// Returns ink strokes down the slope: noise that is smeared along the gradient, where it is steep.
    fn hachures(&self, at: Vec2, relief: &ReliefPoint, light: f32, steep: f32) -> f32 {
        let share = smoothstep_f32(0.22, 0.75, steep);
        if share <= 0.0 {
            return 0.0;
        }
        let way = relief.smooth.normalize_or_zero();
        let samples = (-3..=3).map(|i| {
            let at = (at + way * (i as f32 * 2.2)) * 0.55;
            self.noise.at(at.x, at.y, 51)
        });
        let smeared = samples.sum::<f32>() / 7.0;
        smoothstep_f32(0.22, 0.72, smeared * 1.9 + 0.9 * (1.2 - light)) * share
    }
}

/// The blur of shores, in cells.
const SHORE_BLUR: f32 = 0.9;
/// Coasts are irregular from this size of a cell on, in pixels, by this share of a cell.
const COAST_NOISE_SIDE: f32 = 6.0;
const COAST_NOISE: f32 = 0.09;
/// Tints are fetched from up to about this many cells away, so that biomes do not end along cells.
const WARP: f32 = 0.9;
/// The relief of land that was never seen is fainter, since nobody surveyed it.
const NEVER_SEEN_RELIEF: f32 = 0.55;
/// The strength of tree signs where nothing was seen, and where land was seen before.
const INK_TREES: f32 = 0.34;
const SEEN_INK_TREES: f32 = 0.75;
/// Lines along shores: their distance in steps, and their strength.
const SHORE_LINES: [(f32, f32); 3] = [(0.55, 0.85), (1.55, 0.50), (2.75, 0.28)];
const PAPER_SHORE_LINES: [(f32, f32); 4] = [(0.8, 0.34), (1.8, 0.22), (3.0, 0.13), (4.4, 0.07)];

/// Returns the brightness of a sheet at a pixel of the map: its grain and its stains.
#[inline]
pub(crate) fn paper_grain(at: Vec2) -> f32 {
    let noise = noise();
    1.0 + 0.016 * noise.at(at.x * 0.45, at.y * 0.45, 61) + 0.022 * noise.sum(at.x, at.y, &[0.05, 0.012], 62)
}

/// Returns the distance between lines along shores, in pixels.
fn shore_spacing(side: f32) -> f32 {
    (0.55 * side).clamp(4.0, 11.0)
}

/// Returns the share of the darkest water: (depth / deepest)^0.6.
fn depth_share(depth_m: f32) -> f32 {
    let share = (depth_m / DEEPEST_M).clamp(0.0, 1.0);
    if share <= 0.0 { 0.0 } else { crate::math::exp2(0.6 * crate::math::log2(share)) }
}

/// Returns e^−x for x ≥ 0.
pub(crate) fn decay(x: f32) -> f32 {
    crate::math::exp2_approx((-std::f32::consts::LOG2_E * x).max(-126.0))
}

/// Returns the coverage of a line of `width` pixels at a distance from its middle.
#[inline]
pub(crate) fn line(distance: f32, width: f32) -> f32 {
    (width / 2.0 + 0.5 - distance.abs()).clamp(0.0, 1.0)
}

/// Returns the luma of a colour.
#[inline]
pub(crate) fn luma(colour: Rgb) -> f32 {
    colour.dot(Rgb::new(0.30, 0.59, 0.11))
}

/// Returns a colour in the light on a slope: shade is blue-grey, light is warm.
#[inline]
fn lit(colour: Rgb, light: f32) -> Rgb {
    if light > 1.0 {
        colour * (Rgb::ONE + (light - 1.0) * 0.34 * SUN)
    } else {
        // Near d^1.15 on [0, 1].
        let light = light * (0.85 + 0.15 * light);
        colour * (SHADE + (Rgb::ONE - SHADE) * light)
    }
}

struct PaintedPixel {
    day: Pixel,
    sheet: Pixel,
    seen_sheet: Pixel,
    slope: [i8; 2],
}

/// The fields of a row of pixels.
struct RowBuffers {
    /// The distance to the shore in pixels, positive on water.
    shore: Vec<f32>,
    far: Vec<f32>,
    depth: Vec<f32>,
    woods: Vec<f32>,
    masks: [Vec<f32>; 4],
    line: Vec<f32>,
    edge: EdgeBuffers,
}

impl RowBuffers {
    fn new(width: usize) -> Self {
        let row = || vec![0.0; width];
        Self {
            shore: row(),
            far: row(),
            depth: row(),
            woods: row(),
            masks: [row(), row(), row(), row()],
            line: Vec::new(),
            edge: EdgeBuffers::default(),
        }
    }
}

/// Returns the colours of bare land without edges of cells, vegetation, and ice. Under water they are those of near land.
fn tints(fields: &GroundFields) -> Field<[f32; 5]> {
    let rect = fields.rect;
    let weight = fields.biome.map(|biome| share(is_land(*biome)));
    let channel = |value: &dyn Fn(usize) -> f32| {
        let values = (0..fields.biome.values.len()).map(value).collect();
        Field { rect, values }
    };
    let near = weight.blurred(TINT_BLUR);
    let wide = weight.blurred(TINT_BLUR * 4.0);
    let colours: [Field; 3] = std::array::from_fn(|i| {
        let tinted = channel(&|cell| weight.values[cell] * land_tint(fields.biome.values[cell])[i]);
        let (close, far) = (tinted.blurred(TINT_BLUR), tinted.blurred(TINT_BLUR * 4.0));
        let default = land_tint(Biome::Coast)[i];
        channel(&|cell| {
            // Close by, the mean of land within about a cell; else of land within four.
            let wider = if wide.values[cell] > 1e-3 { far.values[cell] / wide.values[cell] } else { default };
            (close.values[cell] + 0.02 * wider) / (near.values[cell] + 0.02)
        })
    });
    let ice = fields.biome.map(|biome| share(*biome == Biome::Ice));
    let cells = 0..fields.biome.values.len();
    let values = cells.map(|cell| {
        let [r, g, b] = [0, 1, 2].map(|i| colours[i].values[cell]);
        [r, g, b, fields.vegetation.values[cell], ice.values[cell]]
    });
    Field { rect, values: values.collect() }
}

/// The blur of tints, in cells.
const TINT_BLUR: f32 = 1.1;

/// Returns the values between the middles of four cells.
#[inline]
fn bilinear<const N: usize>(field: &Field<[f32; N]>, place: Vec2) -> [f32; N] {
    let at = place - 0.5 - field.rect.min.as_vec2();
    let last = vec2((field.width() - 2) as f32, (field.height() - 2) as f32);
    let at = at.clamp(Vec2::ZERO, last);
    let (x, y) = (at.x as usize, at.y as usize);
    let (fx, fy) = (at.x - x as f32, at.y - y as f32);
    let start = y * field.width() + x;
    let [a, b] = [&field.values[start], &field.values[start + 1]];
    let [c, d] = [&field.values[start + field.width()], &field.values[start + field.width() + 1]];
    std::array::from_fn(|i| {
        let top = a[i] + (b[i] - a[i]) * fx;
        top + (c[i] + (d[i] - c[i]) * fx - top) * fy
    })
}

/// Returns a pixel of a colour.
#[inline]
pub(crate) fn pixel(colour: Rgb, fourth: u8) -> Pixel {
    let [r, g, b] = (colour + 0.5).clamp(Rgb::ZERO, Rgb::splat(255.0)).to_array().map(|channel| channel as u8);
    [r, g, b, fourth]
}

/// Returns the colour of a pixel.
#[inline]
pub(crate) fn colour([r, g, b, _]: Pixel) -> Rgb {
    Rgb::new(f32::from(r), f32::from(g), f32::from(b))
}

/// Blends a colour times alpha over a pixel.
#[inline]
pub(crate) fn blend(at: &mut Pixel, premultiplied: Rgb, alpha: f32) {
    *at = pixel(colour(*at) * (1.0 - alpha) + premultiplied, at[3]);
}

/// Returns pixels blurred by about a Gaussian of `sigma` pixels: three means at half the size.
pub(crate) fn softened(pixels: &[Pixel], width: usize, sigma: f32) -> Vec<Pixel> {
    let height = pixels.len() / width.max(1);
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut small: Vec<Rgb> = vec![Rgb::ZERO; half_width * half_height];
    small.par_chunks_mut(half_width.max(1)).enumerate().for_each(|(y, row)| {
        let [above, below] = [2 * y, (2 * y + 1).min(height - 1)].map(|y| &pixels[y * width..][..width]);
        for (x, out) in row.iter_mut().enumerate() {
            let (left, right) = (2 * x, (2 * x + 1).min(width - 1));
            *out = 0.25 * (colour(above[left]) + colour(above[right]) + colour(below[left]) + colour(below[right]));
        }
    });
    // The mean of 2 r + 1 values has the variance (r² + r) / 3; three of them have that of the Gaussian.
    let half_sigma = sigma / 2.0;
    let radius = (((0.25 + half_sigma * half_sigma).sqrt() - 0.5) + 0.5) as usize;
    for _ in 0..3 {
        small = transposed_means(&small, half_width, radius.max(1));
        small = transposed_means(&small, half_height, radius.max(1));
    }
    let mut out = vec![[0; 4]; pixels.len()];
    out.par_chunks_mut(width.max(1)).enumerate().for_each(|(y, row)| {
        // Pixels are at quarters between the middles of the small ones.
        let near = y / 2;
        let other = if y % 2 == 0 { near.saturating_sub(1) } else { (near + 1).min(half_height - 1) };
        let [near, other] = [near, other].map(|y| &small[y * half_width..][..half_width]);
        for (x, out) in row.iter_mut().enumerate() {
            let i = x / 2;
            let j = if x % 2 == 0 { i.saturating_sub(1) } else { (i + 1).min(half_width - 1) };
            let close = near[i] * 0.75 + near[j] * 0.25;
            let far = other[i] * 0.75 + other[j] * 0.25;
            *out = pixel(close * 0.75 + far * 0.25, 0);
        }
    });
    out
}

/// Returns the means of each row of `width` values over 2 `radius` + 1 neighbours, with rows and columns exchanged.
fn transposed_means(values: &[Rgb], width: usize, radius: usize) -> Vec<Rgb> {
    let height = values.len() / width.max(1);
    let mut out = vec![Rgb::ZERO; values.len()];
    let share = 1.0 / (2 * radius + 1) as f32;
    // Eight rows together fill whole cache lines of the columns.
    let rows: Vec<Vec<Rgb>> = values
        .par_chunks(width.max(1))
        .map(|row| {
            let at = |i: usize, back: usize| row[(i.saturating_sub(back)).min(width - 1)];
            let mut sum = row[0] * radius as f32;
            sum += (0..=radius).map(|i| row[i.min(width - 1)]).sum::<Rgb>();
            let mut line = Vec::with_capacity(width);
            for x in 0..width {
                line.push(sum * share);
                sum += at(x + radius + 1, 0) - at(x, radius);
            }
            line
        })
        .collect();
    out.par_chunks_mut(height.max(1)).enumerate().for_each(|(x, column)| {
        for (out, row) in column.iter_mut().zip(&rows) {
            *out = row[x];
        }
    });
    out
}
