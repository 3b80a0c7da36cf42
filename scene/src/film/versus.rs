//! [`Versus`]: the second state of a film, and its fading.

use crate::paint::Picture;
use crate::preset::Preset;

/// A second state of the land of a film: another hour, weather or method, or the land without its strokes. The film
/// fades slowly from the scene to it, and back.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Versus {
    /// The preset of the second state. Its world is ignored, since both states are of one land.
    pub preset: Preset,
    /// The names of the scene and the second state in the captions.
    pub names: [String; 2],
}

/// The duration of a fade to the second state and back, in seconds.
const FADE_S: f64 = 8.0;

/// The phases at which a fade starts and ends, so that each state is shown for a while.
const FADES: [f32; 2] = [0.2, 0.8];

impl Versus {
    /// Creates a second state.
    pub fn new(preset: Preset, names: [String; 2]) -> Self {
        Self { preset, names }
    }

    /// Returns the number of frames of a film of one place, by the duration of a frame in hundredths of a second.
    pub(super) fn frames_of_place(delay_cs: f64) -> usize {
        (100.0 * FADE_S / delay_cs).round() as usize + 1
    }

    /// Returns the weight of the second state in a frame of a film, which begins and ends with the scene.
    pub(super) fn share(frame: usize, frames: usize, delay_cs: f64) -> f32 {
        let last = frames.saturating_sub(1).max(1);
        let fades = (last as f64 * delay_cs / (100.0 * FADE_S)).round().max(1.0);
        let phase = (frame as f64 / last as f64 * fades).fract() as f32;
        let way = 1.0 - (2.0 * phase - 1.0).abs();
        let t = ((way - FADES[0]) / (FADES[1] - FADES[0])).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

/// Blends a picture of the same size into another by a weight.
pub(super) fn mix_pictures(picture: &mut Picture, second: &Picture, share: f32) {
    for (byte, other) in picture.bytes_mut().iter_mut().zip(second.rgba()) {
        let (from, to) = (f32::from(*byte), f32::from(*other));
        *byte = (from + (to - from) * share + 0.5) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn film_begins_and_ends_with_the_scene_and_shows_the_second_state_between() {
        for (frames, delay_cs) in [(Versus::frames_of_place(10.0), 10.0), (5, 10.0), (9, 100.0), (400, 10.0)] {
            let shares: Vec<f32> = (0..frames).map(|frame| Versus::share(frame, frames, delay_cs)).collect();
            assert_eq!([shares[0], shares[frames - 1]], [0.0; 2], "{frames} frames");
            assert!(shares.contains(&1.0), "{frames} frames: {shares:?}");
            let fades = shares.windows(2).filter(|pair| pair[0] < 1.0 && pair[1] == 1.0).count();
            assert_eq!(fades, (frames as f64 * delay_cs / 800.0).round().max(1.0) as usize, "{frames} frames");
        }
        assert_eq!(Versus::share(0, 1, 10.0), 0.0);
        assert_eq!(Versus::frames_of_place(10.0), 81);
    }

    #[test]
    fn fade_is_slow() {
        let frames = Versus::frames_of_place(10.0);
        let shares: Vec<f32> = (0..frames).map(|frame| Versus::share(frame, frames, 10.0)).collect();
        assert!(shares.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.07), "{shares:?}");
        assert!(shares.iter().filter(|share| **share == 0.0).count() > 12);
    }

    #[test]
    fn share_of_a_picture_is_mixed() {
        let mut picture = Picture::new(2, 1, [10.0, 20.0, 200.0]);
        mix_pictures(&mut picture, &Picture::new(2, 1, [20.0, 20.0, 100.0]), 0.25);
        assert_eq!(picture.get(1, 0), Some([13, 20, 175]));
    }
}
