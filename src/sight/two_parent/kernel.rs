//! [`TwoParent`]: two-parent visibility by the fastest kernel of the processor. All kernels give the same bits.

use glam::IVec2;

#[cfg(target_arch = "x86_64")]
use super::avx512::{Avx512Input, Avx512Sweep, small_radius, transpose_wedges};
use super::definition;
use super::sweep::{PortableSweep, SweepInput};
#[cfg(target_arch = "x86_64")]
use crate::grid::AlignedGrid;
use crate::sight::config::Weights;
use crate::sight::offsets::OffsetList;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::window::Window;
#[cfg(target_arch = "x86_64")]
use crate::simd::has_avx512;

/// A kernel of the two-parent method. The choice affects only the run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kernel {
    /// The definition: a walk along the list of offsets.
    List,
    /// A sweep with at most 4 lanes: SSE2, NEON.
    Width4,
    /// A sweep with up to 8 lanes: AVX2.
    Width8,
    /// A sweep with 16 lanes: AVX-512.
    Width16,
}

impl Kernel {
    /// The fastest kernel of this processor.
    pub(in crate::sight) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if has_avx512() {
            return Self::Width16;
        }
        Self::Width8
    }

    /// Returns `true` if the kernel may use vectors that not every processor of the architecture has.
    fn may_use_avx2(self) -> bool {
        self > Self::Width4
    }
}

/// The kernels and their buffers.
#[derive(Clone, Debug)]
pub(in crate::sight) struct TwoParent {
    pub(in crate::sight) kernel: Kernel,
    raw: Vec<f32>,
    through: Vec<f32>,
    portable: PortableSweep,
    #[cfg(target_arch = "x86_64")]
    avx512: Avx512Sweep,
    /// The transposed opacities of the window.
    #[cfg(target_arch = "x86_64")]
    transposed: AlignedGrid,
}

impl Default for TwoParent {
    fn default() -> Self {
        Self {
            kernel: Kernel::best(),
            raw: Vec::new(),
            through: Vec::new(),
            portable: PortableSweep::default(),
            #[cfg(target_arch = "x86_64")]
            avx512: Avx512Sweep::default(),
            #[cfg(target_arch = "x86_64")]
            transposed: AlignedGrid::new(1, 1),
        }
    }
}

impl TwoParent {
    /// The kernel for a radius. The AVX-512 sweep knows only linear weights.
    pub(in crate::sight) fn kernel_for(&self, in_sight: u32, weights: Weights) -> Kernel {
        match self.kernel {
            Kernel::Width16 if weights == Weights::Linear => Kernel::Width16,
            _ if in_sight < PortableSweep::MIN_RADIUS => Kernel::List,
            Kernel::Width16 => Kernel::Width8,
            kernel => kernel,
        }
    }

    /// Must be called after other code wrote into the window: a sweep clears only what it wrote before.
    pub(in crate::sight) fn forget(&mut self) {
        #[cfg(target_arch = "x86_64")]
        self.avx512.forget();
        self.portable.forget();
    }

    /// Computes the raw visibility of every cell within `in_sight` from the window's opacities, before the path rule and
    /// decay. For [`Kernel::List`], `list` reaches at least as far.
    pub(in crate::sight) fn over_window(
        &mut self,
        kernel: Kernel,
        window: &mut Window,
        list: &OffsetList,
        in_sight: u32,
    ) {
        match kernel {
            Kernel::List => {
                let offsets = &list.as_slice()[..list.prefix_len(in_sight)];
                definition::over_window(offsets, window, &mut self.raw, &mut self.through);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Width16 if in_sight <= small_radius::MAX_RADIUS => {
                small_radius::over_window(window.opacity.view(), &mut window.seen, in_sight);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Width16 => {
                self.make_room(window);
                transpose_wedges(&window.opacity, in_sight, &mut self.transposed);
                let input = Avx512Input {
                    rows: window.opacity.view(),
                    columns: self.transposed.view(),
                    viewer: [window.radius as usize; 2],
                    has_nodata: window.has_nodata,
                };
                // The window's opacities beyond `in_sight` have no meaning, even if the map ends before.
                self.avx512.sweep(input, &mut window.seen, in_sight, false);
                window.swept = true;
            }
            kernel => {
                let input = SweepInput {
                    cells: window.opacity.values(),
                    viewer: window.middle(),
                    stride: window.opacity.stride(),
                    has_nodata: window.has_nodata,
                };
                self.portable.sweep(input, &mut window.seen, in_sight, list.weights(), kernel.may_use_avx2());
                window.swept = true;
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn make_room(&mut self, window: &Window) {
        let side = window.opacity.width();
        if self.transposed.width() != side {
            self.transposed = AlignedGrid::new(side, side);
        }
    }

    /// [`over_window`](Self::over_window) straight from a map, without a copy of its opacities. Returns `false` if the kernel
    /// needs the copy.
    ///
    /// `map_in_sight`: the whole map is within the radius, so a larger radius gives the same result.
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "only AVX-512 uses `map_in_sight`"))]
    #[inline]
    pub(in crate::sight) fn over_map(
        &mut self,
        map: &OpacityMap,
        viewer: IVec2,
        window: &mut Window,
        in_sight: u32,
        weights: Weights,
        map_in_sight: bool,
    ) -> bool {
        let kernel = self.kernel_for(in_sight, weights);
        #[cfg(target_arch = "x86_64")]
        if kernel == Kernel::Width16 {
            self.make_room(window); // not needed here, but later calls must not allocate
            let viewer = [viewer.x as usize, viewer.y as usize];
            let (rows, columns) = (map.grid().view(), map.transposed());
            if in_sight <= small_radius::MAX_RADIUS {
                small_radius::over_map(rows, columns, viewer, &mut window.seen, in_sight);
                return true;
            }
            let input = Avx512Input { rows, columns, viewer, has_nodata: false };
            self.avx512.sweep(input, &mut window.seen, in_sight, map_in_sight);
            window.swept = true;
            return true;
        }
        if kernel != Kernel::List
            && let Some(input) = SweepInput::on_map(map.grid(), viewer, in_sight)
        {
            self.portable.sweep(input, &mut window.seen, in_sight, weights, kernel.may_use_avx2());
            window.swept = true;
            return true;
        }
        false
    }
}
