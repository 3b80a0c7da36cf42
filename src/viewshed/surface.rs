//! [`Surface`]: the ground and canopy below lines of sight; [`SurfaceTerms`]: the same for one viewer, with the rule by
//! which a horizon hides a target.

use glam::{DVec2, IVec2};

use crate::grid::{CellSize, Grid};
use crate::math::hermite_f32;
use crate::setters;
use crate::sight::{OutOfRange, PathRule, SightError};

/// The initial slope of a horizon: far below any other, and finite, so that it can be interpolated.
pub(super) const NO_HORIZON: f32 = -1e30;

/// A surface with an observer's and a target's height. Heights and lengths are in metres.
///
/// The first row of the ground is the north: x grows to the east, y to the south. Nodata is NaN; replace the number that a file
/// has for it, such as -9999, before: `ground.map(|&z| if z == -9999.0 { f32::NAN } else { z })`. The earth is flat unless
/// [`with_curvature`](Self::with_curvature) is called.
///
/// ```
/// use farsight::{Grid, Job, SightConfig};
/// use farsight::viewshed::{Surface, Viewshed};
/// use farsight::glam::ivec2;
/// let ground = Grid::from_fn(50, 1, |cell| if cell.x == 20 { 10.0 } else { 0.0 }); // a ridge of 10 m
/// let walker = Surface::of(&ground, 30.0).with_eye_height(1.7).with_curvature(Surface::STANDARD_CURVATURE);
/// let tower = walker.with_eye_height(30.0);
/// let mut viewshed = Viewshed::new(SightConfig::default().with_radius(60))?;
/// let behind = ivec2(45, 0);
/// assert_eq!(viewshed.compute(&walker, ivec2(0, 0), Job::none())?.get(behind), 0.0);
/// assert_eq!(viewshed.compute(&tower, ivec2(0, 0), Job::none())?.get(behind), 1.0);
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[doc(alias = "terrain")]
#[doc(alias = "dem")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Surface<'a> {
    /// Elevation of the ground at the centre of every cell; NaN is nodata.
    pub ground: &'a Grid<f32>,
    /// Elevation of opaque obstacles, such as the roofs of a digital surface model; a grid of the size of the ground. Eyes and
    /// targets stay on the ground. Where it is NaN or below the ground, the ground is the obstacle; so it is on the cells of
    /// the viewer and of a target. `None`, the default, is the ground only.
    pub obstacles: Option<&'a Grid<f32>>,
    /// The vegetation on the ground.
    pub canopy: Option<Canopy<'a>>,
    /// The sides of a cell.
    pub cell_size: CellSize,
    /// Height of the eye over the ground of the viewer's cell, 0 or more.
    pub eye_height: f64,
    /// Height of a target over its ground, 0 or more.
    pub target_height: f64,
    /// Metres below the horizon at which a target is fully hidden; visibility falls to 0 by a smoothstep. 0 is a hard
    /// edge.
    pub softness: f64,
    /// Curvature coefficient: a point at distance d is lowered by this times d² over the diameter of the Earth. 0, the
    /// default, is a flat world, 1 the Earth without air, and [`STANDARD_CURVATURE`](Self::STANDARD_CURVATURE), 6/7, the
    /// Earth with standard refraction.
    pub curvature: f64,
}

/// Vegetation that dims lines of sight below its top.
///
/// ```
/// use farsight::viewshed::{Canopy, Surface, Viewshed};
/// use farsight::{Grid, Job, SightConfig};
/// let (ground, woods) = (Grid::new(9, 1, 0.0), Grid::from_fn(9, 1, |cell| if cell.x > 2 { 1.0 } else { 0.0 }));
/// let jungle = Canopy::of(&woods).with_extinction(0.05).with_height(30.0);
/// let surface = Surface::of(&ground, 10.0).with_eye_height(1.7).with_canopy(jungle);
/// let seen = Viewshed::new(SightConfig::default())?.line_of_sight(&surface, (0, 0), (5, 0))?;
/// assert!((seen - (-0.05f32 * 25.0).exp()).abs() < 1e-3); // 25 m of wood
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Canopy<'a> {
    /// The value of every cell, whose meaning is its `law`; NaN is none. A grid of the size of the ground.
    pub cover: &'a Grid<f32>,
    /// The meaning of the values of `cover`.
    pub law: CanopyLaw,
    /// Extinction per metre, at full cover.
    pub extinction: f64,
    /// Height at full cover, in metres; of heights a factor.
    pub height: f64,
    /// Height of bare trunks, below which a line is clear, in metres over the ground; 0 is none. Where the top is not above it
    /// grow bushes, without trunks.
    pub clear_trunk: f64,
}

