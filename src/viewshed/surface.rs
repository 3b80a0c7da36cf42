//! [`Surface`]: the ground and canopy that lines of sight run over.

use crate::grid::{CellSize, Grid};
use crate::setters::setters;

/// A surface with an observer's and a target's height. Heights and lengths are in metres.
///
/// ```
/// use farsight::{Grid, Job, SightConfig};
/// use farsight::viewshed::{Surface, Viewshed};
/// use farsight::glam::ivec2;
/// let ground = Grid::from_fn(50, 1, |cell| if cell.x == 20 { 10.0 } else { 0.0 }); // a ridge of 10 m
/// let walker = Surface::of(&ground, 30.0).with_eye_height(1.7).with_curvature(6.0 / 7.0);
/// let tower = walker.with_eye_height(30.0);
/// let mut viewshed = Viewshed::new(SightConfig::default().with_radius(60))?;
/// let behind = ivec2(45, 0);
/// assert_eq!(viewshed.compute(&walker, ivec2(0, 0), Job::quiet())?.get(behind), 0.0);
/// assert_eq!(viewshed.compute(&tower, ivec2(0, 0), Job::quiet())?.get(behind), 1.0);
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[doc(alias = "terrain")]
#[doc(alias = "DEM")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Surface<'a> {
    /// Elevation of the ground at the centre of every cell; NaN is nodata.
    pub ground: &'a Grid<f32>,
    /// The vegetation on the ground.
    pub canopy: Option<Canopy<'a>>,
    /// Sides of a cell.
    pub cell_size: CellSize,
    /// Height of the eye over the ground of the viewer's cell, 0 or more.
    pub eye_height: f64,
    /// Height of a target over its ground, 0 or more.
    pub target_height: f64,
    /// Depth below the horizon at which a target is hidden completely; visibility falls to 0 by a smoothstep. 0 is a
    /// hard edge.
    pub softness: f64,
    /// Curvature coefficient: a point at distance d is lowered by this times d² over the diameter of the Earth. 1 is the
    /// Earth without air, 0.857 (6/7) includes the refraction of common air, 0 is a flat world.
    pub curvature: f64,
}

/// Vegetation that dims lines of sight below its top.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Canopy<'a> {
    /// Density of every cell in [0, 1]; NaN is none.
    pub cover: &'a Grid<f32>,
    /// Extinction at full cover, per metre; proportional to the cover.
    pub extinction: f64,
    /// Height at full cover; proportional to the square of the cover.
    pub height: f64,
}

impl<'a> Canopy<'a> {
    /// Creates a canopy of an extinction per metre and a height in metres, both at full cover.
    pub fn new(cover: &'a Grid<f32>, extinction: f64, height: f64) -> Self {
        Self { cover, extinction, height }
    }
}

impl<'a> Surface<'a> {
    /// Equatorial radius of the Earth (WGS 84), which GDAL and GRASS use for curvature too.
    pub const EARTH_RADIUS_M: f64 = 6_378_137.0;

    /// Creates bare ground on a flat Earth, with eye and target on the ground and a hard edge. A number is
    /// the side of square cells.
    pub fn of(ground: &'a Grid<f32>, cell_size: impl Into<CellSize>) -> Self {
        let cell_size = cell_size.into();
        Self { ground, canopy: None, cell_size, eye_height: 0.0, target_height: 0.0, softness: 0.0, curvature: 0.0 }
    }

    setters! {
        with_canopy(canopy: impl Into<Option<Canopy<'a>>>), with_eye_height(eye_height: f64),
        with_target_height(target_height: f64), with_softness(softness: f64), with_curvature(curvature: f64),
    }
}
