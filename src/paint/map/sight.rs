//! [`Sight`]: what a step changes, blended over the painted land: visibility, memory, light.

use glam::{IVec2, Vec2};

use super::distance::DistanceField;
use super::ground_fields::CellGroups;
use super::land::{Land, Pixel, colour, decay, line, luma, pixel};
use super::linear_light::{linear, srgb};
use super::noise::noise;
use super::resample::{Field, Sampler, linear as linear_weights};
use super::room_fields::RoomFields;
use super::sky::Sky;
use super::soft_edge::{EdgeBuffers, SoftEdge, soft_field, soft_field_between};
use super::style::*;
use super::viewport::Viewport;
use crate::grid::CellRect;
use crate::math::smoothstep_f32;
use crate::parallel::*;
use crate::perception::{CellMemory, Recognition};
use crate::scene::Scene;

/// Cells around the picture that blurs read.
const MARGIN: i32 = 8;
/// The blur of the edge of sight, in cells, away from walls and next to them.
const EDGE_BLUR: f32 = 1.15;
const WALL_EDGE_BLUR: f32 = 0.55;
/// The reach of the shadow on the sheet, in pixels, and its strength where air and where something ends the view.
const SHADOW_REACH: f32 = 13.0;
const SHADOW: [f32; 2] = [0.16, 0.34];
/// Pixels beyond the edge that the shadow may change.
const SHADOW_END: i32 = 56;
/// The strength of the rim on maps with walls, where most edges are hard.
const ROOM_RIM: f32 = 0.65;
/// How far drawings of rock reach beyond the cells that were seen, in cells.
const ROCK_FADE: f32 = 0.65;
/// Slopes of visibility a cell between which an edge changes from a fade to a cut.
const HARD: [f32; 2] = [0.025, 0.11];

/// The fields of a step, a value a cell.
pub(crate) struct SightFields {
    /// What is at least glimpsed.
    pub(crate) seen: Field,
    /// What was seen before, or is.
    remembered: Field,
    /// Visibility without the jump at the edge of sight.
    visibility: Field,
    /// 1 where something ends the view, 0 where it fades away.
    hard: Field,
    /// The light of lamps and lantern: red, green and blue.
    lamps: Option<[Field; 3]>,
    /// The light that blooms around lamps.
    bloom: Option<[Field; 3]>,
    /// The light of day on floors under a roof, in [0, 1].
    indoor_light: Option<Field>,
    /// The cells beyond which nothing is seen or was seen.
    clip: Option<CellRect>,
    /// The cells in which something is seen, and those in which something was seen.
    seen_cells: CellRect,
    remembered_cells: CellRect,
}

/// The kind of land that is seen.
#[derive(Clone, Copy)]
pub(crate) enum Setting<'a> {
    /// Open country, under the sky.
    Country,
    /// A map with walls.
    Rooms(&'a RoomFields),
}

impl SightFields {
    pub(crate) fn new(scene: &Scene, groups: CellGroups, viewport: &Viewport, setting: Setting<'_>) -> Self {
        let rect = match setting {
            Setting::Country => viewport.cells(MARGIN),
            Setting::Rooms(_) => viewport.cells_near(groups.rect(), MARGIN),
        };
        // Rooms at the edge of the map end there with right angles: what is next to them beyond the map counts as they do, and the
        // picture of what is seen is cut off there.
        let clip = matches!(setting, Setting::Rooms(_)).then(|| groups.rect());
        let on_map = |group: IVec2| clip.is_some() || groups.rect().contains(group);
        let middle = |group: IVec2| groups.middle(group);
        let is_seen = Field::from_fn(rect, |group| scene.sense(middle(group)) > Recognition::Hidden && on_map(group));
        let is_known = Field::from_fn(rect, |group| {
            (scene.memory(middle(group)) != CellMemory::Hidden || is_seen.nearest(group)) && on_map(group)
        });
        let soft = |set: &Field<bool>| match setting {
            Setting::Country => soft_field(set, EDGE_BLUR),
            Setting::Rooms(rooms) => {
                // Next to walls the edge has corners, and does not go beyond them.
                let walls = Field::from_fn(set.rect, |cell| f32::from(u8::from(rooms.kind.nearest(cell).is_block())));
                let walls = walls.dilated();
                soft_field_between(set, [EDGE_BLUR, WALL_EDGE_BLUR], |cell| walls.nearest(cell))
            }
        };
        let visibility = Field::from_fn(rect, |group| {
            if is_seen.nearest(group) { groups.mean(group, |cell| scene.visibility(cell)) } else { 0.0 }
        });
        let hard = visibility.blurred(0.9).steepness().dilated().map(|&slope| smoothstep_f32(HARD[0], HARD[1], slope));
        let has_lamps = !scene.is_fully_lit();
        let lamps = has_lamps.then(|| lamp_light(scene, groups, rect, setting));
        let bloom = lamps.as_ref().map(|lamps| {
            let sigma = (28.0 / viewport.side()).clamp(0.5, 12.0);
            [0, 1, 2].map(|i: usize| lamps[i].map(|&light: &f32| light.max(0.0) * light.max(0.0).sqrt()).blurred(sigma))
        });
        let indoor_light = matches!(setting, Setting::Rooms(_)).then(|| indoor_light(scene, groups, &is_seen));
        Self {
            clip,
            seen_cells: extent(&is_seen),
            remembered_cells: extent(&is_known),
            seen: soft(&is_seen),
            remembered: soft(&is_known),
            visibility: without_jump(&visibility, &is_seen),
            hard,
            lamps,
            bloom,
            indoor_light,
        }
    }
}

