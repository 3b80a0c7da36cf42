//! [`TreeStamp`]: one tree as a small picture.

use glam::{Vec2, vec2};

use super::noise::lattice_random;
use super::style::{Srgb, rgb};

/// The drawing of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TreeKind {
    Broad,
    Conifer,
    Acacia,
    Scrub,
    /// A sign in ink on paper: an open crown on a stem.
    Ink,
}

/// A tree as a small picture: a shadow to the south-east, a dark crown, and lit parts to the north-west.
pub(crate) struct TreeStamp {
    side: usize,
    foot: Vec2,
    /// Colour times alpha, and alpha.
    pixels: Vec<(Srgb, f32)>,
}

const SHADOW: Srgb = rgb(0x1c223a);
const SHADOW_ALPHA: f32 = 0.35;
const TRUNK: Srgb = rgb(0x544230);

/// A part of a drawing, in radii of the crown from the foot of the tree; later parts cover earlier ones.
enum CrownPart {
    Ellipse {
        middle: Vec2,
        radii: Vec2,
        colour: Srgb,
        alpha: f32,
    },
    Triangle {
        points: [Vec2; 3],
        colour: Srgb,
    },
    /// A part of a circle with a width.
    Arc {
        middle: Vec2,
        radius: f32,
        half_width: f32,
        gap: bool,
    },
}

impl CrownPart {
    /// Returns the corners of a rectangle around the part.
    fn bounds(&self) -> [Vec2; 2] {
        match *self {
            Self::Ellipse { middle, radii, .. } => [middle - radii, middle + radii],
            Self::Triangle { points: [a, b, c], .. } => [a.min(b).min(c), a.max(b).max(c)],
            Self::Arc { middle, radius, half_width, .. } => {
                [middle - radius - half_width, middle + radius + half_width]
            }
        }
    }

    /// Returns the distance inside the part, negative outside; near its edge in radii of the crown.
    fn depth(&self, place: Vec2) -> f32 {
        match *self {
            Self::Ellipse { middle, radii, .. } => (1.0 - ((place - middle) / radii).length()) * radii.min_element(),
            Self::Triangle { points: [a, b, c], .. } => {
                let clockwise = (b - a).perp_dot(c - a).signum();
                let depth = |from: Vec2, to: Vec2| clockwise * (to - from).normalize_or_zero().perp_dot(place - from);
                depth(a, b).min(depth(b, c)).min(depth(c, a))
            }
            Self::Arc { middle, radius, half_width, gap } => {
                let way = place - middle;
                let depth = half_width - (way.length() - radius).abs();
                if gap { depth.min(0.55 * radius - way.y) } else { depth }
            }
        }
    }

    fn colour(&self) -> (Srgb, f32) {
        match *self {
            Self::Ellipse { colour, alpha, .. } => (colour, alpha),
            Self::Triangle { colour, .. } => (colour, 1.0),
            Self::Arc { .. } => (Srgb::ZERO, 1.0),
        }
    }
}

impl TreeStamp {
    /// Draws a tree with a crown of `radius` pixels. Ink is black; the caller colours it.
    pub(crate) fn draw(kind: TreeKind, colour: Srgb, radius: f32, variant: u32) -> Self {
        let side = (radius * 5.0).ceil() as usize + 2;
        let foot = vec2(side as f32 * 0.5, side as f32 * 0.62);
        let random = |purpose: u32| lattice_random(variant as i32, kind as i32, purpose);
        let mut pixels = vec![(Srgb::ZERO, 0.0); side * side];
        for part in parts(kind, colour, radius, random) {
            let [low, high] = part.bounds().map(|corner| corner * radius + foot);
            let last = Vec2::splat(side as f32);
            let [low, high] =
                [(low - 1.0).floor(), (high + 1.0).ceil()].map(|at| at.clamp(Vec2::ZERO, last).as_uvec2());
            let (colour, alpha) = part.colour();
            for y in low.y..high.y {
                for x in low.x..high.x {
                    let place = (vec2(x as f32, y as f32) + 0.5 - foot) / radius;
                    let coverage = alpha * (0.5 + radius * part.depth(place)).clamp(0.0, 1.0);
                    let (sum, covered) = &mut pixels[y as usize * side + x as usize];
                    *sum = *sum * (1.0 - coverage) + colour * coverage;
                    *covered = *covered * (1.0 - coverage) + coverage;
                }
            }
        }
        Self { side, foot, pixels }
    }

