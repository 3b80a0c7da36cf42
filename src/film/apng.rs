//! A film as `.apng`: every pixel as it was painted, and of every frame only the rectangle that has changed.

use std::io::Write;

use png::{BitDepth, BlendOp, ColorType, DisposeOp, Writer};

use super::gif::changed;
use crate::files::{Provenance, StickyErrorWriter, WriteError, picture_encoder};
use crate::paint::Picture;

/// Writes one frame after the other, as many as were announced.
pub(super) struct ApngWriter<W: Write> {
    writer: Writer<StickyErrorWriter<W>>,
    before: Option<Vec<[u8; 3]>>,
}

impl<W: Write> ApngWriter<W> {
    /// A film of `frames` frames that begins again at its end, with its provenance in a text chunk.
    pub(super) fn new(
        out: W,
        [width, height]: [u32; 2],
        frames: u32,
        provenance: &Provenance,
    ) -> Result<Self, WriteError> {
        let mut encoder = picture_encoder(out, width, height, Some(provenance))?;
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_animated(frames, 0)?;
        encoder.set_blend_op(BlendOp::Source)?;
        encoder.set_dispose_op(DisposeOp::None)?;
        Ok(Self { writer: encoder.write_header()?, before: None })
    }

    /// Adds a frame that is shown for `delay_cs` hundredths of a second.
    pub(super) fn add(&mut self, picture: &Picture, delay_cs: u16) -> Result<(), WriteError> {
        let now: Vec<[u8; 3]> = picture.rgba().chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        self.writer.set_frame_delay(delay_cs, 100)?;
        let part: Vec<u8> = match &self.before {
            None => now.concat(),
            Some(before) => {
                let [left, top, width, height] = changed(before, &now, picture.width());
                self.writer.set_frame_position(0, 0)?; // so that no size is refused for the place of the last frame
                self.writer.set_frame_dimension(width.into(), height.into())?;
                self.writer.set_frame_position(left.into(), top.into())?;
                let rows = now.chunks_exact(picture.width()).skip(top.into()).take(height.into());
                rows.flat_map(|row| &row[usize::from(left)..usize::from(left + width)]).flatten().copied().collect()
            }
        };
        self.writer.write_image_data(&part)?;
        self.before = Some(now);
        Ok(())
    }

    /// Ends the film.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        Ok(self.writer.finish()?)
    }
}
