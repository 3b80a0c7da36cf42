//! [`SightBlend`]: blends the view of a viewer over the painted land.

use glam::{IVec2, Vec2};

use super::distance::{COARSE_STEP, DistanceField, FARTHEST};
use super::land_picture::LandPicture;
use super::noise::{SlowNoise, SlowNoiseMaker, noise};
use super::pixels::{Pixel, colour, decay, line, linear, luma, pixel, srgb};
use super::resample::{FieldRow, Sampler, linear as linear_weights};
use super::sight_fields::{SHADOW_END, SightFields};
use super::sky_light::SkyLight;
use super::soft_edge::{EdgeRow, SoftEdge};
use super::style::*;
use super::viewport::Viewport;
use farsight::grid::CellRect;
use farsight::internal::math::smoothstep_f32;
use farsight::internal::parallel::*;

/// The radius of the shadow on the sheet, in pixels, and its strength where air and where an obstacle ends the view.
const SHADOW_REACH: f32 = 13.0;
const SHADOW: [f32; 2] = [0.16, 0.34];
/// The width of the edge of sight, in cells: the land farther inside is painted without the edge and the sheet.
const DEEP: f32 = 1.2;
/// The strength of the rim on maps with walls, where most edges are hard.
const ROOM_RIM: f32 = 0.65;
/// The fraction of fog on the sheet next to a view that it ends, its radius in cells, and the fraction of the rim that
/// it replaces.
const FOG_SPILL: f32 = 0.82;
const FOG_REACH: f32 = 1.4;
const FOG_RIM: f32 = 0.85;
/// The distance to which drawings of rock extend beyond the cells that were seen, in cells.
const ROCK_FADE: f32 = 0.65;

/// The fraction of air in the colour of visible land, by visibility.
struct HazeTable(Vec<f32>);

const HAZE_STEPS: usize = 512;

impl HazeTable {
    /// 0.80 (1 − v^0.62): 0.22 at 0.6, 0.46 at 0.25, 0.68 at 0.05.
    fn new() -> Self {
        let share = |i: usize| 0.80 * (1.0 - libm::powf(i as f32 / HAZE_STEPS as f32, 0.62));
        Self((0..=HAZE_STEPS).map(share).collect())
    }

    #[inline]
    fn at(&self, visibility: f32) -> f32 {
        let at = visibility.clamp(0.0, 1.0) * HAZE_STEPS as f32;
        let i = (at as usize).min(HAZE_STEPS - 1);
        self.0[i] + (self.0[i + 1] - self.0[i]) * (at - i as f32)
    }
}

/// Blends the view of a viewer over painted land.
pub(crate) struct SightBlend<'a> {
    viewport: Viewport,
    land: &'a LandPicture,
    sky: SkyLight,
    fog: f32,
    fields: &'a SightFields,
    seen: Option<SeenPart>,
    remembered: Option<(PicturePart, SoftEdge)>,
    haze: HazeTable,
    shadow: ShadowTable,
}

/// A part of the picture.
struct PicturePart {
    viewport: Viewport,
    /// Its first column and row in the picture.
    left: usize,
    top: usize,
}

/// The part of the picture that the view can change.
struct SeenPart {
    part: PicturePart,
    edge: SoftEdge,
    outside: DistanceField,
    sampler: Sampler<2>,
    lamps: Option<Sampler<2>>,
    /// The thickness of fog, about −1 to 1, and the brightness of its air.
    fog: Option<[SlowNoise; 2]>,
}

