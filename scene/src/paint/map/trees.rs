//! [`Trees`]: woods as small drawings, with the same tree at the same place at every zoom; [`TreeStamp`]: a small
//! picture of a tree.

use std::collections::HashMap;

use glam::{IVec2, Vec2, vec2};

use super::ground_fields::GroundFields;
use super::noise::{lattice_random, noise};
use super::relief::is_land;
use super::style::{Srgb, canopy, rgb};
use super::viewport::Viewport;
use crate::world::Biome;
use farsight::grid::CellRect;
use farsight::internal::parallel::*;

/// The minimum side of a cell, in pixels, at which trees are drawn; woods of smaller cells are a tone.
pub(crate) const LEAST_SIDE: f32 = 4.0;
/// The maximum number of trees along the side of a cell.
const TREES_A_SIDE: i32 = 2;
/// The jitter of a tree around its lattice point, as a fraction of the spacing.
const JITTER: f32 = 0.8;
/// The radius of a crown in steps of the lattice, for the smallest and the largest tree.
const RADIUS: f32 = 0.68;
const SIZES: [f32; 2] = [0.7, 1.3];
const SIZE_STEPS: usize = 4;
const VARIANTS: usize = 6;
/// The maximum size of signs in ink, in pixels: that of letters.
const LARGEST_SIGN: f32 = 6.5;

/// A tree of a picture.
pub(crate) struct MapTree {
    /// The foot of the tree, in pixels of the whole map.
    at: Vec2,
    stamp: StampKey,
}

impl MapTree {
    /// Creates a tree with its foot at a pixel of the whole map. Its size and variant depend on two numbers in [0, 1).
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
    /// The upper left pixel of the picture, relative to that of the map.
    origin: IVec2,
}

/// The trees on the land, or their less numerous signs in ink on paper.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeStyle {
    Painted,
    Ink,
}

impl Trees {
    /// Creates the trees of a picture.
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

    /// Creates some trees whose crowns have a mean radius in pixels.
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
    /// Returns the places where water or rivers prevent trees.
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

/// The drawing of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TreeKind {
    Broad,
    Conifer,
    Acacia,
    Scrub,
    /// A sign in ink on paper: an open crown on a stem.
    Ink,
}

/// A tree as a small picture: a shadow to the south-east, a dark crown, and lit parts to the north-west.
pub(crate) struct TreeStamp {
    side: usize,
    foot: Vec2,
    /// Colour times alpha, and alpha.
    pixels: Vec<(Srgb, f32)>,
}

const SHADOW: Srgb = rgb(0x1c223a);
const SHADOW_ALPHA: f32 = 0.35;
const TRUNK: Srgb = rgb(0x544230);

/// A part of a drawing, in radii of the crown from the foot of the tree; later parts cover earlier ones.
enum CrownPart {
    Ellipse {
        middle: Vec2,
        radii: Vec2,
        colour: Srgb,
        alpha: f32,
    },
    Triangle {
        points: [Vec2; 3],
        colour: Srgb,
    },
    /// An arc with a width.
    Arc {
        middle: Vec2,
        radius: f32,
        half_width: f32,
        gap: bool,
    },
}

impl CrownPart {
    /// Returns the corners of a rectangle around the part.
    fn bounds(&self) -> [Vec2; 2] {
        match *self {
            Self::Ellipse { middle, radii, .. } => [middle - radii, middle + radii],
            Self::Triangle { points: [a, b, c], .. } => [a.min(b).min(c), a.max(b).max(c)],
            Self::Arc { middle, radius, half_width, .. } => {
                [middle - radius - half_width, middle + radius + half_width]
            }
        }
    }

    /// Returns the signed distance to the edge of the part, positive inside; near its edge in radii of the crown.
    fn depth(&self, place: Vec2) -> f32 {
        match *self {
            Self::Ellipse { middle, radii, .. } => (1.0 - ((place - middle) / radii).length()) * radii.min_element(),
            Self::Triangle { points: [a, b, c], .. } => {
                let clockwise = (b - a).perp_dot(c - a).signum();
                let depth = |from: Vec2, to: Vec2| clockwise * (to - from).normalize_or_zero().perp_dot(place - from);
                depth(a, b).min(depth(b, c)).min(depth(c, a))
            }
            Self::Arc { middle, radius, half_width, gap } => {
                let way = place - middle;
                let depth = half_width - (way.length() - radius).abs();
                if gap { depth.min(0.55 * radius - way.y) } else { depth }
            }
        }
    }

    fn colour(&self) -> (Srgb, f32) {
        match *self {
            Self::Ellipse { colour, alpha, .. } => (colour, alpha),
            Self::Triangle { colour, .. } => (colour, 1.0),
            Self::Arc { .. } => (Srgb::ZERO, 1.0),
        }
    }
}

