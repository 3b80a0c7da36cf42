//! Letters on pictures.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use super::Picture;
use super::colour::Colour;

/// Height of a line in pixels.
pub(super) const LINE: usize = 16;

/// Width of a letter in pixels.
pub(super) fn letter_width() -> usize {
    get_raster_width(FontWeight::Regular, RasterHeight::Size16)
}

/// Width of a text in pixels.
pub(super) fn width(text: &str) -> usize {
    text.chars().count() * letter_width()
}

/// Writes a text with its top left corner at a place. Letters that the font lacks become `?`.
pub(super) fn write(picture: &mut Picture, x: i32, y: i32, text: &str, colour: Colour) {
    for (i, letter) in text.chars().enumerate() {
        write_letter(picture, x + (i * letter_width()) as i32, y, letter, colour);
    }
}

/// Writes one letter with its top left corner at a place.
pub(super) fn write_letter(picture: &mut Picture, x: i32, y: i32, letter: char, colour: Colour) {
    let raster = |letter| get_raster(letter, FontWeight::Regular, RasterHeight::Size16);
    let Some(raster) = raster(letter).or_else(|| raster('?')) else { return };
    for (dy, row) in raster.rows().enumerate() {
        for (dx, &strength) in row.iter().enumerate() {
            picture.blend(x + dx as i32, y + dy as i32, colour, f32::from(strength) / 255.0);
        }
    }
}
