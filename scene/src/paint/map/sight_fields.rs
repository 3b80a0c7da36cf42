//! [`SightFields`]: the fields that change with a step, with a value per cell: visibility, memory, light.

use glam::IVec2;

use super::ground_fields::{CellGroups, GroundFields};
use super::resample::Field;
use super::room_fields::RoomFields;
use super::sky_light::{SkyLight, sunlit};
use super::soft_edge::{soft_field, soft_field_between};
use super::viewport::Viewport;
use crate::scene::Scene;
use farsight::grid::{CellRect, Grid};
use farsight::internal::math::smoothstep_f32;
use farsight::perception::{CellMemory, Recognition};
use farsight::viewshed::Surface;

/// The margin in cells that blurs read.
const MARGIN: i32 = 8;
/// The radius of the shadow of the edge of sight, in pixels. Edges outside the picture cast a shadow into it, too.
pub(crate) const SHADOW_END: i32 = 64;
/// The blur of the edge of sight, in cells, away from walls and next to them.
const EDGE_BLUR: f32 = 1.15;
const WALL_EDGE_BLUR: f32 = 0.55;
/// The bloom of lamps, in pixels, and in cells at most.
const BLOOM_REACH: f32 = 28.0;
const WIDEST_BLOOM: f32 = 12.0;
/// Slopes of visibility per cell between which an edge changes from a fade to a cut.
const HARD: [f32; 2] = [0.025, 0.11];

/// The fields of a step, with a value per cell.
pub(crate) struct SightFields {
    /// Positive where a cell is at least glimpsed, negative elsewhere; 0 at the edge of sight.
    pub(crate) seen: Field,
    /// The same for cells that are or were seen.
    pub(crate) remembered: Field,
    /// Visibility without the jump at the edge of sight.
    pub(crate) visibility: Field,
    /// 1 where an obstacle ends the view, 0 where it fades out.
    pub(crate) hard: Field,
    /// The light of lamps and lantern: red, green and blue.
    pub(crate) lamps: Option<[Field; 3]>,
    /// The light that blooms around lamps.
    pub(crate) bloom: Option<[Field; 3]>,
    /// The light of day on floors under a roof, in [0, 1].
    pub(crate) indoor_light: Option<Field>,
    /// The fraction of the light of the low sun that reaches open country; `None` by day and night, and if the clock
    /// does not run.
    pub(crate) sunlit: Option<Field>,
    /// The bounds of the cells that are or were seen.
    pub(crate) clip: Option<CellRect>,
    /// The bounds of the visible cells, and of the cells that were seen.
    pub(crate) seen_cells: CellRect,
    pub(crate) remembered_cells: CellRect,
}

/// The kind of visible land.
#[derive(Clone, Copy)]
pub(crate) enum LandKind<'a> {
    /// Open country, under the sky.
    Country(Air),
    /// A map with walls.
    Rooms(&'a RoomFields),
}

/// The air of open country.
#[derive(Clone, Copy)]
pub(crate) struct Air {
    /// The fraction of fog, in [0, 1].
    pub(crate) fog: f32,
    /// The fraction of visibility that a cell of it removes.
    pub(crate) share_a_cell: f32,
}

impl Air {
    pub(crate) const CLEAR: Self = Self { fog: 0.0, share_a_cell: 0.0 };
}

/// The content of a sample for a legend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sample {
    /// Visible land, with visibility falling from the left to the right.
    Haze,
    SeenBefore,
    NeverSeen,
}

