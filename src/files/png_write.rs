//! Pictures: coloured ones as they were painted, and grey ones whose brightness is the value.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::error::WriteError;
use super::gradient::Gradient;
use super::provenance::Provenance;

/// Bits of a grey pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Values are rounded to 1/255 of the range.
    #[default]
    Eight,
    /// Values are rounded to 1/65535 of the range.
    Sixteen,
}

/// Writes painted pixels as a picture: rows from the top, three bytes a pixel (RGB) or four (RGBA). The
/// provenance goes into a text chunk with the keyword `farsight`.
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
    let cells = u64::from(width) * u64::from(height);
    let color = match pixels.len() as u64 {
        0 => return Err(WriteError::Empty),
        bytes if bytes == 3 * cells => ColorType::Rgb,
        bytes if bytes == 4 * cells => ColorType::Rgba,
        _ => return Err(WriteError::Pixels { bytes: pixels.len(), width, height }),
    };
    let mut encoder = picture_encoder(out, width, height, provenance)?;
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

/// An encoder for pictures and films. The settings are spelt out, so that a picture does not change with a default of
/// the encoder.
pub(crate) fn picture_encoder<W: Write>(
    out: W,
    width: u32,
    height: u32,
    provenance: Option<&Provenance>,
) -> Result<Encoder<'static, FailOnce<W>>, WriteError> {
    let mut encoder = Encoder::new(FailOnce::new(out), width, height);
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::Adaptive);
    if let Some(provenance) = provenance {
        encoder.add_itxt_chunk(Provenance::KEYWORD.to_owned(), provenance.to_json()?)?;
    }
    Ok(encoder)
}

/// A writer that fails for good once it has failed: the encoder forgets a failure of the last chunk of pixels, and
/// must not get to the end of the file then.
pub(crate) struct FailOnce<W> {
    out: W,
    failed: Option<io::ErrorKind>,
}

impl<W> FailOnce<W> {
    fn new(out: W) -> Self {
        Self { out, failed: None }
    }

    fn attempt<T>(&mut self, action: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if let Some(kind) = self.failed {
            return Err(kind.into());
        }
        let done = action(&mut self.out);
        self.failed = done.as_ref().err().map(io::Error::kind).filter(|&kind| kind != io::ErrorKind::Interrupted);
        done
    }
}

impl<W: Write> Write for FailOnce<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(W::flush)
    }
}

impl Gradient {
    /// Writes the values as a grey picture: [`range`](Gradient::range) from black to white. Values beyond it, and
    /// cells without data, are drawn as black or white.
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
                let share = self.share(value);
                match depth {
                    Depth::Eight => line.push((share * 255.0).round() as u8),
                    Depth::Sixteen => line.extend(((share * 65_535.0).round() as u16).to_be_bytes()),
                }
            }
            rows.write_all(&line)?;
        }
        rows.finish()?;
        Ok(writer.finish()?)
    }

    /// Where a value lies in the range, in [0, 1]; 0 for no data.
    fn share(&self, value: f32) -> f64 {
        let [black, white] = self.range.map(f64::from);
        let share = (f64::from(value) - black) / (white - black);
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }
}
