//! [`Oklab`]: a colour in a space in which equal distances look equally large.

use std::array::from_fn;

/// A colour in Oklab: lightness, and how far it is from green to red and from blue to yellow.
///
/// # References
/// Ottosson: *A perceptual color space for image processing* (2020).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Oklab(pub(super) [f32; 3]);

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
    pub(super) fn of_srgb(colour: [u8; 3]) -> Self {
        let linear = colour.map(|channel| {
            let value = f32::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
        });
        Self(multiply(&LAB, multiply(&CONES, linear).map(libm::cbrtf)))
    }

    /// Returns the nearest sRGB colour.
    pub(super) fn to_srgb(self) -> [u8; 3] {
        let cones = multiply(&LAB_TO_ROOTS, self.0).map(|root| root * root * root);
        multiply(&CONES_TO_LINEAR, cones).map(|linear| {
            let linear = linear.clamp(0.0, 1.0);
            let value =
                if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::powf(linear, 1.0 / 2.4) - 0.055 };
            (255.0 * value).round() as u8
        })
    }

    pub(super) fn distance_squared(self, other: Self) -> f32 {
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
