//! [`Viewshed`]: the visible cells of a surface; [`Clearance`]: their height above the horizon.

use fearless_simd::Level;
use glam::IVec2;

use super::exact;
use super::octants::{self, Octants, Sought};
use super::quadrants::{ClippedDisc, QuadrantSweep};
use super::reference_plane::ReferencePlanes;
use super::surface::{Quantity, Surface, SurfaceTerms};
use super::transposed_columns::TransposedColumns;
use crate::grid::{AlignedGrid, CellRect, CellSize, ToCell};
use crate::job::Job;
use crate::sight::PathRule;
use crate::sight::{
    CellScale, FieldOfView, Method, OpacityRows, OpacitySource, RawView, SightConfig, SightError, View,
};
use crate::simd::dispatch;
use crate::workspace_pool::{Workspace, WorkspacePool};

/// Computes the visible cells of a [`Surface`]. It is reused for many views.
///
/// The method chooses the grade: [`TwoParent`](Method::TwoParent), the default, interpolates reference planes (always with
/// linear weights), the other methods are exact and give the same viewshed of ground and canopy. See the [module](super).
///
/// The radius counts shorter sides of cells, and is **32 by default**: [`SightConfig::UNLIMITED`] reaches the edge of the surface.
/// Cells beyond the radius have visibility 0, as hidden ones have; a [`Clearance`] has `None` there.
///
/// It owns all buffers and, for the air over the surface, a [`FieldOfView`] with the same method. After the first call,
/// reference planes allocate nothing. Clones share the precomputed lists: use one per thread.
///
/// ```
/// use farsight::sight::MethodKind;
/// use farsight::viewshed::{Surface, Viewshed};
/// use farsight::{Grid, Job, SightConfig};
/// let ground = Grid::from_fn(90, 1, |cell| if cell.x == 40 { 3.0 } else { 0.0 }); // a wall of 3 m
/// let surface = Surface::of(&ground, 10.0).with_eye_height(1.7);
/// let exact = SightConfig::default().with_radius(SightConfig::UNLIMITED).with_method(MethodKind::Exact);
/// let mut viewshed = Viewshed::new(exact)?;
/// let view = viewshed.compute(&surface, (0, 0), Job::none())?;
/// assert!(view.seen().map(|cell| cell.x).eq(0..=40)); // to the wall
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[doc(alias = "gdal_viewshed")]
#[doc(alias = "r.viewshed")]
#[derive(Clone, Debug)]
#[doc(alias = "line of sight")]
#[doc(alias = "los")]
pub struct Viewshed {
    field_of_view: FieldOfView,
    kernels: Kernels,
    /// The visibility over the surface, while the window of the field of view has that through the air.
    over_surface: AlignedGrid,
    workspaces: WorkspacePool<Self>,
}

impl Viewshed {
    /// Creates a viewshed for `config`.
    ///
    /// # Errors
    /// As [`FieldOfView::new`].
    pub fn new(config: SightConfig) -> Result<Self, SightError> {
        Ok(Self {
            field_of_view: FieldOfView::new(config)?,
            kernels: Kernels::default(),
            over_surface: AlignedGrid::new(0, 0),
            workspaces: WorkspacePool::default(),
        })
    }

    /// Returns the configuration.
    pub fn config(&self) -> &SightConfig {
        self.field_of_view.config()
    }