impl PicturePart {
    /// Creates the part of a picture with some cells and `margin` pixels around them, inside of the cells of `clip`;
    /// `None` if it is empty.
    fn of(viewport: &Viewport, cells: CellRect, margin: i32, clip: Option<CellRect>) -> Option<Self> {
        let pixels = |cells: CellRect, margin: i32| {
            let low = viewport.pixel(cells.min.as_vec2()).floor().as_ivec2() - margin;
            let high = viewport.pixel(cells.max.as_vec2()).ceil().as_ivec2() + margin;
            [low, high].map(|at| at.clamp(IVec2::ZERO, viewport.size))
        };
        let [mut low, mut high] = pixels(cells, margin);
        if let Some(clip) = clip {
            let [first, last] = pixels(clip, 0);
            (low, high) = (low.max(first), high.min(last));
        }
        let viewport = Viewport { origin: viewport.origin + low, size: high - low, ..*viewport };
        let is_empty = cells.width() == 0 || high.cmple(low).any();
        (!is_empty).then_some(Self { viewport, left: low.x as usize, top: low.y as usize })
    }

    fn width(&self) -> usize {
        self.viewport.width()
    }

    /// Returns the row of the part at a row of the picture.
    fn row(&self, y: usize) -> Option<usize> {
        y.checked_sub(self.top).filter(|&row| row < self.viewport.height())
    }
}

impl SeenPart {
    fn new(part: PicturePart, fields: &SightFields, fog: f32) -> Self {
        let edge = SoftEdge::new(&part.viewport, fields.seen.clone());
        let linear: [fn(f32) -> [f32; 2]; 2] = [linear_weights; 2];
        Self {
            outside: DistanceField::new(&part.viewport, &edge, (false, COARSE_STEP)),
            sampler: Sampler::new(&part.viewport, &fields.visibility, linear),
            lamps: fields.lamps.as_ref().map(|lamps| Sampler::new(&part.viewport, &lamps[0], linear)),
            fog: (fog > 0.0).then(|| fog_banks(&part.viewport)),
            edge,
            part,
        }
    }
}

impl<'a> SightBlend<'a> {
    /// Creates the sight over painted land.
    pub(crate) fn new(land: &'a LandPicture, fields: &'a SightFields, (sky, fog): (SkyLight, f32)) -> Self {
        let viewport = &land.viewport;
        let reach = viewport.side().ceil() as i32;
        let part = |cells, margin| PicturePart::of(viewport, cells, margin, fields.clip);
        let seen = part(fields.seen_cells, SHADOW_END.max(2 * reach));
        let remembered = part(fields.remembered_cells, 2 * reach);
        Self {
            viewport: *viewport,
            land,
            sky,
            fog,
            seen: seen.map(|part| SeenPart::new(part, fields, fog)),
            remembered: remembered.map(|part| {
                let edge = SoftEdge::new(&part.viewport, fields.remembered.clone());
                (part, edge)
            }),
            haze: HazeTable::new(),
            shadow: ShadowTable::new(),
            fields,
        }
    }

    /// Paints the picture.
    pub(crate) fn paint(&self, out: &mut [u8]) {
        const ROWS: usize = 16;
        let width = self.viewport.width();
        let bands: Vec<_> = out.chunks_mut((ROWS * width * 4).max(1)).enumerate().collect();
        bands.into_par_iter().for_each(|(band, pixels)| {
            let mut row = SightRow::default();
            for (y, pixels) in (band * ROWS..).zip(pixels.chunks_exact_mut((width * 4).max(1))) {
                self.paint_row(y, pixels, &mut row);
            }
        });
    }

