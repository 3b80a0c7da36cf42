//! [`TwoParent`]: two-parent visibility by the fastest kernel of the processor. All kernels give the same bits.

#[cfg(not(target_arch = "wasm32"))]
use fearless_simd::f32x16;
use fearless_simd::{Level, f32x8};
use glam::IVec2;

use super::definition::sweep_rings;
use super::sweep::{Sweep, SweepWindow, TransmittancePlanes};
use crate::job::Job;
use crate::sight::half_cells::HalfCellTable;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::solver::Solver;
use crate::sight::view_plan::ViewPlan;
use crate::sight::window::{SMALL, Window};
use crate::sight_config::{OctantParts, SightConfig, SightError, Weights};
#[cfg(not(target_arch = "wasm32"))]
use crate::simd::dispatch_16_lanes;
use crate::simd::{dispatch_8_lanes, has_avx512};

/// A kernel of the two-parent method. The choice affects only the run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// The definition: a sweep cell by cell.
    Plain,
    /// A sweep with vectors that every processor of the architecture has, of at most 4 lanes, two at a time: SSE2, NEON.
    Width4,
    /// A sweep with 8 lanes: AVX2, or as [`Width4`](Self::Width4) without it.
    Width8,
    /// A sweep with 16 lanes: AVX-512, or made of narrower vectors. The page has no such sweep and uses
    /// [`Width8`](Self::Width8).
    Width16,
}

impl Kernel {
    /// The fastest kernel of this processor for a radius.
    fn best(in_sight: u32) -> Self {
        if has_avx512() && !NARROW_RADII.contains(&in_sight) { Self::Width16 } else { Self::Width8 }
    }
}

/// The radii at which 8 lanes are faster than 16: much of a tile of 16 × 16 would be out of sight. Smaller discs have one tile.
const NARROW_RADII: std::ops::RangeInclusive<u32> = SMALL + 1..=11;

/// The kernels and their buffers.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct TwoParent {
    /// The kernel for all radii, if it is not the best of this processor.
    pub(in crate::sight) chosen_kernel: Option<Kernel>,
    pub(super) through: Vec<f32>,
    sweeps: Sweeps,
    /// The planes of the window.
    planes: TransmittancePlanes,
}

/// The sweeps of both widths.
#[derive(Clone, Debug, Default)]
struct Sweeps {
    sweep_8: Sweep<8>,
    #[cfg(not(target_arch = "wasm32"))]
    sweep_16: Sweep<16>,
}

impl TwoParent {
    fn kernel_for(&self, in_sight: u32) -> Kernel {
        self.chosen_kernel.unwrap_or_else(|| Kernel::best(in_sight))
    }

    /// Computes the raw value of every cell within `in_sight` straight from a map, with weights as in `solve`. Returns `false` if the
    /// kernel needs a copy of the opacities. Only the parts of `octants` are computed, unless the disc is [small](SMALL).
    #[inline]
    pub(in crate::sight) fn sweep_map(
        &mut self,
        map: &OpacityMap,
        viewer: IVec2,
        window: &mut Window,
        in_sight: u32,
        weights: Weights,
        octants: &OctantParts,
    ) -> bool {
        let kernel = self.kernel_for(in_sight);
        let reach = in_sight.min(window.radius);
        // The planes of a map that are not used are not made.
        if kernel == Kernel::Plain || !TransmittancePlanes::would_fit(map.grid().size(), viewer, reach) {
            return false;
        }
        self.planes.fit(window); // not needed here, but later calls must not allocate
        let (was_swept, has_nodata) = (window.was_swept, false);
        let mut to = SweepWindow { in_sight, weights, has_nodata, was_swept, octants, seen: &mut window.seen };
        window.is_swept = self.sweeps.sweep(kernel, map.transmittance(), viewer, &mut to);
        window.is_swept
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
        let (in_sight, weights, octants) = (plan.radii.in_sight, config.weights, plan.sector.octants());
        let kernel = self.kernel_for(in_sight);
        if kernel == Kernel::Plain {
            sweep_rings(window, in_sight, weights);
            return Ok(());
        }
        self.planes.fill_from(window);
        let (was_swept, has_nodata) = (window.was_swept, window.has_nodata);
        let mut to = SweepWindow { in_sight, weights, has_nodata, was_swept, octants, seen: &mut window.seen };
        window.is_swept = self.sweeps.sweep(kernel, &self.planes, IVec2::splat(window.radius as i32), &mut to);
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
        if self.sweep_map(map, plan.viewer, window, radii.in_sight, config.weights, octants) {
            return Ok(());
        }
        window.fill_opacities(map, plan.viewer);
        self.solve(config, plan, window, job)
    }

    fn solve_cell(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        _window: &mut Window,
        offset: IVec2,
    ) -> f32 {
        self.raw_of_target(map, plan.viewer, offset, plan.radii.in_sight, config.weights)
    }

    fn half_cells(&mut self, config: &SightConfig, _plan: &ViewPlan) -> HalfCellTable {
        HalfCellTable::Steps(config.path)
    }
}

impl Sweeps {
    /// Sweeps with the width of a kernel. The sweep of the other width does not know the window after that. `to` is not
    /// moved, since copies of a struct that was just written wait for the writes.
    ///
    /// Not inlined: programs that use the library would compile all sweeps again.
    #[inline(never)]
    fn sweep(&mut self, kernel: Kernel, planes: &TransmittancePlanes, viewer: IVec2, to: &mut SweepWindow<'_>) -> bool {
        #[cfg(not(target_arch = "wasm32"))]
        if kernel == Kernel::Width16 {
            self.sweep_8.forget();
            return dispatch_16_lanes!(simd => self.sweep_16.sweep::<_, f32x16<_>>(simd, planes, viewer, to));
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.sweep_16.forget();
        let level = if kernel == Kernel::Width4 { Level::baseline() } else { Level::new() };
        dispatch_8_lanes!(level, simd => self.sweep_8.sweep::<_, f32x8<_>>(simd, planes, viewer, to))
    }
}