/// Returns the light of lamps and lantern on each cell: red, green and blue, in [0, 1].
fn lamp_light(scene: &Scene, groups: CellGroups, rect: CellRect, setting: Setting<'_>) -> [Field; 3] {
    const LANTERN: [f32; 3] = [1.0, 0.76, 0.45];
    let deep = |channel: f32| match setting {
        Setting::Country => channel,
        Setting::Rooms(_) => channel * (0.25 + 0.75 * channel),
    };
    let light = Field::from_fn(rect, |group| {
        let cell = groups.middle(group);
        let lantern = scene.lantern_light_on(cell);
        let mut colour = LANTERN.map(|channel| deep(channel) * lantern);
        if let Some(hue) = scene.hue(cell) {
            // The hue is that of all light on the cell, with the light of sky and lantern as white.
            let (all, white) = (scene.light(cell), scene.ambient_light_on(cell) + lantern);
            let lamps = (all - white).max(0.0);
            for (colour, hue) in colour.iter_mut().zip(hue).filter(|_| lamps > 0.0) {
                *colour += deep(((hue * all - white) / lamps).clamp(0.0, 1.0)) * lamps;
            }
        }
        colour
    });
    [0, 1, 2].map(|i: usize| light.map(|light| light[i]).blurred(0.7))
}

/// Returns the light of day on cells that are seen, in [0, 1]; walls have that of the brightest floor next to them.
fn indoor_light(scene: &Scene, groups: CellGroups, is_seen: &Field<bool>) -> Field {
    /// Eyes get used to the dark.
    const LEAST: f32 = 0.16;
    let map = groups.rect();
    let is_wall = |group: IVec2| scene.opacity(groups.middle(group)).is_some_and(|opacity| opacity >= 1.0);
    let floors = Field::from_fn(is_seen.rect, |group| {
        if !is_seen.nearest(group) || is_wall(group) {
            return 0.0;
        }
        let cell = groups.middle(group);
        let visibility = scene.visibility(cell);
        if scene.is_fully_lit() {
            visibility
        } else {
            LEAST + (1.0 - LEAST) * visibility * scene.ambient_light_on(cell)
        }
    });
    let near = floors.dilated();
    let light = Field::from_fn(is_seen.rect, |group| {
        // Beyond the map it is as light as at its edge.
        let group = group.clamp(map.min, map.max - 1);
        if is_wall(group) { 0.85 * near.nearest(group) } else { floors.nearest(group) }
    });
    without_jump(&light, is_seen)
}

/// Returns values blurred among the cells of a set, so that they do not fall off at its edge.
fn without_jump(values: &Field, set: &Field<bool>) -> Field {
    const BLUR: f32 = 0.8;
    let weight = set.map(|&inside| f32::from(u8::from(inside))).blurred(BLUR);
    let sum = Field {
        rect: values.rect,
        values: values
            .values
            .iter()
            .zip(&set.values)
            .map(|(value, &inside)| if inside { *value } else { 0.0 })
            .collect(),
    };
    let mut out = sum.blurred(BLUR);
    for (value, weight) in out.values.iter_mut().zip(&weight.values) {
        *value = (*value / weight.max(1e-3)).clamp(0.0, 1.0);
    }
    out
}

