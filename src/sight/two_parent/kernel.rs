//! [`TwoParent`]: two-parent visibility by the fastest kernel of the processor. All kernels give the same bits.

#[cfg(not(target_arch = "wasm32"))]
use fearless_simd::f32x16;
use fearless_simd::{Level, f32x8};
use glam::IVec2;

use super::definition;
use super::sweep::{Sweep, SweepWindow, TransmittancePlanes};
use crate::sight::offsets::OffsetList;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::window::{SMALL, Window};
use crate::sight_config::{OctantParts, Weights};
#[cfg(not(target_arch = "wasm32"))]
use crate::simd::dispatch_16_lanes;
use crate::simd::{dispatch_8_lanes, has_avx512};

/// A kernel of the two-parent method. The choice affects only the run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// The definition: a walk along the list of offsets.
    List,
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
    raw: Vec<f32>,
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
    /// The kernel for a radius.
    pub(in crate::sight) fn kernel_for(&self, in_sight: u32) -> Kernel {
        self.chosen_kernel.unwrap_or_else(|| Kernel::best(in_sight))
    }

    /// Must be called after other code wrote into the window: a sweep clears only what it wrote before.
    pub(in crate::sight) fn forget(&mut self) {
        self.sweeps.forget();
    }

    /// Computes the raw visibility of every cell within `in_sight` from the window's opacities, before the path rule and
    /// decay. For [`Kernel::List`], `list` reaches at least as far; the other kernels only compute the parts of `octants`, unless
    /// the disc is [small](SMALL).
    pub(in crate::sight) fn over_window(
        &mut self,
        kernel: Kernel,
        window: &mut Window,
        list: &OffsetList,
        in_sight: u32,
        octants: &OctantParts,
    ) {
        if kernel == Kernel::List {
            let offsets = &list.as_slice()[..list.prefix_len(in_sight)];
            definition::over_window(offsets, window, &mut self.raw, &mut self.through);
            return;
        }
        self.planes.fill_from(window);
        let (weights, has_nodata) = (list.weights(), window.has_nodata);
        let mut to = SweepWindow { in_sight, weights, has_nodata, octants, seen: &mut window.seen };
        let viewer = IVec2::splat(window.radius as i32);
        window.swept = self.sweeps.sweep(kernel, &self.planes, viewer, &mut to);
    }

    /// [`over_window`](Self::over_window) straight from a map, without a copy of its opacities. Returns `false` if the kernel
    /// needs the copy.
    #[inline]
    pub(in crate::sight) fn over_map(
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
        if kernel == Kernel::List || !TransmittancePlanes::would_fit(map.grid().size(), viewer, reach) {
            return false;
        }
        self.planes.make_room(window); // not needed here, but later calls must not allocate
        let mut to = SweepWindow { in_sight, weights, has_nodata: false, octants, seen: &mut window.seen };
        window.swept = self.sweeps.sweep(kernel, map.transmittance(), viewer, &mut to);
        window.swept
    }
}

impl Sweeps {
    fn forget(&mut self) {
        self.sweep_8.forget();
        #[cfg(not(target_arch = "wasm32"))]
        self.sweep_16.forget();
    }

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
