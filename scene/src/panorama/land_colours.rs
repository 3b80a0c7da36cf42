//! [`LandColours`]: the colour of the land of a panorama per cell, in the light of the hour.

use std::sync::{Arc, OnceLock};

use glam::{DVec2, IVec2, Vec2, vec2};

use crate::optics::Optics;
use crate::paint::map::ground_fields::{CellGroups, GroundFields, mean_squared_slope};
use crate::paint::map::pixels::{luma, pixel};
use crate::paint::map::relief::{DayLight, ReliefPoint, is_land};
use crate::paint::map::resample::Field;
use crate::paint::map::sight_blend::with_lamps;
use crate::paint::map::sight_fields::{Air, LandKind, lamp_light};
use crate::paint::map::sky_light::{SkyLight, sunlit};
use crate::paint::map::style::{DEEP, LAKE, MIDDLE, SEA_ICE, SHALLOW, Srgb, canopy};
use crate::paint::map::world_land::{depth_share, ground_colour, lit, tints};
use crate::scene::Scene;
use crate::world::{Biome, World};
use farsight::grid::{CellRect, Grid};
use farsight::internal::horizon::HighestPyramid;
use farsight::internal::math::smoothstep_f32;
use farsight::internal::parallel::*;
use farsight::light::SunPosition;
use farsight::viewshed::Surface;

/// The colours of a cell; fractions are from 0 to 255.
#[derive(Clone, Copy, Default)]
struct LandCell {
    /// The land, in the light of the hour.
    land: [u8; 3],
    /// The water on it, or that of neighbouring cells.
    water: [u8; 3],
    water_share: u8,
    river_share: u8,
    wood_share: u8,
}

/// The land at a place.
pub(super) struct LandPoint {
    pub(super) land: Srgb,
    pub(super) water: Srgb,
    /// Fractions of water, rivers and woods, from 0 to 1.
    pub(super) water_share: f32,
    pub(super) river_share: f32,
    pub(super) wood_share: f32,
}

/// The inputs of the colours, besides lamps.
#[derive(Clone, PartialEq)]
struct LandColoursKey {
    world: usize,
    light: [f32; 3],
    sun: Option<SunPosition>,
    canopy_m: f64,
}

/// The colours of the land around a viewer, and the surface with the tops of its trees.
pub(super) struct LandColours {
    key: LandColoursKey,
    /// Kept, so that its address identifies it.
    world: Arc<World>,
    colours: Colours,
    /// The cells in tiles of [`TILE`], coloured when a cell of the tile is first visible, with a column and a row of
    /// the next tiles.
    tiles: Grid<OnceLock<Box<[LandCell]>>>,
    /// The ground with its trees, except for the viewer's clearing; `None` without trees.
    tops: Option<Grid<f32>>,
    /// The maximum heights of the ground with all trees.
    pyramid: HighestPyramid,
    /// The viewer in the clearing.
    viewer: IVec2,
    /// The light of lamps and lantern, red, green and blue.
    lamps: Option<[Field; 3]>,
}

/// The fraction of the light of lamps in the picture: the viewer looks along the ground, and lamps light it from above.
const LAMPS: f32 = 0.13;

/// The maximum elevation of the sun for shading, in degrees: a lower sun makes shades more visible.
const HIGHEST_SUN_DEG: f64 = 50.0;
/// The minimum elevation of the sun by day.
const LOWEST_SUN_DEG: f64 = 14.0;

