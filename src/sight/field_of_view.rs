//! [`FieldOfView`]: computes views for one configuration and keeps the buffers.

use std::sync::Arc;

use glam::{DVec2, IVec2};

use super::beam::{self, BeamBuffers, BeamList};
use super::cell_scale::CellScale;
use super::crowd_view::CrowdView;
use super::end_lengths::{EndLengths, LineLengths};
use super::exact;
use super::offsets::OffsetList;
use super::opacity_map::OpacityMap;
use super::opacity_source::OpacitySource;
use super::radii::{EAGER_LIST_RADIUS, Radii};
use super::sector_plan::SectorPlan;
use super::shading::{Shading, has_decay};
use super::two_parent::{Kernel, TwoParent};
use super::window::{SMALL, Window};
use crate::grid::CellRect;
use crate::job::Job;
use crate::sight_config::{Method, Sector, SightConfig, SightError};
use crate::view::View;
use crate::workspace_pool::{Workspace, WorkspacePool};

/// Computes the visibility of cells for one configuration, again and again.
///
/// It owns all buffers; after the first call nothing is allocated (except by the slow [`Method::Exact`]). Clones share the
/// precomputed lists: use one for each thread.
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
    list: Arc<OffsetList>,
    beam_list: Option<Arc<BeamList>>,
    line_lengths: Option<Arc<LineLengths>>,
    shading: Shading,
    /// The sides of rectangular cells.
    scale: Option<CellScale>,
    /// The sector of the next view.
    sector: SectorPlan,
    pub(super) window: Window,
    pub(super) two_parent: TwoParent,
    pub(super) beam_buffers: BeamBuffers,
    /// The views of [`mutual`](Self::mutual), and the creatures near another.
    pub(super) crowd: CrowdView,
    pub(super) near: Vec<usize>,
    workspaces: WorkspacePool<Self>,
}

impl FieldOfView {
    /// Creates a field of view that computes `config`, and its lists.
    ///
    /// # Errors
    /// [`SightError::Decay`] and [`SightError::OutOfRange`] for parameters that are out of range.
    pub fn new(config: SightConfig) -> Result<Self, SightError> {
        config.check()?;
        let list = Arc::new(OffsetList::new(config.radius.min(EAGER_LIST_RADIUS), config.weights));
        let mut fov = Self {
            config,
            list,
            beam_list: None,
            line_lengths: None,
            shading: Shading::default(),
            scale: None,
            sector: SectorPlan::new(Sector::ALL, DVec2::ONE),
            window: Window::default(),
            two_parent: TwoParent::default(),
            beam_buffers: BeamBuffers::default(),
            crowd: CrowdView::default(),
            near: Vec::new(),
            workspaces: WorkspacePool::default(),
        };
        if fov.config.method == Method::Beam {
            fov.ensure_beam_list(fov.config.radius.min(EAGER_LIST_RADIUS));
        }
        Ok(fov)
    }

    /// Returns the configuration.
    pub fn config(&self) -> &SightConfig {
        &self.config
    }

    /// Returns the offsets, nearest first, with parents and weights. The list may be longer than the radius if the radius was
    /// larger before, and shorter until a view needs more.
    pub fn offsets(&self) -> &OffsetList {
        &self.list
    }

    /// Returns the directions of the beam method, once they were needed.
    pub fn beam_list(&self) -> Option<&BeamList> {
        self.beam_list.as_deref()
    }

