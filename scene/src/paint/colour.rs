//! sRGB colours and their interpolation.

/// An sRGB colour, each channel from 0 to 255.
pub type Colour = [f32; 3];

/// Interpolates from `a` (0) to `b` (1).
#[inline]
pub(crate) fn mix(a: Colour, b: Colour, share: f32) -> Colour {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * share)
}

/// Multiplies every channel by a factor.
#[inline]
pub(crate) fn scale(colour: Colour, factor: f32) -> Colour {
    colour.map(|channel| channel * factor)
}

/// Returns an opaque RGBA pixel.
#[inline]
pub(super) fn pixel(colour: Colour) -> [u8; 4] {
    let [r, g, b] = colour.map(|channel| (channel + 0.5).clamp(0.0, 255.0) as u8);
    [r, g, b, 255]
}

/// Interpolates between stops (position, colour) in ascending order of position.
pub(crate) fn between(stops: &[(f32, Colour)], at: f32) -> Colour {
    let mut before = stops[0];
    for &stop in stops {
        if at <= stop.0 {
            let span = stop.0 - before.0;
            return if span > 0.0 { mix(before.1, stop.1, (at - before.0) / span) } else { stop.1 };
        }
        before = stop;
    }
    before.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_between_stops_are_interpolated() {
        let stops = [(0.0, [0.0; 3]), (10.0, [100.0, 0.0, 50.0])];
        assert_eq!(between(&stops, -5.0), [0.0; 3]);
        assert_eq!(between(&stops, 5.0), [50.0, 0.0, 25.0]);
        assert_eq!(between(&stops, 99.0), [100.0, 0.0, 50.0]);
    }
}
