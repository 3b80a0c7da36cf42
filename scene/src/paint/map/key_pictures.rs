//! [`KeyPictures`]: samples of the map for its legend, painted by the map painter.

use glam::{IVec2, Vec2};

use super::map_painter::MapPainter;
use super::sight_fields::Sample;
use super::viewport::Viewport;
use crate::paint::picture::Picture;
use crate::scene::Scene;

/// The width of the bar of visibilities, from high to low, in pixels.
pub(crate) const HAZE_BAR: usize = 132;
const SWATCH: i32 = 30;
const HEIGHT: i32 = 18;
/// The size of a cell, in pixels.
const SIDE: f32 = 12.0;

/// Samples of the land around the viewer.
pub(crate) struct KeyPictures {
    /// From visibility 1 at the left to 0.02 at the right.
    pub(crate) haze: Picture,
    pub(crate) seen_before: Picture,
    pub(crate) never_seen: Picture,
}

impl KeyPictures {
    /// Paints the samples of a scene.
    pub(crate) fn paint(scene: &Scene) -> Self {
        let mut painter = MapPainter::default();
        let mut sample = |width: i32, sample: Sample| {
            let size = IVec2::new(width, HEIGHT);
            let middle = ((scene.viewer().as_vec2() + 0.5) * SIDE).as_ivec2();
            let viewport = Viewport { origin: middle - size / 2, scale: Vec2::splat(SIDE), size };
            painter.paint_sample(scene, &viewport, sample)
        };
        Self {
            haze: sample(HAZE_BAR as i32, Sample::Haze),
            seen_before: sample(SWATCH, Sample::SeenBefore),
            never_seen: sample(SWATCH, Sample::NeverSeen),
        }
    }
}
