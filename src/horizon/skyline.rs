//! [`Horizon`]: the skyline of an eye and the ridges before it.

use glam::{DVec2, IVec2, dvec2, ivec2};

use crate::parallel::*;
use crate::setters::setters;
use crate::viewshed::Surface;

/// The azimuths and the range of a [`Horizon`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HorizonConfig {
    /// The number of azimuths, 1 to [`MAX_AZIMUTHS`](Self::MAX_AZIMUTHS): evenly all around, from north over east.
    pub azimuths: u32,
    /// The range in metres, above 0. Infinite: to the edge of the map.
    pub max_distance_m: f64,
    /// The least depth in metres, 0 or more, that is out of sight behind a ridge that is told.
    pub min_gap_m: f64,
}

impl Default for HorizonConfig {
    fn default() -> Self {
        Self { azimuths: 360, max_distance_m: f64::INFINITY, min_gap_m: 0.0 }
    }
}

impl HorizonConfig {
    /// A hundredth of a second of arc, about.
    pub const MAX_AZIMUTHS: u32 = 1 << 24;

    setters! {
        with_azimuths(azimuths: u32), with_max_distance_m(max_distance_m: f64), with_min_gap_m(min_gap_m: f64),
    }

    /// Checks all values.
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn check(&self) -> Result<(), HorizonError> {
        let HorizonConfig { azimuths, max_distance_m, min_gap_m } = *self;
        if !(1..=Self::MAX_AZIMUTHS).contains(&azimuths) {
            return Err(HorizonError::Azimuths(azimuths));
        }
        if max_distance_m.is_nan() || max_distance_m <= 0.0 {
            return Err(HorizonError::MaxDistance(max_distance_m));
        }
        if !(0.0..f64::INFINITY).contains(&min_gap_m) {
            return Err(HorizonError::MinGap(min_gap_m));
        }
        Ok(())
    }
}

/// The ways in which a horizon can fail.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HorizonError {
    /// The viewer is off the map.
    #[error("the viewer {},{} is outside the map of {}x{} cells", viewer.x, viewer.y, size.x, size.y)]
    ViewerOutside {
        /// The cell of the viewer.
        viewer: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// The viewer is on a cell without data.
    #[error("the viewer {},{} is on a cell without data", .0.x, .0.y)]
    ViewerWithoutData(IVec2),
    /// The eye is below its ground.
    #[error("the eye is {0} m over its ground: expected 0 m or more")]
    EyeHeight(f64),
    /// Too few or too many azimuths.
    #[error("{0} azimuths: expected 1 to {max}", max = HorizonConfig::MAX_AZIMUTHS)]
    Azimuths(u32),
    /// A range that is not above 0.
    #[error("the range is {0} m: expected more than 0 m")]
    MaxDistance(f64),
    /// A least gap that is not 0 or more.
    #[error("the least gap behind a ridge is {0} m: expected 0 m or more")]
    MinGap(f64),
}

/// Something that stands out against what is behind it: the skyline, or a ridge before it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ridge {
    /// The slope from the eye: rise over run, with what curvature takes from the rise.
    pub slope: f64,
    /// The distance from the eye along the ground.
    pub distance_m: f64,
    /// The cell.
    pub cell: IVec2,
    /// The height of the ground there, or of the trees on it, in metres over the sea.
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
    /// The distance up to which there is a map, at most the range. Beyond it something higher may follow.
    pub end_m: f64,
}

impl AzimuthHorizon {
    /// Returns the highest ridge; `None` if there is no data in this direction.
    pub fn skyline(&self) -> Option<&Ridge> {
        self.ridges.last()
    }
}

/// The horizon of an eye, azimuth by azimuth.
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
#[derive(Clone, Debug, PartialEq)]
pub struct Horizon {
    viewer: IVec2,
    azimuths: Vec<AzimuthHorizon>,
}

