//! [`Palette`]: the colours of a `.gif`, the same for all frames.

use std::collections::HashMap;
use std::iter::repeat_n;

use quantette::color_map::{IndexedColorMap, NearestNeighborColorMap};
use quantette::color_space::{oklab_to_srgb8, srgb8_to_oklab};
use quantette::deps::palette::Srgb;
use quantette::wu::{BinnerF32x3, WuF32x3};
use quantette::{PaletteBuf, PaletteCounts, PaletteSize};

use crate::paint::Picture;

/// The number of pixels of each colour.
#[derive(Default)]
pub(super) struct ColourHistogram(HashMap<[u8; 3], u64>);

impl ColourHistogram {
    pub(super) fn add_frame(&mut self, picture: &Picture) {
        for (colour, length) in runs(picture) {
            *self.0.entry(colour).or_default() += length as u64;
        }
    }
}

/// The colours of a `.gif`, and for each colour of the film the index of the nearest of them. Without dithering and with
/// one palette for all frames, nothing flickers.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    indices: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Chooses at most `size` colours, up to 256. If the film has more, Wu's method chooses them in Oklab, where equal
    /// distances look equally large. The weight of a colour is the square root of its number of pixels, so that the small
    /// marks of viewer and creatures keep their colours.
    ///
    /// # References
    /// Wu: *Color quantization by dynamic programming and principal analysis* (ACM TOG 1992). Ottosson: *A perceptual
    /// color space for image processing* (2020).
    pub(super) fn choose(histogram: &ColourHistogram, size: usize) -> Self {
        let mut counted: Vec<([u8; 3], u64)> = histogram.0.iter().map(|(colour, count)| (*colour, *count)).collect();
        counted.sort_unstable(); // the order of a hash map differs between runs
        let all: Vec<[u8; 3]> = counted.iter().map(|(colour, _)| *colour).collect();
        if all.len() <= size {
            let indices = all.iter().enumerate().map(|(i, colour)| (*colour, i as u8)).collect();
            return Self { colours: all, indices };
        }
        let srgb: Vec<Srgb<u8>> = all.iter().map(|&[r, g, b]| Srgb::new(r, g, b)).collect();
        let oklab = srgb8_to_oklab(&srgb);
        // At most 255 each, so that the sum over all 2²⁴ colours stays below 2³².
        let weights = counted.iter().map(|(_, count)| libm::sqrt(*count as f64).clamp(1.0, 255.0) as u32).collect();
        let chosen = PaletteCounts::new(oklab.clone(), weights)
            .ok()
            .and_then(|counts| WuF32x3::run_palette_counts(&counts, BinnerF32x3::oklab_from_srgb8()))
            .map(|wu| wu.palette(PaletteSize::from_usize_clamped(size)));
        let chosen = chosen.map_or_else(Vec::new, PaletteBuf::into_vec);
        let colours: Vec<Srgb<u8>> = oklab_to_srgb8(&chosen);
        // Distances are to the rounded colours, which are those of the file.
        let map = PaletteBuf::new(srgb8_to_oklab(&colours)).map(NearestNeighborColorMap::new);
        let indices = map.map_or_else(|_| vec![0; oklab.len()], |map| map.map_to_indices(&oklab));
        Self {
            colours: colours.iter().map(|colour| [colour.red, colour.green, colour.blue]).collect(),
            indices: all.into_iter().zip(indices).collect(),
        }
    }

    pub(super) fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// Returns the index of each pixel of a frame that is in the histogram.
    pub(super) fn indices(&self, picture: &Picture) -> Vec<u8> {
        let index = |colour: &[u8; 3]| self.indices.get(colour).copied().unwrap_or(0);
        runs(picture).flat_map(|(colour, length)| repeat_n(index(&colour), length)).collect()
    }
}

/// Returns runs of pixels of one colour and their lengths. Cells are squares of one colour, so there are far fewer runs
/// than pixels.
fn runs(picture: &Picture) -> impl Iterator<Item = ([u8; 3], usize)> {
    let pixels = picture.rgba().as_chunks::<4>().0;
    pixels.chunk_by(|a, b| a == b).map(|run| ([run[0][0], run[0][1], run[0][2]], run.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(width: usize, colours: u32) -> Picture {
        let mut picture = Picture::new(width, 64, [0.0; 3]);
        for y in 0..64 {
            for x in 0..width {
                let number = (x as u32 * 64 + y as u32).wrapping_mul(2_654_435_761) % colours;
                let colour = [number % 7 * 40, number / 7 % 50 * 5, number % 251].map(|channel| channel as f32);
                picture.fill(x as i32, y, 1, 1, colour);
            }
        }
        picture
    }

    fn histogram(frames: &[&Picture]) -> ColourHistogram {
        let mut histogram = ColourHistogram::default();
        frames.iter().for_each(|frame| histogram.add_frame(frame));
        histogram
    }

    #[test]
    fn many_colours_are_reduced_and_rare_ones_are_kept() {
        let mut picture = noise(300, 60_000);
        picture.fill(10, 10, 4, 4, [226.0, 32.0, 40.0]);
        for size in [8, 64, 255] {
            let palette = Palette::choose(&histogram(&[&picture]), size);
            assert!(palette.colours().len() <= size && palette.colours().len() > size / 2);
        }
        let palette = Palette::choose(&histogram(&[&picture]), 255);
        let red = palette.indices(&picture)[11 * 300 + 11];
        let [r, g, b] = palette.colours()[usize::from(red)];
        assert!(r.abs_diff(226) < 40 && g.abs_diff(32) < 40 && b.abs_diff(40) < 60, "{r} {g} {b}");
    }

    #[test]
    fn the_palette_does_not_depend_on_the_order_of_frames() {
        let (a, b) = (noise(100, 9_000), noise(60, 40_000));
        let [one, other] = [histogram(&[&a, &b]), histogram(&[&b, &a])].map(|counts| Palette::choose(&counts, 100));
        assert_eq!(one.colours(), other.colours());
        assert!(one.indices(&a) == other.indices(&a));
    }
}
