//! [`GifWriter`]: a film as `.gif`, with one palette.

use std::io::Write;

use gif::{AnyExtension, DisposalMethod, Encoder, EncodingError, Extension, Frame, Repeat};
use glam::IVec2;

use super::palette::Palette;
use super::pixel_rect::PixelRect;
use crate::files::{Provenance, WriteError};
use crate::paint::Picture;

/// Writes the frames of a film. Each frame holds only what has changed.
pub(super) struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    palette: Palette,
    /// The transparent index, which leaves a pixel as it is.
    unchanged: u8,
    size: IVec2,
    previous: Option<Vec<u8>>,
}

impl<W: Write> GifWriter<W> {
    /// Starts a film that repeats forever, with the provenance in a comment.
    pub(super) fn new(out: W, size: IVec2, palette: Palette, provenance: &Provenance) -> Result<Self, WriteError> {
        let unchanged = palette.colours().len() as u8;
        let mut table = palette.colours().concat();
        table.extend([0; 3]);
        let mut encoder = Encoder::new(out, size.x as u16, size.y as u16, &table).map_err(write_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(write_error)?;
        let comment = provenance.to_gif_comment()?;
        encoder.write_raw_extension(AnyExtension(Extension::Comment as u8), &[&comment]).map_err(write_error)?;
        Ok(Self { encoder, palette, unchanged, size, previous: None })
    }

    /// Adds a frame that is shown for `delay_cs` hundredths of a second.
    pub(super) fn add(&mut self, picture: &Picture, delay_cs: u16) -> Result<(), WriteError> {
        let indices = self.palette.indices(picture);
        let columns = self.size.x as usize;
        let PixelRect { left, top, width, height } = match &self.previous {
            Some(previous) => PixelRect::of_changes(previous, &indices, columns),
            None => PixelRect { left: 0, top: 0, width: self.size.x as u16, height: self.size.y as u16 },
        };
        let crop = |pixels: &[u8]| PixelRect { left, top, width, height }.crop(pixels, columns);
        let frame = |pixels: Vec<u8>, transparent| {
            let mut frame = Frame {
                delay: delay_cs,
                dispose: DisposalMethod::Keep,
                transparent,
                left,
                top,
                width,
                height,
                buffer: pixels.into(),
                ..Frame::default()
            };
            frame.make_lzw_pre_encoded();
            frame
        };
        let mut shortest = frame(crop(&indices), None);
        if let Some(previous) = &self.previous {
            // Transparent pixels mostly make a frame shorter, but they also split runs of one colour.
            let pairs = crop(&indices).into_iter().zip(crop(previous));
            let sparse = pairs.map(|(now, before)| if now == before { self.unchanged } else { now }).collect();
            let sparse = frame(sparse, Some(self.unchanged));
            if sparse.buffer.len() <= shortest.buffer.len() {
                shortest = sparse;
            }
        }
        self.encoder.write_lzw_pre_encoded_frame(&shortest).map_err(write_error)?;
        self.previous = Some(indices);
        Ok(())
    }

    /// Ends the film. Without this call the file is not complete.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        self.encoder.into_inner().map(|_| ()).map_err(write_error)
    }
}

fn write_error(error: EncodingError) -> WriteError {
    match error {
        EncodingError::Io(error) => WriteError::Io(error),
        other => WriteError::Encode(other.to_string()),
    }
}
