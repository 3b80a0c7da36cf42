//! [`Ray`]: a line from the eye, and the height of the surface along it, patch by patch.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DVec2, IVec2, dvec2, ivec2};

use super::config::HorizonError;
use super::highest_pyramid::HighestPyramid;
use crate::grid::{CellSize, Grid};
use crate::viewshed::{Bilinear, Canopy, CanopyLaw, Quadratic, Surface};

/// The eye over a cell of a surface.
#[derive(Clone, Copy)]
pub(super) struct EyeOverCell<'a, 's> {
    pub(super) surface: &'a Surface<'s>,
    pub(super) viewer: IVec2,
    /// Metres over the sea.
    pub(super) height_m: f64,
}

impl<'a, 's> EyeOverCell<'a, 's> {
    /// Returns the eye of a surface over a cell.
    pub(super) fn new(surface: &'a Surface<'s>, viewer: IVec2) -> Result<Self, HorizonError> {
        if !(0.0..f64::INFINITY).contains(&surface.eye_height) {
            return Err(HorizonError::EyeHeight(surface.eye_height));
        }
        surface.check_numbers()?;
        let ground_m =
            *surface.ground.get(viewer).ok_or(HorizonError::ViewerOutside { viewer, size: surface.ground.size() })?;
        if ground_m.is_nan() {
            return Err(HorizonError::ViewerWithoutData(viewer));
        }
        Ok(Self { surface, viewer, height_m: f64::from(ground_m) + surface.eye_height })
    }

    /// Returns the ray at an azimuth in degrees, clockwise from north.
    pub(super) fn ray(&self, azimuth_deg: f64) -> Ray<'a, 's> {
        let drop = Surface::drop_m(self.surface.curvature, 1.0);
        Ray { eye: *self, course: Course::new(azimuth_deg, self.surface.cell_size), drop }
    }
}

/// The direction of a line from the centre of a cell: at the distance t in metres its offset is `speed` · t columns and
/// rows, counted along `step`, which is 0 along an axis.
#[derive(Clone, Copy)]
pub(super) struct Course {
    pub(super) step: IVec2,
    pub(super) speed: DVec2,
    /// Metres per column and per row; infinite along an axis.
    metres: DVec2,
}

impl Course {
    /// Returns the course at an azimuth in degrees, clockwise from north.
    pub(super) fn new(azimuth_deg: f64, cell_size: CellSize) -> Self {
        let (sin, cos) = sin_cos_deg(azimuth_deg);
        let speed = dvec2(sin / cell_size.x_m, -cos / cell_size.y_m);
        let is_along = ivec2(i32::from(speed.x != 0.0), i32::from(speed.y != 0.0));
        let step = speed.signum().as_ivec2() * is_along;
        Self { step, speed: speed.abs(), metres: 1.0 / speed.abs() }
    }

    /// Returns the distance at which the line leaves the patch after some crossed columns and rows, at most
    /// `max_distance_m`, and whether it crosses a column and a row at that point.
    #[inline(always)]
    pub(super) fn leave(&self, crossed: IVec2, max_distance_m: f64) -> (f64, [bool; 2]) {
        let next = (crossed.as_dvec2() + 1.0) * self.metres;
        let leaves = next.min_element().min(max_distance_m);
        (leaves, [next.x <= leaves, next.y <= leaves])
    }
}

/// A line from the eye.
pub(super) struct Ray<'a, 's> {
    eye: EyeOverCell<'a, 's>,
    course: Course,
    /// The drop by curvature at a distance of 1 m.
    drop: f64,
}

/// A patch of the surface that a ray crosses, between two distances in metres.
pub(super) struct Patch {
    /// The height over the eye at the distance t in metres; NaN for nodata.
    pub(super) over: Quadratic,
    pub(super) enters: f64,
    pub(super) leaves: f64,
}

/// The number of patches that are visited before hidden ones are skipped together.
const LEAST_RUN: i32 = 16;
/// An upper bound of the error of a computed slope.
const SLOPE_MARGIN: f64 = 1e-9;

