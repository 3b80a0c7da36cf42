//! [`LandPicture::of_world`]: a world, painted at a zoom.

use glam::{IVec2, Vec2, vec2};

use super::distance::{DistanceField, FINE_STEP};
use super::frame::MapFrame;
use super::ground_fields::{CellGroups, GroundFields};
use super::land_picture::{BAND, LandPicture, softened};
use super::noise::{Noise, SlowNoise, SlowNoiseMaker, noise};
use super::pixels::{Pixel, blend, decay, line, luma, pixel, share};
use super::relief::{DayLight, PictureRelief, ReliefPoint, ReliefRow, is_land, relief_point};
use super::resample::{Field, FieldRow, Sampler, linear};
use super::rivers::RiverMasks;
use super::soft_edge::{EdgeRow, SoftEdge, soft_field};
use super::style::*;
use super::trees::{self, TreeStyle, Trees};
use super::viewport::Viewport;
use crate::paint::options::Unseen;
use crate::world::{Biome, World};
use farsight::internal::math::smoothstep_f32;
use farsight::internal::parallel::*;

/// The data shared by the bands of a picture.
struct LandPainter<'a> {
    viewport: Viewport,
    fields: &'a GroundFields,
    sheet: &'static Sheet,
    unseen: Unseen,
    /// The places of the columns of pixels, in cells.
    columns: Vec<f32>,
    /// The fraction of woods painted as a tone instead of trees.
    tone: f32,
    never_seen_relief: f32,
    relief: PictureRelief,
    day_light: DayLight,
    /// Red, green and blue of bare land, vegetation, ice.
    tints: Field<[f32; 5]>,
    shore: SoftEdge,
    far_shore: DistanceField,
    depth: (Field, Sampler<2>),
    /// Fractions of land with data, of lakes, of sea near land, of ice on water, and of woods.
    masks: [(Field, Sampler<2>); 4],
    has_gaps: bool,
    woods: (Field, Sampler<2>),
    rivers: RiverMasks,
    trees: Trees,
    ink_trees: Trees,
    frame: MapFrame,
    noise: &'static Noise,
    /// Warps of tints to the right and downwards, mottles, stains of the sheet, wobbles of shore lines, and shades of water.
    slow: [SlowNoise; 6],
}

impl LandPicture {
    /// Paints the land of a world.
    pub(crate) fn of_world(
        world: &World,
        groups: CellGroups,
        viewport: &Viewport,
        (sheet, unseen): (&'static Sheet, Unseen),
    ) -> Self {
        let fields = GroundFields::new(world, groups, viewport);
        let painter = LandPainter::new(world, groups, &fields, viewport, (sheet, unseen));
        let mut land = Self::blank(viewport);
        let width = viewport.width();
        let length = (width * BAND).max(1);
        let bands: Vec<_> = land
            .day
            .chunks_mut(length)
            .zip(land.sheet.chunks_mut(length))
            .zip(land.seen_sheet.chunks_mut(length))
            .zip(land.slopes.chunks_mut(length))
            .enumerate()
            .collect();
        bands.into_par_iter().for_each(|(band, (((day, sheet), seen_sheet), slopes))| {
            painter.paint_band(band * BAND, day, [sheet, seen_sheet], slopes);
        });
        land.soft = softened(&land.day, viewport);
        land
    }
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
        let (slow, noise) = (SlowNoiseMaker::new(viewport), noise());
        let [scale, side] = [viewport.scale, Vec2::splat(viewport.side())];
        let slow = [
            slow.make(|at| WARP * noise.at(0.5 * at.x / scale.x, 0.5 * at.y / scale.y, 5)),
            slow.make(|at| WARP * noise.at(0.5 * at.x / scale.x, 0.5 * at.y / scale.y, 6)),
            slow.make(|at| noise.at(0.25 * at.x / scale.x, 0.25 * at.y / scale.y, 8)),
            slow.make(paper_stain),
            slow.make(|at| noise.at(0.35 * at.x / scale.x, 0.35 * at.y / scale.y, 23)),
            slow.make(|at| {
                let features = [(0.006 * side.x).min(0.06), (0.02 * side.x).min(0.2)];
                noise.sum(at.x / scale.x, at.y / scale.y, &features, 22)
            }),
        ];
        let depth_blur = (9.0 / viewport.side()).clamp(0.8, 5.0);
        Self {
            viewport: *viewport,
            sheet,
            unseen,
            columns: (0..viewport.width()).map(|x| viewport.place(x, 0).x).collect(),
            tone: smoothstep_f32(trees::LEAST_SIDE + 3.0, trees::LEAST_SIDE - 0.5, viewport.side()),
            never_seen_relief: NEVER_SEEN_RELIEF_AFAR
                + (NEVER_SEEN_RELIEF - NEVER_SEEN_RELIEF_AFAR) * smoothstep_f32(1.5, 6.0, viewport.side()),
            relief: PictureRelief::new(viewport, fields),
            day_light: DayLight::new(),
            tints: tints(fields),
            far_shore: DistanceField::new(viewport, &shore, (true, FINE_STEP)),
            shore,
            depth: sampled(fields.depth.blurred(depth_blur)),
            has_gaps: fields.has_data.values.contains(&false),
            masks: [sampled(has_data), sampled(lakes), sampled(sea_side), sampled(sea_ice)],
            woods: sampled(woods.blurred(0.5)),
            rivers: RiverMasks::new(world, groups, fields, viewport),
            trees: Trees::new(fields, groups.rect(), viewport, TreeStyle::Painted),
            ink_trees: Trees::new(fields, groups.rect(), viewport, TreeStyle::Ink),
            frame: MapFrame::new(viewport, groups.rect().size(), sheet),
            noise,
            slow,
            fields,
        }
    }

