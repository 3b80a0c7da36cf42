//! [`Base`]: what is beneath the zones of a map: a hillshade, or a picture; the pixels of both.

use glam::{DVec2, IVec2, Vec2};

use super::drawing::Image;
use super::frame::MapFrame;
use crate::files::{Georeference, PositionedPicture};
use crate::paint::{Picture, mix};
use crate::world::{Water, World};
use farsight::grid::Grid;
use farsight::internal::parallel::*;

/// The base map below the zones.
pub enum Base<'a> {
    /// White paper.
    Blank,
    /// The relief of a world, lit from the north-west, and its waters.
    Hillshade {
        /// The world.
        world: &'a World,
        /// The cell of the world that is the upper left cell of the map.
        origin: IVec2,
    },
    /// A picture in the coordinates of the map.
    Picture(&'a PositionedPicture),
}

/// The colour of waters.
const WATER: [f32; 3] = [176.0, 205.0, 226.0];

impl Base<'_> {
    /// Returns the pixels of the base in a frame, at most `columns_and_rows`.
    pub(super) fn image(&self, frame: &MapFrame, place: Option<&Georeference>, most: IVec2) -> Option<Image> {
        match self {
            Self::Blank => None,
            Self::Hillshade { world, origin } => Some(hillshade(world, *origin, frame, most)),
            Self::Picture(base) => Some(part_of_picture(base, frame, place?, most)),
        }
    }
}

/// The cells that pixels of an image show: one a cell, or fewer.
pub(super) struct CellSampling {
    pub(super) size: IVec2,
    step: Vec2,
    first: IVec2,
}

impl CellSampling {
    /// Creates the sampling of the cells of a frame by at most `most` pixels.
    pub(super) fn new(frame: &MapFrame, most: IVec2) -> Self {
        let size = frame.cells.min(most).max(IVec2::ONE);
        Self { size, step: frame.cells.as_vec2() / size.as_vec2(), first: frame.first }
    }

    /// Returns the cell in the middle of a pixel.
    pub(super) fn cell(&self, x: usize, y: usize) -> IVec2 {
        self.first + ((Vec2::new(x as f32, y as f32) + 0.5) * self.step).as_ivec2()
    }

    /// Returns the pixels, row by row.
    pub(super) fn image(&self, is_smooth: bool, pixel: impl Fn(IVec2) -> [u8; 4] + Sync) -> Image {
        let (width, height) = (self.size.x as usize, self.size.y as usize);
        let mut rgba = vec![0; width * height * 4];
        rgba.par_chunks_mut(width * 4).enumerate().for_each(|(y, row)| {
            for (x, out) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *out = pixel(self.cell(x, y));
            }
        });
        Image { width, height, rgba, is_smooth }
    }
}

/// Returns the relief, lit from the north-west at 45°. Cells without data are transparent.
///
/// # References
/// Horn (1981), *Hill shading and the reflectance map*.
fn hillshade(world: &World, origin: IVec2, frame: &MapFrame, most: IVec2) -> Image {
    let (heights, water) = (world.elevation_m(), world.water());
    CellSampling::new(frame, most).image(true, |cell| {
        let cell = origin + cell;
        let Some(&height) = heights.get(cell).filter(|height| !height.is_nan()) else { return [0; 4] };
        let size = world.cell_size_at(cell);
        let slope = slope(heights, cell, height) / Vec2::new(size.x_m as f32, size.y_m as f32);
        // The light comes from the upper left: (-1, -1, √2) / 2.
        let lit = (slope.x + slope.y + std::f32::consts::SQRT_2) / 2.0 / (1.0 + slope.length_squared()).sqrt();
        // Pale, so that no shade is taken for the colour of a zone.
        let shade = 0.78 + 0.22 * lit.clamp(0.0, 1.0);
        let land = [255.0 * shade; 3];
        let is_water = water.get(cell).is_some_and(|water| matches!(water, Water::Sea | Water::Lake));
        let [red, green, blue] = if is_water { mix(land, WATER, 0.8) } else { land }.map(|channel| channel as u8);
        [red, green, blue, u8::MAX]
    })
}

/// Returns the slope of a cell to the right and downwards, in metres a cell; missing neighbours have its height.
fn slope(heights: &Grid<f32>, cell: IVec2, height: f32) -> Vec2 {
    let at = |x: i32, y: i32| match heights.get(cell + IVec2::new(x, y)) {
        Some(&other) if !other.is_nan() => other,
        _ => height,
    };
    let column = |x: i32| at(x, -1) + 2.0 * at(x, 0) + at(x, 1);
    let row = |y: i32| at(-1, y) + 2.0 * at(0, y) + at(1, y);
    Vec2::new(column(1) - column(-1), row(1) - row(-1)) / 8.0
}

/// Returns the part of a picture in a frame of a map at `place`: the mean of the pixels in each pixel. What is beyond the picture is
/// transparent.
fn part_of_picture(base: &PositionedPicture, frame: &MapFrame, place: &Georeference, most: IVec2) -> Image {
    let PositionedPicture { picture, georeference } = base;
    let frame_place = place.at(frame.first);
    let [cell, pixel] = [place.cell, georeference.cell].map(DVec2::from);
    let extent = cell * frame.cells.as_dvec2() / pixel;
    let size = extent.ceil().as_ivec2().min(most).max(IVec2::ONE);
    let offset = DVec2::from(frame_place.corner) - DVec2::from(georeference.corner);
    let start = DVec2::new(offset.x, -offset.y) / pixel;
    let step = extent / size.as_dvec2();
    let (width, height) = (size.x as usize, size.y as usize);
    let mut rgba = vec![0; width * height * 4];
    rgba.par_chunks_mut(width * 4).enumerate().for_each(|(y, row)| {
        for (x, out) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let from = start + step * DVec2::new(x as f64, y as f64);
            *out = mean_colour(picture, from, from + step);
        }
    });
    Image { width, height, rgba, is_smooth: true }
}

/// Returns the mean colour of the pixels whose centres are in a rectangle, or of the pixel in its middle.
fn mean_colour(picture: &Picture, from: DVec2, to: DVec2) -> [u8; 4] {
    let [mut first, mut end] = [from, to].map(|corner| (corner - 0.5).ceil().as_i64vec2());
    let middle = ((from + to) / 2.0).floor().as_i64vec2();
    (first, end) = (first.min(middle), end.max(middle + 1));
    let (mut sum, mut count) = ([0_u64; 3], 0);
    for y in first.y.max(0)..end.y.min(picture.height() as i64) {
        for x in first.x.max(0)..end.x.min(picture.width() as i64) {
            if let Some(colour) = picture.get(x as usize, y as usize) {
                sum = [0, 1, 2].map(|i| sum[i] + u64::from(colour[i]));
                count += 1;
            }
        }
    }
    if count == 0 {
        return [0; 4];
    }
    let [red, green, blue] = sum.map(|channel| (channel / count) as u8);
    [red, green, blue, u8::MAX]
}