    /// Changes the configuration. Lists and buffers that still fit are kept.
    ///
    /// # Errors
    /// As for [`new`](Self::new); then the configuration does not change.
    pub fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        self.field_of_view.set_config(config)
    }

    /// Returns the field of view with the same configuration, which computes views over opacities.
    pub fn field_of_view_mut(&mut self) -> &mut FieldOfView {
        &mut self.field_of_view
    }

    /// Computes the visibility of every cell around `viewer`, in [0, 1]: 1 for a target at or above the horizon, 0
    /// below, or between within the surface's `softness`; times the transmittance of the canopy where the line of sight
    /// is below its top; times the decay. Over bare ground with a hard edge and without decay the values are 0 or 1, and
    /// [`View::sees`] is the viewshed. Beyond the radius of the configuration, by default 32, they are 0.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] if the viewer is off the surface; [`SightError::ViewerWithoutData`] if its ground is NaN;
    /// [`SightError::OutOfRange`] for sides of cells that are not above 0, and for other numbers of the surface that
    /// are NaN, infinite or, except the curvature, below 0; [`SightError::RadiusTooLarge`] if more than
    /// [`SightConfig::MAX_RADIUS`](crate::sight::SightConfig::MAX_RADIUS) cells are in range in a direction;
    /// [`SightError::Cancelled`].
    pub fn compute(
        &mut self,
        surface: &Surface<'_>,
        viewer: impl ToCell,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        Ok(self.fill_with(surface, viewer.to_cell(), Quantity::Visibility, job)?.finish())
    }

    /// Computes [`compute`](Self::compute) times the visibility through air. `fill_air` writes the opacities of the air
    /// as for [`OpacityRows::new`], per shorter side of a cell.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn compute_in_air(
        &mut self,
        surface: &Surface<'_>,
        fill_air: impl FnMut(IVec2, &mut [f32]),
        viewer: impl ToCell,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        let source = OpacityRows::new(fill_air).within(extent(surface));
        compute_through(self, source, Some(surface), scale_of(surface), viewer.to_cell(), job)
    }

    /// Computes a quantity of every cell in sight.
    fn fill_with(
        &mut self,
        surface: &Surface<'_>,
        viewer: IVec2,
        quantity: Quantity,
        job: Job<'_>,
    ) -> Result<RawView<'_>, SightError> {
        surface.check(viewer)?;
        let planned = self.field_of_view.plan(Some(extent(surface)), viewer, scale_of(surface))?;
        let task = ViewshedTask::new(planned.config(), surface, viewer, planned.in_sight(), quantity);
        planned.fill_seen(|seen| self.kernels.run(&task, seen, job))
    }

    /// Computes the height of every target above the horizon.
    ///
    /// ```
    /// use farsight::viewshed::{Surface, Viewshed};
    /// use farsight::{Grid, Job, SightConfig};
    /// let ground = Grid::from_fn(50, 1, |cell| if cell.x == 20 { 10.0 } else { 0.0 }); // a ridge of 10 m
    /// let surface = Surface::of(&ground, 30.0).with_eye_height(2.0).with_target_height(5.0);
    /// let mut viewshed = Viewshed::new(SightConfig::default().with_radius(SightConfig::UNLIMITED))?;
    /// let clearance = viewshed.clearance(&surface, (0, 0), Job::none())?;
    /// assert_eq!(clearance.metres((40, 0)), Some(-13.0)); // a target of 5 m is 13 m below the line over the ridge
    /// assert_eq!(clearance.least_height((40, 0)), Some(18.0)); // a mast of 18 m is seen
    /// // A raster for a GIS, with NaN for nodata:
    /// let heights = Grid::from_fn(50, 1, |cell| clearance.least_height(cell).unwrap_or(f32::NAN));
    /// # assert_eq!(heights[(40, 0)], 18.0);
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn clearance(
        &mut self,
        surface: &Surface<'_>,
        viewer: impl ToCell,
        job: Job<'_>,
    ) -> Result<Clearance<'_>, SightError> {
        let radius = outer_radius(self.config());
        let raw = self.fill_with(surface, viewer.to_cell(), Quantity::Clearance, job)?;
        let in_sight = raw.in_sight();
        let heights = MetresInRange { radius, in_sight, metres: raw.into_view(), cell_size: surface.cell_size };
        Ok(Clearance { heights, target_height: surface.target_height })
    }

    /// Computes the visibility of `to` from `from`: the value of the view of [`compute`](Self::compute), bit for bit.
    /// The exact grade traces one line, reference planes are interpolated up to the distance of the cell.
    ///
    /// ```
    /// use farsight::viewshed::{Surface, Viewshed};
    /// use farsight::{Grid, SightConfig};
    /// let ground = Grid::from_fn(50, 1, |cell| if cell.x == 20 { 10.0 } else { 0.0 }); // a ridge of 10 m
    /// let surface = Surface::of(&ground, 30.0).with_eye_height(2.0).with_target_height(2.0);
    /// let mut viewshed = Viewshed::new(SightConfig::default().with_radius(60))?;
    /// assert_eq!(viewshed.line_of_sight(&surface, (0, 0), (40, 0))?, 0.0); // the ridge hides a man
    /// assert_eq!(viewshed.clearance_of(&surface, (0, 0), (40, 0))?, Some(-16.0)); // who is 16 m below the line over it
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn line_of_sight(
        &mut self,
        surface: &Surface<'_>,
        from: impl ToCell,
        to: impl ToCell,
    ) -> Result<f32, SightError> {
        let (viewer, target) = (from.to_cell(), to.to_cell());
        let Some(raw) = self.raw_value(surface, viewer, target, Quantity::Visibility)? else { return Ok(0.0) };
        let planned = self.field_of_view.plan(Some(extent(surface)), viewer, scale_of(surface))?;
        Ok(planned.finish_one(target, raw))
    }

    /// Computes the [clearance](Clearance::metres) of one cell: the height of a target above the line from the eye over
    /// the horizon in metres, below 0 if it is hidden. `None` out of range, for nodata, and without a horizon.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn clearance_of(
        &mut self,
        surface: &Surface<'_>,
        viewer: impl ToCell,
        target: impl ToCell,
    ) -> Result<Option<f32>, SightError> {
        let metres = self.raw_value(surface, viewer.to_cell(), target.to_cell(), Quantity::Clearance)?;
        Ok(metres.filter(|metres| *metres < NO_HORIZON_M))
    }

    /// Computes the [`least_height`](Clearance::least_height) of one cell.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn least_height(
        &mut self,
        surface: &Surface<'_>,
        viewer: impl ToCell,
        target: impl ToCell,
    ) -> Result<Option<f32>, SightError> {
        let metres = self.raw_value(surface, viewer.to_cell(), target.to_cell(), Quantity::Clearance)?;
        Ok(metres.map(|metres| (surface.target_height as f32 - metres).max(0.0)))
    }

    /// Computes the least height of an eye over the viewer's ground from which targets on other cells are seen, of the cells
    /// in range for which `is_wanted` returns `true`.
    ///
    /// The target height of the surface counts, its eye height and its canopy do not. The heights are those of the
    /// [exact grade](super), whatever the method. Light takes the same line in both directions, so a mast of some height
    /// has this part of it hidden from a target.
    ///
    /// ```
    /// use farsight::viewshed::{Surface, Viewshed};
    /// use farsight::{Grid, Job, SightConfig};
    /// let ground = Grid::from_fn(50, 1, |cell| if cell.x == 20 { 10.0 } else { 0.0 }); // a ridge of 10 m
    /// let surface = Surface::of(&ground, 30.0).with_target_height(2.0);
    /// let mut viewshed = Viewshed::new(SightConfig::default().with_radius(SightConfig::UNLIMITED))?;
    /// let heights = viewshed.least_eye_heights(&surface, (0, 0), &|cell| cell.x > 5, Job::none())?;
    /// assert_eq!(heights.metres((10, 0)), Some(0.0)); // seen from the ground
    /// assert_eq!(heights.metres((40, 0)), Some(18.0)); // the line to an eye of 2 m passes the ridge and rises by 8 m again
    /// assert_eq!(heights.metres((3, 0)), None); // not wanted
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn least_eye_heights(
        &mut self,
        surface: &Surface<'_>,
        viewer: impl ToCell,
        is_wanted: &(dyn Fn(IVec2) -> bool + Sync),
        job: Job<'_>,
    ) -> Result<EyeHeights<'_>, SightError> {
        let (viewer, surface) = (viewer.to_cell(), surface.with_eye_height(0.0).with_canopy(None));
        surface.check(viewer)?;
        let radius = outer_radius(self.config());
        let planned = self.field_of_view.plan(Some(extent(&surface)), viewer, scale_of(&surface))?;
        let (in_sight, terms) = (planned.in_sight(), SurfaceTerms::new(&surface, viewer, PathRule::default()));
        let Kernels { disc, octants, .. } = &mut self.kernels;
        let raw = planned.fill_seen(|out| {
            disc.fit(in_sight, (out.width() / 2) as u32, terms.ground.size(), viewer);
            disc.fill_off_map(out, f32::NAN);
            octants::trace(&terms, disc, octants, Sought::EyeHeight(is_wanted), out, job)?;
            let middle = out.size() / 2;
            out[middle] = if is_wanted(viewer) { 0.0 } else { f32::NAN };
            Ok(())
        })?;
        Ok(EyeHeights(MetresInRange { in_sight, metres: raw.into_view(), radius, cell_size: surface.cell_size }))
    }

    /// Computes a quantity of one cell. `None` out of range, off the surface and without data.
    fn raw_value(
        &mut self,
        surface: &Surface<'_>,
        viewer: IVec2,
        target: IVec2,
        quantity: Quantity,
    ) -> Result<Option<f32>, SightError> {
        surface.check(viewer)?;
        let planned = self.field_of_view.plan(Some(extent(surface)), viewer, scale_of(surface))?;
        let in_sight = planned.in_sight();
        let offset = target.wrapping_sub(viewer);
        let distance = offset.as_dvec2().length();
        let is_in_range = match quantity {
            Quantity::Visibility => true, // a shape and a sector decide
            Quantity::Clearance => surface.cell_size.is_in_range(offset, outer_radius(planned.config())),
        };
        let is_in_window = offset.x.unsigned_abs().max(offset.y.unsigned_abs()) <= planned.config().radius;
        let is_in_disc = is_in_window && distance <= f64::from(in_sight);
        if !extent(surface).contains(target) || !is_in_disc || !is_in_range {
            return Ok(None);
        }
        let distance = distance.ceil() as u32;
        let task = ViewshedTask::new(planned.config(), surface, viewer, distance, quantity);
        let value = match task.grade {
            _ if offset == IVec2::ZERO => quantity.of_own_cell(),
            Grade::Exact => exact::evaluate(&task.terms, offset, quantity),
            Grade::ReferencePlanes => {
                let side = 2 * in_sight as usize + 1;
                if self.over_surface.width() != side {
                    self.over_surface = AlignedGrid::new(side, side);
                }
                self.kernels.run(&task, &mut self.over_surface, Job::none())?;
                self.over_surface[self.over_surface.size() / 2 + offset]
            }
        };
        Ok(Some(value).filter(|value| !value.is_nan()))
    }

    /// Calls `look` for many viewers, on all cores with the feature `parallel`; see [`FieldOfView::for_each_viewer`].
    ///
    /// ```
    /// use farsight::viewshed::{Surface, Viewshed};
    /// use farsight::{Grid, Job, SightConfig};
    /// let ground = Grid::from_fn(90, 1, |cell| if cell.x == 40 { 30.0 } else { 0.0 });
    /// let surface = Surface::of(&ground, 10.0).with_eye_height(1.7);
    /// let viewshed = Viewshed::new(SightConfig::default().with_radius(SightConfig::UNLIMITED))?;
    /// let views = viewshed.for_each_viewer(&[(0, 0), (89, 0)], Job::none(), |viewshed, viewer| {
    ///     Ok(viewshed.compute(&surface, viewer, Job::none())?.to_owned())
    /// })?;
    /// let counts = Grid::from_fn(90, 1, |cell| views.iter().filter(|view| view.sees(cell)).count());
    /// assert_eq!([20, 40, 60].map(|x| counts[(x, 0)]), [1, 2, 1]); // the cumulative viewshed
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    ///
    /// # Errors
    /// The error of `look` for the first viewer for which it fails; [`SightError::Cancelled`].
    pub fn for_each_viewer<T: Send>(
        &self,
        viewers: &[impl ToCell + Copy],
        job: Job<'_>,
        look: impl Fn(&mut Self, IVec2) -> Result<T, SightError> + Sync,
    ) -> Result<Vec<T>, SightError> {
        self.workspaces.for_each_viewer(self, viewers, job, look)
    }
}

