//! [`TwoParent`]: two-parent visibility by the fastest kernel of the processor. All kernels give the same bits.

use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use fearless_simd::f32x16;
use fearless_simd::{Level, f32x8};
use glam::IVec2;

use super::definition::sweep_list;
use super::sweep::{Sweep, SweepWindow, TransmittancePlanes};
use crate::job::Job;
use crate::sight::half_cells::HalfCellTable;
use crate::sight::offsets::OffsetList;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::solver::Solver;
use crate::sight::view_plan::ViewPlan;
use crate::sight::window::{Window, Writer};
use crate::sight_config::{OctantParts, SightConfig, SightError, Weights};
#[cfg(target_arch = "x86_64")]
use crate::simd::vectorize;
use crate::simd::{dispatch_8_lanes, has_avx512};

/// A kernel of the two-parent method. The choice affects only the run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// The definition: one pass over the offset list, which is created for the first view of a radius and takes 20 bytes a cell.
    Plain,
    /// A sweep with the baseline vectors of the architecture, of at most 4 lanes, two at a time: SSE2, NEON.
    Width4,
    /// A sweep with 8 lanes: AVX2, or like [`Width4`](Self::Width4) without it.
    Width8,
    /// A sweep with 16 lanes: AVX-512, or like [`Width8`](Self::Width8) without it.
    Width16,
}

impl Kernel {
    /// Returns the fastest kernel of this processor.
    fn best() -> Self {
        if has_avx512() { Self::Width16 } else { Self::Width8 }
    }
}

/// The kernels and their buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct TwoParent {
    /// The selected kernel, if it is not the best of this processor.
    pub(crate) chosen_kernel: Option<Kernel>,
    weights: Weights,
    /// The list of the definition. A smaller radius uses a prefix of it.
    list: Option<Arc<OffsetList>>,
    /// The light that passes cells: of the whole list, or of one layer towards a target.
    pub(super) passing: Vec<f32>,
    sweeps: Sweeps,
    /// The planes of the window.
    planes: TransmittancePlanes,
}

/// The sweeps of both widths.
#[derive(Clone, Debug, Default)]
struct Sweeps {
    sweep_8: Sweep<8>,
    #[cfg(target_arch = "x86_64")]
    sweep_16: Sweep<16>,
}

impl TwoParent {
    /// Sets the weights of both parents.
    pub(in crate::sight) fn with(&mut self, weights: Weights) -> &mut Self {
        self.weights = weights;
        self
    }

    fn kernel(&self) -> Kernel {
        if cfg!(feature = "sweep") { self.chosen_kernel.unwrap_or_else(Kernel::best) } else { Kernel::Plain }
    }

    /// Returns a list with at least this radius.
    fn fit_list(&mut self, radius: u32) -> Arc<OffsetList> {
        let weights = self.weights;
        let known = self.list.take().filter(|list| list.radius() >= radius && list.weights() == weights);
        self.list.insert(known.unwrap_or_else(|| Arc::new(OffsetList::new(radius, weights)))).clone()
    }

    /// Computes the raw value of every cell within `in_sight` directly from a map. Returns `false` if the kernel needs a copy of
    /// the opacities. Only the parts of `octants` are computed, unless the disc is [small](crate::sight::window::SMALL).
    #[inline]
    pub(crate) fn sweep_map(
        &mut self,
        map: &OpacityMap,
        viewer: IVec2,
        window: &mut Window,
        in_sight: u32,
        weights: Weights,
        octants: &OctantParts,
    ) -> bool {
        let kernel = self.kernel();
        let reach = in_sight.min(window.radius);
        // Unused planes of a map are not created.
        if kernel == Kernel::Plain || !TransmittancePlanes::fit_on(map.grid().size(), viewer, reach) {
            return false;
        }
        self.planes.fit(window); // not needed here, but later calls must not allocate
        let was_swept = window.last_writer == Writer::Sweep;
        let mut to = SweepWindow { in_sight, weights, was_swept, octants, seen: &mut window.seen };
        let is_swept = self.sweeps.sweep(kernel, map.transmittance(), viewer, &mut to);
        window.set_swept(is_swept)
    }
}

impl Solver for TwoParent {
    fn solve(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        window: &mut Window,
        _job: Job<'_>,
    ) -> Result<(), SightError> {
        let (in_sight, weights, octants) = (plan.radii.in_sight, self.weights, plan.sector.octants());
        let kernel = self.kernel();
        if kernel == Kernel::Plain {
            let list = self.fit_list(plan.radii.list(config));
            self.passing.reserve(list.len().saturating_sub(self.passing.len()));
            sweep_list(&list.as_slice()[..list.prefix_len(in_sight)], window, &mut self.passing);
            return Ok(());
        }
        self.planes.fill_from(window);
        let was_swept = window.last_writer == Writer::Sweep;
        let mut to = SweepWindow { in_sight, weights, was_swept, octants, seen: &mut window.seen };
        let is_swept = self.sweeps.sweep(kernel, &self.planes, IVec2::splat(window.radius as i32), &mut to);
        window.set_swept(is_swept);
        Ok(())
    }

    fn solve_map(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        window: &mut Window,
        job: Job<'_>,
    ) -> Result<(), SightError> {
        let (radii, octants) = (&plan.radii, plan.sector.octants());
        if self.sweep_map(map, plan.viewer, window, radii.in_sight, self.weights, octants) {
            return Ok(());
        }
        window.fill_opacities(&mut { map }, plan.viewer);
        self.solve(config, plan, window, job)
    }

    fn solve_cell(
        &mut self,
        _config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        _window: &mut Window,
        offset: IVec2,
    ) -> f32 {
        self.raw_of_target(map, plan.viewer, offset, plan.radii.in_sight, self.weights)
    }

    fn half_cells(&mut self, config: &SightConfig, _plan: &ViewPlan) -> Option<HalfCellTable> {
        Some(HalfCellTable::Steps(config.path))
    }
}

impl Sweeps {
    /// Sweeps with the width of a kernel. Invalidates the state of the sweep of the other width. `to` is not moved,
    /// since copies of a struct that was just written wait for the writes.
    ///
    /// Not inlined, since programs that use the library would compile all sweeps again.
    #[inline(never)]
    fn sweep(&mut self, kernel: Kernel, planes: &TransmittancePlanes, viewer: IVec2, to: &mut SweepWindow<'_>) -> bool {
        #[cfg(target_arch = "x86_64")]
        if kernel == Kernel::Width16
            && let Some(token) = Level::new().as_avx512()
        {
            self.sweep_8.forget();
            return vectorize!(token, simd => self.sweep_16.sweep::<_, f32x16<_>>(simd, planes, viewer, to));
        }
        #[cfg(target_arch = "x86_64")]
        self.sweep_16.forget();
        let level = if kernel == Kernel::Width4 { Level::baseline() } else { Level::new() };
        dispatch_8_lanes!(level, simd => self.sweep_8.sweep::<_, f32x8<_>>(simd, planes, viewer, to))
    }
}
