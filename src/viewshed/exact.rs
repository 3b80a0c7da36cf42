//! The definition of the exact grade: one line to the centre of a cell, over the bilinear surface between cell centres.
//!
//! A [`SightLine`] crosses patches between four cell centres. In each, its height over the eye is a quadratic a + b t + c t² (with
//! curvature), where t is 0 at the eye and 1 at the target, and the slope of the ground is a/t + b + c t, with its
//! maximum at an end of the patch, or at √(a/c) if a and c are below 0. Nothing is sampled. The patch next to the eye
//! is included, starting at the eye; only the line to a cell of the first ring is free by convention. A patch with a
//! nodata cell is a gap.
//!
//! A line takes a step for each row and column that it crosses. [`octants`](super::octants) computes all cells of a
//! disc with the same bits, and traces few lines.

use glam::{DVec2, IVec2};

use super::bilinear::Bilinear;
use super::canopy::{canopy_depth, transmittance};
use super::surface::{NO_HORIZON, Quantity, Surface, SurfaceTerms};
use crate::grid::{CellRect, Grid, ToCell};
use crate::sight::{PathRule, SightError};

/// Returns `true` if the ground of a cell is in sight of the eye over another cell, with a hard edge: if
/// [`Viewshed::compute`](super::Viewshed::compute) with an exact method sees it. Canopy, target height and softness are
/// ignored; obstacles count. `false` off the surface and for nodata.
///
/// ```
/// use farsight::Grid;
/// use farsight::viewshed::{Surface, is_in_sight};
/// let ground = Grid::from_fn(9, 1, |cell| if cell.x == 4 { 3.0 } else { 0.0 }); // a wall of 3 m
/// let surface = Surface::of(&ground, 10.0).with_eye_height(1.7);
/// assert!(is_in_sight(&surface, (0, 0), (4, 0))? && !is_in_sight(&surface, (0, 0), (5, 0))?);
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
///
/// # Errors
/// [`SightError`] for numbers of the surface that are out of range, and for a viewer off the surface or on nodata.
pub fn is_in_sight(surface: &Surface<'_>, viewer: impl ToCell, cell: impl ToCell) -> Result<bool, SightError> {
    let (viewer, cell) = (viewer.to_cell(), cell.to_cell());
    let surface = surface.with_canopy(None).with_target_height(0.0);
    surface.check(viewer)?;
    let extent = CellRect::of_size(surface.ground.size());
    if !extent.contains(viewer) {
        return Err(SightError::ViewerOutside { viewer, extent });
    }
    if !extent.contains(cell) || cell == viewer {
        return Ok(cell == viewer);
    }
    let terms = SurfaceTerms::new(&surface, viewer, PathRule::default());
    Ok(evaluate(&terms, cell - viewer, Quantity::Clearance) >= 0.0)
}

/// Returns a quantity of the cell at an offset from the viewer's, which must be a different cell on the map.
pub(super) fn evaluate(terms: &SurfaceTerms<'_>, offset: IVec2, quantity: Quantity) -> f32 {
    evaluate_below(terms, offset, quantity, SightLine::new(terms, offset).horizon())
}

/// Returns a quantity of the cell at an offset from the viewer's, behind a horizon in metres over the eye at the cell.
pub(super) fn evaluate_below(terms: &SurfaceTerms<'_>, offset: IVec2, quantity: Quantity, horizon: f64) -> f32 {
    let target = target(terms, offset);
    let clearance = (target - horizon) as f32;
    match quantity {
        Quantity::Clearance => clearance,
        Quantity::Visibility if terms.cover.is_none() => terms.visibility(clearance),
        Quantity::Visibility => {
            let visibility = terms.visibility(clearance);
            if visibility == 0.0 {
                return 0.0; // its line need not be read
            }
            let depth = canopy_depth(terms, offset, target.max(horizon), f64::INFINITY);
            visibility * transmittance(depth)
        }
    }
}

/// Returns the height of a target over the eye, less what curvature takes; NaN without data.
pub(super) fn target(terms: &SurfaceTerms<'_>, offset: IVec2) -> f64 {
    let ground = f64::from(terms.ground[terms.viewer + offset]);
    ground - terms.eye - terms.drop * terms.squared(offset) + f64::from(terms.target_height)
}

/// Returns a slope that is so far below another that no rounding of it is above: so the order of the patches does not change a bit.
#[inline(always)]
fn surely_below(slope: f64) -> f64 {
    slope - slope.abs() * 1e-14
}

