//! A film as `.gif`: one palette, and of every frame only what has changed.

use std::io::Write;

use gif::{AnyExtension, DisposalMethod, Encoder, EncodingError, Extension, Frame, Repeat};

use super::palette::Palette;
use crate::files::{Provenance, WriteError};
use crate::paint::Picture;

/// Writes one frame after the other. It is at an end only when [`finish`](Self::finish) was called.
pub(super) struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    palette: Palette,
    /// The index that leaves a pixel as it is.
    unchanged: u8,
    width: u16,
    before: Option<Vec<u8>>,
}

impl<W: Write> GifWriter<W> {
    /// A film that begins again at its end, with its provenance in a comment.
    pub(super) fn new(
        out: W,
        [width, height]: [u16; 2],
        palette: Palette,
        provenance: &Provenance,
    ) -> Result<Self, WriteError> {
        let unchanged = palette.colours().len() as u8;
        let mut table = palette.colours().concat();
        table.extend([0; 3]);
        let mut encoder = Encoder::new(out, width, height, &table).map_err(fault)?;
        encoder.set_repeat(Repeat::Infinite).map_err(fault)?;
        let comment = provenance.to_gif_comment()?;
        encoder.write_raw_extension(AnyExtension(Extension::Comment as u8), &[&comment]).map_err(fault)?;
        Ok(Self { encoder, palette, unchanged, width, before: None })
    }

    /// Adds a frame that is shown for `delay_cs` hundredths of a second.
    pub(super) fn add(&mut self, picture: &Picture, delay_cs: u16) -> Result<(), WriteError> {
        let now = self.palette.indices(picture);
        let [left, top, width, height] = match &self.before {
            Some(before) => changed(before, &now, usize::from(self.width)),
            None => [0, 0, self.width, (now.len() / usize::from(self.width)) as u16],
        };
        let cut = |all: &[u8]| -> Vec<u8> {
            let rows = all.chunks_exact(usize::from(self.width)).skip(top.into()).take(height.into());
            rows.flat_map(|row| &row[usize::from(left)..usize::from(left + width)]).copied().collect()
        };
        let whole = cut(&now);
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
        // Leaving out what is the same mostly makes a frame shorter, but it tears runs of one colour apart.
        let candidates = match &self.before {
            Some(before) => {
                let pairs = whole.iter().zip(cut(before));
                let sparse = pairs.map(|(&now, before)| if now == before { self.unchanged } else { now }).collect();
                vec![frame(sparse, Some(self.unchanged)), frame(whole, None)]
            }
            None => vec![frame(whole, None)],
        };
        if let Some(shortest) = candidates.iter().min_by_key(|frame| frame.buffer.len()) {
            self.encoder.write_lzw_pre_encoded_frame(shortest).map_err(fault)?;
        }
        self.before = Some(now);
        Ok(())
    }

    /// Ends the film.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        self.encoder.into_inner().map(|_| ()).map_err(fault)
    }
}

/// The rectangle of what differs, as left, top, width and height; one pixel where nothing does.
pub(super) fn changed<T: PartialEq>(before: &[T], now: &[T], columns: usize) -> [u16; 4] {
    let rows = || before.chunks_exact(columns).zip(now.chunks_exact(columns)).enumerate();
    let differs = |(_, (before, now)): &(usize, (&[T], &[T]))| before != now;
    let Some((top, _)) = rows().find(differs) else { return [0, 0, 1, 1] };
    let bottom = rows().filter(differs).last().map_or(top, |(y, _)| y);
    let (mut left, mut right) = (columns, 0);
    for (_, (before, now)) in rows().skip(top).take(bottom + 1 - top) {
        let differs = |x: &usize| before[*x] != now[*x];
        left = (0..left).find(differs).unwrap_or(left);
        right = (right..columns).rev().find(differs).unwrap_or(right);
    }
    [left, top, right + 1 - left, bottom + 1 - top].map(|pixels| pixels as u16)
}

fn fault(error: EncodingError) -> WriteError {
    match error {
        EncodingError::Io(error) => WriteError::Io(error),
        other => WriteError::Encode(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_rectangle_of_what_changed_is_written() {
        let before = [0u8; 30]; // 6 × 5
        for (cells, expected) in [
            (vec![], [0, 0, 1, 1]),
            (vec![7], [1, 1, 1, 1]),
            (vec![8, 15, 13], [1, 1, 3, 2]),
            (vec![0, 29], [0, 0, 6, 5]),
            (vec![3, 26], [2, 0, 2, 5]),
        ] {
            let mut now = before;
            cells.iter().for_each(|&cell| now[cell] = 1);
            assert_eq!(changed(&before, &now, 6), expected, "{cells:?}");
        }
    }
}
