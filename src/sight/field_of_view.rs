//! [`FieldOfView`]: a configured kernel with its list and buffers.

use std::sync::Arc;

use glam::IVec2;

use super::batch::WorkspacePool;
use super::beam::{self, BeamBuffers, BeamList};
use super::config::{Method, SightConfig};
use super::error::SightError;
use super::exact;
use super::offsets::OffsetList;
use super::opacity_map::OpacityMap;
use super::row_request::{WantedRows, one_by_one};
use super::shading::Shading;
use super::two_parent::{Kernel, TwoParent};
use super::view::View;
use super::window::{Window, radius_of_window};
use crate::job::Job;
use crate::viewshed::Horizon;

/// A field of view, ready to be computed again and again.
///
/// It owns all buffers; after the first call nothing is allocated (but by the slow [`Method::Exact`]). The
/// precomputed lists are shared with its clones: clone one for every viewer or thread.
///
/// ```
/// use farsight::{FieldOfView, Grid, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let opacity = OpacityMap::try_from(Grid::<f32>::from_text("#..@..4\n.......")?)?;
/// let mut fov = FieldOfView::new(SightConfig { radius: 24, ..Default::default() })?;
/// let view = fov.compute(&opacity, ivec2(3, 0))?;
/// assert_eq!(view.get(ivec2(6, 0)), 1.0); // the hedge itself is seen
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FieldOfView {
    config: SightConfig,
    list: Arc<OffsetList>,
    beam_list: Option<Arc<BeamList>>,
    shading: Shading,
    pub(crate) window: Window,
    two_parent: TwoParent,
    beams: BeamBuffers,
    pub(crate) horizon: Horizon,
    pub(super) workspaces: WorkspacePool,
}

/// Radii up to this are listed when a field of view is made; larger ones when a map needs them, and only as far.
const LISTED_AT_ONCE: u32 = 256;

impl FieldOfView {
    /// A field of view that computes `config`; the lists are built here, once.
    ///
    /// # Errors
    /// [`SightError::Decay`] and [`SightError::OutOfRange`] for parameters that are out of range.
    pub fn new(config: SightConfig) -> Result<Self, SightError> {
        config.check()?;
        let list = Arc::new(OffsetList::new(config.radius.min(LISTED_AT_ONCE), config.weights));
        let mut fov = Self {
            config,
            list,
            beam_list: None,
            shading: Shading::default(),
            window: Window::default(),
            two_parent: TwoParent::default(),
            beams: BeamBuffers::default(),
            horizon: Horizon::default(),
            workspaces: WorkspacePool::default(),
        };
        if fov.config.method == Method::Beam {
            fov.list_beams(fov.config.radius.min(LISTED_AT_ONCE));
        }
        Ok(fov)
    }

    /// What is computed.
    pub fn config(&self) -> &SightConfig {
        &self.config
    }

    /// The offsets, nearest first, with parents and weights: those of the radius, or more if the radius was larger
    /// before. A radius above 256 is listed as far as the maps seen so far needed it.
    pub fn offsets(&self) -> &OffsetList {
        &self.list
    }

    /// The directions of the beam method, once they were needed.
    pub fn beams(&self) -> Option<&BeamList> {
        self.beam_list.as_deref()
    }

    /// Changes what is computed. The lists are kept where they still serve: only other weights or beams, or a
    /// larger radius, need new ones.
    ///
    /// # Errors
    /// As [`new`](Self::new); the old configuration stays.
    pub fn set_config(&mut self, config: SightConfig) -> Result<(), SightError> {
        config.check()?;
        if config.weights != self.config.weights {
            self.list = Arc::new(OffsetList::new(config.radius.min(LISTED_AT_ONCE), config.weights));
        }
        if config.decay != self.config.decay
            || (config.radius != self.config.radius && config.decay.depends_on_radius())
            || (config.method, config.path) != (self.config.method, self.config.path)
        {
            self.shading = Shading::default();
        }
        self.config = config;
        Ok(())
    }