/// Computes the visibility through the opacities of a source, which hold for a [`CellScale`]; with a surface, times
/// [`Viewshed::compute`].
///
/// # Errors
/// As [`Viewshed::compute`].
pub fn compute_through<'v>(
    viewshed: &'v mut Viewshed,
    mut source: impl OpacitySource,
    surface: Option<&Surface<'_>>,
    scale: Option<CellScale>,
    viewer: IVec2,
    job: Job<'_>,
) -> Result<View<'v>, SightError> {
    if let Some(surface) = surface {
        surface.check(viewer)?;
    }
    let planned = viewshed.field_of_view.plan(source.extent(), viewer, scale)?;
    let task = surface
        .map(|surface| ViewshedTask::new(planned.config(), surface, viewer, planned.in_sight(), Quantity::Visibility));
    let raw = planned.solve(&mut source, job)?;
    let Some(task) = task else { return Ok(raw.finish()) };
    let side = raw.side();
    if viewshed.over_surface.width() != side {
        viewshed.over_surface = AlignedGrid::new(side, side);
    }
    viewshed.kernels.run(&task, &mut viewshed.over_surface, job)?;
    Ok(raw.finish_times(Some(&viewshed.over_surface)))
}

/// Returns the transmittance of the half cells at the ends of the path to a target, from the sum of log₂ of the transmittances
/// of the cells of viewer and target.
///
/// # Errors
/// As [`Viewshed::compute`].
pub fn end_transmittance(
    viewshed: &mut Viewshed,
    extent: CellRect,
    scale: Option<CellScale>,
    [viewer, target]: [IVec2; 2],
    log2: f32,
) -> Result<f32, SightError> {
    Ok(viewshed.field_of_view.plan(Some(extent), viewer, scale)?.end_transmittance(target, log2))
}