/// The meaning of the values of a [`Canopy`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CanopyLaw {
    /// Densities in [0, 1]: the extinction is proportional to the value, the height to its square, so that grass is low.
    #[default]
    Density,
    /// Heights of the tops over the ground in metres, as of a canopy height model; the extinction is the same in every crown.
    Height,
}

impl<'a> Canopy<'a> {
    /// Creates the canopy of a temperate forest: at full cover, an extinction of 0.015 per metre (0.05 trunks of 0.3 m per m²) and a
    /// height of 20 m.
    pub fn of(cover: &'a Grid<f32>) -> Self {
        Self { cover, law: CanopyLaw::Density, extinction: 0.015, height: 20.0, clear_trunk: 0.0 }
    }

    /// Creates the canopy of a canopy height model: tops in metres over the ground, with the extinction of a temperate forest.
    ///
    /// ```
    /// use farsight::viewshed::{Canopy, Surface, Viewshed};
    /// use farsight::{Grid, Job, SightConfig};
    /// let (ground, tops) = (Grid::new(9, 1, 0.0), Grid::from_fn(9, 1, |cell| if cell.x > 2 { 18.0 } else { 0.0 }));
    /// let avenue = Canopy::of_heights(&tops).with_extinction(0.05).with_clear_trunk(3.0);
    /// let walker = Surface::of(&ground, 10.0).with_eye_height(1.7).with_target_height(1.0).with_canopy(avenue);
    /// let mut viewshed = Viewshed::new(SightConfig::default())?;
    /// assert_eq!(viewshed.line_of_sight(&walker, (0, 0), (8, 0))?, 1.0); // below the crowns
    /// let rider = walker.with_eye_height(5.0).with_target_height(5.0);
    /// assert!(viewshed.line_of_sight(&rider, (0, 0), (8, 0))? < 0.1);
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    #[doc(alias = "chm")]
    pub fn of_heights(heights: &'a Grid<f32>) -> Self {
        Self { law: CanopyLaw::Height, height: 1.0, ..Self::of(heights) }
    }

    setters! {
        with_extinction(extinction: f64), with_height(height: f64), with_clear_trunk(clear_trunk: f64),
    }

    /// Returns the height of the top of a value over its ground, in metres; 0 for NaN and values up to 0.
    pub fn top_m(&self, value: f32) -> f32 {
        let terms = CanopyTerms::new(Some(*self), 1.0, 1.0, true);
        if value > 0.0 { (f64::from(terms.height) * terms.power(value.into())) as f32 } else { 0.0 }
    }
}

impl<'a> Surface<'a> {
    /// Equatorial radius of the Earth (WGS 84), which GDAL and GRASS use for curvature too.
    pub const EARTH_RADIUS_M: f64 = 6_378_137.0;

    /// The [curvature coefficient](field@Self::curvature) of the Earth with standard refraction, 6/7.
    pub const STANDARD_CURVATURE: f64 = 6.0 / 7.0;

    /// Returns the drop of a point at a distance by a [curvature coefficient](field@Self::curvature), in metres: c d² /
    /// (2 R). The drop at 1 m times the squared distance is that at any distance.
    pub fn drop_m(curvature: f64, distance_m: f64) -> f64 {
        curvature * distance_m * distance_m / (2.0 * Self::EARTH_RADIUS_M)
    }

    /// Creates bare ground on a flat Earth, with eye and target on the ground and a hard edge. The cell size is that on the ground; a
    /// number is the side of square cells in metres.
    pub fn of(ground: &'a Grid<f32>, cell_size: impl Into<CellSize>) -> Self {
        let cell_size = cell_size.into();
        Self {
            ground,
            obstacles: None,
            canopy: None,
            cell_size,
            eye_height: 0.0,
            target_height: 0.0,
            softness: 0.0,
            curvature: 0.0,
        }
    }