impl Ray<'_, '_> {
    /// Calls `pass` with every patch from the eye to the edge of the map or the end of the range. Returns the distance
    /// of that end.
    #[inline(always)]
    pub(super) fn for_each_patch(&self, max_distance_m: f64, mut pass: impl FnMut(&Patch)) -> f64 {
        self.for_each_rising_patch(max_distance_m, None, |patch| {
            pass(patch);
            f64::NEG_INFINITY
        })
    }

    /// Like [`for_each_patch`](Self::for_each_patch), but uses a pyramid to skip most patches below the slope that
    /// `pass` returned last. A patch that does not start at the end of the previous one follows skipped patches.
    #[inline(always)]
    pub(super) fn for_each_rising_patch(
        &self,
        max_distance_m: f64,
        pyramid: Option<&HighestPyramid>,
        mut pass: impl FnMut(&Patch) -> f64,
    ) -> f64 {
        let Self { eye: EyeOverCell { surface, viewer, height_m: eye_m }, course, drop } = *self;
        let Course { step, speed, .. } = course;
        let (heights, size) = (SurfaceHeights::of(surface), surface.ground.size());
        // The maximum numbers of crossed columns and rows.
        let to_edge = |at: i32, size: i32, step: i32| match step {
            0 => i32::MAX,
            1 => size - 1 - at,
            _ => at,
        };
        let room = ivec2(to_edge(viewer.x, size.x, step.x), to_edge(viewer.y, size.y, step.y));
        let column = step.x as isize;
        let row = step.y as isize * size.x as isize;
        let mut near = viewer.y as isize * size.x as isize + viewer.x as isize;
        let (mut crossed, mut enters) = (IVec2::ZERO, 0.0);
        if room.min_element() <= 0 {
            return 0.0;
        }
        let corners = |near: isize| [near, near + column, near + row, near + column + row].map(|at| heights.at(at));
        let [mut first, mut by_x, mut by_y, mut by_both] = corners(near);
        let (mut slope, mut passed, mut run) = (f64::NEG_INFINITY, 0, LEAST_RUN);
        while enters < max_distance_m {
            if let Some(pyramid) = pyramid.filter(|_| passed == LEAST_RUN) {
                passed = 0;
                let mut is_skipped = false;
                while let Some(end) = self.end_of_hidden(pyramid, (crossed, enters), run, room, max_distance_m, slope) {
                    (crossed, enters, is_skipped) = (end.0, end.1, true);
                    run *= 2;
                }
                run = (run / 2).max(LEAST_RUN);
                if is_skipped {
                    let at = viewer + step * crossed;
                    near = at.y as isize * size.x as isize + at.x as isize;
                    [first, by_x, by_y, by_both] = corners(near);
                }
            }
            passed += 1;
            let (leaves, [crosses_column, crosses_row]) = course.leave(crossed, max_distance_m);
            let surface = Bilinear::of_corners([first, by_x, by_y, by_both]);
            let over = surface.along(eye_m, speed, crossed.as_dvec2(), drop);
            slope = pass(&Patch { over, enters, leaves });
            enters = leaves;
            crossed += ivec2(i32::from(crosses_column), i32::from(crosses_row));
            if crossed.x >= room.x || crossed.y >= room.y {
                break; // the edge of the map
            }
            // Neighbours share two of their corners.
            match (crosses_column, crosses_row) {
                (true, false) => {
                    near += column;
                    (first, by_y) = (by_x, by_both);
                    (by_x, by_both) = (heights.at(near + column), heights.at(near + column + row));
                }
                (false, true) => {
                    near += row;
                    (first, by_x) = (by_y, by_both);
                    (by_y, by_both) = (heights.at(near + row), heights.at(near + column + row));
                }
                (true, true) => {
                    near += column + row;
                    first = by_both;
                    (by_x, by_y) = (heights.at(near + column), heights.at(near + row));
                    by_both = heights.at(near + column + row);
                }
                (false, false) => {}
            }
        }
        enters
    }