/// Computes the [visibility](Viewshed::compute) of one cell before the decay; 0 out of range.
///
/// # Errors
/// As [`Viewshed::compute`].
pub fn undecayed(
    viewshed: &mut Viewshed,
    surface: &Surface<'_>,
    viewer: IVec2,
    target: IVec2,
) -> Result<f32, SightError> {
    Ok(viewshed.raw_value(surface, viewer, target, Quantity::Visibility)?.unwrap_or(0.0))
}

impl Workspace for Viewshed {
    fn config(&self) -> &SightConfig {
        self.config()
    }

    fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        self.set_config(config)
    }
}

/// Returns the scale of cells with opacities per shorter side.
fn scale_of(surface: &Surface<'_>) -> Option<CellScale> {
    CellScale::new(surface.cell_size, surface.cell_size.shorter_m())
}

/// Returns the radius of the circle around the shape of the view.
fn outer_radius(config: &SightConfig) -> u32 {
    config.shape_in_sight().outer_radius(config.radius)
}

fn extent(surface: &Surface<'_>) -> CellRect {
    CellRect::of_size(surface.ground.size())
}

struct ViewshedTask<'a> {
    terms: SurfaceTerms<'a>,
    in_sight: u32,
    grade: Grade,
    quantity: Quantity,
}

