//! [`FieldOfView`]: computes views for one configuration and keeps the buffers.

use crate::grid::ToCell;
use glam::IVec2;

use super::attenuation::Attenuation;
use super::beam::{Beam, BeamList};
use super::classic::{Classic, RaycastBorder, RaycastCircle, Shadowcast, SymmetricSolver};
use super::crowd_view::CrowdView;
use super::exact::Exact;
use super::opacity_map::OpacityMap;
use super::opacity_source::{OpacitySource, ReadOpacities};
use super::solver::Solver;
use super::two_parent::{Kernel, TwoParent};
use super::view_plan::{SMALL_LIST_RADIUS, ViewPlan};
use super::window::Window;
use crate::job::Job;
use crate::sight_config::{Method, Sector, SightConfig, SightError};
use crate::view::View;
use crate::workspace_pool::{Workspace, WorkspacePool};

/// Computes the visibility of cells for one configuration. It is reused for many views.
///
/// It owns all buffers; after the first call it allocates nothing (except with the slow [`Method::Exact`]). Clones
/// share the precomputed lists: use one per thread.
///
/// ```
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let opacity = OpacityMap::from_text("#..@..4\n.......")?;
/// let mut fov = FieldOfView::new(SightConfig::default().with_radius(24))?;
/// let view = fov.compute(&opacity, ivec2(3, 0))?;
/// assert_eq!(view.get(ivec2(6, 0)), 1.0); // the hedge itself is visible
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "fov")]
#[doc(alias = "field of view")]
#[doc(alias = "shadowcasting")]
#[doc(alias = "viewshed")]
pub struct FieldOfView {
    pub(super) config: SightConfig,
    /// The plan of the last view.
    pub(super) plan: ViewPlan,
    pub(super) window: Window,
    pub(super) solvers: Solvers,
    pub(super) attenuation: Attenuation,
    /// The views of [`mutual`](Self::mutual), and the creatures near another one.
    pub(super) crowd: CrowdView,
    pub(super) near: Vec<usize>,
    workspaces: WorkspacePool<Self>,
}

/// The methods, with their buffers and lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Solvers {
    pub(super) two_parent: TwoParent,
    beam: Beam,
    exact: Exact,
    pub(super) symmetric_shadowcast: SymmetricSolver,
    shadowcast: Classic<Shadowcast>,
    raycast_border: Classic<RaycastBorder>,
    raycast_circle: Classic<RaycastCircle>,
}

impl Solvers {
    #[inline]
    pub(super) fn of(&mut self, method: Method) -> &mut dyn Solver {
        match method {
            Method::TwoParent { weights } => self.two_parent.with(weights),
            Method::Beam { beams } => self.beam.with(beams),
            Method::Exact { samples } => self.exact.with(samples),
            Method::SymmetricShadowcast { wall_at } => self.symmetric_shadowcast.with(wall_at),
            Method::Shadowcast { wall_at } => self.shadowcast.with(wall_at, |_| {}),
            Method::RaycastBorder { wall_at, repair } => {
                self.raycast_border.with(wall_at, |border| border.repair = repair)
            }
            Method::RaycastCircle { wall_at, rays } => self.raycast_circle.with(wall_at, |circle| circle.rays = rays),
        }
    }
}

impl FieldOfView {
    /// Creates a field of view for `config`, with its lists.
    ///
    /// # Errors
    /// As [`SightConfig::check`].
    pub fn new(config: SightConfig) -> Result<Self, SightError> {
        config.check()?;
        let mut solvers = Solvers::default();
        if let Method::Beam { beams } = config.method {
            // Larger lists are created on demand, up to the edge of the map.
            solvers.beam.with(beams).fit(config.radius.min(SMALL_LIST_RADIUS));
        }
        Ok(Self {
            config,
            plan: ViewPlan::default(),
            window: Window::default(),
            solvers,
            attenuation: Attenuation::default(),
            crowd: CrowdView::default(),
            near: Vec::new(),
            workspaces: WorkspacePool::default(),
        })
    }

    /// Returns the configuration.
    pub fn config(&self) -> &SightConfig {
        &self.config
    }