    /// Changes the configuration. Lists for a larger radius or other beams are made when a view needs them.
    ///
    /// # Errors
    /// As [`new`](Self::new); then the old configuration stays.
    pub fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        config.check()?;
        if config.weights != self.config.weights {
            self.list = Arc::new(OffsetList::new(config.radius.min(EAGER_LIST_RADIUS), config.weights));
        }
        if config.decay != self.config.decay
            || (config.radius != self.config.radius && config.decay.depends_on_radius())
            || (config.method, config.path) != (self.config.method, self.config.path)
        {
            self.shading = Shading::new(self.shading.skips_decay());
        }
        self.config = config;
        Ok(())
    }

    /// Computes the visibility of every cell around `viewer` on a map. The cost depends on the radius, not on the size of
    /// the map.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] if the viewer is off the map; [`SightError::RadiusTooLarge`] if the part of the map in range
    /// extends more than [`OffsetList::MAX_RADIUS`] cells from the viewer.
    #[inline]
    #[doc(alias = "compute_fov")]
    pub fn compute(&mut self, opacity: &OpacityMap, viewer: impl Into<IVec2>) -> Result<View<'_>, SightError> {
        let viewer = viewer.into();
        self.compute_over(opacity, viewer, Job::quiet())
    }

    /// Computes the visibility of every cell around `viewer` over any [`OpacitySource`]: a map, or a closure
    /// ([`OpacityRows`](super::OpacityRows)), within a rectangle if it has one. `job` reports progress and cancels;
    /// [`Method::Exact`] takes long enough to need it.
    ///
    /// # Errors
    /// As [`compute`](Self::compute); [`SightError::TooFarAway`] for a viewer about 2³⁰ cells from 0,0;
    /// [`SightError::Cancelled`].
    #[inline]
    pub fn compute_over(
        &mut self,
        source: impl OpacitySource,
        viewer: impl Into<IVec2>,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        let viewer = viewer.into();
        self.compute_in_sector(source, viewer, self.config.sector, job)
    }

    /// Computes the view in a sector.
    #[inline]
    pub(super) fn compute_in_sector(
        &mut self,
        source: impl OpacitySource,
        viewer: IVec2,
        sector: Sector,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        self.set_sector(sector);
        let radii = self.radii(source.extent(), viewer)?;
        self.make_room(radii);
        if let Some(map) = source.map()
            && self.config.method == Method::TwoParent
        {
            let (weights, octants) = (self.config.weights, self.sector.octants());
            if self.two_parent.over_map(map, viewer, &mut self.window, radii.in_sight, weights, octants) {
                return Ok(self.shade(viewer, radii));
            }
        }
        self.window.fill_opacities(source, viewer);
        self.compute_window(viewer, radii, job)
    }

    /// Computes the view of a viewer whose opacities are in the window.
    pub(super) fn compute_window(&mut self, viewer: IVec2, radii: Radii, job: Job<'_>) -> Result<View<'_>, SightError> {
        let (in_sight, path) = (radii.in_sight, self.config.path);
        match self.config.method {
            Method::TwoParent => {
                let kernel = self.two_parent.kernel_for(in_sight);
                if kernel == Kernel::List {
                    self.ensure_offsets(in_sight);
                }
                let octants = self.sector.octants();
                self.two_parent.over_window(kernel, &mut self.window, &self.list, in_sight, octants);
            }
            Method::Beam => {
                let list = self.ensure_beam_list(radii.beam_list);
                beam::cast(&list, &mut self.window, in_sight, path, &mut self.beam_buffers);
            }
            Method::Exact => exact::trace(&mut self.window, in_sight, path, self.config.samples, job)?,
        }
        Ok(self.shade(viewer, radii))
    }

    /// Computes the views of many viewers on one map, on all of rayon's threads: `read` turns each view into the answer
    /// that is kept. The answers have the order of the viewers and are those of [`compute`](Self::compute), whatever the
    /// number of threads.
    ///
    /// Each thread has its own workspace, which is kept for the next call: after the first, computing a view allocates
    /// nothing (except by the slow [`Method::Exact`]).
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let opacity = OpacityMap::from_text("..#....\n.......")?;
    /// let fov = FieldOfView::new(SightConfig::default().with_radius(24))?;
    /// let guards = [ivec2(0, 0), ivec2(6, 0)];
    /// let sees_the_goat = fov.compute_many(&opacity, &guards, |_guard, view| view.get(ivec2(5, 0)) > 0.25)?;
    /// assert_eq!(sees_the_goat, [false, true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute), for the first viewer for which it fails.
    pub fn compute_many<T: Send>(
        &self,
        opacity: &OpacityMap,
        viewers: &[IVec2],
        read: impl Fn(IVec2, View<'_>) -> T + Sync,
    ) -> Result<Vec<T>, SightError> {
        self.for_each_viewer(viewers, Job::quiet(), |fov, viewer| Ok(read(viewer, fov.compute(opacity, viewer)?)))
    }

    /// Calls `look` for many viewers, on all of rayon's threads, with a workspace in which to compute the view: for
    /// opacities or a radius that depend on the viewer. `look` must set every part of the configuration that differs
    /// among viewers, and no other. See [`compute_many`](Self::compute_many).
    ///
    /// # Errors
    /// The error of `look` for the first viewer for which it fails; [`SightError::Cancelled`].
    pub fn for_each_viewer<T: Send>(
        &self,
        viewers: &[IVec2],
        job: Job<'_>,
        look: impl Fn(&mut Self, IVec2) -> Result<T, SightError> + Sync,
    ) -> Result<Vec<T>, SightError> {
        self.workspaces.for_each_viewer(self, viewers, job, look)
    }

    #[inline]
    pub(super) fn make_room(&mut self, radii: Radii) {
        if !std::mem::take(&mut self.window.swept) {
            self.two_parent.forget();
        }
        self.window.make_room(radii.window, radii.in_sight);
    }

    #[inline]
    fn set_sector(&mut self, sector: Sector) {
        let ratios = self.scale.map_or(DVec2::ONE, |scale| scale.ratios());
        self.sector.set(sector, ratios);
    }

    /// Clears the visibilities of the cells that are not in the sector and the shape of the configuration.
    pub(crate) fn clip_to_configuration(&mut self, radii: Radii) {
        self.set_sector(self.config.sector);
        self.window.clip_to_shape(self.config.shape, radii.in_sight, self.config.radius);
        self.sector.clip(&mut self.window, radii.in_sight);
    }

    /// Applies the path rule, the ends of paths and the decay to the raw values of the window.
    #[inline]
    fn shade(&mut self, viewer: IVec2, radii: Radii) -> View<'_> {
        self.window.clip_to_shape(self.config.shape, radii.in_sight, self.config.radius);
        // A sweep leaves the rest of the sector out, unless the disc is so small that it sweeps all at the same time.
        if !self.window.swept || radii.in_sight <= SMALL {
            self.sector.clip(&mut self.window, radii.in_sight);
        }
        let ends = self.window.has_ends.then(|| self.end_lengths(radii));
        self.shading.extend(radii.in_sight, &self.window, &self.config, ends.as_ref());
        self.shading.apply(&mut self.window);
        self.view(viewer)
    }

    /// Selects a kernel for two parents: for tests and benchmarks, since all give the same bits. Every processor has all of
    /// them.
    #[doc(hidden)]
    pub fn set_kernel(&mut self, kernel: Kernel) {
        self.two_parent.chosen_kernel = Some(kernel);
    }

    /// Returns the radii for a viewer among the cells of `extent`.
    #[inline]
    pub(crate) fn radii(&self, extent: Option<CellRect>, viewer: IVec2) -> Result<Radii, SightError> {
        Radii::new(self.config.shape, self.config.radius, extent, viewer)
    }

    /// Returns the window for a viewshed, which writes the visibility of every cell in sight.
    pub(crate) fn window_for(&mut self, radii: Radii) -> &mut Window {
        self.window.make_room(radii.window, radii.in_sight);
        &mut self.window
    }

    /// Returns the window of the last view.
    pub(crate) fn window_mut(&mut self) -> &mut Window {
        &mut self.window
    }

    /// Sets the sides of the cells of the next views. With [`Some`], [`raise_to_scale`](Self::raise_to_scale) and
    /// [`clip_to_scale`](Self::clip_to_scale) have to follow a view.
    pub(crate) fn set_scale(&mut self, scale: Option<CellScale>) {
        self.scale = scale;
        if self.shading.skips_decay() != scale.is_some() {
            self.shading = Shading::new(scale.is_some());
        }
    }

    /// Raises the visibilities of the window to the powers of the [`CellScale`], if there is one.
    pub(crate) fn raise_to_scale(&mut self, radii: Radii) {
        if let Some(scale) = self.scale {
            scale.raise(&mut self.window, radii.in_sight, self.config.path);
        }
    }

    /// Clears the cells out of range and applies the decay, if there is a [`CellScale`].
    pub(crate) fn clip_to_scale(&mut self, radii: Radii) {
        if let Some(scale) = self.scale {
            scale.clip(&mut self.window, radii.in_sight, &self.config, has_decay(&self.config));
        }
    }

    /// Multiplies the visibilities of the window by the decay, without the path rule.
    pub(crate) fn apply_decay(&mut self, radii: Radii) {
        if has_decay(&self.config) && self.scale.is_none() {
            self.shading.extend(radii.in_sight, &self.window, &self.config, None);
            self.shading.apply_decay(&mut self.window);
        }
    }

    /// Returns the lengths of paths in the cells of viewer and target.
    pub(crate) fn end_lengths(&mut self, radii: Radii) -> EndLengths {
        let SightConfig { method, path, samples, .. } = self.config;
        let kept = self.line_lengths.take();
        let lengths = match method {
            Method::TwoParent => return EndLengths::TwoParent(path),
            Method::Beam => {
                let list = self.ensure_beam_list(radii.beam_list);
                let fits = |kept: &Arc<LineLengths>| kept.fits_beams(&list, path);
                kept.filter(fits).unwrap_or_else(|| Arc::new(LineLengths::of_beams(&list, path)))
            }
            Method::Exact => {
                let radius = radii.in_sight;
                let fits = |kept: &Arc<LineLengths>| kept.fits_samples(radius, samples, path);
                kept.filter(fits).unwrap_or_else(|| Arc::new(LineLengths::of_samples(radius, samples, path)))
            }
        };
        EndLengths::OfLines(self.line_lengths.insert(lengths).clone())
    }

    /// Returns the window as the view of a viewer.
    #[inline]
    pub(crate) fn view(&self, viewer: IVec2) -> View<'_> {
        View { viewer, top_left: viewer - self.window.centre(), grid: self.window.seen.view() }
    }

    /// Extends the list of offsets to at least `radius` cells.
    fn ensure_offsets(&mut self, radius: u32) {
        if self.list.radius() < radius {
            // Doubling, so that a walk towards the far side of a large map does not rebuild at every step.
            let doubled =
                radius.max(2 * self.list.radius()).min(self.config.radius.max(radius)).min(OffsetList::MAX_RADIUS);
            self.list = Arc::new(OffsetList::new(doubled, self.config.weights));
        }
    }

    /// Returns the list of directions for exactly this radius, on which their number depends.
    pub(super) fn ensure_beam_list(&mut self, radius: u32) -> Arc<BeamList> {
        let beams = self.config.beams;
        match &self.beam_list {
            Some(list) if (list.radius(), list.beams()) == (radius, beams) => list.clone(),
            _ => self.beam_list.insert(Arc::new(BeamList::new(radius, beams))).clone(),
        }
    }
}

impl Workspace for FieldOfView {
    fn config(&self) -> &SightConfig {
        self.config()
    }

    fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        self.set_config(config)
    }
}