/// The line of sight to the centre of a cell.
pub(super) struct SightLine<'a, 'g> {
    terms: &'a SurfaceTerms<'g>,
    step: IVec2,
    /// The absolute offset of the target in cells.
    size: [i64; 2],
    /// The drop by curvature at the target in metres.
    drop: f64,
}

impl<'a, 'g> SightLine<'a, 'g> {
    pub(super) fn new(terms: &'a SurfaceTerms<'g>, offset: IVec2) -> Self {
        let size = offset.abs().to_array().map(i64::from);
        Self { terms, step: offset.signum(), size, drop: terms.drop * terms.squared(offset) }
    }

    /// Returns the ring of the target.
    fn last_ring(&self) -> i64 {
        self.size[0].max(self.size[1])
    }

    /// Returns the slope of the horizon, as metres over the eye at the target; [`NO_HORIZON`] without an obstacle.
    pub(super) fn horizon(&self) -> f64 {
        if self.size.contains(&0) && self.last_ring() == 1 {
            return f64::from(NO_HORIZON);
        }
        self.raise(f64::from(NO_HORIZON), 0, self.last_ring())
    }

    /// Returns the maximum of a slope and the slopes of ground and obstacles between two rings.
    pub(super) fn raise(&self, highest: f64, first_ring: i64, last_ring: i64) -> f64 {
        let Self { terms: &SurfaceTerms { ground, obstacles, viewer, .. }, step, size, .. } = *self;
        let ground = ground.as_slice();
        let Some(obstacles) = obstacles.map(Grid::as_slice) else {
            return self.raise_over(|cell| f64::from(ground[cell as usize]), highest, first_ring, last_ring);
        };
        let index = |cell: IVec2| i64::from(cell.y) * self.terms.ground.width() as i64 + i64::from(cell.x);
        let ends = [viewer, viewer + step * IVec2::new(size[0] as i32, size[1] as i32)].map(index);
        let height = |cell: i64| {
            let (own, obstacle) = (ground[cell as usize], obstacles[cell as usize]);
            f64::from(if ends.contains(&cell) { own } else { SurfaceTerms::top_of(own, obstacle) })
        };
        self.raise_over(height, highest, first_ring, last_ring)
    }

    /// [`raise`](Self::raise) over the heights of cells, by their index.
    #[inline(never)]
    fn raise_over(&self, height: impl Fn(i64) -> f64, mut highest: f64, first_ring: i64, last_ring: i64) -> f64 {
        let [p, q] = self.size;
        let long = self.last_ring();
        let short = if first_ring == 0 { 0 } else { first_ring * p.min(q) / long };
        // The columns and rows that were crossed. The next column is at t = (a + 1)/p, the next row at (b + 1)/q.
        let (mut a, mut b) = if p == long { (first_ring, short) } else { (short, first_ring) };
        let (ground, viewer) = (self.terms.ground, self.terms.viewer);
        let width = ground.width() as i64;
        // A line along a row or column reads two cells of a patch instead of four: there is no step to the others.
        let (to_next_column, to_next_row) = (i64::from(self.step.x), i64::from(self.step.y) * width);
        let mut near = i64::from(viewer.y) * width + i64::from(viewer.x) + to_next_column * a + to_next_row * b;
        let speed = DVec2::new(p as f64, q as f64);
        let mut entered = first_ring as f64 / long as f64;
        while if p == long { a } else { b } < last_ring {
            let (column, row) = ((a + 1) * q, (b + 1) * p);
            let to_column = (q == 0) | ((p != 0) & (column <= row));
            let to_row = (p == 0) | ((q != 0) & (row <= column));
            let (crossed, cells) = if to_column { (a + 1, p) } else { (b + 1, q) };
            let leaves = crossed as f64 / cells as f64;
            let corners = [near, near + to_next_column, near + to_next_row, near + to_next_column + to_next_row];
            let surface = Bilinear::of_corners(corners.map(&height));
            let over = surface.along(self.terms.eye, speed, DVec2::new(a as f64, b as f64), self.drop);
            a += i64::from(to_column);
            b += i64::from(to_row);
            near += i64::from(to_column) * to_next_column + i64::from(to_row) * to_next_row;
            for (t, counts) in [(entered, entered > 0.0), (leaves, (a, b) != (p, q))] {
                let rise = over.at(t);
                // Most points are far below, which a product decides.
                if (rise > surely_below(highest) * t) & counts {
                    highest = highest.max(rise / t);
                }
            }
            if let Some(maximum) = over.maximum_between(entered, leaves, surely_below(highest)) {
                highest = highest.max(maximum.slope);
            }
            entered = leaves;
        }
        highest
    }
}