    setters! {
        with_ground(ground: &'a Grid<f32>), with_obstacles(obstacles: impl Into<Option<&'a Grid<f32>>>), with_canopy(canopy: impl Into<Option<Canopy<'a>>>), with_eye_height(eye_height: f64),
        with_target_height(target_height: f64), with_softness(softness: f64), with_curvature(curvature: f64),
    }

    /// Checks the numbers, and the ground of a viewer on the surface.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`]; [`SightError::ViewerWithoutData`].
    pub(super) fn check(&self, viewer: IVec2) -> Result<(), SightError> {
        self.check_numbers()?;
        match self.ground.get(viewer) {
            Some(elevation) if !elevation.is_finite() => Err(SightError::ViewerWithoutData { viewer }),
            _ => Ok(()),
        }
    }

    /// Checks the numbers, and the sizes of the grids. Distances divided by sides out of range would overflow the numbers of a
    /// ray.
    ///
    /// # Errors
    /// [`SightError::OutOfRange`]; [`SightError::OtherSize`].
    pub(crate) fn check_numbers(&self) -> Result<(), SightError> {
        let expected = self.ground.size();
        for (field, grid) in [("obstacles", self.obstacles), ("canopy.cover", self.canopy.map(|canopy| canopy.cover))] {
            if let Some(size) = grid.map(Grid::size).filter(|size| *size != expected) {
                return Err(SightError::OtherSize { field, size, expected });
            }
        }
        let CellSize { x_m, y_m, .. } = self.cell_size;
        OutOfRange::check("cell_size.x_m", x_m, 1e-3..=1e6)?;
        OutOfRange::check("cell_size.y_m", y_m, 1e-3..=1e6)?;
        let canopy = self.canopy.map_or([0.0; 3], |canopy| [canopy.extinction, canopy.height, canopy.clear_trunk]);
        for (name, value) in [
            ("eye_height", self.eye_height),
            ("target_height", self.target_height),
            ("softness", self.softness),
            ("canopy.extinction", canopy[0]),
            ("canopy.height", canopy[1]),
            ("canopy.clear_trunk", canopy[2]),
        ] {
            OutOfRange::check(name, value, 0.0..)?;
        }
        Ok(OutOfRange::check("curvature", self.curvature, ..)?)
    }
}

/// The output quantity of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity {
    /// Visibility over ground and canopy, in [0, 1].
    Visibility,
    /// Metres of the target above the horizon; NaN for nodata.
    Clearance,
}

impl Quantity {
    /// Returns the value of the viewer's own cell.
    pub(super) fn of_own_cell(self) -> f32 {
        match self {
            Self::Visibility => 1.0,
            Self::Clearance => f32::INFINITY,
        }
    }
}

/// The terms of a surface for one viewer, as the kernels of both grades read them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceTerms<'a> {
    pub(super) ground: &'a Grid<f32>,
    /// Elevations of obstacles; only those above the ground count.
    pub(super) obstacles: Option<&'a Grid<f32>>,
    /// `None` without a canopy that dims anything.
    pub(super) cover: Option<&'a Grid<f32>>,
    pub(super) viewer: IVec2,
    /// The elevation of the eye.
    pub(super) eye: f64,
    pub(super) target_height: f32,
    /// Metres below the horizon over which visibility falls to 0.
    pub(super) softness: f32,
    /// Metres by which curvature lowers a point, per squared distance, in units of the shorter side of a cell.
    pub(super) drop: f64,
    /// The sides of a cell in units of the shorter one.
    ratios: DVec2,
    pub(super) canopy: CanopyTerms,
}

/// A canopy of full cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct CanopyTerms {
    /// Optical depth of the shorter side of a cell.
    pub(super) depth: f32,
    pub(super) height: f32,
    /// Height of bare trunks.
    pub(super) trunk: f32,
    law: CanopyLaw,
    /// Whether opacity scales with path length inside a cell.
    pub(super) per_length: bool,
    /// The path length through a cell if the slant is ignored: the mean side in units of the shorter one.
    pub(super) mean: f32,
}

/// The squared sides of a cell in units of the shorter one, along the axis of a quadrant and perpendicular to it. Both
/// are 1 for squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquaredSides {
    pub(super) along: f64,
    pub(super) aside: f64,
}

impl CanopyTerms {
    fn new(canopy: Option<Canopy<'_>>, unit: f64, mean: f64, per_length: bool) -> Self {
        Self {
            depth: canopy.map_or(0.0, |canopy| (canopy.extinction * unit) as f32),
            height: canopy.map_or(0.0, |canopy| canopy.height as f32),
            trunk: canopy.map_or(0.0, |canopy| canopy.clear_trunk as f32),
            law: canopy.map_or_else(CanopyLaw::default, |canopy| canopy.law),
            per_length,
            mean: mean as f32 / unit as f32,
        }
    }

    /// Returns the height of a value of at least 0, in units of the height at full cover.
    #[inline(always)]
    pub(super) fn power(&self, value: f64) -> f64 {
        if self.law == CanopyLaw::Height { value } else { value * value }
    }

    /// [`power`](Self::power) in single precision.
    #[inline(always)]
    pub(super) fn power_f32(&self, value: f32) -> f32 {
        if self.law == CanopyLaw::Height { value } else { value * value }
    }

    /// Returns the density of a value of at least 0, as a fraction of that of full cover.
    #[inline(always)]
    pub(super) fn density(&self, value: f32) -> f32 {
        let of_crown = if value > 0.0 { 1.0 } else { 0.0 };
        if self.law == CanopyLaw::Height { of_crown } else { value }
    }

