//! Text on pictures.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use super::colour::Colour;
use super::picture::Picture;

/// The height of a line in pixels.
pub(crate) const LINE: usize = 16;

const TEXT: RasterHeight = RasterHeight::Size16;
const HEADING: RasterHeight = RasterHeight::Size24;

/// Returns the width of a letter in pixels.
pub(crate) fn letter_width() -> usize {
    get_raster_width(FontWeight::Regular, TEXT)
}

/// Returns the width of a text in pixels.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count() * letter_width()
}

/// Returns the width of a heading in pixels.
pub(crate) fn heading_width(text: &str) -> usize {
    text.chars().count() * get_raster_width(FontWeight::Regular, HEADING)
}

/// Draws a text with its upper left corner at a pixel. `?` replaces letters missing in the font.
pub(crate) fn write(picture: &mut Picture, x: i32, y: i32, text: &str, colour: Colour) {
    write_in(picture, [x, y], text, colour, TEXT);
}

/// Draws a heading, in letters of 1.5 times the size, with its upper left corner at a pixel.
pub(crate) fn write_heading(picture: &mut Picture, x: i32, y: i32, text: &str, colour: Colour) {
    write_in(picture, [x, y], text, colour, HEADING);
}

fn write_in(picture: &mut Picture, [x, y]: [i32; 2], text: &str, colour: Colour, size: RasterHeight) {
    let raster = |letter| get_raster(letter, FontWeight::Regular, size);
    for (i, letter) in text.chars().enumerate() {
        let Some(raster) = raster(letter).or_else(|| raster('?')) else { continue };
        let left = x + (i * raster.width()) as i32;
        for (dy, row) in raster.rows().enumerate() {
            for (dx, &strength) in row.iter().enumerate() {
                picture.blend(left + dx as i32, y + dy as i32, colour, f32::from(strength) / 255.0);
            }
        }
    }
}

/// Escapes a text for XML: reserved characters as entities, without forbidden characters.
pub(crate) fn escape_xml(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {}
            _ => out.push(character),
        }
    }
    out
}
