//! [`Horizon`]: the skyline of an eye and the ridges in front of it.

use glam::IVec2;

use super::config::{HorizonConfig, HorizonError};
use super::ray::{EyeOverCell, Patch, Ray};
use crate::grid::ToCell;
use crate::parallel::*;
use crate::sight::OutOfRange;
use crate::viewshed::{Quadratic, SlopeMaximum, Surface};

/// A ridge: the skyline, or a ridge in front of it that hides the ground behind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ridge {
    /// The slope from the eye: rise over run, including the drop by curvature.
    pub slope: f64,
    /// The horizontal distance from the eye to the point of the ridge on the line, which may be between the centres of cells: 0
    /// where an eye on the ground has its horizon just before it.
    pub distance_m: f64,
    /// The cell whose centre is nearest to the point.
    pub cell: IVec2,
    /// The height of the ground at the point, or of the trees on it, in metres above the sea; interpolated between the centres of cells.
    pub height_m: f64,
    /// The distance at which the ground is in sight again; `None` for the skyline.
    pub behind_m: Option<f64>,
}

impl Ridge {
    /// Returns the angle over the level of the eye in degrees, from −90 to 90.
    pub fn elevation_deg(&self) -> f64 {
        libm::atan(self.slope).to_degrees()
    }
}

/// The horizon along one azimuth.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AzimuthHorizon {
    /// The direction, clockwise from north, from 0 to below 360 degrees.
    pub azimuth_deg: f64,
    /// From near to far and from low to high: the last is the skyline. Empty if there is no data in this direction.
    pub ridges: Vec<Ridge>,
    /// The distance of the edge of the map, at most the range. Beyond it there may be higher ground.
    pub end_m: f64,
}

impl AzimuthHorizon {
    /// Computes the horizon along one azimuth, in degrees clockwise from north; see [`Horizon::of`]. The number of
    /// azimuths is ignored.
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn of(
        surface: &Surface<'_>,
        viewer: impl ToCell,
        azimuth_deg: f64,
        config: &HorizonConfig,
    ) -> Result<Self, HorizonError> {
        config.check()?;
        OutOfRange::check("azimuth_deg", azimuth_deg, ..)?;
        let azimuth_deg = azimuth_deg.rem_euclid(360.0);
        let eye = EyeOverCell::new(surface, viewer.to_cell())?;
        Ok(follow(&eye.ray(azimuth_deg - config.convergence_deg), azimuth_deg, config))
    }

    /// Returns the highest ridge; `None` if there is no data in this direction.
    pub fn skyline(&self) -> Option<&Ridge> {
        self.ridges.last()
    }
}

/// The horizon of an eye, azimuth by azimuth. By default those of 360 azimuths to the edge of the map; see [`HorizonConfig`].
///
/// ```
/// use farsight::Grid;
/// use farsight::horizon::{Horizon, HorizonConfig};
/// use farsight::viewshed::Surface;
/// let ground = Grid::from_fn(101, 101, |cell| if cell.y == 20 { 300.0 } else { 0.0 }); // a ridge in the north
/// let surface = Surface::of(&ground, 100.0).with_eye_height(2.0);
/// let horizon = Horizon::of(&surface, (50, 50), &HorizonConfig::default().with_azimuths(8))?;
/// let north = horizon.azimuths()[0].skyline().expect("there is data");
/// assert_eq!((north.cell.to_array(), north.distance_m), ([50, 20], 3000.0));
/// assert!((north.elevation_deg() - 5.67).abs() < 0.01); // 298 m over 3 km
/// assert!(horizon.azimuths()[4].skyline().expect("there is data").slope < 0.0); // the plain in the south
/// # Ok::<(), farsight::horizon::HorizonError>(())
/// ```
#[doc(alias = "skyline")]
#[derive(Clone, Debug, PartialEq)]
pub struct Horizon {
    viewer: IVec2,
    azimuths: Vec<AzimuthHorizon>,
}

