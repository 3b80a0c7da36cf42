//! [`DepthPanorama`]: the distance of the visible surface in each pixel of a panorama.

use crate::grid::ToCell;
use glam::{DVec2, IVec2, ivec2};

use super::config::HorizonError;
use super::highest_pyramid::HighestPyramid;
use super::projection::Projection;
use super::ray::{EyeOverCell, Patch, Ray};
use crate::parallel::*;
use crate::viewshed::{Quadratic, SlopeMaximum, Surface, is_in_sight};

/// A crest of a column, where the surface dips out of sight: the surface above it is farther away.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Crest {
    /// The slope from the eye.
    pub slope: f32,
    /// The distance of the crest in metres.
    pub distance_m: f32,
    /// The distance of the surface in sight above it; infinite for the sky.
    pub behind_m: f32,
}

/// The distance of the surface in each pixel of a panorama, and the crests in each column.
///
/// A ray runs along each column, through the centres of its pixels, from the eye to the edge of the map. Only the first
/// surface in the direction of a pixel is visible: one sweep from near to far fills the pixels from below up to the
/// running maximum slope.
///
/// ```
/// use farsight::Grid;
/// use farsight::horizon::{DepthPanorama, Projection};
/// use farsight::viewshed::Surface;
/// let ground = Grid::from_fn(101, 101, |cell| if cell.y == 20 { 300.0 } else { 0.0 }); // a ridge in the north
/// let surface = Surface::of(&ground, 100.0).with_eye_height(2.0);
/// let panorama = DepthPanorama::of(&surface, (50, 50), &Projection::new(360, 40), f64::INFINITY)?;
/// let ridge = panorama.distance_m(0, 10).expect("5° above the level of the eye"); // the near slope of the ridge
/// assert!((2900.0..3000.0).contains(&ridge));
/// assert_eq!(panorama.distance_m(0, 2), None); // the sky above it
/// assert_eq!(panorama.cell_at(&surface, 0, 10), Some([50, 20].into()));
/// # Ok::<(), farsight::horizon::HorizonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DepthPanorama {
    projection: Projection,
    viewer: IVec2,
    /// Column-major, from above: metres, infinite for the sky.
    distances: Vec<f32>,
    crests: Vec<Vec<Crest>>,
}

impl DepthPanorama {
    /// Computes the panorama of the eye of a surface over a cell up to a range in metres, on all cores with the feature `parallel`. Of the surface, target
    /// height and softness do not count; a canopy counts as opaque.
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn of(
        surface: &Surface<'_>,
        viewer: impl ToCell,
        projection: &Projection,
        max_distance_m: f64,
    ) -> Result<Self, HorizonError> {
        Self::over(surface, None, viewer.to_cell(), projection, max_distance_m)
    }

    /// Computes [`of`](Self::of), faster with a pyramid of a surface that is as high or higher everywhere.
    #[doc(hidden)]
    pub fn over(
        surface: &Surface<'_>,
        pyramid: Option<&HighestPyramid>,
        viewer: IVec2,
        projection: &Projection,
        max_distance_m: f64,
    ) -> Result<Self, HorizonError> {
        let eye = EyeOverCell::new(surface, viewer)?;
        if max_distance_m.is_nan() || max_distance_m <= 0.0 {
            return Err(HorizonError::MaxDistance(max_distance_m));
        }
        projection.check()?;
        let Projection { width, height, .. } = *projection;
        let slopes: Vec<f64> = (0..height).map(|y| projection.slope(y as f64 + 0.5)).collect();
        let mut distances = vec![f32::INFINITY; width * height];
        let columns: Vec<_> = distances.chunks_mut(height).enumerate().collect();
        let crests = columns.into_par_iter().map(|(x, out)| {
            let ray = eye.ray(projection.azimuth_deg(x as f64 + 0.5));
            Column { slopes: &slopes, out, crests: Vec::new() }.fill(&ray, pyramid, max_distance_m)
        });
        let crests = crests.collect();
        Ok(Self { projection: *projection, viewer, distances, crests })
    }

