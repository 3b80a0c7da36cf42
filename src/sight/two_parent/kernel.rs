//! Two-parent visibility by the fastest kernel at hand. All give the same bits.

use glam::IVec2;

#[cfg(target_arch = "x86_64")]
use super::avx512::small_radius::{self as near, NEAR};
#[cfg(target_arch = "x86_64")]
use super::avx512::{Ground, Sixteen, mirror_wedges};
use super::definition as propagate;
use super::sweep::{self as eight, Eight};
#[cfg(target_arch = "x86_64")]
use crate::grid::AlignedGrid;
use crate::sight::config::Weights;
use crate::sight::offsets::OffsetList;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::window::Window;
#[cfg(target_arch = "x86_64")]
use crate::simd::has_avx512;

/// A kernel of the two-parent method. Which one computes shows in the time it takes, and in nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kernel {
    /// The plain one: a walk along the list of offsets.
    List,
    /// Rows in vectors of four numbers at most: SSE2, NEON.
    Width4,
    /// Rows in vectors of up to eight numbers: AVX2.
    Width8,
    /// Rows in vectors of sixteen numbers: AVX-512.
    Width16,
}

impl Kernel {
    /// The fastest that this processor knows.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if has_avx512() {
            return Self::Width16;
        }
        Self::Width8
    }

    /// Whether it may use vectors wider than every processor of this kind knows.
    fn is_wide(self) -> bool {
        self > Self::Width4
    }
}

/// The kernels with their buffers.
#[derive(Clone, Debug)]
pub(crate) struct TwoParent {
    pub(crate) kernel: Kernel,
    raw: Vec<f32>,
    through: Vec<f32>,
    eight: Eight,
    #[cfg(target_arch = "x86_64")]
    sixteen: Sixteen,
    /// The window's opacities with rows and columns swapped.
    #[cfg(target_arch = "x86_64")]
    mirrored: AlignedGrid,
}

impl Default for TwoParent {
    fn default() -> Self {
        Self {
            kernel: Kernel::best(),
            raw: Vec::new(),
            through: Vec::new(),
            eight: Eight::default(),
            #[cfg(target_arch = "x86_64")]
            sixteen: Sixteen::default(),
            #[cfg(target_arch = "x86_64")]
            mirrored: AlignedGrid::new(1, 1),
        }
    }
}

impl TwoParent {
    /// The kernel for a radius: one in vectors of sixteen knows no other than linear weights.
    pub(crate) fn kernel_for(&self, in_sight: u32, weights: Weights) -> Kernel {
        match self.kernel {
            Kernel::Width16 if weights == Weights::Linear => Kernel::Width16,
            _ if in_sight < Eight::FROM => Kernel::List,
            Kernel::Width16 => Kernel::Width8,
            kernel => kernel,
        }
    }

    /// To be told when something else wrote into the window.
    pub(crate) fn forget(&mut self) {
        #[cfg(target_arch = "x86_64")]
        self.sixteen.forget();
        self.eight.forget();
    }

    /// Takes opacities from the window, and leaves in it the raw visibility of every cell within `in_sight`, before the
    /// path rule and decay. `list` reaches as far if the kernel is [`Kernel::List`].
    pub(crate) fn over_window(&mut self, kernel: Kernel, window: &mut Window, list: &OffsetList, in_sight: u32) {
        match kernel {
            Kernel::List => {
                let offsets = &list.as_slice()[..list.prefix_len(in_sight)];
                propagate::over_window(offsets, window, &mut self.raw, &mut self.through);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Width16 if in_sight <= NEAR => near::over_window(window.opacity.view(), &mut window.seen, in_sight),
            #[cfg(target_arch = "x86_64")]
            Kernel::Width16 => {
                self.make_room(window);
                let centre = window.radius as usize;
                mirror_wedges(&window.opacity, in_sight, &mut self.mirrored);
                let holes = window.has_nodata;
                let ground =
                    Ground { rows: window.opacity.view(), columns: self.mirrored.view(), viewer: [centre; 2], holes };
                // Beyond what is in sight the window's opacities mean nothing, even if the map ends before.
                self.sixteen.sweep(ground, &mut window.seen, in_sight, false);
                window.swept = true;
            }
            kernel => {
                let ground = eight::Ground {
                    cells: window.opacity.values(),
                    at: window.middle(),
                    row: window.opacity.stride(),
                    holes: window.has_nodata,
                };
                self.eight.sweep(ground, &mut window.seen, in_sight, list.weights(), kernel.is_wide());
                window.swept = true;
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn make_room(&mut self, window: &Window) {
        let side = window.opacity.width();
        if self.mirrored.width() != side {
            self.mirrored = AlignedGrid::new(side, side);
        }
    }

    /// The same straight from a map, if the kernel can: nothing is copied. Whether it did.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_variables, reason = "one kernel alone asks whether a map is whole")
    )]
    #[inline]
    pub(crate) fn over_map(
        &mut self,
        map: &OpacityMap,
        viewer: IVec2,
        window: &mut Window,
        in_sight: u32,
        weights: Weights,
        whole: bool,
    ) -> bool {
        let kernel = self.kernel_for(in_sight, weights);
        #[cfg(target_arch = "x86_64")]
        if kernel == Kernel::Width16 {
            self.make_room(window); // not needed here, but no later call is to allocate
            let viewer = [viewer.x as usize, viewer.y as usize];
            if in_sight <= NEAR {
                near::over_map(map.grid().view(), map.mirrored(), viewer, &mut window.seen, in_sight);
                return true;
            }
            let ground = Ground { rows: map.grid().view(), columns: map.mirrored(), viewer, holes: false };
            self.sixteen.sweep(ground, &mut window.seen, in_sight, whole);
            window.swept = true;
            return true;
        }
        if kernel != Kernel::List
            && let Some(ground) = eight::Ground::on_map(map.grid(), viewer, in_sight)
        {
            self.eight.sweep(ground, &mut window.seen, in_sight, weights, kernel.is_wide());
            window.swept = true;
            return true;
        }
        false
    }
}