impl LandColours {
    /// Returns the land of a scene. It reuses the colours of earlier pictures.
    pub(super) fn of(
        old: Option<Self>,
        scene: &Scene,
        optics: &Optics,
        sky: &SkyLight,
        sun: Option<SunPosition>,
    ) -> Self {
        let world = optics.world();
        let sun = sun
            .filter(|sun| sun.elevation_deg > -2.0 && sky.night < 1.0)
            .map(|sun| SunPosition { azimuth_deg: sun.azimuth_deg.round(), elevation_deg: sun.elevation_deg.round() });
        let has_crowns = world.surface_model().is_none_or(|model| model.canopy_m.is_some());
        let has_trees = optics.config().vegetation_extinction_per_m > 0.0 && has_crowns;
        let canopy_m = if has_trees { optics.config().canopy_height_m } else { 0.0 };
        let light = [sky.day, sky.dusk, sky.night].map(|share| (share * 64.0).round() / 64.0);
        let key = LandColoursKey { world: Arc::as_ptr(world) as usize, light, sun, canopy_m };
        let viewer = scene.viewer();
        let mut land = match old.filter(|old| old.key == key) {
            Some(old) => old,
            None => {
                let tops = (canopy_m > 0.0).then(|| tops(world, canopy_m));
                // Houses hide, too.
                let all = world
                    .surface_model()
                    .map(|_| Grid::from_fn(world.width(), world.height(), |cell| world.top_m(cell)));
                let highest = all.as_ref().or(tops.as_ref()).unwrap_or(world.ground_m());
                let surface = bare(optics, viewer).with_ground(highest).with_obstacles(None);
                Self {
                    colours: Colours::new(world, sky, &surface, sun),
                    tiles: tiles(highest.size()),
                    pyramid: HighestPyramid::new(highest.size(), |cell| highest[cell]),
                    tops,
                    viewer,
                    lamps: None,
                    world: Arc::clone(world),
                    key,
                }
            }
        };
        if let Some(tops) = &mut land.tops {
            clearing(world, land.viewer).for_each(|cell| tops[cell] = tree_top_m(world, cell, canopy_m));
            clearing(world, viewer).for_each(|cell| tops[cell] = world.ground_m()[cell]);
        }
        land.viewer = viewer;
        land.lamps = lit_cells(scene).map(|rect| {
            lamp_light(scene, CellGroups { stride: 1, size: scene.size() }, rect, LandKind::Country(Air::CLEAR))
        });
        land
    }

    /// Returns the surface that the panorama shows: the ground, with the trees on it.
    pub(super) fn surface<'a>(&'a self, optics: &'a Optics, viewer: IVec2) -> Surface<'a> {
        let ground = bare(optics, viewer);
        match &self.tops {
            Some(tops) => ground.with_ground(tops),
            None => ground,
        }
    }

