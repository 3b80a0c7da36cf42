//! [`Recording`]: an incremental `.gif` of a screen.

use std::fmt::{self, Debug, Formatter};
use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::palette::{ColourHistogram, GifPalette};
use super::writers::{PixelRect, write_error};
use crate::files::WriteError;

/// An incremental `.gif` of a screen. Each picture draws only the changed pixels, with its own palette of up to 255
/// colours, so that unchanged pixels do not flicker. A picture equal to the previous one extends its duration.
///
/// ```
/// use farsight_scene::film::Recording;
/// let mut recording = Recording::new(Vec::new(), [64, 48])?;
/// for colour in [[90, 60, 120], [20, 20, 60]] {
///     recording.add(&colour.repeat(64 * 48), 50)?;
/// }
/// let gif = recording.finish()?;
/// assert!(gif.starts_with(b"GIF89a"));
/// # Ok::<(), farsight_scene::files::WriteError>(())
/// ```
pub struct Recording<W: Write> {
    encoder: Encoder<W>,
    size: [u16; 2],
    /// The pixels of the last picture; initially empty.
    shown: Vec<Option<[u8; 3]>>,
    /// The last picture, whose duration is unknown yet.
    waiting: Option<Frame<'static>>,
}

impl<W: Write> Recording<W> {
    /// Starts an endlessly repeating film of pictures of some columns and rows.
    ///
    /// # Errors
    /// [`WriteError::Empty`] if there are no columns or rows; [`WriteError`] if the writer fails.
    pub fn new(out: W, size: [u16; 2]) -> Result<Self, WriteError> {
        if size.contains(&0) {
            return Err(WriteError::Empty);
        }
        let mut encoder = Encoder::new(out, size[0], size[1], &[]).map_err(write_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(write_error)?;
        let shown = vec![None; usize::from(size[0]) * usize::from(size[1])];
        Ok(Self { encoder, size, shown, waiting: None })
    }

    /// Adds a picture, three bytes a pixel, row by row from above, that is shown for `delay_cs` hundredths of a second.
    /// Browsers slow down delays below 2.
    ///
    /// # Errors
    /// [`WriteError`] if the picture has another size, or the writer fails.
    pub fn add(&mut self, rgb: &[u8], delay_cs: u16) -> Result<(), WriteError> {
        if rgb.len() != 3 * self.shown.len() {
            let [width, height] = self.size;
            return Err(WriteError::Encode(format!(
                "a picture of {} bytes is none of {width}x{height} pixels: expected three bytes each",
                rgb.len()
            )));
        }
        let pixels: Vec<Option<[u8; 3]>> = rgb.as_chunks().0.iter().copied().map(Some).collect();
        if self.shown == pixels
            && let Some(waiting) = &mut self.waiting
            && let Some(sum) = waiting.delay.checked_add(delay_cs)
        {
            waiting.delay = sum;
            return Ok(());
        }
        self.write_waiting()?;
        self.waiting = Some(Frame { delay: delay_cs, ..self.changes(&pixels) });
        self.shown = pixels;
        Ok(())
    }

    /// Returns the frame that draws a picture over the previous one.
    fn changes(&self, pixels: &[Option<[u8; 3]>]) -> Frame<'static> {
        let columns = usize::from(self.size[0]);
        let rect = PixelRect::of_changes(&self.shown, pixels, columns);
        let pairs = rect.crop(pixels, columns).into_iter().zip(rect.crop(&self.shown, columns));
        let changed: Vec<Option<[u8; 3]>> = pairs.map(|(now, before)| now.filter(|_| now != before)).collect();
        let mut histogram = ColourHistogram::default();
        changed.iter().flatten().for_each(|&colour| histogram.add(colour, 1));
        let palette = GifPalette::choose(&histogram, 255);
        let unchanged = palette.colours().len() as u8;
        let buffer: Vec<u8> =
            changed.iter().map(|pixel| pixel.map_or(unchanged, |colour| palette.index(colour))).collect();
        let PixelRect { left, top, width, height } = rect;
        let mut frame = Frame {
            dispose: DisposalMethod::Keep,
            transparent: Some(unchanged),
            left,
            top,
            width,
            height,
            palette: Some([palette.colours().concat(), vec![0; 3]].concat()),
            buffer: buffer.into(),
            ..Frame::default()
        };
        frame.make_lzw_pre_encoded();
        frame
    }

