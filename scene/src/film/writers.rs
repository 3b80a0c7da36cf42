//! [`ApngWriter`]: a film as `.apng`, in exact colours; [`GifWriter`]: a film as `.gif`, with one palette. Both write
//! only the [`PixelRect`] of a frame that differs from the previous one.

use std::io::Write;

use gif::{AnyExtension, DisposalMethod, Encoder, EncodingError, Extension, Frame, Repeat};
use glam::IVec2;
use png::{BitDepth, BlendOp, ColorType, DisposeOp, Writer};

use super::options::FrameDelay;
use super::palette::GifPalette;
use crate::files::{Provenance, StickyErrorWriter, WriteError, picture_encoder};
use crate::paint::Picture;

/// Writes the frames of a film. Each frame has only the changed rectangle.
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

    /// Adds a frame with a duration.
    pub(super) fn add(&mut self, picture: &Picture, delay: FrameDelay) -> Result<(), WriteError> {
        let pixels: Vec<[u8; 3]> = picture.rgba().chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        self.writer.set_frame_delay(delay.numerator, delay.denominator)?;
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

/// Writes the frames of a film. Each frame has only the changed pixels.
pub(super) struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    palette: GifPalette,
    /// The transparent index, which keeps the previous pixel.
    unchanged: u8,
    size: IVec2,
    previous: Option<Vec<u8>>,
}

impl<W: Write> GifWriter<W> {
    /// Starts a film that repeats forever, with the provenance in a comment.
    pub(super) fn new(out: W, size: IVec2, palette: GifPalette, provenance: &Provenance) -> Result<Self, WriteError> {
        let unchanged = palette.colours().len() as u8;
        let mut table = palette.colours().concat();
        table.extend([0; 3]);
        let mut encoder = Encoder::new(out, size.x as u16, size.y as u16, &table).map_err(write_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(write_error)?;
        let comment = provenance.to_gif_comment()?;
        encoder.write_raw_extension(AnyExtension(Extension::Comment as u8), &[&comment]).map_err(write_error)?;
        Ok(Self { encoder, palette, unchanged, size, previous: None })
    }

    /// Adds a frame with a duration of `delay_cs` hundredths of a second.
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

    /// Ends the film. Without this call the file is incomplete.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        self.encoder.into_inner().map(|_| ()).map_err(write_error)
    }
}

pub(super) fn write_error(error: EncodingError) -> WriteError {
    match error {
        EncodingError::Io(error) => WriteError::Io(error),
        other => WriteError::Encode(other.to_string()),
    }
}

/// A rectangle of pixels. A `.gif` stores its sides in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelRect {
    pub(super) left: u16,
    pub(super) top: u16,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl PixelRect {
    /// Returns the bounding box of the changed pixels, or one pixel without changes, since a frame cannot be empty.
    pub(super) fn of_changes<T: PartialEq>(before: &[T], now: &[T], columns: usize) -> Self {
        let rows = || before.chunks_exact(columns).zip(now.chunks_exact(columns)).enumerate();
        let differs = |(_, (before, now)): &(usize, (&[T], &[T]))| before != now;
        let Some((top, _)) = rows().find(differs) else { return Self { left: 0, top: 0, width: 1, height: 1 } };
        let bottom = rows().filter(differs).last().map_or(top, |(y, _)| y);
        let (mut left, mut right) = (columns, 0);
        for (_, (before, now)) in rows().skip(top).take(bottom + 1 - top) {
            let differs = |x: &usize| before[*x] != now[*x];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right..columns).rev().find(differs).unwrap_or(right);
        }
        let [left, top, width, height] = [left, top, right + 1 - left, bottom + 1 - top].map(|pixels| pixels as u16);
        Self { left, top, width, height }
    }

    /// Returns the pixels of the rectangle, row by row.
    pub(super) fn crop<T: Copy>(self, pixels: &[T], columns: usize) -> Vec<T> {
        let rows = pixels.chunks_exact(columns).skip(self.top.into()).take(self.height.into());
        rows.flat_map(|row| &row[self.left.into()..usize::from(self.left + self.width)]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_bounding_box() {
        let before = [0u8; 30]; // 6 × 5
        for (cells, [left, top, width, height]) in [
            (vec![], [0, 0, 1, 1]),
            (vec![7], [1, 1, 1, 1]),
            (vec![8, 15, 13], [1, 1, 3, 2]),
            (vec![0, 29], [0, 0, 6, 5]),
            (vec![3, 26], [2, 0, 2, 5]),
        ] {
            let mut now = before;
            cells.iter().for_each(|&cell| now[cell] = 1);
            let rect = PixelRect::of_changes(&before, &now, 6);
            assert_eq!(rect, PixelRect { left, top, width, height }, "{cells:?}");
            assert_eq!(rect.crop(&now, 6).iter().map(|&pixel| usize::from(pixel)).sum::<usize>(), cells.len());
        }
    }
}
