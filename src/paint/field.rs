//! A picture of numbers that belong to no one viewer.

use glam::{IVec2, ivec2};
use rayon::prelude::*;

use super::colour::pixel;
use super::legend::{PAPER, field_strip};
use super::picture::Picture;
use super::ramp::field_table;
use super::scene_painter::Zoom;
use crate::grid::Grid;
use crate::preset::Ramp;

/// The longer side of a picture without a scale, about, in pixels.
const SIDE: i32 = 1000;

/// What is painted: values of the cells of a map.
#[derive(Clone, Copy, Debug)]
pub struct FieldPicture<'a> {
    /// The values from 0 up; NaN is a cell without one.
    pub values: &'a Grid<f32>,
    /// A value stands for a square of so many cells, of which it is the upper left.
    pub step: u32,
    /// The value at the bright end of the ramp; at the other is 0.
    pub high: f32,
    /// The colours. Daylight is no ramp of its own; viridis stands in for it.
    pub ramp: Ramp,
    /// The title, and the words beside the ramp; nothing for no legend.
    pub legend: Option<(&'a str, &'a str)>,
    /// Side of a cell in metres, for a scale bar.
    pub cell_size_m: Option<f64>,
    /// Pixels a cell; without it, as many as make a picture of about a thousand pixels.
    pub scale: Option<u32>,
}

impl FieldPicture<'_> {
    /// How large the cells of a map are painted.
    pub(crate) fn zoom_of(size: IVec2, scale: Option<u32>) -> Zoom {
        let side = size.max_element().max(1);
        match scale {
            Some(scale) => Zoom::PixelsPerCell(scale.max(1)),
            None if side > 2 * SIDE => Zoom::CellsPerPixel((side / SIDE) as u32),
            None => Zoom::PixelsPerCell((SIDE / side).clamp(1, 32) as u32),
        }
    }
}

/// Paints values in the colours of a ramp, with a legend below.
pub fn paint_field(field: &FieldPicture<'_>) -> Picture {
    let zoom = FieldPicture::zoom_of(field.values.size(), field.scale);
    let size = field.values.size();
    let pixels = match zoom {
        Zoom::PixelsPerCell(pixels) => size * pixels as i32,
        Zoom::CellsPerPixel(cells) => (size / cells as i32).max(IVec2::ONE),
    };
    let table = field_table(field.ramp);
    let step = field.step.max(1) as i32;
    let mut picture = Picture::new(pixels.x as usize, pixels.y as usize, PAPER);
    picture.rows_mut(1).enumerate().for_each(|(y, row)| {
        for (x, out) in row.chunks_exact_mut(4).enumerate() {
            let place = ivec2(x as i32, y as i32);
            let cell = match zoom {
                Zoom::PixelsPerCell(pixels) => place / pixels as i32,
                Zoom::CellsPerPixel(cells) => place * cells as i32,
            };
            if let Some(&value) = field.values.get(cell - cell % step)
                && !value.is_nan()
            {
                out.copy_from_slice(&pixel(table.at(value / field.high.max(f32::MIN_POSITIVE))));
            }
        }
    });
    let Some((title, words)) = field.legend else { return picture };
    let bar = (0..120).map(|i| table.at(i as f32 / 119.0)).collect();
    let Some(strip) = field_strip(bar, words, field.cell_size_m, zoom, picture.width(), title) else { return picture };
    let mut whole = Picture::new(picture.width(), picture.height() + strip.height(), PAPER);
    whole.paste(&picture, 0, 0);
    whole.paste(&strip, 0, picture.height());
    whole
}