    fn paint_row(&self, y: usize, out: &mut [u8], row: &mut SightRow) {
        let width = self.viewport.width();
        let at = y * width;
        let sheet = &self.land.sheet[at..][..width];
        let on_sheet = self.sky.on_sheet();
        row.base.clear();
        if on_sheet == Srgb::ONE {
            row.base.extend_from_slice(sheet);
        } else {
            row.base.extend(sheet.iter().map(|&sheet| pixel(colour(sheet) * on_sheet, 0)));
        }
        let side = self.viewport.side();
        let seen = self.seen.as_ref().and_then(|seen| Some((seen, seen.part.row(y)?)));
        row.distances.clear();
        if let Some((seen, part_row)) = seen {
            row.distances.resize(seen.part.width(), 0.0);
            seen.edge.fill_distances(side, part_row, &mut row.edge, &mut row.distances);
        }
        if let Some((part, edge)) = &self.remembered
            && let Some(part_row) = part.row(y)
        {
            edge.load(part_row, &mut row.edge);
            let ink = self.sky.sheet().ink * on_sheet;
            let fade = ROCK_FADE * side;
            let first = seen.map_or(0, |(seen, _)| seen.part.left);
            for i in 0..part.width() {
                let x = part.left + i;
                // Visible land covers it.
                let is_covered = x.checked_sub(first).and_then(|x| row.distances.get(x));
                if is_covered.is_some_and(|&distance| distance > DEEP * side.max(2.0)) {
                    continue;
                }
                let distance = edge.distance(side, i, &row.edge);
                let seen = self.land.seen_sheet[at + x];
                let is_rock = seen[3] > 0;
                if distance > -2.0 || is_rock && distance > -fade {
                    let (share, line) = if is_rock {
                        (smoothstep_f32(-fade, 0.0, distance), 0.0)
                    } else {
                        (((distance + 1.5) / 3.0).clamp(0.0, 1.0), line(distance, 1.2))
                    };
                    let seen = colour(seen) * on_sheet;
                    row.base[x] = pixel(colour(row.base[x]).lerp(seen, share).lerp(ink, 0.5 * line), 0);
                }
            }
        }
        if let Some((seen, part_row)) = seen {
            self.blend_seen(seen, part_row, at + seen.part.left, row);
        }
        for (out, base) in out.chunks_exact_mut(4).zip(&row.base) {
            out.copy_from_slice(&[base[0], base[1], base[2], 255]);
        }
    }

    /// Blends visible land over the sheet in a row of its part of the picture. `at` is the first pixel of the row in the land.
    fn blend_seen(&self, seen: &SeenPart, y: usize, at: usize, row: &mut SightRow) {
        let side = self.viewport.side();
        row.load(self.fields, seen, y);
        let haze_colour = self.sky.haze(self.fog);
        let rim = self.sky.rim();
        let rim_share = if self.fields.indoor_light.is_some() { ROOM_RIM } else { 1.0 };
        let rim_width = (0.3 * side).clamp(0.8, 1.6);
        let spill_reach = FOG_REACH * side;
        let fade = 0.22 * side + (1.0 * side - 0.22 * side) * self.fog;
        let cut = 0.8 + 0.1 * self.fog;
        for i in 0..seen.part.width() {
            let (distance, x) = (row.distances[i], seen.part.left + i);
            if distance > DEEP * side.max(2.0) {
                row.base[x] = pixel(self.seen_colour(seen, at + i, i, row), 0);
                continue;
            }
            let outside = if distance < 0.0 { seen.outside.at(i, &row.outside) } else { 0.0 };
            if outside >= FARTHEST {
                continue;
            }
            let hard = seen.sampler.at(i, &row.hard);
            let mut painted = colour(row.base[x]);
            if distance < 0.0 {
                let strength = SHADOW[0] * (1.0 - self.fog) + (SHADOW[1] - SHADOW[0] * (1.0 - self.fog)) * hard;
                let outside = outside.max((-distance).min(4.0));
                painted *= 1.0 - strength * self.shadow.at(outside);
            }
            if self.fog > 0.0 {
                let near = decay(outside / spill_reach) * smoothstep_f32(FARTHEST, 0.5 * FARTHEST, outside);
                painted = painted.lerp(haze_colour, FOG_SPILL * self.fog * (1.0 - hard) * near);
            }
            let width = (fade + (cut - fade) * hard).max(0.7);
            let share = smoothstep_f32(-1.0, 1.0, distance / width);
            if share > 0.0 {
                painted = painted.lerp(self.seen_colour(seen, at + i, i, row), share);
            }
            if distance.abs() < 1.5 {
                let soft = 0.45 * (1.0 - FOG_RIM * self.fog);
                let strong = (soft + (0.85 - 0.10 * self.fog - soft) * hard) * rim_share;
                painted = painted.lerp(rim, strong * line(distance, rim_width));
            }
            row.base[x] = pixel(painted, 0);
        }
    }

