//! [`Trees`]: woods as small drawings, the same tree at the same place at every zoom.

use std::collections::HashMap;

use glam::{IVec2, Vec2};

use super::ground_fields::GroundFields;
use super::noise::{lattice_random, noise};
use super::relief::is_land;
use super::style::{Srgb, canopy};
use super::tree_stamp::{TreeKind, TreeStamp};
use super::viewport::Viewport;
use crate::world::Biome;
use farsight::grid::CellRect;
use farsight::internal::parallel::*;

/// The least side of a cell in pixels at which trees are drawn; below, woods are a tone.
pub(crate) const LEAST_SIDE: f32 = 4.0;
/// Trees that a cell has room for, a side.
const TREES_A_SIDE: i32 = 2;
/// The shift of a tree from its point of the lattice, as a share of the way to the next.
const JITTER: f32 = 0.8;
/// The radius of a crown in steps of the lattice, for the smallest and the largest tree.
const RADIUS: f32 = 0.68;
const SIZES: [f32; 2] = [0.7, 1.3];
const SIZE_STEPS: usize = 4;
const VARIANTS: usize = 6;
/// Signs in ink are as large as letters at most, in pixels.
const LARGEST_SIGN: f32 = 6.5;

/// A tree of a picture.
pub(crate) struct MapTree {
    /// The foot of the tree, in pixels of the whole map.
    at: Vec2,
    stamp: StampKey,
}

impl MapTree {
    /// A tree with its foot at a pixel of the whole map. Its size and variant depend on two numbers in [0, 1).
    pub(crate) fn new(at: Vec2, kind: TreeKind, biome: Biome, [size, variant]: [f32; 2]) -> Self {
        let [size, variant] =
            [(size, SIZE_STEPS), (variant, VARIANTS)].map(|(share, steps)| (share * steps as f32) as u8);
        Self { at, stamp: StampKey { kind, biome, size, variant } }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct StampKey {
    kind: TreeKind,
    biome: Biome,
    size: u8,
    variant: u8,
}

/// The trees of a picture, from the back to the front.
pub(crate) struct Trees {
    trees: Vec<MapTree>,
    stamps: HashMap<StampKey, TreeStamp>,
    /// The reach of the largest stamp, in pixels.
    reach: f32,
    /// The upper left pixel of the picture, from that of the map.
    origin: IVec2,
}

/// The trees on the land, or their signs in ink on paper, which are fewer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeStyle {
    Painted,
    Ink,
}

impl Trees {
    /// The trees of a picture.
    pub(crate) fn new(fields: &GroundFields, map: CellRect, viewport: &Viewport, style: TreeStyle) -> Self {
        if viewport.side() < LEAST_SIDE {
            return Self::of(Vec::new(), 0.0, viewport);
        }
        let wet = TreeField::wet(fields);
        let shown = viewport.cells(1).intersect(map);
        let rows = (shown.min.y * TREES_A_SIDE..shown.max.y * TREES_A_SIDE).collect::<Vec<i32>>();
        let rows: Vec<Vec<MapTree>> =
            rows.par_iter().map(|&y| row_of_trees(fields, &wet, shown, y, viewport, style)).collect();
        let radius = RADIUS / TREES_A_SIDE as f32 * viewport.side();
        Self::of(rows.into_iter().flatten().collect(), radius, viewport)
    }

    /// Some trees whose crowns have a mean radius in pixels.
    pub(crate) fn of(mut trees: Vec<MapTree>, radius: f32, viewport: &Viewport) -> Self {
        trees.sort_by(|a, b| a.at.y.total_cmp(&b.at.y));
        let mut keys: Vec<StampKey> = trees.iter().map(|tree| tree.stamp).collect();
        keys.sort_unstable();
        keys.dedup();
        let stamps: Vec<(StampKey, TreeStamp)> = keys
            .par_iter()
            .map(|&key| {
                let size = SIZES[0] + (SIZES[1] - SIZES[0]) * (f32::from(key.size) + 0.5) / SIZE_STEPS as f32;
                let large = if key.biome == Biome::TropicalRainforest { 1.15 } else { 1.0 };
                let radius = if key.kind == TreeKind::Ink { radius.min(LARGEST_SIGN) } else { radius };
                (key, TreeStamp::draw(key.kind, canopy(key.biome), radius * size * large, u32::from(key.variant)))
            })
            .collect();
        let reach = stamps.iter().map(|(_, stamp)| stamp.reach()).fold(0.0, f32::max);
        Self { trees, stamps: stamps.into_iter().collect(), reach, origin: viewport.origin }
    }