    /// Returns the ground below the trees; `None` without trees.
    pub(super) fn ground<'a>(&self, optics: &'a Optics, viewer: IVec2) -> Option<Surface<'a>> {
        self.tops.as_ref().map(|_| bare(optics, viewer))
    }

    /// Returns the height of the ground with its trees at a place, and their cover; `None` off the map and without trees.
    #[inline]
    pub(super) fn wood_at(&self, place: Vec2) -> Option<[f32; 2]> {
        let (tops, cover) = (self.tops.as_ref()?, self.world.vegetation());
        let low = place.as_ivec2();
        let share = place - low.as_vec2();
        if place.min_element() < 0.0 || (low + 1).cmpge(tops.size()).any() {
            return None;
        }
        Some([tops, cover].map(|map| {
            let [above, below] = [0, 1].map(|down| &map.row((low.y + down) as usize)[low.x as usize..]);
            let (top, bottom) =
                (above[0] + (above[1] - above[0]) * share.x, below[0] + (below[1] - below[0]) * share.x);
            top + (bottom - top) * share.y
        }))
    }

    /// Returns the maximum heights of the surface.
    pub(super) fn pyramid(&self) -> &HighestPyramid {
        &self.pyramid
    }

    /// Returns the height of the trees of a cell over its ground, in metres.
    pub(super) fn canopy_m(&self, cell: IVec2) -> f32 {
        match &self.tops {
            Some(tops) => tops[cell] - self.world.ground_m()[cell],
            None => 0.0,
        }
    }

    /// Returns the land at a place: 0,0 is the centre of cell 0,0.
    #[inline]
    pub(super) fn at(&self, place: DVec2) -> LandPoint {
        let last = (self.world.ground_m().size() - 2).max(IVec2::ZERO);
        let low = place.as_ivec2().clamp(IVec2::ZERO, last);
        let share = (place - low.as_dvec2()).as_vec2().clamp(Vec2::ZERO, Vec2::ONE);
        let tile = low / TILE;
        let cells = self.tiles[tile].get_or_init(|| self.colours.tile(&self.world, tile));
        let (at, width) = (low - tile * TILE, TILE as usize + 1);
        let start = at.y as usize * width + at.x as usize;
        let corners = [&cells[start], &cells[start + 1], &cells[start + width], &cells[start + width + 1]];
        let weights = [
            (1.0 - share.x) * (1.0 - share.y),
            share.x * (1.0 - share.y),
            (1.0 - share.x) * share.y,
            share.x * share.y,
        ];
        let mut point =
            LandPoint { land: Srgb::ZERO, water: Srgb::ZERO, water_share: 0.0, river_share: 0.0, wood_share: 0.0 };
        let rgb = |[r, g, b]: [u8; 3]| Srgb::new(f32::from(r), f32::from(g), f32::from(b));
        for (cell, weight) in corners.into_iter().zip(weights) {
            point.land += rgb(cell.land) * weight;
            let weight = weight / 255.0;
            point.water_share += f32::from(cell.water_share) * weight;
            point.river_share += f32::from(cell.river_share) * weight;
            point.wood_share += f32::from(cell.wood_share) * weight;
        }
        if point.water_share > 0.0 {
            point.water = corners.into_iter().zip(weights).map(|(cell, weight)| rgb(cell.water) * weight).sum();
        }
        point
    }

    /// Adds the light of lamps to a colour of the land.
    #[inline]
    pub(super) fn with_lamps(&self, colour: Srgb, place: DVec2) -> Srgb {
        let Some(lamps) = &self.lamps else { return colour };
        let rect = lamps[0].rect;
        let at = place.as_vec2() + 0.5;
        let (low, high) = (rect.min.as_vec2() + 1.0, rect.max.as_vec2() - 1.0);
        if at.cmplt(low).any() || at.cmpgt(high).any() {
            return colour;
        }
        let light = Srgb::from_array([0, 1, 2].map(|i: usize| lamps[i].bilinear(at.x, at.y)));
        let day = (colour * 2.0 + 24.0).min(Srgb::splat(200.0));
        with_lamps(colour, day, light.max(Srgb::ZERO) * LAMPS, 1.0, Srgb::ZERO, (3.2, 0.9))
    }
}

/// Returns the ground around a viewer, with the obstacles on it.
fn bare(optics: &Optics, viewer: IVec2) -> Surface<'_> {
    optics.surface(viewer).with_canopy(None).with_target_height(0.0).with_softness(0.0)
}

/// The radius of the clearing around the viewer, in metres and in cells: close trees would hide the whole view.
const CLEARING_M: f64 = 100.0;
const CLEARING_CELLS: f64 = 1.5;

/// Returns the cells of the clearing around a viewer.
fn clearing(world: &World, viewer: IVec2) -> impl Iterator<Item = IVec2> {
    let cell_size = world.cell_size_at(viewer);
    let radius_m = CLEARING_M.max(CLEARING_CELLS * cell_size.shorter_m());
    let reach = (radius_m / cell_size.shorter_m()) as u32;
    let around = CellRect::around(viewer, reach).intersect(CellRect::of_size(world.ground_m().size()));
    around.cells().filter(move |cell| cell_size.distance_m(*cell - viewer) <= radius_m)
}