    /// Returns the height of the trunks below a top, both in metres over the ground; 0 for bushes.
    #[inline(always)]
    pub(super) fn trunk_below(&self, top: f64) -> f64 {
        let trunk = f64::from(self.trunk);
        if top > trunk { trunk } else { 0.0 }
    }

    /// Returns the path length through a ring, in units of the shorter side of a cell; `slant` is m/M of the line on the map.
    #[inline(always)]
    pub(super) fn length(&self, sides: SquaredSides, slant: f32) -> f32 {
        if self.per_length { (sides.along as f32 + slant * slant * sides.aside as f32).sqrt() } else { self.mean }
    }
}

impl<'a> SurfaceTerms<'a> {
    pub(super) fn new(surface: &Surface<'a>, viewer: IVec2, path: PathRule) -> Self {
        let canopy = surface.canopy.filter(|canopy| canopy.extinction > 0.0 && canopy.height > 0.0);
        let (unit, ratios) = (surface.cell_size.shorter_m(), surface.cell_size.ratios());
        Self {
            ground: surface.ground,
            obstacles: surface.obstacles,
            cover: canopy.map(|canopy| canopy.cover),
            viewer,
            eye: f64::from(surface.ground[viewer]) + surface.eye_height,
            target_height: surface.target_height as f32,
            softness: surface.softness as f32,
            drop: Surface::drop_m(surface.curvature, unit),
            ratios,
            canopy: CanopyTerms::new(canopy, unit, surface.cell_size.mean_m(), path == PathRule::PerLength),
        }
    }

    /// Returns the terms of an eye at the target on another cell.
    #[inline(always)]
    pub(super) fn at_target(&self, cell: IVec2) -> Self {
        let eye = f64::from(self.ground[cell]) + f64::from(self.target_height);
        Self { viewer: cell, eye, target_height: 0.0, ..*self }
    }

    /// Leaves out a canopy without trees within some cells of the viewer, which dims nothing.
    pub(super) fn without_bare_cover(self, in_sight: u32) -> Self {
        let is_bare = |cover: &Grid<f32>| {
            let in_reach = |at: i32, side: usize| {
                let first = i64::from(at) - i64::from(in_sight);
                let end = i64::from(at) + i64::from(in_sight) + 1;
                first.clamp(0, side as i64) as usize..end.clamp(0, side as i64) as usize
            };
            let columns = in_reach(self.viewer.x, cover.width());
            in_reach(self.viewer.y, cover.height()).all(|y| {
                let row = &cover.row(y)[columns.clone()];
                // Without a branch for each cell, so that it is vectorized. NaN is no tree.
                !row.iter().fold(false, |any, cover| any | (*cover > 0.0))
            })
        };
        Self { cover: self.cover.filter(|cover| !is_bare(cover)), ..self }
    }

    /// Returns the elevation of the ground of a cell, or of the obstacle on it.
    #[inline(always)]
    pub(super) fn top_of(ground: f32, obstacle: f32) -> f32 {
        if obstacle > ground { obstacle } else { ground } // false for NaN
    }

    /// Returns the squared length of an offset, in units of the shorter side of a cell.
    #[inline(always)]
    pub(super) fn squared(&self, offset: IVec2) -> f64 {
        (offset.as_dvec2() * self.ratios).length_squared()
    }

    /// Returns the squared sides for the quadrant of a step outwards.
    #[inline(always)]
    pub(super) fn squared_sides(&self, outwards: IVec2) -> SquaredSides {
        let DVec2 { x, y } = self.ratios * self.ratios;
        if outwards.x != 0 { SquaredSides { along: x, aside: y } } else { SquaredSides { along: y, aside: x } }
    }

    /// Returns the visibility of a target behind a hard edge, from its slope and that of the horizon.
    #[inline(always)]
    pub(super) fn hard_visibility(target: f32, horizon: f32) -> f32 {
        if target >= horizon { 1.0 } else { 0.0 } // false for NaN
    }

    /// Returns the visibility of a target behind a soft edge, from its metres above the horizon.
    #[inline(always)]
    pub(super) fn soft_visibility(clearance: f32, per_metre: f32) -> f32 {
        let t = 1.0 + clearance * per_metre;
        let t = if t > 0.0 { t } else { 0.0 }; // NaN becomes 0
        let t = if t < 1.0 { t } else { 1.0 };
        hermite_f32(t)
    }

    /// Returns the visibility of a target from its metres above the horizon.
    #[inline(always)]
    pub(super) fn visibility(&self, clearance: f32) -> f32 {
        if self.softness > 0.0 {
            Self::soft_visibility(clearance, 1.0 / self.softness)
        } else {
            Self::hard_visibility(clearance, 0.0)
        }
    }
}
