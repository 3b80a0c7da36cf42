//! [`draw_woods`]: the trees near the eye, drawn individually.

use std::collections::HashMap;

use glam::{DVec2, IVec2, Vec2, dvec2};

use super::atmosphere::{AirColumn, SkyColumn, SkyHeight, share_of_sky};
use super::strip::{CROWN_M, Strip};
use crate::math::sort_descending;
use crate::paint::map::noise::lattice_random;
use crate::paint::map::pixels::{Pixel, blend};
use crate::paint::map::relief::is_land;
use crate::paint::map::style::canopy;
use crate::paint::map::trees::{TreeKind, TreeStamp, kind_of};
use crate::world::{Biome, Water};
use farsight::grid::CellRect;
use farsight::horizon::Projection;
use farsight::viewshed::Surface;

/// The minimum height of a drawn tree, in pixels of the picture.
const LEAST_PIXELS: f32 = 2.2;
/// The maximum height of a tree, in pixels: closer trees would block the view.
const LARGEST_PIXELS: f32 = 44.0;
/// The minimum distance of trees, in metres.
const NEAREST_M: f64 = 60.0;
/// The spacing of trees of a dense wood near the eye, in metres, and its increase with distance.
const APART_M: f64 = 11.0;
const APART_SHARE: f64 = 1.0 / 55.0;
/// Trees along the side of a cell.
const MOST_A_SIDE: i32 = 12;
/// The fraction of trees in the clearing of the viewer.
const IN_CLEARING: f32 = 0.25;
/// The heights of trees, relative to that of the canopy.
const HEIGHTS: [f32; 2] = [0.70, 1.18];
/// The minimum height of trees in sparse vegetation, in metres.
const LOWEST_M: f32 = 7.0;
/// The ratio of consecutive sizes of stamps: an eighth.
const SIZE_STEP_LOG: f32 = 0.12;
const VARIANTS: u32 = 5;

/// A tree of a panorama.
struct PanoramaTree {
    distance_m: f32,
    /// The foot, in pixels.
    x: f32,
    y: f32,
    /// The height in pixels.
    height: f32,
    kind: TreeKind,
    biome: Biome,
    variant: u32,
}

/// Draws the trees that are large enough onto a strip, the farthest first.
pub(super) fn draw_woods(strip: &Strip<'_>, surface: &Surface<'_>, pixels: &mut [Pixel]) {
    let mut trees = trees(strip, surface, pixels);
    sort_descending(&mut trees, |tree| tree.distance_m);
    let mut stamps: HashMap<(u8, u8, i32, u32), TreeStamp> = HashMap::new();
    let Projection { width, height, .. } = *strip.depths.projection();
    let (sky, crown_m) = (&strip.atmosphere.sky, CROWN_M);
    let mut columns: HashMap<usize, (SkyColumn, AirColumn)> = HashMap::new();
    for tree in &trees {
        let size = (libm::logf(tree.height) / SIZE_STEP_LOG).round() as i32;
        let key = (tree.kind as u8, tree.biome as u8, size, tree.variant);
        let stamp = stamps.entry(key).or_insert_with(|| {
            let pixels = libm::expf(size as f32 * SIZE_STEP_LOG) / height_in_radii(tree.kind);
            TreeStamp::draw(tree.kind, canopy(tree.biome), pixels, tree.variant)
        });
        let middle = (tree.x.max(0.0) as usize).min(width - 1);
        let (sky_column, air) = columns.entry(middle / 8).or_insert_with_key(|eighth| {
            let middle = (8 * eighth + 4).min(width - 1);
            (strip.atmosphere.column(strip.depths.projection().azimuth_deg(middle as f64)), strip.air(middle))
        });
        let clear = air.shown(tree.distance_m);
        let share = share_of_sky(strip.depths.projection(), f64::from(tree.y - 0.5 * tree.height));
        let air = sky_column.air(SkyHeight::of(share), clear.y);
        let corner = (tree.x - stamp.foot().x).round() as i32;
        let top = (tree.y - stamp.foot().y).round() as i32;
        for j in 0..stamp.side() {
            let y = top + j as i32;
            if y < 0 || y >= height as i32 {
                continue;
            }
            for (x, &(colour, alpha)) in (corner..).zip(stamp.row(j)) {
                if alpha <= 0.0 || x < 0 || x >= width as i32 {
                    continue;
                }
                let at = x as usize * height + y as usize;
                // Crowns are a little in front of the surface of the canopy.
                if strip.distance_m(pixels, x as usize, y as usize) < tree.distance_m - crown_m {
                    continue;
                }
                let lit = sky.light(colour / alpha, (Vec2::ZERO, 1.0), false);
                let seen = air + (lit - air) * clear;
                blend(&mut pixels[at], seen * alpha, alpha);
            }
        }
    }
}