impl SightFields {
    pub(crate) fn new(
        scene: &Scene,
        groups: CellGroups,
        viewport: &Viewport,
        (sky, setting): (&SkyLight, LandKind<'_>),
    ) -> Self {
        let margin = MARGIN + (SHADOW_END as f32 / viewport.side()).ceil() as i32;
        let shown = match setting {
            LandKind::Country(_) => viewport.cells(margin),
            LandKind::Rooms(_) => viewport.cells_near(groups.rect(), margin),
        };
        // Rooms at the edge of the map end there with right angles: places beyond the map count as the nearest cell,
        // and the picture of the visible part is clipped there.
        let clip = matches!(setting, LandKind::Rooms(_)).then(|| groups.rect());
        let on_map = |group: IVec2| clip.is_some() || groups.rect().contains(group);
        let middle = |group: IVec2| groups.middle(group);
        let frame = scene.seen_frame();
        let frame = CellRect { min: frame.min / groups.stride, max: frame.max / groups.stride + 1 };
        let rect = around(frame, shown);
        let is_seen = Field::from_fn(rect, |group| {
            (clip.is_some() || frame.contains(group))
                && on_map(group)
                && scene.sense(middle(group)) > Recognition::Hidden
        });
        let is_known = |group: IVec2| {
            on_map(group)
                && (scene.memory(middle(group)) != CellMemory::Hidden || rect.contains(group) && is_seen.nearest(group))
        };
        let remembered_cells = extent(shown, is_known);
        let is_known = Field::from_fn(around(remembered_cells, shown), is_known);
        let soft = |set: &Field<bool>| match setting {
            LandKind::Country(_) => soft_field(set, EDGE_BLUR),
            LandKind::Rooms(rooms) => {
                // Next to walls the edge has corners, and does not extend beyond them.
                let walls = Field::from_fn(set.rect, |cell| f32::from(u8::from(rooms.kind.nearest(cell).is_block())));
                let walls = walls.dilated();
                soft_field_between(set, [EDGE_BLUR, WALL_EDGE_BLUR], |cell| walls.nearest(cell))
            }
        };
        let visibility = Field::from_fn(rect, |group| {
            if is_seen.nearest(group) { groups.mean(group, |cell| scene.visibility(cell)) } else { 0.0 }
        });
        let hard = hardness(&visibility, setting);
        let has_lamps = !scene.is_fully_lit();
        let sigma = (BLOOM_REACH / viewport.side()).clamp(0.5, WIDEST_BLOOM);
        let reach = (3.0 * sigma).ceil() as i32;
        let lit = CellRect { min: rect.min - reach, max: rect.max + reach };
        let lamps = has_lamps.then(|| lamp_light(scene, groups, lit, setting));
        let bloom = lamps.as_ref().map(|lamps| {
            [0, 1, 2].map(|i: usize| lamps[i].map(|&light: &f32| light.max(0.0) * light.max(0.0).sqrt()).blurred(sigma))
        });
        let indoor_light = matches!(setting, LandKind::Rooms(_)).then(|| indoor_light(scene, groups, &is_seen));
        Self {
            clip,
            seen_cells: extent(rect, |cell| is_seen.nearest(cell)),
            remembered_cells,
            seen: soft(&is_seen),
            remembered: soft(&is_known),
            visibility: without_jump(&visibility, &is_seen),
            hard,
            lamps,
            bloom,
            indoor_light,
            sunlit: sunlit_cells(scene, groups, rect, sky),
        }
    }
}

impl SightFields {
    /// Creates the fields of a sample for a legend.
    pub(crate) fn sample(viewport: &Viewport, sample: Sample) -> Self {
        let rect = viewport.cells(MARGIN);
        let field = |value: f32| Field::from_fn(rect, |_| value);
        let (left, width) = (viewport.origin.x as f32 / viewport.scale.x, viewport.size.x as f32 / viewport.scale.x);
        let visibility = Field::from_fn(rect, |cell| {
            let share = (cell.x as f32 + 0.5 - left) / width;
            (1.0 - 0.98 * share).clamp(0.02, 1.0)
        });
        Self {
            seen: field(if sample == Sample::Haze { 0.5 } else { -0.5 }),
            remembered: field(if sample == Sample::NeverSeen { -0.5 } else { 0.5 }),
            visibility,
            hard: field(0.0),
            lamps: None,
            bloom: None,
            indoor_light: None,
            sunlit: None,
            clip: None,
            seen_cells: if sample == Sample::Haze { rect } else { CellRect::of_size(IVec2::ZERO) },
            remembered_cells: if sample == Sample::NeverSeen { CellRect::of_size(IVec2::ZERO) } else { rect },
        }
    }
}

/// Returns 1 where an obstacle ends the view, and 0 where the view fades out. Dense fog dims the view as steeply as a
/// wood does, and the remaining visibility at the edge of sight ends there, so neither counts in fog.
fn hardness(visibility: &Field, setting: LandKind<'_>) -> Field {
    let blurred = visibility.blurred(0.9);
    let mut slopes = blurred.steepness();
    if let LandKind::Country(Air { fog, share_a_cell }) = setting
        && fog > 0.0
    {
        let seen = visibility.values.iter().copied().filter(|seen| *seen > 0.0);
        let least = seen.fold(f32::INFINITY, f32::min);
        for (slope, seen) in slopes.values.iter_mut().zip(&blurred.values) {
            *slope -= fog * (share_a_cell * seen + 0.5 * seen.min(least));
        }
    }
    slopes.dilated().map(|&slope| smoothstep_f32(HARD[0], HARD[1], slope))
}

/// Returns the light of lamps and lantern on each cell: red, green and blue, in [0, 1].
pub(crate) fn lamp_light(scene: &Scene, groups: CellGroups, rect: CellRect, setting: LandKind<'_>) -> [Field; 3] {
    const LANTERN: [f32; 3] = [1.0, 0.76, 0.45];
    let deep = |channel: f32| match setting {
        LandKind::Country(_) => channel,
        LandKind::Rooms(_) => channel * (0.25 + 0.75 * channel),
    };
    let light = Field::from_fn(rect, |group| {
        let cell = groups.middle(group);
        let lantern = scene.lantern_light_on(cell);
        let mut colour = LANTERN.map(|channel| deep(channel) * lantern);
        if let Some(hue) = scene.hue(cell) {
            // The hue is that of the total light on the cell, with the light of sky and lantern as white.
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

/// The maximum length of shadows of land, in groups of cells.
const SHADOW_GROUPS: i32 = 96;

/// Returns the fraction of the light of the clock's low sun that reaches some groups of cells in open country; `None`
/// by day and night, and if the clock does not run.
fn sunlit_cells(scene: &Scene, groups: CellGroups, rect: CellRect, sky: &SkyLight) -> Option<Field> {
    let (world, sun) = (scene.world()?, sky.low_sun.filter(|_| sky.dusk > 0.0)?);
    let near = CellRect { min: rect.min - SHADOW_GROUPS, max: rect.max + SHADOW_GROUPS };
    let heights = GroundFields::heights(world, groups, near);
    let ground = Grid::from_vec(near.width(), near.height(), heights.values).ok()?;
    let surface = Surface::of(&ground, world.cell_size_at(groups.middle(rect.min)).scaled(f64::from(groups.stride)));
    let reach_m = f64::from(SHADOW_GROUPS) * surface.cell_size.shorter_m();
    let cells = CellRect { min: rect.min - near.min, max: rect.max - near.min };
    Some(Field { rect, values: sunlit(&surface, sun, reach_m, cells)?.into_vec() })
}

/// Returns the daylight on visible cells, in [0, 1]; walls have that of the brightest floor next to them.
fn indoor_light(scene: &Scene, groups: CellGroups, is_seen: &Field<bool>) -> Field {
    /// Eyes adapt to the dark.
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
        // Beyond the map, the light is that of its edge.
        let group = group.clamp(map.min, map.max - 1);
        if is_wall(group) { 0.85 * near.nearest(group) } else { floors.nearest(group) }
    });
    without_jump(&light, is_seen)
}

/// Returns values blurred among the cells of a set only, so that they do not fall off at its edge.
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

/// Returns a rectangle with a margin for blurs, clipped to the picture.
fn around(cells: CellRect, shown: CellRect) -> CellRect {
    let near = CellRect { min: cells.min - MARGIN, max: cells.max + MARGIN };
    let rect = near.intersect(shown);
    // Cells outside the picture have no edge in it.
    let is_empty = rect.width() < LEAST_SIDE || rect.height() < LEAST_SIDE;
    if is_empty { CellRect { min: shown.min, max: shown.min + LEAST_SIDE as i32 } } else { rect }
}

/// The minimum side of a field that can be interpolated.
const LEAST_SIDE: usize = 4;

/// Returns the smallest rectangle with all cells of a set within a rectangle.
fn extent(rect: CellRect, contains: impl Fn(IVec2) -> bool) -> CellRect {
    let mut extent = CellRect { min: IVec2::MAX, max: IVec2::MIN };
    for y in rect.min.y..rect.max.y {
        let mut row = rect.min.x..rect.max.x;
        let Some(left) = row.find(|&x| contains(IVec2::new(x, y))) else { continue };
        let right = row.rev().find(|&x| contains(IVec2::new(x, y))).unwrap_or(left);
        extent.min = extent.min.min(IVec2::new(left, y));
        extent.max = extent.max.max(IVec2::new(right, y) + 1);
    }
    if extent.min.x > extent.max.x { CellRect::of_size(IVec2::ZERO) } else { extent }
}
