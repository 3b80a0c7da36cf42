//! [`GifPalette`]: the colours of a `.gif`, the same for all frames, chosen in [`Oklab`], a perceptually uniform colour space.

use std::array::from_fn;
use std::collections::HashMap;
use std::iter::repeat_n;
use std::ops::Range;

use crate::paint::Picture;

/// The number of pixels of each colour.
#[derive(Default)]
pub(super) struct ColourHistogram(HashMap<[u8; 3], u64>);

impl ColourHistogram {
    pub(super) fn add_frame(&mut self, picture: &Picture) {
        runs(picture).for_each(|(colour, length)| self.add(colour, length as u64));
    }

    pub(super) fn add(&mut self, colour: [u8; 3], pixels: u64) {
        *self.0.entry(colour).or_default() += pixels;
    }
}

/// The colours of a `.gif`, and the index of the nearest one for each colour of the film. Without dithering and with
/// one palette for all frames, nothing flickers.
pub(super) struct GifPalette {
    colours: Vec<[u8; 3]>,
    indices: HashMap<[u8; 3], u8>,
}

impl GifPalette {
    /// Chooses at most `size` colours, up to 256. If the film has more, its colours are divided into boxes of low
    /// variance in Oklab, which is perceptually uniform. The weight of a colour is the square root of its number of
    /// pixels. An eighth of the palette is reserved for the colours farthest from all others, so that the small marks
    /// of viewer and creatures keep their colours.
    ///
    /// # References
    /// Wan, Prusinkiewicz, Wong: *Variance-based color image quantization for frame buffer display* (1990).
    pub(super) fn choose(histogram: &ColourHistogram, size: usize) -> Self {
        let mut counted: Vec<([u8; 3], u64)> = histogram.0.iter().map(|(colour, count)| (*colour, *count)).collect();
        counted.sort_unstable(); // the order of a hash map differs between runs
        let all: Vec<[u8; 3]> = counted.iter().map(|(colour, _)| *colour).collect();
        if all.len() <= size {
            let indices = all.iter().copied().zip(0..).collect();
            return Self { colours: all, indices };
        }
        let oklab: Vec<Oklab> = all.iter().map(|&colour| Oklab::of_srgb(colour)).collect();
        let weighted = oklab.iter().zip(&counted);
        let mut weighted: Vec<WeightedColour> = weighted
            .map(|(&colour, &(_, count))| WeightedColour { colour, weight: libm::sqrt(count as f64) })
            .collect();
        let mut colours = Vec::new();
        let mut nearest = vec![Nearest { distance: f32::INFINITY, index: 0 }; all.len()];
        let mut add = |colour| {
            // Distances are to the rounded colours, as in the file.
            let (index, rounded) = (colours.len() as u8, Oklab::of_srgb(colour));
            for (nearest, colour) in nearest.iter_mut().zip(&oklab) {
                let distance = colour.distance_squared(rounded);
                if distance < nearest.distance {
                    *nearest = Nearest { distance, index };
                }
            }
            colours.push(colour);
            (0..all.len()).max_by(|&i, &j| nearest[i].distance.total_cmp(&nearest[j].distance)).unwrap_or(0)
        };
        let mut farthest = 0;
        let boxes = size - size / 8;
        for colour in divide(&mut weighted, boxes) {
            farthest = add(colour);
        }
        for _ in boxes..size {
            farthest = add(all[farthest]);
        }
        Self { colours, indices: all.into_iter().zip(nearest.iter().map(|nearest| nearest.index)).collect() }
    }

    pub(super) fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// Returns the index of each pixel of a frame in the histogram.
    pub(super) fn indices(&self, picture: &Picture) -> Vec<u8> {
        runs(picture).flat_map(|(colour, length)| repeat_n(self.index(colour), length)).collect()
    }

    /// Returns the index of a colour in the histogram.
    pub(super) fn index(&self, colour: [u8; 3]) -> u8 {
        self.indices.get(&colour).copied().unwrap_or(0)
    }
}

/// The nearest colour of a palette.
#[derive(Clone, Copy)]
struct Nearest {
    /// The square of the distance.
    distance: f32,
    index: u8,
}

#[derive(Clone, Copy)]
struct WeightedColour {
    colour: Oklab,
    weight: f64,
}