    /// Takes the distances of some pixels from another panorama of the same directions; pixels count column by column from above.
    #[doc(hidden)]
    pub fn replace(&mut self, other: &Self, is_replaced: impl Fn(usize) -> bool) {
        for (pixel, (distance_m, other_m)) in self.distances.iter_mut().zip(&other.distances).enumerate() {
            if is_replaced(pixel) {
                *distance_m = *other_m;
            }
        }
    }

    /// Returns the directions of the pixels.
    pub fn projection(&self) -> &Projection {
        &self.projection
    }

    /// Returns the cell of the viewer.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the distances of a column in metres from above; infinite for the sky.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn column_m(&self, x: usize) -> &[f32] {
        &self.distances[x * self.projection.height..][..self.projection.height]
    }

    /// Returns the crests of a column from below.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn crests(&self, x: usize) -> &[Crest] {
        &self.crests[x]
    }

    /// Returns the distance of the surface in a pixel in metres; `None` for the sky and outside.
    pub fn distance_m(&self, x: usize, y: usize) -> Option<f32> {
        let is_inside = x < self.projection.width && y < self.projection.height;
        let distance_m = is_inside.then(|| self.column_m(x)[y])?;
        distance_m.is_finite().then_some(distance_m)
    }

    /// Returns the map coordinates of the surface in a pixel: 0,0 is the centre of cell 0,0. `None` for the sky.
    pub fn place(&self, surface: &Surface<'_>, x: usize, y: usize) -> Option<DVec2> {
        let distance_m = f64::from(self.distance_m(x, y)?);
        let azimuth = self.projection.azimuth_deg(x as f64 + 0.5).to_radians();
        let way = DVec2::new(libm::sin(azimuth), -libm::cos(azimuth)) * distance_m;
        let cell_size = surface.cell_size;
        Some(self.viewer.as_dvec2() + way / DVec2::new(cell_size.x_m, cell_size.y_m))
    }

    /// Returns the cell of the surface that a pixel shows: the nearest of the surrounding cells with a visible centre.
    /// `None` for the sky, and if all of these centres are hidden.
    pub fn cell_at(&self, surface: &Surface<'_>, x: usize, y: usize) -> Option<IVec2> {
        let place = self.place(surface, x, y)?;
        let low = place.floor().as_ivec2();
        let corners = [ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(1, 1)].map(|corner| low + corner);
        let in_sight = corners.into_iter().filter(|corner| is_in_sight(surface, self.viewer, *corner) == Ok(true));
        let distance = |cell: &IVec2| (cell.as_dvec2() - place).length_squared();
        in_sight.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

/// Computes [`DepthPanorama::of`], faster with the maximum pyramid of a surface that is nowhere lower.
pub fn panorama_over(
    surface: &Surface<'_>,
    pyramid: Option<&HighestPyramid>,
    viewer: IVec2,
    projection: &Projection,
    max_distance_m: f64,
) -> Result<DepthPanorama, HorizonError> {
    let eye = EyeOverCell::new(surface, viewer)?;
    if max_distance_m.is_nan() || max_distance_m <= 0.0 {
        return Err(HorizonError::MaxDistance(max_distance_m));
    }
    let Projection { width, height, .. } = *projection;
    let slopes: Vec<f64> = (0..height).map(|y| projection.slope(y as f64 + 0.5)).collect();
    let mut distances = vec![f32::INFINITY; width * height];
    let columns: Vec<_> = distances.chunks_mut(height.max(1)).enumerate().collect();
    let crests = columns.into_par_iter().map(|(x, out)| {
        let ray = eye.ray(projection.azimuth_deg(x as f64 + 0.5));
        Column { slopes: &slopes, out, crests: Vec::new() }.fill(&ray, pyramid, max_distance_m)
    });
    let crests = crests.collect();
    Ok(DepthPanorama { projection: *projection, viewer, distances, crests })
}

/// Copies the distances of some pixels from another panorama of the same directions; pixel indices are column-major, from above.
pub fn replace_distances(panorama: &mut DepthPanorama, other: &DepthPanorama, is_replaced: impl Fn(usize) -> bool) {
    for (pixel, (distance_m, other_m)) in panorama.distances.iter_mut().zip(&other.distances).enumerate() {
        if is_replaced(pixel) {
            *distance_m = *other_m;
        }
    }
}

/// A column of pixels, filled from below.
struct Column<'a> {
    /// The slopes of its pixels from above.
    slopes: &'a [f64],
    out: &'a mut [f32],
    crests: Vec<Crest>,
}

