//! [`CompassRose`]: a compass rose in ink in the corner of a map.

use glam::{IVec2, Vec2, vec2};

use super::pixels::line;
use super::viewport::Viewport;

/// The radius of the rose, as a share of the shorter side of the map.
const RADIUS: f32 = 0.07;
/// The distance of its middle from both edges of the map, in radii.
const INSET: f32 = 1.7;
/// Smaller roses are not drawn, in pixels; nor are roses on smaller maps, in cells.
const LEAST_RADIUS: f32 = 18.0;
const LEAST_MAP: i32 = 40;
/// The alpha of its ink.
const STRENGTH: f32 = 0.30;
/// The lengths of the points, from the north on, in radii.
const LENGTHS: [f32; 4] = [1.0, 0.46, 0.74, 0.46];

/// A compass rose in ink: it tells the north, and no more of the map.
pub(crate) struct CompassRose {
    /// In pixels.
    middle: Vec2,
    radius: f32,
}

impl CompassRose {
    /// The rose of a map of `size` cells, in its upper right corner.
    pub(crate) fn new(viewport: &Viewport, size: IVec2) -> Option<Self> {
        let cells = size.min_element();
        let radius = RADIUS * cells as f32 * viewport.side();
        let inset = INSET * radius / viewport.scale;
        let middle = viewport.pixel(vec2(size.x as f32 - inset.x, inset.y));
        (cells >= LEAST_MAP && radius >= LEAST_RADIUS).then_some(Self { middle, radius })
    }

    /// Returns the share of ink at a pixel.
    pub(crate) fn ink(&self, pixel: Vec2) -> f32 {
        let way = pixel - self.middle;
        let distance = way.length();
        if distance > self.radius + 2.0 {
            return 0.0;
        }
        let ring = |radius: f32, width: f32| line(distance - radius * self.radius, width);
        let mut ink: f32 = (0.8 * ring(0.60, 1.2)).max(0.5 * ring(0.66, 1.0)).max(0.8 * ring(0.30, 1.0));
        for point in 0..8_u8 {
            let angle = f32::from(point) * std::f32::consts::FRAC_PI_4;
            let along = vec2(libm::sinf(angle), -libm::cosf(angle));
            let (reach, across) = (way.dot(along), way.dot(along.perp()));
            // The north point is the longest.
            let length = LENGTHS[usize::from(point % 4)] * if point == 0 { 1.0 } else { 0.92 } * self.radius;
            if !(0.0..length).contains(&reach) {
                continue;
            }
            let waist = 0.13 * self.radius;
            let half = if reach < waist { reach } else { waist * (length - reach) / (length - waist) };
            let inside = half - across.abs();
            if inside <= -1.0 {
                continue;
            }
            let cover = (inside + 0.5).clamp(0.0, 1.0);
            // One half of each point is filled, the other one is bare.
            let filled = (across + 0.5).clamp(0.0, 1.0);
            ink = ink * (1.0 - cover) + cover * filled;
            ink = ink.max(0.9 * line(inside, 1.1));
        }
        STRENGTH * ink.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rose_is_on_large_maps_only_and_symmetric() {
        let viewport = |side: f32| Viewport { origin: IVec2::ZERO, scale: Vec2::splat(side), size: IVec2::splat(800) };
        assert!(CompassRose::new(&viewport(8.0), IVec2::splat(20)).is_none());
        assert!(CompassRose::new(&viewport(1.0), IVec2::splat(96)).is_none());
        let rose = CompassRose::new(&viewport(8.0), IVec2::splat(96)).unwrap();
        assert!(rose.radius > 40.0);
        assert_eq!(rose.ink(rose.middle + vec2(rose.radius + 5.0, 0.0)), 0.0);
        assert!(rose.ink(rose.middle + vec2(2.0, -0.5 * rose.radius)) > 0.5 * STRENGTH);
        assert!(rose.ink(rose.middle + vec2(0.0, -0.97 * rose.radius)) > 0.0);
        assert_eq!(rose.ink(rose.middle + vec2(0.0, 0.97 * rose.radius)), 0.0);
    }
}