    fn write_waiting(&mut self) -> Result<(), WriteError> {
        match self.waiting.take() {
            Some(frame) => self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(write_error),
            None => Ok(()),
        }
    }

    /// Ends the film and returns its writer. Without this call the file is incomplete.
    ///
    /// # Errors
    /// [`WriteError`] if the writer fails.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.write_waiting()?;
        self.encoder.into_inner().map_err(write_error)
    }
}

impl<W: Write> Debug for Recording<W> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recording").field("size", &self.size).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pixels and the delay of each frame of a `.gif`, as a viewer shows them.
    fn frames(gif: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(gif).unwrap();
        let columns = usize::from(decoder.width());
        let mut screen = vec![[0; 3]; columns * usize::from(decoder.height())];
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (i, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let [x, y] = [i % usize::from(frame.width), i / usize::from(frame.width)];
                let at = (y + usize::from(frame.top)) * columns + x + usize::from(frame.left);
                screen[at] = [pixel[0], pixel[1], pixel[2]];
            }
            frames.push((screen.clone(), frame.delay));
        }
        frames
    }

    #[test]
    fn pictures_come_back_with_their_times() {
        let white = vec![[255; 3]; 12 * 7];
        let mut dotted = white.clone();
        (dotted[40], dotted[55]) = ([9, 80, 7], [0, 0, 200]);
        // More colours than in a palette.
        let many: Vec<[u8; 3]> = (0..84).map(|i| [3 * i, 255 - 3 * i, 40]).collect();
        let mut recording = Recording::new(Vec::new(), [12, 7]).unwrap();
        for (picture, delay) in [(&white, 10), (&white, 10), (&dotted, 10), (&many, 65_000), (&many, 600), (&white, 3)]
        {
            recording.add(picture.as_flattened(), delay).unwrap();
        }
        let shown = frames(&recording.finish().unwrap());
        let expected = [(white.clone(), 20), (dotted, 10), (many.clone(), 65_000), (many, 600), (white, 3)];
        assert!(shown == expected, "{:?}", shown.iter().map(|(_, delay)| delay).collect::<Vec<_>>());
    }

    #[test]
    fn what_stays_keeps_its_colour_while_much_changes() {
        let picture = |blue: u8| {
            let noise = |i: usize| [(i * 7 % 256) as u8, (i * 31 % 256) as u8, blue];
            (0..60 * 40).map(|i| if i % 60 < 30 { [i as u8, 77, 3] } else { noise(i) }).collect::<Vec<[u8; 3]>>()
        };
        let mut recording = Recording::new(Vec::new(), [60, 40]).unwrap();
        for blue in [0, 90, 200] {
            recording.add(picture(blue).as_flattened(), 10).unwrap();
        }
        let shown = frames(&recording.finish().unwrap());
        let left = |frame: usize| shown[frame].0.chunks(60).map(|row| row[..30].to_vec()).collect::<Vec<_>>();
        assert!(shown.len() == 3 && left(0) == left(1) && left(1) == left(2) && shown[0].0 != shown[1].0);
    }

    #[test]
    fn pictures_of_another_size_are_refused() {
        let mut recording = Recording::new(Vec::new(), [4, 3]).unwrap();
        for bytes in [0, 35, 37, 39] {
            let error = recording.add(&vec![0; bytes], 10).unwrap_err().to_string();
            assert!(error.contains(&format!("a picture of {bytes} bytes is none of 4x3 pixels")), "{error}");
        }
        assert!(matches!(Recording::new(Vec::new(), [0, 3]), Err(WriteError::Empty)));
    }
}
