//! [`Pixel`] and [`Srgb`]: blending of pixels, and colours as linear light.

use std::sync::LazyLock;

use super::style::Srgb;

/// A pixel of a painted layer: red, green, blue, and a fourth value that the layer defines.
pub(crate) type Pixel = [u8; 4];

/// Returns a pixel of a colour.
#[inline]
pub(crate) fn pixel(colour: Srgb, fourth: u8) -> Pixel {
    let [r, g, b] = (colour + 0.5).clamp(Srgb::ZERO, Srgb::splat(255.0)).to_array().map(|channel| channel as u8);
    [r, g, b, fourth]
}

/// Returns the colour of a pixel.
#[inline]
pub(crate) fn colour([r, g, b, _]: Pixel) -> Srgb {
    Srgb::new(f32::from(r), f32::from(g), f32::from(b))
}

/// Blends a colour times alpha over a pixel.
#[inline]
pub(crate) fn blend(at: &mut Pixel, premultiplied: Srgb, alpha: f32) {
    *at = pixel(colour(*at) * (1.0 - alpha) + premultiplied, at[3]);
}

/// Returns the luma of a colour.
#[inline]
pub(crate) fn luma(colour: Srgb) -> f32 {
    colour.dot(Srgb::new(0.30, 0.59, 0.11))
}

/// Returns the coverage of a line of `width` pixels at a distance from its centre line.
#[inline]
pub(crate) fn line(distance: f32, width: f32) -> f32 {
    (width / 2.0 + 0.5 - distance.abs()).clamp(0.0, 1.0)
}

/// Returns e^−x for x ≥ 0.
pub(crate) fn decay(x: f32) -> f32 {
    farsight::internal::math::exp2_approx((-std::f32::consts::LOG2_E * x).max(-126.0))
}

/// Returns 1 for `true` and 0 for `false`.
pub(crate) fn share(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Steps of the tables.
const STEPS: usize = 2048;

static TO_LINEAR: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let value = |i: usize| {
        let share = i as f32 / STEPS as f32;
        if share <= 0.04045 { share / 12.92 } else { libm::powf((share + 0.055) / 1.055, 2.4) }
    };
    (0..=STEPS).map(value).collect()
});

/// The index is the square root of the light, since the eye and sRGB resolve dark colours best.
static TO_SRGB: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let value = |i: usize| {
        let light = (i as f32 / STEPS as f32).powi(2);
        255.0 * if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * libm::powf(light, 1.0 / 2.4) - 0.055 }
    };
    (0..=STEPS).map(value).collect()
});

/// Returns the light of an sRGB colour, each channel from 0 to 1 (IEC 61966-2-1).
#[inline]
pub(crate) fn linear(colour: Srgb) -> Srgb {
    let table = &*TO_LINEAR;
    let at = (colour * (STEPS as f32 / 255.0) + 0.5).clamp(Srgb::ZERO, Srgb::splat(STEPS as f32));
    Srgb::new(table[at.x as usize], table[at.y as usize], table[at.z as usize])
}

/// Returns the sRGB colour of light; more than 1 is white.
#[inline]
pub(crate) fn srgb(light: Srgb) -> Srgb {
    let table = &*TO_SRGB;
    let at =
        light.clamp(Srgb::ZERO, Srgb::ONE).to_array().map(|channel| (channel.sqrt() * STEPS as f32 + 0.5) as usize);
    Srgb::new(table[at[0]], table[at[1]], table[at[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_changes_no_channel() {
        for value in 0..=255 {
            let colour = Srgb::splat(value as f32);
            assert!((srgb(linear(colour)) - colour).abs().max_element() < 0.51, "{value}: {}", srgb(linear(colour)));
        }
    }
}