    /// Returns the position of the ray after the next columns, or rows if it crosses more rows: the crossed columns and
    /// rows, and the distance. `None` if a patch on the way may exceed a slope, or is at an end of the ray.
    fn end_of_hidden(
        &self,
        pyramid: &HighestPyramid,
        (crossed, enters): (IVec2, f64),
        run: i32,
        room: IVec2,
        max_distance_m: f64,
        slope: f64,
    ) -> Option<(IVec2, f64)> {
        let Self { eye, course: Course { step, speed, metres }, drop } = *self;
        let is_across = speed.x >= speed.y;
        let [(most, most_m), (least, least_m)] = match is_across {
            true => [(crossed.x, metres.x), (crossed.y, metres.y)],
            false => [(crossed.y, metres.y), (crossed.x, metres.x)],
        };
        let most = most + run;
        let leaves = f64::from(most) * most_m;
        // The same distance as if they were crossed one by one.
        let mut least = least.max((leaves / least_m) as i32);
        while f64::from(least + 1) * least_m <= leaves {
            least += 1;
        }
        while least > 0 && f64::from(least) * least_m > leaves {
            least -= 1;
        }
        let end = if is_across { ivec2(most, least) } else { ivec2(least, most) };
        if end.cmpge(room).any() || leaves >= max_distance_m {
            return None;
        }
        let highest = pyramid.between(eye.viewer + step * crossed, eye.viewer + step * (end + 1));
        let rise = f64::from(highest) - eye.height_m;
        let steepest = rise / if rise > 0.0 { enters } else { leaves } - (drop * enters).min(drop * leaves);
        (steepest + SLOPE_MARGIN < slope).then_some((end, leaves))
    }

    /// Returns the cell nearest to the ray at a distance.
    pub(super) fn cell_at(&self, distance_m: f64) -> IVec2 {
        self.eye.viewer + self.course.step * (self.course.speed * distance_m).round().as_ivec2()
    }

    /// Returns the height above the sea of a point at a distance and a slope from the eye.
    pub(super) fn height_m(&self, slope: f64, distance_m: f64) -> f64 {
        self.eye.height_m + distance_m * (slope + self.drop * distance_m)
    }
}

/// The heights of the ground, or of obstacles and trees on it; NaN for nodata.
#[derive(Clone, Copy)]
pub(super) struct SurfaceHeights<'a> {
    ground: &'a [f32],
    obstacles: Option<&'a [f32]>,
    canopy: Option<Canopy<'a>>,
}

impl<'a> SurfaceHeights<'a> {
    pub(super) fn of(surface: &Surface<'a>) -> Self {
        let obstacles = surface.obstacles.map(Grid::as_slice);
        Self { ground: surface.ground.as_slice(), obstacles, canopy: surface.canopy }
    }

    #[inline(always)]
    pub(super) fn at(&self, cell: isize) -> f64 {
        let cell = cell as usize;
        let ground = f64::from(self.ground[cell]);
        let top = self.obstacles.map_or(ground, |obstacles| f64::from(obstacles[cell]));
        let top = if top > ground { top } else { ground };
        let Some(canopy) = self.canopy else { return top };
        let cover = f64::from(canopy.cover.as_slice()[cell]);
        let power = if canopy.law == CanopyLaw::Height { cover } else { cover * cover };
        let crown = ground + canopy.height * power;
        if cover > 0.0 && crown > top { crown } else { top }
    }
}

/// Returns sine and cosine of an angle in degrees, exact at multiples of 90, and equal at 45.
fn sin_cos_deg(angle: f64) -> (f64, f64) {
    let quarter = (angle / 90.0).round();
    let rest = angle - 90.0 * quarter;
    let (sin, cos) = match rest.abs() == 45.0 {
        true => (FRAC_1_SQRT_2.copysign(rest), FRAC_1_SQRT_2),
        false => libm::sincos(rest.to_radians()),
    };
    match quarter.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}
