//! Makes a TrueType font smaller for the page, which draws plain outlines: `slim_font < FONT > SMALLER`. The programs that fit
//! outlines to pixels and the tables that nothing on the page reads are two thirds of a font. Every letter looks as before.
//!
//! Format: the [OpenType font file](https://learn.microsoft.com/typography/opentype/spec/otff).

use std::io::{Error, ErrorKind, Read, Write, stdin, stdout};

/// The tables that are read: outlines with their places, widths, the glyphs of characters, and what describes the whole font.
const TABLES: [&[u8; 4]; 8] = [b"OS/2", b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"];

fn main() -> Result<(), Error> {
    let mut font = Vec::new();
    stdin().read_to_end(&mut font)?;
    let smaller =
        slim(&font).ok_or_else(|| Error::new(ErrorKind::InvalidData, "not a TrueType font with these tables"))?;
    stdout().write_all(&smaller)
}

fn slim(font: &[u8]) -> Option<Vec<u8>> {
    let (glyphs, places) = without_programs(table(font, b"glyf")?, table(font, b"loca")?)?;
    // Version and number of tables; three numbers that help a binary search; for each table its name, checksum, place and length.
    let mut header = [&font[..4], &(TABLES.len() as u16).to_be_bytes(), &font[6..12]].concat();
    let mut tables = Vec::new();
    for name in TABLES {
        let table = match name {
            b"glyf" => &glyphs,
            b"loca" => &places,
            _ => table(font, name)?,
        };
        header.extend([&name[..], &[0; 4]].concat()); // nobody reads the checksum
        header.extend(((12 + 16 * TABLES.len() + tables.len()) as u32).to_be_bytes());
        header.extend((table.len() as u32).to_be_bytes());
        tables.extend(table);
        tables.resize(tables.len().next_multiple_of(4), 0);
    }
    header.extend(tables);
    Some(header)
}

/// Returns a table of the font.
fn table<'f>(font: &'f [u8], name: &[u8; 4]) -> Option<&'f [u8]> {
    let record = font.get(12..)?.chunks_exact(16).take(u16_at(font, 4)?).find(|record| record.starts_with(name))?;
    font.get(u32_at(record, 8)?..)?.get(..u32_at(record, 12)?)
}

/// Returns the glyphs without their programs, and their places.
fn without_programs(glyphs: &[u8], places: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut plain, mut plain_places) = (Vec::new(), vec![0; 4]);
    for at in (0..places.len() - 4).step_by(4) {
        let glyph = glyphs.get(u32_at(places, at)?..u32_at(places, at + 4)?)?;
        match u16_at(glyph, 0) {
            // The number of contours, the box around them, the last point of each, the length of the program, the program, the points.
            Some(contours) if contours < 0x8000 => {
                let at = 10 + 2 * contours;
                plain.extend([&glyph[..at], &[0; 2], glyph.get(at + 2 + u16_at(glyph, at)?..)?].concat());
            }
            _ => plain.extend(glyph), // empty, or composed of others
        }
        plain.resize(plain.len().next_multiple_of(4), 0);
        plain_places.extend((plain.len() as u32).to_be_bytes());
    }
    Some((plain, plain_places))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?).into())
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
}