/// Returns the cells lit by lamps and the viewer's lantern; `None` if no cells are lit, or by day.
fn lit_cells(scene: &Scene) -> Option<CellRect> {
    if scene.is_fully_lit() {
        return None;
    }
    let reach = |reach: f64| reach.ceil() as u32 + 2;
    let lantern = scene.optics().lantern;
    let lantern = (lantern > 0.0).then(|| CellRect::around(scene.viewer(), reach(lantern)));
    let lamps = scene.lamps().iter().map(|lamp| CellRect::around(lamp.at, reach(lamp.reach)));
    let lit = lamps.chain(lantern).reduce(CellRect::cover)?.intersect(CellRect::of_size(scene.size()));
    (lit.width() >= 4 && lit.height() >= 4).then_some(lit)
}

/// Returns the height of the tree tops over the sea: the ground plus the canopy height times the square of the cover.
fn top_m(ground_m: f32, cover: f32, canopy_m: f64) -> f32 {
    let cover = f64::from(cover);
    if cover > 0.0 { ground_m + (canopy_m * cover * cover) as f32 } else { ground_m }
}

/// Returns the height of the tree tops of a cell: of the crowns of the surface, if it has any.
fn tree_top_m(world: &World, cell: IVec2, canopy_m: f64) -> f32 {
    let ground_m = world.ground_m()[cell];
    match world.surface_model().and_then(|model| model.canopy_m.as_ref()) {
        Some(crowns) if crowns[cell] > 0.0 => ground_m + crowns[cell],
        Some(_) => ground_m,
        None => top_m(ground_m, world.vegetation()[cell], canopy_m),
    }
}

fn tops(world: &World, canopy_m: f64) -> Grid<f32> {
    let mut tops = Grid::new(world.width(), world.height(), 0.0);
    let width = world.width().max(1);
    tops.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, tops)| {
        for (x, top) in tops.iter_mut().enumerate() {
            *top = tree_top_m(world, IVec2::new(x as i32, y as i32), canopy_m);
        }
    });
    tops
}

/// The side of a tile in cells.
const TILE: i32 = 64;
/// The margin in cells that blurs of colours and of heights read.
const MARGIN: i32 = 5;
const WIDE_MARGIN: i32 = 13;

/// Returns the tiles of a map of some columns and rows.
fn tiles(size: IVec2) -> Grid<OnceLock<Box<[LandCell]>>> {
    let tiles = (size + TILE - 1) / TILE;
    Grid::from_fn(tiles.x as usize, tiles.y as usize, |_| OnceLock::new())
}

/// The inputs of the colours of all tiles.
struct Colours {
    sky: SkyLight,
    day_light: DayLight,
    /// The fraction of sunlight on each cell; `None` without shadows.
    sunlit: Option<Grid<f32>>,
    mean_squared_slope: f32,
}

impl Colours {
    fn new(world: &World, sky: &SkyLight, surface: &Surface<'_>, sun: Option<SunPosition>) -> Self {
        let day_light = sun.map_or_else(DayLight::new, |sun| {
            let height = sun.elevation_deg.clamp(LOWEST_SUN_DEG, HIGHEST_SUN_DEG);
            DayLight::with_sun(sun.azimuth_deg as f32, height as f32)
        });
        let groups = CellGroups { stride: 1, size: world.ground_m().size() };
        let sunlit = sun.and_then(|sun| sunlit(surface, sun, f64::INFINITY, groups.rect()));
        Self { sky: *sky, day_light, sunlit, mean_squared_slope: mean_squared_slope(world, groups) }
    }

    fn tile(&self, world: &World, tile: IVec2) -> Box<[LandCell]> {
        let groups = CellGroups { stride: 1, size: world.ground_m().size() };
        let cells = CellRect { min: tile * TILE, max: (tile + 1) * TILE + 1 };
        let near = |margin: i32| {
            let map = CellRect { min: IVec2::splat(-margin), max: groups.size + margin };
            CellRect { min: cells.min - margin, max: cells.max + margin }.intersect(map)
        };
        let fields = GroundFields::within(world, groups, near(MARGIN), self.mean_squared_slope);
        let heights = GroundFields::heights(world, groups, near(WIDE_MARGIN));
        let painter = TilePainter::new(&fields, &heights, self);
        cells.cells().map(|cell| painter.cell(cell)).collect()
    }
}

