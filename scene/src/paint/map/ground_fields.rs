//! [`GroundFields`]: the fields of a world that the painter reads, for the cells of a picture and a margin.

use glam::{IVec2, Vec2, vec2};

use super::resample::Field;
use super::viewport::Viewport;
use crate::world::{Biome, Water, World};
use farsight::grid::CellRect;

/// The margin in cells that blurs read.
pub(crate) const MARGIN: i32 = 18;

/// A map of groups of `stride` × `stride` cells of a scene: at small scales, a pixel shows several cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellGroups {
    pub(crate) stride: i32,
    /// Width and height of the map in cells of the scene.
    pub(crate) size: IVec2,
}

impl CellGroups {
    /// Returns the groups that are on the map.
    pub(crate) fn rect(&self) -> CellRect {
        CellRect::of_size(self.size.saturating_add(IVec2::splat(self.stride - 1)) / self.stride)
    }

    /// Returns the central cell of a group, clamped to the map.
    pub(crate) fn middle(&self, group: IVec2) -> IVec2 {
        self.cell_of(group, IVec2::splat(self.stride / 2))
    }

    /// Returns the cell at an offset from the upper left cell of a group, clamped to the map.
    fn cell_of(&self, group: IVec2, step: IVec2) -> IVec2 {
        let corner = group.saturating_mul(IVec2::splat(self.stride)); // a pixel may show more cells than any map has
        corner.saturating_add(step).clamp(IVec2::ZERO, self.size - 1)
    }

    /// Returns the mean over some cells of a group; NaN values do not count.
    pub(crate) fn mean(&self, group: IVec2, value: impl Fn(IVec2) -> f32) -> f32 {
        if self.stride == 1 {
            return value(group.clamp(IVec2::ZERO, self.size - 1));
        }
        const SAMPLES: i32 = 3;
        let samples = self.stride.min(SAMPLES);
        let (mut sum, mut count) = (0.0, 0.0);
        for j in 0..samples {
            for i in 0..samples {
                let step = [i, j].map(|i| i64::from(2 * i + 1) * i64::from(self.stride) / i64::from(2 * samples));
                let value = value(self.cell_of(group, IVec2::from_array(step.map(|step| step as i32))));
                if !value.is_nan() {
                    (sum, count) = (sum + value, count + 1.0);
                }
            }
        }
        if count > 0.0 { sum / count } else { f32::NAN }
    }
}

/// The fields of a world that the painter reads.
pub(crate) struct GroundFields {
    pub(crate) rect: CellRect,
    /// The ground, or the surface of water on it, in metres above the sea.
    pub(crate) height: Field,
    /// The depth of water in metres; 0 on land.
    pub(crate) depth: Field,
    pub(crate) vegetation: Field,
    pub(crate) biome: Field<Biome>,
    /// Sea and lakes.
    pub(crate) is_water: Field<bool>,
    pub(crate) is_river: Field<bool>,
    pub(crate) has_data: Field<bool>,
    /// The sides of a cell in metres.
    pub(crate) cell_m: Vec2,
    /// The factor of slopes: it makes hills visible on plains and keeps mountains from full shade.
    pub(crate) exaggeration: Exaggeration,
    /// The minimum height of the barest land, in metres.
    pub(crate) high_m: f32,
}

impl GroundFields {
    pub(crate) fn new(world: &World, groups: CellGroups, viewport: &Viewport) -> Self {
        let map = groups.rect();
        let near_map = CellRect { min: map.min - MARGIN, max: map.max + MARGIN };
        let rect = match viewport.cells(MARGIN).intersect(near_map) {
            rect if rect.width() >= MARGIN as usize && rect.height() >= MARGIN as usize => rect,
            _ => near_map, // the picture is beyond the map
        };
        Self::within(world, groups, rect, mean_squared_slope(world, groups))
    }

    /// Creates the fields of some groups of cells, on a map with a [`mean_squared_slope`].
    pub(crate) fn within(world: &World, groups: CellGroups, rect: CellRect, mean_squared_slope: f32) -> Self {
        let cell_m = cell_m(world, groups);
        let sea_level = world.config().sea_level() as f32;
        let (ground, bottom) = (world.ground_m(), world.elevation_m());
        let has_data = Field::from_fn(rect, |group| world.has_data(groups.middle(group)));
        let water = Field::from_fn(rect, |group| world.water()[groups.middle(group)]);
        let depth = Field::from_fn(rect, |group| {
            let depth = groups.mean(group, |cell| ground[cell] - bottom[cell]);
            if depth.is_nan() { 0.0 } else { depth.max(0.0) }
        });
        let vegetation = Field::from_fn(rect, |group| {
            let vegetation = groups.mean(group, |cell| world.vegetation()[cell]);
            if vegetation.is_nan() { 0.0 } else { vegetation }
        });
        let is_water = Field {
            rect,
            values: water
                .values
                .iter()
                .zip(&has_data.values)
                .map(|(water, &has_data)| has_data && matches!(water, Water::Sea | Water::Lake))
                .collect(),
        };
        Self {
            rect,
            height: Self::heights(world, groups, rect),
            depth,
            vegetation,
            biome: Field::from_fn(rect, |group| world.biome()[groups.middle(group)]),
            is_water,
            is_river: water.map(|water| *water == Water::River),
            has_data,
            cell_m,
            exaggeration: Exaggeration::new(world, groups, rect, mean_squared_slope),
            high_m: (world.elevation_range_m()[1] - sea_level).max(300.0) + sea_level,
        }
    }

