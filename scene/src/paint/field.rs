//! [`paint_field`]: a picture of values that do not belong to a viewer.

use glam::{IVec2, ivec2};

use super::colour::pixel;
use super::legend::{LegendTheme, field_legend};
use super::options::Zoom;
use super::picture::Picture;
use super::ramp::visibility_table;
use crate::preset::Ramp;
use farsight::grid::Grid;

/// Values of the cells of a map, and the style to paint them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FieldPicture<'a> {
    /// The values; NaN is nodata.
    pub values: &'a Grid<f32>,
    /// The side in cells of the square that shows the value of its upper left cell.
    pub step: u32,
    /// The minimum of the ramp.
    pub low: f32,
    /// The maximum of the ramp.
    pub high: f32,
    /// The number of colours in the bar of the legend, for values that are classes; 0 for all of the ramp.
    pub bar_steps: u32,
    /// The colours.
    pub ramp: Ramp,
    /// The title, and the text next to the ramp; without them there is no legend.
    pub legend: Option<(&'a str, &'a str)>,
    /// Width of a cell in the middle of the picture in metres, for a scale bar.
    pub cell_width_m: Option<f64>,
    /// Pixels a cell; without it, the picture has about 1000 pixels a side.
    pub scale: Option<u32>,
}

impl<'a> FieldPicture<'a> {
    /// Paints each cell with its own value, from 0 to `high`, without legend and scale bar, with about 1000 pixels a side.
    pub fn new(values: &'a Grid<f32>, high: f32, ramp: Ramp) -> Self {
        Self { values, step: 1, low: 0.0, high, bar_steps: 0, ramp, legend: None, cell_width_m: None, scale: None }
    }
}

/// Paints values in the colours of a ramp, with a legend below the picture.
pub fn paint_field(field: &FieldPicture<'_>) -> Picture {
    let zoom = Zoom::of_map(field.values.size(), field.scale);
    let size = field.values.size();
    let pixels = match zoom {
        Zoom::PixelsPerCell(pixels) => size * pixels as i32,
        Zoom::CellsPerPixel(cells) => (size / cells as i32).max(IVec2::ONE),
    };
    let table = visibility_table(field.ramp);
    let step = field.step.max(1) as i32;
    let mut picture = Picture::new(pixels.x as usize, pixels.y as usize, LegendTheme::LIGHT.background);
    picture.for_rows(1, |y, row| {
        for (x, out) in row.chunks_exact_mut(4).enumerate() {
            let at = ivec2(x as i32, y as i32);
            let cell = match zoom {
                Zoom::PixelsPerCell(pixels) => at / pixels as i32,
                Zoom::CellsPerPixel(cells) => at * cells as i32,
            };
            if let Some(&value) = field.values.get(cell - cell % step)
                && !value.is_nan()
            {
                out.copy_from_slice(&pixel(
                    table.at((value - field.low) / (field.high - field.low).max(f32::MIN_POSITIVE)),
                ));
            }
        }
    });
    let Some((title, text)) = field.legend else { return picture };
    let last = if field.low < field.high { 1.0 } else { 0.0 };
    let share = |i: u32| match field.bar_steps {
        0 | 1 => i as f32 / 119.0,
        steps => (i * steps / 120) as f32 / (steps - 1) as f32,
    };
    let bar = (0..120).map(|i| table.at(last * share(i))).collect();
    match field_legend(bar, text, field.cell_width_m, zoom, picture.width(), title) {
        Some(legend) => picture.above(&legend),
        None => picture,
    }
}