impl Horizon {
    /// Computes the horizon of the eye of a surface over a cell, on all cores with the feature `parallel`. Of the surface, target height and softness
    /// do not count.
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn of(surface: &Surface<'_>, viewer: impl ToCell, config: &HorizonConfig) -> Result<Self, HorizonError> {
        let viewer = viewer.to_cell();
        config.check()?;
        let eye = EyeOverCell::new(surface, viewer)?;
        let along = |i: u32| {
            let azimuth_deg = 360.0 * f64::from(i) / f64::from(config.azimuths);
            follow(&eye.ray(azimuth_deg - config.convergence_deg), azimuth_deg, config)
        };
        let azimuths = (0..config.azimuths).into_par_iter().map(along).collect();
        Ok(Self { viewer, azimuths })
    }

    /// Returns the cell of the viewer.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the horizon of each azimuth, from north over east.
    pub fn azimuths(&self) -> &[AzimuthHorizon] {
        &self.azimuths
    }
}

/// Follows a ray to the edge of the map or the end of the range.
fn follow(ray: &Ray<'_, '_>, azimuth_deg: f64, config: &HorizonConfig) -> AzimuthHorizon {
    let mut ridges = Ridges { found: Vec::new(), highest: None, is_hidden: false, min_gap_m: config.min_gap_m };
    let mut after_gap = false;
    let end_m = ray.for_each_patch(config.max_distance_m, |Patch { over, enters, leaves }| {
        if over.a.is_nan() {
            after_gap = true;
            return;
        }
        if after_gap {
            // At the border of two patches, the slope of the second differs only by rounding.
            ridges.pass(over, *enters);
            after_gap = false;
        }
        let highest = ridges.highest_slope();
        if let Some(maximum) = over.maximum_between(*enters, *leaves, highest).filter(|top| top.slope > highest) {
            ridges.rise_to(maximum);
        }
        ridges.pass(over, *leaves);
    });
    let ridge = |(slope, distance_m, behind_m)| {
        let (cell, height_m) = (ray.cell_at(distance_m), ray.height_m(slope, distance_m));
        Ridge { slope, distance_m, cell, height_m, behind_m }
    };
    AzimuthHorizon { azimuth_deg, ridges: ridges.finish().into_iter().map(ridge).collect(), end_m }
}

/// The ridges so far, from near to far, as slopes and distances, with the distance behind.
struct Ridges {
    found: Vec<(f64, f64, Option<f64>)>,
    /// The running maximum slope, and its distance.
    highest: Option<(f64, f64)>,
    /// `true` if the ground has dipped below it since.
    is_hidden: bool,
    min_gap_m: f64,
}

impl Ridges {
    /// Returns the running maximum slope.
    #[inline(always)]
    fn highest_slope(&self) -> f64 {
        self.highest.map_or(f64::NEG_INFINITY, |(slope, _)| slope)
    }

    /// Adds the point of a patch at a distance. Most points are hidden, which a product detects.
    #[inline(always)]
    fn pass(&mut self, over: &Quadratic, t: f64) {
        let rise = over.at(t);
        if let Some((highest, _)) = self.highest {
            if rise < highest * t {
                self.is_hidden = true;
                return;
            }
            if rise == highest * t {
                return;
            }
        }
        self.rise_to(SlopeMaximum { slope: rise / t, t });
    }

    /// Passes a point that is in sight.
    #[inline(always)]
    fn rise_to(&mut self, SlopeMaximum { slope, t }: SlopeMaximum) {
        if let Some((highest, at)) = self.highest.filter(|(_, at)| self.is_hidden && t - at >= self.min_gap_m) {
            self.found.push((highest, at, Some(t)));
        }
        (self.highest, self.is_hidden) = (Some((slope, t)), false);
    }

    fn finish(mut self) -> Vec<(f64, f64, Option<f64>)> {
        self.found.extend(self.highest.map(|(slope, at)| (slope, at, None)));
        self.found
    }
}
