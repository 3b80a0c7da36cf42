//! [`Palette`]: the colours of a film, chosen once for all of its frames.

use std::collections::HashMap;

use quantette::color_map::{IndexedColorMap, NearestNeighborColorMap};
use quantette::color_space::{oklab_to_srgb8, srgb8_to_oklab};
use quantette::deps::palette::Srgb;
use quantette::wu::{BinnerF32x3, WuF32x3};
use quantette::{PaletteBuf, PaletteCounts, PaletteSize};

use crate::paint::Picture;

/// How often each colour occurs.
#[derive(Default)]
pub(super) struct Census(HashMap<[u8; 3], u64>);

impl Census {
    /// Counts the pixels of a frame.
    pub(super) fn count(&mut self, picture: &Picture) {
        // Cells are squares of one colour: runs are counted, not pixels.
        let (mut run, mut length) = ([0; 3], 0);
        for pixel in picture.rgba().chunks_exact(4) {
            let colour = [pixel[0], pixel[1], pixel[2]];
            if colour != run {
                self.add(run, length);
                (run, length) = (colour, 0);
            }
            length += 1;
        }
        self.add(run, length);
    }

    fn add(&mut self, colour: [u8; 3], count: u64) {
        if count > 0 {
            *self.0.entry(colour).or_default() += count;
        }
    }
}

/// At most 255 colours, and for each colour of the film the nearest of them. A colour is the same in every frame, and
/// nothing is dithered: what does not change does not flicker.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Chooses at most `size` colours: all of them where there are no more, else by Wu's method in Oklab, in which equal
    /// distances look equally large. A colour weighs as the square root of how often it occurs, so that the small
    /// marks of viewer and creatures keep theirs.
    ///
    /// # References
    /// Wu: *Color quantization by dynamic programming and principal analysis* (ACM TOG 1992). Ottosson: *A perceptual
    /// color space for image processing* (2020).
    pub(super) fn choose(census: &Census, size: usize) -> Self {
        let mut counted: Vec<([u8; 3], u64)> = census.0.iter().map(|(colour, count)| (*colour, *count)).collect();
        counted.sort_unstable(); // the order of a hash map is not always the same
        let all: Vec<[u8; 3]> = counted.iter().map(|(colour, _)| *colour).collect();
        if all.len() <= size {
            let nearest = all.iter().enumerate().map(|(i, colour)| (*colour, i as u8)).collect();
            return Self { colours: all, nearest };
        }
        let srgb: Vec<Srgb<u8>> = all.iter().map(|&[r, g, b]| Srgb::new(r, g, b)).collect();
        let oklab = srgb8_to_oklab(&srgb);
        // Their sum stays below 2³² for all 2²⁴ colours.
        let weights = counted.iter().map(|(_, count)| libm::sqrt(*count as f64).clamp(1.0, 255.0) as u32).collect();
        let chosen = PaletteCounts::new(oklab.clone(), weights)
            .ok()
            .and_then(|counts| WuF32x3::run_palette_counts(&counts, BinnerF32x3::oklab_from_srgb8()))
            .map(|wu| wu.palette(PaletteSize::from_usize_clamped(size)));
        let chosen = chosen.map_or_else(Vec::new, PaletteBuf::into_vec);
        let colours: Vec<Srgb<u8>> = oklab_to_srgb8(&chosen);
        // The nearest of the colours as they are written, after rounding.
        let map = PaletteBuf::new(srgb8_to_oklab(&colours)).map(NearestNeighborColorMap::new);
        let indices = map.map_or_else(|_| vec![0; oklab.len()], |map| map.map_to_indices(&oklab));
        Self {
            colours: colours.iter().map(|colour| [colour.red, colour.green, colour.blue]).collect(),
            nearest: all.into_iter().zip(indices).collect(),
        }
    }

    /// Its colours, by index.
    pub(super) fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// The index of each pixel of a frame that was counted.
    pub(super) fn indices(&self, picture: &Picture) -> Vec<u8> {
        let (mut last, mut index) = ([0; 3], None);
        let pixels = picture.rgba().chunks_exact(4);
        pixels
            .map(|pixel| {
                let colour = [pixel[0], pixel[1], pixel[2]];
                if index.is_none() || colour != last {
                    (last, index) = (colour, self.nearest.get(&colour).copied());
                }
                index.unwrap_or(0)
            })
            .collect()
    }
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

    fn census(pictures: &[&Picture]) -> Census {
        let mut census = Census::default();
        pictures.iter().for_each(|picture| census.count(picture));
        census
    }

    #[test]
    fn few_colours_are_kept_exactly() {
        let picture = noise(64, 200);
        let palette = Palette::choose(&census(&[&picture]), 255);
        let pixels: Vec<[u8; 3]> =
            palette.indices(&picture).iter().map(|&index| palette.colours()[usize::from(index)]).collect();
        let painted: Vec<[u8; 3]> = picture.rgba().chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        assert!(pixels == painted);
    }

    #[test]
    fn many_colours_become_few_and_rare_ones_keep_theirs() {
        let mut picture = noise(300, 60_000);
        picture.fill(10, 10, 4, 4, [226.0, 32.0, 40.0]);
        for size in [8, 64, 255] {
            let palette = Palette::choose(&census(&[&picture]), size);
            assert!(palette.colours().len() <= size && palette.colours().len() > size / 2);
        }
        let palette = Palette::choose(&census(&[&picture]), 255);
        let red = palette.indices(&picture)[11 * 300 + 11];
        let [r, g, b] = palette.colours()[usize::from(red)];
        assert!(r.abs_diff(226) < 40 && g.abs_diff(32) < 40 && b.abs_diff(40) < 60, "{r} {g} {b}");
    }

    #[test]
    fn the_order_of_frames_does_not_matter() {
        let (a, b) = (noise(100, 9_000), noise(60, 40_000));
        let [one, other] = [census(&[&a, &b]), census(&[&b, &a])].map(|census| Palette::choose(&census, 100));
        assert_eq!(one.colours(), other.colours());
        assert!(one.indices(&a) == other.indices(&a));
    }
}