/// The grade: the rule for lines of sight over a surface.
#[derive(Clone, Copy, Debug)]
enum Grade {
    /// Interpolated reference planes.
    ReferencePlanes,
    /// The exact line over the ground.
    Exact,
}

impl Grade {
    fn of(method: Method) -> Self {
        match method {
            Method::TwoParent { .. } => Self::ReferencePlanes,
            Method::Beam { .. }
            | Method::Exact { .. }
            | Method::SymmetricShadowcast { .. }
            | Method::Shadowcast { .. }
            | Method::RaycastBorder { .. }
            | Method::RaycastCircle { .. } => Self::Exact,
        }
    }
}

impl<'a> ViewshedTask<'a> {
    fn new(config: &SightConfig, surface: &Surface<'a>, viewer: IVec2, in_sight: u32, quantity: Quantity) -> Self {
        let terms = SurfaceTerms::new(surface, viewer, config.path).without_bare_cover(in_sight);
        Self { terms, in_sight, grade: Grade::of(config.method), quantity }
    }
}

#[derive(Clone, Debug, Default)]
struct Kernels {
    disc: ClippedDisc,
    columns: TransposedColumns,
    planes: ReferencePlanes,
    octants: Octants,
}

impl Kernels {
    /// Writes the quantity of all cells in sight into `out`, a grid with the shape of the window.
    fn run(&mut self, task: &ViewshedTask<'_>, out: &mut AlignedGrid, job: Job<'_>) -> Result<(), SightError> {
        let Self { disc, columns, planes, octants } = self;
        let &ViewshedTask { ref terms, in_sight, grade, quantity } = task;
        disc.fit(in_sight, (out.width() / 2) as u32, terms.ground.size(), terms.viewer);
        let off_map = match quantity {
            Quantity::Visibility => 0.0,
            Quantity::Clearance => f32::NAN,
        };
        disc.fill_off_map(out, off_map);
        match grade {
            Grade::ReferencePlanes => {
                let sweep = QuadrantSweep { terms, disc, columns, out };
                dispatch!(Level::new(), simd => planes.sweep(simd, sweep, quantity));
            }
            Grade::Exact => octants::trace(terms, disc, octants, Sought::Quantity(quantity), out, job)?,
        }
        let middle = out.size() / 2;
        out[middle] = quantity.of_own_cell();
        Ok(())
    }
}