/// Returns the height of the drawing of a tree, in radii of its crown.
fn height_in_radii(kind: TreeKind) -> f32 {
    match kind {
        TreeKind::Conifer => 2.9,
        TreeKind::Acacia => 1.9,
        TreeKind::Scrub => 1.1,
        TreeKind::Broad | TreeKind::Ink => 1.9,
    }
}

fn trees(strip: &Strip<'_>, surface: &Surface<'_>, pixels: &[Pixel]) -> Vec<PanoramaTree> {
    let projection = strip.depths.projection();
    let up = projection.pixels_per_degree()[1] as f32;
    let tallest_m = strip.optics.config().canopy_height_m as f32 * HEIGHTS[1];
    let least = LEAST_PIXELS * strip.samples;
    let farthest_m = f64::from((tallest_m / least * up).to_degrees());
    let (viewer, cell_size) = (strip.depths.viewer(), strip.cell_size);
    let reach = (farthest_m / cell_size.shorter_m()).ceil().min(1e6) as u32;
    let near = CellRect::around(viewer, reach).intersect(CellRect::of_size(surface.ground.size()));
    let world = strip.optics.world();
    let has_trees = strip.optics.config().vegetation_extinction_per_m > 0.0;
    let mut trees = Vec::new();
    for cell in near.cells() {
        let (vegetation, biome) = (world.vegetation()[cell], world.biome()[cell]);
        let is_dry = !matches!(world.water()[cell], Water::Sea | Water::Lake);
        if vegetation.is_nan() || vegetation < 0.16 || !is_dry || !is_land(biome) || !has_trees {
            continue;
        }
        let offset = (cell - viewer).as_dvec2() * dvec2(cell_size.x_m, cell_size.y_m);
        let distance_m = offset.length();
        if distance_m > farthest_m || !is_in_field(projection, offset, cell_size.mean_m()) {
            continue;
        }
        let apart_m = APART_M.max(APART_SHARE * distance_m);
        let side = ((cell_size.shorter_m() / apart_m).round() as i32).clamp(1, MOST_A_SIDE);
        let density = ((vegetation - 0.12) / 0.78).clamp(0.0, 1.0);
        let density = density * density.sqrt() * if biome == Biome::Alpine { 0.7 } else { 1.0 };
        let in_clearing = strip.land.canopy_m(cell) <= 0.0;
        let density = if in_clearing { IN_CLEARING * density } else { density };
        for i in 0..side * side {
            let lattice = cell * MOST_A_SIDE + IVec2::new(i % side, i / side);
            let random = |purpose| lattice_random(lattice.x, lattice.y, purpose);
            if random(3) >= density {
                continue;
            }
            let jitter = dvec2(f64::from(random(1)), f64::from(random(2))) * 0.8 + 0.1;
            let place =
                cell.as_dvec2() - 0.5 + (dvec2(f64::from(i % side), f64::from(i / side)) + jitter) / f64::from(side);
            let share = HEIGHTS[0] + (HEIGHTS[1] - HEIGHTS[0]) * random(4);
            let tall_m = (strip.optics.canopy_m(cell)).max(LOWEST_M) * share;
            let kind = kind_of(biome, random(6));
            let tall_m = if kind == TreeKind::Scrub { 0.4 * tall_m } else { tall_m };
            trees.extend(tree(
                strip,
                surface,
                pixels,
                place,
                tall_m,
                (kind, biome, (random(5) * VARIANTS as f32) as u32),
            ));
        }
    }
    trees
}