impl Horizon {
    /// Computes the horizon of the eye of a surface over a cell, on all threads. Of the surface, target height and softness
    /// do not count.
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn of(surface: &Surface<'_>, viewer: impl Into<IVec2>, config: &HorizonConfig) -> Result<Self, HorizonError> {
        let viewer = viewer.into();
        config.check()?;
        if !(0.0..f64::INFINITY).contains(&surface.eye_height) {
            return Err(HorizonError::EyeHeight(surface.eye_height));
        }
        let ground_m =
            *surface.ground.get(viewer).ok_or(HorizonError::ViewerOutside { viewer, size: surface.ground.size() })?;
        if ground_m.is_nan() {
            return Err(HorizonError::ViewerWithoutData(viewer));
        }
        let eye_m = f64::from(ground_m) + surface.eye_height;
        let along = |i: u32| {
            let azimuth_deg = 360.0 * f64::from(i) / f64::from(config.azimuths);
            Ray::new(surface, viewer, eye_m, azimuth_deg).follow(azimuth_deg, config)
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

/// A line from the eye. At the distance t in metres it is `speed` · t columns and rows from the viewer, counted along `step`.
struct Ray<'a, 's> {
    surface: &'a Surface<'s>,
    viewer: IVec2,
    eye_m: f64,
    step: IVec2,
    speed: DVec2,
    /// Metres that curvature takes at a distance of 1 m.
    drop: f64,
}

/// The height over the eye along a ray in a patch: a + b t + c t²; NaN without data.
struct Quadratic {
    a: f64,
    b: f64,
    c: f64,
}

impl Quadratic {
    fn slope(&self, t: f64) -> f64 {
        self.a / t + self.b + t * self.c
    }

    /// Returns the distance at which the slope is greatest, if it is not greatest at an end.
    fn steepest(&self) -> Option<f64> {
        (self.a < 0.0 && self.c < 0.0).then(|| (self.a / self.c).sqrt())
    }
}

impl<'a, 's> Ray<'a, 's> {
    fn new(surface: &'a Surface<'s>, viewer: IVec2, eye_m: f64, azimuth_deg: f64) -> Self {
        let (sin, cos) = sin_cos_deg(azimuth_deg);
        let speed = dvec2(sin / surface.cell_size.x_m, -cos / surface.cell_size.y_m);
        let step = speed.signum().as_ivec2();
        let drop = surface.curvature / (2.0 * Surface::EARTH_RADIUS_M);
        Self { surface, viewer, eye_m, step, speed: speed.abs(), drop }
    }

    /// Follows the ray to the end of the map or of the range.
    fn follow(&self, azimuth_deg: f64, config: &HorizonConfig) -> AzimuthHorizon {
        let mut ridges = Ridges { found: Vec::new(), highest: None, is_hidden: false, min_gap_m: config.min_gap_m };
        let (mut crossed, mut entered, mut after_gap) = (IVec2::ZERO, 0.0, false);
        let span = self.speed.cmpgt(DVec2::ZERO);
        let span = ivec2(i32::from(span.x), i32::from(span.y));
        while entered < config.max_distance_m {
            let corner = self.viewer + self.step * crossed;
            let [Some(first), Some(by_x), Some(by_y), Some(by_both)] =
                [IVec2::ZERO, ivec2(span.x, 0), ivec2(0, span.y), span]
                    .map(|to| self.height_m(corner + self.step * to))
            else {
                break; // the edge of the map
            };
            // The next column and the next row are crossed at these distances; never, along an axis.
            let next = (crossed.as_dvec2() + 1.0) / self.speed;
            let leaves = next.min_element().min(config.max_distance_m);
            let (by_x, by_y) = (by_x - first, by_y - first);
            let by_both = by_both - first - by_x - by_y;
            // Relative to the corner, the ray is at speed t − crossed.
            let (DVec2 { x: p, y: q }, DVec2 { x, y }) = (self.speed, crossed.as_dvec2());
            let over = Quadratic {
                a: first - self.eye_m - by_x * x - by_y * y + by_both * x * y,
                b: by_x * p + by_y * q - by_both * (p * y + q * x),
                c: by_both * p * q - self.drop,
            };
            let has_data = !over.a.is_nan();
            if has_data {
                // Where two patches meet, the second would only round the slope in another way.
                let first = after_gap.then_some(entered);
                let steepest = over.steepest().filter(|t| entered < *t && *t < leaves);
                for t in [first, steepest, Some(leaves)].into_iter().flatten() {
                    ridges.pass(over.slope(t), t);
                }
            }
            after_gap = !has_data;
            crossed += ivec2(i32::from(next.x <= leaves), i32::from(next.y <= leaves));
            entered = leaves;
        }
        let ridges = ridges.finish().into_iter().map(|(slope, t, behind_m)| self.ridge(slope, t, behind_m)).collect();
        AzimuthHorizon { azimuth_deg, ridges, end_m: entered }
    }

    fn ridge(&self, slope: f64, distance_m: f64, behind_m: Option<f64>) -> Ridge {
        let offset = self.step * (self.speed * distance_m).round().as_ivec2();
        let height_m = self.eye_m + distance_m * (slope + self.drop * distance_m);
        Ridge { slope, distance_m, cell: self.viewer + offset, height_m, behind_m }
    }

    /// Returns the height of the ground of a cell, or of the trees on it; NaN without data, `None` off the map.
    #[inline]
    fn height_m(&self, cell: IVec2) -> Option<f64> {
        let ground = f64::from(*self.surface.ground.get(cell)?);
        let Some(canopy) = &self.surface.canopy else { return Some(ground) };
        let cover = canopy.cover.get(cell).map_or(0.0, |cover| f64::from(*cover));
        Some(if cover > 0.0 { ground + canopy.height * cover * cover } else { ground })
    }
}

/// The ridges that were passed, from near to far, as slopes and distances, with the distance behind.
struct Ridges {
    found: Vec<(f64, f64, Option<f64>)>,
    /// The highest slope so far, and its distance.
    highest: Option<(f64, f64)>,
    /// `true` if the ground has dipped below it since.
    is_hidden: bool,
    min_gap_m: f64,
}

impl Ridges {
    fn pass(&mut self, slope: f64, t: f64) {
        match self.highest {
            Some((highest, _)) if slope < highest => self.is_hidden = true,
            Some((highest, _)) if slope == highest => {}
            highest => {
                if let Some((slope, at)) = highest.filter(|(_, at)| self.is_hidden && t - at >= self.min_gap_m) {
                    self.found.push((slope, at, Some(t)));
                }
                (self.highest, self.is_hidden) = (Some((slope, t)), false);
            }
        }
    }

    fn finish(mut self) -> Vec<(f64, f64, Option<f64>)> {
        self.found.extend(self.highest.map(|(slope, at)| (slope, at, None)));
        self.found
    }
}

/// Returns sine and cosine of an angle in degrees, exact at multiples of 90.
fn sin_cos_deg(angle: f64) -> (f64, f64) {
    let quarter = (angle / 90.0).round();
    let (sin, cos) = libm::sincos((angle - 90.0 * quarter).to_radians());
    match quarter.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}