/// Sums over some colours, for their mean and variance along each axis.
#[derive(Clone, Copy, Default)]
struct Moments {
    weight: f64,
    sums: [f64; 3],
    squares: [f64; 3],
}

impl Moments {
    fn of(colours: &[WeightedColour]) -> Self {
        colours.iter().fold(Self::default(), |moments, colour| moments.with(colour))
    }

    fn with(mut self, WeightedColour { colour, weight }: &WeightedColour) -> Self {
        self.weight += weight;
        for (i, value) in colour.0.map(f64::from).into_iter().enumerate() {
            self.sums[i] += weight * value;
            self.squares[i] += weight * value * value;
        }
        self
    }

    fn mean(&self) -> Oklab {
        Oklab(self.sums.map(|sum| (sum / self.weight) as f32))
    }

    /// Returns the sum of the squared distances from the mean along each axis.
    fn errors(&self) -> [f64; 3] {
        from_fn(|i| self.squares[i] - self.sums[i] * self.sums[i] / self.weight)
    }
}

/// Colours that share one colour of the palette.
struct ColourBox {
    colours: Range<usize>,
    moments: Moments,
}

impl ColourBox {
    fn new(all: &[WeightedColour], colours: Range<usize>) -> Self {
        Self { moments: Moments::of(&all[colours.clone()]), colours }
    }

    fn error(&self) -> f64 {
        self.moments.errors().iter().sum()
    }

    /// Splits the box across its longest axis, at the minimum of the errors of both parts.
    fn cut(self, all: &mut [WeightedColour]) -> [Self; 2] {
        let errors = self.moments.errors();
        let axis = (0..3).max_by(|&i, &j| errors[i].total_cmp(&errors[j])).unwrap_or(0);
        let Range { start, end } = self.colours;
        let colours = &mut all[start..end];
        colours.sort_by(|a, b| a.colour.0[axis].total_cmp(&b.colour.0[axis]));
        let (whole, mut before) = (self.moments, Moments::default());
        // The errors have their minimum where the means explain most of the variance.
        let explained = |part: f64, weight: f64| part * part / weight;
        let (mut cut, mut best) = (1, f64::NEG_INFINITY);
        for (i, colour) in colours[..colours.len() - 1].iter().enumerate() {
            before = before.with(colour);
            let sum: f64 = (0..3)
                .map(|axis| {
                    explained(before.sums[axis], before.weight)
                        + explained(whole.sums[axis] - before.sums[axis], whole.weight - before.weight)
                })
                .sum();
            if sum > best {
                (cut, best) = (i + 1, sum);
            }
        }
        [Self::new(all, start..start + cut), Self::new(all, start + cut..end)]
    }
}

/// Divides more than `size` colours into this many boxes, the one with the largest error first, and returns their means.
fn divide(all: &mut [WeightedColour], size: usize) -> impl Iterator<Item = [u8; 3]> + use<> {
    let mut boxes = vec![ColourBox::new(all, 0..all.len())];
    while boxes.len() < size {
        let worst = (0..boxes.len())
            .filter(|&i| boxes[i].colours.len() > 1)
            .max_by(|&i, &j| boxes[i].error().total_cmp(&boxes[j].error()));
        let Some(worst) = worst else { break };
        let worst = boxes.swap_remove(worst);
        boxes.extend(worst.cut(all));
    }
    boxes.into_iter().map(|part| part.moments.mean().to_srgb())
}

/// Returns runs of pixels of one colour and their lengths. Cells are squares of one colour, so there are far fewer runs
/// than pixels.
fn runs(picture: &Picture) -> impl Iterator<Item = ([u8; 3], usize)> {
    let pixels = picture.rgba().as_chunks::<4>().0;
    pixels.chunk_by(|a, b| a == b).map(|run| ([run[0][0], run[0][1], run[0][2]], run.len()))
}

/// A colour in Oklab: lightness, and the axes from green to red and from blue to yellow.
///
/// # References
/// Ottosson: *A perceptual color space for image processing* (2020).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Oklab(pub(super) [f32; 3]);

