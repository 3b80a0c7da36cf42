//! [`Bilinear`]: the surface between four cell centres, and [`Quadratic`]: its height along a line.

use std::ops::{Add, Mul, Sub};

use glam::DVec2;

/// The surface between four cell centres, for one patch or for the lanes of a vector; NaN if one of the four is nodata.
#[derive(Clone, Copy)]
pub(crate) struct Bilinear<V> {
    /// The height of the first corner.
    corner: V,
    x_rise: V,
    y_rise: V,
    /// The twist: its deviation from a plane.
    pub(crate) twist: V,
}

impl<V: Copy + Add<Output = V> + Sub<Output = V>> Bilinear<V> {
    /// Returns the surface between a corner, the next along x, the next along y, and the opposite one.
    #[inline(always)]
    pub(crate) fn of_corners([corner, by_x, by_y, by_both]: [V; 4]) -> Self {
        let y_rise = by_y - corner;
        Self { corner, x_rise: by_x - corner, y_rise, twist: by_both - by_x - y_rise }
    }

    /// Returns the height at fractional coordinates between the corners.
    #[inline(always)]
    pub(crate) fn height<T: Copy + Mul<Output = T>>(&self, x: T, y: T) -> V
    where
        V: Mul<T, Output = V>,
    {
        self.corner + self.x_rise * x + self.y_rise * y + self.twist * (x * y)
    }

    /// Returns the surface with its heights counted from another height.
    #[inline(always)]
    pub(crate) fn over(&self, height: V) -> Self {
        Self { corner: self.corner - height, ..*self }
    }
}

impl Bilinear<f64> {
    /// Returns the height over an eye along a line at `speed` · t − `crossed` from the corner, minus `drop` · t².
    #[inline(always)]
    pub(crate) fn along(&self, eye: f64, speed: DVec2, crossed: DVec2, drop: f64) -> Quadratic {
        let Self { corner, x_rise, y_rise, twist } = *self;
        let (DVec2 { x: p, y: q }, DVec2 { x, y }) = (speed, crossed);
        Quadratic {
            a: corner - eye - x_rise * x - y_rise * y + twist * x * y,
            b: x_rise * p + y_rise * q - twist * (p * y + q * x),
            c: twist * p * q - drop,
        }
    }
}

/// A height over the eye along a line, a + b t + c t². The slope from the eye is a/t + b + c t.
#[derive(Clone, Copy)]
pub(crate) struct Quadratic {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
}

/// A point of a line where the slope from the eye is a maximum.
#[derive(Clone, Copy)]
pub(crate) struct SlopeMaximum {
    pub(crate) slope: f64,
    pub(crate) t: f64,
}

impl Quadratic {
    /// Returns the height at t.
    #[inline(always)]
    pub(crate) fn at(&self, t: f64) -> f64 {
        self.a + t * (self.b + t * self.c)
    }

    /// Returns the t of the maximum slope, unless the slope is monotonic, or its maximum is below `highest`.
    #[inline(always)]
    pub(crate) fn maximum_between(&self, enters: f64, leaves: f64, highest: f64) -> Option<SlopeMaximum> {
        // The maximum slope is b − 2 √(a c), at √(a/c). Most are below, which products decide, in one branch.
        let above = self.b - highest;
        let is_above = (above > 0.0) & (above * above > 3.99 * self.a * self.c);
        if !(is_above & (self.a <= 0.0) & (self.c < 0.0)) {
            return None;
        }
        if self.a == 0.0 {
            return (enters == 0.0).then_some(SlopeMaximum { slope: self.b, t: 0.0 });
        }
        let t = (self.a / self.c).sqrt();
        (enters < t && t < leaves).then(|| SlopeMaximum { slope: self.at(t) / t, t })
    }

    /// Returns the first t at which the slope reaches `slope`.
    #[inline(always)]
    pub(crate) fn rises_to(&self, slope: f64) -> f64 {
        // The root of c t² + (b − slope) t + a at which it rises, without cancellation.
        let b = self.b - slope;
        let root = (b * b - 4.0 * self.a * self.c).max(0.0).sqrt();
        if b > 0.0 { -2.0 * self.a / (b + root) } else { (root - b) / (2.0 * self.c) }
    }
}
