//! Writes pictures: painted ones, and grey ones with the values as brightness.

use std::cell::RefCell;
use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, DeflateCompression, Encoder, Filter};

use super::error::WriteError;
use super::product::PlacedPicture;
use super::raster::{Depth, PixelEncoding, Raster};
use crate::files::provenance::Provenance;

/// Writes painted pixels as a picture: rows from the top, three bytes a pixel (RGB) or four (RGBA). If all pixels are opaque, the
/// picture has no alpha. The provenance is stored in a text chunk with the keyword `farsight`.
///
/// # Errors
/// [`WriteError`] if the pixels do not fill the picture, or the writer fails.
pub fn write_picture(
    out: impl Write,
    width: u32,
    height: u32,
    pixels: &[u8],
    provenance: Option<&Provenance>,
) -> Result<(), WriteError> {
    let first_error = RefCell::new(None);
    let written = encode_picture(ErrorKeeper { out, first: &first_error }, width, height, pixels, provenance);
    match first_error.into_inner() {
        Some(error) if written.is_err() => Err(WriteError::Io(error)),
        _ => written,
    }
}

/// A writer that stores its first error, since the encoder of rows returns only its text.
struct ErrorKeeper<'a, W> {
    out: W,
    first: &'a RefCell<Option<io::Error>>,
}

impl<W> ErrorKeeper<'_, W> {
    fn attempt<T>(&mut self, action: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        action(&mut self.out).map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.first.borrow_mut().get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for ErrorKeeper<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(W::flush)
    }
}

fn encode_picture(
    out: impl Write,
    width: u32,
    height: u32,
    pixels: &[u8],
    provenance: Option<&Provenance>,
) -> Result<(), WriteError> {
    let area = u64::from(width) * u64::from(height);
    let color = match pixels.len() as u64 {
        0 => return Err(WriteError::Empty),
        bytes if bytes == 3 * area => ColorType::Rgb,
        bytes if bytes == 4 * area => ColorType::Rgba,
        _ => return Err(WriteError::Pixels { bytes: pixels.len(), width, height }),
    };
    // Pixels of one cell are equal. Without filters and alpha these runs stay runs, which takes a third of the time and fewer bytes.
    let is_opaque = color == ColorType::Rgba && pixels.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u8::MAX);
    let mut encoder = picture_encoder(out, width, height, provenance)?;
    encoder.set_color(if is_opaque { ColorType::Rgb } else { color });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_deflate_compression(DeflateCompression::Level(3));
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    let mut rows = writer.stream_writer()?;
    let mut line = Vec::new();
    for row in pixels.chunks(pixels.len() / height as usize) {
        if is_opaque {
            line.clear();
            line.extend(row.as_chunks::<4>().0.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]));
            rows.write_all(&line)?;
        } else {
            rows.write_all(row)?;
        }
    }
    rows.finish()?;
    Ok(writer.finish()?)
}

/// Returns an encoder for pictures and films. All settings are explicit, so that pictures do not depend on the defaults
/// of the encoder.
pub(crate) fn picture_encoder<W: Write>(
    out: W,
    width: u32,
    height: u32,
    provenance: Option<&Provenance>,
) -> Result<Encoder<'static, StickyErrorWriter<W>>, WriteError> {
    let mut encoder = Encoder::new(StickyErrorWriter::new(out), width, height);
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::Adaptive);
    if let Some(provenance) = provenance {
        encoder.add_itxt_chunk(Provenance::KEYWORD.to_owned(), provenance.to_json()?)?;
    }
    Ok(encoder)
}

/// A writer that repeats its first error. The encoder ignores an error in the last chunk of pixels, and must not
/// complete the file after it.
pub(crate) struct StickyErrorWriter<W> {
    out: W,
    failed: Option<io::ErrorKind>,
}

impl<W> StickyErrorWriter<W> {
    fn new(out: W) -> Self {
        Self { out, failed: None }
    }