    /// Returns the directions of the beam method, if a view has needed them.
    pub fn beam_list(&self) -> Option<&BeamList> {
        self.solvers.beam.list()
    }

    /// Changes the configuration. The next view computes what is missing in the caches: the lists of a larger radius or
    /// of other beams, and the factors of decay and path rule if decay, method or path rule change, or the radius that
    /// the decay depends on. A game with several configurations should have a field of view for each.
    ///
    /// # Errors
    /// As for [`new`](Self::new); then the configuration does not change.
    pub fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        config.check()?;
        if config.decay != self.config.decay
            || (config.radius != self.config.radius && config.decay.depends_on_radius())
            || (config.method, config.path) != (self.config.method, self.config.path)
        {
            self.attenuation = Attenuation::default();
        }
        self.config = config;
        Ok(())
    }

    /// Computes the visibility of every cell around `viewer` over any [`OpacitySource`]: a map, or a closure
    /// ([`OpacityCells`](super::OpacityCells), [`OpacityRows`](super::OpacityRows)), within its rectangle, if it has
    /// one. The cost depends on the radius, not on the size of the map.
    ///
    /// A visibility depends on the cells between. The opacities of the viewer's own cell and of the target's do not count: a wall is
    /// visible, and whoever is in a bush looks out undimmed. [`Sense::concealment`](field@crate::perception::Sense::concealment)
    /// is for a target that its own cell hides.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// let map = OpacityMap::from_text("..9..#..")?; // a bush and a wall
    /// let mut fov = FieldOfView::new(SightConfig::default())?;
    /// assert_eq!(fov.compute(&map, (2, 0))?.get((4, 0)), 1.0); // out of the bush
    /// let view = fov.compute(&map, (0, 0))?;
    /// assert_eq!(view.get((2, 0)), 1.0); // the bush
    /// assert!((view.get((5, 0)) - 0.1).abs() < 1e-6); // the wall behind it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] if the viewer is off the map; [`SightError::RadiusTooLarge`] if the part of the
    /// map in range extends more than [`SightConfig::MAX_RADIUS`] cells from the viewer;
    /// [`SightError::TooFarAway`] for a viewer about 2³⁰ cells from 0,0.
    #[inline]
    #[doc(alias = "compute_fov")]
    pub fn compute(&mut self, source: impl OpacitySource, viewer: impl ToCell) -> Result<View<'_>, SightError> {
        self.compute_with_job(source, viewer, Job::none())
    }

    /// Computes the view as [`compute`](Self::compute), with a job for progress and cancellation, since
    /// [`Method::Exact`] is slow.
    ///
    /// # Errors
    /// As [`compute`](Self::compute); [`SightError::Cancelled`].
    #[inline]
    pub fn compute_with_job(
        &mut self,
        mut source: impl OpacitySource,
        viewer: impl ToCell,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        let sector = self.config.sector;
        self.compute_in_sector(&mut source, viewer.to_cell(), sector, job)
    }

    /// Computes a view of any source. Programs that use the library do not compile this function again, so that it is fast in
    /// their builds without optimisation.
    #[inline(never)]
    fn compute_in_sector(
        &mut self,
        source: &mut dyn ReadOpacities,
        viewer: IVec2,
        sector: Sector,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        Ok(self.plan_in_sector(source.extent(), viewer, None, sector)?.solve(source, job)?.finish())
    }

    /// Computes the view of a viewer with a cone of vision. Cells outside the sector are 0; those inside have the values of
    /// [`compute`](Self::compute), bit for bit. The sector of the configuration is not used.
    ///
    /// Two parents compute only cells that can pass light to the sector, so run time falls with the span. At radius 64,
    /// 90° take a quarter of the time of a whole view if the edges are diagonals, 0.4 if they are axes, and 0.6 if they
    /// run through octants, where light for the sector comes from cells beyond its edges. If the viewer turns, clearing
    /// the old sector takes additional time. Up to radius 8, and with beams, all octants are computed together, so a
    /// sector saves nothing.
    ///
    /// ```
    /// use farsight::sight::Sector;
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::clear(21, 21)?;
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(9))?;
    /// let guard = ivec2(10, 10);
    /// let view = fov.compute_sector(&map, guard, Sector::new(90.0, 120.0))?; // looks east
    /// assert_eq!(view.get(ivec2(15, 10)), 1.0);
    /// assert_eq!(view.get(ivec2(5, 10)), 0.0); // behind its back
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute); [`SightError::OutOfRange`] for a direction that is not finite and a span out of [`Sector::SPAN`].
    #[doc(alias = "cone of vision")]
    #[doc(alias = "fov cone")]
    pub fn compute_sector(
        &mut self,
        mut source: impl OpacitySource,
        viewer: impl ToCell,
        sector: Sector,
    ) -> Result<View<'_>, SightError> {
        sector.check()?;
        self.compute_in_sector(&mut source, viewer.to_cell(), sector, Job::none())
    }

    /// Computes the views of many viewers on one map, on all cores with the feature `parallel`: `read` turns each view into the answer
    /// that is kept. The answers have the order of the viewers and are those of [`compute`](Self::compute), whatever the
    /// number of threads. `|_, view| view.to_owned()` keeps the views themselves. For opacities from a closure see
    /// [`for_each_viewer`](Self::for_each_viewer).
    ///
    /// Each thread has its own workspace, which is cached for the next call: after the first call, computing a view
    /// allocates nothing (except with the slow [`Method::Exact`]).
    ///
    /// ```
    /// use farsight::{FieldOfView, Job, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let opacity = OpacityMap::from_text("..#....\n.......")?;
    /// let fov = FieldOfView::new(SightConfig::default().with_radius(24))?;
    /// let guards = [ivec2(0, 0), ivec2(6, 0)];
    /// let sees_goat = fov.compute_many(&opacity, &guards, Job::none(), |_, view| view.get((5, 0)) > 0.25)?;
    /// assert_eq!(sees_goat, [false, true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute), for the first viewer for which it fails; [`SightError::Cancelled`].
    pub fn compute_many<T: Send>(
        &self,
        opacity: &OpacityMap,
        viewers: &[impl ToCell + Copy],
        job: Job<'_>,
        read: impl Fn(IVec2, View<'_>) -> T + Sync,
    ) -> Result<Vec<T>, SightError> {
        let view_job = job.without_progress();
        self.for_each_viewer(viewers, job, |fov, viewer| {
            Ok(read(viewer, fov.compute_with_job(opacity, viewer, view_job)?))
        })
    }

    /// Calls `look` for many viewers, on all cores with the feature `parallel`, and with a workspace in which to compute the view: for
    /// opacities or a radius that depend on the viewer. `look` must set every part of the configuration that differs
    /// among viewers, and no other. See [`compute_many`](Self::compute_many).
    ///
    /// Errors of `look` are those of sight: write files after the call, with the answers.
    ///
    /// ```
    /// use farsight::glam::IVec2;
    /// use farsight::sight::OpacityCells;
    /// use farsight::{FieldOfView, Job, SightConfig};
    /// let fov = FieldOfView::new(SightConfig::default().with_radius(4))?;
    /// let wall = |cell: IVec2| if cell.x == 2 { 1.0 } else { 0.0 }; // without an edge
    /// let areas = fov.for_each_viewer(&[(0, 0), (90, 0)], Job::none(), |fov, viewer| {
    ///     Ok(fov.compute(OpacityCells::new(wall), viewer)?.visible().count())
    /// })?;
    /// assert!(areas[0] < areas[1] && areas[1] == 49);
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

/// Selects a kernel for two parents and symmetric shadowcasting: for tests and benchmarks, since all give the same bits. Every processor has
/// all of them.
pub fn set_kernel(fov: &mut FieldOfView, kernel: Kernel) {
    fov.solvers.two_parent.chosen_kernel = Some(kernel);
    fov.solvers.symmetric_shadowcast.chosen_kernel = Some(kernel);
}

impl Workspace for FieldOfView {
    fn config(&self) -> &SightConfig {
        self.config()
    }

    fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        self.set_config(config)
    }
}