    /// Calls `blend` with every pixel of the trees in some rows: its index from the first of the rows, colour times alpha, and alpha.
    pub(crate) fn draw(&self, rows: std::ops::Range<usize>, width: usize, mut blend: impl FnMut(usize, Srgb, f32)) {
        let [low, high] = [rows.start as i32, rows.end as i32].map(|row| (row + self.origin.y) as f32);
        let (low, high) = (low - self.reach, high + self.reach);
        let first = self.trees.partition_point(|tree| tree.at.y < low);
        for tree in self.trees[first..].iter().take_while(|tree| tree.at.y < high) {
            let stamp = &self.stamps[&tree.stamp];
            let corner = (tree.at - stamp.foot()).round().as_ivec2() - self.origin;
            let y_range = (rows.start as i32).max(corner.y)..(rows.end as i32).min(corner.y + stamp.side() as i32);
            let x_range = corner.x.max(0)..(width as i32).min(corner.x + stamp.side() as i32);
            for y in y_range {
                let line = stamp.row((y - corner.y) as usize);
                for x in x_range.clone() {
                    let (colour, alpha) = line[(x - corner.x) as usize];
                    if alpha > 0.0 {
                        blend((y as usize - rows.start) * width + x as usize, colour, alpha);
                    }
                }
            }
        }
    }
}

/// Fields that only trees read.
struct TreeField(super::resample::Field);

impl TreeField {
    /// Where water and rivers leave no place for trees.
    fn wet(fields: &GroundFields) -> Self {
        let wet = super::resample::Field::from_fn(fields.rect, |cell| {
            let wet = fields.is_water.nearest(cell) || fields.is_river.nearest(cell) || !fields.has_data.nearest(cell);
            f32::from(u8::from(wet))
        });
        Self(wet.blurred(0.55))
    }
}

fn row_of_trees(
    fields: &GroundFields,
    TreeField(wet): &TreeField,
    shown: CellRect,
    y: i32,
    viewport: &Viewport,
    style: TreeStyle,
) -> Vec<MapTree> {
    let noise = noise();
    let mut trees = Vec::new();
    for x in shown.min.x * TREES_A_SIDE..shown.max.x * TREES_A_SIDE {
        let random = |purpose| lattice_random(x, y, purpose);
        let lattice =
            Vec2::new(x as f32 + 0.5 + JITTER * (random(1) - 0.5), y as f32 + 0.5 + JITTER * (random(2) - 0.5));
        let place = lattice / TREES_A_SIDE as f32;
        let cell = place.floor().as_ivec2();
        let biome = fields.biome.nearest(cell);
        let vegetation = fields.vegetation.bilinear(place.x, place.y);
        let mut density = power_1_5(((vegetation - 0.12) / 0.78).clamp(0.0, 1.0)) * 0.8;
        density *= 1.0 + 0.35 * noise.at(place.x * 0.35, place.y * 0.35, 31);
        if biome == Biome::Alpine {
            density *= 0.7;
        }
        if style == TreeStyle::Ink {
            density = density * density * 0.26;
        }
        if random(3) >= density || wet.bilinear(place.x, place.y) >= 0.30 {
            continue;
        }
        let kind = match style {
            TreeStyle::Ink => TreeKind::Ink,
            TreeStyle::Painted => kind_of(biome, random(6)),
        };
        let biome = match style {
            TreeStyle::Ink => Biome::Woodland,
            TreeStyle::Painted if is_land(biome) => biome,
            TreeStyle::Painted => Biome::Grassland,
        };
        trees.push(MapTree::new(place * viewport.scale, kind, biome, [random(4), random(5)]));
    }
    trees
}

fn power_1_5(x: f32) -> f32 {
    x * x.sqrt()
}

/// Returns the kind of a tree of a biome; `random` mixes conifers into woods.
pub(crate) fn kind_of(biome: Biome, random: f32) -> TreeKind {
    match biome {
        Biome::Boreal | Biome::Alpine | Biome::Ice => TreeKind::Conifer,
        Biome::TemperateRainforest if random < 0.35 => TreeKind::Conifer,
        Biome::Woodland if random < 0.08 => TreeKind::Conifer,
        Biome::Savanna => TreeKind::Acacia,
        Biome::Coast | Biome::Desert | Biome::Tundra => TreeKind::Scrub,
        _ => TreeKind::Broad,
    }
}
