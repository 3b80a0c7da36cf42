//! A [`Drawing`] as a picture, drawn in bands of rows, so that memory is bounded.

use std::io::Write;

use glam::{IVec2, Vec2, vec2};
use png::{BitDepth, ColorType, DeflateCompression, Filter, PixelDimensions, Unit};

use super::drawing::{Drawing, Element, HALO, Image, Text};
use crate::files::{Provenance, WriteError, picture_encoder};
use crate::paint::lettering::{Halo, Lettering, draw};
use crate::paint::shape::{DrawingAxes, fill, stroke};
use crate::paint::{Picture, mix};
use farsight::Job;
use farsight::internal::parallel::*;

/// The rows of a band.
const BAND: usize = 128;

/// The number of bands that are drawn at the same time.
const BANDS: usize = 8;

/// Returns the pixels per millimetre.
pub(super) fn pixels_per_mm(dpi: u32) -> f32 {
    dpi as f32 / 25.4
}

/// Returns the columns and rows of a page.
pub(super) fn size_in_pixels(size_mm: Vec2, dpi: u32) -> IVec2 {
    (size_mm * pixels_per_mm(dpi)).round().as_ivec2()
}

/// Writes the drawing as PNG.
pub(super) fn write_png(
    drawing: &Drawing,
    dpi: u32,
    provenance: &Provenance,
    job: Job<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let size = size_in_pixels(drawing.size, dpi);
    let (columns, rows) = (size.x as usize, size.y as usize);
    let mut encoder = picture_encoder(out, size.x as u32, size.y as u32, Some(provenance))?;
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_deflate_compression(DeflateCompression::Level(3));
    encoder.set_filter(Filter::Up);
    let per_metre = (f64::from(dpi) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter }));
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let tops: Vec<usize> = (0..rows).step_by(BAND).collect();
    for group in tops.chunks(BANDS) {
        job.report("draw", (group[0] as f32) / rows as f32)
            .map_err(|cancelled| WriteError::Encode(cancelled.to_string()))?;
        let paint = |top: usize| band(drawing, pixels_per_mm(dpi), columns, top, BAND.min(rows - top));
        let bands: Vec<Picture> = group.par_iter().map(|&top| paint(top)).collect();
        for band in bands {
            let rgb: Vec<u8> = band.rgba().as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
            stream.write_all(&rgb)?;
        }
    }
    stream.finish()?;
    Ok(writer.finish()?)
}

/// Paints a band of rows of the drawing.
fn band(drawing: &Drawing, scale: f32, columns: usize, top: usize, rows: usize) -> Picture {
    let mut picture = Picture::new(columns, rows, [255.0; 3]);
    let origin = vec2(0.0, -(top as f32));
    let place = |at: Vec2| at * scale + origin;
    let is_in_band = |low: f32, high: f32| {
        let [low, high] = [low, high].map(|y| y * scale - top as f32);
        high >= -2.0 && low <= rows as f32 + 2.0
    };
    for element in &drawing.elements {
        match element {
            Element::Image { min, max, image } => paint_image(&mut picture, image, place(*min), place(*max)),
            Element::Fill { path, colour } => {
                if path.bounds().is_some_and(|(min, max)| is_in_band(min.y, max.y)) {
                    fill(&mut picture, &path.placed(&DrawingAxes::at(origin, scale)), *colour, 1.0);
                }
            }
            Element::Line { points, width, colour } => {
                // Segment by segment: a long line has few in a band.
                for ends in points.windows(2) {
                    let (low, high) = (ends[0].y.min(ends[1].y), ends[0].y.max(ends[1].y));
                    if is_in_band(low - width, high + width) {
                        stroke(&mut picture, &[place(ends[0]), place(ends[1])], width * scale, *colour, 1.0);
                    }
                }
            }
            Element::Text(text) => {
                if is_in_band(text.at.y - text.size, text.at.y + text.size) {
                    paint_text(&mut picture, text, place(text.at), scale);
                }
            }
        }
    }
    picture
}

fn paint_text(picture: &mut Picture, text: &Text, at: Vec2, scale: f32) {
    let size = text.size * scale;
    let halo = text.halo.map(|colour| Halo { colour, alpha: 1.0, width: HALO * size });
    draw(picture, at, text.anchor, &text.text, &Lettering { halo, ..Lettering::new(text.face, size, text.colour) });
}

/// Paints the rows of an image that are in the picture.
fn paint_image(picture: &mut Picture, image: &Image, min: Vec2, max: Vec2) {
    let size = vec2(image.width as f32, image.height as f32);
    let step = size / (max - min);
    let rows = (min.y - 0.5).ceil().max(0.0) as i32..((max.y - 0.5).ceil()).clamp(0.0, picture.height() as f32) as i32;
    let columns =
        (min.x - 0.5).ceil().max(0.0) as i32..((max.x - 0.5).ceil()).clamp(0.0, picture.width() as f32) as i32;
    for y in rows {
        for x in columns.clone() {
            let at = (vec2(x as f32 + 0.5, y as f32 + 0.5) - min) * step;
            let [red, green, blue, alpha] =
                if image.is_smooth { between_pixels(image, at) } else { nearest(image, at) };
            picture.blend(x, y, [red, green, blue], alpha / 255.0);
        }
    }
}

fn nearest(image: &Image, at: Vec2) -> [f32; 4] {
    let [x, y] = [(at.x, image.width), (at.y, image.height)].map(|(at, side)| (at.max(0.0) as usize).min(side - 1));
    image.pixel(x, y).map(f32::from)
}

/// Interpolates between the centres of four pixels.
fn between_pixels(image: &Image, at: Vec2) -> [f32; 4] {
    let [(x, right, across), (y, below, down)] = [(at.x, image.width), (at.y, image.height)].map(|(at, side)| {
        let at = (at - 0.5).clamp(0.0, (side - 1) as f32);
        let first = at as usize;
        (first, (first + 1).min(side - 1), at - first as f32)
    });
    let row = |y: usize| {
        let [left, right] = [x, right].map(|x| image.pixel(x, y).map(f32::from));
        [0, 1, 2, 3].map(|i| left[i] + (right[i] - left[i]) * across)
    };
    let (upper, lower) = (row(y), row(below));
    let colour = mix([upper[0], upper[1], upper[2]], [lower[0], lower[1], lower[2]], down);
    [colour[0], colour[1], colour[2], upper[3] + (lower[3] - upper[3]) * down]
}