/// Returns `true` if a cell at an offset in metres can be in the field of view of a panorama.
fn is_in_field(projection: &Projection, offset: DVec2, side_m: f64) -> bool {
    let azimuth = libm::atan2(offset.x, -offset.y).to_degrees();
    let margin = libm::atan(side_m / offset.length().max(side_m)).to_degrees() + 2.0;
    let from_left = (azimuth - projection.left_deg + margin).rem_euclid(360.0);
    from_left <= projection.field_deg + 2.0 * margin
}

/// Returns a tree, unless it is too small, too close or hidden.
fn tree(
    strip: &Strip<'_>,
    surface: &Surface<'_>,
    pixels: &[Pixel],
    place: DVec2,
    tall_m: f32,
    (kind, biome, variant): (TreeKind, Biome, u32),
) -> Option<PanoramaTree> {
    let projection = strip.depths.projection();
    let offset = (place - strip.depths.viewer().as_dvec2()) * dvec2(strip.cell_size.x_m, strip.cell_size.y_m);
    let distance_m = offset.length();
    if distance_m < NEAREST_M {
        return None;
    }
    let x = projection.x(libm::atan2(offset.x, -offset.y).to_degrees())?;
    let world = strip.optics.world();
    let eye_m = f64::from(world.ground_m()[strip.depths.viewer()]) + surface.eye_height;
    let ground_m = ground_m(surface, place)?;
    // The surface of a wood is that of its crowns: the feet of its trees are below it.
    let cell = place.round().as_ivec2();
    let buried_m = f64::from(strip.land.canopy_m(cell)).min(f64::from(tall_m) * 0.85);
    let drop_m = Surface::drop_m(surface.curvature, distance_m);
    let slope = |height_m: f64| (height_m - eye_m - drop_m) / distance_m;
    let foot = projection.y_of_slope(slope(ground_m - buried_m));
    let top = projection.y_of_slope(slope(ground_m - buried_m + f64::from(tall_m)));
    let height = ((foot - top) as f32).min(LARGEST_PIXELS * strip.samples);
    if height < LEAST_PIXELS * strip.samples || top > projection.height as f64 || foot < 0.0 {
        return None;
    }
    // Most trees of a wood are hidden.
    let (column, row) = ((x as usize).min(projection.width - 1), top.max(0.0) as usize);
    let before = strip.distance_m(pixels, column, row.min(projection.height - 1));
    let is_hidden = f64::from(before) < distance_m - f64::from(CROWN_M);
    (!is_hidden).then_some(PanoramaTree {
        distance_m: distance_m as f32,
        x: x as f32,
        y: foot as f32,
        height,
        kind,
        biome,
        variant,
    })
}

/// Returns the height of the surface at a place, in metres; `None` off the map and for nodata.
fn ground_m(surface: &Surface<'_>, place: DVec2) -> Option<f64> {
    let low = place.floor();
    let share = place - low;
    let low = low.as_ivec2();
    let node = |x: i32, y: i32| surface.ground.get(low + IVec2::new(x, y)).map(|height| f64::from(*height));
    let (right, down) = (i32::from(share.x > 0.0), i32::from(share.y > 0.0));
    let top = node(0, 0)? + (node(right, 0)? - node(0, 0)?) * share.x;
    let bottom = node(0, down)? + (node(right, down)? - node(0, down)?) * share.x;
    Some(top + (bottom - top) * share.y).filter(|height| !height.is_nan())
}
