//! [`Pixel`] and [`Srgb`]: what the layers of the map do with pixels and shares.

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

/// Returns the coverage of a line of `width` pixels at a distance from its middle.
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