    /// Returns the height of some groups.
    pub(crate) fn heights(world: &World, groups: CellGroups, rect: CellRect) -> Field {
        let (ground, lowest) = (world.ground_m(), world.elevation_range_m()[0].max(world.config().sea_level() as f32));
        Field::from_fn(rect, |group| {
            let height = groups.mean(group, |cell| ground[cell]);
            if height.is_nan() { lowest } else { height }
        })
    }

    /// Returns `true` for a cell of the sea.
    pub(crate) fn is_sea(&self, cell: IVec2) -> bool {
        self.is_water.nearest(cell) && self.biome.nearest(cell) != Biome::Lake
    }
}

/// The side in cells of the blocks with one factor each, between which it is interpolated.
const BLOCK: i32 = 4;
/// The standard deviation, in blocks, of the Gaussian weights of slopes around a block.
const AROUND: f32 = 3.0;
/// The slope of the steep ground of a region after exaggeration.
const STEEP: f32 = 0.60;
/// The ratio of steep slopes, exceeded by a fourteenth of the ground, to the root mean square.
const STEEP_OVER_RMS: f32 = 1.5;
const EXAGGERATION: [f32; 2] = [0.8, 7.0];

/// The exaggeration of slopes, which depends on the ruggedness of the surrounding region (Imhof 1965).
pub(crate) struct Exaggeration(pub(crate) Field);

impl Exaggeration {
    fn new(world: &World, groups: CellGroups, rect: CellRect, mean: f32) -> Self {
        let around = (3.0 * AROUND) as i32 + 1;
        let blocks = CellRect {
            min: rect.min.div_euclid(IVec2::splat(BLOCK)) - around,
            max: rect.max.div_euclid(IVec2::splat(BLOCK)) + 1 + around,
        };
        let squared_slope = squared_slope(world, groups);
        let samples = [IVec2::new(0, 0), IVec2::new(2, 1), IVec2::new(1, 3), IVec2::new(3, 2)];
        let local = Field::from_fn(blocks, |block| {
            samples.iter().map(|&step| squared_slope(block * BLOCK + step)).sum::<f32>() / samples.len() as f32
        });
        let local = local.blurred(AROUND);
        Self(local.map(|&local| {
            let rms = (0.5 * local + 0.5 * mean).sqrt();
            (STEEP / (STEEP_OVER_RMS * rms).max(1e-4)).clamp(EXAGGERATION[0], EXAGGERATION[1])
        }))
    }

    /// Returns the factor at a place, in cells.
    pub(crate) fn at(&self, x: f32, y: f32) -> f32 {
        self.0.bilinear(x / BLOCK as f32, y / BLOCK as f32)
    }
}

/// Returns the sides of a group in metres.
fn cell_m(world: &World, groups: CellGroups) -> Vec2 {
    let size = world.cell_size_at((groups.size / 2).max(IVec2::ZERO));
    vec2(size.x_m as f32, size.y_m as f32) * groups.stride as f32
}

/// Returns the squared slope of a group, 0 for nodata.
fn squared_slope(world: &World, groups: CellGroups) -> impl Fn(IVec2) -> f32 {
    let (cell_m, ground) = (cell_m(world, groups), world.ground_m());
    let height = move |group: IVec2| ground[groups.middle(group)];
    move |group| {
        let centre = height(group);
        let run = [height(group + IVec2::X) - centre, height(group + IVec2::Y) - centre];
        let squared = (run[0] / cell_m.x).powi(2) + (run[1] / cell_m.y).powi(2);
        if squared.is_nan() { 0.0 } else { squared }
    }
}

/// Returns the mean of the squared slopes of at most 96 × 96 groups of a map.
pub(crate) fn mean_squared_slope(world: &World, groups: CellGroups) -> f32 {
    const SAMPLES: i32 = 96;
    let (squared_slope, size) = (squared_slope(world, groups), groups.rect().size());
    let samples = size.min(IVec2::splat(SAMPLES)).max(IVec2::ONE);
    let mut sum = 0.0;
    for y in 0..samples.y {
        for x in 0..samples.x {
            sum += squared_slope(IVec2::new(x, y) * size / samples);
        }
    }
    sum / (samples.x * samples.y) as f32
}