    /// What is seen from `viewer` on a map. Cost depends on the radius, never on the size of the
    /// map.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`]; [`SightError::RadiusTooLarge`] if more than
    /// [`OffsetList::MAX_RADIUS`] cells of the map are in range in a direction.
    #[inline]
    pub fn compute(&mut self, opacity: &OpacityMap, viewer: IVec2) -> Result<View<'_>, SightError> {
        self.compute_watched(opacity, viewer, Job::quiet())
    }

    /// [`compute`](Self::compute), watched and stopped by a [`Job`]: for [`Method::Exact`], which takes its time.
    ///
    /// # Errors
    /// As [`compute`](Self::compute), and [`SightError::Cancelled`].
    pub fn compute_watched(
        &mut self,
        opacity: &OpacityMap,
        viewer: IVec2,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        let grid = opacity.grid();
        let reach = self.reach_on(grid.size(), viewer)?;
        let in_sight = reach.in_sight;
        if self.config.method == Method::TwoParent && in_sight <= OffsetList::MAX_RADIUS {
            self.make_room(reach);
            let whole = in_sight < self.config.radius;
            if self.two_parent.over_map(opacity, viewer, &mut self.window, in_sight, self.config.weights, whole) {
                return Ok(self.shade(viewer, reach));
            }
        }
        self.compute_rows(viewer, [IVec2::ZERO, grid.size()], reach, job, true, |rows| {
            for row in rows {
                let x = row.first.x as usize;
                row.opacity.copy_from_slice(&grid.row(row.first.y as usize)[x..x + row.opacity.len()]);
            }
        })
    }

    /// What is seen from `viewer` where opacity hangs on the viewer, as relief does: `fill` is
    /// asked for the rows of the window instead of a map.
    ///
    /// `fill(start, row)` writes the opacities of the cells `start`, `start + (1, 0)`, … into
    /// `row`. Each is in [0, 1] (others are clamped), or NaN where there is no cell: neither seen
    /// nor seen through. Only the part of a row within the radius is asked for; what `row` holds
    /// before means nothing.
    ///
    /// # Errors
    /// [`SightError::RadiusTooLarge`] above [`OffsetList::MAX_RADIUS`]; [`SightError::TooFarAway`] for a viewer about
    /// 2³⁰ cells from 0,0.
    pub fn compute_from(&mut self, viewer: IVec2, fill: impl FnMut(IVec2, &mut [f32])) -> Result<View<'_>, SightError> {
        let radius = self.config.radius;
        let limit = i32::MAX / 2;
        if viewer.cmplt(IVec2::splat(-limit)).any() || viewer.cmpge(IVec2::splat(limit)).any() {
            return Err(SightError::TooFarAway { viewer, limit });
        }
        let reach = Reach { in_sight: radius, window: radius, beams: radius };
        self.compute_rows(viewer, [IVec2::MIN, IVec2::MAX], reach, Job::quiet(), false, one_by_one(fill))
    }

    /// Like [`compute_from`](Self::compute_from) on a map of known size (width, height): only cells
    /// of the map are asked for, and the others do not exist.
    ///
    /// # Errors
    /// As [`compute`](Self::compute).
    pub fn compute_within(
        &mut self,
        size: IVec2,
        viewer: IVec2,
        fill: impl FnMut(IVec2, &mut [f32]),
    ) -> Result<View<'_>, SightError> {
        self.compute_within_watched(size, viewer, Job::quiet(), fill)
    }

    /// [`compute_within`](Self::compute_within), watched and stopped by a [`Job`]: for [`Method::Exact`], which takes
    /// its time.
    ///
    /// # Errors
    /// As [`compute`](Self::compute), and [`SightError::Cancelled`].
    pub fn compute_within_watched(
        &mut self,
        size: IVec2,
        viewer: IVec2,
        job: Job<'_>,
        fill: impl FnMut(IVec2, &mut [f32]),
    ) -> Result<View<'_>, SightError> {
        let reach = self.reach_on(size, viewer)?;
        self.compute_rows(viewer, [IVec2::ZERO, size], reach, job, false, one_by_one(fill))
    }

    /// The same for who fills all rows at once, and with nothing but numbers from 0 to 1.
    ///
    /// # Errors
    /// As [`compute`](Self::compute), and [`SightError::Cancelled`].
    pub(crate) fn compute_filled(
        &mut self,
        size: IVec2,
        viewer: IVec2,
        job: Job<'_>,
        fill: impl FnOnce(WantedRows<'_>),
    ) -> Result<View<'_>, SightError> {
        let reach = self.reach_on(size, viewer)?;
        self.compute_rows(viewer, [IVec2::ZERO, size], reach, job, true, fill)
    }

    pub(crate) fn compute_rows(
        &mut self,
        viewer: IVec2,
        extent: [IVec2; 2],
        reach: Reach,
        job: Job<'_>,
        trusted: bool,
        fill: impl FnOnce(WantedRows<'_>),
    ) -> Result<View<'_>, SightError> {
        let in_sight = reach.in_sight;
        if in_sight > OffsetList::MAX_RADIUS {
            return Err(SightError::RadiusTooLarge { radius: in_sight, limit: OffsetList::MAX_RADIUS });
        }
        self.make_room(reach);
        let kernel = self.two_parent.kernel_for(in_sight, self.config.weights);
        self.window.take(viewer, extent, trusted, fill);
        let path = self.config.path;
        match self.config.method {
            Method::TwoParent => {
                if kernel == Kernel::List {
                    self.list_offsets(in_sight);
                }
                self.two_parent.over_window(kernel, &mut self.window, &self.list, in_sight);
            }
            Method::Beam => {
                let list = self.list_beams(reach.beams);
                beam::cast(&list, &mut self.window, in_sight, path, &mut self.beams);
            }
            Method::Exact => exact::trace(&mut self.window, in_sight, path, self.config.samples, job)?,
        }
        Ok(self.shade(viewer, reach))
    }

    #[inline]
    fn make_room(&mut self, reach: Reach) {
        if !std::mem::take(&mut self.window.swept) {
            self.two_parent.forget();
        }
        self.window.make_room(reach.window, reach.in_sight);
    }

    /// What the path rule and decay leave of what is in the window.
    #[inline]
    fn shade(&mut self, viewer: IVec2, reach: Reach) -> View<'_> {
        self.shading.extend(reach.in_sight.min(reach.window), &self.window, &self.config);
        self.shading.apply(&mut self.window);
        View { viewer, origin: viewer - self.window.centre(), grid: self.window.seen.view() }
    }

    /// Computes two parents by this kernel, or by the next best that the processor knows: for tests and benchmarks, since
    /// all give the same.
    #[doc(hidden)]
    pub fn set_kernel(&mut self, kernel: Kernel) {
        self.two_parent.kernel = kernel.min(Kernel::best());
    }

    /// Multiplies what is seen by the decay alone, where no path rule has a say.
    pub(crate) fn fade(&mut self, reach: Reach) {
        self.shading.extend(reach.in_sight.min(reach.window), &self.window, &self.config);
        self.shading.fade(&mut self.window);
    }

    /// How much of the radius a map can fill.
    pub(crate) fn reach_on(&self, size: IVec2, viewer: IVec2) -> Result<Reach, SightError> {
        if viewer.cmplt(IVec2::ZERO).any() || viewer.cmpge(size).any() {
            let (width, height) = (size.x.max(0) as usize, size.y.max(0) as usize);
            return Err(SightError::ViewerOutside { viewer, width, height });
        }
        let farthest = viewer.max(size - 1 - viewer).as_uvec2();
        let side = farthest.max_element();
        let radius = self.config.radius;
        // Roots take their time, and most maps are larger than a radius.
        let corner = if side >= radius { radius } else { farthest.as_dvec2().length().ceil() as u32 };
        Ok(Reach {
            in_sight: radius.min(corner),
            window: radius_of_window(radius, side),
            beams: radius.min(corner.next_power_of_two().max(LISTED_AT_ONCE)).min(OffsetList::MAX_RADIUS),
        })
    }

    /// Makes the list of offsets reach at least `radius` cells.
    fn list_offsets(&mut self, radius: u32) {
        if self.list.radius() < radius {
            // Doubling, so that a walk towards the far side of a large map does not rebuild at every step.
            let roomy = radius.max(2 * self.list.radius()).min(self.config.radius).min(OffsetList::MAX_RADIUS);
            self.list = Arc::new(OffsetList::new(roomy, self.config.weights));
        }
    }

    /// The directions for exactly `radius` cells, from which their number follows.
    fn list_beams(&mut self, radius: u32) -> Arc<BeamList> {
        let beams = self.config.beams;
        match &self.beam_list {
            Some(list) if (list.radius(), list.beams()) == (radius, beams) => list.clone(),
            _ => self.beam_list.insert(Arc::new(BeamList::new(radius, beams))).clone(),
        }
    }
}

/// How far list and window reach on a map, in cells.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Cells farther than this are out of range or off the map.
    pub(crate) in_sight: u32,
    /// The radius of the window.
    pub(crate) window: u32,
    /// The radius that the number of directions follows.
    beams: u32,
}