    pub(crate) fn side(&self) -> usize {
        self.side
    }

    /// Returns the foot of the tree in the stamp, in pixels.
    pub(crate) fn foot(&self) -> Vec2 {
        self.foot
    }

    /// Returns the greatest distance of a row from the foot, in pixels.
    pub(crate) fn reach(&self) -> f32 {
        self.side as f32 + 1.0
    }

    pub(crate) fn row(&self, y: usize) -> &[(Srgb, f32)] {
        &self.pixels[y * self.side..][..self.side]
    }
}

/// Returns the parts of a tree from the back to the front.
fn parts(kind: TreeKind, colour: Srgb, radius: f32, random: impl Fn(u32) -> f32) -> Vec<CrownPart> {
    let ellipse = |x: f32, y: f32, a: f32, b: f32, colour: Srgb| CrownPart::Ellipse {
        middle: vec2(x, y),
        radii: vec2(a, b),
        colour,
        alpha: 1.0,
    };
    let shadow =
        CrownPart::Ellipse { middle: vec2(0.55, 0.12), radii: vec2(1.15, 0.55), colour: SHADOW, alpha: SHADOW_ALPHA };
    let tone = colour * (1.0 + 0.13 * (random(11) - 0.5)) + Srgb::new(8.0, 3.0, -3.0) * (random(12) - 0.5);
    let dark = tone * 0.60 * Srgb::new(0.95, 0.97, 1.12);
    let middle = tone * 0.92;
    let light = tone * 1.28 + Srgb::new(10.0, 8.0, -4.0);
    let between = |share: f32| middle + (light - middle) * share;
    match kind {
        TreeKind::Ink => {
            let half_width = (0.11_f32).max(0.5 / radius);
            vec![
                CrownPart::Arc { middle: vec2(0.0, -0.7), radius: 0.8, half_width, gap: true },
                CrownPart::Ellipse {
                    middle: vec2(0.0, 0.35),
                    radii: vec2(half_width, 0.3),
                    colour: Srgb::ZERO,
                    alpha: 1.0,
                },
            ]
        }
        TreeKind::Conifer => {
            let mut parts = vec![shadow];
            for (i, (width, y)) in [(1.0, 0.25), (0.8, -0.5), (0.55, -1.2)].into_iter().enumerate() {
                let tip = vec2(0.0, y - 1.45);
                parts.push(CrownPart::Triangle { points: [vec2(-width, y), vec2(width, y), tip], colour: dark });
                let lit = between(0.35 + 0.2 * i as f32);
                let points = [vec2(-width, y), vec2(-0.05 * width, y + 0.12), tip];
                parts.push(CrownPart::Triangle { points, colour: lit });
            }
            parts
        }
        TreeKind::Acacia => vec![
            shadow,
            ellipse(0.0, -0.3, 0.14_f32.max(0.5 / radius), 0.55, TRUNK),
            ellipse(0.0, -1.0, 1.25, 0.55, dark),
            ellipse(-0.12, -1.18, 1.02, 0.36, between(0.7)),
        ],
        TreeKind::Scrub => {
            vec![shadow, ellipse(0.0, 0.0, 0.62, 0.45, dark), ellipse(-0.1, -0.1, 0.45, 0.3, middle * 1.08)]
        }
        TreeKind::Broad => {
            let lumps = ((radius * 1.1) as u32).clamp(3, 18);
            let mut parts =
                vec![shadow, ellipse(0.0, -0.45, 1.0, 0.95, dark), ellipse(-0.1, -0.6, 0.84, 0.76, middle * 0.95)];
            let direction = |angle: f32| vec2(libm::cosf(angle), libm::sinf(angle));
            if lumps >= 6 {
                // Large crowns have a broken rim.
                for lump in 0..lumps {
                    let at = direction(6.3 * random(20 + lump)) * vec2(0.82, 0.78);
                    parts.push(ellipse(at.x, at.y - 0.45, 0.27, 0.26, dark * 1.06));
                }
            }
            let size = if lumps < 6 { 0.36 } else { 0.24 };
            for lump in 0..lumps {
                let [angle, distance, share] = [40, 60, 80].map(|purpose| random(purpose + lump));
                let at = direction(2.2 + 3.4 * angle) * (0.1 + 0.48 * distance);
                parts.push(ellipse(at.x - 0.12, at.y - 0.64, size, size * 0.9, between(0.2 + 0.8 * share)));
            }
            parts
        }
    }
}
