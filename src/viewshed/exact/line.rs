//! [`Line`]: the line of sight to one cell, patch by patch.

use glam::{IVec2, ivec2};

use crate::viewshed::ring_terms::NO_HORIZON;
use crate::viewshed::surface_terms::SurfaceTerms;

/// The line of sight to the centre of a cell.
pub(super) struct Line<'a, 'g> {
    terms: &'a SurfaceTerms<'g>,
    step: IVec2,
    /// Cells from the viewer to the target, without signs.
    size: [i64; 2],
    /// Metres that curvature takes at the target.
    drop: f64,
}

impl<'a, 'g> Line<'a, 'g> {
    pub(super) fn new(terms: &'a SurfaceTerms<'g>, offset: IVec2) -> Self {
        let size = offset.abs().to_array().map(i64::from);
        Self { terms, step: offset.signum(), size, drop: terms.drop * terms.squared(offset) }
    }

    /// Returns the ring of the target.
    fn last_ring(&self) -> i64 {
        self.size[0].max(self.size[1])
    }

    /// Returns the slope of the horizon, as metres over the eye at the target; [`NO_HORIZON`] if nothing is in the way.
    pub(super) fn horizon(&self) -> f64 {
        if self.last_ring() == 1 {
            return f64::from(NO_HORIZON);
        }
        self.raise(f64::from(NO_HORIZON), 0, self.last_ring())
    }

    /// Returns the greater of a slope and the slopes of the ground between two rings.
    #[inline(never)]
    pub(super) fn raise(&self, mut highest: f64, first_ring: i64, last_ring: i64) -> f64 {
        let [p, q] = self.size;
        let long = self.last_ring();
        // The columns and rows that were crossed. The next column is at t = (a + 1)/p, the next row at (b + 1)/q.
        let (mut a, mut b) = (first_ring * p / long, first_ring * q / long);
        let mut entered = first_ring as f64 / long as f64;
        while if p == long { a } else { b } < last_ring {
            let (column, row) = ((a + 1) * q, (b + 1) * p);
            let to_column = q == 0 || (p != 0 && column <= row);
            let to_row = p == 0 || (q != 0 && row <= column);
            let leaves = if to_column { (a + 1) as f64 / p as f64 } else { (b + 1) as f64 / q as f64 };
            let over = self.along_patch([a, b]);
            a += i64::from(to_column);
            b += i64::from(to_row);
            let ends = [(entered, entered > 0.0), (leaves, (a, b) != (p, q))];
            for (t, counts) in ends {
                let slope = over.at(t) / t;
                if counts && slope > highest {
                    highest = slope;
                }
            }
            if over.a < 0.0 && over.c < 0.0 {
                let t = (over.a / over.c).sqrt();
                let slope = over.at(t) / t;
                if entered < t && t < leaves && slope > highest {
                    highest = slope;
                }
            }
            // An eye on the ground: the slope falls from b at the eye.
            if entered == 0.0 && over.a == 0.0 && over.c < 0.0 && over.b > highest {
                highest = over.b;
            }
            entered = leaves;
        }
        highest
    }

    /// Returns the height over the eye along the line in the patch whose corner next to the viewer is some cells away. A
    /// line along a row or column reads two cells instead of four.
    fn along_patch(&self, at: [i64; 2]) -> Quadratic {
        let corner = self.terms.viewer + self.step * ivec2(at[0] as i32, at[1] as i32);
        let height = |x: i32, y: i32| f64::from(self.terms.ground[corner + self.step * ivec2(x, y)]);
        let [along_x, along_y] = self.size.map(|cells| i32::from(cells != 0));
        let origin = height(0, 0);
        let by_x = height(along_x, 0) - origin;
        let by_y = height(0, along_y) - origin;
        let by_both = height(along_x, along_y) - origin - by_x - by_y;
        // Relative to the corner, the line is at (p t − a, q t − b).
        let ([p, q], [a, b]) = (self.size.map(|v| v as f64), at.map(|v| v as f64));
        Quadratic {
            a: origin - self.terms.eye - by_x * a - by_y * b + by_both * a * b,
            b: by_x * p + by_y * q - by_both * (p * b + q * a),
            c: by_both * p * q - self.drop,
        }
    }
}

/// a + b t + c t².
struct Quadratic {
    a: f64,
    b: f64,
    c: f64,
}

impl Quadratic {
    fn at(&self, t: f64) -> f64 {
        self.a + t * (self.b + t * self.c)
    }
}