impl TreeStamp {
    /// Draws a tree with a crown of `radius` pixels. Ink is black; the caller colours it.
    pub(crate) fn draw(kind: TreeKind, colour: Srgb, radius: f32, variant: u32) -> Self {
        let side = (radius * 5.0).ceil() as usize + 2;
        let foot = vec2(side as f32 * 0.5, side as f32 * 0.62);
        let random = |purpose: u32| lattice_random(variant as i32, kind as i32, purpose);
        let mut pixels = vec![(Srgb::ZERO, 0.0); side * side];
        for part in parts(kind, colour, radius, random) {
            let [low, high] = part.bounds().map(|corner| corner * radius + foot);
            let last = Vec2::splat(side as f32);
            let [low, high] =
                [(low - 1.0).floor(), (high + 1.0).ceil()].map(|at| at.clamp(Vec2::ZERO, last).as_uvec2());
            let (colour, alpha) = part.colour();
            for y in low.y..high.y {
                for x in low.x..high.x {
                    let place = (vec2(x as f32, y as f32) + 0.5 - foot) / radius;
                    let coverage = alpha * (0.5 + radius * part.depth(place)).clamp(0.0, 1.0);
                    let (sum, covered) = &mut pixels[y as usize * side + x as usize];
                    *sum = *sum * (1.0 - coverage) + colour * coverage;
                    *covered = *covered * (1.0 - coverage) + coverage;
                }
            }
        }
        Self { side, foot, pixels }
    }

    pub(crate) fn side(&self) -> usize {
        self.side
    }

    /// Returns the foot of the tree in the stamp, in pixels.
    pub(crate) fn foot(&self) -> Vec2 {
        self.foot
    }

    /// Returns the maximum distance of a row from the foot, in pixels.
    pub(crate) fn reach(&self) -> f32 {
        self.side as f32 + 1.0
    }

    pub(crate) fn row(&self, y: usize) -> &[(Srgb, f32)] {
        &self.pixels[y * self.side..][..self.side]
    }
}

/// Returns the parts of a tree from the back to the front.
fn parts(kind: TreeKind, colour: Srgb, radius: f32, random: impl Fn(u32) -> f32) -> Vec<CrownPart> {
    let ellipse = |x: f32, y: f32, a: f32, b: f32, colour: Srgb| CrownPart::Ellipse {
        middle: vec2(x, y),
        radii: vec2(a, b),
        colour,
        alpha: 1.0,
    };
    let shadow =
        CrownPart::Ellipse { middle: vec2(0.55, 0.12), radii: vec2(1.15, 0.55), colour: SHADOW, alpha: SHADOW_ALPHA };
    let tone = colour * (1.0 + 0.13 * (random(11) - 0.5)) + Srgb::new(8.0, 3.0, -3.0) * (random(12) - 0.5);
    let dark = tone * 0.60 * Srgb::new(0.95, 0.97, 1.12);
    let middle = tone * 0.92;
    let light = tone * 1.28 + Srgb::new(10.0, 8.0, -4.0);
    let between = |share: f32| middle + (light - middle) * share;
    match kind {
        TreeKind::Ink => {
            let half_width = (0.11_f32).max(0.5 / radius);
            vec![
                CrownPart::Arc { middle: vec2(0.0, -0.7), radius: 0.8, half_width, gap: true },
                CrownPart::Ellipse {
                    middle: vec2(0.0, 0.35),
                    radii: vec2(half_width, 0.3),
                    colour: Srgb::ZERO,
                    alpha: 1.0,
                },
            ]
        }
        TreeKind::Conifer => {
            let mut parts = vec![shadow];
            for (i, (width, y)) in [(1.0, 0.25), (0.8, -0.5), (0.55, -1.2)].into_iter().enumerate() {
                let tip = vec2(0.0, y - 1.45);
                parts.push(CrownPart::Triangle { points: [vec2(-width, y), vec2(width, y), tip], colour: dark });
                let lit = between(0.35 + 0.2 * i as f32);
                let points = [vec2(-width, y), vec2(-0.05 * width, y + 0.12), tip];
                parts.push(CrownPart::Triangle { points, colour: lit });
            }
            parts
        }
        TreeKind::Acacia => vec![
            shadow,
            ellipse(0.0, -0.3, 0.14_f32.max(0.5 / radius), 0.55, TRUNK),
            ellipse(0.0, -1.0, 1.25, 0.55, dark),
            ellipse(-0.12, -1.18, 1.02, 0.36, between(0.7)),
        ],
        TreeKind::Scrub => {
            vec![shadow, ellipse(0.0, 0.0, 0.62, 0.45, dark), ellipse(-0.1, -0.1, 0.45, 0.3, middle * 1.08)]
        }
        TreeKind::Broad => {
            let lumps = ((radius * 1.1) as u32).clamp(3, 18);
            let mut parts =
                vec![shadow, ellipse(0.0, -0.45, 1.0, 0.95, dark), ellipse(-0.1, -0.6, 0.84, 0.76, middle * 0.95)];
            let direction = |angle: f32| vec2(libm::cosf(angle), libm::sinf(angle));
            if lumps >= 6 {
                // Large crowns have a broken rim.
                for lump in 0..lumps {
                    let at = direction(6.3 * random(20 + lump)) * vec2(0.82, 0.78);
                    parts.push(ellipse(at.x, at.y - 0.45, 0.27, 0.26, dark * 1.06));
                }
            }
            let size = if lumps < 6 { 0.36 } else { 0.24 };
            for lump in 0..lumps {
                let [angle, distance, share] = [40, 60, 80].map(|purpose| random(purpose + lump));
                let at = direction(2.2 + 3.4 * angle) * (0.1 + 0.48 * distance);
                parts.push(ellipse(at.x - 0.12, at.y - 0.64, size, size * 0.9, between(0.2 + 0.8 * share)));
            }
            parts
        }
    }
}