/// The minimum clearance that means no horizon.
pub(super) const NO_HORIZON_M: f32 = 1e20;

/// Metres on the cells around a viewer.
#[derive(Clone, Copy, Debug)]
struct MetresInRange<'a> {
    /// NaN without a value.
    metres: View<'a>,
    /// The range of sight, in shorter sides of a cell.
    radius: u32,
    /// The maximum distance of computed cells: those farther away are off the surface.
    in_sight: u32,
    cell_size: CellSize,
}

impl MetresInRange<'_> {
    fn get(&self, cell: IVec2) -> Option<f32> {
        let View { viewer, top_left, grid, .. } = self.metres;
        let offset = cell.wrapping_sub(viewer);
        let is_computed = CellSize::square(1.0).is_in_range(offset, self.in_sight);
        if !is_computed || !self.cell_size.is_in_range(offset, self.radius) {
            return None;
        }
        grid.get(cell.wrapping_sub(top_left)).copied().filter(|metres| !metres.is_nan())
    }
}

/// The least height of an eye that sees the target on a cell, for the cells around one viewer, from
/// [`Viewshed::least_eye_heights`].
#[derive(Clone, Copy, Debug)]
pub struct EyeHeights<'a>(MetresInRange<'a>);

impl EyeHeights<'_> {
    /// Returns the least height over the viewer's ground of an eye that sees the target on a cell, in metres: 0 if an eye on the
    /// ground sees it. `None` out of range, for nodata, and for a cell that was not wanted.
    pub fn metres(&self, cell: impl ToCell) -> Option<f32> {
        self.0.get(cell.to_cell())
    }
}

/// The height of every target around one viewer above the horizon, from [`Viewshed::clearance`].
#[derive(Clone, Copy, Debug)]
pub struct Clearance<'a> {
    /// Above the horizon; at least [`NO_HORIZON_M`] without a horizon.
    heights: MetresInRange<'a>,
    target_height: f64,
}

impl Clearance<'_> {
    /// Returns the height of a target above the line from the eye over the horizon in metres; below 0 it is hidden. The
    /// target height of the surface counts.
    ///
    /// `None` out of range and for nodata, and without a horizon, where a target is visible: next to the viewer, and
    /// behind nodata only.
    pub fn metres(&self, cell: impl ToCell) -> Option<f32> {
        self.heights.get(cell.to_cell()).filter(|metres| *metres < NO_HORIZON_M)
    }

    /// Returns the minimum height of a visible target over the ground of a cell, in metres: 0 if its ground is visible.
    /// `None` out of range and for nodata. The target height of the surface does not count.
    #[doc(alias = "mast height")]
    pub fn least_height(&self, cell: impl ToCell) -> Option<f32> {
        self.heights.get(cell.to_cell()).map(|metres| (self.target_height as f32 - metres).max(0.0))
    }

    /// Returns the slope of the line to the target minus that of the horizon (rise over run); at least 0 if the target
    /// is visible. `None` as for [`metres`](Self::metres).
    pub fn slope_margin(&self, cell: impl ToCell) -> Option<f32> {
        let cell = cell.to_cell();
        let (metres, MetresInRange { metres: View { viewer, .. }, cell_size, .. }) = (self.metres(cell)?, self.heights);
        Some(metres / cell_size.distance_m(cell - viewer) as f32)
    }
}
