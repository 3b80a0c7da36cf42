//! [`ApngWriter`]: a film as `.apng`, in exact colours.

use std::io::Write;

use glam::IVec2;
use png::{BitDepth, BlendOp, ColorType, DisposeOp, Writer};

use super::pixel_rect::PixelRect;
use crate::files::{Provenance, StickyErrorWriter, WriteError, picture_encoder};
use crate::paint::Picture;

/// Writes the frames of a film. Each frame holds only the rectangle that has changed.
pub(super) struct ApngWriter<W: Write> {
    writer: Writer<StickyErrorWriter<W>>,
    previous: Option<Vec<[u8; 3]>>,
}

impl<W: Write> ApngWriter<W> {
    /// Starts a film of `frames` frames that repeats forever, with the provenance in a text chunk.
    pub(super) fn new(out: W, size: IVec2, frames: u32, provenance: &Provenance) -> Result<Self, WriteError> {
        let mut encoder = picture_encoder(out, size.x as u32, size.y as u32, Some(provenance))?;
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_animated(frames, 0)?;
        encoder.set_blend_op(BlendOp::Source)?;
        encoder.set_dispose_op(DisposeOp::None)?;
        Ok(Self { writer: encoder.write_header()?, previous: None })
    }

    /// Adds a frame that is shown for `delay_cs` hundredths of a second.
    pub(super) fn add(&mut self, picture: &Picture, delay_cs: u16) -> Result<(), WriteError> {
        let pixels: Vec<[u8; 3]> = picture.rgba().chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        self.writer.set_frame_delay(delay_cs, 100)?;
        let changed = match &self.previous {
            None => pixels.concat(),
            Some(previous) => {
                let rect = PixelRect::of_changes(previous, &pixels, picture.width());
                // The encoder checks the size against the position, which is still that of the last frame.
                self.writer.set_frame_position(0, 0)?;
                self.writer.set_frame_dimension(rect.width.into(), rect.height.into())?;
                self.writer.set_frame_position(rect.left.into(), rect.top.into())?;
                rect.crop(&pixels, picture.width()).concat()
            }
        };
        self.writer.write_image_data(&changed)?;
        self.previous = Some(pixels);
        Ok(())
    }

    /// Ends the film.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        Ok(self.writer.finish()?)
    }
}