    /// Paints rows into the layers, starting at `top`.
    fn paint_band(&self, top: usize, day: &mut [Pixel], sheets: [&mut [Pixel]; 2], slopes: &mut [[i8; 2]]) {
        let width = self.viewport.width();
        let [paper, seen_paper] = sheets;
        let mut rows = [ReliefRow::default(), ReliefRow::default(), ReliefRow::default()];
        for (y, row) in (top..).zip(&mut rows[..2]) {
            self.relief.fill(self.fields, y, row);
        }
        let mut buffers = RowBuffers { shore: vec![0.0; width], ..RowBuffers::default() };
        let lines = day.chunks_exact_mut(width).zip(paper.chunks_exact_mut(width));
        let lines = lines.zip(seen_paper.chunks_exact_mut(width)).zip(slopes.chunks_exact_mut(width));
        for (y, (((day, paper), seen_paper), slopes)) in (top..).zip(lines) {
            self.relief.fill(self.fields, y + 2, &mut rows[2]);
            self.fill_row(y, &mut buffers);
            let place_y = self.viewport.place(0, y).y;
            let [above, own, below] = &rows;
            for x in 0..width {
                let relief = relief_point([above, own, below], x, &self.viewport, self.fields.cell_m);
                let place = Vec2::new(self.columns[x], place_y);
                let pixel = self.paint_pixel(place, [x, y], &relief, &buffers);
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
        self.shore.fill_distances(side, y, &mut row.edge, &mut row.shore);
        self.far_shore.load(y, &mut row.far);
        for (x, near) in row.shore.iter_mut().enumerate() {
            if *near > 2.0 {
                let far = self.far_shore.at(x, &row.far);
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
        self.depth.1.load(&self.depth.0, y, &mut row.depth);
        self.woods.1.load(&self.woods.0, y, &mut row.woods);
        for (noise, out) in self.slow.iter().zip(&mut row.slow) {
            noise.load(y, out);
        }
        for ((field, sampler), out) in self.masks.iter().zip(&mut row.masks) {
            sampler.load(field, y, out);
        }
    }

    #[inline]
    fn paint_pixel(&self, place: Vec2, [x, y]: [usize; 2], relief: &ReliefPoint, row: &RowBuffers) -> PaintedPixel {
        let at = y * self.viewport.width() + x;
        let shore = row.shore[x];
        let light = self.day_light.on(relief, 1.0);
        let steep = relief.slope.length();
        let mask = |i: usize| self.masks[i].1.at(x, &row.masks[i]);
        let has_data = if self.has_gaps { mask(0) } else { 1.0 };
        let tone = self.tone;
        let mut land = Srgb::ZERO;
        if shore < 2.0 {
            land = self.ground(place, relief.height, steep, row, x);
            if tone > 0.0 {
                land = self.woods_afar(place, land, tone, row, x);
            }
            land = lit(land, light);
        }
        let day = if shore > -0.5 * self.viewport.side().max(2.2) {
            self.water(place, land, row, x, [mask(1), mask(2), mask(3)])
        } else {
            land
        };
        let rivers = &self.rivers;
        let [water, banks, ink] = [&rivers.water, &rivers.banks, &rivers.ink].map(|mask| f32::from(mask[at]) / 255.0);
        let day = if banks > 0.0 && shore < 1.0 { day.lerp(RIVER_BANK, 0.78 * banks).lerp(RIVER, water) } else { day };
        let sheet = self.paper(
            place,
            relief,
            light,
            [shore, steep, ink],
            [self.woods.1.at(x, &row.woods), self.slow_noise(3, x, row)],
            day,
        );
        let hole = self.sheet.base * 0.82;
        let holes = |colour: Srgb| if has_data >= 1.0 { colour } else { hole.lerp(colour, has_data.clamp(0.0, 1.0)) };
        PaintedPixel {
            day: pixel(holes(day), if shore > 0.0 || water > 0.5 { 255 } else { 0 }),
            sheet: pixel(if self.unseen == Unseen::Mapped { holes(sheet[0]) } else { sheet[0] }, 0),
            seen_sheet: pixel(holes(sheet[1]), 0),
            slope: relief.slope.to_array().map(|slope| (slope * 64.0).clamp(-127.0, 127.0) as i8),
        }
    }

    #[inline]
    fn slow_noise(&self, i: usize, x: usize, row: &RowBuffers) -> f32 {
        self.slow[i].at(x, &row.slow[i])
    }

    /// Returns the colour of land in level light, mottled.
    fn ground(&self, place: Vec2, height: f32, steep: f32, row: &RowBuffers, x: usize) -> Srgb {
        let warped = place + vec2(self.slow_noise(0, x, row), self.slow_noise(1, x, row));
        let colour = ground_colour(bilinear(&self.tints, warped), height, steep, self.fields.high_m);
        let fine = if self.viewport.side() < 3.0 { 0.0 } else { 0.6 * self.noise.at(place.x, place.y, 9) };
        colour * (1.0 + 0.035 * (self.slow_noise(2, x, row) + fine))
    }

    /// Paints woods of cells too small for trees as a mottled tone with a lit rim.
    fn woods_afar(&self, place: Vec2, land: Srgb, tone: f32, row: &RowBuffers, x: usize) -> Srgb {
        let noise = self.noise.at(place.x * 0.9, place.y * 0.9, 41);
        let woods = self.woods.1.at(x, &row.woods);
        let behind = self.woods.0.bilinear(place.x + 0.7, place.y + 0.7);
        let cover = smoothstep_f32(0.35, 0.85, woods + 0.13 * noise) * tone;
        land.lerp(WOODS, 0.5 * cover) * (1.0 + 0.30 * (woods - behind) * cover + 0.10 * noise * cover)
    }

    /// Paints water, its shore lines, sand and the ink of the shore over land.
    fn water(&self, place: Vec2, land: Srgb, row: &RowBuffers, x: usize, [lake, sea_side, sea_ice]: [f32; 3]) -> Srgb {
        let (side, noise, shore) = (self.viewport.side(), self.noise, row.shore[x]);
        let mut colour = land;
        if shore < 0.5 && sea_side > 0.0 {
            colour = colour.lerp(SAND, 0.75 * smoothstep_f32(-0.42 * side, 0.0, shore) * sea_side);
        }
        if shore > -0.5 {
            let spacing = shore_spacing(side);
            let t = depth_share(self.depth.1.at(x, &row.depth));
            let deep = if t < 0.5 { SHALLOW.lerp(MIDDLE, 2.0 * t) } else { MIDDLE.lerp(DEEP, 2.0 * t - 1.0) };
            let mut water = if lake > 0.2 { deep.lerp(LAKE, 0.8 * smoothstep_f32(0.2, 0.8, lake)) } else { deep };
            if shore < 6.0 * spacing {
                water = water.lerp(SHALLOW, 0.55 * decay(shore.max(0.0) / (1.3 * spacing)));
            }
            if sea_ice > 0.3 {
                water = water.lerp(SEA_ICE, smoothstep_f32(0.3, 0.7, sea_ice));
            }
            let mut shade = 0.03 * self.slow_noise(5, x, row);
            if side > 5.0 {
                shade += 0.022 * noise.at(place.x * 0.77, place.y * 2.2, 21);
            }
            water *= 1.0 + shade;
            if shore < 4.0 * spacing {
                let wavy = shore * (1.0 + 0.10 * self.slow_noise(4, x, row));
                for (step, alpha) in SHORE_LINES {
                    water = water.lerp(FOAM, alpha * line(wavy - step * spacing, 1.6));
                }
            }
            colour = colour.lerp(water, (shore + 0.5).clamp(0.0, 1.0));
        }
        if shore.abs() < 1.1 { colour.lerp(SHORE_INK, 0.62 * line(shore, 1.1)) } else { colour }
    }

    /// Returns the sheets of land never seen and land seen before.
    fn paper(
        &self,
        place: Vec2,
        relief: &ReliefPoint,
        light: f32,
        [shore, steep, river]: [f32; 3],
        [woods, stain]: [f32; 2],
        land: Srgb,
    ) -> [Srgb; 2] {
        let (sheet, side, noise) = (self.sheet, self.viewport.side(), self.noise);
        let at = place * self.viewport.scale;
        let grain = paper_grain(at, stain);
        let strokes = if shore < 0.5 { self.hachures(at, relief, light, steep) } else { 0.0 };
        let hand_tint = if side < 4.0 { 0.30 } else { 0.14 };
        let grey = land.lerp(Srgb::splat(luma(land)), 0.30) * sheet.land_share;
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
        let ink = |base: Srgb, sea: Srgb, relief_share: f32, tint: f32, woods_share: f32| {
            let mut colour = base;
            if light < 1.0 {
                colour = colour.lerp(sheet.shade, relief_share * 0.55 * (1.0 - light).min(0.8));
            } else {
                colour = colour.lerp(PAPER_LIGHT, relief_share * 0.16 * (light - 1.0).min(1.0) * sheet.land_share);
            }
            if strokes > 0.0 {
                colour = colour.lerp(sheet.ink, relief_share * 0.30 * strokes);
            }
            if water > 0.0 {
                colour = colour.lerp(sea, water);
            }
            colour = colour.lerp(grey, tint);
            if lines > 0.0 {
                colour = colour.lerp(sheet.ink, lines);
            }
            (colour, woods_share * stipple)
        };
        let finish = |(colour, stipple): (Srgb, f32), wash: f32| {
            let mut colour = colour.lerp(sheet.wash, wash);
            if river > 0.0 && shore < 0.5 {
                colour = colour.lerp(sheet.river, 0.75 * river);
            }
            if stipple > 0.0 {
                colour = colour.lerp(sheet.ink, stipple);
            }
            if coast > 0.0 {
                colour = colour.lerp(sheet.ink, coast);
            }
            colour * grain
        };
        let never = match self.unseen {
            Unseen::Mapped => finish(ink(sheet.base, sheet.sea, self.never_seen_relief, hand_tint, 0.6), 0.0),
            Unseen::Remembered => sheet.base * grain,
        };
        let before = ink(sheet.seen, sheet.sea.lerp(sheet.seen, 0.5), 0.8, 0.46, 1.0);
        [never, finish(before, 0.26)]
    }

    /// Returns ink strokes down steep slopes: noise, smeared along the gradient.
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

/// Returns the colour of land in level light from its tint: its biome, warmed by height, green with plants, bare where it is steep.
pub(crate) fn ground_colour([r, g, b, vegetation, ice]: [f32; 5], height: f32, steep: f32, high_m: f32) -> Srgb {
    let mut colour = Srgb::new(r, g, b);
    colour = colour.lerp(HEIGHT_TINT, 0.38 * smoothstep_f32(0.05 * high_m, 0.6 * high_m, height));
    colour = colour.lerp(VEGETATION_TINT, 0.38 * smoothstep_f32(0.25, 1.0, vegetation));
    colour = colour.lerp(ROCK, 0.62 * smoothstep_f32(0.55, 1.15, steep) * (1.0 - 0.5 * vegetation));
    if ice > 0.0 {
        colour = colour.lerp(SNOW, smoothstep_f32(0.3, 0.6, ice) * smoothstep_f32(1.6, 0.8, steep));
    }
    colour
}

/// The blur of shores, in cells.
const SHORE_BLUR: f32 = 0.9;
/// The minimum size of a cell, in pixels, with irregular coasts, and their amplitude as a fraction of a cell.
const COAST_NOISE_SIDE: f32 = 6.0;
const COAST_NOISE: f32 = 0.09;
/// The maximum displacement of tints, in cells, so that biomes do not end along cells.
const WARP: f32 = 0.9;
/// The relief of land that was never seen is fainter, since it is not surveyed; at small scales only mountains show.
const NEVER_SEEN_RELIEF: f32 = 0.55;
const NEVER_SEEN_RELIEF_AFAR: f32 = 0.90;
/// The strength of tree signs on land never seen, and on land seen before.
const INK_TREES: f32 = 0.34;
const SEEN_INK_TREES: f32 = 0.75;
/// Lines along shores: their spacing in steps, and their strength.
const SHORE_LINES: [(f32, f32); 3] = [(0.55, 0.85), (1.55, 0.50), (2.75, 0.28)];
const PAPER_SHORE_LINES: [(f32, f32); 4] = [(0.8, 0.34), (1.8, 0.22), (3.0, 0.13), (4.4, 0.07)];

/// Returns the brightness of a sheet at a pixel of the map, from its stain.
#[inline]
pub(crate) fn paper_grain(at: Vec2, stain: f32) -> f32 {
    1.0 + 0.016 * noise().at(at.x * 0.45, at.y * 0.45, 61) + 0.022 * stain
}

/// Returns the stain of a sheet at a pixel of the map.
pub(crate) fn paper_stain(at: Vec2) -> f32 {
    noise().sum(at.x, at.y, &[0.05, 0.012], 62)
}

/// Returns the spacing of lines along shores, in pixels.
fn shore_spacing(side: f32) -> f32 {
    (0.55 * side).clamp(4.0, 11.0)
}

/// Returns the fraction of the darkest water: (depth / deepest)^0.6.
pub(crate) fn depth_share(depth_m: f32) -> f32 {
    let share = (depth_m / DEEPEST_M).clamp(0.0, 1.0);
    if share <= 0.0 {
        0.0
    } else {
        farsight::internal::math::exp2_approx(0.6 * farsight::internal::math::log2_approx(share))
    }
}

/// Returns a colour in the light on a slope, with blue-grey shade and warm light.
#[inline]
pub(crate) fn lit(colour: Srgb, light: f32) -> Srgb {
    if light > 1.0 {
        colour * (Srgb::ONE + (light - 1.0) * 0.34 * SUN)
    } else {
        // Near d^1.15 on [0, 1].
        let light = light * (0.85 + 0.15 * light);
        colour * (SHADE + (Srgb::ONE - SHADE) * light)
    }
}

struct PaintedPixel {
    day: Pixel,
    sheet: Pixel,
    seen_sheet: Pixel,
    slope: [i8; 2],
}

/// The fields of a row of pixels.
#[derive(Default)]
struct RowBuffers {
    /// The signed distance to the shore in pixels, positive on water.
    shore: Vec<f32>,
    edge: EdgeRow,
    far: FieldRow,
    depth: FieldRow,
    woods: FieldRow,
    masks: [FieldRow; 4],
    slow: [FieldRow; 6],
}

/// Returns the smoothed colours of bare land, vegetation, and ice. Under water they are those of near land.
pub(crate) fn tints(fields: &GroundFields) -> Field<[f32; 5]> {
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
            // Near land, the mean of land within about a cell; elsewhere, within four.
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

/// Returns the bilinear values between the centres of four cells.
#[inline]
fn bilinear<const N: usize>(field: &Field<[f32; N]>, place: Vec2) -> [f32; N] {
    let at = place - 0.5;
    let cell = at.floor();
    let (fx, fy) = (at.x - cell.x, at.y - cell.y); // do not depend on where the field begins
    let last = IVec2::new(field.width() as i32 - 2, field.height() as i32 - 2);
    let cell = (cell.as_ivec2() - field.rect.min).clamp(IVec2::ZERO, last);
    let (x, y) = (cell.x as usize, cell.y as usize);
    let start = y * field.width() + x;
    let [a, b] = [&field.values[start], &field.values[start + 1]];
    let [c, d] = [&field.values[start + field.width()], &field.values[start + field.width() + 1]];
    std::array::from_fn(|i| {
        let top = a[i] + (b[i] - a[i]) * fx;
        top + (c[i] + (d[i] - c[i]) * fx - top) * fy
    })
}