/// Returns the smallest rectangle with all cells of a set.
fn extent(set: &Field<bool>) -> CellRect {
    let mut extent = CellRect { min: IVec2::MAX, max: IVec2::MIN };
    for (y, row) in (set.rect.min.y..).zip(set.values.chunks_exact(set.width().max(1))) {
        let Some(first) = row.iter().position(|&inside| inside) else { continue };
        let last = row.iter().rposition(|&inside| inside).unwrap_or(first);
        let [left, right] = [first, last + 1].map(|x| set.rect.min.x + x as i32);
        extent.min = extent.min.min(IVec2::new(left, y));
        extent.max = extent.max.max(IVec2::new(right, y + 1));
    }
    if extent.min.x > extent.max.x { CellRect { min: IVec2::ZERO, max: IVec2::ZERO } } else { extent }
}

/// The shares of air in what is seen, by visibility.
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

/// Blends what a viewer sees over painted land.
pub(crate) struct Sight<'a> {
    viewport: Viewport,
    land: &'a Land,
    /// The first pixel of the picture in the land, and the pixels of a row of the land.
    land_start: usize,
    land_width: usize,
    sky: Sky,
    fog: f32,
    fields: &'a SightFields,
    seen: SoftEdge,
    remembered: SoftEdge,
    outside: DistanceField,
    sampler: Sampler<2>,
    haze: HazeTable,
    /// The strength of the rim, next to 1 in open country.
    rim_share: f32,
    lamp_gain: f32,
    seen_columns: [usize; 2],
    seen_rows: [usize; 2],
    remembered_columns: [usize; 2],
    remembered_rows: [usize; 2],
}