    /// Returns the visible colour of the land at a pixel: lit, and behind its air.
    #[inline]
    fn seen_colour(&self, seen: &SeenPart, at: usize, i: usize, row: &SightRow) -> Srgb {
        let visibility = seen.sampler.at(i, &row.visibility).clamp(0.0, 1.0);
        let (day, soft) = (self.land.day[at], self.land.soft[at]);
        let mut land = colour(day);
        if visibility < 0.45 {
            let far = smoothstep_f32(0.45, 0.04, visibility);
            land = land.lerp(colour(soft), (0.40 + 0.15 * self.fog) * far);
        }
        let roof = f32::from(soft[3]) / 255.0;
        let mut lit = land;
        if self.sky.day < 1.0 {
            let slope = Vec2::from_array(self.land.slopes[at].map(f32::from)) / 64.0;
            let sunlit = if self.fields.sunlit.is_some() { seen.sampler.at(i, &row.sunlit) } else { 1.0 };
            lit = self.sky.light(land, (slope, sunlit), day[3] > 0);
        }
        if roof > 0.0 && self.fields.indoor_light.is_some() {
            lit = lit.lerp(indoors(land, seen.sampler.at(i, &row.indoor)), roof);
        }
        let mut share = self.haze.at(visibility) * (1.0 - roof) * (1.0 + 0.28 * self.fog);
        let mut air = self.sky.haze(self.fog);
        if let Some([bank, tone]) = &seen.fog {
            let (bank, tone) = (bank.at(i, &row.fog[0]), tone.at(i, &row.fog[1]));
            share += self.fog * 0.20 * bank * smoothstep_f32(0.85, 0.30, visibility);
            air *= 1.0 + self.fog * (tone - 1.0);
        }
        lit = lit.lerp(air, share.clamp(0.0, 0.92));
        lit *= 1.0 + 0.04 * smoothstep_f32(0.5, 1.0, visibility) * (1.0 - self.sky.night);
        if let Some(sampler) = &seen.lamps {
            let light = |rows: &[FieldRow; 3]| Srgb::from_array([0, 1, 2].map(|channel| sampler.at(i, &rows[channel])));
            let lamps = light(&row.lamps).max(Srgb::ZERO);
            let bloom = light(&row.bloom).clamp(Srgb::ZERO, Srgb::ONE);
            let exposure = EXPOSURE[0] + (EXPOSURE[1] - EXPOSURE[0]) * roof;
            let gain = LAMP_GAIN[usize::from(self.fields.indoor_light.is_some())];
            lit = with_lamps(lit, land, lamps, visibility, bloom, (exposure, gain));
        }
        lit
    }
}

/// Returns a colour of a floor or wall under a roof: dark and cool where it is dim, warm where it is bright.
fn indoors(land: Srgb, light: f32) -> Srgb {
    const DIM: Srgb = Srgb::new(0.370, 0.388, 0.466);
    const BRIGHT: Srgb = Srgb::new(1.100, 1.005, 0.854);
    land * DIM.lerp(BRIGHT, smoothstep_f32(0.0, 0.9, light))
}

/// The rate at which the light of lamps saturates, outdoors and under a roof.
const EXPOSURE: [f32; 2] = [3.2, 2.0];

/// The brightness of land in lamplight, in open country and on maps with walls.
const LAMP_GAIN: [f32; 2] = [1.05, 1.25];