    fn attempt<T>(&mut self, action: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if let Some(kind) = self.failed {
            return Err(kind.into());
        }
        let result = action(&mut self.out);
        self.failed = result.as_ref().err().map(io::Error::kind).filter(|&kind| kind != io::ErrorKind::Interrupted);
        result
    }
}

impl<W: Write> Write for StickyErrorWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(W::flush)
    }
}

impl PlacedPicture {
    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// As [`write_picture`].
    pub fn write_png(&self, out: impl Write) -> Result<(), WriteError> {
        let [width, height] = [self.picture.width(), self.picture.height()].map(|side| side as u32);
        write_picture(out, width, height, self.picture.rgba(), self.provenance.as_deref())
    }
}

impl Raster {
    /// Writes the values as grey pixels or as colours; see [`pixels`](Raster::pixels).
    ///
    /// # Errors
    /// As [`write_grey_png`](Self::write_grey_png) and [`write_height_png`](Self::write_height_png).
    pub fn write_png(&self, out: impl Write) -> Result<(), WriteError> {
        match self.pixels {
            PixelEncoding::Grey(depth) => self.write_grey_png(out, depth),
            PixelEncoding::Heights(encoding) => self.write_height_png(encoding, out),
        }
    }

    /// Writes the values as a grey picture, with the [`range`](Raster::range) from black to white. Values outside of
    /// the range are clamped to black or white; nodata cells are black.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_grey_png(&self, out: impl Write, depth: Depth) -> Result<(), WriteError> {
        self.check()?;
        let side = |cells: usize| u32::try_from(cells).map_err(|_| WriteError::Encode(format!("{cells} cells a side")));
        let (width, height) = (side(self.values.width())?, side(self.values.height())?);
        let mut encoder = picture_encoder(out, width, height, Some(&self.provenance))?;
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(if depth == Depth::Sixteen { BitDepth::Sixteen } else { BitDepth::Eight });
        if self.range != Self::UNIT_RANGE {
            let [black, white] = self.range;
            encoder.add_text_chunk("farsight range".to_owned(), format!("{black} {white}"))?;
        }
        let mut writer = encoder.write_header()?;
        let mut rows = writer.stream_writer()?;
        let mut line = Vec::new();
        for y in 0..self.values.height() {
            line.clear();
            for &value in self.values.row(y) {
                let brightness = self.brightness(value);
                match depth {
                    Depth::Eight => line.push((brightness * 255.0).round() as u8),
                    Depth::Sixteen => line.extend(((brightness * 65_535.0).round() as u16).to_be_bytes()),
                }
            }
            rows.write_all(&line)?;
        }
        rows.finish()?;
        Ok(writer.finish()?)
    }

    /// Writes the values as numbers of 16 bits, little-endian, row by row, with the [`range`](Raster::range) from 0 to
    /// 65535. Values outside of the range are clamped to 0 or 65535; nodata cells are 0. Game engines import squares.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_r16(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        for y in 0..self.values.height() {
            let shares = self.values.row(y).iter().map(|&value| (self.brightness(value) * 65_535.0).round() as u16);
            out.write_all(&shares.flat_map(u16::to_le_bytes).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Returns the brightness of a value, in [0, 1]; 0 for nodata.
    fn brightness(&self, value: f32) -> f64 {
        let [black, white] = self.range.map(f64::from);
        let brightness = (f64::from(value) - black) / (white - black);
        if brightness.is_nan() { 0.0 } else { brightness.clamp(0.0, 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer with room for some bytes.
    struct SmallDisk(usize);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn full_disk_is_told_as_such_wherever_the_picture_ends() {
        let pixels: Vec<u8> = (0..120_u32 * 90 * 4).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let mut whole = Vec::new();
        write_picture(&mut whole, 120, 90, &pixels, None).unwrap();
        for room in [0, 20, 60, whole.len() / 2, whole.len() - 1] {
            match write_picture(SmallDisk(room), 120, 90, &pixels, None) {
                Err(WriteError::Io(error)) => assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}"),
                other => panic!("{room}: {other:?}"),
            }
        }
        assert!(write_picture(SmallDisk(whole.len()), 120, 90, &pixels, None).is_ok());
    }
}