impl<'a> Sight<'a> {
    /// `land` is painted for `land_viewport`, which contains `viewport`.
    pub(crate) fn new(
        viewport: &Viewport,
        (land, land_viewport): (&'a Land, &Viewport),
        fields: &'a SightFields,
        (sky, fog): (Sky, f32),
    ) -> Self {
        let offset = viewport.origin - land_viewport.origin;
        let seen = SoftEdge::new(viewport, fields.seen.clone());
        let pixels = |cells: CellRect, margin: i32| {
            let low = viewport.pixel(cells.min.as_vec2()).floor().as_ivec2() - margin;
            let high = viewport.pixel(cells.max.as_vec2()).ceil().as_ivec2() + margin;
            let [low, high] = [low, high].map(|at| at.clamp(IVec2::ZERO, viewport.size).as_uvec2());
            let is_empty = cells.width() == 0;
            let range = |low: u32, high: u32| if is_empty { [0, 0] } else { [low as usize, high as usize] };
            (range(low.x, high.x), range(low.y, high.y))
        };
        let reach = viewport.side().ceil() as i32;
        let clipped = |(columns, rows): ([usize; 2], [usize; 2])| match fields.clip {
            Some(clip) => {
                let (all_columns, all_rows) = pixels(clip, 0);
                let both = |one: [usize; 2], other: [usize; 2]| [one[0].max(other[0]), one[1].min(other[1])];
                (both(columns, all_columns), both(rows, all_rows))
            }
            None => (columns, rows),
        };
        let (seen_columns, seen_rows) = clipped(pixels(fields.seen_cells, SHADOW_END.max(2 * reach)));
        let (remembered_columns, remembered_rows) = clipped(pixels(fields.remembered_cells, 2 * reach));
        Self {
            viewport: *viewport,
            land,
            land_start: offset.y as usize * land_viewport.width() + offset.x as usize,
            land_width: land_viewport.width(),
            sky,
            fog,
            outside: DistanceField::new(viewport, &seen, false),
            remembered: SoftEdge::new(viewport, fields.remembered.clone()),
            sampler: Sampler::new(viewport, &fields.visibility, [linear_weights, linear_weights]),
            haze: HazeTable::new(),
            rim_share: if fields.indoor_light.is_some() { ROOM_RIM } else { 1.0 },
            lamp_gain: LAMP_GAIN[usize::from(fields.indoor_light.is_some())],
            fields,
            seen,
            seen_columns,
            seen_rows,
            remembered_columns,
            remembered_rows,
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
        let at = self.land_start + y * self.land_width;
        let width = self.viewport.width();
        let sheet = &self.land.sheet[at..][..width];
        let on_sheet = self.sky.on_sheet();
        row.base.clear();
        if on_sheet == Rgb::ONE {
            row.base.extend_from_slice(sheet);
        } else {
            row.base.extend(sheet.iter().map(|&sheet| pixel(colour(sheet) * on_sheet, 0)));
        }
        let [left, right] = self.remembered_columns;
        if (self.remembered_rows[0]..self.remembered_rows[1]).contains(&y) && left < right {
            row.edge_values.resize(right - left, 0.0);
            self.remembered.fill_distances(self.viewport.side(), y, left, &mut row.buffers, &mut row.edge_values);
            let ink = self.sky.sheet().ink * on_sheet;
            let fade = ROCK_FADE * self.viewport.side();
            for (x, &distance) in (left..right).zip(&row.edge_values) {
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
        let [left, right] = self.seen_columns;
        if (self.seen_rows[0]..self.seen_rows[1]).contains(&y) && left < right {
            self.blend_seen(y, at, left..right, row);
        }
        for (out, base) in out.chunks_exact_mut(4).zip(&row.base) {
            out.copy_from_slice(&[base[0], base[1], base[2], 255]);
        }
    }

    /// Blends what is seen over the sheet in a row of pixels.
    fn blend_seen(&self, y: usize, at: usize, columns: std::ops::Range<usize>, row: &mut SightRow) {
        let (side, first) = (self.viewport.side(), columns.start);
        let length = columns.len();
        let SightRow {
            buffers, edge_values, visibility, hard, outside, line: line_buffer, lamps, bloom, indoor, ..
        } = row;
        for values in [&mut *edge_values, visibility, hard, outside] {
            values.clear();
            values.resize(length, 0.0);
        }
        self.seen.fill_distances(side, y, first, buffers, edge_values);
        self.outside.fill(y, first, line_buffer, outside);
        self.sampler.fill(&self.fields.visibility, y, first, line_buffer, visibility);
        self.sampler.fill(&self.fields.hard, y, first, line_buffer, hard);
        for (fields, out) in [(&self.fields.lamps, lamps), (&self.fields.bloom, bloom)] {
            if let Some(fields) = fields {
                for (field, out) in fields.iter().zip(out.iter_mut()) {
                    out.resize(length, 0.0);
                    self.sampler.fill(field, y, first, line_buffer, out);
                }
            }
        }
        if let Some(light) = &self.fields.indoor_light {
            indoor.resize(length, 0.0);
            self.sampler.fill(light, y, first, line_buffer, indoor);
        }
        let haze_colour = self.sky.haze(self.fog);
        let rim = self.sky.rim();
        let rim_width = (0.3 * side).clamp(0.8, 1.6);
        let spill_reach = 1.1 * side;
        for x in columns {
            let i = x - first;
            let (distance, hard) = (row.edge_values[i], row.hard[i]);
            let out = row.outside[i];
            let mut under = colour(row.base[x]);
            if distance < 0.0 {
                let strength = SHADOW[0] + (SHADOW[1] - SHADOW[0]) * hard;
                let outside = out.max((-distance).min(4.0));
                under *= 1.0 - strength * decay(outside / SHADOW_REACH);
                if self.fog > 0.0 {
                    under = under.lerp(haze_colour, 0.5 * self.fog * (1.0 - hard) * decay(outside / spill_reach));
                }
            }
            let fade = 0.22 * side + (1.0 * side - 0.22 * side) * self.fog;
            let cut = 0.8 + 0.1 * self.fog;
            let width = (fade + (cut - fade) * hard).max(0.7);
            let share = smoothstep_f32(-1.0, 1.0, distance / width);
            let mut painted = under;
            if share > 0.0 {
                let seen = self.seen_colour(x, y, at + x, i, row);
                painted = under.lerp(seen, share);
            }
            let strong = (0.45 + 0.40 * hard - 0.10 * self.fog) * self.rim_share;
            painted = painted.lerp(rim, strong * line(distance, rim_width));
            row.base[x] = pixel(painted, 0);
        }
    }

    /// Returns the colour of the land at a pixel as it is seen: lit, and behind its air.
    fn seen_colour(&self, x: usize, y: usize, at: usize, i: usize, row: &SightRow) -> Rgb {
        let visibility = row.visibility[i].clamp(0.0, 1.0);
        let (day, soft) = (self.land.day[at], self.land.soft[at]);
        let far = smoothstep_f32(0.45, 0.04, visibility);
        let blur = (0.40 + 0.40 * self.fog) * far;
        let land = colour(day).lerp(colour(soft), blur);
        let slope = self.land.slopes[at].map(f32::from);
        let slope = Vec2::from_array(slope) / 64.0;
        let is_water = day[3] > 0;
        let roof = f32::from(soft[3]) / 255.0;
        let mut lit = self.sky.light(land, slope, is_water);
        if roof > 0.0 && self.fields.indoor_light.is_some() {
            lit = lit.lerp(indoors(land, row.indoor[i]), roof);
        }
        let mut share = self.haze.at(visibility) * (1.0 - roof) * (1.0 + 0.14 * self.fog);
        let mut air = self.sky.haze(self.fog);
        if self.fog > 0.0 {
            let place = self.viewport.place(x, y);
            let (bank, tone) = fog_bank(place);
            share += self.fog * 0.20 * bank * smoothstep_f32(0.85, 0.30, visibility);
            air *= 1.0 + self.fog * (tone - 1.0);
        }
        lit = lit.lerp(air, share.clamp(0.0, 0.92));
        lit *= 1.0 + 0.04 * smoothstep_f32(0.5, 1.0, visibility) * (1.0 - self.sky.night);
        if self.fields.lamps.is_some() {
            let lamps = Rgb::new(row.lamps[0][i], row.lamps[1][i], row.lamps[2][i]).max(Rgb::ZERO);
            let bloom = Rgb::new(row.bloom[0][i], row.bloom[1][i], row.bloom[2][i]).clamp(Rgb::ZERO, Rgb::ONE);
            let exposure = EXPOSURE[0] + (EXPOSURE[1] - EXPOSURE[0]) * roof;
            lit = with_lamps(lit, land, lamps, visibility, bloom, (exposure, self.lamp_gain));
        }
        lit
    }
}

/// Returns a colour of a floor or wall under a roof: dark and cool where it is dim, warm where it is bright.
fn indoors(land: Rgb, light: f32) -> Rgb {
    const DIM: Rgb = Rgb::new(0.370, 0.388, 0.466);
    const BRIGHT: Rgb = Rgb::new(1.100, 1.005, 0.854);
    land * DIM.lerp(BRIGHT, smoothstep_f32(0.0, 0.9, light))
}

/// How fast the light of lamps dazzles, outdoors and under a roof.
const EXPOSURE: [f32; 2] = [3.2, 2.0];

/// The brightness of what lamps light, in open country and on maps with walls.
const LAMP_GAIN: [f32; 2] = [1.05, 1.25];

/// Adds the light of lamps to lit land. Light adds up in linear colours; near it the moon no longer counts.
fn with_lamps(lit: Rgb, land: Rgb, lamps: Rgb, visibility: f32, bloom: Rgb, (exposure, gain): (f32, f32)) -> Rgb {
    let level = lamps.max_element();
    let mut out = lit;
    if level > 0.003 {
        let hue = (lamps / level).lerp(Rgb::ONE, 0.14);
        let gain = gain * (1.0 - decay(exposure * level)) * (0.35 + 0.65 * visibility.sqrt());
        let lamp_lit = linear(land) * hue * gain;
        out = srgb(linear(lit) * decay(0.9 * luma(lamps)) + lamp_lit);
    }
    255.0 - (255.0 - out) * (Rgb::ONE - 0.34 * bloom)
}

/// Returns the thickness of fog at a place, about −1 to 1, and the brightness of its air.
fn fog_bank(place: Vec2) -> (f32, f32) {
    let noise = noise();
    let warp = Vec2::new(noise.at(place.x * 0.10, place.y * 0.10, 81), noise.at(place.x * 0.10, place.y * 0.10, 82));
    let at = place * Vec2::new(0.55, 1.0) + 1.6 * warp;
    let bank = noise.sum(at.x, at.y, &[0.16, 0.37, 0.8], 83);
    (bank, 0.97 + 0.05 * noise.at(place.x * 0.12, place.y * 0.12, 85))
}

/// The fields of a row of pixels.
#[derive(Default)]
struct SightRow {
    base: Vec<Pixel>,
    buffers: EdgeBuffers,
    edge_values: Vec<f32>,
    visibility: Vec<f32>,
    hard: Vec<f32>,
    outside: Vec<f32>,
    lamps: [Vec<f32>; 3],
    bloom: [Vec<f32>; 3],
    indoor: Vec<f32>,
    line: Vec<f32>,
}