impl Column<'_> {
    fn fill(mut self, ray: &Ray<'_, '_>, pyramid: Option<&HighestPyramid>, max_distance_m: f64) -> Vec<Crest> {
        let (mut free, mut highest, mut crest_m, mut is_hidden) = (self.slopes.len(), f64::NEG_INFINITY, 0.0, false);
        let mut passed_m = 0.0;
        ray.for_each_rising_patch(max_distance_m, pyramid, |patch| {
            let Patch { over, enters, leaves } = patch;
            is_hidden |= *enters > passed_m; // skipped patches are hidden
            passed_m = *leaves;
            // Most patches are hidden, which a product detects.
            let at_end = over.at(*leaves);
            let rises = at_end > highest * leaves;
            let maximum = over.maximum_between(*enters, *leaves, highest).filter(|top| top.slope > highest);
            if !rises && maximum.is_none() {
                is_hidden = true;
                return highest;
            }
            let at_end = SlopeMaximum { slope: at_end / leaves, t: *leaves };
            let SlopeMaximum { slope: top, t: top_m } = maximum.unwrap_or(at_end);
            if is_hidden && highest > f64::NEG_INFINITY {
                let behind_m = within(over, highest, patch) as f32;
                self.crests.push(Crest { slope: highest as f32, distance_m: crest_m as f32, behind_m });
            }
            while free > 0 && self.slopes[free - 1] <= top {
                free -= 1;
                self.out[free] = within(over, self.slopes[free], patch) as f32;
            }
            (highest, crest_m, is_hidden) = (top, top_m, maximum.is_some());
            highest
        });
        if highest > f64::NEG_INFINITY {
            let (slope, distance_m) = (highest as f32, crest_m as f32);
            self.crests.push(Crest { slope, distance_m, behind_m: f32::INFINITY });
        }
        self.crests
    }
}

/// Returns the distance at which a patch rises to a slope.
#[inline(always)]
fn within(over: &Quadratic, slope: f64, patch: &Patch) -> f64 {
    let at = over.rises_to(slope);
    if at > patch.enters { at.min(patch.leaves) } else { patch.enters }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    #[test]
    fn skipped_patches_do_not_change_a_bit() {
        let mut state = 5u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f32 / 2_147_483_648.0
        };
        for (roughness, curvature) in [(0.0, 0.86), (20.0, 0.0), (300.0, -1.0)] {
            let ground = Grid::from_fn(310, 170, |cell| {
                let hills = (cell.x as f32 * 0.09).sin() * 300.0 + (cell.y as f32 * 0.05).cos() * 200.0;
                if random() < 0.002 { f32::NAN } else { 1000.0 + hills + roughness * random() }
            });
            let surface = Surface::of(&ground, crate::grid::CellSize::new(25.0, 30.0)).with_eye_height(40.0);
            let surface = surface.with_curvature(curvature);
            let pyramid = HighestPyramid::new(ground.size(), |cell| ground[cell]);
            for viewer in [ivec2(150, 80), ivec2(3, 160), ivec2(309, 0)] {
                if ground[viewer].is_nan() {
                    continue;
                }
                for (width, max_distance_m) in [(720, f64::INFINITY), (97, 3000.0)] {
                    let projection = Projection::new(width, 90);
                    let plain = DepthPanorama::of(&surface, viewer, &projection, max_distance_m).unwrap();
                    let found = panorama_over(&surface, Some(&pyramid), viewer, &projection, max_distance_m).unwrap();
                    assert!(plain == found, "{viewer}, roughness {roughness}, curvature {curvature}");
                }
            }
        }
    }
}