/// The fields of a tile.
struct TilePainter<'a> {
    fields: &'a GroundFields,
    colours: &'a Colours,
    height: Field,
    wide: Field,
    tints: Field<[f32; 5]>,
    /// Water, also of the cells next to it.
    depth: Field,
}

impl<'a> TilePainter<'a> {
    fn new(fields: &'a GroundFields, heights: &Field, colours: &'a Colours) -> Self {
        let (height, wide) = (fields.height.blurred(0.5), heights.blurred(4.0));
        Self { fields, colours, height, wide, tints: tints(fields), depth: fields.depth.dilated() }
    }

    fn cell(&self, cell: IVec2) -> LandCell {
        let fields = self.fields;
        let factor = fields.exaggeration.at(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
        let rise = |step: IVec2| self.height.nearest(cell + step) - self.height.nearest(cell - step);
        let slope = vec2(rise(IVec2::X), rise(IVec2::Y)) / (2.0 * fields.cell_m) * factor;
        let height = self.height.nearest(cell);
        let ridge = (height - self.wide.nearest(cell)) * factor / fields.cell_m.min_element() / 2.2;
        let point = ReliefPoint { height, slope, ridge: ridge.clamp(-1.0, 1.0), smooth: Vec2::ZERO };
        let sunlit =
            self.colours.sunlit.as_ref().map_or(1.0, |shares| shares[cell.clamp(IVec2::ZERO, shares.size() - 1)]);
        let light = self.colours.day_light.on(&point, sunlit);
        let biome = fields.biome.nearest(cell);
        let is_water = fields.is_water.nearest(cell);
        let wood = if is_land(biome) { smoothstep_f32(0.35, 0.75, fields.vegetation.nearest(cell)) } else { 0.0 };
        let mut colour = lit(ground_colour(self.tints.nearest(cell), height, slope.length(), fields.high_m), light);
        if wood > 0.0 {
            // Crowns scatter the light: their shade is weaker.
            let crowns = lit(canopy(biome) * 0.98, 0.4 + 0.6 * light);
            colour = colour.lerp(crowns, 0.85 * wood);
        }
        let deep = depth_share(self.depth.nearest(cell));
        let deep = if deep < 0.5 { SHALLOW.lerp(MIDDLE, 2.0 * deep) } else { MIDDLE.lerp(DEEP, 2.0 * deep - 1.0) };
        let water = match biome {
            Biome::Lake => deep.lerp(LAKE, 0.7),
            Biome::Ice if is_water => SEA_ICE,
            _ => deep.lerp(MIDDLE, 0.4),
        };
        let of_hour = |colour: Srgb, is_water: bool| {
            let sky = &self.colours.sky;
            // Moonlight shows mainly snow and pale rock.
            let day = luma(colour) / 255.0;
            let moon = if is_water { 1.0 } else { 0.35 + 1.25 * day * day * day };
            let lit = sky.light(colour, (slope, sunlit), is_water) * (1.0 + (moon - 1.0) * sky.night);
            let [r, g, b, _] = pixel(lit, 0);
            [r, g, b]
        };
        let share = |share: f32| (255.0 * share + 0.5) as u8;
        let colour = if fields.has_data.nearest(cell) { colour } else { Srgb::splat(luma(colour)) };
        LandCell {
            land: of_hour(colour, false),
            water: of_hour(water, true),
            water_share: share(f32::from(u8::from(is_water))),
            river_share: share(f32::from(u8::from(fields.is_river.nearest(cell)))),
            wood_share: share(wood),
        }
    }
}