/// The responses of the eye's cones to linear red, green and blue.
const CONES: [[f32; 3]; 3] = [
    [0.412_221_46, 0.536_332_55, 0.051_445_995],
    [0.211_903_5, 0.680_699_5, 0.107_396_96],
    [0.088_302_46, 0.281_718_85, 0.629_978_7],
];

/// Oklab from the cube roots of the responses.
const LAB: [[f32; 3]; 3] = [
    [0.210_454_26, 0.793_617_8, -0.004_072_047],
    [1.977_998_5, -2.428_592_2, 0.450_593_7],
    [0.025_904_037, 0.782_771_77, -0.808_675_77],
];

/// The inverse of [`LAB`].
const LAB_TO_ROOTS: [[f32; 3]; 3] =
    [[1.0, 0.396_337_78, 0.215_803_76], [1.0, -0.105_561_346, -0.063_854_17], [1.0, -0.089_484_18, -1.291_485_5]];

/// The inverse of [`CONES`].
const CONES_TO_LINEAR: [[f32; 3]; 3] = [
    [4.076_741_7, -3.307_711_6, 0.230_969_94],
    [-1.268_438, 2.609_757_4, -0.341_319_4],
    [-0.004_196_086_3, -0.703_418_6, 1.707_614_7],
];

impl Oklab {
    /// Converts an sRGB colour.
    fn of_srgb(colour: [u8; 3]) -> Self {
        let linear = colour.map(|channel| {
            let value = f32::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
        });
        Self(multiply(&LAB, multiply(&CONES, linear).map(libm::cbrtf)))
    }

    /// Returns the nearest sRGB colour.
    fn to_srgb(self) -> [u8; 3] {
        let cones = multiply(&LAB_TO_ROOTS, self.0).map(|root| root * root * root);
        multiply(&CONES_TO_LINEAR, cones).map(|linear| {
            let linear = linear.clamp(0.0, 1.0);
            let value =
                if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::powf(linear, 1.0 / 2.4) - 0.055 };
            (255.0 * value).round() as u8
        })
    }

    fn distance_squared(self, other: Self) -> f32 {
        let [l, a, b] = from_fn(|i| self.0[i] - other.0[i]);
        l * l + a * a + b * b
    }
}

fn multiply(matrix: &[[f32; 3]; 3], vector: [f32; 3]) -> [f32; 3] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
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
            let palette = GifPalette::choose(&histogram(&[&picture]), size);
            assert!(palette.colours().len() <= size && palette.colours().len() > size / 2);
        }
        let palette = GifPalette::choose(&histogram(&[&picture]), 255);
        let red = palette.indices(&picture)[11 * 300 + 11];
        let [r, g, b] = palette.colours()[usize::from(red)];
        assert!(r.abs_diff(226) < 40 && g.abs_diff(32) < 40 && b.abs_diff(40) < 60, "{r} {g} {b}");
    }

    #[test]
    fn the_palette_does_not_depend_on_the_order_of_frames() {
        let (a, b) = (noise(100, 9_000), noise(60, 40_000));
        let [one, other] = [histogram(&[&a, &b]), histogram(&[&b, &a])].map(|counts| GifPalette::choose(&counts, 100));
        assert_eq!(one.colours(), other.colours());
        assert!(one.indices(&a) == other.indices(&a));
    }

    #[test]
    fn oklab_has_the_published_values() {
        // Computed from the published matrices; white is (1, 0, 0).
        for (srgb, lab) in [
            ([255, 255, 255], [1.0, 0.0, 0.0]),
            ([255, 0, 0], [0.627_955, 0.224_863, 0.125_846]),
            ([0, 255, 0], [0.866_440, -0.233_888, 0.179_498]),
            ([0, 0, 255], [0.452_014, -0.032_457, -0.311_528]),
            ([0, 0, 0], [0.0; 3]),
        ] {
            assert!(Oklab::of_srgb(srgb).distance_squared(Oklab(lab)) < 1e-9, "{srgb:?}: {:?}", Oklab::of_srgb(srgb));
        }
    }

    #[test]
    fn srgb_colours_come_back() {
        for number in (0..1 << 24).step_by(997) {
            let colour = [number >> 16, number >> 8 & 255, number & 255].map(|channel| channel as u8);
            assert_eq!(Oklab::of_srgb(colour).to_srgb(), colour);
        }
    }
}