/// Adds the light of lamps to lit land, in linear colours. Next to a lamp, moonlight is omitted.
pub(crate) fn with_lamps(
    lit: Srgb,
    land: Srgb,
    lamps: Srgb,
    visibility: f32,
    bloom: Srgb,
    (exposure, gain): (f32, f32),
) -> Srgb {
    let level = lamps.max_element();
    let mut out = lit;
    if level > 0.003 {
        let hue = (lamps / level).lerp(Srgb::ONE, 0.14);
        let gain = gain * (1.0 - decay(exposure * level)) * (0.35 + 0.65 * visibility.sqrt());
        let lamp_lit = linear(land) * hue * gain;
        out = srgb(linear(lit) * decay(0.9 * luma(lamps)) + lamp_lit);
    }
    255.0 - (255.0 - out) * (Srgb::ONE - 0.34 * bloom)
}

/// Returns the thickness of fog, about −1 to 1, and the brightness of its air.
fn fog_banks(viewport: &Viewport) -> [SlowNoise; 2] {
    let (noise, scale) = (noise(), viewport.scale);
    let slow = SlowNoiseMaker::new(viewport);
    let bank = slow.make(|at| {
        let place = at / scale;
        let warp =
            Vec2::new(noise.at(place.x * 0.10, place.y * 0.10, 81), noise.at(place.x * 0.10, place.y * 0.10, 82));
        let at = place * Vec2::new(0.55, 1.0) + 1.6 * warp;
        noise.sum(at.x, at.y, &[0.16, 0.37, 0.8], 83)
    });
    let tone = slow.make(|at| 0.97 + 0.05 * noise.at(at.x / scale.x * 0.12, at.y / scale.y * 0.12, 85));
    [bank, tone]
}

/// The strength of the shadow around visible land, by the distance from its edge.
struct ShadowTable(Vec<f32>);

/// Steps of the table per pixel.
const SHADOW_STEPS: f32 = 4.0;

impl ShadowTable {
    /// e^(−d / 13 px), which ends smoothly where the shadow ends.
    fn new() -> Self {
        let share = |i: usize| {
            let distance = i as f32 / SHADOW_STEPS;
            decay(distance / SHADOW_REACH) * smoothstep_f32(FARTHEST, 0.7 * FARTHEST, distance)
        };
        Self((0..=(FARTHEST * SHADOW_STEPS) as usize).map(share).collect())
    }

    #[inline]
    fn at(&self, distance: f32) -> f32 {
        self.0[((distance * SHADOW_STEPS) as usize).min(self.0.len() - 1)]
    }
}

/// The fields of a row of pixels.
#[derive(Default)]
struct SightRow {
    base: Vec<Pixel>,
    /// The distances to the edge of sight in the visible part, in pixels.
    distances: Vec<f32>,
    edge: EdgeRow,
    outside: FieldRow,
    visibility: FieldRow,
    hard: FieldRow,
    lamps: [FieldRow; 3],
    bloom: [FieldRow; 3],
    indoor: FieldRow,
    sunlit: FieldRow,
    fog: [FieldRow; 2],
}

impl SightRow {
    /// Prepares the fields for a row of the visible part.
    fn load(&mut self, fields: &SightFields, seen: &SeenPart, y: usize) {
        seen.outside.load(y, &mut self.outside);
        seen.sampler.load(&fields.visibility, y, &mut self.visibility);
        seen.sampler.load(&fields.hard, y, &mut self.hard);
        if let Some(sampler) = &seen.lamps {
            for (fields, rows) in [(&fields.lamps, &mut self.lamps), (&fields.bloom, &mut self.bloom)] {
                for (field, row) in fields.iter().flatten().zip(rows) {
                    sampler.load(field, y, row);
                }
            }
        }
        for (field, row) in [(&fields.indoor_light, &mut self.indoor), (&fields.sunlit, &mut self.sunlit)] {
            if let Some(field) = field {
                seen.sampler.load(field, y, row);
            }
        }
        for (noise, row) in seen.fog.iter().flatten().zip(&mut self.fog) {
            noise.load(y, row);
        }
    }
}
